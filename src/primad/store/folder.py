"""Which folder is meant, and what is in it?

    DataFolder        a folder with contents, topic scores, and the address of its database
    create_folder     a new one
    nothing_left      a while in which a new folder is made; it is not left behind empty if that fails
    find_folder       the one that was named, that the environment names, or that people are in
    without_password  the address of a database as it can be written down

The folder says in ``primad.json`` which database belongs to it.  A password is never written there: PostgreSQL's own
ways to hand it over (PGPASSWORD, a password file) are used instead.
"""

from __future__ import annotations

import json
import os
import re
import uuid
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit

from primad.errors import FileError, UsageError
from primad.store.blobs import Blobs, make_folder
from primad.trec.files import atomic_write

if TYPE_CHECKING:
    from collections.abc import Iterator

SETTINGS = "primad.json"
BLOBS = "blobs"
ENVIRONMENT = "PRIMAD_ARCHIVE"

_FORMAT = "primad.store/1"
_SCHEMES = ("postgresql", "postgres")
_MAKE_ONE = "make one with: primad archive init, or primad track init"
_EXAMPLE = "an address such as postgresql://user@host/name"
_ESCAPES = "in a password, / ? # and @ are written as %2F %3F %23 and %40"
# Options that may stand in an address and be written down; libpq has others that hold secrets or commands.
_OPTIONS = (
    "application_name",
    "channel_binding",
    "client_encoding",
    "connect_timeout",
    "dbname",
    "gssencmode",
    "host",
    "hostaddr",
    "keepalives",
    "keepalives_count",
    "keepalives_idle",
    "keepalives_interval",
    "load_balance_hosts",
    "passfile",
    "port",
    "require_auth",
    "service",
    "ssl_min_protocol_version",
    "sslcert",
    "sslcrl",
    "sslkey",
    "sslmode",
    "sslrootcert",
    "target_session_attrs",
    "tcp_user_timeout",
    "user",
)
_SECRET_OPTIONS = ("password", "sslpassword")  # used, and never written down
_SCHEME = re.compile(r"([a-z+]{1,20})://")
_OPTION = re.compile(r"[a-z_]{1,40}")


@dataclass(frozen=True)
class DataFolder:
    """A folder of data: PATH, an IDENTITY that its database has too, and the address of the database, empty for SQLite.

    SECRET is the address with its password, for as long as this process lives.
    """

    path: Path
    identity: str
    database: str = ""
    secret: str = ""

    @cached_property
    def blobs(self) -> Blobs:
        """Return the contents that are kept."""
        return Blobs(self.path / BLOBS)

    @property
    def scores(self) -> Path:
        """Return the folder of the scores of topics."""
        return self.path / "scores"

    @property
    def sqlite(self) -> Path:
        """Return where the database is, unless it is a PostgreSQL."""
        return self.path / "primad.sqlite3"

    @property
    def is_sqlite(self) -> bool:
        """Tell whether the database is a file of the folder."""
        return not self.database

    def unnamed(self, said: str) -> str:
        """Return what is SAID without where the folder and its database are, for somebody on another machine."""
        said = said.replace(self.database, "the database of this site") if self.database else said
        return said.replace(f"{self.path}/", "").replace(str(self.path), "the data folder of this site")

    def refuse_archive(self) -> None:
        """Refuse a folder that is an archive already."""
        if (self.path / SETTINGS).exists():
            raise FileError(str(self.path), "is an archive already", "name another folder")

    def remove_sqlite(self) -> None:
        """Take the database away again that was made for an archive that did not come to be."""
        for ending in ("", "-wal", "-shm", "-journal"):
            self.sqlite.with_name(f"{self.sqlite.name}{ending}").unlink(missing_ok=True)

    def write_settings(self) -> None:
        """Write what the folder must know of itself: with this it is there."""
        facts = {"format": _FORMAT, "identity": self.identity, "database": self.database}
        with atomic_write(self.path / SETTINGS) as stream:
            stream.write(json.dumps(facts, indent=2).encode() + b"\n")


