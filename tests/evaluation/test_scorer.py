"""Does evaluate take runs and qrels in whatever form people have them, and one at a time or several?"""

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ir_measures
import pandas as pd
import polars as pl
import pytest

from primad import Evaluation, PrimadError, Qrels, Rules, Run, RunScores, evaluate, read_qrels, read_run
from primad.errors import DataError, FileError, FormatError, UnknownMeasure
from primad.evaluation import evaluate_each, parse_measures

QRELS_TEXT = b"1 0 a 1\n1 0 n 0\n2 0 a 1\n"
RUN_TEXT = b"1 Q0 n 1 2.0 bm25\n1 Q0 a 2 1.0 bm25\n2 Q0 a 1 1.0 bm25\n"
QRELS = {"1": {"a": 1, "n": 0}, "2": {"a": 1}}
RUN = {"1": {"n": 2.0, "a": 1.0}, "2": {"a": 1.0}}
ROWS = [("1", "n", 2.0), ("1", "a", 1.0), ("2", "a", 1.0)]
JUDGMENTS = [("1", "a", 1), ("1", "n", 0), ("2", "a", 1)]
EXPECTED = {"recip_rank": 0.75}


def summary(qrels: Any, runs: Any, **options: Any) -> dict[str, float]:
    (run,) = evaluate(qrels, runs, ["recip_rank"], **options)
    return dict(run.summary)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qrels").write_bytes(QRELS_TEXT)
    (tmp_path / "run").write_bytes(RUN_TEXT)
    (tmp_path / "run.gz").write_bytes(gzip.compress(RUN_TEXT))
    (tmp_path / "bad").write_bytes(b"1 Q0 a 1\n")
    return tmp_path


@pytest.mark.parametrize("name", ["run", "run.gz"])
@pytest.mark.parametrize("kind", [pytest.param(str, id="str"), pytest.param(Path, id="Path")])
def test_qrels_and_runs_may_be_paths(folder: Path, name: str, kind: Callable[[Path], Any]) -> None:
    result = evaluate(kind(folder / "qrels"), kind(folder / name), ["recip_rank"])

    assert result.qrels == str(folder / "qrels")
    assert [(run.name, run.tag, dict(run.summary)) for run in result] == [(str(folder / name), "bm25", EXPECTED)]


@pytest.mark.parametrize(
    "run",
    [
        pytest.param(RUN_TEXT, id="bytes"),
        pytest.param(gzip.compress(RUN_TEXT), id="packed bytes"),
        pytest.param(read_run(RUN_TEXT), id="Run"),
        pytest.param(RUN, id="dict"),
        pytest.param(pl.DataFrame(ROWS, schema=["topic", "document", "score"], orient="row"), id="polars"),
        pytest.param(pd.DataFrame(ROWS, columns=["topic", "document", "score"]), id="pandas"),
        pytest.param(pd.DataFrame(ROWS, columns=["qid", "docno", "score"]), id="pandas, as PyTerrier has it"),
        pytest.param([ir_measures.ScoredDoc(*row) for row in ROWS], id="records in a list"),
        pytest.param([RUN], id="a list of one dict"),
        pytest.param((RUN_TEXT,), id="a tuple of one"),
        pytest.param({"bm25": RUN}, id="a dict of one"),
        pytest.param({"bm25": RUN_TEXT}, id="a dict of one as bytes"),
    ],
)
def test_a_run_may_have_any_form(run: Any) -> None:
    assert summary(QRELS, run) == EXPECTED


def test_a_run_may_be_records_that_come_one_by_one() -> None:
    assert summary(QRELS, (ir_measures.ScoredDoc(*row) for row in ROWS)) == EXPECTED


@pytest.mark.parametrize(
    "qrels",
    [
        pytest.param(QRELS_TEXT, id="bytes"),
        pytest.param(read_qrels(QRELS_TEXT), id="Qrels"),
        pytest.param(Qrels.from_dict(QRELS), id="Qrels of a dict"),
        pytest.param(pl.DataFrame(JUDGMENTS, schema=["topic", "document", "relevance"], orient="row"), id="polars"),
        pytest.param(pd.DataFrame(JUDGMENTS, columns=["query_id", "doc_id", "relevance"]), id="pandas"),
        pytest.param(pd.DataFrame(JUDGMENTS, columns=["qid", "docno", "label"]), id="pandas, as PyTerrier has it"),
        pytest.param([ir_measures.Qrel(*row) for row in JUDGMENTS], id="records"),
    ],
)
def test_qrels_may_have_any_form(qrels: Any) -> None:
    result = evaluate(qrels, RUN, ["recip_rank"])

    assert result.qrels == "qrels"
    assert [dict(run.summary) for run in result] == [EXPECTED]


