"""How is the database of a data folder reached?

    configure    get Django ready, so that models can be imported
    use          let Django speak to the database of a folder
    prepare      the tables of a new database, which then belongs to its folder
    close        end the connection to it
    explained    what goes wrong in a database, said to a person
    writing      a transaction in which nobody else writes
    snapshot     a while in which all that is read is of one moment, and nobody has to wait
    migrations   the version of the tables

SQLite is a file in the folder, written ahead (WAL) so that readers never wait, and flushed with every commit.
PostgreSQL is reached by its address.  Models, queries and migrations are the same for both.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote, urlsplit

from primad.errors import FileError, UsageError
from primad.metadata.secrets import redact
from primad.store.folder import DataFolder, without_password

if TYPE_CHECKING:
    from collections.abc import Iterator

    from primad.store.models import Identity

APPS = ("primad.store", "primad.archive")
# A password in an address would be written down by shells and shown by ps, so the whole address may come from here.
ENVIRONMENT = "PRIMAD_DATABASE"

_PATIENCE = 60  # seconds that a writer waits for another
_WRITERS = 0x7072696D  # the number of the lock that writers in PostgreSQL wait for
_SQLITE_SETTINGS = "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-65536"


def configure() -> None:
    """Configure Django, if nobody has; which database is meant is said later."""
    import django
    from django.conf import settings

    if not settings.configured:
        settings.configure(INSTALLED_APPS=list(APPS), DEFAULT_AUTO_FIELD="django.db.models.BigAutoField", USE_TZ=True)
        django.setup()


def use(folder: DataFolder, *, check: bool = True) -> None:
    """Let Django speak to the database of FOLDER, and CHECK that the two belong together."""
    configure()
    from django.db import connections

    settings = _settings_of(folder)
    known = connections.settings["default"]
    if any(known.get(key) != value for key, value in settings.items()):
        connections["default"].close()
        del connections["default"]
        connections.settings["default"] = connections.configure_settings({"default": settings})["default"]
    connections["default"].close_if_unusable_or_obsolete()  # a server that went away may be back
    if check:
        with explained(folder):
            _check_belongs(folder)


def close() -> None:
    """End the connection of this process to any database."""
    from django.conf import settings
    from django.db import connections

    if settings.configured:
        connections.close_all()


def prepare(folder: DataFolder) -> None:
    """Make the tables of the database of FOLDER, or bring those of an earlier version up to date."""
    from django.core.management import call_command
    from django.db import connection

    with explained(folder):
        # Tables that belong to nobody were made by somebody who was stopped.
        if "store_identity" in connection.introspection.table_names() and _owner() is not None:
            _refuse_other_owner(folder)
        call_command("migrate", verbosity=0, interactive=False)
        take_over(folder)


def take_over(folder: DataFolder) -> None:
    """Let the database belong to FOLDER."""
    from primad.store.models import Identity

    Identity.objects.update_or_create(pk=1, defaults={"value": folder.identity, "migrations": migrations()})


@contextmanager
def explained(folder: DataFolder) -> Iterator[None]:
    """Say what goes wrong in the database of FOLDER as an error of ours."""
    from django.db import Error

    try:
        yield
    except Error as error:
        what = redact(" ".join(str(error).split()) or type(error).__name__)
        place = str(folder.sqlite) if folder.is_sqlite else folder.database
        raise FileError(place, f"the database cannot be used ({what})", _advice(folder, what)) from error


def _advice(folder: DataFolder, what: str) -> str:
    """Return what to do about WHAT the database of FOLDER says."""
    if "locked" in what or "lock timeout" in what:
        return "another process is writing for long; try again when it is done"
    if "malformed" in what or "not a database" in what:
        return "restore the archive from a backup"
    return "is there room on the disk, and may you write there?" if folder.is_sqlite else "is the server running?"


@contextmanager
def writing() -> Iterator[None]:
    """Do everything inside in one transaction, and let no other process that asks for the same write meanwhile.

    SQLite has one writer at any time.  In PostgreSQL two that add the same things in another order would wait for each
    other, or both find that something is not there yet and make it.
    """
    from django.db import connection, transaction

    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(f"SET LOCAL lock_timeout = '{_PATIENCE}s'")
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_WRITERS])
        yield


@contextmanager
def snapshot() -> Iterator[None]:
    """Let everything that is read inside be of one moment; nothing may be written, and others go on writing."""
    from django.db import connection, transaction

    if connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
        return
    with connection.cursor() as cursor:
        cursor.execute("BEGIN DEFERRED")  # a transaction of Django would keep others from writing
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


# Settings --------------------------------------------------------------------------------------------------------


def _settings_of(folder: DataFolder) -> dict[str, Any]:
    """Return how Django reaches the database of FOLDER."""
    if folder.is_sqlite:
        options = {"transaction_mode": "IMMEDIATE", "timeout": _PATIENCE, "init_command": _SQLITE_SETTINGS}
        engine = "django.db.backends.sqlite3"
        return {"ENGINE": engine, "NAME": str(folder.sqlite), "OPTIONS": options, "CONN_MAX_AGE": None}
    return _postgresql(folder.secret or os.environ.get(ENVIRONMENT) or folder.database)


def _postgresql(address: str) -> dict[str, Any]:
    """Return how Django reaches the PostgreSQL at ADDRESS."""
    without_password(address)  # refuses what is none, and what cannot be taken apart
    try:
        import psycopg  # noqa: F401 - whether it is there is all that matters
    except ImportError:
        raise UsageError("PostgreSQL needs more packages: pip install 'primad[server]'") from None
    parts = urlsplit(address)
    options = dict(parse_qsl(parts.query))
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")) or "postgres",
        "USER": unquote(parts.username or options.pop("user", "")),
        "PASSWORD": unquote(parts.password or options.pop("password", "")),
        "HOST": unquote(parts.hostname or options.pop("host", "")),
        "PORT": str(parts.port or options.pop("port", "")),
        "CONN_MAX_AGE": None,
        "OPTIONS": options,
    }


# The identity of a database ---------------------------------------------------------------------------------------


def _check_belongs(folder: DataFolder) -> None:
    """Refuse the database of another folder, and bring one of an earlier version up to date."""
    if folder.is_sqlite and not folder.sqlite.is_file():
        raise FileError(str(folder.sqlite), "no such file", "restore it from a backup")
    known = _refuse_other_owner(folder)
    ours = migrations()
    if known == ours:
        return
    if any(name not in ours.get(app, ()) for app, names in known.items() for name in names):
        raise FileError(
            str(folder.path), "was made by a newer version of primad", "install that version or a newer one"
        )
    prepare(folder)


def _refuse_other_owner(folder: DataFolder) -> dict[str, list[str]]:
    """Return the migrations of the database of FOLDER, or say that it is none of ours."""
    owner = _owner()
    if owner is None or owner.value != folder.identity:
        place = folder.sqlite if folder.is_sqlite else folder.database
        raise FileError(str(place), "is the database of another archive", "name another database or folder")
    return dict(owner.migrations)


def _owner() -> Identity | None:
    """Return to whom the database belongs, None if nobody has finished making it."""
    from primad.store.models import Identity

    found: Identity | None = Identity.objects.filter(pk=1).first()
    return found


def migrations() -> dict[str, list[str]]:
    """Return the names of the migrations of each app, which tell the version of the tables."""
    from django.apps import apps

    found: dict[str, list[str]] = {}
    for app in apps.get_app_configs():
        folder = Path(app.path) / "migrations"
        found[app.label] = sorted(path.stem for path in folder.glob("0*.py"))
    return found
