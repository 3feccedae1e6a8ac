"""How large is a difference between runs, beside how much topics vary?  Cohen's d.

    cohens_d      d_z on the same topics, d with the pooled standard deviation on topics of their own
    EffectSize    the value, its variant and its interval

d has no unit: 0.2 is often called small, 0.5 medium, 0.8 large (Cohen 1988).  d_z and pooled d are not comparable: d_z
divides by the spread of the differences, which is small where runs agree on which topics are hard.  Differences are
reproduced minus original.  The interval is that of the noncentral t distribution, exact for normal differences.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from primad.errors import UndefinedMeasure
from primad.reproducibility.intervals import CONFIDENCE, Interval
from primad.reproducibility.significance import (
    IDENTICAL,
    are_identical,
    noncentrality,
    out_of_range,
    paired_contrast,
    pooled_contrast,
)

if TYPE_CHECKING:
    from primad.reproducibility.registry import Array

METHOD = "noncentral t"
_OUT_OF_REACH = "no interval: its bounds lie where the noncentral t distribution cannot be computed"


@dataclass(frozen=True, kw_only=True)
class EffectSize:
    """Cohen's d: the VALUE, which VARIANT of it, and its INTERVAL; if that is None, NOTE says why."""

    value: float
    variant: str
    interval: Interval | None
    note: str = ""


def cohens_d(
    original: Array, reproduced: Array, *, paired: bool, confidence: float = CONFIDENCE, interval: bool = True
) -> EffectSize:
    """Return by how many standard deviations the reproduced scores are higher, with its INTERVAL if that is wanted.

    PAIRED says that both have the same topics in the same order.

    >>> cohens_d(np.array([0.1, 0.5, 0.9]), np.array([0.2, 0.7, 1.2]), paired=True).value.__round__(6)
    2.0
    """
    original, reproduced = (np.asarray(scores, dtype=np.float64) for scores in (original, reproduced))
    variant = "d_z, standard deviation of the differences" if paired else "d, pooled standard deviation"
    fewest = min(len(original), len(reproduced))
    if fewest < 2:  # noqa: PLR2004
        raise UndefinedMeasure("d", f"a spread needs at least 2 topics, found {fewest}")
    if reason := out_of_range(original, reproduced):
        raise UndefinedMeasure("d", reason)
    if paired and are_identical(original, reproduced):
        nowhere = Interval(low=0.0, high=0.0, method=METHOD, confidence=confidence, note=IDENTICAL)
        return EffectSize(value=0.0, variant=variant, interval=nowhere)
    contrast = (paired_contrast if paired else pooled_contrast)(original, reproduced)
    if not contrast.error:
        raise UndefinedMeasure("d", "there is no spread to hold the difference against")
    # t is d in units of its standard error at d = 0.
    unit = len(original) ** -0.5 if paired else (1 / len(original) + 1 / len(reproduced)) ** 0.5
    if not interval:
        return EffectSize(value=contrast.t() * unit, variant=variant, interval=None)
    shares = (1 + confidence) / 2, (1 - confidence) / 2
    low, high = (noncentrality(contrast.t(), contrast.degrees, share) for share in shares)
    if low is None or high is None:
        return EffectSize(value=contrast.t() * unit, variant=variant, interval=None, note=_OUT_OF_REACH)
    found = Interval(low=low * unit, high=high * unit, method=METHOD, confidence=confidence)
    return EffectSize(value=contrast.t() * unit, variant=variant, interval=found)
