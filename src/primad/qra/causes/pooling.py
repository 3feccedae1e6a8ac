"""How large is CV* of two values, or within several sets of values at once?

    pair_cv         CV* of two values
    may_be_equal    whether two values may have been equal before they were rounded
    pooled_cv       CV* from squared deviations that may have been summed over several sets

Values stand on a scale that starts at 0, and none is below it.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

from primad.qra.measurement import half_step
from primad.qra.precision import c4

if TYPE_CHECKING:
    from primad.qra.measurement import Measurement
    from primad.qra.precision import Variant

# 84.51 and 84.50 may both have been 84.505; their difference as floating-point numbers is a little more than 0.01.
_TOUCHING = 1 + 1e-6


def pair_cv(first: float, second: float, variant: Variant = "acl2022") -> float:
    """Return CV* of the values FIRST and SECOND.

    >>> round(pair_cv(84.50, 87.46), 2), pair_cv(0, 0)
    (3.43, 0.0)
    """
    return pooled_cv((first - second) ** 2 / 2, 1, 2, (first + second) / 2, variant)


def may_be_equal(one: Measurement, other: Measurement) -> bool:
    """Tell whether the values of ONE and OTHER differ by no more than rounding."""
    return abs(one.number - other.number) <= (half_step(one.value) + half_step(other.value)) * _TOUCHING


def pooled_cv(squares: float, freedom: int, n: int, mean: float, variant: Variant = "acl2022") -> float:
    """Return CV* of N values around MEAN, from the sum of their SQUARES on so many degrees of FREEDOM."""
    if squares == 0:
        return 0.0
    return _factor(freedom, n, variant) * math.sqrt(squares) / mean


@lru_cache(maxsize=4096)
def _factor(freedom: int, n: int, variant: Variant) -> float:
    """Return what turns the root of a sum of squares over the mean into CV*, in percent."""
    correction = 1 + 1 / (4 * n) if variant == "acl2022" else 1.0
    return 100 * correction / (math.sqrt(freedom) * float(c4(freedom + 1)))
