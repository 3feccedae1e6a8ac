"""Was it reproduced?  Equivalent, different or inconclusive, at each level.

    same_means      effectiveness: is the mean score the same, up to a margin?
    same_order      document order: is the mean agreement of rankings close enough to 1?
    same_scores     scores: is the root mean square error small enough?
    same_effect     overall effect: is the ratio of mean improvements close enough to 1?
    DEFAULT_MARGINS which values count as the same where nobody has stated it

"Not significant" is never taken for "the same": with few topics nothing is significant.  An answer takes two claims,
each with a p-value of its own.  Equivalent: the value lies inside the margin; a difference that is detected but lies
inside is irrelevant.  Different: for means and ratios, that there is a difference at all; for agreement and error,
which have no sign and are perfect only if nothing differs, that the value lies outside.  Neither: inconclusive.

Mean differences and ratios (Fieller's, of reproduced - r original) are held against Student's t: two one-sided tests
(Schuirmann 1987).  Agreements and squared errors are too skewed for it: it would call errors that lie at the margin
equivalent much too often.  They are held against the margin as their intervals are made (``PositiveMean``): what is
called equivalent at a level of alpha has an interval, at a confidence of 1 - 2 alpha, that ends inside the margin.
That errs less, though still too often where a few topics make most of the error; ``coverage`` has both rates.  No claim
about them is surer than the sign test would be if all topics said the same: fewer than five topics are never enough at
5 %.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from primad.reproducibility.answers import ALPHA, Answer, Margin, p_in_words
from primad.reproducibility.intervals import few_differ
from primad.reproducibility.resampling import PositiveMean
from primad.reproducibility.score_error import squared_errors
from primad.reproducibility.significance import (
    Contrast,
    are_identical,
    is_constant,
    out_of_range,
    paired_contrast,
    rounding,
    unpaired_contrast,
)

if TYPE_CHECKING:
    from primad.reproducibility.registry import Array, Level


@dataclass(frozen=True)
class DefaultMargin:
    """A margin that nobody stated: SIZE, perhaps as a share of the original mean, and the REASON for it."""

    size: float
    reason: str
    of_original_mean: bool = False


DEFAULT_MARGINS: dict[str, DefaultMargin] = {
    "mean": DefaultMargin(
        0.05,
        "5 % of the original mean; Spärck Jones (1974) calls a difference of 5 % noticeable, one of 10 % material",
        of_original_mean=True,
    ),
    "rmse": DefaultMargin(
        0.1,
        "10 % of the original mean; Spärck Jones (1974) calls a difference of 10 % material",
        of_original_mean=True,
    ),
    "rbo_ext": DefaultMargin(0.1, "at most 0.1 below perfect agreement"),
    "er": DefaultMargin(0.25, "0.8 to 1.25, the limits that are usual for bioequivalence"),
}
_STATED = "stated by the user"
_SIGN_TEST = "all topics say the same, so the sign test stands in for a test that needs a spread"
_NOTHING_MEASURED = "every score of both runs is 0, so nothing was measured"
_LEAST_TOPICS = 2
_ROUNDING = 1e-12


def same_means(original: Array, reproduced: Array, *, margin: float | None = None, alpha: float = ALPHA) -> Answer:
    """Answer whether the mean score over the same topics came back, up to MARGIN either way.

    >>> answer = same_means(np.array([0.2, 0.4, 0.6, 0.4]), np.array([0.2, 0.41, 0.6, 0.4]), margin=0.05)
    >>> answer.sentence.split("; ")[0]
    'equivalent: the mean score is 0.0025 higher (-0.05 to 0.05 counts as the same)'
    """
    if reason := out_of_range(original, reproduced):
        return _not_computed("effectiveness", original, reproduced, alpha, reason)
    size = _size("mean", margin, float(original.mean()))
    limits = size and Margin(low=-size[0], high=size[0], reason=size[1])
    value = float(reproduced.mean() - original.mean())
    way = "lower" if value < 0 else "higher"
    words = "the mean score is " + (f"{abs(value):.4g} {way}" if abs(value) > rounding(original) else "the same")
    start = _open("effectiveness", value, len(original), limits, alpha, words)
    if not original.any() and not reproduced.any():
        return replace(start, notes=(_NOTHING_MEASURED,))
    if are_identical(original, reproduced):
        return _identical(start, "scores")
    if limits is None or start.topics < _LEAST_TOPICS:
        return start
    contrast = paired_contrast(original, reproduced)
    if not contrast.error:
        return _without_spread(start, differs=True)
    return replace(
        start,
        p_equivalent=max(contrast.above(limits.low), contrast.below(limits.high)),
        p_different=contrast.differs(),
        detectable=contrast.detectable(alpha),
    ).decided()


def same_order(values: Array, *, margin: float | None = None, alpha: float = ALPHA) -> Answer:
    """Answer whether the mean of VALUES, the RBO_ext of each topic, is less than MARGIN below 1.

    Topics for which the agreement is undefined (nan) are left out.
    """
    size, reason = _size("rbo_ext", margin, 1.0) or (0.0, "")
    limits = Margin(low=1 - size, high=1.0, reason=reason)
    defined = values[~np.isnan(values)]
    value = float(defined.mean()) if len(defined) else None
    words = "RBO_ext is undefined" if value is None else f"RBO_ext is {value:.4g}"
    start = _open("document order", value, len(defined), limits, alpha, words)
    if len(defined) < len(values):
        note = f"{len(values) - len(defined)} topics for which it is undefined are left out"
        start = replace(start, notes=(*start.notes, note))
    if len(defined) and np.abs(defined - 1).max() <= _ROUNDING:
        return _identical(start, "order")
    return _beside_limit(start, np.maximum(1 - defined, 0), size)


def same_scores(original: Array, reproduced: Array, *, margin: float | None = None, alpha: float = ALPHA) -> Answer:
    """Answer whether the root mean square error over the same topics is below MARGIN."""
    if reason := out_of_range(original, reproduced):
        return _not_computed("scores", original, reproduced, alpha, reason)
    size = _size("rmse", margin, float(original.mean()))
    limits = size and Margin(low=0.0, high=size[0], reason=size[1])
    squares = squared_errors(original, reproduced)
    value = float(squares.mean()) ** 0.5
    start = _open("scores", value, len(original), limits, alpha, f"RMSE is {value:.4g}")
    if not original.any() and not reproduced.any():
        return replace(start, notes=(_NOTHING_MEASURED,))
    if are_identical(original, reproduced):
        return _identical(start, "scores")
    if limits is None:
        return start
    answer = _beside_limit(start, squares, limits.high**2)
    if answer.detectable is None:
        return answer
    return replace(answer, detectable=(limits.high**2 + answer.detectable) ** 0.5 - limits.high)


def same_effect(
    original: Array, reproduced: Array, *, margin: float | None = None, alpha: float = ALPHA, paired: bool = True
) -> Answer:
    """Answer whether the mean improvement came back; ORIGINAL and REPRODUCED are improvements by topic.

    With a MARGIN m, ratios from 1 / (1 + m) to 1 + m count as the same.  PAIRED says that both have the same topics in
    the same order.  If the original improvement itself cannot be told from 0, a ratio to it says little: then only a
    difference is claimed.
    """
    if reason := out_of_range(original, reproduced):
        return _not_computed("overall effect", original, reproduced, alpha, reason)
    size, reason = _size("er", margin, 1.0) or (0.0, "")
    limits = Margin(low=1 / (1 + size), high=1 + size, reason=reason)
    value = None if abs(original.mean()) <= rounding(original) else float(reproduced.mean() / original.mean())
    words = "ER is undefined" if value is None else f"ER is {value:.4g}"
    start = _open("overall effect", value, min(len(original), len(reproduced)), limits, alpha, words)
    note = _unclear_effect(original, alpha)
    are_same = paired and are_identical(original, reproduced)
    if are_same and value is not None:
        return _identical(start, "improvements")
    if are_same or start.topics < _LEAST_TOPICS:
        return replace(start, notes=(*start.notes, *note))
    answer = _beside_ratios(start, original, reproduced, limits, paired=paired)
    return replace(answer, p_equivalent=None, notes=(*answer.notes, *note)).decided() if note else answer


def _unclear_effect(original: Array, alpha: float) -> tuple[str, ...]:
    """Return why there may be no ORIGINAL improvement that could come back, empty if there is one."""
    if abs(float(original.mean())) <= rounding(original):
        return ("the original runs have equal mean scores, so there is no effect to come back",)
    effect = paired_contrast(np.zeros_like(original), original)
    if not effect.error or effect.differs() < alpha:
        return ()
    return (f"the original improvement itself cannot be told from 0 ({p_in_words(effect.differs())})",)


def _size(name: str, margin: float | None, original_mean: float) -> tuple[float, str] | None:
    """Return the size of the margin and its reason; None where the default is a share of nothing."""
    if margin is not None:
        return margin, _STATED
    default = DEFAULT_MARGINS[name]
    size = default.size * (abs(original_mean) if default.of_original_mean else 1)
    return (size, default.reason) if size else None


def _open(level: Level, value: float | None, topics: int, margin: Margin | None, alpha: float, words: str) -> Answer:
    """Return the answer before any test."""
    notes = []
    if topics < _LEAST_TOPICS:
        notes.append(f"a test needs at least {_LEAST_TOPICS} topics, found {topics}")
    if margin is None:
        notes.append("the original mean is 0, so there is no default margin; state one")
    finding = words if margin is None else f"{words} ({margin} counts as the same)"
    return Answer(
        level=level, value=value, topics=topics, margin=margin, alpha=alpha, finding=finding, notes=tuple(notes)
    )


def _not_computed(level: Level, original: Array, reproduced: Array, alpha: float, reason: str) -> Answer:
    """Return that there is no answer, for that REASON."""
    topics = min(len(original), len(reproduced))
    return replace(_open(level, None, topics, None, alpha, "nothing is computed"), notes=(reason,))


def _identical(start: Answer, what: str) -> Answer:
    """Return the answer where nothing differs, so that there is nothing to test; one topic alone says too little."""
    if start.topics < _LEAST_TOPICS:
        return replace(start, notes=(f"identical {what} on its only topic", *start.notes))
    return replace(start, answer="equivalent", notes=(f"identical {what} on all {start.topics} topics", *start.notes))


def _beside_limit(start: Answer, distances: Array, limit: float) -> Answer:
    """Answer whether the mean of DISTANCES, which are never negative, lies below LIMIT."""
    if start.topics < _LEAST_TOPICS:
        return start
    if is_constant(distances):
        return _without_spread(start, differs=not start.is_inside)
    with np.errstate(all="ignore"):  # a limit of 0 is one
        mean = PositiveMean.of(distances[None])
        inside, outside = float(mean.below(limit)[0]), float(mean.above(limit)[0])
    contrast = paired_contrast(np.zeros_like(distances), distances)
    few = few_differ(distances)
    return replace(
        start,
        p_equivalent=max(inside, 0.5**start.topics),
        p_different=max(outside, 0.5**start.topics),
        detectable=contrast.detectable(start.alpha, sides=1),
        notes=(*start.notes, few) if few else start.notes,
    ).decided()


def _beside_ratios(start: Answer, original: Array, reproduced: Array, limits: Margin, *, paired: bool) -> Answer:
    """Answer whether the ratio of means lies inside LIMITS, and whether it is 1."""
    low, one, high = (
        _settled(
            paired_contrast(ratio * original, reproduced)
            if paired
            else unpaired_contrast(original, reproduced, weight=ratio),
            rounding(ratio * original, reproduced),
        )
        for ratio in (limits.low, 1.0, limits.high)
    )
    mean = float(original.mean())
    smallest = None if start.value is None or not one.error else one.detectable(start.alpha)
    # The mean of reproduced - r original is above 0 where the ratio is above r; a negative effect turns this around.
    way = 1 if mean > 0 else -1
    return replace(
        start,
        p_equivalent=max(_p_beyond(low, way, start.topics), _p_beyond(high, -way, start.topics)),
        p_different=one.differs() if one.error else _sign_test(start.topics, differs=one.estimate != 0),
        detectable=None if smallest is None else smallest / abs(mean),
        notes=start.notes if low.error and one.error and high.error else (*start.notes, _SIGN_TEST),
    ).decided()


def _settled(contrast: Contrast, tolerance: float) -> Contrast:
    """Return CONTRAST, at 0 if it has no spread and lies no further from there than the TOLERANCE of rounding."""
    return contrast if contrast.error or abs(contrast.estimate) > tolerance else replace(contrast, estimate=0.0)


def _p_beyond(contrast: Contrast, way: int, topics: int) -> float:
    """Return the p-value of the claim that CONTRAST lies above 0, or below for a WAY of -1.

    Without spread, one that lies at 0 counts: the limits of a margin belong to it.
    """
    if contrast.error:
        return contrast.above(0) if way > 0 else contrast.below(0)
    return 0.5**topics if way * contrast.estimate >= 0 else 1.0


def _without_spread(start: Answer, *, differs: bool) -> Answer:
    """Answer where every topic says the same: by the sign test, which needs no spread."""
    return replace(
        start,
        p_equivalent=0.5**start.topics if start.is_inside else 1.0,
        p_different=_sign_test(start.topics, differs=differs),
        notes=(*start.notes, _SIGN_TEST),
    ).decided()


def _sign_test(topics: int, *, differs: bool) -> float:
    """Return the two-sided p-value of a difference that all TOPICS show, or none does."""
    return min(2 * 0.5**topics, 1.0) if differs else 1.0
