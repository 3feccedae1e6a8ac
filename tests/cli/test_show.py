"""Does `primad show` print what a run says about itself, wherever and however it says it?"""

import gzip
import json
from pathlib import Path

import pytest

from primad.metadata.header import with_block
from tests.cli.running import Outcome, primad

RANKING = b"1 Q0 a 1 1.0 bm25\n"
TREE = "tag  bm25\ndata\n  test collection\n    name  Core17\n"
YAML = "tag: bm25\ndata:\n  test collection:\n    name: Core17\n"
RUN = with_block("tag: bm25\ndata: {test_collection: Core17}\n", RANKING)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.run").write_bytes(RUN)
    (tmp_path / "a.run.gz").write_bytes(gzip.compress(RUN))
    (tmp_path / "metadata").mkdir()
    (tmp_path / "metadata" / "m.yml").write_text("tag: bm25\ndata: {test_collection: Core17}\n")
    (tmp_path / "beside").mkdir()
    (tmp_path / "beside" / "b.run").write_bytes(RANKING)
    (tmp_path / "beside" / "b.run.meta").write_text(YAML)
    (tmp_path / "bare").mkdir()
    (tmp_path / "bare" / "c.run").write_bytes(RANKING)
    return tmp_path


@pytest.mark.parametrize("name", ["a.run", "a.run.gz", "metadata/m.yml"])
def test_the_metadata_of_any_file_is_a_tree(name: str) -> None:
    assert primad("show", name) == Outcome(0, TREE, "")


def test_the_metadata_of_standard_input_is_a_tree_without_further_words() -> None:
    assert primad("show", "-", stdin=RUN) == Outcome(0, TREE, "")


def test_metadata_beside_a_run_is_shown_and_said_to_be_there() -> None:
    message = "primad: beside/b.run has no header; this is the metadata in beside/b.run.meta\n"

    assert primad("show", "beside/b.run") == Outcome(0, TREE, message)


def test_yaml_is_what_primad_would_write() -> None:
    assert primad("show", "a.run", "--format", "yaml") == Outcome(0, YAML, "")


def test_json_is_for_programs() -> None:
    outcome = primad("show", "a.run", "--format", "json")

    assert (outcome.code, outcome.err) == (0, "")
    assert json.loads(outcome.out) == {
        "version": 1,
        "file": "a.run",
        "record": {"tag": "bm25", "data": {"test collection": {"name": "Core17"}}},
        "moved": [{"from": "data.test_collection", "to": "data.test collection"}],
    }


def test_every_real_file_can_be_shown_in_every_form(shared_data: Path) -> None:
    path = shared_data / "ir_metadata/tira/ranking-with-metadata/run.txt"

    tree, yaml, made = (primad("show", path, "--format", form) for form in ("tree", "yaml", "json"))

    assert [one.code for one in (tree, yaml, made)] == [0, 0, 0]
    assert "    cpu\n      architecture      x86_64\n" in tree.out
    assert json.loads(made.out)["record"]["platform"]["hardware"]["ram"] == "202.735 GB"
    assert primad("show", "-", "--format", "yaml", stdin=yaml.out.encode()).out == yaml.out
    assert [line for line in tree.out.splitlines() if line != line.rstrip()] == []


@pytest.mark.parametrize(
    ("name", "message"),
    [
        pytest.param("bare/c.run", "bare/c.run: has no metadata; add it with: primad annotate", id="no metadata"),
        pytest.param("gone.run", "gone.run: no such file", id="missing"),
        pytest.param("bare", "bare: expected a file, found a directory; name the files in it", id="folder"),
    ],
)
def test_what_cannot_be_shown_is_one_message(name: str, message: str) -> None:
    assert primad("show", name) == Outcome(1, "", f"primad: {message}\n")


def test_a_run_without_metadata_from_standard_input_is_one_message() -> None:
    outcome = primad("show", "-", stdin=RANKING)

    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("primad: <stdin>: has no metadata")


def test_an_unknown_form_is_wrong_usage() -> None:
    outcome = primad("show", "a.run", "--format", "xml")

    assert (outcome.code, outcome.out) == (2, "")
    assert "expected tree, yaml, json, found 'xml'" in outcome.err
