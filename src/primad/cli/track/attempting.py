"""primad track attempt: what an analyst does with a system, and how long."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from primad.cli._commands import new_app
from primad.cli._options import Because, Folder, Form, Printed
from primad.cli._output import say, show, terminal_width
from primad.cli.remote.naming import Served
from primad.cli.track._opening import (
    At,
    Configuration,
    DataSet,
    Machine,
    Slug,
    called,
    document,
    moment_of,
    opened,
    options_of,
    to_copy,
)
from primad.cli.track._typed import attempt_number, one_of, span_number
from primad.errors import FormatError, UsageError

if TYPE_CHECKING:
    from primad.reports.track.answers import AttemptFacts
    from primad.track.track import Track

HELP = """Write down an attempt at a system: when work began, rested and ended, and what came of it.

The analyst runs the system on a machine of their own; primad track replay runs it in a sandbox instead.
"""
EXAMPLE = """\b
Examples:
  primad track attempt start ann alpha/run1
  primad track attempt pause 1
  primad track attempt resume 1 --stage run
  primad track attempt log 1 "Which version of Java?" --question
  primad track attempt stop 1 succeeded --output output.tsv --run-minutes 12
"""
START_EXAMPLE = """\b
Examples:
  primad track attempt start ann alpha/run1 --machine laptop
"""
PAUSE_EXAMPLE = """\b
Examples:
  primad track attempt pause 1
"""
RESUME_EXAMPLE = """\b
Examples:
  primad track attempt resume 1 --stage install
"""
STOP_EXAMPLE = """\b
Examples:
  primad track attempt stop 1 succeeded --output output.tsv --run-minutes 12
  primad track attempt stop 1 failed --stage install --because "needs Java 8"
"""
LOG_EXAMPLE = """\b
Examples:
  primad track attempt log 1 "the manual names another file"
  primad track attempt log 1 "Which version of Java?" --question
  primad track attempt log 1 "Java 17" --answer
"""
CORRECT_EXAMPLE = """\b
Examples:
  primad track attempt correct 1 2 --to 2016-05-01T16:00 --because "forgot to pause"
