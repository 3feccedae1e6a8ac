"""Between which values may a measure lie?  Confidence intervals over topics.

    intervals_of       the intervals of a measure, by the method that covers best for it
    intervals_of_mean  the same for plain means of topic values: effectiveness, document order
    bca                bias-corrected and accelerated bootstrap, for any formula of the registry
    jackknife_t        value plus and minus a multiple of its standard error, which leaving topics out gives
    studentised        bootstrap in units of the standard error of each resample, on the scale of a gamma distribution,
                       for RMSE, nRMSE and the agreement of rankings
    few_differ         a caution where few topics make a distance
    fieller            the interval of a ratio of means, for ER; it may be unbounded, or no interval at all
    Interval           bounds, None for no bound, with method and confidence

Why BCa: a percentile bootstrap takes its bounds as if the value were unbiased and its spread the same everywhere.
Means near a bound and roots of squares are neither, so it misses more often, and on one side.  BCa corrects both, never
leaves the range of the measure, and needs no formula of its own for each measure.  Where another method was measured to
cover clearly better, it is used (see ``coverage``): studentised for RMSE, nRMSE and how far rankings are from perfect
agreement (squares and other distances are too skewed for BCa, and often few topics make most of them), the jackknife
for DRI (relations of means are close to linear, and t allows for few topics).  With fewer than ten topics, no bootstrap
covers what it says: then it is Student's t for whatever BCa is used for else.

Functions that take many effectiveness measures at once, a row each, return an interval for each.  It is None where
there are fewer than two topics, or scores too large or small to compute with: then nothing is known, which is not the
same as an interval without bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from primad.errors import DataError
from primad.reproducibility.registry import Effect, IntervalMethod, Mean, Measure, mean_of_topics
from primad.reproducibility.resampling import RESAMPLES, PositiveMean, Statistic, bca_shares, shares
from primad.reproducibility.score_error import squared_errors, squared_room
from primad.reproducibility.significance import is_constant, out_of_range, rounding, t_quantile

if TYPE_CHECKING:
    from primad.reproducibility.registry import Array

# How a caution about few topics ends, by which it is known again.
FEW_DIFFER = "topics differ"
CONFIDENCE = 0.95

Limits = tuple["float | Array | None", "float | Array | None"]  # of what there is, for each row its own if need be

_LEAST_TOPICS = 2
# Of fewer topics too few resamples differ: BCa of a mean was seen to cover 51 % with 2 topics, 71 with 3,
# 84 to 86 with 5 and 89 with 8, where Student's t covered 95 to 96 % of normal scores and 88 to 91 % of skewed ones.
_LEAST_FOR_BCA = 10
_LEAST_FOR_STUDENTISED = 3
_FEW_DIFFER = 10
_STUDENTISED = "studentised bootstrap"
_NO_SPREAD = "no topic differs from the others in this, so the interval has no width"
_UNDEFINED = "the value itself is undefined"


@dataclass(frozen=True, kw_only=True)
class Interval:
    """The values that are compatible with the topics at hand.

    low, high   the bounds, None for no bound
    method      how they were found
    confidence  how often such intervals are meant to hold the true value
    note        what a reader must know
    excluded    where the set is all values but those in between, which is no interval: these two
    """

    low: float | None
    high: float | None
    method: str
    confidence: float = CONFIDENCE
    note: str = ""
    excluded: tuple[float, float] | None = None

    def __contains__(self, value: float) -> bool:
        if self.excluded:
            return not self.excluded[0] < value < self.excluded[1]
        return (self.low is None or self.low <= value) and (self.high is None or value <= self.high)


def intervals_of(
    measure: Measure, original: Any, reproduced: Any, *, same_topics: bool = True, confidence: float = CONFIDENCE
) -> list[Interval | None]:
    """Return the interval of MEASURE for each row of scores, by the method that covers best for it.

    ORIGINAL and REPRODUCED are what the formula takes: scores of the same topics, or an Effect each.  SAME_TOPICS says
    whether the topics of two effects are the same and stand in the same order; otherwise they are drawn independently.
    """
    method = _METHODS[measure.interval]
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        found = method(measure, original, reproduced, same_topics=same_topics, confidence=confidence)
    given = [_rows(column) for one in (original, reproduced) for column in _columns(one)]
    return [
        None if out_of_range(*(column[row] for column in given)) else interval for row, interval in enumerate(found)
    ]


def intervals_of_mean(
    values: Array, *, measure: Measure | None = None, confidence: float = CONFIDENCE
) -> list[Interval | None]:
    """Return the interval of the mean of each row of VALUES; topics that are nan are left out of their row.

    It is BCa, or, if the values are those of a MEASURE that ends at its ideal, studentised: that of the mean distance
    from there.  Of few topics it is Student's.
    """
    rows = _rows(values)
    there = ~np.isnan(rows)
    whole = there.all(axis=-1)
    method: Callable[[Array, float], Sequence[Interval | None]] = partial(_means, measure)
    if measure is not None and measure.ends_at_ideal:
        method = partial(_distances, measure)
    found = iter(method(rows[whole], confidence))
    return [
        next(found) if part.all() else method(row[None, part], confidence)[0]
        for part, row in zip(there, rows, strict=True)
    ]


def _means(measure: Measure | None, rows: Array, confidence: float) -> Sequence[Interval | None]:
    """Return the interval of the mean of each of the ROWS: BCa, or Student's t where topics are few."""
    statistic = Statistic(lambda means: means[0](rows), (rows.shape[-1],), len(rows))
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        if rows.shape[-1] >= _LEAST_FOR_BCA:
            found = _bca(statistic, confidence)
        else:
            found = _jackknife(statistic, confidence, measure.bounds if measure else _limits_of_scores(rows))
    return [None if out_of_range(row) else interval for row, interval in zip(rows, found, strict=True)]


