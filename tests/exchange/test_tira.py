"""Does TIRA itself take what is written for it, and does a run come back from there as it went?"""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest

from primad.errors import DataError, FileError
from primad.exchange.formats import Written
from primad.exchange.gathering import gather
from primad.exchange.reading import import_file
from primad.exchange.thing import Thing
from primad.exchange.tira import runs as tira
from primad.exchange.tira.runs import looks_like_tira, read, write
from primad.exchange.writing import export, write_files
from primad.metadata.reading import read_record
from primad.trec.files import read_bytes
from primad.trec.ranking import ranking_digest
from tests.exchange.annotated import RECORD, annotated, experiment_in, ranking, run_in
from tests.exchange.peers import run_peer
from tests.exchange.some_things import odd_things

ODD = odd_things()
WHOLE = RECORD.replace(
    "  automatic: true", "  name: BM25 and a cross-encoder\n  description: reranks\n  automatic: true"
)


def said_by_tira(form: str, *folders: Path) -> list[tuple[str, str]]:
    """Return what the checker of TIRA for FORM says about each of FOLDERS."""
    answer = json.loads(run_peer("tira", "tira_folder.py", "check", form, *folders).stdout)
    return [(status, message) for status, message in answer]


def put(written: Written, folder: Path) -> Path:
    """Return FOLDER with what was WRITTEN."""
    folder.mkdir()
    write_files(folder, written.files)
    return folder


def test_tira_takes_what_is_written_for_it_and_nothing_less(tmp_path: Path) -> None:
    good = put(write(gather(run_in(tmp_path, record=WHOLE))), tmp_path / "good")
    with_header = tmp_path / "with-header"
    with_header.mkdir()
    (with_header / "run.txt").write_bytes(annotated(WHOLE))
    (with_header / "ir-metadata.yml").write_text("- no\n- mapping\n")

    runs = said_by_tira("run.txt", good, with_header, tmp_path)
    metadata = said_by_tira("ir_metadata", good, with_header)
    both = said_by_tira("run-with-metadata", good, with_header)

    assert [status for status, _ in runs] == ["OK", "ERROR", "ERROR"]
    assert [status for status, _ in metadata] == ["OK", "ERROR"]
    assert [status for status, _ in both] == ["OK", "ERROR"]
    assert "expected 6 columns" in runs[1][1]


def test_what_is_remarked_is_what_tira_complains_about(tmp_path: Path) -> None:
    lacking = write(gather(run_in(tmp_path)))
    short = write(gather(run_in(tmp_path, "short.run", lines=ranking(topics=2))))
    complete = write(gather(run_in(tmp_path, "complete.run", WHOLE)))

    folders = [put(one, tmp_path / name) for one, name in ((lacking, "a"), (short, "b"), (complete, "c"))]
    about_metadata = said_by_tira("run-with-metadata", folders[0], folders[2])
    about_runs = said_by_tira("run.txt", *folders)

    assert lacking.remarks == (
        "bm25ce.run: tasks of TIRA that take a run with metadata demand also method.name, method.description",
    )
    assert about_metadata[0][0] == "ERROR"
    assert "method.description is missing" in about_metadata[0][1]
    assert "method.name is missing" in about_metadata[0][1]
    assert "short.run: TIRA takes a run of 2 topics and 4 lines for an error" in short.remarks
    assert [status for status, _ in about_runs] == ["OK", "ERROR", "OK"]
    assert (complete.remarks, about_metadata[1][0]) == ((), "OK")


def test_a_run_comes_back_from_tira_with_the_same_ranking_and_the_same_record(tmp_path: Path) -> None:
    run = run_in(tmp_path)
    folder = put(write(gather(run)), tmp_path / "tira")

    received = read(folder)
    back = tmp_path / "back"
    back.mkdir()
    write_files(back, received.thing.files)

    assert sorted(path.name for path in back.iterdir()) == ["run.txt", "run.txt.meta"]
    assert (back / "run.txt").read_bytes() == ranking()
    assert read_record(back / "run.txt") == read_record(run)
    assert ranking_digest(read_bytes(back / "run.txt")) == read_record(run)["ranking.sha256"]
    assert received.remarks == ("the metadata of 1 run stands beside it, in a file of the name of the run and .meta",)
    assert received.lost == ()


