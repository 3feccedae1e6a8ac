"""Are shared vocabulary and gain measured right, and is no more said of them than they show?"""

import re
from collections.abc import Sequence
from html import unescape
from itertools import permutations
from pathlib import Path
from statistics import mean
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from scipy.stats import permutation_test, rankdata, spearmanr

from primad.experiments.ccrf.collection import CollectionError, VocabularyOverlap, vocabulary_overlap
from primad.experiments.ccrf.dataset import Dataset
from primad.experiments.ccrf.plan import KEYWORDS, PAIRING, RERANKING, TRANSFERRING, TUNING
from primad.experiments.ccrf.transfer import Conjecture, Transfer, _figure, conjecture, draw, shared, transfers
from tests.experiments.ccrf.studies import NAMES, ap_of, done, ranked, tiny

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("study")]

ONE, TWO, THREE = tiny("one", "red rose"), tiny("two", "rose grass"), tiny("three", "red rose leaf")
SIX = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]


def pairs(overlaps: Sequence[float], gains: Sequence[float]) -> list[Transfer]:
    """Return transfers of which only shared vocabulary and gain matter; what the target knows says the contrary."""
    return [
        Transfer("a", f"t{place}", VocabularyOverlap(jaccard=overlap, known=1 - overlap), 0.3, gain)
        for place, (overlap, gain) in enumerate(zip(overlaps, gains, strict=True))
    ]


# Transfers -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """Return keyword searches, runs of feedback from one source, and runs that are neither."""
    made = Dataset(tmp_path_factory.mktemp("by_hand"), [ONE, TWO, THREE])
    for target, documents in ((ONE, ("d1", "d2")), (TWO, ("d1", "d2")), (THREE, ("d2", "d1"))):
        done(made, KEYWORDS, f"bm25.{target.name}", ranked(*documents), target)
    done(made, RERANKING, "reranked-one.three", ranked("d1", "d2"), THREE, ONE)
    done(made, RERANKING, "reranked-one+two.three", ranked("d2", "d1"), THREE, ONE, TWO)
    done(made, PAIRING, "pair-two.three", ranked("d2", "d3", "d1"), THREE, TWO)
    done(made, PAIRING, "pair-three.one", ranked("d2", "d1"), ONE, THREE)
    done(made, TUNING, "sweep-one.three-w0.9", ranked("d2", "d1"), THREE, ONE)
    done(made, TRANSFERRING, "transferred-two.one", ranked("d2", "d1"), ONE, TWO)
    return made


def test_shared_vocabulary_and_gain_are_those_counted_by_hand(dataset: Dataset) -> None:
    # One knows red and rose, two rose and grass, three red, rose and leaf; two is the target of no feedback.
    assert transfers(dataset) == [
        Transfer("three", "one", VocabularyOverlap(jaccard=2 / 3, known=2 / 2), score=1 / 2, gain=-1 / 2),
        Transfer("one", "three", VocabularyOverlap(jaccard=2 / 3, known=2 / 3), score=1.0, gain=1 / 2),
        Transfer("two", "three", VocabularyOverlap(jaccard=1 / 4, known=1 / 3), score=1 / 3, gain=1 / 3 - 1 / 2),
    ]


def test_a_transfer_is_called_by_its_source_and_its_target(dataset: Dataset) -> None:
    assert [one.pair for one in transfers(dataset)] == ["three → one", "one → three", "two → three"]


def test_every_ordered_pair_of_the_collections_of_the_study_is_there_once(study: Dataset) -> None:
    found = [(one.source, one.target) for one in transfers(study)]

    assert sorted(found) == sorted(permutations(NAMES, 2))


def test_the_values_of_the_study_are_those_of_overlap_and_evaluation(study: Dataset) -> None:
    collections = {one.name: one for one in study.collections}
    ap = {target: ap_of(study, target) for target in NAMES}
    tags = {(one.sources, one.target): one.tag for one in study.kept if one.tag.startswith(("reranked-", "pair-"))}

    for one in transfers(study):
        assert one.shared == vocabulary_overlap([collections[one.source]], collections[one.target])
        score, keywords = (mean(ap[one.target][tag]) for tag in (tags[(one.source,), one.target], f"bm25.{one.target}"))
        assert (one.score, one.gain) == pytest.approx((score, score - keywords))


def test_what_two_collections_share_is_the_same_in_both_directions(study: Dataset) -> None:
    jaccard = {(one.source, one.target): one.shared.jaccard for one in transfers(study)}

    assert jaccard == {(target, source): share for (source, target), share in jaccard.items()}
    assert len(set(jaccard.values())) == 3


