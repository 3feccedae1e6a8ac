"""Is feedback as good on a real collection as is known?"""

from pathlib import Path

import pytest
from scipy.stats import ttest_rel

from primad import evaluate
from primad.experiments.ccrf.classifiers import ensemble
from primad.experiments.ccrf.collection import Collection, parts
from primad.experiments.ccrf.feedback import REIMPLEMENTED, Training, pseudo_labelled, rank_all, reranked
from primad.experiments.ccrf.first_stages import bm25, bm25_rm3
from primad.experiments.ccrf.fusion import interpolated
from primad.experiments.ccrf.trec_folder import read_collection


@pytest.fixture(scope="module")
def vaswani(shared_data: Path) -> Collection:
    """Return a real collection of 11,429 documents, whose qrels name relevant documents only."""
    return read_collection(shared_data / "vaswani")


@pytest.mark.slow
def test_bm25_and_rm3_are_as_good_on_a_real_collection_as_is_known(vaswani: Collection) -> None:
    runs = {
        "bm25": bm25(vaswani),
        "unstemmed": bm25(vaswani, stemmer="none"),
        "rm3": bm25_rm3(vaswani),
    }
    found = evaluate(vaswani.qrels, {name: run.ranking for name, run in runs.items()}, ["map"])

    ap = {run.name: run.summary["map"] for run in found}
    assert ap == pytest.approx({"bm25": 0.2871, "unstemmed": 0.2244, "rm3": 0.3030}, abs=0.0005)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target_half", "keywords", "best"),
    [pytest.param(1, 0.3026, 0.3756, id="to the odd half"), pytest.param(0, 0.3198, 0.3980, id="to the even half")],
)
def test_feedback_improves_a_keyword_search_on_a_real_collection(
    vaswani: Collection, target_half: int, keywords: float, best: float
) -> None:
    both = parts(vaswani, 2)
    source, target = both[1 - target_half], both[target_half]
    first = bm25(target)
    again = reranked([source], target, first)

    # The weight is fixed before anything is looked at.
    runs = {"bm25": first.ranking, "classifier": again.ranking, "both": interpolated(again, first, 0.5).ranking}
    found = evaluate(target.qrels, runs, ["map"])

    ap = {run.name: run.summary["map"] for run in found}
    assert (ap["bm25"], ap["both"]) == pytest.approx((keywords, best), abs=0.002)
    assert 0.26 < ap["classifier"] < 0.31
    assert ap["both"] > ap["bm25"] + 0.05
    assert ttest_rel(found["both"].scores["map"], found["bm25"].scores["map"]).pvalue < 0.001


@pytest.mark.slow
def test_the_four_ways_are_as_good_on_a_real_collection_as_is_known(vaswani: Collection) -> None:
    source, target = parts(vaswani, 2)

    runs = {
        "original": rank_all([source], target),
        "reimplemented": rank_all([source], target, REIMPLEMENTED),
        "both": rank_all([source], target, Training(name="both", classifier=ensemble)),
        "pseudo": pseudo_labelled([source], target),
    }
    found = evaluate(target.qrels, {name: run.ranking for name, run in runs.items()}, ["map"])

    expected = {"original": 0.266, "reimplemented": 0.263, "both": 0.259, "pseudo": 0.198}
    assert {run.name: run.summary["map"] for run in found} == pytest.approx(expected, abs=0.003)
