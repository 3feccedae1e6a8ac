"""From the objects that a program uses to the Method of its record."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import primad
from primad.errors import DataError
from primad.metadata.capture.methods import ensemble, interpolation, method_of, stage

RUN = "".join(f"{topic} Q0 d{rank} {rank} {10 - rank} mine\n" for topic in (301, 302) for rank in range(1, 4))
BM25 = {"name": "bm25", "method": "lucene.BM25Similarity", "b": 0.4, "k1": 0.9}


def test_the_example_of_the_paper_can_be_said() -> None:
    tree = method_of(
        BM25,
        stage({"name": "lr reranker", "method": "sklearn.LogisticRegression"}, reranks="bm25"),
        interpolation(of=["lr reranker", "bm25"], weight=0.6),
    )

    assert tree == {
        "method": {
            "retrieval": [
                {"name": "bm25", "method": "lucene.BM25Similarity", "b": 0.4, "k1": 0.9},
                {"name": "lr reranker", "method": "sklearn.LogisticRegression", "reranks": "bm25"},
                {"name": "interpolation", "interpolates": ["lr reranker", "bm25"], "weight": 0.6},
            ]
        }
    }


def test_stages_are_referred_to_by_what_they_were_made_of() -> None:
    first = stage({"name": "bm25"}, k1=0.9)
    second = stage({"name": "lr"}, reranks=first, depth=100)
    third = stage({"name": "svm"}, reranks=first, name="svm reranker")
    both = ensemble(of=[second, third])

    stages = method_of(first, [second, third], both, interpolation(of=[both, first], weight=0.5))["method"]["retrieval"]

    assert stages == [
        {"name": "bm25", "k1": 0.9},
        {"name": "lr", "reranks": "bm25", "depth": 100},
        {"name": "svm reranker", "reranks": "bm25"},
        {"name": "ensemble", "ensembles": ["lr", "svm reranker"]},
        {"name": "interpolation", "interpolates": ["ensemble", "bm25"], "weight": 0.5},
    ]


@pytest.mark.parametrize(
    ("things", "message"),
    [
        pytest.param([{"k1": 0.9}], r"expected a stage with a name, .*, found 'k1'", id="no name"),
        pytest.param([{"name": " "}], "expected a stage with a name", id="empty name"),
        pytest.param([BM25, BM25], "found 'bm25' twice", id="a name twice"),
        pytest.param(
            [BM25, stage({"name": "lr"}, reranks="rm3")],
            "stage 'lr' refers to 'rm3'; expected an earlier stage, found 'bm25'",
            id="unknown stage",
        ),
        pytest.param([stage({"name": "lr"}, reranks="lr")], "found none", id="itself"),
        pytest.param([interpolation(of=[object()], weight=1)], r"found builtins\.object", id="undescribed part"),
        pytest.param([object()], r"objects that an adapter knows, found builtins\.object", id="unknown object"),
    ],
)
def test_what_makes_no_pipeline_is_refused(things: list[object], message: str) -> None:
    with pytest.raises(DataError, match=message):
        method_of(*things)


def test_secrets_among_the_parameters_do_not_reach_the_record() -> None:
    (first,) = method_of({"name": "remote", "api_key": "hunter2", "url": "https://me:hunter2@example.org/"})["method"][
        "retrieval"
    ]

    assert "hunter2" not in str(first)
    assert first["api_key"] == "REDACTED"


def test_no_toolkit_is_imported_for_the_sake_of_an_adapter() -> None:
    program = (
        "import sys; from primad.metadata.capture.methods import method_of; method_of({'name': 'bm25'})\n"
        "try: method_of(object())\n"
        "except Exception as error: print(type(error).__name__)\n"
        "print(sorted({'bm25s', 'numpy', 'polars', 'pydantic', 'pyterrier', 'sklearn'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

    assert (done.stdout, done.stderr) == ("DataError\n[]\n", "")


# Recordings ---------------------------------------------------------------------------------------------------


def test_a_recording_takes_objects_and_their_run_passes_the_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bm25s = pytest.importorskip("bm25s")
    linear_model = pytest.importorskip("sklearn.linear_model")
    monkeypatch.chdir(tmp_path)
    first, second = bm25s.BM25(k1=0.9, b=0.4), linear_model.LogisticRegression()

    with primad.record(runs=["mine.run"]) as recording:
        recording.method(
            first, stage(second, name="lr", reranks=first, depth=100), interpolation(of=["lr", "bm25"], weight=0.6)
        )
        (tmp_path / "mine.run").write_text(RUN)

    record = primad.read_record("mine.run")
    faults = [finding for finding in primad.check_file("mine.run").findings if "retrieval" in finding.field]
    assert [one["name"] for one in record["method.retrieval"]] == ["bm25", "lr", "interpolation"]
    assert record["platform.software.retrieval toolkit"][0] == f"bm25s=={bm25s.__version__}"
    assert faults == []


def test_a_toolkit_that_a_person_has_stated_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bm25s = pytest.importorskip("bm25s")
    monkeypatch.chdir(tmp_path)

    with primad.record(runs=["mine.run"], values={"platform.software.retrieval toolkit": ["ours==1.0"]}) as recording:
        recording.method(bm25s.BM25())
        (tmp_path / "mine.run").write_text(RUN)

    assert primad.read_record("mine.run")["platform.software.retrieval toolkit"] == ["ours==1.0"]


# Packages -----------------------------------------------------------------------------------------------------

ADAPTER = """
class Ranker:
    depth = 20

