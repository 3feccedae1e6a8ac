"""primad track sheet: what an analyst says of a system."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from primad.cli._commands import new_app
from primad.cli._options import Folder, Form, Printed
from primad.cli._output import say, show
from primad.cli.remote.naming import Served
from primad.cli.track._opening import Slug, document, opened, options_of
from primad.errors import FileError, UsageError

if TYPE_CHECKING:
    from primad.reports.track.answers import SheetFacts
    from primad.track.track import Track

EXAMPLE = """\b
Examples:
  primad track sheet ann alpha/run1
  primad track sheet ann alpha/run1 --print > sheet.yaml
  primad track sheet ann alpha/run1 --file sheet.yaml --lock
"""

app = new_app()


@app.command(cls=Served, epilog=EXAMPLE)
def sheet(
    analyst: Annotated[str, typer.Argument(metavar="ANALYST", help="Who answers.")],
    address: Annotated[str, typer.Argument(metavar="SUBMISSION", help="TEAM/NAME, or NAME if only one has it.")],
    file: Annotated[
        str | None, typer.Option(metavar="FILE", help="Answers as YAML, in the form that --print has.")
    ] = None,
    lock: Annotated[bool, typer.Option("--lock", help="Lock it, if it is complete: it stays as it is then.")] = False,
    as_it_is: Annotated[bool, typer.Option("--print", help="Print it as it is, and ask nothing.")] = False,
    folder: Folder = None,
    slug: Slug = "",
    form: Printed = Form.TABLE,
) -> None:
    """Fill in the sheet of ANALYST on a submission: question by question, or from a FILE.

    Answers that follow from what was recorded are proposed.  Each answer is kept as soon as it is given;
    the exit code is 1 if questions are left when the input ends.
    """
    if as_it_is and (file or lock):
        raise UsageError("--print changes nothing; expected no --file and no --lock with it")
    track, options = opened(folder, slug), options_of(folder, slug)
    if file is not None:
        track.fill(analyst, address, _answers_in(file))
    elif not as_it_is:
        _ask(track, analyst, address, options)
    if lock:
        track.fill(analyst, address, {}, lock=True)
    facts = track.sheet_facts(analyst, address)
    if as_it_is or form is Form.JSON:
        from primad.reports.track.sheet_form import sheet_yaml

        show(document(sheet=facts) if form is Form.JSON else sheet_yaml(facts))
    if not as_it_is:
        say(_standing(facts, options))


def _answers_in(path: str) -> Mapping[str, Any]:
    """Return the answers in the YAML file at PATH, by question."""
    from primad.cli.track._files import yaml_in

    answers = yaml_in(path)
    if not isinstance(answers, Mapping):
        raise FileError(path, "expected answers by question, as in 'Q1: yes'", "see the form with --print")
    return answers


def _ask(track: Track, analyst: str, address: str, options: str) -> None:
    """Ask all questions, and keep each answer at once; who is interrupted loses nothing."""
    from primad.cli.track._sheet import ask_all

    track.sheet(analyst, address)  # refuses who is not assigned, and a track in another phase
    facts = track.sheet_facts(analyst, address)
    if facts.locked_at:
        raise UsageError(f"the sheet was locked on {facts.locked_at:%Y-%m-%d %H:%M}; look at it with --print")

    def keep(key: str, answer: Mapping[str, Any]) -> None:
        track.fill(analyst, address, {key: answer})

    try:
        is_done = ask_all(facts, keep)
    except KeyboardInterrupt:
        is_done = False
    if not is_done:
        typer.echo(err=True)
        say(f"{_standing(track.sheet_facts(analyst, address), options)}; go on with the same command")
        raise typer.Exit(1)


def _standing(facts: SheetFacts, options: str) -> str:
    """Return how far the sheet is, and with which command and OPTIONS it is locked."""
    answered = sum(one.value is not None for one in facts.questions)
    how = f"{answered} of {len(facts.questions)} questions answered"
    if facts.locked_at:
        return f"the sheet of {facts.analyst} on {facts.submission} is locked: {how}"
    command = f"primad track sheet {facts.analyst} {facts.submission} --lock{options}"
    return f"the sheet of {facts.analyst} on {facts.submission} is kept: {how}; lock it with: {command}"
