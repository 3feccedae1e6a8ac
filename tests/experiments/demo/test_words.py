"""Are values said so that they can be read, known or not?"""

import pytest

from primad import Value
from primad.experiments.demo.words import bounded, chance, extent, shown, widest
from primad.reproducibility.intervals import Interval


def ratio(number: float | None, interval: Interval | None = None) -> Value:
    """Return an effect ratio."""
    return Value(measure="er", level="overall effect", run="both", of="map", value=number, interval=interval)


def between(low: float | None, high: float | None) -> Interval:
    """Return an interval, of which a side may be open."""
    return Interval(low=low, high=high, method="Fieller")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param(ratio(0.123456), "0.1235", id="a number"),
        pytest.param(ratio(0.0), "0.0000", id="nothing"),
        pytest.param(ratio(None), "unknown", id="undefined"),
        pytest.param(None, "unknown", id="none"),
    ],
)
def test_a_value_is_shown_with_four_decimals(given: Value | None, expected: str) -> None:
    assert shown(given) == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param(ratio(0.926, between(0.8149, 1.031)), "0.93 [0.81, 1.03]", id="an interval"),
        pytest.param(ratio(-0.5, between(-1.0, 0.25)), "-0.50 [-1.00, 0.25]", id="below 0"),
        pytest.param(ratio(0.926), "0.93", id="no interval"),
        pytest.param(ratio(0.926, between(None, None)), "0.93 [unbounded]", id="no bounds"),
        pytest.param(ratio(0.926, between(0.5, None)), "0.93 [unbounded]", id="one bound"),
        pytest.param(ratio(None), "unknown", id="undefined"),
        pytest.param(None, "unknown", id="none"),
    ],
)
def test_a_value_is_shown_with_the_bounds_of_its_interval(given: Value | None, expected: str) -> None:
    assert bounded(given) == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (0.04999, "0.0500"),
        (0.0001, "0.0001"),
        (0.00009, "<0.0001"),
        (0.0, "<0.0001"),
        (1.0, "1.0000"),
        (None, "unknown"),
    ],
)
def test_a_small_p_value_is_never_shown_as_0(given: float | None, expected: str) -> None:
    assert chance(given) == expected


@pytest.mark.parametrize(
    ("values", "form", "expected"),
    [
        pytest.param([3, 1, 2], "{:.0f}", "1 to 3", id="several"),
        pytest.param([7], "{:.0f}", "7", id="one"),
        pytest.param([0.26, 0.34], "{:.1f}", "0.3", id="alike when rounded"),
        pytest.param([-0.004, 0.051], "{:+.3f}", "-0.004 to +0.051", id="with signs"),
    ],
)
def test_numbers_are_said_from_the_lowest_to_the_highest(values: list[float], form: str, expected: str) -> None:
    assert extent(values, form) == expected


@pytest.mark.parametrize(
    ("precisions", "expected"),
    [
        pytest.param({"b": 2.0, "a": 1.0, "c": 3.0}, "1.0 % (a) to 3.0 % (c)", id="several"),
        pytest.param({"a": 1.0}, "1.0 % (a)", id="one"),
        pytest.param({"a": 1.0, "b": None}, "1.0 % (a)", id="one that is known"),
        pytest.param({"b": 1.0, "a": 1.0}, "1.0 % (a) to 1.0 % (b)", id="equal"),
        pytest.param({"a": None}, "unknown size", id="none that is known"),
        pytest.param({}, "unknown size", id="none"),
    ],
)
def test_percentages_are_said_with_what_has_them(precisions: dict[str, float | None], expected: str) -> None:
    assert widest(precisions) == expected
