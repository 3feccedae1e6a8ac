"""Is what docs/comparison.md says about tirex-tracker true?  Each test runs tirex-tracker 0.2.24 itself."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

import primad
from tests.claims.in_tirex_tracker import BUSY
from tests.claims.peers import ask
from tests.cli.running import primad as command
from tests.docs.pages import ROOT

pytestmark = pytest.mark.slow  # it looks at the machine for a second each time

FILE = "ir-metadata.yml"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with one for each question, of which one has the file that is to be written."""
    folder = tmp_path_factory.mktemp("tracker")
    for name in ("child", "registering", "existing", "failing"):
        (folder / name).mkdir()
    (folder / "existing" / FILE).write_text("tag: x\n")
    return folder


@pytest.fixture(scope="module")
def answers(place: Path) -> dict[str, Any]:
    """Return what tirex-tracker did."""
    questions = {name: [name, place / name / FILE] for name in ("child", "registering", "existing", "failing")}
    # Outside of a repository, which it would pack at each question.
    return ask("tira", "in_tirex_tracker.py", {"about": ["about"], **questions}, folder=place)


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work where no repository is looked at, and nothing is left."""
    monkeypatch.chdir(tmp_path)


def milliseconds(text: str) -> float:
    """Return the number in TEXT."""
    found = re.match(r"[\d.]+", text)
    assert found
    return float(found[0])


def test_it_measures_energy_and_graphics_cards(answers: dict[str, Any]) -> None:
    energy = [name for name in answers["about"]["measures"] if "ENERGY" in name]

    assert energy == ["CPU_ENERGY_SYSTEM_JOULES", "RAM_ENERGY_SYSTEM_JOULES", "GPU_ENERGY_SYSTEM_JOULES"]
    assert {"GPU_USED_PROCESS_PERCENT", "GPU_VRAM_USED_PROCESS_MB"} <= set(answers["about"]["measures"])
    assert len(answers["about"]["measures"]) == 57


def test_it_comes_with_libraries_for_three_systems_and_an_adapter_for_pyterrier(answers: dict[str, Any]) -> None:
    libraries = {
        name.removeprefix("lib").split("_")[2]
        for name in answers["about"]["files"]
        if name.endswith(("so", "dylib", "dll"))
    }

    assert libraries == {"linux", "macos", "windows"}
    assert "pyterrier.py" in answers["about"]["files"]


def test_it_keeps_how_usage_went_over_time(answers: dict[str, Any]) -> None:
    series = json.loads(answers["child"]["series"])["timeseries"]

    assert len(series["timestamps"]) == len(series["values"]) > 1


def test_work_of_child_processes_is_no_user_or_system_time_there_and_is_here(
    answers: dict[str, Any], tmp_path: Path
) -> None:
    theirs = sum(float(answers["child"][f"TIME_ELAPSED_{kind}_MS"]) for kind in ("USER", "SYSTEM"))
    waiting = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {BUSY!r}])"

    assert command("exec", "--output", tmp_path, "--", sys.executable, "-c", waiting).code == 0

    (path,) = tmp_path.glob("*.yml")
    record = primad.read_record(path)
    ours = sum(milliseconds(str(record[f"resources.runtime.{kind}"])) for kind in ("user", "system"))
    assert theirs < 900
    assert "track_subprocesses" in answers["about"]["options"]
    assert ours >= 1000


@pytest.mark.usefixtures("answers")
def test_primad_reads_what_it_writes(place: Path) -> None:
    record = primad.read_record(place / "child" / FILE)

    assert milliseconds(str(record["resources.runtime.wallclock"])) > 900
    assert record["platform.hardware.cpu.architecture"]


def test_registered_metadata_replaces_a_whole_component(answers: dict[str, Any]) -> None:
    assert answers["registering"] == ["note"]


def test_a_file_in_the_way_is_noticed_when_the_work_is_done(answers: dict[str, Any]) -> None:
    assert answers["existing"] == ["the work was done", "Metadata file already exists."]


def test_that_the_work_failed_is_not_written_there_and_is_here(answers: dict[str, Any], tmp_path: Path) -> None:
    told = [name for name in answers["failing"] if re.search("error|exit|status|exception|fail", name.lower())]

    assert "wallclock" in answers["failing"]
    assert told == []
    assert command("exec", "--output", tmp_path, "--", sys.executable, "-c", "raise SystemExit(3)").code == 3
    (path,) = tmp_path.glob("*.yml")
    assert primad.read_record(path)["resources.exit status"] == 3


def test_every_public_call_is_on_the_page(answers: dict[str, Any]) -> None:
    text = (ROOT / "docs" / "comparison.md").read_text(encoding="utf-8")
    table = text[text.index("| tirex-tracker |") :].partition("\n\n")[0]
    calls = [name for name in answers["about"]["calls"] if name[0].islower()]

    assert len(calls) == 13
    assert [name for name in calls if f"`{name}" not in table] == []
