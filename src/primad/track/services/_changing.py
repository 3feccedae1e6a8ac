"""What do all verbs share?  A transaction in which the track is as it is now, in a phase that allows the verb.

changing   the while of a change

What teams hand in comes in time: a phase with a closing date takes nothing behind it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from primad.errors import UsageError
from primad.store.database import writing
from primad.track.models import Track
from primad.track.phases import late, require

_IN_TIME = ("submit", "submit-system")


@contextmanager
def changing(track: Track, verb: str) -> Iterator[None]:
    """Do everything inside in one transaction, if the phase of TRACK allows VERB."""
    with writing():
        track.refresh_from_db()
        require(track.phase, verb)
        if verb in _IN_TIME and late(track.dates, track.phase, datetime.now(UTC)):
            closed = track.dates[track.phase]["closes"]
            raise UsageError(f"the phase {track.phase} closed on {closed}; an organiser can set another date")
        yield
