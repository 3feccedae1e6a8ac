"""A site that is served by `primad serve`, as a process of its own, for whoever puts load on it or kills it.

Server    the process with all that it started: those who answer, and the worker for long jobs
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

KEY = "A" * 43 + "="  # of a site that exists for minutes, and only on this machine
_PATIENCE = 60.0
_AGAIN = 0.2
_PRIMAD = [sys.executable, "-c", "from primad.cli import main; main()"]
_ADDRESS = re.compile(r"The site is at (http://127\.0\.0\.1:(\d+))/")
_OURS = ("PRIMAD_ARCHIVE", "PRIMAD_DATABASE", "PRIMAD_SERVER", "PRIMAD_TOKEN", "PRIMAD_HOSTS", "PRIMAD_HTTPS")


class Server:
    """`primad serve` on a free port, for the data folder DATA, with so many WORKERS that answer."""

    def __init__(self, data: Path, workers: int | None = None, log: Path | None = None) -> None:
        """Write what it says to LOG, beside the data folder if none is named."""
        self.data, self.workers = data, workers
        self.log = log or data.with_name("server.log")
        self.address, self._port = "", 0
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is None:
            return
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill("everything")

    def start(self) -> None:
        """Start it, at the port that it had before if it had one, which who answered before may hold for a moment."""
        until = time.monotonic() + _PATIENCE
        while not self._has_begun():
            assert time.monotonic() < until, f"the site did not begin: {self.log.read_text()[-2000:]}"
            time.sleep(_AGAIN)

    def _has_begun(self) -> bool:
        """Start a process, and tell whether it says where the site is."""
        command = [*_PRIMAD, "serve", "--data", str(self.data), "--port", str(self._port)]
        command += ["--workers", str(self.workers)] if self.workers else []
        begin = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                command, env=_environment(self.data), stdout=log, stderr=log, start_new_session=True
            )
        until = time.monotonic() + _PATIENCE
        while time.monotonic() < until and self._process.poll() is None:
            found = _ADDRESS.search(self.log.read_bytes()[begin:].decode())
            if found:
                self.address, self._port = found[1], int(found[2])
                return True
            time.sleep(_AGAIN / 4)
        return False

    def processor_seconds(self) -> float:
        """Return for how many seconds it and all that it started have kept processors busy."""
        assert self._process is not None
        ticks = 0
        for pid in (self._process.pid, *_children(self._process.pid)):
            with suppress(OSError, IndexError):
                parts = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
                ticks += int(parts[11]) + int(parts[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def kill(self, what: str) -> int:
        """Kill WHAT at once, and return how many processes: an answerer, the job worker, the master, everything."""
        assert self._process is not None
        master = self._process.pid
        children = list(_children(master))
        workers = [pid for pid in children if "worker" in _words(pid)]
        chosen = {
            "an answerer": [pid for pid in children if pid not in workers][:1],
            "the job worker": workers,
            "the master": [master],
            "everything": [master, *children],
        }[what]
        for pid in chosen:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if master in chosen:
            self._process.wait()
        return len(chosen)


def _environment(data: Path) -> dict[str, str]:
    """Return the environment of the process; nothing of whoever runs the benchmark is in it."""
    kept = {name: value for name, value in os.environ.items() if name not in _OURS}
    return kept | {"PRIMAD_SECRET_KEY": KEY, "XDG_CONFIG_HOME": str(data.parent)}


def _children(parent: int) -> Iterator[int]:
    """Yield the processes that PARENT has started."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, IndexError):
            if int(path.read_text("utf-8", "replace").rpartition(")")[2].split()[1]) == parent:
                yield int(path.parent.name)


def _words(pid: int) -> list[str]:
    """Return the command line of the process PID."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text("utf-8", "replace").split("\0")
    return []
