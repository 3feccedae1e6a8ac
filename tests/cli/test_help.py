"""Does the help of every command, also of those in groups, have all that somebody looks for in a manual?"""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from typer.main import get_command

from primad.cli import app
from tests.cli.running import primad


def all_commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield COMMAND, which is at PATH, and all below it."""
    yield path, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from all_commands(inner, (*path, name))


COMMANDS = dict(all_commands(get_command(app)))
NAMES = [pytest.param(path, id=" ".join(path) or "primad") for path in COMMANDS]


def test_groups_in_groups_are_looked_at() -> None:
    assert {(), ("doctor",), ("archive", "search"), ("track", "attempt", "start")} <= COMMANDS.keys()


@pytest.mark.parametrize("path", NAMES)
def test_help_has_usage_a_sentence_options_and_lines_to_copy_in_this_order(path: tuple[str, ...]) -> None:
    outcome = primad(*path, "--help")

    name = " ".join(("primad", *path))
    usage, _, about, *_ = outcome.out.splitlines()
    assert (outcome.code, outcome.err) == (0, "")
    assert usage.startswith(f"Usage: {name} ")
    assert re.fullmatch(r"  [A-Z].*", about)
    parts = ["Arguments:", "Options:", "Commands:", "  Examples:", "  Exit codes:"]
    found = [line for line in outcome.out.splitlines() if line in parts]
    assert found == [part for part in parts if part in found]
    assert {"Options:", "  Examples:"} <= set(found)
    assert re.search(rf"^    (\w+=\S+ )?([\w ]+\| |source <\()?{name} ", outcome.out, re.MULTILINE)


@pytest.mark.parametrize("path", NAMES)
def test_every_argument_and_option_is_explained_in_a_sentence(path: tuple[str, ...]) -> None:
    told = {one.name: getattr(one, "help", None) or "" for one in COMMANDS[path].params if one.name != "help"}

    assert [name for name, text in told.items() if not re.fullmatch(r"(?s)\S.*\.", text)] == []


@pytest.mark.parametrize("path", NAMES)
def test_the_first_words_of_help_are_a_whole_sentence(path: tuple[str, ...]) -> None:
    about = (COMMANDS[path].help or "").split("\n\n")[0].strip()

    assert about.endswith(".")


def test_the_exit_codes_that_all_commands_share_are_in_the_help_of_the_program() -> None:
    lines = primad("--help").out.splitlines()

    place = lines.index("  Exit codes:")
    assert [line.split()[0] for line in lines[place + 1 : place + 4]] == ["0", "1", "2"]
