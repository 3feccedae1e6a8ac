"""What did a command do, and what did it cost?  Runs one as a shell would, and measures it from outside.

    execute      run a command, pass everything through, and say how it went
    Execution    how it went: times, exit status, processor time, memory

The command keeps the terminal, standard input and output (unless that is sent elsewhere), open files, the process group
and the environment of this process, so that it cannot tell that it is measured.  One that is attended to is kept apart
instead: it gets nothing of this process.  Nothing is known here about metadata.
"""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from primad.errors import UsageError, WorkError
from primad.metadata.recording.processes import children_of, family_of, peak_of, time_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from resource import struct_rusage
    from types import FrameType

NOT_EXECUTABLE = 126
NOT_FOUND = 127
KILLED = 128  # and the number of the signal

_DECIDED_BY_THE_COMMAND = (signal.SIGINT, signal.SIGQUIT)
_PASSED_ON = (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2)

_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.005, 0.2  # seconds between two looks at the processes
_PAUSE_PER_LOOK = 20  # a look at very many processes takes long, so look at most a twentieth of the time
_COUNTER_NOISE = 4 << 20  # the kernel's counts of resident memory are exact only to some pages per processor
_SET_SUBREAPER, _GET_SUBREAPER = 36, 37  # of prctl(2)


@dataclass(frozen=True)
class Execution:
    """How a command went.

    ``status`` is what a shell would give: the command's own, 128 + n after signal n, 126 if it was found but could not
    be executed, 127 if it was not found.  In the last two cases ``failure`` says why, for a person.

    ``user`` and ``system`` are the seconds of processor time of the command and all its descendants, those that still
    run included with what they used so far.  ``peak_memory`` is the largest resident size, in bytes, that any single
    one of these processes had: not their sum.  It is None where that was not seen.
    """

    command: tuple[str, ...]
    started: datetime
    ended: datetime
    status: int
    signal: int | None
    wall: float
    user: float
    system: float
    peak_memory: int | None
    failure: str | None = None
    meanwhile_error: BaseException | None = None


def execute(
    command: Sequence[str],
    *,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    meanwhile: Callable[[], None] | None = None,
    stdout: int | None = None,
    attend: Callable[[int, threading.Event], None] | None = None,
) -> Execution:
    """Run COMMAND in FOLDER with ENVIRONMENT, do MEANWHILE as soon as it runs, and wait for its end.

    What it prints goes to the open file whose number is STDOUT, if given.  Meanwhile an interrupt or quit from the
    terminal is left to the command, and signals that ask this process to end, to hang up or for something of its own
    (USR1, USR2) are passed on to it.  Processes that outlive the command are neither waited for nor ended.

    On Linux, processes whose parent died become children of this one, so that their processor time is counted.
    MEANWHILE must wait for the processes it starts: one that it leaves behind would be taken for such an orphan.

    Called from another thread than the main thread, signals are left alone, and orphans are not counted.

    ATTEND is done meanwhile too, with the number of the process and an event that is set when it has ended, and must
    see to that end.  Such a command is kept apart: it has a session of its own, no standard input and no open file but
    STDOUT, where its errors go too, and signals are left to this process.
    """
    words = tuple(command)
    if not words or any("\0" in word for word in words):
        raise UsageError(f"expected a command to run, found {' '.join(words)!r}")
    apart = attend is not None
    with nullcontext(_Relay()) if apart else _signals_passed_on() as relay, _orphans_adopted() as strangers:
        started, clock = datetime.now(UTC), time.perf_counter()
        try:
            process = _start(words, folder, environment, stdout, apart=apart)
        except OSError as error:
            status, failure = _explained(error, words[0], folder, environment)
            return Execution(words, started, started, status, None, 0.0, 0.0, 0.0, None, failure)
        relay.connect(process.pid)
        inherited_peak = peak_of("self") or 0
        watch = _Watch(process.pid, relay, strangers)
        watch.start()
        problem = _problem_of(partial(attend, process.pid, watch.over) if attend else meanwhile)
        watch.new_children_are_orphans = True
        watch.over.wait()  # a signal interrupts this, so that it is passed on at once
        cost = watch.conclude(inherited_peak)
        code = process.returncode = os.waitstatus_to_exitcode(watch.status)
        status, number = (code, None) if code >= 0 else (KILLED - code, -code)
        wall = watch.ended - clock
        ended = started + timedelta(seconds=wall)
        return Execution(words, started, ended, status, number, wall, cost.user, cost.system, cost.peak, None, problem)