"""

app = new_app("attempt", help=HELP, epilog=EXAMPLE)

Number = Annotated[int, typer.Argument(metavar="N", parser=attempt_number, help="The number of the attempt.")]


class Outcome(StrEnum):
    """How an attempt ends."""

    SUCCEEDED = "succeeded"
    FAILED = "failed"
    ABANDONED = "abandoned"


class Stage(StrEnum):
    """Where in an attempt an analyst is."""

    PREREQUISITES = "prerequisites"
    INSTALL = "install"
    RUN = "run"
    OUTPUT = "output"


@app.command(cls=Served, short_help="Begin an attempt.", epilog=START_EXAMPLE)
def start(
    analyst: Annotated[str, typer.Argument(metavar="ANALYST", help="Who works.")],
    address: Annotated[str, typer.Argument(metavar="SUBMISSION", help="TEAM/NAME, or NAME if only one has it.")],
    configuration: Configuration = "",
    data_set: DataSet = "",
    machine: Machine = "",
    at: At = "",
    folder: Folder = None,
    slug: Slug = "",
    form: Printed = Form.TABLE,
) -> None:
    """Begin an attempt of ANALYST at a submission that is assigned to them; their time begins."""
    track = opened(folder, slug)
    made = track.start(
        analyst, address, configuration=configuration, data_set=data_set, machine=machine, at=moment_of(at)
    )
    _show_number(made.number, form)
    begun = called(track.attempt_facts(made.number).row)
    say(f"{begun} has begun; pause it with: primad track attempt pause {made.number}{options_of(folder, slug)}")


def _show_number(number: int, form: Form) -> None:
    """Print the NUMBER of an attempt, which the next commands need."""
    show(document(attempt={"number": number}) if form is Form.JSON else f"{number}\n")


@app.command(cls=Served, short_help="Let it rest.", epilog=PAUSE_EXAMPLE)
def pause(number: Number, at: At = "", folder: Folder = None, slug: Slug = "") -> None:
    """Let an attempt rest: what follows is not human time."""
    track = opened(folder, slug)
    track.pause(number, moment_of(at))
    say(f"attempt {number}: {to_copy(track.attempt_facts(number).row, options_of(folder, slug)).why_at_terminal}")


@app.command(cls=Served, short_help="Go on with it.", epilog=RESUME_EXAMPLE)
def resume(
    number: Number,
    stage: Annotated[Stage | None, typer.Option(help="Where the analyst is now; where they were by default.")] = None,
    at: At = "",
    folder: Folder = None,
    slug: Slug = "",
) -> None:
    """Go on with an attempt that rests, at the same stage or another."""
    opened(folder, slug).resume(number, stage or "", moment_of(at))
    say(f"attempt {number} goes on{f' at the stage {stage}' if stage else ''}")


@app.command(cls=Served, short_help="End it.", epilog=STOP_EXAMPLE)
def stop(
    number: Number,
    outcome: Annotated[
        Outcome, typer.Argument(metavar="OUTCOME", parser=one_of(Outcome), help="succeeded, failed or abandoned.")
    ],
    output: Annotated[
        str | None, typer.Option(metavar="PATH", help="What the system gave: a file or a folder.")
    ] = None,
    stage: Annotated[Stage | None, typer.Option(help="Where it failed, or was given up.")] = None,
    because: Because = "",
    run_minutes: Annotated[
        float | None, typer.Option(min=0, metavar="MINUTES", help="What the run of the system took.")
    ] = None,
    unreadable: Annotated[
        bool, typer.Option("--unreadable", help="Take an output that the scorer cannot read, as what the system gave.")
    ] = False,
    at: At = "",
    folder: Folder = None,
    slug: Slug = "",
    form: Printed = Form.TABLE,
) -> None:
    """End an attempt: with an output, which is scored and put beside the submitted one, or with the reason why not."""
    from primad.cli.track._files import refuse_absent

    refuse_absent(*filter(None, [output]))
    track = opened(folder, slug)
    try:
        track.stop(
            number,
            outcome,
            output=output,
            stage=stage or "",
            reason=because,
            run_minutes=run_minutes,
            at=moment_of(at),
            unreadable=unreadable,
        )
    except FormatError as error:
        hint = "the attempt goes on; if that is what the system gave, end it with --unreadable"
        raise FormatError(
            error.path, error.problems, error.total, "; ".join(filter(None, (error.hint, hint)))
        ) from None
    show_outcome(track, number, form, options_of(folder, slug))


def show_outcome(track: Track, number: int, form: Form, options: str) -> AttemptFacts:
    """Print what came of the attempt with this NUMBER, say what comes next, with these OPTIONS, and return it."""
    from primad.reports.track.attempts import outcome_shown

    facts: AttemptFacts = to_copy(track.attempt_facts(number), options)
    show(document(attempt=facts) if form is Form.JSON else outcome_shown(facts, terminal_width()))
    analyst, address = facts.row.analyst, facts.row.submission
    is_withdrawn = track.submission_facts(address).row.state == "withdrawn"
    is_told = is_withdrawn or track.sheet_facts(analyst, address).locked_at is not None
    if not is_told and track.facts().phase != "published":
        say(f"next: primad track sheet {analyst} {address}{options}")
    return facts


@app.command(cls=Served, short_help="Write something down.", epilog=LOG_EXAMPLE)
def log(
    number: Number,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What is to be remembered.")],
    question: Annotated[bool, typer.Option("--question", help="The authors were asked this.")] = False,
    answer: Annotated[bool, typer.Option("--answer", help="They answered this to the oldest open question.")] = False,
    at: At = "",
    folder: Folder = None,
    slug: Slug = "",
) -> None:
    """Write something down: a note, a question to the authors, or their answer."""
    if question and answer:
        raise UsageError("expected either --question or --answer, found both")
    if not text.strip():
        raise UsageError("expected something to write down, found nothing")
    if at and not (question or answer):
        raise UsageError("--at is when a question was asked or answered; a note has no time of its own")
    track, moment = opened(folder, slug), moment_of(at)
    if question:
        track.ask(number, text, moment)
    elif answer:
        say(f"the question was: {track.answer(number, text, moment).text}")
    else:
        track.remark(number, text)
    what = "question" if question else "answer" if answer else "note"
    say(f"the {what} is with attempt {number}")


@app.command(cls=Served, short_help="Correct a time.", epilog=CORRECT_EXAMPLE)
def correct(
    number: Number,
    span: Annotated[
        int,
        typer.Argument(
            metavar="SPAN", parser=span_number, help="Which while of work, as primad track show N counts them."
        ),
    ],
    since: Annotated[str, typer.Option("--from", metavar="TIME", help="When it began; as it is by default.")] = "",
    until: Annotated[str, typer.Option("--to", metavar="TIME", help="When it ended; as it is by default.")] = "",
    because: Because = "",
    folder: Folder = None,
    slug: Slug = "",
) -> None:
    """Correct a time that was noted wrongly; what stood there before is kept."""
    started, ended = moment_of(since, "--from"), moment_of(until, "--to")
    if started is None and ended is None:
        raise UsageError("expected another time, --from TIME or --to TIME, found neither")
    opened(folder, slug).correct(number, span, started_at=started, ended_at=ended, reason=because)
    say(f"span {span} of attempt {number} is corrected")
