"""Does `primad strip` print the ranking and nothing but the ranking, byte by byte?"""

import gzip
import subprocess
import sys
from pathlib import Path

import pytest

from primad.metadata.header import with_block
from primad.trec.files import read_bytes
from tests.cli.running import Outcome, primad

PRIMAD = str(Path(sys.executable).with_name("primad"))
HEADER = with_block("tag: bm25\n", b"")

each_ranking = pytest.mark.parametrize(
    "ranking",
    [
        pytest.param(b"1 Q0 a 1 1.0 bm25\n", id="plain"),
        pytest.param(b"1 Q0 a 1 1.0 bm25\r\n1\tQ0\tb  2 0.5 bm25\r\n", id="tabs and Windows line ends"),
        pytest.param(b"1 Q0 caf\xe9 1 1.0 bm25\n", id="bytes that are no text"),
        pytest.param(b"1 Q0 a 1 1.0 bm25\n# a comment\n\n1 Q0 b 2 0.5 bm25", id="comment below, no newline at the end"),
        pytest.param(b"", id="nothing"),
    ],
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@each_ranking
@pytest.mark.parametrize(
    "header",
    [
        pytest.param(HEADER, id="header"),
        pytest.param(b"\xef\xbb\xbf" + HEADER + b"# a comment\n\n" + HEADER, id="two headers and a mark"),
        pytest.param(b"ir_metadata.start\n# tag: a\nir_metadata.end\n", id="markers without number sign"),
        pytest.param(b"# ir_metadata.start\n# tag: [\n", id="broken header"),
        pytest.param(b"", id="no header"),
    ],
)
def test_the_ranking_is_printed_byte_by_byte(folder: Path, header: bytes, ranking: bytes) -> None:
    (folder / "a.run").write_bytes(header + ranking)

    outcome = primad("strip", "a.run")

    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.encode("utf-8", "surrogateescape") == ranking


def test_the_program_itself_prints_the_same_bytes(folder: Path) -> None:
    ranking = b"1 Q0 caf\xe9 1 1.0 bm25\r\n# a comment\n1 Q0 \xff 2 0.5 bm25"
    (folder / "a.run.gz").write_bytes(gzip.compress(HEADER + ranking))

    done = subprocess.run([PRIMAD, "strip", "a.run.gz"], capture_output=True, check=False)

    assert (done.returncode, done.stdout, done.stderr) == (0, ranking, b"")


def test_a_run_is_read_from_standard_input() -> None:
    assert primad("strip", "-", stdin=HEADER + b"1 Q0 a 1 1.0 t\n") == Outcome(0, "1 Q0 a 1 1.0 t\n", "")


@pytest.mark.parametrize(
    ("name", "magic"),
    [
        pytest.param("plain.run", b"1 Q0", id="plain"),
        pytest.param("plain.run.gz", b"\x1f\x8b", id="gzip"),
        pytest.param("plain.run.bz2", b"BZh", id="bzip2"),
        pytest.param("plain.run.xz", b"\xfd7zXZ", id="xz"),
        pytest.param("plain.run.zst", b"\x28\xb5\x2f\xfd", id="zstd"),
    ],
)
def test_a_file_is_packed_as_its_name_says(folder: Path, name: str, magic: bytes) -> None:
    (folder / "a.run").write_bytes(HEADER + b"1 Q0 a 1 1.0 t\n")

    assert primad("strip", "a.run", "--output", name) == Outcome(0, "", "")
    assert (folder / name).read_bytes().startswith(magic)
    assert read_bytes(folder / name) == b"1 Q0 a 1 1.0 t\n"


def test_a_file_that_does_not_exist_is_one_message_and_nothing_is_written(folder: Path) -> None:
    assert primad("strip", "gone.run", "-o", "x") == Outcome(1, "", "primad: gone.run: no such file\n")
    assert list(folder.iterdir()) == []


def test_an_output_that_cannot_be_written_is_one_message(folder: Path) -> None:
    (folder / "a.run").write_bytes(b"1 Q0 a 1 1.0 t\n")

    outcome = primad("strip", "a.run", "-o", "nowhere/x")

    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("primad: nowhere/x: cannot be written")


@pytest.mark.parametrize(
    ("content", "found"),
    [
        pytest.param(b"tag: bm25\n", "tag: bm25", id="metadata"),
        pytest.param(
            b"# a title\n\nSome text of more than six words\n", "Some text of more than six words", id="a text"
        ),
        pytest.param(b"301 0 FT911-3 1\n", "301 0 FT911-3 1", id="qrels"),
    ],
)
def test_what_is_no_run_is_refused_with_what_was_found(folder: Path, content: bytes, found: str) -> None:
    (folder / "a.run").write_bytes(content)

    expected = f"expected a run (topic Q0 document rank score tag), found '{found}'; is it the file you meant?"
    assert primad("strip", "a.run", "-o", "x") == Outcome(1, "", f"primad: a.run: {expected}\n")
    assert not (folder / "x").exists()


def test_a_broken_run_is_stripped_all_the_same(folder: Path) -> None:
    (folder / "a.run").write_bytes(HEADER + b"1 Q0 a 1 1.0\n1 Q0 b 2 0.5 bm25\n")

    assert primad("strip", "a.run") == Outcome(0, "1 Q0 a 1 1.0\n1 Q0 b 2 0.5 bm25\n", "")
