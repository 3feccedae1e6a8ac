"""A bar on standard error for work that takes more than a second, if a person is looking."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

T = TypeVar("T")

_PATIENCE = 1.0


def progress(things: Iterable[T], *, total: int, what: str) -> Iterator[T]:
    """Yield THINGS, showing how many of TOTAL there were once the work has taken a second."""
    if not sys.stderr.isatty():
        yield from things
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn(what), TimeElapsedColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
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
