"""Is equivalence claimed where the data show it, and only there?  Checked against statsmodels."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.weightstats import DescrStatsW, ttost_ind

from primad.errors import DataError, UndefinedMeasure
from primad.qra.equivalence import Difference, equivalence_of, of_mean, of_two_values, two_one_sided
from primad.qra.grouping import Group
from primad.qra.measurement import Measurement
from primad.qra.prediction import Estimate

ORIGINAL = Measurement(object="A", measurand="BLEU", value="50", role="original", standard_error=0.5, items=40)
REPRODUCTION = replace(ORIGINAL, value="50.4", role="reproduction", source="X (2020)")


def group(*members: Measurement) -> Group:
    """Return a group of measurements of A's BLEU."""
    return Group("A", "BLEU", members)


def without_errors(original: str, *values: str) -> Group:
    """Return a group of values that state no standard error."""
    plain = replace(ORIGINAL, value=original, standard_error=None)
    return group(plain, *(replace(plain, value=value, role="reproduction") for value in values))


def test_two_values_are_tested_as_statsmodels_tests_their_samples() -> None:
    generator = np.random.default_rng(7)
    first, second = generator.normal(50, 2, 15), generator.normal(51, 4, 22)
    one, other = (Estimate(float(x.mean()), float(x.std(ddof=1)) / math.sqrt(len(x)), len(x)) for x in (first, second))

    tested = of_two_values(one, other, 2.5)

    p, *_ = ttost_ind(second, first, -2.5, 2.5, usevar="unequal")
    assert tested.p == pytest.approx(p)
    assert tested.basis == "welch"


def test_a_mean_is_tested_as_statsmodels_tests_it() -> None:
    values = [50.2, 51.3, 49.8, 50.9, 50.4]
    sample = DescrStatsW(values)

    tested = of_mean(values, 50.0, 1.5)

    p, *_ = sample.ttost_mean(48.5, 51.5)
    assert tested.p == pytest.approx(p)
    assert tested.p_difference == pytest.approx(sample.ttest_mean(50.0)[1])
    assert (tested.low + 50, tested.high + 50) == pytest.approx(sample.tconfint_mean(alpha=0.1))


@pytest.mark.parametrize(
    ("difference", "answer"),
    [
        pytest.param(0.0, "equivalent", id="none"),
        pytest.param(-0.8, "equivalent", id="small"),
        pytest.param(0.9, "not shown to be equivalent", id="significant but next to the margin"),
        pytest.param(-1.1, "not shown to be equivalent", id="beyond the margin by less than chance"),
        pytest.param(1.3, "different", id="far above"),
        pytest.param(-1.3, "different", id="far below"),
    ],
)
def test_the_answer_depends_on_where_the_interval_lies(difference: float, answer: str) -> None:
    assert two_one_sided(difference, 0.1, 1.0).answer == answer


def test_a_difference_within_chance_is_not_called_different_although_the_interval_is_outside_a_tiny_margin() -> None:
    tested = two_one_sided(0.18, 0.1, 0.001)

    assert tested.low > tested.margin
    assert tested.p_difference > 0.05
    assert tested.answer == "not shown to be equivalent"


@pytest.mark.parametrize(
    ("p", "p_difference", "low", "high", "answer"),
    [
        pytest.param(0.049, 0.5, -0.9, 0.9, "equivalent", id="p below alpha"),
        pytest.param(0.05, 0.5, -1.0, 0.9, "not shown to be equivalent", id="p at alpha"),
        pytest.param(0.9, 0.01, 1.1, 2.0, "different", id="above the margin"),
        pytest.param(0.9, 0.01, -2.0, -1.1, "different", id="below the margin"),
        pytest.param(0.9, 0.01, 1.0, 2.0, "not shown to be equivalent", id="from the margin on"),
        pytest.param(0.9, 0.01, -2.0, -1.0, "not shown to be equivalent", id="up to the margin"),
        pytest.param(0.9, 0.05, 1.1, 2.0, "not shown to be equivalent", id="a difference with a p at alpha"),
    ],
)
def test_what_lies_exactly_at_a_limit_shows_nothing(
    p: float, p_difference: float, low: float, high: float, answer: str
) -> None:
    tested = Difference(
        difference=0.0,
        standard_error=1.0,
        margin=1.0,
        alpha=0.05,
        degrees=None,
        p=p,
        p_difference=p_difference,
        low=low,
        high=high,
    )

    assert tested.answer == answer


@pytest.mark.parametrize(
    ("difference", "error"),
    [
        pytest.param(math.nan, 1.0, id="no difference"),
        pytest.param(math.inf, 1.0, id="an infinite difference"),
        pytest.param(0.0, 0.0, id="no error"),
        pytest.param(0.0, -1.0, id="a negative error"),
        pytest.param(0.0, math.inf, id="an infinite error"),
        pytest.param(0.0, math.nan, id="an error that is no number"),
    ],
)
def test_a_difference_without_finite_numbers_is_an_error(difference: float, error: float) -> None:
    with pytest.raises(DataError, match="expected a finite difference and a standard error above 0, found"):
        two_one_sided(difference, error, 1.0)


def test_two_reproductions_are_enough_for_a_test_of_their_mean() -> None:
    tested = of_mean([50.0, 51.0], 50.0, 10.0)

    # The mean is 0.5 above, with an error of 0.5; Student's t with one degree of freedom is Cauchy's distribution.
    assert (tested.n, tested.difference, tested.degrees) == (2, 0.5, 1)
    assert tested.standard_error == pytest.approx(0.5)
    assert tested.p == pytest.approx(0.5 - math.atan(19) / math.pi)
    assert tested.p_difference == pytest.approx(0.5)


