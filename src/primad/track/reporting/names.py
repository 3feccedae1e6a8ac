"""What do tables call a submission?

called   its title, with its address where another has the same title
"""

from __future__ import annotations

from collections import Counter

from primad.track._whole import once
from primad.track.models import Submission


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
