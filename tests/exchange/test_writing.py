"""Does what is exported come onto the disk whole, or not at all?"""

import os
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from primad.errors import DataError, FileError, UsageError
from primad.exchange import formats, writing
from primad.exchange.catalogue import formats as all_formats
from primad.exchange.formats import Format, Written
from primad.exchange.thing import File, Statement, Thing
from primad.exchange.writing import export
from tests.exchange.some_things import RUN, a_run

FILES = (File.of_bytes(RUN, "runs/bm25.run", "run"), File.of_bytes("é\n".encode(), "notes.txt", "other"))
CONTENT = {"runs/bm25.run": RUN, "notes.txt": "é\n".encode()}


def broken() -> bytes:
    """Fail as a disk does."""
    raise OSError(5, "Input/output error", "disk")


BROKEN = (*FILES, File("last.run", "run", broken))


def a_thing(*files: File) -> Thing:
    """Return FILES as an experiment."""
    return Thing("experiment", "core17", "Core17", files=files)


@pytest.fixture(autouse=True)
def formats_for_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register a folder that has all files of a thing, and a text that is its first file."""
    all_formats()
    every = Format("copies", "Copies", "here", "folder", ("experiment",), write=lambda thing: Written(thing.files))
    one = Format("first", "First", "here", "text", ("experiment",), write=lambda thing: Written(thing.files[:1]))
    for form in (every, one):
        monkeypatch.setitem(formats._REGISTERED, form.name, form)


def content(folder: Path) -> dict[str, bytes]:
    """Return the bytes of all files below FOLDER, by their paths."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# Folders ---------------------------------------------------------------------------------------------------------


def test_a_folder_has_every_file_with_its_bytes(tmp_path: Path) -> None:
    exported = export(a_thing(*FILES), "copies", tmp_path / "out")

    assert content(tmp_path / "out") == CONTENT
    assert (exported.path, exported.files) == (str(tmp_path / "out"), ("runs/bm25.run", "notes.txt"))


def test_an_empty_folder_may_be_filled(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()

    export(a_thing(*FILES), "copies", tmp_path / "out")

    assert content(tmp_path / "out") == CONTENT


def a_file(path: Path) -> None:
    path.write_text("kept")


def a_used_folder(path: Path) -> None:
    path.mkdir()
    (path / "kept").write_text("kept")


def a_link_to_a_used_folder(path: Path) -> None:
    a_used_folder(path.with_name("elsewhere"))
    path.symlink_to(path.with_name("elsewhere"))


def a_link_to_nothing(path: Path) -> None:
    path.symlink_to(path.with_name("nothing"))


@pytest.mark.parametrize(
    ("there", "found"),
    [
        (a_file, "a file"),
        (a_used_folder, "files in it"),
        (a_link_to_a_used_folder, "files in it"),
        (a_link_to_nothing, "a file"),
    ],
)
def test_what_is_there_is_not_replaced_by_a_folder(there: Callable[[Path], None], found: str, tmp_path: Path) -> None:
    there(tmp_path / "out")
    before = sorted(tmp_path.iterdir()), content(tmp_path)

    with pytest.raises(FileError, match=f"expected a new or an empty folder, found {found}; name another folder"):
        export(a_thing(*FILES), "copies", tmp_path / "out")

    assert (sorted(tmp_path.iterdir()), content(tmp_path)) == before


@pytest.mark.parametrize("target", ["out", "out.zip"])
def test_nothing_is_left_where_a_file_cannot_be_read(target: str, tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"disk: cannot be read \(Input/output error\)"):
        export(a_thing(*BROKEN), "copies", tmp_path / target)

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("target", ["out", "out.zip"])
@pytest.mark.parametrize("path", ["../out.run", "/etc/out.run", "a//b.run", "a\\b.run", "a\nb.run", "", "a/../../b"])
def test_a_path_that_leads_elsewhere_is_refused(target: str, path: str, tmp_path: Path) -> None:
    with pytest.raises(FileError, match="expected the path of a file below its folder"):
        export(a_thing(*FILES, File.of_bytes(b"", path, "run")), "copies", tmp_path / target)

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("target", ["out", "out.zip"])
@pytest.mark.parametrize(
    ("paths", "found"),
    [
        pytest.param(["a.run", "a.run"], "a.run: expected one file of this path, found 2 files", id="one path twice"),
        pytest.param(["a", "a/b/c"], "a: expected one file of this path, found a file and a folder", id="a folder"),
    ],
)
def test_files_that_would_take_the_place_of_others_are_refused(
    target: str, paths: list[str], found: str, tmp_path: Path
) -> None:
    with pytest.raises(FileError, match=found):
        export(a_thing(*(File.of_bytes(b"", path, "run") for path in paths)), "copies", tmp_path / target)

    assert list(tmp_path.iterdir()) == []


def test_a_name_that_no_disk_takes_is_an_error_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="File name too long"):
        export(a_thing(File.of_bytes(b"", "x" * 300, "run")), "copies", tmp_path / "out")

    assert list(tmp_path.iterdir()) == []


