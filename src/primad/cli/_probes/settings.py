"""Does what somebody has set up work: an archive, a site, a cluster?

    archive   the database of the archive that is meant opens, and has tables that this version knows
    site      the site that PRIMAD_SERVER names answers
    cluster   the Dask scheduler that DASK_SCHEDULER_ADDRESS names answers, and has this primad

What nobody has set up is absent, which is no fault.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from primad.cli._probes.found import Found, State
from primad.cli._probes.veil import place_of
from primad.errors import FileError, NotAllowed, PrimadError

if TYPE_CHECKING:
    from primad.store.folder import DataFolder

_SCHEDULER = "DASK_SCHEDULER_ADDRESS"  # Dask's own name for it


def archive() -> Found:
    """Find out whether the database of the archive that is meant opens; nothing is changed in it."""
    from primad.store import folder as folders

    what, named = "archive", os.environ.get(folders.ENVIRONMENT, "")
    if not named and not (Path.cwd() / folders.SETTINGS).exists():
        return Found(what, State.ABSENT, f"none in this folder, and {folders.ENVIRONMENT} names none")
    try:
        folder = folders.find_folder()
        kind, tables = _opened(folder)
    except FileError as error:
        return Found(what, State.FAILS, f"{error.path}: {error.found}", error.hint)
    place = folder.path if folder.is_sqlite else f"{folder.path}, {place_of(folder.database)}"
    if tables == "newer":
        return Found(
            what, State.FAILS, f"{place}: {kind}, made by a newer primad", "install that version or a newer one"
        )
    return Found(what, State.WORKS, f"{place}: {kind}, tables {tables}")


def _opened(folder: DataFolder) -> tuple[str, str]:
    """Return the kind and version of the database of FOLDER, and how its tables stand to those of this version."""
    from primad.store import database

    if folder.is_sqlite and not folder.sqlite.is_file():  # to open it would make one
        raise FileError(str(folder.sqlite), "no such file", "restore it from a backup")
    try:
        database.use(folder, check=False)
        with database.explained(folder):
            return _kind(), _tables(folder)
    finally:
        database.close()


def _kind() -> str:
    """Return the kind and version of the database that is used."""
    from django.db import connection

    if connection.vendor == "sqlite":
        return f"SQLite {'.'.join(map(str, connection.Database.sqlite_version_info))}"
    connection.ensure_connection()
    return f"PostgreSQL {connection.pg_version // 10_000}.{connection.pg_version % 10_000}"


def _tables(folder: DataFolder) -> str:
    """Return whether the tables in the database of FOLDER are of today, earlier, or newer; refuse those of another."""
    from primad.store import database
    from primad.store.models import Identity

    owner = Identity.objects.filter(pk=1).first()
    if owner is None or owner.value != folder.identity:
        raise FileError(str(folder.path), "its database is that of another archive", "name another database or folder")
    known, ours = dict(owner.migrations), database.migrations()
    if any(name not in ours.get(app, ()) for app, names in known.items() for name in names):
        return "newer"
    return "of today" if known == ours else "of an earlier version, which the next command brings up to date"


def site() -> Found:
    """Find out whether the site that is named answers, and takes the token, if there is one."""
    from primad.cli.remote.naming import ENVIRONMENT
    from primad.cli.remote.site import RemoteSite

    what, named = "site", os.environ.get(ENVIRONMENT, "")
    if not named:
        return Found(what, State.ABSENT, f"{ENVIRONMENT} names none")
    try:
        there = RemoteSite.at(named)
    except PrimadError as error:
        return Found(what, State.FAILS, str(error), f"correct {ENVIRONMENT}, or unset it")
    try:
        there.get(dict[str, Any], "me")
    except NotAllowed:
        if not there.token:
            return Found(what, State.WORKS, f"{there.address} answers; there is no token for it")
        return Found(
            what, State.FAILS, f"{there.address} answers, but refuses the token", f"primad login {there.address}"
        )
    except PrimadError as error:
        said = str(error).removeprefix(f"{there.address}: ")
        return Found(what, State.FAILS, f"{there.address}: {said}", f"correct {ENVIRONMENT}, or unset it")
    return Found(what, State.WORKS, f"{there.address} answers, and takes the token")


def cluster() -> Found:
    """Find out whether the scheduler that is named answers."""
    what, address = "cluster", os.environ.get(_SCHEDULER, "")
    if not address:
        return Found(what, State.ABSENT, f"{_SCHEDULER} names no scheduler of Dask")
    from primad.compute import Place
    from primad.compute.cluster import Cluster

    try:
        Cluster(Place(cluster=address).cluster).shutdown(wait=False)
    except PrimadError as error:
        return Found(what, State.FAILS, str(error), f"correct {_SCHEDULER}, or unset it")
    return Found(what, State.WORKS, f"{address} answers, and has this primad")
