"""What is to be known of a run file before it is kept?

    Arriving      a run that can be kept: its contents are in the store, nothing is in the database yet
    Refused       a file that cannot be kept, and why
    Gate          reads, checks and stores files, one after the other, in any process
    Expected      what the archive knows of collections before it looks at files
    Demanding     what it knows of one of them
    identity_of   what tells the files of a run from others

A file is refused if its ranking or its metadata are wrong, or if its collection has a profile whose demands it does not
meet.  Where no profile was chosen, fields that are not stated are counted, not demanded.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from primad.archive.called import Called, called, called_by, meant
from primad.archive.search.facts import Facts, facts_of, storable
from primad.errors import FileError, PrimadError
from primad.metadata.checking.files import Demands, check_data
from primad.metadata.profile import DEFAULT
from primad.metadata.reading import metadata_in
from primad.metadata.record import Record
from primad.store.blobs import Blobs
from primad.trec.files import name_of, read_bytes
from primad.trec.ranking import ranking_lines, retrieved_digest

if TYPE_CHECKING:
    from primad.metadata.checking.findings import Checked, Finding
    from primad.metadata.reading import Metadata
    from primad.metadata.record import Tree

_MOST_REASONS = 3
_NAMED = 5
_LAST_COLUMN = 5
_COLUMNS_OF_QRELS = 4


@dataclass(frozen=True)
class Arriving:
    """A run whose contents are in the store, though they may not have been flushed to the disk.

    IDENTITY is made from the files, CALLED is the test collection as it is to be found, REMARKS what is to be said.
    RANKING is the digest of what was retrieved, MISSING the number of essential fields that are not stated.
    """

    path: str
    identity: str
    file: str
    side: str
    size: int
    ranking: str
    topics: int
    depth: int
    lines: int
    record: Tree
    facts: Facts
    run_version: str
    called: Called
    remarks: tuple[str, ...] = ()
    missing: int = 0


@dataclass(frozen=True)
class Refused:
    """A file that is not kept, and the REASON."""

    path: str
    reason: str
    status: Literal["refused"] = "refused"


@dataclass(frozen=True)
class Demanding:
    """A collection: its identifier in ir_datasets, and the PROFILE that its runs are checked by, empty if none."""

    ir_datasets: str = ""
    profile: str = ""


@dataclass(frozen=True)
class Expected:
    """The collections that are known, by the keys of their names; COLLECTION is the one named for all files."""

    collections: Mapping[str, Demanding] = field(default_factory=dict)
    collection: str = ""
    without_metadata: bool = False

    def called(self, record: Record) -> Called:
        """Return what the collection of the run with RECORD is called."""
        return called(self.collection) if self.collection else called_by(record)

    def profile(self, names: Called) -> str:
        """Return the profile that the collection with these NAMES demands, empty if none."""
        found = meant(names, self.collections, lambda one: one.ir_datasets)
        return found.profile if found else ""


@dataclass(frozen=True)
class Gate:
    """Lets run files in: reads, checks and stores them."""

    blobs: Path
    expected: Expected = field(default_factory=Expected)

    def __call__(self, path: str) -> Arriving | Refused:
        """Return the run at PATH, its contents stored, or why it is not let in."""
        try:
            return self._let_in(path)
        except FileError as error:
            is_about_path = error.path == name_of(path)
            return Refused(path, "; ".join(filter(None, [error.found, error.hint])) if is_about_path else str(error))
        except PrimadError as error:
            return Refused(path, str(error))

    def _let_in(self, path: str) -> Arriving | Refused:
        """Read, check and store the run at PATH."""
        data = read_bytes(path)
        name = name_of(path)
        checked, metadata = check_data(data, name, Demands(DEFAULT))
        side, record = _side_content(metadata)
        names = self.expected.called(record)
        profile = self.expected.profile(names)
        if profile:
            checked, _ = check_data(data, name, Demands(profile))
        if checked.ranking is None and checked.record is None and _are_judgments(data):
            return Refused(path, "looks like judgments; give them with: primad archive collection NAME --qrels FILE")
        reason = self._reason(checked, names, demanding=bool(profile))
        if reason or checked.ranking is None:
            return Refused(path, reason or "expected a run, found none")
        return self._stored(path, data, side, checked, record, names)

    def _reason(self, checked: Checked, names: Called, *, demanding: bool) -> str:
        """Return why the file that was CHECKED is not let in, empty if it is."""
        errors = [one for one in checked.findings if one.severity == "error" and self._counts(one, demanding=demanding)]
        if checked.record is not None and checked.ranking is None and not errors:
            return "expected a run, found metadata without one"
        if errors:
            more = len(errors) - _MOST_REASONS
            said = [_said(one) for one in errors[:_MOST_REASONS]]
            return "; ".join([*said, *([f"and {more} more; see: primad check"] if more > 0 else [])])
        if not names.names:
            return "states no test collection; add data.test collection.name, or name one with --collection"
        return ""

    def _counts(self, finding: Finding, *, demanding: bool) -> bool:
        """Tell whether an error keeps a run out: what is missing only does where somebody DEMANDING chose a profile."""
        if finding.code == "metadata" and self.expected.without_metadata:
            return False
        return demanding or finding.code != "missing"

    def _stored(self, path: str, data: bytes, side: bytes, checked: Checked, record: Record, names: Called) -> Arriving:
        """Store the contents of a run, and return what is known of it."""
        facts = checked.ranking
        assert facts is not None  # noqa: S101 - the caller has looked
        store = Blobs(self.blobs)
        file = store.put(data, flush=False)
        beside = store.put(side, flush=False) if side else ""
        missing = _missing(checked)
        return Arriving(
            path=path,
            identity=identity_of(file, beside),
            file=file,
            side=beside,
            size=len(data),
            ranking=retrieved_digest(data),
            topics=facts.topics,
            depth=facts.depth,
            lines=facts.lines,
            record=storable(record.ordered()),
            facts=facts_of(record, _first_tag(data)),
            run_version=str(storable(str(record.get("run-version", ""))))[:200],
            called=names,
            remarks=tuple(_remarks(missing)),
            missing=len(missing),
        )


def identity_of(file: str, side: str) -> str:
    """Return what tells a run from others: the digest of its file, or of both where its metadata lie beside it."""
    return file if not side else hashlib.sha256(f"{file}\n{side}\n".encode()).hexdigest()


def _are_judgments(data: bytes) -> bool:
    """Tell whether DATA begins as judgments do: topic, iteration, document, a whole number."""
    columns = next(ranking_lines(io.BytesIO(data)), b"").split()
    return len(columns) == _COLUMNS_OF_QRELS and columns[-1].removeprefix(b"-").isdigit()


def _first_tag(data: bytes) -> str:
    """Return the tag in the first line of the ranking in DATA."""
    columns = next(ranking_lines(io.BytesIO(data)), b"").split(None, _LAST_COLUMN)
    return columns[_LAST_COLUMN].decode("utf-8", "backslashreplace") if len(columns) > _LAST_COLUMN else ""


def _side_content(metadata: Metadata | None) -> tuple[bytes, Record]:
    """Return the metadata file beside a run, empty if it carries its METADATA itself, and the record.

    The record is that of the bytes which are kept, whatever somebody writes to the file meanwhile.
    """
    if metadata is None:
        return b"", Record({})
    if metadata.blocks:
        return b"", metadata.record
    data = read_bytes(metadata.name)
    found = metadata_in(data, metadata.name)
    return data, found.record if found else Record({})


def _said(finding: Finding) -> str:
    """Return FINDING as part of a reason; where it stands is known from the file."""
    what = f"{finding.field}: {finding.message}" if finding.field else finding.message
    if finding.code == "metadata":
        what += "; add it with: primad annotate, or keep the run without: --without-metadata --collection NAME"
    return f"line {finding.line}: {what}" if finding.line else what


def _missing(checked: Checked) -> list[str]:
    """Return the essential fields that the record which was CHECKED does not state."""
    return [one.field for one in checked.findings if one.code == "missing" and one.severity == "error"]


def _remarks(missing: list[str]) -> list[str]:
    """Return what is to be said about a run that is kept though fields are MISSING."""
    if not missing:
        return []
    named = ", ".join(missing[:_NAMED]) + (f" and {len(missing) - _NAMED} more" if len(missing) > _NAMED else "")
    return [f"{len(missing)} essential field{'s' * (len(missing) > 1)} not stated: {named}"]