# Zips ------------------------------------------------------------------------------------------------------------


def test_the_same_thing_packs_to_the_same_bytes_whenever_it_is_packed(tmp_path: Path) -> None:
    source = tmp_path / "source.run"
    packed = []
    for name, time in (("a.zip", 1_000_000_000), ("B.ZIP", 1_700_000_000)):
        source.write_bytes(RUN)
        os.utime(source, (time, time))
        export(a_thing(File.of_path(source, "bm25.run", "run"), *FILES), "copies", tmp_path / name)
        packed.append((tmp_path / name).read_bytes())

    assert packed[0] == packed[1]


def test_a_zip_has_every_file_readable_by_all_and_of_no_time(tmp_path: Path) -> None:
    export(a_thing(*FILES), "copies", tmp_path / "out.zip")

    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        assert {entry.filename: archive.read(entry) for entry in archive.infolist()} == CONTENT
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert {(entry.external_attr >> 16, entry.create_system) for entry in archive.infolist()} == {(0o644, 3)}


def test_a_zip_that_cannot_be_finished_leaves_the_former_one(tmp_path: Path) -> None:
    (tmp_path / "out.zip").write_bytes(b"former")

    with pytest.raises(FileError, match="cannot be read"):
        export(a_thing(*BROKEN), "copies", tmp_path / "out.zip")

    assert content(tmp_path) == {"out.zip": b"former"}


# Texts -----------------------------------------------------------------------------------------------------------


def test_a_text_is_returned_and_written_where_somebody_says(tmp_path: Path) -> None:
    shown = export(a_thing(FILES[1]), "first")
    kept = export(a_thing(FILES[1]), "first", tmp_path / "notes.txt")

    assert (shown.text, shown.path) == ("é\n", "")
    assert (kept.text, kept.path) == ("é\n", str(tmp_path / "notes.txt"))
    assert content(tmp_path) == {"notes.txt": "é\n".encode()}


