"""Graded gains, worked out by hand.  The discount of rank 1 is log2(2) = 1, of rank 3 it is log2(4) = 2."""

from math import log2

import pytest

from primad import evaluate
from tests.evaluation.one_topic import score

THREE = {"a": 3}
GRADED = {"a": 1, "b": 2, "n": 0, "p": -1}
SECOND = 1 / log2(3)  # what a gain of 1 is worth at rank 2


def test_a_rank_costs_at_least_1_however_small_the_gains() -> None:
    first = 0.5 / log2(2 + 1 - 0.5)
    third = 0.5 / log2(2 + 3 - 1)

    assert score("G.1=0.5", {"a": 1, "b": 1}, "axb") == pytest.approx((first + third) / 1.0)


@pytest.mark.parametrize(
    ("measure", "judged", "ranking", "expected"),
    [
        pytest.param("ndcg", THREE, "a", 1.0, id="ideal"),
        pytest.param("ndcg", THREE, "xya", (3 / 2) / 3, id="at the third rank"),
        pytest.param("ndcg", GRADED, "ba", 1.0, id="the highest first"),
        pytest.param("ndcg", GRADED, "axb", (1 + 2 / 2) / (2 + SECOND), id="the highest last"),
        pytest.param("ndcg", GRADED, "npx", 0.0, id="nothing gained"),
        pytest.param("ndcg", {"n": 0}, "n", 0.0, id="nothing to gain"),
        pytest.param("ndcg.1=4", GRADED, "bxa", (2 + 4 / 2) / (4 + 2 * SECOND), id="a gain for one level"),
        pytest.param("ndcg.1=3,2=9", GRADED, "axb", (3 + 9 / 2) / (9 + 3 * SECOND), id="gains for two levels"),
        pytest.param("ndcg.0=1", {"n": 0}, "xyn", 1 / 2, id="a gain for level 0"),
        pytest.param("ndcg_cut_2", THREE, "xya", 0.0, id="cut before"),
        pytest.param("ndcg_cut_3", THREE, "xya", 1 / 2, id="cut behind"),
        pytest.param("ndcg_cut_1", GRADED, "ab", 1 / 2, id="the ideal is cut too"),
    ],
)
def test_ndcg_is_the_discounted_gain_over_the_ideal_one(
    measure: str, judged: dict[str, int], ranking: str, expected: float
) -> None:
    assert score(measure, judged, ranking) == pytest.approx(expected)


def test_ndcg_does_not_know_a_lowest_relevant_level() -> None:
    assert score("ndcg", GRADED, "axb", level=2) == score("ndcg", GRADED, "axb")


@pytest.mark.parametrize(
    ("judged", "ranking", "expected"),
    [
        pytest.param({"a": 1}, "a", 1.0, id="ideal"),
        pytest.param({"a": 1}, "xa", SECOND, id="at rank 2 the ideal is still 1"),
        pytest.param({"a": 1, "b": 1}, "a", (1 + 1 / (1 + SECOND)) / 2, id="not retrieved counts at the end"),
        pytest.param({"a": 1}, "x", 0.0, id="none retrieved"),
        pytest.param({"n": 0}, "n", 0.0, id="none to retrieve"),
    ],
)
def test_ndcg_rel_is_the_mean_of_ndcg_at_each_document_with_gain(
    judged: dict[str, int], ranking: str, expected: float
) -> None:
    assert score("ndcg_rel", judged, ranking) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("judged", "ranking", "expected"),
    [
        pytest.param({"a": 1}, "a", 1.0, id="ideal"),
        pytest.param({"a": 1}, "xay", (0 + SECOND) / 2, id="at rank 1, where the ideal ends, and at the end"),
        pytest.param({"a": 1}, "xa", 0.0, id="the end does not count one rank behind"),
        pytest.param({"a": 1, "b": 2}, "ab", (1 / 2 + (1 + 2 * SECOND) / (2 + SECOND)) / 2, id="at ranks 1 and 2"),
        pytest.param({"n": 0}, "n", 0.0, id="none to retrieve"),
    ],
)
def test_rndcg_is_the_mean_of_ndcg_where_the_ideal_gain_falls(
    judged: dict[str, int], ranking: str, expected: float
) -> None:
    assert score("Rndcg", judged, ranking) == pytest.approx(expected)


