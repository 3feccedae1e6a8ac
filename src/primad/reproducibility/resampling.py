"""What would a value have been with other topics?  Resamples of topics, and values that leave one topic out.

    Statistic      a value that depends on topics through means only, such as any formula of the registry
    PositiveMean   bounds and p-values of a mean of values that are never negative, such as squared errors
    shares         the values that given shares of sorted resamples lie below
    bca_shares     which shares these are for a bias-corrected and accelerated interval

Topics are drawn with replacement: a resample is how often each topic counts, so all its means are one product of
matrices, and many effectiveness measures share it.  The draws depend on the number of topics only.  Scores are rounded
to some 40 binary digits, which makes every sum exact: a value is the same to the last bit in whatever process, beside
whatever other measures, with whatever linear algebra library it is computed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from primad.reproducibility.registry import Mean

if TYPE_CHECKING:
    from primad.reproducibility.registry import Array

RESAMPLES = 2000

_CELLS = 1 << 20  # of a table of draws: 8 MB each, and at most 8 of them are kept
_EXACT_BITS = 52
_TRUSTED = 10
_LARGEST_SHAPE = 1e12


@dataclass(frozen=True)
class Statistic:
    """A value that depends on topics through means only.

    AT gives it, ROWS of it, for one way to take means for each sample of topics; SIZES is the number of topics of each
    sample.  A paired comparison has one sample, two experiments on two collections have two.
    """

    at: Callable[[Sequence[Mean]], Array]
    sizes: tuple[int, ...]
    rows: int

    def value(self) -> Array:
        """Return the value of all topics."""
        return self.at([_mean] * len(self.sizes))

    def resampled(self) -> Array:
        """Return the value of each resample, along the last axis."""
        return np.concatenate([self.at(means) for means in _resampled_means(self.sizes)], axis=-1)

    def left_out(self) -> list[Array]:
        """Return for each sample the values that leave out one topic of it, along the last axis."""
        places = range(len(self.sizes))
        return [self.at([_mean_without_each if i == j else _mean_kept for i in places]) for j in places]


@dataclass(frozen=True)
class PositiveMean:
    """A mean of values that are never negative, or its relation to another mean: how surely it lies below a limit.

    Such a mean is about gamma distributed, whether many topics make it or a single one; the SHAPE is the mean over its
    standard error, squared.  Held against its true value it has a rank among gamma values: the probability of a smaller
    one.  RANKS are those of the resamples, each with its own shape, held against the sample's value.  They show how far
    the gamma distribution is off: a bound is taken where as many resamples lie as are meant to.

    Resamples can tell only so much.  Where few topics make the mean, some hold none of those, and no bound would be
    high enough for them.  So they make a bound more cautious than the gamma distribution alone, never less, and at
    most as cautious as it would be at a tenth of the share.
    """

    value: Array
    shape: Array
    ranks: Array

    @classmethod
    def of(cls, values: Array, room: Array | None = None) -> PositiveMean:
        """Return the mean of each row of VALUES, over the mean of ROOM if given.  Rows must have a spread."""
        room = np.ones_like(values) if room is None else room
        topics = values.shape[-1]
        value = _mean(values) / _mean(room)
        # What a topic has more than its room lets expect: small, so no digits are lost in variances.
        rest = values - value[..., None] * room
        shape = (value * _mean(room)) ** 2 * topics / rest.var(axis=-1, ddof=1)
        found = []
        for (mean,) in _resampled_means((topics,)):
            over = mean(room)
            shift = mean(rest) / over
            variance = mean(rest**2) - 2 * shift * mean(rest * room) + shift**2 * mean(room**2)
            found.append(
                _ranks((value[..., None] + shift) / value[..., None], variance, value[..., None] * over, topics)
            )
        return cls(value, shape, np.concatenate(found, axis=-1))

    def upper(self, share: float) -> Array:
        """Return the value that the true one exceeds with the probability SHARE only."""
        from scipy.special import gammaincinv

        return self._held_against(gammaincinv(self.shape, self._cautious(self.ranks, share)))

    def lower(self, share: float) -> Array:
        """Return the value that the true one lies below with the probability SHARE only."""
        from scipy.special import gammainccinv

        return self._held_against(gammainccinv(self.shape, self._cautious(1 - self.ranks, share)))

    def below(self, limit: float) -> Array:
        """Return the p-value of the claim that the true value is below LIMIT."""
        from scipy.special import gammainc

        rank = gammainc(self.shape, self.shape * (self.value / limit))
        return self._p(rank, self.ranks <= rank[..., None])

    def above(self, limit: float) -> Array:
        """Return the p-value of the claim that the true value is above LIMIT."""
        from scipy.special import gammainc, gammaincc

        at = self.shape * (self.value / limit)
        return self._p(gammaincc(self.shape, at), self.ranks >= gammainc(self.shape, at)[..., None])

    def _held_against(self, quantile: Array) -> Array:
        """Return the true value for which this one would be that QUANTILE of gamma values."""
        return np.asarray(self.value * self.shape / quantile)

    def _cautious(self, ranks: Array, share: float) -> Array:
        """Return the rank that SHARE of the RANKS lie below, as far as resamples are trusted."""
        return np.asarray(np.clip(shares(ranks, np.full(len(ranks), share)), share / _TRUSTED, share))

    def _p(self, gamma: Array, as_far: np.ndarray) -> Array:
        """Return the share of resamples that lie AS_FAR, as far as those are trusted beside the p-value of GAMMA."""
        share = (as_far.sum(axis=-1) + 1) / (as_far.shape[-1] + 1)
        return np.asarray(np.minimum(np.clip(share, gamma, _TRUSTED * gamma), 1.0))


def _ranks(relation: Array, variance: Array, expected: Array, topics: int) -> Array:
    """Return the ranks of resamples by their RELATION to the sample's value, each with a shape by its own VARIANCE."""
    from scipy.special import gammainc

    error = np.maximum(variance, 0) / (topics - 1) / expected**2
    relation = np.maximum(relation, 0)
    with np.errstate(all="ignore"):
        shape = np.clip(relation**2 / error, 1.0 / topics, _LARGEST_SHAPE)
    # Resamples of nothing but zeros have no shape; whatever it is, they rank lowest.
    return np.asarray(gammainc(np.where(np.isnan(shape), 1.0, shape), np.where(relation > 0, relation * shape, 0.0)))


