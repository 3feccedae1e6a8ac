"""Wall-clock time and peak memory of a command, as a whole process on one processor."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True)
class Cost:
    """The fastest of several turns, the least time for which the processor WORKED, and the least memory."""

    seconds: float
    megabytes: float
    worked: float = 0.0

    def or_less(self, other: Cost) -> Cost:
        """Return the lower of two costs, each by itself."""
        return Cost(
            min(self.seconds, other.seconds), min(self.megabytes, other.megabytes), min(self.worked, other.worked)
        )


def peer(name: str, qrels: Path, runs: Sequence[Path]) -> list[str]:
    """Return the command that lets the contender NAME evaluate RUNS."""
    return [sys.executable, "-m", "bench.peers", name, str(qrels), *map(str, runs)]


def race(commands: Mapping[str, Sequence[str]], turns: int) -> dict[str, Cost]:
    """Return the cost of each of COMMANDS, which take turns."""
    costs: dict[str, list[Cost]] = {name: [] for name in commands}
    for _ in range(turns):
        for name, command in commands.items():
            costs[name].append(_run(command))
    return {name: reduce(Cost.or_less, found) for name, found in costs.items()}


def _run(command: Sequence[str]) -> Cost:
    with tempfile.TemporaryFile("w+") as said:
        begin = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=said, cwd=ROOT)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            said.seek(0)
            last = said.read()[-2000:]
            raise SystemExit(f"{last}\n{' '.join(command[:6])} … failed with exit code {process.returncode}")
    return Cost(seconds, usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime)
