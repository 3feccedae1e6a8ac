"""Which files did a command read and write, wherever they are?  Asks strace, where it is.

    strace_is_here   can a command be traced on this machine?
    traced           the command to run in place of another, so that it is traced
    read_trace       the files a traced command read and wrote
    Trace            both; a TracedFile has path, digest and size

Left out are files of the system, libraries and Python's own, and all that is gone when the trace is read.  A traced
command ends as it would without, but what it costs includes the tracing.
"""

from __future__ import annotations

import math
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from primad.errors import FileError
from primad.metadata.capture.program import digest_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST_FILES = 2_000
LARGEST_DIGESTED = 4 << 30

_OPENING = frozenset({"open", "openat", "openat2", "creat"})
_RENAMING = frozenset({"rename", "renameat", "renameat2"})
_LINKING = frozenset({"link", "linkat"})
_EXECUTING = frozenset({"execve", "execveat"})
_FORKING = frozenset({"fork", "vfork", "clone", "clone3"})
_CALLS = _OPENING | _RENAMING | _LINKING | _EXECUTING | _FORKING | {"truncate", "chdir", "fchdir"}

# Process, time, call, arguments and result.  A descriptor is followed by its <path>, in which < and > are escaped.
_LINE = re.compile(rb"(\d+) +([\d.]+) (\w+)\((.*)\) += (\d+)(?:<([^<>]*)>)?(?:\(deleted\))?\s*")
_PLACE_AND_PATH = re.compile(rb'(?:(?:AT_FDCWD|\d+)(?:<([^<>]*)>)?, )?"((?:[^"\\]|\\.)*)"')
_HERE = re.compile(rb"AT_FDCWD<([^<>]*)>")
_DESCRIPTOR = re.compile(rb"\d+<([^<>]*)>")
_NO_FLAG = re.compile(rb'"(?:[^"\\]|\\.)*"|<[^<>]*>')
_ESCAPE = re.compile(rb"\\([0-7]{1,3}|.)", re.DOTALL)
_LETTERS = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}

_CLOCK_STEP = 0.02  # seconds by which the clock of a file system may lag behind

_OF_THE_SYSTEM = re.compile(r"/(usr|lib(32|64|x32|exec)?|bin|sbin|etc|proc|sys|dev|run)/")
_INTERPRETER = re.compile(r"(/.+)/bin/(python|pypy)[0-9.]*")
_NAMES_LEFT_OUT = frozenset({"__pycache__", "site-packages", "dist-packages", "pyvenv.cfg", ".pyenv", ".git"})
_ENDS_LEFT_OUT = re.compile(r"\.(pyc|so(\.[0-9]+)*)$")


@dataclass(frozen=True)
class TracedFile:
    """A file as it is when the trace is read.

    ``path`` is relative to the folder of the command if the file is below it, else absolute; ``sha256`` is None for a
    file that is larger than 4 GiB or may not be read.
    """

    path: Path
    sha256: str | None
    bytes: int


@dataclass(frozen=True)
class Trace:
    """What a command read, and what it wrote; a file that it both read and wrote counts as written.

    ``complete`` is False if it read, or wrote, more than 2,000 files: then only the first, by path, are named.
    """

    read: tuple[TracedFile, ...]
    wrote: tuple[TracedFile, ...]
    complete: bool = True


@cache
def strace_is_here() -> bool:
    """Say whether strace is installed and may trace: some containers and systems forbid it."""
    if shutil.which("strace") is None:
        return False
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        probe = traced(["true"], log)
        done = subprocess.run(probe, stdin=subprocess.DEVNULL, capture_output=True, check=False)  # noqa: S603 - ours
        # Where tracing is forbidden, the command runs, but nothing is noted.
        return done.returncode == 0 and log.exists() and log.stat().st_size > 0


