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
