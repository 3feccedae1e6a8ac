"""Is nearly all variation one value, or is it where a condition is not known?

influential_of    the measurement without which CV* falls below a third, None if there is none
Influential       that measurement, with both figures
unplaced_of       how little of the variation is among the fully known measurements, None if it is enough
Unplaced          both figures
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from primad.qra.causes.pooling import pooled_cv
from primad.qra.causes.words import measurement_of
from primad.qra.words import figure

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from primad.qra.causes.recorded import Recorded
    from primad.qra.grouping import Group
    from primad.qra.measurement import Measurement
    from primad.qra.precision import Variant

# Of fewer values one nearly always lies far from the others.
_FEWEST = 5
_COMPARABLE = 2
_SHARE = 1 / 3


@dataclass(frozen=True, slots=True)
class Influential:
    """The measurement at POSITION, and CV* of all N measurements with and without it."""

    position: int
    measurement: Measurement
    n: int
    cv_with: float
    cv_without: float

    @property
    def sentence(self) -> str:
        """Return how much of the variation is this one value."""
        return (
            f"Nearly all variation is one value: with {measurement_of(self.measurement)} CV* is "
            f"{figure(self.cv_with)} % (n = {self.n}), without it {figure(self.cv_without)} % (n = {self.n - 1})."
        )

    @property
    def clause(self) -> str:
        """Return the same as a part of a sentence."""
        return (
            f"nearly all variation is one value, {measurement_of(self.measurement)}, without which CV* falls from "
            f"{figure(self.cv_with)} % (n = {self.n}) to {figure(self.cv_without)} %"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the measurement as JSON has it."""
        return {
            "measurement": self.position,
            "value": self.measurement.value,
            "cv_with": self.cv_with,
            "cv_without": self.cv_without,
        }


def influential_of(group: Group, overall: float, variant: Variant) -> Influential | None:
    """Return the measurement of GROUP without which the OVERALL CV* falls below a third of itself."""
    n = len(group)
    if n < _FEWEST or overall == 0:
        return None
    values = np.asarray(group.shifted)
    position = int(np.argmax(np.abs(values - values.mean())))
    without = _cv(np.delete(values, position), variant)
    if without >= overall * _SHARE:
        return None
    return Influential(position, group.measurements[position], n, overall, without)


@dataclass(frozen=True, slots=True)
class Unplaced:
    """CV* of the KNOWN measurements, of which every condition is known, beside CV* of all N."""

    known: int
    n: int
    cv_known: float
    cv_all: float

    @property
    def sentence(self) -> str:
        """Return where the variation is."""
        return (
            f"Most variation lies where a condition is not known: CV* is {figure(self.cv_known)} % among the "
            f"{self.known} fully known measurements, {figure(self.cv_all)} % among all {self.n}."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as JSON has them."""
        return {"fully_known": self.known, "cv_fully_known": self.cv_known, "cv_all": self.cv_all}


def unplaced_of(
    group: Group, recorded: Recorded, influential: Influential | None, overall: float, variant: Variant
) -> Unplaced | None:
    """Return that most variation of GROUP is where a condition is not known; None where it is not, or may not be.

    So it is if CV* of the fully known measurements is below a third of OVERALL, or the INFLUENTIAL one is none of them.
    """
    known = list(recorded.complete)
    if len(known) < _COMPARABLE or not recorded.left_out or overall == 0:
        return None
    cv = _cv(np.asarray(group.shifted)[known], variant)
    outside = influential is not None and influential.position not in recorded.complete
    if cv >= overall * _SHARE and not outside:
        return None
    return Unplaced(len(known), len(group), cv, overall)


def _cv(values: NDArray[np.float64], variant: Variant) -> float:
    """Return CV* of VALUES, exactly 0 if they are equal."""
    n = len(values)
    squares = 0.0 if values.min() == values.max() else float(((values - values.mean()) ** 2).sum())
    return pooled_cv(squares, n - 1, n, float(values.mean()), variant)
