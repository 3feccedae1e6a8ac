"""How far can rounding have moved a coefficient of variation?

    envelope     the smallest and the largest s/mean of one sample before its values were rounded
    envelopes    the same for many samples of one size, as rows

Values are on a scale that starts at 0.  Each may have been anywhere within its half-width of what was written, but not
below 0 and not above the end of the scale: these ranges make a box.  s/mean is quasiconvex where the mean is above 0,
so the largest is at a corner of the box.  Among ranges of equal width, those that start above some threshold are at
their upper end and the others at their lower one: exchanging the two keeps the mean and adds to s.  So the corners to
look at are few.  The smallest is where all values come as near to one T as they can, T being the sum of their squares
over their sum.

No s/mean of values from 0 on is above the root of their number, so nothing here is infinite.  Where a sample mixes so
many widths that more than 16,384 corners were left, an upper bound stands in for the largest value: for any T, s/mean
follows from the sum of squared distances to T, and each distance has its own largest value.
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

MOST_CORNERS = 1 << 14
# Sums of what is larger could leave the numbers that a float can hold.
_LARGEST = 1e300
# Halving an interval oftener than this cannot move its ends.
_LOST = 1e-12
_HALVINGS = 60
# Rows times corners that are looked at in one go.
_AT_ONCE = 1 << 20


def envelope(values: ArrayLike, halves: ArrayLike, highest: float = math.inf) -> tuple[float, float]:
    """Return the smallest and the largest s/mean with each of VALUES moved by its half-width or less.

    No value goes below 0 or above HIGHEST, where the scale ends.

    >>> low, high = envelope([4.64, 5.30], [0.005, 0.005])
    >>> print(f"{low:.5f} {high:.5f}")
    0.09248 0.09532
    """
    low, high = envelopes(np.atleast_2d(np.asarray(values, dtype=float)), halves, highest)
    return float(low[0]), float(high[0])


def envelopes(values: ArrayLike, halves: ArrayLike, highest: ArrayLike = math.inf) -> tuple[Array, Array]:
    """Return the smallest and the largest s/mean for each row of VALUES; HIGHEST may have an end for each row."""
    centres = np.asarray(values, dtype=float)
    halves = np.broadcast_to(np.asarray(halves, dtype=float), centres.shape)
    ends = np.broadcast_to(np.asarray(highest, dtype=float).reshape(-1, 1), (len(centres), 1))
    _refuse_what_has_none(centres, halves, ends)
    down, up = np.minimum(halves, centres), np.minimum(halves, ends - centres)
    lows, highs = centres - down, centres + up
    # Ranges of equal width must have equal widths to the last bit, which highs - lows would not give.
    return _smallest(lows, highs), _largest(lows, down + up)


def _refuse_what_has_none(centres: Array, halves: Array, ends: Array) -> None:
    """Refuse values that do not lie on a scale from 0 on, or have nothing above 0."""
    if centres.shape[1] <= 1 or not np.all(centres.max(axis=1, initial=0.0) > 0):
        raise DataError("a rounding envelope needs at least 2 values with a mean above 0")
    if not np.all((centres >= 0) & (centres <= np.minimum(ends, _LARGEST))):
        raise DataError(f"a rounding envelope needs values from 0 to the end of their scale, at most {_LARGEST:g}")
    if not np.all((halves >= 0) & (halves <= _LARGEST)):
        raise DataError(f"a rounding envelope needs half-widths from 0 to {_LARGEST:g}")


def _exponent(sizes: Array) -> NDArray[np.intc]:
    """Return the power of 2 that each row is divided by, so that squares neither overflow nor vanish."""
    return np.asarray(np.frexp(sizes)[1])[:, None]


def _smallest(lows: Array, highs: Array) -> Array:
    """Return the smallest s/mean, by halving the interval that holds T."""
    highs = np.minimum(highs, lows.max(axis=1, keepdims=True))  # nothing needs to be above all the others
    exponent = _exponent(lows.max(axis=1))
    lows, highs = np.ldexp(lows, -exponent), np.ldexp(highs, -exponent)
    below, above = highs.min(axis=1), lows.max(axis=1)
    # Ranges that only touch meet, whatever was lost when their ends were computed.
    apart = above > below * (1 + _LOST)
    for _ in range(_HALVINGS):
        middle = (below + above) / 2
        nearest = np.clip(middle[:, None], lows, highs)
        too_low = (nearest * (nearest - middle[:, None])).sum(axis=1) > 0
        below, above = np.where(too_low, middle, below), np.where(too_low, above, middle)
    nearest = np.clip(((below + above) / 2)[:, None], lows, highs)
    smallest = np.zeros(len(lows))
    np.divide(nearest.std(axis=1, ddof=1), nearest.mean(axis=1), out=smallest, where=apart)
    return smallest


def _largest(lows: Array, widths: Array) -> Array:
    """Return the largest s/mean, the rows being taken together by how many ranges share a width."""
    exponent = _exponent((lows + widths).max(axis=1))
    lows, widths = np.ldexp(lows, -exponent), np.ldexp(widths, -exponent)
    order = np.lexsort((lows, widths))
    lows, widths = (np.take_along_axis(one, order, axis=1) for one in (lows, widths))
    largest = np.empty(len(lows))
    for ends, rows in _by_ends(widths).items():
        corners = math.prod(end - start + 1 for start, end in itertools.pairwise(ends))
        if corners > MOST_CORNERS and len(ends) > 2:  # noqa: PLR2004  # one width alone has one corner per value
            largest[rows] = _bound(lows[rows], lows[rows] + widths[rows])
            continue
        at_once = max(1, _AT_ONCE // corners)
        for some in (rows[start : start + at_once] for start in range(0, len(rows), at_once)):
            largest[some] = _largest_of_corners(lows[some], widths[some], ends)
    return largest


def _by_ends(widths: Array) -> dict[tuple[int, ...], list[int]]:
    """Return the rows by where their sorted WIDTHS change, with the first and the last place."""
    rows: dict[tuple[int, ...], list[int]] = defaultdict(list)
    n = widths.shape[1]
    changes = widths[:, 1:] != widths[:, :-1]
    mixed = changes.any(axis=1)
    rows[0, n] = np.flatnonzero(~mixed).tolist()
    for row in np.flatnonzero(mixed).tolist():
        rows[0, *(np.flatnonzero(changes[row]) + 1).tolist(), n].append(row)
    return rows


def _largest_of_corners(lows: Array, widths: Array, ends: tuple[int, ...]) -> Array:
    """Return the largest s/mean at corners where the ranges of each width, between ENDS, have a threshold of their own.

    Counting from the lower ends, all that is added to the sum is above 0: no mean is lost between large terms.
    """
    n = lows.shape[1]
    apart = lows - lows.mean(axis=1, keepdims=True)
    moved = _at_corners(widths, ends)
    squares = (apart**2).sum(axis=1, keepdims=True) + _at_corners((2 * apart + widths) * widths, ends) - moved**2 / n
    mean = (lows.sum(axis=1, keepdims=True) + moved) / n
    ratios = np.zeros_like(mean)  # a corner with mean 0 has no ratio, and others come near to whatever is near it
    np.divide(np.sqrt(np.maximum(squares, 0.0) / (n - 1)), mean, out=ratios, where=mean > 0)
    return np.asarray(np.minimum(ratios.max(axis=1), math.sqrt(n)))


def _at_corners(amounts: Array, ends: tuple[int, ...]) -> Array:
    """Return the sum of AMOUNTS at each corner: of each part between ENDS the last 0, 1, 2, … count."""
    total = np.zeros((len(amounts), 1))
    for start, end in itertools.pairwise(ends):
        up = np.cumsum(np.pad(amounts[:, start:end][:, ::-1], ((0, 0), (1, 0))), axis=1)
        total = (total[:, :, None] + up[:, None, :]).reshape(len(amounts), -1)
    return total


def _bound(lows: Array, highs: Array) -> Array:
    """Return an upper bound of s/mean, with the T that gives the least."""
    n = lows.shape[1]
    centres = (lows + highs) / 2
    below, above = np.zeros(len(lows)), 2 * highs.max(axis=1)
    for _ in range(_HALVINGS):
        middle = (below + above) / 2
        farthest = np.where(centres > middle[:, None], highs, lows)
        too_low = (farthest * (farthest - middle[:, None])).sum(axis=1) > 0
        below, above = np.where(too_low, middle, below), np.where(too_low, above, middle)
    distances = np.maximum(above[:, None] - lows, highs - above[:, None])
    share = ((distances / above[:, None]) ** 2).mean(axis=1)
    # From this share on, no mean follows from T; the ratio below is the root of n there.
    share = np.minimum(share, (n - 1) / n)
    return np.asarray(np.sqrt(n / (n - 1) * share / (1 - share)))
