"""How is git asked, so that nothing is run or filled that a repository asks for?

    git           one question, answered whole
    answering     one whose answer may be endless, read as far as it is wanted
    git_growing   one that fills a folder, stopped where that grows too large
    top_of        the folder of a repository
    reason_of     why git failed, in its own words

No hook, filter, submodule, template or lazy fetch is heeded, and only transports that are named are allowed.
"""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from threading import Timer
from typing import IO, TYPE_CHECKING, cast

from primad.errors import FileError
from primad.metadata.capture.repository import git_variables
from primad.metadata.secrets import redact

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

COMMIT_SHOWN = 12  # digits of a hash that a message has
PATIENCE = 60.0
PATIENCE_TO_CLONE = 3600.0

_LOOK_EVERY = 0.5  # seconds
_LONGEST_REASON = 300
_MOST_COMPLAINTS = 1 << 16  # bytes
_SETTINGS = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.logAllRefUpdates=false",
    "protocol.ext.allow=never",
    "submodule.recurse=false",
    "advice.detachedHead=false",
)


def git(
    arguments: list[str],
    folder: Path | None,
    *,
    seconds: float = PATIENCE,
    variables: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run git with ARGUMENTS in FOLDER, with no transport allowed, and not longer than SECONDS."""
    command = _command(arguments)
    try:
        return subprocess.run(  # noqa: S603 - what comes from outside was checked, and stands behind --
            command,
            cwd=folder,
            env=git_variables() | dict(variables or {}),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 1, b"", _too_slow(seconds).encode())
    except OSError as error:
        return _not_run(command, error)


@dataclass
class Answer:
    """What git says in a PROCESS, and the FAULT that it ended with, which is empty until then and if there was none."""

    process: subprocess.Popen[bytes]
    fault: str = ""

    @property
    def stream(self) -> IO[bytes]:
        """Return what git says, as it comes."""
        return cast("IO[bytes]", self.process.stdout)


@contextmanager
def answering(
    arguments: list[str], folder: Path, *, seconds: float = PATIENCE, asked: IO[bytes] | None = None
) -> Iterator[Answer]:
    """Give what git answers to ARGUMENTS, and to what is ASKED, in FOLDER; it ends if nobody reads on, or too late."""
    command = _command(arguments)
    with TemporaryFile() as complaints, _started(command, folder, asked, complaints) as process:
        answer = Answer(process)
        timer = Timer(seconds, _give_up, (answer, seconds))
        timer.start()
        try:
            yield answer
        finally:
            answer.stream.close()
            process.wait()
            timer.cancel()
            complaints.seek(0)
            done = subprocess.CompletedProcess(command, process.returncode, b"", complaints.read(_MOST_COMPLAINTS))
            is_fault = done.returncode not in {0, -signal.SIGPIPE}  # of the latter it dies when nobody reads on
            answer.fault = answer.fault or (reason_of(done) if is_fault else "")


def _started(
    command: list[str], folder: Path, asked: IO[bytes] | None, complaints: IO[bytes]
) -> subprocess.Popen[bytes]:
    """Return the process of COMMAND in FOLDER, which reads what is ASKED and writes COMPLAINTS."""
    try:
        return subprocess.Popen(  # noqa: S603 - as above
            command,
            cwd=folder,
            env=git_variables(),
            stdin=asked or subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=complaints,
        )
    except OSError as error:
        raise FileError("git", f"it cannot be run: {error.strerror}", "install git, or put it on the PATH") from error


def _give_up(answer: Answer, seconds: float) -> None:
    """End the process of an ANSWER that took more than SECONDS."""
    answer.fault = _too_slow(seconds)
    answer.process.kill()


def git_growing(
    arguments: list[str], folder: Path | None, protocols: str, filled: Path, most: int
) -> subprocess.CompletedProcess[bytes]:
    """Run git with ARGUMENTS in FOLDER, with PROTOCOLS allowed, as long as FILLED has no more than MOST bytes."""
    command = _command(arguments)
    try:
        process = subprocess.Popen(  # noqa: S603 - as above
            command,
            cwd=folder,
            env=git_variables(protocols),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    except OSError as error:
        return _not_run(command, error)
    with process:
        fault, out, err = _watched(process, filled, most)
    if fault or bytes_in(filled) > most:
        return subprocess.CompletedProcess(command, 1, b"", (fault or _too_large(most)).encode())
    return subprocess.CompletedProcess(command, process.returncode, out, err)


def top_of(folder: Path) -> Path | None:
    """Return the folder of the whole repository that FOLDER lies in, None if there is none with files in it."""
    done = git(["rev-parse", "--show-toplevel"], folder) if folder.is_dir() else None
    return Path(os.fsdecode(done.stdout[:-1])) if done and not done.returncode and done.stdout else None


def _watched(process: subprocess.Popen[bytes], filled: Path, most: int) -> tuple[str, bytes, bytes]:
    """Return why PROCESS was stopped, empty if it was not, and what it said."""
    fault, left = "", PATIENCE_TO_CLONE
    while True:
        try:
            return fault, *process.communicate(timeout=_LOOK_EVERY)
        except subprocess.TimeoutExpired:
            left -= _LOOK_EVERY
        if fault:
            process.kill()  # it was asked to end, and has not
        elif left <= 0:
            fault = _too_slow(PATIENCE_TO_CLONE)
        elif bytes_in(filled) > most:
            fault = _too_large(most)
        if fault:
            process.terminate()


def _too_slow(seconds: float) -> str:
    """Return why nobody waits for more than SECONDS."""
    return f"it took more than {seconds:.0f} s"


def _too_large(most: int) -> str:
    """Return why more than MOST bytes are refused."""
    return f"it has more than {most:,} bytes"


def bytes_in(folder: Path) -> int:
    """Return how many bytes the files in FOLDER have, which may change meanwhile."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                total += Path(place, name).lstat().st_size
            except OSError:  # it is gone
                continue
    return total


def reason_of(done: subprocess.CompletedProcess[bytes]) -> str:
    """Return what git said last, on one line and without secrets."""
    lines = [line for line in os.fsdecode(done.stderr).splitlines() if line.strip()]
    return redact(" ".join(lines[-2:]))[:_LONGEST_REASON] or f"exit status {done.returncode}"


def _command(arguments: list[str]) -> list[str]:
    """Return git with its settings and ARGUMENTS."""
    return ["git", "--no-pager", *(word for one in _SETTINGS for word in ("-c", one)), *arguments]


def _not_run(command: list[str], error: OSError) -> subprocess.CompletedProcess[bytes]:
    """Return that COMMAND could not be started."""
    return subprocess.CompletedProcess(command, 1, b"", f"git cannot be run: {error.strerror}".encode())
