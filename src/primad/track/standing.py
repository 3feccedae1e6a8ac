"""In which state is a submission or an attempt, and why?  Nothing stands anywhere without a reason.

attempt_row       an attempt in a line
became            what became of an attempt of somebody, in a few words
submission_row    a submission in a line
minutes_of        the human time of an attempt
verdict_of        the verdict on an attempt, None if there is none
verdict_facts     a verdict as plain values
event_facts       what was done, as plain values
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from primad.reports.track.answers import AttemptRow, SubmissionRow, TrackEvent, VerdictFacts
from primad.store.log import details_of
from primad.store.models import Event
from primad.track._whole import Whole
from primad.track.configurations import to_run
from primad.track.models import Assignment, Attempt, Span, Submission, Verdict
from primad.track.naming import told_at
from primad.track.next_steps import ENDED
from primad.track.phases import allows, way_to
from primad.track.replays.lease import is_elsewhere, whereabouts
from primad.track.rights import phase_verb


def minutes_of(spans: Iterable[Span], now: datetime) -> float:
    """Return the minutes of SPANS; what is not ended runs until NOW."""
    return sum(((one.ended_at or now) - one.started_at).total_seconds() for one in spans) / 60


def verdict_of(attempt: Attempt) -> Verdict | None:
    """Return the verdict on ATTEMPT, None if there is none."""
    found: Verdict | None = getattr(attempt, "verdict", None)
    return found


def verdict_facts(verdict: Verdict) -> VerdictFacts:
    """Return VERDICT as plain values."""
    return VerdictFacts(
        attempt=verdict.attempt.number,
        agreement=verdict.agreement,
        words=verdict.words,
        points=verdict.points,
        primary=verdict.primary,
        submitted=verdict.submitted,
        replicated=verdict.replicated,
        difference=verdict.content.get("difference"),
        sentence=str(verdict.content.get("sentence") or ""),
        content=dict(verdict.content),
    )


def event_facts(event: Event) -> TrackEvent:
    """Return EVENT as plain values; the agreement that older ones name has the usual limit, not that in force."""
    details = details_of(event)
    told = {name: value for name, value in details.items() if (event.verb, name) != ("judged", "agreement")}
    return TrackEvent(event.at, event.whom, event.verb, told)


# Attempts --------------------------------------------------------------------------------------------------------


def attempt_row(attempt: Attempt, spans: list[Span], now: datetime, phase: str) -> AttemptRow:
    """Return ATTEMPT, of which an analyst worked in SPANS, in a line as it is NOW, in this PHASE of its track."""
    verdict = verdict_of(attempt)
    return AttemptRow(
        number=attempt.number,
        submission=str(attempt.submission),
        analyst=attempt.analyst.slug,
        configuration=attempt.configuration,
        data_set=attempt.data_set.slug if attempt.data_set else "",
        machine=attempt.machine.slug if attempt.machine else "",
        state=attempt.state,
        stage=attempt.stage,
        why=_why(attempt, spans, now),
        command=_command(attempt, spans, phase),
        human_minutes=minutes_of(spans, now),
        run_minutes=None if attempt.run_seconds is None else attempt.run_seconds / 60,
        agreement=verdict.words if verdict else "",
        level=attempt.level,
        repeats=attempt.repeats.number if attempt.repeats else None,
        opened_at=attempt.opened_at,
    )


def _why(attempt: Attempt, spans: list[Span], now: datetime) -> str:
    """Return why ATTEMPT is in its state."""
    if attempt.state == "running":
        return _running(attempt, now)
    if attempt.state == "open":
        return _open(attempt, spans)
    if attempt.state == "stopped":
        where = f"{attempt.stage}: " if attempt.stage else ""
        return f"{where}{attempt.reason}"
    if attempt.state == "succeeded":
        verdict = verdict_of(attempt)
        return verdict.words if verdict else "no verdict"
    return ": ".join(filter(None, (attempt.stage, attempt.reason))) or "nobody has said why"


def _running(attempt: Attempt, now: datetime) -> str:
    """Return who runs the replay of ATTEMPT, and when that was last seen alive."""
    sends = ", which sends what it prints" if is_elsewhere(attempt) else ""
    seen = f", last seen alive {(now - attempt.beat_at).total_seconds():.0f} s ago" if attempt.beat_at else ""
    return f"a replay is at work {whereabouts(attempt)}{sends}{seen}"


def _open(attempt: Attempt, spans: list[Span]) -> str:
    """Return whether somebody is at work on ATTEMPT."""
    at_work = next((one for one in spans if one.ended_at is None), None)
    if at_work:
        since, stage = told_at(at_work.started_at), at_work.stage or "not stated"
        return f"{attempt.analyst.slug} is at work on it since {since}, at the stage {stage}"
    return "it rests"


def _command(attempt: Attempt, spans: list[Span], phase: str) -> str:
    """Return what somebody at a terminal can type to go on with ATTEMPT, empty where nothing is to be done."""
    going_on, ending = (phase_verb(verb, repeated=attempt.repeats_id is not None) for verb in ("attempt", "end"))
    if attempt.state == "succeeded" and verdict_of(attempt) is None:
        return f"see why with: primad track verdict {attempt.number}"
    rests = attempt.state == "open" and all(one.ended_at for one in spans)
    if not rests and attempt.state != "stopped":
        return ""
    if not allows(phase, ending):
        todo, command = way_to(phase, ending)
        return f"the track is in the phase {phase}; an organiser can {todo}: {command}"
    closing = f"end it: primad track attempt stop {attempt.number} abandoned --because TEXT"
    if not allows(phase, going_on):
        return closing
    if attempt.state == "stopped":
        return f"go on: primad track replay --resume {attempt.number}, or {closing}"
    return f"go on: primad track attempt resume {attempt.number}"


# Submissions -----------------------------------------------------------------------------------------------------


def submission_row(submission: Submission, whole: Whole) -> SubmissionRow:
    """Return SUBMISSION in a line, as all rows of its track say."""
    system = whole.systems.get(submission.pk)
    assigned = whole.assigned_to(submission)
    state, why = _standing(submission, whole, assigned)
    return SubmissionRow(
        address=str(submission),
        title=submission.title,
        team=submission.team.slug,
        task=submission.task.slug,
        state=state,
        why=why,
        system=system.kind if system else "",
        analysts=tuple(one.analyst.slug for one in assigned),
        eligible=submission.eligible,
        reason=submission.reason,
        configurations=to_run(
            (one.configuration for one in whole.outputs.get(submission.pk, ())),
            system.manifest.get("configurations", {}) if system else {},
        ),
    )


def _standing(submission: Submission, whole: Whole, assigned: list[Assignment]) -> tuple[str, str]:
    """Return the state of SUBMISSION, and why it is in it."""
    if submission.withdrawn_at:
        reason = whole.withdrawn.get(str(submission), "")
        return "withdrawn", f"on {submission.withdrawn_at:%Y-%m-%d}" + (f": {reason}" if reason else "")
    if submission.eligible is False:
        return "not eligible", submission.reason
    if submission.task.kind != "replicate":
        return "submitted", f"nobody runs it again: the task is of the kind {submission.task.kind}"
    if submission.pk not in whole.systems:
        return "waits for a system", f"team {submission.team.slug} has submitted results only"
    attempts = whole.attempts_at(submission)
    if not assigned and not attempts:
        decided = "nobody has decided whether it is eligible" if submission.eligible is None else submission.reason
        return "waits for analysts", decided
    return _tried(attempts, assigned) if attempts else _not_begun(whole, assigned)


def _not_begun(whole: Whole, assigned: list[Assignment]) -> tuple[str, str]:
    """Return that none of those ASSIGNED has begun; in a published track of which only print tells, nobody knows."""
    if whole.track.phase == "published" and not whole.attempts:
        return "submitted", "no attempts of single analysts are recorded"
    return "assigned", "; ".join(became(one.analyst.slug) for one in assigned)


def _tried(attempts: list[Attempt], assigned: list[Assignment]) -> tuple[str, str]:
    """Return how far the ATTEMPTS of those who are ASSIGNED are."""
    begun = {one.analyst_id for one in attempts}
    idle = [one.analyst.slug for one in assigned if one.analyst_id not in begun]
    told = [_told(one) for one in attempts] + [became(slug) for slug in idle]
    if idle or any(one.state not in ENDED for one in attempts):
        return "in replication", "; ".join(told)
    succeeded = any(one.state == "succeeded" for one in attempts)
    return "run again" if succeeded else "could not be run again", "; ".join(told)


def _told(attempt: Attempt) -> str:
    """Return what became of ATTEMPT, in a few words."""
    verdict = verdict_of(attempt)
    return became(attempt.analyst.slug, attempt.state, verdict.words if verdict else "", attempt.stage)


def became(who: str, state: str = "", agreement: str = "", stage: str = "") -> str:
    """Return what became of an attempt of WHO, which is in a STATE, in a few words; without one there is no attempt.

    >>> became("ann", "failed", stage="install"), became("dan")
    ('ann failed (at install)', 'dan has not begun')
    """
    more = agreement or (f"at {stage}" if stage else "")
    return f"{who} {state}{f' ({more})' if more else ''}" if state else f"{who} has not begun"
