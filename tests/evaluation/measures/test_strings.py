"""What is said in words."""

import pytest

from primad import Run, evaluate
from tests.evaluation.one_topic import score

JUDGED = {"a": 0, "b": 3, "c": 9, "d": 10, "e": 12, "p": -1, "q": -2}


@pytest.mark.parametrize(
    ("measure", "ranking", "expected"),
    [
        pytest.param("relstring", "abc", "039", id="one digit"),
        pytest.param("relstring", "de", ">>", id="above 9"),
        pytest.param("relstring", "pq", "..", id="in the pool, not judged"),
        pytest.param("relstring", "xy", "--", id="not in the pool"),
        pytest.param("relstring", "axbpcqdye", "0-3.9.>->", id="all of them"),
        pytest.param("relstring", "abcdefghijkl", "039>>-----", id="ten at most"),
        pytest.param("relstring_3", "abcd", "039", id="three at most"),
        pytest.param("relstring.20", "abcdefghijkl", "039>>-------", id="twenty at most"),
        pytest.param("relstring.0", "abc", "", id="none"),
    ],
)
def test_relstring_has_a_character_for_each_of_the_first_documents(measure: str, ranking: str, expected: str) -> None:
    assert score(measure, JUDGED, ranking) == expected


def test_relstring_shows_levels_whatever_counts_as_relevant() -> None:
    assert score("relstring", JUDGED, "abc", level=3) == "039"


def test_relstring_and_runid_have_no_summary() -> None:
    (run,) = evaluate({"1": {"a": 1}}, Run.from_dict({"1": {"a": 1.0}}, tag="bm25"), ["runid", "relstring"])

    assert run.summary == {}
    assert dict(run.topic_scores()) == {"1": {"relstring": "1"}}
    assert run.tag == "bm25"
