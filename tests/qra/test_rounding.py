"""Does the rounding envelope reach exactly as far as rounding can have moved a coefficient of variation?"""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad.errors import DataError
from primad.qra import rounding
from primad.qra.rounding import MOST_CORNERS, envelope, envelopes


def cv(values: np.ndarray) -> np.ndarray:
    """Return s/mean of each row that has a mean above 0."""
    some = values[values.mean(axis=1) > 0]
    return np.asarray(some.std(axis=1, ddof=1) / some.mean(axis=1))


def ranges(values: list[float], halves: list[float], highest: float = math.inf) -> list[tuple[float, float]]:
    """Return from where to where each value can have been, on a scale from 0 to HIGHEST."""
    return [(max(one - half, 0.0), min(one + half, highest)) for one, half in zip(values, halves, strict=True)]


def largest_by_force(values: list[float], halves: list[float], highest: float = math.inf) -> float:
    """Return the largest s/mean over all corners of the box."""
    return float(cv(np.array(list(itertools.product(*ranges(values, halves, highest))))).max())


def smallest_by_force(values: list[float], halves: list[float], highest: float = math.inf) -> float:
    """Return the smallest s/mean over a fine grid of the box."""
    axes = [np.linspace(low, high, 61) for low, high in ranges(values, halves, highest)]
    return float(cv(np.stack([axis.ravel() for axis in np.meshgrid(*axes)], axis=1)).min())


BOXES = [
    pytest.param([4.64, 5.30], [0.005, 0.005], math.inf, id="two values, one width"),
    pytest.param([91.0, 96.75], [0.5, 0.005], 100.0, id="two values, two widths"),
    pytest.param([1.0, 2.0, 3.0], [0.5, 0.5, 0.5], math.inf, id="ranges that touch"),
    pytest.param([1.0, 1.2, 3.0], [0.5, 0.05, 0.5], math.inf, id="two of three overlap"),
    pytest.param([0.9, 1.2, 1.35], [0.05, 0.5, 0.005], math.inf, id="three widths"),
    pytest.param([0.1, 5.0, 5.1], [0.05, 0.5, 0.05], math.inf, id="one near 0"),
    pytest.param([0.0, 1.0], [0.5, 0.5], 10.0, id="one at the start of the scale"),
    pytest.param([0.0, 1.0, 1.0], [0.5, 0.5, 0.5], 1.0, id="all at the ends of the scale"),
    pytest.param([100.0, 99.0], [0.5, 0.5], 100.0, id="one at the end of the scale"),
    pytest.param([9.0, 9.6, 2.0], [0.5, 0.5, 0.5], 9.8, id="an end within the half-width"),
    pytest.param([0.2, 0.3, 4.0], [0.5, 0.5, 0.5], 4.3, id="three widths by both ends"),
]


@pytest.mark.parametrize(("values", "halves", "highest"), BOXES)
def test_the_largest_is_that_of_the_best_corner(values: list[float], halves: list[float], highest: float) -> None:
    expected = largest_by_force(values, halves, highest)

    assert envelope(values, halves, highest)[1] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("values", "halves", "highest"), BOXES)
def test_the_smallest_is_that_of_a_fine_grid(values: list[float], halves: list[float], highest: float) -> None:
    low = envelope(values, halves, highest)[0]
    by_grid = smallest_by_force(values, halves, highest)

    assert low <= by_grid + 1e-12
    assert low == pytest.approx(by_grid, rel=0.01, abs=2e-3)


@given(
    st.lists(
        st.tuples(st.integers(0, 400).map(lambda units: units / 100), st.sampled_from([0.5, 0.05, 0.005])),
        min_size=2,
        max_size=9,
    ).filter(lambda box: any(value for value, _ in box)),
    st.sampled_from([4.0, 4.2, math.inf]),
)
def test_no_corner_and_no_written_value_is_outside(box: list[tuple[float, float]], highest: float) -> None:
    values, halves = (list(column) for column in zip(*box, strict=True))

    low, high = envelope(values, halves, highest)

    assert high == pytest.approx(largest_by_force(values, halves, highest), rel=1e-9, abs=1e-12)
    assert low - 1e-12 <= float(cv(np.array([values]))[0]) <= high + 1e-12


def test_intervals_that_all_meet_could_have_been_equal() -> None:
    assert envelope([5.0, 5.4, 5.2], [0.5, 0.05, 0.25])[0] == 0.0


def test_values_that_were_not_rounded_leave_one_point() -> None:
    assert envelope([1.0, 3.0], [0.0, 0.0]) == pytest.approx((math.sqrt(2) / 2, math.sqrt(2) / 2))


def test_no_value_is_taken_to_have_been_below_0() -> None:
    low, high = envelope([0.0, 1.0], [0.5, 0.5])

    assert low == 0.0  # both .5
    assert high == pytest.approx(math.sqrt(2), rel=1e-15)  # 0 and anything