def knows(thing):
    return isinstance(thing, Ranker)

def stages(thing, names):
    first = names.new("bm25")
    return [{"name": first}, {"name": names.new("ours"), "reranks": first, "depth": thing.depth}]

def toolkit():
    return "brought==1.0"
"""


def install(folder: Path, code: str) -> None:
    """Put a package that brings an adapter into FOLDER, as an installer leaves it."""
    (folder / "brought.py").write_text(code)
    info = folder / "brought-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: brought\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[primad.methods]\nbrought = brought\n")


def asked(folder: Path, program: str) -> subprocess.CompletedProcess[str]:
    """Run PROGRAM where the packages of FOLDER are installed."""
    start = f"import sys; sys.path.append({str(folder)!r})\nfrom primad.metadata.capture.methods import *\n"
    return subprocess.run([sys.executable, "-c", start + program], capture_output=True, text=True, check=False)


def test_a_package_brings_an_adapter_by_an_entry_point(tmp_path: Path) -> None:
    install(tmp_path, ADAPTER)

    done = asked(tmp_path, "import brought; print(method_of({'name': 'bm25'}, brought.Ranker()))")

    stages = [{"name": "bm25"}, {"name": "bm25 2"}, {"name": "ours", "reranks": "bm25 2", "depth": 20}]
    tree = {
        "method": {"retrieval": stages},
        "platform": {"software": {"retrieval toolkit": ["brought==1.0"]}},
    }
    assert (done.stdout, done.stderr) == (f"{tree}\n", "")


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        pytest.param("[]", "expected stages of brought.Ranker, found none", id="no stage"),
        pytest.param("'bm25'", "expected stages of brought.Ranker, found none", id="no list"),
        pytest.param("[{'k1': 1}]", "expected a stage with a name", id="no name"),
        pytest.param("[3]", "expected a stage with a name", id="no mapping"),
    ],
)
def test_an_adapter_that_gives_no_stages_is_reported(tmp_path: Path, returned: str, message: str) -> None:
    install(tmp_path, f"{ADAPTER}\ndef stages(thing, names): return {returned}\n")

    done = asked(tmp_path, "import brought; method_of(brought.Ranker())")

    assert done.stderr.splitlines()[-1].startswith("primad.errors.DataError")
    assert message in done.stderr


def test_an_adapter_that_cannot_be_loaded_is_named_only_where_it_may_be_missed(tmp_path: Path) -> None:
    install(tmp_path, "raise ImportError('no such library')")

    done = asked(tmp_path, "print(method_of({'name': 'bm25'})); method_of(object())")

    assert done.stdout == "{'method': {'retrieval': [{'name': 'bm25'}]}}\n"
    assert "not usable: brought (ImportError: no such library)" in done.stderr.splitlines()[-1]
