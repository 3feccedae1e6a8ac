"""Does a folder take its name whole or not at all, and is nothing lost of the one that had it before?"""

import os
import shutil
import signal
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from primad.errors import DataError, FileError
from primad.trec.files import TEMPORARY, atomic_folder

OLD = {"page.html": "old", "data/values.csv": "old"}
NEW = {"page.html": "new", "figures/effects.svg": "new"}


def fill(folder: Path, files: dict[str, str]) -> None:
    """Write FILES into FOLDER."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def content(folder: Path) -> dict[str, str]:
    """Return the files in FOLDER, however deep, with what they hold."""
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def former(tmp_path: Path) -> Path:
    """Return a folder that was there before."""
    fill(tmp_path / "report", OLD)
    return tmp_path / "report"


# Whole -------------------------------------------------------------------------------------------------------


def test_a_new_folder_has_what_was_written_and_is_all_that_is_left(tmp_path: Path) -> None:
    with atomic_folder(tmp_path / "report") as place:
        fill(place, NEW)
        during = (tmp_path / "report").exists()

    assert not during
    assert content(tmp_path / "report") == NEW
    assert names_in(tmp_path) == ["report"]


def test_a_former_folder_is_there_to_the_end_and_then_replaced_whole(former: Path) -> None:
    with atomic_folder(former) as place:
        fill(place, NEW)
        during = content(former)

    assert during == OLD
    assert content(former) == NEW
    assert names_in(former.parent) == ["report"]


@pytest.mark.parametrize("in_one_step", [True, False])
def test_a_former_folder_is_replaced_whole_on_any_file_system(
    former: Path, monkeypatch: pytest.MonkeyPatch, *, in_one_step: bool
) -> None:
    if not in_one_step:
        monkeypatch.setattr("primad.trec.files.swapped", lambda *_: False)

    with atomic_folder(former) as place:
        fill(place, NEW)

    assert content(former) == NEW
    assert names_in(former.parent) == ["report"]


def test_at_no_time_is_a_folder_missing_that_is_replaced(former: Path) -> None:
    with ThreadPoolExecutor(1) as threads:
        replacing = threads.submit(replace_often, former)
        missing = 0
        while not replacing.done():
            missing += not former.exists()

    assert replacing.result() == 100
    assert missing == 0


def replace_often(folder: Path) -> int:
    """Replace FOLDER a hundred times."""
    for count in range(100):
        with atomic_folder(folder) as place:
            fill(place, NEW | {"count": str(count)})
    return count + 1


def test_of_several_who_replace_a_folder_each_does(former: Path) -> None:
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(replace_often, [former] * 4)) == [100] * 4

    assert content(former) == NEW | {"count": "99"}
    assert names_in(former.parent) == ["report"]


def test_an_empty_folder_can_take_the_place_of_a_full_one(former: Path) -> None:
    with atomic_folder(former):
        pass

    assert names_in(former) == []


def test_a_path_may_be_text_without_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    with atomic_folder("report") as place:
        fill(place, NEW)

    assert content(tmp_path / "report") == NEW


def test_work_may_go_on_inside_of_the_folder_or_elsewhere(
    former: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)

    with atomic_folder("report") as place:
        fill(place, NEW)
        monkeypatch.chdir(tmp_path / "elsewhere")

    assert content(former) == NEW
    assert names_in(tmp_path / "elsewhere") == []


def test_a_new_folder_has_the_permissions_of_any_new_folder(tmp_path: Path) -> None:
    (tmp_path / "any").mkdir()

    with atomic_folder(tmp_path / "report"):
        pass

    assert stat.S_IMODE((tmp_path / "report").stat().st_mode) == stat.S_IMODE((tmp_path / "any").stat().st_mode)


@pytest.mark.parametrize("before", [{}, {"report": OLD}], ids=["which is not there yet", "which is replaced"])
def test_a_link_stays_a_link_and_its_target_is_written(tmp_path: Path, before: dict[str, Any]) -> None:
    (tmp_path / "far").mkdir()
    for name, files in before.items():
        fill(tmp_path / "far" / name, files)
    link = tmp_path / "link"
    link.symlink_to(Path("far") / "report")

    with atomic_folder(link) as place:
        fill(place, NEW)

    assert link.readlink() == Path("far") / "report"
    assert content(tmp_path / "far" / "report") == NEW
    assert names_in(tmp_path) == ["far", "link"]
    assert names_in(tmp_path / "far") == ["report"]


# Not at all --------------------------------------------------------------------------------------------------


def write_half(path: Path, error: BaseException) -> None:
    with atomic_folder(path) as place:
        fill(place, NEW)
        raise error


@pytest.mark.parametrize(
    "error",
    [
        pytest.param(ValueError("half way"), id="error"),
        pytest.param(DataError("half way"), id="error of ours"),
        pytest.param(KeyboardInterrupt("half way"), id="interrupt"),
        pytest.param(SystemExit("half way"), id="exit"),
    ],
)
def test_an_exception_half_way_is_passed_on_and_leaves_the_former_folder_and_nothing_else(
    former: Path, error: BaseException
) -> None:
    with pytest.raises(type(error), match="half way"):
        write_half(former, error)

    assert content(former) == OLD
    assert names_in(former.parent) == ["report"]


def test_an_exception_half_way_through_a_new_folder_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="half way"):
        write_half(tmp_path / "report", ValueError("half way"))

    assert names_in(tmp_path) == []


def test_a_disk_that_takes_no_more_leaves_the_former_folder_and_is_explained(former: Path) -> None:
    with pytest.raises(FileError) as caught:
        write_half(former, OSError(28, "No space left on device"))

    assert str(caught.value) == f"{former}: cannot be used (No space left on device)"
    assert content(former) == OLD
    assert names_in(former.parent) == ["report"]


def test_an_error_about_another_file_is_not_blamed_on_the_folder(former: Path) -> None:
    with pytest.raises(FileError) as caught, atomic_folder(former):
        Path("/elsewhere/gone").read_bytes()

    assert str(caught.value) == "/elsewhere/gone: cannot be used (No such file or directory)"
    assert content(former) == OLD
    assert names_in(former.parent) == ["report"]


def test_an_error_about_a_file_in_the_new_folder_names_the_folder_that_people_know(former: Path) -> None:
    with pytest.raises(FileError) as caught, atomic_folder(former) as place:
        (place / "gone").read_bytes()

    assert str(caught.value) == f"{former}: cannot be used (No such file or directory)"
    assert content(former) == OLD


@pytest.mark.parametrize("gone", [".", ".."], ids=["the new folder is gone", "so is where the former would be kept"])
def test_a_folder_that_cannot_take_the_name_leaves_the_former_one(former: Path, gone: str) -> None:
    with pytest.raises(FileError) as caught, atomic_folder(former) as place:
        shutil.rmtree((place / gone).resolve())

    assert str(caught.value) == f"{former}: cannot be used (No such file or directory)"
    assert content(former) == OLD
    assert names_in(former.parent) == ["report"]


def refuse_to_rename(names: set[str], error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what has one of NAMES keep it, with an ERROR, where names are not exchanged in one step."""
    rename = Path.rename

    def refusing(self: Path, target: Path) -> Path:
        if self.name in names:
            raise error
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", refusing)
    monkeypatch.setattr("primad.trec.files.swapped", lambda *_: False)


