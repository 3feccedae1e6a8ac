"""Are reproductions equivalent to their original, up to a margin that somebody has stated?

    two_one_sided      two one-sided tests (TOST) of a difference with a known standard error
    of_two_values      of two values with their standard errors: Welch's test, or the normal one without items
    of_mean            of the mean of several values against one that is taken as fixed
    equivalence_of     of each reproduction of a group against its original, or of their mean
    Difference         one difference and what the tests say
    Equivalence        all of a group

Schuirmann (1987), Journal of Pharmacokinetics and Biopharmaceutics 15(6), doi:10.1007/BF01068419.  That no difference
is found is never called equivalence: without enough precision the answer is "not shown to be equivalent".
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any, Literal

from scipy.special import ndtr, stdtr

from primad.errors import DataError, UndefinedMeasure
from primad.qra.pairs import original_of, reproductions_of
from primad.qra.prediction import degrees_of_freedom, estimate_of, joint_error, quantile
from primad.qra.words import figure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from primad.qra.grouping import Group
    from primad.qra.measurement import Measurement
    from primad.qra.prediction import Estimate

NAME = "equivalence test"
Answer = Literal["equivalent", "not shown to be equivalent", "different"]
Basis = Literal["welch", "normal", "mean against a fixed value"]
_FEWEST = 2
_LARGEST_ALPHA = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A difference from the original, and what the tests say about it.

    p               of the two one-sided tests: the larger one
    p_difference    of the ordinary two-sided test that the difference is 0
    low, high       the interval of confidence 1 - 2 alpha: equivalent if it lies within the margin
    degrees         of freedom of the t distribution; None for the normal one
    n               how many values the difference rests on, the original not counted
    """

    difference: float
    standard_error: float
    margin: float
    alpha: float
    degrees: float | None
    p: float
    p_difference: float
    low: float
    high: float
    basis: Basis = "normal"
    n: int = 1
    source: str = ""
    name: str = ""

    @property
    def answer(self) -> Answer:
        """Return what can be said: different only if the difference is beyond chance and beyond the margin."""
        if self.p < self.alpha:
            return "equivalent"
        is_beyond = self.low > self.margin or self.high < -self.margin
        return "different" if is_beyond and self.p_difference < self.alpha else "not shown to be equivalent"

    def to_dict(self) -> dict[str, Any]:
        """Return the test as JSON has it."""
        return {
            "source": self.source,
            "name": self.name,
            "n": self.n,
            "basis": self.basis,
            "difference": self.difference,
            "standard_error": self.standard_error,
            "degrees_of_freedom": self.degrees,
            "p": self.p,
            "p_difference": self.p_difference,
            "interval": [self.low, self.high],
            "answer": self.answer,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Equivalence:
    """Whether the reproductions of a group are equivalent to its original.

    tests       one for each reproduction with a standard error, or a single one of the mean of all
    left_out    reproductions without a standard error beside others that have one
    """

    title: str
    original: float
    margin: float
    alpha: float
    tests: tuple[Difference, ...]
    left_out: int = 0

    @property
    def sentence(self) -> str:
        """Return the answers in words, with what they rest on."""
        limit = f"within ±{figure(self.margin)} of the original {figure(self.original)}, alpha = {self.alpha:g}"
        first = self.tests[0]
        if len(self.tests) == 1:
            said = f"{self.title}: {self._subject(first)} is {first.answer} ({limit}): {_numbers(first)}."
        else:
            answers = Counter(one.answer for one in self.tests)
            told = ", ".join(f"{count} {answer}" for answer, count in answers.items())
            said = f"{self.title}: of {len(self.tests)} reproductions, each tested by itself, {told} ({limit})."
        if self.left_out:
            said += f" Left out for want of a standard error: {self.left_out}."
        return said

    def _subject(self, test: Difference) -> str:
        """Return what was tested."""
        if test.basis == "mean against a fixed value":
            return f"the mean of {test.n} reproductions, the original being taken as exact,"
        return f"the reproduction{f' of {test.source}' if test.source else ''} (n = 1)"

    def to_dict(self) -> dict[str, Any]:
        """Return the tests as JSON has them."""
        return {
            "original": self.original,
            "margin": self.margin,
            "alpha": self.alpha,
            "left_out": self.left_out,
            "tests": [one.to_dict() for one in self.tests],
        }


def two_one_sided(
    difference: float, standard_error: float, margin: float | None, *, degrees: float | None = None, alpha: float = 0.05
) -> Difference:
    """Return whether DIFFERENCE is within MARGIN on both sides of 0; the normal distribution counts without DEGREES.

    >>> two_one_sided(0.2, 0.1, 0.5).answer, two_one_sided(0.2, 0.4, 0.5).answer, two_one_sided(0.9, 0.1, 0.5).answer
    ('equivalent', 'not shown to be equivalent', 'different')
    """
    margin = _checked(margin, alpha)
    if not math.isfinite(difference) or not 0 < standard_error < math.inf:
        raise DataError(
            f"expected a finite difference and a standard error above 0, found {difference} and {standard_error}"
        )
    below = _probability((difference - margin) / standard_error, degrees)
    above = _probability(-(difference + margin) / standard_error, degrees)
    half = quantile(1 - alpha, degrees) * standard_error
    return Difference(
        difference=difference,
        standard_error=standard_error,
        margin=margin,
        alpha=alpha,
        degrees=degrees,
        p=max(below, above),
        p_difference=2 * _probability(-abs(difference) / standard_error, degrees),
        low=difference - half,
        high=difference + half,
    )


def of_two_values(first: Estimate, second: Estimate, margin: float | None, *, alpha: float = 0.05) -> Difference:
    """Return whether SECOND is equivalent to FIRST, both with their standard errors."""
    error = joint_error(first, second, NAME)
    degrees = degrees_of_freedom(first, second)
    tested = two_one_sided(second.value - first.value, error, margin, degrees=degrees, alpha=alpha)
    return replace(tested, basis="normal" if degrees is None else "welch")


def of_mean(values: Sequence[float], fixed: float, margin: float | None, *, alpha: float = 0.05) -> Difference:
    """Return whether the mean of VALUES is equivalent to a FIXED value, which is taken as exact."""
    if not all(map(math.isfinite, values)):
        raise DataError("expected finite numbers for an equivalence test, found NaN or infinity")
    if len(values) < _FEWEST:
        raise UndefinedMeasure(
            NAME, f"it needs standard errors, or at least 2 reproductions whose mean is tested, found {len(values)}"
        )
    spread = stdev(values) if len(set(values)) > 1 else 0.0
    if spread == 0:
        raise UndefinedMeasure(
            NAME, f"the {len(values)} reproductions have equal values, so nothing tells what chance does"
        )
    error = spread / math.sqrt(len(values))
    tested = two_one_sided(fmean(values) - fixed, error, margin, degrees=len(values) - 1, alpha=alpha)
    return replace(tested, basis="mean against a fixed value", n=len(values))


def equivalence_of(group: Group, margin: float | None, *, alpha: float = 0.05) -> Equivalence:
    """Return whether reproductions in GROUP are equivalent to its original, up to MARGIN in the measurand's unit."""
    checked = _checked(margin, alpha)
    original = original_of(group, NAME)
    found = reproductions_of(group)
    exact = [one for one in found if one.standard_error is not None] if original.standard_error is not None else []
    if exact:
        tests = tuple(_compared(original, one, checked, alpha) for one in exact)
    else:
        tests = (of_mean([one.number for one in found], original.number, checked, alpha=alpha),)
    return Equivalence(
        title=group.title,
        original=original.number,
        margin=checked,
        alpha=alpha,
        tests=tests,
        left_out=len(found) - len(exact) if exact else 0,
    )


def _compared(original: Measurement, reproduction: Measurement, margin: float, alpha: float) -> Difference:
    """Return whether REPRODUCTION is equivalent to ORIGINAL."""
    tested = of_two_values(estimate_of(original), estimate_of(reproduction), margin, alpha=alpha)
    return replace(tested, source=reproduction.source, name=reproduction.name)


def _checked(margin: float | None, alpha: float) -> float:
    """Return MARGIN if it is one."""
    if margin is None:
        raise UndefinedMeasure(NAME, "it needs a margin, stated in the unit of the measurand")
    if not 0 < margin < math.inf:
        raise DataError(f"expected a margin above 0, found {margin}")
    if not 0 < alpha < _LARGEST_ALPHA:
        raise DataError(f"expected an alpha above 0 and below 0.5, found {alpha}")
    return margin


def _probability(statistic: float, degrees: float | None) -> float:
    """Return how probable a value of at most STATISTIC is."""
    return float(ndtr(statistic) if degrees is None else stdtr(degrees, statistic))


def _numbers(test: Difference) -> str:
    """Return the figures of TEST as a sentence has them."""
    confidence = 100 * (1 - 2 * test.alpha)
    return (
        f"difference {figure(test.difference)}, {confidence:g} % interval {figure(test.low)} to {figure(test.high)}, "
        f"p = {figure(test.p)}"
    )
