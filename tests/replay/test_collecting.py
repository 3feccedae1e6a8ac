"""Are the files of an output collected whole, and nothing else?"""

import os
import socket
from hashlib import sha256
from pathlib import Path

import pytest

from primad.errors import FileError
from primad.replay.collecting import collect
from primad.replay.result import Limits, Produced

LIMITS = Limits(output=1000, files=5)


def write(folder: Path, name: str, content: bytes = b"x") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def paths(folder: Path, limits: Limits = LIMITS) -> list[str]:
    return [produced.path for produced in collect(folder, limits)[0]]


def remarks(folder: Path, limits: Limits = LIMITS) -> tuple[str, ...]:
    return collect(folder, limits)[1]


def test_files_are_collected_with_size_and_digest_in_the_order_of_their_names(tmp_path: Path) -> None:
    write(tmp_path, "b/c.run", b"ranking")
    write(tmp_path, "a.txt", b"")

    assert collect(tmp_path, LIMITS) == (
        (
            Produced("a.txt", 0, sha256(b"").hexdigest()),
            Produced("b/c.run", 7, sha256(b"ranking").hexdigest()),
        ),
        (),
    )


def test_a_file_of_two_names_is_collected_under_both(tmp_path: Path) -> None:
    os.link(write(tmp_path, "a"), tmp_path / "b")

    assert paths(tmp_path) == ["a", "b"]


@pytest.mark.parametrize(
    ("target", "said"),
    [
        pytest.param("/etc/passwd", "'/etc/passwd', outside of the output,", id="absolute"),
        pytest.param("../../secret", "'../../secret', outside of the output,", id="upwards"),
        pytest.param("../outputs/x", "'../outputs/x', outside of the output,", id="beside"),
        pytest.param("a", "'a',", id="inside"),
        pytest.param("/replay/output/a", "'/replay/output/a',", id="inside as the system sees it"),
        pytest.param("/replay/output/../../etc", "'/replay/output/../../etc', outside of the output,", id="in and out"),
        pytest.param("/replay/outputs", "'/replay/outputs', outside of the output,", id="a longer name"),
    ],
)
def test_a_link_is_named_and_not_followed(tmp_path: Path, target: str, said: str) -> None:
    write(tmp_path, "a")
    (tmp_path / "link").symlink_to(target)

    assert paths(tmp_path) == ["a"]
    assert remarks(tmp_path) == (f"'link' is a link to {said} and was not followed",)


def test_a_folder_is_not_entered_by_a_link(tmp_path: Path) -> None:
    write(tmp_path, "outside/secret")
    (tmp_path / "output").mkdir()
    (tmp_path / "output" / "folder").symlink_to(tmp_path / "outside")

    assert paths(tmp_path / "output") == []


def test_pipes_and_sockets_are_named_and_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the address of a socket may not be long
    os.mkfifo("pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")

        assert collect(tmp_path, LIMITS) == (
            (),
            ("'pipe' is a pipe, and was left out", "'socket' is a socket, and was left out"),
        )


@pytest.mark.parametrize(
    ("name", "said"),
    [
        pytest.param(b"a\nb", r"'a\nb'", id="end of line"),
        pytest.param(b"\x1b[2J", r"'\x1b[2J'", id="for the terminal"),
        pytest.param(b"caf\xe9", r"'caf\udce9'", id="no UTF-8"),
        pytest.param("\u202egnp.exe".encode(), r"'\u202egnp.exe'", id="from right to left"),
        pytest.param(b"a\\b", r"'a\b'", id="two names on another system"),
    ],
)
def test_a_name_that_cannot_be_kept_is_spelled_out_and_left_out(tmp_path: Path, name: bytes, said: str) -> None:
    write(tmp_path, os.fsdecode(name))

    assert collect(tmp_path, LIMITS) == ((), (f"{said} has a name that cannot be kept, and was left out",))


def test_names_of_other_scripts_are_kept(tmp_path: Path) -> None:
    write(tmp_path, "Größe 結果.txt")

    assert paths(tmp_path) == ["Größe 結果.txt"]


def test_files_above_the_number_that_is_kept_are_named(tmp_path: Path) -> None:
    for number in range(7):
        write(tmp_path, str(number))

    assert paths(tmp_path) == ["0", "1", "2", "3", "4"]
    assert remarks(tmp_path) == (
        "'5' is more than the 5 files that are kept, and was left out",
        "'6' is more than the 5 files that are kept, and was left out",
    )


def test_bytes_above_the_number_that_is_kept_are_not_read(tmp_path: Path) -> None:
    write(tmp_path, "a", b"x" * 400)
    with write(tmp_path, "b").open("r+b") as stream:
        stream.truncate(1 << 40)  # a hole, which would take hours to read
    write(tmp_path, "c", b"x" * 600)
    write(tmp_path, "d")

    assert paths(tmp_path) == ["a", "c"]
    assert remarks(tmp_path) == (
        "'b' has 1.1 TB, more than is left of 1 kB, and was left out",
        "'d' has 1 bytes, more than is left of 1 kB, and was left out",
    )


def test_folders_that_lie_very_deep_are_left_out(tmp_path: Path) -> None:
    write(tmp_path, "d/" * 32 + "kept")
    write(tmp_path, "d/" * 33 + "lost")

    assert paths(tmp_path) == ["d/" * 32 + "kept"]
    assert remarks(tmp_path) == (f"'{'/'.join('d' * 33)}' lies deeper than 32 folders, and was left out",)


def test_very_many_remarks_are_counted(tmp_path: Path) -> None:
    for number in range(60):
        (tmp_path / f"{number:02}").symlink_to("/")

    said = remarks(tmp_path)

    assert len(said) == 51
    assert said[-1] == "10 more things were left out"


@pytest.mark.parametrize("kind", ["absent", "link", "file"])
def test_what_is_no_folder_is_refused(tmp_path: Path, kind: str) -> None:
    write(tmp_path, "file")
    (tmp_path / "link").symlink_to(tmp_path)

    with pytest.raises(FileError, match="cannot be read"):
        collect(tmp_path / kind, LIMITS)
