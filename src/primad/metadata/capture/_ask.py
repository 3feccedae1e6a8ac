"""What does another program say?  Asked with patience that ends, and heard up to a limit.

    ask         the standard output of a command that ended well, or None
    decoded     the same as text
    read_text   the text of a file of the system, empty if there is none

A fact that cannot be had is left out of a record, so every failure here is None: no such program, an exit code other
than 0, too slow, too much said.  What was started is ended with all its children.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# The names of the files of the largest repositories take less.
MAX_SAID = 64 << 20

_PIECE = 1 << 16


def ask(
    command: Sequence[str],
    *,
    seconds: float,
    folder: str | os.PathLike[str] | None = None,
    environment: Mapping[str, str] | None = None,
    errors: bool = False,
    limit: int = MAX_SAID,
) -> bytes | None:
    """Return what COMMAND writes to standard output, with ERRORS also to standard error, if it succeeds in SECONDS."""
    end = time.monotonic() + seconds
    try:
        process = subprocess.Popen(  # noqa: S603 - the callers name their programs
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if errors else subprocess.DEVNULL,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    with process:
        try:
            said = _hear(process, end, limit)
            succeeded = said is not None and process.wait(max(0, end - time.monotonic())) == 0
        except subprocess.TimeoutExpired:
            succeeded = False
        finally:
            _end(process)
        return said if succeeded else None


def decoded(said: bytes | None) -> str:
    """Return as text what was SAID, strange bytes replaced, so that it can be written anywhere."""
    return (said or b"").decode("utf-8", "replace")


def read_text(path: str, limit: int = 1 << 24) -> str:
    """Return up to LIMIT bytes of the file at PATH as text; empty if it cannot be read."""
    with suppress(OSError, ValueError), Path(path).open("rb") as stream:
        return decoded(stream.read(limit))
    return ""


def _hear(process: subprocess.Popen[bytes], end: float, limit: int) -> bytes | None:
    """Return all that PROCESS says; None if it has not finished at END, or says more than LIMIT bytes."""
    said = bytearray()
    with selectors.DefaultSelector() as selector:
        stream = cast("IO[bytes]", process.stdout)
        selector.register(stream, selectors.EVENT_READ)
        while selector.select(max(0, end - time.monotonic())):
            piece = os.read(stream.fileno(), _PIECE)
            said += piece
            if not piece:
                return bytes(said)
            if len(said) > limit:
                return None
    return None


def _end(process: subprocess.Popen[bytes]) -> None:
    """End PROCESS and its children, unless it has ended by itself."""
    if process.poll() is None:
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
