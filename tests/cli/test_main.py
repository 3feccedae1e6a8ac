"""Does the program as a whole answer as programs do?"""

import re
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
def test_every_command_has_help_that_says_what_it_does_and_shows_a_line_to_copy(command: str) -> None:
    outcome = primad(command, "--help")

    usage, _, about, *_ = outcome.out.splitlines()
    assert usage.startswith(f"Usage: primad {command}")
    assert re.fullmatch(r"  [A-Z].*", about)
    assert re.search(rf"^ +primad {command}\b", outcome.out, re.MULTILINE)
    assert (outcome.code, outcome.err) == (0, "")


@pytest.mark.parametrize("command", list(commands()))
def test_every_option_of_every_command_has_help(command: str) -> None:
    parameters = typer.main.get_command(app).commands[command].params  # type: ignore[attr-defined]

    assert [parameter.name for parameter in parameters if not getattr(parameter, "help", "")] == []


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
