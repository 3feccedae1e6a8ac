"""What do analysts do?

POST   /tracks/TRACK/attempts                    begin an attempt
POST   /tracks/TRACK/attempts/N/repetition       repeat it as a new one
POST   /tracks/TRACK/attempts/N/pause            let it rest
POST   /tracks/TRACK/attempts/N/resumption       go on
POST   /tracks/TRACK/attempts/N/end              end it, with an output or with the reason why not
POST   /tracks/TRACK/attempts/N/corrections      a time that was noted wrongly
POST   /tracks/TRACK/attempts/N/remarks          something to remember
POST   /tracks/TRACK/attempts/N/questions        a question to the authors
POST   /tracks/TRACK/attempts/N/answers          what they said to one, or to the oldest open one
POST   /tracks/TRACK/attempts/N/verdict          judge it anew
POST   /tracks/TRACK/attempts/N/level            decide how repeatable the system is
"""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Field, Form, Status

from primad.reports.track.answers import AttemptFacts, LevelFacts, QuestionFacts, VerdictFacts
from primad.track.services.attempting import verb_to_end
from primad.track.track import Track
from primad.web import served
from primad.web.api.describing import KEYED
from primad.web.api.fields import Asking, Name
from primad.web.api.tracks.shared import (
    Chosen,
    Files,
    Moment,
    Number,
    Packed,
    Slug,
    Text,
    TrackName,
    answered,
    moment,
    router,
)
from primad.web.arriving import tree_in

_LONGEST_RUN = 10_000_000.0  # minutes
Minutes = Annotated[float, Field(ge=0, le=_LONGEST_RUN, allow_inf_nan=False)]


class NewAttempt(Asking):
    """An attempt of an analyst at a submission, TEAM/NAME, that is assigned to them."""

    analyst: Slug
    submission: Name
    configuration: Chosen = ""
    data_set: Chosen = ""
    machine: Chosen = ""
    at: Moment | None = None


class Repetition(Asking):
    """On which data set an attempt is repeated, if on another."""

    data_set: Chosen = ""


class When(Asking):
    """When, if not now."""

    at: Moment | None = None


class Resumption(When):
    """Where the analyst goes on, if elsewhere."""

    stage: Chosen = ""


class Correction(Asking):
    """Other times for the SPAN of work with this number, and why."""

    span: Annotated[int, Field(ge=1, le=1_000_000)]
    started_at: Moment | None = None
    ended_at: Moment | None = None
    reason: Text


class Said(Asking):
    """Something to remember."""

    text: Text


class Told(Said):
    """Something that was said, now or at a time."""

    at: Moment | None = None


class Answered(Told):
    """What was answered to the QUESTION with this key; without it, to the oldest that is open."""

    question: Annotated[int, Field(ge=1, le=999_999_999)] | None = None


class NewLevel(Asking):
    """A level of repeatability; another than the proposed one takes a reason."""

    level: Annotated[int, Field(ge=1, le=4)]
    reason: Text = ""


@router.post("/{track}/attempts", response={201: AttemptFacts}, openapi_extra=KEYED, summary="Begin an attempt.")
def track_start(request: HttpRequest, track: TrackName, asked: NewAttempt) -> Status[Any]:
    """Begin an attempt; the time of the analyst begins."""
    here = served.track(track)

    def do() -> AttemptFacts:
        given = asked.model_dump(exclude={"analyst", "submission"})
        return here.attempt_facts(here.start(asked.analyst, asked.submission, **given).number)

    return answered(request, AttemptFacts, do, asked=request.body, status=201)


@router.post(
    "/{track}/attempts/{number}/repetition",
    response={201: AttemptFacts},
    openapi_extra=KEYED,
    summary="Repeat an attempt as a new one.",
)
def track_repeat(request: HttpRequest, track: TrackName, number: Number, asked: Repetition) -> Status[Any]:
    """Begin an attempt that repeats an old one, on the same or another data set."""
    here = served.track(track)

    def do() -> AttemptFacts:
        return here.attempt_facts(here.again(number, asked.data_set).number)

    return answered(request, AttemptFacts, do, asked=request.body, status=201)


@router.post(
    "/{track}/attempts/{number}/pause", response=AttemptFacts, openapi_extra=KEYED, summary="Let an attempt rest."
)
def track_pause(request: HttpRequest, track: TrackName, number: Number, asked: When) -> Status[Any]:
    """Let an attempt rest: what follows is not human time."""
    here = served.track(track)

    def do() -> AttemptFacts:
        here.pause(number, asked.at)
        return here.attempt_facts(number)

    return answered(request, AttemptFacts, do, asked=request.body)


@router.post(
    "/{track}/attempts/{number}/resumption",
    response=AttemptFacts,
    openapi_extra=KEYED,
    summary="Go on with an attempt that rests.",
)
def track_resume(request: HttpRequest, track: TrackName, number: Number, asked: Resumption) -> Status[Any]:
    """Go on at the same stage or another."""
    here = served.track(track)

    def do() -> AttemptFacts:
        here.resume(number, asked.stage, asked.at)
        return here.attempt_facts(number)

    return answered(request, AttemptFacts, do, asked=request.body)


