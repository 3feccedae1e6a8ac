"""Which processes belong together, and what did they use so far?  Read from /proc, which only Linux has.

    family_of     processes and all their descendants
    children_of   the processes that one started or adopted
    peak_of       the largest size that one had
    time_of       its processor time

A process may end at any moment: then it has no children, no size, and used no time.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

_PEAK = re.compile(rb"^VmHWM:\s*(\d+) kB$", re.MULTILINE)


def family_of(roots: set[int]) -> set[int]:
    """Return the processes ROOTS and all their descendants."""
    family: set[int] = set()
    new = roots
    while new:
        family |= new
        new = {child for pid in new for child in children_of(pid)} - family
    return family


def children_of(pid: int, thread: int | None = None) -> set[int]:
    """Return the processes that PID, or one THREAD of it, started or adopted; it may end at any moment."""
    children: set[int] = set()
    with suppress(OSError):
        folder = Path(f"/proc/{pid}/task")
        for path in folder.iterdir() if thread is None else [folder / str(thread)]:
            with suppress(OSError):
                children.update(map(int, (path / "children").read_bytes().split()))
    return children


def peak_of(pid: int | str) -> int | None:
    """Return the largest resident size in bytes that a process had since it became the program it is."""
    with suppress(OSError):
        found = _PEAK.search(Path(f"/proc/{pid}/status").read_bytes())
        return int(found[1]) * 1024 if found else None
    return None


def time_of(pid: int) -> tuple[float, float]:
    """Return the user and system seconds of a process so far, with those of its children that it waited for."""
    with suppress(OSError, ValueError):
        # The name of the program comes second, in parentheses, and may contain anything.
        numbers = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
        user, system, waited_user, waited_system = (int(number) for number in numbers[11:15])
        ticks = os.sysconf("SC_CLK_TCK")
        return (user + waited_user) / ticks, (system + waited_system) / ticks
    return 0.0, 0.0
