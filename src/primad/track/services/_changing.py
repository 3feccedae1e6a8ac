"""What do all verbs share?  A transaction in which the track is as it is now, in a phase that allows the verb.

changing   the while of a change
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from primad.store.database import writing
from primad.track.models import Track
from primad.track.phases import require


@contextmanager
def changing(track: Track, verb: str) -> Iterator[None]:
    """Do everything inside in one transaction, if the phase of TRACK allows VERB."""
    with writing():
        track.refresh_from_db()
        require(track.phase, verb)
        yield
