"""What do all verbs share?  A transaction in which the track is as it is now, in a phase that allows the verb.

changing             the while of a change, by somebody who may do it
changing_attempt     the same, of a change to an attempt
refuse_who_may_not   ask before anything is read, where that takes long

What teams hand in comes in time: a phase with a closing date takes nothing behind it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime

from primad.errors import UsageError
from primad.store.database import writing
from primad.track import rights
from primad.track.models import Analyst, Attempt, Team, Track
from primad.track.next_steps import IN_TIME
from primad.track.phases import late, require

Owners = Team | Analyst | tuple[Team | Analyst, ...]


@contextmanager
def changing(track: Track, verb: str, *, of: Owners = (), repeated: bool = False) -> Iterator[None]:
    """Do everything inside in one transaction, if whoever acts may do VERB and the phase of TRACK allows it.

    OF is the team, the analyst, or both, whose thing is changed; REPEATED is that it is an attempt that repeats one.
    """
    refuse_who_may_not(track, verb, of)
    with writing():
        track.refresh_from_db()
        require(track.phase, rights.phase_verb(verb, repeated=repeated))
        if verb in IN_TIME and late(track.dates, track.phase, datetime.now(UTC)):
            closed = track.dates[track.phase]["closes"]
            raise UsageError(f"the phase {track.phase} closed on {closed}; an organiser can set another date")
        yield


def changing_attempt(attempt: Attempt, verb: str) -> AbstractContextManager[None]:
    """Do everything inside in one transaction, if whoever acts may do VERB to ATTEMPT and the phase allows it."""
    owners = (attempt.submission.team, attempt.analyst)
    return changing(attempt.track, verb, of=owners, repeated=attempt.repeats_id is not None)


def refuse_who_may_not(track: Track, verb: str, of: Owners = ()) -> None:
    """Refuse whoever acts unless they may do VERB to a thing OF a team or an analyst."""
    owners = of if isinstance(of, tuple) else (of,)
    team = next((one for one in owners if isinstance(one, Team)), None)
    analyst = next((one for one in owners if isinstance(one, Analyst)), None)
    rights.require(track, verb, team=team, analyst=analyst)
