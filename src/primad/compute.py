"""Where work runs: in this process, or in a pool of processes.

    executor       a place to run work in, for a number of jobs
    jobs_for       how many jobs pay off for files of that size
    each           the results of a function for many things, as they are done
    usable_cores   how many processors this process may use

Everything above speaks to ``concurrent.futures.Executor`` only, so another place needs a line here and nowhere else.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, as_completed, wait
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from primad.errors import UsageError, WorkError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

P = ParamSpec("P")
S = TypeVar("S")
T = TypeVar("T")

# By these, libraries are told before they are imported how many threads to have.
THREADS = ("POLARS_MAX_THREADS", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")

# Starting processes takes half a second: worth it from this many bytes on.
_WORTH_A_POOL = 100_000_000


def usable_cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def executor(jobs: int) -> Executor:
    """Return a place that does JOBS pieces of work at a time: this process for one, else that many processes."""
    if jobs < 1:
        raise UsageError(f"expected at least 1 job, found {jobs}")
    if jobs == 1:
        return ThisProcess()
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    # Forking a process whose libraries have threads can hang it; a fresh one cannot inherit a lock.
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(jobs, mp_context=context, initializer=_prepare_process, initargs=(os.getpid(),))


def jobs_for(paths: Iterable[str]) -> int:
    """Return as many jobs as there are processors if the files at PATHS are large enough to pay off, else 1."""
    size = 0
    for path in paths:
        with suppress(OSError, ValueError):  # what is wrong with a file is said by those who read it
            size += Path(path).stat().st_size
    return usable_cores() if size >= _WORTH_A_POOL else 1


def each(function: Callable[[S], T], things: Iterable[S], *, jobs: int) -> Iterator[T]:
    """Yield FUNCTION of each of THINGS as they are done, JOBS at a time.

    Only a few are handed out ahead, so that neither things nor results pile up in memory.  Who stops asking stops the
    work.
    """
    ahead = 1 if jobs == 1 else 2 * jobs
    pending: set[Future[T]] = set()
    place = executor(jobs)
    try:
        for thing in things:
            pending.add(place.submit(function, thing))
            if len(pending) >= ahead:
                done, pending = wait(pending, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
        yield from (future.result() for future in as_completed(pending))
    except BrokenExecutor as error:
        raise WorkError(
            "a process that did part of the work was ended, perhaps for want of memory; try --jobs 1"
        ) from error
    finally:
        place.shutdown(wait=False, cancel_futures=True)


class ThisProcess(Executor):
    """Does each piece of work where and when it is handed in."""

    def submit(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Do the work and return its finished future."""
        future: Future[T] = Future()
        try:
            future.set_result(function(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - it is raised where the result is asked for
            future.set_exception(error)
        return future


def _prepare_process(parent: int) -> None:
    """Make a process of the pool a good citizen, before it imports anything heavy."""
    # A thread per processor in each of as many processes would only get into each other's way.
    os.environ.update(dict.fromkeys(THREADS, "1"))
    # Ctrl-C reaches all processes; the parent stops the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    """End this process when the PARENT is gone, however it went."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
