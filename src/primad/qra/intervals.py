"""Between which limits is the true spread of repeated measurements, if these are normal?

    c4                        the bias of the standard deviation of a small sample
    stdev_interval            of the standard deviation, by the chi-square distribution
    stdev_interval_acl2022    of the standard deviation, as Belz, Popović and Mille (2022) print it
    cv_interval_noncentral_t  of the coefficient of variation, exact for normal values with a mean above 0
    cv_interval_vangel        of the coefficient of variation, the approximation of Vangel (1996)

Arrays or numbers in, arrays out: for each sample its standard deviation s (or s/mean), its size n, and the confidence
wanted.  Infinity means that nothing bounds the interval above.  With n = 2 all of them are so wide that they are nearly
useless, and the one of 2022 covers less often than it says and reaches below 0.

Vangel, M. G. (1996). Confidence intervals for a normal coefficient of variation. The American Statistician 50(1).
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from primad.errors import DataError, UsageError

Array: TypeAlias = NDArray[np.float64]
Limits: TypeAlias = tuple[Array, Array]

# A normal or a chi variable is beyond these only with a chance below the precision of a float.
_FARTHEST = 9.0
_NEVER = 1e-18
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(32)
_MOST_STEPS = 100


def c4(n: ArrayLike) -> Array:
    """Return the mean of the standard deviation of N normal values, the true one being 1.

    >>> print(c4(2).round(6), c4([3, 10]).round(6))
    0.797885 [0.886227 0.972659]
    """
    size = np.asarray(n, dtype=float)
    if not np.all(size > 1):
        raise DataError(f"c4: expected sample sizes of at least 2, found {np.min(size):g}")
    log_ratio = special.gammaln(size / 2) - special.gammaln((size - 1) / 2)
    return np.asarray(np.sqrt(2 / (size - 1)) * np.exp(log_ratio))


def stdev_interval(s: ArrayLike, n: ArrayLike, confidence: float = 0.95) -> Limits:
    """Return the chi-square interval of the true standard deviation, S being that of a sample of N values."""
    tail = _tail(confidence)
    spread, df = _broadcast(s, n)
    return spread * np.sqrt(df / special.chdtri(df, tail)), spread * np.sqrt(df / special.chdtri(df, 1 - tail))


def stdev_interval_acl2022(s: ArrayLike, n: ArrayLike, confidence: float = 0.95) -> Limits:
    """Return the interval that the paper prints, S being the standard deviation of a sample of N values.

    It lies around s* = s/c4 and takes the standard error from that of the variance, by the delta method.
    """
    tail = _tail(confidence)
    spread, df = _broadcast(s, n)
    bias = c4(df + 1)
    reach = special.stdtrit(df, 1 - tail) * spread * np.sqrt(2 / df) * bias / 2
    return spread / bias - reach, spread / bias + reach


def cv_interval_vangel(cv: ArrayLike, n: ArrayLike, confidence: float = 0.95) -> Limits:
    """Return Vangel's interval of the true coefficient of variation, CV being s/mean of N values."""
    tail = _tail(confidence)
    ratio, df = _broadcast(cv, n)

    def limit(quantile: Array) -> Array:
        """Return the limit that belongs to a quantile of the chi-square distribution."""
        radicand = ((quantile + 2) / (df + 1) - 1) * ratio**2 + quantile / df
        bounded = radicand > 0
        return np.where(bounded, ratio / np.sqrt(np.where(bounded, radicand, 1.0)), np.inf)

    return limit(special.chdtri(df, tail)), limit(special.chdtri(df, 1 - tail))


def cv_interval_noncentral_t(cv: ArrayLike, n: ArrayLike, confidence: float = 0.95) -> Limits:
    """Return the exact interval of the true coefficient of variation, CV being s/mean of N values.

    sqrt(n)/cv has a noncentral t distribution whose noncentrality is sqrt(n) over the true coefficient.
    """
    tail = _tail(confidence)
    ratio, df = _broadcast(cv, n)
    low, high = np.zeros(ratio.shape), np.zeros(ratio.shape)
    spread = ratio > 0
    root = np.sqrt(df[spread] + 1)
    t, df = root / ratio[spread], df[spread]
    low[spread] = root / _noncentrality(t, df, tail)
    bounded = special.stdtr(df, t) > 1 - tail
    high[spread] = np.where(bounded, root / _noncentrality(t, df, np.where(bounded, 1 - tail, 0.5)), np.inf)
    return low, high


