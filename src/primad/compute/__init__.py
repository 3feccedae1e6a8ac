"""Where work runs: in this process, in a pool of processes, on a Dask cluster, or in jobs of Slurm.

    Place, Slurm   one of these places, and what a job of Slurm asks for
    executor       a place to run work in, for a number of jobs
    jobs_for       how many jobs pay off for files of that size
    each           the results of a function for many things, as they are done
    outcomes       each of many things with its result, or with the error if whoever worked on it came to an end
    usable_cores   how many processors this process may use

Everything above speaks to ``each`` and ``outcomes`` only, so the same function runs at every place.  It is handed plain
values and returns some; nothing else is shared between the places.
"""

from __future__ import annotations

import os
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from primad.compute.place import Place, Slurm
from primad.compute.workers import THREADS, Pool, ThisProcess, Workers
from primad.errors import UsageError, WorkError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["THREADS", "Place", "Slurm", "ThisProcess", "each", "executor", "jobs_for", "outcomes", "usable_cores"]

S = TypeVar("S")
T = TypeVar("T")

# Starting processes takes half a second: worth it from this many bytes on.
_WORTH_A_POOL = 100_000_000
# Seconds after which somebody looks whether anybody still works.
_QUIET = 5.0


def usable_cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def executor(jobs: int) -> Workers:
    """Return a place that does JOBS pieces of work at a time: this process for one, else that many processes."""
    if jobs < 1:
        raise UsageError(f"expected at least 1 job, found {jobs}")
    return ThisProcess() if jobs == 1 else Pool(jobs)


def jobs_for(paths: Iterable[str]) -> int:
    """Return as many jobs as there are processors if the files at PATHS are large enough to pay off, else 1."""
    size = 0
    for path in paths:
        with suppress(OSError, ValueError):  # what is wrong with a file is said by those who read it
            size += Path(path).stat().st_size
    return usable_cores() if size >= _WORTH_A_POOL else 1


def each(
    function: Callable[[S], T],
    things: Iterable[S],
    *,
    jobs: int = 1,
    place: Place | None = None,
    in_order: bool = False,
) -> Iterator[T]:
    """Yield FUNCTION of each of THINGS as they are done, JOBS at a time, or as many as there are at another PLACE.

    Only a few are handed out ahead, so that neither things nor results pile up in memory, also where results are wanted
    IN_ORDER of the things.  Who stops asking stops the work.
    """
    for _, outcome in outcomes(function, things, jobs=jobs, place=place, in_order=in_order):
        if isinstance(outcome, WorkError):
            raise outcome
        yield outcome


def outcomes(
    function: Callable[[S], T],
    things: Iterable[S],
    *,
    jobs: int = 1,
    place: Place | None = None,
    in_order: bool = False,
) -> Iterator[tuple[S, T | WorkError]]:
    """Yield each of THINGS with FUNCTION of it as they are done, as ``each`` does.

    A thing has an error beside it if every process that worked on it came to an end; that stops no other thing.
    """
    chosen = place or Place(jobs=jobs)
    waiting = iter(things)
    first = list(islice(waiting, 1))
    if not first:  # nobody is called for nothing
        return
    workers = _workers_at(chosen)
    pending: dict[Future[T], S] = {}
    try:
        for thing in chain(first, waiting):
            pending[workers.submit(function, thing)] = thing
            if len(pending) >= workers.ahead:
                yield from _finished(workers, function, pending, in_order=in_order)
        while pending:
            yield from _finished(workers, function, pending, in_order=in_order)
    except BaseException:
        workers.shutdown(wait=False, cancel_futures=True)
        raise
    # All is done, so it takes no time; who does not wait may find processes half gone when Python ends.
    workers.shutdown(wait=True)


def _workers_at(place: Place) -> Workers:
    """Return those who work at PLACE."""
    if place.is_here:
        return executor(place.jobs or usable_cores())
    from primad.compute.cluster import Cluster
    from primad.compute.slurm import SlurmJobs

    return SlurmJobs(place.slurm) if place.slurm is not None else Cluster(place.cluster)


def _finished(
    workers: Workers, function: Callable[[S], T], pending: dict[Future[T], S], *, in_order: bool
) -> Iterator[tuple[S, T | WorkError]]:
    """Take what is done next out of PENDING, IN_ORDER the oldest of it, and yield it."""
    wanted = list(islice(pending, 1)) if in_order else list(pending)
    done: set[Future[T]] = set()
    while not done:
        done, _ = wait(wanted, timeout=_QUIET, return_when=FIRST_COMPLETED)
        if not done:
            workers.look_after()
    for future in done:
        thing = pending.pop(future)
        outcome: T | WorkError = workers.outcome(function, thing, future)
        yield thing, outcome