@pytest.mark.parametrize(
    ("runs", "names"),
    [
        pytest.param({"x": RUN, "y": RUN_TEXT}, ["x", "y"], id="a dict has names"),
        pytest.param([RUN, RUN], ["run 1", "run 2"], id="dicts are numbered"),
        pytest.param([RUN_TEXT, RUN_TEXT], ["<bytes>", "<bytes> (2)"], id="a name that is taken gets a number"),
        pytest.param([read_run(RUN_TEXT), RUN], ["bm25", "run 2"], id="a Run has its tag"),
        pytest.param([Run.from_dict(RUN), RUN], ["run 1", "run 2"], id="a Run without tag has none"),
        pytest.param(RUN, ["run 1"], id="a dict of topics is one run"),
        pytest.param({}, [], id="none"),
        pytest.param([], [], id="none in a list"),
    ],
)
def test_runs_are_called_by_their_names_and_keep_their_order(runs: Any, names: list[str]) -> None:
    assert [run.name for run in evaluate(QRELS, runs, ["map"])] == names


def test_one_measure_may_be_given_without_a_list() -> None:
    assert [dict(run.summary) for run in evaluate(QRELS, RUN, "recip_rank")] == [EXPECTED]


@pytest.mark.parametrize(
    ("runs", "error", "message"),
    [
        pytest.param(3, DataError, "expected a path, a dict, a frame or records, found int", id="a number"),
        pytest.param({"1": {}}, DataError, "expected a run with at least one document, found none", id="nothing"),
        pytest.param("no such file", FileError, "no such file: no such file", id="a path to nowhere"),
    ],
)
def test_what_is_no_run_is_refused(runs: Any, error: type[PrimadError], message: str) -> None:
    with pytest.raises(error) as caught:
        evaluate(QRELS, runs, ["map"])

    assert str(caught.value) == message


def test_a_wrong_measure_is_refused_before_files_are_read() -> None:
    with pytest.raises(UnknownMeasure):
        evaluate("no such file", "no such file", ["ndgc"])


def test_measures_of_other_programs_follow_the_rules_in_force() -> None:
    ranking = {"1": {"x": 3.0, "n": 2.0, "a": 1.0}}

    (run,) = evaluate({"1": {"a": 1, "n": 0}}, ranking, ["num_ret", "Judged@3"], rules=Rules(depth=1))

    assert run.summary == {"num_ret": 1, "Judged@3": 0.0}


def compared(result: Evaluation) -> list[dict[str, Any]]:
    return [run.to_dict() for run in result]


def test_two_jobs_find_what_one_finds(folder: Path) -> None:
    runs: dict[str, Any] = {"file": folder / "run", "dict": RUN, "Run": read_run(RUN_TEXT), "packed": folder / "run.gz"}
    measures = ["all_trec", "nDCG@10", "ERR@10"]

    one, two = (evaluate(folder / "qrels", runs, measures, ties=True, jobs=jobs) for jobs in (1, 2))

    assert compared(two) == compared(one)
    assert [run.name for run in two] == ["file", "dict", "Run", "packed"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_in_one_run_is_the_outcome_of_that_run_only(folder: Path, jobs: int) -> None:
    runs = {"good": RUN, "bad": folder / "bad", "gone": folder / "gone", "other": {"7": {"a": 1.0}}, "last": RUN}

    outcomes = dict(evaluate_each(read_qrels(QRELS_TEXT), runs, parse_measures(["map"], 9), rules=Rules(), jobs=jobs))

    assert {name: type(outcome).__name__ for name, outcome in outcomes.items()} == {
        "good": "RunScores",
        "bad": "FormatError",
        "gone": "FileError",
        "other": "TopicError",
        "last": "RunScores",
    }
    assert isinstance(bad := outcomes["bad"], FormatError)
    assert (bad.path, bad.line) == (str(folder / "bad"), 1)
    assert isinstance(good := outcomes["good"], RunScores)
    assert good.summary == {"map": 0.75}


def test_evaluate_raises_the_error_of_a_bad_run(folder: Path) -> None:
    with pytest.raises(FormatError, match=r"bad:1: expected 6 columns"):
        evaluate(QRELS, [RUN, folder / "bad"], ["map"])
