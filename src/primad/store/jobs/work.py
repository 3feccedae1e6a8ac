"""What does a function know that does long work?

    Stop        whether a worker was told to stop
    Work        what it is handed: the data folder, a way to say how far it is, and one to keep what came of it
    Cancelled   somebody asked that it is done no further
    Stopped     its worker was told to stop
    Lost        its worker was taken for dead, and another does it

A thread writes every second how far the work is, and with it that its worker is alive; it learns by the same way that
the work shall end.  So saying how far it is costs nothing, and what is asked for is seen within a second.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from django.db import Error, connections

from primad.store.database import writing
from primad.store.jobs.moving import held
from primad.store.jobs.texts import one_line, storable
from primad.store.lease import BEAT
from primad.store.results import keep

if TYPE_CHECKING:
    from primad.store.folder import DataFolder
    from primad.store.models import Job


_SLICE = 0.1  # seconds after which somebody who waits looks up


# What ends work from outside is no failure of it, so that no function takes it for one and goes on.
class Cancelled(BaseException):
    """Work that somebody asked to be done no further."""


class Stopped(BaseException):
    """Work whose worker was told to stop."""


class Lost(BaseException):
    """Work that was given to another worker."""


class Stop:
    """Whether a worker was told to stop.

    Signals say it, at any moment and several at once: a threading.Event would wait in one of them for a lock that its
    own thread holds.
    """

    def __init__(self) -> None:
        """Begin with nothing said."""
        self.is_said = False

    def wait(self, seconds: float) -> None:
        """Wait so many SECONDS, or until it is said."""
        until = time.monotonic() + seconds
        while not self.is_said and (left := until - time.monotonic()) > 0:
            time.sleep(min(left, _SLICE))


class Work:
    """Work on a job, with its KEY and TITLE, in FOLDER; STOP is said when the worker shall come to an end."""

    def __init__(self, job: Job, folder: DataFolder, stop: Stop | None = None) -> None:
        """Begin work on JOB, which this process holds."""
        self.folder = folder
        self.key = job.key
        self.title = job.title
        self._job = job
        self._stop = stop or Stop()
        self._cancelled = threading.Event()
        self._lost = threading.Event()
        self._reached: tuple[int, int, str] = (0, 0, "")

    def progress(self, done: int, total: int = 0, doing: str = "") -> None:
        """Say that DONE of TOTAL is done and what is being done now; raise Cancelled if it shall go no further."""
        self._reached = (done, total, doing)
        if self._lost.is_set():
            raise Lost
        if self._stop.is_said:
            raise Stopped
        if self._cancelled.is_set():
            raise Cancelled

    def watch(self, things: Iterable[Any], total: int) -> Iterator[Any]:
        """Hand on THINGS, of which there are TOTAL, and say how many there were."""
        doing = self._reached[2]
        self.progress(0, total, doing)
        for done, thing in enumerate(things, 1):
            yield thing
            self.progress(done, total, doing)

    def keep(
        self, kind: str, title: str, files: Mapping[str, bytes], fragment: str = "", **facts: Any
    ) -> dict[str, Any]:
        """Return the result of the job: FILES and FACTS under a permanent address; a job has one, however often begun.

        FRAGMENT is the same as a part of a page, as ``primad.store.results.keep`` has it.
        It is kept in one step with the word of the job that it is there: whoever does the job again keeps no other.
        """
        with writing():
            mine = held(self._job)
            known = mine.values_list("result", flat=True).first()
            if known is None:
                raise Lost
            if known:
                return dict(known)
            kept = keep(self.folder, kind, title, files, fragment, **storable(facts), job=self.key)
            result = {"result": kept.key}
            mine.update(result=result)
        return result

    @property
    def reached(self) -> dict[str, Any]:
        """Return how far the work is, as columns."""
        done, total, doing = self._reached
        return {"done": done, "total": total, "doing": one_line(doing)}

    @contextmanager
    def alive(self) -> Iterator[None]:
        """Say every second that this process is at work."""
        over = threading.Event()
        thread = threading.Thread(target=self._beat, args=(over,), daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    def _beat(self, over: threading.Event) -> None:
        """Write how far the work is until it is OVER or lost; what fails once is tried again."""
        try:
            while not over.wait(BEAT) and not self._lost.is_set():
                try:
                    self._say_alive(over)
                except Error:  # a database that was away is spoken to anew
                    connections["default"].close()
        finally:
            connections.close_all()  # of this thread

    def _say_alive(self, over: threading.Event) -> None:
        """Write that this process is at work, and see whether it shall be."""
        mine = held(self._job)
        is_mine = mine.update(beat_at=datetime.now(UTC), **self.reached)
        asked = mine.values_list("cancel_asked_at", flat=True).first()
        if not is_mine and not over.is_set():
            self._lost.set()
        if asked is not None:
            self._cancelled.set()
