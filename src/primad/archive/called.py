"""What does a record call its test collection, and which of those that are known is that?

    Called      the identifier, the name and the source that a record states
    called_by   the same of a record
    called      the same of a name that a person gives
    key_of      a name as it is compared and kept
    meant       which of the known collections is meant

An identifier of ir_datasets fixes documents, topics and judgments.  A name does so less surely: many records give that
of the documents, which several test collections share.  So an identifier decides where it is known, and a name only if
the collection of that name has no other identifier.  The source is the address of the documents and says least: it
counts only where nothing else is stated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from primad.archive.search.facts import LONGEST, folded, storable

if TYPE_CHECKING:
    from primad.metadata.record import Record

T = TypeVar("T")

_PARTS = ("ir_datasets", "name", "source")


@dataclass(frozen=True)
class Called:
    """What a record calls its test collection; empty where it says nothing."""

    ir_datasets: str = ""
    name: str = ""
    source: str = ""

    @property
    def title(self) -> str:
        """Return what a new collection is called: people know it by its name."""
        return self.name or self.ir_datasets or self.source

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names by which the collection is found, the surest first."""
        return tuple(filter(None, (self.ir_datasets, self.name))) or tuple(filter(None, (self.source,)))


def called_by(record: Record) -> Called:
    """Return what RECORD calls its test collection."""
    return Called(**{part: _clean(str(record.get(f"data.test collection.{part}", ""))) for part in _PARTS})


def called(name: str) -> Called:
    """Return what a person calls a collection by NAME."""
    return Called(name=_clean(name))


def _clean(name: str) -> str:
    """Return NAME as a column can hold it, empty if no letter of it is left to compare."""
    kept = str(storable(" ".join(name.split())))[:LONGEST].strip()
    return kept if folded(kept) else ""


def key_of(name: str) -> str:
    """Return NAME as it is compared and kept.

    >>> key_of(" Core17 ") == key_of("CORE17")
    True
    """
    return folded(name)[:LONGEST]


def meant(names: Called, known: Mapping[str, T], identifier_of: Callable[[T], str]) -> T | None:
    """Return which of the KNOWN collections, by their keys, is called by NAMES; None if it is none of them.

    >>> known = {"nyt": "the first", "nyt/core": "the first"}
    >>> meant(Called(name="NYT"), known, lambda _: "nyt/core")
    'the first'
    >>> meant(Called("nyt/other", "NYT"), known, lambda _: "nyt/core")
    """
    for name in names.names:
        found = known.get(key_of(name))
        if found is None:
            continue
        other = identifier_of(found)
        if name == names.ir_datasets or not names.ir_datasets or not other:
            return found
    return None
