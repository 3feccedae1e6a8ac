"""Is whoever runs a replay still alive?

    holder       who this process is: machine, number and the moment it began
    held         a while in which an attempt is this process's, and a thread says so every few seconds
    is_dead      whether the holder of an attempt is gone

A process that is killed says nothing any more.  On its own machine it is missed at once, on another after a minute.
"""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.db import Error, connections

from primad.errors import UsageError
from primad.store.database import writing
from primad.track.models import Attempt

BEAT = 5.0
PATIENCE = timedelta(seconds=60)


def holder() -> str:
    """Return who this process is."""
    return f"{socket.gethostname()}:{os.getpid()}:{_began(os.getpid())}"


def _began(pid: int) -> str:
    """Return the moment at which the process PID began, in ticks; empty if there is none, or where nobody can tell."""
    with suppress(OSError, IndexError):
        # The name of the program comes second, in parentheses, and may contain anything.
        return Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()[19]
    return ""


@contextmanager
def held(attempt: Attempt) -> Iterator[None]:
    """Let ATTEMPT be this process's, and say every few seconds that it is alive."""
    mine = holder()
    with writing():
        taken = Attempt.objects.filter(pk=attempt.pk, state__in=("open", "stopped")).update(
            state="running", holder=mine, beat_at=datetime.now(UTC), stage="", reason=""
        )
    if not taken:
        attempt.refresh_from_db()
        raise UsageError(f"{attempt} is {attempt.state}, so no replay can be begun on it")
    attempt.holder = mine
    over = threading.Event()
    thread = threading.Thread(target=_beat, args=(attempt.pk, mine, over), daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _beat(key: int, mine: str, over: threading.Event) -> None:
    """Say that the holder MINE of the attempt KEY is alive until it is OVER; what fails once is tried again."""
    try:
        while not over.wait(BEAT):
            with suppress(Error):
                Attempt.objects.filter(pk=key, holder=mine).update(beat_at=datetime.now(UTC))
    finally:
        connections.close_all()  # of this thread


def is_dead(attempt: Attempt, now: datetime | None = None) -> bool:
    """Tell whether the holder of ATTEMPT, which is running, is gone."""
    host, _, rest = attempt.holder.partition(":")
    number, _, began = rest.partition(":")
    if host == socket.gethostname() and number.isdecimal() and began:
        return _began(int(number)) != began
    seen = attempt.beat_at or attempt.opened_at
    return (now or datetime.now(UTC)) - seen > PATIENCE
