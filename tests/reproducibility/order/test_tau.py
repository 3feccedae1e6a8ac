"""Does tau say how much of the order came back, with and without ties?"""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from primad.reproducibility.order import RankingPair, tau_shared, tau_union, tau_union_tied
from tests.reproducibility.order.making import (
    DOCUMENTS,
    Nested,
    by_topic,
    experiments,
    pair_of,
    renamed,
    turned_around,
    value,
)
from tests.reproducibility.order.reference import Blocks, blocks_of, ranked, singly, tau_b, union_ranks


def approx(expected: dict[Any, float]) -> object:
    return pytest.approx(expected, abs=1e-12, nan_ok=True)


def over_union(first: Blocks, second: Blocks) -> float:
    return tau_b(*union_ranks(first, second))


@pytest.mark.parametrize(
    ("original", "reproduction", "expected"),
    [
        pytest.param("a b c d", "a b c d", 1, id="the same"),
        pytest.param("a b c d", "d c b a", -1, id="reversed"),
        pytest.param("a b c d", "b a c d", 2 / 3, id="one of six pairs swapped"),
        pytest.param("a b c", "a b d", 2 / 3, id="the last one replaced"),
        pytest.param("a b c", "d e f", -3 / 4, id="nothing in common"),
        pytest.param("a", "a", 1, id="the same single document"),
        pytest.param("a", "b", -1, id="another single document"),
        pytest.param("a", "a b", 1, id="one document more"),
        pytest.param("a b", "a b c d", 5 / math.sqrt(30), id="two documents more"),
    ],
)
def test_tau_over_the_union_has_the_value_counted_by_hand(original: str, reproduction: str, expected: float) -> None:
    assert value(tau_union, original, reproduction) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("original", "reproduction", "expected"),
    [
        pytest.param("a (b c) d", "a b c d", 5 / math.sqrt(30), id="a tie in one list"),
        pytest.param("a (b c) d", "a (c b) d", 1, id="the same tie in both"),
        pytest.param("(a b)", "a b", math.nan, id="all tied in the original"),
        pytest.param("a b", "(a b)", math.nan, id="all tied in the reproduction"),
        pytest.param("(a b)", "(a b)", math.nan, id="all tied in both"),
        pytest.param("(a b)", "(a b c)", math.nan, id="all tied in the longer list"),
        pytest.param("(a b)", "a b c", 2 / math.sqrt(6), id="all tied, but one is missing"),
        pytest.param("a", "a", 1, id="the same single document"),
    ],
)
def test_tau_with_ties_has_the_value_counted_by_hand(original: str, reproduction: str, expected: float) -> None:
    assert value(tau_union_tied, original, reproduction) == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("reproduction", ["c d", "b c"])
def test_tau_of_shared_documents_needs_two_of_them(reproduction: str) -> None:
    assert math.isnan(value(tau_shared, "a b", reproduction))


@given(experiments(ties=True))
def test_tau_over_the_union_is_that_of_all_pairs_compared(drawn: tuple[Nested, Nested]) -> None:
    original, reproduction = drawn
    pair = pair_of(original, reproduction)

    expected = {t: over_union(singly(ranked(original[t])), singly(ranked(reproduction[t]))) for t in pair.topics}

    assert by_topic(tau_union, pair) == approx(expected)


@given(experiments(ties=True))
def test_tau_with_ties_is_that_of_all_pairs_compared(drawn: tuple[Nested, Nested]) -> None:
    original, reproduction = drawn
    pair = pair_of(original, reproduction)

    expected = {t: over_union(blocks_of(original[t]), blocks_of(reproduction[t])) for t in pair.topics}

    assert by_topic(tau_union_tied, pair) == approx(expected)


