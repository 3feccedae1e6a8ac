"""primad track show: what is known of a track, or of one thing in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from primad.cli import _output
from primad.cli._commands import new_app
from primad.cli._options import Folder, Form, Printed
from primad.cli._output import say, terminal_width
from primad.cli.remote.naming import Served
from primad.cli.track._opening import Slug, document, opened, options_of, to_copy
from primad.errors import UsageError

if TYPE_CHECKING:
    from primad.track.track import Track

EXAMPLE = """\b
Examples:
  primad track show
  primad track show alpha/run1
  primad track show 3 --transcript
  primad track show analyst:ann --format json
"""

app = new_app()


@app.command(cls=Served, epilog=EXAMPLE)
def show(
    thing: Annotated[
        str | None,
        typer.Argument(
            metavar="THING",
            help="The number of an attempt, TEAM/NAME, or the name of a task, team or analyst; the whole track.",
        ),
    ] = None,
    transcript: Annotated[
        bool, typer.Option("--transcript", help="Of an attempt, print the whole transcript and nothing else.")
    ] = False,
    secret: Annotated[
        bool, typer.Option("--secret", help="Of a remote system, print what is needed to reach it; this is logged.")
    ] = False,
    folder: Folder = None,
    slug: Slug = "",
    form: Printed = Form.TABLE,
) -> None:
    """Print how far a track is, who has to do what next, and why anything waits; or all about one THING.

    A name that several have takes its kind before it, as in task:coding.  Times are those of UTC.
    """
    if thing is None and (transcript or secret):
        raise UsageError("expected the THING that is meant: an attempt for --transcript, a submission for --secret")
    track = opened(folder, slug)
    if thing is None:
        _show_track(track, form, options_of(folder, slug))
    else:
        _show_thing(track, thing, form, options_of(folder, slug), transcript=transcript, secret=secret)


def _show_track(track: Track, form: Form, options: str) -> None:
    """Print all that is known of TRACK; commands to copy have the OPTIONS by which it was found."""
    from primad.reports.track.things import track_shown

    facts = to_copy(track.facts(), options)
    _output.show(document(track=facts) if form is Form.JSON else track_shown(facts, terminal_width()))


def _show_thing(track: Track, thing: str, form: Form, options: str, *, transcript: bool, secret: bool) -> None:
    """Print all that is known of a THING; commands to copy have the OPTIONS by which it was found."""
    kind, name = track.called(thing)
    if transcript and kind != "attempt":
        raise UsageError(f"an attempt has a transcript; expected its number, found the {kind} {thing:.80}")
    if secret and kind != "submission":
        raise UsageError(f"a submission can have a secret; expected TEAM/NAME, found the {kind} {thing:.80}")
    if secret:
        _show_secret(track, name, form)
        return
    facts = to_copy(_facts(track, kind, name, whole_transcript=transcript), options)
    if form is Form.JSON:
        _output.show(document(**{kind: facts}))
    elif transcript:
        _output.show("".join(f"{line}\n" for line in facts.transcript))
        if not facts.transcript:
            say(f"attempt {facts.row.number} has no transcript: no replay of it was begun")
    else:
        _output.show(_shown(kind, facts, terminal_width()))


def _show_secret(track: Track, address: str, form: Form) -> None:
    """Print what is needed to reach the system of the submission with this ADDRESS."""
    secret = track.secret_of(address)
    _output.show(document(submission=address, secret=secret) if form is Form.JSON else f"{secret}\n")


def _facts(track: Track, kind: str, name: str, *, whole_transcript: bool) -> Any:
    """Return all that is known of the thing NAME, which is of a KIND."""
    if kind == "attempt":
        return track.attempt_facts(int(name), whole_transcript=whole_transcript)
    reads: dict[str, Any] = {
        "submission": track.submission_facts,
        "task": track.task_facts,
        "team": track.team_facts,
        "analyst": track.analyst_facts,
    }
    return reads[kind](name)


def _shown(kind: str, facts: Any, width: int | None) -> str:
    """Return FACTS on a thing of a KIND as text."""
    from primad.reports.track import attempts, things

    shown: dict[str, Any] = {
        "attempt": attempts.attempt_shown,
        "submission": things.submission_shown,
        "task": things.task_shown,
        "team": things.team_shown,
        "analyst": things.analyst_shown,
    }
    text: str = shown[kind](facts, width)
    return text
