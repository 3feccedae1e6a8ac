"""Whose turn is it?  What takes much memory or time is done by few at once on a site, so that others are answered.

    Turns      some work of which a site does little at once
    READING    reading files that strangers sent, which take many times their size

A process counts for itself.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from primad.errors import TooBusy
from primad.store.actors import current, is_site

MOST_AT_ONCE = 2
PATIENCE = 10.0  # seconds that somebody waits for their turn
_AGAIN = 60
# Whoever waits keeps a thread, whatever they wait for.
_waiting = threading.BoundedSemaphore(MOST_AT_ONCE)


class Turns:
    """Some work of which a site does MOST_AT_ONCE at once; DOING says what others hear who come meanwhile."""

    def __init__(self, doing: str) -> None:
        """Begin with nobody at work."""
        self._doing = doing
        self._free = threading.BoundedSemaphore(MOST_AT_ONCE)
        self._is_ours: ContextVar[bool] = ContextVar(f"is our turn: {doing}", default=False)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Do the work inside, if not too many are at it already: pages shall be answered meanwhile.

        What is done inside another turn is part of it.  Whoever has the machine itself need not wait.
        """
        if not is_site() or current().is_keeper or self._is_ours.get():
            yield
            return
        if not self._come():
            raise TooBusy(f"the site is {self._doing}; try again in a minute", _AGAIN)
        token = self._is_ours.set(True)
        try:
            yield
        finally:
            self._is_ours.reset(token)
            self._free.release()

    def _come(self) -> bool:
        """Tell whether it is our turn now, or in a moment; few may wait for that."""
        if self._free.acquire(blocking=False):
            return True
        if not _waiting.acquire(blocking=False):
            return False
        try:
            return self._free.acquire(timeout=PATIENCE)
        finally:
            _waiting.release()


READING = Turns("reading other files")
