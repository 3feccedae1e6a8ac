"""What do people get who meet primad with real files?  A student who reproduced a run, a reviewer without metadata."""

import gzip
import json
import shutil
from pathlib import Path

import pytest

from tests.cli.running import primad

ORIGINAL, MINE, OTHER = (
    f"anserini__{name}.run.gz" for name in ("2019-06-18__bm25", "2019-06-28__bm25", "2019-06-28__bm25.rm3")
)
ESSENTIAL = {
    "actor.name": "A. Student",
    "actor.role": "reproducer",
    "implementation.executable.cmd": "search -bm25",
    "implementation.source.repository": "https://example.org/anserini",
    "implementation.source.commit": "0" * 40,
    "method.automatic": "true",
    "method.retrieval": "[{name: bm25, method: org.apache.lucene.search.similarities.BM25Similarity, k1: 0.9, b: 0.4}]",
    "data.test collection.name": "TREC Common Core 2017",
    "platform.software.libraries": "{java: [anserini==0.5.1]}",
    "research goal.evaluation.baseline": "[Anserini]",
}


@pytest.fixture
def desk(shared_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with the runs of others, a student's own, and the judgments."""
    source = shared_data / "osirrc_core17"
    for name, file in {"original.run.gz": ORIGINAL, "mine.run.gz": MINE, "rm3.run.gz": OTHER}.items():
        shutil.copy(source / "runs" / file, tmp_path / name)
    shutil.copy(source / "qrels.core17.txt", tmp_path / "core17.qrels")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def settings() -> list[str]:
    """Return the essential fields as a student types them."""
    return [word for field, value in ESSENTIAL.items() for word in ("--set", f"{field}={value}")]


def test_a_student_annotates_checks_evaluates_and_assesses_her_reproduction(desk: Path) -> None:
    before = gzip.decompress((desk / "mine.run.gz").read_bytes())

    empty = primad("check", "mine.run.gz")
    noted = primad("annotate", "mine.run.gz", "--no-capture", "--in-place", *settings())
    good = primad("check", "mine.run.gz")
    scored = primad("evaluate", "core17.qrels", "mine.run.gz", "-m", "map", "-m", "P_30", "-m", "ndcg_cut_20")
    told = primad(
        "assess",
        "--original",
        "original.run.gz",
        "--reproduction",
        "mine.run.gz",
        "--qrels",
        "core17.qrels",
        "-m",
        "map",
    )

    assert (empty.code, noted.code, good.code, scored.code, told.code) == (1, 0, 0, 0, 0)
    assert gzip.decompress((desk / "mine.run.gz").read_bytes()).endswith(before)
    assert good.out.startswith("mine.run.gz: good; 0 errors")
    assert scored.out.splitlines()[-1].split() == ["mine.run.gz", "0.2087", "0.4293", "0.3877"]  # as was published
    assert told.out.startswith("mine: mean map is 0.2087 (original 0.2087, the same); document order is the same.")


@pytest.mark.usefixtures("desk")
def test_a_reviewer_of_two_runs_without_metadata_hears_how_close_they_are_and_that_what_changed_is_unknown() -> None:
    options = ("--reproduction", "rm3.run.gz", "--qrels", "core17.qrels", "-m", "map", "--format", "json")

    told = primad("assess", "--original", "original.run.gz", *options)
    compared = primad("compare", "original.run.gz", "rm3.run.gz")

    (found,) = json.loads(told.out)["reproductions"]
    values = {(one["measure"], one["of"]): one["value"] for one in found["values"] if "value" in one}
    assert found["type"] == "??????"
    assert values["arp", "map"] == pytest.approx(0.2823, abs=5e-5)  # as was published
    assert 0 < values["rbo_ext", ""] < 1
    assert (compared.code, compared.out) == (1, "")
    assert "has no metadata, neither in the file nor beside it; add it with: primad annotate" in compared.err
