"""Does another toolkit find what bm25s finds, is it described from its pipeline, and does it keep quiet?"""

import json
import os
import subprocess
import sys
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import pytest

from primad import assess, check_file, compare, method_of, read_record
from primad.experiments.ccrf.collection import Collection, CollectionError
from primad.experiments.ccrf.dataset import Dataset
from primad.experiments.ccrf.first_stages import bm25
from primad.experiments.ccrf.fusion import Retrieved
from primad.experiments.ccrf.pisa import _quiet, bm25_by_pisa, toolkit_work
from primad.experiments.ccrf.plan import KEYWORDS
from tests.experiments.ccrf.studies import done, small_collections

# PyTerrier 1.1 calls pandas 3.1 in ways that pandas 4 will not know.
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:The inplace keyword")]

pisa = pytest.importorskip("pyterrier_pisa", reason="pyterrier-pisa is made for Linux on x86_64 only")

TARGET = small_collections()[2]
DEPTH = 40


@pytest.fixture(scope="module")
def found() -> Retrieved:
    """Return what PISA finds in a small collection."""
    return bm25_by_pisa(TARGET, DEPTH)


def of_texts(topic: str, **documents: str) -> Collection:
    """Return DOCUMENTS as a collection with one TOPIC."""
    return Collection("texts", documents, {"1": topic}, {})


# What is found ---------------------------------------------------------------------------------------------------


def test_the_documents_are_those_of_bm25s_and_the_first_ones_in_the_same_order(found: Retrieved) -> None:
    other = bm25(TARGET, DEPTH).ranking

    assert {topic: set(scores) for topic, scores in found.ranking.items()} == {
        topic: set(scores) for topic, scores in other.items()
    }
    assert {topic: list(scores)[:5] for topic, scores in found.ranking.items()} == {
        topic: list(scores)[:5] for topic, scores in other.items()
    }


def test_scores_differ_from_those_of_bm25s_by_a_factor_at_the_top(found: Retrieved) -> None:
    other = bm25(TARGET, DEPTH).ranking

    # PISA has k1 + 1 in the numerator; lengths and idf are rounded otherwise.
    for topic, scores in found.ranking.items():
        first = next(iter(scores))
        assert scores[first] / other[topic][first] == pytest.approx(1.9, rel=0.07)


def test_no_more_than_depth_documents_are_found(found: Retrieved) -> None:
    first = bm25_by_pisa(TARGET, 3).ranking

    assert {topic: list(scores) for topic, scores in first.items()} == {
        topic: list(scores)[:3] for topic, scores in found.ranking.items()
    }


def test_the_same_collection_gives_the_same_ranking_whatever_the_order_of_documents(found: Retrieved) -> None:
    backwards = replace(TARGET, documents=dict(reversed([*TARGET.documents.items()])))

    assert bm25_by_pisa(backwards, DEPTH) == found


def test_words_are_stemmed() -> None:
    collection = of_texts("oscillators", a="an oscillator", b="circuits", c="valves", d="tubes")

    assert list(bm25_by_pisa(collection).ranking["1"]) == ["a"]


@pytest.mark.parametrize(
    "topic",
    [
        pytest.param("quince", id="unknown word"),
        pytest.param("", id="nothing"),
        pytest.param("the of and", id="stopwords"),
        pytest.param("日本", id="letters that it does not read"),
        pytest.param('" (x) ^2 : / #combine( \\', id="signs"),
    ],
)
def test_a_topic_that_nothing_is_found_for_is_left_out(topic: str) -> None:
    assert bm25_by_pisa(of_texts(topic, a="apple", b="pear", c="")).ranking == {}


@pytest.mark.parametrize(
    "documents",
    [
        pytest.param({}, id="none"),
        pytest.param({"d1": "", "d2": "!?"}, id="without words"),
        pytest.param({"d1": "日本"}, id="in letters that it does not read"),
    ],
)
def test_documents_that_pisa_cannot_read_are_refused_before_it_ends_the_process(documents: dict[str, str]) -> None:
    with pytest.raises(CollectionError, match=r"^texts: expected documents with words .*, found none that PISA can"):
        bm25_by_pisa(of_texts("apple", **documents))


# How it is described ---------------------------------------------------------------------------------------------


def test_the_method_is_what_the_pipeline_tells(found: Retrieved, tmp_path: Path) -> None:
    index = pisa.PisaIndex(str(tmp_path / "index"), text_field="text", stemmer="porter2", threads=1)
    index.index({"docno": name, "text": text} for name, text in TARGET.documents.items())
    pipeline = index.bm25(k1=0.9, b=0.4, num_results=DEPTH, threads=1)

    method = method_of(pipeline)["method"]

    assert (found.stages, found.indexing) == (method["retrieval"], method["indexing"])
    (stage,) = found.stages
    facts = ("name", "method", "index", "scorer", "k1", "b", "num_results", "index.stemmer")
    assert {key: stage[key] for key in facts} == {
        "name": "bm25",
        "method": "pyterrier_pisa.PisaRetrieve",
        "index": "pyterrier_pisa.PisaIndex",
        "scorer": "bm25",
        "k1": 0.9,
        "b": 0.4,
        "num_results": DEPTH,
        "index.stemmer": "porter2",
    }
    assert found.indexing == {"stemmer": "porter2", "stopwords": "terrier"}


