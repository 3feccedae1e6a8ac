"""How is a site started?

    prepare      open or make the data folder, and make the tables that only a site needs
    first_link   the link by which somebody becomes administrator, while there is none
    hide_link    put that link into a file, where what is printed goes to the log of the system
    listening    a place to listen at, or the reason why there is none
    serve        answer until somebody ends the process

Gunicorn answers.  A worker for long jobs can be looked after by the same process: see primad.web.running.tending.
"""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from primad.errors import UsageError
from primad.metadata.showing import harmless
from primad.store import database
from primad.store.folder import SETTINGS, DataFolder
from primad.web.running.permissions import close, private
from primad.web.running.tending import Tended
from primad.web.settings import Site, configure

if TYPE_CHECKING:
    from gunicorn.app.base import BaseApplication

THREADS = 8
GRACE = 10  # seconds in which questions that are being answered come to an end
_WAITING = 512  # connections
_FIRST_LINK = "first-administrator.txt"
_REASONS = {
    errno.EADDRINUSE: "is taken by another program; end it, or choose another port with --port",
    errno.EACCES: "is not for everybody; choose a port above 1023 with --port, and let a proxy answer at 443",
    errno.EADDRNOTAVAIL: "is no address of this machine; use 127.0.0.1, or 0.0.0.0 for all that it has",
}


def prepare(site: Site, database_url: str = "") -> DataFolder:
    """Return the data folder of SITE, made if there is none, with all tables that the site needs."""
    configure(site)
    from django.core.management import call_command

    with private():
        folder = _folder(Path(site.folder), database_url)
        with database.explained(folder), database.alone(folder):
            call_command("migrate", verbosity=0, interactive=False)
            call_command("clearsessions")  # of people who have not come back for weeks
            database.take_over(folder)
    return folder


def _folder(place: Path, database_url: str) -> DataFolder:
    """Return the data folder at PLACE, made if there is none, and then closed to others on this machine."""
    from primad.archive.archive import Archive

    if (place / SETTINGS).exists():
        return Archive(place).folder
    made = Archive.init(place, database_url).folder
    close(made.path)  # it may have been there, empty
    return made


def first_link() -> str | None:
    """Return the secret of the link by which somebody becomes administrator, None where there is one."""
    from primad.accounts.inviting import first_link as made

    return made()


def hide_link(folder: str, link: str | None, environment: Mapping[str, str] = os.environ) -> Path | None:
    """Write LINK into a file of FOLDER that nobody else can read, and return it; None where it can be printed.

    What a service prints is in the journal, for many to read and for long.  An older file is removed: its link is
    useless by now.
    """
    path = Path(folder) / _FIRST_LINK
    path.unlink(missing_ok=True)
    if link is None or not _is_journal(environment.get("JOURNAL_STREAM", "")):
        return None
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as stream:
        stream.write(f"{link}\n")
    return path


def _is_journal(stream: str) -> bool:
    """Tell whether what is printed goes to STREAM, as systemd names its journal: by device and number.

    The variable alone is no proof: whatever a service starts inherits it.
    """
    found = []
    for output in (1, 2):
        with suppress(OSError):
            found.append("{0.st_dev}:{0.st_ino}".format(os.fstat(output)))
    return stream in found


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens at HOST and PORT, a free one if it is 0."""
    place = f"{harmless(host[:80])} port {port}"
    try:
        family, kind, *_, address = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)[0]
        made = socket.socket(family, kind)
        try:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            made.bind(address)
            made.listen(_WAITING)
        except OSError:
            made.close()
            raise
    except (socket.gaierror, UnicodeError):
        raise UsageError(f"{place}: no machine of that name is known; use 127.0.0.1") from None
    except (OSError, OverflowError) as error:
        reason = _REASONS.get(getattr(error, "errno", 0) or 0, f"cannot be listened at ({error})")
        raise UsageError(f"{place} {reason}") from None
    return made


def address_of(listener: socket.socket) -> str:
    """Return the address of what LISTENER is for, as a browser on this machine has it."""
    host, port = listener.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - nothing is bound here
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def serve(
    host: str,
    port: int,
    *,
    workers: int = 1,
    ready: Callable[[str], None] = lambda _address: None,
    tended: Tended | None = None,
    listener: socket.socket | None = None,
) -> None:
    """Answer at HOST and PORT, a free one if it is 0, and call READY with the address; return when asked to stop.

    A LISTENER that is there already is used instead.  What is TENDED is started too, and ends with the server.
    """
    listener = listener or listening(host, port)
    where = address_of(listener)
    os.environ.pop("GUNICORN_CMD_ARGS", None)  # all is said here
    server = _server(listener, workers, lambda: ready(where))
    database.close()  # a connection does not survive a fork
    with private():
        _run(server, tended)


def _server(listener: socket.socket, workers: int, ready: Callable[[], None]) -> BaseApplication:
    """Return gunicorn, told by us and not by a command line."""
    from gunicorn.app.base import BaseApplication

    from primad.web.limits.patience import PatientWorker

    class Server(BaseApplication):
        """Gunicorn with the site."""

        def load_config(self) -> None:
            """Tell gunicorn how to answer."""
            told: dict[str, Any] = {
                "bind": f"fd://{listener.fileno()}",
                "workers": workers,
                "threads": THREADS,
                "worker_class": PatientWorker,
                "sendfile": False,  # which would wait for slow readers without end
                "timeout": 120,
                "graceful_timeout": GRACE,
                "loglevel": "error",
                "preload_app": True,  # what is wrong with the site is found before anybody asks
                "control_socket_disable": True,
                "limit_request_line": 8190,
                "when_ready": lambda _server: ready(),
                "post_fork": lambda _server, _worker: database.close(),
            }
            for name, value in told.items():
                self.cfg.set(name, value)

        def load(self) -> Any:
            """Return the site."""
            from django.core.wsgi import get_wsgi_application
            from django.urls import get_resolver

            from primad.store.actors import VISITOR, expect

            expect(VISITOR)
            get_resolver().url_patterns  # noqa: B018 - loads every page now, and not with the first question
            return get_wsgi_application()

    return Server()


def _run(server: BaseApplication, tended: Tended | None) -> None:
    """Run SERVER, and look after what is TENDED with each of its rounds, until somebody asks for the end."""
    from gunicorn.arbiter import Arbiter

    class Gently(Arbiter):
        """Gunicorn's own process, which has nothing else to do."""

        def manage_workers(self) -> None:
            """Look after those who answer, and after what is tended."""
            super().manage_workers()
            if tended:
                tended.look_after()

        def handle_hup(self) -> None:
            """End when the terminal is closed: there are no settings to read again."""
            raise StopIteration

    here = os.getpid()
    try:
        Gently(server).run()
    except SystemExit as end:
        if os.getpid() != here:  # one of those who answer, which come this way too when they end
            raise
        if end.code:
            raise UsageError("the server could not start; what went wrong stands above") from None
    finally:
        if tended and os.getpid() == here:
            tended.end()
