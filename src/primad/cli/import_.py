"""primad import: what another tool wrote, as runs with metadata and as measurements."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from primad.cli._commands import new_app
from primad.cli._input import is_folder
from primad.cli._options import Form
from primad.cli._output import say, show, terminal_width

if TYPE_CHECKING:
    from primad.exchange.reading import Imported

EXAMPLE = """\b
Examples:
  primad import bm25.zip
  primad import mlruns/0/4f1c --output from-mlflow
  primad import tira-output/
"""

app = new_app()

_SCHEMA = "primad.import/1"
_MOST_FILES = 10


@app.command("import", epilog=EXAMPLE)
def import_command(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="A file, a folder or a zip; its format is found out, see export --list."),
    ],
    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="DIR", help="The new folder; the name of FILE with -imported by default."
        ),
    ] = None,
    form: Annotated[Form, typer.Option("--format", help="How to print what was taken over.")] = Form.TABLE,
) -> None:
    """Take over what another tool wrote: runs with their metadata, and measurements, in a new folder.

    What could not be taken over is listed.
    """
    from primad.exchange.reading import import_file

    imported = import_file(file, output or f"{_name(Path(file))}-imported")
    if form is Form.JSON:
        from primad.reports.lists import json_document

        show(json_document(_SCHEMA, imported))
        return
    _tell(imported)


def _name(path: Path) -> str:
    """Return what PATH is called: a file without its suffix, a folder whole, also where it is written as '.'."""
    return path.resolve().name if is_folder(str(path)) else path.stem


def _more(number: int) -> str:
    """Return that there are so many more, nothing if there are none."""
    return f" and {number:,} more" if number > 0 else ""


def _tell(imported: Imported) -> None:
    """Say what is there now, what could not be taken over, and what can be done next."""
    from primad.reports.lists import facts, many

    counted = {"run": imported.runs, "record": imported.records, "measurement": imported.measurements}
    found = [many(number, what) for what, number in counted.items() if number]
    show(
        facts(
            {
                "format": imported.format,
                "folder": imported.path,
                "found": ", ".join(found) or "no run, no record and no measurement",
                "files": ", ".join(imported.files[:_MOST_FILES]) + _more(len(imported.files) - _MOST_FILES),
            },
            terminal_width(),
        )
    )
    for line in imported.lost:
        say(f"not taken over: {line}")
    for remark in imported.remarks:
        say(remark)
    for command in _next(imported):
        say(f"next: {command}")


def _next(imported: Imported) -> list[str]:
    """Return what can be done with what was IMPORTED."""
    commands = []
    if imported.runs:
        commands.append(shlex.join(["primad", "check", imported.path]))
    if imported.measurements:
        from primad.exchange.thing import MEASUREMENTS

        commands.append(shlex.join(["primad", "qra", str(Path(imported.path) / MEASUREMENTS)]))
    return commands
