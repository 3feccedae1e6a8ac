"""Do the workflow and the hooks that check submissions let a good one pass and stop a bad one?

The files are read as YAML, and the very commands in them are run, as GitHub and pre-commit would; neither is here.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from primad.safe_yaml import read_yaml
from tests.metadata.checking.complete import RECORD, run_with

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
CI = ROOT / "examples" / "ci"
GOOD = run_with(RECORD.replace("team: h2oloo", "team: h2oloo, mail: ada@example.org"))
BAD = run_with(RECORD.replace("team: h2oloo", "mail: ada@example.org"))  # the profile demands both
PATIENCE = 120


def read(path: Path) -> Any:
    """Return the YAML at PATH."""
    return read_yaml(path.read_text(encoding="utf-8"), str(path)).plain()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return a repository as a team sees it, with the rules of the organisers beside what it sends."""
    (tmp_path / "runs").mkdir()
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "topics.qrels").write_text("1 0 a 1\n2 0 a 1\n")
    for folder in (tmp_path, tmp_path / "rules"):
        shutil.copy(CI / "our-track.yml", folder)
    return tmp_path


def run(folder: Path, command: list[str]) -> subprocess.CompletedProcess[str]:
    """Return what came of COMMAND in FOLDER, where primad is installed."""
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
    )


def steps() -> list[dict[str, Any]]:
    """Return the steps of the workflow."""
    found: list[dict[str, Any]] = read(CI / "github-actions.yml")["jobs"]["check"]["steps"]
    return found


def lines() -> list[str]:
    """Return the commands of the workflow, but for the one that installs primad."""
    return [step["run"] for step in steps() if "run" in step and not step["run"].startswith("pip install")]


@pytest.mark.parametrize(("run_file", "status"), [pytest.param(GOOD, 0, id="good"), pytest.param(BAD, 1, id="bad")])
def test_the_workflow_fails_where_a_run_is_bad(repository: Path, run_file: bytes, status: int) -> None:
    (repository / "runs" / "mine.run").write_bytes(run_file)

    check, write = (run(repository, ["bash", "-e", "-c", line]) for line in lines())

    assert (check.returncode, write.returncode) == (status, 0)
    assert ("actor.team is not stated, but essential" in check.stdout) is bool(status)
    assert json.loads((repository / "findings.json").read_text())["good"] is not bool(status)


def test_a_submission_that_brings_rules_of_its_own_is_judged_by_those_of_the_organisers(repository: Path) -> None:
    (repository / "runs" / "mine.run").write_bytes(BAD)
    (repository / "our-track.yml").write_text("name: our-track\nessential: []\n")

    assert run(repository, ["bash", "-e", "-c", lines()[0]]).returncode == 1
    (rules,) = (step["with"] for step in steps() if step.get("with", {}).get("path") == "rules")
    assert rules["ref"] == "${{ github.base_ref }}"


def test_the_workflow_may_read_and_nothing_else() -> None:
    workflow = read(CI / "github-actions.yml")

    assert workflow["permissions"] == {"contents": "read"}
    fetching = [step["with"] for step in steps() if step.get("uses", "").startswith("actions/checkout@")]
    assert [one["persist-credentials"] for one in fetching] == [False, False]


def local_hook() -> dict[str, Any]:
    """Return the hook of the example."""
    ((hook,),) = (repo["hooks"] for repo in read(CI / "pre-commit-config.yaml")["repos"])
    return dict(hook)


def hook_of_the_repository() -> dict[str, Any]:
    """Return the hook that the repository of primad offers, with the arguments that the example names."""
    (hook,) = read(ROOT / ".pre-commit-hooks.yaml")
    return dict(hook) | {"args": local_hook()["args"]}


@pytest.mark.parametrize("hook", [local_hook(), hook_of_the_repository()], ids=["example", "repository"])
@pytest.mark.parametrize(("run_file", "status"), [pytest.param(GOOD, 0, id="good"), pytest.param(BAD, 1, id="bad")])
def test_the_hook_stops_the_commit_of_a_bad_run(
    repository: Path, hook: dict[str, Any], run_file: bytes, status: int
) -> None:
    (repository / "runs" / "mine.run").write_bytes(run_file)
    (repository / "runs" / "notes.md").write_text("a note\n")
    changed = ["runs/mine.run", "runs/notes.md", "our-track.yml"]
    taken = [name for name in changed if re.search(hook["files"], name)]  # as pre-commit chooses files

    found = run(repository, [*shlex.split(hook["entry"]), *hook["args"], *taken])

    assert hook["id"] == "primad-check"
    assert taken == ["runs/mine.run"]
    assert found.returncode == status, found.stdout + found.stderr


@pytest.mark.parametrize("hook", [local_hook(), hook_of_the_repository()], ids=["example", "repository"])
def test_the_hook_takes_packed_runs_too(hook: dict[str, Any]) -> None:
    names = ["runs/a.run", "runs/a.run.gz", "runs/a.run.zst", "runs/a.running", "runs/a.txt"]

    assert [name for name in names if re.search(hook["files"], name)] == names[:3]
