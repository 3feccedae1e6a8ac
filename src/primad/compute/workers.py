"""Who does work on this machine?

Workers       what those who work have in common, wherever they are
ThisProcess   this process, one thing after the other
Pool          a number of processes
"""

from __future__ import annotations

import os
import signal
import threading
import time
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from primad.compute.memory import keep_freed_memory
from primad.errors import WorkError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

P = ParamSpec("P")
S = TypeVar("S")
T = TypeVar("T")

# By these, libraries are told before they are imported how many threads to have.
THREADS = ("POLARS_MAX_THREADS", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")

_SAFE_PATH = "PYTHONSAFEPATH"
_STARTING = threading.RLock()  # by whoever has set this variable for a moment
_ENDED = "a process that did part of the work was ended, perhaps for want of memory; try --jobs 1"


class Workers(Executor):
    """Those who work, and AHEAD: how many things they are handed before the first is done."""

    ahead = 1

    def look_after(self) -> None:
        """Raise an error if nobody is left to do the work; asked when all was quiet for a while."""

    def outcome(self, _function: Callable[[S], T], _thing: S, future: Future[T]) -> T | WorkError:
        """Return the result of a thing, or the error that all who worked on it came to an end."""
        return future.result()


class ThisProcess(Workers):
    """Does each piece of work where and when it is handed in."""

    def submit(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Do the work and return its finished future."""
        future: Future[T] = Future()
        try:
            future.set_result(function(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - it is raised where the result is asked for
            future.set_exception(error)
        return future


class Pool(Workers):
    """Does work in processes of this machine.

    When one is ended from outside, nobody knows which piece of work was the cause: each that was under way is then done
    again alone.
    """

    def __init__(self, jobs: int) -> None:
        """Have as many processes as JOBS."""
        self.ahead = 2 * jobs
        self._jobs = jobs
        self._pool = _processes(jobs)

    def submit(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Hand the work to a process; if one was ended, to new ones."""
        try:
            return _submitted(self._pool, function, *args, **kwargs)
        except BrokenExecutor:
            self._pool.shutdown(wait=False)
            self._pool = _processes(self._jobs)
            return _submitted(self._pool, function, *args, **kwargs)

    def outcome(self, function: Callable[[S], T], thing: S, future: Future[T]) -> T | WorkError:
        """Return the result of a thing; if its process may have been ended, do it again alone."""
        try:
            return future.result()
        except BrokenExecutor:
            return _alone(function, thing)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002 - as its base
        """End the processes."""
        self._pool.shutdown(wait=wait, cancel_futures=cancel_futures)


def _processes(jobs: int) -> Executor:
    """Return as many fresh processes as JOBS."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    # Forking a process whose libraries have threads can hang it; a fresh one cannot inherit a lock.
    context = multiprocessing.get_context("spawn")
    with _starting_safely() as before:
        given = (os.getpid(), before)
        return ProcessPoolExecutor(jobs, mp_context=context, initializer=_prepare_process, initargs=given)


def _submitted(pool: Executor, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
    """Hand work to POOL, which starts a process for it while it has too few."""
    with _starting_safely():
        return pool.submit(function, *args, **kwargs)


@contextmanager
def _starting_safely() -> Iterator[str | None]:
    """Let processes that are started meanwhile take no file of the working folder, maybe a stranger's, for a module.

    Given is what the variable was before: nobody else may ask for it, since another thread may have set it.
    """
    with _STARTING:
        before = os.environ.get(_SAFE_PATH)
        _set_safe_path("1")
        try:
            yield before
        finally:
            _set_safe_path(before)


def _set_safe_path(value: str | None) -> None:
    """Set what Python asks for before it looks into the working folder; None if it shall not be set."""
    if value is None:
        os.environ.pop(_SAFE_PATH, None)
    else:
        os.environ[_SAFE_PATH] = value


def _alone(function: Callable[[S], T], thing: S) -> T | WorkError:
    """Return FUNCTION of THING by a process that does nothing else, or the error that this was ended, too."""
    pool = _processes(1)
    try:
        return _submitted(pool, function, thing).result()
    except BrokenExecutor:
        return WorkError(_ENDED)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _prepare_process(parent: int, safe_path: str | None) -> None:
    """Make a process of the pool a good citizen, before it imports anything heavy; it hands SAFE_PATH on as it was."""
    _set_safe_path(safe_path)
    # A thread per processor in each of as many processes would only get into each other's way.
    os.environ.update(dict.fromkeys(THREADS, "1"))
    keep_freed_memory()
    # Ctrl-C reaches all processes; the parent stops the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    """End this process when the PARENT is gone, however it went."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
