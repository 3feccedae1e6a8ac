"""primad track assign: who runs what."""

from __future__ import annotations

from typing import Annotated

import typer

from primad.cli._commands import new_app
from primad.cli._options import Folder, Form, Printed
from primad.cli._output import say, show, terminal_width
from primad.cli.remote.naming import Served
from primad.cli.track._opening import Slug, document, opened
from primad.errors import UsageError

EXAMPLE = """\b
Examples:
  primad track assign --per-submission 2
  primad track assign ann alpha/run1 --machine laptop
  primad track assign ann alpha/run1 --remove
"""

app = new_app()


@app.command(cls=Served, epilog=EXAMPLE)
def assign(
    analyst: Annotated[str | None, typer.Argument(metavar="ANALYST", help="One analyst; without, all.")] = None,
    address: Annotated[
        str | None, typer.Argument(metavar="SUBMISSION", help="TEAM/NAME, or NAME if only one has it.")
    ] = None,
    machine: Annotated[str, typer.Option(metavar="NAME", help="The machine of the analyst.")] = "",
    remark: Annotated[str, typer.Option(metavar="TEXT", help="Anything to remember.")] = "",
    remove: Annotated[bool, typer.Option("--remove", help="Take the assignment back.")] = False,
    per_submission: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Analysts for each submission; 2 by default.")
    ] = None,
    folder: Folder = None,
    slug: Slug = "",
    form: Printed = Form.TABLE,
) -> None:
    """Assign one analyst to a submission, or all of them by a matrix that balances roles and machines.

    Conflicts of interest are honoured, and what was assigned by hand or has begun stays.  The matrix is printed.
    """
    from primad.reports.track.things import matrix_shown

    if (analyst is None) != (address is None):
        raise UsageError("expected ANALYST and SUBMISSION, or neither for a matrix of all")
    if analyst is None and (machine or remark or remove):
        raise UsageError("--machine, --remark and --remove are about one assignment; expected ANALYST and SUBMISSION")
    if analyst is not None and per_submission:
        raise UsageError("--per-submission is about the matrix of all; expected no ANALYST and SUBMISSION with it")
    track = opened(folder, slug)
    notes: tuple[str, ...] = ()
    if analyst is None or address is None:
        notes = track.assign_all(per_submission).notes
    elif remove:
        track.unassign(analyst, address)
    else:
        track.assign(analyst, address, machine, remark)
    facts = track.facts()
    shown = document(assignments=list(facts.assignments), notes=list(notes))
    show(shown if form is Form.JSON else matrix_shown(facts, terminal_width()))
    for sentence in notes:
        say(sentence)
    if not facts.assignments:
        say("nobody is assigned to anything")
