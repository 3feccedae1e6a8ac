"""Which step of a longer work is under way, and how far is it?

    Steps   says that a step begins, and while it takes longer, how much of it is done

A terminal has one line for it, which is written anew and is gone when the step is over.  Where nobody looks at one,
a line is said every few seconds.
"""

from __future__ import annotations

import shutil
import sys
import threading
import time
from typing import TYPE_CHECKING, Self, TypeVar

from primad.cli._output import say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

T = TypeVar("T")

_PATIENCE = 0.5  # seconds between two looks at a terminal
_QUIET = 10.0  # elsewhere
_CLEARED = "\r\x1b[K"


class Steps:
    """The steps of a work, told to a person; as a context manager, so that nothing is told afterwards."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._how_far: Callable[[], str] = str
        self._is_over = threading.Event()
        self._teller = threading.Thread()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def begin(self, step: str) -> None:
        """Say that STEP begins, and from now on how far it is."""
        self._end()
        say(self._timed(step))
        self._is_over.clear()
        self._teller = threading.Thread(target=self._tell, daemon=True)
        self._teller.start()

    def watch(self, things: Iterable[T], total: int, what: str, so_far: Callable[[], int] | None = None) -> Iterator[T]:
        """Yield THINGS, and tell how many of TOTAL are done; SO_FAR knows it where they come in lots."""
        done = 0
        self._how_far = lambda: f"{done if so_far is None else so_far()} of {total} {what}"
        for thing in things:
            yield thing
            done += 1
        self._how_far = str

    def _timed(self, text: str) -> str:
        """Return TEXT behind the time since the beginning."""
        return f"{time.monotonic() - self._began:4.0f} s  {text}"

    def _end(self) -> None:
        """End the step that is under way, if there is one."""
        self._is_over.set()
        if self._teller.is_alive():
            self._teller.join()
        self._how_far = str

    def _tell(self) -> None:
        """Tell how far the step is until it is over."""
        if sys.stderr is not None and sys.stderr.isatty():
            while not self._is_over.wait(_PATIENCE):
                line = f"primad: {self._timed(self._how_far() or '...')}"
                self._write(f"{_CLEARED}{line[: shutil.get_terminal_size().columns - 1]}")
            self._write(_CLEARED)
        while not self._is_over.wait(_QUIET):
            if how_far := self._how_far():
                say(self._timed(how_far))

    @staticmethod
    def _write(text: str) -> None:
        """Put TEXT on the terminal at once."""
        sys.stderr.write(text)
        sys.stderr.flush()