def test_no_value_is_taken_to_have_been_above_the_end_of_the_scale() -> None:
    low, high = envelope([100.0, 98.0], [0.5, 0.5], 100.0)

    assert low == pytest.approx(1 / math.sqrt(2) / 99, rel=1e-12)  # 99.5 and 98.5
    assert high == pytest.approx(2.5 / math.sqrt(2) / 98.75, rel=1e-12)  # 100 and 97.5


def test_values_that_all_may_have_been_0_have_the_largest_ratio_there_is() -> None:
    assert envelope([0.0, 0.1, 0.2], [0.5, 0.5, 0.5]) == pytest.approx((0.0, math.sqrt(3)), rel=1e-15)


def test_a_range_far_wider_than_the_values_hides_no_digit_of_theirs() -> None:
    low, high = envelope([0.0, 1e-9, 3e-9], [0.5, 0.0, 0.0])

    # T is (1 + 9)/(1 + 3) in units of 1e-9, and the value in the wide range there.
    assert low == pytest.approx(float(cv(np.array([[1.0, 2.5, 3.0]]))[0]), rel=1e-12)
    assert high == pytest.approx(largest_by_force([0.0, 1e-9, 3e-9], [0.5, 0.0, 0.0]), rel=1e-12)


@pytest.mark.parametrize(
    ("values", "halves", "expected"),
    [
        pytest.param([5e-324, 5e-324], [0.0, 0.0], (0.0, 0.0), id="smallest numbers"),
        pytest.param([0.0, 5e-324], [0.0, 0.0], (math.sqrt(2), math.sqrt(2)), id="smallest number and 0"),
        pytest.param([0.0, 5e-324], [0.5, 0.0], (0.0, math.sqrt(2)), id="a half-width beyond comparison"),
        pytest.param([0.0, 5e-324, 1e-323], [0.5, 0.0, 0.0], (math.sqrt(3 / 28), math.sqrt(3)), id="three such values"),
        pytest.param([1e-310, 3e-310], [0.0, 0.0], (math.sqrt(0.5), math.sqrt(0.5)), id="subnormal"),
        pytest.param([1e300, 5e-324], [1e300, 5e-324], (0.0, math.sqrt(2)), id="largest and smallest"),
    ],
)
def test_numbers_at_the_ends_of_what_a_float_holds_have_an_envelope(
    values: list[float], halves: list[float], expected: tuple[float, float]
) -> None:
    assert envelope(values, halves) == pytest.approx(expected, rel=1e-9)


def test_very_large_and_very_small_values_have_the_envelope_of_others() -> None:
    expected = envelope([4.64, 5.30], [0.005, 0.005])

    assert envelope([4.64e250, 5.30e250], [0.005e250, 0.005e250]) == pytest.approx(expected)
    assert envelope([4.64e-250, 5.30e-250], [0.005e-250, 0.005e-250]) == pytest.approx(expected)


def test_many_samples_at_once_have_the_envelopes_of_each_alone() -> None:
    draw = np.random.default_rng(5)
    values = draw.uniform(1, 2, (60, 6)).round(3)
    halves = draw.choice([0.05, 0.005, 0.0005], (60, 6))
    ends = draw.uniform(2, 2.001, 60)

    lows, highs = envelopes(values, halves, ends)

    alone = [envelope(*row) for row in zip(values, halves, ends, strict=True)]
    assert [*zip(lows.tolist(), highs.tolist(), strict=True)] == [pytest.approx(pair) for pair in alone]


def test_with_too_many_widths_the_bound_is_above_the_largest_and_near_it() -> None:
    draw = np.random.default_rng(7)
    for _ in range(10):
        values, halves = draw.uniform(1, 2, 15), draw.uniform(0.001, 0.3, 15)

        high = envelope(values, halves)[1]

        assert len(set(halves)) == 15  # 2**15 corners: too many to look at each
        assert MOST_CORNERS < 2**15
        best = largest_by_force([*values], [*halves])
        assert best <= high * (1 + 1e-12)
        assert high == pytest.approx(best, rel=0.01)


def test_fourteen_widths_have_just_so_few_corners_that_each_is_looked_at() -> None:
    draw = np.random.default_rng(7)
    values, halves = draw.uniform(1, 2, 14), draw.uniform(0.001, 0.3, 14)

    assert MOST_CORNERS == 2**14
    assert envelope(values, halves)[1] == pytest.approx(largest_by_force([*values], [*halves]), rel=1e-12)


def test_values_that_share_a_width_have_few_corners_though_another_has_its_own() -> None:
    values, halves = [1.3, *np.linspace(1.0, 1.8, 14)], [0.01, *[0.2] * 14]

    assert envelope(values, halves)[1] == pytest.approx(largest_by_force(values, halves), rel=1e-12)