def test_several_runs_become_folders_by_their_tags_and_come_back_as_an_experiment(tmp_path: Path) -> None:
    source = experiment_in(tmp_path)

    written = write(gather(source))
    thing = read(put(written, tmp_path / "tira")).thing

    assert [file.path for file in written.files] == [
        "bm25/run.txt",
        "bm25/ir-metadata.yml",
        "bm25+ce/run.txt",
        "bm25+ce/ir-metadata.yml",
        "silent.run/run.txt",
    ]
    assert written.lost == ("the content of 1 file of judgments", "the content of 1 file of topics")
    assert "silent.run: there is no metadata, so there is no ir-metadata.yml, which most tasks of TIRA demand" in (
        written.remarks
    )
    assert thing.kind == "experiment"
    assert {run.path: run.tag for run in thing.runs} == {
        "bm25/run.txt": "bm25",
        "bm25+ce/run.txt": "bm25+ce",
        "silent.run/run.txt": "run.txt",
    }
    assert (
        said_by_tira("run.txt", *(tmp_path / "tira" / name for name in ("bm25", "bm25+ce", "silent.run")))
        == [("OK", "The run.txt file has the correct format.")] * 3
    )


def test_runs_whose_tags_make_the_same_name_get_folders_of_their_own(tmp_path: Path) -> None:
    place = tmp_path / "runs"
    place.mkdir()
    for name, tag in (("a.run", "x y"), ("b.run", "x/y"), ("c.run", "X_Y")):
        run_in(place, name, RECORD.replace("tag: bm25+ce", f"tag: {tag}"), ranking("t"))

    folders = [file.path for file in write(gather(place)).files if file.role == "run"]

    assert folders == ["x_y/run.txt", "x_y-2/run.txt", "X_Y-3/run.txt"]


def test_a_large_run_is_packed_always_to_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tira, "_LARGE", 100)
    thing = gather(run_in(tmp_path))

    (first, _), (second, _) = write(thing).files, write(thing).files

    assert first.path == "run.txt.gz"
    assert gzip.decompress(first.read()) == ranking()
    assert first.read() == second.read()
    assert said_by_tira("run.txt", put(write(thing), tmp_path / "packed"))[0][0] == "OK"


def test_comments_and_blank_lines_that_tira_cannot_read_are_left_out_and_counted(tmp_path: Path) -> None:
    first, *others = ranking().splitlines(keepends=True)
    lines = b"# made on a Monday\n" + first + b"\n# half of it\n" + b"".join(others) + b"\n\n"

    written = write(gather(run_in(tmp_path, lines=lines)))

    assert written.files[0].read() == ranking()
    assert written.lost == ("2 comments in bm25ce.run",)
    assert said_by_tira("run.txt", put(written, tmp_path / "t"))[0][0] == "OK"


