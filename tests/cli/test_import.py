"""Does `primad import` take over what other tools wrote, and say what it left there?"""

import json
from pathlib import Path

import pytest

import primad as library
from tests.cli.running import primad

RUN = b"301 Q0 d1 1 2.5 bm25\n301 Q0 d2 2 1.5 bm25\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the working folder, which has an annotated run, and the same as a research object."""
    monkeypatch.chdir(tmp_path)
    library.annotate(RUN, values={"actor.name": "Ada Example"}).save(tmp_path / "bm25.run")
    library.export(tmp_path / "bm25.run", "ro-crate", tmp_path / "crate.zip")
    return tmp_path


def test_a_run_comes_back_from_a_research_object_as_it_was(folder: Path) -> None:
    outcome = primad("import", "crate.zip")

    assert outcome.code == 0
    assert (folder / "crate-imported" / "bm25.run").read_bytes() == (folder / "bm25.run").read_bytes()
    assert outcome.out == "format  ro-crate\nfolder  crate-imported\nfound   1 run, 1 record\nfiles   bm25.run\n"
    assert outcome.err.endswith("primad: next: primad check crate-imported\n")


def test_of_many_files_ten_are_named_and_a_folder_gives_its_whole_name(folder: Path) -> None:
    (folder / "runs").mkdir()
    for number in range(12):
        (folder / "runs" / f"{number:02}.run").write_bytes(RUN)
    library.export(folder / "runs", "ro-crate", folder / "v1.0")

    outcome = primad("import", "v1.0/")

    assert outcome.out.splitlines()[1:] == [
        "folder  v1.0-imported",
        "found   12 runs",
        "files   00.run, 01.run, 02.run, 03.run, 04.run, 05.run, 06.run, 07.run, 08.run, 09.run and 2 more",
    ]


def test_what_was_taken_over_is_told_to_programs() -> None:
    outcome = primad("import", "crate.zip", "--output", "back", "--format", "json")

    document = json.loads(outcome.out)
    assert (document["schema"], document["format"], document["path"]) == ("primad.import/1", "ro-crate", "back")
    assert (document["files"], document["runs"], document["records"]) == (["bm25.run"], 1, 1)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(b"", "is in no format that can be imported", id="empty"),
        pytest.param(b"\x00\x01\x02", "is in no format that can be imported", id="bytes"),
        pytest.param(b"PK\x03\x04 no archive", "begins as a zip and does not end as one", id="no zip"),
        pytest.param(b"{" * 100_000, "is in no format that can be imported", id="nested without end"),
    ],
)
def test_what_is_in_no_known_format_is_said_in_one_message_and_nothing_is_written(
    folder: Path, content: bytes, message: str
) -> None:
    (folder / "strange").write_bytes(content)

    outcome = primad("import", "strange")

    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith(f"primad: strange: {message}")
    assert outcome.err.count("\n") == 1
    assert not (folder / "strange-imported").exists()


def test_a_folder_in_use_is_left_alone(folder: Path) -> None:
    (folder / "back").mkdir()
    (folder / "back" / "mine.txt").write_text("mine")

    outcome = primad("import", "crate.zip", "--output", "back")

    assert (outcome.code, outcome.out) == (1, "")
    assert [path.name for path in (folder / "back").iterdir()] == ["mine.txt"]


def test_a_zip_that_leads_out_of_its_folder_is_refused(folder: Path) -> None:
    import zipfile

    with zipfile.ZipFile(folder / "evil.zip", "w") as archive:
        archive.writestr("ro-crate-metadata.json", "{}")
        archive.writestr("../outside.run", RUN)

    outcome = primad("import", "evil.zip")

    assert (outcome.code, outcome.out) == (1, "")
    assert not (folder.parent / "outside.run").exists()
    assert sorted(path.name for path in folder.iterdir()) == ["bm25.run", "crate.zip", "evil.zip"]
