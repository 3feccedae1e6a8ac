"""Does the sentence about a group say what its figures mean, and do the notes say what they do not mean?"""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from primad.qra.grouping import Group, groups_of
from primad.qra.measurement import Measurement, Scale
from primad.qra.precision import Interval, precisions
from primad.qra.words import figure, notes, percent, sentence, span, unit

Conditions = Sequence[Mapping[str, str]]


def group(*values: str, conditions: Conditions = (), scale: Scale = Scale(0, 100), **more: Any) -> Group:  # noqa: B008
    """Return the group of VALUES of A, P, under CONDITIONS one after the other."""
    stated = conditions or [{}] * len(values)
    (made,) = groups_of(
        Measurement(object="A", measurand="P", value=value, scale=scale, conditions=each, **more)
        for value, each in zip(values, stated, strict=True)
    )
    return made


def said(one: Group, *, confidence: float = 0.95) -> str:
    return sentence(one, precisions([one], confidence)[0], "acl2022", confidence)


def noted(one: Group) -> list[str]:
    return list(notes(one, precisions([one])[0]))


# The sentence -------------------------------------------------------------------------------------------------


def test_equal_conditions_are_repeatability() -> None:
    one = group("50", "52", conditions=[{"seed": "1"}] * 2, direction="higher", unit="points")

    assert said(one) == (
        "A, P: repeatability (R⁰) CV* = 3.910 % (acl2022; 95% interval 1.237 to 89.859 %) over 2 measurements, "
        "all under the same conditions; mean 51.000 points, higher is better."
    )


def test_other_conditions_are_reproducibility_and_named_as_the_paper_prints_them() -> None:
    one = group("50", "52", conditions=[{"code_by": "x", "gpu": "a"}, {"code_by": "y", "gpu": "b"}], direction="lower")

    assert said(one).startswith("A, P: reproducibility (R) CV* = 3.910 % (acl2022; ")
    assert said(one).endswith("2 measurements, which differ in Code by, gpu; mean 51.000, lower is better.")


def test_more_than_four_conditions_are_counted() -> None:
    names = "abcdef"
    one = group("50", "52", conditions=[dict.fromkeys(names, "1"), dict.fromkeys(names, "2")])

    assert "which differ in a, b, c, d and 2 more; " in said(one)


def test_four_conditions_are_all_named() -> None:
    one = group("50", "52", conditions=[dict.fromkeys("abcd", "1"), dict.fromkeys("abcd", "2")])

    assert "which differ in a, b, c, d; " in said(one)


def test_unstated_conditions_and_an_unstated_direction_are_said_to_be_so() -> None:
    assert said(group("50", "52")).endswith("under conditions that are not stated; mean 51.000, direction not stated.")


def test_the_mean_is_on_the_scale_of_the_values_not_on_the_shifted_one() -> None:
    assert "; mean 5.970 (4.970 above the start of the scale), " in said(group("5.64", "6.30", scale=Scale(1, 7)))


def test_a_single_measurement_has_no_cv_and_the_sentence_says_why() -> None:
    assert said(group("50")) == "A, P: CV* needs at least 2 measurements, found 1."


def test_an_unbounded_interval_is_said_to_be_unbounded() -> None:
    assert "95% interval from 42.353 %, unbounded above) over 2" in said(group(".5", "10"))


def test_equal_values_have_no_interval_to_be_named() -> None:
    assert said(group("50", "50.0")).startswith("A, P: reproducibility (R) CV* = 0 % (acl2022) over 2 measurements")


@pytest.mark.parametrize(("confidence", "expected"), [(0.9, "90%"), (0.975, "97.5%"), (0.999, "99.9%")])
def test_the_confidence_is_not_rounded(confidence: float, expected: str) -> None:
    assert f"; {expected} interval " in said(group("50", "52"), confidence=confidence)


# Notes --------------------------------------------------------------------------------------------------------


UNSTATED = "No condition is stated for every measurement, so nobody can say whether this is repeatability."
SAME: Conditions = [{"seed": "1"}] * 3


def test_three_values_under_the_same_conditions_need_no_note() -> None:
    assert noted(group("50", "51", "52", conditions=SAME)) == []


@pytest.mark.parametrize(
    ("low", "expected"),
    [
        pytest.param(1, "Mean and standard deviation are on the scale shifted by -1 to start at 0.", id="above 0"),
        pytest.param(-3.5, "Mean and standard deviation are on the scale shifted by +3.5 to start at 0.", id="below 0"),
    ],
)
def test_a_shift_is_noted_with_its_sign(low: float, expected: str) -> None:
    assert noted(group("5", "6", "7", conditions=SAME, scale=Scale(low, 100))) == [expected]


START = "Where the scale starts (scale_min) is not stated, so 0 is taken; if it is 1, CV* is larger."


@pytest.mark.parametrize(
    ("values", "stated", "expected"),
    [
        pytest.param(["1", "1.1", "1.05"], {"scale": Scale()}, [START], id="values as of low ratings"),
        pytest.param(["6.8", "6.9", "7"], {"scale": Scale()}, [START], id="values as of high ratings"),
        pytest.param(["0.99", "1.1", "1.05"], {"scale": Scale()}, [], id="a value below those of ratings"),
        pytest.param(["6.9", "7", "7.1"], {"scale": Scale()}, [], id="a value above those of ratings"),
        pytest.param(["50", "51", "52"], {"scale": Scale(None, 100)}, [START], id="half a scale"),
        pytest.param(["50", "51", "52"], {"scale": Scale(), "evaluation": "human,intrinsic"}, [START], id="by people"),
        pytest.param(["50", "51", "52"], {"scale": Scale(), "evaluation": "metric"}, [], id="by a metric"),
        pytest.param(["3", "4", "5"], {"scale": Scale(0)}, [], id="a scale from 0"),
        pytest.param(["-1", "3", "4"], {"scale": Scale(None, 7)}, [], id="values that have no CV*"),
    ],
)
def test_a_scale_that_may_not_start_at_0_is_asked_for(
    values: list[str], stated: dict[str, Any], expected: list[str]
) -> None:
    assert noted(group(*values, conditions=SAME, **stated)) == expected