def test_a_text_that_cannot_be_made_leaves_the_former_file(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("former")

    with pytest.raises(FileError, match="cannot be read"):
        export(a_thing(File("a", "other", broken)), "first", tmp_path / "notes.txt")

    assert content(tmp_path) == {"notes.txt": b"former"}


@pytest.mark.parametrize(
    ("source", "output"),
    [
        pytest.param("runs/bm25.run", "runs/bm25.run", id="the file itself"),
        pytest.param("runs/bm25.run", "linked.run", id="a link to it"),
        pytest.param("runs", "runs/bm25.run", id="a file of the folder"),
    ],
)
@pytest.mark.parametrize("form", ["datacite", "ro-crate"])
def test_what_is_handed_over_is_not_written_over(source: str, output: str, form: str, tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "bm25.run").write_bytes(RUN)
    (tmp_path / "linked.run").symlink_to(tmp_path / "runs" / "bm25.run")

    with pytest.raises(FileError, match="is what is handed over, and would be lost; name another file"):
        export(tmp_path / source, form, tmp_path / output)

    assert (tmp_path / "runs" / "bm25.run").read_bytes() == RUN


def test_what_was_exported_into_a_folder_can_be_exported_there_again(tmp_path: Path) -> None:
    (tmp_path / "bm25.run").write_bytes(RUN)

    texts = [export(tmp_path, "schema.org", tmp_path / "dataset.json").text for _ in range(2)]

    assert texts[0] == texts[1] == (tmp_path / "dataset.json").read_text()


def test_a_crate_that_is_packed_again_beside_its_files_does_not_hold_the_former_one(tmp_path: Path) -> None:
    (tmp_path / "bm25.run").write_bytes(RUN)
    target = tmp_path / "crate.zip"

    packed = [export(tmp_path, "ro-crate", target) and target.read_bytes() for _ in range(2)]

    assert packed[0] == packed[1]


def test_a_folder_with_nothing_but_what_was_exported_is_empty(tmp_path: Path) -> None:
    (tmp_path / "crate.zip").write_bytes(b"")

    with pytest.raises(FileError, match="expected files to hand over, found only"):
        export(tmp_path, "ro-crate", tmp_path / "crate.zip")


# What is asked for -----------------------------------------------------------------------------------------------


def test_a_folder_needs_a_place() -> None:
    with pytest.raises(UsageError, match="Copies is a folder of files: expected where to write it"):
        export(a_thing(*FILES), "copies")


def test_a_thing_of_another_kind_is_refused() -> None:
    with pytest.raises(DataError, match=r"expected an experiment for Copies, found a run \(bm25_rm3\)"):
        export(a_run(), "copies", "out")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("datacit", "format 'datacit' is unknown; did you mean 'datacite'?"),
        ("mlflow", "format 'mlflow' can only be imported; there are: ro-crate, "),
        ("", "expected a format, found none; there are: ro-crate, "),
    ],
)
def test_a_format_that_cannot_be_written_is_refused_with_those_that_can(name: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        export(a_thing(*FILES), name)

    assert str(caught.value).startswith(message)


def test_a_package_that_is_missing_is_named_with_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "find_spec", lambda _name: None)
    monkeypatch.setitem(formats._REGISTERED, "first", replace(formats._REGISTERED["first"], extra="linked"))

    with pytest.raises(UsageError) as caught:
        export(a_thing(*FILES), "first")

    assert caught.value.at_terminal == (
        "First needs the package prov, which is not installed; install it with: pip install 'primad[linked]'"
    )


def test_the_publisher_says_the_title_unless_he_says_none(monkeypatch: pytest.MonkeyPatch) -> None:
    titles = []

    def write(thing: Thing) -> Written:
        titles.append((thing.title, thing.stated.licence))
        return Written(thing.files[:1])

    monkeypatch.setitem(formats._REGISTERED, "first", replace(formats._REGISTERED["first"], write=write))
    export(a_thing(*FILES), "first", stated=Statement("Better", "MIT"))
    export(a_thing(*FILES), "first", stated=Statement(licence="MIT"))
    export(a_thing(*FILES), "first")

    assert titles == [("Better", "MIT"), ("Core17", "MIT"), ("Core17", "")]


def test_what_was_left_out_and_lost_is_said_and_secrets_are_warned_of() -> None:
    file = a_run(actor={"name": "Ada", "password": "swordfish"}).files[0]
    exported = export(replace(a_thing(file), left_out=("1 link",)), "first")

    assert exported.lost == ("1 link",)
    assert exported.remarks == ("bm25+rm3.run: what looks like a secret in the metadata: look before you publish it",)


def test_files_are_read_one_after_another(tmp_path: Path) -> None:
    alive: list[int] = []

    class Watched(bytes):
        def __del__(self) -> None:
            alive.pop()

    def files() -> Iterator[File]:
        for number in range(5):

            def read() -> bytes:
                assert len(alive) <= 1
                alive.append(1)
                return Watched(b"x" * 10)

            yield File(f"{number}.run", "run", read)

    export(a_thing(*files()), "copies", tmp_path / "out")

    assert alive == []


def test_whoever_watches_sees_every_file_being_read_and_written(tmp_path: Path) -> None:
    for name in ("a.run", "b.run"):
        (tmp_path / "in").mkdir(exist_ok=True)
        (tmp_path / "in" / name).write_bytes(b"1 Q0 d1 1 2.5 bm25\n")
    seen: list[tuple[int, int]] = []

    def watch(files: Iterable[Any], total: int) -> Iterable[Any]:
        found = list(files)
        seen.append((len(found), total))
        return found

    written = export(tmp_path / "in", "ro-crate", tmp_path / "out", watch=watch)

    assert seen == [(2, 2), (len(written.files), len(written.files))]
