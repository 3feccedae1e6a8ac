"""Relevance levels are counted whatever their number."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from primad import Qrels, Run, evaluate
from primad.evaluation.levels import Levels


def test_documents_are_counted_from_a_level_on() -> None:
    levels = Levels(np.array([0, 0, 1, 1]), np.array([2, -1, 0, 7]), size=3)

    assert [levels.count_from(level).tolist() for level in (0, 1, 3, 8)] == [[1, 2, 0], [1, 1, 0], [0, 1, 0], [0, 0, 0]]


def test_the_highest_gain_is_that_of_the_topic() -> None:
    levels = Levels(np.array([0, 0, 1]), np.array([1, 3, 1]), size=3)

    assert levels.highest_gain((("1", 9.0),)).tolist() == [9.0, 9.0, 0.0]


@pytest.mark.parametrize("measure", ["map", "ndcg", "G", "Rndcg", "ndcg_rel"])
def test_as_many_levels_as_topics_need_no_memory_for_each_pair(measure: str) -> None:
    topics = [str(number) for number in range(6000)]
    qrels = Qrels.from_dict({topic: {"a": number + 1} for number, topic in enumerate(topics)})
    run = Run.from_dict({topic: {"a": 1.0} for topic in topics})

    tracemalloc.start()
    result = evaluate(qrels, run, [measure])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert result.runs[0].summary == {measure: 1.0}
    assert peak < 100_000_000  # for each pair it would be 288 MB
