"""Are pairs out of order counted right, however many lists there are and however long?"""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad.reproducibility.order.inversions import count_inversions


def counted_pair_by_pair(ranks: list[int]) -> int:
    return sum(first > second for first, second in combinations(ranks, 2))


@given(st.lists(st.integers(0, 70).flatmap(lambda length: st.permutations(range(length))), max_size=6))
def test_the_count_is_that_of_all_pairs_compared(lists: list[list[int]]) -> None:
    ranks = np.array([rank for permutation in lists for rank in permutation], dtype=np.int64)
    lengths = np.array([len(permutation) for permutation in lists], dtype=np.int64)

    assert count_inversions(ranks, lengths).tolist() == [counted_pair_by_pair(permutation) for permutation in lists]


@pytest.mark.parametrize("length", [1, 2, 31, 32, 33, 64, 65, 1000, 1024, 1025, 10_000, 300_000])
def test_a_reversed_list_has_all_pairs_out_of_order(length: int) -> None:
    counts = count_inversions(np.arange(length)[::-1], np.array([length]))

    assert counts.tolist() == [length * (length - 1) // 2]


def test_lists_do_not_mix_when_there_are_more_than_are_handled_at_a_time() -> None:
    random = np.random.default_rng(7)
    lists = [random.permutation(length).tolist() for length in random.integers(0, 80, 10_000)]
    ranks = np.array([rank for permutation in lists for rank in permutation])
    some = range(0, len(lists), 97)

    counts = count_inversions(ranks, np.array([len(permutation) for permutation in lists]))

    assert counts[list(some)].tolist() == [counted_pair_by_pair(lists[number]) for number in some]
