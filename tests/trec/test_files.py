"""Do bytes come from files whole, and get back to the disk whole or not at all?"""

import hashlib
import os
import re
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from primad.errors import FileError, PrimadError
from primad.trec import read_run
from primad.trec.files import atomic_write, name_of, packing_of, read_bytes
from tests.trec.archives import KINDS, Pack, pack_gzip

CONTENT = b"301 Q0 FT911-3 1 0.5 bm25\n302 Q0 FT911-4 1 0.25 bm25\n"

each_kind = pytest.mark.parametrize("pack", [pytest.param(pack, id=kind) for kind, pack in KINDS.items()])


SUFFIXES = {KINDS["gzip"]: ".gz", KINDS["bzip2"]: ".bz2", KINDS["xz"]: ".xz", KINDS["zstd"]: ".zst"}


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# Reading -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("a.run", "a.run", id="text"),
        pytest.param(Path("runs/a.run"), "runs/a.run", id="a path"),
        pytest.param("-", "<stdin>", id="standard input"),
        pytest.param(b"301 0 d1 1", "<bytes>", id="bytes"),
    ],
)
def test_messages_call_a_source_by_its_name(source: str | Path | bytes, expected: str) -> None:
    assert name_of(source) == expected


@each_kind
@pytest.mark.parametrize("name", ["a.run", "a.run.gz", "a.run.bz2", "a.run.xz", "a.run.zst", "a"])
def test_an_archive_is_unpacked_whatever_its_name(tmp_path: Path, pack: Pack, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(pack(CONTENT))

    assert read_bytes(path) == CONTENT


@pytest.mark.parametrize("name", ["a.run", "a.run.gz", "a.run.bz2", "a.run.xz", "a.run.zst"])
def test_a_plain_file_is_taken_as_it_is_whatever_its_name(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(CONTENT)

    assert read_bytes(str(path)) == CONTENT


@each_kind
def test_all_members_of_an_archive_are_unpacked(pack: Pack) -> None:
    half = len(CONTENT) // 2

    assert read_bytes(pack(CONTENT[:half]) + pack(b"") + pack(CONTENT[half:])) == CONTENT


@each_kind
def test_an_archive_of_nothing_unpacks_to_nothing(pack: Pack) -> None:
    assert read_bytes(pack(b"")) == b""


@pytest.mark.parametrize("word", [b"BZh", b"BZh9", b"7zXZ", b"(", b"(\xb5/"])
def test_text_that_begins_nearly_like_an_archive_is_text(word: bytes) -> None:
    assert read_bytes(word + b" 0 d1 1\n") == word + b" 0 d1 1\n"


@each_kind
def test_an_archive_cut_anywhere_is_refused(pack: Pack) -> None:
    packed = pack(CONTENT)
    accepted = []

    for length in range(len(packed)):
        try:
            accepted.append((length, read_run(packed[:length])))
        except PrimadError:
            continue

    assert accepted == []


@each_kind
def test_a_cut_archive_is_named_and_called_damaged(tmp_path: Path, pack: Pack) -> None:
    path = tmp_path / "a.run"
    path.write_bytes(pack(CONTENT)[:-5])

    with pytest.raises(FileError) as caught:
        read_bytes(path)

    parts = r": truncated or damaged archive \(\w.*\); fetch or write it again"
    assert re.fullmatch(re.escape(str(path)) + parts, str(caught.value))


@each_kind
def test_an_archive_with_a_wrong_byte_in_the_middle_is_refused(pack: Pack) -> None:
    packed = bytearray(pack(CONTENT))
    packed[len(packed) // 2] ^= 0xFF

    with pytest.raises(FileError, match=r"^<bytes>: truncated or damaged archive \(.+\); fetch or write it again$"):
        read_bytes(bytes(packed))


@each_kind
def test_an_archive_may_unpack_to_the_limit_and_no_further(pack: Pack) -> None:
    packed = pack(bytes(1000))

    assert read_bytes(packed, limit=1000) == bytes(1000)
    with pytest.raises(FileError) as caught:
        read_bytes(packed, limit=999)
    assert str(caught.value) == "<bytes>: unpacks to more than 999 bytes; unpack it by hand first"


def test_a_plain_file_may_have_as_many_bytes_as_the_limit_and_no_more(tmp_path: Path) -> None:
    path = tmp_path / "plain"
    path.write_bytes(bytes(1000))

    assert read_bytes(path, limit=1000) == bytes(1000)
    with pytest.raises(FileError, match="plain: expected at most 999 bytes, found more; if it is the file you meant"):
        read_bytes(path, limit=999)


@pytest.mark.parametrize("limit", [0, 1, 1000, 20 << 20])
def test_a_device_without_end_is_refused(limit: int) -> None:
    with pytest.raises(FileError, match=f"/dev/zero: expected at most {limit:,} bytes, found more"):
        read_bytes("/dev/zero", limit=limit)


@pytest.mark.parametrize("size", [0, 1, (16 << 20) + 1])
def test_a_pipe_is_read_to_its_end(size: int) -> None:
    content = bytes(range(250)) * (size // 250) + bytes(size % 250)
    code = "import hashlib; from primad.trec.files import read_bytes; "
    code += "print(hashlib.sha256(read_bytes('-', limit=40 << 20)).hexdigest())"

    said = subprocess.run([sys.executable, "-c", code], input=content, capture_output=True, check=True)

    assert said.stdout.decode().strip() == hashlib.sha256(content).hexdigest()


def test_a_file_that_is_larger_than_the_memory_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "large"
    with path.open("wb") as stream:
        stream.truncate(2 << 30)
    code = "import resource, sys; from primad.errors import FileError; from primad.trec.files import read_bytes\n"
    code += "resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))\n"
    code += "try: read_bytes(sys.argv[1])\nexcept FileError as error: print(error.found)"

    said = subprocess.run([sys.executable, "-c", code, path], capture_output=True, check=True)

    assert said.stdout.decode() == "is larger than there is memory\n"


def test_the_limit_counts_all_members_together() -> None:
    with pytest.raises(FileError, match="unpacks to more than 1,999 bytes"):
        read_bytes(pack_gzip(bytes(1000)) + pack_gzip(bytes(1000)), limit=1999)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileError) as caught:
        read_bytes(tmp_path / "a.run")

    assert str(caught.value) == f"{tmp_path}/a.run: no such file"


def test_a_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError) as caught:
        read_bytes(tmp_path)

    assert str(caught.value) == f"{tmp_path}: expected a file, found a directory; name the files in it"


def test_a_link_to_itself_is_refused(tmp_path: Path) -> None:
    link = tmp_path / "a.run"
    link.symlink_to(link)

    with pytest.raises(FileError) as caught:
        read_bytes(link)

    assert str(caught.value) == f"{link}: cannot be read (Too many levels of symbolic links)"


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        pytest.param("/proc/self/mem", "Input/output error", id="a file that fails when it is read"),
        pytest.param("a" * 300, "File name too long", id="a name too long"),
        pytest.param("a\0b", "embedded null byte", id="a name with a NUL"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_the_reason(path: str, reason: str) -> None:
    with pytest.raises(FileError) as caught:
        read_bytes(path)

    assert str(caught.value) == f"{path}: cannot be read ({reason})"


READ_STDIN = """
import primad
try:
    run = primad.read_run("-")
    print(run.to_dict(), run.tag)
except primad.PrimadError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param(CONTENT, "{'301': {'FT911-3': 0.5}, '302': {'FT911-4': 0.25}} bm25\n", id="text"),
        pytest.param(pack_gzip(CONTENT), "{'301': {'FT911-3': 0.5}, '302': {'FT911-4': 0.25}} bm25\n", id="an archive"),
        pytest.param(
            b"301 Q0 FT911-3 1 high bm25\n",
            "<stdin>:1: expected a finite number as score, found 'high'\n",
            id="a wrong line",
        ),
        pytest.param(
            b"",
            "<stdin>: expected 6 columns (topic Q0 document rank score tag), found none; "
            "the file is empty or has only comments\n",
            id="nothing",
        ),
    ],
)
def test_a_dash_means_standard_input(given: bytes, expected: str) -> None:
    done = subprocess.run([sys.executable, "-c", READ_STDIN], input=given, capture_output=True, check=True)

    assert done.stdout.decode() == expected


# Writing -----------------------------------------------------------------------------------------------------


def test_a_new_file_has_what_was_written(tmp_path: Path) -> None:
    with atomic_write(tmp_path / "a") as stream:
        stream.write(b"one ")
        stream.write(b"two")

    assert (tmp_path / "a").read_bytes() == b"one two"
    assert names_in(tmp_path) == ["a"]


def test_nothing_changes_before_the_end_of_writing(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")

    with atomic_write(tmp_path / "a") as stream:
        stream.write(b"new")
        stream.flush()
        during = (tmp_path / "a").read_bytes()

    assert (during, (tmp_path / "a").read_bytes()) == (b"old", b"new")


def write_half(path: Path, error: BaseException) -> None:
    with atomic_write(path) as stream:
        stream.write(b"new")
        raise error


@pytest.mark.parametrize("error", [ValueError("half way"), KeyboardInterrupt("half way")], ids=["error", "interrupt"])
def test_an_exception_half_way_leaves_the_old_file_and_nothing_else(tmp_path: Path, error: BaseException) -> None:
    (tmp_path / "a").write_bytes(b"old")

    with pytest.raises(type(error), match="half way"):
        write_half(tmp_path / "a", error)

    assert (tmp_path / "a").read_bytes() == b"old"
    assert names_in(tmp_path) == ["a"]


def test_an_exception_half_way_through_a_new_file_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="half way"):
        write_half(tmp_path / "a", ValueError("half way"))

    assert names_in(tmp_path) == []


WRITE_HALF = """
import sys
from primad.trec.files import atomic_write
with atomic_write(sys.argv[1]) as stream:
    stream.write(b"new")
    stream.flush()
    print("half", flush=True)
    sys.stdin.read()
"""


def test_a_process_killed_half_way_leaves_the_old_file_whole(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")

    command = [sys.executable, "-c", WRITE_HALF, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        reached = process.stdout.readline()
        process.kill()

    assert (reached, process.returncode) == (b"half\n", -signal.SIGKILL)
    assert path.read_bytes() == b"old"


WRITE_FOREVER = """
import itertools, sys
from primad.trec.files import atomic_write
for letter in itertools.cycle((b"a", b"b")):
    with atomic_write(sys.argv[1]) as stream:
        for _ in range(1000):
            stream.write(letter * 1000)
    print("done", flush=True)
"""


def test_a_process_killed_at_any_moment_leaves_a_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "a"

    with subprocess.Popen([sys.executable, "-c", WRITE_FOREVER, path], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        reached = [process.stdout.readline() for _ in range(5)]
        process.kill()

    assert reached == [b"done\n"] * 5
    assert path.read_bytes() in {b"a" * 1_000_000, b"b" * 1_000_000}


FILL_THE_DISK = """
import resource, sys, primad
run = primad.Run.from_dict({"301": {f"d{number}": number for number in range(5000)}})
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    primad.write_run(run, sys.argv[1])
except Exception as error:
    print(type(error).__name__, error)
"""


def test_a_disk_that_takes_no_more_leaves_the_old_file_and_is_explained(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_bytes(b"old")

    done = subprocess.run([sys.executable, "-c", FILL_THE_DISK, path], capture_output=True, check=True, text=True)

    assert path.read_bytes() == b"old"
    assert names_in(tmp_path) == ["a.run"]
    assert done.stdout == f"FileError {path}: cannot be written (File too large)\n"


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o755], ids=oct)
def test_a_replaced_file_keeps_its_permissions(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    path.chmod(mode)

    with atomic_write(path) as stream:
        stream.write(b"new")

    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "any").touch()

    with atomic_write(tmp_path / "a") as stream:
        stream.write(b"new")

    assert (tmp_path / "a").stat().st_mode == (tmp_path / "any").stat().st_mode


@pytest.mark.parametrize("before", [[], ["target"]], ids=["which is not there yet", "which is replaced"])
def test_a_link_stays_a_link_and_its_target_is_written(tmp_path: Path, before: list[str]) -> None:
    (tmp_path / "folder").mkdir()
    for name in before:
        (tmp_path / "folder" / name).write_bytes(b"old")
    link = tmp_path / "link"
    link.symlink_to(Path("folder") / "target")

    with atomic_write(link) as stream:
        stream.write(b"new")

    assert link.readlink() == Path("folder") / "target"
    assert (tmp_path / "folder" / "target").read_bytes() == b"new"
    assert names_in(tmp_path) == ["folder", "link"]


def test_a_path_without_a_folder_is_written_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    with atomic_write("a") as stream:
        stream.write(b"new")

    assert (tmp_path / "a").read_bytes() == b"new"


def test_the_longest_name_that_the_disk_takes_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("a" * os.pathconf(tmp_path, "PC_NAME_MAX"))

    with atomic_write(path) as stream:
        stream.write(b"new")

    assert path.read_bytes() == b"new"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        pytest.param("missing/a", "No such file or directory", id="a folder that does not exist"),
        pytest.param("file/a", "Not a directory", id="a folder that is a file"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused_with_the_reason(tmp_path: Path, name: str, reason: str) -> None:
    (tmp_path / "file").write_bytes(b"old")

    with pytest.raises(FileError) as caught, atomic_write(tmp_path / name):
        raise AssertionError("nothing may be written")

    assert str(caught.value) == f"{tmp_path / name}: cannot be written ({reason})"
    assert names_in(tmp_path) == ["file"]


@pytest.mark.parametrize("name", ["folder", "a\0b", "loop"], ids=["a directory", "a NUL", "a link to itself"])
def test_a_place_that_no_file_can_take_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to("loop")

    with pytest.raises(FileError) as caught, atomic_write(tmp_path / name) as stream:
        stream.write(b"new")

    assert caught.value.path == str(tmp_path / name)
    assert names_in(tmp_path) == ["folder", "loop"]


def test_a_pipe_is_never_replaced_by_a_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)  # so that whoever opens it to write need not wait

    try:
        with atomic_write(pipe) as stream:
            stream.write(b"new")
    except PrimadError:
        pass  # to refuse it is as good as to write into it
    finally:
        os.close(reader)

    assert pipe.is_fifo()


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz", ".zst"])
def test_a_file_is_packed_as_its_name_says(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"my.run{suffix}"

    with atomic_write(path) as stream:
        stream.write(b"content" * 1000)

    assert len(path.read_bytes()) < 1000
    assert read_bytes(path) == b"content" * 1000


@each_kind
@pytest.mark.parametrize("name", ["a.run", "a.run.gz", "a.run.xz"])
def test_a_file_is_known_as_packed_by_its_content_whatever_its_name(tmp_path: Path, pack: Pack, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(pack(CONTENT))

    assert packing_of(path) == SUFFIXES[pack]


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(CONTENT, id="a run"),
        pytest.param(b"", id="nothing"),
        pytest.param(b"\x1f", id="half of what gzip begins with"),
        pytest.param(b"BZh9 0 d1 1 0.5 bm25", id="a word that begins like bzip2"),
        pytest.param(b" " + pack_gzip(CONTENT), id="an archive behind something else"),
    ],
)
def test_a_plain_file_is_known_as_such_whatever_its_name(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.run.gz"
    path.write_bytes(content)

    assert packing_of(path) == ""


@each_kind
@pytest.mark.parametrize("name", ["a.run", "a.run.gz", "a.run.zst"])
def test_a_file_is_packed_as_one_says_rather_than_as_its_name_does(tmp_path: Path, pack: Pack, name: str) -> None:
    path = tmp_path / name

    with atomic_write(path, packing=SUFFIXES[pack]) as stream:
        stream.write(CONTENT)

    assert packing_of(path) == SUFFIXES[pack]
    assert read_bytes(path) == CONTENT


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz", ".zst"])
def test_a_file_that_shall_not_be_packed_is_not_whatever_its_name(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a.run{suffix}"

    with atomic_write(path, packing="") as stream:
        stream.write(CONTENT)

    assert path.read_bytes() == CONTENT


def test_the_same_content_is_packed_to_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a.gz", "b.gz"):
        with atomic_write(tmp_path / name) as stream:
            stream.write(b"content")

    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()


def test_an_error_about_another_file_is_not_blamed_on_the_one_written(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="elsewhere"), atomic_write(tmp_path / "my.run"):
        Path("/elsewhere/gone").read_bytes()

    assert names_in(tmp_path) == []


def test_a_pipe_can_be_written_to() -> None:
    code = "from primad.trec.files import atomic_write\nwith atomic_write('/dev/stdout') as s: s.write(b'x')"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)

    assert done.stdout == b"x"


def test_a_name_that_no_file_can_have_is_refused(tmp_path: Path) -> None:
    path = tmp_path / ("a" * 300)

    with pytest.raises(FileError, match=r"cannot be written \(File name too long\)$"), atomic_write(path) as stream:
        stream.write(b"1 Q0 d1 1 0.5 bm25\n")
