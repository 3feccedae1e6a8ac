"""Does each reproduction take the judgments that are its own, when several are handed over?"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from primad import Assessment, Qrels, assess, read_qrels, read_run
from primad.errors import UsageError
from tests.reproducibility.assessment.saved import save_all

FAST: dict[str, Any] = {"measures": "map", "intervals": False}
REPRODUCTIONS = {"here": ("mine.run", "mine_adv.run"), "there": ("there.run", "there_adv.run")}
# By hand: BASE scores 5/6, 7/12, 5/12, 3/4, 1/2 and MINE 1/12 less on topic 2; the same rankings lie there.
MEANS = {"here": 0.6, "there": 0.6}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with runs on two collections and the qrels of each."""
    monkeypatch.chdir(tmp_path)
    save_all()
    return tmp_path


def assessed(**stated: Any) -> Assessment:
    """Return how well the original was reproduced on both collections."""
    return assess(("base.run", "adv.run"), REPRODUCTIONS, "qrels", **FAST | stated)


def means(found: Assessment) -> dict[str, float | None]:
    """Return the mean score of the baseline of each reproduction."""
    return {one.name: value.value for one in found if (value := one.find("arp", of="map", run="baseline"))}


@pytest.mark.parametrize(
    ("several", "jobs"),
    [
        pytest.param(["qrels", "other.qrels"], 1, id="paths"),
        pytest.param(["other.qrels", "qrels"], 1, id="the other way round"),
        pytest.param([Path("qrels"), Path("other.qrels")], 1, id="path-likes"),
        pytest.param(["missing topics", "qrels", "other.qrels"], 1, id="and one that judges nothing of it"),
        pytest.param(["missing topics", Path("other.qrels"), "qrels"], 2, id="all of this in other processes"),
    ],
)
def test_of_several_each_run_takes_those_that_judge_what_it_retrieved(several: list[Any], jobs: int) -> None:
    Path("missing topics").write_text("1 0 z 1\n")

    found = assessed(reproduction_qrels=several, jobs=jobs)

    assert {one.name: one.qrels for one in found} == {"here": "qrels", "there": "other.qrels"}
    assert found.original.qrels == "qrels"
    assert means(found) == pytest.approx(MEANS)


@pytest.mark.parametrize(
    "form",
    [
        pytest.param(lambda qrels: qrels, id="qrels"),
        pytest.param(Qrels.to_dict, id="dicts"),
        pytest.param(Qrels.to_polars, id="frames"),
        pytest.param(lambda qrels: list(qrels.to_records()), id="lists of records"),
    ],
)
def test_several_may_have_any_form(form: Callable[[Qrels], Any]) -> None:
    several = [form(read_qrels(name)) for name in ("qrels", "other.qrels")]

    assert means(assessed(reproduction_qrels=several)) == pytest.approx(MEANS)


def test_a_list_of_records_is_one_set_of_judgments() -> None:
    records = list(read_qrels("other.qrels").to_records())

    found = assess("base.run", {"there": read_run("there.run")}, "qrels", reproduction_qrels=records, **FAST)

    assert found["there"].problem == ""
    assert means(found) == {"there": pytest.approx(0.6)}


def test_a_list_of_one_is_that_one() -> None:
    alone, listed = (
        assess("base.run", {"there": "there.run"}, "qrels", reproduction_qrels=qrels, **FAST)
        for qrels in ("other.qrels", ["other.qrels"])
    )

    assert alone.to_dict() == listed.to_dict()
    assert means(alone) == {"there": pytest.approx(0.6)}


def test_without_any_reproductions_have_the_judgments_of_the_original() -> None:
    found = assess("base.run", {"here": "mine.run"}, "qrels", **FAST)

    assert found["here"].qrels == "qrels"
    assert means(found) == {"here": pytest.approx(0.6)}


def test_a_reproduction_that_none_of_several_judges_says_so_and_stops_no_other() -> None:
    Path("missing topics").write_text("1 0 z 1\n")

    found = assessed(reproduction_qrels=["missing topics", "qrels"])

    assert {one.name: one.problem for one in found} == {
        "here": "",
        "there": "there: none of the qrels judges the documents at the top of its run: missing topics, qrels",
    }


def test_no_judgments_at_all_are_refused() -> None:
    with pytest.raises(UsageError, match="expected at least one set of judgments, found an empty list"):
        assessed(reproduction_qrels=[])