@given(st.floats(-3, 3), st.floats(0.01, 3), st.floats(0.01, 3), st.sampled_from([None, 1.0, 7.5]))
def test_equivalence_is_an_interval_within_the_margin(
    difference: float, error: float, margin: float, degrees: float | None
) -> None:
    tested = two_one_sided(difference, error, margin, degrees=degrees)

    nearest = min(margin - tested.high, tested.low + margin)
    assert (tested.answer == "equivalent") == (nearest > 0) or abs(nearest) < 1e-9


@given(st.floats(-3, 3), st.floats(0.01, 3), st.floats(0.01, 3))
def test_the_sign_of_a_difference_does_not_matter(difference: float, error: float, margin: float) -> None:
    one, other = two_one_sided(difference, error, margin), two_one_sided(-difference, error, margin)

    assert (one.p, one.answer) == (other.p, other.answer)


# Groups ------------------------------------------------------------------------------------------------------


def test_each_reproduction_with_a_standard_error_is_tested_against_the_original() -> None:
    far, silent = replace(REPRODUCTION, value="60"), replace(REPRODUCTION, standard_error=None)

    found = equivalence_of(group(ORIGINAL, REPRODUCTION, far, silent), 2.0)

    assert [one.answer for one in found.tests] == ["equivalent", "different"]
    assert found.left_out == 1
    assert found.sentence == (
        "A, BLEU: of 2 reproductions, each tested by itself, 1 equivalent, 1 different "
        "(within ±2.000 of the original 50.000, alpha = 0.05). Left out for want of a standard error: 1."
    )


def test_tests_are_ready_for_json() -> None:
    found = equivalence_of(group(ORIGINAL, REPRODUCTION), 2.0).to_dict()

    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert [(one["source"], one["basis"], one["n"], one["answer"]) for one in found["tests"]] == [
        ("X (2020)", "welch", 1, "equivalent")
    ]


@pytest.mark.parametrize(
    ("source", "subject"), [("X (2020)", "the reproduction of X (2020) (n = 1)"), ("", "the reproduction (n = 1)")]
)
def test_a_single_reproduction_is_named_by_its_source(source: str, subject: str) -> None:
    found = equivalence_of(group(ORIGINAL, replace(REPRODUCTION, source=source, items=None)), 2.0)

    # The joint error is sqrt(1/2), and the interval 1.645 of them on both sides of 0.4.
    assert found.sentence == (
        f"A, BLEU: {subject} is equivalent (within ±2.000 of the original 50.000, alpha = 0.05): "
        "difference 0.400, 90 % interval -0.763 to 1.563, p = 0.012."
    )


def test_without_items_the_normal_distribution_counts() -> None:
    (tested,) = equivalence_of(group(ORIGINAL, replace(REPRODUCTION, items=None)), 2.0).tests

    assert (tested.basis, tested.degrees) == ("normal", None)


def test_without_standard_errors_the_mean_of_the_reproductions_is_tested_and_said() -> None:
    found = equivalence_of(without_errors("50", "50.1", "50.5", "50.3"), 1.0)

    assert found.sentence == (
        "A, BLEU: the mean of 3 reproductions, the original being taken as exact, is equivalent "
        "(within ±1.000 of the original 50.000, alpha = 0.05): difference 0.300, 90 % interval -0.037 to 0.637, "
        "p = 0.013."
    )


@pytest.mark.parametrize(
    ("members", "margin", "reason"),
    [
        pytest.param(
            group(ORIGINAL, REPRODUCTION),
            None,
            "it needs a margin, stated in the unit of the measurand",
            id="no margin",
        ),
        pytest.param(group(REPRODUCTION), 1.0, "it needs exactly one original, found 0", id="no original"),
        pytest.param(
            without_errors("50", "51"),
            1.0,
            "it needs standard errors, or at least 2 reproductions whose mean is tested, found 1",
            id="one reproduction",
        ),
        pytest.param(
            without_errors("50", "51", "51.0"),
            1.0,
            "the 2 reproductions have equal values, so nothing tells what chance does",
            id="no spread",
        ),
        pytest.param(
            group(replace(ORIGINAL, standard_error=0.0), replace(REPRODUCTION, standard_error=0.0)),
            1.0,
            "the standard errors are 0, so nothing tells what chance does",
            id="no error",
        ),
    ],
)
def test_what_the_test_needs_and_does_not_find_is_said(members: Group, margin: float | None, reason: str) -> None:
    with pytest.raises(UndefinedMeasure) as error:
        equivalence_of(members, margin)

    assert (error.value.name, error.value.reason) == ("equivalence test", reason)


@pytest.mark.parametrize("margin", [0.0, -1.0, math.nan, math.inf])
def test_a_margin_that_is_none_is_an_error(margin: float) -> None:
    with pytest.raises(DataError, match="expected a margin above 0"):
        equivalence_of(group(ORIGINAL, REPRODUCTION), margin)


@pytest.mark.parametrize("alpha", [0.0, 0.5, math.nan])
def test_an_alpha_that_is_none_is_an_error(alpha: float) -> None:
    with pytest.raises(DataError, match=r"expected an alpha above 0 and below 0\.5"):
        equivalence_of(group(ORIGINAL, REPRODUCTION), 1.0, alpha=alpha)


@pytest.mark.parametrize("values", [[1.0, math.nan], [1.0, math.inf]], ids=["NaN", "infinity"])
def test_a_mean_of_what_is_no_number_is_an_error(values: list[float]) -> None:
    with pytest.raises(DataError, match="found NaN or infinity"):
        of_mean(values, 1.0, 1.0)
