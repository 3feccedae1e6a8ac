"""Do models, migrations and databases belong together, and does no password get into any of them?"""

import fcntl
import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from primad.archive.archive import Archive
from primad.errors import FileError
from primad.store import database
from primad.store.folder import DataFolder, create_folder, find_folder
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
        ours = [node for node in executor.loader.graph.leaf_nodes() if f"primad.{node[0]}" in database.APPS]
        left = executor.migration_plan(ours)

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


@pytest.fixture
def earlier(tmp_path: Path, postgresql: PostgreSQL, new_archive: Callable[[], Archive]) -> DataFolder:
    """Return the folder of an archive of an earlier version, in either database."""
    address = postgresql.database() if is_postgresql(new_archive()) else ""
    old = Archive.init(tmp_path / "old", address).folder  # of which only the last migrations are taken back
    with connection.schema_editor() as editor:
        for table in connection.introspection.table_names():
            if not table.startswith("archive_words_"):
                editor.execute(f'DROP TABLE IF EXISTS "{table}"' + (" CASCADE" if address else ""))
    executor = MigrationExecutor(connection)
    executor.migrate([("store", "0001_tables"), ("archive", "0001_tables")])
    Identity.objects.create(pk=1, value=old.identity, migrations={"store": ["0001_tables"], "archive": ["0001_tables"]})
    database.close()
    return old


def test_an_archive_of_an_earlier_version_is_brought_up_to_date(tmp_path: Path, earlier: DataFolder) -> None:
    archive = Archive(DataFolder(earlier.path, earlier.identity, earlier.database, earlier.secret))
    kept(archive, write_run(tmp_path))

    assert Identity.objects.get().migrations == database.migrations()
    assert archive.verify().damage == ()
    archive.close()


OPENING = """
import sys
from primad.archive.archive import Archive
from primad.store.folder import find_folder
folder = find_folder(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
Archive(folder)
"""


@pytest.mark.slow
def test_several_may_open_an_archive_of_an_earlier_version_at_once(earlier: DataFolder) -> None:
    command = [sys.executable, "-c", OPENING, str(earlier.path)]
    running = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    for process in running:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in running:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    said = [process.communicate(timeout=120)[1] for process in running]

    assert said == [""] * 4
    assert Archive(earlier).verify().damage == ()
    database.close()


def may_change_tables(archive: Archive) -> bool:
    """Tell whether somebody else might change the tables of ARCHIVE now."""
    if is_postgresql(archive):
        with psycopg.connect(archive.folder.secret) as other:
            row = other.execute("SELECT pg_try_advisory_lock(%s)", [database._MIGRATORS]).fetchone()
            return row == (True,)
    descriptor = os.open(archive.folder.path, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(descriptor)
    return True


def test_only_one_at_a_time_changes_tables(archive: Archive) -> None:
    before = may_change_tables(archive)
    with pytest.raises(FileError, match="stopped"), archive.speaking(), database.alone(archive.folder):  # noqa: PT012
        during = may_change_tables(archive)
        raise FileError("here", "stopped")

    assert (before, during, may_change_tables(archive)) == (True, False, True)


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
    first = Archive.init(tmp_path / "first", postgresql.database())
    kept(first, write_run(tmp_path))

    with pytest.raises(FileError, match="is the database of another archive"):
        Archive.init(tmp_path / "second", first.folder.secret)

    assert not (tmp_path / "second").exists()
    assert Archive(first.folder).verify().runs == 1
    first.close()


def test_an_archive_is_not_made_in_a_database_of_a_newer_version(tmp_path: Path, postgresql: PostgreSQL) -> None:
    address = postgresql.database_with_tables()
    database.use(create_folder(tmp_path / "first", address), check=False)
    Identity.objects.update(migrations={**database.migrations(), "archive": ["9999_later"]})

    with pytest.raises(FileError, match="was made by a newer version of primad"):
        Archive.init(tmp_path / "second", address)
    database.close()


KILLED = """
import os, signal, sys
from primad.archive.archive import Archive
from primad.store.folder import DataFolder
DataFolder.write_settings = lambda self: os.kill(os.getpid(), signal.SIGKILL)
Archive.init(sys.argv[1], sys.argv[2])
"""


@pytest.fixture
def half_made(tmp_path: Path, postgresql: PostgreSQL) -> str:
    """Return the address of a database for which somebody was killed while making an archive."""
    address = postgresql.database()
    process = subprocess.run([sys.executable, "-c", KILLED, tmp_path / "archive", address], check=False)
    assert process.returncode == -signal.SIGKILL
    assert not list((tmp_path / "archive").iterdir())
    return address


def test_who_was_killed_while_making_an_archive_makes_it_again(tmp_path: Path, half_made: str) -> None:
    archive = Archive.init(tmp_path / "archive", half_made)
    kept(archive, write_run(tmp_path))

    assert Archive(archive.folder).verify().runs == 1
    archive.close()


def test_a_backup_is_restored_where_somebody_was_killed_while_making_an_archive(
    tmp_path: Path, half_made: str, sqlite_archive: Archive
) -> None:
    kept(sqlite_archive, write_run(tmp_path))
    sqlite_archive.backup(tmp_path / "saved.tar")

    restored = Archive.restore(tmp_path / "saved.tar", tmp_path / "archive", half_made)

    assert Archive(restored.folder).verify().runs == 1
    restored.close()


def test_only_one_of_two_makes_an_archive_in_a_folder(tmp_path: Path) -> None:
    late = create_folder(tmp_path / "archive")
    first = Archive.init(tmp_path / "archive")

    with pytest.raises(FileError, match="is an archive already"):
        database.establish(late)

    assert Archive(tmp_path / "archive").folder.identity == first.folder.identity
    first.close()


def test_an_archive_that_cannot_be_made_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: DataFolder) -> None:
        raise FileError("here", "stopped")

    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "thesis.tex").write_text("dear")
    monkeypatch.setattr(DataFolder, "write_settings", fail)
    for place in ("new/below", "there", "there/new"):
        with pytest.raises(FileError, match="stopped"):
            Archive.init(tmp_path / place)
    with pytest.raises(FileError, match="Connection refused"):
        Archive.init(tmp_path / "other", "postgresql://me@127.0.0.1:1/runs?connect_timeout=2")
    database.close()

    assert sorted(tmp_path.rglob("*")) == [tmp_path / "there", tmp_path / "there" / "thesis.tex"]


def test_what_is_written_is_flushed_and_seen_however_the_server_is_set_up(
    tmp_path: Path, postgresql: PostgreSQL
) -> None:
    archive = Archive.init(tmp_path / "archive", postgresql.database_with_tables())
    with archive.speaking(), connection.cursor() as cursor:
        cursor.execute("SET default_transaction_isolation = 'serializable'")
        cursor.execute("SET synchronous_commit = off")
        with database.writing():
            cursor.execute("SELECT current_setting('transaction_isolation'), current_setting('synchronous_commit')")
            found = cursor.fetchone()
    database.close()

    assert found == ("read committed", "on")


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
