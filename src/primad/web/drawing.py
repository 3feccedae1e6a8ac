"""Who draws now?  matplotlib is not made for several threads that draw at once.

alone      a while in which nobody else draws
PATIENCE   for how many seconds others are waited for
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from primad.errors import TooBusy

PATIENCE = 20.0
_AGAIN = 30  # seconds
_lock = Lock()


@contextmanager
def alone() -> Iterator[None]:
    """Let nobody else draw; who would have to wait for many others is told to come again."""
    if not _lock.acquire(timeout=PATIENCE):
        raise TooBusy(f"the site is drawing for others; ask again in {_AGAIN} s", _AGAIN)
    try:
        yield
    finally:
        _lock.release()
