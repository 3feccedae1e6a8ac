"""Do intervals of a standard deviation and of a coefficient of variation hold what they promise?"""

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import integrate, special, stats

from bench.precision_coverage import POPULATIONS, covered
from primad.errors import DataError, UsageError
from primad.qra import intervals
from primad.qra.intervals import (
    Limits,
    c4,
    cv_interval_noncentral_t,
    cv_interval_vangel,
    stdev_interval,
    stdev_interval_acl2022,
)

SIZES = (2, 3, 5, 10, 50, 200)


def chance_by_force(t: float, df: int, noncentrality: float) -> float:
    """Return the distribution function of noncentral t, integrated over the chi variable in many short pieces."""
    centre = noncentrality / t
    edges = np.unique(np.clip([0.0, 12.0, *(centre + np.linspace(-9, 9, 19) / t), *np.linspace(0, 4, 81)], 0, 12))
    constant = math.log(2) + special.xlogy(df / 2, df / 2) - math.lgamma(df / 2)

    def mass(r: np.ndarray) -> np.ndarray:
        """Return the density of the chi variable times the chance that the normal one is small enough."""
        density = np.exp(constant + special.xlogy(df - 1, r) - df * r**2 / 2)
        return np.asarray(density * special.ndtr(t * r - noncentrality))

    return float(sum(integrate.fixed_quad(mass, low, high, n=20)[0] for low, high in itertools.pairwise(edges)))


# The bias of a small sample ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "expected"),
    [(2, math.sqrt(2 / math.pi)), (3, math.sqrt(math.pi) / 2), (4, 2 * math.sqrt(2 / (3 * math.pi)))],
)
def test_c4_is_what_the_gamma_function_says(n: int, expected: float) -> None:
    assert float(c4(n)) == pytest.approx(expected, rel=1e-14)


def test_c4_of_a_large_sample_neither_overflows_nor_differs_from_its_series() -> None:
    assert float(c4(100_000)) == pytest.approx(1 - 1 / (4 * 100_000), abs=1e-9)


def test_c4_needs_two_values() -> None:
    with pytest.raises(DataError, match="at least 2, found 1"):
        c4([2, 1])


# Intervals of the standard deviation ------------------------------------------------------------------------------


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_the_chi_square_interval_leaves_half_the_rest_on_either_side(n: int, confidence: float) -> None:
    low, high = stdev_interval(2.5, n, confidence)

    tails = stats.chi2.sf((n - 1) * (2.5 / low) ** 2, n - 1), stats.chi2.cdf((n - 1) * (2.5 / high) ** 2, n - 1)
    assert tails == pytest.approx(((1 - confidence) / 2, (1 - confidence) / 2))


def test_the_interval_of_the_paper_is_the_one_it_prints_for_fluency() -> None:
    low, high = stdev_interval_acl2022(np.std([4.36, 5.14], ddof=1), 2)

    assert (round(float(low), 2), round(float(high), 2)) == (-3.26, 4.65)


@pytest.mark.parametrize(("n", "confidence"), [(2, 0.95), (5, 0.9), (12, 0.99)])
def test_the_interval_of_the_paper_has_the_standard_error_of_the_delta_method(n: int, confidence: float) -> None:
    # The variance has the standard error s² sqrt(2/(n-1)), and the root of it has that over 2 s*.
    bias = math.sqrt(2 / (n - 1)) * math.gamma(n / 2) / math.gamma((n - 1) / 2)
    error = 2.5**2 * math.sqrt(2 / (n - 1)) / (2 * 2.5 / bias)
    reach = stats.t.ppf((1 + confidence) / 2, n - 1) * error

    limits = [float(limit) for limit in stdev_interval_acl2022(2.5, n, confidence)]

    assert limits == pytest.approx([2.5 / bias - reach, 2.5 / bias + reach], rel=1e-12)


@pytest.mark.parametrize(("n", "negative"), [(2, True), (3, True), (4, True), (5, False), (8, False)])
def test_the_interval_of_the_paper_reaches_below_0_up_to_four_values(n: int, *, negative: bool) -> None:
    assert (float(stdev_interval_acl2022(1.0, n)[0]) < 0) is negative