def create_folder(path: str | os.PathLike[str], database: str = "") -> DataFolder:
    """Return a new data folder at PATH, with an address of a DATABASE or SQLite; nothing is in it yet."""
    place = Path(path)
    folder = DataFolder(place, str(uuid.uuid4()), without_password(database), database)  # refuses a wrong address
    try:
        folder.refuse_archive()
        if place.exists() and not place.is_dir():
            raise FileError(str(place), "expected a folder, found a file", "name another folder")
        with nothing_left(place):
            make_folder(place, Path(place.anchor), flush=True)
        folder = replace(folder, path=place.resolve())
        if folder.is_sqlite and folder.sqlite.exists():
            raise FileError(str(folder.sqlite), "is in the way of a new archive", "remove it, or name another folder")
    except OSError as error:
        raise FileError(str(place), f"cannot be made ({error.strerror or error})") from None
    return folder


@contextmanager
def nothing_left(path: str | os.PathLike[str]) -> Iterator[None]:
    """Take the folder PATH and those above it away again if what is done inside fails, unless they were there before.

    What anything lies in stays.
    """
    place = Path(path)
    missing = [one for one in (place, *place.parents) if not os.path.lexists(one)]
    try:
        yield
    except BaseException:
        with suppress(OSError):
            for one in missing:
                one.rmdir()
        raise


def find_folder(given: str | os.PathLike[str] | None = None) -> DataFolder:
    """Return the data folder GIVEN, else the one that PRIMAD_ARCHIVE names, else the working folder."""
    place = Path(given or os.environ.get(ENVIRONMENT) or Path.cwd())
    try:
        facts = json.loads((place / SETTINGS).read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        how = "" if given else f"; name one with --archive DIR or {ENVIRONMENT}"
        raise FileError(str(place), "is no archive", f"{_MAKE_ONE}{how}") from None
    except (OSError, ValueError, RecursionError) as error:
        raise FileError(str(place / SETTINGS), f"cannot be read ({error})", "restore it from a backup") from None
    return _described(place, facts)


def _described(place: Path, facts: Any) -> DataFolder:
    """Return the folder at PLACE that says these FACTS of itself."""
    if not isinstance(facts, dict) or facts.get("format") != _FORMAT:
        found = facts.get("format") if isinstance(facts, dict) else facts
        raise FileError(str(place / SETTINGS), f"expected the format {_FORMAT}, found {found!r:.60}")
    identity, database = facts.get("identity"), facts.get("database")
    if not isinstance(identity, str) or not isinstance(database, str):
        raise FileError(str(place / SETTINGS), "expected identity and database as texts", "restore it from a backup")
    return DataFolder(place.resolve(), identity, without_password(database))


def without_password(address: str) -> str:
    """Return the ADDRESS of a database without its password.

    >>> without_password("postgresql://me:secret@db.example.org/runs")
    'postgresql://me@db.example.org/runs'
    """
    if not address:
        return ""
    parts = _parts(address)
    user = f"{parts.username}@" if parts.username else ""
    host = parts.netloc.rpartition("@")[2]
    query = urlencode([(key, value) for key, value in parse_qsl(parts.query) if key not in _SECRET_OPTIONS], safe="/")
    return f"{parts.scheme}://{user}{host}{parts.path}" + (f"?{query}" if query else "")


def _parts(address: str) -> SplitResult:
    """Return the parts of the ADDRESS of a database; one that cannot be taken apart safely is refused, and not shown.

    A password with a slash in it, say, would be taken for the host and a path, and be written down.
    """
    try:
        parts = urlsplit(address)
        scheme, _port = parts.scheme, parts.port
    except ValueError:
        raise UsageError(f"expected {_EXAMPLE}, found one whose host or port is none; {_ESCAPES}") from None
    if scheme not in _SCHEMES or not address.startswith(f"{scheme}://"):
        shown = _SCHEME.match(address)  # anything else may be a password
        raise UsageError(f"expected {_EXAMPLE}, found " + (f"one of {shown[1]}" if shown else "something else"))
    if "@" in f"{parts.path}{parts.query}{parts.fragment}":
        raise UsageError(f"expected {_EXAMPLE}, found one with an @ behind the host; {_ESCAPES}")
    _refuse_options(parts.query)
    return parts


def _refuse_options(query: str) -> None:
    """Refuse options in the QUERY of an address that nobody knows to be harmless, and do not show their values."""
    for name, _ in parse_qsl(query, keep_blank_values=True):
        if name not in _OPTIONS and name not in _SECRET_OPTIONS:
            shown = f"the option {name}" if _OPTION.fullmatch(name) else "an option"
            raise UsageError(f"expected {_EXAMPLE}?sslmode=require, found {shown} in it that may not stand there")