def test_both_packages_are_stated_with_their_versions(found: Retrieved) -> None:
    assert found.toolkits == (
        f"pyterrier=={version('pyterrier')}",
        f"pyterrier_pisa=={version('pyterrier-pisa')}",
    )


def test_no_folder_of_this_machine_is_stated(found: Retrieved) -> None:
    assert "/" not in repr(found.stages)


def test_the_run_is_kept_as_a_reproduction_of_the_bm25_run(tmp_path: Path) -> None:
    dataset = Dataset(tmp_path, [TARGET])
    keywords = done(dataset, KEYWORDS, "bm25.three", bm25(TARGET), TARGET)

    (kept,) = dataset.add(toolkit_work(TARGET))

    record = read_record(kept.path)
    assert kept.tag == "pisa.three"
    assert kept.path == tmp_path / "runs" / "three" / "toolkit" / "pisa.three.run"
    assert (record["actor.team"], record["actor.role"]) == ("toolkit", "reproducer")
    assert record["research goal.evaluation.baseline"] == ["bm25.three"]
    assert check_file(kept.path).is_good
    (compared,) = compare(keywords, kept.path)
    assert str(compared.type) == "prIMAd"
    (reproduction,) = assess(keywords, {"PISA": kept.path}, dataset.qrels("three"), measures=["map"], intervals=False)
    overlap = reproduction.find("rbo_ext")
    assert overlap is not None
    assert overlap.value == pytest.approx(1, abs=0.02)


# What is said meanwhile ------------------------------------------------------------------------------------------


def test_nothing_is_said_while_it_works(capfd: pytest.CaptureFixture[str]) -> None:
    bm25_by_pisa(TARGET, 3)

    assert capfd.readouterr() == ("", "")


TALKING = """
import os, sys
from primad.experiments.ccrf.pisa import _quiet
print("before")
with _quiet():
    print("held back by Python, as long as it writes to no terminal")
    print("to the other stream", file=sys.stderr)
    os.write(1, b"past Python")
    os.write(2, b"past Python")
print("after")
"""


def test_only_what_is_said_before_and_after_is_heard() -> None:
    usual = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    heard = subprocess.run([sys.executable, "-c", TALKING], capture_output=True, text=True, check=True, env=usual)

    assert (heard.stdout, heard.stderr) == ("before\nafter\n", "")


CLOSED = [">&-", "2>&-", ">&- 2>&-", "<&- >&-", "<&- >&- 2>&-"]

ASKING = """
import json, os, sys
from primad.experiments.ccrf.pisa import _quiet

def is_open(number):
    try:
        return bool(os.fstat(number))
    except OSError:
        return False

facts = {"before": [is_open(1), is_open(2)]}
with _quiet():
    os.write(1, b"past Python")
    os.write(2, b"past Python")
    print("through Python", file=sys.stderr)
    number = os.open(os.devnull, os.O_RDONLY)
    facts["the next file is heard"] = number in (1, 2)
    os.close(number)
facts["after"] = [is_open(1), is_open(2)]
with open(sys.argv[1], "w") as file:
    json.dump(facts, file)
"""


def in_a_shell(program: str, redirection: str, file: Path) -> subprocess.CompletedProcess[str]:
    """Return what is heard of a Python PROGRAM that a shell starts with a REDIRECTION, and that is told of a FILE."""
    line = f'exec "$0" -c "$1" "$2" {redirection}'
    return subprocess.run(
        ["/bin/sh", "-c", line, sys.executable, program, str(file)], capture_output=True, text=True, check=True
    )


@pytest.mark.parametrize("redirection", CLOSED)
def test_where_a_stream_is_closed_the_other_is_quiet_and_no_file_gets_its_number(
    redirection: str, tmp_path: Path
) -> None:
    file = tmp_path / "facts.json"

    heard = in_a_shell(ASKING, redirection, file)

    assert (heard.stdout, heard.stderr) == ("", "")
    is_open = [" >&-" not in f" {redirection}", "2>&-" not in redirection]
    assert json.loads(file.read_text(encoding="utf-8")) == {
        "before": is_open,
        "the next file is heard": False,
        "after": is_open,
    }


SEARCHING = """
import sys, warnings
from primad.experiments.ccrf.collection import Collection
from primad.experiments.ccrf.pisa import bm25_by_pisa
warnings.simplefilter("ignore")
found = bm25_by_pisa(Collection("texts", {"a": "apple pie", "b": "pear"}, {"1": "apple"}, {})).ranking
with open(sys.argv[1], "w") as file:
    file.write(" ".join(found["1"]))
"""


@pytest.mark.parametrize("redirection", CLOSED[2::2])
def test_documents_are_found_in_silence_where_a_stream_is_closed(redirection: str, tmp_path: Path) -> None:
    file = tmp_path / "found.txt"

    heard = in_a_shell(SEARCHING, redirection, file)

    assert (heard.stdout, heard.stderr) == ("", "")
    assert file.read_text(encoding="utf-8") == "a"


def test_one_is_heard_again_after_a_failure(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(KeyError), _quiet():
        raise KeyError("lost")
    os.write(1, b"out\n")
    os.write(2, b"err\n")

    assert capfd.readouterr() == ("out\n", "err\n")


def test_no_open_file_is_left_behind() -> None:
    before = len([*Path("/dev/fd").iterdir()])
    for _ in range(5):
        with _quiet():
            pass

    assert len([*Path("/dev/fd").iterdir()]) == before
