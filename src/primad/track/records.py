"""Which of the six components of PRIMAD changed when an analyst ran a system again?

    record_of_output    the record of what a team submitted
    record_of_attempt   the record of an attempt at it
    type_of             the type of the attempt: six letters
    sandbox_of          what held the commands that gave the output of an attempt
    is_by_hand          whether an output was handed over after a replay was cut off

A record states what was captured, and what follows from the rules of a track.  An attempt pursues the goal of the
submission by its method, with its implementation as long as the bundle is the same, on its data as long as the data set
is; so of these it states what the team stated.  Machine and analyst are its own.  What nobody captured stays unknown.
"""

from __future__ import annotations

from typing import Any

from primad.metadata.reading import from_tree
from primad.metadata.record import merged
from primad.reproducibility.comparison.compare import compare_records
from primad.track import filing
from primad.track.models import Attempt, DataSet, Machine, Output, Submission, System

Tree = dict[str, Any]

BY_HAND = "the output was handed over by hand after a replay was cut off"

_OWN = ("platform", "actor")  # of whoever does it


def type_of(attempt: Attempt, submitted: Output) -> str:
    """Return the type of ATTEMPT as a reproduction of what was SUBMITTED."""
    original, other = record_of_output(submitted), record_of_attempt(attempt, submitted)
    return str(compare_records(from_tree(original), from_tree(other)).type)


def record_of_output(output: Output) -> Tree:
    """Return the record of OUTPUT: what its team stated, and what the track knows."""
    submission = output.submission
    known: Tree = {
        "research goal": {"venue": {"name": submission.task.track.title}},
        "method": {"name": f"{submission} {output.configuration}"},
        "implementation": _implementation(_first_system(submission)),
        "data": _data(submission, output.data_set),
        "actor": {"name": submission.team.title},
    }
    tree: Tree = merged(output.record, {name: part for name, part in known.items() if part})
    return tree


def record_of_attempt(attempt: Attempt, submitted: Output) -> Tree:
    """Return the record of ATTEMPT at what was SUBMITTED."""
    tree = {name: part for name, part in record_of_output(submitted).items() if name not in _OWN}
    first = _first_system(attempt.submission)
    if attempt.system is not None and first is not None and _digest(attempt.system) != _digest(first):
        tree["implementation"] = _implementation(attempt.system)
    if attempt.data_set != submitted.data_set:
        tree["data"] = _data(attempt.submission, attempt.data_set)
    platform = attempt.record.get("platform") or _platform(attempt.machine)
    return tree | {"actor": {"name": attempt.analyst.title}} | ({"platform": platform} if platform else {})


def sandbox_of(attempt: Attempt) -> Tree:
    """Return what held the replay of ATTEMPT, nothing where its output came another way."""
    found: Tree = {} if is_by_hand(attempt) else attempt.replay.get("sandbox", {})
    return found


def is_by_hand(attempt: Attempt) -> bool:
    """Tell whether the output of ATTEMPT was handed over by hand after a replay was cut off, whose journal is kept."""
    # What a replay has ended has a record of where it ran; one that was stopped has given no output.
    return bool(attempt.output_id and attempt.replay and not attempt.record)


def _first_system(submission: Submission) -> System | None:
    """Return the first version of the system of SUBMISSION: the one that its outputs were handed in with."""
    return min(submission.systems.all(), key=lambda one: one.version, default=None)


def _digest(system: System) -> str:
    """Return by what SYSTEM is told from others, nothing for one that is reached remotely."""
    return next(iter(filing.digests(system.bundle).values()), "")


def _implementation(system: System | None) -> Tree:
    """Return the implementation that SYSTEM is."""
    digest = _digest(system) if system else ""
    return {"executable": {"sha256": digest}} if digest else {}


def _data(submission: Submission, data_set: DataSet | None) -> Tree:
    """Return DATA_SET as a test collection."""
    task = submission.task
    return {"test collection": {"name": f"{task.track.slug}/{task.slug}/{data_set.slug}"}} if data_set else {}


def _platform(machine: Machine | None) -> Tree:
    """Return MACHINE as it was captured, or as its analyst has described it."""
    if machine is None or machine.record:
        return machine.record if machine else {}
    system = machine.facts.get("operating_system")
    return {"operating system": {"distribution": system}} if system else {}
