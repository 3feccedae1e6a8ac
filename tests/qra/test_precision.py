"""Is the precision of a value what its measurements say, and is it refused where they say nothing?"""

import math
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from primad.errors import DataError, UndefinedMeasure, UsageError
from primad.qra.grouping import Group, groups_of
from primad.qra.measurement import Measurement, Scale
from primad.qra.precision import VARIANTS, Precision, Variant, cv_star, precisions, unbiased_stdev

ROOT = math.sqrt(2 / math.pi)  # c4 of two values

samples = st.lists(st.floats(0.01, 1000), min_size=2, max_size=12)
each_variant = pytest.mark.parametrize("variant", VARIANTS)


def group(*values: str, low: float | None = 0.0, high: float | None = None) -> Group:
    """Return a group with these values."""
    return Group(
        "system",
        "BLEU",
        tuple(Measurement(object="system", measurand="BLEU", value=one, scale=Scale(low, high)) for one in values),
    )


def precision(*values: str, low: float | None = 0.0, confidence: float = 0.95) -> Precision:
    """Return the precision of these values."""
    (one,) = precisions([group(*values, low=low)], confidence)
    return one


# CV* of some values -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variant", "expected"),
    [("acl2022", 100 * 1.125 * math.sqrt(2) / ROOT / 2), ("qra3", 100 * math.sqrt(2) / ROOT / 2)],
)
def test_cv_of_one_and_three_is_what_one_finds_by_hand(variant: Variant, expected: float) -> None:
    assert cv_star([1, 3], variant=variant) == pytest.approx(expected, rel=1e-14)


def test_the_direction_decides() -> None:
    assert (round(cv_star([0.95, 0.97]), 2), round(cv_star([0.05, 0.03]), 2)) == (2.08, 49.85)


@pytest.mark.parametrize("scale", [Scale(1, 7), (1, 7), (1, None), [1, 7], np.array([1, 7])], ids=str)
def test_values_are_shifted_to_the_start_of_their_scale(scale: Scale | tuple[float, float | None]) -> None:
    assert cv_star(["5.64", "6.30"], scale=scale) == pytest.approx(cv_star([4.64, 5.30]), rel=1e-13)


def test_a_scale_that_starts_below_0_makes_negative_values_usable() -> None:
    assert cv_star([-0.5, 0.5], scale=(-1, 1)) == pytest.approx(cv_star([0.5, 1.5]), rel=1e-14)


def test_text_and_numbers_mean_the_same() -> None:
    assert cv_star(["84.50", "85.60%"]) == cv_star([84.5, 85.6])


def test_a_value_at_the_start_of_the_scale_counts_as_any_other() -> None:
    # The mean is 1 and s the root of 2, of which c4 is the root of 2 / pi.
    assert cv_star([0, 2], variant="qra3") == pytest.approx(100 * math.sqrt(math.pi))


@each_variant
@given(samples, st.integers(-60, 60), st.randoms(use_true_random=False))
def test_neither_the_unit_nor_the_order_matters(
    variant: Variant, values: list[float], power: int, shuffle: random.Random
) -> None:
    expected = cv_star(values, variant=variant)
    shuffled = [3 * 10.0**power * value for value in values]
    shuffle.shuffle(shuffled)

    assert cv_star(shuffled, variant=variant) == pytest.approx(expected, rel=1e-9, abs=1e-10)


@given(samples)
def test_the_variants_differ_by_a_quarter_of_a_measurement(values: list[float]) -> None:
    by_tool = cv_star(values, variant="qra3")

    assert cv_star(values) == pytest.approx(by_tool * (1 + 1 / (4 * len(values))), rel=1e-13)


@given(samples)
def test_cv_is_0_only_where_all_values_are_equal(values: list[float]) -> None:
    assert (cv_star(values) == 0) is (len(set(values)) == 1)


