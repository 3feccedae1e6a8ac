"""What is a measurement: an object, a measurand, a value as it was written, and the conditions it was measured under.

    Measurement    one value, with everything that is known about how it came about
    Scale          from where to where values of a measurand can go
    number_of      a value as a number, None for what is no finite number
    half_step      half a unit of the last digit that was written: how far rounding can have moved the value
    are_rated      whether values look like single ratings: whole numbers on a short scale
    where          the file and the line a measurement stands in, or its name

Values stay text, because the digits that were written say how exactly they are known.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from numbers import Real
from typing import Literal

from primad.errors import DataError

Role = Literal["original", "reproduction", ""]
Direction = Literal["higher", "lower", ""]

# The digits are bounded: nothing that is measured needs more, and squares of what is larger are beyond any number.
_NUMBER = re.compile(r"[-+]?([0-9]{1,40}(\.[0-9]{0,40})?|\.[0-9]{1,40})([eE][-+]?[0-9]{1,2})?")
# Between the ends of most scales that people judge on; on a longer one, equal whole numbers are rarely chance.
_SHORT_SCALE = 10


@dataclass(frozen=True, slots=True)
class Scale:
    """The lowest and the highest value that a measurand can have; None where nobody has said."""

    low: float | None = None
    high: float | None = None

    def __contains__(self, value: float) -> bool:
        """Tell whether VALUE can be on the scale."""
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)

    def __str__(self) -> str:
        """Return the bounds as a message shows them."""
        low, high = ("?" if bound is None else f"{bound:g}" for bound in (self.low, self.high))
        return f"{low} to {high}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """One value of a measurand of an object, and how it was measured.

    value            as it was written: 84.50 says more than 84.5; a number of Python is written out
    direction        which values are better
    source           the key or DOI of the publication that reports it
    experiment       which of several experiments of one source, or the run, it belongs to
    conditions       how it was measured; what is not stated is left out, what nobody knows is "?"
    outputs          a hash of the outputs that were measured
    standard_error   of the value itself, over ``items`` items
    study            what an original and its reproductions have in common
    evaluation       "human" or "metric", "intrinsic" or "extrinsic", parted by commas
    system           the kind of system that the object is
    attributes       what tells the object from its variants, as in features: words
    name             what the file calls the measurement
    number           the value as a number; NaN if it is none, which ``grouping`` refuses
    """

    object: str
    measurand: str
    value: str
    scale: Scale = Scale()
    unit: str = ""
    direction: Direction = ""
    source: str = ""
    role: Role = ""
    experiment: str = ""
    conditions: Mapping[str, str] = field(default_factory=dict)
    outputs: str = ""
    standard_error: float | None = None
    items: int | None = None
    study: str = ""
    task: str = ""
    evaluation: str = ""
    system: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict)
    name: str = ""
    file: str = ""
    line: int = 0
    number: float = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Read the number once: it is asked for many times."""
        given: object = self.value
        if not isinstance(given, str):
            object.__setattr__(self, "value", _written_out(given))
        number = number_of(self.value)
        object.__setattr__(self, "number", math.nan if number is None else number)


def _written_out(value: object) -> str:
    """Return a number of Python as text."""
    if isinstance(value, bool) or not isinstance(value, Real | Decimal):
        raise DataError(f"expected a text or a number as value, found one of type '{type(value).__name__}'")
    return str(value)


def number_of(text: str) -> float | None:
    """Return the finite number that TEXT writes, a percent sign being a unit, None if it writes none.

    >>> number_of("84.50"), number_of("96.75%"), number_of("nan"), number_of("")
    (84.5, 96.75, None, None)
    """
    digits = text.strip().removesuffix("%").rstrip()
    if not _NUMBER.fullmatch(digits):
        return None
    return float(digits)


def half_step(text: str) -> float:
    """Return half a unit of the last digit of the number that TEXT writes.

    >>> half_step("84.50"), half_step("91%"), half_step("1.2e-3")
    (0.005, 0.5, 5e-05)
    """
    digits, _, power = text.strip().removesuffix("%").rstrip().lower().partition("e")
    decimals = len(digits.partition(".")[2])
    return 0.5 * 10.0 ** (int(power or 0) - decimals)


def are_rated(measurements: Sequence[Measurement]) -> bool:
    """Tell whether MEASUREMENTS are written as whole numbers, on a stated scale that has few of them."""
    scale = measurements[0].scale
    if scale.low is None or scale.high is None or scale.high - scale.low > _SHORT_SCALE:
        return False
    return all(half_step(one.value) >= half_step("0") for one in measurements)


def where(measurement: Measurement) -> str:
    """Return where MEASUREMENT stands, as a message names it."""
    if measurement.file:
        return f"{measurement.file}:{measurement.line}" if measurement.line else measurement.file
    return measurement.name or f"{measurement.object}, {measurement.measurand}, {measurement.value}"
