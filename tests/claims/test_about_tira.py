"""Is what docs/comparison.md says about TIRA true, as far as its client 0.0.207 runs without the service?"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.claims.peers import ask, call
from tests.cli.running import primad

pytestmark = pytest.mark.slow  # the client takes seconds to start

RANKING = "".join(f"{topic} Q0 d{rank} {rank} {10 - rank} x\n" for topic in range(1, 6) for rank in range(1, 4))
HEADER = "# ir_metadata.start\n# tag: x\n# ir_metadata.end\n"


# What TIRA takes: what is changed in the ranking, and a word of what primad says about it.
TAKEN = {
    "a score that is no number": (" 1 9 x", " 1 nan x", "nan"),
    "a negative rank": (" 1 9 x", " -1 9 x", "rank"),
    "two tags": ("1 Q0 d1 1 9 x", "1 Q0 d1 1 9 y", "tag"),
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with one for each run that is checked."""
    folder = tmp_path_factory.mktemp("tira")
    runs = {name: RANKING.replace(before, after, 1) for name, (before, after, _) in TAKEN.items()}
    for name, text in {**runs, "annotated": HEADER + RANKING}.items():
        (folder / name).mkdir()
        (folder / name / "run.txt").write_text(text)
    (folder / "stripped").mkdir()
    (folder / "stripped" / "run.txt").write_text(primad("strip", folder / "annotated" / "run.txt").out)
    return folder


@pytest.fixture(scope="module")
def answers(place: Path) -> dict[str, Any]:
    """Return what the client says."""
    questions = {name: ["run", place / name] for name in (*TAKEN, "annotated", "stripped")}
    return ask("tira", "in_tira.py", {"about": ["about"], **questions})


def test_its_client_submits_software_and_runs_it_on_the_service() -> None:
    said = call("tira", "tira-cli", "--help")
    remote = call("tira", "tira-cli", "run", "--help")

    commands = re.search(r"\{([\w,-]+)\}", said.stdout)
    assert commands
    assert commands[1].split(",") == [
        *("download", "upload", "evaluate", "login", "verify-installation"),
        *("code-submission", "dataset-submission", "admin", "run"),
    ]
    assert "remote execution requests on TIRA" in " ".join(remote.stdout.split())


def test_software_has_no_network_unless_it_is_allowed() -> None:
    assert "--allow-network" in call("tira", "tira-cli", "code-submission", "--help").stdout


def test_it_checks_33_formats(answers: dict[str, Any]) -> None:
    about = answers["about"]

    assert (about["version"], len(about["formats"])) == ("0.0.207", 33)
    assert {"run.txt", "run-with-metadata", "qrels.txt", "ir_metadata", "text-alignment-corpus"} <= set(
        about["formats"]
    )


def test_it_refuses_a_run_with_a_header_and_takes_it_without(answers: dict[str, Any]) -> None:
    (refused, why), (taken, _) = answers["annotated"], answers["stripped"]

    assert (refused, taken) == ("ERROR", "OK")
    assert 'expected 6 columns, but found a line "# ir_metadata.start"' in why


@pytest.mark.parametrize("name", TAKEN)
def test_it_takes_what_primad_points_at(name: str, answers: dict[str, Any], place: Path) -> None:
    outcome = primad("check", place / name / "run.txt", "--format", "json")

    assert answers[name][0] == "OK"
    assert re.search(rf'"message": "[^"]*{TAKEN[name][2]}', outcome.out, flags=re.IGNORECASE)
