"""Do the topic scores of two runs differ by more than chance?  p-values, and what they rest on.

    p_value     the p-value of a test: paired on the same topics, unpaired on topics of another collection
    PValue      the p-value with the name of its test, the statistic and the degrees of freedom
    Contrast    a difference of means, its standard error and degrees of freedom; all t-tests start from it
    noncentrality   by how many standard errors means must lie apart for a given t to be as unlikely as stated
    out_of_range    why scores are too large or too small to compute with

A large p-value is no evidence of sameness; ``equivalence`` asks for that.  Differences are reproduced minus original:
a negative one means that the reproduction scores lower.  Tests that draw at random draw the same for the same scores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Literal

import numpy as np

from primad.errors import DataError, UndefinedMeasure

if TYPE_CHECKING:
    from primad.reproducibility.registry import Array

Test = Literal["t", "student", "wilcoxon", "permutation"]

POWER = 0.8
# As many rearrangements are all tried; of more, so many are drawn.
_EXACT = 1 << 17
_DRAWN = 9_999
_CELLS = 1 << 20  # of a table of draws that is in memory at once
_LARGEST, _SMALLEST = 1e75, 1e-75  # the variance of whose squares is still a number
_LARGE_T = 100.0
_DOUBLED = 12
_CLOSE = 1e-13

IDENTICAL = "identical scores"
_NEEDS_NO_SPREAD = "so there is no spread to hold the difference against; the permutation test needs none"
_SAME_DIFFERENCE = f"every topic differs by the same amount, {_NEEDS_NO_SPREAD}"
_SAME_SCORES = f"each run has the same score on all its topics, {_NEEDS_NO_SPREAD}"


@dataclass(frozen=True, kw_only=True)
class PValue:
    """A two-sided p-value: which TEST gave it, its STATISTIC and DEGREES of freedom where it has some."""

    test: str
    p: float
    statistic: float | None = None
    degrees: float | None = None
    note: str = ""


@dataclass(frozen=True)
class Contrast:
    """A difference of means: the ESTIMATE, its standard ERROR, and the DEGREES of freedom of that error.

    >>> contrast = Contrast(estimate=0.3, error=0.1, degrees=20)
    >>> round(contrast.differs(), 4), round(contrast.above(0.1), 4), round(contrast.below(0.1), 4)
    (0.0071, 0.0296, 0.9704)
    """

    estimate: float
    error: float
    degrees: float

    def t(self, null: float = 0.0) -> float:
        """Return by how many standard errors the estimate is above NULL."""
        return (self.estimate - null) / self.error

    def differs(self, null: float = 0.0) -> float:
        """Return the two-sided p-value of the claim that the difference is not NULL."""
        return 2 * t_probability(-abs(self.t(null)), self.degrees)

    def above(self, limit: float) -> float:
        """Return the p-value of the claim that the difference is above LIMIT."""
        return t_probability(-self.t(limit), self.degrees)

    def below(self, limit: float) -> float:
        """Return the p-value of the claim that the difference is below LIMIT."""
        return t_probability(self.t(limit), self.degrees)

    def detectable(self, alpha: float, *, sides: Literal[1, 2] = 2) -> float | None:
        """Return the difference that a test at ALPHA, not corrected, would detect four times out of five.

        None if there is none that can be computed.
        """
        critical = t_quantile(1 - alpha / sides, self.degrees)
        found = noncentrality(critical, self.degrees, 1 - POWER)
        return None if found is None else found * self.error


def paired_contrast(original: Array, reproduced: Array) -> Contrast:
    """Return the mean difference over the same topics."""
    differences = reproduced - original
    topics = len(differences)
    spread = 0.0 if is_constant(differences, original, reproduced) else float(differences.std(ddof=1))
    return Contrast(float(differences.mean()), spread / topics**0.5, topics - 1)


def unpaired_contrast(original: Array, reproduced: Array, *, weight: float = 1.0) -> Contrast:
    """Return the mean of REPRODUCED minus WEIGHT times that of ORIGINAL, which have topics of their own (Welch)."""
    parts = np.array([_squared_error(reproduced), weight**2 * _squared_error(original)])
    freedom = np.array([len(reproduced) - 1, len(original) - 1])
    total = float(parts.sum())
    degrees = total**2 / float((parts**2 / freedom).sum()) if total else float(freedom.sum())
    return Contrast(float(reproduced.mean() - weight * original.mean()), total**0.5, degrees)


def pooled_contrast(original: Array, reproduced: Array) -> Contrast:
    """Return the difference of means if both have the same variance (Student)."""
    degrees = len(original) + len(reproduced) - 2
    error = pooled_spread(original, reproduced) * (1 / len(original) + 1 / len(reproduced)) ** 0.5
    return Contrast(float(reproduced.mean() - original.mean()), error, degrees)


def pooled_spread(original: Array, reproduced: Array) -> float:
    """Return the standard deviation within both."""
    squares = sum(_squared_error(scores) * len(scores) * (len(scores) - 1) for scores in (original, reproduced))
    return float((squares / (len(original) + len(reproduced) - 2)) ** 0.5)


def p_value(original: Array, reproduced: Array, *, paired: bool, test: Test = "t") -> PValue:
    """Return the two-sided p-value of a difference between the scores of two runs.

    PAIRED says that both have the same topics in the same order.  The tests are t (paired, otherwise Welch's), student
    (the same, with equal variances where unpaired), wilcoxon (signed-rank, otherwise rank-sum) and permutation (of the
    signs, otherwise of the runs' names).

    >>> p_value(np.array([0.1, 0.5, 0.9, 0.3]), np.array([0.12, 0.55, 0.93, 0.35]), paired=True).p.__round__(6)
    0.015392
    """
    original, reproduced = (np.asarray(scores, dtype=np.float64) for scores in (original, reproduced))
    _refuse(original, reproduced, paired=paired)
    name, function = (_PAIRED if paired else _UNPAIRED)[test]
    if are_identical(original, reproduced):
        return PValue(test=name, p=1.0, note=IDENTICAL)
    return function(name, original, reproduced)


def _refuse(original: Array, reproduced: Array, *, paired: bool) -> None:
    """Refuse scores that no test can be made of."""
    if paired and original.shape != reproduced.shape:
        raise DataError(f"expected scores of the same topics, found {len(original)} and {len(reproduced)} of them")
    if not (np.isfinite(original).all() and np.isfinite(reproduced).all()):
        raise DataError("expected a number for each topic, found one that is none")
    fewest = min(len(original), len(reproduced))
    if fewest < 2:  # noqa: PLR2004
        raise UndefinedMeasure("p", f"a test needs at least 2 topics, found {fewest}")
    if reason := out_of_range(original, reproduced):
        raise UndefinedMeasure("p", reason)


def _t_test(contrast: Callable[[Array, Array], Contrast], undefined: str) -> Callable[[str, Array, Array], PValue]:
    """Return the t-test of a CONTRAST, which is UNDEFINED where there is no spread."""

    def test(name: str, original: Array, reproduced: Array) -> PValue:
        found = contrast(original, reproduced)
        if not found.error:
            raise UndefinedMeasure("p", undefined)
        return PValue(test=name, p=found.differs(), statistic=found.t(), degrees=found.degrees)

    return test


def _signed_rank(name: str, original: Array, reproduced: Array) -> PValue:
    """Return Wilcoxon's test on the same topics; topics without a difference are left out, as he did."""
    from scipy.stats import wilcoxon

    differences = _told_apart(reproduced - original, rounding(original, reproduced))
    found = wilcoxon(differences)
    left_out = len(original) - len(differences)
    note = f"{left_out} topics without a difference are left out" if left_out else ""
    return PValue(test=name, p=float(found.pvalue), statistic=float(found.statistic), note=note)


def _rank_sum(name: str, original: Array, reproduced: Array) -> PValue:
    """Return Wilcoxon's test on topics of their own (that of Mann and Whitney)."""
    from scipy.stats import mannwhitneyu

    pool = _rejoined(np.concatenate((reproduced, original)), rounding(original, reproduced))
    found = mannwhitneyu(pool[: len(reproduced)], pool[len(reproduced) :])
    return PValue(test=name, p=float(found.pvalue), statistic=float(found.statistic))


def _sign_flips(name: str, original: Array, reproduced: Array) -> PValue:
    """Return how often random signs of the differences give a mean as far from 0."""
    differences = reproduced - original
    limit = abs(float(differences.sum())) - _tolerance(original, reproduced)
    if len(differences) < _EXACT.bit_length():
        sums = np.zeros(1)
        for difference in np.abs(differences):
            sums = np.concatenate((sums + difference, sums - difference))
        return _exact(name, float(differences.mean()), np.abs(sums) >= limit)
    drawn = (
        np.abs((generator.integers(0, 2, (rows, len(differences)), dtype=np.int8) * 2.0 - 1) @ differences) >= limit
        for generator, rows in _draws(len(differences))
    )
    return _monte_carlo(name, float(differences.mean()), drawn)


def _label_shuffles(name: str, original: Array, reproduced: Array) -> PValue:
    """Return how often random exchanges of topics between the runs give means as far apart."""
    pool = np.concatenate((reproduced, original))
    pool = pool - pool.mean()
    chosen = len(reproduced)
    difference = float(reproduced.mean() - original.mean())
    limit = abs(float(pool[:chosen].sum())) - _tolerance(original, reproduced)
    if comb(len(pool), chosen) <= _EXACT:
        sums = np.array([pool[list(part)].sum() for part in combinations(range(len(pool)), chosen)])
        return _exact(name, difference, np.abs(sums) >= limit)
    drawn = (
        np.abs(generator.permuted(np.tile(pool, (rows, 1)), axis=1)[:, :chosen].sum(axis=1)) >= limit
        for generator, rows in _draws(len(pool))
    )
    return _monte_carlo(name, difference, drawn)


def _draws(topics: int) -> Iterator[tuple[np.random.Generator, int]]:
    """Yield a generator and a number of draws, as many at once as memory allows; the same for so many TOPICS."""
    generator = np.random.default_rng([_DRAWN, topics])
    at_once = max(_CELLS // topics, 1)
    for begin in range(0, _DRAWN, at_once):
        yield generator, min(at_once, _DRAWN - begin)


def _exact(name: str, statistic: float, as_far: np.ndarray) -> PValue:
    """Return the share of all rearrangements that lie AS_FAR."""
    note = f"exact: all {len(as_far):,} rearrangements"
    return PValue(test=name, p=float(as_far.mean()), statistic=statistic, note=note)


def _monte_carlo(name: str, statistic: float, as_far: Iterator[np.ndarray]) -> PValue:
    """Return the share of drawn rearrangements that lie AS_FAR, the one that was observed among them."""
    p = (sum(int(part.sum()) for part in as_far) + 1) / (_DRAWN + 1)
    return PValue(test=name, p=p, statistic=statistic, note=f"{_DRAWN:,} rearrangements drawn at random")


_PAIRED: dict[Test, tuple[str, Callable[[str, Array, Array], PValue]]] = {
    "t": ("paired t-test", _t_test(paired_contrast, _SAME_DIFFERENCE)),
    "student": ("paired t-test", _t_test(paired_contrast, _SAME_DIFFERENCE)),
    "wilcoxon": ("Wilcoxon signed-rank test", _signed_rank),
    "permutation": ("paired permutation test", _sign_flips),
}
_UNPAIRED: dict[Test, tuple[str, Callable[[str, Array, Array], PValue]]] = {
    "t": ("Welch's t-test", _t_test(unpaired_contrast, _SAME_SCORES)),
    "student": ("Student's t-test", _t_test(pooled_contrast, _SAME_SCORES)),
    "wilcoxon": ("Wilcoxon rank-sum test", _rank_sum),
    "permutation": ("unpaired permutation test", _label_shuffles),
}


def t_probability(t: float, degrees: float) -> float:
    """Return the probability of a value of at most T."""
    from scipy.special import stdtr

    return float(stdtr(degrees, t))


def t_quantile(probability: float, degrees: float) -> float:
    """Return the value that is not exceeded with PROBABILITY."""
    from scipy.special import stdtrit

    return float(stdtrit(degrees, probability))


@lru_cache(maxsize=1024)  # tests on as many topics ask for the same
def noncentrality(t: float, degrees: float, share: float) -> float | None:
    """Return the noncentrality for which a value of at most T has the probability SHARE; None if it is out of reach.

    The probability falls as the noncentrality rises, so it is found by narrowing an interval that holds it.

    >>> round(noncentrality(2.0, 10, 0.5), 3)
    1.948
    """
    low = high = t
    for reach in (2.0**doubled * (1 + abs(t)) for doubled in range(_DOUBLED)):
        at_low, at_high = (_noncentral_probability(t, degrees, end) for end in (low, high))
        if at_low >= share >= at_high:
            break
        low, high = low - reach * (at_low < share), high + reach * (at_high > share)
    else:
        return None  # also where a probability cannot be computed: what is no number never compares
    return _crossing(lambda shift: _noncentral_probability(t, degrees, shift) - share, low, high)


def _crossing(falling: Callable[[float], float], low: float, high: float) -> float:
    """Return where FALLING is 0, between LOW and HIGH: where the line between both ends is, then halfway, in turns."""
    above, below = falling(low), falling(high)
    is_halved = False
    while high - low > _CLOSE * max(abs(low), abs(high), 1):
        is_flat = not above - below > 0
        middle = (low + high) / 2 if is_halved or is_flat else low + (high - low) * above / (above - below)
        value = falling(middle)
        if value == 0:
            return middle
        low, above, high, below = (middle, value, high, below) if value > 0 else (low, above, middle, value)
        is_halved = not is_halved
    return (low + high) / 2


def _noncentral_probability(t: float, degrees: float, shift: float) -> float:
    """Return the probability of a value of at most T if the noncentrality is SHIFT."""
    from scipy.special import gammaincc, nctdtr

    if t < 0:
        return 1 - _noncentral_probability(-t, degrees, -shift)
    if t < _LARGE_T:
        return float(nctdtr(degrees, shift, t))
    # scipy fails here.  T is at most t where the spread is at least (z + shift) / t: the mean of that over normal z,
    # which is as smooth as t is large, so a plain sum over a grid has it.
    z = np.linspace(-10, 10, 2001)
    spread = np.maximum(z + shift, 0) / t
    return float(np.average(gammaincc(degrees / 2, degrees / 2 * spread**2), weights=np.exp(-(z**2) / 2)))


def out_of_range(*columns: Array) -> str:
    """Return why scores are too large or too small to compute with; empty if they are not.

    >>> out_of_range(np.array([0.1, 1e200]))
    'scores reach 1e+200, too large to compute with (at most 1e+75); take another unit'
    """
    largest = max(float(np.abs(column).max(initial=0)) for column in columns)
    if largest > _LARGEST:
        return f"scores reach {largest:.3g}, too large to compute with (at most {_LARGEST:g}); take another unit"
    if 0 < largest < _SMALLEST:
        return f"no score is above {largest:.3g}, too small to compute with (at least {_SMALLEST:g}); take another unit"
    return ""


def rounding(*columns: Array) -> float:
    """Return how large a difference of such scores can be by rounding alone."""
    return 16 * float(np.finfo(np.float64).eps) * max(float(np.abs(column).max(initial=0)) for column in columns)


def are_identical(original: Array, reproduced: Array) -> bool:
    """Tell whether both have the same scores, up to rounding."""
    if original.shape != reproduced.shape:
        return is_constant(np.concatenate((original, reproduced)))
    return bool(np.abs(original - reproduced).max() <= rounding(original, reproduced))


def is_constant(values: Array, *scores: Array) -> bool:
    """Tell whether all VALUES are the same, up to the rounding of the SCORES that they were made of."""
    return bool(np.ptp(values) <= rounding(values, *scores))


def _squared_error(scores: Array) -> float:
    """Return the squared standard error of the mean of SCORES."""
    return 0.0 if is_constant(scores) else float(scores.var(ddof=1)) / len(scores)


def _told_apart(differences: Array, limit: float) -> Array:
    """Return the DIFFERENCES above LIMIT, made equal in size where they are equal up to it: rounding breaks no tie."""
    kept = differences[np.abs(differences) > limit]
    return np.copysign(_rejoined(np.abs(kept), limit), kept)


def _rejoined(values: Array, limit: float) -> Array:
    """Return VALUES, made equal where the next smaller one is no further than LIMIT."""
    order = np.argsort(values, kind="stable")
    rising = values[order]
    is_first = np.diff(rising, prepend=-np.inf) > limit
    same = np.empty_like(values)
    same[order] = rising[np.maximum.accumulate(np.where(is_first, np.arange(len(rising)), 0))]
    return same


def _tolerance(*scores: Array) -> float:
    """Return how far two sums of SCORES may lie apart by rounding alone."""
    return rounding(*scores) * len(scores[0])
