"""Step 3: what changed when one condition alone was changed?

    contrasts_of      the pairs of measurements that differ in exactly one class of conditions
    neighbourhoods    the sets of measurements that differ in no other class than one
    Contrasts         the pairs, by class
    ClassContrasts    how many pairs differ in one class alone, and those that differ most
    Contrast          one pair, with the values of its conditions and its CV*

Pairs are found through the conditions they share, not by trying all: there may be thousands of measurements.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from itertools import combinations
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from primad.qra.causes.pooling import may_be_equal, pair_cv
from primad.qra.causes.words import joined, shown, value_of
from primad.qra.words import counted, figure

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from primad.qra.causes.floor import Floor
    from primad.qra.causes.recorded import AliasClass, Recorded
    from primad.qra.grouping import Group
    from primad.qra.measurement import Measurement
    from primad.qra.precision import Variant

MOST_LISTED = 20
_MOST_TOLD = 3
# Of larger sets only the lowest and highest values of each level are paired: the largest contrast is among them.
_ALL_PAIRS = 128


class Neighbourhood(NamedTuple):
    """Measurements, by position, that agree in every class but the one at COLUMN."""

    column: int
    members: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Contrast:
    """Two measurements, by position, that differ in one class of conditions alone.

    within_rounding    whether the values may have been equal before they were rounded
    """

    first: int
    second: int
    before: dict[str, str]
    after: dict[str, str]
    measurements: tuple[Measurement, Measurement]
    cv: float
    within_rounding: bool

    @property
    def place(self) -> tuple[int, int]:
        """Return where the two measurements stand."""
        return self.first, self.second

    @property
    def sentence(self) -> str:
        """Return what changed, in the conditions and in the value."""
        before, after = (joined([*map(shown, values.values())]) for values in (self.before, self.after))
        one, other = map(value_of, self.measurements)
        rounding = ", no more than rounding" if self.within_rounding else ""
        return f"{before} → {after}: {one} → {other} (CV* {figure(self.cv)} %{rounding})"

    def to_dict(self) -> dict[str, Any]:
        """Return the contrast as JSON has it."""
        return {
            "measurements": [self.first, self.second],
            "values": [one.value for one in self.measurements],
            "conditions": [self.before, self.after],
            "cv": self.cv,
            "within_rounding": self.within_rounding,
        }


@dataclass(frozen=True, slots=True)
class ClassContrasts:
    """The contrasts of one class: how many there are, the largest of them, and how far two values lie apart.

    above_floor    whether the widest difference is more than the floor and chance make; None where there is no floor
    """

    alias_class: AliasClass
    count: int
    listed: tuple[Contrast, ...]
    widest: float
    above_floor: bool | None = None

    @property
    def largest_pair(self) -> Contrast:
        """Return the pair with the largest CV*."""
        return max(self.listed, key=attrgetter("cv"))

    @property
    def largest(self) -> float:
        """Return the largest CV* of a pair."""
        return self.largest_pair.cv

    @property
    def within_rounding(self) -> bool:
        """Tell whether not even the largest contrast is more than rounding can make."""
        return self.largest_pair.within_rounding

    @property
    def counts(self) -> bool:
        """Tell whether a contrast is more than rounding, and more than the floor if there is one."""
        return not self.within_rounding and self.above_floor is not False

    def in_file_order(self) -> ClassContrasts:
        """Return the same contrasts in the order of the measurements, which says nothing about their size."""
        return replace(self, listed=tuple(sorted(self.listed, key=attrgetter("place"))))

    @property
    def sentence(self) -> str:
        """Return how much changed when this class alone was changed."""
        told = "; ".join(one.sentence for one in self.listed[:_MOST_TOLD])
        more = self.count - _MOST_TOLD
        rest = f"; and {more:,} more" if more > 0 else ""
        return f"{self.alias_class.label} ({counted(self.count, 'contrast')}): {told}{rest}."

    def to_dict(self) -> dict[str, Any]:
        """Return the contrasts as JSON has them."""
        return {
            "conditions": list(self.alias_class.names),
            "count": self.count,
            "largest_cv": self.largest,
            "largest_difference": self.widest,
            "above_floor": self.above_floor,
            "largest": [one.to_dict() for one in self.listed],
        }


@dataclass(frozen=True, slots=True)
class Contrasts:
    """All controlled contrasts, by class, those with the largest CV* first.

    pairs       how many pairs of measurements there are
    left_out    how many of them touch a condition that is not known
    freedom     degrees of freedom of the floor
    margin      what a difference must exceed to be above the floor; None where there is no floor
    ranks       whether the order by size may say something; otherwise they are told in the order of the file
    """

    by_class: tuple[ClassContrasts, ...]
    pairs: int
    left_out: int
    variant: Variant
    freedom: int = 0
    margin: float | None = None
    ranks: bool = True

    @property
    def count(self) -> int:
        """Return how many contrasts there are."""
        return sum(one.count for one in self.by_class)

    @property
    def told(self) -> list[ClassContrasts]:
        """Return the classes in the order in which they are told."""
        if self.ranks:
            return list(self.by_class)
        return sorted((one.in_file_order() for one in self.by_class), key=lambda one: one.listed[0].place)

    @property
    def sentences(self) -> list[str]:
        """Return what the contrasts show, class by class."""
        unknown = (
            f" {self.left_out:,} of {counted(self.pairs, 'pair')} touch a condition that is not known and are left out."
            if self.left_out
            else ""
        )
        if not self.by_class:
            return [f"No two measurements are known to differ in one condition alone: no controlled contrast.{unknown}"]
        opening = (
            "Controlled contrasts, pairs that differ in one condition alone or in some that cannot be told apart, with "
            f"CV* ({self.variant}): {self.count:,}.{unknown}{self._threshold()}"
        )
        return [opening, *(one.sentence for one in self.told)]

    def _threshold(self) -> str:
        """Return from which difference on a contrast is above the floor."""
        if self.margin is None or not self.ranks:
            return ""
        return (
            f" Above the floor are differences of more than {figure(self.margin)} (t on "
            f"{counted(self.freedom, 'degree')} of freedom, 95 % for all {counted(self.count, 'contrast')} at once)."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the contrasts as JSON has them."""
        return {
            "count": self.count,
            "pairs": self.pairs,
            "pairs_left_out": self.left_out,
            "difference_above_floor": self.margin,
            "classes": [one.to_dict() for one in self.told],
        }


