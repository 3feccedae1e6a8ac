"""Does a backup hold everything, and is nothing else ever taken for one?"""

import hashlib
import io
import json
import os
import shutil
import tarfile
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from primad.archive.archive import Archive
from primad.archive.models import Collection, Run, Text, TopicScores, Version
from primad.archive.topic_scores import keep_topic_scores
from primad.errors import FileError
from primad.store import database
from primad.store.database import migrations
from primad.store.folder import create_folder
from primad.store.models import Event
from primad.store.tables import tables
from primad.trec.files import PACKINGS
from tests.archive.conftest import own
from tests.archive.described import ranking, record, write, write_qrels, write_run
from tests.archive.servers import PostgreSQL
from tests.archive.test_add import kept

ZSTD = import_module(PACKINGS[".zst"])


def fill(archive: Archive, folder: Path) -> Archive:
    """Put something of everything into ARCHIVE."""
    topics = folder / "topics.txt"
    topics.write_text("301: crime\n")
    archive.set_collection("Core17", qrels=[write_qrels(folder)], topics=topics, also=["Common Core"])
    numbers = {"k1": 0.9, "b": 1e-7, "seed": 123456789012345678}
    kept(archive, write_run(folder, "a.run", "a", method__retrieval=[{"name": "bm25", **numbers}]))
    kept(archive, write_run(folder, "b.run", "a", 0, **{"run-version": "2.0"}, research_goal__venue={"name": "ÄÖ"}))
    write(folder, "side.run", None, ranking("side", 1))
    (folder / "side.run.yml").write_text(record("side").to_yaml())
    kept(archive, folder / "side.run", write_run(folder, "gone.run", "gone", 2))
    archive.remove("gone", "wrong")
    TopicScores.objects.create(digest=keep_topic_scores(archive.folder, b"no real table"))
    return archive


@pytest.fixture
def filled(archive: Archive, tmp_path: Path) -> Archive:
    """Return an archive with something of everything, in either database."""
    return fill(archive, tmp_path)


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory, sqlite_tables: Path) -> Path:
    """Return a backup of such an archive, written once."""
    place = tmp_path_factory.mktemp("saved")
    folder = create_folder(place / "archive")
    shutil.copy(sqlite_tables, folder.sqlite)
    fill(own(folder), place).backup(place / "saved.tar")
    database.close()
    return place / "saved.tar"


def rows(archive: Archive) -> dict[str, list[Any]]:
    """Return all rows of ARCHIVE by table, those that a restored one has more of left out."""
    with archive.speaking():
        found = {table.name: list(table.model.objects.order_by("pk").values_list(*table.columns)) for table in tables()}
        last = Event.objects.order_by("-pk").first()
        if last and last.details.get("backup_of"):
            found["store.event"].pop()
        return found


# There and back ----------------------------------------------------------------------------------------------------


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


@pytest.mark.parametrize("name", ["saved.tar.gz", "saved.tar.zst", "saved"])
def test_a_backup_is_packed_as_its_name_says(sqlite_archive: Archive, tmp_path: Path, name: str) -> None:
    kept(sqlite_archive, write_run(tmp_path))
    sqlite_archive.backup(tmp_path / name)

    restored = Archive.restore(tmp_path / name, tmp_path / "restored")

    assert rows(restored) == rows(sqlite_archive)
    assert (tmp_path / name).read_bytes()[:2] == {"z": b"\x1f\x8b", "t": b"\x28\xb5", "d": b"pr"}[name[-1]]


