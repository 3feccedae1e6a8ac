"""Does a step use more than it may?

    Hit        the limit that was hit, and what was seen
    Spent      what was used by earlier steps of what all of them may use
    Gauge      looks at what a step uses
    taken_by   the bytes that each file in folders takes
    shared     how a limit is called that steps share

The system itself keeps a step from too many processes and too large files where it can; the gauge looks at everything
that its processes use together.  Looking takes time, so it is done less often where there is much to see, but never
seldom; and while files are gone through, which can be made to take long, it glances at processes in between.
"""

from __future__ import annotations

import errno
import os
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from primad.replay.sandbox.processes import Hidden, hidden_in, memory_of, tasks_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from primad.replay.result import Limits
    from primad.replay.sandbox.processes import Crew

TIME, MEMORY, PROCESSES, DISK, LOG = "time", "memory", "processes", "disk", "log"

_PAUSE = 0.03  # seconds between two looks at processes
_PAUSE_OF_DISK = 0.1
_PAUSE_PER_LOOK = 4  # so that looking takes at most a fifth of the time,
_LONGEST_PAUSE = 0.25  # but a step with much to look at is not left alone for long
_ENTRIES_AT_ONCE = 1000  # between two glances at processes
_BLOCK = 512
_LEAST = 1024  # bytes that a file without content takes, for there are only so many of them on a disk
_UNITS = ("bytes", "kB", "MB", "GB", "TB")
_STEP = 1000


@dataclass(frozen=True)
class Hit:
    """The LIMIT that was hit, and a REMARK that says what it is and what was seen."""

    limit: str
    remark: str


@dataclass
class Spent:
    """What earlier steps used of what all may use together: SECONDS, and bytes of LOG."""

    seconds: float = 0.0
    log: int = 0


@dataclass
class Gauge:
    """Looks at what the processes of CREW use, beside the LIMITS; FOLDERS are those they can write to."""

    crew: Crew
    limits: Limits
    folders: tuple[Path, ...]
    spent: float = 0.0  # seconds, by earlier steps
    started: float = field(default_factory=time.monotonic)
    next_glance: float = 0.0
    next_look: float = 0.0
    next_look_at_disk: float = 0.0
    pids: set[int] = field(default_factory=set)
    hidden: Hidden = field(default_factory=Hidden)

    def look(self) -> Hit | None:
        """Return the limit that is hit now, if one is."""
        hit = self._glance()
        now = time.monotonic()
        if not hit and now >= self.next_look:
            hit = self._look_for_hidden()
            self.next_look = _later(now, _PAUSE)
            now = time.monotonic()
        if not hit and now >= self.next_look_at_disk:
            hit = self.look_at_disk(self._glance)
            self.next_look_at_disk = _later(now, _PAUSE_OF_DISK)
        return hit

    def _glance(self) -> Hit | None:
        """Return a hit if time is over, there are too many processes, or they seem to have too much in memory."""
        now = time.monotonic()
        if now - self.started + self.spent > self.limits.seconds:
            return Hit(TIME, f"it ran longer than the {self.limits.seconds:g} seconds it may take{shared(self.spent)}")
        if now < self.next_glance:
            return None
        self.pids = self.crew.members()
        hit = self._look_at_number() or self._look_at_memory()
        self.next_glance = _later(now, _PAUSE)
        return hit

    def _look_at_number(self) -> Hit | None:
        """Return a hit if there are too many processes, or were to be."""
        tasks = tasks_in(self.pids)
        if tasks > self.limits.processes:
            return Hit(PROCESSES, f"it may have {self.limits.processes:,} processes and threads, and had {tasks:,}")
        if self.crew.group and self.crew.group.refused():
            return Hit(PROCESSES, f"it may have {self.limits.processes:,} processes and threads, and started more")
        return None

    def _look_at_memory(self) -> Hit | None:
        """Return a hit if processes have too much in memory, with what was found hidden by the last look for that."""
        memory = memory_of(self.pids, self.hidden.memory, self.limits.memory)
        if memory > self.limits.memory:
            return Hit(MEMORY, f"it may use {sized(self.limits.memory)} of memory, and used {sized(memory)}")
        return None

    def _look_for_hidden(self) -> Hit | None:
        """Find what is in files without a name, and return a hit if that makes it too much."""
        sizes: dict[tuple[int, int], int] = {}
        for pid in set(self.pids):
            sizes |= hidden_in(pid)
            if hit := self._glance():
                return hit
        device = _device_of(self.folders)
        on_disk = sum(size for (where, _), size in sizes.items() if where == device)
        self.hidden = Hidden(sum(sizes.values()) - on_disk, on_disk)
        return self._look_at_memory()

    def look_at_disk(self, meanwhile: Callable[[], Hit | None] | None = None) -> Hit | None:
        """Return a hit if what was written takes too much, or one that is noticed MEANWHILE."""
        used = self.hidden.disk
        try:
            for number, taken in enumerate(taken_by(self.folders), 1):
                used += taken
                if number > self.limits.entries:
                    return Hit(DISK, f"there may be {self.limits.entries:,} files and folders, and there were more")
                if used > self.limits.disk:
                    break
                if meanwhile and not number % _ENTRIES_AT_ONCE and (hit := meanwhile()):
                    return hit
        except OSError as error:
            return Hit(DISK, f"what it wrote cannot be measured ({error.strerror})")
        if used > self.limits.disk:
            return Hit(DISK, f"its folders may take {sized(self.limits.disk)} on disk, and took {sized(used)} at least")
        return None


def shared(spent: float) -> str:
    """Return what is said of a limit if steps before have SPENT a part of it."""
    return " with the steps before it" if spent else ""


def _later(started: float, pause: float) -> float:
    """Return when to look again, after a look that STARTED then."""
    now = time.monotonic()
    return now + min(_LONGEST_PAUSE, max(pause, _PAUSE_PER_LOOK * (now - started)))


def _device_of(folders: Iterable[Path]) -> int:
    """Return the disk that FOLDERS, which lie together, are on."""
    return next(iter(folders)).stat().st_dev


def taken_by(folders: Iterable[Path]) -> Iterator[int]:
    """Yield the bytes that each file and folder in FOLDERS takes, one of several names once; no link is followed."""
    counted: set[tuple[int, int]] = set()
    left = [os.fspath(folder) for folder in folders]
    while left:
        for entry in _entries_of(left.pop()):
            try:
                state = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue
            if entry.is_dir(follow_symlinks=False):
                left.append(entry.path)
            elif state.st_nlink > 1:
                if (state.st_dev, state.st_ino) in counted:
                    continue
                counted.add((state.st_dev, state.st_ino))
            yield max(state.st_blocks * _BLOCK, _LEAST)


def _entries_of(folder: str) -> Iterator[os.DirEntry[str]]:
    """Yield what is in FOLDER; nothing if it has just gone.  One that is shut against us is an error."""
    try:
        with os.scandir(folder) as entries:
            yield from entries
    except OSError as error:
        if error.errno not in {errno.ENOENT, errno.ENOTDIR}:
            raise


def sized(size: float) -> str:
    """Return a number of bytes as people read it.

    >>> sized(512), sized(20_000_000)
    ('512 bytes', '20 MB')
    """
    unit = 0
    while size >= _STEP and unit < len(_UNITS) - 1:
        size /= _STEP
        unit += 1
    return f"{size:.4g} {_UNITS[unit]}"
