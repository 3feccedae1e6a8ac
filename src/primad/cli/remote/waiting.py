"""How far is a job on a site?  A person who waits sees how much is done, and why it waits.

following   what is shown while a job is waited for
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from primad.cli._output import say

_PATIENCE = 3.0  # seconds that a job may wait before anybody asks why


@contextmanager
def following() -> Iterator[Callable[[Any], None]]:
    """Yield what is told of a job, and shows it: a bar to a person, else a line where it waits for long."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield _Lines()
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def told(job: Any) -> None:
            is_running = job["state"] == "running" and job["doing"]
            said = job["doing"] if is_running else job["why"]
            bar.update(task, completed=job["done"], total=job["total"] or None, description=escape(_plain(said)))

        yield told


class _Lines:
    """Says once why a job waits, for each reason."""

    def __init__(self) -> None:
        """Begin now."""
        self._since = time.monotonic()
        self._said: set[str] = set()

    def __call__(self, job: Any) -> None:
        """Say why JOB waits, if it has waited for long."""
        is_late = time.monotonic() - self._since > _PATIENCE
        if job["state"] == "waiting" and is_late and job["why"] not in self._said:
            self._said.add(job["why"])
            say(f"{job['title']}: {job['why']}")


def _plain(text: Any) -> str:
    """Return TEXT without what would steer a terminal."""
    from primad.metadata.showing import harmless

    return harmless(str(text))
