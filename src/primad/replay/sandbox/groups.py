"""Can the kernel itself count the processes of a step?  By a control group, where this process may make one.

    Group       the control group of a step
    group_for   make one, for as long as the step runs
    left_by     the one of a step whose keeper is gone

A process cannot leave its group, whatever it does to its session, its parents or its environment, so that on the plain
rung too all of them are found; and no more can be started than the group may have.

A group is made only where we are in the root of the hierarchy.  Any other group is somebody else's to divide: that of a
service, of a session, of a batch system.  Whether it can be made is found by trying, in both versions of the interface.
"""

from __future__ import annotations

import errno
import os
import subprocess
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from primad.replay.result import Limits

_PLACES = (Path("/sys/fs/cgroup/pids"), Path("/sys/fs/cgroup"))  # by the first version, and by the second
_PREFIX = "primad-"
_SPARE = 16  # more processes than are allowed, so that their number is seen to be too large
_PATIENCE = 2.0  # seconds; what is left then is removed by who comes next
_JOIN = 'echo $$ > "$1" && shift && exec "$@"'


class Group:
    """The control group in FOLDER."""

    def __init__(self, folder: Path) -> None:
        """Use a group that is there."""
        self.folder = folder

    def joined(self, command: Sequence[str]) -> list[str]:
        """Return COMMAND so that it joins the group before it does anything."""
        return ["/bin/sh", "-c", _JOIN, "sh", str(self.folder / "cgroup.procs"), *command]

    def members(self) -> set[int]:
        """Return the processes in the group; those that we cannot see are called 0, which no process is."""
        with suppress(OSError, ValueError):
            return set(map(int, (self.folder / "cgroup.procs").read_bytes().split())) - {0}
        return set()

    def refused(self) -> int:
        """Return how often a process was not started because there were too many."""
        with suppress(OSError, ValueError):
            return int((self.folder / "pids.events").read_bytes().split()[1])
        return 0


@contextmanager
def group_for(step: str, limits: Limits) -> Iterator[Group | None]:
    """Make a group for STEP that keeps it from too many processes, and yield it; None where that is not possible."""
    group = _made(step, limits)
    try:
        yield group
    finally:
        if group:
            _remove(group.folder, _PATIENCE)


def _made(step: str, limits: Limits) -> Group | None:
    """Return a new group in which a process can be, if there is a place for one."""
    for place in _PLACES:
        if not _is_ours_to_divide(place):
            continue
        _sweep(place)
        group = Group(place / f"{_PREFIX}{os.getpid()}-{step}")
        try:
            group.folder.mkdir()
        except OSError:
            continue
        with suppress(OSError):
            descriptor = os.open(group.folder / "pids.max", os.O_WRONLY)  # never made by us: it is there or not
            with os.fdopen(descriptor, "w", encoding="ascii") as stream:
                stream.write(str(limits.processes + _SPARE))
            if not subprocess.run(group.joined(["true"]), capture_output=True, check=False).returncode:  # noqa: S603 - a fixed command
                return group
        _remove(group.folder, _PATIENCE)
    return None


def _is_ours_to_divide(place: Path) -> bool:
    """Tell whether this process is in the root of the hierarchy at PLACE, so that nobody else keeps account of it."""
    with suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text(encoding="utf-8", errors="replace").splitlines():
            _, controllers, path = line.split(":", 2)
            if controllers == (place.name if place.name == "pids" else ""):
                return path == "/" and place.is_dir()
    return False


def _sweep(place: Path) -> None:
    """Remove groups that a killed process of ours left at PLACE, if nothing runs in them."""
    for folder in place.glob(f"{_PREFIX}[0-9]*-*"):
        owner = folder.name.removeprefix(_PREFIX).partition("-")[0]
        if not Path("/proc", owner).exists():
            _remove(folder)


def _remove(folder: Path, patience: float = 0.0) -> None:
    """Remove a group, which the kernel refuses as long as a process is in it, be it one that has just ended."""
    deadline = time.monotonic() + patience
    while True:
        try:
            folder.rmdir()
        except OSError as error:
            if error.errno == errno.EBUSY and time.monotonic() < deadline:
                time.sleep(0.01)
                continue
        return


def left_by(step: str) -> Group | None:
    """Return the group of a STEP whose keeper is gone, if there was one."""
    for place in _PLACES:
        for folder in place.glob(f"{_PREFIX}[0-9]*-{step}"):
            return Group(folder)
    return None
