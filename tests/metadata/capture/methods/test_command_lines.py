"""The method in commands of Pyserini and Anserini, which need not be installed."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from primad import read_record
from primad.metadata.capture.methods.command_lines import CommandMethod, read_command
from primad.metadata.recording.of_command import record_command

PYSERINI = "python -m pyserini.search.lucene --topics robust04 --output x.run"
ANSERINI = "java -cp anserini-0.36.1-fatjar.jar io.anserini.search.SearchCollection -topics t -output x.run"
LIBRARIES = ["numpy==2.4.0", "pyserini==0.22.1"]
BM25 = "org.apache.lucene.search.similarities.BM25Similarity"


def read(command: str, libraries: list[str] | None = None) -> CommandMethod:
    """Return what COMMAND says."""
    found = read_command(shlex.split(command), LIBRARIES if libraries is None else libraries)
    assert found is not None
    return found


def stages_of(command: str, libraries: list[str] | None = None) -> list[dict[str, Any]]:
    """Return the stages of COMMAND."""
    stages: list[dict[str, Any]] = read(command, libraries).tree["method"]["retrieval"]
    return stages


# Pyserini -----------------------------------------------------------------------------------------------------


def test_pyserini_with_rm3_has_two_stages_with_the_defaults_of_its_version() -> None:
    found = read(f"{PYSERINI} --index robust04 --bm25 --k1 0.8 --b=0.3 --rm3 --hits 100")

    assert found.tree == {
        "method": {
            "retrieval": [
                {"name": "bm25", "method": BM25, "k1": 0.8, "b": 0.3, "hits": 100},
                {
                    "name": "rm3",
                    "method": "io.anserini.rerank.lib.Rm3Reranker",
                    "reranks": "bm25",
                    "fbTerms": 10,
                    "fbDocs": 10,
                    "originalQueryWeight": 0.5,
                },
            ]
        },
        "platform": {"software": {"retrieval toolkit": ["pyserini==0.22.1"]}},
    }
    assert found.remarks == ()


@pytest.mark.parametrize(
    ("index", "expected"),
    [
        pytest.param("robust04", (0.9, 0.4), id="not tuned"),
        pytest.param("indexes/msmarco-v1-passage", (0.9, 0.4), id="a folder"),
        pytest.param("msmarco-v1-passage", (0.82, 0.68), id="tuned by its name"),
        pytest.param("msmarco-v1-doc-segmented-slim", (2.16, 0.61), id="tuned by another name"),
        pytest.param("msmarco-v1-doc.d2q-t5", (None, None), id="tuned in some releases"),
    ],
)
def test_pyserini_sets_k1_and_b_by_the_index_where_the_command_does_not(
    index: str, expected: tuple[float | None, float | None]
) -> None:
    (first,) = stages_of(f"{PYSERINI} --index {index} --bm25")

    assert (first.get("k1"), first.get("b")) == expected


def test_what_depends_on_the_index_is_said_to_be_missing() -> None:
    (remark,) = read(f"{PYSERINI} --index msmarco-v1-doc.d2q-t5").remarks

    assert remark == (
        "not recorded: bm25.k1, bm25.b, for they depend on the index; name them in the command or with --set"
    )


def test_values_in_the_command_go_over_those_of_the_index() -> None:
    (first,) = stages_of(f"{PYSERINI} --index msmarco-v1-passage --k1 0.9 --b 0.4")

    assert (first["k1"], first["b"]) == (0.9, 0.4)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        pytest.param("", [("bm25", None)], id="nothing named"),
        pytest.param("--qld", [("qld", None)], id="query likelihood"),
        pytest.param("--impact --encoder e", [("impact", None)], id="impact"),
        pytest.param("--rm3 --rocchio", [("bm25", None), ("rm3", "bm25"), ("rocchio", "rm3")], id="two of feedback"),
        pytest.param("--rocchio-py", [("bm25", None), ("rocchio", "bm25")], id="feedback in Python"),
        pytest.param("--prcl lr svm", [("bm25", None), ("prcl", "bm25")], id="classifiers"),
    ],
)
def test_each_stage_of_pyserini_works_on_the_one_before(options: str, expected: list[tuple[str, str | None]]) -> None:
    stages = stages_of(f"{PYSERINI} --index robust04 {options}")

    assert [(one["name"], one.get("reranks")) for one in stages] == expected


def test_the_parameters_of_further_stages_are_effective() -> None:
    stages = stages_of(f"{PYSERINI} --index i --qld --rocchio --rocchio-use-negative --prcl lr svm --prcl.alpha 0.7")

    first, second, third = stages
    assert first["mu"] == 1000
    assert (second["alpha"], second["beta"], second["gamma"], second["useNegative"]) == (1, 0.75, 0.15, True)
    assert (third["classifiers"], third["r"], third["n"], third["alpha"]) == (["lr", "svm"], 10, 100, 0.7)


def test_rocchio_without_negatives_gives_them_no_weight() -> None:
    assert stages_of(f"{PYSERINI} --index i --rocchio")[1]["gamma"] == 0


def test_options_that_change_the_ranking_stand_with_the_model() -> None:
    (first,) = stages_of(f"{PYSERINI} --index i --fields title=2 body=1 --dismax --threads 4 --language de")

    assert (first["fields"], first["dismax"], first["language"]) == (["title=2", "body=1"], True, "de")
    assert "threads" not in first


# Anserini -----------------------------------------------------------------------------------------------------


def test_anserini_is_read_with_the_defaults_of_the_version_that_its_archive_names() -> None:
    found = read(f"{ANSERINI} -index i -bm25 -bm25.b 0.3 -rm3 -rm3.fbTerms 25 -hits 50", [])

    assert found.tree["platform"] == {"software": {"retrieval toolkit": ["anserini==0.36.1"]}}
    assert found.tree["method"]["retrieval"] == [
        {"name": "bm25", "method": BM25, "k1": 0.9, "b": 0.3, "hits": 50},
        {
            "name": "rm3",
            "method": "io.anserini.rerank.lib.Rm3Reranker",
            "reranks": "bm25",
            "fbTerms": 25,
            "fbDocs": 10,
            "originalQueryWeight": 0.5,
            "rerankCutoff": 50,
        },
    ]
    assert found.remarks == ()


@pytest.mark.parametrize(
    "start",
    [
        "SearchCollection",
        "nohup target/appassembler/bin/SearchCollection",
        "sh target/appassembler/bin/SearchCollection",
        "bin/run.sh io.anserini.search.SearchCollection",
        "java -Xmx8g -cp jars/* io.anserini.search.SearchCollection",
    ],
)
def test_without_a_version_only_what_the_command_says_is_recorded(start: str) -> None:
    found = read(f"{start} -index i -bm25 -bm25.k1 0.82 -rm3", [])

    assert found.tree == {
        "method": {
            "retrieval": [
                {"name": "bm25", "method": BM25, "k1": 0.82},
                {"name": "rm3", "method": "io.anserini.rerank.lib.Rm3Reranker", "reranks": "bm25"},
            ]
        }
    }
    (remark,) = found.remarks
    assert remark == (
        "not recorded: bm25.b, bm25.hits, rm3.fbTerms, rm3.fbDocs, rm3.originalQueryWeight, rm3.rerankCutoff, "
        "for the version of Anserini cannot be told; name them in the command or with --set"
    )


@pytest.mark.parametrize(
    ("version", "is_known"),
    [
        pytest.param("0.14.3", False, id="before the first"),
        pytest.param("0.14.4", True, id="the first"),
        pytest.param("0.36.2-SNAPSHOT", True, id="on its way"),
        pytest.param("1.0.0", True, id="between"),
        pytest.param("2.3.0", True, id="the last"),
        pytest.param("2.3.1", False, id="after the last"),
        pytest.param("10.0.0", False, id="far after the last"),
    ],
)
def test_defaults_are_recorded_for_the_versions_whose_defaults_are_known(version: str, *, is_known: bool) -> None:
    found = read(f"java -cp x/anserini-{version}-fatjar.jar io.anserini.search.SearchCollection -bm25", [])

    (first,) = found.tree["method"]["retrieval"]
    assert found.tree["platform"]["software"]["retrieval toolkit"] == [f"anserini=={version}"]
    assert ("k1" in first) == is_known
    assert [f"the defaults of Anserini {version} are not known" in remark for remark in found.remarks] == (
        [] if is_known else [True]
    )


def test_several_values_of_a_parameter_are_all_recorded() -> None:
    (first,) = stages_of(f"{ANSERINI} -index i -bm25 -bm25.k1 0.9 1.2 -bm25.b 0.4", [])

    assert (first["k1"], first["b"]) == ([0.9, 1.2], 0.4)


def test_accurate_lengths_are_another_class() -> None:
    (first,) = stages_of(f"{ANSERINI} -index i -bm25 -bm25.accurate", [])

    assert first["method"] == "io.anserini.search.similarity.AccurateBM25Similarity"


# Other commands -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [
        "python search.py -m pyserini.search.lucene --bm25",
        "python search.py SearchCollection -bm25",
        "python -m pyserini.index.lucene --index i",
        "python -c 'print(1)' -m pyserini.search.lucene",
        "python -m",
        "python",
        f"{PYSERINI} --dense --hnsw --index i",
        f"{ANSERINI} -index i",
        "SearchCollectionOfMine -bm25",
        "grep -bm25 x.run",
        "",
    ],
)
def test_no_method_is_read_from_other_commands(command: str) -> None:
    assert read_command(shlex.split(command), LIBRARIES) is None


@pytest.mark.parametrize(
    "command",
    [
        "/usr/bin/python3.11 -u -W ignore -X dev -m pyserini.search.lucene --index i",
        "env A=b nice -n 5 python3 -m pyserini.search.lucene --index i",
        "srun uv run python -m pyserini.search.lucene --index i",
        "python -m pyserini.search --index i",
    ],
)
def test_pyserini_is_recognised_behind_launchers_and_options(command: str) -> None:
    assert [one["name"] for one in stages_of(command)] == ["bm25"]


def test_a_secret_among_the_options_does_not_reach_the_record() -> None:
    found = read(f"{PYSERINI} --index i --impact --encoder https://me:hunter2@example.org/model")

    assert "hunter2" not in str(found)


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["--k1", "--b"], id="no values"),
        pytest.param(["--k1", "-0.5", "--hits", "-1e3"], id="negative numbers"),
        pytest.param(["--hits", "9" * 5000], id="a number too long for Python"),
        pytest.param(["--hits", "²"], id="a digit that is no number"),
        pytest.param(["--", "--=", "\udcff", "--k1=\x00"], id="rubbish"),
    ],
)
def test_strange_options_break_nothing(words: list[str]) -> None:
    found = read_command(["python", "-m", "pyserini.search.lucene", *words], LIBRARIES)

    assert found is not None
    assert found.tree["method"]["retrieval"][0]["name"] == "bm25"


# Recordings ---------------------------------------------------------------------------------------------------

SEARCH = """
import sys
path = sys.argv[sys.argv.index("--output") + 1]
open(path, "w").write("".join(f"301 Q0 d{rank} {rank} {9 - rank} pyserini\\n" for rank in range(1, 4)))
"""


@pytest.fixture
def pyserini(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work where a package with Pyserini's name and version is installed that writes a run, and return the folder."""
    package = tmp_path / "site" / "pyserini" / "search" / "lucene"
    package.mkdir(parents=True)
    (package / "__main__.py").write_text(SEARCH)
    info = tmp_path / "site" / "pyserini-0.22.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pyserini\nVersion: 0.22.1\n")
    (tmp_path / "work").mkdir()
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "work"