@pytest.mark.parametrize("value", [0.1, 0.7, 1e-300, 84.51, 1e150])
def test_equal_values_have_exactly_0(value: float) -> None:
    assert cv_star([value] * 7) == 0.0


@given(samples, st.floats(-50, 50))
def test_the_shift_is_undone(values: list[float], low: float) -> None:
    assume(max(values) - min(values) > 1e-3)

    shifted = [value + low for value in values]

    assert cv_star(shifted, scale=(low, None)) == pytest.approx(cv_star(values), rel=1e-6)


def test_values_at_the_ends_of_what_a_float_holds_have_the_cv_of_others() -> None:
    assert cv_star([1e-310, 3e-310]) == pytest.approx(cv_star([1, 3]))
    assert cv_star([1e149, 3e149]) == pytest.approx(cv_star([1, 3]))


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        pytest.param([], "it needs at least 2 values, found 0", id="none"),
        pytest.param([84.5], "it needs at least 2 values, found 1", id="one"),
        pytest.param([0, 0.0], "it needs a mean above the start of the scale, found all values there", id="mean 0"),
        pytest.param(
            [-1, 3, 1],
            "it needs a scale that starts at 0, and values below 0 do not tell where theirs starts: declare the "
            "scale; the standard deviation is 2.257 and values range from -1 to 3",
            id="negative",
        ),
    ],
)
def test_cv_is_refused_with_the_reason(values: list[float], reason: str) -> None:
    with pytest.raises(UndefinedMeasure) as caught:
        cv_star(values)

    assert (caught.value.name, caught.value.reason) == ("CV*", reason)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        pytest.param([0.5, math.nan], "finite numbers, found 'nan'", id="NaN"),
        pytest.param([0.5, math.inf], "finite numbers, found 'inf'", id="infinite"),
        pytest.param([0.5, ""], "finite numbers, found ''", id="blank"),
        pytest.param([0.5, "high"], "finite numbers, found 'high'", id="a word"),
        pytest.param([0.5, -2e150], r"between -1e\+150 and 1e\+150, found -2e\+150", id="too large"),
        pytest.param([0.5, 1.5], "on their scale of 0 to 1, found 1.5", id="above the scale"),
        pytest.param([0.5, -0.5], "on their scale of 0 to 1, found -0.5", id="below the scale"),
    ],
)
def test_values_that_cannot_be_are_an_error(values: list[float | str], message: str) -> None:
    with pytest.raises(DataError, match=message):
        cv_star(values, scale=(0, 1))


def test_a_scale_that_starts_nowhere_is_an_error() -> None:
    with pytest.raises(DataError, match="on a scale that starts at one; found NaN or infinity"):
        cv_star([1, 2], scale=(-math.inf, None))


def test_a_shift_may_make_values_too_large() -> None:
    with pytest.raises(
        UndefinedMeasure, match=r"between -1e\+150 and 1e\+150 on a scale that starts at 0, found 1e\+300"
    ):
        cv_star([1, 2], scale=(-1e300, None))
    with pytest.raises(UndefinedMeasure, match=r"found 2e\+150"):
        cv_star([0, 1e150], scale=(-1e150, None))


def test_a_variant_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(UsageError, match="unknown variant 'qra4' of CV\\*; there are acl2022 and qra3"):
        cv_star([1, 2], variant="qra4")  # type: ignore[arg-type]


# The standard deviation -------------------------------------------------------------------------------------------


def test_the_standard_deviation_has_no_bias() -> None:
    draws = np.random.default_rng(4).standard_normal((4000, 3))

    mean = np.mean([unbiased_stdev(row) for row in draws.tolist()])

    assert mean == pytest.approx(1.0, abs=0.02)  # without c4 it would be .886


@pytest.mark.parametrize("size", [1e-310, 1.0, 1e150])
def test_values_of_any_size_beside_a_very_small_one_have_a_standard_deviation(size: float) -> None:
    expected = size * 2 / math.sqrt(math.pi)

    assert unbiased_stdev([-size, size * 1e-10, size]) == pytest.approx(expected, rel=1e-9, abs=0)


