"""What do the processes of a step use, and are they gone?

    Crew            the processes of a step, and their end
    tasks_in        how many there are, threads counted
    memory_of       what they have in memory, together
    hidden_in       what one keeps in files that have no name
    tasks_of_user   how many a user has

Read from /proc, so that only Linux has answers; elsewhere there are no members.
"""

from __future__ import annotations

import os
import re
import signal
import stat
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from primad.metadata.recording.processes import children_of, family_of
from primad.replay.sandbox.box import STEP

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from primad.replay.sandbox.groups import Group

_PROC = Path("/proc")
_BLOCK = 512  # bytes, of st_blocks, whatever the file system's own block is
_KINDS = (b"Pss_Anon", b"Pss_Shmem")
_SHARES = re.compile(rb"^(Pss_Anon|Pss_Shmem):\s*(\d+) kB$", re.MULTILINE)
_COURTESY = 0.3  # seconds for a process to take leave of those below it
_PATIENCE = 10.0  # seconds until processes that were killed are given up
_GONE = (b"Z", b"X")


class Hidden(NamedTuple):
    """Bytes of files that have no name any more but are open: in MEMORY, and on DISK."""

    memory: int = 0
    disk: int = 0


@dataclass
class Crew:
    """The processes of one step: those below ROOT, and if they can get LOOSE all that are marked as of STEP.

    If there is a GROUP, they are those in it too.

    SEEN has when each was born, since the system gives the number of a process that is gone to another one.
    """

    root: int
    step: str
    loose: bool
    group: Group | None = None
    seen: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Note the first process, unless it is gone already."""
        self._note({self.root})

    def members(self) -> set[int]:
        """Return those that are there now."""
        self.seen = {pid: born for pid, born in self.seen.items() if _born(pid) == born}
        found = family_of(set(self.seen))
        if self.group:
            found |= self.group.members()
        elif self.loose:
            found |= _marked(self.step)
        self._note(found)
        return set(self.seen)

    def _note(self, pids: set[int]) -> None:
        """Note when PIDS were born."""
        for pid in pids - self.seen.keys():
            born = _born(pid)
            if born is not None:
                self.seen[pid] = born

    def end(self) -> set[int]:
        """End all of them, and return those that are still there after a while.

        Those that only wait for others get the time to take leave of them first, since who is never taken leave of is
        not accounted for.
        """
        started = time.monotonic()
        while left := self.marked():
            elapsed = time.monotonic() - started
            if elapsed > _PATIENCE:
                return left
            waiting = {self.root} | children_of(self.root) if elapsed < _COURTESY and not self.loose else set()
            for pid in left - waiting:
                with suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.005)
        return set()

    def marked(self) -> set[int]:
        """Return those that are there now, with those that are marked wherever they are."""
        self._note(_marked(self.step))
        return self.members()


def _marked(step: str) -> set[int]:
    """Return the processes whose environment says that they are of STEP."""
    mark = f"{STEP}={step}".encode()
    found = set()
    for pid in _all_processes():
        with suppress(OSError):
            if mark in (_PROC / str(pid) / "environ").read_bytes().split(b"\0"):
                found.add(pid)
    return found - {os.getpid()}


def _all_processes() -> Iterator[int]:
    """Yield the number of every process that can be seen."""
    with suppress(OSError):
        yield from (int(path.name) for path in _PROC.iterdir() if path.name.isdigit())


def _born(pid: int) -> int | None:
    """Return when a process was started, in ticks since the machine was; None if it has ended.

    One that has ended but of which nobody took leave has a state, but does nothing any more.
    """
    fields = _fields_of(pid)
    return int(fields[19]) if fields and fields[0] not in _GONE else None


def _fields_of(pid: int) -> list[bytes]:
    """Return what the system says of a process behind its name, which may contain anything."""
    with suppress(OSError):
        return (_PROC / str(pid) / "stat").read_bytes().rpartition(b")")[2].split()
    return []


def tasks_in(pids: Iterable[int]) -> int:
    """Return how many threads PIDS have together, at least one each."""
    return sum(_threads_of(pid) for pid in pids)


def _threads_of(pid: int) -> int:
    """Return how many threads a process has; none if it has just ended."""
    fields = _fields_of(pid)
    return int(fields[17]) if fields else 0


def tasks_of_user(user: int) -> int:
    """Return how many threads all processes of USER have, as the system counts them against its limit."""
    owned = 0
    for pid in _all_processes():
        with suppress(OSError):
            if (_PROC / str(pid)).stat().st_uid == user:
                owned += _threads_of(pid)
    return owned


def memory_of(pids: set[int], hidden: int, enough: int) -> int:
    """Return the bytes that PIDS have in memory, with those HIDDEN in files that have no name.

    If that seems to be more than ENOUGH it is found exactly, which takes longer: what processes share counts once, and
    what is only a copy of a file on disk not at all, since the system takes it back when it needs the memory.
    """
    resident = sum(_resident_pages(pid) for pid in pids) * os.sysconf("SC_PAGE_SIZE")
    if resident + hidden <= enough:
        return resident + hidden
    shares = [_shares_of(pid) for pid in pids]
    return sum(own for own, _ in shares) + max(sum(shared for _, shared in shares), hidden)


def _resident_pages(pid: int) -> int:
    """Return how many pages of a process are in memory."""
    with suppress(OSError, ValueError, IndexError):
        return int((_PROC / str(pid) / "statm").read_bytes().split()[1])
    return 0


def _shares_of(pid: int) -> tuple[int, int]:
    """Return the bytes of a process that are its own or its fair share, and those of shared memory."""
    with suppress(OSError):
        found = dict(_SHARES.findall((_PROC / str(pid) / "smaps_rollup").read_bytes()))
        if len(found) == len(_KINDS):
            own, shared = (int(found[kind]) * 1024 for kind in _KINDS)
            return own, shared
    return _resident_pages(pid) * os.sysconf("SC_PAGE_SIZE"), 0


def hidden_in(pid: int) -> dict[tuple[int, int], int]:
    """Return the bytes of each file without a name that a process has open, by device and number."""
    return {
        (state.st_dev, state.st_ino): state.st_blocks * _BLOCK
        for state in _open_files(pid)
        if stat.S_ISREG(state.st_mode) and not state.st_nlink
    }


def _open_files(pid: int) -> Iterator[os.stat_result]:
    """Yield the state of each file that a process has open."""
    with suppress(OSError):
        for link in (_PROC / str(pid) / "fd").iterdir():
            with suppress(OSError):
                yield link.stat()
