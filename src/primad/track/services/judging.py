"""What came of an attempt, and which submissions count?

judge_attempt      the verdict on its output, kept
decide             whether a submission is eligible, and why
set_level          the level of repeatability of an attempt, decided by a person
proposed_level     the level that follows from what was recorded
"""

from __future__ import annotations

from datetime import UTC, datetime

from primad.errors import UsageError
from primad.store.folder import DataFolder
from primad.store.log import note
from primad.track.levels import propose_level
from primad.track.models import Attempt, Submission, Verdict
from primad.track.naming import text_of
from primad.track.scoring import has_gold, judged, told_of
from primad.track.services._changing import changing, refuse_who_may_not


def judge_attempt(folder: DataFolder, attempt: Attempt, *, anew: bool = False) -> Verdict | None:
    """Keep the verdict on the output of ATTEMPT and its scores, and return it; None if there is nothing to compare.

    Where there is nothing to judge by, as in a copy without the gold standard, what was found before stays.  What an
    attempt has left that failed is no result.  Whoever ends an attempt has it judged; to judge it ANEW is another
    right.
    """
    verb = "judge" if anew else "judge-ended"
    refuse_who_may_not(attempt.track, verb, attempt.analyst)
    if attempt.state != "succeeded" or attempt.output is None or not has_gold(attempt.data_set):
        before: Verdict | None = Verdict.objects.filter(attempt=attempt).first()
        return before
    found, scores = judged(folder, attempt)
    with changing(attempt.track, verb, of=attempt.analyst):
        Attempt.objects.filter(pk=attempt.pk).update(scored=scores)
        if found is None:
            Verdict.objects.filter(attempt=attempt).delete()
            return None
        kept, _ = Verdict.objects.update_or_create(
            attempt=attempt,
            defaults={
                "agreement": str(found.agreement),
                "points": found.points,
                "primary": found.primary,
                "submitted": found.submitted.measures.get(found.primary) if found.submitted else None,
                "replicated": found.replicated.measures.get(found.primary) if found.replicated else None,
                "content": told_of(attempt.submission.task, found),
                "made_at": datetime.now(UTC),
            },
        )
        note("judged", f"attempt {attempt.track.slug}/{attempt.number}", verdict=found.words)
    return kept  # type: ignore[no-any-return]  # Django has no types


def decide(submission: Submission, *, eligible: bool | None, reason: str) -> None:
    """Write down whether SUBMISSION is ELIGIBLE for its task, and why; None is that nobody has decided, after all."""
    if not reason.strip():
        raise UsageError("say why the submission is eligible or not", "with --because")
    with changing(submission.task.track, "decide-eligibility"):
        kept = "" if eligible is None else text_of(reason)
        Submission.objects.filter(pk=submission.pk).update(eligible=eligible, reason=kept)
        note(
            "decided",
            f"submission {submission.task.track.slug}/{submission}",
            eligible=eligible,
            reason=text_of(reason, 500),
        )


def proposed_level(attempt: Attempt) -> tuple[int | None, str]:
    """Return the level of repeatability that follows from what was recorded of ATTEMPT, and because of what."""
    verdict = attempt.verdict if hasattr(attempt, "verdict") else None
    agreement, words = (verdict.agreement, verdict.words) if verdict else ("", "")
    return propose_level(attempt.state, attempt.stage, _minutes_to_build(attempt), agreement, words)


def _minutes_to_build(attempt: Attempt) -> float | None:
    """Return what it took to get the system of ATTEMPT ready: human time up to its installation, and installing it.

    None where nobody can tell: a person who has noted no stage but the first has not said when it was ready.
    """
    steps = attempt.replay.get("steps", ())
    stages = {span.stage for span in attempt.spans.all()}
    if not steps and stages <= {"prerequisites"}:
        return None
    measured = sum(step["wall"] for step in steps if step["stage"] == "install") / 60
    return human_minutes(attempt, "prerequisites") + human_minutes(attempt, "install") + float(measured)


def human_minutes(attempt: Attempt, stage: str = "") -> float:
    """Return the minutes of human time of ATTEMPT, at one STAGE or at all; what has not ended does not count."""
    spans = [span for span in attempt.spans.all() if span.ended_at and stage in ("", span.stage)]
    seconds: float = sum((span.ended_at - span.started_at).total_seconds() for span in spans)
    return seconds / 60


def set_level(attempt: Attempt, level: int | None, reason: str) -> None:
    """Write down the LEVEL of repeatability of ATTEMPT, decided by a person; another than proposed takes a REASON.

    None is that nobody has decided, after all.
    """
    refuse_who_may_not(attempt.track, "level")
    proposed, _ = proposed_level(attempt)
    if level is not None and level not in range(1, 5):
        raise UsageError(f"expected a level from 1 to 4, found {level}")
    if level != proposed and not reason.strip():
        said = f"the record speaks for level {proposed or 'none'}; say why it is {level or 'none'}"
        raise UsageError(said, "with --because")
    with changing(attempt.track, "level"):
        Attempt.objects.filter(pk=attempt.pk).update(level=level, level_note="" if level is None else text_of(reason))
        note("decided", f"attempt {attempt.track.slug}/{attempt.number}", level=level, reason=text_of(reason, 500))
