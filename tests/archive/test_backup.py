"""Does a backup hold everything, and does all of it come back, in either database?"""

import os
import tarfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from primad.archive.archive import Archive
from primad.archive.models import Run, Version
from primad.errors import FileError
from primad.store.models import Event
from primad.store.tables import tables
from tests.archive.backups import ZSTD, as_of_the_first_version, fill, rewritten, write_backup
from tests.archive.described import write_run
from tests.archive.servers import PostgreSQL
from tests.archive.test_add import kept


@pytest.fixture
def filled(archive: Archive, tmp_path: Path) -> Archive:
    """Return an archive with something of everything, in either database."""
    return fill(archive, tmp_path)


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory, sqlite_tables: Path) -> Path:
    """Return a backup of such an archive, written once."""
    return write_backup(tmp_path_factory.mktemp("saved"), sqlite_tables)


def rows(archive: Archive) -> dict[str, list[Any]]:
    """Return all rows of ARCHIVE by table, those that a restored one has more of left out."""
    with archive.speaking():
        found = {table.name: list(table.model.objects.order_by("pk").values_list(*table.columns)) for table in tables()}
        last = Event.objects.order_by("-pk").first()
        if last and last.details.get("backup_of"):
            found["store.event"].pop()
        return found


# There and back ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("target", ["sqlite", "postgresql"])
def test_a_backup_of_either_database_comes_back_whole_in_either(
    filled: Archive, tmp_path: Path, target: str, request: pytest.FixtureRequest
) -> None:
    filled.backup(tmp_path / "saved.tar")
    address = request.getfixturevalue("postgresql").database() if target == "postgresql" else ""

    restored = Archive.restore(tmp_path / "saved.tar", tmp_path / "restored", address)

    assert restored.folder.is_sqlite == (target == "sqlite")
    assert restored.verify().damage == ()
    assert rows(restored) == rows(filled)
    assert sorted(restored.folder.blobs) == sorted(filled.folder.blobs)
    assert restored.content(restored.run("a")) == (tmp_path / "b.run").read_bytes()
    restored.close()


@pytest.mark.parametrize("target", ["sqlite", "postgresql"])
def test_a_restored_archive_lives_on_beside_the_first(
    sqlite_archive: Archive, tmp_path: Path, target: str, request: pytest.FixtureRequest
) -> None:
    fill(sqlite_archive, tmp_path).backup(tmp_path / "saved.tar")
    address = request.getfixturevalue("postgresql").database() if target == "postgresql" else ""
    restored = Archive.restore(tmp_path / "saved.tar", tmp_path / "restored", address)

    (new,) = kept(restored, write_run(tmp_path, "new.run", "new", 3))
    (again,) = kept(restored, tmp_path / "gone.run")
    kept(sqlite_archive, write_run(tmp_path, "here.run", "here", 3))

    assert (new.status, again.status) == ("added", "restored")
    assert Archive(tmp_path / "restored").folder.identity != sqlite_archive.folder.identity
    with restored.speaking():
        assert sorted(Run.objects.values_list("tag", flat=True)) == ["a", "gone", "new", "side"]
        assert Event.objects.filter(verb="restored", subject="archive").count() == 1
    restored.close()


@pytest.mark.usefixtures("tables_at_once")
@pytest.mark.parametrize("name", ["saved.tar.gz", "saved.tar.zst", "saved"])
def test_a_backup_is_packed_as_its_name_says(sqlite_archive: Archive, tmp_path: Path, name: str) -> None:
    kept(sqlite_archive, write_run(tmp_path))
    sqlite_archive.backup(tmp_path / name)

    restored = Archive.restore(tmp_path / name, tmp_path / "restored")

    assert rows(restored) == rows(sqlite_archive)
    assert (tmp_path / name).read_bytes()[:2] == {"z": b"\x1f\x8b", "t": b"\x28\xb5", "d": b"pr"}[name[-1]]


@pytest.mark.usefixtures("tables_at_once")
@pytest.mark.parametrize("ending", ["gz", "bz2", "xz", "zst"])
def test_a_backup_whose_packing_is_damaged_is_refused(sqlite_archive: Archive, tmp_path: Path, ending: str) -> None:
    kept(sqlite_archive, write_run(tmp_path))
    path = tmp_path / f"saved.tar.{ending}"
    sqlite_archive.backup(path)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)

    with pytest.raises(FileError, match=r"fetch (or write )?it again") as caught:
        Archive.restore(path, tmp_path / "restored")

    assert caught.value.path == str(path)
    assert not (tmp_path / "restored").exists()


@pytest.mark.usefixtures("tables_at_once")
def test_an_empty_archive_comes_back_empty(archive: Archive, tmp_path: Path) -> None:
    archive.backup(tmp_path / "saved.tar")

    restored = Archive.restore(tmp_path / "saved.tar", tmp_path / "restored")

    assert (restored.verify().runs, restored.verify().is_good) == (0, True)


@pytest.mark.usefixtures("tables_at_once")
def test_every_file_is_watched_on_both_ways(sqlite_archive: Archive, tmp_path: Path) -> None:
    fill(sqlite_archive, tmp_path)
    seen: list[tuple[int, int]] = []

    def watch(things: Iterable[Any], total: int) -> Iterator[Any]:
        count = 0
        for thing in things:
            count += 1
            yield thing
        seen.append((count, total))

    sqlite_archive.backup(tmp_path / "saved.tar", watch)
    Archive.restore(tmp_path / "saved.tar", tmp_path / "restored", "", watch)

    assert seen == [(8, 8), (8, 8)]  # seven contents and a table of scores


