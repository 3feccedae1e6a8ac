"""Do the topic scores of a run stand in an order that does not depend on where they came from?"""

import numpy as np
import pytest

from primad import Rules, evaluate
from primad.errors import MeasureError
from primad.evaluation import RunScores, parse_measures
from primad.reproducibility.assessment.score_table import ScoreTable, shared_topics

QRELS = {"10": {"a": 1}, "9": {"a": 1}, "2": {"a": 1}}
RUN = {"10": {"x": 2, "a": 1}, "9": {"a": 1}}


def scored(*measures: str) -> RunScores:
    """Return the scores of the run, which lacks topic 2."""
    return evaluate(QRELS, RUN, measures).runs[0]


def test_topics_stand_in_the_order_of_their_numbers_with_a_row_for_each_measure() -> None:
    table = ScoreTable.of_run(scored("map", "P_1"), parse_measures(["map", "P_1"], 9), complete=False)

    assert (table.measures, table.topics) == (("map", "P_1"), ("9", "10"))
    assert table.values.tolist() == [[1.0, 0.5], [1.0, 0.0]]


def test_a_complete_table_has_0_for_judged_topics_that_the_run_lacks() -> None:
    table = ScoreTable.of_run(scored("map"), parse_measures(["map"], 9), complete=True)

    assert table.topics == ("2", "9", "10")
    assert table.values.tolist() == [[0.0, 1.0, 0.5]]


@pytest.mark.parametrize("compat", [9, 10])
def test_a_complete_table_has_each_topic_once_whichever_version_of_trec_eval_is_followed(compat: int) -> None:
    scores = evaluate(QRELS, RUN, ["map"], rules=Rules(compat=compat, complete=True)).runs[0]

    table = ScoreTable.of_run(scores, parse_measures(["map"], compat), complete=True)

    assert table.by_topic(0) == {"2": 0.0, "9": 1.0, "10": 0.5}
    assert len(table.topics) == 3


def test_counts_are_numbers_too() -> None:
    table = ScoreTable.of_run(scored("num_ret"), parse_measures(["num_ret"], 9), complete=False)

    assert table.values.tolist() == [[1.0, 2.0]]


@pytest.mark.parametrize("measure", ["relstring_10", "runid", "num_q", "gm_map"])
def test_a_measure_without_a_number_for_each_topic_is_refused(measure: str) -> None:
    with pytest.raises(MeasureError, match=f"measure '{measure}': it has no number for each topic"):
        ScoreTable.of_run(scored("map", measure), parse_measures(["map", measure], 9), complete=False)


@pytest.mark.parametrize(
    ("scores", "topics"),
    [
        pytest.param({"10": 0.5, "9": 0.25}, ("9", "10"), id="numbers"),
        pytest.param({"10": 0.5, "9": 0.25, "b": 1}, ("10", "9", "b"), id="texts"),
        pytest.param({"1": 0.5, "01": 0.25}, ("01", "1"), id="equal numbers"),
    ],
)
def test_scores_in_a_dict_are_ordered_as_well(scores: dict[str, float], topics: tuple[str, ...]) -> None:
    table = ScoreTable.of_dict("map", scores)

    assert (table.measures, table.topics) == (("map",), topics)
    assert table.by_topic(0) == scores
    assert list(table.by_topic(0)) == list(topics)


def test_scores_of_chosen_topics_come_in_the_order_asked_for() -> None:
    table = ScoreTable(("map", "ndcg"), ("1", "2", "3"), np.array([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]]))

    assert table.at(["3", "1"]).tolist() == [[0.3, 0.1], [0.6, 0.4]]


def test_topics_are_shared_if_all_tables_have_them() -> None:
    tables = [ScoreTable.of_dict("map", dict.fromkeys(topics, 0.5)) for topics in (["10", "9", "1"], ["9", "10"])]

    assert shared_topics(*tables) == ("9", "10")
    assert shared_topics(*tables, ScoreTable.of_dict("map", {"1": 0.5})) == ()