# Intervals of the coefficient of variation ------------------------------------------------------------------------


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("cv", [1e-6, 1e-4, 1e-3, 0.01, 0.05, 0.2, 0.5, 1.0])
def test_the_exact_limits_have_the_chance_that_brute_force_finds(n: int, cv: float) -> None:
    root = math.sqrt(n)

    low, high = (float(limit) for limit in cv_interval_noncentral_t(cv, n))

    assert chance_by_force(root / cv, n - 1, root / low) == pytest.approx(0.025, abs=1e-9)
    if high < math.inf:
        assert chance_by_force(root / cv, n - 1, root / high) == pytest.approx(0.975, abs=1e-9)
    else:
        assert stats.t.cdf(root / cv, n - 1) <= 0.975


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("cv", [0.05, 0.3, 0.8, 1.4])
def test_the_exact_limits_have_the_chance_that_scipy_finds(n: int, cv: float) -> None:
    root = math.sqrt(n)

    low, high = (float(limit) for limit in cv_interval_noncentral_t(cv, n, 0.9))

    assert stats.nct.cdf(root / cv, n - 1, root / low) == pytest.approx(0.05, abs=1e-7)
    if high < math.inf:
        assert stats.nct.cdf(root / cv, n - 1, root / high) == pytest.approx(0.95, abs=1e-7)


@pytest.mark.parametrize(("n", "cv"), [(25, 300.0), (200, 20.0)])
def test_the_exact_limits_have_their_chance_where_the_mean_is_lost_in_the_spread(n: int, cv: float) -> None:
    root = math.sqrt(n)

    low, high = (float(limit) for limit in cv_interval_noncentral_t(cv, n, 0.5))

    assert chance_by_force(root / cv, n - 1, root / low) == pytest.approx(0.25, abs=1e-9)
    most = stats.t.cdf(root / cv, n - 1)  # the chance with a mean of 0, where nothing bounds the coefficient
    assert chance_by_force(root / cv, n - 1, root / high) == pytest.approx(min(0.75, most), abs=1e-9)


@pytest.mark.parametrize("n", [10, 38, 58])
def test_the_exact_limits_have_their_chance_with_a_confidence_very_near_1(n: int) -> None:
    cvs, root = np.linspace(0.05, 0.1, 21), math.sqrt(n)

    high = cv_interval_noncentral_t(cvs, n, 1 - 1e-9)[1]

    beyond = [1 - chance_by_force(root / cv, n - 1, root / limit) for cv, limit in zip(cvs, high, strict=True)]
    assert beyond == pytest.approx([5e-10] * 21, rel=1e-4)


def test_seven_steps_find_the_exact_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    cvs, sizes = np.meshgrid([1e-4, 0.01, 0.1, 0.5, 1.0, 3.0], [2, 5, 20, 200])
    limits = np.stack(cv_interval_noncentral_t(cvs, sizes))

    monkeypatch.setattr(intervals, "_MOST_STEPS", 7)

    assert np.stack(cv_interval_noncentral_t(cvs, sizes)) == pytest.approx(limits, rel=1e-9)


def test_the_exact_limits_are_those_of_the_r_package_mbess() -> None:
    # The package cvcqv prints what MBESS says of these.
    tenths = (2, 5, 11, 14, 18, 23, 25, 27, 35, 44, 46, 54, 54, 57, 58, 59, 60, 66, 71, 79)

    limits = cv_interval_noncentral_t(np.std(tenths, ddof=1) / np.mean(tenths), 20)

    assert [round(100 * float(limit), 2) for limit in limits] == [41.29, 97.89]


@pytest.mark.parametrize(("n", "cv", "confidence"), [(2, 0.05, 0.95), (5, 0.4, 0.9), (20, 0.577735, 0.95)])
def test_vangel_is_his_formula(n: int, cv: float, confidence: float) -> None:
    expected = []
    for chance in ((1 + confidence) / 2, (1 - confidence) / 2):
        u = stats.chi2.ppf(chance, n - 1)
        expected.append(cv / math.sqrt(((u + 2) / n - 1) * cv**2 + u / (n - 1)))

    assert [float(limit) for limit in cv_interval_vangel(cv, n, confidence)] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("n", "cv"), [(2, 0.2), (3, 0.5), (10, 1.5)])
def test_nothing_bounds_the_coefficient_where_the_mean_may_be_0(n: int, cv: float) -> None:
    assert stats.t.cdf(math.sqrt(n) / cv, n - 1) < 0.975
    assert float(cv_interval_noncentral_t(cv, n)[1]) == math.inf


