"""Which runs of an archive are handed to other tools, and with what?"""

from pathlib import Path

import pytest

from primad.archive.archive import Archive
from primad.errors import PrimadError
from tests.archive.described import ranking, record, write, write_qrels, write_run
from tests.archive.test_add import kept


def filled(archive: Archive, folder: Path) -> None:
    """Put two runs into ARCHIVE: one carries its metadata, of the other they lie beside it."""
    archive.set_collection("Core17", qrels=[write_qrels(folder)])
    write(folder / "in", "side.run", None, ranking("side"))
    (folder / "in" / "side.run.yml").write_text(record("side").to_yaml())
    kept(archive, write_run(folder / "in", "one.run", "one", 1), folder / "in" / "side.run")


def test_runs_are_handed_over_as_they_came_with_their_judgments(archive: Archive, tmp_path: Path) -> None:
    filled(archive, tmp_path)

    with archive.handed_over() as thing:
        contents = {file.path: file.read() for file in thing.runs}
        roles = sorted(file.role for file in thing.files)

    given = {path.name: path.read_bytes() for path in (tmp_path / "in").glob("*.run")}
    assert contents == {f"Core17/{name}": data for name, data in given.items()}
    assert roles == ["metadata", "qrels", "result", "run", "run"]
    assert (thing.kind, thing.title) == ("query", "All runs of an archive")


def test_a_run_with_metadata_beside_it_is_handed_over_with_its_record(sqlite_archive: Archive, tmp_path: Path) -> None:
    filled(sqlite_archive, tmp_path)

    with sqlite_archive.handed_over("tag:side") as thing:
        (run,) = thing.runs
        records = [one.tag for one in thing.records()]

    assert (thing.kind, thing.name, thing.title) == ("query", "tag_side", "Runs found by tag:side")
    assert run.record is not None
    assert run.record.tag == "side"
    assert records == ["side"]
    assert thing.identifier == sqlite_archive.run("side").address


def test_what_was_handed_over_leaves_nothing_behind(
    sqlite_archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(sqlite_archive, tmp_path)
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))

    with sqlite_archive.handed_over():
        assert len(list(place.iterdir())) == 1

    assert list(place.iterdir()) == []


def test_a_query_that_finds_nothing_is_an_error_that_names_it(sqlite_archive: Archive) -> None:
    with (
        pytest.raises(PrimadError, match=r"^no run is found by 'tag:nosuch'$"),
        sqlite_archive.handed_over("tag:nosuch"),
    ):
        pass
