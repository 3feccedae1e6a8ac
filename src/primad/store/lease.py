"""Is whoever holds something, a job or an attempt, still alive?

    holder       who this process is: machine, number and the moment it began
    host_of      the machine of a holder, for people
    process_of   and its process there
    lives        whether it is alive, where that can be seen
    is_gone      whether a holder that was last seen at some time is dead

A process that is killed says nothing any more.  On its own machine it is missed at once, on another once it was not
seen for a while; so is one that stands still.  Where nobody can tell which machine this is, every other counts as
another one.
"""

from __future__ import annotations

import os
import re
import socket
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

BEAT = 1.0  # seconds from one sign of life to the next
# Longer than a writer may have to wait for another, since a sign of life is written, too.
PATIENCE = timedelta(seconds=120)

_SEPARATOR = "|"
_PARTS = 4
_NAMED = re.compile("[|:]")  # colons parted the names of those who ran replays before


def holder() -> str:
    """Return who this process is."""
    return _SEPARATOR.join((socket.gethostname(), _here(), str(os.getpid()), _began(os.getpid())))


def host_of(held_by: str) -> str:
    """Return the machine of the holder HELD_BY.

    >>> host_of("lab7|6f1c/4026531836|311|8841")
    'lab7'
    """
    return _NAMED.split(held_by)[0]


def process_of(held_by: str) -> str:
    """Return the number of the process of the holder HELD_BY, empty if it names none.

    >>> process_of("lab7|6f1c/4026531836|311|8841")
    '311'
    """
    named = _NAMED.split(held_by)
    return named[-2] if len(named) > 1 else ""


def lives(held_by: str) -> bool | None:
    """Tell whether the holder HELD_BY is alive; None where nobody here can tell, as of another machine."""
    parts = held_by.split(_SEPARATOR)
    here = _here()
    if len(parts) != _PARTS or not here or parts[1] != here or not parts[2].isdecimal() or not parts[3]:
        return None
    return _began(int(parts[2])) == parts[3]


def is_gone(held_by: str, seen: datetime | None, now: datetime | None = None) -> bool:
    """Tell whether the holder HELD_BY, which was last SEEN at a moment, is dead, or stands still."""
    is_silent = seen is None or (now or datetime.now(UTC)) - seen > PATIENCE
    return is_silent or lives(held_by) is False


def _here() -> str:
    """Return what tells the processes of this machine, and of this container on it, from others; empty if nothing."""
    with suppress(OSError):
        started = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        return f"{started[:13]}/{Path('/proc/self/ns/pid').stat().st_ino}"
    return ""


def _began(pid: int) -> str:
    """Return the moment at which the process PID began, in ticks; empty if there is none, or where nobody can tell."""
    with suppress(OSError, IndexError):
        # The name of the program comes second, in parentheses, and may contain anything.
        state, *others = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
        return "" if state in "ZX" else others[18]  # who waits to be buried is dead
    return ""
