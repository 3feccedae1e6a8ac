"""Is a backup that somebody changed, cut off or made up refused, and does it leave nothing behind?"""

import hashlib
import json
import os
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from primad.archive.archive import Archive
from primad.archive.models import Collection
from primad.errors import FileError
from primad.store.database import migrations
from tests.archive.backups import ZSTD, Members, rewritten, table_changed, write_backup
from tests.archive.servers import PostgreSQL


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory, sqlite_tables: Path) -> Path:
    """Return a backup of an archive with something of everything, written once."""
    return write_backup(tmp_path_factory.mktemp("saved"), sqlite_tables)


# Changes -----------------------------------------------------------------------------------------------------------


def stated(**facts: Any) -> Callable[[Members], None]:
    """Return what lets the manifest say FACTS."""

    def change(members: Members) -> None:
        members["primad-backup.json"] = json.dumps(json.loads(members["primad-backup.json"]) | facts).encode()

    return change


def renamed(old: str, new: str) -> Callable[[Members], Members]:
    """Return what gives the first file that begins with OLD the name NEW."""

    def change(members: Members) -> Members:
        first = next(name for name in members if name.startswith(old))
        return {new if name == first else name: data for name, data in members.items()}

    return change


def without(old: str) -> Callable[[Members], Members]:
    """Return what leaves the first file out that begins with OLD."""

    def change(members: Members) -> Members:
        first = next(name for name in members if name.startswith(old))
        return {name: data for name, data in members.items() if name != first}

    return change


def with_bytes(old: str, data: bytes) -> Callable[[Members], None]:
    """Return what gives the first file that begins with OLD other bytes."""

    def change(members: Members) -> None:
        members[next(name for name in members if name.startswith(old))] = data

    return change


def with_rows(table: str, change: Callable[[list[str], list[Any]], Any]) -> Callable[[Members], None]:
    """Return what changes the rows of a TABLE."""
    return lambda members: table_changed(members, table, change)


def set_all(column: str, value: Any) -> Callable[[list[str], list[Any]], None]:
    """Return what sets a COLUMN of all rows."""

    def change(columns: list[str], lines: list[Any]) -> None:
        for line in lines:
            line[columns.index(column)] = value

    return change


def packed_as(members: Members, data: bytes) -> None:
    """Give the first table these bytes, and let the manifest say so."""
    manifest = json.loads(members["primad-backup.json"])
    manifest["tables"][0]["sha256"] = hashlib.sha256(data).hexdigest()
    members["primad-backup.json"] = json.dumps(manifest).encode()
    members[f"tables/{manifest['tables'][0]['name']}.jsonl.zst"] = data