def neighbourhoods(recorded: Recorded) -> list[Neighbourhood]:
    """Return the sets of two or more fully known measurements that agree in every class but one."""
    rows = {position: recorded.row(position) for position in recorded.complete}
    found: list[Neighbourhood] = []
    for column in range(len(recorded.classes)):
        alike: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
        for position, row in rows.items():
            alike[row[:column] + row[column + 1 :]].append(position)
        found += [Neighbourhood(column, tuple(members)) for members in alike.values() if len(members) > 1]
    return found


def contrasts_of(group: Group, recorded: Recorded, near: Iterable[Neighbourhood], floor: Floor) -> Contrasts:
    """Return the contrasts of GROUP, found in the neighbourhoods NEAR and held against FLOOR, the largest CV* first."""
    by_column: defaultdict[int, list[Neighbourhood]] = defaultdict(list)
    for one in near:
        by_column[one.column].append(one)
    all_found = [
        _class_contrasts(group, recorded.classes[column], sets, floor.variant) for column, sets in by_column.items()
    ]
    found = [one for one in all_found if one is not None]
    margin = floor.margin(sum(one.count for one in found))
    if margin is not None:
        found = [replace(one, above_floor=one.widest > margin) for one in found]
    known = len(recorded.complete)
    pairs = len(group) * (len(group) - 1) // 2
    return Contrasts(
        tuple(sorted(found, key=attrgetter("largest"), reverse=True)),
        pairs,
        pairs - known * (known - 1) // 2,
        floor.variant,
        freedom=floor.freedom,
        margin=margin,
        ranks=not floor.reaches_overall,
    )


def _class_contrasts(
    group: Group, alias_class: AliasClass, sets: Sequence[Neighbourhood], variant: Variant
) -> ClassContrasts | None:
    """Return the contrasts within SETS, which differ in ALIAS_CLASS alone; None where they do not differ in it."""
    count = sum(_differing(alias_class.levels[position] for position in one.members) for one in sets)
    if not count:
        return None
    values = group.shifted
    pairs = [
        (pair_cv(values[first], values[second], variant), first, second)
        for one in sets
        for first, second in _candidates(one.members, alias_class.levels, values)
    ]
    pairs.sort(key=lambda pair: (-pair[0], pair[1], pair[2]))
    listed = tuple(_contrast(group, alias_class, first, second, cv) for cv, first, second in pairs[:MOST_LISTED])
    widest = max(abs(values[first] - values[second]) for _, first, second in pairs)
    return ClassContrasts(alias_class, count, listed, widest)


def _differing(levels: Iterable[int]) -> int:
    """Return how many pairs of LEVELS differ."""
    sizes = Counter(levels).values()
    return (sum(sizes) ** 2 - sum(size**2 for size in sizes)) // 2


def _candidates(members: Sequence[int], levels: Sequence[int], values: Sequence[float]) -> Iterator[tuple[int, int]]:
    """Yield pairs of MEMBERS that differ in their level: all of them, or those that can differ most in value."""
    kept = members if len(members) <= _ALL_PAIRS else _extremes(members, levels, values)
    for first, second in combinations(sorted(kept), 2):
        if levels[first] != levels[second]:
            yield first, second


def _extremes(members: Sequence[int], levels: Sequence[int], values: Sequence[float]) -> set[int]:
    """Return the members with the lowest and with the highest value of a level, as many as can be paired."""
    lowest: dict[int, int] = {}
    highest: dict[int, int] = {}
    for position in sorted(members, key=values.__getitem__):
        lowest.setdefault(levels[position], position)
        highest[levels[position]] = position
    half = _ALL_PAIRS // 2
    from_below = sorted(lowest.values(), key=values.__getitem__)[:half]
    from_above = sorted(highest.values(), key=values.__getitem__)[-half:]
    return {*from_below, *from_above}


def _contrast(group: Group, alias_class: AliasClass, first: int, second: int, cv: float) -> Contrast:
    """Return the contrast of the measurements at FIRST and SECOND."""
    levels = alias_class.levels
    both = group.measurements[first], group.measurements[second]
    return Contrast(
        first,
        second,
        alias_class.at(levels[first]),
        alias_class.at(levels[second]),
        both,
        cv,
        within_rounding=may_be_equal(*both),
    )
