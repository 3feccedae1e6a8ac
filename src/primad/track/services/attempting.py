"""What does an analyst do with a system, and how long?

    open_attempt   begin to work on a submission
    repeat         begin anew what was done before
    resume         go on with an attempt that rests
    pause          let it rest
    change_stage   go on at another stage, without a gap
    close          end it: with an output, or failed, or abandoned
    verb_to_end    what that is to whoever may do it
    refuse_more    no more results than an honest analyst needs, while a gold standard is hidden
    remark         write something down
    keep_transcript  what a terminal printed, where no replay wrote it down
    ask, answer    a question to the authors, and what they said
    correct_span   a time that was noted wrongly

Human time is what lies between a start and the next pause or end.  An analyst is at work on one attempt at a time.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import Max, Q

from primad.errors import PairingError, UsageError
from primad.metadata.showing import harmless
from primad.store.actors import current
from primad.store.folder import DataFolder
from primad.store.log import note
from primad.track import filing
from primad.track.models import (
    Analyst,
    Assignment,
    Attempt,
    DataSet,
    Files,
    Machine,
    Question,
    Span,
    Submission,
    System,
)
from primad.track.naming import slug_of, text_of, told_at
from primad.track.replays.lease import whereabouts
from primad.track.replays.running import TRANSCRIPT
from primad.track.services._changing import changing

OUTCOMES = ("succeeded", "failed", "abandoned")
ENDED = frozenset(OUTCOMES)
STAGES = ("prerequisites", "install", "run", "output")
MOST_TRANSCRIPT = 1 << 24  # bytes that a person hands in
_MINUTE = timedelta(minutes=1)
# What an analyst hears of each result tells a little of a hidden gold standard; of very many it would tell all.
MOST_BY_HAND = 3
MOST_REPLAYED = 20


def open_attempt(
    analyst: Analyst,
    submission: Submission,
    *,
    configuration: str = "",
    data_set: DataSet | None = None,
    machine: Machine | None = None,
    at: datetime | None = None,
) -> Attempt:
    """Return a new attempt of ANALYST at SUBMISSION, whose human time begins now, or AT a time."""
    now = at or datetime.now(UTC)
    with changing(analyst.track, "attempt", of=analyst):
        _refuse_at_work(analyst)
        assignment = _assignment(analyst, submission)
        attempt = new_attempt(analyst, submission, configuration, data_set, machine or assignment.machine, now=now)
        Span.objects.create(attempt=attempt, stage=STAGES[0], started_at=now)
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
    with changing(old.track, "repeat", of=old.analyst):
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
            f"{analyst.slug} is not assigned to {submission}; an organiser can do that",
            f"with: primad track assign {analyst.slug} {submission}",
        )
    return found


def _refuse_at_work(analyst: Analyst) -> None:
    """Refuse if ANALYST is at work on an attempt."""
    busy = Span.objects.filter(attempt__analyst=analyst, ended_at=None).select_related("attempt").first()
    if busy:
        number = busy.attempt.number
        raise UsageError(
            f"{analyst.slug} is at work on attempt {number}; pause it first",
            f"with: primad track attempt pause {number}",
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
            f"{attempt} has {attempt.state} already",
            "begin another with: primad track attempt start, "
            f"or repeat a replay with: primad track replay --again {attempt.number}",
        )
    if attempt.state == "running":
        raise UsageError(f"a replay is at work on {attempt}, {whereabouts(attempt)}; wait for its end")


def resume(attempt: Attempt, stage: str = "", at: datetime | None = None) -> None:
    """Go on with ATTEMPT, at the STAGE where it was, or another."""
    with changing(attempt.track, "attempt", of=attempt.analyst):
        attempt.refresh_from_db()
        refuse_ended(attempt)
        _refuse_at_work(attempt.analyst)
        before = Span.objects.filter(attempt=attempt).order_by("-started_at").first()
        now = at or datetime.now(UTC)
        if before and before.ended_at and now < before.ended_at:
            rested = told_at(before.ended_at)
            raise UsageError(f"expected a time from {rested} on, when the work rested, found {told_at(now)}")
        where = _stage(stage) if stage else (before.stage if before else STAGES[0])
        Span.objects.create(attempt=attempt, stage=where, started_at=now)
        _note("resumed", attempt, stage=where)


def _note(verb: str, attempt: Attempt, **details: str) -> None:
    """Write down that VERB was done to ATTEMPT."""
    note(verb, f"attempt {attempt.track.slug}/{attempt.number}", **details)


def pause(attempt: Attempt, at: datetime | None = None) -> None:
    """Let ATTEMPT rest."""
    with changing(attempt.track, "attempt", of=attempt.analyst):
        if not _end_spans(attempt, at or datetime.now(UTC)):
            raise UsageError(f"{attempt} rests already", f"go on with: primad track attempt resume {attempt.number}")
        _note("paused", attempt)


def change_stage(attempt: Attempt, stage: str) -> str:
    """Go on with ATTEMPT, on which its analyst is at work, at another STAGE, and return the one before."""
    with changing(attempt.track, "attempt", of=attempt.analyst):
        attempt.refresh_from_db()
        refuse_ended(attempt)
        now, where = datetime.now(UTC), _stage(stage)
        running = Span.objects.filter(attempt=attempt, ended_at=None).order_by("-started_at").first()
        if running is None:
            raise UsageError(f"{attempt} rests; go on with it at the stage {where}")
        _end_spans(attempt, now)
        Span.objects.create(attempt=attempt, stage=where, started_at=now)
        _note("resumed", attempt, stage=where)
    return str(running.stage)


def _end_spans(attempt: Attempt, now: datetime) -> int:
    """End what is not ended of the human time of ATTEMPT, and return how many spans that were."""
    running = Span.objects.filter(attempt=attempt, ended_at=None)
    early = running.filter(started_at__gt=now).first()
    if early:
        raise UsageError(
            f"expected a time behind {told_at(early.started_at)}, when the work began, found {told_at(now)}"
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
    transcript: bytes = b"",
    at: datetime | None = None,
) -> None:
    """End ATTEMPT: it succeeded with an OUTPUT, failed at a STAGE for a REASON, or was abandoned for one.

    TRANSCRIPT is what a terminal printed meanwhile, if there is any.
    """
    _refuse_contradiction(outcome, stage, reason, output)
    if run_seconds is not None and not 0 <= run_seconds < math.inf:
        raise UsageError(f"expected a run time of some minutes, found {run_seconds / 60:g}")
    now = at or datetime.now(UTC)
    with changing(attempt.track, verb_to_end(outcome), of=attempt.analyst):
        attempt.refresh_from_db()
        refuse_ended(attempt)
        if outcome == "succeeded":
            refuse_more(attempt, by_hand=True)
        _end_spans(attempt, now)
        attempt.state, attempt.stage, attempt.reason = outcome, stage, text_of(reason)
        attempt.output = filing.keep(folder, output) if output else attempt.output
        attempt.run_seconds = run_seconds if run_seconds is not None else attempt.run_seconds
        attempt.closed_at = now
        attempt.transcript = _transcript(folder, attempt, transcript) if transcript else attempt.transcript
        attempt.save()
        _note("closed", attempt, outcome=outcome, stage=stage, reason=text_of(reason, 500))


def refuse_more(attempt: Attempt, *, by_hand: bool = False) -> None:
    """Refuse ATTEMPT another result while the gold is hidden, if its analyst has enough of the same, or BY_HAND."""
    data_set = attempt.data_set
    is_hidden = data_set is not None and data_set.gold is not None and not data_set.public
    if current().is_keeper or not is_hidden or attempt.track.phase == "published":
        return
    same = {name: getattr(attempt, name) for name in ("analyst", "submission", "configuration", "data_set")}
    # A replay that was stopped leaves its journal in an attempt that is then ended by hand, but never a record.
    which: dict[str, Any] = {"record": {}} if by_hand else {}
    most, how = (MOST_BY_HAND, "handed in by hand") if by_hand else (MOST_REPLAYED, "replayed elsewhere")
    before = Attempt.objects.filter(**same, **which, state="succeeded").exclude(pk=attempt.pk).count()
    if before >= most:
        raise UsageError(
            f"expected at most {most} results of {attempt.submission} {how} by one analyst, of one configuration on "
            f"one data set, while its gold standard is hidden, found {before} already; abandon this attempt, and ask "
            "an organiser if another result is needed"
        )


def verb_to_end(outcome: str) -> str:
    """Return what somebody does who ends an attempt with this OUTCOME.

    >>> verb_to_end("abandoned"), verb_to_end("failed")
    ('abandon', 'attempt')
    """
    return "abandon" if outcome == "abandoned" else "attempt"


def _refuse_contradiction(outcome: str, stage: str, reason: str, output: Mapping[str, bytes] | None) -> None:
    """Refuse an OUTCOME that does not fit what is said with it."""
    if outcome not in OUTCOMES:
        raise UsageError(f"expected an outcome ({', '.join(OUTCOMES)}), found '{outcome[:40]}'")
    if outcome == "succeeded" and not output:
        raise UsageError("an attempt that succeeded has an output; hand it over", "with --output")
    if outcome == "failed" and not (stage and reason):
        raise UsageError(f"an attempt that failed did so at a stage ({', '.join(STAGES)}) and for a reason; say both")
    if outcome == "abandoned" and not reason:
        raise UsageError("say why the attempt was abandoned", "with --because")
    if outcome == "failed":
        _stage(stage)


def keep_transcript(folder: DataFolder, attempt: Attempt, data: bytes) -> None:
    """Keep DATA, what a terminal printed, as the transcript of ATTEMPT, which was made by hand."""
    with changing(attempt.track, "attempt", of=attempt.analyst):
        attempt.refresh_from_db()
        attempt.transcript = _transcript(folder, attempt, data)
        attempt.save(update_fields=["transcript"])
        _note("kept the transcript", attempt, bytes=str(len(data)))


def _transcript(folder: DataFolder, attempt: Attempt, data: bytes) -> Files:
    """Return DATA, made harmless, as the transcript of ATTEMPT; what a replay has written is never replaced."""
    if attempt.replay or attempt.state == "running":
        raise UsageError(f"the transcript of {attempt} is written by a replay, and stays as it is")
    if not 0 < len(data) <= MOST_TRANSCRIPT:
        raise UsageError(f"expected a transcript of 1 to {MOST_TRANSCRIPT:,} bytes, found {len(data):,}")
    text = harmless(data.decode("utf-8", "replace").replace("\r\n", "\n"), keep="\n\t")
    return filing.keep(folder, {TRANSCRIPT: text.encode()})


def remark(attempt: Attempt, text: str) -> None:
    """Add TEXT to the notes on ATTEMPT."""
    with changing(attempt.track, "attempt", of=attempt.analyst):
        attempt.refresh_from_db()
        stamp = f"{told_at(datetime.now(UTC))} "
        attempt.note = f"{attempt.note}{stamp}{text_of(text).strip()}\n"
        attempt.save(update_fields=["note"])
        _note("remarked", attempt)


def ask(attempt: Attempt, text: str, at: datetime | None = None) -> Question:
    """Write down what the authors were asked during ATTEMPT."""
    if not text.strip():
        raise UsageError("expected the question that the authors were asked, found nothing")
    with changing(attempt.track, "attempt", of=attempt.analyst):
        question: Question = Question.objects.create(
            attempt=attempt, asked_at=at or datetime.now(UTC), text=text_of(text)
        )
        _note("asked", attempt)
    return question


def answer(attempt: Attempt, text: str, at: datetime | None = None, *, key: int = 0) -> Question:
    """Write down what the authors answered to the question of ATTEMPT with this KEY, or to the oldest open one."""
    if not text.strip():
        raise UsageError("expected the answer of the authors, found nothing")
    with changing(attempt.track, "answer", of=(attempt.submission.team, attempt.analyst)):
        question = _question(attempt, key)
        question.answer, question.answered_at = text_of(text), at or datetime.now(UTC)
        question.save()
        _note("answered", attempt)
    return question


def _question(attempt: Attempt, key: int) -> Question:
    """Return the question of ATTEMPT with this KEY, or the oldest one, if it is open."""
    asked = Question.objects.filter(attempt=attempt).order_by("id")
    if key and not asked.filter(pk=key).exists():
        raise PairingError(f"no question of {attempt} has the key {key}")
    found: Question | None = asked.filter(answered_at=None, **({"pk": key} if key else {})).first()
    if found is None:
        raise UsageError(
            f"this question of {attempt} is answered already" if key else f"no question of {attempt} is open"
        )
    return found


def _refuse_impossible(span: Span, start: datetime, end: datetime | None) -> None:
    """Refuse a START and an END of SPAN between which its analyst cannot have worked; people note whole minutes."""
    attempt, now = span.attempt, datetime.now(UTC)
    if end is not None and end < start:
        raise UsageError(f"expected an end behind the start {told_at(start)}, found {told_at(end)}")
    if start < attempt.opened_at - _MINUTE:
        raise UsageError(
            f"expected a start from {told_at(attempt.opened_at)} on, when the attempt began, found {told_at(start)}"
        )
    if (end or start) > now:
        raise UsageError(f"expected a time that is over, found {told_at(end or start)}; now it is {told_at(now)}")
    others = Span.objects.filter(attempt__analyst=attempt.analyst, started_at__lt=(end or now) - _MINUTE)
    met = others.exclude(pk=span.pk).filter(Q(ended_at=None) | Q(ended_at__gt=start + _MINUTE)).order_by("id").first()
    if met is not None:
        until = told_at(met.ended_at) if met.ended_at else "now"
        raise UsageError(
            f"{attempt.analyst.slug} was at work on attempt {met.attempt.number} from {told_at(met.started_at)} to "
            f"{until}; expected times that do not overlap"
        )


def correct_span(span: Span, *, started_at: datetime | None, ended_at: datetime | None, remark: str) -> None:
    """Give SPAN other times, for the reason that REMARK says; what stood there is kept."""
    if not remark.strip():
        raise UsageError("say why the time is corrected", "with --because")
    with changing(span.attempt.track, "correct", of=span.attempt.analyst):
        span.refresh_from_db()
        before = {"started_at": span.started_at.isoformat(), "ended_at": span.ended_at and span.ended_at.isoformat()}
        start, end = started_at or span.started_at, ended_at or span.ended_at
        if (start, end) != (span.started_at, span.ended_at):
            _refuse_impossible(span, start, end)
        span.started_at, span.ended_at, span.note = start, end, text_of(remark)
        span.corrected = {"before": [*span.corrected.get("before", []), before]}
        span.save()
        note(
            "corrected",
            f"attempt {span.attempt.track.slug}/{span.attempt.number}",
            before=before,
            reason=text_of(remark, 500),
        )