def _limits_of_scores(rows: Array) -> Limits:
    """Return 0 and 1 for each of the ROWS whose scores all lie there, as those of most measures do."""
    lie_there = ((rows >= 0) & (rows <= 1)).all(axis=-1)
    return np.where(lie_there, 0.0, -np.inf), np.where(lie_there, 1.0, np.inf)


def _distances(measure: Measure, rows: Array, confidence: float) -> list[Interval | None]:
    """Return the interval of the mean of each row by its distance from the ideal of MEASURE, one of its bounds."""
    ideal = float(measure.ideal or 0)
    at_top = ideal == measure.bounds[1]
    # What lies beyond the ideal does so by rounding.
    distances = np.maximum(ideal - rows if at_top else rows - ideal, 0)
    if distances.shape[-1] < _LEAST_FOR_STUDENTISED:
        statistic = Statistic(lambda means: means[0](rows), (rows.shape[-1],), len(rows))
        return [*_jackknife(statistic, confidence, measure.bounds)]
    near, far = _positive_bounds(distances, None, confidence)
    low, high = (ideal - far, ideal - near) if at_top else (ideal + near, ideal + far)
    notes = [_wide(row) for row in distances]
    return [*_made(low, high, _STUDENTISED, confidence, measure.bounds, notes)]


def bca(
    measure: Measure, original: Any, reproduced: Any, *, same_topics: bool = True, confidence: float = CONFIDENCE
) -> Sequence[Interval | None]:
    """Return the bias-corrected and accelerated bootstrap intervals of MEASURE (Efron 1987)."""
    return _bca(_statistic(measure, original, reproduced, same_topics=same_topics), confidence)


def _bca_or_t(
    measure: Measure, original: Any, reproduced: Any, *, same_topics: bool, confidence: float
) -> Sequence[Interval | None]:
    """Return the BCa intervals of MEASURE, or those by Student's t where topics are few."""
    statistic = _statistic(measure, original, reproduced, same_topics=same_topics)
    is_few = min(statistic.sizes) < _LEAST_FOR_BCA
    return _jackknife(statistic, confidence, measure.bounds) if is_few else _bca(statistic, confidence)


