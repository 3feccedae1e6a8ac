"""Who does the jobs?

    Worker    takes jobs from the queue one after the other, until it is told to stop
    Actors    how a worker learns who a user is

The queue is that of django-tasks-db, whose own worker takes the entries.  What is added is the lease: see ``moving``,
and ``primad.store.lease``.  A worker acts for whoever asked for the job, so it may do what they may and nothing else.
"""

from __future__ import annotations

import json
import logging
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple

from django.db import Error, connections
from django_tasks import DEFAULT_TASK_BACKEND_ALIAS, DEFAULT_TASK_QUEUE_NAME
from django_tasks_db.management.commands import db_worker

from primad.errors import PrimadError
from primad.metadata.secrets import redact
from primad.store import database
from primad.store.actors import Actor, acting
from primad.store.folder import DataFolder
from primad.store.jobs import queue
from primad.store.jobs.kinds import kind_called
from primad.store.jobs.moving import finish, hand_back, take
from primad.store.jobs.reaping import forget, reap
from primad.store.jobs.texts import storable
from primad.store.jobs.work import Cancelled, Lost, Stop, Stopped, Work
from primad.store.lease import PATIENCE, holder
from primad.store.models import Job

# Who a user is, by their key and by what they came to do; NotAllowed where they may not come in any more.
Actors = Callable[[int, frozenset[str]], Actor]

POLL = 0.5  # seconds between two looks into an empty queue
_PRESENCE = 5.0  # seconds between two signs of life of an idle worker
_TIDY = 3600.0  # seconds between two looks for what is old
_RETRY = 2.0  # seconds until a database that is away is tried again
_UNEXPECTED = "failed unexpectedly; the log of the worker has more"

_log = logging.getLogger("primad.jobs")


class _Outcome(NamedTuple):
    """What became of a job: its next STATE ("waiting" to begin it again, empty if it is another's), WHY, a RESULT."""

    state: str
    why: str = ""
    result: dict[str, Any] | None = None


