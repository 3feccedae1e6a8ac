"""Which conditions do measurements share?  The grid of the paper's Tables 3, 5 and 7: equal values in equal colour.

grids           a grid for each study: a row for each measurement, a column for each condition
pages           a grid in parts that fit on a page
Grid, Block     a grid, and the rows of one group in it
Cell            a value of a condition, and the number of its colour

Colours are counted within a column, in the order in which values appear: the first colour is mostly the value of the
original, so what differs from it stands out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

from primad.qra.conditions import PAPER, is_unknown, label_of
from primad.reports._tables import NONE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from primad.qra.grouping import Group
    from primad.qra.measurement import Measurement, Role
    from primad.qra.result import GroupResult

MOST_COLOURS = 7
MOST_COLUMNS = 16
_STAGES = {
    "object": "Object conditions",
    "method": "Measurement method conditions",
    "procedure": "Measurement procedure conditions",
    "": "Further conditions",
}
_STAGE_OF = {condition.name: condition.stage for condition in PAPER}


@dataclass(frozen=True, slots=True)
class Cell:
    """A value of a condition; it has no colour if it is unknown, not stated, or one of more than there are colours."""

    text: str
    colour: int | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A measurement in a grid."""

    cells: tuple[Cell, ...]
    value: str
    role: Role
    source: str


@dataclass(frozen=True, slots=True)
class Block:
    """The rows of a group, or those of them that fit on a page."""

    result: GroupResult
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """The conditions of all measurements of a study.

    stages    what the columns are about: a title and how many columns it has
    """

    study: str
    columns: tuple[str, ...]
    stages: tuple[tuple[str, int], ...]
    blocks: tuple[Block, ...]
    left_out: int = 0

    @property
    def note(self) -> str:
        """Return how many conditions are not shown, and which; empty if all are."""
        if not self.left_out:
            return ""
        some = "1 further condition is" if self.left_out == 1 else f"{self.left_out:,} further conditions are"
        return f"{some} left out, first those with one value only; the JSON has all."

    @property
    def rows(self) -> int:
        """Return how many measurements there are."""
        return sum(len(block.lines) for block in self.blocks)


def grids(results: Iterable[GroupResult]) -> list[Grid]:
    """Return a grid for each study of RESULTS that states any condition."""
    by_study: dict[str, list[GroupResult]] = {}
    for result in results:
        by_study.setdefault(result.group.fact("study"), []).append(result)
    made = (_grid(study, members) for study, members in by_study.items())
    return [grid for grid in made if grid.columns]


def pages(grid: Grid, most: int) -> list[Grid]:
    """Return GRID in parts of at MOST that many rows; a group stays in one piece if it can."""
    parts: list[list[Block]] = [[]]
    pieces = [
        replace(block, lines=block.lines[start : start + most])
        for block in grid.blocks
        for start in range(0, len(block.lines), most)
    ]
    for piece in pieces:
        if parts[-1] and sum(len(block.lines) for block in parts[-1]) + len(piece.lines) > most:
            parts.append([])
        parts[-1].append(piece)
    return [replace(grid, blocks=tuple(part)) for part in parts]


def _grid(study: str, results: Sequence[GroupResult]) -> Grid:
    """Return the grid of the RESULTS of a STUDY."""
    groups = [result.group for result in results]
    stated = _columns(groups)
    names = _telling(stated, groups)
    colours = {name: _colours(name, groups) for name in names}
    blocks = tuple(
        Block(result, tuple(_line(one, names, colours) for one in result.group.measurements)) for result in results
    )
    stages = tuple((title, len(list(members))) for title, members in groupby(map(_stage, names)))
    return Grid(study, tuple(map(label_of, names)), stages, blocks, len(stated) - len(names))


def _stage(name: str) -> str:
    """Return what the condition NAME is about."""
    return _STAGES[_STAGE_OF.get(name, "")]


def _columns(groups: Sequence[Group]) -> list[str]:
    """Return the conditions that any measurement of GROUPS states: those of the paper in its order, then all others."""
    stated = {name for group in groups for one in group.measurements for name, value in one.conditions.items() if value}
    looked_at = dict.fromkeys(name for group in groups for name in group.names if name in stated)
    paper = [condition.name for condition in PAPER if condition.name in looked_at]
    return [*paper, *(name for name in looked_at if name not in _STAGE_OF)]


def _telling(names: list[str], groups: Sequence[Group]) -> list[str]:
    """Return as many of NAMES, in their order, as can be looked at: those before others whose values differ."""
    if len(names) <= MOST_COLUMNS:
        return names
    varying = {name for name in names if len(_colours(name, groups)) > 1}
    kept = set(sorted(names, key=lambda name: name not in varying)[:MOST_COLUMNS])
    return [name for name in names if name in kept]


def _colours(name: str, groups: Sequence[Group]) -> dict[str, int]:
    """Return a colour for each known value of the condition NAME, as long as there are colours."""
    values = (one.conditions.get(name, "") for group in groups for one in group.measurements)
    known = dict.fromkeys(value for value in values if value and not is_unknown(value))
    return dict(zip(known, range(MOST_COLOURS), strict=False))


def _line(one: Measurement, names: Sequence[str], colours: dict[str, dict[str, int]]) -> Line:
    """Return a measurement as a row of a grid."""
    stated = [(one.conditions.get(name, ""), colours[name]) for name in names]
    cells = tuple(Cell(value or NONE, known.get(value)) for value, known in stated)
    return Line(cells, one.value, one.role, one.source)
