"""What do tables call a submission?

called   its title, with its address where another has the same title
"""

from __future__ import annotations

from primad.track.models import Submission


def called(submission: Submission) -> str:
    """Return what tables call SUBMISSION."""
    same = Submission.objects.filter(team__track=submission.team.track, title=submission.title)
    if not submission.title:
        return str(submission)
    return f"{submission.title} ({submission})" if same.count() > 1 else submission.title
