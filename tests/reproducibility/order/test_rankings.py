"""Is a run prepared as trec_eval ranks it, whatever the order of its lines and topics?"""

import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from primad.reproducibility.order import Rankings
from primad.trec import Run
from tests.reproducibility.order.making import Nested, experiments, rankings, turned_around
from tests.reproducibility.order.reference import blocks_of, ranked

TWO = {"10": {"b": 1.0, "a": 1.0, "c": 2.0}, "9": {"x": 0.5}}


def names_in_order(prepared: Rankings) -> dict[str, list[int]]:
    """Return the name ranks of each topic."""
    pieces = np.split(prepared.name_ranks, prepared.offsets[1:-1])
    return {topic: piece.tolist() for topic, piece in zip(prepared.topics, pieces, strict=True)}


def test_topics_that_are_all_numbers_stand_in_the_order_of_numbers() -> None:
    assert rankings({"10": {"d": 1}, "9": {"d": 1}, "100": {"d": 1}}).topics == ("9", "10", "100")


def test_topics_that_are_not_all_numbers_stand_in_the_order_of_text() -> None:
    assert rankings({"9": {"d": 1}, "x": {"d": 1}, "10": {"d": 1}}).topics == ("10", "9", "x")


def test_keys_stand_in_the_order_of_topics_and_ranks() -> None:
    run = Run.from_dict(TWO)
    key = dict(zip(run.documents, run.keys.tolist(), strict=True))

    prepared = Rankings.of(run)

    assert prepared.keys.tolist() == [key["x"], key["c"], key["b"], key["a"]]
    assert prepared.offsets.tolist() == [0, 1, 4]


@given(experiments(ties=True))
def test_names_are_ranked_as_python_sorts_text(drawn: tuple[Nested, Nested]) -> None:
    run, _ = drawn

    expected = {topic: [sorted(found).index(name) for name in ranked(found)] for topic, found in run.items()}

    assert names_in_order(rankings(run)) == expected


@given(experiments(ties=True))
def test_the_order_in_which_a_run_is_given_does_not_matter(drawn: tuple[Nested, Nested]) -> None:
    run, _ = drawn
    prepared, other = rankings(run), rankings(turned_around(run))

    assert prepared.topics == other.topics
    assert np.array_equal(prepared.keys, other.keys)
    assert np.array_equal(prepared.name_ranks, other.name_ranks)
    assert np.array_equal(prepared.ties, other.ties)


@given(experiments(ties=True))
def test_a_block_of_equal_scores_has_one_first_and_one_last_position(drawn: tuple[Nested, Nested]) -> None:
    run, _ = drawn
    expected: list[tuple[int, int]] = []
    for topic in rankings(run).topics:
        above = 0
        for block in blocks_of(run[topic]):
            expected += [(above, above + len(block) - 1)] * len(block)
            above += len(block)

    first, last = rankings(run).ties

    assert list(zip(first.tolist(), last.tolist(), strict=True)) == expected


def test_a_run_has_ties_only_if_scores_of_one_topic_are_equal() -> None:
    assert rankings(TWO).has_ties
    assert not rankings({"1": {"a": 1.0, "b": 2.0}, "2": {"a": 1.0}}).has_ties


def test_some_topics_keep_the_names_and_ties_of_the_whole() -> None:
    some = rankings(TWO | {"11": {"b": 3.0, "a": 1.0}}).only(("11", "10"))

    assert names_in_order(some) == {"11": [1, 0], "10": [2, 1, 0]}
    assert some.ties.first.tolist() == [0, 1, 0, 1, 1]


def test_all_topics_in_their_order_are_the_rankings_themselves() -> None:
    prepared = rankings(TWO)

    assert prepared.only(["9", "10"]) is prepared


def test_where_no_topic_is_left_the_longest_list_has_no_document() -> None:
    assert rankings(TWO).only(()).longest == 0


def test_values_are_summed_over_the_rows_of_each_topic() -> None:
    assert rankings(TWO).sum_by_topic(np.array([7, 1, 20, 300])).tolist() == [7, 321]


def test_a_cut_ranks_the_names_and_ties_of_what_is_left() -> None:
    top = rankings(TWO).top(2)

    assert names_in_order(top) == {"9": [0], "10": [1, 0]}
    assert top.ties.last.tolist() == [0, 0, 1]


def test_a_cut_below_all_lists_changes_nothing() -> None:
    prepared = rankings(TWO)

    assert prepared.top(3) is prepared


def test_rankings_can_be_compared_in_another_process(tmp_path: Path) -> None:
    prepared = rankings(TWO)
    prepared.keys  # noqa: B018 - made here, they must not travel
    (tmp_path / "rankings").write_bytes(pickle.dumps(prepared))
    program = (
        "import pickle, sys; from primad.reproducibility.order import *; from primad.trec import Run\n"
        f"here = Rankings.of(Run.from_dict({TWO!r}))\n"
        "there = pickle.load(open(sys.argv[1], 'rb'))\n"
        "print(overlap(RankingPair.of(there, here)).tolist())"
    )

    done = subprocess.run([sys.executable, "-c", program, tmp_path / "rankings"], capture_output=True, check=True)

    assert done.stdout == b"[1.0, 1.0]\n"


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(["d10", "d9", "d1", "d"], id="short, of several lengths"),
        pytest.param(["LA010189-0001", "FT911-3", "FBIS3-1", "FR940104-0-00001"], id="too long for a number"),
        pytest.param(["SYN-333962", "SYN-406897", "SYN-047832"], id="of one length"),
        pytest.param(["clueweb-00000001", "clueweb-0000000", "clueweb-00000000"], id="a common beginning"),
        pytest.param(["ab", "abcdefgh", "abcdefghij", "abcdefghia"], id="one begins another"),
        pytest.param(["é", "z", "日本", "a"], id="not ASCII"),
        pytest.param(["12345678", "12345670", "02345678"], id="eight bytes"),
    ],
)
def test_documents_are_sorted_by_name_as_python_sorts_text(names: list[str]) -> None:
    run = {"1": {name: -float(place) for place, name in enumerate(names)}, "2": {names[-1]: 1.0, names[0]: 0.5}}

    ranks = Rankings.of(Run.from_dict(run)).name_ranks.tolist()

    assert ranks[: len(names)] == [sorted(names).index(name) for name in names]
    assert ranks[len(names) :] == [sorted([names[-1], names[0]]).index(name) for name in (names[-1], names[0])]
