"""primad track assess: how well runs were reproduced in a track, and how precise measured values are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from primad.cli import _assess_options as assessed
from primad.cli._output import say, show, terminal_width
from primad.cli.track._opening import Folder, Slug, here
from primad.errors import DataError, UsageError

if TYPE_CHECKING:
    from primad.track.track import Track

EXAMPLE = """\b
Examples:
  primad track assess 1
  primad track assess search --report report/
"""


def assess(
    thing: Annotated[
        str, typer.Argument(metavar="N|TASK", help="An attempt, or a task of the kind reproduce or measure.")
    ],
    data_set: Annotated[
        str, typer.Option(metavar="NAME", help="The data set of a task that reproduces; the first.")
    ] = "",
    per_topic: assessed.PerTopic = False,
    report: assessed.Report = None,
    folder: Folder = None,
    slug: Slug = "",
    form: assessed.Printed = assessed.Form.TABLE,
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
        assessed.show_assessment(found, form, per_topic=per_topic, report=report)
    elif track.task_facts(thing).kind != "measure":
        assessed.show_assessment(track.assess_task(thing, data_set), form, per_topic=per_topic, report=report)
    elif per_topic:
        raise UsageError(f"{thing} collects values, which have no topics; expected no --per-topic")
    else:
        _show_precision(track, thing, form, report)


def _show_precision(track: Track, task: str, form: str, report: str | None) -> None:
    """Print how precise the values are that teams have measured in TASK; exit with 1 if nothing can be said."""
    from primad.reports.bundle import write_report
    from primad.reports.qra import render

    found = track.quantify_task(task)
    show(render(found, form, width=terminal_width()))
    for remark in found.remarks:
        say(remark)
    if report is not None:
        write_report(found, Path(report))
        say(f"report in {report}")
    if not found.says_something:
        raise typer.Exit(1)