def traced(command: Sequence[str], log: Path) -> list[str]:
    """Return the command that runs COMMAND and notes in LOG which files it opens.

    strace is not the parent of the command (-DD), so exit status, signals and terminal are the command's own.  It is
    started by nice, no nicer than before: that ends with 126 or 127 where it cannot be started, and strace with 1.  Its
    arguments, which may be secret, do not get into the log (-s 0).
    """
    calls = ",".join(f"?{call}" for call in sorted(_CALLS))  # '?': no machine has all of them
    options = ["-DD", "-f", "-qq", "-y", "-z", "-ttt", "-s", "0", "--seccomp-bpf", "-e", "signal=none"]
    return [
        "strace",
        *options,
        "-e",
        f"trace={calls}",
        "-o",
        str(log.absolute()),
        "--",
        "nice",
        "-n",
        "0",
        "--",
        *command,
    ]


def read_trace(log: Path, folder: Path) -> Trace:
    """Return the files that the command traced in LOG, which ran in FOLDER, read and wrote."""
    home = os.path.realpath(folder)
    try:
        uses = _Uses(home, _parents(log))
        for call in _calls(log):
            uses.follow(call)
    except OSError as error:
        raise FileError(str(log), f"cannot be read ({error.strerror or error})") from None
    is_left_out = _Filter(home, uses.programs)
    read: list[tuple[str, int]] = []
    wrote: list[tuple[str, int]] = []
    for path, since in sorted(uses.written_from.items()):
        found = None if is_left_out(path) else _regular_file(path)
        if found is not None:
            (wrote if found.st_ctime >= since - _CLOCK_STEP else read).append((path, found.st_size))
    return Trace(
        tuple(_file(path, size, home) for path, size in read[:MOST_FILES]),
        tuple(_file(path, size, home) for path, size in wrote[:MOST_FILES]),
        complete=max(len(read), len(wrote)) <= MOST_FILES,
    )


class _Call(NamedTuple):
    """A system call that succeeded: its process, time, name, arguments as text, result, and the path of the result."""

    process: int
    time: float
    name: str
    arguments: bytes
    result: int
    path: str

    def flags(self) -> set[bytes]:
        """Return the flags among the arguments, such as O_CREAT."""
        return set(re.findall(rb"\w+", _NO_FLAG.sub(b"", self.arguments)))


def _calls(log: Path) -> Iterator[_Call]:
    """Yield the calls noted in LOG."""
    with log.open("rb") as stream:
        for line in stream:
            if parts := _LINE.fullmatch(line):
                process, moment, name, arguments, result, path = parts.groups(b"")
                yield _Call(int(process), float(moment), name.decode(), arguments, int(result), _unescaped(path))


def _parents(log: Path) -> dict[int, int]:
    """Return the parent of each process in LOG; all at once, for a child may be noted before its parent's call ends."""
    return {call.result: call.process for call in _calls(log) if call.name in _FORKING}


