"""Step 2: how much do values vary when no recorded condition changes?

floor_of    the variation between measurements with identical recorded conditions
Floor       its CV*, beside the CV* of all measurements
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from primad.qra.causes.pooling import pooled_cv
from primad.qra.causes.words import counted
from primad.qra.words import figure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from primad.qra.causes.recorded import Recorded
    from primad.qra.precision import Variant

# Equal but for the order in which floating-point numbers were added.
_EQUAL = 1 - 1e-9


@dataclass(frozen=True, slots=True)
class Floor:
    """The variation that no recorded condition accounts for.

    cv         pooled over the sets; None where no two measurements have identical conditions
    overall    CV* of all measurements
    variant    which CV* it is
    sets       the measurements with identical conditions, by position
    """

    cv: float | None
    overall: float
    variant: Variant
    sets: tuple[tuple[int, ...], ...] = ()

    @property
    def n(self) -> int:
        """Return how many measurements the floor rests on."""
        return sum(map(len, self.sets))

    @property
    def reaches_overall(self) -> bool:
        """Tell whether there is as much variation with identical conditions as there is in all."""
        return self.cv is not None and self.cv >= self.overall * _EQUAL

    @property
    def sentence(self) -> str:
        """Return how much varies when nothing recorded changes."""
        if self.cv is None:
            return (
                "No two measurements are known to have identical conditions, so how much varies when nothing recorded "
                "changes is not known; a contrast may be no more than that."
            )
        where = "a pair" if self.n == 2 else counted(len(self.sets), "set")  # noqa: PLR2004  # a pair is two
        said = (
            f"Floor of unrecorded variation: CV* ({self.variant}) {figure(self.cv)} % in {where} of measurements with "
            f"identical conditions (n = {self.n}), against {figure(self.overall)} % in all"
        )
        return f"{said}: cause not recorded." if self.reaches_overall else f"{said}."

    def to_dict(self) -> dict[str, Any]:
        """Return the floor as JSON has it."""
        return {
            "cv": self.cv,
            "cv_overall": self.overall,
            "n": self.n,
            "sets": [list(members) for members in self.sets],
            "cause_not_recorded": self.reaches_overall,
        }


def floor_of(recorded: Recorded, values: Sequence[float], overall: float, variant: Variant) -> Floor:
    """Return how much the VALUES of measurements vary that have identical conditions, beside the OVERALL CV*."""
    if not recorded.classes and not recorded.constant:
        return Floor(None, overall, variant)
    alike: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
    for position in recorded.complete:
        alike[recorded.row(position)].append(position)
    sets = tuple(tuple(members) for members in alike.values() if len(members) > 1)
    if not sets:
        return Floor(None, overall, variant)
    alike_values = [[values[position] for position in members] for members in sets]
    return Floor(_pooled(alike_values, variant), overall, variant, sets)


def _pooled(sets: Sequence[Sequence[float]], variant: Variant) -> float:
    """Return CV* within SETS of values, over the mean of them all."""
    squares = 0.0
    for one in sets:
        middle = sum(one) / len(one)
        squares += sum((value - middle) ** 2 for value in one) if min(one) < max(one) else 0.0
    n = sum(map(len, sets))
    return pooled_cv(squares, n - len(sets), n, sum(map(sum, sets)) / n, variant)
