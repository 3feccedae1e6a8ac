"""Does ``verify`` find every damage, name the run it hits, and cry at nothing else?"""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.db import connection

from primad.archive.archive import Archive
from primad.archive.models import Collection, Qrels, Ranking, Run, TopicScores, Version
from primad.archive.topic_scores import keep_topic_scores, path_of
from primad.reports.archive.answers import Verified
from primad.store import database, results
from primad.store.folder import create_folder
from tests.archive.conftest import is_postgresql, own
from tests.archive.described import ranking, record, write, write_qrels, write_run
from tests.archive.test_add import kept


@pytest.fixture
def filled(archive: Archive, tmp_path: Path) -> Archive:
    """Return an archive with something of everything, in either database."""
    return fill(archive, tmp_path)


@pytest.fixture(scope="module")
def filled_once(tmp_path_factory: pytest.TempPathFactory, sqlite_tables: Path) -> Path:
    """Return the folder of such an archive, to be copied."""
    place = tmp_path_factory.mktemp("filled")
    folder = create_folder(place / "archive")
    shutil.copy(sqlite_tables, folder.sqlite)
    fill(own(folder), place)
    database.close()
    return folder.path


@pytest.fixture
def sqlite_filled(filled_once: Path, tmp_path: Path) -> Iterator[Archive]:
    """Return the same in SQLite, for what does not depend on the database."""
    yield Archive(shutil.copytree(filled_once, tmp_path / "archive"))
    database.close()


def fill(archive: Archive, tmp_path: Path) -> Archive:
    """Put two runs into ARCHIVE, one of two versions, one with its metadata beside it, and a collection."""
    topics, profile = tmp_path / "topics.txt", tmp_path / "profile.yml"
    topics.write_text("301: crime\n")
    profile.write_text("name: own\nrecommended:\n  - actor.team\n")
    archive.set_collection("Core17", qrels=[write_qrels(tmp_path)], topics=topics, profile=str(profile))
    kept(archive, write_run(tmp_path / "in", "a.run", "two"))
    kept(archive, write_run(tmp_path / "in", "b.run", "two", 0, **{"run-version": "2.0"}))
    write(tmp_path / "in", "side.run", None, ranking("side", 1))
    (tmp_path / "in" / "side.run.yml").write_text(record("side").to_yaml())
    kept(archive, tmp_path / "in" / "side.run")
    TopicScores.objects.create(digest=keep_topic_scores(archive.folder, b"no real table"))
    return archive


def verify(archive: Archive) -> Verified:
    """Verify ARCHIVE, and see that each version is watched."""
    seen = []

    def watch(things: object, total: int) -> object:
        for thing in things:  # type: ignore[attr-defined]
            seen.append(thing)
            yield thing
        assert len(seen) == total

    return archive.verify(watch)  # type: ignore[arg-type]