@pytest.mark.parametrize(
    ("values", "halves", "expected"),
    [
        # T is the centre 3 of the wide range, from where its ends are 1 away and the other value 1.5 or 2.6 at most.
        pytest.param([2.0, 3.0], [0.5, 1.0], math.sqrt(26 / 59), id="near"),
        pytest.param([0.5, 3.0], [0.1, 1.0], math.sqrt(97 / 64), id="far"),
    ],
)
def test_with_too_many_corners_the_bound_stands_in_for_the_largest(
    values: list[float], halves: list[float], expected: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    exact = envelope(values, halves)[1]
    monkeypatch.setattr(rounding, "MOST_CORNERS", 3)

    bound = envelope(values, halves)[1]

    assert bound == pytest.approx(expected, rel=1e-12)
    assert exact < bound * 0.99


def test_samples_too_large_to_be_looked_at_together_have_the_envelopes_they_have(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    values = np.random.default_rng(2).uniform(1, 2, (5, 4)).round(2)
    expected = [largest_by_force([*row], [0.005] * 4) for row in values]
    monkeypatch.setattr(rounding, "_AT_ONCE", 1)

    assert envelopes(values, 0.005)[1].tolist() == pytest.approx(expected, rel=1e-12)


def test_the_bound_is_no_larger_than_any_ratio_can_be() -> None:
    values = np.linspace(0.01, 0.1, 15)

    assert envelope(values, np.linspace(0.2, 0.3, 15))[1] == pytest.approx(math.sqrt(15), rel=1e-12)


def test_five_thousand_values_of_one_width_have_an_envelope() -> None:
    values = np.sort(np.random.default_rng(3).uniform(1, 2, 5000).round(2))

    low, high = envelope(values, np.full(5000, 0.005))

    thresholds = [np.where(np.arange(5000) < down, -0.005, 0.005) for down in range(0, 5001, 10)]
    best = max(float(cv((values + moves)[None, :])[0]) for moves in thresholds)
    assert low < float(cv(values[None, :])[0]) < best <= high + 1e-15
    assert high == pytest.approx(best, rel=1e-5)


def test_one_width_has_each_corner_looked_at_however_many_values_there_are() -> None:
    values = np.repeat([1.0, 3.0], 8200)
    up = np.arange(8201)  # so many of the threes at 3.5, the others at 2.5, and all ones at .5
    mean, square = (0.5 * 8200 + 2.5 * 8200 + up) / 16400, (0.25 * 8200 + 6.25 * 8200 + 6 * up) / 16400
    best = np.sqrt((square / mean**2 - 1) * 16400 / 16399).max()

    assert envelope(values, np.full(16400, 0.5))[1] == pytest.approx(best, rel=1e-12)


@pytest.mark.parametrize(
    ("values", "halves", "need"),
    [
        pytest.param([1.0], [0.5], "at least 2 values with a mean above 0", id="one value"),
        pytest.param([0.0, 0.0], [0.5, 0.5], "at least 2 values with a mean above 0", id="mean 0"),
        pytest.param([math.nan, 1.0], [0.5, 0.5], "at least 2 values with a mean above 0", id="no number"),
        pytest.param([-1.0, 2.0], [0.5, 0.5], "values from 0 to the end of their scale", id="below the scale"),
        pytest.param([1.0, 8.0], [0.5, 0.5], "values from 0 to the end of their scale", id="above the scale"),
        pytest.param([1.0, 2.0], [0.5, -0.5], "half-widths from 0 to", id="negative width"),
        pytest.param([1.0, 2.0], [0.5, math.nan], "half-widths from 0 to", id="width that is no number"),
        pytest.param([1.0, 2.0], [0.5, math.inf], "half-widths from 0 to", id="width without end"),
    ],
)
def test_what_has_no_envelope_is_refused(values: list[float], halves: list[float], need: str) -> None:
    with pytest.raises(DataError, match=f"a rounding envelope needs {need}"):
        envelope(values, halves, 7.0)


def test_one_sample_without_a_mean_above_0_is_refused_among_others() -> None:
    with pytest.raises(DataError, match="a mean above 0"):
        envelopes([[1.0, 2.0], [0.0, 0.0]], 0.5)


@pytest.mark.parametrize("value", [math.inf, 1e301])
def test_values_too_large_to_compute_with_have_no_envelope(value: float) -> None:
    with pytest.raises(DataError, match=r"at most 1e\+300"):
        envelope([1.0, value], [0.5, 0.5])


def test_ranges_that_only_touch_have_no_spread_at_least() -> None:
    low, _ = envelope([84.5, 84.6], [0.05, 0.05])

    assert low == 0


def test_equal_values_have_exactly_no_spread_though_their_mean_is_rounded() -> None:
    assert np.std([0.1, 0.1, 0.1]) > 0
    assert envelope([0.1, 0.1, 0.1], [0.0, 0.0, 0.0])[0] == 0
