"""Does the rounding envelope reach exactly as far as rounding can have moved a coefficient of variation?"""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad.errors import DataError
from primad.qra.rounding import envelope, envelopes


def cv(values: np.ndarray) -> np.ndarray:
    """Return s/mean of each row."""
    return np.asarray(values.std(axis=1, ddof=1) / values.mean(axis=1))


def largest_by_force(values: list[float], halves: list[float]) -> float:
    """Return the largest s/mean over all corners of the box."""
    corners = np.array(list(itertools.product((-1.0, 1.0), repeat=len(values))))
    return float(cv(np.array(values) + corners * np.array(halves)).max())


def smallest_by_force(values: list[float], halves: list[float]) -> float:
    """Return the smallest s/mean over a fine grid of the box."""
    axes = [np.linspace(value - half, value + half, 61) for value, half in zip(values, halves, strict=True)]
    return float(cv(np.stack([axis.ravel() for axis in np.meshgrid(*axes)], axis=1)).min())


BOXES = [
    pytest.param([4.64, 5.30], [0.005, 0.005], id="two values, one width"),
    pytest.param([91.0, 96.75], [0.5, 0.005], id="two values, two widths"),
    pytest.param([1.0, 2.0, 3.0], [0.5, 0.5, 0.5], id="intervals that touch"),
    pytest.param([1.0, 1.2, 3.0], [0.5, 0.05, 0.5], id="two of three overlap"),
    pytest.param([0.9, 1.2, 1.35], [0.05, 0.5, 0.005], id="three widths"),
    pytest.param([0.1, 5.0, 5.1], [0.05, 0.5, 0.05], id="one near 0"),
]


@pytest.mark.parametrize(("values", "halves"), BOXES)
def test_the_largest_is_that_of_the_best_corner(values: list[float], halves: list[float]) -> None:
    assert envelope(values, halves)[1] == pytest.approx(largest_by_force(values, halves), rel=1e-12)


@pytest.mark.parametrize(("values", "halves"), BOXES)
def test_the_smallest_is_that_of_a_fine_grid(values: list[float], halves: list[float]) -> None:
    low = envelope(values, halves)[0]
    by_grid = smallest_by_force(values, halves)

    assert low <= by_grid + 1e-12
    assert low == pytest.approx(by_grid, rel=0.01, abs=2e-3)


@given(
    st.lists(
        st.tuples(st.integers(60, 400).map(lambda units: units / 100), st.sampled_from([0.5, 0.05, 0.005])),
        min_size=2,
        max_size=9,
    )
)
def test_no_corner_and_no_written_value_is_outside(box: list[tuple[float, float]]) -> None:
    values, halves = (list(column) for column in zip(*box, strict=True))

    low, high = envelope(values, halves)

    assert high == pytest.approx(largest_by_force(values, halves), rel=1e-9, abs=1e-12)
    assert low - 1e-12 <= float(cv(np.array([values]))[0]) <= high + 1e-12


def test_intervals_that_all_meet_could_have_been_equal() -> None:
    assert envelope([5.0, 5.4, 5.2], [0.5, 0.05, 0.25])[0] == 0.0


def test_values_that_were_not_rounded_leave_one_point() -> None:
    assert envelope([1.0, 3.0], [0.0, 0.0]) == pytest.approx((math.sqrt(2) / 2, math.sqrt(2) / 2))


def test_nothing_bounds_the_largest_where_the_mean_may_be_0() -> None:
    low, high = envelope([0.0, 0.1], [0.05, 0.05])

    assert low == pytest.approx(0.0, abs=1e-12)
    assert high == math.inf


def test_very_large_and_very_small_values_have_the_envelope_of_others() -> None:
    expected = envelope([4.64, 5.30], [0.005, 0.005])

    assert envelope([4.64e250, 5.30e250], [0.005e250, 0.005e250]) == pytest.approx(expected)
    assert envelope([4.64e-250, 5.30e-250], [0.005e-250, 0.005e-250]) == pytest.approx(expected)


def test_many_samples_at_once_have_the_envelopes_of_each_alone() -> None:
    draw = np.random.default_rng(5)
    values = draw.uniform(1, 2, (60, 6)).round(3)
    halves = draw.choice([0.05, 0.005, 0.0005], (60, 6))

    lows, highs = envelopes(values, halves)

    alone = [envelope(one, half) for one, half in zip(values, halves, strict=True)]
    assert [*zip(lows.tolist(), highs.tolist(), strict=True)] == [pytest.approx(pair) for pair in alone]


def test_with_too_many_widths_the_bound_is_above_the_largest_and_near_it() -> None:
    draw = np.random.default_rng(7)
    for _ in range(10):
        values, halves = draw.uniform(1, 2, 13), draw.uniform(0.001, 0.3, 13)

        high = envelope(values, halves)[1]

        assert len(set(halves)) == 13  # 2**13 corners: too many to look at each
        best = largest_by_force([*values], [*halves])
        assert best <= high * (1 + 1e-12)
        assert high == pytest.approx(best, rel=0.01)


def test_five_thousand_values_of_one_width_have_an_envelope() -> None:
    values = np.sort(np.random.default_rng(3).uniform(1, 2, 5000).round(2))

    low, high = envelope(values, np.full(5000, 0.005))

    thresholds = [np.where(np.arange(5000) < down, -0.005, 0.005) for down in range(0, 5001, 10)]
    best = max(float(cv((values + moves)[None, :])[0]) for moves in thresholds)
    assert low < float(cv(values[None, :])[0]) < best <= high + 1e-15
    assert high == pytest.approx(best, rel=1e-5)


@pytest.mark.parametrize(
    ("values", "halves"),
    [
        pytest.param([1.0], [0.5], id="one value"),
        pytest.param([1.0, 2.0], [0.5, -0.5], id="negative width"),
        pytest.param([-1.0, 1.0], [0.5, 0.5], id="mean 0"),
        pytest.param([math.nan, 1.0], [0.5, 0.5], id="no number"),
    ],
)
def test_what_has_no_envelope_is_refused(values: list[float], halves: list[float]) -> None:
    with pytest.raises(DataError, match="needs at least 2 values with a mean above 0"):
        envelope(values, halves)
