"""Is what another tool wrote taken over whole, or not at all?"""

import stat
import tempfile
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from primad.errors import FileError, FormatError
from primad.exchange import formats
from primad.exchange.catalogue import formats as all_formats
from primad.exchange.formats import Format, Received
from primad.exchange.reading import import_file, receive
from primad.exchange.thing import File, Thing, side_file
from primad.metadata.reading import from_tree, read_record
from primad.qra.material import Material
from primad.qra.measurement import Measurement
from primad.qra.reading.read import read_measurements
from tests.exchange.some_things import RUN

RECORD = from_tree({"tag": "bm25", "actor": {"name": "Ada"}})
MEASURED = Material((Measurement(object="A", measurand="P", value="0.50"),), remarks=("one is rounded",))
WHOLE = Thing(
    "run",
    "bm25",
    "bm25",
    files=(File.of_bytes(RUN, "runs/bm25.run", "run", record=RECORD), side_file("runs/bm25.run", RECORD)),
    material=MEASURED,
)


@pytest.fixture
def theirs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return a folder of a format that is told by a file 'mark', and registered for the test."""
    all_formats()
    folder = tmp_path / "theirs"
    folder.mkdir()
    (folder / "mark").touch()
    hand_over(monkeypatch, WHOLE)
    return folder


def hand_over(monkeypatch: pytest.MonkeyPatch, thing: Thing) -> None:
    """Let the format for tests give THING."""
    received = Received(thing, ("a colour: 1",), ("look at it",))
    form = Format(
        "marked", "Marked", "here", read=lambda _path: received, recognise=lambda path: (path / "mark").is_file()
    )
    monkeypatch.setitem(formats._REGISTERED, "marked", form)


def broken() -> bytes:
    """Fail as a disk does."""
    raise OSError(5, "Input/output error", "disk")


def packed(path: Path, **members: str) -> Path:
    """Return a zip with MEMBERS, in whose names two lines are a slash."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in members.items():
            archive.writestr(name.replace("__", "/"), text)
    return path


def test_runs_records_and_measurements_are_written_and_counted(theirs: Path, tmp_path: Path) -> None:
    imported = import_file(theirs, tmp_path / "out")

    assert (imported.format, imported.name, imported.kind, imported.path) == (
        "marked",
        "bm25",
        "run",
        str(tmp_path / "out"),
    )
    assert (imported.runs, imported.records, imported.measurements) == (1, 1, 1)
    assert imported.files == ("runs/bm25.run", "runs/bm25.run.meta", "measurements.qra.yaml")
    assert imported.lost == ("a colour: 1",)
    assert imported.remarks == ("look at it", "one is rounded")
    assert (tmp_path / "out" / "runs" / "bm25.run").read_bytes() == RUN
    assert read_record(tmp_path / "out" / "runs" / "bm25.run") == RECORD
    found = read_measurements(tmp_path / "out" / "measurements.qra.yaml").measurements
    assert [(one.object, one.measurand, one.value) for one in found] == [("A", "P", "0.50")]


