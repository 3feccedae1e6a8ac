"""primad exec: run a command, record it, annotate what it wrote."""

from __future__ import annotations

from typing import Annotated, Any, cast

import typer
from typer.core import TyperCommand

from primad.cli._output import say
from primad.errors import PrimadError, UsageError

EXAMPLE = """\b
Examples:
  primad exec -- python search.py --output bm25.run
  primad exec --template me.yml --run runs/bm25.run -- ./search.sh
  primad exec --trace --output records -- java -jar searcher.jar
"""

# As env, nice and timeout have it: this program itself has failed, not the command.
_FAILED_ITSELF = 125


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


def execute(
    command: Annotated[list[str], typer.Argument(metavar="COMMAND", help="The command with its arguments, after --.")],
    template: Annotated[
        str | None, typer.Option(metavar="FILE", help="A metadata file, or another annotated run, to take fields from.")
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="FIELD=VALUE", help="The value of a field, as in actor.team=h2oloo."),
    ] = None,
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
) -> None:
    """Run COMMAND, record how it went, and annotate the runs it wrote.

    The exit status is that of COMMAND: 126 if it cannot be executed, 127 if it is not found, 128+n after signal n, and
    125 if primad itself has failed.  Where the command failed or wrote no run, the record goes to a file of its own.
    """
    try:
        from primad.metadata.recording.of_command import record_command

        recorded = record_command(
            command,
            template=template,
            values=_values(settings or []),
            runs=run or [],
            output=output,
            trace=trace,
        )
    except (PrimadError, OSError) as error:
        say(error)
        raise typer.Exit(_FAILED_ITSELF) from None
    for remark in recorded.remarks:
        say(remark)
    for path in recorded.annotated:
        say(f"annotated {path}")
    if recorded.side_file:
        say(f"record in {recorded.side_file}")
    raise typer.Exit(recorded.execution.status)


def _values(settings: list[str]) -> dict[str, str]:
    """Return the values that are set."""
    if not settings:
        return {}  # without them, nothing has to be imported
    from primad.metadata.settings import read_settings

    return read_settings(settings)
