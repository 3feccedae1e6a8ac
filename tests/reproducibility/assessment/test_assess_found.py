"""Does primad.assess_found say of runs in folders what the command says of them, from plain arguments?"""

from pathlib import Path
from typing import Any

import pytest

import primad
from primad import assess_found
from primad.errors import PairingError, UsageError
from primad.reproducibility.assessment.request import Request, fulfil
from primad.reproducibility.assessment.settings import Settings
from tests.reproducibility.assessment.saved import (
    ADV,
    BASELINE,
    MINE,
    MINE_ADV,
    REPRODUCER,
    save,
    save_all,
    save_records,
    save_sweep,
    swept,
    values,
)

FAST: dict[str, Any] = {"measures": "map", "intervals": False}
SETTINGS = Settings(measures=("map",), intervals=False)
ELSEWHERE = REPRODUCER | {"actor.team": "others", "data.test collection.name": "Robust04"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with qrels, runs of an original and its reproduction by their records, and a sweep."""
    monkeypatch.chdir(tmp_path)
    save_all()
    save_records()
    save_sweep()
    return tmp_path


def save_elsewhere() -> None:
    """Write a reproduction on another collection beside the one there is."""
    save("runs/b3.run", MINE, ELSEWHERE | {BASELINE: ["b1"]}, prefix="x")
    save("runs/a3.run", MINE_ADV, ELSEWHERE | {BASELINE: ["a1"]}, prefix="x")


# What the arguments may be -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("original", "names"),
    [
        pytest.param("b1", ["b1"], id="tag"),
        pytest.param(["b1", "a1"], ["b1", "a1"], id="two tags"),
        pytest.param(("b1", "a1"), ["b1", "a1"], id="tuple of tags"),
        pytest.param("runs/b1.run", ["runs/b1.run"], id="file"),
        pytest.param(Path("runs/b1.run"), ["runs/b1.run"], id="path"),
        pytest.param([Path("runs/b1.run"), "a1"], ["runs/b1.run", "a1"], id="path and tag"),
    ],
)
def test_an_original_by_tag_or_file_is_the_same_as_in_a_request(original: Any, names: list[str]) -> None:
    found = assess_found(original, "runs", "qrels", **FAST)

    asked = fulfil(Request(original=names, folders=["runs"], qrels=["qrels"], settings=SETTINGS))
    assert found.to_dict() == asked.to_dict()
    assert {role: run.tag for role, run in found["them"].runs.items()} == {"baseline": "b2", "advanced": "a2"}
    assert values(found, "rmse") == {"them": pytest.approx(0.0372678)}
    assert values(found, "er") == {"them": pytest.approx(0.2 / 0.21666666)}


@pytest.mark.parametrize(
    "folders",
    [
        pytest.param(["ours", "theirs"], id="texts"),
        pytest.param((Path("theirs"), "ours"), id="a path and a text, the other way round"),
        pytest.param([Path("ours/b1.run"), Path("ours/a1.run"), "theirs"], id="files beside a folder"),
    ],
)
def test_runs_may_lie_in_several_folders(folders: Any) -> None:
    for name in ("ours", "theirs"):
        Path(name).mkdir()
    for name, place in {"b1": "ours", "a1": "ours", "b2": "theirs", "a2": "theirs"}.items():
        Path(f"runs/{name}.run").rename(f"{place}/{name}.run")

    found = assess_found("b1", folders, "qrels", **FAST)

    assert {role: run.path for role, run in found["them"].runs.items()} == {
        "baseline": "theirs/b2.run",
        "advanced": "theirs/a2.run",
    }
    assert values(found, "er") == {"them": pytest.approx(0.2 / 0.21666666)}


@pytest.mark.parametrize(
    "qrels",
    [
        pytest.param(["qrels", "other.qrels"], id="texts"),
        pytest.param((Path("other.qrels"), Path("qrels")), id="paths, the other way round"),
    ],
)
def test_of_several_qrels_each_run_takes_those_that_judge_what_it_retrieved(qrels: Any) -> None:
    save_elsewhere()

    found = assess_found("b1", "runs", qrels, **FAST)

    assert found.original.qrels == "qrels"
    assert {one.name: one.qrels for one in found} == {"them": "qrels", "others": "other.qrels"}
    assert values(found, "er")["others"] == pytest.approx(0.2 / 0.21666666)


@pytest.mark.parametrize("reference", ["mid", "sweep/mid.run", "1.0", 1.0, 1, Path("sweep/mid.run")], ids=repr)
def test_without_an_original_the_runs_are_a_sweep_around_the_reference(reference: Any) -> None:
    found = assess_found((), Path("sweep"), "qrels", reference=reference, **FAST)

    assert found.sweep is not None
    (line,) = found.sweep.lines
    assert line.reference == "mid"
    assert [(point.run, point.rmse["map"]) for point in line.points] == [
        ("low", pytest.approx((1 / 12) / 5**0.5)),
        ("mid", 0.0),
        ("high", pytest.approx((7 / 24 / 5) ** 0.5)),  # differences of 1/6, 1/3, 1/6, 1/4, 1/4
    ]
    asked = Request(folders=["sweep"], qrels=["qrels"], reference="mid", settings=SETTINGS)
    assert found.to_dict() == fulfil(asked).to_dict()


def test_a_sweep_over_collections_takes_the_qrels_of_each() -> None:
    swept("sweep/there_low.run", MINE, 0.5, "Robust04", "x")
    swept("sweep/there_high.run", ADV, 10, "Robust04", "x")

    found = assess_found([], "sweep", ["qrels", "other.qrels"], reference=10, **FAST).sweep

    assert found is not None
    assert {line.name: line.reference for line in found.lines} == {"Core17": "high", "Robust04": "there_high"}


# Settings ----------------------------------------------------------------------------------------------------------


def test_settings_are_passed_on() -> None:
    stated: dict[str, Any] = {
        "measures": ["P_10", "map"],
        "p": 0.5,
        "depth": 2,
        "confidence": 0.9,
        "intervals": False,
        "correction": "none",
        "margins": {"map": 0.1},
        "rules": primad.Rules(complete=True),
    }

    found = assess_found("b1", "runs", "qrels", **stated)

    assert found.settings == Settings(**stated | {"measures": ("P_10", "map")})
    assert [v.of for v in found.original.values if v.measure == "arp" and v.run == "baseline"] == ["P_10", "map"]
    # Of the first two documents only those of topic 4 differ, ac and ad: 1 * 0.5 + 0.5 * 0.25 + 0.5 * 0.25 there.
    assert values(found, "rbo_ext", of="") == {"them": pytest.approx((4 + 0.75) / 5)}


def test_without_settings_there_are_the_default_ones() -> None:
    assert assess_found("b1", "runs", "qrels").settings == Settings()


@pytest.mark.slow
def test_several_processes_find_the_same_as_one() -> None:
    save_elsewhere()

    one, two = (assess_found("b1", "runs", ["qrels", "other.qrels"], jobs=jobs, **FAST) for jobs in (1, 2))

    assert [reproduction.name for reproduction in one] == ["others", "them"]
    assert one.to_dict() == two.to_dict()


# What is refused ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        pytest.param(
            {"measure": "map"}, "expected one of the settings measures, rules, .*, found 'measure'", id="name"
        ),
        pytest.param({"folder": "runs"}, "expected one of the settings .*, found 'folder'", id="what is no setting"),
        pytest.param({"p": 2}, "expected a p of rank-biased overlap between 0 and 1, found 2", id="value"),
        pytest.param({"jobs": 0}, "expected at least 1 job, found 0", id="no jobs"),
        pytest.param({"reference": "b1"}, "--reference names a run of a sweep, and there is none", id="no sweep"),
    ],
)
def test_a_setting_without_a_meaning_is_refused(setting: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=f"^{message}"):
        assess_found("b1", "runs", "qrels", **setting)


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        pytest.param((None, "runs", "qrels"), "None", id="no original"),
        pytest.param(("b1", 7, "qrels"), "7", id="a number as folder"),
        pytest.param((["b1", None], "runs", "qrels"), "['b1', None]", id="nothing among tags"),
        pytest.param(("b1", "runs", {"1": {"a": 1}}.keys), "<built-in method keys", id="a function"),
    ],
)
def test_what_is_no_tag_or_path_is_refused_in_words(arguments: Any, found: str) -> None:
    with pytest.raises(UsageError) as caught:
        assess_found(*arguments)

    assert str(caught.value).startswith(f"expected a tag or a path, or a list of them, found {found}")


def test_judgments_that_were_read_already_are_refused_since_files_are_expected() -> None:
    judged: Any = primad.read_qrels("qrels")

    with pytest.raises(UsageError, match="found <Qrels: 20 judgments of 5 topics>"):
        assess_found("b1", "runs", judged)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        pytest.param(("b9", "runs", "qrels"), PairingError, "no run has the tag or path 'b9'", id="unknown tag"),
        pytest.param(("", "runs", "qrels"), PairingError, "no run has the tag or path ''", id="empty tag"),
        pytest.param(("b1", "nowhere", "qrels"), PairingError, "left out: nowhere: no such file", id="no such folder"),
        pytest.param((["b1", "a1", "b2"], "runs", "qrels"), UsageError, "as original, found 3", id="three originals"),
        pytest.param(("b1", [], "qrels"), UsageError, "folders to find reproductions in", id="no folder"),
        pytest.param(("b1", "runs", []), UsageError, "expected judgments", id="no qrels"),
        pytest.param(((), "runs", "qrels"), UsageError, "or a sweep; found none", id="neither original nor sweep"),
    ],
)
def test_what_cannot_be_found_is_refused_in_words(arguments: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        assess_found(*arguments, **FAST)

    assert message in str(caught.value)
