"""primad track verdict and level: what came of an attempt."""

from __future__ import annotations

from typing import Annotated

import typer

from primad.cli._commands import new_app
from primad.cli._options import Because, Folder, Form, Printed
from primad.cli._output import say, show, terminal_width
from primad.cli.remote.naming import Served
from primad.cli.track._opening import Slug, called, document, opened, options_of
from primad.cli.track._typed import level_number
from primad.cli.track.attempting import Number
from primad.errors import DataError

VERDICT_EXAMPLE = """\b
Examples:
  primad track verdict 1
  primad track verdict 1 --format json
"""
LEVEL_EXAMPLE = """\b
Examples:
  primad track level 1
  primad track level 1 4
  primad track level 1 2 --because "it was built with the help of its authors"
"""

app = new_app()


@app.command(cls=Served, epilog=VERDICT_EXAMPLE)
def verdict(number: Number, folder: Folder = None, slug: Slug = "", form: Printed = Form.TABLE) -> None:
    """Judge the output of attempt N anew beside the submitted one; exit with 1 if the scorer fails on it."""
    from primad.reports.track.attempts import verdict_shown

    track = opened(folder, slug)
    found = track.verdict(number)
    if found is None:
        attempt = track.attempt_facts(number)
        missing = "no submitted output or no gold standard beside it" if attempt.output else "no output"
        raise DataError(f"there is nothing to judge: {called(attempt.row)} has {missing}")
    content = dict(found.content)
    show(
        document(attempt=number, verdict=content)
        if form is Form.JSON
        else verdict_shown(number, content, terminal_width())
    )
    if content.get("error"):
        raise typer.Exit(1)


@app.command(cls=Served, epilog=LEVEL_EXAMPLE)
def level(
    number: Number,
    decided: Annotated[
        int | None,
        typer.Argument(metavar="LEVEL", parser=level_number, help="1 to 4; without it what the record shows."),
    ] = None,
    because: Because = "",
    folder: Folder = None,
    slug: Slug = "",
    form: Printed = Form.TABLE,
) -> None:
    """Decide how repeatable a system is by attempt N, or print what the record speaks for.

    1: its authors say that it builds; 2: it builds; 3: within 30 minutes; 4: it gives results consistent with those
    submitted.  Another level than the proposed one takes a reason.
    """
    from primad.reports.track.attempts import level_shown

    track = opened(folder, slug)
    if decided is not None:
        track.set_level(number, decided, because)
        say(f"attempt {number} shows level {decided}")
    facts = track.level_facts(number)
    show(document(attempt=number, level=facts) if form is Form.JSON else level_shown(facts, terminal_width()))
    if facts.decided is None:
        say(f"decide it with: primad track level {number} {facts.proposed or 'LEVEL'}{options_of(folder, slug)}")
