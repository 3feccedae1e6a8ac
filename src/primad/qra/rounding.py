"""How far can rounding have moved a coefficient of variation?

    envelope     the smallest and the largest s/mean of one sample before its values were rounded
    envelopes    the same for many samples of one size, as rows

Each value may have been anywhere within its half-width of what was written.  s/mean is quasiconvex where the mean is
above 0, so the largest is at a corner of that box.  Among values of equal half-width, those above some threshold go up
and the others down: exchanging the two keeps the mean and adds to s.  So the corners to look at are few.  The smallest
is where all values come as near to one T as they can, T being the sum of their squares over their sum.

Where the box reaches a mean of 0 the largest is infinite.  Where a sample mixes so many half-widths that more than
4,096 corners were left, an upper bound stands in for the largest value: for any T, s/mean follows from the sum of
squared distances to T, and each distance has its own largest value.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from primad.errors import DataError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from primad.qra.intervals import Array

MOST_CORNERS = 4096
# Halving an interval oftener than this cannot move its ends.
_HALVINGS = 60
# Rows times corners that are looked at in one go.
_AT_ONCE = 1 << 21


def envelope(values: ArrayLike, halves: ArrayLike) -> tuple[float, float]:
    """Return the smallest and the largest s/mean with each of VALUES moved by at most its half-width.

    >>> low, high = envelope([4.64, 5.30], [0.005, 0.005])
    >>> print(f"{low:.5f} {high:.5f}")
    0.09248 0.09532
    """
    low, high = envelopes(np.atleast_2d(np.asarray(values, dtype=float)), halves)
    return float(low[0]), float(high[0])


def envelopes(values: ArrayLike, halves: ArrayLike) -> tuple[Array, Array]:
    """Return the smallest and the largest s/mean for each row of VALUES."""
    centres, widths = np.broadcast_arrays(np.asarray(values, dtype=float), np.asarray(halves, dtype=float))
    n = centres.shape[1]
    if n <= 1 or not np.all(widths >= 0) or not np.all(centres.sum(axis=1) > 0):
        raise DataError("a rounding envelope needs at least 2 values with a mean above 0, and half-widths from 0 on")
    _, exponent = np.frexp(np.abs(centres).max(axis=1, keepdims=True))  # squares neither overflow nor vanish then
    centres, widths = np.ldexp(centres, -exponent), np.ldexp(widths, -exponent)
    smallest, largest = _smallest(centres, widths), np.full(len(centres), np.inf)
    sure = (centres - widths).sum(axis=1) > 0
    largest[sure] = _largest(centres[sure], widths[sure])
    return smallest, largest


def _smallest(centres: Array, widths: Array) -> Array:
    """Return the smallest s/mean, by halving the interval that holds T."""
    lows, highs = centres - widths, centres + widths
    below, above = np.maximum(highs.min(axis=1), 0.0), lows.max(axis=1)
    for _ in range(_HALVINGS):
        middle = (below + above) / 2
        nearest = np.clip(middle[:, None], lows, highs)
        too_low = (nearest * (nearest - middle[:, None])).sum(axis=1) > 0
        below, above = np.where(too_low, middle, below), np.where(too_low, above, middle)
    nearest = np.clip(((below + above) / 2)[:, None], lows, highs)
    apart = lows.max(axis=1) > highs.min(axis=1)
    smallest = np.zeros(len(centres))
    np.divide(nearest.std(axis=1, ddof=1), nearest.mean(axis=1), out=smallest, where=apart)
    return smallest


def _largest(centres: Array, widths: Array) -> Array:
    """Return the largest s/mean, the rows being taken together by how many values share a half-width."""
    order = np.lexsort((centres, widths))
    centres, widths = (np.take_along_axis(one, order, axis=1) for one in (centres, widths))
    steps = widths[:, 1:] != widths[:, :-1]
    largest = np.empty(len(centres))
    for pattern, rows in _by_pattern(steps).items():
        ends = [0, *(place + 1 for place, step in enumerate(pattern) if step), centres.shape[1]]
        sizes = [end - start for start, end in itertools.pairwise(ends)]
        if len(sizes) == 1:
            largest[rows] = _largest_by_threshold(centres[rows], widths[rows])
        elif math.prod(size + 1 for size in sizes) <= MOST_CORNERS:
            largest[rows] = _largest_of_corners(centres[rows], widths[rows], _corners(sizes))
        else:
            largest[rows] = _bound(centres[rows], widths[rows])
    return largest


def _by_pattern(steps: NDArray[np.bool_]) -> dict[tuple[bool, ...], list[int]]:
    """Return the rows by where their half-widths change."""
    rows: dict[tuple[bool, ...], list[int]] = defaultdict(list)
    for row, pattern in enumerate(steps.tolist()):
        rows[tuple(pattern)].append(row)
    return rows


def _corners(sizes: list[int]) -> Array:
    """Return the directions in which values go, those of each half-width by a threshold of their own."""
    ladders = [np.where(np.arange(size) < np.arange(size + 1)[:, None], -1.0, 1.0) for size in sizes]
    choices = itertools.product(*(range(size + 1) for size in sizes))
    return np.array([np.concatenate([ladder[k] for ladder, k in zip(ladders, ks, strict=True)]) for ks in choices])


def _largest_of_corners(centres: Array, widths: Array, corners: Array) -> Array:
    """Return the largest s/mean among CORNERS."""
    largest = np.empty(len(centres))
    at_once = max(1, _AT_ONCE // len(corners))
    for start in range(0, len(centres), at_once):
        rows = slice(start, start + at_once)
        apart = centres[rows] - centres[rows].mean(axis=1, keepdims=True)
        moved = widths[rows] @ corners.T
        products = (apart * widths[rows]) @ corners.T
        largest[rows] = _ratios(centres[rows], widths[rows], moved, products).max(axis=1)
    return largest


def _largest_by_threshold(centres: Array, widths: Array) -> Array:
    """Return the largest s/mean with one threshold for all values, which have one half-width and are sorted."""
    apart = centres - centres.mean(axis=1, keepdims=True)
    ratios = _ratios(centres, widths, _up_from(widths), _up_from(apart * widths))
    return np.asarray(ratios.max(axis=1))


def _up_from(amounts: Array) -> Array:
    """Return the sums of AMOUNTS with the first 0, 1, 2, … of each row taken negative."""
    down = np.cumsum(np.pad(amounts, ((0, 0), (1, 0))), axis=1)
    return np.asarray(down[:, -1:] - 2 * down)


def _ratios(centres: Array, widths: Array, moved: Array, products: Array) -> Array:
    """Return s/mean at corners, MOVED being the sum of all moves there, PRODUCTS that of moves times deviations."""
    n = centres.shape[1]
    apart = centres - centres.mean(axis=1, keepdims=True)
    fixed = (apart**2).sum(axis=1) + (widths**2).sum(axis=1)
    squares = fixed[:, None] + 2 * products - moved**2 / n
    mean = (centres.sum(axis=1)[:, None] + moved) / n
    return np.asarray(np.sqrt(np.maximum(squares, 0.0) / (n - 1)) / mean)


def _bound(centres: Array, widths: Array) -> Array:
    """Return an upper bound of s/mean, with the T that gives the least."""
    n = centres.shape[1]
    below, above = np.zeros(len(centres)), 2 * (centres + widths).max(axis=1)
    for _ in range(_HALVINGS):
        middle = (below + above) / 2
        farthest = centres + np.where(centres > middle[:, None], widths, -widths)
        too_low = (farthest * (farthest - middle[:, None])).sum(axis=1) > 0
        below, above = np.where(too_low, middle, below), np.where(too_low, above, middle)
    share = (((np.abs(centres - above[:, None]) + widths) / above[:, None]) ** 2).mean(axis=1)
    bounded = share < 1
    return np.where(bounded, np.sqrt(n / (n - 1) * share / np.where(bounded, 1 - share, 1.0)), np.inf)
