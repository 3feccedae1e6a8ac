"""Do models, migrations and databases belong together, and does no password get into any of them?"""

import io
import json
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from primad.archive.archive import Archive
from primad.errors import FileError
from primad.store import database
from primad.store.folder import DataFolder, find_folder
from primad.store.models import Identity
from primad.store.tables import tables
from tests.archive.conftest import is_postgresql
from tests.archive.described import write_run
from tests.archive.servers import PostgreSQL
from tests.archive.test_add import kept

SECRET = "hunter2"  # noqa: S105 - a password that must not be seen


def test_models_and_migrations_agree(archive: Archive) -> None:
    with archive.speaking():
        said = io.StringIO()
        call_command("makemigrations", "--check", "--dry-run", stdout=said)  # exits if they do not

    assert said.getvalue() == "No changes detected\n"


def test_the_models_pass_the_checks_of_django(archive: Archive) -> None:
    with archive.speaking():
        try:
            call_command("check", databases=["default"], fail_level="WARNING", stdout=io.StringIO())
        except SystemCheckError as error:
            pytest.fail(str(error))


def test_every_migration_is_in_a_new_database(archive: Archive) -> None:
    with archive.speaking():
        executor = MigrationExecutor(connection)
        left = executor.migration_plan(executor.loader.graph.leaf_nodes())

    assert left == []
    assert Identity.objects.get().migrations == database.migrations()


def test_every_column_of_a_model_is_in_its_table(archive: Archive) -> None:
    with archive.speaking(), connection.cursor() as cursor:
        for table in tables():
            name = table.model._meta.db_table
            found = {column.name for column in connection.introspection.get_table_description(cursor, name)}
            assert {field.column for field in table.fields} <= found


def test_an_archive_of_a_newer_version_is_refused(archive: Archive) -> None:
    newer = {**database.migrations(), "archive": [*database.migrations()["archive"], "9999_later"]}
    Identity.objects.update(migrations=newer)

    with pytest.raises(FileError) as caught:
        Archive(archive.folder)

    assert str(caught.value) == (
        f"{archive.folder.path}: was made by a newer version of primad; install that version or a newer one"
    )


def test_an_archive_of_an_earlier_version_is_brought_up_to_date(
    tmp_path: Path, postgresql: PostgreSQL, new_archive: Callable[[], Archive]
) -> None:
    address = postgresql.database() if is_postgresql(new_archive()) else ""
    old = Archive.init(tmp_path / "old", address).folder  # of which only the last migrations are taken back
    with connection.schema_editor() as editor:
        for table in connection.introspection.table_names():
            if not table.startswith("archive_words_"):
                editor.execute(f'DROP TABLE IF EXISTS "{table}"' + (" CASCADE" if address else ""))
    executor = MigrationExecutor(connection)
    executor.migrate([("store", "0001_tables"), ("archive", "0002_words")])
    Identity.objects.create(
        pk=1, value=old.identity, migrations={"store": ["0001_tables"], "archive": ["0001_tables", "0002_words"]}
    )
    database.close()

    archive = Archive(DataFolder(old.path, old.identity, old.database, old.secret))
    kept(archive, write_run(tmp_path))

    assert Identity.objects.get().migrations == database.migrations()
    assert archive.verify().damage == ()
    archive.close()


def test_the_database_of_another_archive_is_refused(new_archive: Callable[[], Archive]) -> None:
    one, other = new_archive(), new_archive()
    database.close()
    if is_postgresql(one):
        mixed = DataFolder(one.folder.path, one.folder.identity, other.folder.database, other.folder.secret)
    else:
        mixed = one.folder
        mixed.sqlite.write_bytes(other.folder.sqlite.read_bytes())

    with pytest.raises(FileError, match="is the database of another archive; name another database or folder"):
        Archive(mixed)


def test_an_archive_is_not_made_in_the_database_of_another(tmp_path: Path, postgresql: PostgreSQL) -> None:
    address = postgresql.database_with_tables()
    first = Archive.init(tmp_path / "first", postgresql.database())

    for taken in (address, first.folder.secret):
        with pytest.raises(FileError, match="is the database of another archive"):
            Archive.init(tmp_path / "second", taken)

    assert not (tmp_path / "second" / "primad.json").exists()
    first.close()


def with_password(address: str) -> str:
    """Return the ADDRESS of a test's database with a password, which the server does not ask for."""
    parts = urlsplit(address)
    return parts._replace(netloc=f"{parts.username}:{SECRET}@{parts.netloc.rpartition('@')[2]}").geturl()


def test_a_password_is_used_and_written_nowhere(
    tmp_path: Path, postgresql: PostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = with_password(postgresql.database())
    archive = Archive.init(tmp_path / "archive", address)
    kept(archive, write_run(tmp_path))
    archive.backup(tmp_path / "saved.tar")
    used = connection.settings_dict["PASSWORD"]
    rows = json.dumps([list(table.model.objects.values()) for table in tables()], default=str)
    files = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    archive.close()

    monkeypatch.setenv(database.ENVIRONMENT, address)
    again = Archive(find_folder(tmp_path / "archive"))
    by_environment = connection.settings_dict["PASSWORD"]
    again.close()

    assert (used, by_environment) == (SECRET, SECRET)
    assert SECRET not in rows
    assert SECRET.encode() not in files
    assert SECRET not in repr(again.folder.database)


def test_a_password_is_in_no_message_when_the_database_is_gone(tmp_path: Path, postgresql: PostgreSQL) -> None:
    parts = urlsplit(with_password(postgresql.database()))
    gone = parts._replace(path="/gone").geturl()

    with pytest.raises(FileError) as caught:
        Archive.init(tmp_path / "archive", gone)
    database.close()

    assert 'database "gone" does not exist' in str(caught.value)
    assert SECRET not in str(caught.value)
    assert SECRET not in repr(caught.value.__cause__)
