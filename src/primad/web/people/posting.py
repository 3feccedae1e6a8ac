"""How is something sent without letting whoever asked wait?

    Outbox   things to be done, one after the other, by one thread; more than a few dozen at once are refused
    outbox   the one of this process

To speak to a mail server takes time, which would tell who has an account, and who asks a hundred times must not start a
hundred threads.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from queue import Full, Queue

from primad.errors import TooBusy
from primad.store import database

_MOST = 50
_AGAIN = 180  # seconds
_LOG = logging.getLogger("django.primad.mail")


class Outbox:
    """What is to be sent, at most so many things at once as MOST says."""

    def __init__(self, most: int = _MOST) -> None:
        """Begin with nothing; the thread is started with the first thing, in the process that sends."""
        self._waiting: Queue[Callable[[], None]] = Queue(most)
        self._lock = threading.Lock()
        self.name = f"outbox {id(self)}"
        self._thread: threading.Thread | None = None

    def put(self, send: Callable[[], None]) -> None:
        """Let SEND be called soon, or refuse it where too much waits already."""
        try:
            self._waiting.put_nowait(send)
        except Full:
            sentence = "many people ask at once, and mails wait to be sent; try again in a few minutes"
            raise TooBusy(sentence, _AGAIN) from None
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._work, name=self.name, daemon=True)
                self._thread.start()

    def wait(self) -> None:
        """Return when all is sent."""
        self._waiting.join()

    def _work(self) -> None:
        """Send one thing after the other; what fails is logged, and the rest is sent."""
        while True:
            send = self._waiting.get()
            try:
                send()
            except Exception:  # noqa: BLE001 - what cannot be sent does not keep the rest from being sent
                _LOG.exception("something could not be sent")
            finally:
                database.close()  # the connection of this thread, which may wait long for the next thing
                self._waiting.task_done()


outbox = Outbox()
