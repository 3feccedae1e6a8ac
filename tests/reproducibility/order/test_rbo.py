"""Does rank-biased overlap weigh the tops as Webber et al. define it, and as repro_eval computes it?"""

import math
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad.errors import MeasureError
from primad.reproducibility.order import RankingPair, rbo_ext, rbo_tied, rbo_truncated
from tests.reproducibility.order import reference
from tests.reproducibility.order.making import (
    DOCUMENTS,
    Measure,
    Nested,
    by_topic,
    experiments,
    pair_of,
    renamed,
    scored,
    turned_around,
    value,
)
from tests.reproducibility.order.reference import ranked

EACH: dict[str, Measure] = {
    "rbo_truncated": partial(rbo_truncated, p=0.9, depth=10),
    "rbo_ext": partial(rbo_ext, p=0.9),
}
persistence = st.sampled_from([0.01, 0.5, 0.8, 0.9, 0.95])


def approx(expected: dict[str, float]) -> object:
    return pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("original", "reproduction", "expected"),
    [
        pytest.param("a b c d", "a b c d", 1, id="the same"),
        pytest.param("a b", "a b c d", 1, id="the same as far as the shorter list goes"),
        pytest.param("a b c", "d e f", 0, id="nothing in common"),
        pytest.param("a b c d", "b a c d", 0.9, id="the first two swapped"),
        pytest.param("a", "a", 1, id="the same single document"),
        pytest.param("a", "b", 0, id="another single document"),
    ],
)
def test_extrapolated_overlap_has_the_value_worked_out_by_hand(
    original: str, reproduction: str, expected: float
) -> None:
    assert value(partial(rbo_ext, p=0.9), original, reproduction) == pytest.approx(expected)


def test_truncated_overlap_of_equal_short_lists_is_below_one_as_in_repro_eval() -> None:
    same = partial(value, original="d1 d2 d3", reproduction="d1 d2 d3")
    cases = [(0.95, 1000), (0.95, 3), (0.8, 1000), (0.8, 10), (1.0, 3)]

    values = [same(partial(rbo_truncated, p=p, depth=depth)) for p, depth in cases]

    assert values == pytest.approx([0.34926035898220886, 1.0, 0.7270784343255747, 0.7888591010667989, 1.0])


@given(experiments(ties=True), persistence, st.integers(1, 20))
def test_truncated_overlap_is_the_sum_over_all_depths(drawn: tuple[Nested, Nested], p: float, depth: int) -> None:
    original, reproduction = drawn
    pair = pair_of(original, reproduction)

    expected = {
        topic: reference.rbo_truncated(ranked(original[topic]), ranked(reproduction[topic]), p, depth)
        for topic in pair.topics
    }

    assert by_topic(partial(rbo_truncated, p=p, depth=depth), pair) == approx(expected)


@given(experiments(ties=True), persistence, st.integers(1, 16))
def test_extrapolated_overlap_is_equation_32(drawn: tuple[Nested, Nested], p: float, depth: int) -> None:
    original, reproduction = drawn
    pair = pair_of(original, reproduction, depth=depth)

    expected = {
        topic: reference.rbo_ext(ranked(original[topic])[:depth], ranked(reproduction[topic])[:depth], p)
        for topic in pair.topics
    }

    assert by_topic(partial(rbo_ext, p=p), pair) == approx(expected)


def each(pair: RankingPair) -> dict[tuple[str, str], float]:
    """Return the value of each measure for each topic."""
    return {
        (name, topic): number for name, measure in EACH.items() for topic, number in by_topic(measure, pair).items()
    }


@given(experiments(ties=False), st.permutations(DOCUMENTS))
def test_names_do_not_matter_without_ties(drawn: tuple[Nested, Nested], names: list[str]) -> None:
    others = dict(zip(DOCUMENTS, names, strict=True))

    assert each(pair_of(*(renamed(run, others) for run in drawn))) == pytest.approx(each(pair_of(*drawn)), abs=1e-12)


@given(experiments(ties=True))
def test_neither_the_order_of_lines_nor_that_of_runs_matters(drawn: tuple[Nested, Nested]) -> None:
    original, reproduction = drawn

    others = pair_of(turned_around(reproduction), turned_around(original))

    assert each(others) == pytest.approx(each(pair_of(original, reproduction)), abs=1e-12)


def test_lists_of_ten_thousand_and_of_ten_documents_are_compared() -> None:
    documents = [f"d{number:05d}" for number in range(10_000)]

    assert value(partial(rbo_ext, p=0.999), documents, documents) == pytest.approx(1, abs=1e-12)
    assert value(partial(rbo_ext, p=0.999), documents, documents[:10]) == pytest.approx(1, abs=1e-12)


def test_thousands_of_topics_are_compared() -> None:
    random = np.random.default_rng(5)
    original, reproduction = (
        {str(t): {f"d{d}": -d for d in random.permutation(20)[:12]} for t in range(7000)} for _ in "or"
    )
    pair = pair_of(original, reproduction)

    values = by_topic(partial(rbo_ext, p=0.9), pair)

    some = {topic: values[topic] for topic in pair.topics[::500]}
    expected = {t: reference.rbo_ext(ranked(original[t]), ranked(reproduction[t]), 0.9) for t in some}
    assert some == approx(expected)


@pytest.mark.parametrize("p", [0, 1, -0.5, 1.5, math.nan, math.inf])
@pytest.mark.parametrize("measure", [rbo_ext, rbo_tied])
def test_a_persistence_that_is_no_chance_is_refused(measure: Measure, p: float) -> None:
    with pytest.raises(MeasureError, match="expected p above 0 and below 1, found"):
        partial(measure, p=p)(pair_of({"1": {"a": 1}}, {"1": {"a": 1}}))


@pytest.mark.parametrize("p", [0, 1.01, math.nan])
def test_truncated_overlap_refuses_a_persistence_above_one(p: float) -> None:
    with pytest.raises(MeasureError, match="expected p above 0 and at most 1, found"):
        rbo_truncated(pair_of({"1": {"a": 1}}, {"1": {"a": 1}}), p, 10)


@pytest.mark.parametrize("depth", [0, -1, 1_000_001])
def test_a_depth_out_of_reach_is_refused(depth: int) -> None:
    with pytest.raises(MeasureError, match="expected a depth from 1 to 1,000,000, found"):
        rbo_truncated(pair_of({"1": {"a": 1}}, {"1": {"a": 1}}), 0.9, depth)


@pytest.mark.parametrize("p", [5e-324, 1e-10, 1 - 1e-12])
def test_any_persistence_between_zero_and_one_gives_a_share(p: float) -> None:
    pair = pair_of({"1": scored("a b c d")}, {"1": scored("a c b")})

    assert 0 <= float(rbo_ext(pair, p)[0]) <= 1


def test_rounding_lifts_no_agreement_above_1() -> None:
    documents = [f"d{number:02d}" for number in range(50)]

    # Only at depth 49 one of 49 documents is not shared: 2^-49 / 49 is lost, less than the last bit of 1.
    found = value(partial(rbo_ext, p=0.5), documents, [*documents[:-2], documents[-1], documents[-2]])

    assert 1 - 1e-12 < found <= 1
