"""What would a value have been with other topics?  Resamples of topics, and values that leave one topic out.

    Statistic           a value that depends on topics through means only, such as any formula of the registry
    studentised_means   how far the mean of each resample is from the mean, in standard errors of that resample
    shares              the values that given shares of sorted resamples lie below

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


def studentised_means(column: Array) -> Array:
    """Return for each resample how far its mean is from that of COLUMN, in standard errors of the resample.

    A resample without any spread takes the standard error of the column.
    """
    column = column - column.mean(axis=-1, keepdims=True)  # variances are differences of squares: keep those small
    squares = column**2
    centre, spread = _mean(column)[..., None], _mean(squares)[..., None]
    found = []
    for (mean,) in _resampled_means((column.shape[-1],)):
        means = mean(column)
        variance = _above_rounding(mean(squares) - means**2, spread)
        found.append((means - centre) / np.sqrt(np.where(variance > 0, variance, spread) / (column.shape[-1] - 1)))
    return np.concatenate(found, axis=-1)


def _above_rounding(variance: Array, whole: Array) -> Array:
    """Return VARIANCE with 0 for what rounding may have left, beside that of the WHOLE."""
    return np.where(variance > 1e-10 * whole, variance, 0.0)


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
