"""Are values read as they were written, with the digits that were written?"""

import math
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad.errors import DataError
from primad.qra.measurement import Measurement, Scale, half_step, number_of, where


@pytest.mark.parametrize(
    ("text", "number"),
    [
        pytest.param("84.50", 84.5, id="trailing zero"),
        pytest.param(" 91 % ", 91.0, id="percent"),
        pytest.param("-.5", -0.5, id="no digit before the point"),
        pytest.param("1.5e-3", 0.0015, id="exponent"),
        pytest.param("+7", 7.0, id="sign"),
    ],
)
def test_a_number_is_read_whichever_way_it_is_written(text: str, number: float) -> None:
    assert number_of(text) == number


@pytest.mark.parametrize(
    "text", ["", " ", "nan", "inf", "-Infinity", "n/a", "12,5", "1_000", "0x10", "5 points", "1e999", "%", "1" * 50]
)
def test_what_is_no_finite_number_is_none(text: str) -> None:
    assert number_of(text) is None


@pytest.mark.parametrize(
    ("text", "half"),
    [("6.30", 0.005), ("6.3", 0.05), ("97%", 0.5), ("0.428", 0.0005), ("1.20e2", 0.5), ("120", 0.5)],
)
def test_the_digits_that_were_written_say_how_exactly_a_value_is_known(text: str, half: float) -> None:
    assert half_step(text) == pytest.approx(half, rel=1e-12)


@given(st.integers(-(10**6), 10**6), st.integers(0, 6))
def test_rounding_to_the_written_digits_moves_a_number_by_half_a_step_at_most(number: int, digits: int) -> None:
    exact = number / 7
    text = f"{exact:.{digits}f}"

    assert abs(float(text) - exact) <= half_step(text) * (1 + 1e-9)


def test_a_scale_without_bounds_holds_everything() -> None:
    assert -5.0 in Scale()
    assert 5.0 in Scale(low=5.0)
    assert 4.9 not in Scale(low=5.0)
    assert 7.1 not in Scale(1.0, 7.0)
    assert str(Scale(1.0)) == "1 to ?"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param(84.5, "84.5", id="a float"),
        pytest.param(7, "7", id="a whole number"),
        pytest.param(1e-7, "1e-07", id="a small one"),
        pytest.param(Decimal("84.50"), "84.50", id="a decimal"),
        pytest.param(np.float64(0.1), "0.1", id="numpy"),
        pytest.param(np.float32(0.1), "0.1", id="numpy, short"),
        pytest.param(np.int64(3), "3", id="numpy, whole"),
    ],
)
def test_a_number_of_python_is_written_out(value: Any, text: str) -> None:
    one = Measurement(object="a", measurand="b", value=value)

    assert (one.value, one.number) == (text, float(text))


@pytest.mark.parametrize(("value", "kind"), [(None, "NoneType"), (True, "bool"), ([1], "list"), (1j, "complex")])
def test_a_value_of_another_type_is_refused(value: Any, kind: str) -> None:
    with pytest.raises(DataError) as raised:
        Measurement(object="a", measurand="b", value=value)

    assert str(raised.value) == f"expected a text or a number as value, found one of type '{kind}'"


def test_a_value_that_is_no_number_is_not_a_number() -> None:
    assert math.isnan(Measurement(object="a", measurand="b", value="n/a").number)


def test_a_measurement_says_where_it_stands() -> None:
    there = Measurement(object="A", measurand="BLEU", value="1.0", file="m.csv", line=3)
    nowhere = Measurement(object="A", measurand="BLEU", value="1.0")

    assert where(there) == "m.csv:3"
    assert where(nowhere) == "A, BLEU, 1.0"
