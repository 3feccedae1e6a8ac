"""Average precision and its kin, worked out by hand.  Documents a, b, c are relevant, m, n are not, x, y unjudged."""

import pytest

from primad import evaluate
from tests.evaluation.one_topic import score

ABC = {"a": 1, "b": 1, "c": 1}
ABMN = {"a": 1, "b": 1, "m": 0, "n": 0}


@pytest.mark.parametrize(
    ("judged", "ranking", "expected"),
    [
        pytest.param(ABC, "abc", 1.0, id="all in front"),
        pytest.param(ABC, "axb", (1 / 1 + 2 / 3) / 3, id="one behind another, one not retrieved"),
        pytest.param(ABC, "xya", (1 / 3) / 3, id="one, late"),
        pytest.param(ABC, "xy", 0.0, id="none retrieved"),
        pytest.param({"n": 0}, "n", 0.0, id="none relevant"),
    ],
)
def test_map_is_the_mean_precision_at_relevant_documents(judged: dict[str, int], ranking: str, expected: float) -> None:
    assert score("map", judged, ranking) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("cutoff", "expected"),
    [
        pytest.param(1, 1 / 3, id="first"),
        pytest.param(2, 1 / 3, id="no other at the second rank"),
        pytest.param(3, (1 + 2 / 3) / 3, id="second at the third"),
        pytest.param(9, (1 + 2 / 3) / 3, id="beyond the end"),
    ],
)
def test_map_cut_stops_at_its_rank_and_still_divides_by_all_relevant(cutoff: int, expected: float) -> None:
    assert score(f"map_cut_{cutoff}", ABC, "axb") == pytest.approx(expected)


def test_gm_map_counts_a_topic_without_success_as_a_hundred_thousandth() -> None:
    qrels = {"1": {"a": 1}, "2": {"a": 1}}
    ranking = {"1": {"a": 1.0}, "2": {"x": 1.0}}

    (run,) = evaluate(qrels, ranking, ["gm_map", "gm_bpref"])

    assert run.summary == pytest.approx({"gm_map": 10**-2.5, "gm_bpref": 10**-2.5})
    assert dict(run.topic_scores()) == {"1": {}, "2": {}}


@pytest.mark.parametrize(
    ("judged", "ranking", "expected"),
    [
        pytest.param(ABMN, "abmn", 1.0, id="none above"),
        pytest.param(ABMN, "nab", (1 / 2 + 1 / 2) / 2, id="one of two above both"),
        pytest.param(ABMN, "nmab", 0.0, id="two of two above both"),
        pytest.param(ABMN, "xyab", 1.0, id="unjudged ones do not count"),
        pytest.param({**ABMN, "p": -1}, "pab", 1.0, id="nor do those in the pool that were not judged"),
        pytest.param(ABMN, "anb", (1 + 1 / 2) / 2, id="one between"),
        pytest.param({"a": 1, "m": 0, "n": 0, "o": 0}, "mnoa", 0.0, id="more above than there are relevant"),
        pytest.param({"a": 1, "b": 1, "n": 0}, "nab", 0.0, id="fewer non-relevant than relevant"),
        pytest.param({"a": 1, "b": 1}, "a", 1 / 2, id="no non-relevant"),
    ],
)
def test_bpref_falls_with_judged_non_relevant_documents_above_relevant_ones(
    judged: dict[str, int], ranking: str, expected: float
) -> None:
    assert score("bpref", judged, ranking) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("judged", "ranking", "expected"),
    [
        pytest.param({"a": 1}, "a", 1.0, id="first"),
        pytest.param({"a": 1}, "xa", 1 / 2, id="below one outside of the pool"),
        pytest.param({"a": 1, "p": -1}, "pa", 1 / 2 + 1 / 2 * 1 / 2, id="below one of the pool, relevant or not"),
        pytest.param({"a": 1, "n": 0}, "na", 1 / 2 + 1 / 2 * 0.00001 / 1.00002, id="below a non-relevant"),
        pytest.param({"a": 1, "p": -1}, "xpa", 1 / 3 + 2 / 3 * 1 / 2 * 1 / 2, id="half of those above in the pool"),
        pytest.param({"a": 1, "b": 1}, "a", 1 / 2, id="one not retrieved"),
    ],
)
def test_infap_takes_unjudged_documents_of_the_pool_to_be_relevant_as_often_as_judged_ones(
    judged: dict[str, int], ranking: str, expected: float
) -> None:
    assert score("infAP", judged, ranking) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("ranking", "expected"),
    [
        # log2 of 2 is 1, of 4 is 2: two non-relevant documents above halve the gain.
        pytest.param("ab", 1.0, id="none above"),
        pytest.param("axyb", (1 + 1 / 2) / 2, id="two above the second"),
        pytest.param("xya", (1 / 2) / 2, id="one not retrieved"),
    ],
)
def test_bing_discounts_by_the_non_relevant_documents_above(ranking: str, expected: float) -> None:
    assert score("binG", {"a": 1, "b": 1}, ranking) == pytest.approx(expected)
