"""How much may one person send within a day?

    DAILY      in bytes
    LEAST      as how many bytes a question counts that sends fewer
    TOGETHER   how many bytes are counted in memory before they are written down
    Day        what users send: count it, or say how long to wait

What is sent to be checked counts, too, for all of it is read.  Administrators send as much as they like.  What little
questions send is written down together, so that not each of them has to wait for the database; a process that ends
forgets at most TOGETHER bytes of a user.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from django.db.models import F, Sum

from primad.store.actors import Actor
from primad.store.database import writing
from primad.web.models import Sent

DAILY = 2_000_000_000
LEAST = 1 << 10
TOGETHER = 64 << 10
_WAIT = 60.0  # seconds
_DAY = timedelta(days=1)


class _Unwritten(NamedTuple):
    """How many bytes of a user are not written down, and SINCE when."""

    size: int
    since: float


class Day:
    """What users send within a day; several threads count at once."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin with nothing that is not written down; CLOCK tells the seconds."""
        self._clock = clock
        self._unwritten: dict[int, _Unwritten] = {}
        self._lock = threading.Lock()

    def wait(self, actor: Actor, size: int) -> int:
        """Count SIZE bytes that ACTOR sends, and return 0; or the seconds to wait where it is too much for a day."""
        if actor.user is None or actor.is_over_all or not size:
            return 0
        counted = max(size, LEAST)
        due = self._due(actor.user, counted)
        seconds = _written(actor.user, due) if due else 0
        if seconds and due > counted:
            self._keep(actor.user, due - counted)  # what was taken before still counts
        return seconds

    def _due(self, user: int, size: int) -> int:
        """Return how many bytes of USER are to be written down now, SIZE among them; 0 while they can wait."""
        now = self._clock()
        with self._lock:
            before = self._unwritten.pop(user, _Unwritten(0, now))
            whole = before.size + size
            if whole >= TOGETHER or now - before.since >= _WAIT:
                return whole
            self._unwritten[user] = _Unwritten(whole, before.since)
            return 0

    def _keep(self, user: int, size: int) -> None:
        """Keep SIZE bytes of USER until they can be written down."""
        with self._lock:
            before = self._unwritten.get(user, _Unwritten(0, self._clock()))
            self._unwritten[user] = _Unwritten(before.size + size, before.since)


def _written(user: int, size: int) -> int:
    """Write down that USER sent SIZE bytes, and return 0; or the seconds to wait where it is too much for a day."""
    now = datetime.now(UTC)
    hour = now.replace(minute=0, second=0, microsecond=0)
    with writing():
        mine = Sent.objects.filter(user=user)
        mine.filter(hour__lte=hour - _DAY).delete()
        before = mine.aggregate(all=Sum("size"))["all"] or 0
        if before and before + size > DAILY:
            first: datetime = mine.order_by("hour").values_list("hour", flat=True)[0]
            return max(int((first + _DAY - now).total_seconds()), 1)
        Sent.objects.get_or_create(user=user, hour=hour)
        mine.filter(hour=hour).update(size=F("size") + size)
    return 0