def test_nothing_bounds_the_coefficient_where_a_mean_of_0_has_exactly_the_chance_that_is_left() -> None:
    # With one degree of freedom, t is Cauchy and at most 1 in three of four cases.
    assert float(cv_interval_noncentral_t(math.sqrt(2), 2, 0.5)[1]) == math.inf


def test_the_upper_limit_near_the_last_one_has_the_digits_that_the_slope_at_0_gives() -> None:
    # The chance falls from that of central t as fast as the mean normal density at t times the chi variable.
    t = 2 / 0.6284473
    slope = (1 + t**2 / 3) ** -1.5 / math.sqrt(2 * math.pi)

    high = float(cv_interval_noncentral_t(0.6284473, 4)[1])

    assert high == pytest.approx(2 * slope / (stats.t.cdf(t, 3) - 0.975), rel=3e-6)


@pytest.mark.parametrize("interval", [cv_interval_noncentral_t, cv_interval_vangel])
def test_a_small_coefficient_has_the_interval_of_a_standard_deviation(
    interval: Callable[[float, int], Limits],
) -> None:
    limits = [float(limit) for limit in interval(1e-5, 6)]

    assert limits == pytest.approx([float(limit) for limit in stdev_interval(1e-5, 6)], rel=1e-6)


@pytest.mark.parametrize(("n", "cv"), [(5, 0.1), (8, 0.2), (20, 0.3)])
def test_vangel_is_near_the_exact_interval_from_five_values_on(n: int, cv: float) -> None:
    exact = [float(limit) for limit in cv_interval_noncentral_t(cv, n)]

    assert [float(limit) for limit in cv_interval_vangel(cv, n)] == pytest.approx(exact, rel=0.02)


def test_vangel_has_no_upper_limit_in_half_of_the_samples_of_three_with_a_third() -> None:
    values = np.random.default_rng(1).normal(1, 0.33, (4000, 3))

    high = cv_interval_vangel(values.std(axis=1, ddof=1) / np.abs(values.mean(axis=1)), 3)[1]

    assert np.isinf(high).mean() == pytest.approx(0.5, abs=0.05)


def test_many_intervals_at_once_are_those_of_each_alone() -> None:
    cvs, sizes = [0.01, 0.3, 0.0, 2.0], [2, 5, 4, 9]

    low, high = cv_interval_noncentral_t(cvs, sizes)

    alone = [cv_interval_noncentral_t(cv, n) for cv, n in zip(cvs, sizes, strict=True)]
    assert low.tolist() == pytest.approx([float(one) for one, _ in alone])
    assert high.tolist() == pytest.approx([float(two) for _, two in alone])
    assert (low[2], high[2]) == (0.0, 0.0)


# What is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95.0, -0.5, math.nan])
def test_a_confidence_that_is_no_share_is_refused(confidence: float) -> None:
    with pytest.raises(UsageError, match=r"between 0 and 1, as 0.95 is; found"):
        stdev_interval(1.0, 5, confidence)


@pytest.mark.parametrize("spread", [-0.1, math.nan, math.inf])
def test_a_spread_that_is_none_is_refused(spread: float) -> None:
    with pytest.raises(DataError, match="finite and not negative"):
        cv_interval_vangel(spread, 5)


@pytest.mark.parametrize("spread", [-0.1, math.nan, math.inf])
def test_one_spread_that_is_none_is_refused_among_others(spread: float) -> None:
    with pytest.raises(DataError, match="finite and not negative"):
        stdev_interval([0.1, spread], 5)


def test_a_sample_of_one_has_no_interval() -> None:
    with pytest.raises(DataError, match="at least 2 values, found 1"):
        cv_interval_noncentral_t([0.1, 0.1], [5, 1])


# Coverage ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [2, 3, 5, 8])
@pytest.mark.parametrize("coefficient", [0.05, 0.2])
def test_the_offered_intervals_cover_what_they_say_and_that_of_the_paper_less(n: int, coefficient: float) -> None:
    shares = covered(POPULATIONS["normal"], n, coefficient, 6000, np.random.default_rng(n))

    for share in (shares.chi_square, shares.noncentral_t, shares.vangel):
        assert 0.93 <= share <= 0.97
    assert 0.89 <= shares.acl2022 <= 0.93


def test_heavy_tails_take_coverage_from_the_offered_intervals() -> None:
    shares = covered(POPULATIONS["one in ten five times as wide"], 8, 0.1, 6000, np.random.default_rng(8))

    assert shares.chi_square < 0.85
    assert shares.noncentral_t < 0.85
