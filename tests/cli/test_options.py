"""Is an option the same wherever it stands, and do options that are declared together arrive as one value?"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import pytest
import typer
from typer.main import get_command
from typer.testing import CliRunner

from primad.cli import app
from primad.cli._options import gathered
from primad.errors import UsageError

# Options whose value is another thing in another command, with the forms in which they are.
OF_SEVERAL_FORMS = {
    "--collection": {"NAME", "DIR|ID"},  # of runs, or to make a demonstration from
    "--limit": {"N", "NAME=VALUE"},  # of what is shown, or of what a system may use
    "--margin": {"MEASURE=X", "MEASURAND=X"},
    "--original": {"BASELINE [ADVANCED]", "FILE"},  # runs, or the description of a task
    "--output": {"FILE", "DIR", "PATH"},
    "--qrels": {"FILE", "FILE..."},
    "--record": {None, "FILE"},  # to be shown, or to be read
    "--set": {"FIELD=VALUE", "NAME=VALUE"},  # fields of metadata, or settings of a scorer
    "--to": {"FORMAT", "TIME"},
    "--version": {None, "VERSION"},  # of primad, or of the schema
    "--where": {"FIELD=VALUE", "NAME=VALUE"},  # fields of metadata, or conditions of measurements
}
OF_TWO_KINDS = {"--record", "--version"}  # asked for, or named: see above
# One letter that only some of the commands have whose option it is short for.
SHORT_IN_SOME = {
    "--depth": {"-M"},  # as trec_eval has it, where scores are cut; elsewhere it is rankings that are compared
    "--output": {"-o"},  # of an attempt it is what a system gave
}


def all_options(command: Any = None) -> Iterator[Any]:
    """Yield the options of every command."""
    command = get_command(app) if command is None else command
    yield from (one for one in command.params if one.param_type_name == "option")
    for inner in getattr(command, "commands", {}).values():
        yield from all_options(inner)


OPTIONS: dict[str, list[Any]] = {}
for found in all_options():
    OPTIONS.setdefault(next(name for name in found.opts if name.startswith("--")), []).append(found)


def test_the_options_of_commands_in_groups_are_looked_at() -> None:
    assert {"--archive", "--because", "--measure", "--stage"} <= OPTIONS.keys()


@pytest.mark.parametrize("name", sorted(OPTIONS))
def test_an_option_takes_its_value_in_one_form(name: str) -> None:
    forms = {one.metavar for one in OPTIONS[name]}

    assert forms == OF_SEVERAL_FORMS.get(name, forms)
    assert len(forms) == 1 or name in OF_SEVERAL_FORMS


@pytest.mark.parametrize("name", sorted(OPTIONS))
def test_an_option_takes_a_value_in_all_commands_or_in_none(name: str) -> None:
    is_flag = [one.is_flag for one in OPTIONS[name]]

    assert all(is_flag) == any(is_flag) or name in OF_TWO_KINDS


@pytest.mark.parametrize("name", sorted(OPTIONS))
def test_an_option_has_one_letter(name: str) -> None:
    letters = [{short for short in one.opts if not short.startswith("--")} for one in OPTIONS[name]]
    used: set[str] = set().union(*letters)

    assert used == SHORT_IN_SOME.get(name, used)
    assert name in SHORT_IN_SOME or all(one == used for one in letters)
    assert len(used) <= 1


def test_a_letter_stands_for_one_option() -> None:
    meant: dict[str, set[str]] = {}
    for name, options in OPTIONS.items():
        for short in {short for one in options for short in one.opts if not short.startswith("--")}:
            meant.setdefault(short, set()).add(name)

    assert {short: names for short, names in meant.items() if len(names) > 1} == {}


@dataclass(frozen=True)
class Pace:
    """Options that are declared together."""

    steps: Annotated[int, typer.Option("-s", "--steps", help="How many.")] = 2
    fast: Annotated[bool, typer.Option("--fast", help="Run.")] = False

    def __post_init__(self) -> None:
        """Refuse what nobody can do."""
        if self.steps < 0:
            raise UsageError("expected steps ahead")


@gathered
def walk(
    *, where: Annotated[str, typer.Argument(help="Whereto.")], pace: Pace, note: Annotated[str, typer.Option()] = ""
) -> None:
    """Walk."""
    typer.echo(f"{where}: {pace} {note}")


walking = typer.Typer()
walking.command()(walk)


def test_options_that_are_declared_together_arrive_as_one_value_beside_the_others() -> None:
    outcome = CliRunner().invoke(walking, ["home", "-s", "5", "--fast", "--note", "now"])

    assert outcome.output == "home: Pace(steps=5, fast=True) now\n"


def test_options_that_are_declared_together_have_their_defaults() -> None:
    assert CliRunner().invoke(walking, ["home"]).output == "home: Pace(steps=2, fast=False) \n"


def test_what_options_together_refuse_is_refused_before_the_command_begins() -> None:
    outcome = CliRunner().invoke(walking, ["home", "--steps", "-1"])

    assert (str(outcome.exception), outcome.output) == ("expected steps ahead", "")
