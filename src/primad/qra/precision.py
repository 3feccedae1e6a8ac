"""How precise is a measured value: the spread of repeated measurements, as a share of their mean.

    cv_star         CV* of some values, in either of its variants
    unbiased_stdev  s*, the standard deviation without the bias of small samples
    c4              that bias
    Precision       everything that is said about the precision of a group
    precisions      the precision of many groups at once

CV* needs values on a scale that starts at 0, so values are shifted there first.  Its variants are the one of Belz,
Popović and Mille (ACL 2022), 100 (1 + 1/4n) s*/mean, and the one of their later tool QRA3, 100 s*/mean.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from primad.errors import DataError, UndefinedMeasure, UsageError
from primad.qra.intervals import (
    Array,
    Limits,
    c4,
    cv_interval_noncentral_t,
    cv_interval_vangel,
    stdev_interval,
    stdev_interval_acl2022,
)
from primad.qra.measurement import Scale, half_step, number_of
from primad.qra.rounding import envelopes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from primad.qra.grouping import Group

__all__ = ["VARIANTS", "Interval", "Precision", "Variant", "c4", "cv_star", "precisions", "unbiased_stdev"]

Variant = Literal["acl2022", "qra3"]
VARIANTS: tuple[Variant, ...] = ("acl2022", "qra3")

_FEWEST = 2
# Squares of what is larger could leave the numbers that a float can hold.
_LARGEST = 1e150
_ANY = Scale()


class Interval(NamedTuple):
    """From where to where; None above means that nothing bounds it."""

    low: float
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Precision:
    """How precise the value of a group is; all of it on the scale that starts at 0, CV* and its intervals in percent.

    stdev              the unbiased standard deviation s*
    stdev_ci           its chi-square interval; stdev_ci_acl2022 is the one that the paper prints
    cv_acl2022         (1 + 1/4n) 100 s*/mean
    cv_qra3            100 s*/mean
    cv_ci              of the coefficient of variation, by the noncentral t distribution; cv_ci_vangel by Vangel
    within_one         share of values within one standard deviation of the mean; within_two within two
    envelope           from where to where CV* could go before the values were rounded, by variant; no value is taken to
                       have been outside the scale, or below 0 where none is declared
    undefined          why there is no CV*, empty where there is one

    Where all values are equal, CV* is exactly 0 and there are no intervals: equal values do not say how precise they
    are.
    """

    n: int
    mean: float
    lowest: float
    highest: float
    stdev: float | None = None
    stdev_ci: Interval | None = None
    stdev_ci_acl2022: Interval | None = None
    cv_acl2022: float | None = None
    cv_qra3: float | None = None
    cv_ci: Interval | None = None
    cv_ci_vangel: Interval | None = None
    within_one: float | None = None
    within_two: float | None = None
    envelope: dict[Variant, Interval] | None = None
    undefined: str = ""

    def cv(self, variant: Variant) -> float | None:
        """Return CV* in the VARIANT wanted."""
        return self.cv_acl2022 if variant == "acl2022" else self.cv_qra3


class _Moments(NamedTuple):
    """Samples of one size, a row each: mean, standard deviation and extremes."""

    values: Array
    mean: Array
    s: Array
    lowest: Array
    highest: Array

    @property
    def n(self) -> int:
        """Return how many values each sample has."""
        return int(self.values.shape[1])

    @property
    def stdev(self) -> Array:
        """Return s*."""
        return self.s / c4(self.n)

    @property
    def cv(self) -> Array:
        """Return s/mean, 0 where a value is below 0 or all are 0."""
        return np.divide(self.s, self.mean, out=np.zeros_like(self.s), where=(self.lowest >= 0) & (self.mean > 0))

    def within(self, number: int) -> Array:
        """Return the share of values within NUMBER standard deviations of the mean."""
        near = np.abs(self.values - self.mean[:, None]) <= number * self.stdev[:, None]
        return np.asarray(near.mean(axis=1))


def unbiased_stdev(values: Sequence[float | str]) -> float:
    """Return s*, the standard deviation of VALUES divided by its expected bias.

    >>> round(unbiased_stdev([4.64, "5.30"]), 3)
    0.585
    """
    numbers = _numbers(values)
    if len(numbers) < _FEWEST:
        raise UndefinedMeasure("s*", f"it needs at least {_FEWEST} values, found {len(numbers)}")
    return float(_moments(np.array([numbers])).stdev[0])


def cv_star(
    values: Sequence[float | str],
    *,
    scale: Scale | tuple[float | None, float | None] | None = None,
    variant: Variant = "acl2022",
) -> float:
    """Return CV* of VALUES in percent, shifted so that their SCALE starts at 0.

    >>> round(cv_star(["5.64", "6.30"], scale=(1, 7)), 2)
    13.24
    >>> round(cv_star([0.95, 0.97]), 2), round(cv_star([0.05, 0.03]), 2)
    (2.08, 49.85)
    """
    if variant not in VARIANTS:
        raise UsageError(f"unknown variant '{variant}' of CV*; there are {' and '.join(VARIANTS)}")
    bounds = _scale_of(scale)
    numbers = _numbers(values, bounds)
    if len(numbers) < _FEWEST:
        raise UndefinedMeasure("CV*", f"it needs at least {_FEWEST} values, found {len(numbers)}")
    moments = _moments(np.array([numbers]) - (bounds.low or 0.0))
    reason = next(_reasons(moments))
    if reason:
        raise UndefinedMeasure("CV*", reason)
    return float(moments.cv[0]) * _factor(variant, moments.n)


def _scale_of(given: Any) -> Scale:
    """Return the scale that is GIVEN as such, or by its two ends."""
    if given is None or isinstance(given, Scale):
        return given or _ANY
    try:
        low, high = given
        ends = [None if end is None else float(end) for end in (low, high)]
    except (TypeError, ValueError, OverflowError):
        ends = [math.nan]
    if isinstance(given, str | bytes | dict) or any(end is not None and math.isnan(end) for end in ends):
        raise DataError(f"expected a scale by its two ends, as in (1, 7), found {given!r}")
    return Scale(*ends)


def precisions(groups: Sequence[Group], confidence: float = 0.95) -> list[Precision]:
    """Return how precise the value of each of GROUPS is; those of one size are computed together."""
    places: dict[int, list[int]] = defaultdict(list)
    for place, group in enumerate(groups):
        places[len(group)].append(place)
    found: dict[int, Precision] = {}
    for n, some in places.items():
        members = [groups[place] for place in some]
        several = map(_of_one, members) if n < _FEWEST else _of_several(members, confidence)
        found.update(zip(some, several, strict=True))
    return [found[place] for place in range(len(groups))]


def _of_one(group: Group) -> Precision:
    """Return what a single measurement says about its precision: nothing."""
    value = float(_finite(np.array(group.shifted))[0])
    reason = "CV* needs at least 2 measurements, found 1"
    return Precision(n=1, mean=value, lowest=value, highest=value, undefined=reason)


def _of_several(groups: Sequence[Group], confidence: float) -> Iterator[Precision]:
    """Yield how precise the values of GROUPS of one size are."""
    moments = _moments(np.array([group.shifted for group in groups]))
    n = moments.n
    reasons = [*_reasons(moments)]
    defined = np.array([not reason for reason in reasons])
    computable = np.abs(moments.values).max(axis=1) <= _LARGEST
    spread = computable & (moments.s > 0)
    s, cv = moments.s[spread], moments.cv[defined & spread]
    columns = {
        "mean": _floats(moments.mean),
        "lowest": _floats(moments.lowest),
        "highest": _floats(moments.highest),
        "stdev": _floats(moments.stdev, computable),
        "stdev_ci": _intervals(stdev_interval(s, n, confidence), spread),
        "stdev_ci_acl2022": _intervals(stdev_interval_acl2022(s, n, confidence), spread),
        "cv_acl2022": _floats(moments.cv * _factor("acl2022", n), defined),
        "cv_qra3": _floats(moments.cv * _factor("qra3", n), defined),
        "cv_ci": _intervals(cv_interval_noncentral_t(cv, n, confidence), defined & spread, 100.0),
        "cv_ci_vangel": _intervals(cv_interval_vangel(cv, n, confidence), defined & spread, 100.0),
        "within_one": _floats(moments.within(1), computable),
        "within_two": _floats(moments.within(2), computable),
        "envelope": _envelopes(groups, moments.values, defined),
        "undefined": [reason.replace("it", "CV*", 1) for reason in reasons],
    }
    for row in zip(*columns.values(), strict=True):
        yield Precision(n=n, **dict(zip(columns, row, strict=True)))


def _numbers(values: Sequence[float | str], scale: Scale = _ANY) -> list[float]:
    """Return VALUES as numbers; they must be finite, not too large to compute with, and on their SCALE."""
    numbers = []
    for value in values:
        try:
            number = number_of(value) if isinstance(value, str) else float(value)
        except (TypeError, ValueError):
            number = None
        except OverflowError:
            raise DataError(f"expected values between {-_LARGEST:g} and {_LARGEST:g}, found one far beyond") from None
        if number is None or not math.isfinite(number):
            raise DataError(f"expected values that are finite numbers, found '{value}'")
        if abs(number) > _LARGEST:
            raise DataError(f"expected values between {-_LARGEST:g} and {_LARGEST:g}, found {value}")
        if number not in scale:
            raise DataError(f"expected values on their scale of {scale}, found {value}")
        numbers.append(number)
    return numbers


def _finite(values: Array) -> Array:
    """Return VALUES, which have been shifted to where their scale starts, if all of them are numbers still."""
    if not np.all(np.isfinite(values)):
        raise DataError("expected values that are finite numbers, on a scale that starts at one; found NaN or infinity")
    return values


def _moments(values: Array) -> _Moments:
    """Return mean, standard deviation and extremes of each row of VALUES.

    Rows are scaled by a power of two, which changes no digit, so that no square overflows or vanishes.
    """
    lowest, highest = _finite(values).min(axis=1), values.max(axis=1)
    _, exponent = np.frexp(np.maximum(-lowest, highest))
    scaled = np.ldexp(values, -exponent[:, None])
    # The last bit of a mean may lie outside the values, and equal values are to have theirs.
    mean = np.clip(scaled.mean(axis=1), scaled.min(axis=1), scaled.max(axis=1))
    apart = scaled - mean[:, None]
    s = np.sqrt((apart**2).sum(axis=1) / (values.shape[1] - 1))
    return _Moments(values, np.ldexp(mean, exponent), np.ldexp(s, exponent), lowest, highest)


def _reasons(moments: _Moments) -> Iterator[str]:
    """Yield for each sample why it has no CV*, nothing where it has one."""
    bounds = zip(moments.lowest.tolist(), moments.highest.tolist(), moments.stdev.tolist(), strict=True)
    for lowest, highest, stdev in bounds:
        if max(-lowest, highest) > _LARGEST:
            yield (
                f"it needs values between {-_LARGEST:g} and {_LARGEST:g} on a scale that starts at 0, "
                f"found {max(lowest, highest, key=abs):g}"
            )
        elif lowest < 0:
            yield (
                "it needs a scale that starts at 0, and values below 0 do not tell where theirs starts: "
                f"declare the scale; the standard deviation is {stdev:.4g} and values range from "
                f"{lowest:g} to {highest:g}"
            )
        elif highest == 0:
            yield "it needs a mean above the start of the scale, found all values there"
        else:
            yield ""


def _factor(variant: Variant, n: int) -> float:
    """Return what s/mean of N values is multiplied by to have CV* in percent."""
    unbiased = 100 / float(c4(n))
    return unbiased * (1 + 1 / (4 * n)) if variant == "acl2022" else unbiased


def _floats(column: Array, rows: NDArray[np.bool_] | None = None) -> list[float | None]:
    """Return the numbers of COLUMN, None where a row is not among ROWS."""
    numbers: list[float] = column.tolist()
    return [*numbers] if rows is None else [one if has else None for one, has in zip(numbers, rows, strict=True)]


def _intervals(limits: Limits, rows: NDArray[np.bool_], factor: float = 1.0) -> list[Interval | None]:
    """Return the intervals between LIMITS, which are there for ROWS only; where nothing bounds one it says None."""
    lows, highs = ((factor * one).tolist() for one in limits)
    made = (Interval(low, high if high < math.inf else None) for low, high in zip(lows, highs, strict=True))
    return [next(made) if has else None for has in rows.tolist()]


def _envelopes(groups: Sequence[Group], values: Array, rows: NDArray[np.bool_]) -> list[dict[Variant, Interval] | None]:
    """Return between which limits CV* can have been before values were rounded, by variant, for ROWS."""
    if not rows.any():
        return [None] * len(groups)
    chosen = [group for group, has in zip(groups, rows, strict=True) if has]
    halves = np.array([[half_step(one.value) for one in group.measurements] for group in chosen])
    limits = envelopes(values[rows], halves, [_end(group) for group in chosen])
    columns = [_intervals(limits, rows, _factor(variant, values.shape[1])) for variant in VARIANTS]
    return [
        {variant: one for variant, one in zip(VARIANTS, row, strict=True) if one} or None
        for row in zip(*columns, strict=True)
    ]


def _end(group: Group) -> float:
    """Return the highest value that GROUP can have on a scale that starts at 0."""
    return math.inf if group.scale.high is None else group.scale.high - group.shift
