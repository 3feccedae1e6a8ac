"""Are ktu and the truncated overlap those of repro_eval 0.5.0, where what it is given is sane, and what are they else?

First on small runs with the values that it gave for them, then on real runs, where repro_eval runs as it is, in an
environment of its own that ``make test`` makes (tests/peers).
"""

import gzip
import json
import subprocess
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from primad.errors import DataError
from primad.reproducibility.order import (
    RankingPair,
    Rankings,
    ktu,
    rbo_ext,
    rbo_truncated,
    reasons,
    tau_shared,
    tau_union,
)
from primad.trec import Run, ScoredDoc, read_run
from tests.reproducibility.order.making import Measure, by_topic

ROOT = Path(__file__).resolve().parents[3]
ENVIRONMENT = ROOT / ".venv" / "peers" / "repro_eval"
MISSING = "the environment of repro_eval is missing; run: make test"

Cases = dict[str, dict[str, Any]]
Values = dict[str, float]

# Those in which lines stand in the order of scores, and both runs have the same topics, each with lists of one length.
SANE = (
    "V01_identical",
    "V02_paper_ex1",
    "V03_paper_ex2",
    "V04_relabelled",
    "V05_relabelled_same_swap",
    "V06_reversed",
    "V07_disjoint",
    "V10_ties",
    "V14_topic_not_in_qrels",
    "V15_qrels_topic_without_relevant",
    "V16_full_rpd",
    "V17_er_zero_effect",
    "V19_partial_nan_p",
    "V20_single_topic",
    "V23_ten_docs_topswap",
)
WITHOUT_LISTS = "V21_full_rpl"  # compares two collections, so there is nothing to compare list by list
ODD = (
    "V08_unequal_length",
    "V09_single_doc",
    "V11_unsorted_file",
    "V12_topic_missing_in_rep",
    "V13_topic_missing_in_orig",
    "V18_zero_baseline",
    "V22_duplicate_doc",
)

default_rbo = partial(rbo_truncated, p=0.95, depth=1000)
short_rbo = partial(rbo_truncated, p=0.8, depth=10)


@pytest.fixture(scope="module")
def cases(shared_data: Path) -> Cases:
    """Return small runs with what repro_eval says of them."""
    text = (shared_data.parent / "reference" / "repro_eval_vectors.json").read_text(encoding="utf-8")
    return {case["id"]: case for case in json.loads(text)["cases"]}


def run_of(lines: dict[str, list[tuple[str, float]]]) -> Run:
    """Return the run whose lines stand in this order."""
    return Run.from_records(ScoredDoc(topic, *line) for topic, found in lines.items() for line in found)


def pair_of_case(case: dict[str, Any], kind: str = "base") -> RankingPair:
    """Return the baselines or the advanced runs of a case."""
    runs = (run_of(case["inputs"][f"{side}_{kind}"]) for side in ("orig", "rep"))
    return RankingPair.of(*map(Rankings.of, runs))


def peer(case: dict[str, Any], what: str, kind: str = "baseline") -> Values:
    """Return the values of each topic that repro_eval gave."""
    values: Values = case["repro_eval"][what][kind]
    return values


def approx(expected: Values) -> object:
    return pytest.approx(expected, abs=1e-9, nan_ok=True)


# Small runs ------------------------------------------------------------------------------------------------------


def test_every_small_case_is_looked_at(cases: Cases) -> None:
    assert set(cases) == {*SANE, *ODD, WITHOUT_LISTS}


@pytest.mark.parametrize("name", SANE)
def test_values_are_those_of_repro_eval(cases: Cases, name: str) -> None:
    case = cases[name]
    for kind, word in {"base": "baseline", "adv": "advanced"}.items():
        if f"orig_{kind}" not in case["inputs"]:
            continue
        pair = pair_of_case(case, kind)

        assert by_topic(ktu, pair) == approx(peer(case, "ktu_per_topic", word))
        assert by_topic(default_rbo, pair) == approx(peer(case, "rbo_per_topic_p0.95_depth1000", word))
        assert by_topic(short_rbo, pair) == approx(peer(case, "rbo_per_topic_p0.8_depth10", word))


