"""How long did it take to run systems again?

counted   the attempts that count
times     human and run time of each system by role
stages    human time of each system by stage
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from statistics import fmean

from primad.reports.track.facts import StageTime, TimeRow
from primad.track.models import Attempt, Submission
from primad.track.reporting.names import called
from primad.track.scoring import submitted_output
from primad.track.services.judging import human_minutes
from primad.track.services.timing import STAGES

_HUMAN_RULE = "mean over analysts of this role of all their attempts, failed ones included"
_RUN_RULE = "mean over those who got results, of all their attempts that did"


def counted(attempts: Iterable[Attempt]) -> list[Attempt]:
    """Return those of ATTEMPTS that replicate what was submitted: no later repetition, and no other data set."""
    return [one for one in attempts if one.repeats is None and submitted_output(one) is not None]


def times(attempts: Iterable[Attempt]) -> Iterator[TimeRow]:
    """Yield the human and run time of each system by role."""
    for submission, role, some in _by_system_and_role(attempts):
        human = _sums(filter(_has_time, some), human_minutes)
        runs = _sums((one for one in some if one.state == "succeeded" and one.run_seconds is not None), _run_minutes)
        yield TimeRow(
            system=called(submission),
            role=role,
            human=fmean(human) if human else None,
            run=fmean(runs) if runs else None,
            human_n=len(human),
            run_n=len(runs),
            rule=f"human: {_HUMAN_RULE}; run: {_RUN_RULE}",
            submission=str(submission),
        )


def _has_time(attempt: Attempt) -> bool:
    """Tell whether any human time of ATTEMPT has ended."""
    return any(span.ended_at for span in attempt.spans.all())


def _run_minutes(attempt: Attempt) -> float:
    """Return what the run of ATTEMPT took."""
    return (attempt.run_seconds or 0.0) / 60


def _by_system_and_role(attempts: Iterable[Attempt]) -> Iterator[tuple[Submission, str, list[Attempt]]]:
    """Yield the ATTEMPTS at each submission in each role."""
    for submission, some in _by_submission(attempts):
        # The user first, as the paper has it.
        for role in sorted({one.analyst.role for one in some}, reverse=True):
            yield submission, role, [one for one in some if one.analyst.role == role]


def _sums(attempts: Iterable[Attempt], minutes: Callable[[Attempt], float]) -> list[float]:
    """Return the sum of MINUTES of the attempts of each analyst."""
    sums: dict[str, float] = {}
    for one in attempts:
        sums[one.analyst.slug] = sums.get(one.analyst.slug, 0.0) + minutes(one)
    return list(sums.values())


def stages(attempts: Iterable[Attempt]) -> Iterator[StageTime]:
    """Yield the human time of each system by stage."""
    for submission, some in _by_submission(attempts):
        worked_on = [stage for stage in STAGES if any(human_minutes(one, stage) for one in some)]
        for stage in worked_on:
            minutes = _sums((one for one in some if human_minutes(one, stage)), partial(human_minutes, stage=stage))
            yield StageTime(called(submission), stage, fmean(minutes), len(minutes), submission=str(submission))


def _by_submission(attempts: Iterable[Attempt]) -> Iterator[tuple[Submission, list[Attempt]]]:
    """Yield the ATTEMPTS at each submission."""
    found: dict[int, list[Attempt]] = {}
    for one in attempts:
        found.setdefault(one.submission.pk, []).append(one)
    yield from ((some[0].submission, some) for some in found.values())
