"""Does a person get a track, find it again, and get help with every command?"""

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from primad.cli import app
from primad.cli._options import RungName
from primad.cli.score import ScorerName
from primad.cli.track import setting_up
from primad.cli.track.attempting import Outcome, Stage
from primad.cli.track.enlisting import Role
from primad.evaluation.scorers import SCORERS
from primad.replay.result import Rung
from primad.store import database
from primad.track import phases, wellformed
from primad.track.next_steps import ENDED
from primad.track.services.timing import STAGES
from tests.cli import track_folders
from tests.cli.running import primad

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "guides" / "track.md").read_text()
COMMANDS = ROOT / "src" / "primad" / "cli" / "track"


def commands() -> dict[str, Any]:
    """Return the commands on a track by what is typed after ``primad track``."""
    group: Any = typer.main.get_command(app).commands["track"]  # type: ignore[attr-defined]
    found = dict(group.commands)
    found |= {f"attempt {name}": command for name, command in found["attempt"].commands.items()}
    return found


ALL = commands()


@pytest.fixture
def filled(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    yield from track_folders.worked_in(track_folders.filled(tmp_path_factory), tmp_path, monkeypatch)


@pytest.fixture
def tried(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    yield from track_folders.worked_in(track_folders.tried(tmp_path_factory), tmp_path, monkeypatch)


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return the working folder of the test, which is empty."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PRIMAD_ARCHIVE", raising=False)
    yield tmp_path
    database.close()


# Help ------------------------------------------------------------------------------------------------------------


def test_help_is_printed() -> None:
    outcome = primad("track", "attempt", "stop", "--help")

    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith("Usage: primad track attempt stop [OPTIONS] ")


def test_there_is_a_command_for_each_thing_that_is_done_to_a_track() -> None:
    named = (
        "init import export show change phase task data-set team analyst machine submit preflight decide withdraw "
        "assign replay sheet verdict level assess report attempt"
    )
    attempts = "start pause resume stop log correct"

    assert list(ALL) == [*named.split(), *(f"attempt {name}" for name in attempts.split())]


@pytest.mark.parametrize("name", list(ALL))
def test_every_command_has_help_that_says_what_it_does_and_shows_a_line_to_copy(name: str) -> None:
    command = ALL[name]

    shown = command.get_help(typer.Context(command, info_name=f"primad track {name}"))

    usage, _, about, *_ = shown.splitlines()
    assert usage.startswith(f"Usage: primad track {name}")
    assert re.fullmatch(r"  [A-Z].*", about)
    assert re.search(rf"^ +primad track {name}\b", shown, re.MULTILINE)


@pytest.mark.parametrize("name", list(ALL))
def test_every_option_has_help(name: str) -> None:
    assert [one.name for one in ALL[name].params if not getattr(one, "help", "")] == []


@pytest.mark.parametrize("name", list(ALL))
def test_every_command_is_in_the_guide_with_its_options(name: str) -> None:
    options = [option for one in ALL[name].params for option in one.opts if option.startswith("--")]

    assert f"`primad track {name}" in GUIDE
    assert [one for one in options if one != "--help" and f"`{one}" not in GUIDE] == []


def test_help_waits_for_no_heavy_library() -> None:
    heavy = "django", "polars", "numpy", "pydantic", "rich", "yaml"
    code = f"import sys; from primad.cli import app; app(standalone_mode=False); print(set(sys.modules) & set({heavy}))"
    done = subprocess.run([sys.executable, "-c", code, "track", "--help"], capture_output=True, text=True, check=True)

    assert done.stdout.startswith("Usage: ")
    assert done.stdout.endswith("set()\n")


def test_other_commands_do_not_wait_for_those_on_a_track() -> None:
    code = "import sys; from primad.cli import app; app(standalone_mode=False); "
    code += "print('primad.cli.track._all' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code, "--help"], capture_output=True, text=True, check=True)

    assert done.stdout.endswith("False\n")


def test_the_choices_of_options_are_those_of_the_track() -> None:
    assert [*setting_up.Phase] == [*phases.PHASES]
    assert [*setting_up.Kind] == [*wellformed.KINDS]
    assert [*ScorerName] == [*SCORERS]
    assert [*RungName] == [*map(str, Rung)]
    assert [*Outcome] == [*ENDED]
    assert [*Role] == [role for role in wellformed.ROLES if role]
    assert [*Stage] == [*STAGES]


# What can be loaded without a database; everything else can only be loaded once a track is open.
PURE = {"bundles", "outputs", "phases", "replays.wish", "results", "sheet", "track"}


@pytest.mark.parametrize("path", sorted(COMMANDS.glob("*.py")), ids=lambda path: path.stem)
def test_no_command_loads_what_needs_a_database_before_one_is_open(path: Path) -> None:
    functions = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)]
    opening = [one for one in functions if any(_is_opening(node) for node in ast.walk(one))]

    early = {name for one in opening for node in ast.walk(one) for name in _rooms(node)}

    assert early <= PURE


