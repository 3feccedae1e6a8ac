"""What do tables call a submission, and an analyst?

called       the title of a submission, with its address where another has the same title
analysts_to  the names of analysts, to organisers; to others, who may not know who they are, their roles and numbers
enlisted     the analysts of a track, in the order in which they were enlisted
"""

from __future__ import annotations

from collections import Counter

from primad.track._whole import once
from primad.track.models import Analyst, Submission, Track
from primad.track.sight import Sight, numbered


def called(submission: Submission) -> str:
    """Return what tables call SUBMISSION."""
    if not submission.title:
        return str(submission)
    track = submission.team.track_id
    titles = once(("titles", track), lambda: _titles(track))
    return f"{submission.title} ({submission})" if titles[submission.title] > 1 else submission.title


def _titles(track: int) -> Counter[str]:
    """Return how many submissions of the track with the key TRACK have each title."""
    return Counter(Submission.objects.filter(team__track=track).values_list("title", flat=True))


def analysts_to(sight: Sight) -> dict[str, str]:
    """Return what a report that is within SIGHT calls each analyst, by slug.

    What analysts wrote in their sheets stands beside what they are called, and sheets are for few.  An analyst reads
    no name there either, not even the own one: a report is handed on.
    """
    known = enlisted(sight.track)
    if sight.is_organiser:
        return {one.slug: one.title for one in known}
    return numbered((one.slug, one.role) for one in known)


def enlisted(track: Track) -> list[Analyst]:
    """Return the analysts of TRACK, in the order in which they were enlisted."""
    return once(("enlisted", track.pk), lambda: list(Analyst.objects.filter(track=track).order_by("id")))
