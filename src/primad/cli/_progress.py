"""A bar on standard error for work that takes more than a second, if a person is looking.

progress     hands things on, and shows how many there were, how fast they came, and how long the rest will take
per_second   a rate as the bar shows it
"""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.progress import ProgressColumn, Task

T = TypeVar("T")

_PATIENCE = 1.0
_FAST = 10


def progress(things: Iterable[T], *, total: int, what: str) -> Iterator[T]:
    """Yield THINGS, showing how many of TOTAL there were once the work has taken a second."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield from things
        return
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(*_columns(what), console=Console(stderr=True), transient=True)
    task = bar.add_task("", total=total)
    timer = threading.Timer(_PATIENCE, bar.start)
    timer.daemon = True
    timer.start()
    try:
        for thing in things:
            bar.advance(task)
            yield thing
    finally:
        timer.cancel()
        bar.stop()


def per_second(speed: float | None) -> str:
    """Return how many things come in a second, empty as long as nobody knows.

    >>> per_second(1234.5), per_second(12.3), per_second(1.25), per_second(0.05), per_second(None)
    ('1,234/s', '12/s', '1.2/s', '0.05/s', '')
    """
    if not speed:
        return ""
    return f"{speed:,.0f}/s" if speed >= _FAST else f"{speed:.1f}/s" if speed >= 1 else f"{speed:.2f}/s"


def _columns(what: str) -> Iterator[ProgressColumn]:
    """Yield what the bar shows: itself, how many of all things, their name, their rate, and the time that is left."""
    from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, TextColumn, TimeRemainingColumn
    from rich.text import Text

    class Rate(ProgressColumn):
        """How many things come in a second."""

        def render(self, task: Task) -> Text:
            """Return the rate of TASK."""
            return Text(per_second(task.finished_speed or task.speed))

    yield from (BarColumn(), MofNCompleteColumn(), TextColumn(what), Rate())
    yield from (TimeRemainingColumn(compact=True), TextColumn("left"))
