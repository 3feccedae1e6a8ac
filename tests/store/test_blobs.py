"""Are contents kept whole, under the name that is made of them, and never mistaken for others?"""

import hashlib
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from primad.errors import FileError
from primad.store import blobs as blobs_module
from primad.store.blobs import Blobs, digest_of, unpacked, write_once
from primad.trec.files import PACKINGS

DATA = b"301 Q0 d1 1 9.5 bm25\n" * 50


@pytest.fixture
def blobs(tmp_path: Path) -> Blobs:
    return Blobs(tmp_path / "blobs")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


def pack(data: bytes) -> bytes:
    packed: bytes = import_module(PACKINGS[".zst"]).compress(data)
    return packed


def test_a_content_is_found_by_the_sha256_of_its_bytes(blobs: Blobs) -> None:
    digest = blobs.put(DATA)

    assert digest == hashlib.sha256(DATA).hexdigest()
    assert blobs.get(digest) == DATA


def test_a_content_is_packed_and_nobody_may_write_to_it(blobs: Blobs) -> None:
    path = blobs.path_of(blobs.put(DATA))

    assert path.stat().st_size < len(DATA) / 5
    assert path.stat().st_mode & 0o777 == 0o444


@pytest.mark.parametrize("data", [b"", b"\0", b"\x28\xb5\x2f\xfd", b"\x1f\x8b"], ids=["none", "null", "zstd", "gzip"])
def test_bytes_that_look_like_nothing_or_packed_come_back_as_they_were(blobs: Blobs, data: bytes) -> None:
    assert blobs.get(blobs.put(data)) == data


def test_contents_are_listed_in_order_and_each_once(blobs: Blobs) -> None:
    digests = [blobs.put(str(number).encode()) for number in range(40)]
    blobs.put(b"7")

    assert list(blobs) == sorted(digests)


def test_a_folder_without_contents_has_none(blobs: Blobs) -> None:
    assert (list(blobs), list(blobs.leftovers()), digest_of(b"x") in blobs) == ([], [], False)


def test_a_content_that_is_missing_is_named_with_what_to_do(blobs: Blobs) -> None:
    digest = digest_of(b"never put")

    with pytest.raises(FileError) as caught:
        blobs.get(digest)

    assert str(caught.value) == (
        f"{blobs.path_of(digest)}: no such content; restore it from a backup, or add the file again"
    )


@pytest.mark.parametrize(
    ("spoil", "found"),
    [
        pytest.param(lambda packed: packed[:-5], "truncated or damaged archive", id="truncated"),
        pytest.param(lambda packed: packed[:8] + b"!" + packed[9:], "", id="one byte changed"),
        pytest.param(lambda _: b"", "holds other bytes than its name says", id="empty"),
        pytest.param(lambda _: pack(b"another"), "holds other bytes than its name says", id="another content"),
    ],
)
def test_a_damaged_content_is_never_handed_out(blobs: Blobs, spoil: "object", found: str) -> None:
    digest = blobs.put(DATA)
    path = blobs.path_of(digest)
    path.chmod(0o644)
    path.write_bytes(spoil(path.read_bytes()))  # type: ignore[operator]

    with pytest.raises(FileError) as caught:
        blobs.get(digest)

    assert caught.value.path == str(path)
    assert found in caught.value.found


def test_keeping_a_damaged_content_again_mends_it(blobs: Blobs) -> None:
    digest = blobs.put(DATA)
    path = blobs.path_of(digest)
    path.chmod(0o644)
    path.write_bytes(b"garbage")

    assert blobs.put(DATA) == digest
    assert blobs.get(digest) == DATA


def test_a_content_that_is_there_is_not_written_again(blobs: Blobs) -> None:
    path = blobs.path_of(blobs.put(DATA))
    before = path.stat().st_ino

    blobs.put(DATA)

    assert path.stat().st_ino == before


@pytest.mark.parametrize("name", ["", "../../etc/passwd", "A" * 64, "a" * 63, "a" * 65, "a" * 64 + "\n"])
def test_only_a_digest_is_the_name_of_a_content(blobs: Blobs, name: str) -> None:
    with pytest.raises(FileError, match="expected a SHA-256 of 64 hexadecimal digits"):
        blobs.path_of(name)


def test_what_was_half_written_is_a_leftover_and_no_content(blobs: Blobs) -> None:
    path = blobs.path_of(blobs.put(DATA))
    half = path.with_name(".primad-abc123")
    half.write_bytes(b"half")

    assert list(blobs.leftovers()) == [half]
    assert list(blobs) == [digest_of(DATA)]


def test_a_content_larger_than_can_be_read_again_is_refused(blobs: Blobs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blobs_module, "MAX_UNPACKED", 10)

    with pytest.raises(FileError, match="has more than 10 bytes"):
        blobs.put(b"eleven byte")

    assert names(blobs.folder.parent) == []


def test_packed_bytes_that_unpack_to_another_content_are_refused() -> None:
    with pytest.raises(FileError, match="holds other bytes than its name says"):
        unpacked(pack(b"another"), digest_of(DATA))


@pytest.mark.parametrize("count", [1, 20], ids=["few", "many"])
def test_contents_put_without_a_flush_can_be_read_before_and_after_it(blobs: Blobs, count: int) -> None:
    contents = [str(number).encode() for number in range(count)]
    digests = [blobs.put(data, flush=False) for data in contents]
    before = [blobs.get(digest) for digest in digests]

    blobs.flush(digests)

    assert before == [blobs.get(digest) for digest in digests] == contents


def test_a_flush_says_which_content_is_not_there(blobs: Blobs) -> None:
    blobs.put(DATA)

    with pytest.raises(FileError, match="cannot be written \\(No such file or directory\\)"):
        blobs.flush([digest_of(b"never put")])


def test_a_flush_of_nothing_needs_no_folder(blobs: Blobs) -> None:
    blobs.flush([])

    assert not blobs.folder.exists()


def test_where_the_system_cannot_flush_a_disk_each_content_is_flushed(
    blobs: Blobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    digests = [blobs.put(str(number).encode(), flush=False) for number in range(20)]
    flushed: list[str] = []
    monkeypatch.setattr(blobs_module, "_system_flush", lambda: None)
    monkeypatch.setattr(blobs_module, "flush_to_disk", lambda path: flushed.append(str(path)))

    blobs.flush(digests)

    assert {str(blobs.path_of(digest)) for digest in digests} < set(flushed)


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "blobs").write_text("in the way")

    with pytest.raises(FileError, match=r"blobs/.*: cannot be written \((File exists|Not a directory)\)"):
        Blobs(tmp_path / "blobs").put(DATA)


def test_a_write_that_fails_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)

    with pytest.raises(FileError, match="No space left on device"):
        write_once(tmp_path / "top" / "a", DATA, tmp_path / "top")

    assert names(tmp_path) == []


PUTTING = """
import sys
from pathlib import Path
from primad.store.blobs import Blobs

store = Blobs(Path(sys.argv[1]))
print(*[store.put(str(number % 50).encode() * 1000) for number in range(200)])
"""


def test_processes_that_keep_the_same_contents_at_once_keep_each_once(blobs: Blobs) -> None:
    command = [sys.executable, "-c", PUTTING, str(blobs.folder)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(3)]

    said = [process.communicate()[0] for process in running]

    assert [process.returncode for process in running] == [0, 0, 0]
    assert said[0] == said[1] == said[2]
    assert list(blobs) == sorted(set(said[0].decode().split()))
    assert [blobs.get(digest)[:1].isdigit() for digest in blobs] == [True] * 50
    assert list(blobs.leftovers()) == []
