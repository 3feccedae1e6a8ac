"""Does rank-biased overlap treat ties as Corsi and Urbano define it?"""

from functools import partial
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad.errors import MeasureError
from primad.reproducibility.order import rbo_ext, rbo_tied, tied_rbo
from primad.reproducibility.order.tied_rbo import Variant
from tests.reproducibility.order import reference
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
from tests.reproducibility.order.reference import Blocks, blocks_of, cut, documents_of

each_variant = pytest.mark.parametrize("variant", ["w", "a", "b"])
persistence = st.sampled_from([0.01, 0.5, 0.8, 0.9, 0.95])


def approx(expected: dict[str, float]) -> object:
    return pytest.approx(expected, abs=1e-12)


@each_variant
@given(drawn=experiments(ties=True), p=persistence, depth=st.integers(1, 16))
def test_the_value_is_that_of_the_definition(
    variant: Variant, drawn: tuple[Nested, Nested], p: float, depth: int
) -> None:
    pair = pair_of(*drawn, depth=depth)
    expected = {}
    for topic in pair.topics:
        first, second = (cut(blocks_of(run[topic]), depth) for run in drawn)
        expected[topic] = reference.rbo_tied(first, second, p, variant)

    assert by_topic(partial(rbo_tied, p=p, variant=variant), pair) == approx(expected)


@each_variant
@given(drawn=experiments(ties=False), p=persistence)
def test_without_ties_all_variants_are_plain_overlap(variant: Variant, drawn: tuple[Nested, Nested], p: float) -> None:
    pair = pair_of(*drawn)

    assert by_topic(partial(rbo_tied, p=p, variant=variant), pair) == approx(by_topic(partial(rbo_ext, p=p), pair))


@pytest.mark.parametrize(
    ("variant", "expected"),
    [pytest.param("w", 0.982, id="w"), pytest.param("a", 0.9775, id="a"), pytest.param("b", 0.987942286341, id="b")],
)
def test_each_variant_has_the_value_worked_out_by_hand(variant: Variant, expected: float) -> None:
    assert value(partial(rbo_tied, p=0.9, variant=variant), "a (b c) d", "a b c d") == pytest.approx(expected)


@pytest.mark.parametrize(("variant", "expected"), [("w", 1.0), ("a", 0.9775), ("b", 1.0)])
def test_a_list_with_ties_has_one_with_itself_but_where_its_order_is_unknown(variant: Variant, expected: float) -> None:
    assert value(partial(rbo_tied, p=0.9, variant=variant), "a (b c) d", "a (b c) d") == pytest.approx(expected)


def orders_of(blocks: Blocks) -> list[list[str]]:
    """Return every order in which ties can be broken."""
    return [documents_of([list(block) for block in choice]) for choice in product(*map(permutations, blocks))]


def test_variant_a_is_the_mean_over_all_orders_for_lists_of_one_length() -> None:
    first, second = [["a"], ["b", "c", "d"], ["e"]], [["c", "a"], ["x"], ["d", "b"]]
    values = [reference.rbo_ext(one, other, 0.8) for one in orders_of(first) for other in orders_of(second)]

    tied = value(partial(rbo_tied, p=0.8, variant="a"), "a (b c d) e", "(c a) x (d b)")

    assert tied == pytest.approx(np.mean(values))


@each_variant
@given(drawn=experiments(ties=True), names=st.permutations(DOCUMENTS))
def test_names_do_not_matter(variant: Variant, drawn: tuple[Nested, Nested], names: list[str]) -> None:
    measure = partial(rbo_tied, p=0.9, variant=variant)
    other = dict(zip(DOCUMENTS, names, strict=True))

    others = pair_of(*(renamed(run, other) for run in drawn))

    assert by_topic(measure, others) == approx(by_topic(measure, pair_of(*drawn)))


@each_variant
@given(drawn=experiments(ties=True))
def test_neither_the_order_of_lines_nor_that_of_runs_matters(variant: Variant, drawn: tuple[Nested, Nested]) -> None:
    measure = partial(rbo_tied, p=0.9, variant=variant)
    original, reproduction = drawn

    others = pair_of(turned_around(reproduction), turned_around(original))

    assert by_topic(measure, others) == approx(by_topic(measure, pair_of(original, reproduction)))


@each_variant
@given(drawn=experiments(ties=True))
def test_it_does_not_matter_how_many_depths_are_handled_at_a_time(
    variant: Variant, drawn: tuple[Nested, Nested]
) -> None:
    measure = partial(rbo_tied, p=0.9, variant=variant)
    at_once = by_topic(measure, pair_of(*drawn))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tied_rbo, "_AT_A_TIME", 5)
        bit_by_bit = by_topic(measure, pair_of(*drawn))

    assert bit_by_bit == approx(at_once)


def test_another_way_to_treat_ties_is_refused() -> None:
    with pytest.raises(MeasureError, match="expected w, a or b as the way to treat ties, found 'c'"):
        rbo_tied(pair_of({"1": {"a": 1}}, {"1": {"a": 1}}), 0.9, "c")  # type: ignore[arg-type]


@pytest.mark.parametrize("p", [0.0, 1.0, 1.5])
def test_a_persistence_that_is_no_chance_is_refused(p: float) -> None:
    with pytest.raises(MeasureError, match="expected p above 0 and below 1, found"):
        rbo_tied(pair_of({"1": {"a": 1}}, {"1": {"a": 1}}), p)


@each_variant
def test_rounding_lifts_no_agreement_above_1(variant: Variant) -> None:
    documents = [f"d{number:02d}" for number in range(19)]

    # Without a limit the nineteen terms of the sum, which is 1, add up to a few last bits more.
    found = value(partial(rbo_tied, p=0.6, variant=variant), documents, documents)

    assert 1 - 1e-12 < found <= 1
