"""Is what a replay wrote down read as it was, and refused in one way where somebody else has written there?"""

import json
import os
from collections.abc import Callable
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from primad.errors import FileError
from primad.replay.journal import Journal
from primad.replay.recorded import as_json, sandbox_json, step_json, step_of
from primad.replay.result import Produced, Replayed, Rung, Sandbox, Stage, Step

AT = datetime(2016, 6, 1, 12, 0, tzinfo=UTC)
SANDBOX = Sandbox(Rung.PLAIN, "none", ("mounting",), ("using the network",))
TOKEN = "0123456789abcdef"  # noqa: S105 - a mark of processes
STEP = Step(Stage.INSTALL, "make", AT, AT, 3, 1.5, 0.5, 0.25, 4096, network=True, stopped_by="log", remark="much")
ENDED = Replayed(SANDBOX, (STEP,), (Produced("a/b", 1, "00"),), succeeded=False, stage=Stage.RUN, reason="r")
BEGAN = {"began": "2016", "sandbox": sandbox_json(SANDBOX), "kept": []}


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / "steps.jsonl")


def test_everything_that_is_said_of_a_step_comes_back() -> None:
    told = step_json(STEP)

    assert set(told) == {one.name for one in fields(Step)}
    assert all(getattr(STEP, one.name) for one in fields(Step))  # nothing is as it is by default
    assert step_of(json.loads(json.dumps(told))) == STEP


def test_the_step_that_a_replay_was_at_is_known_by_its_mark(journal: Journal) -> None:
    journal.begin(SANDBOX, ())
    journal.start(Stage.RUN, "sleep 9", TOKEN)

    past = journal.past()

    assert past is not None
    assert (past.stage, past.command, past.token) == (Stage.RUN, "sleep 9", TOKEN)


def test_a_step_that_has_ended_leaves_no_mark(journal: Journal) -> None:
    journal.begin(SANDBOX, ())
    journal.start(Stage.INSTALL, "make", TOKEN)
    journal.finish(STEP)

    past = journal.past()

    assert past is not None
    assert (past.stage, past.token, past.steps) == (None, "", [STEP])


def test_nothing_is_kept_of_an_installation_by_fewer_commands_once_the_data_set_was_seen(journal: Journal) -> None:
    installed = Step(Stage.INSTALL, "make", AT, AT, 0, 1.0)
    journal.begin(SANDBOX, ())
    journal.finish(installed)
    before = journal.past()
    journal.finish(Step(Stage.RUN, "run", AT, AT, 1, 1.0))
    after = journal.past()

    assert before is not None
    assert after is not None
    assert before.installed(("make", "make more")) == (installed,)
    assert after.installed(("make",)) == (installed,)
    assert after.installed(("make", "make more")) == ()


def changed(**values: Any) -> dict[str, Any]:
    return {"ended": as_json(ENDED) | values}


@pytest.mark.parametrize(
    "line",
    [
        pytest.param({"began": 1}, id="no sandbox"),
        pytest.param(BEGAN | {"sandbox": {"rung": "cloud", "engine": "", "held": [], "open": []}}, id="unknown rung"),
        pytest.param(BEGAN | {"sandbox": 7}, id="a number for a sandbox"),
        pytest.param(BEGAN | {"kept": 7}, id="a number of steps"),
        pytest.param(BEGAN | {"kept": [{}]}, id="an empty step"),
        pytest.param({"starting": 5, "stage": "run"}, id="a number for a command"),
        pytest.param({"starting": "x", "stage": "lunch"}, id="unknown stage"),
        pytest.param({"starting": "x", "stage": []}, id="a list for a stage"),
        pytest.param({"starting": "x", "stage": "run", "token": "*"}, id="another mark"),
        pytest.param({"starting": "x", "stage": "run", "token": 1}, id="a number for a mark"),
        pytest.param({"step": step_json(STEP) | {"wall": "long"}}, id="a word for a time"),
        pytest.param({"step": step_json(STEP) | {"wall": float("nan")}}, id="no number"),
        pytest.param({"step": step_json(STEP) | {"started": "2016-06-01"}}, id="a time without its zone"),
        pytest.param({"step": []}, id="a list for a step"),
        pytest.param(changed(schema="primad.replay/9"), id="another schema"),
        pytest.param(changed(remarks=[1]), id="a number for a remark"),
        pytest.param(changed(output=[{"path": "../a", "size": 1, "digest": "0"}]), id="a path that leaves the output"),
        pytest.param({"ended": "well"}, id="a word for an end"),
    ],
)
def test_what_no_replay_writes_is_one_error_that_names_the_line(journal: Journal, line: dict[str, Any]) -> None:
    journal.path.write_text("".join(json.dumps(one) + "\n" for one in (BEGAN, line)), encoding="utf-8")

    with pytest.raises(FileError, match=r"steps\.jsonl: cannot be read \(line 2 is not what a replay writes"):
        journal.past()


def deep(path: Path) -> None:
    path.write_text("[" * 100_000, encoding="utf-8")


def huge(path: Path) -> None:
    path.touch()
    os.truncate(path, 1 << 30)


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(deep, id="nested"),
        pytest.param(huge, id="huge"),
        pytest.param(os.mkfifo, id="a pipe"),
        pytest.param(Path.mkdir, id="a folder"),
        pytest.param(lambda path: path.symlink_to("/etc/passwd"), id="a link"),
    ],
)
def test_a_file_that_cannot_be_read_as_one_of_steps_is_refused(journal: Journal, spoil: Callable[[Path], None]) -> None:
    spoil(journal.path)

    with pytest.raises(FileError, match=r"steps\.jsonl: cannot be read"):
        journal.past()
