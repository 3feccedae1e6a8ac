"""Is what people hand over as experiments understood, and does each get a name of its own?"""

from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

from primad import Qrels, Run
from primad.errors import UsageError
from primad.reproducibility.assessment.inputs import (
    Given,
    given_original,
    given_qrels,
    given_reproductions,
    in_the_form_of,
    own_names,
)
from primad.reproducibility.assessment.result import Role

RUN = {"1": {"d1": 2.0, "d2": 1.0}}
TAGGED = Run.from_dict(RUN, tag="bm25")
FRAME = pl.DataFrame({"query_id": ["1"], "doc_id": ["d1"], "score": [1.0]})


def names(*experiments: Any) -> list[str]:
    """Return how EXPERIMENTS are called."""
    return [given.name for given in given_reproductions(list(experiments))]


@pytest.mark.parametrize(
    ("experiment", "runs"),
    [
        pytest.param("a.run", {"baseline": "a.run"}, id="path"),
        pytest.param(("a.run",), {"baseline": "a.run"}, id="tuple of one"),
        pytest.param(("a.run", "b.run"), {"baseline": "a.run", "advanced": "b.run"}, id="baseline and advanced run"),
        pytest.param(["a.run", "b.run"], {"baseline": "a.run", "advanced": "b.run"}, id="the same as a list"),
        pytest.param(RUN, {"baseline": RUN}, id="dict"),
    ],
)
def test_an_experiment_is_a_run_or_two_of_them(experiment: Any, runs: dict[Role, Any]) -> None:
    assert given_original(experiment) == Given("original", runs)
    assert given_reproductions([experiment])[0].runs == runs


@pytest.mark.parametrize(
    ("original", "reproductions", "expected"),
    [
        pytest.param(["a", "b"], ["c", "d"], [("c", "d")], id="lists of two runs are an experiment each"),
        pytest.param(["a", "b"], [["c", "d"], ["e", "f"]], [("c", "d"), ("e", "f")], id="a list of such lists"),
        pytest.param(["a", "b"], [("c", "d"), ("e", "f")], [("c", "d"), ("e", "f")], id="a list of tuples"),
        pytest.param(("a", "b"), ["c", "d"], [("c",), ("d",)], id="a list beside a tuple is of reproductions"),
        pytest.param("a", ["c", "d"], [("c",), ("d",)], id="a list beside a run is of reproductions"),
        pytest.param(["a", "b"], ["c", "d", "e"], [("c",), ("d",), ("e",)], id="three are reproductions"),
    ],
)
def test_a_list_of_two_runs_is_one_reproduction_where_the_original_is_such_a_list(
    original: Any, reproductions: Any, expected: list[tuple[str, ...]]
) -> None:
    given = given_reproductions(in_the_form_of(original, reproductions))

    assert [tuple(one.runs.values()) for one in given] == expected


@pytest.mark.parametrize("runs", [pytest.param((), id="none"), pytest.param(("a", "b", "c"), id="three")])
def test_no_run_and_more_than_two_runs_are_no_experiment(runs: tuple[str, ...]) -> None:
    with pytest.raises(UsageError, match=f"a baseline and an advanced run, found {len(runs)} runs"):
        given_original(runs)


@pytest.mark.parametrize(
    ("run", "name"),
    [
        pytest.param("runs/mine.bm25.run", "mine.bm25", id="path"),
        pytest.param(Path("runs/mine.run.gz"), "mine", id="packed"),
        pytest.param("mine.txt.zst", "mine", id="text"),
        pytest.param("mine", "mine", id="no suffix"),
        pytest.param(("base.run", "adv.run"), "adv", id="pair"),
        pytest.param(TAGGED, "bm25", id="tag"),
        pytest.param(Run.from_dict(RUN), "reproduction 1", id="no tag"),
        pytest.param(RUN, "reproduction 1", id="dict"),
        pytest.param(".run", "reproduction 1", id="nothing but a suffix"),
    ],
)
def test_a_reproduction_is_called_as_a_reader_would(run: Any, name: str) -> None:
    assert names(run) == [name]


@pytest.mark.parametrize(
    "run",
    [
        pytest.param("a.run", id="path"),
        pytest.param(Path("a.run"), id="Path"),
        pytest.param(("a.run", "b.run"), id="pair"),
        pytest.param(TAGGED, id="Run"),
        pytest.param(RUN, id="dict"),
        pytest.param(FRAME, id="polars"),
        pytest.param(pd.DataFrame({"query_id": ["1"], "doc_id": ["d1"], "score": [1.0]}), id="pandas"),
        pytest.param(list(TAGGED.to_records()), id="records"),
    ],
)
def test_one_experiment_needs_no_list(run: Any) -> None:
    (given,) = given_reproductions(run)

    assert given.runs["baseline"] is (run[0] if isinstance(run, tuple) else run)