def jackknife_t(
    measure: Measure, original: Any, reproduced: Any, *, same_topics: bool = True, confidence: float = CONFIDENCE
) -> Sequence[Interval | None]:
    """Return intervals of MEASURE by Student's t, with the standard error that leaving topics out gives.

    On two collections the degrees of freedom are Welch's.
    """
    statistic = _statistic(measure, original, reproduced, same_topics=same_topics)
    return _jackknife(statistic, confidence, measure.bounds)


def _jackknife(statistic: Statistic, confidence: float, limits: Limits = (None, None)) -> Sequence[Interval | None]:
    """Return the intervals of STATISTIC by Student's t, inside the LIMITS of a measure."""
    if min(statistic.sizes) < _LEAST_TOPICS:
        return [None] * statistic.rows
    with np.errstate(all="ignore"):
        value = statistic.value()
        parts = np.stack([_jackknife_variance(values) for values in statistic.left_out()])
        freedom = np.array(statistic.sizes)[:, None] - 1
        total = parts.sum(axis=0)
        degrees = np.where(total == 0, 1, total**2 / (parts**2 / freedom).sum(axis=0))
        reach = _t_quantiles((1 + confidence) / 2, degrees) * np.sqrt(total)
    undefined = np.isfinite(value) & ~np.isfinite(reach)
    notes = ["undefined where some topic is left out" * bool(each) for each in undefined]
    return _made(value - reach, value + reach, "jackknife t", confidence, limits, notes)


def studentised(
    squares: Array, room: Array | None = None, *, confidence: float = CONFIDENCE
) -> Sequence[Interval | None]:
    """Return intervals of the root of the mean of SQUARES, or of its relation to the mean of ROOM."""
    squares, room = _rows(squares), None if room is None else _rows(room)
    if squares.shape[-1] < _LEAST_TOPICS:
        return [None] * len(squares)
    low, high = (np.sqrt(bound) for bound in _positive_bounds(squares, room, confidence))
    notes = [_wide(row) for row in squares]
    return _made(low, high, _STUDENTISED, confidence, (0.0, None if room is None else 1.0), notes)


def _positive_bounds(values: Array, room: Array | None, confidence: float) -> tuple[Array, Array]:
    """Return the bounds of the mean of VALUES, in relation to that of ROOM; without any spread it is its own bound."""
    share = (1 - confidence) / 2
    with np.errstate(all="ignore"):
        found = PositiveMean.of(values, room)
        rest = values if room is None else values - found.value[:, None] * room
        same = [is_constant(row, scores) for row, scores in zip(rest, values, strict=True)]
        low, high = (np.where(same, found.value, bound) for bound in (found.lower(share), found.upper(share)))
    return low, high


def fieller(original: Array, reproduced: Array, *, paired: bool, confidence: float = CONFIDENCE) -> Interval:
    """Return Fieller's interval of the mean of REPRODUCED over the mean of ORIGINAL, both gains by topic.

    It holds the ratios r for which a t-test does not tell the mean of reproduced - r original from 0.  If the original
    mean can itself not be told from 0, no ratio can be ruled out that is large enough: the set is then unbounded.
    """
    name = "Fieller"
    if (fewest := min(len(original), len(reproduced))) < _LEAST_TOPICS:
        raise DataError(f"expected improvements of at least {_LEAST_TOPICS} topics, found {fewest}")
    x, y = float(original.mean()), float(reproduced.mean())
    if abs(x) <= rounding(original):
        return Interval(low=None, high=None, method=name, confidence=confidence, note=_NO_EFFECT)
    (var_x, cov), (_, var_y) = _covariances(original, reproduced, paired=paired).tolist()
    degrees = len(original) - 1 if paired else _welch_degrees(x, y, var_x, var_y, len(original), len(reproduced))
    t2 = t_quantile((1 + confidence) / 2, degrees) ** 2
    # The set is where a r² - 2 b r + c <= 0.
    a, b, c = x * x - t2 * var_x, x * y - t2 * cov, y * y - t2 * var_y
    return _solved(a, b, c, Interval(low=None, high=None, method=name, confidence=confidence), y / x)