def test_an_empty_archive_comes_back_empty(archive: Archive, tmp_path: Path) -> None:
    archive.backup(tmp_path / "saved.tar")

    restored = Archive.restore(tmp_path / "saved.tar", tmp_path / "restored")

    assert (restored.verify().runs, restored.verify().is_good) == (0, True)


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
    earlier = rewritten(saved, as_of_the_second_version, tmp_path)

    for address in ("", postgresql.database()):
        restored = Archive.restore(earlier, tmp_path / f"restored{bool(address)}", address)

        assert restored.verify().damage == ()
        assert sorted(Text.objects.values_list("words", flat=True)) == ["first text", "second"]
        assert Run.objects.get(texts__text__words="second").tag == "a"
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
    with pytest.raises(FileError, match="expected a folder, found a file"):
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


# What is no backup -------------------------------------------------------------------------------------------------

Members = dict[str, bytes]


def rewritten(path: Path, change: Callable[[Members], Members | None], target: Path) -> Path:
    """Return a copy of the backup at PATH with its files changed by CHANGE, in the folder TARGET."""
    with tarfile.open(path) as tar:
        members = {one.name: stream.read() for one in tar if (stream := tar.extractfile(one))}
    members = change(members) or members
    with tarfile.open(target / "rewritten.tar", "w") as tar:
        for name, data in members.items():
            facts = tarfile.TarInfo(name)
            facts.size = len(data)
            tar.addfile(facts, io.BytesIO(data))
    return target / "rewritten.tar"


def table_changed(members: Members, table: str, change: Callable[[list[str], list[Any]], Any]) -> None:
    """Change the columns and rows of a TABLE, and what the manifest says of it."""
    name = f"tables/{table}.jsonl.zst"
    columns, *lines = [json.loads(line) for line in ZSTD.decompress(members[name]).splitlines()]
    columns, lines = change(columns, lines) or (columns, lines)
    members[name] = ZSTD.compress("".join(json.dumps(line) + "\n" for line in (columns, *lines)).encode())
    manifest = json.loads(members["primad-backup.json"])
    for entry in manifest["tables"]:
        if entry["name"] == table:
            entry |= {"columns": columns, "rows": len(lines), "sha256": hashlib.sha256(members[name]).hexdigest()}
    members["primad-backup.json"] = json.dumps(manifest).encode()


def stated(**facts: Any) -> Callable[[Members], None]:
    """Return what lets the manifest say FACTS."""

    def change(members: Members) -> None:
        members["primad-backup.json"] = json.dumps(json.loads(members["primad-backup.json"]) | facts).encode()

    return change


def as_of_the_second_version(members: Members) -> Members:
    """Bring a backup into the form it had before texts had a table of their own."""

    def with_words(columns: list[str], lines: list[Any]) -> Any:
        place = sorted([*columns, "words"]).index("words")
        tags = [line[columns.index("tag")] for line in lines]
        words = ["first text 0x0 second" if tag == "a" else "first text" for tag in tags]
        old = [[*line[:place], word, *line[place:]] for line, word in zip(lines, words, strict=True)]
        return sorted([*columns, "words"]), old

    table_changed(members, "archive.run", with_words)
    manifest = json.loads(members["primad-backup.json"])
    manifest["migrations"]["archive"] = manifest["migrations"]["archive"][:2]
    manifest["tables"] = [one for one in manifest["tables"] if "text" not in one["name"]]
    members["primad-backup.json"] = json.dumps(manifest).encode()
    return {name: data for name, data in members.items() if "text" not in name}


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
    pytest.param(without("tables/"), "expected the file tables/archive.collection.jsonl.zst", id="a table missing"),
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
    pytest.param(with_rows("archive.run", set_all("address", "same")), "rows that contradict each other", id="twice"),
    pytest.param(
        with_rows("archive.run", set_all("ranking_id", 99)), "rows that contradict each other", id="no ranking"
    ),
    pytest.param(
        with_rows("archive.version", set_all("file", "f" * 64)), "the content 'f+' is missing", id="no content"
    ),
    pytest.param(with_rows("archive.version", set_all("side", "../..")), "is missing", id="a path for a content"),
    pytest.param(
        with_rows("archive.topicscores", set_all("digest", "../..")), "scores '../..' are", id="a path for scores"
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
