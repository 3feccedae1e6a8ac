"""A site that answers: a real server process on a free port of this machine, with a worker beside it if one is wanted.

serving      a while in which a server answers for a data folder
LiveSite     its address, tokens for it, and the real command line in a process that asks it
postgresql_twin   the same data in a PostgreSQL
"""

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from primad.accounts import tokens
from primad.accounts.models import User
from primad.accounts.people import actor_of
from primad.archive.archive import Archive
from primad.store import database
from primad.store.actors import SCOPES, acting
from primad.web.running.serving import prepare
from primad.web.settings import Site
from tests.web.people import Everybody

PATIENCE = 60.0  # seconds for a server to begin or to end
_SERVER = """
import sys
from primad.web.running import serving
from primad.web.settings import site_here
serving.prepare(site_here(folder=sys.argv[1]))
serving.serve("127.0.0.1", int(sys.argv[3]), workers=int(sys.argv[2]), ready=lambda address: print(address, flush=True))
"""
_PRIMAD = "from primad.cli import main; main()"
_OURS = ("PRIMAD_ARCHIVE", "PRIMAD_DATABASE", "PRIMAD_SERVER", "PRIMAD_TOKEN", "PRIMAD_HOSTS", "PRIMAD_HTTPS")


def environment(home: Path, **more: str) -> dict[str, str]:
    """Return the environment of a process whose own files lie in HOME; nothing of whoever runs the tests is in it."""
    kept = {name: value for name, value in os.environ.items() if name not in _OURS}
    return kept | {"PRIMAD_SECRET_KEY": "A" * 43 + "=", "XDG_CONFIG_HOME": str(home), **more}


@dataclass(frozen=True)
class Said:
    """What a command left behind."""

    code: int
    out: str
    err: str


@dataclass
class LiveSite:
    """A site at an ADDRESS that serves FOLDER; EVERYBODY are the keys of its users by role."""

    address: str
    folder: Path
    everybody: Everybody
    home: Path
    server: subprocess.Popen[str]
    worker: subprocess.Popen[str] | None = None
    _tokens: dict[tuple[str, ...], str] = field(default_factory=dict)

    def token(self, role: str, *scopes: str) -> str:
        """Return a token of somebody in ROLE, for all SCOPES if none are named."""
        if (role, *scopes) not in self._tokens:
            Archive(self.folder)
            user = User.objects.get(pk=self.everybody[role])
            with acting(actor_of(user)):
                _, secret = tokens.make("for tests", scopes or SCOPES)
            self._tokens[(role, *scopes)] = secret
            database.close()
        return self._tokens[(role, *scopes)]

    def started(
        self, *arguments: object, role: str = "", cwd: Path | None = None, **more: str
    ) -> subprocess.Popen[bytes]:
        """Return the command ``primad ARGUMENTS`` in a process, asking this site with a token of ROLE."""
        signed = {"PRIMAD_TOKEN": self.token(role)} if role else {}
        return subprocess.Popen(
            [sys.executable, "-c", _PRIMAD, *map(str, arguments)],
            env=environment(self.home, PRIMAD_SERVER=self.address, **(signed | more)),
            cwd=cwd or self.home,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def primad(
        self, *arguments: object, role: str = "", stdin: bytes = b"", cwd: Path | None = None, **more: str
    ) -> Said:
        """Return what ``primad ARGUMENTS`` says, asking this site with a token of ROLE."""
        with self.started(*arguments, role=role, cwd=cwd, **more) as process:
            out, err = process.communicate(stdin, timeout=PATIENCE)
        return Said(process.returncode, out.decode(), err.decode())


@contextmanager
def serving(
    folder: Path,
    everybody: Everybody,
    home: Path,
    *,
    worker: bool = False,
    workers: int = 1,
    port: int = 0,
    **more: str,
) -> Iterator[LiveSite]:
    """Let a server, and a WORKER if one is wanted, answer for FOLDER; what they write otherwise lies in HOME.

    It listens at PORT, at a free one if that is 0.  MORE are variables of their environment.
    """
    home.mkdir(parents=True, exist_ok=True)
    database.close()  # the file of SQLite is the server's now
    with ExitStack() as stack:
        log = stack.enter_context((home / "server.log").open("w"))
        command = [sys.executable, "-c", _SERVER, str(folder), str(workers), str(port)]
        server = stack.enter_context(_running(command, environment(home, **more), log))
        site = LiveSite(_first_line(server, home / "server.log"), folder, everybody, home, server)
        if worker:
            said = stack.enter_context((home / "worker.log").open("w"))
            command = [sys.executable, "-c", _PRIMAD, "worker", "--data", str(folder)]
            site.worker = stack.enter_context(_running(command, environment(home, **more), said))
        yield site


@contextmanager
def _running(command: list[str], variables: Mapping[str, str], log: IO[str]) -> Iterator[subprocess.Popen[str]]:
    """Start COMMAND, and end it again, with everything that it started."""
    process = subprocess.Popen(
        command, env=dict(variables), stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True
    )
    try:
        yield process
    finally:
        _ended(process)


def _ended(process: subprocess.Popen[str]) -> None:
    """End PROCESS as a person would, and at once if it does not."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(PATIENCE / 2)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    if process.stdout is not None:
        process.stdout.close()


def _first_line(process: subprocess.Popen[str], log: Path) -> str:
    """Return the first line that PROCESS prints."""
    assert process.stdout is not None
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and process.poll() is None:
        if select.select([process.stdout], [], [], 0.2)[0]:
            return process.stdout.readline().strip()
    raise AssertionError(f"the server did not begin: {log.read_text()[-2000:]}")


def postgresql_twin(folder: Path, target: Path, database_url: str) -> Path:
    """Return TARGET with everything that the data folder FOLDER holds, in the PostgreSQL at DATABASE_URL."""
    kept = target.with_suffix(".tar")
    Archive(folder).backup(kept)
    database.close()
    Archive.restore(kept, target, database_url)
    prepare(Site(folder=str(target)))
    database.close()
    return target
