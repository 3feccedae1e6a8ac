"""Are the files that were written found, and the runs among them, and nothing else?"""

import os
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from primad.metadata.recording import written
from primad.metadata.recording.written import Snapshot, looks_like_run, runs_written
from tests.trec.archives import KINDS, Pack

RUN = b"301 Q0 FT911-3 1 0.5 bm25\n301 Q0 FT911-4 2 0.25 bm25\n"
QRELS = b"301 0 FT911-3 1\n301 0 FT911-4 0\n"

each_kind = pytest.mark.parametrize("pack", [pytest.param(pack, id=kind) for kind, pack in KINDS.items()])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a file, and with a file in a folder, both older than a minute."""
    (tmp_path / "runs").mkdir()
    for name in ("old.run", "runs/old.run"):
        (tmp_path / name).write_bytes(RUN)
        os.utime(tmp_path / name, (time.time() - 60,) * 2)
    return tmp_path


def names_written(snapshot: Snapshot) -> list[str]:
    return [path.relative_to(snapshot.folder).as_posix() for path in snapshot.written_since()]


# What was written --------------------------------------------------------------------------------------------


def test_nothing_was_written_if_nothing_was_done(folder: Path) -> None:
    snapshot = Snapshot.of(folder)

    assert (snapshot.written_since(), snapshot.complete) == ([], True)


def write_new(folder: Path) -> None:
    (folder / "runs" / "new").write_bytes(b"")


def write_deep_down(folder: Path) -> None:
    (folder / "a" / "b").mkdir(parents=True)
    (folder / "a" / "b" / "c").write_bytes(b"")


def write_longer(folder: Path) -> None:
    with (folder / "old.run").open("ab") as stream:
        stream.write(RUN)


def write_same(folder: Path) -> None:
    (folder / "old.run").write_bytes(RUN)


def replace_with_old_time(folder: Path) -> None:
    before = (folder / "old.run").stat()
    (folder / "temporary").write_bytes(RUN)
    os.utime(folder / "temporary", ns=(before.st_atime_ns, before.st_mtime_ns))
    (folder / "temporary").replace(folder / "old.run")


def rename(folder: Path) -> None:
    (folder / "old.run").rename(folder / "new.run")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        pytest.param(write_new, ["runs/new"], id="a new file"),
        pytest.param(write_deep_down, ["a/b/c"], id="a new file in new folders"),
        pytest.param(write_longer, ["old.run"], id="a file that grew"),
        pytest.param(write_same, ["old.run"], id="the same content again"),
        pytest.param(replace_with_old_time, ["old.run"], id="another file of the same size and time"),
        pytest.param(rename, ["new.run"], id="a new name"),
    ],
)
def test_a_new_or_changed_file_was_written(folder: Path, change: Callable[[Path], None], expected: list[str]) -> None:
    snapshot = Snapshot.of(folder)

    change(folder)

    assert names_written(snapshot) == expected


def test_a_file_that_was_read_or_removed_was_not_written(folder: Path) -> None:
    snapshot = Snapshot.of(folder)

    (folder / "old.run").read_bytes()
    (folder / "runs" / "old.run").unlink()

    assert names_written(snapshot) == []


@pytest.mark.parametrize("name", [".hidden", ".git", "__pycache__", "node_modules", "runs/.cache", "runs/__pycache__"])
def test_folders_without_results_are_not_looked_into(folder: Path, name: str) -> None:
    snapshot = Snapshot.of(folder)

    (folder / name).mkdir()
    (folder / name / "new").write_bytes(RUN)
    (folder / "new").write_bytes(RUN)

    assert names_written(snapshot) == ["new"]


def test_a_virtual_environment_is_not_looked_into_unless_it_is_the_folder_itself(folder: Path) -> None:
    environment = folder / "my-environment"
    (environment / "lib").mkdir(parents=True)
    (environment / "pyvenv.cfg").touch()
    snapshots = [Snapshot.of(folder), Snapshot.of(environment)]

    (environment / "lib" / "new").write_bytes(RUN)

    assert [names_written(snapshot) for snapshot in snapshots] == [[], ["lib/new"]]


def test_only_regular_files_count_and_links_are_not_followed(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (folder / "link").symlink_to(elsewhere)
    snapshot = Snapshot.of(folder)

    (elsewhere / "new").write_bytes(RUN)
    (folder / "loop").symlink_to(folder)
    (folder / "new").symlink_to(elsewhere / "new")
    os.mkfifo(folder / "pipe")

    assert names_written(snapshot) == []


def test_names_that_are_no_text_are_found(folder: Path) -> None:
    snapshot = Snapshot.of(folder)

    name = os.fsdecode(b"caf\xe9 \n.run")
    (folder / name).write_bytes(RUN)

    assert snapshot.written_since() == [folder / name]


def test_as_many_entries_as_allowed_are_looked_at(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(written, "MAX_ENTRIES", 4)
    snapshot = Snapshot.of(folder)

    (folder / "new").write_bytes(RUN)

    assert (names_written(snapshot), snapshot.complete) == (["new"], True)


def test_with_more_entries_it_is_known_that_some_were_not_seen(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(written, "MAX_ENTRIES", 2)

    assert not Snapshot.of(folder).complete


def test_too_many_new_entries_are_noticed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(written, "MAX_ENTRIES", 4)
    snapshot = Snapshot.of(folder)
    was_complete = snapshot.complete

    for name in ("a", "b", "c"):
        (folder / name).write_bytes(RUN)

    assert names_written(snapshot) == ["a", "b", "c"]
    assert (was_complete, snapshot.complete) == (True, False)


def test_an_old_file_that_was_overlooked_is_not_taken_for_new(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    time.sleep(0.1)  # the change of the old file must lie before the snapshot, by the clock of the file system
    monkeypatch.setattr(written, "MAX_ENTRIES", 2)
    snapshot = Snapshot.of(folder)

    monkeypatch.setattr(written, "MAX_ENTRIES", 100)
    (folder / "runs" / "new").write_bytes(RUN)

    assert names_written(snapshot) == ["runs/new"]


def test_a_folder_that_is_not_there_has_no_files(tmp_path: Path) -> None:
    assert Snapshot.of(tmp_path / "missing").written_since() == []


# What is a run -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(RUN, id="plain"),
        pytest.param(RUN.rstrip(), id="no newline at the end"),
        pytest.param(RUN.replace(b" ", b"\t"), id="tabs"),
        pytest.param(RUN.replace(b" ", b"   "), id="many blanks"),
        pytest.param(RUN.replace(b"\n", b"\r\n"), id="line ends of another system"),
        pytest.param(RUN.replace(b"Q0", b"q0"), id="q0"),
        pytest.param(RUN.replace(b"Q0", b"0"), id="0 for Q0"),
        pytest.param(b"# a comment\n\n" + RUN + b"# another\n", id="comments and blank lines"),
        pytest.param(b"# ir_metadata.start\n# tag: bm25\n# ir_metadata.end\n" + RUN, id="metadata"),
        pytest.param(b"ir_metadata.start\n#tag: bm25\nir_metadata.end\n" + RUN, id="metadata between bare markers"),
        pytest.param(b"\xef\xbb\xbf# a comment\n" + RUN, id="a byte order mark and a comment"),
        pytest.param(b"\xef\xbb\xbf" + RUN, id="a byte order mark"),
        pytest.param(b"# " + b"x" * 200_000 + b"\n" + RUN, id="a long comment"),
        pytest.param(b"# tag: bm25\n" * 20_000 + RUN, id="many comments"),
        pytest.param(b"301 Q0 d 0 -1.5e-3 my long tag\n", id="a negative score in a tag of words"),
        pytest.param("301 Q0 Straße 1 5. tag\n".encode("latin-1"), id="other bytes than ASCII"),
        pytest.param(RUN * 100 + QRELS, id="wrong lines behind the first hundred"),
        pytest.param(b"301 Q0 FT911-3 1 0.5\n" + RUN, id="a first line without tag"),
        pytest.param(b"301 Q0 FT911-3 1 0.5\n", id="five columns"),
        pytest.param(RUN + QRELS, id="qrels behind a run"),
        pytest.param(RUN + b"301 Q0 FT9", id="a last line cut short"),
        pytest.param(b"301 Q0 d first 0.5 tag\n", id="a word for a rank"),
        pytest.param(b"301 Q0 d 1 high tag\n", id="a word for a score"),
        pytest.param(b"301 Q0 d 1 nan tag\n", id="not a number"),
    ],
)
def test_a_run_looks_like_one(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a").write_bytes(content)

    assert looks_like_run(tmp_path / "a")


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"# a comment\n", id="only comments"),
        pytest.param(b"# a comment\n" * 500_000 + RUN, id="megabytes of comments"),
        pytest.param(QRELS, id="qrels"),
        pytest.param(QRELS.replace(b" 0 ", b" Q0 ", 1), id="qrels with Q0"),
        pytest.param(RUN + QRELS * 2, id="a run before qrels"),
        pytest.param(b"A run has lines such as\n\n" + RUN[:26] + b"\nand so on\n", id="a text that quotes a run"),
        pytest.param(b"1\t2\t3\t4\t5\t6\n", id="a table of numbers"),
        pytest.param(b"0.5 0 0.1 0.2 0.3 0.1\n", id="a table of fractions"),
        pytest.param(b"301 0 d 1 1e999 tag\n", id="0 for Q0 and more than a number can be"),
        pytest.param(b"301 0 d 1 1.2.3 tag\n", id="0 for Q0 and a version for a score"),
        pytest.param(b"\0" * 5_000_000, id="zeros"),
        pytest.param(bytes(range(256)) * 100, id="all bytes there are"),
    ],
)
def test_anything_else_does_not(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.run").write_bytes(content)

    assert not looks_like_run(tmp_path / "a.run")


@each_kind
def test_a_packed_run_looks_like_one_whatever_its_name(tmp_path: Path, pack: Pack) -> None:
    (tmp_path / "run").write_bytes(pack(RUN))
    (tmp_path / "qrels").write_bytes(pack(QRELS))

    assert [looks_like_run(tmp_path / name) for name in ("run", "qrels")] == [True, False]


@each_kind
def test_a_damaged_archive_does_not(tmp_path: Path, pack: Pack) -> None:
    packed = pack(RUN)
    (tmp_path / "cut").write_bytes(packed[: len(packed) // 2])
    (tmp_path / "wrong").write_bytes(packed[:8] + b"\xff" * 20 + packed[28:])

    assert [looks_like_run(tmp_path / name) for name in ("cut", "wrong")] == [False, False]


@each_kind
def test_of_a_large_archive_only_the_start_is_unpacked(tmp_path: Path, pack: Pack) -> None:
    (tmp_path / "zeros").write_bytes(pack(RUN + bytes(50_000_000)))

    tracemalloc.start()
    try:
        verdict = looks_like_run(tmp_path / "zeros")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert not verdict
    assert peak < 25_000_000


def test_what_cannot_be_read_does_not(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    assert [looks_like_run(tmp_path / name) for name in ("pipe", "missing", ".")] == [False, False, False]


def test_the_runs_among_what_was_written_are_found(folder: Path) -> None:
    snapshot = Snapshot.of(folder)

    (folder / "z.run").write_bytes(RUN)
    (folder / "runs" / "a.gz").write_bytes(KINDS["gzip"](RUN))
    (folder / "qrels.txt").write_bytes(QRELS)
    (folder / "log.txt").write_bytes(b"done\n")

    assert runs_written(snapshot) == [folder / "runs" / "a.gz", folder / "z.run"]


@pytest.mark.parametrize("module", ["command", "energy", "trace", "written"])
def test_nothing_heavy_is_imported(module: str) -> None:
    heavy = {"numpy", "polars", "pydantic", "psutil"}
    code = f"import sys, primad.metadata.recording.{module}; print({heavy} & set(sys.modules))"

    assert subprocess.check_output([sys.executable, "-c", code]) == b"set()\n"
