"""Is ktu what repro_eval 0.5.0 computes, and undefined where that fails?

Values of repro_eval itself are in test_repro_eval.py.
"""

import math

import pytest
from hypothesis import given

from primad.reproducibility.order import ktu
from tests.reproducibility.order.making import Nested, by_topic, experiments, pair_of, turned_around, value
from tests.reproducibility.order.reference import ktu as slow_ktu
from tests.reproducibility.order.reference import ranked


@pytest.mark.parametrize(
    ("original", "reproduction", "expected"),
    [
        pytest.param("d1 d2 d3", "d1 d2 d4", 1, id="another last document"),
        pytest.param("d1 d2 d3", "d2 d5 d3", 1 / 3, id="one document shared in place"),
        pytest.param("c a b", "a e b", -1, id="the same under other names"),
        pytest.param("d1 d2 d3", "d4 d5 d6", 1, id="nothing shared"),
        pytest.param("d1 d2", "d1 d2 d3", math.nan, id="unequal lengths"),
        pytest.param("d1", "d1", math.nan, id="one document"),
    ],
)
def test_names_at_the_same_position_are_compared(original: str, reproduction: str, expected: float) -> None:
    assert value(ktu, original, reproduction) == pytest.approx(expected, nan_ok=True)


@given(experiments(ties=True))
def test_the_value_is_that_of_the_definition(drawn: tuple[Nested, Nested]) -> None:
    original, reproduction = drawn
    pair = pair_of(original, reproduction)

    expected = {topic: slow_ktu(ranked(original[topic]), ranked(reproduction[topic])) for topic in pair.topics}

    assert by_topic(ktu, pair) == pytest.approx(expected, abs=1e-12, nan_ok=True)


@given(experiments(ties=True))
def test_the_order_of_lines_and_topics_does_not_matter(drawn: tuple[Nested, Nested]) -> None:
    original, reproduction = drawn

    others = pair_of(turned_around(original), turned_around(reproduction))

    assert by_topic(ktu, others) == pytest.approx(by_topic(ktu, pair_of(original, reproduction)), nan_ok=True)


def test_values_are_rounded_to_fourteen_digits_as_repro_eval_rounds_them() -> None:
    assert value(ktu, "d1 d2 d3", "d2 d5 d3") == 0.33333333333333


def test_lists_are_cut_after_a_thousand_documents_as_repro_eval_cuts_them() -> None:
    documents = [f"d{number:04d}" for number in range(1200)]
    other_below = documents[:1000] + documents[1100:][::-1]

    swapped = [*documents[:998], documents[999], documents[998]]

    assert value(ktu, documents, other_below) == 1
    assert value(ktu, documents, documents[:1000]) == 1
    assert value(ktu, documents, swapped) == pytest.approx(1 - 4 / (1000 * 999), abs=1e-13)


def test_lists_of_equal_length_have_values_beside_others_that_have_none() -> None:
    original = {"1": {"a": 2, "b": 1}, "2": {"a": 2, "b": 1}, "3": {"a": 1}, "4": {"a": 3, "b": 2, "c": 1}}
    reproduction = {"1": {"b": 2, "a": 1}, "2": {"a": 1}, "3": {"a": 1}, "4": {"a": 3, "b": 1, "c": 2}}

    values = by_topic(ktu, pair_of(original, reproduction))

    assert values == pytest.approx({"1": -1, "2": math.nan, "3": math.nan, "4": 1 / 3}, nan_ok=True)