HOSTILE = [
    pytest.param(
        renamed("contents/", "../../evil"), "expected the next of 7 files in contents", id="out of the folder"
    ),
    pytest.param(renamed("contents/", "/evil"), "expected the next of 7 files in contents", id="absolute"),
    pytest.param(renamed("contents/", f"contents/{'0' * 63}/.zst"), "expected the next of 7", id="a folder more"),
    pytest.param(
        renamed("contents/", f"contents/{'f' * 64}.zst"), "the content f+ holds other bytes", id="another name"
    ),
    pytest.param(without("contents/"), "expected the next of 7 files", id="a content missing"),
    pytest.param(with_bytes("contents/", b""), "holds other bytes", id="an empty content"),
    pytest.param(with_bytes("contents/", ZSTD.compress(b"x")), "holds other bytes", id="another content"),
    pytest.param(with_bytes("scores/", b"x"), "hold other bytes than their name says", id="other scores"),
    pytest.param(without("scores/"), "expected the next of 1 files in scores", id="scores missing"),
    pytest.param(without("tables/"), "expected the file tables/accounts.invitation.jsonl.zst", id="a table missing"),
    pytest.param(with_bytes("tables/", b"x"), "is not the one that was written", id="another table"),
    pytest.param(lambda members: members | {"more": b""}, "expected nothing more, found 'more'", id="a file more"),
    pytest.param(without("primad-"), "expected the file primad-backup.json", id="no manifest"),
    pytest.param(with_bytes("primad-", b"{"), "its manifest cannot be read", id="a broken manifest"),
    pytest.param(with_bytes("primad-", b"[]"), "its manifest cannot be read", id="a manifest that is a list"),
    pytest.param(with_bytes("primad-", b"[" * 200_000), "its manifest cannot be read", id="a deep manifest"),
    pytest.param(stated(format="primad.backup/2"), "expected the format primad.backup/1, found", id="another format"),
    pytest.param(stated(contents="7"), "counts that are no numbers", id="a count that is a text"),
    pytest.param(stated(contents=10**12), "expected the next of 1,000,000,000,000 files", id="a count too high"),
    pytest.param(stated(contents=6), "expected the next of 1 files in scores", id="a count too low"),
    pytest.param(stated(surprise=1), "its manifest cannot be read", id="a manifest that says more"),
    pytest.param(stated(tables=[]), "has other tables than an archive", id="no tables"),
    pytest.param(stated(migrations={}), "a version that there never was", id="no version"),
    pytest.param(
        stated(migrations={**migrations(), "archive": ["0001_tables", "9999_later"]}),
        "was made by a newer version of primad",
        id="a newer version",
    ),
    pytest.param(with_rows("archive.run", set_all("address", "a" * 64)), "rows that contradict each other", id="twice"),
    pytest.param(
        with_rows("archive.run", set_all("ranking_id", 99)), "rows that contradict each other", id="no ranking"
    ),
    pytest.param(
        with_rows("archive.version", set_all("file", "f" * 64)), "the content 'f+' is missing", id="no content"
    ),
    pytest.param(
        with_rows("archive.topicscores", set_all("digest", "f" * 64)), "the scores 'f+' are missing", id="no scores"
    ),
    *(
        pytest.param(
            with_rows(f"archive.{table}", set_all(column, "../../etc/passwd")),
            f"row 1 of the table archive.{table} cannot be read .expected a SHA-256 as {column}, found '../../etc",
            id=f"a path as {table} {column}",
        )
        for table, column in (
            ("version", "side"),
            ("version", "identity"),
            ("topicscores", "digest"),
            ("run", "address"),
            ("ranking", "digest"),
            ("qrels", "content"),
            ("collection", "topics"),
        )
    ),
    *(
        pytest.param(
            with_rows(f"archive.{table}", set_all(column, value)), f"row 1 of .*{found}", id=f"{column} {value!r:.20}"
        )
        for table, column, value, found in (
            ("run", "tag", {"a": 1}, "expected a value of type str"),
            ("run", "tag", "x" * 201, "expected at most 200 characters as tag, found 201"),
            ("run", "tag", "\ud800", "can't encode"),
            ("run", "address", "", "expected a SHA-256 as address, found ''"),
            ("run", "year", "2017", "expected a value of type int"),
            ("run", "year", 2017.5, "expected a value of type int"),
            ("run", "added_at", "2017-01-01T00:00:00", "expected a time with its zone"),
            ("run", "added_at", "0001-01-01T00:00:00+14:00", "out of range"),
            ("version", "size", 10**30, "expected an integer of 64 bits, found one of 100"),
            ("version", "record", [], "expected a value of type dict"),
            ("fact", "number", float("inf"), "expected a finite number"),
            ("fact", "number", "1", "expected a value of type float"),
        )
    ),
    pytest.param(
        lambda members: packed_as(members, b"no zstd"), "the table accounts.invitation cannot be unpacked", id="no zstd"
    ),
    pytest.param(
        lambda members: packed_as(members, ZSTD.compress(bytes(1000))[:-3]),
        "the table accounts.invitation cannot be unpacked",
        id="half a zstd",
    ),
    pytest.param(with_rows("archive.run", set_all("added_at", "soon")), "row 1 of the table archive.run", id="no time"),
    pytest.param(with_rows("archive.run", set_all("number", [])), "row 1 of the table archive.run", id="a list"),
    pytest.param(
        with_rows("archive.run", lambda _, lines: lines[0].pop()),
        r"cannot be read \(expected \d+ columns",
        id="a short row",
    ),
    pytest.param(
        with_rows("archive.run", lambda columns, lines: (columns[::-1], lines)), "other tables", id="other columns"
    ),
]