@pytest.mark.parametrize(
    "name", [name for name in (*SANE, *ODD) if name not in {"V09_single_doc", "V22_duplicate_doc"}]
)
def test_the_recommended_measures_are_those_worked_out_for_the_cases(cases: Cases, name: str) -> None:
    expected = {topic: values for topic, values in cases[name]["reference"]["base"].items() if values}
    pair = pair_of_case(cases[name])

    measures: dict[str, Measure] = {
        "taub_union_missing_tied_last": tau_union,
        "rbo_ext_p0.95": partial(rbo_ext, p=0.95),
        "rbo_ext_p0.8": partial(rbo_ext, p=0.8),
    }
    for word, measure in measures.items():
        assert by_topic(measure, pair) == approx({topic: values[word] for topic, values in expected.items()})


def test_lists_of_unequal_length_leave_one_topic_without_ktu_where_repro_eval_fails_for_all(cases: Cases) -> None:
    case = cases["V08_unequal_length"]
    pair = pair_of_case(case)

    assert case["repro_eval"]["ktu_per_topic"]["error"].startswith("ValueError")
    assert by_topic(ktu, pair) == approx({"1": 1, "2": float("nan")})
    assert reasons(ktu, pair) == {"2": "lists of unequal length"}
    assert by_topic(default_rbo, pair) == approx(peer(case, "rbo_per_topic_p0.95_depth1000"))
    assert by_topic(short_rbo, pair) == approx(peer(case, "rbo_per_topic_p0.8_depth10"))


def test_single_documents_have_a_reason_where_repro_eval_has_nan(cases: Cases) -> None:
    case = cases["V09_single_doc"]
    pair = pair_of_case(case)

    assert case["repro_eval"]["ktu_per_topic"]["baseline"] == {"1": "NaN", "2": "NaN"}
    assert reasons(ktu, pair) == {"1": "one document", "2": "one document"}
    assert by_topic(tau_union, pair) == {"1": 1, "2": 1}
    assert by_topic(default_rbo, pair) == approx(peer(case, "rbo_per_topic_p0.95_depth1000"))
    assert by_topic(short_rbo, pair) == approx(peer(case, "rbo_per_topic_p0.8_depth10"))


def test_scores_rank_where_repro_eval_takes_the_order_of_lines(cases: Cases) -> None:
    case, same = cases["V11_unsorted_file"], cases["V01_identical"]
    pair = pair_of_case(case)

    assert peer(case, "ktu_per_topic") == {"1": -0.2, "2": -0.2}
    assert by_topic(ktu, pair) == {"1": 1, "2": 1}
    assert by_topic(default_rbo, pair) == approx(peer(same, "rbo_per_topic_p0.95_depth1000"))


def test_a_topic_that_the_reproduction_lacks_is_left_out_as_in_repro_eval(cases: Cases) -> None:
    case = cases["V12_topic_missing_in_rep"]
    pair = pair_of_case(case)

    assert pair.topics == ("1",)
    assert by_topic(ktu, pair) == approx(peer(case, "ktu_per_topic"))
    assert by_topic(default_rbo, pair) == approx(peer(case, "rbo_per_topic_p0.95_depth1000"))


def test_a_topic_that_the_original_lacks_is_left_out_where_repro_eval_fails(cases: Cases) -> None:
    case = cases["V13_topic_missing_in_orig"]
    pair = pair_of_case(case)

    assert case["repro_eval"]["rbo_per_topic_p0.8_depth10"]["error"].startswith("AttributeError")
    assert pair.topics == ("1",)
    assert by_topic(ktu, pair) == approx({"1": 0.8})


def test_advanced_runs_have_ktu_though_repro_eval_fails_on_the_baselines(cases: Cases) -> None:
    case = cases["V18_zero_baseline"]
    baselines, advanced = pair_of_case(case), pair_of_case(case, "adv")

    assert case["repro_eval"]["ktu_per_topic"]["error"].startswith("ValueError")
    assert reasons(ktu, baselines) == dict.fromkeys("1234", "lists of unequal length")
    assert by_topic(default_rbo, baselines) == approx(peer(case, "rbo_per_topic_p0.95_depth1000"))
    assert by_topic(ktu, advanced) == approx(peer(cases["V16_full_rpd"], "ktu_per_topic", "advanced"))


