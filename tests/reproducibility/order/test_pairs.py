"""Are two runs matched topic by topic and document by document?"""

import numpy as np
from hypothesis import given

from primad.reproducibility.order import RankingPair, overlap, tau_union
from tests.reproducibility.order.making import Nested, experiments, pair_of, rankings
from tests.reproducibility.order.reference import ranked


def test_runs_without_a_common_topic_have_no_value_and_no_error() -> None:
    pair = pair_of({"1": {"a": 1}}, {"2": {"a": 1}})

    assert pair.topics == ()
    assert overlap(pair).tolist() == []


def test_topics_that_one_run_lacks_are_left_out() -> None:
    pair = pair_of({"1": {"a": 1}, "30": {"a": 1}, "4": {"a": 1}}, {"1": {"a": 1}, "2": {"a": 1}})

    assert pair.topics == pair.original.topics == pair.reproduction.topics == ("1",)


@given(experiments(ties=True))
def test_shared_documents_are_found_with_both_positions(drawn: tuple[Nested, Nested]) -> None:
    original, reproduction = drawn
    pair = RankingPair.of(rankings(original), rankings(reproduction))
    expected = [
        (number, ranked(original[topic]).index(document), position)
        for number, topic in enumerate(pair.topics)
        for position, document in enumerate(ranked(reproduction[topic]))
        if document in original[topic]
    ]

    assert list(zip(*(column.tolist() for column in pair.shared), strict=True)) == expected


def test_documents_meet_at_the_deeper_of_their_two_ranks() -> None:
    pair = pair_of({"1": {"a": 9, "b": 8, "c": 7}}, {"1": {"b": 9, "a": 8, "x": 7, "c": 6}})

    # b is second and first, a first and second, c third and fourth.
    assert pair.met_at.tolist() == [2, 2, 4]


def test_discordant_pairs_are_counted_topic_by_topic_among_shared_documents() -> None:
    original = {"1": {"a": 9, "b": 8, "c": 7}, "2": {"x": 9, "a": 8, "b": 7, "c": 6}}
    reproduction = {"1": {"b": 9, "a": 8, "c": 7}, "2": {"c": 9, "b": 8, "y": 7, "a": 6}}

    assert pair_of(original, reproduction).discordant.tolist() == [1, 3]


def test_a_part_ends_where_the_longer_lists_reach_so_many_rows() -> None:
    short, long = {"a": 9}, {"x": 9, "a": 8, "y": 7}
    pair = pair_of({"1": short, "2": long, "3": short, "4": short}, {"1": long, "2": short, "3": long, "4": long})

    parts = list(pair.parts(6))

    # The longer lists end at rows 3, 6, 9 and 12.
    assert [part.topics for part in parts] == [("1",), ("2", "3"), ("4",)]
    assert [part.shared.topic.tolist() for part in parts] == [[0], [0, 1], [0]]
    assert [part.shared.original.tolist() for part in parts] == [[0], [1, 0], [0]]
    assert [part.shared.reproduction.tolist() for part in parts] == [[1], [0, 1], [1]]


@given(experiments(ties=True))
def test_parts_of_a_pair_are_the_pair(drawn: tuple[Nested, Nested]) -> None:
    pair = pair_of(*drawn)

    parts = list(pair.parts(10))

    assert sum((part.topics for part in parts), ()) == pair.topics
    assert np.concatenate([overlap(part) for part in parts]).tolist() == overlap(pair).tolist()


def test_a_run_prepared_once_serves_many_comparisons() -> None:
    original = rankings({"1": {"a": 3, "b": 2, "c": 1}})
    reproductions = [{"1": {"a": 3, "b": 2, "c": 1}}, {"1": {"c": 3, "b": 2, "a": 1}}, {"2": {"a": 1}}]

    values = [tau_union(RankingPair.of(original, rankings(run))).tolist() for run in reproductions]

    assert values == [[1.0], [-1.0], []]
