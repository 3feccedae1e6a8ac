"""Do reproductions lie in their prediction interval as often as the interval says?"""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import norm, t, ttest_ind

from primad.errors import DataError, UndefinedMeasure
from primad.qra.grouping import Group
from primad.qra.measurement import Measurement
from primad.qra.prediction import Estimate, degrees_of_freedom, joint_error, prediction_interval, prediction_of

ORIGINAL = Measurement(object="A", measurand="BLEU", value="50", role="original", standard_error=3.0)
REPRODUCTION = Measurement(
    object="A", measurand="BLEU", value="59", role="reproduction", standard_error=4.0, source="X (2020)"
)


def group(*members: Measurement) -> Group:
    """Return a group of measurements of A's BLEU."""
    return Group("A", "BLEU", members)


def measured(values: NDArray[np.float64], measurement: Measurement) -> Measurement:
    """Return the measurement with the mean of values, and what their number and spread say about it."""
    error = float(values.std(ddof=1)) / math.sqrt(len(values))
    return replace(measurement, value=repr(float(values.mean())), standard_error=error, items=len(values))


def test_without_items_the_interval_is_the_normal_one_around_the_original() -> None:
    low, high = prediction_interval(Estimate(50.0, 3.0), 4.0, confidence=0.9)

    assert (low, high) == pytest.approx((50 - 5 * norm.ppf(0.95), 50 + 5 * norm.ppf(0.95)))


def test_with_items_the_interval_is_that_of_the_t_distribution() -> None:
    low, high = prediction_interval(Estimate(50.0, 3.0, 10), 4.0, 20)

    degrees = 25**2 / (3**4 / 9 + 4**4 / 19)
    assert (low, high) == pytest.approx((50 - 5 * t.ppf(0.975, degrees), 50 + 5 * t.ppf(0.975, degrees)))


def test_degrees_of_freedom_are_those_of_welch() -> None:
    generator = np.random.default_rng(5)
    first, second = generator.normal(size=7), generator.normal(scale=3, size=12)

    estimates = [Estimate(0.0, float(np.std(x, ddof=1) / math.sqrt(len(x))), len(x)) for x in (first, second)]

    assert degrees_of_freedom(*estimates) == pytest.approx(ttest_ind(first, second, equal_var=False).df)


def test_a_reproduction_at_the_end_of_its_interval_lies_within() -> None:
    low, high = prediction_interval(Estimate(50.0, 3.0), 4.0)

    values = (repr(low), repr(high), "60", "40")
    found = prediction_of(group(ORIGINAL, *(replace(REPRODUCTION, value=value) for value in values)))

    assert [one.within for one in found.reproductions] == [True, True, False, False]
    assert (found.n, found.within, found.share) == (4, 2, 0.5)


@pytest.mark.parametrize(("items", "degrees"), [((2, 2), 2.0), ((1, 2), None), ((2, 1), None), ((None, 2), None)])
def test_degrees_of_freedom_take_two_items_of_each(items: tuple[int | None, int | None], degrees: float | None) -> None:
    first, second = (Estimate(0.0, 1.0, one) for one in items)

    assert degrees_of_freedom(first, second) == (degrees and pytest.approx(degrees))


@pytest.mark.parametrize(("errors", "degrees"), [((0.0, 2.0), 8), ((2.0, 0.0), 4)])
def test_a_value_that_is_exact_has_no_part_in_the_degrees_of_freedom(errors: tuple[float, float], degrees: int) -> None:
    first, second = (Estimate(50.0, error, items) for error, items in zip(errors, (5, 9), strict=True))

    assert degrees_of_freedom(first, second) == pytest.approx(degrees)


@pytest.mark.parametrize(("errors", "found"), [((None, 1.0), 1), ((1.0, None), 1), ((None, None), 0)])
def test_a_value_without_a_standard_error_leaves_the_error_of_a_difference_undefined(
    errors: tuple[float | None, float | None], found: int
) -> None:
    first, second = (Estimate(50.0, error, 9) for error in errors)

    with pytest.raises(UndefinedMeasure, match=f"it needs the standard errors of both values, found {found}"):
        joint_error(first, second)


def test_the_sentence_says_how_many_lie_within_and_what_it_rests_on() -> None:
    assert prediction_of(group(ORIGINAL, REPRODUCTION)).sentence == (
        "A, BLEU: the reproduction lies in the 95 % prediction interval around the original 50.000 "
        "(40.200 to 59.800), by the normal distribution for want of numbers of items."
    )


def test_the_sentence_about_several_has_the_widest_interval() -> None:
    others = replace(REPRODUCTION, value="80", standard_error=12.0), replace(REPRODUCTION, value="70")

    assert prediction_of(group(ORIGINAL, REPRODUCTION, *others)).sentence == (
        "A, BLEU: 1 of 3 reproductions lies in the 95 % prediction interval around the original 50.000 "
        "(25.757 to 74.243 at its widest), by the normal distribution for want of numbers of items."
    )
    assert "A, BLEU: 2 of 2 reproductions lie in the" in prediction_of(group(ORIGINAL, *[REPRODUCTION] * 2)).sentence
    assert "A, BLEU: the reproduction does not lie in the" in prediction_of(group(ORIGINAL, others[1])).sentence