def test_the_smallest_values_below_0_have_a_standard_deviation_too() -> None:
    assert unbiased_stdev([-1e-200, 0.0]) == pytest.approx(1e-200 * math.sqrt(math.pi) / 2, rel=1e-9, abs=0)


def test_the_standard_deviation_of_one_value_is_refused() -> None:
    with pytest.raises(UndefinedMeasure, match=r"s\* is undefined: it needs at least 2 values, found 1"):
        unbiased_stdev([1.0])


# The precision of groups ------------------------------------------------------------------------------------------


def test_everything_is_said_about_an_ordinary_group() -> None:
    found = precision("5.64", "6.30", low=1.0)

    assert (found.n, found.mean, found.lowest, found.highest) == (2, *(pytest.approx(x) for x in (4.97, 4.64, 5.3)))
    assert found.stdev == pytest.approx(unbiased_stdev([5.64, 6.30]))
    assert found.stdev_ci == pytest.approx((0.208214, 14.892167), rel=1e-5)
    assert found.stdev_ci_acl2022 == pytest.approx((-2.760658, 3.930478), rel=1e-5)
    assert [found.cv(variant) for variant in VARIANTS] == pytest.approx([13.2399093, 11.7688083])
    assert found.cv_ci == pytest.approx((4.180203, 1012.7245), rel=1e-5)
    assert found.cv_ci_vangel == pytest.approx((4.180203, 298.98285), rel=1e-5)
    assert (found.within_one, found.within_two, found.undefined) == (1.0, 1.0, "")
    assert found.envelope is not None
    assert found.envelope["acl2022"] == pytest.approx((13.039305, 13.440514), rel=1e-6)
    assert found.envelope["qra3"] == pytest.approx((11.590493, 11.947124), rel=1e-6)


def test_values_within_one_and_two_standard_deviations_are_counted() -> None:
    found = precision("10", "10", "10", "10", "10", "10", "10", "12", "14", "20")

    assert (found.within_one, found.within_two) == (0.9, 0.9)


def test_values_within_two_standard_deviations_may_be_more_than_within_one() -> None:
    found = precision("1", "2", "3", "4", "5")  # s* is 1.68

    assert (found.within_one, found.within_two) == (0.6, 1.0)


def test_one_measurement_has_a_mean_and_no_cv() -> None:
    assert precision("5.5", low=1.0) == Precision(
        n=1, mean=4.5, lowest=4.5, highest=4.5, undefined="CV* needs at least 2 measurements, found 1"
    )


def test_negative_values_without_a_scale_have_a_standard_deviation_and_a_range() -> None:
    found = precision("-1", "3", "1", low=None)

    assert (found.mean, found.lowest, found.highest) == (1.0, -1.0, 3.0)
    assert found.stdev == pytest.approx(2 / (math.sqrt(math.pi) / 2))
    # With three values the quantiles of chi-square are logarithms.
    assert found.stdev_ci == pytest.approx([2 / math.sqrt(-math.log(rest)) for rest in (0.025, 0.975)])
    assert (found.cv_acl2022, found.cv_qra3, found.cv_ci, found.cv_ci_vangel, found.envelope) == (None,) * 5
    assert found.undefined.startswith("CV* needs a scale that starts at 0")
    assert found.undefined.endswith("the standard deviation is 2.257 and values range from -1 to 3")


def test_values_that_are_all_the_lowest_possible_have_no_cv() -> None:
    found = precision("1", "1.0", low=1.0)

    assert (found.mean, found.stdev, found.cv_acl2022) == (0.0, 0.0, None)
    assert found.undefined == "CV* needs a mean above the start of the scale, found all values there"


