"""Who took part in a track?

funnel     how many teams got how far
systems    the newest system of each submission
machines   the machines of analysts
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from primad.reports.track.facts import Funnel, MachineRow, SystemRow
from primad.track.models import Attempt, Machine, Submission, System, Team, Track
from primad.track.reporting.names import called


def funnel(track: Track) -> Iterator[Funnel]:
    """Yield how many teams of TRACK got how far."""
    submissions = list(Submission.objects.filter(team__track=track).select_related("team", "task"))
    with_system = set(System.objects.filter(submission__team__track=track).values_list("submission", flat=True))
    tried = set(Attempt.objects.filter(track=track).values_list("submission", flat=True))
    succeeded = set(Attempt.objects.filter(track=track, state="succeeded").values_list("submission", flat=True))
    refused = [one for one in submissions if one.eligible is False]
    yield Funnel("teams registered", Team.objects.filter(track=track).count())
    yield Funnel("teams with results", _teams(submissions))
    yield Funnel("teams with a system", _teams(one for one in submissions if one.pk in with_system))
    eligible = [one for one in submissions if one.pk in with_system and one.eligible is not False]
    yield Funnel(
        "teams with an eligible system", _teams(eligible), "; ".join(f"{one}: {one.reason}" for one in refused)
    )
    yield Funnel("teams whose system was tried", _teams(one for one in submissions if one.pk in tried))
    yield Funnel("teams whose system gave results", _teams(one for one in submissions if one.pk in succeeded))


def _teams(submissions: Iterable[Submission]) -> int:
    """Return how many teams SUBMISSIONS, less those that were withdrawn, are of."""
    return len({one.team.slug for one in submissions if one.withdrawn_at is None})


def systems(track: Track) -> Iterator[SystemRow]:
    """Yield the newest system of each submission of TRACK."""
    newest: dict[int, System] = {}
    found = System.objects.filter(submission__team__track=track, submission__withdrawn_at=None)
    found = found.select_related("submission__team", "submission__task")
    for system in found.order_by("submission", "version"):
        newest[system.submission.pk] = system
    for system in newest.values():
        submission = system.submission
        yield SystemRow(
            submission=str(submission),
            title=called(submission),
            team=submission.team.slug,
            task=submission.task.slug,
            operating_system=system.operating_system,
            language=system.language,
            version=str(system.manifest.get("version") or ""),
            kind=system.kind,
            eligible=submission.eligible,
            reason=submission.reason,
        )


def machines(track: Track, names: Mapping[str, str]) -> Iterator[MachineRow]:
    """Yield the machines of the analysts of TRACK, called by their NAMES; one without any is not in the table."""
    found = Machine.objects.filter(analyst__track=track).select_related("analyst").order_by("analyst__slug", "slug")
    for one in found:
        yield MachineRow(names[one.analyst.slug], one.analyst.role, one.slug, dict(one.facts))
