"""Does `primad rerun` re-create a run, say what came of it, and tell it by its exit status?"""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from primad.cli import app
from primad.cli._options import RungName
from primad.metadata.reading import read_record
from primad.replay.result import Rung
from tests.cli.running import primad
from tests.rerun.recorded import DRAWN, QRELS, system

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "rerun.md"


@pytest.fixture(scope="module")
def recorded_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an annotated run in its repository, which nobody changes."""
    return system(tmp_path_factory.mktemp("recorded") / "repository")


@pytest.fixture
def folder(recorded_once: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the working folder, with a recorded run in a repository of its own."""
    place = tmp_path / "repository"
    shutil.copytree(recorded_once.parent, place)
    monkeypatch.chdir(place)
    return place


def test_a_run_that_comes_back_is_no_failure(folder: Path) -> None:
    done = primad("rerun", "mine.run", "--output", "again.run", "--set", "actor.team=ubiquity")

    assert done.code == 0
    assert done.out.startswith("The re-created run is the original one, byte for byte; no scores were compared")
    assert "held by    bubblewrap (rung: bubblewrap)\n" in done.out
    assert "kept as    again.run\n" in done.out
    assert done.err == "searching in data/docs.txt\n"
    assert read_record(folder / "again.run")["actor.team"] == "ubiquity"


def test_a_run_that_differs_has_status_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    system(tmp_path / "repository", DRAWN)
    monkeypatch.chdir(tmp_path / "repository")
    (tmp_path / "qrels").write_text(QRELS)

    done = primad("rerun", "mine.run", "--qrels", "../qrels", "--format", "json")

    assert done.code == 1
    values = json.loads(done.out)
    assert (values["recreated"], values["identical"]) == (True, False)
    assert values["topics"] == {"same": 0, "different": 2}
    assert values["verdict"]["agreement"] in {"identical scores", "less than .01 apart", ".01 or more apart"}
    assert values["assessment"]["reproductions"][0]["name"] == "re-created"


def test_what_is_needed_and_not_known_is_listed_with_status_1(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(folder / "mine.run", tmp_path / "alone.run")
    monkeypatch.chdir(tmp_path)

    done = primad("rerun", "alone.run")

    assert (done.code, done.err) == (1, "")
    assert done.out == (
        "The run was not re-created: something that is needed is not known.\n\n"
        "run  alone.run\n\n"
        "What is needed and not known\n"
        "- implementation.source.repository: where the code is to be had is not stated; name one on this\n"
        "  disk: --repo DIR\n"
    )


@pytest.mark.usefixtures("folder")
def test_the_plan_is_printed_and_nothing_done() -> None:
    done = primad("rerun", "mine.run", "--dry-run")

    steps = [line for line in done.out.splitlines() if line[0].isdigit()]
    assert (done.code, done.err) == (0, "")
    assert [step.split(":")[0] for step in steps] == [
        "1. clone",
        "2. environment",
        "3. inputs",
        "4. command",
        "5. result",
    ]
    assert steps[2] == "3. inputs: show data/docs.txt, search.py (2 in the commit)"


@pytest.mark.usefixtures("folder")
def test_a_plan_that_lacks_something_has_status_1_and_says_so_to_programs() -> None:
    done = primad("rerun", "mine.run", "--dry-run", "--format", "json", "--repository", "/no/such/folder")

    values = json.loads(done.out)
    assert done.code == 1
    assert (values["schema"], values["possible"]) == ("primad.rerun.plan/1", False)
    assert values["lacks"][0] == {
        "field": "implementation.source.repository",
        "what": "there is no folder /no/such/folder",
        "remedy": "name one on this disk: --repo DIR",
        "essential": True,
    }


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--input", "x"], "expected --input NAME=PATH, found 'x'"),
        (["--input", "=x"], "expected --input NAME=PATH, found '=x'"),
        (["--rung", "plain"], "the plain rung holds nothing, so it has to be asked for with --trust"),
    ],
)
def test_options_that_cannot_be_are_refused(options: list[str], message: str) -> None:
    done = primad("rerun", "mine.run", *options)

    assert (done.code, done.out) == (2, "")
    assert message in done.err


def test_a_run_that_is_not_there_is_a_message() -> None:
    done = primad("rerun", "no-such.run")

    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("primad: no-such.run: ")


def test_the_rungs_are_those_of_the_ladder() -> None:
    assert [str(one) for one in RungName] == [str(one) for one in Rung]


# The guide ------------------------------------------------------------------------------------------------------


def test_every_option_is_in_the_guide() -> None:
    command: Any = get_command(app).commands["rerun"]  # type: ignore[attr-defined]  # typer types it as a plain command
    options = {one for parameter in command.params for one in parameter.opts if one.startswith("--")} - {"--help"}

    guide = GUIDE.read_text(encoding="utf-8")

    assert [option for option in sorted(options) if f"`{option}" not in guide] == []


def test_every_key_for_programs_is_in_the_guide(folder: Path) -> None:
    values = json.loads(primad("rerun", folder / "mine.run", "--format", "json").out)

    table = GUIDE.read_text(encoding="utf-8").partition("## For programs")[2]

    assert [key for key in values if f"`{key}`" not in table] == []