def test_equal_values_have_a_cv_of_exactly_0_and_no_interval() -> None:
    found = precision("0.1", "0.1", "0.1")

    assert (found.mean, found.stdev, found.cv_acl2022, found.cv_qra3) == (0.1, 0.0, 0.0, 0.0)
    assert (found.stdev_ci, found.stdev_ci_acl2022, found.cv_ci, found.cv_ci_vangel) == (None,) * 4
    assert (found.within_one, found.within_two, found.undefined) == (1.0, 1.0, "")
    assert found.envelope is not None
    assert found.envelope["qra3"].low == 0.0  # and high with one value up at .15, two down at .05
    assert found.envelope["qra3"].high == pytest.approx(100 / (math.sqrt(math.pi) / 2) * math.sqrt(1 / 300) * 12)


def test_what_nothing_bounds_says_so() -> None:
    found = precision("0.2", "0.9")

    assert found.cv_ci is not None
    assert found.cv_ci.high is None


@pytest.mark.parametrize(
    ("values", "low", "high", "expected"),
    [
        pytest.param(("0", "1"), 0.0, 10.0, (0.0, math.sqrt(2)), id="at the start: .5 and .5, 0 and anything"),
        pytest.param(("1", "2"), 1.0, 7.0, (0.0, math.sqrt(2)), id="at the start of a scale from 1"),
        pytest.param(("0", "1"), None, None, (0.0, math.sqrt(2)), id="no scale declared"),
        pytest.param(("7", "5"), 1.0, 7.0, (1 / math.sqrt(2) / 5, 2.5 / math.sqrt(2) / 4.75), id="at the end"),
        pytest.param(("7", "5"), 1.0, None, (1 / math.sqrt(2) / 5, 3 / math.sqrt(2) / 5), id="no end declared"),
    ],
)
def test_the_envelope_does_not_leave_the_scale(
    values: tuple[str, str], low: float | None, high: float | None, expected: tuple[float, float]
) -> None:
    (found,) = precisions([group(*values, low=low, high=high)])

    assert found.envelope is not None
    assert found.envelope["acl2022"] == pytest.approx([112.5 / ROOT * one for one in expected], rel=1e-12)
    assert found.envelope["qra3"] == pytest.approx([100 / ROOT * one for one in expected], rel=1e-12)


def test_values_too_large_to_compute_with_have_a_mean_and_a_reason() -> None:
    one, two = precisions([group("5", low=-1.7e308), group("5", "9", low=-1.7e308)])

    assert (one.mean, two.mean) == (1.7e308, 1.7e308)
    assert (two.stdev, two.stdev_ci, two.within_one, two.envelope) == (None, None, None, None)
    assert two.undefined == ("CV* needs values between -1e+150 and 1e+150 on a scale that starts at 0, found 1.7e+308")


def test_values_far_below_their_scale_are_too_large_to_compute_with() -> None:
    found = precision("5", "9", low=1.7e308)

    assert found.stdev is None
    assert found.undefined == "CV* needs values between -1e+150 and 1e+150 on a scale that starts at 0, found -1.7e+308"


def test_one_value_too_large_to_compute_with_is_enough_for_none_to_be() -> None:
    found = precision("0", "9" * 40 + "e99", low=-1e150)  # 1e150, and a little more

    assert (found.stdev, found.stdev_ci, found.within_one) == (None, None, None)
    assert found.undefined.startswith("CV* needs values between -1e+150 and 1e+150 ")


def test_groups_without_a_cv_or_a_spread_leave_those_of_others_alone() -> None:
    ordinary = group("5.64", "6.30", low=1.0)
    others = [group("-1", "3", low=None), group("2", "2"), group("0", "0")]

    found = precisions([others[0], ordinary, *others[1:], ordinary])

    assert found[1] == found[4] == precisions([ordinary])[0]


def test_values_as_large_as_can_be_computed_with_have_a_precision() -> None:
    found = precision("0", "0", low=-1e150)

    assert (found.mean, found.stdev, found.cv_qra3, found.within_one) == (1e150, 0.0, 0.0, 1.0)


