"""An archive for each test, once in SQLite and once in a real PostgreSQL."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from primad.archive import restoring
from primad.archive.archive import Archive
from primad.store import database
from primad.store.folder import DataFolder, create_folder

_NUMBERS = count(1)


@pytest.fixture(params=["sqlite", "postgresql"])
def new_archive(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], Archive]]:
    """Return what makes a new archive with a database of its own, of either kind."""
    used: list[DataFolder] = []

    def make() -> Archive:
        place = tmp_path / f"archive{next(_NUMBERS)}"
        if request.param == "sqlite":
            tables = request.getfixturevalue("sqlite_tables")
            folder = create_folder(place)
            shutil.copy(tables, folder.sqlite)
        else:
            server = request.getfixturevalue("postgresql")
            folder = create_folder(place, server.database_with_tables())
            used.append(folder)
        return own(folder)

    yield make
    database.close()
    for folder in used:
        request.getfixturevalue("postgresql").drop(folder.database)


def own(folder: DataFolder) -> Archive:
    """Return the archive in FOLDER, whose database has tables already."""
    from primad.store.models import Identity

    database.use(folder, check=False)
    Identity.objects.filter(pk=1).update(value=folder.identity)
    folder.write_settings()
    return Archive(folder)


@pytest.fixture
def archive(new_archive: Callable[[], Archive]) -> Archive:
    """Return an empty archive."""
    return new_archive()


@pytest.fixture
def sqlite_archive(tmp_path: Path, sqlite_tables: Path) -> Iterator[Archive]:
    """Return an empty archive in SQLite, for what does not depend on the database."""
    folder = create_folder(tmp_path / f"archive{next(_NUMBERS)}")
    shutil.copy(sqlite_tables, folder.sqlite)
    yield own(folder)
    database.close()


@pytest.fixture
def tables_at_once(sqlite_tables: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let an archive that is restored in SQLite have its tables copied: making them takes longer than all the rest."""

    def copied(_: object) -> object:
        from django.apps import apps
        from django.db import connection

        connection.ensure_connection()
        with closing(sqlite3.connect(sqlite_tables)) as made:
            made.backup(connection.connection)
        return apps

    monkeypatch.setattr(restoring, "_tables_of", copied)


def is_postgresql(archive: Archive) -> bool:
    """Tell which database ARCHIVE has."""
    return bool(urlsplit(archive.folder.database).scheme)
