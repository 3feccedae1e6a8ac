"""What becomes of a form in which somebody described a run?

largest      how many bytes a run may have here
Described    the run or the header that came of it, and what there is to say about it
described    make it; the lines of the ranking are not touched, and nothing is stored
texts_in     what the header of a file says, as it would have been typed
placed       findings by the input that they are about
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import PurePath

from primad.errors import FileError, NoMetadata
from primad.metadata.annotation import Annotation, annotate
from primad.metadata.checking.files import Demands, check_data
from primad.metadata.checking.findings import Checked, Finding
from primad.metadata.checking.ranking import check_ranking
from primad.metadata.header import split
from primad.metadata.profile import Profile
from primad.metadata.reading import metadata_in
from primad.metadata.record import Record
from primad.metadata.versions import NEWEST
from primad.safe_yaml import write_yaml
from primad.store.actors import current
from primad.trec.files import PACKINGS, read_bytes
from primad.trec.inspection import inspect_ranking
from primad.web.tools.form import Texts, texts_of, tree_of
from primad.web.tools.pointing import called
from primad.web.tools.uploads import FROM_USERS, FROM_VISITORS, Upload, most_unpacked

_HEADER = "header.yaml"
_INSTEAD = "annotate it on your own machine, by: primad annotate"


@dataclass(frozen=True)
class Described:
    """What came of a form: a file by its NAME and DATA, what was CHECKED, and what is WRONG with single inputs."""

    name: str = ""
    data: bytes = b""
    checked: Checked | None = None
    remarks: tuple[str, ...] = ()
    wrong: dict[str, tuple[str, ...]] = field(default_factory=dict)


def described(texts: Texts, run: Upload | None, profile: Profile, *, replace: bool = False) -> Described:
    """Return the RUN with the header that TEXTS describe, or the header alone if there is no run.

    REPLACE takes away what the header of the run says beyond that; else it stays.
    """
    tree, wrong = tree_of(texts, profile.schema)
    if wrong:
        return Described(wrong=wrong)
    name = _unpacked_name(run.name) if run else _HEADER
    try:
        sent = _content(run)
        made = _annotated(sent, Record(tree), name, replace=replace and run is not None)
    except FileError as error:
        raise called(error, name) from None
    checked, metadata = check_data(made.data, name, Demands(profile.name))
    if run and checked.ranking:
        checked = _by_sent_lines(checked, check_ranking(name, inspect_ranking(sent, name), metadata, profile, None))
    return Described(name, made.data, checked, made.remarks)


def _by_sent_lines(checked: Checked, ranking: Iterable[Finding]) -> Checked:
    """Return CHECKED with what was found about the RANKING as it was sent, whose lines have other numbers."""
    fields = [one for one in checked.findings if one.field]
    return dataclasses.replace(checked, findings=(*ranking, *fields))


def _content(run: Upload | None) -> bytes:
    """Return the bytes of RUN, unpacked; without a run, those of a header that says nothing yet."""
    return _unpacked(run) if run else write_yaml({"schema-version": NEWEST}).encode()


def largest() -> int:
    """Return how many bytes a run that whoever acts sends may have, packed or not."""
    return FROM_USERS if current().is_known else FROM_VISITORS


def _unpacked(file: Upload) -> bytes:
    """Return the bytes of FILE, unpacked."""
    return read_bytes(file.data, limit=most_unpacked(len(file.data), largest()), instead=_INSTEAD)


def _annotated(data: bytes, record: Record, name: str, *, replace: bool) -> Annotation:
    """Return DATA of the file NAME with the header that RECORD describes; REPLACE takes its former header away."""
    made = annotate(data, template=record)
    # Both are asked, for the former header may say that the ranking was changed since.
    return annotate(split(data, name).rest, template=record) if replace else made


def _unpacked_name(name: str) -> str:
    """Return the NAME of a file without the ending that says how it was packed.

    >>> _unpacked_name("bm25.run.gz"), _unpacked_name("bm25.run")
    ('bm25.run', 'bm25.run')
    """
    path = PurePath(name)
    return path.stem if path.suffix.lower() in PACKINGS else name


def texts_in(file: Upload, profile: Profile) -> dict[str, str]:
    """Return what the header of FILE, a run or a metadata file, says, as it would have been typed."""
    try:
        found = metadata_in(_unpacked(file), file.name, profile.schema)
    except FileError as error:
        raise called(error, file.name) from None
    if found is None:
        raise NoMetadata(file.name, "is a run without a header, so there is nothing to load", "fill in the form")
    return texts_of(found.record.tree, profile.schema)


def placed(findings: Iterable[Finding], names: Iterable[str]) -> tuple[dict[str, list[Finding]], list[Finding]]:
    """Return FINDINGS by the input, one of NAMES, that they are about, and those that are about none."""
    known = sorted(names, key=len, reverse=True)
    by_name: dict[str, list[Finding]] = {}
    others: list[Finding] = []
    for one in findings:
        name = next((name for name in known if one.field == name or one.field.startswith(f"{name}[")), "")
        (by_name.setdefault(name, []) if name else others).append(one)
    return by_name, others
