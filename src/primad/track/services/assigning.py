"""Who runs what?

assign_all   everybody, by a matrix that balances roles and machines
assign       one analyst to one submission, by hand
unassign     not any more
reassign     several of both at once
refuse_out   refuse a submission that nobody runs any more
Reassigned   what came of that
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from primad.errors import UsageError
from primad.store.log import note
from primad.track.matrix import Matrix, Person, Wanted
from primad.track.matrix import assign as balanced
from primad.track.models import Analyst, Assignment, Attempt, Machine, Submission, System, Track
from primad.track.naming import text_of
from primad.track.services._changing import changing


def assign_all(track: Track, *, per_submission: int | None = None) -> Matrix:
    """Assign analysts to all eligible submissions of TRACK, and return the matrix; what was done by hand stays."""
    with changing(track, "assign"):
        submissions = {str(one): one for one in _eligible(track)}
        analysts = {one.slug: one for one in Analyst.objects.filter(track=track).order_by("slug")}
        kept = Assignment.objects.filter(analyst__track=track).select_related("analyst", "submission__team", "machine")
        fixed = {(one.analyst.slug, str(one.submission)): one for one in kept if one.by_hand or _begun(one)}
        matrix = balanced(
            [_person(one) for one in analysts.values()],
            [_wanted(address, one) for address, one in submissions.items()],
            per_submission=per_submission or min(len(analysts), 2),
            fixed=sorted(fixed),
        )
        kept.exclude(pk__in=[one.pk for one in fixed.values()]).delete()
        for pair in matrix.pairs:
            if not pair.fixed:
                owner = analysts[pair.analyst]
                machine = Machine.objects.filter(analyst=owner, slug=pair.machine).first()
                Assignment.objects.create(analyst=owner, submission=submissions[pair.submission], machine=machine)
        note("assigned", f"track {track.slug}", assignments=len(matrix.pairs))
    return matrix


def _eligible(track: Track) -> list[Submission]:
    """Return the submissions of TRACK that are replicated: with a system, and not refused or withdrawn."""
    with_system = System.objects.filter(submission__team__track=track).values("submission")
    found = Submission.objects.filter(pk__in=with_system, withdrawn_at=None, task__kind="replicate")
    return list(found.exclude(eligible=False).select_related("team", "task").order_by("id"))


def _begun(assignment: Assignment) -> bool:
    """Tell whether somebody has worked on ASSIGNMENT already."""
    return bool(Attempt.objects.filter(analyst=assignment.analyst, submission=assignment.submission).exists())


def _person(analyst: Analyst) -> Person:
    """Return ANALYST as the matrix sees one."""
    machines = Machine.objects.filter(analyst=analyst).order_by("slug")
    systems = {one.slug: str(one.facts.get("operating_system", "")) for one in machines}
    return Person(analyst.slug, analyst.role, systems, frozenset(analyst.conflicts))


def _wanted(address: str, submission: Submission) -> Wanted:
    """Return SUBMISSION as the matrix sees one."""
    newest = System.objects.filter(submission=submission).latest("version")
    return Wanted(address, submission.team.slug, newest.operating_system)


def assign(analyst: Analyst, submission: Submission, machine: Machine | None = None, remark: str = "") -> Assignment:
    """Assign ANALYST to SUBMISSION by hand, with MACHINE; a conflict of interest is refused."""
    with changing(analyst.track, "assign"):
        return _assigned(analyst, submission, machine, remark)


def _assigned(analyst: Analyst, submission: Submission, machine: Machine | None = None, remark: str = "") -> Assignment:
    """Return the assignment of ANALYST to SUBMISSION by hand, within a transaction."""
    refuse_out(submission)
    conflict = analyst.conflicts.get(submission.team.slug)
    if conflict is not None:
        raise UsageError(f"{analyst.slug} has a conflict of interest with {submission.team.slug} ({conflict})")
    made, _ = Assignment.objects.update_or_create(
        analyst=analyst,
        submission=submission,
        defaults={"machine": machine, "by_hand": True, "note": text_of(remark)},
    )
    note("assigned", f"submission {analyst.track.slug}/{submission}", analyst=analyst.slug)
    return made  # type: ignore[no-any-return]  # Django has no types


def refuse_out(submission: Submission) -> None:
    """Refuse a SUBMISSION that was withdrawn, or is not eligible: nobody runs it any more."""
    submission.refresh_from_db(fields=["withdrawn_at", "eligible", "reason"])
    if submission.withdrawn_at:
        raise UsageError(f"{submission} was withdrawn; nobody runs it any more")
    if submission.eligible is False:
        raise UsageError(f"{submission} is not eligible ({submission.reason}); nobody runs it")


def unassign(analyst: Analyst, submission: Submission) -> None:
    """Take the assignment of ANALYST to SUBMISSION back, unless work on it has begun."""
    with changing(analyst.track, "assign"):
        _unassigned(analyst, submission)


def _unassigned(analyst: Analyst, submission: Submission) -> None:
    """Take the assignment of ANALYST to SUBMISSION back, within a transaction."""
    found = Assignment.objects.filter(analyst=analyst, submission=submission).first()
    if found is None:
        raise UsageError(f"{analyst.slug} is not assigned to {submission}")
    if _begun(found):
        raise UsageError(f"{analyst.slug} has begun to work on {submission}; close the attempt as abandoned instead")
    found.delete()
    note("unassigned", f"submission {analyst.track.slug}/{submission}", analyst=analyst.slug)


# Several at once -------------------------------------------------------------------------------------------------

Pair = tuple[Analyst, Submission]


@dataclass(frozen=True)
class Reassigned:
    """Which pairs were ASSIGNED and TAKEN_BACK, each the slug of an analyst and an address; REFUSED says why not."""

    assigned: tuple[tuple[str, str], ...]
    taken_back: tuple[tuple[str, str], ...]
    refused: tuple[str, ...]


def reassign(track: Track, new: Iterable[Pair], gone: Iterable[Pair]) -> Reassigned:
    """Assign the NEW pairs and take back those that are GONE, all at once; what is so already is left as it is.

    A pair that cannot be changed holds up no other.
    """
    with changing(track, "assign"):
        there = set(Assignment.objects.filter(analyst__track=track).values_list("analyst", "submission"))
        refused: list[str] = []
        wanted = [pair for pair in new if _keys(pair) not in there]
        unwanted = [pair for pair in gone if _keys(pair) in there]
        assigned = [pair for pair in wanted if _tried(_assigned, pair, refused)]
        taken_back = [pair for pair in unwanted if _tried(_unassigned, pair, refused)]
    return Reassigned(tuple(map(_names, assigned)), tuple(map(_names, taken_back)), tuple(refused))


def _tried(change: Callable[..., object], pair: Pair, refused: list[str]) -> bool:
    """Make a CHANGE to PAIR, and tell whether that was done; why it was REFUSED is added."""
    try:
        change(*pair)
    except UsageError as error:  # it is raised before anything is written
        refused.append(str(error))
        return False
    return True


def _keys(pair: Pair) -> tuple[int, int]:
    """Return the keys of the rows of PAIR."""
    return pair[0].pk, pair[1].pk


def _names(pair: Pair) -> tuple[str, str]:
    """Return the names of PAIR."""
    return pair[0].slug, str(pair[1])