def test_rndcg_needs_a_relevant_document() -> None:
    assert score("Rndcg", {"a": 1}, "a", level=2) == 0.0


def test_rndcg_of_a_topic_does_not_depend_on_topics_that_the_run_lacks() -> None:
    qrels = {"1": {"a": 1, "b": 3, "c": 2}, "2": {"a": 1}, "3": {"a": 2, "b": 1}}
    ranking = {"2": {"x": 3.0, "a": 2.0, "y": 1.0}, "3": {"a": 1.0}}

    (run,) = evaluate(qrels, ranking, ["Rndcg"])

    third = (1.0 + 2 / (2 + SECOND)) / 2  # at ranks 1 and 2, where the ideal gain falls
    expected = {"2": {"Rndcg": pytest.approx(SECOND / 2)}, "3": {"Rndcg": pytest.approx(third)}}
    assert dict(run.topic_scores()) == expected


@pytest.mark.parametrize(
    ("measure", "judged", "ranking", "expected"),
    [
        pytest.param("G", {"a": 1}, "a", 1.0, id="ideal"),
        pytest.param("G", {"a": 1}, "xa", SECOND, id="one behind"),
        pytest.param("G", {"a": 1}, "xya", 1 / 2, id="two behind"),
        # At rank 1 the ideal has gained 3, the ranking 1: 1 / log2(4).  At rank 2 both have 4: 3 / log2(2).
        pytest.param("G", {"a": 1, "b": 3}, "ab", (1 / 2 + 3) / 4, id="the higher second"),
        pytest.param("G.1=3", {"a": 1}, "a", 1.0, id="a gain for one level"),
        pytest.param("G.2=3", {"a": 1, "b": 2}, "ab", (1 / 2 + 3) / 4, id="a gain for another"),
        pytest.param("G", {"a": 1}, "x", 0.0, id="none retrieved"),
    ],
)
def test_g_discounts_by_how_far_the_gain_is_behind_the_ideal(
    measure: str, judged: dict[str, int], ranking: str, expected: float
) -> None:
    assert score(measure, judged, ranking) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("measure", "judged", "ranking", "expected"),
    [
        pytest.param("rbp", {"a": 1}, "a", 0.1, id="first"),
        pytest.param("rbp", {"a": 1}, "xa", 0.1 * 0.9, id="second"),
        pytest.param("rbp.p=0.5", {"a": 1}, "xa", 0.5 * 0.5, id="half as patient"),
        pytest.param("rbp.p=0", {"a": 1, "b": 1}, "ab", 1.0, id="only the first is looked at"),
        pytest.param("rbp", {"a": 1, "b": 2}, "ab", 0.1 * (1 / 2 + 0.9), id="gains are shares of the highest"),
        pytest.param("rbp", {"a": 1, "z": 4}, "a", 0.1 / 4, id="the highest may not be retrieved"),
        pytest.param("rbp.p=0.5,1=3", {"a": 1, "b": 2}, "ab", 0.5 * (1 + 2 / 3 * 0.5), id="with a gain"),
        pytest.param("rbp", {"n": 0}, "n", 0.0, id="nothing to gain"),
    ],
)
def test_rbp_is_the_gain_of_a_user_who_goes_on_with_probability_p(
    measure: str, judged: dict[str, int], ranking: str, expected: float
) -> None:
    assert score(measure, judged, ranking, compat=10) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("ranking", "expected"),
    [
        pytest.param("a", 0.0, id="all judged"),
        pytest.param("an", 0.0, id="all judged, one not relevant"),
        pytest.param("ax", 1 - 0.1, id="first judged"),
        pytest.param("xa", 1 - 0.1 * 0.9, id="second judged"),
        pytest.param("pa", 1 - 0.1 * 0.9, id="in the pool is not judged"),
        pytest.param("xy", 1.0, id="none judged"),
    ],
)
def test_rbp_resid_is_what_unjudged_documents_could_add(ranking: str, expected: float) -> None:
    assert score("rbp_resid", GRADED, ranking, compat=10) == pytest.approx(expected)
