"""How alike are sets of scores of the same objects?

    pearson        correlation of two sets of scores
    spearman       correlation of their ranks
    kendall_tau    tau-b, from the orders of pairs of objects
    kendall_w      agreement of several sets on the ranks, with and without correction for ties
    bland_altman   by how much two sets differ, and how far apart they can be expected to be
    Limits         what the last one says

There is no p: sets are too small for the approximations that are in use.
Sources: Kendall and Babington Smith (1939) for W, doi:10.1214/aoms/1177732186; Bland and Altman (1999) for limits of
agreement, doi:10.1177/096228029900800204; Carkeet (2015) for their exact intervals,
doi:10.1097/OPX.0000000000000513.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from operator import add, sub
from typing import TYPE_CHECKING, Any

from primad.errors import DataError, UndefinedMeasure
from primad.qra.findings import orders
from primad.qra.precision import Interval
from primad.qra.refusing import Refused, as_json, tried
from primad.qra.words import figure

if TYPE_CHECKING:
    from collections.abc import Sequence

LEAST_OBJECTS = 3
# Bland and Altman's limits: 95 % of a normal distribution.
_WITHIN = 1.96
# By so much of itself a number may be rounded: each of two scores is, and so is their difference.
_ROUNDING = sys.float_info.epsilon / 2
_MOST_APART = 1e300


@dataclass(frozen=True, slots=True)
class Limits:
    """By how much the second of two experiments differs from the first (Bland and Altman).

    bias       the mean difference, second minus first
    low, high  the limits of agreement: bias -/+ 1.96 standard deviations of the differences
    low_ci     exact 95 % intervals of bias and limits, on normal differences
    trend      correlation of differences and means: away from 0 the limits do not hold for low and high scores alike
    """

    n: int
    bias: float
    stdev: float
    low: float
    high: float
    bias_ci: Interval
    low_ci: Interval
    high_ci: Interval
    trend: float | Refused

    @property
    def sentence(self) -> str:
        """Return the limits in words."""
        mean = f"The scores differ by {figure(self.bias)} on average (n = {self.n}"
        if self.stdev == 0:
            return f"{mean}), always by the same amount."
        trend = (
            "" if isinstance(self.trend, Refused) else f"; they correlate with the mean score by {figure(self.trend)}"
        )
        return (
            f"{mean}, 95 % interval {_span(self.bias_ci)}); if differences are normal, about 95 % of them "
            f"lie between {figure(self.low)} and {figure(self.high)}{trend}."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the limits as JSON has them."""
        return {
            "n": self.n,
            "bias": self.bias,
            "bias_ci": list(self.bias_ci),
            "stdev": self.stdev,
            "low": self.low,
            "low_ci": list(self.low_ci),
            "high": self.high,
            "high_ci": list(self.high_ci),
            "trend": as_json(self.trend),
        }