_NO_EFFECT = "the original improvement is 0, so every ratio is possible"


def _fieller_of_effects(
    _measure: Measure, original: Effect, reproduced: Effect, *, same_topics: bool, confidence: float
) -> list[Interval | None]:
    """Return the interval of the ratio of the improvements, for each row of scores."""
    gains = [np.atleast_2d(effect.advanced - effect.baseline) for effect in (original, reproduced)]
    if min(gain.shape[-1] for gain in gains) < _LEAST_TOPICS:
        return [None] * len(gains[0])
    return [fieller(x, y, paired=same_topics, confidence=confidence) for x, y in zip(*gains, strict=True)]


def _studentised_errors(
    measure: Measure,
    original: Array,
    reproduced: Array,
    *,
    same_topics: bool,  # noqa: ARG001 - errors are of the same topics always
    confidence: float,
) -> Sequence[Interval | None]:
    """Return the interval of the root mean square error, or of its relation to the room there is for errors."""
    if np.shape(original)[-1] < _LEAST_FOR_STUDENTISED:
        return jackknife_t(measure, original, reproduced, confidence=confidence)
    room = squared_room(original, reproduced) if measure.unit_scores else None
    return studentised(squared_errors(original, reproduced), room, confidence=confidence)


def _solved(a: float, b: float, c: float, whole: Interval, ratio: float) -> Interval:
    """Return where a r² - 2 b r + c is at most 0, which holds for RATIO; WHOLE is the whole line."""
    unclear = "the original improvement cannot be told from 0"
    root = b * b - a * c
    if a > 0:
        reach = max(root, 0.0) ** 0.5
        # Rounding must not shut the ratio itself out.
        low, high = min((b - reach) / a, ratio), max((b + reach) / a, ratio)
        return replace(whole, low=low, high=high, note="" if reach else _NO_SPREAD)
    if a == 0 and b != 0:
        limit = c / (2 * b)
        note = f"{unclear}, so one side has no bound"
        return replace(whole, low=limit, note=note) if b > 0 else replace(whole, high=limit, note=note)
    if a == 0 or root <= 0:
        return replace(whole, note=f"{unclear}, so every ratio is possible")
    out = (b + root**0.5) / a, (b - root**0.5) / a
    note = f"{unclear}: every ratio is possible but those between {out[0]:.4g} and {out[1]:.4g}"
    return replace(whole, note=note, excluded=out)


def _covariances(original: Array, reproduced: Array, *, paired: bool) -> Array:
    """Return the covariances of both means; those of topics of their own have none."""
    if paired:
        first, second = (np.zeros_like(c) if is_constant(c) else c for c in (original, reproduced))
        return np.asarray(np.cov(first, second) / len(original))
    return np.diag([0.0 if is_constant(c) else float(c.var(ddof=1)) / len(c) for c in (original, reproduced)])


def _welch_degrees(x: float, y: float, var_x: float, var_y: float, first: int, second: int) -> float:
    """Return the degrees of freedom of the mean of reproduced - r original at the ratio r that was found."""
    parts = (y / x) ** 2 * var_x, var_y
    below = parts[0] ** 2 / (first - 1) + parts[1] ** 2 / (second - 1)
    return (parts[0] + parts[1]) ** 2 / below if below else first + second - 2


def _rows(values: Array) -> Array:
    """Return VALUES as rows of memory, so that sums along them do not depend on how many rows there are."""
    return np.ascontiguousarray(np.atleast_2d(values), dtype=np.float64)


def _columns(given: Array | Effect) -> tuple[Array, ...]:
    """Return the scores that a formula is GIVEN."""
    return (given.baseline, given.advanced) if isinstance(given, Effect) else (given,)