def test_experiments_in_a_dict_have_the_names_they_are_given() -> None:
    found = given_reproductions({"mine": "a.run", "yours": ("b.run", "c.run"), 3: RUN})

    assert [(given.name, list(given.runs.values())) for given in found] == [
        ("mine", ["a.run"]),
        ("yours", ["b.run", "c.run"]),
        ("3", [RUN]),
    ]


def test_a_run_in_a_dict_is_not_taken_for_a_dict_of_experiments() -> None:
    assert [given.runs["baseline"] for given in given_reproductions({"mine": RUN})] == [RUN]
    assert [given.runs["baseline"] for given in given_reproductions(RUN)] == [RUN]


def test_a_reproduction_must_not_have_the_name_of_the_original() -> None:
    with pytest.raises(UsageError, match="another name for a reproduction than 'original'"):
        given_reproductions({"original": "a.run"})


def test_a_file_called_original_is_called_by_its_path() -> None:
    assert names("mine/original.run") == ["mine/original.run"]


def test_what_shares_a_name_is_called_by_its_path() -> None:
    assert names("a/bm25.run", "b/bm25.run", "rm3.run") == ["a/bm25.run", "b/bm25.run", "rm3"]


def test_what_shares_its_path_too_is_numbered() -> None:
    assert names("bm25", "bm25", "bm25") == ["bm25", "bm25 (2)", "bm25 (3)"]


def test_runs_that_share_their_tag_are_numbered() -> None:
    assert names(TAGGED, TAGGED) == ["bm25", "bm25 (2)"]


def test_a_number_is_not_the_name_of_another() -> None:
    assert names("bm25", "bm25", "bm25 (2)") == ["bm25", "bm25 (3)", "bm25 (2)"]


@pytest.mark.parametrize(
    ("wanted", "longer", "expected"),
    [
        pytest.param([], [], [], id="none"),
        pytest.param(["a", "b"], ["x", "y"], ["a", "b"], id="all their own"),
        pytest.param(["a", "a", "x"], ["x", "y", "z"], ["x (1)", "y", "x"], id="a longer name is taken"),
        pytest.param(["original"], ["original"], ["original (1)"], id="that of the original"),
    ],
)
def test_no_two_names_are_the_same(wanted: list[str], longer: list[str], expected: list[str]) -> None:
    assert own_names(wanted, longer) == expected


def test_what_is_given_already_stays_as_it_is() -> None:
    given = Given("mine", {"baseline": "a.run"}, ("qrels",), "it says so")

    assert given_reproductions(given) == [given]
    assert given_reproductions([given]) == [given]
    assert given_original(given) == Given("original", {"baseline": "a.run"}, ("qrels",), "it says so")


def test_paths_are_those_of_runs_that_are_files() -> None:
    assert Given("mine", {"baseline": Path("a.run"), "advanced": RUN}).paths() == ["a.run"]


def test_a_reproduction_that_is_called_like_a_run_of_the_original_is_called_by_its_file() -> None:
    original = given_original(("runs/plain.run", "runs/careful.run"))

    found = given_reproductions([("again/plain.run", "again/careful.run"), ("b.run", "c.run")], original)

    assert [given.name for given in found] == ["again/careful.run", "c"]


QRELS = Qrels.from_dict({"1": {"d1": 1}})


@pytest.mark.parametrize(
    ("qrels", "expected"),
    [
        pytest.param("a.qrels", 1, id="path"),
        pytest.param(QRELS, 1, id="qrels"),
        pytest.param({"1": {"d1": 1}}, 1, id="dict"),
        pytest.param(FRAME, 1, id="frame"),
        pytest.param(list(QRELS.to_records()), 1, id="list of records"),
        pytest.param(["a.qrels"], 1, id="list of one"),
        pytest.param(["a.qrels", QRELS, FRAME], 3, id="list of several"),
    ],
)
def test_judgments_are_one_set_in_any_form_or_a_list_of_sets(qrels: Any, expected: int) -> None:
    given = given_qrels(qrels)

    assert len(given) == expected
    assert given[0] is (qrels[0] if isinstance(qrels, list) and isinstance(qrels[0], str) else qrels)
