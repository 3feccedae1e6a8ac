"""Step 5, continued: which one measurement would settle an open question?

    settling_of    the measurement that would tell most, None where nothing is open or one would not do
    Settling       an existing measurement, what to change about it, and what the new one could be compared with

A new measurement between two that differ in two classes differs from each of them in one class alone.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from primad.qra.causes.separation import compared, differences, relative_spread
from primad.qra.causes.words import joined, measurement_of, shown, stated
from primad.qra.conditions import is_unknown, label_of
from primad.qra.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from primad.qra.causes.contrasts import ClassContrasts, Contrast, Contrasts
    from primad.qra.causes.floor import Floor
    from primad.qra.causes.recorded import AliasClass, Recorded
    from primad.qra.causes.separation import Gap, Separation
    from primad.qra.grouping import Group
    from primad.qra.measurement import Measurement

Purpose = Literal["separate", "approach", "repeat"]
Names = tuple[str, ...]
Rows = dict[int, tuple[int, ...]]
_ONE_BETWEEN = 2
_EQUAL = 1e-9
_MOST_NAMED = 3
# Of pairs equally far apart so many are tried; each costs a look at all measurements.
_MOST_PAIRS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Settling:
    """A measurement that nobody has made yet: as the one at LIKE, but with CHANGES.

    purpose       "separate" what changed at once, "approach" that by a first step, or "repeat" with nothing changed
    question      the classes of conditions that changed at once
    conditions    all varying conditions of the new measurement
    contrasts     the measurements, by position, that it would differ from in one class alone, with that class
    tied          conditions that have always changed with the one to change, so that it may not be possible
    already       measurements, by position, that may be the new one: what is known of them agrees with it
    """

    purpose: Purpose
    like: int
    conditions: Mapping[str, str]
    measurements: tuple[Measurement, ...]
    question: tuple[Names, ...] = ()
    changes: Mapping[str, str]
    contrasts: tuple[tuple[int, Names], ...] = ()
    tied: Names = ()
    already: tuple[int, ...] = ()

    @property
    def sentence(self) -> str:
        """Return what to measure and what it would tell."""
        return f"{self.request} {self._use()}" if self.contrasts else self.request

    @property
    def request(self) -> str:
        """Return what to measure."""
        base = measurement_of(self.measurements[self.like])
        if self.purpose == "repeat":
            return (
                f"One measurement would help: {base} repeated with nothing changed{self._unless()} would tell how much "
                "varies without any recorded cause."
            )
        aim = "separate" if self.purpose == "separate" else "be a first step to separate"
        caveat = f", if that can be changed without {_label(self.tied)}" if self.tied else ""
        return (
            f"One measurement would {aim} {joined([_label(names) for names in self.question])}: as {base}, but with "
            f"{stated(self.changes)}{caveat}{self._unless()}."
        )

    def _unless(self) -> str:
        """Return which measurements may be the new one already, as far as is known of them."""
        found = [measurement_of(self.measurements[place]) for place in self.already]
        return f", unless {' or '.join(found[:_MOST_NAMED])} already is it" if found else ""

    def _use(self) -> str:
        """Return what the new measurement could be compared with: the first one for each class."""
        first: dict[Names, int] = {}
        for place, names in self.contrasts:
            first.setdefault(names, place)
        parts = [
            f"from {measurement_of(self.measurements[place])} in {_label(names)} alone"
            for names, place in first.items()
        ]
        return f"It would differ {joined(parts)} ({counted(len(self.contrasts), 'new contrast')} in all)."

    def to_dict(self) -> dict[str, Any]:
        """Return the measurement as JSON has it."""
        return {
            "purpose": self.purpose,
            "question": [list(names) for names in self.question],
            "like": self.like,
            "changes": dict(self.changes),
            "conditions": dict(self.conditions),
            "contrasts": [{"measurement": place, "conditions": list(names)} for place, names in self.contrasts],
            "always_changed_with": list(self.tied),
            "may_be_already": list(self.already),
        }


class _Candidate(NamedTuple):
    """The measurement at BASE, but with the class at COLUMN as in the one at OTHER."""

    base: int
    column: int
    other: int

    def row(self, rows: Rows) -> tuple[int, ...]:
        """Return the levels of the new measurement."""
        before = rows[self.base]
        return (*before[: self.column], rows[self.other][self.column], *before[self.column + 1 :])


def settling_of(
    group: Group, recorded: Recorded, floor: Floor, contrasts: Contrasts, separation: Separation
) -> Settling | None:
    """Return the one measurement that would tell most about what is open in GROUP."""
    if floor.reaches_overall or floor.overall == 0:
        return None
    found = _best(group, recorded, floor, contrasts, separation)
    return found and replace(found, already=_already(group, recorded, found))


def _best(
    group: Group, recorded: Recorded, floor: Floor, contrasts: Contrasts, separation: Separation
) -> Settling | None:
    """Return what to measure: what is no more than rounding, or than the floor, is worth no measurement."""
    gaps = separation.gaps_above(floor.cv or 0.0)
    if gaps:
        return _between_sets(group, recorded, separation, _worth_most(gaps))
    merged = [one for one in contrasts.by_class if len(one.alias_class.names) > 1 and one.counts]
    if merged:
        return _within_class(group, recorded, merged[0].alias_class, merged[0].largest_pair)
    if floor.cv is None and contrasts.by_class:
        return _repeated(group, recorded, contrasts.by_class[0])
    return None


def _worth_most(gaps: Sequence[Gap]) -> Gap:
    """Return the widest of GAPS, or one at least half as wide that fewer measurements would settle."""
    wide = [gap for gap in gaps if 2 * gap.cv >= gaps[0].cv]
    return min(wide, key=lambda gap: len(gap.classes))


def _repeated(group: Group, recorded: Recorded, largest: ClassContrasts) -> Settling:
    """Return the repetition of that measurement of the LARGEST contrast whose level the fewest others have."""
    levels, pair = largest.alias_class.levels, largest.largest_pair
    usual = Counter(levels)
    again = min(pair.place, key=lambda place: usual[levels[place]])
    conditions = _conditions(recorded, recorded.row(again))
    return Settling(purpose="repeat", like=again, changes={}, conditions=conditions, measurements=group.measurements)


def _already(group: Group, recorded: Recorded, found: Settling) -> tuple[int, ...]:
    """Return the measurements with unknown conditions that may be the one FOUND, for all else agrees."""
    varying = group.stated.varying
    wanted = {name: found.conditions.get(name, values[found.like]) for name, values in varying.items()}
    complete = set(recorded.complete)
    return tuple(
        place
        for place in range(len(group))
        if place not in complete
        and all(value == varying[name][place] or is_unknown(varying[name][place]) for name, value in wanted.items())
    )


def _between_sets(group: Group, recorded: Recorded, separation: Separation, gap: Gap) -> Settling:
    """Return the measurement that would link the two sets beside GAP, or bring them nearer to each other."""
    positions = compared(group, recorded)
    rows = {position: recorded.row(position) for position in positions}
    usual = [Counter(levels) for levels in zip(*rows.values(), strict=True)]
    pairs = _as_wide(group, recorded, separation, gap, positions)

    def merit(one: _Candidate) -> tuple[bool, int, int, int]:
        """Return how good ONE is: what can be done, what gives many contrasts, what many have used, what comes late."""
        row = one.row(rows)
        return not _tied(one, rows), len(_neighbours(row, rows)), _usualness(row, usual), one.column

    best = max((candidate for pair in pairs for candidate in _candidates(pair, rows)), key=merit)
    return _settling(group, recorded, best, rows)


def _settling(group: Group, recorded: Recorded, best: _Candidate, rows: Rows) -> Settling:
    """Return the BEST candidate with all that is said about it."""
    classes, row = recorded.classes, best.row(rows)
    question = _differing(rows[best.base], rows[best.other])
    # The two measurements that the new one lies between are the ones to name.
    near = sorted(_neighbours(row, rows), key=lambda found: (found[0] != best.base, found[0] != best.other))
    return Settling(
        purpose="separate" if len(question) == _ONE_BETWEEN else "approach",
        question=tuple(classes[column].names for column in question),
        like=best.base,
        changes=classes[best.column].at(row[best.column]),
        conditions=_conditions(recorded, row),
        contrasts=tuple((place, classes[column].names) for place, column in near),
        measurements=group.measurements,
        tied=tuple(name for column in _tied(best, rows) for name in classes[column].names),
    )


def _as_wide(
    group: Group, recorded: Recorded, separation: Separation, gap: Gap, positions: Sequence[int]
) -> list[tuple[int, int]]:
    """Return the pairs to measure between: of different sets, as many classes apart as GAP, and as far in value."""
    set_of = {position: number for number, one in enumerate(separation.sets) for position in one}
    numbers = np.array([set_of[position] for position in positions])
    first, second = np.triu_indices(len(positions), 1)
    values = np.asarray(group.shifted)
    spread = relative_spread(values[positions][first], values[positions][second])
    wanted = relative_spread(values[gap.first], values[gap.second])
    useful = (numbers[first] != numbers[second]) & (np.abs(spread - wanted) <= wanted * _EQUAL)
    useful &= differences(recorded, positions)[first, second] == len(gap.classes)
    chosen = np.flatnonzero(useful)[:_MOST_PAIRS]
    return [(positions[first[pair]], positions[second[pair]]) for pair in chosen]


def _candidates(pair: tuple[int, int], rows: Rows) -> Iterator[_Candidate]:
    """Yield the measurements that are as one of PAIR, but in one class as the other."""
    for base, other in (pair, pair[::-1]):
        for column in _differing(rows[base], rows[other]):
            yield _Candidate(base, column, other)


def _differing(one: Sequence[int], other: Sequence[int]) -> list[int]:
    """Return the classes in which ONE row of levels differs from OTHER."""
    return [column for column, (level, wanted) in enumerate(zip(one, other, strict=True)) if level != wanted]


def _neighbours(row: Sequence[int], rows: Rows) -> list[tuple[int, int]]:
    """Return which measurements differ from ROW in one class alone, and in which."""
    found = []
    for position, levels in rows.items():
        changed = _differing(row, levels)
        if len(changed) == 1:
            found.append((position, changed[0]))
    return found


def _usualness(row: Sequence[int], usual: Sequence[Counter[int]]) -> int:
    """Return how many measurements share the levels of ROW: what many have used can be had."""
    return sum(counts[level] for counts, level in zip(usual, row, strict=True))


def _tied(candidate: _Candidate, rows: Rows) -> list[int]:
    """Return the classes in question that have always changed with the one to change, or that one with them."""
    changed = candidate.column
    tied = []
    for column in _differing(rows[candidate.base], rows[candidate.other]):
        together = len({(row[changed], row[column]) for row in rows.values()})
        alone = {len({row[one] for row in rows.values()}) for one in (changed, column)}
        tied += [column] * (column != changed and together in alone)
    return tied


def _within_class(group: Group, recorded: Recorded, alias_class: AliasClass, widest: Contrast) -> Settling:
    """Return the measurement that would change one condition of ALIAS_CLASS without the others."""
    *kept, changed = alias_class.names
    changes = {changed: widest.after[changed]}
    contrasts: list[tuple[int, Names]] = [(widest.first, (changed,))]
    contrasts += [(widest.second, tuple(kept))] if len(kept) == 1 else []
    return Settling(
        purpose="separate" if len(kept) == 1 else "approach",
        question=tuple((name,) for name in alias_class.names),
        like=widest.first,
        changes=changes,
        conditions=_conditions(recorded, recorded.row(widest.first)) | changes,
        contrasts=tuple(contrasts),
        measurements=group.measurements,
        tied=tuple(kept),
    )


def _conditions(recorded: Recorded, row: Sequence[int]) -> dict[str, str]:
    """Return the varying conditions of a measurement with the levels of ROW."""
    pairs = zip(recorded.classes, row, strict=True)
    return {name: value for one, level in pairs for name, value in one.at(level).items()}


def _label(names: Names) -> str:
    """Return the conditions NAMES as one."""
    return " + ".join(shown(label_of(name)) for name in names)