def shares(resampled: Array, wanted: Array) -> Array:
    """Return the value below which the WANTED share of RESAMPLED lies, row by row.

    >>> shares(np.array([[3.0, 1.0, 2.0]]), np.array([0.25]))
    array([1.5])
    """
    ordered = np.sort(resampled, axis=-1)
    last = ordered.shape[-1] - 1
    place = np.clip(wanted, 0, 1) * last
    below = np.floor(place).astype(np.intp)
    low, high = (
        np.take_along_axis(ordered, np.minimum(at, last)[..., None], axis=-1)[..., 0] for at in (below, below + 1)
    )
    return np.asarray(low + (place - below) * (high - low))


def _resampled_means(sizes: tuple[int, ...]) -> Iterator[list[Mean]]:
    """Yield for some resamples at a time how each sample of so many topics takes its means."""
    at_once = max(min(RESAMPLES, _CELLS // max(sizes)), 1)
    for begin in range(0, RESAMPLES, at_once):
        rows = min(at_once, RESAMPLES - begin)
        yield [_mean_by(_counts(topics, sample, begin, rows)) for sample, topics in enumerate(sizes)]


@lru_cache(maxsize=8)
def _counts(topics: int, sample: int, begin: int, rows: int) -> Array:
    """Return how often each topic counts in the resamples from BEGIN on, one a row."""
    drawn = np.random.default_rng([topics, sample, begin]).integers(0, topics, (rows, topics))
    places = drawn + topics * np.arange(rows)[:, None]
    counts = np.bincount(places.ravel(), minlength=rows * topics).reshape(rows, topics).astype(np.float64)
    counts.flags.writeable = False
    return counts


def _mean_by(counts: Array) -> Mean:
    """Return the function that takes the mean of a column in each of the resamples."""

    def mean(column: Array) -> Array:
        whole, exponent = _in_whole_numbers(column)
        return np.asarray(np.ldexp(whole @ counts.T, exponent) / column.shape[-1])

    return mean


def _mean(column: Array) -> Array:
    """Return the mean over all topics."""
    return _mean_kept(column)[..., 0]


def _mean_kept(column: Array) -> Array:
    """Return the mean over all topics, in place of the last axis."""
    whole, exponent = _in_whole_numbers(column)
    return np.asarray(np.ldexp(whole.sum(axis=-1, keepdims=True), exponent) / column.shape[-1])


def _mean_without_each(column: Array) -> Array:
    """Return the means that leave one topic out."""
    whole, exponent = _in_whole_numbers(column)
    others = whole.sum(axis=-1, keepdims=True) - whole
    return np.asarray(np.ldexp(others, exponent) / (column.shape[-1] - 1))


def _in_whole_numbers(column: Array) -> tuple[Array, np.ndarray]:
    """Return COLUMN in whole numbers so small that sums over topics are exact, and the power of 2 they stand for."""
    bits = _EXACT_BITS - int(column.shape[-1]).bit_length()
    _, exponent = np.frexp(np.abs(column).max(axis=-1, keepdims=True))
    return np.rint(np.ldexp(column, bits - exponent)), exponent - bits


def bca_shares(statistic: Statistic, resampled: Array, confidence: float) -> list[Array]:
    """Return below which share of the resampled values the lower and the upper bound lie."""
    from scipy.special import ndtr, ndtri

    value = statistic.value()[:, None]
    below = ((resampled < value).mean(axis=-1) + (resampled <= value).mean(axis=-1)) / 2
    # All resamples on one side: as if the next one had been on the other.
    bias = ndtri(np.clip(below, 0.5 / RESAMPLES, 1 - 0.5 / RESAMPLES))
    acceleration = _acceleration(statistic.left_out())
    wanted = []
    for share, end in (((1 - confidence) / 2, 0.0), ((1 + confidence) / 2, 1.0)):
        z = bias + ndtri(share)
        stretch = 1 - acceleration * z
        wanted.append(np.where(stretch > 0, ndtr(bias + z / stretch), end))
    return wanted


def _acceleration(left_out: Sequence[Array]) -> Array:
    """Return how much the spread changes with the value, by the values that leave a topic out."""
    cubes = squares = np.zeros(1)
    for values in left_out:
        topics = values.shape[-1]
        pull = (values.mean(axis=-1, keepdims=True) - values) * ((topics - 1) / topics)
        cubes, squares = cubes + (pull**3).sum(axis=-1), squares + (pull**2).sum(axis=-1)
    return np.nan_to_num(cubes / (6 * squares**1.5))
