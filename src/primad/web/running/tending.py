"""How is a process kept alive beside a server?

    Tended        a command that is started, started again when it dies, and ended with the server
    job_worker    the command that works on long jobs

After each death the pause before the next start grows, until the command has lived for a while.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence

_FIRST, _LONGEST = 1.0, 60.0  # seconds
_LIVED = 60.0  # who lived for so long did not die of how it was started
_PATIENCE = 10.0
_PARENT_DIED = 1  # the number of the option of prctl(2)


class Tended:
    """A COMMAND that runs as long as somebody looks after it; SAY is told when it dies."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str] | None = None,
        *,
        say: Callable[[str], None] = lambda _sentence: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin with nothing started."""
        self._command, self._environment = list(command), dict(environment or {})
        self._say, self._clock = say, clock
        self._process: subprocess.Popen[bytes] | None = None
        self._pause, self._next, self._started = _FIRST, 0.0, 0.0

    def look_after(self) -> None:
        """Start the command if it does not run and its pause is over; called again and again."""
        now = self._clock()
        if self._process is not None:
            if self._process.poll() is None:
                return
            self._process = None
            self._pause = _FIRST if now - self._started > _LIVED else min(self._pause * 2, _LONGEST)
            self._next = now + self._pause
            self._say(f"the worker for jobs ended by itself; it is started again in {self._pause:.0f} s")
        if now >= self._next:
            self._started = now
            self._process = self._begun()

    def _begun(self) -> subprocess.Popen[bytes]:
        """Return the command, started; a signal from the keyboard does not reach it, we end it ourselves."""
        return subprocess.Popen(  # noqa: S603 - a command of ours
            self._command,
            env=os.environ | self._environment,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=_ends_with_its_parent,  # noqa: PLW1509 - gunicorn's own process has one thread
        )

    def end(self) -> None:
        """End the command, and wait until it has ended."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None


def _ends_with_its_parent() -> None:
    """Ask the system to end this process when its parent is gone, however that ended; only Linux can."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PARENT_DIED, signal.SIGTERM)


def job_worker(folder: str, say: Callable[[str], None]) -> Tended:
    """Return a worker for the jobs of the data FOLDER."""
    # -P: whatever lies in the working folder is no module.
    command = [sys.executable, "-P", "-c", "from primad.cli import main; main()", "worker"]
    return Tended(command, {"PRIMAD_ARCHIVE": folder}, say=say)
