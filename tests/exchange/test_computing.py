"""Does what is handed over of a report say by which primad and of which files it was made?"""

import hashlib
import json
from importlib.metadata import version
from pathlib import Path

import pytest

from primad.exchange.computing import assessed_in, computing_of
from primad.exchange.gathering import gather
from primad.exchange.told import Software, Used
from primad.exchange.writing import export
from primad.reports.folder import write_report
from primad.reproducibility.assessment.assess import assess
from primad.trec.run import read_run

RUNS = {
    "bm25.run": b"301 Q0 d1 1 2.5 bm25\n301 Q0 d2 2 1.5 bm25\n302 Q0 d3 1 2.5 bm25\n302 Q0 d1 2 1.5 bm25\n",
    "again.run": b"301 Q0 d2 1 2.5 again\n301 Q0 d1 2 1.5 again\n302 Q0 d3 1 2.5 again\n302 Q0 d1 2 1.5 again\n",
}
QRELS = b"301 0 d1 1\n302 0 d1 1\n"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the report of an assessment of one run as a file and one that is none."""
    place = tmp_path_factory.mktemp("assessed")
    for name, data in RUNS.items():
        (place / name).write_bytes(data)
    (place / "core17.qrels").write_bytes(QRELS)
    result = assess(place / "bm25.run", {"again": read_run(RUNS["again.run"])}, place / "core17.qrels")
    write_report(result, place / "report", pictures=())
    return place / "report"


def test_a_report_has_its_version_and_the_digests_of_the_files_that_were_assessed(report: Path) -> None:
    said = json.loads((report / "assessment.json").read_bytes())

    assert said["primad"] == version("primad")
    assert said["files"] == {
        str(report.parent / "bm25.run"): hashlib.sha256(RUNS["bm25.run"]).hexdigest(),
        str(report.parent / "core17.qrels"): hashlib.sha256(QRELS).hexdigest(),
    }


def test_results_are_computed_by_primad_of_files_that_are_elsewhere(report: Path) -> None:
    computing = computing_of(gather(report))

    assert computing is not None
    assert computing.program == Software("primad", version("primad"), "program")
    assert computing.inputs == (
        Used(str(report.parent / "bm25.run"), hashlib.sha256(RUNS["bm25.run"]).hexdigest()),
        Used(str(report.parent / "core17.qrels"), hashlib.sha256(QRELS).hexdigest()),
    )
    assert {"assessment.json", "report.html"} <= {file.path for file in computing.outputs}


def test_a_file_that_lies_in_the_report_is_named_once(report: Path, tmp_path: Path) -> None:
    (tmp_path / "assessment.json").write_bytes((report / "assessment.json").read_bytes())
    (tmp_path / "mine.run").write_bytes(RUNS["bm25.run"])

    computing = computing_of(gather(tmp_path))

    assert computing is not None
    assert [one.path for one in computing.inputs] == ["mine.run", str(report.parent / "core17.qrels")]


def test_a_crate_says_which_primad_and_which_bytes(report: Path, tmp_path: Path) -> None:
    export(report, "ro-crate", tmp_path / "crate")

    graph = json.loads((tmp_path / "crate" / "ro-crate-metadata.json").read_bytes())["@graph"]
    found = {one["@id"]: one for one in graph}
    (action,) = (one for one in graph if one["@type"] == "CreateAction")
    assert found[action["instrument"]["@id"]]["softwareVersion"] == version("primad")
    digests = {found[one["@id"]]["sha256"] for one in action["object"]}
    assert digests == {hashlib.sha256(data).hexdigest() for data in (RUNS["bm25.run"], QRELS)}


def test_in_prov_results_are_derived_from_files_that_are_elsewhere(report: Path) -> None:
    document = json.loads(export(report, "prov").text)

    derived = {(one["prov:generatedEntity"], one["prov:usedEntity"]) for one in document["wasDerivedFrom"].values()}
    result = hashlib.sha256((report / "assessment.json").read_bytes()).hexdigest()
    sources = {hashlib.sha256(data).hexdigest() for data in (RUNS["bm25.run"], QRELS)}
    assert {used.split(":")[-1] for made, used in derived if made.endswith(result)} == sources


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "{",
        '{"original": 1}',
        '{"original": {"runs": {"a": 1}, "qrels": ""}, "reproductions": []}',
        '{"original": {"runs": {}, "qrels": ""}, "reproductions": [], "files": [1]}',
    ],
)
def test_a_report_of_others_is_relied_on_for_nothing(text: str, tmp_path: Path) -> None:
    (tmp_path / "assessment.json").write_text(text)

    assert assessed_in(gather(tmp_path).files) == {}