def test_an_interrupt_between_the_two_names_gives_the_former_folder_its_name_back(
    former: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse_to_rename({"new"}, KeyboardInterrupt(), monkeypatch)

    with pytest.raises(KeyboardInterrupt), atomic_folder(former) as place:
        fill(place, NEW)

    assert content(former) == OLD
    assert names_in(former.parent) == ["report"]


def test_a_former_folder_that_cannot_have_its_name_back_is_not_deleted(
    former: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse_to_rename({"new", "former"}, OSError(5, "Input/output error"), monkeypatch)

    with pytest.raises(FileError, match=r"cannot be used \(Input/output error\)"), atomic_folder(former) as place:
        fill(place, NEW)

    (kept,) = former.parent.iterdir()
    assert kept.name.startswith(TEMPORARY)
    assert content(kept / "former") == OLD


WRITE_HALF = """
import sys
from primad.trec.files import atomic_folder
with atomic_folder(sys.argv[1]) as place:
    (place / "page.html").write_text("new")
    print("half", flush=True)
    sys.stdin.read()
"""


def test_a_process_killed_half_way_leaves_the_former_folder_whole(former: Path) -> None:
    command = [sys.executable, "-c", WRITE_HALF, str(former)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        reached = process.stdout.readline()
        process.kill()

    assert (reached, process.returncode) == (b"half\n", -signal.SIGKILL)
    assert content(former) == OLD


# What is refused ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "found"),
    [
        pytest.param("missing/report", "cannot be made (No such file or directory)", id="parent missing"),
        pytest.param("file/report", "cannot be made (Not a directory)", id="parent a file"),
        pytest.param("file", "expected a folder, found a file; name another folder", id="file"),
        pytest.param("pipe", "expected a folder, found a file; name another folder", id="pipe"),
        pytest.param("to_file", "expected a folder, found a file; name another folder", id="link to a file"),
        pytest.param("a" * 300, "cannot be made (File name too long)", id="name too long"),
    ],
)
def test_a_place_that_no_folder_can_take_is_refused_before_any_work(tmp_path: Path, name: str, found: str) -> None:
    (tmp_path / "file").write_text("mine")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "to_file").symlink_to("file")

    with pytest.raises(FileError) as caught, atomic_folder(tmp_path / name):
        raise AssertionError("nothing may be done")

    assert str(caught.value) == f"{tmp_path / name}: {found}"
    assert names_in(tmp_path) == ["file", "pipe", "to_file"]
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize("name", ["a\0b", "loop"], ids=["a NUL", "a link to itself"])
def test_a_name_that_no_folder_can_have_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "loop").symlink_to("loop")

    with pytest.raises(FileError) as caught, atomic_folder(tmp_path / name):
        raise AssertionError("nothing may be done")

    assert caught.value.path == str(tmp_path / name)
    assert names_in(tmp_path) == ["loop"]


def test_a_folder_where_a_disk_is_mounted_is_refused() -> None:
    with pytest.raises(FileError) as caught, atomic_folder("/"):
        raise AssertionError("nothing may be done")

    assert str(caught.value) == "/: is where a disk is mounted, and cannot be replaced; name a folder in it"


@pytest.mark.parametrize("name", [".", "..", "../report", "link"])
def test_the_working_folder_and_those_above_it_are_never_replaced(
    former: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (former / "link").symlink_to(former)
    monkeypatch.chdir(former)

    with pytest.raises(FileError) as caught, atomic_folder(name):
        raise AssertionError("nothing may be done")

    expected = "is the working folder, or holds it, and cannot be replaced; name another folder"
    assert str(caught.value) == f"{name}: {expected}"
    assert {name: text for name, text in content(former).items() if name in OLD} == OLD
