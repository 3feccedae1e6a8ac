"""What comes of one input?  It is accepted or refused, and anything else is a fault.

    Player   plays inputs of a target, one after the other, in a folder of its own
    Fault    what went wrong: an error that is not ours, a warning, a NaN, too much time or memory, a file elsewhere

Time is that of the processor, so that a busy machine makes no faults.  What comes to no end in code that no signal
reaches is noticed by whoever started this process (see working.py).
"""

from __future__ import annotations

import dataclasses
import gc
import math
import os
import re
import resource
import shutil
import signal
import sys
import tempfile
import traceback
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

from primad.errors import PrimadError
from tests.fuzz.target import Target

SECONDS = 10.0  # of the processor, for one input
MEMORY = 2 << 30  # bytes beyond what the process has when a target begins
LONGEST_MESSAGE = 20_000
_DEEPEST = 40
_HARMLESS_PLACES = ("/dev/null", "/proc/self/", "/dev/shm/")  # noqa: S108 - nothing is written there by us
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_OURS = re.compile(r"(src/primad|tests/fuzz)/")


class TooLong(BaseException):
    """An input that takes too long; no code that expects errors catches this."""


@dataclasses.dataclass(frozen=True)
class Fault:
    """What went wrong with an input: KIND is the same for inputs that meet the same fault, DETAIL is for people."""

    kind: str
    detail: str = ""


class Player:
    """Plays inputs of TARGET in a folder below PLACE; what all inputs share is set up once."""

    def __init__(self, target: Target, place: Path) -> None:
        self.target = target
        self.place = place
        self._own = place / "own"

    @contextmanager
    def ready(self) -> Iterator[None]:
        """Set up what the inputs share, and guard the process meanwhile."""
        shared = self.place / "shared"
        shared.mkdir(parents=True)
        self._own.mkdir()
        with self.target.set_up(shared), _GUARD.on(self.place), _few_bytes(), warnings.catch_warnings():
            warnings.simplefilter("error")
            yield
        shutil.rmtree(self.place)

    def play(self, data: bytes) -> str | Fault:
        """Return "accepted", "refused" or the fault that DATA met."""
        _GUARD.seen.clear()
        outcome = self._played(data)
        if _GUARD.seen and not isinstance(outcome, Fault):
            outcome = Fault(_GUARD.seen[0])
        if any(os.scandir(self._own)):
            shutil.rmtree(self._own, onerror=_let_remove)
            self._own.mkdir()
        return outcome

    def _played(self, data: bytes) -> str | Fault:
        """Return what comes of DATA, whatever else happens."""
        try:
            with _in_time():
                answer = self.target.take(data, self._own)
            refuse_nan(answer)
        except PrimadError as error:
            return _unfit_message(error, data) or "refused"
        except TooLong as error:
            return Fault(f"more than {SECONDS:g} s {_place_of(error)}", _told(error))
        except MemoryError as error:
            told = Fault(f"more than {MEMORY >> 30} GB {_place_of(error)}", _told(error))
            gc.collect()
            return told
        except Exception as error:  # noqa: BLE001 - this is what is looked for
            return Fault(f"{type(error).__name__} {_place_of(error)}", _told(error))
        return "accepted"


def refuse_nan(answer: Any, deep: int = 0) -> None:
    """Raise a ValueError if there is a NaN or an infinity anywhere in ANSWER."""
    if deep > _DEEPEST:
        return
    if isinstance(answer, float):
        if not math.isfinite(answer):
            raise ValueError(f"{answer} in an answer")
    elif isinstance(answer, np.ndarray):
        if answer.dtype.kind == "f" and not np.isfinite(answer).all():
            raise ValueError("NaN in an array of an answer")
    elif isinstance(answer, Mapping):
        for value in answer.values():
            refuse_nan(value, deep + 1)
    elif isinstance(answer, list | tuple | set | frozenset):
        for value in answer:
            refuse_nan(value, deep + 1)
    elif dataclasses.is_dataclass(answer):
        for field in dataclasses.fields(answer):
            refuse_nan(getattr(answer, field.name), deep + 1)


