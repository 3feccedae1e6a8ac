"""What stands where in the table of an assessment, whichever way it is written.

    overview    the form of the paper's Table 2: a column for the original and each reproduction, rows by run and level
    sweep_rows  the runs of a sweep along its parameter
    turned      for many reproductions: a row for each, with a column for one measure of each level and run
    Overview    the first of them: groups of parts of lines of cells
    Turned      the second
    Legend      what a measure that occurs is called, which variant it is, and how it is read
    facts_of    the same for one name

A value that is not defined has a number that leads to its reason; each reason is listed once.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from primad.reports._tables import Row, number
from primad.reports.assessment._roles import Roles, roles_of
from primad.reproducibility.assessment.result import ROLES, Reproduction
from primad.reproducibility.catalogue import measures
from primad.reproducibility.registry import BESIDES, LEVELS, Level

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from primad.reproducibility.assessment.result import Assessment, Experiment, Sweep, Value
    from primad.reproducibility.intervals import Interval

# More reproductions than this are rows, not columns.
MOST_COLUMNS = 6
_MOST_VARIANTS = 4

_EFFECT, _COST = "Overall effect", "Cost"
_GROUPS = (*ROLES, _EFFECT, _COST)
# The note on a value that was not computed here, and so is of a definition that nobody here knows.
BY_OTHERS = "computed by others"
MARKS = {"equivalent": "=", "different": "≠", "inconclusive": "?"}
# The measures that a row of many reproductions has room for, by level; the first that has a value is taken.
_CHOSEN: dict[Level, tuple[str, ...]] = {
    "effectiveness": ("arp",),
    "document order": ("rbo_ext", "tau", "rbo", "ktu"),
    "scores": ("rmse",),
    "overall effect": ("er", "dri"),
    "cost": (),
}


class Facts(NamedTuple):
    """What is known of a measure: its title, the value of a perfect reproduction, how it is read, where it is from."""

    title: str
    ideal: float | None = None
    reading: str = ""
    source: str = ""


# Values that are no ideal, and yet mean more than their neighbours: a p-value of 1 says that nothing differs.
_SPECIAL = {"p": 1.0}


def facts_of(name: str) -> Facts:
    """Return what is known of the measure NAME; of an unknown one, its name."""
    if known := measures().get(name):
        return Facts(known.title, known.ideal, known.reading, known.source)
    if besides := BESIDES.get(name):
        return Facts(besides.title, besides.ideal, f"{besides.reading}; {besides.pitfall}")
    return Facts(name)


@dataclass(frozen=True)
class Cell:
    """A value as text, with its interval and the answer to "is it the same?"; or the number of a reason; or nothing."""

    value: str = ""
    interval: str = ""
    answer: str = ""
    reason: int = 0
    is_ideal: bool = False


@dataclass(frozen=True)
class Line:
    """One measure of all experiments.  NAME is as JSON has it, TITLE as people call it."""

    name: str
    title: str
    variant: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Part:
    """The lines of one level."""

    level: Level
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Group:
    """The parts that are about one run, about both, or about cost."""

    title: str
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Legend:
    """What a name in the table stands for."""

    name: str
    title: str
    variants: tuple[str, ...]
    ideal: float | None
    reading: str
    source: str


@dataclass(frozen=True)
class Overview:
    """The whole table."""

    columns: tuple[str, ...]
    groups: tuple[Group, ...]
    reasons: tuple[str, ...]
    legends: tuple[Legend, ...]
    has_ideals: bool


@dataclass(frozen=True)
class Turned:
    """The table with a row for each reproduction: name, type, cells.  The original is the first row.

    OF is the effectiveness measure that all values are by.
    """

    columns: tuple[str, ...]
    of: str
    rows: tuple[tuple[str, str, tuple[Cell, ...]], ...]
    reasons: tuple[str, ...]
    legends: tuple[Legend, ...]


class Key(NamedTuple):
    """What makes a line of the table; the variant only where an experiment has several values that differ in it."""

    group: str
    level: Level
    measure: str
    of: str
    variant: str = ""


_Columns = list[tuple["Experiment", dict[Key, "Value"]]]


@dataclass
class _Reasons:
    """The reasons met so far, each with its number."""

    numbers: dict[str, int] = field(default_factory=dict)

    def cell(self, one: Experiment, value: Value | None) -> Cell:
        """Return VALUE of an experiment as a cell."""
        if value is None:
            return Cell()
        if value.value is None:
            return Cell(reason=self.numbers.setdefault(value.undefined, len(self.numbers) + 1))
        ideal = _SPECIAL.get(value.measure, facts_of(value.measure).ideal)
        return Cell(number(value.value, ideal), bounds(value.interval, ideal), answer_about(one, value))


def answer_about(one: Experiment, value: Value) -> str:
    """Return the answer that is about VALUE, empty if there is none."""
    answers = one.answers if isinstance(one, Reproduction) else ()
    about = (answer for answer in answers if answer.measure == value.measure)
    return next((a.answer for a in about if a.of in ("", value.of) and a.run in ("", value.run)), "")


def bounds(interval: Interval | None, ideal: float | None = None) -> str:
    """Return an INTERVAL in brackets; an end that is missing is infinite, one close to the IDEAL has more digits."""
    if interval is None:
        return ""
    if interval.excluded:
        return "outside ({}, {})".format(*(number(end, ideal) for end in interval.excluded))
    low = "-∞" if interval.low is None else number(interval.low, ideal)
    high = "∞" if interval.high is None else number(interval.high, ideal)
    return f"[{low}, {high}]"


def spoken(assessment: Assessment) -> tuple[Reproduction, ...]:
    """Return the reproductions of which something can be said."""
    return tuple(one for one in assessment if not one.problem)


def overview(assessment: Assessment) -> Overview:
    """Return ASSESSMENT in the form of the paper's Table 2."""
    columns = _columns(assessment)
    keys = _keys(columns)
    reasons = _Reasons()
    lines = {key: _line(key, columns, reasons) for key in keys}
    return Overview(
        tuple(one.name for one, _ in columns),
        tuple(_groups(lines, roles_of(assessment))),
        tuple(reasons.numbers),
        tuple(_legends(keys, columns)),
        any(line.cells[0].is_ideal for line in lines.values()),
    )


