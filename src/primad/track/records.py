"""Which of the six components of PRIMAD changed when an analyst ran a system again?

    record_of_output    the record of what a team submitted
    record_of_attempt   the record of an attempt
    type_of             the type of the attempt: six letters

A record states what was captured, and what follows from the rules of a track: both sides pursue the goal of the track
on a data set of its task, and whoever runs the submitted bundle in the same configuration runs the same implementation
of the same method.  What nobody captured stays unknown.
"""

from __future__ import annotations

from typing import Any

from primad.metadata.reading import from_tree
from primad.metadata.record import merged
from primad.reproducibility.comparison.compare import compare_records
from primad.track import filing
from primad.track.models import Attempt, DataSet, Output, Submission, System


def type_of(attempt: Attempt, submitted: Output) -> str:
    """Return the type of ATTEMPT as a reproduction of what was SUBMITTED."""
    original, other = record_of_output(submitted), record_of_attempt(attempt, submitted)
    return str(compare_records(from_tree(original), from_tree(other)).type)


def record_of_output(output: Output) -> dict[str, Any]:
    """Return the record of OUTPUT: what its team stated, and what the track knows."""
    submission = output.submission
    system = System.objects.filter(submission=submission).order_by("-version").first()
    known = _known(submission, system, output.configuration, output.data_set)
    tree: dict[str, Any] = merged(output.record, known | {"actor": {"name": submission.team.title}})
    return tree


def record_of_attempt(attempt: Attempt, submitted: Output) -> dict[str, Any]:
    """Return the record of ATTEMPT at what was SUBMITTED: machine and analyst, and the rest as it was."""
    platform = attempt.record.get("platform") or (attempt.machine.record if attempt.machine else {})
    same = {name: part for name, part in submitted.record.items() if name in ("implementation", "method")}
    known = _known(attempt.submission, attempt.system, attempt.configuration, attempt.data_set)
    tree: dict[str, Any] = merged(same if attempt.replay else {}, known)
    return tree | {"actor": {"name": attempt.analyst.title}} | ({"platform": platform} if platform else {})


def _known(
    submission: Submission, system: System | None, configuration: str, data_set: DataSet | None
) -> dict[str, Any]:
    """Return what a track knows of whoever runs SYSTEM in a CONFIGURATION on DATA_SET."""
    task = submission.task
    tree: dict[str, Any] = {
        "research goal": {"venue": {"name": task.track.title}, "evaluation": {"reported measures": [task.primary]}},
        "method": {"name": f"{submission} {configuration}"},
    }
    if data_set is not None:
        tree["data"] = {"test collection": {"name": f"{task.track.slug}/{task.slug}/{data_set.slug}"}}
    digests = list(filing.digests(system.bundle).values()) if system and system.bundle else []
    if digests:
        tree["implementation"] = {"executable": {"sha256": digests[0]}}
    return tree
