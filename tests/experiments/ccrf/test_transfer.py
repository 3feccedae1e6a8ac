"""Are shared vocabulary and gain measured right, and is no more said of them than they show?"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from scipy.stats import permutation_test, rankdata, spearmanr

from primad import evaluate
from primad.experiments.ccrf.collection import Collection, vocabulary_overlap
from primad.experiments.ccrf.dataset import Dataset
from primad.experiments.ccrf.fusion import Retrieved
from primad.experiments.ccrf.plan import KEYWORDS, RERANKING, TRANSFERRING, sources_of
from primad.experiments.ccrf.transfer import Conjecture, Transfer, conjecture, draw, transfers
from tests.experiments.ccrf.studies import done

JUDGMENTS, PSEUDO = "reranking with judgments", "pseudo-labelled texts"

# Only the first document of each is judged: what the others say is no matter.
ONE = Collection("one", {"a1": "red rose", "a2": "blue sky tree"}, {"1": "rose"}, {"1": {"a1": 1}})
TWO = Collection("two", {"b1": "rose grass", "b2": "blue sky"}, {"1": "rose"}, {"1": {"b1": 1}})
THREE = Collection("three", {"c1": "red rose tree", "c2": "blue sky"}, {"1": "rose"}, {"1": {"c1": 1}})


def ranked(*documents: str) -> Retrieved:
    """Return a ranking of DOCUMENTS for the only topic."""
    scores = {document: float(len(documents) - place) for place, document in enumerate(documents)}
    return Retrieved({"1": scores}, [{"name": "by hand", "method": "by hand"}])


def pairs(known: Sequence[float], gains: Sequence[float], method: str = JUDGMENTS) -> list[Transfer]:
    """Return transfers of which only shared vocabulary and gain matter."""
    return [
        Transfer(method, ("a",), f"t{place}", share, 0.5, 0.3, gain)
        for place, (share, gain) in enumerate(zip(known, gains, strict=True))
    ]


def judged_by(known: Sequence[float], gains: Sequence[float]) -> Conjecture:
    """Return what is said of such pairs, made by reranking."""
    found, _ = conjecture(pairs(known, gains))
    return found


# Transfers -------------------------------------------------------------------------------------------------------


def test_shared_vocabulary_and_gain_are_those_counted_by_hand(tmp_path: Path) -> None:
    dataset = Dataset(tmp_path, [ONE, TWO, THREE])
    for target, documents in ((ONE, ("a1", "a2")), (TWO, ("b1", "b2")), (THREE, ("c2", "c1"))):
        done(dataset, KEYWORDS, f"bm25.{target.name}", ranked(*documents), target)
    done(dataset, RERANKING, "reranked-one.three", ranked("c1", "c2"), THREE, ONE)
    done(dataset, RERANKING, "reranked-one+two.three", ranked("c2", "c1"), THREE, ONE, TWO)
    done(dataset, TRANSFERRING, "transferred-two.one", ranked("a2", "a1"), ONE, TWO)
    done(dataset, RERANKING, "sweep-one.three-w0.5", ranked("c1", "c2"), THREE, ONE)

    # The target three has the terms red, rose and tree; one has red and rose, two has rose and grass.
    assert transfers(dataset) == [
        Transfer(PSEUDO, ("two",), "one", known=1 / 2, jaccard=1 / 3, score=0.5, gain=-0.5),
        Transfer(JUDGMENTS, ("one",), "three", known=2 / 3, jaccard=2 / 3, score=1.0, gain=0.5),
        Transfer(JUDGMENTS, ("one", "two"), "three", known=2 / 3, jaccard=2 / 4, score=0.5, gain=0.0),
    ]


def test_every_pair_of_the_study_is_there_once_for_each_method(study: Dataset) -> None:
    found = [(one.method, one.pair) for one in transfers(study)]

    learned = ["two → one", "two+three → one", "one → two", "one+three → two", "one → three", "one+two → three"]
    assert sorted(found) == sorted((method, pair) for method in (JUDGMENTS, PSEUDO) for pair in learned)


def test_the_values_of_the_study_are_those_of_overlap_and_evaluation(study: Dataset) -> None:
    collections = {one.name: one for one in study.collections}
    for target in study.collections:
        runs = study.runs_of("bm25.", "reranked-", "transferred-", target=target.name)
        ap = {run.tag: run.summary["map"] for run in evaluate(study.qrels(target.name), runs, ["map"])}
        for one in (one for one in transfers(study) if one.target == target.name):
            sources = tuple(collections[name] for name in one.sources)
            assert sources in sources_of(target, study.collections)
            tag = f"{'reranked' if one.method == JUDGMENTS else 'transferred'}-{'+'.join(one.sources)}.{one.target}"
            overlap = vocabulary_overlap(sources, target)
            assert (one.known, one.jaccard) == (overlap.known, overlap.jaccard)
            assert (one.score, one.gain) == (ap[tag], ap[tag] - ap[f"bm25.{target.name}"])


def test_two_sources_know_at_least_what_the_first_of_them_knows(study: Dataset) -> None:
    known = {one.pair: one.known for one in transfers(study)}

    assert known["two+three → one"] > known["two → one"] > 0.1
    assert known["one+two → three"] > known["one → three"] > 0.1


# The conjecture --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("known", "gains"),
    [
        pytest.param([0.1, 0.2, 0.3, 0.4, 0.5, 0.6], [0.01, 0.03, 0.02, 0.06, 0.05, 0.04], id="6 pairs"),
        pytest.param([0.9, 0.2, 0.3, 0.1, 0.5, 0.6, 0.7], [-0.02, 0.03, 0.01, 0.05, 0.04, 0.0, 0.02], id="7 pairs"),
        pytest.param([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8], [1, 2, 4, 3, 5, 7, 6, 8], id="8 pairs"),
        pytest.param([0.1, 0.1, 0.3, 0.3, 0.5, 0.6], [0.0, 0.1, 0.1, 0.2, 0.2, 0.2], id="with ties"),
        pytest.param([0.1, 0.2, 0.3, 0.4, 0.5, 0.6], [3, 5, 1, 6, 2, 4], id="nearly nothing"),
    ],
)
def test_correlation_and_chance_are_those_that_scipy_finds(known: list[float], gains: list[float]) -> None:
    found = judged_by(known, gains)
    ours, theirs = (rankdata(values) - (len(known) + 1) / 2 for values in (known, gains))

    def distance(order: Any, axis: int) -> Any:
        return np.abs((order * theirs).sum(axis=axis))

    exact = permutation_test(
        (ours,), distance, permutation_type="pairings", alternative="greater", n_resamples=np.inf, vectorized=True
    )
    assert found.pairs == len(known)
    assert found.correlation == pytest.approx(spearmanr(known, gains).statistic)
    assert found.chance == pytest.approx(exact.pvalue, abs=0.006)  # four standard errors of 99,999 draws


def test_the_chance_is_the_same_each_time() -> None:
    known, gains = [0.1, 0.2, 0.3, 0.4, 0.5], [0.2, 0.1, 0.4, 0.3, 0.5]

    assert judged_by(known, gains) == judged_by(known, gains)


def test_order_is_all_that_counts() -> None:
    known, gains = np.array([0.1, 0.4, 0.3, 0.2, 0.5]), np.array([0.2, 0.1, 0.4, 0.3, 0.5])

    assert judged_by(list(known), list(gains)) == judged_by(list(known**3), list(np.exp(gains)))


def test_methods_are_judged_apart() -> None:
    shares = [0.1, 0.2, 0.3, 0.4, 0.5]
    both = pairs(shares, shares) + pairs(shares, [-one for one in shares], PSEUDO)

    found = {one.method: one.correlation for one in conjecture(both)}

    assert found == pytest.approx({JUDGMENTS: 1.0, PSEUDO: -1.0})


@pytest.mark.parametrize(
    ("known", "gains"),
    [
        pytest.param([], [], id="no pair"),
        pytest.param([0.1, 0.2, 0.3], [0.1, 0.2, 0.3], id="three pairs"),
        pytest.param([0.2] * 5, [0.1, 0.2, 0.3, 0.4, 0.5], id="the same vocabulary"),
        pytest.param([0.1, 0.2, 0.3, 0.4, 0.5], [0.2] * 5, id="the same gain"),
    ],
)
def test_where_nothing_varies_nothing_is_said(known: list[float], gains: list[float]) -> None:
    found = judged_by(known, gains)

    assert found == Conjecture(JUDGMENTS, len(known), None, None)
    assert str(found) == (
        f"reranking with judgments: {len(known)} pairs of collections do not vary enough to say anything."
    )


@pytest.mark.parametrize(
    ("correlation", "chance", "sentence"),
    [
        pytest.param(
            0.5,
            0.312,
            "more gain (Spearman's correlation 0.50 over 8 pairs of collections; 31.2% of random orders",
            id="more",
        ),
        pytest.param(
            -0.25,
            0.5,
            "less gain (Spearman's correlation -0.25 over 8 pairs of collections; 50.0% of random orders",
            id="less",
        ),
        pytest.param(
            -0.001,
            1.0,
            "neither more nor less gain (Spearman's correlation 0.00 over 8 pairs of collections; 100.0% of random",
            id="neither",
        ),
        pytest.param(
            1.0,
            0.00005,
            "more gain (Spearman's correlation 1.00 over 8 pairs of collections; less than 0.1% of random orders",
            id="hardly ever by chance",
        ),
    ],
)
def test_the_sentence_says_the_direction_and_how_rare_it_is(correlation: float, chance: float, sentence: str) -> None:
    said = str(Conjecture("m", 8, correlation, chance))

    assert said.startswith(f"m: more shared vocabulary goes with {sentence}")
    assert said.endswith("are as far from 0).")


# The picture -----------------------------------------------------------------------------------------------------


def test_the_picture_is_an_svg_with_a_legend_for_methods_and_targets(tmp_path: Path) -> None:
    path = draw([*pairs([0.1, 0.2], [0.0, 0.1]), *pairs([0.3], [-0.1], PSEUDO)], tmp_path)

    assert path == tmp_path / "vocabulary.svg"
    assert ET.parse(path).getroot().tag == "{http://www.w3.org/2000/svg}svg"  # noqa: S314 - we wrote it
    text = path.read_text(encoding="utf-8")
    for label in (JUDGMENTS, PSEUDO, "to t0", "to t1", "filled: from two sources", "gain in AP over BM25"):
        assert f"<!-- {label} -->" in text


@pytest.mark.parametrize("number", [pytest.param(0, id="no pair"), pytest.param(20, id="more targets than marks")])
def test_any_number_of_pairs_can_be_drawn(tmp_path: Path, number: int) -> None:
    shares = [place / 20 for place in range(number)]

    assert ET.parse(draw(pairs(shares, shares), tmp_path)).getroot().tag.endswith("svg")  # noqa: S314 - we wrote it


def test_the_same_pairs_give_the_same_picture(tmp_path: Path) -> None:
    found = pairs([0.1, 0.2], [0.0, 0.1])
    first = draw(found, tmp_path).read_bytes()

    assert draw(found, tmp_path).read_bytes() == first


def test_a_target_may_have_any_name(tmp_path: Path) -> None:
    odd = Transfer(JUDGMENTS, ("a",), r"$\nothing$ <&> --", 0.1, 0.1, 0.1, 0.1)

    assert ET.parse(draw([odd], tmp_path)).getroot().tag.endswith("svg")  # noqa: S314 - we wrote it
