"""primad exec: run a command, record it, annotate what it wrote."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer
from typer.core import TyperCommand

from primad.cli._commands import new_app
from primad.cli._options import Form, Settings, Template, by_measure, values_set
from primad.cli._output import say, show, terminal_width
from primad.errors import PrimadError, UsageError

if TYPE_CHECKING:
    from primad.metadata.recording.of_command import Recorded

EXAMPLE = """\b
Examples:
  primad exec -- python search.py --output bm25.run
  primad exec --template me.yml --run runs/bm25.run -- ./search.sh
  primad exec --trace --output records -- java -jar searcher.jar
  primad exec --repeat 5 --qrels core17.qrels -m map -- python search.py --output bm25.run
  primad exec --repeat 5 --vary seed -- python train.py --seed {seed} --output neural.run
"""

app = new_app()

# As env, nice and timeout have it: this program itself has failed, not the command.
_FAILED_ITSELF = 125
_STANDARD_ERROR = 2


class Vary(StrEnum):
    """What is different in each repetition."""

    SEED = "seed"


class ExecCommand(TyperCommand):
    """The command whose exit status is that of another one: what is wrong with its own options has another status."""

    def make_context(self, *arguments: Any, **options: Any) -> typer.Context:
        """Give a mistake in the options the status of a failure of primad itself."""
        try:
            return cast("typer.Context", super().make_context(*arguments, **options))
        except Exception as error:
            if getattr(error, "exit_code", None) == UsageError.exit_code:
                error.exit_code = _FAILED_ITSELF  # type: ignore[attr-defined]  # it has one, as was seen
            raise


@app.command("exec", cls=ExecCommand, epilog=EXAMPLE, context_settings={"allow_interspersed_args": False})
def execute(
    command: Annotated[list[str], typer.Argument(metavar="COMMAND", help="The command with its arguments, after --.")],
    template: Template = None,
    settings: Settings = None,
    run: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="A run that the command writes; by default all new runs below this folder."),
    ] = None,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="DIR", help="Keep the record in a file in DIR, too.")
    ] = None,
    trace: Annotated[
        bool, typer.Option("--trace", help="List the files that were read and written, by strace.")
    ] = False,
    repeat: Annotated[
        int | None,
        typer.Option(
            min=2,
            max=1000,
            metavar="N",
            help="Run it N times, keep each run NAME as NAME.1, NAME.2, …, compare them.  "
            "What it prints goes to standard error, the report to standard output.",
        ),
    ] = None,
    qrels: Annotated[
        str | None, typer.Option(metavar="FILE", help="With --repeat: judgments, to say how precise the scores are.")
    ] = None,
    measure: Annotated[
        list[str] | None,
        by_measure("With --qrels: a measure; map, ndcg and P_10 by default."),
    ] = None,
    vary: Annotated[
        Vary | None, typer.Option(help="With --repeat: put the number of the repetition where COMMAND has {seed}.")
    ] = None,
    form: Annotated[
        Form | None, typer.Option("--format", help="With --repeat: how to print the report; a table by default.")
    ] = None,
) -> None:
    """Run COMMAND, record how it went, and annotate the runs it wrote.

    The exit status is that of COMMAND: 126 if it cannot be executed, 127 if it is not found, 128+n after signal n, and
    125 if primad itself has failed.  Where the command failed or wrote no run, the record goes to a file of its own.

    With --repeat the status is that of the last repetition.  A repetition that fails or writes no run is the last one.
    """
    try:
        options: dict[str, Any] = {
            "template": template,
            "values": values_set(settings),
            "runs": run or [],
            "output": output,
            "trace": trace,
        }
        if repeat:
            _refuse_measures_without_qrels(qrels, measure)
            status = _repeat(command, repeat, form or Form.TABLE, qrels=qrels, measures=measure, vary=vary, **options)
        else:
            _refuse_without_repeat(qrels=qrels, measure=measure, vary=vary, format=form)
            status = _run(command, options)
    except BrokenPipeError:
        raise  # whoever reads the report has seen enough, which is no failure
    except (PrimadError, OSError) as error:
        say(error)
        raise typer.Exit(_FAILED_ITSELF) from None
    raise typer.Exit(status)


def _run(command: list[str], options: dict[str, Any]) -> int:
    """Run COMMAND once, and return its status."""
    from primad.metadata.recording.of_command import record_command

    recorded = record_command(command, **options)
    _say_what_came_of_it(recorded)
    return recorded.execution.status


def _repeat(command: list[str], times: int, form: Form, *, vary: Vary | None, **options: Any) -> int:
    """Run COMMAND that many TIMES, print how well what it wrote agrees, and return the status of the last one."""
    from subprocess import DEVNULL

    from primad.reports.repetition import render_repetition
    from primad.reproducibility.repeating import repeat_command

    def tell(number: int, recorded: Recorded) -> None:
        say(f"repetition {number} of {times} ended with status {recorded.execution.status}")
        _say_what_came_of_it(recorded)

    # A file that is closed must not be handed on: its number may be that of another one by then.
    stderr = DEVNULL if sys.stderr is None else _STANDARD_ERROR
    found = repeat_command(command, times, vary_seed=vary is Vary.SEED, on_repetition=tell, stdout=stderr, **options)
    for remark in (*found.remarks, *(found.assessment.remarks if found.assessment is not None else ())):
        say(remark)
    if found.problem:
        say(found.problem)
    show(render_repetition(found, form, terminal_width()))
    return found.status or (_FAILED_ITSELF if found.problem else 0)


def _say_what_came_of_it(recorded: Recorded) -> None:
    """Say what was remarked, and where the record is."""
    for remark in recorded.remarks:
        say(remark)
    for path in recorded.annotated:
        say(f"annotated {path}")
    if recorded.side_file:
        say(f"record in {recorded.side_file}")


def _refuse_without_repeat(**given: object) -> None:
    """Refuse options that only make sense for repetitions."""
    for name, value in given.items():
        if value:
            raise UsageError(f"--{name} is about repetitions; expected --repeat N with it")


def _refuse_measures_without_qrels(qrels: str | None, measures: list[str] | None) -> None:
    """Refuse measures where there is nothing to measure by."""
    if measures and not qrels:
        raise UsageError("-m names a measure of the runs; expected --qrels FILE with it")
