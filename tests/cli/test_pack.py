"""Does `primad pack` turn a recording into a bundle, and say what is still missing?"""

import json
from pathlib import Path

import pytest

from primad.replay.unpacking import unpack
from tests.cli.running import Outcome, primad

RECORD = """\
schema-version: '0.2'
platform:
  software:
    runtime: [python==3.11.7]
implementation:
  executable: {cmd: python search.py /data/topics.txt out.run, program: search.py}
data:
  inputs: [{path: /data/topics.txt}]
  outputs: [{path: out.run}]
resources:
  runtime: {wallclock: 90000 ms}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the working folder, which has a script and the record of a command."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "search.py").write_text("print(1)\n")
    (tmp_path / "record.yml").write_text(RECORD)
    return tmp_path


def test_what_was_packed_is_told_with_what_is_missing(folder: Path) -> None:
    (folder / ".env").write_text("x")

    outcome = primad("pack", "record.yml", "--include", ".env")

    size = (folder / "search.tar.gz").stat().st_size
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith(
        f"bundle  search.tar.gz (2 files, {size} bytes)\n"
        "code    files that the recording names\n"
        'run     python3 search.py "$inputDataset"/topics.txt "$outputDir"/out.run\n'
        "\n"
        "What the recording does not tell\n"
        "- which files are the code, for the recording names no commit; add what is missing with --include\n"
        "\n"
        "Files that are left out\n"
        "- .env is left out, for files of that name hold secrets\n"
        "\n"
        "What analysts will miss\n"
        "- Q1: no operating system is stated; state under 'operating_system' where it was run\n"
    )


def test_the_bundle_is_written_where_it_is_asked_for(folder: Path) -> None:
    (folder / "README.md").write_text("How to")

    assert primad("pack", "record.yml", "-o", "mine.tgz", "--include", "README.md").code == 0

    assert unpack(folder / "mine.tgz", folder / "system").files == ("README.md", "primad-system.yaml", "search.py")


def test_programs_get_everything_as_json() -> None:
    answer = json.loads(primad("pack", "record.yml", "--format", "json").out)

    assert (answer["schema"], answer["path"]) == ("primad.pack/1", "search.tar.gz")
    assert answer["files"] == ["primad-system.yaml", "search.py"]
    assert answer["manifest"]["expected"] == {"minutes": 1.5}
    assert answer["manifest"]["output"] == ["out.run"]
    assert answer["missing"][0]["question"] == "Q1"
    assert set(answer) == {
        "schema", "path", "bytes", "source", "files", "manifest", "untold", "left_out", "missing",
    }  # fmt: skip


def test_the_code_may_lie_elsewhere(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "here").mkdir()
    monkeypatch.chdir(folder / "here")

    assert primad("pack", "../record.yml", "--repo", "..").code == 0
    assert (folder / "here" / "search.tar.gz").is_file()


def test_a_record_that_is_not_there_is_one_message(folder: Path) -> None:
    assert primad("pack", "gone.yml") == Outcome(1, "", "primad: gone.yml: no such file\n")
    assert not list(folder.glob("*.tar.gz"))


def test_another_kind_of_archive_is_wrong_usage() -> None:
    expected = "primad: expected a bundle with a name that ends in .tar.gz or .tgz, found 'a.zip'\n"

    assert primad("pack", "record.yml", "-o", "a.zip") == Outcome(2, "", expected)