class Worker(db_worker.Worker):
    """Does the jobs of the data FOLDER for those whom ACTORS knows; SAID is handed a line about each.

    In the main thread the signals SIGTERM and SIGINT end it.
    """

    def __init__(
        self,
        folder: DataFolder,
        actors: Actors,
        *,
        said: Callable[[str], None] = lambda _line: None,
    ) -> None:
        """Get ready; nothing is taken yet."""
        self.stop = Stop()
        super().__init__(
            queue_names=[DEFAULT_TASK_QUEUE_NAME],
            interval=POLL,
            batch=True,
            backend_name=DEFAULT_TASK_BACKEND_ALIAS,
            startup_delay=False,
            max_tasks=None,
            worker_id=holder(),
            excluded_queue_names=[],
        )
        self.folder = folder
        self.actors = actors
        self.said = said
        self._present_at = 0.0
        self._tidied_at = -_TIDY
        self._may_be_interrupted = False

    @property
    def running(self) -> bool:
        """Tell whether nobody has told it to stop."""
        return not self.stop.is_said

    @running.setter
    def running(self, value: bool) -> None:
        """Stop where VALUE is false."""
        if not value:
            self.stop.is_said = True

    def serve(self, *, once: bool = False) -> None:
        """Do jobs until told to stop, with ONCE until there is none left; a database that is away is waited for."""
        with self.obeying_signals():
            try:
                while self.running:
                    if not self._patiently(once=once):
                        if once:
                            return
                        self.stop.wait(POLL)
            finally:
                self._leave()

    def _patiently(self, *, once: bool) -> bool:
        """Do what there is to do and tell whether there was anything; unless ONCE, wait for a database that is away."""
        if once:
            with database.explained(self.folder):
                return self._turn()
        try:
            return self._turn()
        except Error as error:
            _log.warning("the database cannot be used (%s); trying again", redact(str(error)))
            _connect_anew()
            self.stop.wait(_RETRY)
            return False

    def _turn(self) -> bool:
        """Do what there is to do, and tell whether there was anything."""
        database.use(self.folder, check=False)
        reap()
        self._tidy()
        self._show_presence()
        if not queue.waiting().exists():
            return False
        self.run()
        return True

    def _tidy(self) -> None:
        """Forget what is old now and then."""
        if time.monotonic() - self._tidied_at > _TIDY:
            forget()
            self._tidied_at = time.monotonic()

    def _show_presence(self) -> None:
        """Write down now and then that this worker is there."""
        if time.monotonic() - self._present_at > _PRESENCE:
            queue.here_i_am(self.worker_id)
            self._present_at = time.monotonic()

    def _leave(self) -> None:
        """Write down that this worker is no more, if the database is there."""
        try:
            queue.gone(self.worker_id)
        except Error:
            _log.warning("the database cannot be used, so it learns later that this worker ended")

    # A job -----------------------------------------------------------------------------------------------------

    def run_task(self, db_task_result: queue.Entry) -> None:
        """Do the job whose entry was taken from the queue, and bring its end into the database."""
        job = take(db_task_result, self.worker_id)
        if job is not None:
            self._do(job)
        reap()
        self._show_presence()

    def _do(self, job: Job) -> None:
        """Do JOB, and say what became of it."""
        started = time.monotonic()
        work = Work(job, self.folder, self.stop)
        with work.alive():
            outcome = self._outcome(job, work)
            is_mine = _persistently(lambda: _settle(job, work, outcome))
        state = outcome.state if is_mine and outcome.state else "done by another worker"
        why = f" ({outcome.why})" if outcome.state not in ("", "done") else ""
        what = f"{job.title} ({job.kind}, for {job.owner})"
        self.said(f"{what}: {state}{why} after {time.monotonic() - started:.1f} s")

    def _outcome(self, job: Job, work: Work) -> _Outcome:
        """Return what became of JOB."""
        try:
            # Where somebody died after the last step, nothing is left to do.
            return _Outcome("done", "done", dict(job.result) or self._result(job, work))
        except Cancelled:
            return _Outcome("cancelled", "cancelled")
        except PrimadError as error:
            return _Outcome("failed", f"failed: {self.folder.unnamed(str(error))}")
        except Lost:
            return _Outcome("")
        except Stopped:
            _connect_anew()
            return _Outcome("waiting", "its worker was stopped; it is begun again")
        except BaseException:  # noqa: BLE001 - a worker outlives whatever a job does
            _log.exception("job %s (%s) failed unexpectedly", job.key, job.kind)
            _connect_anew()
            return _Outcome("failed", _UNEXPECTED)

    def _result(self, job: Job, work: Work) -> dict[str, Any]:
        """Return what JOB comes to when whoever asked for it does it."""
        kind = kind_called(job.kind)
        with acting(self._actor_of(job)):
            try:
                self._may_be_interrupted = True
                if self.stop.is_said:  # by a signal that came before it could interrupt
                    raise Stopped
                result = kind(work, **job.arguments["given"])
            finally:
                self._may_be_interrupted = False
        plain: dict[str, Any] = storable(json.loads(json.dumps(result, allow_nan=False)))
        return plain

    def _actor_of(self, job: Job) -> Actor:
        """Return who asked for JOB; without a user it was the keeper of the data folder."""
        if job.user is None:
            return Actor(job.owner, is_keeper=True)
        token = str(job.arguments.get("token", ""))
        return replace(self.actors(job.user, frozenset(job.arguments["scopes"])), token=token)

    # Signals ---------------------------------------------------------------------------------------------------

    @contextmanager
    def obeying_signals(self) -> Iterator[None]:
        """Stop at a signal; what is done for a job is left at once, and the job is handed back."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {one: signal.signal(one, self._told_to_stop) for one in (signal.SIGTERM, signal.SIGINT)}
        try:
            yield
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)

    def _told_to_stop(self, *_: object) -> None:
        """Stop, and leave what is done for a job, but nothing that is written about it."""
        self.stop.is_said = True
        if self._may_be_interrupted:
            self._may_be_interrupted = False
            raise Stopped


def _settle(job: Job, work: Work, outcome: _Outcome) -> bool:
    """Write down the OUTCOME of JOB, and tell whether it was this worker's still."""
    if outcome.state == "waiting":
        return hand_back(job, outcome.why)
    if not outcome.state:
        return False
    why = outcome.why
    if outcome.state == "cancelled":
        job.refresh_from_db(fields=["why"])  # which says by whom
        why = job.why or why
    return finish(job, outcome.state, why, outcome.result, **work.reached)


def _persistently(change: Callable[[], bool]) -> bool:
    """Return what CHANGE returns; a database that is away is waited for, as long as a lease holds."""
    deadline = time.monotonic() + PATIENCE.total_seconds()
    while True:
        try:
            return change()
        except Error:
            if time.monotonic() > deadline:
                raise
            _connect_anew()
            time.sleep(POLL)


def _connect_anew() -> None:
    """Forget the connection to the database: nobody knows what it was doing when it was left."""
    connections["default"].close()
    del connections["default"]
