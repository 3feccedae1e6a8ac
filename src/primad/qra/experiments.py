"""Which scores were measured together, as one column of a table?

    Experiment      what one source did to several objects: its name, and whether it is the original
    experiments_of  the experiment of each of some measurements
    ScoreTable      the scores of one measurand in one study, by object and experiment
    score_tables    the tables of many measurements

A measurement can name its experiment.  Otherwise the source is the experiment, if it has one value for each object;
if it has several, the conditions that tell these apart are added: as few as possible, the short ones first.  What no
condition tells apart is numbered in the order of the file.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from primad.qra.measurement import Measurement

# What an experiment is called of which nothing is known.
UNNAMED = "unnamed"
_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class Experiment:
    """A column of scores: what one source measured in one go."""

    name: str
    study: str = ""
    source: str = ""
    is_original: bool = False


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """The scores of one measurand in one study; ``columns`` has those of each experiment by object.

    measured        the measurements that the scores come from, in the same order
    incomparable    why scores of different objects cannot be compared, empty if they can
    """

    study: str
    measurand: str
    objects: tuple[str, ...]
    experiments: tuple[Experiment, ...]
    columns: tuple[Mapping[str, float], ...]
    measured: tuple[Mapping[str, Measurement], ...]
    incomparable: str = ""

    @property
    def title(self) -> str:
        """Return what the table is called."""
        return f"{self.study}, {self.measurand}" if self.study else self.measurand

    @property
    def matrix(self) -> list[list[float | None]]:
        """Return a row for each object and a column for each experiment, None where nothing was measured."""
        return [[column.get(one) for column in self.columns] for one in self.objects]

    @property
    def originals(self) -> tuple[int, ...]:
        """Return which columns are originals."""
        return tuple(place for place, one in enumerate(self.experiments) if one.is_original)

    @property
    def complete(self) -> tuple[str, ...]:
        """Return the objects that every experiment measured."""
        fewest = min(self.columns, key=len)
        return tuple(one for one in self.objects if one in fewest and all(one in column for column in self.columns))

    def shared(self, first: int, second: int) -> tuple[list[float], list[float]]:
        """Return the scores of the objects that the FIRST and the SECOND experiment both measured."""
        one, other = self.columns[first], self.columns[second]
        fewer, more = sorted((one, other), key=len)
        both = [name for name in fewer if name in more]
        return [one[name] for name in both], [other[name] for name in both]


def score_tables(measurements: Iterable[Measurement]) -> tuple[ScoreTable, ...]:
    """Return a table for each measurand of each study, in the order they appear."""
    listed = list(measurements)
    collected: dict[tuple[str, str], dict[Experiment, dict[str, Measurement]]] = defaultdict(dict)
    for one, experiment in zip(listed, experiments_of(listed), strict=True):
        collected[one.study, one.measurand].setdefault(experiment, {})[one.object] = one
    return tuple(_table(*key, columns) for key, columns in collected.items())


def _table(study: str, measurand: str, columns: Mapping[Experiment, Mapping[str, Measurement]]) -> ScoreTable:
    """Return the table of MEASURAND in STUDY."""
    return ScoreTable(
        study,
        measurand,
        tuple(dict.fromkeys(name for column in columns.values() for name in column)),
        tuple(columns),
        tuple({name: one.number for name, one in column.items()} for column in columns.values()),
        tuple(columns.values()),
        _incomparable(columns.values()),
    )


def _incomparable(columns: Iterable[Mapping[str, Measurement]]) -> str:
    """Return why scores in COLUMNS cannot be compared across objects, empty if they can."""
    kinds = dict.fromkeys((one.scale, one.unit) for column in columns for one in column.values())
    if len(kinds) == 1:
        return ""
    listed = ", ".join(f"{scale} {unit}".strip() for scale, unit in list(kinds)[:_MOST_NAMED])
    return f"its objects are measured on different scales ({listed})"


def experiments_of(measurements: Iterable[Measurement]) -> list[Experiment]:
    """Return the experiment that each of MEASUREMENTS belongs to."""
    listed = list(measurements)
    together: dict[tuple[str, ...], list[int]] = defaultdict(list)
    roles: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for place, one in enumerate(listed):
        key = (one.study, one.measurand, one.source, one.experiment)
        together[*key, one.role].append(place)
        roles[key].add(one.role)
    found: dict[int, Experiment] = {}
    for (study, measurand, source, experiment, role), places in together.items():
        is_needed = len(roles[study, measurand, source, experiment]) > 1 or not (source or experiment)
        base = ", ".join(filter(None, (source, experiment, role if is_needed else "")))
        names = _names(base, [listed[place] for place in places])
        known = {name: Experiment(name, study, source, role == "original") for name in dict.fromkeys(names)}
        found.update(zip(places, map(known.__getitem__, names), strict=True))
    return [found[place] for place in range(len(listed))]


def _names(base: str, members: Sequence[Measurement]) -> list[str]:
    """Return a name for each of MEMBERS, no object having the same twice."""
    if len({one.object for one in members}) == len(members):
        return [base or UNNAMED] * len(members)
    names: list[str] = []
    seen: Counter[tuple[str, str]] = Counter()
    for one, suffix in zip(members, _told_apart(members), strict=True):
        name = ", ".join(filter(None, (base, suffix))) or UNNAMED
        seen[one.object, name] += 1
        count = seen[one.object, name]
        names.append(name if count == 1 else f"{name} #{count}")
    return names


def _told_apart(members: Sequence[Measurement]) -> list[str]:
    """Return, for each of MEMBERS, the conditions that tell it from others of the same object."""
    stated = dict.fromkeys(chain.from_iterable(one.conditions for one in members))
    candidates = {name: [one.conditions.get(name, "") for one in members] for name in stated}
    chosen: dict[str, list[str]] = {}
    apart = _coded(one.object for one in members)
    columns = [0] * len(members)
    while candidates and (before := len(set(apart))) < len(members):
        told = {name: len(set(zip(apart, values, strict=True))) for name, values in candidates.items()}
        most = max(told.values())
        if most == before:
            break
        name = min((name for name in told if told[name] == most), key=lambda name: _cost(candidates[name], columns))
        values = chosen[name] = candidates.pop(name)
        apart, columns = _coded(zip(apart, values, strict=True)), _coded(zip(columns, values, strict=True))
    first = {column: place for place, column in reversed(list(enumerate(columns)))}
    suffixes = {column: _suffix(chosen, place) for column, place in first.items()}
    return [suffixes[column] for column in columns]


def _suffix(chosen: Mapping[str, Sequence[str]], place: int) -> str:
    """Return the values of the CHOSEN conditions in one PLACE."""
    return ", ".join(
        f"{name}={values[place]}" if values[place] else f"{name} not stated" for name, values in chosen.items()
    )


def _coded(things: Iterable[Hashable]) -> list[int]:
    """Return a number for each of THINGS, the same for equal ones."""
    codes: dict[Hashable, int] = {}
    return [codes.setdefault(one, len(codes)) for one in things]


def _cost(values: Sequence[str], columns: Sequence[int]) -> tuple[int, int]:
    """Return into how many columns VALUES part the measurements, and how long they are."""
    return len(set(zip(columns, values, strict=True))), sum(map(len, set(values)))
