"""How long does a thread wait for somebody who sends or takes slowly?

    Patient         a connection that ends when whoever is at its other end is too slow
    PatientWorker   gunicorn's worker with threads, whose connections are all like that

A thread that reads a question does nothing else.  Whoever sends a byte now and then would keep it for as long as they
like, and a few of them would keep all threads.  So nobody may be silent for QUIET seconds, and of the seconds that a
question is waited for all but the first QUIET are paid for with bytes, RATE for each.  What the site itself does in
between does not count.  A proxy that takes in a whole question first, as deploy/nginx.conf does, is never too slow.

Gunicorn ends connections in the one thread that hands all of them out, and waits there until the other end has closed
its own, too.  Whoever does not would keep everybody waiting; so that is done by the thread that answered.
"""

from __future__ import annotations

import errno
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from gunicorn.workers.gthread import ThreadWorker

QUIET = 30.0  # seconds
RATE = 10_000  # bytes for a second
_PIECE = 1 << 18
_LINGER = 0.5  # seconds for the other end to take the last of an answer
_DRAINED = 1 << 16


class Patient(socket.socket):
    """A connection that ends when whoever is at its other end is too slow; it looks as if they had closed it."""

    def __init__(self, plain: socket.socket) -> None:
        """Take the place of PLAIN."""
        super().__init__(plain.family, plain.type, plain.proto, fileno=plain.detach())
        self.begin()

    def begin(self) -> None:
        """Begin with another question."""
        self._waited, self._moved = 0.0, 0
        self._is_over = False

    def recv(self, size: int, flags: int = 0, /) -> bytes:
        """Return what came, at most SIZE bytes."""
        if self.gettimeout() is not None:  # gunicorn waits itself
            return super().recv(size, flags)
        with self._timed():
            data = super().recv(size, flags)
        self._moved += len(data)
        return data

    def sendall(self, data: Any, flags: int = 0, /) -> None:
        """Send DATA."""
        if self.gettimeout() is not None:
            super().sendall(data, flags)
            return
        left = memoryview(data).cast("B")
        while left:
            with self._timed():
                sent = super().send(left[:_PIECE], flags)
            self._moved += sent
            left = left[sent:]

    @contextmanager
    def _timed(self) -> Iterator[None]:
        """Wait for whoever is at the other end, for as long as there is any patience left."""
        left = min(QUIET, QUIET + self._moved / RATE - self._waited)
        if left <= 0:
            raise self._slow()
        since = time.monotonic()
        self.settimeout(left)
        try:
            yield
        except TimeoutError:
            raise self._slow() from None
        finally:
            self._waited += time.monotonic() - since
            self.settimeout(None)

    def _slow(self) -> ConnectionResetError:
        """Return the error that gunicorn and Django take for the end of a connection; nobody lingers after it."""
        self._is_over = True
        return ConnectionResetError(errno.ECONNRESET, "whoever is at the other end is too slow")

    def linger(self) -> None:
        """Let the other end take the last of an answer, unless it is too slow; then nobody has to wait any more."""
        if not self._is_over:
            until, drained = time.monotonic() + _LINGER, 0
            with suppress(OSError):
                super().shutdown(socket.SHUT_WR)
                while drained < _DRAINED and (left := until - time.monotonic()) > 0:
                    self.settimeout(left)
                    data = super().recv(_DRAINED)
                    if not data:
                        break
                    drained += len(data)
        self._is_over = True

    def shutdown(self, how: int, /) -> None:
        """End one direction; where all is over, gunicorn hears that, and closes at once."""
        if self._is_over:
            raise OSError(errno.ENOTCONN, "this connection is over")
        super().shutdown(how)


class PatientWorker(ThreadWorker):
    """Gunicorn's worker with threads, who wait for nobody for long."""

    def enqueue_req(self, conn: Any) -> None:
        """Let a thread answer what comes by CONN."""
        if not isinstance(conn.sock, Patient):
            conn.sock = Patient(conn.sock)
            conn.sock.settimeout(0)  # as gunicorn has it until a thread takes it
        super().enqueue_req(conn)

    def handle_quit(self, sig: int, frame: Any) -> None:
        """End when Ctrl-C is pressed as when it is told to end otherwise: once, and with what is being answered.

        Gunicorn would end at once, and wait for a lock while doing so that this very thread may hold.
        """
        self.handle_exit(sig, frame)

    def handle(self, conn: Any) -> Any:
        """Answer a question that comes by CONN."""
        conn.sock.begin()
        goes_on = super().handle(conn)
        if not goes_on:
            conn.sock.linger()
        return goes_on
