"""What does an analyst do with a system, and how long?

    open_attempt   begin to work on a submission
    repeat         begin anew what was done before
    resume         go on with an attempt that rests
    pause          let it rest
    close          end it: with an output, or failed, or abandoned
    remark         write something down
    ask, answer    a question to the authors, and what they said
    correct_span   a time that was noted wrongly

Human time is what lies between a start and the next pause or end.  An analyst is at work on one attempt at a time.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from django.db.models import Max

from primad.errors import UsageError
from primad.store.folder import DataFolder
from primad.store.log import note
from primad.track import filing
from primad.track.models import Analyst, Assignment, Attempt, DataSet, Machine, Question, Span, Submission, System
from primad.track.naming import slug_of, text_of
from primad.track.services._changing import changing

OUTCOMES = ("succeeded", "failed", "abandoned")
ENDED = frozenset(OUTCOMES)
STAGES = ("prerequisites", "install", "run", "output")


def open_attempt(
    analyst: Analyst,
    submission: Submission,
    *,
    configuration: str = "",
    data_set: DataSet | None = None,
    machine: Machine | None = None,
    stage: str = STAGES[0],
    at: datetime | None = None,
) -> Attempt:
    """Return a new attempt of ANALYST at SUBMISSION, whose human time begins now, or AT a time."""
    now = at or datetime.now(UTC)
    with changing(analyst.track, "attempt"):
        _refuse_at_work(analyst)
        assignment = _assignment(analyst, submission)
        attempt = new_attempt(analyst, submission, configuration, data_set, machine or assignment.machine, now=now)
        Span.objects.create(attempt=attempt, stage=_stage(stage), started_at=now)
        note("opened", f"attempt {analyst.track.slug}/{attempt.number}", by=analyst.slug, on=str(submission))
    return attempt


def new_attempt(
    analyst: Analyst,
    submission: Submission,
    configuration: str,
    data_set: DataSet | None,
    machine: Machine | None,
    *,
    now: datetime,
    repeats: Attempt | None = None,
) -> Attempt:
    """Return a new attempt as a row, within a transaction."""
    track = analyst.track
    last = Attempt.objects.filter(track=track).aggregate(last=Max("number"))["last"] or 0
    attempt: Attempt = Attempt.objects.create(
        track=track,
        number=last + 1,
        analyst=analyst,
        submission=submission,
        system=System.objects.filter(submission=submission).order_by("-version").first(),
        configuration=slug_of(configuration or "default", "a configuration"),
        data_set=data_set or DataSet.objects.filter(task=submission.task).order_by("id").first(),
        machine=machine,
        repeats=repeats,
        opened_at=now,
    )
    return attempt


def repeat(old: Attempt, data_set: DataSet | None = None) -> Attempt:
    """Return a new attempt that repeats the OLD one later, on the same or another DATA_SET; no human time begins."""
    with changing(old.track, "repeat"):
        attempt = new_attempt(
            old.analyst,
            old.submission,
            old.configuration,
            data_set or old.data_set,
            old.machine,
            now=datetime.now(UTC),
            repeats=old,
        )
        note("opened", f"attempt {old.track.slug}/{attempt.number}", repeats=old.number)
    return attempt


def _assignment(analyst: Analyst, submission: Submission) -> Assignment:
    """Return the assignment of ANALYST to SUBMISSION, or say that there is none."""
    found: Assignment | None = (
        Assignment.objects.filter(analyst=analyst, submission=submission).select_related("machine").first()
    )
    conflict = analyst.conflicts.get(submission.team.slug)
    if found is None and conflict is not None:
        raise UsageError(f"{analyst.slug} has a conflict of interest with {submission.team.slug} ({conflict})")
    if found is None:
        raise UsageError(
            f"{analyst.slug} is not assigned to {submission}; an organiser can do that with: "
            f"primad track assign {analyst.slug} {submission}"
        )
    return found


def _refuse_at_work(analyst: Analyst) -> None:
    """Refuse if ANALYST is at work on an attempt."""
    busy = Span.objects.filter(attempt__analyst=analyst, ended_at=None).select_related("attempt").first()
    if busy:
        number = busy.attempt.number
        raise UsageError(
            f"{analyst.slug} is at work on attempt {number}; pause it first: primad track attempt pause {number}"
        )


def _stage(stage: str) -> str:
    """Return STAGE if it is one."""
    if stage not in STAGES:
        raise UsageError(f"expected a stage ({', '.join(STAGES)}), found '{stage[:40]}'")
    return stage


def refuse_ended(attempt: Attempt) -> None:
    """Refuse an ATTEMPT that has ended, or that a replay is at work on."""
    if attempt.state in ENDED:
        raise UsageError(
            f"{attempt} has {attempt.state} already; begin another with: primad track attempt start, "
            f"or repeat a replay with: primad track replay --again {attempt.number}"
        )
    if attempt.state == "running":
        raise UsageError(f"a replay is at work on {attempt} ({attempt.holder}); wait for its end")


def resume(attempt: Attempt, stage: str = "", at: datetime | None = None) -> None:
    """Go on with ATTEMPT, at the STAGE where it was, or another."""
    with changing(attempt.track, "attempt"):
        attempt.refresh_from_db()
        refuse_ended(attempt)
        _refuse_at_work(attempt.analyst)
        before = Span.objects.filter(attempt=attempt).order_by("-started_at").first()
        now = at or datetime.now(UTC)
        if before and before.ended_at and now < before.ended_at:
            rested = f"{before.ended_at:%Y-%m-%d %H:%M}"
            raise UsageError(
                f"expected a time from {rested} on, when the work rested, found {now.astimezone(UTC):%Y-%m-%d %H:%M}"
            )
        where = _stage(stage) if stage else (before.stage if before else STAGES[0])
        Span.objects.create(attempt=attempt, stage=where, started_at=now)


def pause(attempt: Attempt, at: datetime | None = None) -> None:
    """Let ATTEMPT rest."""
    with changing(attempt.track, "attempt"):
        if not _end_spans(attempt, at or datetime.now(UTC)):
            raise UsageError(f"{attempt} rests already; go on with: primad track attempt resume {attempt.number}")


def _end_spans(attempt: Attempt, now: datetime) -> int:
    """End what is not ended of the human time of ATTEMPT, and return how many spans that were."""
    running = Span.objects.filter(attempt=attempt, ended_at=None)
    early = running.filter(started_at__gt=now).first()
    if early:
        raise UsageError(
            f"expected a time behind {early.started_at:%Y-%m-%d %H:%M}, when the work began, found {now:%H:%M}"
        )
    return int(running.update(ended_at=now))


def close(
    folder: DataFolder,
    attempt: Attempt,
    outcome: str,
    *,
    stage: str = "",
    reason: str = "",
    output: Mapping[str, bytes] | None = None,
    run_seconds: float | None = None,
    at: datetime | None = None,
) -> None:
    """End ATTEMPT: it succeeded with an OUTPUT, failed at a STAGE for a REASON, or was abandoned for one."""
    _refuse_contradiction(outcome, stage, reason, output)
    now = at or datetime.now(UTC)
    with changing(attempt.track, "attempt"):
        attempt.refresh_from_db()
        refuse_ended(attempt)
        _end_spans(attempt, now)
        attempt.state, attempt.stage, attempt.reason = outcome, stage, text_of(reason)
        attempt.output = filing.keep(folder, output) if output else attempt.output
        attempt.run_seconds = run_seconds if run_seconds is not None else attempt.run_seconds
        attempt.closed_at = now
        attempt.save()
        note(
            "closed",
            f"attempt {attempt.track.slug}/{attempt.number}",
            outcome=outcome,
            stage=stage,
            reason=text_of(reason, 500),
        )


def _refuse_contradiction(outcome: str, stage: str, reason: str, output: Mapping[str, bytes] | None) -> None:
    """Refuse an OUTCOME that does not fit what is said with it."""
    if outcome not in OUTCOMES:
        raise UsageError(f"expected an outcome ({', '.join(OUTCOMES)}), found '{outcome[:40]}'")
    if outcome == "succeeded" and not output:
        raise UsageError("an attempt that succeeded has an output; hand it over with --output")
    if outcome == "failed" and not (stage and reason):
        raise UsageError(f"an attempt that failed did so at a stage ({', '.join(STAGES)}) and for a reason; say both")
    if outcome == "abandoned" and not reason:
        raise UsageError("say why the attempt was abandoned, with --because")
    if outcome == "failed":
        _stage(stage)


def remark(attempt: Attempt, text: str) -> None:
    """Add TEXT to the notes on ATTEMPT."""
    with changing(attempt.track, "attempt"):
        attempt.refresh_from_db()
        stamp = f"{datetime.now(UTC):%Y-%m-%d %H:%M} "
        attempt.note = f"{attempt.note}{stamp}{text_of(text).strip()}\n"
        attempt.save(update_fields=["note"])


def ask(attempt: Attempt, text: str, at: datetime | None = None) -> Question:
    """Write down what the authors were asked during ATTEMPT."""
    if not text.strip():
        raise UsageError("expected the question that the authors were asked, found nothing")
    with changing(attempt.track, "attempt"):
        question: Question = Question.objects.create(
            attempt=attempt, asked_at=at or datetime.now(UTC), text=text_of(text)
        )
    return question


def answer(attempt: Attempt, text: str, at: datetime | None = None) -> Question:
    """Write down what the authors answered to the oldest open question of ATTEMPT."""
    with changing(attempt.track, "attempt"):
        question: Question | None = Question.objects.filter(attempt=attempt, answered_at=None).order_by("id").first()
        if question is None:
            raise UsageError(f"no question of {attempt} is open")
        question.answer, question.answered_at = text_of(text), at or datetime.now(UTC)
        question.save()
    return question


def correct_span(span: Span, *, started_at: datetime | None, ended_at: datetime | None, remark: str) -> None:
    """Give SPAN other times, for the reason that REMARK says; what stood there is kept."""
    if not remark.strip():
        raise UsageError("say why the time is corrected, with --because")
    with changing(span.attempt.track, "correct"):
        span.refresh_from_db()
        before = {"started_at": span.started_at.isoformat(), "ended_at": span.ended_at and span.ended_at.isoformat()}
        start, end = started_at or span.started_at, ended_at or span.ended_at
        if end is not None and end < start:
            raise UsageError(f"expected an end behind the start {start:%Y-%m-%d %H:%M}, found {end:%Y-%m-%d %H:%M}")
        span.started_at, span.ended_at, span.note = start, end, text_of(remark)
        span.corrected = {"before": [*span.corrected.get("before", []), before]}
        span.save()
        note(
            "corrected",
            f"attempt {span.attempt.track.slug}/{span.attempt.number}",
            before=before,
            reason=text_of(remark, 500),
        )
