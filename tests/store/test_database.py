"""Is the database of a folder the one that is spoken to, and is what goes wrong there said in words?"""

import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import OperationalError, connection

from primad.errors import FileError
from primad.store import database
from primad.store.actors import keeper
from primad.store.folder import DataFolder, create_folder
from primad.store.log import note
from primad.store.models import Event, Identity

SECRET = "hunter2"  # noqa: S105 - a password that must not be seen


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a SQLite file with all tables, which belong to nobody yet."""
    folder = create_folder(tmp_path_factory.mktemp("tables"))
    database.use(folder, check=False)
    database.prepare(folder)
    Identity.objects.all().delete()
    database.close()
    return folder.sqlite


@pytest.fixture
def folder(tmp_path: Path, prepared: Path) -> Iterator[DataFolder]:
    """Return a folder with a database of its own."""
    yield new_folder(tmp_path / "one", prepared)
    database.close()


def new_folder(path: Path, prepared: Path) -> DataFolder:
    folder = create_folder(path)
    shutil.copy(prepared, folder.sqlite)
    database.use(folder, check=False)
    database.take_over(folder)
    folder.write_settings()
    return folder


def test_each_folder_speaks_to_its_own_database(folder: DataFolder, tmp_path: Path, prepared: Path) -> None:
    other = new_folder(tmp_path / "other", prepared)
    note("said", "other")
    database.use(folder)
    note("said", "one")
    here = list(Event.objects.values_list("subject", flat=True))
    database.use(other)

    assert here == ["one"]
    assert list(Event.objects.values_list("subject", flat=True)) == ["other"]


def test_readers_do_not_wait_and_commits_are_flushed(folder: DataFolder) -> None:
    database.use(folder)
    with connection.cursor() as cursor:
        settings = [cursor.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")]

    assert settings == ["wal", 2]


def test_a_missing_database_is_named(folder: DataFolder) -> None:
    database.close()
    folder.sqlite.unlink()

    with pytest.raises(FileError, match=r"primad.sqlite3: no such file; restore it from a backup"):
        database.use(folder)


def test_a_file_that_is_no_database_is_named(folder: DataFolder) -> None:
    database.close()
    folder.sqlite.write_bytes(b"no database at all" * 1000)

    with pytest.raises(
        FileError, match=r"cannot be used \(file is not a database\); restore the archive from a backup"
    ):
        database.use(folder)


def test_the_database_of_another_folder_is_refused(folder: DataFolder, tmp_path: Path, prepared: Path) -> None:
    other = new_folder(tmp_path / "other", prepared)
    note("said", "other")
    database.close()
    shutil.copy(other.sqlite, folder.sqlite)

    with pytest.raises(FileError, match=r"one/primad.sqlite3: is the database of another archive"):
        database.use(folder)
    with pytest.raises(FileError, match="is the database of another archive"):
        database.prepare(folder)


def test_a_database_that_nobody_has_finished_is_refused_until_it_is(folder: DataFolder) -> None:
    Identity.objects.all().delete()

    with pytest.raises(FileError, match="is the database of another archive"):
        database.use(folder)
    database.prepare(folder)
    database.use(folder)

    assert Identity.objects.get().value == folder.identity


def test_a_database_of_a_newer_version_is_refused(folder: DataFolder) -> None:
    newer = {**database.migrations(), "archive": [*database.migrations()["archive"], "9999_more"]}
    Identity.objects.update(migrations=newer)

    with pytest.raises(FileError, match="was made by a newer version of primad; install that version or a newer one"):
        database.use(folder)

    assert Identity.objects.get().migrations == newer


def test_a_database_of_an_earlier_version_is_brought_up_to_date(folder: DataFolder) -> None:
    Identity.objects.update(migrations={"store": [], "archive": []})

    database.use(folder)

    assert Identity.objects.get().migrations == database.migrations()


def test_a_writer_that_waits_too_long_is_told_why(folder: DataFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "_PATIENCE", 0.05)
    database.use(folder, check=False)
    other = sqlite3.connect(folder.sqlite, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    with pytest.raises(FileError) as caught, database.explained(folder):
        note("said", "something")
    other.close()

    assert str(caught.value) == (
        f"{folder.sqlite}: the database cannot be used (database is locked); "
        "another process is writing for long; try again when it is done"
    )


@pytest.mark.parametrize(
    ("what", "hint"),
    [
        ("database or disk is full", "is there room on the disk, and may you write there?"),
        ("attempt to write a readonly database", "is there room on the disk, and may you write there?"),
        ("disk I/O error", "is there room on the disk, and may you write there?"),
        ("unable to open database file", "may you read and write the folder and everything in it?"),
        ("no such table: archive_run", ""),
        ("Connection refused", ""),
    ],
)
def test_advice_fits_what_the_database_says(folder: DataFolder, what: str, hint: str) -> None:
    with pytest.raises(FileError) as caught, database.explained(folder):
        raise OperationalError(what)

    assert (caught.value.found, caught.value.hint) == (f"the database cannot be used ({what})", hint)


def test_options_of_an_address_reach_the_server_as_they_were_meant(tmp_path: Path) -> None:
    address = "postgresql:///?dbname=runs&user=me&password=%2541%2F&host=/var/run&port=5433&sslmode=require"
    database.use(create_folder(tmp_path / "new", address), check=False)
    settings = dict(connection.settings_dict)
    database.close()

    names = ("NAME", "USER", "PASSWORD", "HOST", "PORT", "OPTIONS")
    assert [settings[name] for name in names] == ["runs", "me", "%41/", "/var/run", "5433", {"sslmode": "require"}]


@pytest.mark.parametrize("by_environment", [False, True], ids=["by address", "by environment"])
def test_a_server_that_is_not_there_is_named_without_the_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, by_environment: bool
) -> None:
    address = f"postgresql://me:{SECRET}@127.0.0.1:1/runs?connect_timeout=2"
    folder = create_folder(tmp_path / "new", address)
    if by_environment:
        monkeypatch.setenv(database.ENVIRONMENT, address)
        folder = DataFolder(folder.path, folder.identity, folder.database)

    with pytest.raises(FileError) as caught:
        database.use(folder)
    database.close()

    assert caught.value.path == "postgresql://me@127.0.0.1:1/runs?connect_timeout=2"
    assert "Connection refused" in caught.value.found
    assert caught.value.hint == "is the server running?"
    assert SECRET not in str(caught.value)


def note_and_stop() -> None:
    note("said", "half")
    raise FileError("here", "stopped")


def test_what_is_written_in_a_transaction_that_fails_is_not_there(folder: DataFolder) -> None:
    database.use(folder)

    with pytest.raises(FileError, match="stopped"), database.writing():
        note_and_stop()

    assert not Event.objects.exists()


def test_a_snapshot_does_not_see_what_is_written_after_it_began(folder: DataFolder) -> None:
    database.use(folder)
    note("said", "before")
    with database.snapshot():
        seen = [Event.objects.count()]
        with sqlite3.connect(folder.sqlite) as other:  # nobody has to wait
            other.execute("DELETE FROM store_event")
        other.close()
        seen.append(Event.objects.count())

    assert [*seen, Event.objects.count()] == [1, 1, 0]


def test_an_event_says_who_did_what_to_whom(folder: DataFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "ada")
    database.use(folder)

    note("removed", "x" * 300, reason="wrong topics")

    event = Event.objects.get()
    assert (event.whom, event.verb, event.subject) == ("ada", "removed", "x" * 200)
    assert event.details == {"reason": "wrong topics"}
    assert str(event).endswith(" ada removed " + "x" * 200)


@pytest.mark.parametrize(("name", "expected"), [("a\udcff", "a\\udcff"), ("b" * 300, "b" * 200)], ids=["bytes", "long"])
def test_the_name_of_a_person_can_be_stored(monkeypatch: pytest.MonkeyPatch, name: str, expected: str) -> None:
    monkeypatch.setenv("LOGNAME", name)

    assert keeper().name == expected
