"""Step 5: which conditions were never varied apart?

    separation_of    the sets of measurements that no chain of contrasts links, and what differs between them
    Separation       these sets and gaps
    Gap              two measurements of different sets that differ in as few classes as any, and of these most in value

Within a set each difference is a chain of steps that change one class alone.  Between sets two or more classes change
at once, so that nobody can say which of them made the difference.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from primad.qra.causes.pooling import may_be_equal, pair_cv
from primad.qra.causes.words import joined, listed, measurement_of, shown
from primad.qra.conditions import label_of
from primad.qra.words import counted, figure

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from primad.qra.causes.contrasts import Neighbourhood
    from primad.qra.causes.recorded import AliasClass, Recorded
    from primad.qra.grouping import Group
    from primad.qra.precision import Variant

_MOST_TOLD = 3
# All pairs of so many measurements are looked at; of more, those with the lowest and the highest values.
MOST_COMPARED = 400


@dataclass(frozen=True, slots=True)
class Gap:
    """Two measurements, by position, that no chain of contrasts links, and the classes in which they differ."""

    first: int
    second: int
    classes: tuple[AliasClass, ...]
    cv: float
    within_rounding: bool

    @property
    def labels(self) -> str:
        """Return the classes that change at once."""
        return joined([one.label for one in self.classes])

    def to_dict(self) -> dict[str, Any]:
        """Return the gap as JSON has it."""
        return {
            "measurements": [self.first, self.second],
            "classes": [list(one.names) for one in self.classes],
            "cv": self.cv,
        }


@dataclass(frozen=True, slots=True)
class Separation:
    """What can be separated from what.

    sets           measurements that chains of contrasts link, by position
    gaps           the steps between sets with the fewest classes, those with the largest CV* first
    never_alone    classes without any contrast
    merged         classes of several conditions, which cannot be separated from each other either
    classes        how many classes vary
    known          how many measurements are fully known
    compared       how many of them were looked at for gaps, and for the measurement that would settle them
    """

    group: Group
    sets: tuple[tuple[int, ...], ...]
    gaps: tuple[Gap, ...]
    never_alone: tuple[AliasClass, ...]
    merged: tuple[AliasClass, ...]
    classes: int = 0
    known: int = 0
    compared: int = 0

    def gaps_above(self, cv: float) -> list[Gap]:
        """Return the gaps that are more than rounding, and more than CV."""
        return [gap for gap in self.gaps if not gap.within_rounding and gap.cv > cv]

    def told(self, gap: Gap) -> str:
        """Return the two measurements of GAP."""
        return joined([measurement_of(self.group.measurements[place]) for place in (gap.first, gap.second)])

    @property
    def sentence(self) -> str:
        """Return what cannot be separated."""
        told = [
            f"{joined([shown(label_of(name)) for name in one.names])}, always changed together" for one in self.merged
        ]
        told += [self._told(gap) for gap in self.gaps[:_MOST_TOLD]]
        more = len(self.gaps) - _MOST_TOLD
        told += [f"and {counted(more, 'more step')} between measurements"] if more > 0 else []
        said = [f"Cannot be separated: {'; '.join(told)}."] if told else []
        if self.never_alone:
            said.append(f"Never varied alone: {listed([one.label for one in self.never_alone])}.")
        said = said or [self._nothing_open()]
        if self.compared < self.known:
            said.append(
                f"Looked at for this, and for what to measure, were the {self.compared} measurements with the lowest "
                f"and the highest values, of {self.known:,}."
            )
        return " ".join(said)

    def _nothing_open(self) -> str:
        """Return that no class is confounded, as far as conditions are known."""
        if not self.known:
            return "Nothing can be separated: of no measurement every condition is known."
        if not self.classes:
            return "Nothing can be separated: no condition is known to vary."
        if self.known < len(self.group):
            return (
                f"Among the {self.known} fully known measurements every condition that varies has varied alone; of "
                f"{counted(len(self.group) - self.known, 'other measurement')} nobody knows."
            )
        return "Every condition that varies has varied alone: none is confounded with another one."

    def _told(self, gap: Gap) -> str:
        """Return what changes at once in GAP."""
        return f"{gap.labels}, changed at once between {self.told(gap)} (CV* {figure(gap.cv)} %)"

    def to_dict(self) -> dict[str, Any]:
        """Return the separation as JSON has it."""
        return {
            "linked_sets": [list(one) for one in self.sets],
            "gaps": [gap.to_dict() for gap in self.gaps],
            "never_varied_alone": [list(one.names) for one in self.never_alone],
            "measurements_fully_known": self.known,
            "measurements_compared": self.compared,
        }


class _Links:
    """Which positions are linked, directly or through others."""

    def __init__(self, positions: Iterable[int]) -> None:
        self._towards = {position: position for position in positions}

    def root(self, position: int) -> int:
        """Return what stands for all positions that are linked with POSITION."""
        while self._towards[position] != position:
            self._towards[position] = self._towards[self._towards[position]]
            position = self._towards[position]
        return position

    def link(self, first: int, second: int) -> bool:
        """Link FIRST with SECOND, and tell whether they were apart."""
        one, other = self.root(first), self.root(second)
        self._towards[other] = one
        return one != other

    def sets(self) -> tuple[tuple[int, ...], ...]:
        """Return the positions, those that are linked together."""
        found: dict[int, list[int]] = {}
        for position in self._towards:
            found.setdefault(self.root(position), []).append(position)
        return tuple(map(tuple, found.values()))


def separation_of(
    group: Group,
    recorded: Recorded,
    near: Iterable[Neighbourhood],
    varied_alone: Sequence[AliasClass],
    variant: Variant,
) -> Separation:
    """Return what can be separated in GROUP, given the neighbourhoods NEAR that contrasts come from."""
    links = _Links(recorded.complete)
    for one in near:
        for position in one.members[1:]:
            links.link(one.members[0], position)
    sets = links.sets()
    known = len(recorded.complete)
    looks = bool(recorded.classes) and len(sets) > 1
    gaps = _gaps(group, recorded, links, variant) if looks else []
    never_alone = tuple(one for one in recorded.classes if one not in varied_alone)
    merged = tuple(one for one in recorded.classes if len(one.names) > 1)
    return Separation(
        group,
        sets,
        tuple(sorted(gaps, key=lambda gap: -gap.cv)),
        never_alone,
        merged,
        classes=len(recorded.classes),
        known=known,
        compared=min(known, MOST_COMPARED) if looks else known,
    )


def compared(group: Group, recorded: Recorded) -> list[int]:
    """Return the fully known measurements of GROUP whose pairs are looked at, by position."""
    known = list(recorded.complete)
    if len(known) <= MOST_COMPARED:
        return known
    known.sort(key=group.shifted.__getitem__)
    half = MOST_COMPARED // 2
    return sorted(known[:half] + known[-half:])


def differences(recorded: Recorded, positions: Sequence[int]) -> NDArray[np.integer[Any]]:
    """Return in how many classes each two of the measurements at POSITIONS differ."""
    levels = np.array([one.levels for one in recorded.classes], dtype=np.int32)[:, positions]
    total = np.zeros((len(positions), len(positions)), dtype=np.int32)
    for row in levels:
        total += row[:, None] != row[None, :]
    return total


def relative_spread(first: Any, second: Any) -> Any:
    """Return how far FIRST and SECOND lie apart as a share of their sum: pairs have this order by CV*, too."""
    return np.abs(first - second) / np.maximum(first + second, np.finfo(float).tiny)


def _gaps(group: Group, recorded: Recorded, links: _Links, variant: Variant) -> list[Gap]:
    """Return the steps that would link all sets: fewest classes first, then the largest CV*.

    Of pairs with equally few classes the widest tells how much of the variation nobody can separate.
    """
    positions = compared(group, recorded)
    values = np.asarray(group.shifted)[positions]
    apart = differences(recorded, positions)
    first, second = np.triu_indices(len(positions), 1)
    spread = relative_spread(values[first], values[second])
    found: list[Gap] = []
    left = len({links.root(position) for position in positions}) - 1
    for pair in np.lexsort((-spread, apart[first, second])):
        if not left:
            break
        one, other = positions[first[pair]], positions[second[pair]]
        if links.link(one, other):
            found.append(_gap(group, recorded, one, other, variant))
            left -= 1
    return found


def _gap(group: Group, recorded: Recorded, first: int, second: int, variant: Variant) -> Gap:
    """Return the gap between the measurements at FIRST and SECOND."""
    classes = tuple(one for one in recorded.classes if one.levels[first] != one.levels[second])
    one, other = group.shifted[first], group.shifted[second]
    both = group.measurements[first], group.measurements[second]
    return Gap(first, second, classes, pair_cv(one, other, variant), within_rounding=may_be_equal(*both))
