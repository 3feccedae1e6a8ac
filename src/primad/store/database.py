"""How is the database of a data folder reached?

    configure    get Django ready, so that models can be imported
    use          let Django speak to the database of a folder
    alone        a while in which nobody else makes or changes the tables
    establish    make a new folder an archive: its database, and what it says of itself
    prepare      the tables of a new database, which then belongs to its folder
    in_use       the tables that anything is in
    close        end the connection to it
    explained    what goes wrong in a database, said to a person
    writing      a transaction in which nobody else writes
    snapshot     a while in which all that is read is of one moment, and nobody has to wait
    migrations   the version of the tables

SQLite is a file in the folder, written ahead (WAL) so that readers never wait, and flushed with every commit.
PostgreSQL is reached by its address.  Models, queries and migrations are the same for both.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote, urlsplit

from primad.errors import FileError, UsageError
from primad.metadata.secrets import redact
from primad.store.folder import DataFolder, without_password

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from primad.store.models import Identity

APPS = ("primad.store", "primad.accounts", "primad.archive", "primad.track")
# A password in an address would be written down by shells and shown by ps, so the whole address may come from here.
ENVIRONMENT = "PRIMAD_DATABASE"

_PATIENCE = 60  # seconds that a writer waits for another
_WRITERS = 0x7072696D  # the number of the lock that writers in PostgreSQL wait for
_MIGRATORS = _WRITERS + 1  # and the one that those wait for who make or change tables
_OWNER = "store_identity"
_NO_ROOM = ("disk is full", "readonly database", "I/O error", "No space left")
_CUT_OFF = (
    "refused",
    "No such file",
    "timeout expired",
    "timed out",
    "translate host",
    "resolve host",
    "closed",
    "lost",
    "terminat",
    "shutting down",
    "starting up",
    "unreachable",
    "reset by peer",
)
_SQLITE_SETTINGS = "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-65536"


def configure(apps: Sequence[str] = (), **further: Any) -> None:
    """Configure Django, if nobody has, with more APPS and FURTHER settings; which database is meant is said later."""
    import django
    from django.conf import settings

    if not settings.configured:
        settings.configure(
            INSTALLED_APPS=[*APPS, *apps],
            AUTH_USER_MODEL="accounts.User",
            DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
            PASSWORD_HASHERS=["django.contrib.auth.hashers.Argon2PasswordHasher"],
            USE_TZ=True,
            **further,
        )
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
    if not connections["default"].in_atomic_block:  # what was begun there would be lost
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


@contextmanager
def alone(folder: DataFolder) -> Iterator[None]:
    """Let nobody else who asks for the same make or change the tables of the database of FOLDER meanwhile."""
    from django.db import Error, connection

    if folder.is_sqlite:
        with _locked(folder.path):
            yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [_MIGRATORS])
    try:
        yield
    finally:
        with suppress(Error), connection.cursor() as cursor:  # who was cut off has no lock
            cursor.execute("SELECT pg_advisory_unlock(%s)", [_MIGRATORS])


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the lock of the system on FOLDER, which ends with the process."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise FileError(str(folder), f"cannot be used ({error.strerror})") from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def establish(folder: DataFolder) -> None:
    """Make the database of FOLDER, which is new, and let the folder say that it is an archive; all of it or nothing."""
    use(folder, check=False)
    with explained(folder), alone(folder):
        folder.refuse_archive()  # somebody else may have been faster
        try:
            prepare(folder)
            folder.write_settings()  # last: a folder without it is no archive
        except BaseException:
            if folder.is_sqlite:  # there was none before
                close()
                folder.remove_sqlite()
            raise


def prepare(folder: DataFolder) -> None:
    """Make the tables of the database of FOLDER, which is nobody's, and let it belong to the folder.

    Tables without an owner, or with one and nothing in them, were made by somebody who was stopped.
    """
    from django.db import connection

    if _OWNER in connection.introspection.table_names() and (owner := _owner()) is not None:
        if in_use():
            _refuse_other_owner(folder)
        _refuse_newer(folder, owner.migrations)
    bring_up_to_date(folder)


def bring_up_to_date(folder: DataFolder) -> None:
    """Give the database of FOLDER the tables of this version, whatever it has, and let it belong to the folder."""
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    executor = MigrationExecutor(connection)
    labels = {app.rpartition(".")[2] for app in APPS}  # a site has further tables, and makes them itself
    executor.migrate([node for node in executor.loader.graph.leaf_nodes() if node[0] in labels])
    take_over(folder)


def in_use() -> list[str]:
    """Return the names of our tables in the database that anything is in, apart from the one that says whose it is."""
    from django.apps import apps
    from django.db import connection

    models = [model for app in APPS for model in apps.get_app_config(app.rpartition(".")[2]).get_models()]
    ours = {str(model._meta.db_table): model for model in models}  # noqa: SLF001
    there = connection.introspection.table_names()
    return sorted(name for name in there if name in ours and name != _OWNER and ours[name].objects.exists())


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
    if any(word in what for word in _NO_ROOM):
        return "is there room on the disk, and may you write there?"
    if "unable to open" in what:
        return "may you read and write the folder and everything in it?"
    if not folder.is_sqlite and any(word in what for word in _CUT_OFF):
        return "is the server running?"
    return ""


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
                # A server may be set up otherwise; what is reported as added must be seen by others and on the disk.
                cursor.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED")
                cursor.execute("SET LOCAL synchronous_commit = on")
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
        "NAME": unquote(parts.path.lstrip("/")) or options.pop("dbname", "postgres"),
        "USER": unquote(parts.username or "") or options.pop("user", ""),
        "PASSWORD": unquote(parts.password or "") or options.pop("password", ""),
        "HOST": unquote(parts.hostname or "") or options.pop("host", ""),
        "PORT": str(parts.port or options.pop("port", "")),
        "CONN_MAX_AGE": None,
        "CONN_HEALTH_CHECKS": True,  # a server that was started anew is noticed before the first question
        "OPTIONS": options,
    }


# The identity of a database ---------------------------------------------------------------------------------------


def _check_belongs(folder: DataFolder) -> None:
    """Refuse the database of another folder, and bring one of an earlier version up to date."""
    if folder.is_sqlite and not folder.sqlite.is_file():
        raise FileError(str(folder.sqlite), "no such file", "restore it from a backup")
    if _is_of_today(folder):
        return
    with alone(folder):
        if not _is_of_today(folder):  # another process may have been faster
            bring_up_to_date(folder)


def _is_of_today(folder: DataFolder) -> bool:
    """Tell whether the database of FOLDER has the tables of this version; refuse one of another folder, or newer."""
    known = _refuse_other_owner(folder)
    _refuse_newer(folder, known)
    return known == migrations()


def _refuse_newer(folder: DataFolder, known: dict[str, list[str]]) -> None:
    """Refuse a database with KNOWN migrations that this version does not have."""
    ours = migrations()
    if any(name not in ours.get(app, ()) for app, names in known.items() for name in names):
        raise FileError(
            str(folder.path), "was made by a newer version of primad", "install that version or a newer one"
        )


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


@cache
def migrations() -> dict[str, list[str]]:
    """Return the names of the migrations of each app, which tell the version of the tables."""
    from django.apps import apps

    found: dict[str, list[str]] = {}
    for app in (apps.get_app_config(name.rpartition(".")[2]) for name in APPS):
        folder = Path(app.path) / "migrations"
        found[app.label] = sorted(path.stem for path in folder.glob("0*.py"))
    return found
