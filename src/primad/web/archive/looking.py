"""What would become of files, if they were added?  Nothing is stored by looking.

    Looked     what was found about a file: whether it would be kept, and each finding with its line
    look       the same for files that were brought
    Result     what became of files that were added
    add        the runs among files that were brought, added

A file is looked at by the same gate as when it is added; what the gate would store goes into a folder that is gone
afterwards.  Few people have files read at once.
"""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from primad.archive.arriving import Demanding, Expected, Gate, Refused
from primad.errors import PrimadError
from primad.metadata.beside import Folder, named_after
from primad.metadata.checking.files import Demands, check_data
from primad.metadata.checking.findings import Checked, Finding
from primad.metadata.header import START
from primad.metadata.profile import DEFAULT
from primad.metadata.record import Record
from primad.store.profiles import profile_in_force
from primad.store.turns import READING
from primad.web.archive.bringing import Brought, read, refusal
from primad.web.archive.cards import page_text

if TYPE_CHECKING:
    from primad.archive.archive import Archive
    from primad.archive.services import Kept

_MOST_FINDINGS = 200
_IDLE = "expected the run that this metadata file belongs to, found none; choose both, named alike (a.run and a.yml)"
_WITHOUT = "the run is taken without metadata, as you chose"
# What a person at a terminal is told to type, and what a person at a page does instead.
_ON_A_PAGE = (
    (
        "add it with: primad annotate, or keep the run without: --without-metadata --collection NAME",
        "annotate it, or take it without metadata and choose a collection",
    ),
    ("or name one with --collection", "or choose a collection"),
    (
        "give them with: primad archive collection NAME --qrels FILE",
        "an administrator adds them on the page of the collection",
    ),
    ("see: primad check", "press Check to see all"),
)


@dataclass(frozen=True)
class Looked:
    """What was found about the file NAME: why it would be REFUSED, empty if it would be kept, and on which COLLECTION.

    MORE counts findings that are left out.  DEMANDS says that the collection has a profile, which fields must meet.
    """

    name: str
    refused: str
    collection: str = ""
    findings: tuple[Finding, ...] = ()
    more: int = 0
    checked: Checked | None = None
    demands: bool = False

    @property
    def problems(self) -> tuple[Finding, ...]:
        """Return what is wrong, line by line."""
        return tuple(one for one in self.findings if one.code != "missing")

    @property
    def missing(self) -> tuple[Finding, ...]:
        """Return the fields that are not stated, though they matter."""
        return tuple(one for one in self.findings if one.code == "missing")


@dataclass(frozen=True)
class Result:
    """What became of files: those KEPT, and those REFUSED, by their names with the reasons.

    JUDGED are the addresses of the runs kept whose collections have judgments, so that they can be scored.
    """

    kept: tuple[Kept, ...] = ()
    refused: tuple[tuple[str, str], ...] = field(default_factory=tuple)
    judged: tuple[str, ...] = ()


def look(archive: Archive, files: Brought, *, collection: str, without_metadata: bool) -> list[Looked]:
    """Return what would become of each of FILES, if they were added to COLLECTION."""
    expected = _expected(archive, collection, without_metadata=without_metadata)
    with READING.turn(), tempfile.TemporaryDirectory(prefix="primad-") as store:
        unread = _unread(files)
        gate = Gate(Path(store), expected)
        looked = [
            Looked(path.name, unread[path]) if path in unread else _look(path, gate, files) for path in files.runs
        ]
    return [*looked, *(Looked(path.name, unread.get(path, _IDLE)) for path in _beside(files, unread))]


def _expected(archive: Archive, collection: str, *, without_metadata: bool) -> Expected:
    """Return what is known of collections before files are read."""
    known = {
        name: Demanding(one.ir_datasets, profile_in_force(archive.folder, one.profile))
        for one in archive.collections()
        for name in one.names
    }
    return Expected(known, collection, without_metadata)


