"""Is nearly all variation one value?

influential_of    the measurement without which CV* falls below a third, None if there is none
Influential       that measurement, with both figures
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from primad.qra.causes.pooling import pooled_cv
from primad.qra.causes.words import measurement_of
from primad.qra.words import figure

if TYPE_CHECKING:
    from primad.qra.grouping import Group
    from primad.qra.measurement import Measurement
    from primad.qra.precision import Variant

_FEWEST = 3
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
    others = np.delete(values, position)
    squares = 0.0 if others.min() == others.max() else float(((others - others.mean()) ** 2).sum())
    without = pooled_cv(squares, n - 2, n - 1, float(others.mean()), variant)
    if without >= overall * _SHARE:
        return None
    return Influential(position, group.measurements[position], n, overall, without)
