"""primad worker: the long work that people asked the site for is done."""

from __future__ import annotations

from typing import Annotated

import typer

from primad.cli._commands import new_app
from primad.cli._output import say
from primad.cli.serve import refuse_without_server

EXAMPLE = """\b
Examples:
  primad worker --data lab/
  PRIMAD_ARCHIVE=lab/ primad worker --once
"""

app = new_app()


@app.command(epilog=EXAMPLE)
def worker(
    *,
    folder: Annotated[
        str | None,
        typer.Option(
            "--archive",
            "--data",
            metavar="DIR",
            help="The data folder, if not that of PRIMAD_ARCHIVE or the working folder.",
        ),
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="Stop when no job is left.")] = False,
) -> None:
    """Do the jobs that people asked the site for, one after the other, until the process is told to stop.

    As many workers as one likes can run at once.  The job of one that is stopped or dies is begun again by another.
    """
    refuse_without_server()
    from primad.web.running.work import work_for
    from primad.web.settings import site_here

    work_for(site_here(folder=folder), once=once, said=say)