@pytest.mark.usefixtures("tables_at_once")
@pytest.mark.parametrize(("change", "found"), HOSTILE)
def test_a_backup_that_somebody_changed_is_refused_and_leaves_nothing(
    saved: Path, tmp_path: Path, change: Callable[[Members], Members | None], found: str
) -> None:
    changed = rewritten(saved, change, tmp_path)

    with pytest.raises(FileError, match=found) as caught:
        Archive.restore(changed, tmp_path / "restored")

    assert caught.value.path == str(changed)
    assert not (tmp_path / "restored").exists()


def test_a_backup_that_is_only_packed_anew_is_none_the_worse(saved: Path, tmp_path: Path) -> None:
    same = rewritten(saved, lambda members: members, tmp_path)

    assert Archive.restore(same, tmp_path / "restored").verify().is_good


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.DIRTYPE, tarfile.FIFOTYPE])
def test_only_plain_files_are_unpacked(saved: Path, tmp_path: Path, kind: bytes) -> None:
    target = tmp_path / "links.tar"
    with tarfile.open(saved) as old, tarfile.open(target, "w") as new:
        for member in old:
            stream = old.extractfile(member)
            if member.name.startswith("contents/"):
                member.type, member.linkname, member.size = kind, "/etc/passwd", 0
            new.addfile(member, stream)

    with pytest.raises(FileError, match="is no backup of an archive: expected the file of a content, found"):
        Archive.restore(target, tmp_path / "restored")

    assert not (tmp_path / "restored").exists()


def test_a_file_that_is_said_to_be_larger_than_any_disk_is_refused(saved: Path, tmp_path: Path) -> None:
    target = tmp_path / "large.tar"
    with tarfile.open(saved) as old, target.open("wb") as new:
        for member in old:
            stream = old.extractfile(member)
            data = stream.read() if stream else b""
            if member.name.startswith("tables/"):
                member.size = 10**15
            new.write(member.tobuf(tarfile.GNU_FORMAT) + data + bytes(-len(data) % 512))

    with pytest.raises(
        FileError, match=r"large.tar: is no backup of an archive, or is damaged \(unexpected end of data"
    ):
        Archive.restore(target, tmp_path / "restored")

    assert not (tmp_path / "restored").exists()


@pytest.mark.usefixtures("tables_at_once")
def test_a_backup_that_was_cut_off_anywhere_is_refused(saved: Path, tmp_path: Path) -> None:
    data = saved.read_bytes()
    end = data.rstrip(b"\0")
    cut = tmp_path / "cut.tar"

    for length in [0, 1, 511, 512, 513, *range(1024, len(end) - 512, len(end) // 12)]:
        cut.write_bytes(data[:length])
        with pytest.raises(FileError) as caught:
            Archive.restore(cut, tmp_path / "restored")
        assert caught.value.path == str(cut)
        assert not (tmp_path / "restored").exists()


@pytest.mark.parametrize(
    "data", [b"", b"garbage" * 1000, b"\x1f\x8bgarbage", b"\x28\xb5\x2f\xfd" + b"x" * 100, b"\0" * 10_240]
)
def test_any_other_file_is_no_backup(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "other").write_bytes(data)

    with pytest.raises(FileError, match="other: "):
        Archive.restore(tmp_path / "other", tmp_path / "restored")

    assert os.listdir(tmp_path) == ["other"]  # noqa: PTH208 - names are all that is asked for


def test_a_backup_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"none.tar: cannot be read \(No such file or directory\)"):
        Archive.restore(tmp_path / "none.tar", tmp_path / "restored")


def test_who_was_refused_in_postgresql_may_try_again(saved: Path, tmp_path: Path, postgresql: PostgreSQL) -> None:
    address = postgresql.database()
    broken = rewritten(saved, with_rows("archive.run", set_all("ranking_id", 99)), tmp_path)

    with pytest.raises(FileError, match="rows that contradict each other"):
        Archive.restore(broken, tmp_path / "restored", address)
    restored = Archive.restore(saved, tmp_path / "restored", address)

    assert restored.verify().is_good
    assert sorted(Collection.objects.values_list("name", flat=True)) == ["Core17"]
    restored.close()
