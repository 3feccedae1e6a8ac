"""A newcomer who follows docs/tasks/annotate.md to the letter ends where the page says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

import primad

PAGE = (Path(__file__).parents[2] / "docs" / "tasks" / "annotate.md").read_text()
BIN = Path(sys.executable).parent

pytestmark = pytest.mark.slow


class Step(NamedTuple):
    """A command that was carried out: what the page shows under it, what it printed, and its exit status."""

    command: str
    shown: str
    printed: str
    status: int


class Followed(NamedTuple):
    """The folder in which the page was followed, and its steps."""

    folder: Path
    steps: list[Step]


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> Followed:
    folder = tmp_path_factory.mktemp("newcomer")
    for name, content in re.findall(r"```(?:python|yaml)\n# (\S+)\n(.*?)```", PAGE, re.DOTALL):
        (folder / name).write_text(content)
    environment = {
        "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(tmp_path_factory.mktemp("home")),  # who is new has no settings of Git or primad
        "LANG": "C.UTF-8",
    }
    blocks = re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
    shown = [step for block in blocks for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
    return Followed(folder, [step_of(text, folder, environment) for text in shown])


def step_of(text: str, folder: Path, environment: dict[str, str]) -> Step:
    """Carry out the first line of TEXT in FOLDER, as a shell does; the other lines are shown under it."""
    command, _, shown = text.partition("\n")
    done = subprocess.run(
        ["/bin/sh", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    return Step(command, shown, done.stdout, done.returncode)


def test_every_command_prints_what_the_page_shows(followed: Followed) -> None:
    assert [(step.command, step.printed) for step in followed.steps] == [
        (step.command, step.shown) for step in followed.steps
    ]


def test_every_command_succeeds(followed: Followed) -> None:
    assert {step.command: step.status for step in followed.steps if step.status} == {}


@pytest.mark.parametrize("name", ["words.run", "after.run"])
def test_the_ranking_of_an_annotated_run_is_untouched(followed: Followed, name: str) -> None:
    lines = (followed.folder / name).read_bytes().splitlines(keepends=True)

    ranking = b"".join(line for line in lines if not line.startswith(b"#"))

    assert ranking == (followed.folder / "before.run").read_bytes()


@pytest.mark.parametrize("name", ["words.run", "after.run"])
def test_nothing_essential_is_missing_in_the_end(followed: Followed, name: str) -> None:
    checked = primad.check_file(followed.folder / name)

    assert [str(finding) for finding in checked.findings if finding.severity == "error"] == []
    assert checked.is_good


def test_the_header_has_the_commit_that_was_made(followed: Followed) -> None:
    head = ["git", "-C", str(followed.folder), "rev-parse", "HEAD"]
    commit = subprocess.run(head, capture_output=True, text=True, check=True).stdout.strip()

    record = primad.read_record(followed.folder / "words.run")

    assert record["implementation.source.commit"] == commit
    assert record["implementation.source.repository"] == "https://git.example.org/ada/words.git"
    assert record["implementation.executable.cmd"] == "python search.py"


def test_the_recorded_run_has_what_the_template_states(followed: Followed) -> None:
    stated = primad.read_record(followed.folder / "me.yml")

    recorded = primad.read_record(followed.folder / "words.run")

    for component in ("research goal", "method", "actor", "data"):
        assert recorded[component] == stated[component]