@pytest.mark.parametrize("values", [("1", "nan"), ("nan",), ("1e305", "3")])
def test_a_group_of_what_is_no_number_is_an_error(values: tuple[str, ...]) -> None:
    with pytest.raises(DataError, match="found NaN or infinity"):
        precisions([group(*values)])


def test_values_of_all_sizes_that_can_be_written_have_a_precision() -> None:
    (found,) = precisions([group("9" * 40 + "e99", "0." + "0" * 39 + "1e-99")])

    assert found.cv_qra3 == pytest.approx(100 * math.sqrt(2) / ROOT)
    assert found.envelope is not None
    assert found.envelope["qra3"] == pytest.approx((found.cv_qra3, found.cv_qra3))


def test_less_confidence_makes_narrower_intervals() -> None:
    wide, narrow = (precision("1", "2", "3", confidence=level) for level in (0.95, 0.5))

    for name in ("stdev_ci", "stdev_ci_acl2022", "cv_ci", "cv_ci_vangel"):
        outer, inner = getattr(wide, name), getattr(narrow, name)
        assert outer.low < inner.low < inner.high
        assert outer.high is None or inner.high < outer.high


def test_groups_of_all_sizes_and_flaws_come_back_in_their_order() -> None:
    several = [group("1", "2"), group("5"), group("-1", "2", low=None), group("1", "3", "4"), group("3", "3")]

    found = precisions(several)

    assert [one.n for one in found] == [2, 1, 2, 3, 2]
    assert found == [precisions([one])[0] for one in several]


def test_no_groups_have_no_precisions() -> None:
    assert precisions([]) == []


@given(st.lists(st.integers(1, 99_999).map(lambda units: f"{units / 100:.2f}"), min_size=2, max_size=10))
def test_cv_lies_in_its_envelope_and_its_intervals_are_numbers(values: list[str]) -> None:
    (found,) = precisions(
        groups_of(Measurement(object="a", measurand="b", value=one, scale=Scale(0.0, 1000.0)) for one in values)
    )

    assert found.envelope is not None
    for variant in VARIANTS:
        low, high = found.envelope[variant]
        assert low <= found.cv(variant) * (1 + 1e-12)  # type: ignore[operator]
        assert high is None or found.cv(variant) <= high * (1 + 1e-12)  # type: ignore[operator]
    for interval in (found.stdev_ci, found.stdev_ci_acl2022, found.cv_ci, found.cv_ci_vangel):
        assert interval is None or all(limit is None or math.isfinite(limit) for limit in interval)


@pytest.mark.parametrize("values", [[1, None], [1, [2]], ["x", 2]])
def test_what_is_no_number_is_refused(values: list[Any]) -> None:
    with pytest.raises(DataError, match="expected values that are finite numbers"):
        cv_star(values)


def test_a_whole_number_that_no_float_can_hold_is_refused() -> None:
    with pytest.raises(DataError, match=r"expected values between -1e\+150 and 1e\+150, found one far beyond"):
        cv_star([10**5000, 1])


def test_the_ends_of_a_scale_may_be_texts_as_values_may() -> None:
    assert cv_star(["2", "3"], scale=("1", "7")) == cv_star([2, 3], scale=(1, 7))  # type: ignore[arg-type]


def test_a_scale_has_two_ends() -> None:
    with pytest.raises(DataError, match=r"expected a scale by its two ends, as in \(1, 7\), found 7"):
        cv_star([1, 2], scale=7)  # type: ignore[arg-type]


@pytest.mark.parametrize("scale", ["17", (math.nan, 7), (1, 7, 9), {1: 2, 7: 8}], ids=str)
def test_what_only_could_be_taken_apart_into_two_ends_is_no_scale(scale: Any) -> None:
    with pytest.raises(DataError, match=r"expected a scale by its two ends"):
        cv_star([1, 2], scale=scale)