def test_a_recorded_command_of_pyserini_fills_the_method(pyserini: Path) -> None:
    command = [sys.executable, "-m", "pyserini.search.lucene", "--index", "robust04", "--output", "x.run", "--bm25"]

    recorded = record_command(command)

    record = read_record(pyserini / "x.run")
    assert recorded.execution.status == 0
    assert record["method.retrieval"] == [{"name": "bm25", "method": BM25, "k1": 0.9, "b": 0.4, "hits": 1000}]
    assert record["platform.software.retrieval toolkit"] == ["pyserini==0.22.1"]


def test_what_a_person_has_stated_goes_over_what_a_command_says(pyserini: Path) -> None:
    command = [sys.executable, "-m", "pyserini.search.lucene", "--index", "robust04", "--output", "x.run"]

    record_command(command, values={"method.retrieval": [{"name": "mine", "k1": 2}]})

    assert read_record(pyserini / "x.run")["method.retrieval"] == [{"name": "mine", "k1": 2}]


def test_a_recorded_command_says_which_defaults_it_does_not_know(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    program = tmp_path / "SearchCollection"
    program.write_text("#!/bin/sh\necho '301 Q0 d1 1 2.5 anserini' > x.run\n")
    program.chmod(0o755)

    recorded = record_command(["./SearchCollection", "-index", "i", "-bm25", "-bm25.k1", "0.8", "-output", "x.run"])

    assert read_record(tmp_path / "x.run")["method.retrieval"] == [{"name": "bm25", "method": BM25, "k1": 0.8}]
    assert [remark for remark in recorded.remarks if remark.startswith("not recorded: bm25.b, bm25.hits")] != []
