"""Does a track say how well runs were reproduced in it, and how precise values are that teams measured?"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from primad.track.outputs import NewOutput
from primad.track.track import Track
from tests.cli import track_folders
from tests.cli.running import primad

QRELS = b"301 0 d1 1\n301 0 d2 1\n302 0 d3 1\n303 0 d5 1\n"
RUN = b"301 Q0 d1 1 3 a\n301 Q0 d2 2 2 a\n302 Q0 d3 1 3 a\n303 Q0 d4 1 3 a\n303 Q0 d5 2 2 a\n"
OTHER = b"301 Q0 d1 1 3 b\n301 Q0 d9 2 2 b\n302 Q0 d3 1 3 b\n303 Q0 d5 1 3 b\n303 Q0 d4 2 2 b\n"


@pytest.fixture
def searching(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """Return a track in replication with a task of each kind, to which teams have submitted."""
    for place in track_folders.worked_in(track_folders.filled(tmp_path_factory), tmp_path, monkeypatch):
        _search(Track(place), place)
        yield place


def _search(track: Track, place: Path) -> None:
    """Give TRACK tasks of all kinds, submissions to them, and an attempt."""
    (place / "core.qrels").write_bytes(QRELS)
    (place / "original.run").write_bytes(RUN)
    (place / "other.run").write_bytes(OTHER)
    trec: dict[str, Any] = {"scorer": "trec", "settings": {"measures": ["map", "P_10"], "primary": "map"}}
    track.set_task("search", **trec)
    track.set_task("repeat", kind="reproduce", original_files=place / "original.run", **trec)
    track.set_task(
        "values", kind="measure", scorer="numbers", original={"object": "a translator", "values": {"bleu": 31.0}}
    )
    for task in ("search", "repeat"):
        track.set_data_set(task, "core", gold=place / "core.qrels")
    track.move_to("results")
    track.submit("alpha", "bm25", [NewOutput({"original.run": RUN})], task="search")
    track.submit("beta", "again", [NewOutput({"other.run": OTHER})], task="repeat")
    track.submit("alpha", "bleu", [NewOutput(values={"bleu": 30.0})], task="values")
    track.submit_remote("alpha/bm25", "ssh demo@example.org")
    track.move_to("assignment")
    track.assign("ann", "alpha/bm25")
    track.move_to("replication")
    track.start("ann", "alpha/bm25")
    track.stop(1, "succeeded", output=place / "other.run")


@pytest.mark.usefixtures("searching")
def test_the_run_of_an_attempt_is_put_beside_the_submitted_one() -> None:
    outcome = primad("track", "assess", 1, "--format", "json")

    assert outcome.code == 0, outcome.err
    assert "attempt 1" in outcome.out
    assert json.loads(outcome.out)["schema"].startswith("primad.assess")


@pytest.mark.usefixtures("searching")
def test_runs_of_teams_are_put_beside_the_original_of_the_task() -> None:
    outcome = primad("track", "assess", "repeat", "--report", "report")

    assert outcome.code == 0, outcome.err
    assert "beta/again" in outcome.out
    assert outcome.err.endswith("primad: report in report\n")


@pytest.mark.usefixtures("searching")
def test_values_of_teams_are_put_beside_the_original_value() -> None:
    outcome = primad("track", "assess", "values")

    assert outcome.code == 0, outcome.err
    assert "a translator" in outcome.out
    assert "bleu" in outcome.out
    assert "values collects values, which have no topics" in primad("track", "assess", "values", "--per-topic").err


@pytest.mark.usefixtures("searching")
def test_a_remote_system_is_not_replayed_but_its_instructions_are_named() -> None:
    outcome = primad("track", "replay", "alpha/bm25", "--analyst", "ann")

    assert outcome.code == 2
    assert "is reached remotely: follow its instructions (primad track show alpha/bm25)" in outcome.err
    assert "no attempt has the number 2" in primad("track", "show", 2).err
    assert "beta/again has no system yet" in primad("track", "replay", "beta/again", "--analyst", "ann").err


@pytest.mark.usefixtures("searching")
def test_what_there_is_not_is_not_assessed() -> None:
    assert "no task is called 'serch'; did you mean 'search'?" in primad("track", "assess", "serch").err
    assert "no data set is called 'x'" in primad("track", "assess", "repeat", "--data-set", "x").err
    assert "--data-set is about a task of the kind reproduce" in primad("track", "assess", 1, "--data-set", "core").err
    assert "no attempt has the number 7" in primad("track", "assess", 7).err
