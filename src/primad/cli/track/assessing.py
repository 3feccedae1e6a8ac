"""primad track assess: how well runs were reproduced in a track, and how precise measured values are."""

from __future__ import annotations

from typing import Annotated

import typer

from primad.cli._assess_options import Printing
from primad.cli._commands import new_app
from primad.cli._options import Folder, gathered
from primad.cli._qra_options import show_precision
from primad.cli.remote.naming import Served
from primad.cli.track._opening import Slug, here
from primad.errors import DataError, UsageError

EXAMPLE = """\b
Examples:
  primad track assess 1
  primad track assess search --report report/
"""

app = new_app()


@app.command(cls=Served, epilog=EXAMPLE)
@gathered
def assess(
    *,
    thing: Annotated[
        str, typer.Argument(metavar="N|TASK", help="An attempt, or a task of the kind reproduce or measure.")
    ],
    data_set: Annotated[
        str, typer.Option(metavar="NAME", help="The data set of a task that reproduces; the first by default.")
    ] = "",
    folder: Folder = None,
    slug: Slug = "",
    printing: Printing,
) -> None:
    """Say by all measures how well a run was reproduced, or how precise the values of a task are.

    The run of an attempt is put beside the submitted one, those of teams beside the original of a task: this is what
    primad assess prints.  Of a task that collects measurements it is what primad qra prints.  The exit code is 1 if
    nothing can be said.
    """
    track = here(folder, slug, "track assess")
    is_attempt = thing.isdecimal() and thing.isascii()
    if data_set and (is_attempt or track.task_facts(thing).kind == "measure"):
        raise UsageError("--data-set is about a task of the kind reproduce; expected none here")
    if is_attempt:
        found = track.assess(int(thing))
        if found is None:
            raise DataError(f"attempt {thing} has no run beside a submitted one; see primad track verdict {thing}")
        printing.show(found)
    elif track.task_facts(thing).kind != "measure":
        printing.show(track.assess_task(thing, data_set))
    elif printing.per_topic:
        raise UsageError(f"{thing} collects values, which have no topics; expected no --per-topic")
    else:
        show_precision(track.quantify_task(thing), printing.form, printing.report)
