"""Are eta², p and CV* within levels right, and refused where they say nothing?"""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad.errors import DataError, UndefinedMeasure
from primad.qra.causes.explained import eta_squared, eta_squared_by_chance, within_cv
from primad.qra.causes.permutations import DRAWS, permutation_test
from primad.qra.causes.pooling import pair_cv
from primad.qra.precision import cv_star

NTS_DEF = [84.51, 84.50, 87.46, 85.60, 84.20, 86.61, 86.20]
TRAINED_BY = ["N", "N", "C", "N", "N", "B", "B"]
SCRIPT_BY = ["N", "N", "N", "≈N", "S", "≈N", "S"]

statistics = pytest.mark.parametrize("statistic", [eta_squared, within_cv, permutation_test])


def p_by_hand(values: list[float], levels: list[str]) -> float:
    """Return p over each order of VALUES, the plain and slow way."""
    observed = eta_squared(values, levels)
    shares = [eta_squared(list(order), levels) for order in permutations(values)]
    return float(np.mean([share >= observed - 1e-9 for share in shares]))


@pytest.mark.parametrize("levels", [pytest.param(TRAINED_BY, id="trained by"), pytest.param(SCRIPT_BY, id="script by")])
def test_p_is_the_share_of_all_orders_that_do_as_well(levels: list[str]) -> None:
    found = permutation_test(NTS_DEF, levels)

    assert found.exact
    assert found.p == pytest.approx(p_by_hand(NTS_DEF, levels))


def test_arrangements_that_differ_in_the_names_of_equally_large_levels_count_once() -> None:
    assert permutation_test(NTS_DEF, TRAINED_BY).arrangements == 105
    assert permutation_test(NTS_DEF, SCRIPT_BY).arrangements == 105
    assert permutation_test([1, 2, 3, 5, 8, 13, 21, 34, 55, 89], list("aabbccddee")).arrangements == 945


def test_ties_among_values_raise_the_smallest_p_possible() -> None:
    assert permutation_test([1, 1, 1, 2], list("aabb")).smallest == 1.0
    assert permutation_test([1, 2, 4, 8], list("aabb")).smallest == pytest.approx(1 / 3)


def test_a_sample_of_arrangements_says_so_and_is_never_0() -> None:
    values = [float(number) for number in range(30)]
    levels = ["low"] * 15 + ["high"] * 15

    found = permutation_test(values, levels)

    assert (found.exact, found.arrangements) == (False, DRAWS)
    assert found.p == found.smallest == 1 / (DRAWS + 1)
    assert "a sample of 20,000 arrangements" in found.words


def test_a_sample_agrees_with_counting_out(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = permutation_test(NTS_DEF, SCRIPT_BY)

    monkeypatch.setattr("primad.qra.causes.permutations.MOST_ARRANGEMENTS", 0)
    drawn = permutation_test(NTS_DEF, SCRIPT_BY)

    assert (exact.exact, drawn.exact) == (True, False)
    assert drawn.p == pytest.approx(exact.p, abs=4 * (exact.p * (1 - exact.p) / DRAWS) ** 0.5)
    assert permutation_test(NTS_DEF, SCRIPT_BY) == drawn


def test_levels_that_mean_nothing_have_the_eta_squared_of_chance() -> None:
    generator = np.random.default_rng(7)

    shares = [eta_squared(list(generator.normal(size=8)), list("aaabbbcc")) for _ in range(2000)]

    assert np.mean(shares) == pytest.approx(eta_squared_by_chance(8, 3), abs=0.02)


@statistics
def test_a_level_for_each_value_says_nothing(statistic: object) -> None:
    assert callable(statistic)
    with pytest.raises(UndefinedMeasure, match="each measurement has a value of its own"):
        statistic([1.0, 2.0], ["a", "b"])


@statistics
def test_a_single_level_compares_nothing(statistic: object) -> None:
    assert callable(statistic)
    with pytest.raises(UndefinedMeasure, match="nothing to compare"):
        statistic([1.0, 2.0], ["a", "a"])


@statistics
def test_equal_values_have_nothing_to_share_out(statistic: object) -> None:
    assert callable(statistic)
    with pytest.raises(UndefinedMeasure, match="the measured values are equal"):
        statistic([2.0, 2.0, 2.0], ["a", "a", "b"])


@statistics
def test_what_is_no_number_is_refused(statistic: object) -> None:
    assert callable(statistic)
    with pytest.raises(DataError, match="expected finite numbers, found nan"):
        statistic([1.0, float("nan"), 2.0], ["a", "a", "b"])


@statistics
def test_a_value_without_a_level_is_refused(statistic: object) -> None:
    assert callable(statistic)
    with pytest.raises(DataError, match="expected a level for each of 3 values, found 2"):
        statistic([1.0, 3.0, 2.0], ["a", "b"])


def test_cv_within_levels_needs_a_scale_that_starts_at_0() -> None:
    with pytest.raises(UndefinedMeasure, match="it needs a scale that starts at 0, found -1"):
        within_cv([-1.0, 2.0, 3.0], ["a", "a", "b"])


@given(st.floats(0.01, 1000), st.floats(0.01, 1000))
def test_cv_of_a_pair_is_cv_star_of_its_values(first: float, second: float) -> None:
    assert pair_cv(first, second) == pytest.approx(cv_star([first, second]), rel=1e-6, abs=1e-9)
    assert pair_cv(first, second, "qra3") == pytest.approx(cv_star([first, second], variant="qra3"), rel=1e-6, abs=1e-9)


@given(st.lists(st.floats(1, 100).map(lambda value: round(value, 2)), min_size=4, max_size=9, unique=True), st.data())
def test_p_is_a_share_and_no_smaller_than_the_smallest(values: list[float], data: st.DataObject) -> None:
    levels = data.draw(st.permutations([*"aab", *"abc" * 3][: len(values)]))

    found = permutation_test(values, levels)

    assert found.smallest <= found.p <= 1
    assert found.p == pytest.approx(permutation_test([3 * value + 5 for value in values], levels).p)