@pytest.mark.parametrize("scale", [pytest.param(Scale(0), id="from 0"), pytest.param(Scale(), id="from anywhere")])
def test_equal_values_are_noted_to_say_nothing_on_precision(scale: Scale) -> None:
    assert noted(group("5", "5.0", "5.00", conditions=SAME, scale=scale)) == [
        "All values are equal: that is no information on precision below the digits written."
    ]


def test_two_values_are_noted_to_make_the_interval_nearly_useless() -> None:
    assert noted(group("5", "6", conditions=SAME[:2])) == [
        "With 2 measurements the interval is nearly useless: it tells no more than that there is variation."
    ]


def test_three_values_far_apart_have_an_interval_that_excludes_nothing() -> None:
    assert noted(group("1", "5", "19", conditions=SAME)) == [
        "The interval has no upper bound: so few values so far apart do not exclude any larger variation."
    ]


def test_conditions_that_no_measurement_states_are_noted() -> None:
    assert noted(group("5", "6", "7")) == [UNSTATED]


def test_a_condition_that_some_measurements_leave_out_is_noted() -> None:
    one = group("5", "6", "7", conditions=[{"code_by": "x"}, {"code_by": "x"}, {}])

    assert noted(one) == [UNSTATED, "Not stated for every measurement, so left out: Code by."]


def test_a_condition_that_nobody_knows_is_noted() -> None:
    one = group("5", "6", "7", conditions=[{"seed": "1"}, {"seed": "?"}, {"seed": "?"}])

    assert noted(one) == ["Not known for some measurements, so not known to be equal: seed."]


def test_the_file_of_a_duplicate_keeps_its_name_in_the_note() -> None:
    twice = [
        Measurement(object="A", measurand="P", value="5", conditions={"seed": "1"}, file="mine.csv", line=line)
        for line in (2, 3)
    ]
    (one,) = groups_of(twice)

    assert noted(one)[-1] == "mine.csv:3 says the same as mine.csv:2; if it is no repetition, remove one."


def test_percentages_beside_fractions_are_noted_as_a_sentence() -> None:
    assert noted(group(".5", "50", "51", conditions=SAME))[-1] == (
        "The largest value is 102 times the smallest; percentages beside fractions would look like this."
    )


# Numbers ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        pytest.param(85.58285, "85.583", id="three digits"),
        pytest.param(-0.25, "-0.250", id="below 0"),
        pytest.param(0.0, "0", id="exactly 0"),
        pytest.param(-0.0, "0", id="minus 0"),
        pytest.param(0.0005, "0.001", id="what just rounds to more than 0"),
        pytest.param(0.000499, "0.000499", id="what would pass for 0"),
        pytest.param(-1.234e-9, "-1.23e-09", id="far below"),
        pytest.param(1012.7254, "1012.7", id="large"),
        pytest.param(1e12, "1e+12", id="what would be longer than its worth"),
        pytest.param(-1.7976931348623157e308, "-1.8e+308", id="the lowest there is"),
    ],
)
def test_a_figure_has_the_digits_it_is_worth(number: float, expected: str) -> None:
    assert figure(number) == expected


@pytest.mark.parametrize(
    ("interval", "with_unit", "expected"),
    [
        pytest.param(Interval(1.0, 2.0), "", "1.000 to 2.000", id="bounded"),
        pytest.param(Interval(1.0, 2.0), "%", "1.000 to 2.000 %", id="bounded, with a unit"),
        pytest.param(Interval(1.0, None), "", "from 1.000, unbounded above", id="unbounded"),
        pytest.param(Interval(1.0, None), "%", "from 1.000 %, unbounded above", id="unbounded, with a unit"),
    ],
)
def test_an_interval_reads_from_low_to_high(interval: Interval, with_unit: str, expected: str) -> None:
    assert span(interval, with_unit) == expected


@pytest.mark.parametrize(
    ("stated", "expected"),
    [("", ""), ("%", " %"), ("percent", " %"), ("fraction", ""), ("points", " points")],
    ids=["none", "a sign", "percent in words", "a fraction", "any other"],
)
def test_the_unit_stands_behind_the_number(stated: str, expected: str) -> None:
    assert unit(group("5", "6", unit=stated)) == expected


@pytest.mark.parametrize(("confidence", "expected"), [(0.95, "95%"), (0.6, "60%"), (0.99999, "99.999%"), (0.57, "57%")])
def test_a_confidence_in_percent_has_all_its_digits(confidence: float, expected: str) -> None:
    assert percent(confidence) == expected


def test_conditions_that_all_state_are_told_from_those_that_only_some_state() -> None:
    found = group(
        "50", "51", "52", conditions=[{"code_by": "k", "gpu": "a"}, {"code_by": "k"}, {"code_by": "k", "gpu": "b"}]
    )

    assert "the same in every condition that all of them state" in said(found)
    assert "Left out, and yet known to differ between some measurements: gpu." in noted(found)


def test_what_nobody_knows_is_not_said_to_differ() -> None:
    assert "of which nobody knows whether they differ in gpu" in said(group("50", "51", conditions=[{"gpu": "?"}] * 2))


def test_an_interval_without_an_upper_bound_is_explained_for_any_number_of_values() -> None:
    assert any("no upper bound" in note for note in noted(group("0.1", "0.9", "0.5", "0.01", scale=Scale(0, 1))))
