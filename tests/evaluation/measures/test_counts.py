"""Counts, counted by hand."""

import pytest

from primad import Rules, evaluate
from tests.evaluation.one_topic import score

JUDGED = {"a": 1, "b": 2, "n": 0, "p": -1}


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        pytest.param("num_ret", 4, id="retrieved"),
        pytest.param("num_rel", 2, id="relevant, retrieved or not"),
        pytest.param("num_rel_ret", 1, id="relevant retrieved"),
        pytest.param("num_nonrel_judged_ret", 1, id="non-relevant retrieved, not those only in the pool"),
    ],
)
def test_documents_are_counted(measure: str, expected: int) -> None:
    found = score(measure, JUDGED, "anpx")

    assert found == expected
    assert isinstance(found, int)


def test_the_summary_of_a_count_is_the_sum_over_topics() -> None:
    qrels = {"1": JUDGED, "2": {"a": 1}, "3": {"a": 1}}
    ranking = {"1": {"a": 2.0, "x": 1.0}, "2": {"a": 1.0}}

    (run,) = evaluate(qrels, ranking, ["num_q", "num_ret", "num_rel", "num_rel_ret"])

    assert run.summary == {"num_q": 2, "num_ret": 3, "num_rel": 3, "num_rel_ret": 2}


@pytest.mark.parametrize("version", [9, 10])
def test_judged_topics_that_a_run_lacks_are_counted_by_the_complete_rule(version: int) -> None:
    qrels = {"1": JUDGED, "2": {"a": 1}, "3": {"a": 1}}
    ranking = {"1": {"a": 2.0, "x": 1.0}, "2": {"a": 1.0}}
    rules = Rules(compat=version, complete=True)

    (run,) = evaluate(qrels, ranking, ["num_q", "num_ret", "num_rel", "num_rel_ret"], rules=rules)

    assert run.summary == {"num_q": 3, "num_ret": 3, "num_rel": 4, "num_rel_ret": 2}