def test_the_sentence_says_which_distribution_it_rests_on() -> None:
    original, other = replace(ORIGINAL, items=10), replace(REPRODUCTION, items=20)

    assert ", by the t distribution (Welch-Satterthwaite)." in prediction_of(group(original, other)).sentence
    assert (
        ", by the t distribution, or the normal one for want of numbers of items (1 of 2)."
        in prediction_of(group(original, other, REPRODUCTION)).sentence
    )


def test_predictions_are_ready_for_json() -> None:
    found = prediction_of(group(ORIGINAL, REPRODUCTION)).to_dict()

    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert (found["share_within"], found["reproductions"][0]["source"]) == (1.0, "X (2020)")


def test_a_missing_standard_error_is_scaled_from_the_original_by_the_numbers_of_items_and_said() -> None:
    original = replace(ORIGINAL, items=100)
    found = prediction_of(group(original, replace(REPRODUCTION, standard_error=None, items=25)))

    (one,) = found.reproductions
    assert (one.standard_error, one.scaled) == (6.0, True)
    assert one.degrees == 99
    assert "The standard error of 1 of them is that of the original, scaled by the numbers of items." in found.sentence
    both = prediction_of(group(original, REPRODUCTION, replace(REPRODUCTION, standard_error=None, items=25)))
    assert "The standard error of 1 of them is that of the original, scaled by the numbers of items." in both.sentence


def test_a_reproduction_whose_standard_error_cannot_be_had_is_left_out_and_counted() -> None:
    found = prediction_of(group(ORIGINAL, REPRODUCTION, replace(REPRODUCTION, standard_error=None, items=25)))

    assert (found.n, found.left_out) == (1, 1)
    assert found.sentence.endswith("Left out for want of a standard error: 1.")


@pytest.mark.parametrize("is_scaled", [False, True], ids=["stated", "scaled"])
def test_95_of_100_reproductions_that_differ_by_chance_alone_lie_within(*, is_scaled: bool) -> None:
    generator = np.random.default_rng(2016)
    draws, within = 3000, 0
    for _ in range(draws):
        original = measured(generator.normal(50, 9, 6), ORIGINAL)
        reproduction = measured(generator.normal(50, 9, 12), REPRODUCTION)
        if is_scaled:
            reproduction = replace(reproduction, standard_error=None)
        within += prediction_of(group(original, reproduction)).within

    assert 0.94 < within / draws < 0.965


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        pytest.param((REPRODUCTION,), "it needs exactly one original, found 0", id="no original"),
        pytest.param((ORIGINAL, ORIGINAL, REPRODUCTION), "it needs exactly one original, found 2", id="two originals"),
        pytest.param((ORIGINAL,), "it needs at least 1 reproduction, found 0", id="no reproduction"),
        pytest.param(
            (replace(ORIGINAL, standard_error=None), REPRODUCTION),
            "it needs the standard error of the original, found none",
            id="original without standard error",
        ),
        pytest.param(
            (ORIGINAL, replace(REPRODUCTION, standard_error=None)),
            "none of the 1 reproductions states a standard error, or a number of items where the original states one, "
            "too",
            id="reproduction without standard error",
        ),
        pytest.param(
            (replace(ORIGINAL, standard_error=0.0), replace(REPRODUCTION, standard_error=0.0)),
            "the standard errors are 0, so nothing tells what chance does",
            id="standard errors of 0",
        ),
        pytest.param(
            (replace(ORIGINAL, standard_error=1e308), replace(REPRODUCTION, standard_error=1.7e308)),
            "the standard errors are too large, so nothing tells what chance does",
            id="standard errors beyond all numbers",
        ),
    ],
)
def test_what_the_interval_needs_and_does_not_find_is_said(members: tuple[Measurement, ...], reason: str) -> None:
    with pytest.raises(UndefinedMeasure) as error:
        prediction_of(group(*members))

    assert error.value.reason == reason


@pytest.mark.parametrize(
    ("estimate", "found"),
    [
        pytest.param((math.nan, 1.0, 5), "a finite value, found nan", id="value"),
        pytest.param((50.0, -1.0, 5), "a standard error of at least 0, found -1", id="negative error"),
        pytest.param((50.0, math.inf, 5), "a standard error of at least 0, found inf", id="infinite error"),
        pytest.param((50.0, math.nan, 5), "a standard error of at least 0, found nan", id="error is NaN"),
        pytest.param((50.0, 1.0, 0), "a number of items of at least 1, found 0", id="items"),
    ],
)
def test_an_estimate_of_what_is_no_number_is_an_error(estimate: tuple[float, float, int], found: str) -> None:
    with pytest.raises(DataError, match=found):
        Estimate(*estimate)


@pytest.mark.parametrize("confidence", [0.0, 1.0])
def test_a_confidence_of_all_or_nothing_is_an_error(confidence: float) -> None:
    with pytest.raises(DataError, match=f"a confidence between 0 and 1, found {confidence}"):
        prediction_interval(Estimate(50.0, 3.0), 4.0, confidence=confidence)