def _columns(assessment: Assessment) -> _Columns:
    """Return the values of each experiment by line; the original comes first."""
    shown: tuple[Experiment, ...] = (assessment.original, *spoken(assessment))
    roles = roles_of(assessment)
    counts = (Counter(_key(value, roles) for value in one.values) for one in shown)
    twins = {key for counted in counts for key, number in counted.items() if number > 1}
    columns: _Columns = []
    for one in shown:
        found = ((_key(value, roles), value) for value in one.values)
        columns.append((one, {k._replace(variant=v.variant) if k in twins else k: v for k, v in found}))
    return columns


def _keys(columns: _Columns) -> list[Key]:
    """Return the lines in order."""
    return sorted(dict.fromkeys(key for _, found in columns for key in found), key=_place)


def _key(value: Value, roles: Roles) -> Key:
    """Return the line that VALUE stands in."""
    groups = {"overall effect": _EFFECT, "cost": _COST}
    group = groups.get(value.level, _EFFECT if value.run == "both" else value.run)
    # What a run costs is a matter of that run.
    of = roles.word(value.run) if value.level == "cost" else value.of
    return Key(group, value.level, value.measure, of)


def _place(key: Key) -> tuple[int, int]:
    """Return where a line stands; lines of one level stay in the order in which they came."""
    return _GROUPS.index(key.group), LEVELS.index(key.level)


def _line(key: Key, columns: _Columns, reasons: _Reasons) -> Line:
    """Return the line of KEY, with the ideal in the column of the original where that has no value."""
    cells = [reasons.cell(one, found.get(key)) for one, found in columns]
    ideal = facts_of(key.measure).ideal
    if cells[0] == Cell() and ideal is not None:
        cells[0] = Cell(number(ideal), is_ideal=True)
    title = key.measure if _is_by_others([key], columns) else _title(key)
    return Line(_name(key), title, "; ".join(_variants([key], columns)), tuple(cells))


def _is_by_others(keys: Iterable[Key], columns: _Columns) -> bool:
    """Tell whether a value of KEYS was computed by others, who may mean another variant by the same name."""
    return any(values[key].note == BY_OTHERS for key in keys for _, values in columns if key in values)


def _variants(keys: Iterable[Key], columns: _Columns) -> list[str]:
    """Return the variants that the values of KEYS are of, the first few of many; those undefined only if all are."""
    values = [found[key] for key in keys for _, found in columns if key in found]
    defined = [value for value in values if value.value is not None]
    said = list(filter(None, dict.fromkeys(value.variant for value in defined or values)))
    return [*said[:_MOST_VARIANTS], f"and {len(said) - _MOST_VARIANTS} more"] if len(said) > _MOST_VARIANTS else said


