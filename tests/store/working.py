"""Work for tests, and a worker that knows it: ``python -m tests.store.working FOLDER [--once]``.

Each piece of work writes lines to a file, so that a test sees what was done, how often and by whom.
"""

import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

from primad.web.settings import Site, configure

configure(Site())  # where nobody has: models can be imported from here on

from primad.errors import DataError  # noqa: E402
from primad.store import jobs  # noqa: E402
from primad.store.actors import current  # noqa: E402
from primad.store.jobs import Work  # noqa: E402

LONGEST = 60.0  # seconds after which work that should have been stopped goes on


def write(file: str, line: str) -> None:
    with Path(file).open("a", encoding="utf-8") as stream:
        stream.write(f"{line}\n")


def lines(file: str) -> list[str]:
    return Path(file).read_text(encoding="utf-8").splitlines() if Path(file).exists() else []


@jobs.job("test.count")
def count(work: Work, file: str, steps: int = 1, pause: float = 0.0) -> dict[str, Any]:
    """Take STEPS with a PAUSE after each."""
    write(file, f"begin {work.key} {os.getpid()}")
    for step in range(1, steps + 1):
        work.progress(step, steps, f"step {step}")
        time.sleep(pause)
    write(file, f"end {work.key} {os.getpid()}")
    return {"steps": steps, "by": current().name}


@jobs.job("test.deadly")
def deadly(work: Work, file: str) -> dict[str, Any]:
    """Kill the process that does it."""
    write(file, f"begin {work.key} {os.getpid()}")
    os.kill(os.getpid(), signal.SIGKILL)
    return {}


@jobs.job("test.wrong")
def wrong(_work: Work) -> dict[str, Any]:
    """Find the data wrong."""
    raise DataError("expected five topics, found four")


@jobs.job("test.broken")
def broken(_work: Work) -> dict[str, Any]:
    """Fail in a way that nobody foresaw."""
    return {"value": 1 / 0}


@jobs.job("test.odd")
def odd(work: Work, *, fail: bool = False) -> dict[str, Any]:
    """Come to a text that no database stores, or FAIL with it."""
    work.progress(1, 1, "c\x00d\udcff")
    if fail:
        raise DataError("a\x00b\udcff")
    return {"text": "a\x00b\udcff"}


@jobs.job("test.called_off")
def called_off(work: Work) -> dict[str, Any]:
    """Call itself off, and go on until somebody notices."""
    jobs.cancel(work.key)
    return _until_stopped(work)


@jobs.job("test.stopped")
def stopped(work: Work, file: str) -> dict[str, Any]:
    """Tell the first process that does it to stop."""
    write(file, f"begin {work.key}")
    if len(lines(file)) == 1:
        os.kill(os.getpid(), signal.SIGTERM)
        return _until_stopped(work)
    return {"is": "done"}


@jobs.job("test.keep")
def keep(work: Work, file: str, *, die: bool = False) -> dict[str, Any]:
    """Keep a result twice, and DIE before anybody knows of it."""
    write(file, f"begin {work.key}")
    kept = work.keep("test", "A result", {"a.txt": b"a"}, number=1)
    again = work.keep("test", "Another", {"b.txt": b"b"}, number=2)
    if die:
        os.kill(os.getpid(), signal.SIGKILL)
    return {**kept, "again": again["result"]}


def _until_stopped(work: Work) -> dict[str, Any]:
    """Say again and again how far it is."""
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        work.progress(1, 2, "going on")
        time.sleep(0.01)
    return {}


if __name__ == "__main__":
    from primad.web.running.work import work_for

    work_for(Site(folder=sys.argv[1]), once="--once" in sys.argv, said=lambda line: write("/dev/stderr", line))