def spoil(path: Path) -> None:
    """Change one byte of the file at PATH."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.chmod(0o644)
    path.write_bytes(data)


def cut(path: Path) -> None:
    """Cut the file at PATH in half."""
    path.chmod(0o644)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def test_nothing_is_wrong_with_a_new_archive(archive: Archive) -> None:
    assert verify(archive) == Verified(contents=0, runs=0, bytes=0, damage=(), leftovers=())


def test_nothing_is_wrong_with_an_archive_in_use(filled: Archive) -> None:
    found = verify(filled)

    assert (found.contents, found.runs, found.damage, found.leftovers) == (7, 2, (), ())
    assert found.bytes == sum(filled.folder.blobs.path_of(digest).stat().st_size for digest in filled.folder.blobs)
    assert found.is_good


@pytest.mark.parametrize("harm", [spoil, cut, Path.unlink], ids=["changed", "truncated", "missing"])
@pytest.mark.parametrize(
    ("run", "number", "column", "what"),
    [
        ("two", 1, "file", "file"),
        ("two", 2, "file", "file"),
        ("side", 1, "file", "file"),
        ("side", 1, "side", "metadata"),
    ],
    ids=["former version", "current version", "run beside metadata", "metadata"],
)
def test_a_damaged_content_is_named_with_its_run(
    sqlite_filled: Archive, harm: Callable[[Path], None], run: str, number: int, column: str, what: str
) -> None:
    version = Version.objects.select_related("run").get(run__tag=run, number=number)
    path = sqlite_filled.folder.blobs.path_of(getattr(version, column))
    harm(path)

    (damage,) = verify(sqlite_filled).damage

    assert damage.startswith(f"{path}: ")
    assert f"it is the {what} of the run {run} ({version.run.address[:12]}), version {number}; " in damage
    assert damage.endswith("restore it from a backup, or add the file again")


def test_adding_the_file_again_mends_it(filled: Archive, tmp_path: Path) -> None:
    path = filled.folder.blobs.path_of(Version.objects.get(run__tag="two", number=2).file)
    spoil(path)
    before = verify(filled).is_good

    kept(filled, tmp_path / "in" / "b.run")

    assert (before, verify(filled).is_good) == (False, True)


@pytest.mark.parametrize("harm", [spoil, cut, Path.unlink], ids=["changed", "truncated", "missing"])
@pytest.mark.parametrize("what", ["the judgments core17.qrels (", "the topics of Core17", "the profile of Core17"])
def test_damage_of_what_a_collection_has_is_named(
    sqlite_filled: Archive, harm: Callable[[Path], None], what: str
) -> None:
    collection = Collection.objects.get()
    digests = {"judgments": Qrels.objects.get().digest, "topics": collection.topics, "profile": collection.profile}
    path = sqlite_filled.folder.blobs.path_of(digests[what.split()[1]])
    harm(path)

    (damage,) = verify(sqlite_filled).damage

    assert damage.startswith(f"{path}: ")
    assert f"it is {what}" in damage


@pytest.mark.parametrize("harm", [spoil, cut, Path.unlink], ids=["changed", "truncated", "missing"])
def test_damage_of_a_result_that_is_kept_is_named(sqlite_filled: Archive, harm: Callable[[Path], None]) -> None:
    kept_result = results.keep(sqlite_filled.folder, "assessment", "a report", {"report.csv": b"er,0.8\n"})
    path = sqlite_filled.folder.blobs.path_of(kept_result.files.get().digest)
    before = verify(sqlite_filled)
    harm(path)

    (damage,) = verify(sqlite_filled).damage

    assert before.is_good
    assert damage.startswith(f"{path}: ")
    assert "it is a file of a result" in damage


@pytest.mark.parametrize("harm", [spoil, cut, Path.unlink], ids=["changed", "truncated", "missing"])
def test_damaged_topic_scores_are_named(sqlite_filled: Archive, harm: Callable[[Path], None]) -> None:
    path = path_of(sqlite_filled.folder, TopicScores.objects.get().digest)
    harm(path)

    (damage,) = verify(sqlite_filled).damage

    assert damage.startswith(f"{path}: ")
    assert damage.endswith("it holds scores by topic; restore it from a backup, or remove it and evaluate again")


# Rows that contradict each other or the files ----------------------------------------------------------------------


def test_a_run_without_its_current_version_is_named(filled: Archive) -> None:
    run = Run.objects.get(tag="two")
    Version.objects.filter(run=run, number=2).delete()

    assert f"run {run}: is at version 2, but has 1 versions; restore the archive from a backup" in verify(filled).damage


def test_a_run_without_any_version_is_named(filled: Archive) -> None:
    run = Run.objects.get(tag="side")
    Version.objects.filter(run=run).delete()

    assert f"run {run}: is at version 1, but has 0 versions; restore the archive from a backup" in verify(filled).damage


def test_an_address_that_is_not_that_of_the_first_version_is_named(filled: Archive) -> None:
    Run.objects.filter(tag="side").update(address="f" * 64)

    (damage,) = verify(filled).damage

    assert damage == (
        "run side (ffffffffffff): its address is not that of its first version; restore the archive from a backup"
    )


@pytest.mark.parametrize(
    ("change", "found"),
    [
        pytest.param({"record": {"tag": "side", "actor": {"name": "Eve"}}}, "its record in the database", id="record"),
        pytest.param({"size": 1}, "the database says 1 bytes, its file has 147", id="size"),
        pytest.param({"side": ""}, "its identity is not made from its files", id="side"),
    ],
)
def test_a_row_that_does_not_fit_its_file_is_named(filled: Archive, change: dict[str, object], found: str) -> None:
    version = Version.objects.get(run__tag="side")
    Version.objects.filter(pk=version.pk).update(**change)

    damage = verify(filled).damage

    assert damage[0].startswith(f"run {version.run}, version 1: {found}")


def test_a_ranking_that_is_not_the_one_in_the_file_is_named(filled: Archive) -> None:
    other = Ranking.objects.get(runs__tag="two")
    run = Run.objects.get(tag="side")
    Run.objects.filter(pk=run.pk).update(ranking=other)

    (damage,) = verify(filled).damage

    assert damage.startswith(f"run {run}, version 1: its ranking in the database is not the one in its file")


def test_numbers_that_a_database_writes_anew_are_no_damage(archive: Archive, tmp_path: Path) -> None:
    numbers = [1e16, 1e-7, 1e308, 123456789012345678, 0.1, -0.0, 5e-324, True]
    kept(archive, write_run(tmp_path, method__retrieval=[{"name": "bm25", "numbers": numbers}]))

    assert verify(archive).damage == ()


def test_an_index_of_words_that_misses_a_text_is_found_in_sqlite(sqlite_archive: Archive, tmp_path: Path) -> None:
    kept(sqlite_archive, write_run(tmp_path))
    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER archive_words_added")
    kept(sqlite_archive, write_run(tmp_path, "b.run", "another"))

    (damage,) = verify(sqlite_archive).damage

    assert damage == "database: the index of words does not fit the runs; restore the archive from a backup"


def test_a_row_that_names_a_row_that_is_not_there_is_found_in_sqlite(sqlite_archive: Archive, tmp_path: Path) -> None:
    kept(sqlite_archive, write_run(tmp_path))
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA foreign_keys = OFF")
        cursor.execute("DELETE FROM archive_field")
        cursor.execute("PRAGMA foreign_keys = ON")

    damage = verify(sqlite_archive).damage

    assert damage[0].startswith("database: row 1 of archive_fact names a row of archive_field that is not there")


def test_a_database_with_broken_pages_is_damage_and_not_the_end(sqlite_archive: Archive, tmp_path: Path) -> None:
    for number in range(60):
        write_run(tmp_path / "in", f"{number}.run", f"tag{number}")
    kept(sqlite_archive, tmp_path / "in")
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        cursor.execute("SELECT rootpage FROM sqlite_master WHERE name = 'archive_version'")
        (root,) = cursor.fetchone()
        (size,) = cursor.execute("PRAGMA page_size").fetchone()
    database.close()
    with sqlite_archive.folder.sqlite.open("r+b") as stream:
        stream.seek((root - 1) * size)
        stream.write(b"\xff" * size)

    damage = verify(sqlite_archive).damage

    assert any("the database cannot be read (database disk image is malformed)" in one for one in damage)
    assert all(one.endswith("restore the archive from a backup") for one in damage)


# Leftovers ---------------------------------------------------------------------------------------------------------


def test_what_no_row_knows_is_left_over_and_no_damage(filled: Archive) -> None:
    folder = filled.folder
    before = verify(filled)
    unknown = folder.blobs.path_of(folder.blobs.put(b"of a run that was never kept"))
    half = unknown.with_name(".primad-half")
    half.write_bytes(b"")
    scores = path_of(folder, keep_topic_scores(folder, b"of an evaluation that was stopped"))
    settings = folder.path / ".primad-settings"
    settings.write_bytes(b"")

    found = verify(filled)

    assert found.is_good
    assert set(found.leftovers) == {
        f"{unknown}: belongs to no run and no track",
        f"{scores}: belongs to no score",
        f"{half}: half written",
        f"{settings}: half written",
    }
    assert (found.contents, found.bytes) == (before.contents, before.bytes)


def test_an_archive_of_which_all_contents_are_gone_says_so_for_each(filled: Archive) -> None:
    shutil.rmtree(filled.folder.blobs.folder)

    found = verify(filled)

    assert (found.contents, len(found.damage)) == (0, 6)


def test_an_index_that_is_not_valid_is_found_in_postgresql(archive: Archive) -> None:
    if is_postgresql(archive):
        with connection.cursor() as cursor:
            cursor.execute("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'run_by_tag'::regclass")

        assert verify(archive).damage == (
            "database: the index run_by_tag is not valid; restore the archive from a backup",
        )
    else:
        assert verify(archive).is_good