def _name(key: Key) -> str:
    """Return what a line is called in a terminal."""
    name = key.of if key.measure == "arp" else f"{key.measure} {key.of}".strip()
    return f"{name} ({key.variant})" if key.variant else name


def _title(key: Key) -> str:
    """Return what a line is called on a page."""
    if key.measure == "arp":
        return f"Mean {key.of}"
    title = facts_of(key.measure).title
    return f"{title}, {key.of}" if key.of else title


def _groups(lines: dict[Key, Line], roles: Roles) -> Iterator[Group]:
    """Yield the lines by group and level."""
    for name in dict.fromkeys(key.group for key in lines):
        levels = dict.fromkeys(key.level for key in lines if key.group == name)
        parts = (
            Part(level, tuple(line for key, line in lines.items() if (key.group, key.level) == (name, level)))
            for level in levels
        )
        yield Group(roles.title(name) if name in ROLES else name, tuple(parts))


def _legends(keys: Sequence[Key], columns: _Columns) -> Iterator[Legend]:
    """Yield what each measure among KEYS is."""
    for measure in dict.fromkeys(key.measure for key in keys):
        facts = facts_of(measure)
        own = [key for key in keys if key.measure == measure]
        variants = _variants(own, columns)
        if _is_by_others(own, columns):
            facts = Facts(measure, facts.ideal, BY_OTHERS)
        yield Legend(measure, facts.title, tuple(variants), facts.ideal, facts.reading, facts.source)


def turned(assessment: Assessment) -> Turned:
    """Return ASSESSMENT with a row for each reproduction, by the first effectiveness measure only."""
    columns = _columns(assessment)
    keys = _keys(columns)
    of = next((key.of for key in keys if key.of and key.level != "cost"), "")
    chosen = list(_chosen(keys, columns, of))
    reasons = _Reasons()
    rows = [
        (one.name, _type(one), tuple(reasons.cell(one, found.get(key)) for key in chosen)) for one, found in columns
    ]
    legends = tuple(_legends(chosen, columns))
    headings = tuple(_heading(key, roles_of(assessment)) for key in chosen)
    return Turned(headings, of, tuple(rows), tuple(reasons.numbers), legends)


def _type(one: Experiment) -> str:
    """Return the six letters of a reproduction; an original has none."""
    return one.type if isinstance(one, Reproduction) else ""


def _chosen(keys: Sequence[Key], columns: _Columns, of: str) -> Iterator[Key]:
    """Yield the lines that become columns: first those of the overall effect."""
    parts = dict.fromkeys((key.group, key.level) for key in keys)
    for part in sorted(parts, key=lambda part: part[1] != "overall effect"):
        here = [key for key in keys if (key.group, key.level) == part and key.of in ("", of)]
        here = [key for key in here if key.measure in _CHOSEN[part[1]]]
        said = [key for key in here if any(key in found and found[key].value is not None for _, found in columns)]
        said.sort(key=lambda key: _CHOSEN[key.level].index(key.measure))
        yield from said[:2] if part[1] == "overall effect" else said[:1]


def _heading(key: Key, roles: Roles) -> str:
    """Return the heading of a column: short, with the run it is about."""
    name = key.of if key.measure == "arp" else key.measure
    return name + roles.short(key.group, " ")


def swept_measures(sweep: Sweep | None) -> list[str]:
    """Return the effectiveness measures that a SWEEP has scores of."""
    points = [point for line in sweep.lines for point in line.points] if sweep else []
    return list(dict.fromkeys(measure for point in points for measure in point.scores))


def sweep_rows(sweep: Sweep | None) -> list[Row]:
    """Return the heading and a row for each run of a SWEEP along its parameter; nothing if there is none."""
    if sweep is None:
        return []
    measured = swept_measures(sweep)
    rows = [["line", sweep.field, *measured, *(f"rmse {measure}" for measure in measured), "rbo_ext"]]
    for line in sweep.lines:
        for point in sorted(line.points, key=lambda point: point.parameter):
            values: list[tuple[float | None, float | None]]
            values = [(point.scores.get(measure), None) for measure in measured]
            values += [(point.rmse.get(measure), 0.0) for measure in measured]
            cells = ["" if value is None else number(value, ideal) for value, ideal in (*values, (point.rbo_ext, 1.0))]
            rows.append([line.name, f"{point.parameter:g}", *cells])
    return rows
