"""Which folder is meant, and what is in it?

    DataFolder        a folder with contents, topic scores, and the address of its database
    create_folder     a new one
    find_folder       the one that was named, that the environment names, or that people are in
    without_password  the address of a database as it can be written down

The folder says in ``primad.json`` which database belongs to it.  A password is never written there: PostgreSQL's own
ways to hand it over (PGPASSWORD, a password file) are used instead.
"""

from __future__ import annotations

import json
import os
import uuid
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit

from primad.errors import FileError, UsageError
from primad.store.blobs import Blobs
from primad.trec.files import atomic_write

SETTINGS = "primad.json"
ENVIRONMENT = "PRIMAD_ARCHIVE"

_FORMAT = "primad.store/1"
_SCHEMES = ("postgresql", "postgres")
_MAKE_ONE = "make one with: primad archive init"
_EXAMPLE = "an address such as postgresql://user@host/name"
_ESCAPES = "in a password, / ? # and @ are written as %2F %3F %23 and %40"
_SECRET_OPTIONS = ("password", "sslpassword")


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
        return Blobs(self.path / "blobs")

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

    def write_settings(self) -> None:
        """Write what the folder must know of itself: with this it is there."""
        facts = {"format": _FORMAT, "identity": self.identity, "database": self.database}
        with atomic_write(self.path / SETTINGS) as stream:
            stream.write(json.dumps(facts, indent=2).encode() + b"\n")


def create_folder(path: str | os.PathLike[str], database: str = "") -> DataFolder:
    """Return a new data folder at PATH, with an address of a DATABASE or SQLite; nothing is in it yet."""
    place = Path(path)
    try:
        if (place / SETTINGS).exists():
            raise FileError(str(place), "is an archive already", "name another folder")
        if place.exists() and not place.is_dir():
            raise FileError(str(place), "expected a folder, found a file", "name another folder")
        place.mkdir(parents=True, exist_ok=True)
        folder = DataFolder(place.resolve(), str(uuid.uuid4()), without_password(database), database)
        if folder.is_sqlite and folder.sqlite.exists():
            raise FileError(str(folder.sqlite), "is in the way of a new archive", "remove it, or name another folder")
    except OSError as error:
        raise FileError(str(place), f"cannot be made ({error.strerror or error})") from None
    return folder


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
        raise UsageError(f"expected {_EXAMPLE}, found one that begins with '{address.partition(':')[0]:.40}'")
    if "@" in f"{parts.path}{parts.query}{parts.fragment}":
        raise UsageError(f"expected {_EXAMPLE}, found one with an @ behind the host; {_ESCAPES}")
    return parts