def _problem_of(work: Callable[[], None] | None) -> BaseException | None:
    """Do WORK, and return the exception it ended with: the command runs on whatever happens here."""
    try:
        if work:
            work()
    except BaseException as error:  # noqa: BLE001 - handed to the caller when the command has ended
        return error
    return None


def _start(
    words: tuple[str, ...],
    folder: Path | None,
    environment: Mapping[str, str] | None,
    stdout: int | None,
    *,
    apart: bool,
) -> subprocess.Popen[Any]:
    """Start a command as a shell does: the first of that name on the PATH, and a text file without '#!' by sh."""
    # Not closed are the files this process was given; those that Python opened itself are not inherited anyway.
    spawn = partial(subprocess.Popen[Any], cwd=folder, env=environment, stdout=stdout, close_fds=apart)
    if apart:
        spawn = partial(spawn, stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT, start_new_session=True)
    path = _found(words[0], folder, environment)
    try:
        return spawn(words, executable=None if "/" in words[0] else path)
    except OSError as error:
        if error.errno != errno.ENOEXEC or path is None or b"\0" in _first_bytes(path):
            raise
        return spawn(("/bin/sh", "--", words[0] if "/" in words[0] else str(path), *words[1:]))


def _explained(
    error: OSError, program: str, folder: Path | None, environment: Mapping[str, str] | None
) -> tuple[int, str]:
    """Return the status a shell gives where PROGRAM cannot be started, and why it cannot, in words."""
    reason = (error.strerror or str(error)).lower()
    path = _found(program, folder, environment)
    if folder is not None and not folder.is_dir():
        return NOT_FOUND, f"{program}: cannot be run in {folder}, which is no folder"
    if folder is not None and error.filename == str(folder):
        return NOT_EXECUTABLE, f"{program}: cannot be run in {folder} ({reason})"
    if path is None:
        return NOT_FOUND, f"{program}: no such file" if "/" in program else f"{program}: command not found"
    if isinstance(error, FileNotFoundError):
        return NOT_FOUND, f"{program}: {_what_is_missing(path)}"
    if path.is_dir():
        reason = "it is a folder"
    elif not os.access(path, os.X_OK):
        reason = f"it is not marked as a program; chmod +x {path}"
    return NOT_EXECUTABLE, f"{program}: cannot be executed ({reason})"


def _found(program: str, folder: Path | None, environment: Mapping[str, str] | None) -> Path | None:
    """Return the file that PROGRAM stands for, executable or not."""
    here = (folder or Path()).absolute()
    if "/" in program:
        return here / program if (here / program).exists() else None
    places = os.pathsep.join(str(here / place) for place in os.get_exec_path(environment))
    found = shutil.which(program, path=places) or shutil.which(program, mode=os.F_OK, path=places)
    return Path(found) if found else None


def _what_is_missing(path: Path) -> str:
    """Say which file the system missed when it was to start PATH, which is there."""
    before, _, line = _first_bytes(path).partition(b"#!")
    if before or not line.strip():
        return "is there, but not what it needs to start; it may be made for another system"
    return f"its first line asks for the interpreter '{os.fsdecode(line.split()[0])}', which does not exist"


def _first_bytes(path: Path) -> bytes:
    """Return as much of a file as the system looks at to know its kind."""
    try:
        with path.open("rb") as stream:
            return stream.read(256)
    except OSError:
        return b""


@dataclass
class _Relay:
    """Passes signals on to a process: those that come too early as soon as there is one."""

    pid: int | None = None
    early: list[int] = field(default_factory=list)
    over: bool = False

    def __call__(self, number: int, _frame: FrameType | None = None) -> None:
        """Take a signal, and pass it on unless the terminal sent it to the command as well."""
        if number in _DECIDED_BY_THE_COMMAND or self.over:
            return
        if self.pid is None:
            self.early.append(number)
        else:
            with suppress(ProcessLookupError, PermissionError):  # it has just ended, or became somebody else's
                os.kill(self.pid, number)

    def connect(self, pid: int) -> None:
        """Pass signals on to PID from now on."""
        self.pid = pid
        while self.early:
            self(self.early.pop(0))


@contextmanager
def _signals_passed_on() -> Iterator[_Relay]:
    """Take the signals that are meant for a command, if there will be one.

    They are taken by a handler, which a new program does not inherit; one that was ignored before, as by nohup, stays
    ignored, also by the command.
    """
    relay = _Relay()
    before = {}
    if threading.current_thread() is threading.main_thread():
        for number in (*_DECIDED_BY_THE_COMMAND, *_PASSED_ON):
            if signal.getsignal(number) not in {signal.SIG_IGN, None}:
                before[number] = signal.signal(number, relay)
        if signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN:  # else there would be no exit status
            before[signal.SIGCHLD] = signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    try:
        yield relay
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for early in relay.early:  # there was no command, so they are ours
            signal.raise_signal(early)


