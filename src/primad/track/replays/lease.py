"""Is whoever runs a replay still alive?

    held         a while in which an attempt is this process's, and a thread says so every few seconds
    take         let an attempt be somebody's
    beat         say that its holder is alive
    elsewhere    who a replay is that runs elsewhere, and reaches the track by a site
    whereabouts  where a replay runs, for people
    is_dead      whether the holder of an attempt is gone

A process that is killed says nothing any more.  On its own machine it is missed at once, on another after a minute; one
that stands still on its own machine, as with the lid of a laptop closed, is not missed.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta

from django.db import Error, connections

from primad.errors import UsageError, WorkError
from primad.store.lease import holder, host_of, lives, process_of
from primad.track.models import Attempt
from primad.track.services._changing import changing_attempt

BEAT = 5.0
PATIENCE = timedelta(seconds=60)
_ELSEWHERE = "(elsewhere)"  # which no machine can be called


def elsewhere(key: str) -> str:
    """Return who a replay is that runs elsewhere, and calls itself by KEY."""
    return f"{_ELSEWHERE}:{key}"


def is_elsewhere(attempt: Attempt) -> bool:
    """Tell whether the replay of ATTEMPT runs elsewhere, and reaches the track by a site."""
    return attempt.holder.startswith(f"{_ELSEWHERE}:")


def whereabouts(attempt: Attempt) -> str:
    """Return where the replay of ATTEMPT runs; by what one calls itself that runs elsewhere is nobody's business."""
    if is_elsewhere(attempt):
        return f"on a machine of {attempt.analyst.slug}"
    return f"on {host_of(attempt.holder)} (process {process_of(attempt.holder)})"


def take(attempt: Attempt, mine: str) -> None:
    """Let ATTEMPT be that of the holder MINE, if nobody has it, and be running from now on."""
    with changing_attempt(attempt, "attempt"):
        taken = Attempt.objects.filter(pk=attempt.pk, state__in=("open", "stopped")).update(
            state="running", holder=mine, beat_at=datetime.now(UTC), stage="", reason=""
        )
    if not taken:
        attempt.refresh_from_db()
        raise UsageError(f"{attempt} is {attempt.state}, so no replay can be begun on it")
    attempt.holder, attempt.state = mine, "running"


def beat(key: int, mine: str) -> bool:
    """Say that the holder MINE of the attempt KEY is alive, and tell whether the attempt is still theirs."""
    still = Attempt.objects.filter(pk=key, holder=mine, state="running")
    return bool(still.update(beat_at=datetime.now(UTC)))


@contextmanager
def held(attempt: Attempt) -> Iterator[None]:
    """Let ATTEMPT be this process's, and say every few seconds that it is alive."""
    mine = holder()
    take(attempt, mine)
    over, lost = threading.Event(), threading.Event()
    thread = threading.Thread(target=_beat, args=(attempt.pk, mine, over, lost), daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
    if lost.is_set():
        raise WorkError(f"{attempt} was given to somebody else while this replay ran, so its result is not kept")


def _beat(key: int, mine: str, over: threading.Event, lost: threading.Event) -> None:
    """Say that the holder MINE of the attempt KEY is alive until it is OVER or LOST; what fails once is tried again."""
    try:
        while not over.wait(BEAT) and not lost.is_set():
            with suppress(Error):
                if not beat(key, mine) and not over.is_set():
                    lost.set()
    finally:
        connections.close_all()  # of this thread


def is_dead(attempt: Attempt, now: datetime | None = None) -> bool:
    """Tell whether the holder of ATTEMPT, which is running, is gone."""
    is_alive = lives(attempt.holder)
    if is_alive is not None:
        return not is_alive
    seen = attempt.beat_at or attempt.opened_at
    return (now or datetime.now(UTC)) - seen > PATIENCE