# What the collections of a run share -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        pytest.param("reranked-one.three", VocabularyOverlap(jaccard=2 / 3, known=2 / 3), id="one source"),
        pytest.param("reranked-one+two.three", VocabularyOverlap(jaccard=2 / 4, known=2 / 3), id="two sources"),
        pytest.param("pair-three.one", VocabularyOverlap(jaccard=2 / 3, known=1.0), id="all that the target says"),
        pytest.param("transferred-two.one", VocabularyOverlap(jaccard=1 / 3, known=1 / 2), id="any method"),
    ],
)
def test_what_sources_and_target_of_a_run_share_is_counted(
    dataset: Dataset, tag: str, expected: VocabularyOverlap
) -> None:
    assert shared(dataset, tag) == expected


def test_a_second_source_knows_more_of_the_target_and_shares_no_larger_part_of_all_words(study: Dataset) -> None:
    for one, two in (("one.three", "one+two.three"), ("two.one", "two+three.one")):
        alone, together = (shared(study, f"reranked-{pair}") for pair in (one, two))
        assert together.known > alone.known > 0.1
        assert together.jaccard < alone.jaccard


def test_a_run_that_learned_from_nothing_shares_no_vocabulary(dataset: Dataset) -> None:
    with pytest.raises(CollectionError, match="expected one or more source collections, found none"):
        shared(dataset, "bm25.one")


# The conjecture --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("overlaps", "gains"),
    [
        pytest.param(SIX, [0.01, 0.03, 0.02, 0.06, 0.05, 0.04], id="6 pairs"),
        pytest.param([0.9, 0.2, 0.3, 0.1, 0.5, 0.6, 0.7], [-0.02, 0.03, 0.01, 0.05, 0.04, 0.0, 0.02], id="7 pairs"),
        pytest.param([*SIX, 0.7, 0.8], [1, 2, 4, 3, 5, 7, 6, 8], id="8 pairs"),
        pytest.param([0.1, 0.1, 0.3, 0.3, 0.5, 0.6], [0.0, 0.1, 0.1, 0.2, 0.2, 0.2], id="with ties"),
        pytest.param(SIX, [3, 5, 1, 6, 2, 4], id="nearly nothing"),
    ],
)
def test_correlation_and_chance_are_those_that_scipy_finds(overlaps: list[float], gains: list[float]) -> None:
    found = conjecture(pairs(overlaps, gains))
    ours, theirs = (rankdata(values) - (len(overlaps) + 1) / 2 for values in (overlaps, gains))

    def distance(order: Any, axis: int) -> Any:
        return np.abs((order * theirs).sum(axis=axis))

    exact = permutation_test(
        (ours,), distance, permutation_type="pairings", alternative="greater", n_resamples=np.inf, vectorized=True
    )
    assert found.pairs == len(overlaps)
    assert found.correlation == pytest.approx(spearmanr(overlaps, gains).statistic)
    assert found.chance == pytest.approx(exact.pvalue, abs=0.006)  # four standard errors of 99,999 draws


@pytest.mark.parametrize(
    ("gains", "correlation"), [pytest.param(SIX, 1, id="more"), pytest.param(SIX[::-1], -1, id="less")]
)
def test_a_perfect_order_of_six_pairs_is_as_rare_as_two_of_720(gains: list[float], correlation: float) -> None:
    found = conjecture(pairs(SIX, gains))

    assert found.correlation == pytest.approx(correlation)
    assert found.chance == pytest.approx(2 / 720, abs=0.0007)


def test_the_chance_is_the_same_each_time() -> None:
    found = pairs(SIX, [0.2, 0.1, 0.4, 0.3, 0.5, 0.6])

    assert conjecture(found) == conjecture(found)
    assert conjecture(found).chance is not None


def test_order_is_all_that_counts() -> None:
    overlaps, gains = np.array([0.1, 0.4, 0.3, 0.2, 0.5, 0.6]), np.array([0.2, 0.1, 0.4, 0.3, 0.5, 0.6])

    found = conjecture(pairs(list(overlaps), list(gains)))

    assert conjecture(pairs(list(overlaps**3), list(np.exp(gains)))) == found
    assert conjecture(pairs(list(overlaps[::-1]), list(gains[::-1]))).correlation == pytest.approx(found.correlation)


@pytest.mark.parametrize(
    ("overlaps", "gains"),
    [
        pytest.param([], [], id="no pair"),
        pytest.param(SIX[:5], SIX[:5], id="five pairs"),
        pytest.param([0.2] * 6, SIX, id="the same vocabulary"),
        pytest.param(SIX, [0.2] * 6, id="the same gain"),
    ],
)
def test_where_nothing_varies_nothing_is_said(overlaps: list[float], gains: list[float]) -> None:
    found = conjecture(pairs(overlaps, gains))

    assert found == Conjecture(len(overlaps), None, None)
    assert str(found) == (
        f"{len(overlaps)} pairs of collections are too few, or too much alike, to say anything about vocabulary."
    )