@router.post(
    "/{track}/attempts/{number}/end", response=VerdictFacts | None, openapi_extra=KEYED, summary="End an attempt."
)
def track_stop(
    request: HttpRequest,
    track: TrackName,
    number: Number,
    outcome: Annotated[Slug, Form(description="succeeded, failed or abandoned.")],
    stage: Annotated[Chosen, Form("", description="Where it failed, or was given up.")] = "",
    reason: Annotated[Text, Form("")] = "",
    run_minutes: Annotated[Minutes | None, Form(description="What the run of the system took.")] = None,
    unreadable: Annotated[bool, Form(description="Take an output that the scorer cannot read.")] = False,
    at: Annotated[Moment | None, Form()] = None,
    output: Files = None,
    packed: Packed = False,
) -> Status[Any]:
    """End an attempt with its output, which is scored and put beside the submitted one, or with the reason why not."""
    here = served.track(track)
    here.require(verb_to_end(outcome), analyst=here.attempt(number).analyst.slug)  # before anything is read
    asked = {"outcome": outcome, "stage": stage, "reason": reason, "minutes": run_minutes, "at": moment(at)}

    def do() -> VerdictFacts | None:
        return here.stop(
            number,
            outcome,
            output=tree_in(output, packed=packed),
            stage=stage,
            reason=reason,
            run_minutes=run_minutes,
            at=at,
            unreadable=unreadable,
        )

    told = asked | {"unreadable": unreadable, "packed": packed}
    return answered(request, VerdictFacts | None, do, asked=told, files=output)


@router.post(
    "/{track}/attempts/{number}/corrections",
    response=AttemptFacts,
    openapi_extra=KEYED,
    summary="Correct a time that was noted wrongly.",
)
def track_correct(request: HttpRequest, track: TrackName, number: Number, asked: Correction) -> Status[Any]:
    """Give a while of work other times; what stood there is kept."""
    here = served.track(track)

    def do() -> AttemptFacts:
        here.correct(number, **asked.model_dump())
        return here.attempt_facts(number)

    return answered(request, AttemptFacts, do, asked=request.body)


@router.post(
    "/{track}/attempts/{number}/remarks", response=AttemptFacts, openapi_extra=KEYED, summary="Write something down."
)
def track_remark(request: HttpRequest, track: TrackName, number: Number, asked: Said) -> Status[Any]:
    """Add a note to an attempt."""
    here = served.track(track)

    def do() -> AttemptFacts:
        here.remark(number, asked.text)
        return here.attempt_facts(number)

    return answered(request, AttemptFacts, do, asked=request.body)


@router.post(
    "/{track}/attempts/{number}/questions",
    response={201: QuestionFacts},
    openapi_extra=KEYED,
    summary="Write down a question to the authors.",
)
def track_ask(request: HttpRequest, track: TrackName, number: Number, asked: Told) -> Status[Any]:
    """Write down what the authors were asked; their team sees it."""
    here = served.track(track)
    return answered(
        request, QuestionFacts, lambda: here.ask(number, asked.text, asked.at), asked=request.body, status=201
    )


@router.post(
    "/{track}/attempts/{number}/answers",
    response=QuestionFacts,
    openapi_extra=KEYED,
    summary="Answer a question, the oldest that is open if none is named.",
)
def track_answer(request: HttpRequest, track: TrackName, number: Number, asked: Answered) -> Status[Any]:
    """Write down what the authors answered; one of them may do that, too."""
    here = served.track(track)

    def do() -> QuestionFacts:
        return here.answer(number, asked.text, asked.at, question=asked.question or 0)

    return answered(request, QuestionFacts, do, asked=request.body)


@router.post(
    "/{track}/attempts/{number}/verdict",
    response=VerdictFacts | None,
    openapi_extra=KEYED,
    summary="Judge an attempt anew.",
)
def track_judge(request: HttpRequest, track: TrackName, number: Number) -> Status[Any]:
    """Put the output of an attempt beside the submitted one again; null where there is nothing to compare."""
    here: Track = served.track(track)
    return answered(request, VerdictFacts | None, lambda: here.verdict(number))


@router.post(
    "/{track}/attempts/{number}/level",
    response=LevelFacts,
    openapi_extra=KEYED,
    summary="Decide how repeatable a system is.",
)
def track_set_level(request: HttpRequest, track: TrackName, number: Number, asked: NewLevel) -> Status[Any]:
    """Write down the level of repeatability that an attempt shows."""
    here = served.track(track)

    def do() -> LevelFacts:
        here.set_level(number, asked.level, asked.reason)
        return here.level_facts(number)

    return answered(request, LevelFacts, do, asked=request.body)
