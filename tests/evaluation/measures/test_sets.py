"""Measures of sets, worked out by hand."""

import pytest

from tests.evaluation.one_topic import score

FOUR = {"a": 1, "b": 1, "c": 1, "d": 1}


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        # Two documents retrieved, one of them relevant, of four that are: P = 1/2, R = 1/4.
        pytest.param("set_P", 1 / 2, id="set_P"),
        pytest.param("set_recall", 1 / 4, id="set_recall"),
        pytest.param("set_relative_P", 1 / 2, id="set_relative_P: one of two possible"),
        pytest.param("set_map", 1 / 8, id="set_map: P times R"),
        pytest.param("set_F", 2 * (1 / 8) / (3 / 4), id="set_F: 2 P R / (P + R)"),
        pytest.param("set_F.3", 4 * (1 / 8) / (1 / 4 + 3 / 2), id="set_F.3: 4 P R / (R + 3 P)"),
        pytest.param("set_F.0", 1 / 2, id="set_F.0: P alone"),
        pytest.param("utility", 1 - 1, id="utility"),
        pytest.param("utility.2,-1,0,0", 2 - 1, id="utility: a relevant document is worth 2"),
        pytest.param("utility.0,0,-1,0", -3, id="utility: three relevant ones were not retrieved"),
    ],
)
def test_a_set_is_scored_by_its_size_and_the_relevant_documents_in_it(measure: str, expected: float) -> None:
    assert score(measure, FOUR, "xa") == pytest.approx(expected)


@pytest.mark.parametrize("measure", ["set_P", "set_recall", "set_relative_P", "set_map", "set_F"])
@pytest.mark.parametrize(
    ("judged", "options"),
    [
        pytest.param({"n": 0}, {}, id="nothing relevant"),
        pytest.param({"a": 1}, {}, id="nothing relevant retrieved"),
        pytest.param({"a": 1}, {"judged_only": True}, id="nothing left of the set"),
    ],
)
def test_a_set_without_relevant_documents_scores_0(
    measure: str, judged: dict[str, int], options: dict[str, bool]
) -> None:
    assert score(measure, judged, "x", **options) == 0


def test_utility_knows_the_documents_of_the_collection_that_are_neither_retrieved_nor_relevant() -> None:
    # Of 10 documents 2 were retrieved, and 3 others are relevant: 5 are left.
    assert score("utility.0,0,0,1", FOUR, "xa", collection_size=10) == 5