def _unfit_message(error: PrimadError, data: bytes) -> Fault | None:
    """Return what is wrong with the message of ERROR: there is none, or it is far longer than DATA."""
    length = len(error.at_terminal)
    if 0 < length < LONGEST_MESSAGE + 3 * len(data):
        return None
    return Fault(f"a message of {length} characters {_place_of(error)}", _told(error)[:LONGEST_MESSAGE])


def _place_of(error: BaseException) -> str:
    """Return where in our code ERROR was raised, else where at all."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if _OURS.search(frame.filename)]
    last = (ours or list(frames))[-1] if frames else None
    return (
        f"at {_OURS.sub('', last.filename[_OURS.search(last.filename).start() if ours else 0 :])}:{last.lineno}"
        if last
        else ""
    )


def _told(error: BaseException) -> str:
    """Return ERROR with all that led to it."""
    return "".join(traceback.format_exception(error, limit=-12))


# Time and memory -----------------------------------------------------------------------------------------------------


@contextmanager
def _in_time() -> Iterator[None]:
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
def _few_bytes() -> Iterator[None]:
    """Let this process take only so much more memory than it has."""
    used = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


# Files ---------------------------------------------------------------------------------------------------------------


class _Guard:
    """Sees what is written elsewhere, which programs are started, and who is spoken to, while it is on."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self._place = ""
        self._is_known = False

    @contextmanager
    def on(self, place: Path) -> Iterator[None]:
        """Look at what this process does; files may be written below PLACE."""
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
        self._place = str(place)
        try:
            yield
        finally:
            self._place = ""
            tempfile.tempdir, folder, sys.dont_write_bytecode, sys.unraisablehook = before
            os.chdir(folder)

    def _look(self, event: str, given: tuple[Any, ...]) -> None:
        """Note what must not happen."""
        if not self._place:
            return
        look = _LOOKS.get(event)
        if look is None:
            return
        for path in look(given):
            if not self._is_inside(path):
                self.seen.append(f"{event} of {path!r:.200} {_place_here()}")

    def _is_inside(self, path: Any) -> bool:
        """Tell whether PATH is where files may be written."""
        if isinstance(path, int):
            return True
        whole = os.path.normpath(Path.cwd() / os.fsdecode(path)) if path is not None else ""
        return whole.startswith((self._place, *_HARMLESS_PLACES))

    def _look_at_unraisable(self, unraisable: Any) -> None:
        """Note a warning about what was left open."""
        self.seen.append(f"{type(unraisable.exc_value).__name__}: {unraisable.exc_value!s:.100}")


def _place_here() -> str:
    """Return which of our code is being executed."""
    ours = [frame for frame in traceback.extract_stack() if "src/primad/" in frame.filename]
    return f"at {ours[-1].filename.rpartition('src/primad/')[2]}:{ours[-1].lineno}" if ours else ""


def _opened(given: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the path that is opened for writing."""
    path, mode, flags = given
    is_writing = bool(flags & _WRITING) if isinstance(flags, int) else any(sign in str(mode) for sign in "wax+")
    return (path,) if is_writing else ()


def _first(given: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the path that something happens to."""
    return given[:1]


def _both(given: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the two paths that something happens to."""
    return given[:2]


def _forbidden(given: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return what is nowhere."""
    return (f"\N{MULTIPLICATION SIGN}{given[0]!r:.100}",)


_LOOKS = {
    "open": _opened,
    **dict.fromkeys(("os.mkdir", "os.remove", "os.rmdir", "os.truncate", "os.chmod", "shutil.rmtree"), _first),
    **dict.fromkeys(("os.rename", "os.link"), _both),
    "os.symlink": lambda given: given[1:2],
    **dict.fromkeys(("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "socket.connect"), _forbidden),
}
_GUARD = _Guard()


def _let_remove(_function: Any, path: str, _error: Any) -> None:
    """Remove what is in a folder that says no."""
    Path(path).parent.chmod(0o700)
    Path(path).unlink()