@pytest.mark.usefixtures("tables_at_once")
def test_what_is_added_while_a_backup_is_written_is_not_half_in_it(filled: Archive, tmp_path: Path) -> None:
    late = write_run(tmp_path, "late.run", "late", 3)

    def watch(things: Iterable[Any], _total: int) -> Iterator[Any]:
        for number, thing in enumerate(things):
            if number == 1:
                kept(filled, late)
                filled.remove("side")
            yield thing

    filled.backup(tmp_path / "saved.tar", watch)
    restored = Archive.restore(tmp_path / "saved.tar", tmp_path / "restored")

    assert restored.verify().damage == ()
    assert restored.verify().leftovers == ()
    assert sorted(Run.objects.filter(removed_at=None).values_list("tag", flat=True)) == ["a", "side"]


def test_nothing_secret_and_no_address_is_in_a_backup(archive: Archive, tmp_path: Path) -> None:
    kept(archive, write_run(tmp_path))
    archive.backup(tmp_path / "saved.tar")

    with tarfile.open(tmp_path / "saved.tar") as tar:
        data = [extracted.read() for member in tar if (extracted := tar.extractfile(member))]

    assert b"postgresql" not in b"".join(data)
    assert str(archive.folder.path).encode() not in b"".join(data)


def test_a_backup_of_an_earlier_version_is_brought_up_to_date(
    saved: Path, tmp_path: Path, postgresql: PostgreSQL
) -> None:
    earlier = rewritten(saved, as_of_the_first_version, tmp_path)

    for address in ("", postgresql.database()):
        restored = Archive.restore(earlier, tmp_path / f"restored{bool(address)}", address)

        assert restored.verify().damage == ()
        assert restored.search("tag:a a").total == 1  # by its field, and by the word in its text
        restored.close()


# Where nothing is written ------------------------------------------------------------------------------------------


def test_a_backup_replaces_an_earlier_one_and_nothing_else(sqlite_archive: Archive, tmp_path: Path) -> None:
    sqlite_archive.backup(tmp_path / "saved.tar")
    kept(sqlite_archive, write_run(tmp_path))
    sqlite_archive.backup(tmp_path / "saved.tar")
    other = tmp_path / "bm25.run"
    before = other.read_bytes()

    with pytest.raises(FileError, match=r"bm25.run: is there already, and is no backup; name another file"):
        sqlite_archive.backup(other)
    with pytest.raises(FileError, match=r"primad.sqlite3: is there already, and is no backup"):
        sqlite_archive.backup(sqlite_archive.folder.sqlite)
    with pytest.raises(FileError, match="is there already, and is no backup"):
        sqlite_archive.backup(tmp_path)

    assert other.read_bytes() == before
    assert Archive.restore(tmp_path / "saved.tar", tmp_path / "restored").verify().runs == 1


def test_nobody_waits_for_a_pipe_to_hold_a_backup(sqlite_archive: Archive, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    with pytest.raises(FileError, match="pipe: is there already, and is no backup"):
        sqlite_archive.backup(tmp_path / "pipe")
    with pytest.raises(FileError, match="pipe: expected a file, found something else; name a file"):
        Archive.restore(tmp_path / "pipe", tmp_path / "restored")


def test_a_damaged_archive_is_not_backed_up_as_if_it_were_whole(sqlite_archive: Archive, tmp_path: Path) -> None:
    fill(sqlite_archive, tmp_path)
    path = sqlite_archive.folder.blobs.path_of(Version.objects.get(run__tag="side").side)
    path.chmod(0o644)
    path.write_bytes(ZSTD.compress(b"another"))

    with pytest.raises(FileError, match=f"{path}: holds other bytes than its name says"):
        sqlite_archive.backup(tmp_path / "saved.tar")

    assert not (tmp_path / "saved.tar").exists()
    assert not list(tmp_path.glob(".primad-*"))


def test_a_folder_that_cannot_be_written_is_named(sqlite_archive: Archive, tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"none/saved.tar: cannot be written \(No such file or directory\)"):
        sqlite_archive.backup(tmp_path / "none" / "saved.tar")


def test_an_archive_is_restored_into_a_new_folder_only(saved: Path, sqlite_archive: Archive, tmp_path: Path) -> None:
    (tmp_path / "used").mkdir()
    (tmp_path / "used" / "thesis.tex").write_text("dear")
    (tmp_path / "empty").mkdir()

    for folder in (sqlite_archive.folder.path, tmp_path / "used"):
        with pytest.raises(FileError, match="expected a new or an empty folder, found files in it"):
            Archive.restore(saved, folder)
    with pytest.raises(FileError, match="expected a new or an empty folder, found a file"):
        Archive.restore(saved, saved)

    assert (tmp_path / "used" / "thesis.tex").read_text() == "dear"
    assert Archive.restore(saved, tmp_path / "empty").verify().is_good


def test_an_archive_is_restored_into_an_empty_database_only(
    saved: Path, tmp_path: Path, postgresql: PostgreSQL
) -> None:
    address = postgresql.database()
    first = Archive.restore(saved, tmp_path / "first", address)
    before = rows(first)

    with pytest.raises(FileError, match="expected an empty database, found the table archive_"):
        Archive.restore(saved, tmp_path / "second", address)

    assert not (tmp_path / "second").exists()
    assert rows(first) == before
    first.close()
