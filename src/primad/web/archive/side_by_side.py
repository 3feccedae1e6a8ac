"""What differs between an original and other runs, side by side?

    Compared, compared   the runs against their original: types, fields by component, and measures that are possible
    Line                 a field, what the original states, and what each run states

Nothing is decided here: primad.reproducibility.comparison tells what counts as a change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Literal

from primad.metadata.record import Record
from primad.metadata.schema import COMPONENTS
from primad.web.archive.asking import in_sight
from primad.web.archive.cards import said
from primad.web.archive.reading import record_of

if TYPE_CHECKING:
    from primad.archive.archive import Archive
    from primad.reports.archive.answers import Hit
    from primad.reproducibility.comparison import Compared as OneCompared
    from primad.reproducibility.comparison import Group
    from primad.reproducibility.comparison.differences import Observation

State = Literal["same", "changed", "not stated", "only here", "not compared"]
Key = tuple[str, str]
Seen = dict[Key, list["Observation"]]

NEVER_SAID = "not stated"
_MOST_LINES = 60


@dataclass(frozen=True)
class Cell:
    """What a run states in a field, and how that stands to the original."""

    text: str
    state: State


@dataclass(frozen=True)
class Line:
    """A field: what the ORIGINAL states, and what each of the others does."""

    field: str
    original: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Side:
    """A component of which some run differs from the original, or does not state all; MORE counts fields left out."""

    component: str
    lines: tuple[Line, ...]
    more: int = 0


@dataclass(frozen=True)
class Compared:
    """The RUNS, each with what was found about it, against the ORIGINAL."""

    original: Hit
    runs: tuple[tuple[Hit, OneCompared], ...]
    sides: tuple[Side, ...]
    groups: tuple[Group, ...]

    def tags(self, group: Group) -> list[Hit]:
        """Return the runs of GROUP."""
        return [hit for hit, _ in self.runs if hit.address in group.paths]


def compared(archive: Archive, original: str, others: Sequence[str]) -> Compared:
    """Return how the runs called OTHERS differ from the one called ORIGINAL."""
    from primad.reproducibility.comparison import compare_records
    from primad.reproducibility.comparison.groups import groups_of

    first = in_sight(archive, original)
    beside = (in_sight(archive, name) for name in others)
    shown = {one.run.address: one for one in beside if one.run.address != first.run.address}
    own = record_of(first)
    records = {address: record_of(one) for address, one in shown.items()}
    found = {address: replace(compare_records(own, one), path=address) for address, one in records.items()}
    return Compared(
        original=first.run,
        runs=tuple((shown[address].run, one) for address, one in found.items()),
        sides=tuple(_sides(own, list(records.values()))),
        groups=groups_of(first.run.address, found.values()),
    )


def _sides(original: Record, records: Sequence[Record]) -> Iterator[Side]:
    """Yield each component in which there is anything to see."""
    from primad.reproducibility.comparison.differences import Sides, observe

    pairs = [Sides(original, record) for record in records]
    for component in COMPONENTS:
        seen = [_by_line(observe(component, pair)) for pair in pairs]
        lines = [_line(key, zip(records, seen, strict=True)) for key in _keys(seen)]
        if lines:
            yield Side(component, tuple(lines[:_MOST_LINES]), max(len(lines) - _MOST_LINES, 0))


def _by_line(found: Iterable[Observation]) -> Seen:
    """Return what was FOUND by the line it belongs to: the field, and what the original states in it.

    What a field is called tells not enough: of a list of steps or of packages each comparison takes what both have.
    """
    seen: Seen = {}
    for one in found:
        seen.setdefault((one.field, said(one.original)), []).append(one)
    return seen


def _keys(seen: Sequence[Seen]) -> Iterator[Key]:
    """Yield the lines in which some run differs, and then those that not all state."""
    every = [(key, _state(found)) for one in seen for key, found in one.items()]
    lines = [*(key for key, state in every if state == "changed"), *(key for key, state in every if state != "same")]
    yield from dict.fromkeys(lines)


def _line(key: Key, runs: Iterable[tuple[Record, Seen]]) -> Line:
    """Return the field of KEY with what the original and RUNS state."""
    name, original = key
    return Line(name, original, tuple(_cell(name, record, seen.get(key, ())) for record, seen in runs))


def _cell(name: str, record: Record, found: Sequence[Observation]) -> Cell:
    """Return what a run with RECORD states in the field NAME, of which this was FOUND."""
    if not found and name in _plain() and record.get(name) is None:
        return Cell(NEVER_SAID, "not stated")
    state = _state(found)
    stated = next((one.other for one in found if one.other is not None), None)
    return Cell(said(stated), state)


def _state(found: Sequence[Observation]) -> State:
    """Return how a field stands to the original, by what was FOUND of it; what nobody can tell is of both sides."""
    ways = {one.seen for one in found}
    if "changed" in ways:
        return "changed"
    if ways >= {"original only", "other only"} or not ways:
        return "not compared"
    if "original only" in ways:
        return "not stated"
    return "only here" if "other only" in ways else "same"


@cache
def _plain() -> frozenset[str]:
    """Return the fields that stand in a record under the name by which they are compared."""
    from primad.reproducibility.comparison.counted import counted

    rules = ("any", "first stated on both", "program", "between experimenters only")
    return frozenset(name for some in counted().values() for one in some if one.rule in rules for name in one.fields)
