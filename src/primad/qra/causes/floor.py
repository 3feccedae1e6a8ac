"""Step 2: how much do values vary when no recorded condition changes?

floor_of    the variation between measurements with identical recorded conditions
Floor       its CV*, beside the CV* of all measurements, and what a difference must exceed to be more than that

What may be a copy shows no agreement, so it is left out of both.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scipy.special import stdtrit

from primad.qra.causes.levels import squares
from primad.qra.causes.pooling import pooled_cv
from primad.qra.causes.words import differing
from primad.qra.conditions import is_unknown
from primad.qra.measurement import half_step
from primad.qra.words import counted, figure

if TYPE_CHECKING:
    from primad.qra.causes.recorded import Recorded
    from primad.qra.grouping import Group
    from primad.qra.precision import Variant

# How often one of all contrasts may be called more than the floor where nothing but chance made it.
_CHANCE = 0.05
# Equal but for the order in which floating-point numbers were added.
_EQUAL = 1 - 1e-9


@dataclass(frozen=True, slots=True)
class Floor:
    """The variation that no recorded condition accounts for.

    cv           pooled over the sets; None where no two measurements have identical conditions
    overall      CV* of all measurements that are no copies, for the floor has none either
    variant      which CV* it is
    sets         the measurements with identical conditions, by position
    spread       standard deviation within the sets, but no less than rounding makes of equal values
    partly       whether some conditions are not stated for all, so that nobody knows them to be identical
    differing    those of them that are known to differ within a set nevertheless
    copies       how many measurements say the same as another one, and so may be copies: they show no agreement
    """

    cv: float | None
    overall: float
    variant: Variant
    sets: tuple[tuple[int, ...], ...] = ()
    spread: float = 0.0
    partly: bool = False
    differing: tuple[str, ...] = ()
    copies: int = 0

    @property
    def n(self) -> int:
        """Return how many measurements the floor rests on."""
        return sum(map(len, self.sets))

    @property
    def freedom(self) -> int:
        """Return the degrees of freedom of the floor."""
        return self.n - len(self.sets)

    def margin(self, contrasts: int) -> float | None:
        """Return what a difference must exceed to be more than the floor, as the largest of so many CONTRASTS.

        None where there is no floor.  The largest of many differences is large by chance, and a floor that rests on
        few measurements is itself uncertain, so t is taken at a level shared out among all contrasts.
        """
        if self.cv is None:
            return None
        return float(-stdtrit(self.freedom, _CHANCE / 2 / max(contrasts, 1))) * math.sqrt(2) * self.spread

    @property
    def alike(self) -> str:
        """Return in what the measurements of a set are alike."""
        return "the same in every condition that all of them state" if self.partly else "with identical conditions"

    @property
    def kept(self) -> str:
        """Return which of all measurements the floor is compared with, empty where it is with all."""
        return " that are no copies" if self.copies else ""

    @property
    def proviso(self) -> str:
        """Return what is known to differ although it counts for nothing, empty where there is nothing."""
        return differing(self.differing) if self.differing else ""

    @property
    def reaches_overall(self) -> bool:
        """Tell whether there is as much variation with identical conditions as there is in all."""
        return self.cv is not None and self.cv >= self.overall * _EQUAL

    @property
    def sentence(self) -> str:
        """Return how much varies when nothing recorded changes."""
        if not self.copies:
            return self._said()
        same = counted(self.copies, "measurement")
        return f"{self._said()} Left out here, for a copy shows no agreement: {same} the same as another one."

    def _said(self) -> str:
        """Return how much varies among measurements that are surely no copies."""
        if self.cv is None:
            return (
                "No two measurements are known to have identical conditions, so how much varies when nothing recorded "
                "changes is not known; a contrast may be no more than that."
            )
        where = "a pair" if self.n == 2 else counted(len(self.sets), "set")  # noqa: PLR2004  # a pair is two
        said = (
            f"Floor of unrecorded variation: CV* ({self.variant}) {figure(self.cv)} % in {where} of measurements "
            f"{self.alike} (n = {self.n}), against {figure(self.overall)} % in all{self.kept}"
        )
        said += f"; {self.proviso}" if self.proviso else ""
        return (
            f"{said}: cause not recorded{' for all' if self.proviso else ''}." if self.reaches_overall else f"{said}."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the floor as JSON has it."""
        return {
            "cv": self.cv,
            "cv_overall": self.overall,
            "n": self.n,
            "degrees_of_freedom": self.freedom,
            "stdev": self.spread if self.sets else None,
            "sets": [list(members) for members in self.sets],
            "not_stated_throughout_but_differing": list(self.differing),
            "cause_not_recorded": self.reaches_overall,
        }


def floor_of(group: Group, recorded: Recorded, overall: float, variant: Variant) -> Floor:
    """Return how much measurements of GROUP vary that have identical conditions, beside the OVERALL CV*."""
    # Equal values left out of the floor alone would make it larger than what it is compared with.
    overall = _without_copies(group, variant) if group.copies else overall
    if not recorded.classes and not recorded.constant and not recorded.undetermined:
        return Floor(None, overall, variant)
    alike: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
    for position in recorded.complete:
        if position not in group.copies:
            alike[recorded.row(position)].append(position)
    sets = tuple(tuple(members) for members in alike.values() if len(members) > 1)
    if not sets:
        return Floor(None, overall, variant, copies=len(group.copies))
    values = [[group.shifted[position] for position in members] for members in sets]
    n = sum(map(len, sets))
    freedom = n - len(sets)
    summed = sum(map(squares, values))
    # Values rounded to the same step are spread by its width over the root of 12, even where they are all equal.
    rounding = max(half_step(group.measurements[place].value) for members in sets for place in members) / math.sqrt(3)
    return Floor(
        pooled_cv(summed, freedom, n, sum(map(sum, values)) / n, variant),
        overall,
        variant,
        sets,
        spread=max(math.sqrt(summed / freedom), rounding),
        partly=bool(recorded.partly),
        differing=tuple(name for name in recorded.differing if any(_differ(group, name, one) for one in sets)),
        copies=len(group.copies),
    )


def _without_copies(group: Group, variant: Variant) -> float:
    """Return CV* of the measurements of GROUP that are no copies; 0 where there is but one."""
    values = [value for position, value in enumerate(group.shifted) if position not in group.copies]
    n = len(values)
    return pooled_cv(squares(values), n - 1, n, sum(values) / n, variant) if n > 1 else 0.0


def _differ(group: Group, name: str, members: tuple[int, ...]) -> bool:
    """Tell whether two of MEMBERS are known to have different values of the condition NAME."""
    stated = {group.measurements[place].conditions.get(name, "") for place in members} - {""}
    return len([value for value in stated if not is_unknown(value)]) > 1
