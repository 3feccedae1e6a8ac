"""Is the share of common documents right, over whole lists and at each depth?"""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad.errors import MeasureError
from primad.reproducibility.order import overlap, overlap_by_depth
from tests.reproducibility.order.making import Nested, by_topic, experiments, pair_of, scored, value
from tests.reproducibility.order.reference import ranked, shared_within


@pytest.mark.parametrize(
    ("original", "reproduction", "expected"),
    [
        pytest.param("a b c", "c b a", 1, id="the same in another order"),
        pytest.param("a b c", "a b d", 1 / 2, id="two of four"),
        pytest.param("a b", "a b c d", 1 / 2, id="unequal lengths"),
        pytest.param("a", "b", 0, id="nothing"),
    ],
)
def test_overlap_is_the_share_of_all_documents(original: str, reproduction: str, expected: float) -> None:
    assert value(overlap, original, reproduction) == expected


@given(experiments(ties=True), st.lists(st.integers(1, 16), max_size=5))
def test_overlap_by_depth_is_that_of_the_tops(drawn: tuple[Nested, Nested], depths: list[int]) -> None:
    original, reproduction = drawn
    pair = pair_of(original, reproduction)
    expected = []
    for topic in pair.topics:
        first, second = ranked(original[topic]), ranked(reproduction[topic])
        longest = max(len(first), len(second))
        expected.append([shared_within(first, second, d) / d if d <= longest else math.nan for d in depths])

    shares = overlap_by_depth(pair, depths)

    assert shares.shape == (len(pair.topics), len(depths))
    assert shares.tolist() == [pytest.approx(row, nan_ok=True) for row in expected]


def test_two_equal_short_lists_do_not_seem_to_differ_below_their_end() -> None:
    shares = overlap_by_depth(pair_of({"1": scored("a b")}, {"1": scored("a b")}), [1, 2, 3])

    assert shares.tolist() == [pytest.approx([1, 1, math.nan], nan_ok=True)]


def test_a_list_that_ends_early_shares_less_below_its_end() -> None:
    shares = overlap_by_depth(pair_of({"1": scored("a b c d")}, {"1": scored("a b")}), [4, 2])

    assert shares.tolist() == [[0.5, 1.0]]


def test_each_topic_has_shares_of_its_own() -> None:
    original = {topic: scored("a b c d") for topic in "123"}
    reproduction = {"1": scored("a b c d"), "2": scored("b a c d"), "3": scored("w x y a")}

    shares = overlap_by_depth(pair_of(original, reproduction), [1, 2, 4])

    assert shares.tolist() == [[1.0, 1.0, 1.0], [0.0, 1.0, 1.0], [0.0, 0.0, 0.25]]


def test_a_depth_of_nothing_is_refused() -> None:
    with pytest.raises(MeasureError, match="expected a depth from 1 to 1,000,000, found 0"):
        overlap_by_depth(pair_of({"1": {"a": 1}}, {"1": {"a": 1}}), [10, 0])


def test_every_topic_has_a_value() -> None:
    pair = pair_of({"1": {"a": 1}, "2": {"a": 1}, "3": {"c": 1}}, {"1": {"b": 1}, "2": {"a": 1}, "3": {"d": 1}})

    assert by_topic(overlap, pair) == {"1": 0, "2": 1, "3": 0}
