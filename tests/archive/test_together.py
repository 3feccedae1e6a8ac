"""Do several processes that work on one archive at once get into each other's way?"""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
import pytest

from primad.archive.archive import Archive
from primad.archive.models import Collection, Field, Ranking, Run, Version
from primad.errors import FileError
from primad.store import database
from primad.store.models import Event
from tests.archive.described import write_run

pytestmark = pytest.mark.slow  # several processes are started in each

ADDING = """
import sys
from primad.store.database import configure
configure()
from primad.archive import archive, services
archive._BATCH = 4
opened = archive.Archive(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
for one in opened.add(sys.argv[2:]):
    print(one.status, one.address, flush=True)
"""


def added_at_once(archive: Archive, *parts: list[Path]) -> list[list[list[str]]]:
    """Let a process add each of PARTS, all beginning at once, and return what each of them says of its files."""
    database.close()
    running = [
        subprocess.Popen(
            [sys.executable, "-c", ADDING, str(archive.folder.path), *map(str, part)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for part in parts
    ]
    for process in running:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    said = []
    for process in running:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in running:
        output, _ = process.communicate(timeout=120)
        assert process.returncode == 0
        said.append([line.split() for line in output.splitlines()])
    return said


@contextmanager
def another_writer(archive: Archive) -> Iterator[None]:
    """Write to ARCHIVE from another connection for as long as this is open."""
    if archive.folder.is_sqlite:
        with closing(sqlite3.connect(archive.folder.sqlite, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
        return
    with psycopg.connect(archive.folder.secret) as server:
        server.execute("SELECT pg_advisory_xact_lock(%s)", [database._WRITERS])
        yield


def test_whoever_adds_waits_for_another_writer_and_says_so_in_the_end(
    archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_run(tmp_path)
    monkeypatch.setattr(database, "_PATIENCE", 1)  # second

    with another_writer(archive), pytest.raises(FileError) as caught:
        list(archive.add(path))
    (added,) = archive.add(path)

    assert caught.value.hint == "another process is writing for long; try again when it is done"
    assert added.status == "added"


def test_whoever_reads_or_backs_up_does_not_wait_for_a_writer(archive: Archive, tmp_path: Path) -> None:
    list(archive.add(write_run(tmp_path)))

    with another_writer(archive):
        archive.backup(tmp_path / "saved.tar")
        found = archive.run("bm25")

    assert found.tag == "bm25"
    assert Archive.restore(tmp_path / "saved.tar", tmp_path / "restored").verify().runs == 1


def test_processes_that_add_the_same_and_different_files_keep_each_once(archive: Archive, tmp_path: Path) -> None:
    same = [write_run(tmp_path, f"s{n}.run", f"s{n}", n % 4, **{f"method__own_{n}": n}) for n in range(12)]
    own = [[write_run(tmp_path, f"o{p}{n}.run", f"o{p}{n}", n % 4) for n in range(6)] for p in range(2)]

    first, second = added_at_once(archive, [*same, *own[0]], [*own[1], *reversed(same)])

    assert (len(first), len(second)) == (18, 18)
    statuses: dict[str, list[str]] = {}
    for status, address in first + second:
        statuses.setdefault(address, []).append(status)
    assert sorted(sorted(found) for found in statuses.values()) == sorted([["added", "known"]] * 12 + [["added"]] * 12)
    assert (Run.objects.count(), Version.objects.count(), Ranking.objects.count()) == (24, 24, 4)
    assert Event.objects.filter(verb="added").count() == 24
    assert Field.objects.count() == Field.objects.values("name").distinct().count()
    assert archive.verify().damage == ()
    assert archive.verify().leftovers == ()


def test_processes_that_make_the_same_new_collection_make_it_once(archive: Archive, tmp_path: Path) -> None:
    names = {"name": "Brand New", "ir_datasets": "brand/new"}
    parts = [[write_run(tmp_path, f"{p}.run", f"r{p}", data__test_collection=names)] for p in range(3)]

    said = added_at_once(archive, *parts)

    assert [[status for status, _ in lines] for lines in said] == [["added"]] * 3
    assert Collection.objects.get().name == "Brand New"
    assert Event.objects.filter(verb="collection").count() == 1
    assert set(Run.objects.values_list("collection__name", flat=True)) == {"Brand New"}


def test_processes_that_bring_versions_of_one_run_number_them_one_after_the_other(
    archive: Archive, tmp_path: Path
) -> None:
    first = write_run(tmp_path, "first.run")
    list(archive.add(first))
    parts = [[write_run(tmp_path, f"{n}.run", "bm25", 0, **{"run-version": f"{n}.0"})] for n in (2, 3)]

    added_at_once(archive, *parts)

    runs = Run.objects.order_by("pk")
    history = [list(run.versions.order_by("number").values_list("number", "run_version")) for run in runs]
    # Who comes second with a lower version is another run.
    assert history in ([[(1, "1.0"), (2, "2.0"), (3, "3.0")]], [[(1, "1.0"), (2, "3.0")], [(1, "2.0")]])
    assert archive.verify().damage == ()