@given(experiments(ties=True))
def test_tau_of_shared_documents_is_that_of_scipy(drawn: tuple[Nested, Nested]) -> None:
    original, reproduction = drawn
    pair = pair_of(original, reproduction)
    expected = {}
    for topic in pair.topics:
        first, second = ranked(original[topic]), ranked(reproduction[topic])
        shared = [document for document in first if document in second]
        places = [first.index(document) for document in shared], [second.index(document) for document in shared]
        expected[topic] = float(kendalltau(*places).statistic) if len(shared) > 1 else math.nan

    assert by_topic(tau_shared, pair) == approx(expected)


def test_tau_with_ties_is_that_of_scipy_on_long_lists() -> None:
    random = np.random.default_rng(3)
    runs: list[Nested] = [{}, {}]
    for topic in map(str, range(5)):
        for run in runs:
            documents = random.choice(400, 300, replace=False)
            run[topic] = {f"d{document}": float(random.integers(50)) for document in documents}
    expected = {}
    for topic in runs[0]:
        first, second = (blocks_of(run[topic]) for run in runs)
        expected[topic] = float(kendalltau(*union_ranks(first, second)).statistic)

    assert by_topic(tau_union_tied, pair_of(*runs)) == approx(expected)


def each(pair: RankingPair) -> dict[tuple[str, str], float]:
    """Return the value of each measure for each topic."""
    measures = {"union": tau_union, "shared": tau_shared, "tied": tau_union_tied}
    return {(n, topic): number for n, measure in measures.items() for topic, number in by_topic(measure, pair).items()}


@given(experiments(ties=False), st.permutations(DOCUMENTS))
def test_names_do_not_matter_without_ties(drawn: tuple[Nested, Nested], names: list[str]) -> None:
    others = dict(zip(DOCUMENTS, names, strict=True))

    assert each(pair_of(*(renamed(run, others) for run in drawn))) == approx(each(pair_of(*drawn)))


@given(experiments(ties=True), st.permutations(DOCUMENTS))
def test_names_never_matter_to_tau_with_ties(drawn: tuple[Nested, Nested], names: list[str]) -> None:
    others = dict(zip(DOCUMENTS, names, strict=True))
    pair, other = pair_of(*drawn), pair_of(*(renamed(run, others) for run in drawn))

    assert by_topic(tau_union_tied, other) == approx(by_topic(tau_union_tied, pair))


@given(experiments(ties=True))
def test_neither_the_order_of_lines_nor_that_of_runs_matters(drawn: tuple[Nested, Nested]) -> None:
    original, reproduction = drawn

    others = pair_of(turned_around(reproduction), turned_around(original))

    assert each(others) == approx(each(pair_of(original, reproduction)))


def test_lists_of_ten_thousand_documents_are_compared() -> None:
    documents = [f"d{number:05d}" for number in range(10_000)]
    # Every two neighbours swapped: one pair in 9999 is out of order.
    swapped = [documents[number ^ 1] for number in range(10_000)]

    assert value(tau_union, documents, swapped) == pytest.approx(1 - 2 / 9999)
    assert value(tau_union, documents, documents) == 1


def test_tau_with_ties_of_many_topics_at_once_is_that_of_each_alone() -> None:
    random = np.random.default_rng(11)
    # The first topic has a single document, and later ones many ties.
    runs = [
        {
            str(topic): {f"d{number}": float(random.integers(4)) for number in range(1 if topic == 1 else 12)}
            for topic in range(1, 21)
        }
        for _ in "or"
    ]

    together = by_topic(tau_union_tied, pair_of(*runs))

    alone = {topic: tau_union_tied(pair_of(*({topic: run[topic]} for run in runs))).item() for topic in runs[0]}
    assert together == pytest.approx(alone, abs=1e-12)


def test_tau_with_ties_of_lists_that_share_nothing_has_the_value_counted_by_hand() -> None:
    # Of six pairs, a and b as well as c and d are tied in both lists, and the other four stand the other way round.
    assert value(tau_union_tied, "(a b)", "(c d)") == pytest.approx(-1)
