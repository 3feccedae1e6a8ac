"""Where should the value of a reproduction lie, if nothing but chance made it differ from the original?

    prediction_interval   from where to where, given the standard errors of both values
    degrees_of_freedom    of the difference of two values, after Welch and Satterthwaite
    prediction_of         the interval for each reproduction of a group, and which lie within theirs
    Estimate              a value, its standard error, and the number of items it was computed over
    Predicted             one reproduction and its interval
    Prediction            all reproductions of a group

Patil, Peng and Leek (2016): What should researchers expect when they replicate studies?  A statistical view of
replicability in psychological science.  Perspectives on Psychological Science 11(4), doi:10.1177/1745691616646366.
The interval takes both values as independent samples of items; it is not cut at the ends of the scale.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scipy.special import ndtri, stdtrit

from primad.errors import DataError, UndefinedMeasure
from primad.qra.pairs import original_of, reproductions_of
from primad.qra.words import figure

if TYPE_CHECKING:
    from primad.qra.grouping import Group
    from primad.qra.measurement import Measurement

NAME = "prediction interval"
_FEWEST_ITEMS = 2


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its standard error, over so many items; None for what is not known."""

    value: float
    standard_error: float | None = None
    items: int | None = None

    def __post_init__(self) -> None:
        if not math.isfinite(self.value):
            raise DataError(f"expected a finite value, found {self.value}")
        if self.standard_error is not None and not 0 <= self.standard_error < math.inf:
            raise DataError(f"expected a standard error of at least 0, found {self.standard_error}")
        if self.items is not None and self.items < 1:
            raise DataError(f"expected a number of items of at least 1, found {self.items}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Predicted:
    """One reproduction, and the interval that its value was to be expected in.

    scaled     whether its standard error is that of the original, scaled by the numbers of items
    degrees    of freedom of the t distribution; None where numbers of items are not known and the normal one is used
    """

    value: float
    low: float
    high: float
    standard_error: float
    scaled: bool
    degrees: float | None
    source: str = ""
    name: str = ""

    @property
    def within(self) -> bool:
        """Tell whether the value lies in its interval."""
        return self.low <= self.value <= self.high

    def to_dict(self) -> dict[str, Any]:
        """Return the reproduction as JSON has it."""
        return {
            "source": self.source,
            "name": self.name,
            "value": self.value,
            "interval": [self.low, self.high],
            "within": self.within,
            "standard_error": self.standard_error,
            "standard_error_scaled": self.scaled,
            "degrees_of_freedom": self.degrees,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """Which reproductions of a group lie where chance alone would put them.

    left_out    reproductions without a standard error, from which none can be had either
    """

    title: str
    original: float
    confidence: float
    reproductions: tuple[Predicted, ...]
    left_out: int = 0

    @property
    def n(self) -> int:
        """Return how many reproductions have an interval."""
        return len(self.reproductions)

    @property
    def within(self) -> int:
        """Return how many reproductions lie in their interval."""
        return sum(one.within for one in self.reproductions)

    @property
    def share(self) -> float:
        """Return the share of reproductions that lie in their interval."""
        return self.within / self.n

    @property
    def sentence(self) -> str:
        """Return which reproductions lie where they were to be expected, and what that rests on."""
        is_one = self.n == 1
        lows, highs = [one.low for one in self.reproductions], [one.high for one in self.reproductions]
        said = (
            f"{self.title}: {self._counted()} in the {100 * self.confidence:g} % prediction interval around "
            f"the original {figure(self.original)} ({figure(min(lows))} to {figure(max(highs))}"
            f"{'' if is_one else ' at its widest'}), {self._basis()}."
        )
        if any(one.scaled for one in self.reproductions):
            scaled = sum(one.scaled for one in self.reproductions)
            said += f" The standard error of {scaled} of them is that of the original, scaled by the numbers of items."
        if self.left_out:
            said += f" Left out for want of a standard error: {self.left_out}."
        return said

    def _counted(self) -> str:
        """Return how many reproductions lie in their interval, in words."""
        if self.n == 1:
            return "the reproduction lies" if self.within else "the reproduction does not lie"
        return f"{self.within} of {self.n} reproductions {'lies' if self.within == 1 else 'lie'}"

    def _basis(self) -> str:
        """Return which distribution the intervals rest on."""
        normal = sum(one.degrees is None for one in self.reproductions)
        if not normal:
            return "by the t distribution (Welch-Satterthwaite)"
        if normal == self.n:
            return "by the normal distribution for want of numbers of items"
        return f"by the t distribution, or the normal one for want of numbers of items ({normal} of {self.n})"

    def to_dict(self) -> dict[str, Any]:
        """Return the prediction as JSON has it."""
        return {
            "original": self.original,
            "confidence": self.confidence,
            "n": self.n,
            "within": self.within,
            "share_within": self.share,
            "left_out": self.left_out,
            "reproductions": [one.to_dict() for one in self.reproductions],
        }


def prediction_interval(
    original: Estimate, reproduction_error: float, reproduction_items: int | None = None, *, confidence: float = 0.95
) -> tuple[float, float]:
    """Return where the value of a reproduction with this standard error should lie, given the ORIGINAL.

    >>> low, high = prediction_interval(Estimate(50.0, 3.0), 4.0)
    >>> round(low, 2), round(high, 2)
    (40.2, 59.8)
    """
    other = Estimate(original.value, reproduction_error, reproduction_items)
    return _interval(original, other, degrees_of_freedom(original, other), confidence)


def prediction_of(group: Group, confidence: float = 0.95) -> Prediction:
    """Return which reproductions of GROUP lie in the prediction interval around its original."""
    original = estimate_of(original_of(group, NAME))
    if original.standard_error is None:
        raise UndefinedMeasure(NAME, "it needs the standard error of the original, found none")
    found = reproductions_of(group)
    if not found:
        raise UndefinedMeasure(NAME, "it needs at least 1 reproduction, found 0")
    predicted = [one for other in found if (one := _predicted(original, other, confidence))]
    if not predicted:
        raise UndefinedMeasure(
            NAME,
            f"none of the {len(found)} reproductions states a standard error, "
            "or a number of items where the original states one, too",
        )
    return Prediction(
        title=group.title,
        original=original.value,
        confidence=confidence,
        reproductions=tuple(predicted),
        left_out=len(found) - len(predicted),
    )


def estimate_of(measurement: Measurement) -> Estimate:
    """Return what MEASUREMENT says about its value."""
    return Estimate(measurement.number, measurement.standard_error, measurement.items)


def joint_error(first: Estimate, second: Estimate, name: str = NAME) -> float:
    """Return the standard error of the difference of two values; a statistic called NAME is undefined without."""
    errors = [one.standard_error for one in (first, second) if one.standard_error is not None]
    if len(errors) < 2:  # noqa: PLR2004  # both
        raise UndefinedMeasure(name, f"it needs the standard errors of both values, found {len(errors)}")
    joint = math.hypot(*errors)
    if not 0 < joint < math.inf:
        size = "0" if joint == 0 else "too large"
        raise UndefinedMeasure(name, f"the standard errors are {size}, so nothing tells what chance does")
    return joint


def degrees_of_freedom(first: Estimate, second: Estimate) -> float | None:
    """Return the degrees of freedom of the difference of two values; None if a number of items is not known.

    >>> round(degrees_of_freedom(Estimate(50, 3.0, 26), Estimate(52, 3.0, 26)), 6)
    50.0
    """
    if first.items is None or second.items is None or min(first.items, second.items) < _FEWEST_ITEMS:
        return None
    joint = joint_error(first, second)
    one, other = ((estimate.standard_error or 0.0) / joint for estimate in (first, second))
    return 1 / (one**4 / (first.items - 1) + other**4 / (second.items - 1))


def quantile(probability: float, degrees: float | None) -> float:
    """Return the quantile of the t distribution with so many DEGREES of freedom, of the normal one for None."""
    return float(ndtri(probability) if degrees is None else stdtrit(degrees, probability))


def _predicted(original: Estimate, reproduction: Measurement, confidence: float) -> Predicted | None:
    """Return where REPRODUCTION should lie, None if its standard error is not known and cannot be had."""
    stated = reproduction.standard_error
    error = _scaled(original, reproduction.items) if stated is None else stated
    if error is None:
        return None
    other = Estimate(reproduction.number, error, reproduction.items)
    degrees = degrees_of_freedom(original, other)
    if stated is None and degrees is not None and original.items:
        degrees = float(original.items - 1)  # a scaled error knows no more than the items of the original tell
    low, high = _interval(original, other, degrees, confidence)
    return Predicted(
        value=other.value,
        low=low,
        high=high,
        standard_error=error,
        scaled=stated is None,
        degrees=degrees,
        source=reproduction.source,
        name=reproduction.name,
    )


def _interval(original: Estimate, other: Estimate, degrees: float | None, confidence: float) -> tuple[float, float]:
    """Return the interval around ORIGINAL for a value with the standard error of OTHER."""
    if not 0 < confidence < 1:
        raise DataError(f"expected a confidence between 0 and 1, found {confidence}")
    half = quantile((1 + confidence) / 2, degrees) * joint_error(original, other)
    return original.value - half, original.value + half


def _scaled(original: Estimate, items: int | None) -> float | None:
    """Return the standard error that the ORIGINAL would have over so many ITEMS; None if a number is not known."""
    if original.standard_error is None or original.items is None or items is None:
        return None
    return original.standard_error * math.sqrt(original.items / items)
