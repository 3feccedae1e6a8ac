"""Where work runs: in this process, or in a pool of processes.

    executor       a place to run work in, for a number of jobs
    each           the results of a function for many things, as they are done
    usable_cores   how many processors this process may use

Everything above speaks to ``concurrent.futures.Executor`` only, so another place needs a line here and nowhere else.
"""

from __future__ import annotations

import os
from concurrent.futures import FIRST_COMPLETED, Executor, Future, as_completed, wait
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from primad.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

P = ParamSpec("P")
S = TypeVar("S")
T = TypeVar("T")


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
    return ProcessPoolExecutor(jobs, mp_context=context, initializer=_one_thread_each)


def each(function: Callable[[S], T], things: Iterable[S], *, jobs: int) -> Iterator[T]:
    """Yield FUNCTION of each of THINGS as they are done, JOBS at a time.

    Only a few are handed out ahead, so that neither things nor results pile up in memory.
    """
    ahead = 1 if jobs == 1 else 2 * jobs
    pending: set[Future[T]] = set()
    with executor(jobs) as place:
        for thing in things:
            pending.add(place.submit(function, thing))
            if len(pending) >= ahead:
                done, pending = wait(pending, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
        yield from (future.result() for future in as_completed(pending))


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


def _one_thread_each() -> None:
    """Keep the pool's processes from each starting a thread per processor; before polars is imported."""
    os.environ["POLARS_MAX_THREADS"] = "1"