def _statistic(measure: Measure, original: Any, reproduced: Any, *, same_topics: bool) -> Statistic:
    """Return MEASURE as a statistic, with a row for each effectiveness measure."""
    if measure.takes == "rankings":
        raise DataError(f"{measure.name} has a value for each topic; take the interval of their mean")
    if measure.takes == "paired":
        scores = _rows(original), _rows(reproduced)
        rows, topics = scores[0].shape
        return Statistic(lambda means: np.asarray(measure.formula(*scores, means[0])), (topics,), rows)
    effects = [(_rows(effect.baseline), _rows(effect.advanced)) for effect in (original, reproduced)]
    sizes = tuple(effect[0].shape[-1] for effect in effects)
    if same_topics and sizes[0] != sizes[1]:
        raise DataError(f"expected effects on the same topics, found {sizes[0]} and {sizes[1]} of them")

    def at(means: Sequence[Mean]) -> Array:
        first, second = (Effect(*effect, mean) for effect, mean in zip(effects, (means[0], means[-1]), strict=True))
        return np.asarray(measure.formula(first, second))

    return Statistic(at, sizes[:1] if same_topics else sizes, len(effects[0][0]))


def _bca(statistic: Statistic, confidence: float) -> Sequence[Interval | None]:
    """Return the bias-corrected and accelerated intervals of STATISTIC, which has a row for each measure."""
    if min(statistic.sizes) < _LEAST_TOPICS:
        return [None] * statistic.rows
    with np.errstate(all="ignore"):
        resampled = statistic.resampled()
        same = np.ptp(resampled, axis=-1) == 0
        undefined = (~np.isfinite(resampled)).sum(axis=-1)
        plain = statistic.at([mean_of_topics] * len(statistic.sizes))
        low, high = (
            np.where(undefined > 0, np.nan, np.where(same, plain, shares(resampled, share)))
            for share in bca_shares(statistic, resampled, confidence)
        )
    notes = [f"undefined in {number:,} of {RESAMPLES:,} resamples of topics" * bool(number) for number in undefined]
    return _made(low, high, "BCa bootstrap", confidence, notes=notes)


def _jackknife_variance(left_out: Array) -> Array:
    """Return the variance of a value by the values that leave a topic out, 0 where only rounding tells these apart."""
    same = [is_constant(values) for values in left_out]
    return np.where(same, 0, left_out.var(axis=-1) * (left_out.shape[-1] - 1))


def _t_quantiles(probability: float, degrees: Array) -> Array:
    """Return the quantile for each number of DEGREES of freedom."""
    from scipy.special import stdtrit

    return np.asarray(stdtrit(degrees, probability))


def _made(
    low: Array,
    high: Array,
    method: str,
    confidence: float,
    limits: Limits = (None, None),
    notes: Sequence[str] | None = None,
) -> list[Interval]:
    """Return the intervals from LOW to HIGH, inside the LIMITS of the measure; nan is no bound."""
    is_limited = any(limit is not None for limit in limits)
    clipped = [np.clip(bound, *limits) if is_limited else bound for bound in (low, high)]
    bounds = [[float(end) if np.isfinite(end) else None for end in bound] for bound in clipped]
    return [
        Interval(low=a, high=b, method=method, confidence=confidence, note=note or _note(a, b))
        for a, b, note in zip(*bounds, notes or [""] * len(low), strict=True)
    ]


def _note(low: float | None, high: float | None) -> str:
    """Return what must be said of such bounds."""
    if low is None and high is None:
        return _UNDEFINED
    return _NO_SPREAD if low == high else ""


def few_differ(distances: Array) -> str:
    """Return a caution if so few topics differ that they tell little of how much others would."""
    number = int((distances > 0).sum())
    few = 0 < number < min(_FEW_DIFFER, len(distances))
    return f"only {number} of {len(distances)} {FEW_DIFFER}" if few else ""


def _wide(distances: Array) -> str:
    """Return why the interval of the mean of DISTANCES is wide, if few topics differ."""
    few = few_differ(distances)
    return f"{few}, so it is wide" if few else ""


_METHODS: dict[IntervalMethod, Callable[..., Sequence[Interval | None]]] = {
    "bca": _bca_or_t,
    "jackknife": jackknife_t,
    "studentised": _studentised_errors,
    "fieller": _fieller_of_effects,
}
