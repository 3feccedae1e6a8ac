"""Does a step use more than it may?

    Hit      the limit that was hit, and what was seen
    Gauge    looks at what a step uses
    disk_of  the bytes that folders take

The system itself keeps a step from too many processes and too large files where it can; the gauge looks at everything
that its processes use together.  Looking takes time, so it is done less often where there is much to see.
"""

from __future__ import annotations

import errno
import os
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from primad.replay.sandbox.processes import hidden_in, memory_of, tasks_in

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from primad.replay.result import Limits
    from primad.replay.sandbox.processes import Crew

TIME, MEMORY, PROCESSES, DISK, LOG = "time", "memory", "processes", "disk", "log"

_PAUSE = 0.03  # seconds between two looks at processes
_PAUSE_OF_DISK = 0.1
_PAUSE_PER_LOOK = 4  # so that looking takes at most a fifth of the time
_BLOCK = 512
_LEAST = 1024  # bytes that a file without content takes, for there are only so many of them on a disk
_UNITS = ("bytes", "kB", "MB", "GB", "TB")
_STEP = 1024


@dataclass(frozen=True)
class Hit:
    """The LIMIT that was hit, and a REMARK that says what it is and what was seen."""

    limit: str
    remark: str


@dataclass
class Gauge:
    """Looks at what the processes of CREW use, beside the LIMITS; FOLDERS are those they can write to."""

    crew: Crew
    limits: Limits
    folders: tuple[Path, ...]
    started: float = field(default_factory=time.monotonic)
    next_look: float = 0.0
    next_look_at_disk: float = 0.0
    hidden_on_disk: int = 0

    def look(self) -> Hit | None:
        """Return the limit that is hit now, if one is."""
        now = time.monotonic()
        if now - self.started > self.limits.seconds:
            return Hit(TIME, f"it ran longer than the {self.limits.seconds:g} seconds it may take")
        hit = None
        if now >= self.next_look:
            hit = self._look_at_processes()
            self.next_look = _later(now, _PAUSE)
        if not hit and now >= self.next_look_at_disk:
            now = time.monotonic()
            hit = self.look_at_disk()
            self.next_look_at_disk = _later(now, _PAUSE_OF_DISK)
        return hit

    def _look_at_processes(self) -> Hit | None:
        """Return a hit if there are too many, or if they have too much in memory."""
        pids = self.crew.members()
        tasks = tasks_in(pids)
        if tasks > self.limits.processes:
            return Hit(PROCESSES, f"it may have {self.limits.processes:,} processes and threads, and had {tasks:,}")
        if self.crew.group and self.crew.group.refused():
            return Hit(PROCESSES, f"it may have {self.limits.processes:,} processes and threads, and started more")
        hidden = hidden_in(pids, _device_of(self.folders))
        self.hidden_on_disk = hidden.disk
        memory = memory_of(pids, hidden.memory, self.limits.memory)
        if memory > self.limits.memory:
            return Hit(MEMORY, f"it may use {sized(self.limits.memory)} of memory, and used {sized(memory)}")
        return None

    def look_at_disk(self) -> Hit | None:
        """Return a hit if what was written takes too much."""
        try:
            used = disk_of(self.folders) + self.hidden_on_disk
        except OSError as error:
            return Hit(DISK, f"what it wrote cannot be measured ({error.strerror})")
        if used > self.limits.disk:
            return Hit(DISK, f"its folders may take {sized(self.limits.disk)} on disk, and took {sized(used)}")
        return None


def _later(started: float, pause: float) -> float:
    """Return when to look again, after a look that STARTED then."""
    now = time.monotonic()
    return now + max(pause, _PAUSE_PER_LOOK * (now - started))


def _device_of(folders: Iterable[Path]) -> int:
    """Return the disk that FOLDERS, which lie together, are on."""
    return next(iter(folders)).stat().st_dev


def disk_of(folders: Iterable[Path]) -> int:
    """Return the bytes that FOLDERS take on disk, a file of several names once; links are not followed."""
    used = 0
    counted: set[tuple[int, int]] = set()
    left = [os.fspath(folder) for folder in folders]
    while left:
        for entry in _entries_of(left.pop()):
            try:
                state = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue
            if state.st_nlink > 1 and not entry.is_dir(follow_symlinks=False):
                if (state.st_dev, state.st_ino) in counted:
                    continue
                counted.add((state.st_dev, state.st_ino))
            used += max(state.st_blocks * _BLOCK, _LEAST)
            if entry.is_dir(follow_symlinks=False):
                left.append(entry.path)
    return used


def _entries_of(folder: str) -> list[os.DirEntry[str]]:
    """Return what is in FOLDER; nothing if it has just gone, or shut itself up against everybody but root."""
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError as error:
        if error.errno in {errno.ENOENT, errno.ENOTDIR, errno.EACCES}:
            return []
        raise


def sized(size: float) -> str:
    """Return a number of bytes as people read it.

    >>> sized(512), sized(20 << 20)
    ('512 bytes', '20 MB')
    """
    unit = 0
    while size >= _STEP and unit < len(_UNITS) - 1:
        size /= _STEP
        unit += 1
    return f"{size:.4g} {_UNITS[unit]}"
