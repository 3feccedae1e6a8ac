"""Can the result of an evaluation be handed on in the forms people work with?"""

import json

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from primad import Evaluation, Run, evaluate
from primad.reports.evaluation import render

QRELS = {"1": {"a": 1}, "2": {"a": 1}}
FIRST = Run.from_dict({"1": {"a": 2.0, "x": 1.0}, "2": {"x": 2.0, "a": 1.0}}, tag="bm25")
SECOND = Run.from_dict({"1": {"a": 2.0}, "2": {"a": 1.0}}, tag="rm3")


@pytest.fixture
def result() -> Evaluation:
    return evaluate(QRELS, {"one.run": FIRST, "two.run": SECOND}, ["map", "num_ret", "relstring", "num_q"])


def test_to_dict_has_names_tags_summaries_and_topics(result: Evaluation) -> None:
    assert result.to_dict() == {
        "schema": "primad.evaluate/1",
        "qrels": "qrels",
        "rules": {
            "compat": 9,
            "level": 1,
            "depth": None,
            "judged_only": False,
            "complete": False,
            "collection_size": 0,
        },
        "runs": [
            {
                "path": "one.run",
                "tag": "bm25",
                "summary": {"map": 0.75, "num_ret": 4, "num_q": 2},
                "missing": [],
                "unjudged": [],
                "topics": {
                    "1": {"map": 1.0, "num_ret": 2, "relstring": "1-"},
                    "2": {"map": 0.5, "num_ret": 2, "relstring": "-1"},
                },
            },
            {
                "path": "two.run",
                "tag": "rm3",
                "summary": {"map": 1.0, "num_ret": 2, "num_q": 2},
                "missing": [],
                "unjudged": [],
                "topics": {
                    "1": {"map": 1.0, "num_ret": 1, "relstring": "1"},
                    "2": {"map": 1.0, "num_ret": 1, "relstring": "1"},
                },
            },
        ],
    }


@pytest.mark.parametrize("per_topic", [True, False])
def test_json_is_to_dict_written_down(result: Evaluation, *, per_topic: bool) -> None:
    assert json.loads(render(result, "json", per_topic=per_topic)) == result.to_dict(per_topic=per_topic)


def test_to_dict_has_extremes_over_ties_if_asked_for() -> None:
    tied = evaluate(QRELS, {"1": {"a": 1.0, "x": 1.0}, "2": {"a": 1.0}}, ["map"], ties=True)

    assert tied.to_dict(per_topic=False)["runs"] == [
        {
            "path": "run 1",
            "tag": "",
            "summary": {"map": 0.75},
            "missing": [],
            "unjudged": [],
            "ties": {"map": {"lowest": 0.75, "highest": 1.0}},
        }
    ]


def test_to_polars_has_a_row_per_run_topic_and_number(result: Evaluation) -> None:
    expected = pl.DataFrame(
        [
            ("one.run", "bm25", "1", "map", 1.0),
            ("one.run", "bm25", "1", "num_ret", 2.0),
            ("one.run", "bm25", "2", "map", 0.5),
            ("one.run", "bm25", "2", "num_ret", 2.0),
            ("two.run", "rm3", "1", "map", 1.0),
            ("two.run", "rm3", "1", "num_ret", 1.0),
            ("two.run", "rm3", "2", "map", 1.0),
            ("two.run", "rm3", "2", "num_ret", 1.0),
        ],
        schema=["run", "tag", "topic", "measure", "score"],
        orient="row",
    )

    assert_frame_equal(result.to_polars(), expected)


def test_to_polars_without_topics_has_a_row_per_run_and_measure(result: Evaluation) -> None:
    expected = pl.DataFrame(
        [
            ("one.run", "bm25", "map", 0.75),
            ("one.run", "bm25", "num_ret", 4.0),
            ("one.run", "bm25", "num_q", 2.0),
            ("two.run", "rm3", "map", 1.0),
            ("two.run", "rm3", "num_ret", 2.0),
            ("two.run", "rm3", "num_q", 2.0),
        ],
        schema=["run", "tag", "measure", "score"],
        orient="row",
    )

    assert_frame_equal(result.to_polars(per_topic=False), expected)


def test_the_table_has_a_row_per_run_and_a_column_per_measure() -> None:
    result = evaluate(QRELS, {"one.run": FIRST, "two.run": SECOND}, ["map", "num_ret"])

    expected = pl.DataFrame({"run": ["one.run", "two.run"], "map": [0.75, 1.0], "num_ret": [4, 2]})
    assert_frame_equal(result.table(), expected)


def test_the_text_of_a_result_is_the_table_with_four_decimals() -> None:
    result = evaluate(QRELS, {"one.run": FIRST}, ["map", "num_ret"])

    assert repr(result) == (
        "┌─────────┬────────┬─────────┐\n"
        "│ run     ┆ map    ┆ num_ret │\n"
        "╞═════════╪════════╪═════════╡\n"
        "│ one.run ┆ 0.7500 ┆ 4       │\n"
        "└─────────┴────────┴─────────┘"
    )


def test_the_text_of_a_result_shows_all_measures_and_the_whole_name_of_a_run() -> None:
    name = "anserini__2019-06-18__bm25.ax.and.a.longer.name.run.gz"
    measures = ["map", "P_5", "P_10", "P_20", "ndcg", "bpref", "Rprec", "recip_rank", "recall_5", "recall_10"]

    text = repr(evaluate(QRELS, {name: FIRST}, measures))

    assert [measure for measure in measures if f" {measure} " not in text] == []
    assert name in text


def test_a_notebook_shows_the_table() -> None:
    html = evaluate(QRELS, {"one.run": FIRST}, ["map"])._repr_html_()

    assert "<th>map</th>" in html
    assert "<td>0.7500</td>" in html
    assert "&quot;one.run&quot;" in html


def test_an_empty_result_has_a_text_too() -> None:
    assert repr(evaluate(QRELS, [], ["map"])) != ""


@pytest.mark.parametrize("name", [pytest.param("two.run", id="name"), pytest.param("rm3", id="tag")])
def test_a_run_is_found_by_its_name_or_tag(result: Evaluation, name: str) -> None:
    assert result[name] is result.runs[1]


def test_a_name_comes_before_the_same_tag() -> None:
    result = evaluate(QRELS, {"rm3": FIRST, "bm25": SECOND}, ["map"])

    assert result["bm25"].name == "bm25"


def test_a_run_that_is_not_there_is_a_key_error(result: Evaluation) -> None:
    with pytest.raises(KeyError, match=r"three\.run"):
        result["three.run"]


def test_a_result_goes_through_its_runs(result: Evaluation) -> None:
    assert tuple(result) == result.runs