def test_no_secret_goes_out_or_comes_in(tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2" * 9
    hidden = f"tag: x\nimplementation:\n  notes: token {secret}\n"
    place = tmp_path / "folder"
    place.mkdir()
    (place / "run.txt").write_bytes(ranking())
    (place / "ir-metadata.yml").write_text(hidden)

    out, back = write(gather(place)), read(place)

    assert all(secret.encode() not in file.read() for file in (*out.files, *back.thing.files))
    assert back.lost == ("1 value with a password or token in it, which is REDACTED now",)


@pytest.mark.parametrize("name", ODD)
def test_odd_things_are_written_the_same_twice_and_read_again(name: str, tmp_path: Path) -> None:
    thing = replace(ODD[name], files=ODD[name].files[:20])
    if not thing.runs:
        with pytest.raises(DataError, match="expected a run for Folder of TIRA"):
            write(thing)
        return

    once, again = write(thing), write(thing)

    assert [(file.path, file.read()) for file in once.files] == [(file.path, file.read()) for file in again.files]
    back = read(put(once, tmp_path / "tira")).thing
    assert sorted(run.read() for run in back.runs) == sorted(run.read() for run in thing.runs)
    assert {run.record for run in back.runs if not run.record} == set()


def test_a_thing_without_a_run_is_refused() -> None:
    with pytest.raises(DataError, match="expected a run for Folder of TIRA"):
        write(Thing("experiment", "empty", "empty"))


def test_the_real_output_of_a_baseline_is_read(shared_data: Path) -> None:
    place = shared_data / "ir_metadata" / "anserini-bm25-retrieval" / "dev1"

    received = read(place)

    (run,) = received.thing.runs
    assert looks_like_tira(place)
    assert run.read() == (place / "run.txt.gz").read_bytes()
    assert run.record is not None
    assert run.record["implementation.source.commit"] == "13c10ac6e2a6109fbd93b805f1d0d47c815031b2"
    assert str(run.record["implementation.executable.cmd"]).startswith("./baseline.py --output runs/dev1/run.txt.gz")
    assert "numpy==2.2.5" in run.record["platform.software.libraries.python"]
    (metadata,) = received.thing.of_role("metadata")
    assert (metadata.path, metadata.about) == ("run.txt.gz.meta", "run.txt.gz")


def test_the_metadata_of_retrieval_is_that_of_the_run_where_there_is_one_of_indexing_too(tmp_path: Path) -> None:
    (tmp_path / "run.txt").write_bytes(ranking())
    (tmp_path / "index-metadata.yml").write_text("tag: index\nplatform: {hardware: {ram: 1 GB}}\n")
    (tmp_path / "retrieval-metadata.yml").write_text("tag: retrieval\nplatform: {hardware: {ram: 2 GB}}\n")

    thing = read(tmp_path).thing

    assert {(file.path, file.about, file.record.tag if file.record else "") for file in thing.files} == {
        ("run.txt", "", "retrieval"),
        ("run.txt.meta", "run.txt", "retrieval"),
        ("index-metadata.yml", "", "index"),
    }


def test_where_nobody_can_tell_which_metadata_is_that_of_the_run_it_is_said(tmp_path: Path) -> None:
    (tmp_path / "run.txt").write_bytes(ranking())
    for name in ("a-metadata.yml", "b-metadata.yml"):
        (tmp_path / name).write_text(f"tag: {name}\n")

    received = read(tmp_path)

    assert received.thing.runs[0].record is None
    assert len(received.thing.of_role("metadata")) == 2
    assert received.remarks == ("1 run without metadata, or with several files of it beside: run.txt",)


def test_metadata_that_cannot_be_read_is_refused_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "run.txt").write_bytes(ranking())
    (tmp_path / "ir-metadata.yml").write_text("tag: x\nactor: [unclosed\n")

    with pytest.raises(FileError, match=r"ir-metadata\.yml"):
        read(tmp_path)


def test_a_packed_folder_is_exported_and_imported_by_its_content(tmp_path: Path) -> None:
    run = run_in(tmp_path)

    export(run, "tira", tmp_path / "packed.zip")
    imported = import_file(tmp_path / "packed.zip", tmp_path / "back")

    assert (imported.format, imported.files) == ("tira", ("run.txt", "run.txt.meta"))
    assert read_record(tmp_path / "back" / "run.txt") == read_record(run)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        pytest.param("run.txt", "only a note to myself\n", id="a text"),
        pytest.param("bm25.run", ranking().decode(), id="a run of another name"),
        pytest.param("ir-metadata.yml", "tag: x\n", id="metadata alone"),
    ],
)
def test_other_folders_are_none_of_tira(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content)

    assert not looks_like_tira(tmp_path)
    assert not looks_like_tira(tmp_path / name)


def test_links_that_lead_out_of_the_folder_are_not_followed(tmp_path: Path) -> None:
    place = tmp_path / "folder"
    (place / ".tirex-tracker").mkdir(parents=True)
    (place / "run.txt").write_bytes(ranking())
    outside = tmp_path / "secret.zip"
    outside.write_bytes(b"secret")
    (place / ".tirex-tracker" / "archive.zip").symlink_to(outside)
    (place / "note.txt").symlink_to(outside)

    assert [file.path for file in read(place).thing.files] == ["run.txt"]
