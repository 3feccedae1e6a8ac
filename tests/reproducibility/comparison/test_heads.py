"""Is the record of a run the same whether its ranking is read or not?"""

from __future__ import annotations

import gzip
import lzma
import os
from pathlib import Path

import pytest

from primad.errors import FileError, FormatError, NoMetadata
from primad.metadata.reading import read_record
from primad.reproducibility.comparison import read_head
from primad.safe_yaml import write_yaml
from tests.reproducibility.comparison.records import RANKING, record, run_file


@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress], ids=["plain", "gzip", "xz"])
def test_the_header_of_a_run_is_read_packed_or_not(tmp_path: Path, pack: type[bytes]) -> None:
    path = run_file(tmp_path / "bm25.run", record())
    path.write_bytes(pack(path.read_bytes()))

    assert read_head(str(path)).tree == read_record(path).tree == record().tree


def test_only_the_header_is_read(tmp_path: Path) -> None:
    path = run_file(tmp_path / "bm25.run", record())
    header = gzip.compress(path.read_bytes() + RANKING * 10_000)

    path.write_bytes(header[:-1000])  # damaged where only a reader of the ranking comes

    assert read_head(str(path)).tree == record().tree
    with pytest.raises(FileError, match="truncated or damaged archive"):
        read_record(path)


def test_comments_above_the_header_and_a_byte_order_mark_are_passed_over(tmp_path: Path) -> None:
    path = run_file(tmp_path / "bm25.run", record())
    path.write_bytes(b"\xef\xbb\xbf# made yesterday\n\n" + path.read_bytes())

    assert read_head(str(path)).tree == record().tree


@pytest.mark.parametrize("name", ["bm25.run.yml", "bm25.yml", "ir-metadata.yml"])
def test_a_run_without_header_has_the_record_beside_it(tmp_path: Path, name: str) -> None:
    (tmp_path / "bm25.run").write_bytes(RANKING)
    (tmp_path / name).write_text(write_yaml(record().tree))

    assert read_head(str(tmp_path / "bm25.run")).tree == record().tree


def test_a_file_that_came_later_is_found_beside_a_run(tmp_path: Path) -> None:
    run = tmp_path / "bm25.run"
    run.write_bytes(RANKING)
    with pytest.raises(NoMetadata, match="has no metadata, neither in the file nor beside it"):
        read_head(str(run))

    (tmp_path / "bm25.yml").write_text(write_yaml(record().tree))
    os.utime(tmp_path, ns=(1, 1))  # a clock too coarse to tell the two moments apart is no excuse

    assert read_head(str(run)).tree == record().tree


@pytest.mark.parametrize("name", ["record.yml", "record", "record.txt"])
def test_a_metadata_file_is_read_whatever_its_name(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("# a comment\n" + write_yaml(record().tree))

    assert read_head(str(tmp_path / name)).tree == record().tree


def test_two_headers_are_joined_as_elsewhere(tmp_path: Path) -> None:
    older = run_file(tmp_path / "bm25.run", record({"actor.mail": "old@example.org"}))
    run_file(older, record(without=("actor.mail",)), older.read_bytes())

    assert read_head(str(older)).tree == read_record(older).tree
    assert read_head(str(older))["actor.mail"] == "old@example.org"


@pytest.mark.parametrize(
    ("content", "error"),
    [
        pytest.param(b"# ir_metadata.start\n# tag: [\n# ir_metadata.end\n" + RANKING, FormatError, id="no YAML"),
        pytest.param(b"# ir_metadata.start\n# tag: x\n" + RANKING, FormatError, id="no end"),
        pytest.param(RANKING, NoMetadata, id="no header"),
        pytest.param(b"", FileError, id="empty"),
        pytest.param(b"\x1f\x8b\x08", FileError, id="broken archive"),
        pytest.param(b"\x00\xff" * 100, FileError, id="no text"),
    ],
)
def test_what_is_wrong_is_said_as_when_the_whole_file_is_read(
    tmp_path: Path, content: bytes, error: type[FileError]
) -> None:
    path = tmp_path / "bm25.run"
    path.write_bytes(content)

    with pytest.raises(error) as head:
        read_head(str(path))
    with pytest.raises(error) as whole:
        read_record(path)

    assert head.value.path == whole.value.path
    if error is FormatError:
        assert str(head.value) == str(whole.value)


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="no such file"):
        read_head(str(tmp_path / "gone.run"))
