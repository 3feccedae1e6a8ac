"""How do values part by the levels of a condition?

parted     values by level; refused where there is nothing to compare
squares    squared deviations from the mean, summed
"""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING

from primad.errors import DataError, UndefinedMeasure

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

_FEWEST = 2


def parted(values: Sequence[float], levels: Sequence[Hashable], name: str) -> list[list[float]]:
    """Return VALUES by level for the statistic NAME; refuse one level only, and a level for each value."""
    if len(values) != len(levels):
        raise DataError(f"{name}: expected a level for each of {len(values)} values, found {len(levels)}")
    if not all(map(math.isfinite, values)):
        strange = next(value for value in values if not math.isfinite(value))
        raise DataError(f"{name}: expected finite numbers, found {strange}")
    parts: defaultdict[Hashable, list[float]] = defaultdict(list)
    for value, level in zip(values, levels, strict=True):
        parts[level].append(value)
    if len(parts) < _FEWEST:
        raise UndefinedMeasure(name, "fewer than 2 values of it are known, so there is nothing to compare")
    if len(parts) == len(values):
        raise UndefinedMeasure(name, "each measurement has a value of its own, so any figure would say nothing")
    if min(values) == max(values):
        raise UndefinedMeasure(name, "the measured values are equal, so nothing varies")
    return list(parts.values())


def squares(values: Sequence[float]) -> float:
    """Return the sum of squared deviations of VALUES from their mean, exactly 0 if they are equal.

    >>> squares([1, 3]), squares([0.1, 0.1, 0.1])
    (2.0, 0.0)
    """
    if min(values) == max(values):
        return 0.0
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values)
