"""Does the program as a whole answer as programs do?"""

import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version

import pytest
import typer

from primad.cli import app
from tests.cli.running import Outcome, primad


def commands() -> Iterator[str]:
    """Yield the name of every command."""
    yield from getattr(typer.main.get_command(app), "commands", {})


def test_there_are_commands() -> None:
    assert {"demo", "evaluate"} <= set(commands())


@pytest.mark.parametrize("command", list(commands()))
def test_every_command_is_listed_with_its_first_sentence(command: str) -> None:
    assert re.search(rf"^  {command} +[A-Z]", primad("--help").out, re.MULTILINE)


def test_the_version_is_that_of_the_package() -> None:
    assert primad("--version") == Outcome(0, f"primad {version('primad')}\n", "")


def test_without_a_command_the_help_is_shown() -> None:
    outcome = primad()

    assert "Commands:" in outcome.out + outcome.err


def test_an_unknown_command_is_wrong_usage() -> None:
    outcome = primad("evaluat")

    assert (outcome.code, outcome.out) == (2, "")
    assert "No such command 'evaluat'" in outcome.err


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        pytest.param(["--help"], [], id="the list of all"),
        pytest.param(["strip", "--help"], ["strip"], id="one"),
        pytest.param(["archive", "--help"], ["archive"], id="the list of a group"),
        pytest.param(["track", "show", "--help"], ["track", "track.telling"], id="one of a group"),
    ],
)
def test_only_the_command_that_is_asked_for_is_made(typed: list[str], expected: list[str]) -> None:
    code = (
        "import sys\nfrom primad.cli import app\napp(standalone_mode=False)\n"
        "print([name.removeprefix('primad.cli.') for name in sorted(sys.modules) if name.startswith('primad.cli.')\n"
        "       and hasattr(sys.modules[name], 'app')], file=sys.stderr)"
    )

    done = subprocess.run([sys.executable, "-c", code, *typed], capture_output=True, text=True, check=True)

    assert done.stdout.startswith("Usage: ")
    assert done.stderr == f"{sorted([*expected, 'completion', 'program'])}\n"
