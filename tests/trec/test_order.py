"""Does a run stand in trec_eval's order?"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad.trec import Run, read_run


def order(run: Run) -> list[tuple[str, str]]:
    return [(topic, document) for topic, document, _ in run.rows()]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        pytest.param({"a": 1.0, "b": 3.0, "c": 2.0}, ["b", "c", "a"], id="scores fall"),
        pytest.param({"a": 1.0, "c": 1.0, "b": 1.0}, ["c", "b", "a"], id="equal scores: documents fall"),
        pytest.param({"d9": 1.0, "d10": 1.0}, ["d9", "d10"], id="documents are no numbers"),
        pytest.param({"D": 1.0, "d": 1.0}, ["d", "D"], id="small letters are above capital ones"),
        pytest.param({"d": 1.0, "d0": 1.0}, ["d0", "d"], id="longer is above its beginning"),
        pytest.param({"z": 1.0, "é": 1.0}, ["é", "z"], id="bytes decide, not the alphabet"),
        pytest.param({"\uffee": 1.0, "\U0001f600": 1.0}, ["\U0001f600", "\uffee"], id="bytes decide, not UTF-16"),
        pytest.param({"\udce9": 1.0, "é": 1.0}, ["\udce9", "é"], id="a stray byte counts as itself"),
        pytest.param({"a": 0.0, "b": -0.0}, ["b", "a"], id="minus zero is zero"),
        pytest.param({"a": -2.0, "b": -1.0}, ["b", "a"], id="negative scores"),
        pytest.param({"a": 1.0, "b": 2.0, "c": 1.0, "d": 2.0}, ["d", "b", "c", "a"], id="two blocks of ties"),
    ],
)
def test_documents_are_ranked_by_score_and_ties_by_identifier(rows: dict[str, float], expected: list[str]) -> None:
    run = Run.from_dict({"301": rows})

    assert [document for _, document in order(run)] == expected


def test_the_order_of_one_topic_leaves_the_others_alone() -> None:
    run = Run.from_dict({"2": {"a": 1.0, "b": 2.0}, "1": {"c": 2.0, "d": 2.0}, "3": {"e": 2.0, "f": 1.0}})

    assert order(run) == [("2", "b"), ("2", "a"), ("1", "d"), ("1", "c"), ("3", "e"), ("3", "f")]


def test_the_rank_column_is_ignored() -> None:
    run = read_run(b"1 Q0 a 1 0.1 t\n1 Q0 b 2 0.2 t\n1 Q0 c 0 0.3 t\n1 Q0 d first 0.4 t\n")

    assert order(run) == [("1", "d"), ("1", "c"), ("1", "b"), ("1", "a")]


def test_interleaved_topics_are_brought_together_in_the_order_they_are_first_met() -> None:
    run = read_run(b"2 Q0 a 1 1 t\n1 Q0 b 1 1 t\n2 Q0 c 2 3 t\n10 Q0 a 1 1 t\n1 Q0 d 2 0 t\n")

    assert run.topics == ("2", "1", "10")
    assert order(run) == [("2", "c"), ("2", "a"), ("1", "b"), ("1", "d"), ("10", "a")]
    assert run.offsets.tolist() == [0, 2, 4, 5]


@given(
    st.dictionaries(
        st.sampled_from(["1", "2", "3"]),
        st.dictionaries(st.text("abé", min_size=1, max_size=3), st.sampled_from([0.0, 0.5, 1.0]), min_size=1),
        min_size=1,
    )
)
def test_the_order_is_that_of_sorting_pairs_of_score_and_bytes(nested: dict[str, dict[str, float]]) -> None:
    expected = [
        (topic, document)
        for topic, rows in nested.items()
        for _, document in sorted(((score, document) for document, score in rows.items()), reverse=True)
    ]

    assert order(Run.from_dict(nested)) == expected


def test_tied_blocks_number_the_groups_of_equal_scores_within_topics() -> None:
    run = Run.from_dict({"1": {"a": 2.0, "b": 1.0, "c": 1.0}, "2": {"d": 1.0, "e": 0.0}})

    assert run.tied_blocks().tolist() == [1, 2, 2, 3, 4]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        pytest.param({"a": 1.00000001, "b": 1.0}, ["b", "a"], id="equal in single precision only"),
        pytest.param({"a": 1.001, "b": 1.0}, ["a", "b"], id="different in single precision too"),
        pytest.param({"a": 1e-60, "b": 0.0}, ["b", "a"], id="too small for single precision"),
        pytest.param({"a": 1e300, "b": 1e200}, ["b", "a"], id="too large for single precision"),
    ],
)
def test_single_precision_makes_ties_of_scores_that_hardly_differ(rows: dict[str, float], expected: list[str]) -> None:
    run = Run.from_dict({"301": rows}, tag="bm25", header="# h\n")

    single = run.in_single_precision()

    assert [document for _, document in order(single)] == expected
    assert (single.tag, single.header) == ("bm25", "# h\n")
    assert [document for _, document in order(run)] == ["a", "b"]


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param({"a": 1.00000001, "b": 1.0}, id="which turns them around"),
        pytest.param({"b": 1.00000001, "a": 1.0}, id="which stand in the order of ties already"),
    ],
)
def test_single_precision_ties_are_seen_as_tied(rows: dict[str, float]) -> None:
    single = Run.from_dict({"301": rows}).in_single_precision()

    assert single.tied_blocks().tolist() == [1, 1]


def test_single_precision_does_not_mix_topics() -> None:
    run = Run.from_dict({"1": {"a": 1.0}, "2": {"b": 1.0}, "3": {"c": 1.00000001, "d": 1.0}})

    assert order(run.in_single_precision()) == [("1", "a"), ("2", "b"), ("3", "d"), ("3", "c")]


def test_scores_are_doubles() -> None:
    assert Run.from_dict({"1": {"a": 1}}).scores.dtype == np.float64
