"""What does an analyst do with a system?

    open_attempt   begin to work on a submission
    repeat         begin anew what was done before
    close          end it: with an output, or failed, or abandoned
    verb_to_end    what that is to whoever may do it
    refuse_more    no more results than an honest analyst needs, while a gold standard is hidden
    remark         write something down
    keep_transcript  what a terminal printed, where no replay wrote it down

How long it takes is in timing.py, and what authors are asked meanwhile in asking.py.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django.db.models import Max

from primad.errors import UsageError
from primad.metadata.showing import harmless
from primad.store.actors import current
from primad.store.folder import DataFolder
from primad.track import filing
from primad.track.configurations import chosen, to_run
from primad.track.models import (
    Analyst,
    Assignment,
    Attempt,
    DataSet,
    Files,
    Machine,
    Output,
    Span,
    Submission,
    System,
)
from primad.track.naming import slug_of, text_of, told_at
from primad.track.next_steps import ENDED
from primad.track.replays.running import TRANSCRIPT
from primad.track.services._changing import changing, changing_attempt
from primad.track.services.assigning import refuse_out
from primad.track.services.timing import STAGES, end_spans, noted, over_or_now, refuse_at_work, refuse_ended, stage_of

MOST_TRANSCRIPT = 1 << 24  # bytes that a person hands in
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
    now = over_or_now(at)
    with changing(analyst.track, "attempt", of=analyst):
        refuse_at_work(analyst)
        refuse_out(submission)
        assignment = _assignment(analyst, submission)
        attempt = new_attempt(analyst, submission, configuration, data_set, machine or assignment.machine, now=now)
        Span.objects.create(attempt=attempt, stage=STAGES[0], started_at=now)
        noted("opened", attempt, by=analyst.slug, on=str(submission))
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
    system = System.objects.filter(submission=submission).order_by("-version").first()
    last = Attempt.objects.filter(track=track).aggregate(last=Max("number"))["last"] or 0
    attempt: Attempt = Attempt.objects.create(
        track=track,
        number=last + 1,
        analyst=analyst,
        submission=submission,
        system=system,
        configuration=_configuration(submission, system, configuration),
        data_set=data_set or DataSet.objects.filter(task=submission.task).order_by("id").first(),
        machine=machine,
        repeats=repeats,
        opened_at=now,
    )
    return attempt


def _configuration(submission: Submission, system: System | None, wanted: str) -> str:
    """Return the configuration WANTED of the SYSTEM of SUBMISSION, or the only one, if it can be run."""
    outputs = Output.objects.filter(submission=submission).order_by("id")
    bundled = system.manifest.get("configurations", {}) if system else {}
    return slug_of(
        chosen(wanted, to_run(outputs.values_list("configuration", flat=True), bundled), bundled), "a configuration"
    )


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
        noted("opened", attempt, repeats=old.number)
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
    now = over_or_now(at)
    with changing_attempt(attempt, verb_to_end(outcome)):
        attempt.refresh_from_db()
        refuse_ended(attempt)
        if outcome == "succeeded":
            refuse_more(attempt, by_hand=True)
        end_spans(attempt, now)
        attempt.state, attempt.stage, attempt.reason = outcome, stage, text_of(reason)
        attempt.output = filing.keep(folder, output) if output else attempt.output
        attempt.run_seconds = run_seconds if run_seconds is not None else attempt.run_seconds
        attempt.closed_at = now
        attempt.transcript = _transcript(folder, attempt, transcript) if transcript else attempt.transcript
        attempt.save()
        noted("closed", attempt, outcome=outcome, stage=stage, reason=text_of(reason, 500))


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
    ('abandon', 'end')
    """
    return "abandon" if outcome == "abandoned" else "end"


def _refuse_contradiction(outcome: str, stage: str, reason: str, output: Mapping[str, bytes] | None) -> None:
    """Refuse an OUTCOME that does not fit what is said with it."""
    if outcome not in ENDED:
        raise UsageError(f"expected an outcome ({', '.join(ENDED)}), found '{outcome[:40]}'")
    if outcome == "succeeded" and not output:
        raise UsageError("an attempt that succeeded has an output; hand it over", "with --output")
    if outcome == "failed" and not (stage and reason):
        raise UsageError(f"an attempt that failed did so at a stage ({', '.join(STAGES)}) and for a reason; say both")
    if outcome == "abandoned" and not reason:
        raise UsageError("say why the attempt was abandoned", "with --because")
    if outcome == "failed":
        stage_of(stage)


def keep_transcript(folder: DataFolder, attempt: Attempt, data: bytes) -> None:
    """Keep DATA, what a terminal printed, as the transcript of ATTEMPT, which was made by hand."""
    with changing_attempt(attempt, "attempt"):
        attempt.refresh_from_db()
        attempt.transcript = _transcript(folder, attempt, data)
        attempt.save(update_fields=["transcript"])
        noted("kept the transcript", attempt, bytes=str(len(data)))


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
    with changing_attempt(attempt, "attempt"):
        attempt.refresh_from_db()
        stamp = f"{told_at(datetime.now(UTC))} "
        attempt.note = f"{attempt.note}{stamp}{text_of(text).strip()}\n"
        attempt.save(update_fields=["note"])
        noted("remarked", attempt)