def test_measurements_that_have_a_file_are_not_written_twice(
    theirs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = File.of_bytes(b"qra: 1\n", "own.qra.yaml", "measurements")
    hand_over(monkeypatch, replace(WHOLE, files=(own,)))

    assert import_file(theirs, tmp_path / "out").files == ("own.qra.yaml",)


@pytest.mark.parametrize(
    ("file", "message"),
    [
        pytest.param(File("b.run", "run", broken), r"disk: cannot be read \(Input/output error\)", id="unreadable"),
        pytest.param(
            File.of_bytes(b"", "../b.run", "run"), "expected the path of a file below its folder", id="outside"
        ),
        pytest.param(File.of_bytes(b"", "runs/bm25.run", "run"), "found 2 files", id="a path twice"),
        pytest.param(File.of_bytes(b"", "runs", "other"), "found a file and a folder", id="a file and a folder"),
        pytest.param(File.of_bytes(b"", "measurements.qra.yaml", "other"), "found 2 files", id="our own file"),
    ],
)
def test_nothing_is_left_of_what_cannot_be_written_whole(
    file: File, message: str, theirs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand_over(monkeypatch, replace(WHOLE, files=(*WHOLE.files, file)))

    with pytest.raises(FileError, match=message):
        import_file(theirs, tmp_path / "out")

    assert list(tmp_path.iterdir()) == [theirs]


def test_a_folder_that_is_used_is_refused(theirs: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "kept").write_text("kept")

    with pytest.raises(FileError, match="expected a new or an empty folder, found files in it"):
        import_file(theirs, tmp_path / "out")

    assert [path.name for path in (tmp_path / "out").iterdir()] == ["kept"]


def test_what_is_not_there_or_of_no_format_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing")

    with pytest.raises(FileError, match=r"nothing: no such file or folder"):
        import_file(tmp_path / "nothing", tmp_path / "out")
    hint = "primad export --list says what these are"
    with pytest.raises(FileError, match=rf"is in no format that can be imported \(.*mlflow, sacred, .*\); {hint}$"):
        import_file(tmp_path / "notes.txt", tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("name", "content", "what", "hint"),
    [
        pytest.param("a.run", "301 Q0 d1 1 2.5 bm25\n", "a run", "primad annotate .*, primad archive add", id="a run"),
        pytest.param(
            "a.yml", "tag: bm25\nactor: {name: Ada}\n", "a record", "primad annotate RUN --template", id="record"
        ),
        pytest.param("a.qrels", "301 0 d1 1\n", "a file of judgments", "primad evaluate", id="judgments"),
        pytest.param(
            "a.qra.yaml",
            "measurements: [{object: a, measurand: b, value: '1'}]\n",
            "a file of measurements",
            "primad qra",
            id="measurements",
        ),
    ],
)
def test_what_needs_no_import_is_told_its_command(
    name: str, content: str, what: str, hint: str, tmp_path: Path
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / name).write_text(content)
    archive = packed(tmp_path / "packed.zip", **{name: content})

    for source, verb in ((tmp_path / "in" / name, "is"), (tmp_path / "in", "holds"), (archive, "holds")):
        expected = f"^{source}: {verb} {what}, and is in no format that can be imported .*; {hint}"
        with pytest.raises(FileError, match=expected):
            import_file(source, tmp_path / "out")


# Packed folders --------------------------------------------------------------------------------------------------


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder in which temporary folders are made."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.mark.usefixtures("theirs")
def test_a_packed_folder_is_unpacked_for_as_long_as_it_is_read(tmp_path: Path, place: Path) -> None:
    with receive(packed(tmp_path / "theirs.zip", mark="")) as (name, received):
        assert name == "marked"
        assert received.thing == WHOLE
        assert [path.name for path in place.rglob("mark")] == ["mark"]

    assert list(place.iterdir()) == []


@pytest.mark.usefixtures("theirs")
@pytest.mark.parametrize("member", ["../mark", "/mark", "a/../../mark", "C:/mark", "a\\mark"])
def test_a_packed_folder_whose_members_lead_elsewhere_is_refused(member: str, tmp_path: Path, place: Path) -> None:
    with zipfile.ZipFile(tmp_path / "theirs.zip", "w") as archive:
        archive.writestr(member, "")

    with pytest.raises(FileError):
        import_file(tmp_path / "theirs.zip", tmp_path / "out")

    assert list(place.iterdir()) == []
    assert not (tmp_path / "out").exists()


@pytest.mark.usefixtures("theirs")
def test_a_link_in_a_packed_folder_is_refused(tmp_path: Path, place: Path) -> None:
    link = zipfile.ZipInfo("mark")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "theirs.zip", "w") as archive:
        archive.writestr(link, "/etc/passwd")

    with pytest.raises(FileError, match="'mark'; if you trust it, unpack it by hand and import the folder"):
        import_file(tmp_path / "theirs.zip", tmp_path / "out")

    assert list(place.iterdir()) == []


def test_an_error_names_the_zip_and_not_where_it_was_unpacked(tmp_path: Path) -> None:
    archive = packed(tmp_path / "crate.zip", **{"ro-crate-metadata.json": "[1,\n2"})

    with pytest.raises(FormatError, match=rf"^{archive}/ro-crate-metadata.json:2: expected JSON") as caught:
        import_file(archive, tmp_path / "out")

    assert caught.value.path == f"{archive}/ro-crate-metadata.json"


def test_an_empty_zip_is_said_to_be_one(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="is a zip with no file in it; fetch or write it again"):
        import_file(packed(tmp_path / "nothing.zip"), tmp_path / "out")


@pytest.mark.usefixtures("theirs")
def test_a_zip_whose_list_of_files_is_damaged_is_refused(tmp_path: Path) -> None:
    whole = packed(tmp_path / "theirs.zip", mark="").read_bytes()
    (tmp_path / "damaged.zip").write_bytes(whole.replace(b"PK\x01\x02", b"PK\x01\x00"))

    with pytest.raises(FileError, match="is truncated or damaged"):
        import_file(tmp_path / "damaged.zip", tmp_path / "out")


@pytest.mark.usefixtures("theirs")
def test_a_zip_that_was_cut_off_is_said_to_be_one(tmp_path: Path) -> None:
    whole = packed(tmp_path / "theirs.zip", mark="").read_bytes()
    (tmp_path / "part.zip").write_bytes(whole[: len(whole) // 2])

    with pytest.raises(FileError, match="begins as a zip and does not end as one; fetch or write it again"):
        import_file(tmp_path / "part.zip", tmp_path / "out")


@pytest.mark.usefixtures("theirs")
def test_what_was_unpacked_is_removed_when_its_files_cannot_be_read(
    tmp_path: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand_over(monkeypatch, replace(WHOLE, files=(File("b.run", "run", broken),)))

    with pytest.raises(FileError, match="cannot be read"):
        import_file(packed(tmp_path / "theirs.zip", mark=""), tmp_path / "out")

    assert list(place.iterdir()) == []
    assert not (tmp_path / "out").exists()