def _is_opening(node: ast.AST) -> bool:
    """Tell whether NODE opens a track."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "opened"


def _rooms(node: ast.AST) -> set[str]:
    """Return which modules of primad.track NODE imports."""
    if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("primad.track"):
        return set()
    module = str(node.module).removeprefix("primad.track").strip(".")
    return {module} if module else {alias.name for alias in node.names}


# Which track -----------------------------------------------------------------------------------------------------


def test_a_new_track_is_where_the_next_command_looks_for_it(nowhere: Path) -> None:
    made = primad("track", "init", "demo", "--title", "A small track", "--closes", "results=2016-05-01", "--blind")

    assert (made.code, made.out) == (0, "")
    assert made.err.startswith(f"primad: track demo in {nowhere}, with SQLite; its phase is set-up\n")
    shown = json.loads(primad("track", "show", "--format", "json").out)
    assert shown["schema"] == "primad.track/1"
    assert {key: shown["track"][key] for key in ("slug", "title", "phase", "blind", "budget", "dates")} == {
        "slug": "demo",
        "title": "A small track",
        "phase": "set-up",
        "blind": True,
        "budget": 480,
        "dates": {"results": {"closes": "2016-05-01"}},
    }


@pytest.mark.slow
def test_commands_work_in_a_process_of_their_own(tried: Path) -> None:
    command = [sys.executable, "-c", "from primad.cli import main; main()", "track"]
    for arguments in (["show", "1"], ["sheet", "ann", "run1", "--print"]):
        done = subprocess.run([*command, *arguments], capture_output=True, text=True, check=False, cwd=tried)

        assert (done.returncode, done.stderr) == (0, "")
        assert "alpha/run1" in done.stdout


def test_an_option_and_the_environment_name_the_folder(
    filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    assert primad("track", "phase", "--archive", filled).out == "set-up\n"
    missing = primad("track", "phase")
    assert missing.code == 1
    assert f"{tmp_path}: is no archive" in missing.err
    monkeypatch.setenv("PRIMAD_ARCHIVE", str(filled))
    assert primad("track", "phase").out == "set-up\n"


def test_of_several_tracks_one_has_to_be_named(filled: Path) -> None:
    primad("track", "init", "second")

    unnamed = primad("track", "phase")
    assert unnamed.code == 1
    assert "name one with --track: demo, second" in unnamed.err
    assert primad("track", "phase", "results", "--track", "second").out == "results\n"
    assert primad("track", "phase", "--track", "demo").out == "set-up\n"
    near = primad("track", "phase", "--track", "secnd")
    assert near.code == 1
    assert "no track is called 'secnd'; did you mean 'second'?" in near.err
    assert (filled / "primad.json").is_file()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["Demo"], "as the name of a track, found 'Demo'", id="a name that cannot be typed everywhere"),
        pytest.param(["demo", "--closes", "results"], "expected --closes PHASE=DATE", id="a date without its phase"),
        pytest.param(["demo", "--closes", "result=2016-05-01"], "expected a phase", id="no phase"),
        pytest.param(["demo", "--opens", "results=soon"], "expected opens as a date", id="no date"),
    ],
)
def test_what_cannot_be_a_track_is_refused_and_nothing_is_made(
    arguments: list[str], message: str, nowhere: Path
) -> None:
    outcome = primad("track", "init", *arguments)

    assert outcome.code in (1, 2)
    assert message in outcome.err
    assert list(nowhere.iterdir()) == []


def test_a_track_is_not_made_twice(filled: Path) -> None:
    outcome = primad("track", "init", "demo")

    assert outcome.code == 2
    assert "there is a track demo already" in outcome.err
    assert (filled / "primad.json").is_file()


# Folders of YAML -------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("tried")
def test_an_exported_track_is_taken_in_again_and_what_was_left_out_is_told(tmp_path: Path) -> None:
    public = primad("track", "export", tmp_path / "public")
    private = primad("track", "export", tmp_path / "private", "--private")

    assert (public.code, public.out) == (0, "")
    assert "left out: the gold standard of coding/test" in public.err
    assert "left out" not in private.err
    assert f"bring it back with: primad track import {tmp_path / 'private'}" in private.err
    taken = primad("track", "import", tmp_path / "private", "--archive", tmp_path / "other")
    assert taken.code == 0
    assert f"track demo in {tmp_path / 'other'}, with SQLite; its phase is replication" in taken.err
    again = json.loads(primad("track", "show", "--archive", tmp_path / "other", "--format", "json").out)
    assert (
        again["track"]["attempts"] == json.loads(primad("track", "show", "--format", "json").out)["track"]["attempts"]
    )
    assert [one["state"] for one in again["track"]["attempts"]] == ["succeeded", "failed"]


def test_a_folder_that_describes_no_track_is_refused_and_leaves_nothing(nowhere: Path) -> None:
    (nowhere / "empty").mkdir()

    outcome = primad("track", "import", "empty", "--archive", "new")

    assert outcome.code == 1
    assert "expected a folder with a file track.yaml" in outcome.err
    assert not (nowhere / "new").exists()


def test_a_track_that_is_scored_by_a_command_takes_trust(filled: Path) -> None:
    source = filled / "source"
    (source / "tasks" / "own").mkdir(parents=True)
    (source / "track.yaml").write_text("slug: other\ntitle: Other\n")
    (source / "tasks" / "own" / "task.yaml").write_text(
        "title: Own\nscorer: command\nsettings:\n  command: ./score\n  primary: f1\n"
    )

    refused = primad("track", "import", "source")
    taken = primad("track", "import", "source", "--trust")

    assert refused.code != 0
    assert "--trust" in refused.err
    assert taken.code == 0


def test_an_export_replaces_no_folder_that_holds_something(tried: Path) -> None:
    (tried / "mine").mkdir()
    (tried / "mine" / "thesis.txt").write_text("years of work")

    outcome = primad("track", "export", "mine")

    assert outcome.code == 1
    assert "mine: expected a new or an empty folder, found files in it; name another folder" in outcome.err
    assert [path.name for path in (tried / "mine").iterdir()] == ["thesis.txt"]


@pytest.mark.usefixtures("filled")
def test_bytes_that_are_no_text_are_kept_as_what_they_are_not() -> None:
    outcome = primad("track", "change", "--about", "caf\udce9", "--source", "\udcff", "--title", "\udcff")

    assert outcome.code == 0, outcome.err
    assert json.loads(primad("track", "show", "--format", "json").out)["track"]["about"] == "caf?"
    assert primad("track", "phase", "results", "--because", "\udcff").code == 0
    assert primad("track", "change", "--budget", "99999999999999999999").code == 2