def _look(path: Path, gate: Gate, files: Brought) -> Looked:
    """Return what the GATE would say of the run at PATH."""
    try:
        data = read(path)
        checked, metadata = check_data(data, str(path), Demands(DEFAULT))
        names = gate.expected.called(metadata.record if metadata else Record({}))
        profile = gate.expected.profile(names)
        if profile:
            checked, _ = check_data(data, str(path), Demands(profile))
        through = gate(str(path))
    except PrimadError as error:
        return Looked(path.name, _reason(refusal(path) or str(error), files))
    without = gate.expected.without_metadata
    findings = [_named(_as_wished(one) if without else one, files) for one in checked.findings]
    return Looked(
        name=path.name,
        refused=_reason(through.reason, files) if isinstance(through, Refused) else "",
        collection=names.title,
        findings=tuple(findings[:_MOST_FINDINGS]),
        more=max(len(findings) - _MOST_FINDINGS, 0),
        checked=checked,
        demands=bool(profile),
    )


def _reason(text: str, files: Brought) -> str:
    """Return the reason TEXT as a page says it."""
    for typed, done in _ON_A_PAGE:
        text = text.replace(typed, done)
    return page_text(files.plain(text))


def _named(finding: Finding, files: Brought) -> Finding:
    """Return FINDING with names in place of paths."""
    file, message, advice = (_reason(text, files) for text in (finding.file, finding.message, finding.advice))
    return replace(finding, file=file, message=message, advice=advice)


def _as_wished(finding: Finding) -> Finding:
    """Return FINDING of a run that is taken without metadata: that it has none is no error then."""
    return replace(finding, severity="warning", advice=_WITHOUT) if finding.code == "metadata" else finding


def _unread(files: Brought) -> dict[Path, str]:
    """Return why some of FILES cannot be read; nor can a run then whose metadata are in such a file."""
    unread = {path: files.plain(why) for path in (*files.runs, *files.beside) if (why := refusal(path))}
    here = Folder(files.folder)
    for path in [path for path in files.runs if path not in unread]:
        side = _side(path, here, unread)
        if side in unread and START.encode() not in read(path):
            unread[path] = f"its metadata are in {side.name}, which cannot be read: {unread[side]}"
    return unread


def _side(run: Path, here: Folder, unread: Collection[Path]) -> Path | None:
    """Return the metadata file of a RUN, also one among UNREAD of which only the name tells that it is one."""
    named = (here.path / name for name in named_after(run.name))
    try:
        return next((path for path in named if path in unread), None) or here.side_file(run.name)
    except PrimadError:  # said of the run itself
        return None


def _beside(files: Brought, unread: Mapping[Path, str]) -> list[Path]:
    """Return the metadata files among FILES of which there is something to say: UNREAD ones, and those of no run."""
    unused = _unused(files)
    return [path for path in files.beside if path in unread or path in unused]


def _unused(files: Brought) -> list[Path]:
    """Return the metadata files that lie beside no run among FILES."""
    here = Folder(files.folder)
    used = set()
    for path in files.runs:
        try:
            used.add(here.side_file(path.name))
        except PrimadError:  # said of the run itself
            used.update(files.beside)
    return [path for path in files.beside if path not in used]


def add(archive: Archive, files: Brought, *, collection: str, without_metadata: bool, replaces: str = "") -> Result:
    """Add the runs among FILES to COLLECTION, and return what became of each file.

    REPLACES is the address of the run that the only one among FILES is a new version of.
    """
    how: dict[str, Any] = {"collection": collection, "without_metadata": without_metadata, "replaces": replaces}
    with READING.turn():
        return _added(archive, files, how)


def _added(archive: Archive, files: Brought, how: dict[str, Any]) -> Result:
    """Add the runs among FILES as HOW says, and return what became of each file."""
    unread = _unread(files)
    usable = [path for path in files.runs if path not in unread]
    refused = [(path.name, unread[path]) for path in files.runs if path in unread]
    refused += [(path.name, unread.get(path, _IDLE)) for path in _beside(files, unread)]
    found = archive.add(usable, jobs=1, **how) if usable else ()  # in one process: a site has others to answer
    kept: list[Kept] = []
    for one in found:
        if isinstance(one, Refused):
            refused.append((Path(one.path).name, _reason(one.reason, files)))
        else:
            kept.append(replace(one, path=Path(one.path).name, remarks=tuple(map(page_text, one.remarks))))
    with_judgments = {one.name for one in archive.collections() if any(qrels.is_current for qrels in one.qrels)}
    judged = tuple(one.address for one in kept if one.collection in with_judgments)
    return Result(tuple(kept), tuple(refused), judged)