def test_a_document_named_twice_is_refused_where_repro_eval_takes_its_first_place_and_last_score(cases: Cases) -> None:
    case = cases["V22_duplicate_doc"]

    assert peer(case, "ktu_per_topic") == {"1": 1, "2": 1}
    with pytest.raises(DataError, match="expected each document once per topic, found 'd1' twice for topic '1'"):
        pair_of_case(case)


# Real runs -------------------------------------------------------------------------------------------------------

TOPICS = ("307", "310", "321", "325")
# Lists of one length, hardly tied and heavily tied.
PAIRS = (
    ("anserini__2019-06-18__bm25.run.gz", "anserini__2019-06-18__ql.run.gz"),
    ("anserini__2019-06-18__bm25.ax.run.gz", "pisa__2019-06-18__core17-1000.gz"),
    ("atire__2019-06-18__ANT_c17_100_percent.txt.gz", "jass__2019-06-28__JASS_c17_10_percent.txt.gz"),
)
UNEQUAL = (("anserini__2019-06-18__bm25.run.gz", "jass__2019-06-28__JASS_c17_10_percent.txt.gz"),)

PROGRAM = """
import json, sys
from repro_eval.measure.document_order import KTU, RBO
from repro_eval.util import load_run

original, reproduction = map(load_run, sys.argv[2:])
rbo = RBO(original, reproduction, p=0.95, depth=1000, pbar=False, per_topic=True)
ktu = KTU(original, reproduction, per_topic=True) if sys.argv[1] == "equal" else {}
print(json.dumps([ktu, rbo]))
"""


@pytest.fixture(scope="module")
def repro_eval() -> Path:
    """Return the interpreter that has repro_eval; without it the test is skipped."""
    if not (ENVIRONMENT / ".locked").exists():
        pytest.skip(MISSING)
    return ENVIRONMENT / "bin" / "python"


def ask(interpreter: Path, lengths: str, *paths: Path) -> tuple[Values, Values]:
    """Return what repro_eval says of two run files: KTU, unless LENGTHS are not equal, and RBO."""
    command = [str(interpreter), "-W", "ignore", "-c", PROGRAM, lengths, *map(str, paths)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    first, second = json.loads(done.stdout)
    return first, second


def cut(path: Path, folder: Path) -> Path:
    """Write the lines of some topics of the run at PATH in six columns, and return where."""
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        rows = [line.split()[:5] for line in stream]
    target = folder / path.name.removesuffix(".gz")
    target.write_text("".join(" ".join(row) + " tag\n" for row in rows if row[0] in TOPICS), encoding="utf-8")
    return target


@pytest.mark.slow
@pytest.mark.parametrize("names", [*PAIRS, *UNEQUAL], ids=["bm25-ql", "ax-pisa", "atire-jass", "bm25-jass"])
def test_values_of_real_runs_are_those_of_repro_eval(
    shared_data: Path, tmp_path: Path, repro_eval: Path, names: tuple[str, str]
) -> None:
    original, reproduction = (cut(shared_data / "osirrc_core17" / "runs" / name, tmp_path) for name in names)
    lengths = "equal" if names in PAIRS else "unequal"
    expected_ktu, expected_rbo = ask(repro_eval, lengths, original, reproduction)

    pair = RankingPair.of(Rankings.of(read_run(original)), Rankings.of(read_run(reproduction)))

    assert by_topic(default_rbo, pair) == approx(expected_rbo)
    assert set(expected_rbo) == set(TOPICS)
    if lengths == "equal":
        assert by_topic(ktu, pair) == approx(expected_ktu)
    else:
        assert reasons(ktu, pair) == dict.fromkeys(TOPICS, "lists of unequal length")


def test_ktu_of_two_close_real_runs_is_near_zero_where_tau_is_not(shared_data: Path) -> None:
    names = PAIRS[0]
    runs = (read_run(shared_data / "osirrc_core17" / "runs" / name) for name in names)
    pair = RankingPair.of(*map(Rankings.of, runs))

    means = [float(measure(pair).mean()) for measure in (ktu, tau_shared, default_rbo)]

    assert means == pytest.approx([-0.0003, 0.67, 0.73], abs=0.005)
