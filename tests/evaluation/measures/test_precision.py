"""Precision and recall down to a rank, worked out by hand."""

import pytest

from primad import evaluate
from tests.evaluation.one_topic import score

AB = {"a": 1, "b": 1, "n": 0, "p": -1}
ABC = {"a": 1, "b": 1, "c": 1}


@pytest.mark.parametrize(
    ("measure", "judged", "ranking", "expected"),
    [
        pytest.param("P_1", AB, "axb", 1.0, id="P at 1"),
        pytest.param("P_2", AB, "axb", 1 / 2, id="P at 2"),
        pytest.param("P_5", AB, "axb", 2 / 5, id="P beyond the end: what is missing is not relevant"),
        pytest.param("recall_2", ABC, "axb", 1 / 3, id="recall at 2"),
        pytest.param("recall_3", ABC, "axb", 2 / 3, id="recall at 3"),
        pytest.param("recall_5", {"n": 0}, "n", 0.0, id="recall of nothing"),
        pytest.param("relative_P_1", AB, "axb", 1.0, id="relative_P: one of one possible"),
        pytest.param("relative_P_5", ABC, "axb", 2 / 3, id="relative_P: two of three possible"),
        pytest.param("relative_P_2", ABC, "axb", 1 / 2, id="relative_P: one of two possible"),
        pytest.param("relative_P_5", {"n": 0}, "n", 0.0, id="relative_P: none possible"),
        pytest.param("Rprec", AB, "axb", 1 / 2, id="Rprec: P at 2"),
        pytest.param("Rprec", ABC, "ab", 2 / 3, id="Rprec beyond the end"),
        pytest.param("Rprec", {"n": 0}, "n", 0.0, id="Rprec at 0"),
        pytest.param("Rprec_mult_2.0", AB, "axb", 2 / 4, id="Rprec_mult: P at 4"),
        pytest.param("Rprec_mult_0.5", AB, "xab", 0.0, id="Rprec_mult: P at 1"),
        pytest.param("Rprec_mult_0.6", AB, "xab", 1 / 2, id="Rprec_mult: 1.2 is rounded up to 2"),
        pytest.param("iprec_at_recall_0.5", AB, "xy", 0.0, id="interpolated precision of none"),
        pytest.param("success_1", AB, "xa", 0.0, id="no success"),
        pytest.param("success_2", AB, "xa", 1.0, id="success"),
        pytest.param("recip_rank", AB, "xyab", 1 / 3, id="reciprocal rank of the first only"),
        pytest.param("recip_rank", AB, "xy", 0.0, id="reciprocal rank of none"),
        pytest.param("recip_rank_cut_2", AB, "xya", 0.0, id="reciprocal rank, cut before"),
        pytest.param("recip_rank_cut_3", AB, "xya", 1 / 3, id="reciprocal rank, cut behind"),
    ],
)
def test_precision_and_recall_are_shares_of_the_first_documents(
    measure: str, judged: dict[str, int], ranking: str, expected: float
) -> None:
    assert score(measure, judged, ranking) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("cutoff", "ranking", "expected"),
    [
        pytest.param(1, "xa", 1.0, id="the first"),
        pytest.param(2, "xa", 1 / 2, id="one of two"),
        pytest.param(5, "xa", 1 / 5, id="what is missing is not unjudged"),
        pytest.param(2, "an", 0.0, id="relevant and not relevant are judged"),
        pytest.param(2, "pa", 1 / 2, id="in the pool is not judged"),
    ],
)
def test_unj_is_the_share_of_the_first_documents_that_was_not_judged(
    cutoff: int, ranking: str, expected: float
) -> None:
    assert score(f"unj_{cutoff}", AB, ranking, compat=10) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("version", "recall", "expected"),
    [
        # Three relevant documents, two found: precision is 1 at the first and 2/3 at the second.
        pytest.param(9, 0.0, 1.0, id="9: any"),
        pytest.param(9, 0.3, 1.0, id="9: 0.9 of a document is 1"),
        pytest.param(9, 0.4, 2 / 3, id="9: 1.2 documents are 2"),
        pytest.param(9, 0.5, 2 / 3, id="9: 1.5 documents are 2"),
        pytest.param(9, 1.0, 0.0, id="9: never reached"),
        pytest.param(10, 0.0, 1.0, id="10: any"),
        pytest.param(10, 0.1, 1.0, id="10: 0.3 of a document is any"),
        pytest.param(10, 0.4, 1.0, id="10: 1.2 documents are 1"),
        pytest.param(10, 0.5, 2 / 3, id="10: 1.5 documents are 2"),
        pytest.param(10, 1.0, 0.0, id="10: never reached"),
    ],
)
def test_version_9_rounds_recall_up_and_version_10_to_the_nearest(version: int, recall: float, expected: float) -> None:
    assert score(f"iprec_at_recall_{recall}", ABC, "axb", compat=version) == pytest.approx(expected)


def test_interpolated_precision_is_the_highest_at_that_recall_or_beyond() -> None:
    # Precision is 1/2 at the first relevant document and 2/3 at the second.
    assert score("iprec_at_recall_0.0", AB, "xab") == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        # Precision is 1 at the first of two relevant documents, 2/3 at the second.
        pytest.param(9, (6 * 1 + 5 * 2 / 3) / 11, id="9: the second from 0.6 on"),
        pytest.param(10, (8 * 1 + 3 * 2 / 3) / 11, id="10: the second from 0.8 on"),
    ],
)
def test_the_eleven_point_average_is_the_mean_over_tenths_of_recall(version: int, expected: float) -> None:
    assert score("11pt_avg", AB, "axb", compat=version) == pytest.approx(expected)


def test_the_eleven_point_average_takes_other_points() -> None:
    assert score("11pt_avg.0.5,1.0", AB, "axb") == pytest.approx((1 + 2 / 3) / 2)


def test_interpolated_precision_of_several_topics_is_that_of_each() -> None:
    qrels = {topic: {"a": 1, "b": 1} for topic in "123"}
    ranking = {"1": {"a": 2.0, "b": 1.0}, "2": {"x": 2.0, "a": 1.0}, "3": {"x": 3.0, "y": 2.0, "a": 1.0}}

    (run,) = evaluate(qrels, ranking, ["iprec_at_recall_0.5", "iprec_at_recall_1.0"])

    # Both relevant documents were found for the first topic only.
    expected = {"1": (1.0, 1.0), "2": (1 / 2, 0.0), "3": (1 / 3, 0.0)}
    assert dict(run.topic_scores()) == {
        topic: {"iprec_at_recall_0.50": half, "iprec_at_recall_1.00": whole}
        for topic, (half, whole) in expected.items()
    }


def test_a_family_has_the_members_that_trec_eval_gives_it() -> None:
    (run,) = evaluate({"1": {"a": 1}}, {"1": {"a": 1.0}}, ["P", "Rprec_mult"])

    cutoffs = [f"P_{cutoff}" for cutoff in (5, 10, 15, 20, 30, 100, 200, 500, 1000)]
    assert list(run.summary) == [*cutoffs, *(f"Rprec_mult_{fifth / 5:.2f}" for fifth in range(1, 11))]
