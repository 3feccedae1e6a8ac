"""What may an input not do to the process that reads it?  Take too long, take too much memory, write elsewhere.

    GUARD       sees what is written elsewhere, which programs are started, and who is spoken to
    in_time     raises TooLong after so many seconds of the processor
    few_bytes   lets this process take only so much more memory

Time is that of the processor, so that a busy machine makes no faults.  What comes to no end in code that no signal
reaches is noticed by whoever started this process (see working.py).
"""

from __future__ import annotations

import os
import resource
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

SECONDS = 10.0  # of the processor, for one input
MEMORY = 2 << 30  # bytes beyond what the process has when a target begins

_HARMLESS_PLACES = ("/dev/null", "/proc/self/")
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_OURS = "src/primad/"


class TooLong(BaseException):
    """An input that takes too long; no code that expects errors catches this."""


@contextmanager
def in_time() -> Iterator[None]:
    """Raise TooLong if this takes longer than an input may."""
    signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _stop(_number: int, _frame: FrameType | None) -> None:
    """End what takes too long."""
    raise TooLong


@contextmanager
def few_bytes() -> Iterator[None]:
    """Let this process take only so much more memory than it has."""
    used = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


class Guard:
    """Sees what this process does to others while it is on: SEEN has a line for each thing."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self._place = ""
        self._programs: tuple[str, ...] = ()
        self._is_known = False

    @contextmanager
    def on(self, place: Path, programs: tuple[str, ...] = ()) -> Iterator[None]:
        """Look at what this process does; files may be written below PLACE, and PROGRAMS be started."""
        if not self._is_known:
            sys.addaudithook(self._look)  # which stays as long as the process does
            self._is_known = True
        temporary = place / "temporary"
        temporary.mkdir()
        before = tempfile.tempdir, Path.cwd(), sys.dont_write_bytecode, sys.unraisablehook
        tempfile.tempdir = str(temporary)
        sys.dont_write_bytecode = True
        sys.unraisablehook = self._look_at_unraisable
        os.chdir(temporary)
        self._place, self._programs = str(place), programs
        try:
            yield
        finally:
            self._place = ""
            tempfile.tempdir, folder, sys.dont_write_bytecode, sys.unraisablehook = before
            os.chdir(folder)

    def _look(self, event: str, given: tuple[Any, ...]) -> None:
        """Note what must not happen."""
        look = _LOOKS.get(event) if self._place else None
        if look is None or (look is _nowhere and given[0] in self._programs):
            return
        for path in look(given):
            if not self._is_inside(path):
                self.seen.append(f"{event} of {path!r:.200} {_place_here()}")

    def _is_inside(self, path: Any) -> bool:
        """Tell whether PATH is where files may be written."""
        if isinstance(path, int):
            return True
        whole = os.path.normpath(Path.cwd() / os.fsdecode(path))
        return whole.startswith((self._place, *_HARMLESS_PLACES))

    def _look_at_unraisable(self, unraisable: Any) -> None:
        """Note a warning about what was left open."""
        self.seen.append(f"{type(unraisable.exc_value).__name__}: {unraisable.exc_value!s:.100}")


def _place_here() -> str:
    """Return which of our code is being executed."""
    ours = [frame for frame in traceback.extract_stack() if _OURS in frame.filename]
    return f"at {ours[-1].filename.rpartition(_OURS)[2]}:{ours[-1].lineno}" if ours else ""


def _opened(given: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the path that is opened for writing."""
    path, mode, flags = given
    is_writing = bool(flags & _WRITING) if isinstance(flags, int) else any(sign in str(mode) for sign in "wax+")
    return (path,) if is_writing else ()


def _first(given: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the path that something happens to."""
    return given[:1]


def _second(given: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the path of what is new."""
    return given[1:2]


def _both(given: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the two paths that something happens to."""
    return given[:2]


def _nowhere(given: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return what happens nowhere in the folder, and so never may."""
    return (f"/ {given[0]!r:.100}",)


_LOOKS: dict[str, Callable[[tuple[Any, ...]], tuple[Any, ...]]] = {
    "open": _opened,
    **dict.fromkeys(("os.mkdir", "os.remove", "os.rmdir", "os.truncate", "os.chmod", "shutil.rmtree"), _first),
    **dict.fromkeys(("os.rename", "os.link"), _both),
    "os.symlink": _second,
    **dict.fromkeys(("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "socket.connect"), _nowhere),
}
GUARD = Guard()