@dataclass
class _Cost:
    """What processes used: seconds of processor time, and the bytes of the largest."""

    user: float = 0.0
    system: float = 0.0
    peak: int | None = None

    def add(self, usage: struct_rusage, inherited_peak: int = 0) -> None:
        """Add a process that has ended.

        Its peak counts only above INHERITED_PEAK: a process is as large as the one it was started from until it becomes
        the program to run, and Linux does not forget that.
        """
        self.user += usage.ru_utime
        self.system += usage.ru_stime
        if sys.platform == "darwin":  # which counts in bytes
            self.see_peak(usage.ru_maxrss)
        elif usage.ru_maxrss * 1024 > inherited_peak + _COUNTER_NOISE:
            self.see_peak(usage.ru_maxrss * 1024)

    def see_peak(self, size: int | None) -> None:
        """Note the peak of one process, if it is known."""
        if size is not None:
            self.peak = max(size, self.peak or 0)


@dataclass
class _Watch:
    """Notes the end of the command PID when it comes, and looks at its processes until then, in two threads.

    STRANGERS are the children we had before, if known.
    """

    pid: int
    relay: _Relay
    strangers: frozenset[int] | None
    cost: _Cost = field(default_factory=_Cost)
    new_children_are_orphans: bool = False  # and not of what is done meanwhile
    over: threading.Event = field(default_factory=threading.Event)
    ended: float = 0.0
    status: int = 0
    usage: struct_rusage | None = None

    def start(self) -> None:
        """Start both threads, out of the way of signals: these must wake the main thread, which runs the handlers."""
        self.threads = [threading.Thread(target=work, daemon=True) for work in (self._wait, self._look)]
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        for thread in self.threads:
            thread.start()
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)

    def _wait(self) -> None:
        """Wait for the command."""
        with suppress(ChildProcessError):
            _, self.status, self.usage = os.wait4(self.pid, 0)
        self.relay.over = True
        self.ended = time.perf_counter()
        self.over.set()

    def _look(self) -> None:
        """Note how large the processes are, less and less often, and take leave of orphans."""
        pause = _SHORTEST_PAUSE
        while sys.platform == "linux" and not self.over.wait(pause):
            clock = time.perf_counter()
            for pid in family_of({self.pid} | self._orphans()):
                self.cost.see_peak(peak_of(pid))
            self._reap()
            pause = max(min(1.5 * pause, _LONGEST_PAUSE), _PAUSE_PER_LOOK * (time.perf_counter() - clock))

    def conclude(self, inherited_peak: int) -> _Cost:
        """Return what the command used, and orphans with it, whether they have ended or not."""
        for thread in self.threads:
            thread.join()
        if self.usage is None:
            raise WorkError("another part of this process took the exit status of the command, so it is lost")
        self.cost.add(self.usage, inherited_peak)
        while self._reap():
            pass
        for pid in family_of(self._orphans()):
            user, system = time_of(pid)
            self.cost.user += user
            self.cost.system += system
            self.cost.see_peak(peak_of(pid))
        return self.cost

    def _orphans(self) -> set[int]:
        """Return our new children: Linux gives orphans to the main thread, which starts no process while it waits."""
        if self.strangers is None or not self.new_children_are_orphans:
            return set()
        return children_of(os.getpid(), os.getpid()) - self.strangers - {self.pid}

    def _reap(self) -> int:
        """Take leave of orphans that have ended, and return how many they were."""
        ended = 0
        for pid in self._orphans():
            with suppress(ChildProcessError):
                reaped, _, usage = os.wait4(pid, os.WNOHANG)
                if reaped:
                    ended += 1
                    self.cost.add(usage)
        return ended


@contextmanager
def _orphans_adopted() -> Iterator[frozenset[int] | None]:
    """Become the parent of processes whose parent dies; yield the children there are before, None where impossible."""
    if sys.platform != "linux" or threading.current_thread() is not threading.main_thread():
        yield None
        return
    import ctypes

    prctl = ctypes.CDLL(None).prctl
    prctl.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]
    before = ctypes.c_int(0)
    prctl(_GET_SUBREAPER, ctypes.addressof(before), 0, 0, 0)
    prctl(_SET_SUBREAPER, 1, 0, 0, 0)
    try:
        yield frozenset(children_of(os.getpid(), os.getpid()))
    finally:
        prctl(_SET_SUBREAPER, before.value, 0, 0, 0)
