"""A real Dask cluster for tests: a scheduler and workers, each a process of its own on this machine."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Self

ROOT = Path(__file__).resolve().parents[1]

_PATIENCE = 60


class DaskCluster:
    """A scheduler at HOST with a number of WORKERS of one thread each; with NANNIES they are started again if they end.

    SETTINGS are variables of the environment.  At the end all processes are ended, by their numbers.
    """

    def __init__(
        self, folder: Path, workers: int = 2, *, nannies: bool = False, host: str = "127.0.0.1", **settings: str
    ) -> None:
        self.folder = folder
        self.host = host
        self.nannies = nannies
        self.settings = settings
        self.processes: list[subprocess.Popen[bytes]] = []
        self.number = workers
        self.workers: list[subprocess.Popen[bytes]] = []
        self.scheduler: subprocess.Popen[bytes]
        self.address = ""

    def __enter__(self) -> Self:
        about = self.folder / "scheduler.json"
        place = ("--host", self.host, "--port", "0", "--dashboard-address", "127.0.0.1:0")
        self.scheduler = self.start("scheduler", *place, "--scheduler-file", str(about))
        try:
            self.address = self._address(about)
            self.workers = [self.start_worker() for _ in range(self.number)]
        except BaseException:
            self.end()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def before(self, _what: str) -> tuple[str, ...]:
        """Return the words before the command that starts a scheduler or a worker."""
        return ()

    def start_worker(self) -> subprocess.Popen[bytes]:
        """Start a worker."""
        nanny = "--nanny" if self.nannies else "--no-nanny"
        place = self.folder / f"worker{len(self.processes)}"
        return self.start("worker", self.address, "--nthreads", "1", nanny, "--local-directory", str(place))

    def start(self, what: str, *arguments: str) -> subprocess.Popen[bytes]:
        """Start a scheduler or a worker; what it says goes to a file."""
        words = [*self.before(what), sys.executable, "-m", f"distributed.cli.dask_{what}", "--no-dashboard", *arguments]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), **self.settings}  # for the functions of tests
        with (self.folder / f"{what}{len(self.processes)}.log").open("wb") as log:
            process = subprocess.Popen(words, env=environment, stdout=log, stderr=log)
        self.processes.append(process)
        return process

    def end(self) -> None:
        """End all processes, workers first; a nanny must have the time to end its worker."""
        for process in reversed(self.processes):
            process.terminate() if self.nannies else process.kill()
        for process in reversed(self.processes):
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _address(self, about: Path) -> str:
        """Return where the scheduler is, which it writes down when it is ready."""
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            if about.exists() and (said := about.read_text()).endswith("}"):
                address: str = json.loads(said)["address"]
                return address
            time.sleep(0.05)
        raise TimeoutError((self.folder / "scheduler0.log").read_text())