def _tail(confidence: float) -> float:
    """Return the chance on either side of an interval."""
    if not 0 < confidence < 1:
        raise UsageError(f"the confidence must be between 0 and 1, as 0.95 is; found {confidence:g}")
    return (1 - confidence) / 2


def _broadcast(spread: ArrayLike, n: ArrayLike) -> tuple[Array, Array]:
    """Return SPREAD and the degrees of freedom of N values as arrays of one shape."""
    values, sizes = np.broadcast_arrays(np.asarray(spread, dtype=float), np.asarray(n, dtype=float))
    if not (np.all(values >= 0) and np.all(np.isfinite(values))):
        raise DataError("an interval needs a spread that is finite and not negative")
    if not np.all(sizes > 1):
        raise DataError(f"an interval needs samples of at least 2 values, found {np.min(sizes):g}")
    return values, sizes - 1


class _Chi(NamedTuple):
    """The distribution of s over the true standard deviation: its degrees of freedom, and where nearly all of it is."""

    df: Array
    constant: Array
    low: Array
    high: Array

    def density(self, at: Array) -> Array:
        """Return the density AT some points above 0; a row for each distribution."""
        df = self.df[:, None]
        return np.asarray(np.exp(self.constant[:, None] + (df - 1) * np.log(at) - df / 2 * at**2))

    def of(self, rows: NDArray[np.intp]) -> _Chi:
        """Return some of the distributions."""
        return _Chi(*(column[rows] for column in self))


def _chi(df: Array) -> _Chi:
    """Return the distribution of s over the true standard deviation for each DF."""
    half = df / 2
    return _Chi(
        df,
        np.log(2) + special.xlogy(half, half) - special.gammaln(half),
        np.sqrt(special.gammaincinv(half, _NEVER) / half),
        np.sqrt(special.gammainccinv(half, _NEVER) / half),
    )


def _noncentrality(t: Array, df: Array, chance: ArrayLike) -> Array:
    """Return the noncentrality with which a noncentral t variable is at most T by this CHANCE; it must be above 0.

    Newton's method, halving where it would leave the bracket.
    """
    chance = np.broadcast_to(np.asarray(chance, dtype=float), t.shape)
    chi = _chi(df)
    below, above = np.zeros(t.shape), t * chi.high + _FARTHEST
    # Where t is large, the chi variable alone decides.
    guess = np.clip(t * np.sqrt(2 * special.gammainccinv(df / 2, chance) / df), below, above)
    rows = np.arange(t.size)
    for _ in range(_MOST_STEPS):
        if not rows.size:
            break
        now = guess[rows]
        found, slope = _nct_cdf(t[rows], chi.of(rows), now)
        too_small = found > chance[rows]
        below[rows] = np.where(too_small, now, below[rows])
        above[rows] = np.where(too_small, above[rows], now)
        step = now + (found - chance[rows]) / np.maximum(slope, np.finfo(float).tiny)
        inside = (step >= below[rows]) & (step <= above[rows])
        guess[rows] = np.where(inside, step, (below[rows] + above[rows]) / 2)
        rows = rows[np.abs(guess[rows] - now) > 1e-11 * now]
    return np.asarray(guess)


def _nct_cdf(t: Array, chi: _Chi, noncentrality: Array) -> Limits:
    """Return the chance that a noncentral t variable is at most T, and how fast it falls with the NONCENTRALITY.

    The variable is (Z + noncentrality) / R with Z normal and R a chi variable over the root of its degrees of freedom.
    The chance is that R exceeds noncentrality/t, which is all of it where Z is small beside t, and a correction for Z,
    integrated over u = |Z|.  Both parts are smooth for any t, which sums in use for this distribution are not.
    """
    centre = noncentrality / t
    reach = np.minimum(noncentrality, _FARTHEST)
    chance = special.gammaincc(chi.df / 2, chi.df * centre**2 / 2)
    slope = np.zeros(t.shape)
    for sign, farthest in ((-1.0, reach), (1.0, np.full(t.shape, _FARTHEST))):
        ends = np.sort(np.stack([sign * t * (chi.low - centre), sign * t * (chi.high - centre)]), axis=0)
        first, last = np.clip(ends, 0, farthest)
        half = (last - first)[:, None] / 2
        u = first[:, None] + half * (1 + _NODES)
        mass = chi.density(np.maximum(centre[:, None] + sign * u / t[:, None], _NEVER)) * (half / t[:, None])
        chance = chance - sign * (mass * special.ndtr(-u)) @ _WEIGHTS
        slope = slope + (mass * np.exp(u**2 / -2)) @ _WEIGHTS / np.sqrt(2 * np.pi)
    return chance, slope
