"""Has every topic either a value or a reason?"""

from functools import partial

import numpy as np
import pytest
from hypothesis import given

from primad.reproducibility.order import (
    ktu,
    overlap,
    rbo_ext,
    rbo_tied,
    rbo_truncated,
    reasons,
    tau_shared,
    tau_union,
    tau_union_tied,
)
from tests.reproducibility.order.making import Measure, Nested, by_topic, experiments, pair_of, scored

CALLS: dict[Measure, Measure] = {
    ktu: ktu,
    overlap: overlap,
    rbo_ext: partial(rbo_ext, p=0.9),
    rbo_tied: partial(rbo_tied, p=0.9),
    rbo_truncated: partial(rbo_truncated, p=0.9, depth=5),
    tau_shared: tau_shared,
    tau_union: tau_union,
    tau_union_tied: tau_union_tied,
}


@pytest.mark.slow
@pytest.mark.parametrize("measure", [pytest.param(measure, id=measure.__name__) for measure in CALLS])
@given(drawn=experiments(ties=True))
def test_a_topic_has_a_reason_if_and_only_if_it_has_no_value(measure: Measure, drawn: tuple[Nested, Nested]) -> None:
    pair = pair_of(*drawn)

    values = by_topic(CALLS[measure], pair)

    assert set(reasons(measure, pair)) == {topic for topic, value in values.items() if np.isnan(value)}


@pytest.mark.parametrize(
    ("measure", "original", "reproduction", "expected"),
    [
        pytest.param(tau_shared, "a b", "c d", "no shared documents", id="nothing shared"),
        pytest.param(tau_shared, "a b", "b c", "one shared document", id="one shared"),
        pytest.param(ktu, "a b", "a", "lists of unequal length", id="unequal lengths"),
        pytest.param(ktu, "a", "a", "one document", id="one document"),
        pytest.param(tau_union_tied, "(a b)", "a b", "all documents tied in the original", id="original"),
        pytest.param(tau_union_tied, "a b", "(a b)", "all documents tied in the reproduction", id="reproduction"),
        pytest.param(tau_union_tied, "(a b)", "(a b)", "all documents tied in both runs", id="both"),
        pytest.param(tau_union_tied, "(a b)", "b", "all documents tied in the original", id="one of them shared"),
    ],
)
def test_the_reason_says_what_is_the_matter(measure: Measure, original: str, reproduction: str, expected: str) -> None:
    pair = pair_of({"7": scored(original), "8": scored("a b c")}, {"7": scored(reproduction), "8": scored("b a c")})

    assert reasons(measure, pair) == {"7": expected}


@pytest.mark.parametrize("measure", [overlap, rbo_ext, rbo_tied, rbo_truncated, tau_union])
def test_a_measure_that_is_always_defined_has_no_reasons(measure: Measure) -> None:
    assert reasons(measure, pair_of({"7": scored("(a b)")}, {"7": scored("c")})) == {}


def test_a_single_document_that_both_lists_have_is_no_tie() -> None:
    pair = pair_of({"7": scored("a")}, {"7": scored("a")})

    assert by_topic(tau_union_tied, pair) == {"7": 1.0}
    assert reasons(tau_union_tied, pair) == {}
