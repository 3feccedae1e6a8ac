"""How long does an analyst work on an attempt, and at which stage?

    STAGES          the stages, in their order
    stage_of        one of them
    resume          go on with an attempt that rests
    pause           let it rest
    change_stage    go on at another stage, without a gap
    correct_span    a time that was noted wrongly
    end_spans       the end of the human time of an attempt
    over_or_now     a time that was stated and is over, or now
    refuse_ended    refuse an attempt that nobody can work on any more
    refuse_at_work  refuse an analyst who is at work already
    noted           write down what was done to an attempt

Human time is what lies between a start and the next pause or end.  An analyst is at work on one attempt at a time.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import Q

from primad.errors import UsageError
from primad.store.log import note
from primad.track.models import Analyst, Attempt, Span
from primad.track.naming import text_of, told_at
from primad.track.next_steps import ENDED
from primad.track.phases import allows
from primad.track.replays.lease import whereabouts
from primad.track.rights import phase_verb
from primad.track.services._changing import changing, changing_attempt

STAGES = ("prerequisites", "install", "run", "output")
_MINUTE = timedelta(minutes=1)


def stage_of(stage: str) -> str:
    """Return STAGE if it is one."""
    if stage not in STAGES:
        raise UsageError(f"expected a stage ({', '.join(STAGES)}), found '{stage[:40]}'")
    return stage


def refuse_ended(attempt: Attempt) -> None:
    """Refuse an ATTEMPT that has ended, or that a replay is at work on."""
    if attempt.state in ENDED:
        raise UsageError(f"{attempt} has {attempt.state} already", _anew(attempt))
    if attempt.state == "running":
        raise UsageError(f"a replay is at work on {attempt}, {whereabouts(attempt)}; wait for its end")


def _anew(attempt: Attempt) -> str:
    """Return how another can follow ATTEMPT, which has ended, as far as the phase allows; a replay is repeated."""
    phase = attempt.track.phase
    start = ["begin another with: primad track attempt start"] if allows(phase, "attempt") else []
    is_repeatable = attempt.replay and allows(phase, "repeat")
    again = [f"repeat a replay with: primad track replay --again {attempt.number}"] if is_repeatable else []
    return ", or ".join(start + again)


def over_or_now(at: datetime | None) -> datetime:
    """Return the time AT which something was done, now where nobody stated one."""
    now = datetime.now(UTC)
    try:
        at = at and at.astimezone(UTC)
    except OverflowError:
        raise UsageError(f"expected a time that is over, found {at}, which no calendar has in UTC") from None
    if at is not None and at > now + _MINUTE:  # no two clocks are the same
        raise UsageError(f"expected a time that is over, found {told_at(at)}; now it is {told_at(now)}")
    return min(at or now, now)


def refuse_at_work(analyst: Analyst) -> None:
    """Refuse if ANALYST is at work on an attempt."""
    busy = Span.objects.filter(attempt__analyst=analyst, ended_at=None).select_related("attempt").first()
    if busy:
        number = busy.attempt.number
        raise UsageError(
            f"{analyst.slug} is at work on attempt {number}; pause it first",
            f"with: primad track attempt pause {number}",
        )


def _refuse_going_on(attempt: Attempt) -> None:
    """Refuse an ATTEMPT that its analyst is at work on already."""
    running = Span.objects.filter(attempt=attempt, ended_at=None).first()
    if running:
        raise UsageError(
            f"{attempt} goes on already, at the stage {running.stage}",
            f"let it rest with: primad track attempt pause {attempt.number}",
        )


def resume(attempt: Attempt, stage: str = "", at: datetime | None = None) -> None:
    """Go on with ATTEMPT, at the STAGE where it was, or another."""
    with changing_attempt(attempt, "attempt"):
        attempt.refresh_from_db()
        refuse_ended(attempt)
        _refuse_going_on(attempt)
        refuse_at_work(attempt.analyst)
        before = Span.objects.filter(attempt=attempt).order_by("-started_at").first()
        now = over_or_now(at)
        if before and before.ended_at and now < before.ended_at:
            rested = told_at(before.ended_at)
            raise UsageError(f"expected a time from {rested} on, when the work rested, found {told_at(now)}")
        where = stage_of(stage) if stage else (before.stage if before else STAGES[0])
        Span.objects.create(attempt=attempt, stage=where, started_at=now)
        noted("resumed", attempt, stage=where)


def pause(attempt: Attempt, at: datetime | None = None) -> None:
    """Let ATTEMPT rest."""
    with changing_attempt(attempt, "end"):
        attempt.refresh_from_db()
        refuse_ended(attempt)
        if not end_spans(attempt, over_or_now(at)):
            goes_on = allows(attempt.track.phase, phase_verb("attempt", repeated=attempt.repeats_id is not None))
            command = f"go on with: primad track attempt resume {attempt.number}" if goes_on else ""
            raise UsageError(f"{attempt} rests already", command)
        noted("paused", attempt)


def change_stage(attempt: Attempt, stage: str) -> str:
    """Go on with ATTEMPT, on which its analyst is at work, at another STAGE, and return the one before."""
    with changing_attempt(attempt, "attempt"):
        attempt.refresh_from_db()
        refuse_ended(attempt)
        now, where = datetime.now(UTC), stage_of(stage)
        running = Span.objects.filter(attempt=attempt, ended_at=None).order_by("-started_at").first()
        if running is None:
            raise UsageError(f"{attempt} rests; go on with it at the stage {where}")
        end_spans(attempt, now)
        Span.objects.create(attempt=attempt, stage=where, started_at=now)
        noted("resumed", attempt, stage=where)
    return str(running.stage)


def end_spans(attempt: Attempt, now: datetime) -> int:
    """End what is not ended of the human time of ATTEMPT, and return how many spans that were."""
    running = Span.objects.filter(attempt=attempt, ended_at=None)
    early = running.filter(started_at__gt=now).first()
    if early:
        raise UsageError(
            f"expected a time behind {told_at(early.started_at)}, when the work began, found {told_at(now)}"
        )
    return int(running.update(ended_at=now))


def correct_span(span: Span, *, started_at: datetime | None, ended_at: datetime | None, remark: str) -> None:
    """Give SPAN other times, for the reason that REMARK says; what stood there is kept."""
    if not remark.strip():
        raise UsageError("say why the time is corrected", "with --because")
    with changing(span.attempt.track, "correct", of=span.attempt.analyst):
        span.refresh_from_db()
        before = {"started_at": span.started_at.isoformat(), "ended_at": span.ended_at and span.ended_at.isoformat()}
        start, end = started_at or span.started_at, ended_at or span.ended_at
        if (start, end) != (span.started_at, span.ended_at):
            start, end = over_or_now(start), end and over_or_now(end)
            _refuse_impossible(span, start, end)
        span.started_at, span.ended_at, span.note = start, end, text_of(remark)
        span.corrected = {"before": [*span.corrected.get("before", []), before]}
        span.save()
        noted("corrected", span.attempt, before=before, reason=text_of(remark, 500))


def _refuse_impossible(span: Span, start: datetime, end: datetime | None) -> None:
    """Refuse a START and an END of SPAN between which its analyst cannot have worked; people note whole minutes."""
    attempt, now = span.attempt, datetime.now(UTC)
    if end is not None and end < start:
        raise UsageError(f"expected an end behind the start {told_at(start)}, found {told_at(end)}")
    if start < attempt.opened_at - _MINUTE:
        raise UsageError(
            f"expected a start from {told_at(attempt.opened_at)} on, when the attempt began, found {told_at(start)}"
        )
    others = Span.objects.filter(attempt__analyst=attempt.analyst, started_at__lt=(end or now) - _MINUTE)
    met = others.exclude(pk=span.pk).filter(Q(ended_at=None) | Q(ended_at__gt=start + _MINUTE)).order_by("id").first()
    if met is not None:
        until = told_at(met.ended_at) if met.ended_at else "now"
        raise UsageError(
            f"{attempt.analyst.slug} was at work on attempt {met.attempt.number} from {told_at(met.started_at)} to "
            f"{until}; expected times that do not overlap"
        )


def noted(verb: str, attempt: Attempt, **details: Any) -> None:
    """Write down that VERB was done to ATTEMPT."""
    note(verb, f"attempt {attempt.track.slug}/{attempt.number}", **details)