@dataclass
class _Uses:
    """What has become of the files of a command so far.

    ``written_from`` has for each file it used the time from which on a change of the file is the command's doing: minus
    infinity if it surely wrote it, infinity if it only read it.
    """

    home: str
    parents: dict[int, int]
    folders: dict[int, str] = field(default_factory=dict)
    written_from: dict[str, float] = field(default_factory=dict)
    programs: set[str] = field(default_factory=set)

    def follow(self, call: _Call) -> None:
        """Take the next call into account."""
        if here := _HERE.match(call.arguments):
            self.folders[call.process] = _unescaped(here[1])
        if call.name in _OPENING:
            self._opened(call)
        elif call.name in _RENAMING:
            self._renamed(*self._names(call), exchanged=b"RENAME_EXCHANGE" in call.flags())
        elif call.name in _LINKING:
            self._used(self._names(call)[1], -math.inf)
        elif call.name == "truncate":
            self._used(os.path.realpath(self._names(call)[0]), -math.inf)
        elif call.name in _EXECUTING:
            program = self._names(call)[0]
            self.programs |= {program, os.path.realpath(program)}
            self._used(os.path.realpath(program), math.inf)
        elif call.name == "chdir":
            self.folders[call.process] = os.path.realpath(self._names(call)[0])
        elif call.name == "fchdir" and (place := _DESCRIPTOR.fullmatch(call.arguments)):
            self.folders[call.process] = _unescaped(place[1])

    def _opened(self, call: _Call) -> None:
        """Note how a file was opened: who may write it need not do so, which only the file itself can tell."""
        flags = call.flags()
        if call.name == "creat" or not flags.isdisjoint({b"O_WRONLY", b"O_TRUNC", b"O_EXCL"}):
            self._used(call.path, -math.inf)
        elif not flags.isdisjoint({b"O_RDWR", b"O_CREAT"}):
            self._used(call.path, call.time)
        elif flags.isdisjoint({b"O_PATH", b"O_DIRECTORY"}):
            self._used(call.path, math.inf)

    def _renamed(self, old: str, new: str, *, exchanged: bool) -> None:
        """Let a file, or all that is in a folder, be known by its new name."""
        if not exchanged and self.written_from.pop(old, None) is None:
            for path in [path for path in self.written_from if path.startswith(f"{old}/")]:
                self.written_from[new + path.removeprefix(old)] = self.written_from.pop(path)
        self.written_from[new] = -math.inf
        if exchanged:
            self.written_from[old] = -math.inf

    def _used(self, path: str, since: float) -> None:
        """Note that a change of PATH is the command's doing if it happened SINCE then."""
        self.written_from[path] = min(since, self.written_from.get(path, math.inf))

    def _names(self, call: _Call) -> list[str]:
        """Return the paths among the arguments, absolute; the last part of a path may be a link."""
        names = []
        for place, text in _PLACE_AND_PATH.findall(call.arguments):
            path = Path(_unescaped(place) or self._folder_of(call.process), _unescaped(text))
            names.append(str(Path(os.path.realpath(path.parent), path.name)))
        return names

    def _folder_of(self, process: int) -> str:
        """Return where PROCESS works: where it went, or else where its parent was when this is first asked."""
        heirs = []
        while process not in self.folders and process in self.parents:
            heirs.append(process)
            process = self.parents.pop(process)
        folder = self.folders.get(process, self.home)
        self.folders.update(dict.fromkeys(heirs, folder))
        return folder


class _Filter:
    """Tells files that are part of the machine from those that are part of an experiment."""

    def __init__(self, home: str, programs: set[str]) -> None:
        """Take files below HOME for the experiment's, and those beside the Pythons among PROGRAMS for Python's."""
        self.home = home.rstrip("/") + "/"
        found = {match[1] for match in map(_INTERPRETER.fullmatch, programs) if match} | {sys.prefix, sys.base_prefix}
        self.prefixes = tuple(f"{prefix}/" for prefix in found if not self.home.startswith(f"{prefix}/"))

    def __call__(self, path: str) -> bool:
        """Say whether PATH is to be left out."""
        is_inside = path.startswith(self.home) and self.home != "/"
        names = path.removeprefix(self.home if is_inside else "").split("/")
        if path.startswith(self.prefixes) or _ENDS_LEFT_OUT.search(path) or not _NAMES_LEFT_OUT.isdisjoint(names):
            return True
        return not is_inside and (path.endswith(".py") or bool(_OF_THE_SYSTEM.match(path)))


def _unescaped(text: bytes) -> str:
    r"""Return the path that strace wrote as TEXT.

    >>> _unescaped(rb'/tmp/a \"b\" \303\251\n')
    '/tmp/a "b" é\n'
    """

    def byte(escape: re.Match[bytes]) -> bytes:
        """Return the byte that an escape stands for."""
        return bytes([int(escape[1], 8)]) if escape[1].isdigit() else _LETTERS.get(escape[1], escape[1])

    return os.fsdecode(_ESCAPE.sub(byte, text))


def _regular_file(path: str) -> os.stat_result | None:
    """Return what is known of a file, None if it is gone or no regular file."""
    try:
        found = Path(path).stat()
    except (OSError, ValueError):
        return None
    return found if stat.S_ISREG(found.st_mode) else None


def _file(path: str, size: int, home: str) -> TracedFile:
    """Return the file at PATH, named relative to HOME if it is below."""
    place = Path(path.removeprefix(home.rstrip("/") + "/"))
    return TracedFile(place, digest_of(path, most=LARGEST_DIGESTED), size)
