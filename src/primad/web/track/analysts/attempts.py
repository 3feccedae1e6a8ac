"""How goes an attempt?

attempt   the page of an attempt: timer, notes, questions, corrections, transcript, end and verdict
replay    how far its replay is, asked for again and again while one runs
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET, require_http_methods

from primad.errors import PairingError, UsageError
from primad.metadata.showing import harmless
from primad.reports.track.answers import AttemptFacts, AttemptRow, SpanFacts
from primad.track.next_steps import ENDED
from primad.track.services.timing import STAGES
from primad.track.track import Track
from primad.web import served
from primad.web.pages import page
from primad.web.track.reading import can, for_workers
from primad.web.track.working import Done, Form, Verb, moment_of, work_page

_VERBS = ("attempt", "end", "abandon", "correct", "answer", "answer-sheet")


@require_http_methods(["GET", "POST"])
@for_workers
def attempt(request: HttpRequest, track: str, analyst: str, number: int) -> HttpResponse:
    """Show an attempt, and take down what an analyst does in it."""
    form = Form(request, served.track(track), {"analyst": analyst, "number": str(number)})
    _facts(form.track, analyst, number)  # before anything is done to it
    return work_page(form, "track/attempt.html", _DO, lambda: _shown(form))


@require_GET
@for_workers
def replay(request: HttpRequest, track: str, analyst: str, number: int) -> HttpResponse:
    """Show how far the replay of an attempt is; WAS is the state in which the page was loaded."""
    opened = served.track(track)
    facts = _facts(opened, analyst, number)
    was = request.GET.get("was", facts.row.state)
    return page(request, "track/attempt_replay_page.html", track=opened.row, attempt=facts, was=was, ended=ENDED)


def _facts(track: Track, analyst: str, number: int) -> AttemptFacts:
    """Return what is known of the attempt of ANALYST with this NUMBER."""
    facts = track.attempt_facts(number)
    if facts.row.analyst != analyst:
        raise PairingError(f"no attempt of {harmless(analyst[:60])} has the number {number}")
    return facts


def _shown(form: Form) -> Mapping[str, Any]:
    """Return what the page of an attempt says."""
    analyst, number = form.names["analyst"], int(form.names["number"])
    facts = _facts(form.track, analyst, number)
    now = datetime.now(UTC)
    return {
        "track": form.track.row,
        "attempt": facts,
        "verdict": form.track.verdict_facts(number),
        "running": next((one for one in facts.spans if one.ended_at is None), None),
        "rested": sum(_seconds(one) for one in facts.spans),
        "now": now,
        "was": facts.row.state,
        "command": _command(form.track, facts),
        "stages": STAGES,
        "ended": ENDED,
        "locked": _is_told(form.track, facts.row),
        "can": can(form.track, _VERBS, analyst=analyst, repeated=facts.row.repeats is not None),
    }


def _is_told(track: Track, row: AttemptRow) -> bool:
    """Tell whether the sheet on the submission that the attempt of ROW is at is locked."""
    return any(one.locked_at for one in track.analyst_facts(row.analyst).sheets if one.submission == row.submission)


def _command(track: Track, facts: AttemptFacts) -> str:
    """Return how a replay is begun or gone on with in an attempt at a terminal, empty where none can be.

    A replay of a submission takes the open attempt at it.
    """
    row = facts.row
    if row.state == "stopped":
        return f"primad track replay --resume {row.number}"
    if row.state != "open" or not row.data_set:
        return ""
    found = track.submission_facts(row.submission)
    kinds = {found.row.system} | {one.kind for one in found.systems if one.version == facts.system}
    if kinds != {"bundle"}:
        return ""
    what = ["--analyst", row.analyst, "--configuration", row.configuration, "--data-set", row.data_set]
    return shlex.join(["primad", "track", "replay", row.submission, *what])


def _seconds(span: SpanFacts) -> float:
    """Return how long SPAN was, 0 while it lasts."""
    return (span.ended_at - span.started_at).total_seconds() if span.ended_at else 0.0


def _number(form: Form) -> int:
    """Return the number of the attempt."""
    return int(form.names["number"])


# Time ------------------------------------------------------------------------------------------------------------


def _pause(form: Form) -> Done:
    """Let the attempt rest."""
    form.track.pause(_number(form))
    repeated = form.track.attempt_facts(_number(form)).row.repeats is not None
    goes_on = can(form.track, ("attempt",), analyst=form.names["analyst"], repeated=repeated)
    return Done("Your time rests.", {"do": "resume"} if goes_on else {})


def _resume(form: Form) -> Done:
    """Go on with the attempt."""
    form.track.resume(_number(form), form.text("stage"))
    return Done("Your time runs.", {"do": "pause"})


def _stage(form: Form) -> Done:
    """Go on at another stage, without a gap."""
    stage = form.text("stage")
    before = form.track.change_stage(_number(form), stage)
    return Done(f"You are at the stage {stage} from now on.", {"do": "stage", "stage": before} if before else {})


def _correct(form: Form) -> Done:
    """Give a while of work other times."""
    number, span = _number(form), form.number("span", "a span")
    before = next((one for one in form.track.attempt_facts(number).spans if one.number == span), None)
    form.track.correct(
        number,
        span,
        started_at=moment_of(form.text("started_at"), "a start"),
        ended_at=moment_of(form.text("ended_at"), "an end"),
        reason=form.text("reason"),
    )
    return Done(f"The times of span {span} are corrected; what stood there is kept.", _back(before))


def _back(span: SpanFacts | None) -> Mapping[str, str]:
    """Return the fields of the form that gives SPAN its times again; one without an end cannot lose the new one."""
    if span is None or span.ended_at is None:
        return {}
    return {
        "do": "correct",
        "span": str(span.number),
        "started_at": span.started_at.isoformat(),
        "ended_at": span.ended_at.isoformat(),
        "reason": "the correction was taken back",
    }


# Words -----------------------------------------------------------------------------------------------------------


def _remark(form: Form) -> Done:
    """Add something to the notes."""
    if not form.text("text"):
        raise UsageError("expected a note, found nothing")
    form.track.remark(_number(form), form.text("text"))
    return Done("The note is kept.")


def _ask(form: Form) -> Done:
    """Ask the authors something."""
    form.track.ask(_number(form), form.text("text"))
    return Done("The question is on the page of the team; their answer will be here.")


def _answer(form: Form) -> Done:
    """Write down what the authors answered."""
    if not form.text("text"):
        raise UsageError("expected what the authors answered, found nothing")
    asked = form.number("question", "the key of a question") if form.has("question") else 0
    form.track.answer(_number(form), form.text("text"), question=asked)
    return Done("The answer is kept.")


# The end ---------------------------------------------------------------------------------------------------------


def _succeed(form: Form) -> Done:
    """End an attempt that gave an output, and have it judged."""
    output = form.files("output")
    if not output:
        raise UsageError("an attempt that succeeded has an output; choose its files")
    found = form.track.stop(
        _number(form),
        "succeeded",
        output=output,
        run_minutes=_minutes(form.text("run_minutes")),
        unreadable=form.has("unreadable"),
        transcript=_transcript(form),
    )
    return Done(f"The attempt succeeded. {found.sentence if found else 'There is nothing to compare it with.'}")


def _transcript(form: Form) -> bytes:
    """Return the transcript that came with a form, empty if none did."""
    return next(iter((form.files("transcript") or {}).values()), b"")


def _keep_transcript(form: Form) -> Done:
    """Keep what a terminal printed."""
    given = _transcript(form)
    if not given:
        raise UsageError("expected a transcript, found nothing; choose the file that your terminal wrote")
    form.track.keep_transcript(_number(form), given)
    return Done("The transcript is kept.")


def _minutes(text: str) -> float | None:
    """Return the minutes that somebody typed, None where nothing was typed."""
    try:
        value = float(text) if text else None
    except ValueError:
        value = -1.0
    if value is not None and not 0 <= value < 1e6:  # noqa: PLR2004 - two years; also refuses what is no number
        raise UsageError(f"expected minutes such as 12.5, found '{harmless(text[:40])}'")
    return value


def _fail(form: Form) -> Done:
    """End an attempt that failed."""
    stage, reason = form.text("stage"), form.text("reason")
    form.track.stop(_number(form), "failed", stage=stage, reason=reason, transcript=_transcript(form))
    return Done("It is written down that the attempt failed, and where.")


def _abandon(form: Form) -> Done:
    """End an attempt that nobody goes on with."""
    form.track.stop(_number(form), "abandoned", reason=form.text("reason"))
    return Done("The attempt is abandoned.")


_DO: Mapping[str, Verb] = {
    "pause": _pause,
    "resume": _resume,
    "stage": _stage,
    "correct": _correct,
    "remark": _remark,
    "transcript": _keep_transcript,
    "ask": _ask,
    "answer": _answer,
    "succeed": _succeed,
    "fail": _fail,
    "abandon": _abandon,
}