@pytest.mark.parametrize(
    ("correlation", "chance", "direction", "numbers"),
    [
        pytest.param(0.5, 0.312, "more", "0.50; 31.2 %", id="more"),
        pytest.param(-0.25, 0.5, "less", "-0.25; 50.0 %", id="less"),
        pytest.param(-0.001, 1.0, "neither more nor less", "0.00; 100.0 %", id="neither"),
        pytest.param(1.0, 0.00005, "more", "1.00; less than 0.1 %", id="hardly ever by chance"),
        pytest.param(1.0, 0.001, "more", "1.00; 0.1 %", id="once in a thousand"),
    ],
)
def test_the_sentence_says_the_direction_and_how_rare_it_is(
    correlation: float, chance: float, direction: str, numbers: str
) -> None:
    assert str(Conjecture(8, correlation, chance)) == (
        f"Over 8 pairs of collections, more shared vocabulary goes with {direction} gain over BM25 (Spearman's "
        f"correlation {numbers} of random orders are as far from 0)."
    )


def test_the_study_has_just_enough_pairs_to_say_something(study: Dataset) -> None:
    found = conjecture(transfers(study))

    assert found.pairs == 6
    assert found.correlation == pytest.approx(
        spearmanr(*zip(*((one.shared.jaccard, one.gain) for one in transfers(study)), strict=True)).statistic
    )


# The picture -----------------------------------------------------------------------------------------------------


def labels_in(path: Path) -> list[str]:
    """Return the texts of a picture, which stand in comments beside their outlines."""
    ET.parse(path)  # noqa: S314 - we wrote it, and it must be whole
    return [unescape(text) for text in re.findall("<!-- (.*?) -->", path.read_text(encoding="utf-8"))]


def test_the_picture_is_an_svg_with_a_legend_for_targets(tmp_path: Path) -> None:
    path = draw(pairs([0.1, 0.2], [0.0, 0.1]), tmp_path)

    assert path == tmp_path / "vocabulary.svg"
    assert ET.parse(path).getroot().tag == "{http://www.w3.org/2000/svg}svg"  # noqa: S314 - we wrote it
    words = [label for label in labels_in(path) if label[:1].isalpha()]
    assert sorted(words) == [
        "gain in AP over BM25",
        "to t0",
        "to t1",
        "vocabulary of judged documents that source and target share (Jaccard)",
    ]


def test_every_pair_is_a_point_and_every_target_has_a_mark_of_its_own() -> None:
    found = [
        Transfer(source, target, VocabularyOverlap(jaccard=overlap, known=0.9), 0.3, gain)
        for source, target, overlap, gain in (("a", "c", 0.1, 0.05), ("a", "b", 0.2, -0.01), ("b", "c", 0.3, 0.02))
    ]

    (axes,) = _figure(found).axes

    _, *drawn = axes.lines  # the first is where nothing is gained
    points = {line.get_label(): np.array(line.get_xydata()).tolist() for line in drawn}
    assert points == {"to c": [[0.1, 0.05], [0.3, 0.02]], "to b": [[0.2, -0.01]]}
    assert [line.get_marker() for line in drawn] == ["o", "s"]


@pytest.mark.parametrize("number", [pytest.param(0, id="no pair"), pytest.param(20, id="more targets than marks")])
def test_any_number_of_pairs_can_be_drawn(tmp_path: Path, number: int) -> None:
    shares = [place / 20 for place in range(number)]

    labels = labels_in(draw(pairs(shares, shares), tmp_path))

    assert [label for label in labels if label.startswith("to ")] == [f"to t{place}" for place in range(number)]


def test_the_same_pairs_give_the_same_picture(tmp_path: Path) -> None:
    found = pairs([0.1, 0.2], [0.0, 0.1])
    first = draw(found, tmp_path).read_bytes()

    assert draw(found, tmp_path).read_bytes() == first


@pytest.mark.parametrize(
    ("name", "label"),
    [
        pytest.param(r"$\nothing$ <&> --", r"to $\nothing$ <&> - -", id="signs, two of which end a comment"),
        pytest.param("日本", "to 日本", id="letters that the font does not have"),
    ],
)
def test_a_target_may_have_any_name(tmp_path: Path, name: str, label: str) -> None:
    odd = Transfer("a", name, VocabularyOverlap(jaccard=0.1, known=0.1), 0.1, 0.1)

    assert label in labels_in(draw([odd], tmp_path))