def pearson(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the correlation of two sets of scores of the same objects.

    >>> pearson([1, 2, 3], [2, 4, 6])
    1.0
    """
    _check(first, second)
    return _correlation("Pearson's correlation", first, second)


def spearman(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the correlation of the ranks of two sets of scores, equal scores sharing the mean of their ranks.

    >>> spearman([1, 2, 3], [1, 2, 30])
    1.0
    """
    _check(first, second)
    return _correlation("Spearman's correlation", _ranks(first), _ranks(second))


def kendall_tau(first: Sequence[float], second: Sequence[float]) -> float:
    """Return Kendall's tau-b of two sets of scores of the same objects.

    >>> kendall_tau([1, 2, 3, 4], [1, 2, 4, 3])
    0.6666666666666666
    """
    counted = orders(first, second)
    _refuse_sets("Kendall's tau", first, second)
    untied = (counted.pairs - counted.tied_first) * (counted.pairs - counted.tied_second)
    return (counted.same - counted.opposite) / math.sqrt(untied)


def kendall_w(scores: Sequence[Sequence[float]], *, ties: bool = True) -> float:
    """Return the agreement of the rankings by several experiments, a row of SCORES for each; 1 is full agreement.

    ties    correct for equal scores within an experiment; QRA3 does not

    >>> kendall_w([[1, 2, 3], [1, 2, 3], [1, 3, 2]])
    0.7777777777777778
    """
    name = "Kendall's W"
    if len(scores) < 2:  # noqa: PLR2004  # agreement is between two at least
        raise UndefinedMeasure(name, f"it needs at least 2 experiments, found {len(scores)}")
    _check(*scores)
    _refuse_few(name, scores[0])
    if all(min(row) == max(row) for row in scores):
        raise UndefinedMeasure(name, "no experiment tells any two objects apart")
    experiments, objects = len(scores), len(scores[0])
    middle = experiments * (objects + 1) / 2
    spread = math.fsum((sum(ranks) - middle) ** 2 for ranks in zip(*map(_ranks, scores), strict=True))
    tied = sum(count**3 - count for row in scores for count in Counter(row).values()) if ties else 0
    return 12 * spread / (experiments**2 * (objects**3 - objects) - experiments * tied)


def bland_altman(first: Sequence[float], second: Sequence[float]) -> Limits:
    """Return by how much the SECOND set of scores differs from the FIRST, and within which limits.

    >>> limits = bland_altman([1, 2, 3, 4], [1.5, 2, 3.5, 5])
    >>> limits.bias, round(limits.high, 3)
    (0.5, 1.3)
    """
    _check(first, second)
    _refuse_few("limits of agreement", first)
    differences = _differences(first, second)
    n = len(differences)
    bias = math.fsum(differences) / n
    stdev = math.hypot(*(one - bias for one in differences)) / math.sqrt(n - 1) if _varies(differences) else 0.0
    near, of_bias, far = _factors(n)
    return Limits(
        n,
        bias,
        stdev,
        bias - _WITHIN * stdev,
        bias + _WITHIN * stdev,
        Interval(bias - of_bias * stdev, bias + of_bias * stdev),
        Interval(bias - far * stdev, bias - near * stdev),
        Interval(bias + near * stdev, bias + far * stdev),
        tried(
            _correlation, "trend", differences, [one / 2 + other / 2 for one, other in zip(first, second, strict=True)]
        ),
    )


def _check(*sets: Sequence[float]) -> None:
    """Refuse SETS of which nobody can say which scores belong together, or that have what is no score."""
    lengths = sorted({len(one) for one in sets})
    if len(lengths) > 1:
        raise DataError(f"expected sets of scores of the same objects, found {lengths[0]} to {lengths[-1]} scores")
    for scores in sets:
        if not all(map(math.isfinite, scores)):
            raise DataError(f"expected finite scores, found {next(one for one in scores if not math.isfinite(one))}")


def _differences(first: Sequence[float], second: Sequence[float]) -> list[float]:
    """Return by how much each score of SECOND differs from that of FIRST: all the same where rounding alone differs."""
    found = [other - one for one, other in zip(first, second, strict=True)]
    if max(map(abs, found)) > _MOST_APART:
        raise DataError(f"expected scores that are at most {_MOST_APART:g} apart, whose limits of agreement are finite")
    reach = [math.fsum(_ROUNDING * abs(one) for one in three) for three in zip(first, second, found, strict=True)]
    are_equal = max(map(sub, found, reach)) <= min(map(add, found, reach))
    return [math.fsum(found) / len(found)] * len(found) if are_equal else found


def _varies(scores: Sequence[float]) -> bool:
    """Tell whether SCORES are not all the same."""
    return min(scores) != max(scores)


def _refuse_few(name: str, scores: Sequence[float]) -> None:
    """Refuse to say anything about fewer than three objects."""
    if len(scores) < LEAST_OBJECTS:
        raise UndefinedMeasure(name, f"it needs at least {LEAST_OBJECTS} objects measured by all, found {len(scores)}")


def _refuse_sets(name: str, *sets: Sequence[float]) -> None:
    """Refuse sets that are too small, or of which one is constant."""
    _refuse_few(name, sets[0])
    for scores in sets:
        if not _varies(scores):
            raise UndefinedMeasure(name, f"one set has the same score for all {len(scores)} objects")


def _correlation(name: str, first: Sequence[float], second: Sequence[float]) -> float:
    """Return the correlation of two sets, called NAME where it has no value."""
    _refuse_sets(name, first, second)
    ours, theirs = _directed(first), _directed(second)
    found = math.fsum(one * other for one, other in zip(ours, theirs, strict=True))
    return max(-1.0, min(1.0, found))


def _directed(scores: Sequence[float]) -> list[float]:
    """Return SCORES around their mean as a vector of length 1; neither large nor small numbers are squared."""
    largest = max(map(abs, scores))
    shares = [one / largest for one in scores]
    mean = math.fsum(shares) / len(shares)
    around = [one - mean for one in shares]
    length = math.hypot(*around)
    return [one / length for one in around]


def _ranks(scores: Sequence[float]) -> list[float]:
    """Return the rank of each of SCORES, equal ones sharing the mean of theirs."""
    counts = Counter(scores)
    ranks: dict[float, float] = {}
    below = 0
    for score in sorted(counts):
        ranks[score] = below + (counts[score] + 1) / 2
        below += counts[score]
    return [ranks[score] for score in scores]


@lru_cache(maxsize=1024)
def _factors(n: int) -> tuple[float, float, float]:
    """Return, in standard deviations from the bias: the near end of a limit's interval, the bias' end, the far end."""
    from scipy.special import nctdtrit, stdtrit

    root = math.sqrt(n)
    near, far = (float(nctdtrit(n - 1, _WITHIN * root, share)) / root for share in (0.025, 0.975))
    return near, float(stdtrit(n - 1, 0.975)) / root, far


def _span(interval: Interval) -> str:
    """Return a bounded INTERVAL in words."""
    low, high = interval
    return f"{figure(low)} to {figure(low if high is None else high)}"
