"""What people hand over is understood, and no run is lost."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import ir_measures
import pandas as pd
import polars as pl
import pytest

from primad import Rules, evaluate
from primad.errors import DataError, WorkError
from primad.evaluation import evaluate_each, parse_measures, to_qrels
from primad.trec import Run, ScoredDoc

QRELS = {"1": {"a": 1, "b": 0}}
RUN = {"1": {"a": 0.5, "b": 0.9}}
COLUMNS = {"query_id": ["1", "1"], "doc_id": ["a", "b"], "score": [0.5, 0.9]}
RECORDS = [ScoredDoc("1", "a", 0.5), ScoredDoc("1", "b", 0.9)]


@pytest.mark.parametrize(
    "run",
    [
        pytest.param(pd.DataFrame(COLUMNS), id="pandas with the columns of ir_measures"),
        pytest.param(pd.DataFrame(COLUMNS).rename(columns={"query_id": "qid", "doc_id": "docno"}), id="of PyTerrier"),
        pytest.param(pl.DataFrame(COLUMNS), id="polars"),
        pytest.param(pl.LazyFrame(COLUMNS), id="lazy polars"),
        pytest.param(RECORDS, id="a list of records"),
        pytest.param(iter(RECORDS), id="an iterator of records"),
    ],
)
# A lazy frame says that asking for its columns is slow.
@pytest.mark.filterwarnings("ignore::polars.exceptions.PerformanceWarning")
def test_a_run_is_understood_alone(run: Any) -> None:
    assert evaluate(QRELS, run, ["map"]).runs[0].summary == {"map": 0.5}


def test_runs_may_be_any_series_of_paths(tmp_path: Path) -> None:
    for name in ("x.run", "y.run"):
        (tmp_path / name).write_text("1 Q0 a 1 0.5 t\n")

    result = evaluate(QRELS, tmp_path.glob("*.run"), ["map"])

    assert sorted(Path(run.name).name for run in result) == ["x.run", "y.run"]


def test_no_run_is_lost_to_another_of_the_same_name() -> None:
    runs = [Run.from_dict(RUN, tag=tag) for tag in ("x (3)", "x", "x")]

    assert [run.name for run in evaluate(QRELS, runs, ["map"])] == ["x (3)", "x", "x (4)"]


def test_measures_may_be_those_of_ir_measures() -> None:
    result = evaluate(QRELS, RUN, [ir_measures.AP, ir_measures.P @ 1])

    assert result.runs[0].summary == {"AP": 0.5, "P@1": 0.0}


def test_what_cannot_travel_is_read_before_other_processes_are_asked() -> None:
    def records() -> Iterator[ScoredDoc]:
        yield from RECORDS

    result = evaluate(QRELS, {"x": records(), "y": records()}, ["map"], jobs=2)

    assert [run.summary for run in result] == [{"map": 0.5}, {"map": 0.5}]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_run_that_is_none_does_not_keep_others_from_being_scored(jobs: int) -> None:
    runs: dict[str, Any] = {"bad": {"1": {"a": "high"}}, "good": RUN, "fine": RUN}

    outcomes = dict(evaluate_each(to_qrels(QRELS), runs, parse_measures(["map"], 9), rules=Rules(), jobs=jobs))

    assert isinstance(outcomes["bad"], DataError)
    assert [getattr(outcomes[name], "summary", None) for name in ("good", "fine")] == [{"map": 0.5}, {"map": 0.5}]


@contextmanager
def every_process_killed() -> Iterator[None]:
    """Kill each process that is started, for as long as the block takes."""
    is_over = threading.Event()

    def kill() -> None:
        while not is_over.wait(0.05):
            for process in multiprocessing.active_children():
                process.kill()

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        yield
    finally:
        is_over.set()
        killer.join()


def test_scores_that_are_done_survive_the_end_of_the_processes(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "endless")
    (tmp_path / "good").write_text("1 Q0 b 1 0.9 t\n1 Q0 a 2 0.5 t\n")
    runs = {name: tmp_path / name for name in ("good", "endless")}
    outcomes = evaluate_each(to_qrels(QRELS), runs, parse_measures(["map"], 9), rules=Rules(), jobs=2)

    first = next(outcomes)
    with every_process_killed():  # the one that tries it once more, too
        rest = list(outcomes)

    assert (first[0], getattr(first[1], "summary", None)) == ("good", {"map": 0.5})
    assert [(name, type(error)) for name, error in rest] == [("endless", WorkError)]
    assert str(rest[0][1]).startswith("endless: not scored: ")


def test_a_tag_of_two_runs_names_neither() -> None:
    runs = {"original": Run.from_dict(RUN, tag="bm25"), "mine": Run.from_dict({"1": {"a": 1.0}}, tag="bm25")}

    with pytest.raises(KeyError, match="2 runs with the tag 'bm25'"):
        evaluate(QRELS, runs, ["map"])["bm25"]
