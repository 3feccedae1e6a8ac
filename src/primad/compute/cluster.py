"""Who does work on other machines?

    Cluster    the workers of a Dask scheduler

Things and results travel whole, through the scheduler: no file system is shared, and a thing whose worker dies can be
handed to another.  Scheduler and workers must have the primad that is here; who has not is named before work is lost.
"""

from __future__ import annotations

import asyncio
import logging
import math
import pkgutil
import threading
import time
import warnings
from concurrent.futures import CancelledError, Executor, Future
from contextlib import suppress
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from primad.compute.workers import Workers
from primad.errors import UsageError, WorkError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

P = ParamSpec("P")
S = TypeVar("S")
T = TypeVar("T")

# Seconds: for a scheduler to answer, for a cluster to have a worker, and between looks at it.
ANSWERS_WITHIN = 10
WORKERS_WITHIN = 30
LOOKS_EVERY = 5.0

_RETRIES = 3
# A few things wait so that nobody has to; all that are handed out are in the memory of the scheduler.
_SPARE = 16
_KILLED = "each worker that took this was ended, perhaps for want of memory; give workers more, or try --jobs 1"
_SAME = "install there what is installed here"


class Cluster(Workers):
    """Does work on the workers of the Dask scheduler at ADDRESS.

    What a worker had begun that dies or cannot be reached is done again by another.
    """

    def __init__(self, address: str) -> None:
        """Connect to the scheduler; whether it has workers is seen with the first work."""
        self.place = f"the Dask cluster at {address}"
        self._logger = logging.getLogger("distributed.client")
        self._level = self._logger.level
        self._client = _connected(address)
        self._logger.setLevel(logging.CRITICAL)  # what matters is said in errors of ours
        self._executor: Executor = self._client.get_executor(retries=_RETRIES, pure=False)
        self._threads, self._looked = 0, -math.inf
        self._asked: set[str] = set()  # the workers that were asked for their primad
        self.seen = time.monotonic()  # when somebody was last there to work
        try:
            self._ask_scheduler()
            self._look()
        except BaseException:
            Cluster.shutdown(self, wait=False)
            raise

    @property
    def ahead(self) -> int:  # type: ignore[override]  # elsewhere it never changes, so it is an attribute
        """Return how many things those are handed who work at the moment."""
        if time.monotonic() > self._looked + LOOKS_EVERY:
            self._look()
        working = max(self._threads, 1)
        return working + min(working, _SPARE)

    def submit(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Hand the work to the cluster."""
        if self._client.status == "closed":
            raise self._lost()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # things that travel whole are meant to be large
            return self._executor.submit(function, *args, **kwargs)

    def outcome(self, _function: Callable[[S], T], _thing: S, future: Future[T]) -> T | WorkError:
        """Return the result of a thing, or the error that all who worked on it came to an end."""
        from distributed.scheduler import KilledWorker

        try:
            return future.result()
        except KilledWorker:
            return WorkError(_KILLED)
        except CancelledError:
            raise self._lost() from None
        except ImportError as error:
            raise WorkError(f"{self.place} lacks a package ({error}); {_SAME}") from error
        except RuntimeError as error:
            if "deserialization of the task graph" not in str(error):
                raise
            why = error.__cause__ or "it cannot read the work"
            raise WorkError(f"the scheduler of {self.place} lacks a package ({why}); {_SAME}") from error

    def look_after(self) -> None:
        """Raise an error if there is no cluster any more, or if nobody can be expected to work on it."""
        if self._client.status == "closed":
            raise self._lost()
        if not self._look():
            self.refuse_to_wait_for_nobody()

    def _look(self) -> int:
        """Return how many can work at a time."""
        self._looked = time.monotonic()
        with suppress(OSError, AttributeError):  # in the middle of losing the connection; it may come back
            threads = self._client.nthreads()
            self._threads = sum(threads.values())
            self._ask_workers(threads.keys() - self._asked)
        if self._threads:
            self.seen = self._looked
        return self._threads

    def _ask_scheduler(self) -> None:
        """Raise an error if the scheduler has another primad, or none."""

        def ask(function: Callable[[str], str], about: str) -> dict[str, object]:
            try:
                return {"scheduler": self._client.run_on_scheduler(function, about, callback_timeout=WORKERS_WITHIN)}
            except Exception as error:  # noqa: BLE001 - whatever hinders it is the answer
                return {"scheduler": error}

        self._refuse_another_primad(ask)

    def _ask_workers(self, new: set[str]) -> None:
        """Raise an error if one of the NEW workers has another primad, or none: work would end it without a word."""

        def ask(function: Callable[[str], str], about: str) -> dict[str, object]:
            run = self._client.run
            said = run(function, about, workers=[*new], on_error="return", callback_timeout=WORKERS_WITHIN)
            return {f"worker at {address}": answer for address, answer in said.items()}

        if new:
            self._asked |= new
            self._refuse_another_primad(ask)

    def _refuse_another_primad(self, ask: Callable[[Callable[[str], str], str], Mapping[str, object]]) -> None:
        """Raise an error that names who cannot import primad, or has another version, of those whom ASK asks."""
        # Only functions of Python itself reach those who lack primad.
        for function, about in ((pkgutil.resolve_name, "primad:__name__"), (version, "primad")):
            for who, answer in ask(function, about).items():
                if isinstance(answer, OSError):  # it is gone or very busy, and will be noticed at work
                    continue
                if isinstance(answer, Exception):
                    raise WorkError(f"the {who} of {self.place} cannot import primad ({answer!s:.200}); {_SAME}")
                if answer != function(about):
                    ours = f"here is {function(about)}"
                    raise WorkError(f"the {who} of {self.place} has primad {answer!s:.60}, {ours}; {_SAME}")

    def refuse_to_wait_for_nobody(self) -> None:
        """Raise an error if there was nobody to work for a while."""
        if time.monotonic() > self.seen + WORKERS_WITHIN:
            start = f"start some: dask worker (each needs primad {version('primad')}, or it ends)"
            raise WorkError(f"{self.place} has had no worker for {WORKERS_WITHIN} seconds; {start}")

    def _lost(self) -> WorkError:
        """Return the error that the cluster is gone."""
        return WorkError(f"the connection to {self.place} was lost; start again once it is back")

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002
        """Take back what is under way, unless somebody wants to WAIT for it, and leave the cluster."""
        from distributed.client import ClosedClientError

        with suppress(OSError, ClosedClientError):  # then there is nothing to take back
            self._executor.shutdown(wait=wait)
        self._client.close()
        self._logger.setLevel(self._level)


def _connected(address: str) -> Any:
    """Return a client of the scheduler at ADDRESS, which must answer soon."""
    distributed = dask_module("distributed")
    connected: Future[Any] = Future()

    def connect() -> None:
        try:
            asyncio.run(_greet(address))
            connected.set_result(distributed.Client(address, timeout=ANSWERS_WITHIN, set_as_default=False))
        except Exception as error:  # noqa: BLE001 - it is raised where the result is asked for
            connected.set_exception(error)

    # Where something listens that says nothing, a client would wait for ever: it is left to wait alone.
    threading.Thread(target=connect, daemon=True).start()
    try:
        return connected.result(ANSWERS_WITHIN + 1)
    except OSError:
        why = f"within {ANSWERS_WITHIN} seconds"
    except MemoryError:  # the first bytes say how many follow; those of another protocol say too many
        why = "(something else does)"
    except Exception as error:  # noqa: BLE001 - who sends something else can cause any error
        why = f"({' '.join(str(error).split()) or type(error).__name__:.200})"
    raise WorkError(f"no Dask scheduler answers at {address} {why}; start one: dask scheduler")


async def _greet(address: str) -> None:
    """Raise an error unless a scheduler answers at ADDRESS: a client that fails to connect takes long to close."""
    from distributed.core import rpc
    from distributed.security import Security

    arguments = Security().get_connection_args("client")  # type: ignore[no-untyped-call]
    remote: Any
    async with rpc(address, timeout=ANSWERS_WITHIN, connection_args=arguments) as remote:  # type: ignore[no-untyped-call]
        about = await asyncio.wait_for(remote.identity(), ANSWERS_WITHIN)
    if about["type"] != "Scheduler":
        raise WorkError(f"a {about['type']} is there")


def dask_module(name: str) -> Any:
    """Return the module NAME of Dask's packages, which not everybody has installed."""
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError:
        raise UsageError("a cluster needs more packages: pip install 'primad[cluster]'") from None
    except ValueError as error:  # Dask reads its configuration when it is imported
        raise UsageError(f"Dask does not start: {' '.join(str(error).split())}") from None
