"""Does Fieller's interval hold the ratios that a test does not rule out, even where that is no interval?"""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from primad.reproducibility import intervals
from primad.reproducibility.intervals import Interval, fieller
from tests.reproducibility.some_runs import bounds


def test_fieller_of_three_topics_is_as_worked_out_by_hand() -> None:
    # Means 10 and 5, variances and covariance of the means 1/3, t(0.975, 2)² = 18.51282, of which a third is 6.170940:
    # (100 - 6.170940) r² - 2 (50 - 6.170940) r + (25 - 6.170940) = 0.
    found = fieller(np.array([9.0, 10, 11]), np.array([4.0, 5, 6]), paired=True)

    assert bounds(found) == pytest.approx((0.334740, 0.599491), abs=2e-6)
    assert found.method == "Fieller"


GAINS = st.lists(st.tuples(st.integers(-50, 60), st.integers(-50, 60)), min_size=3, max_size=12)


@given(GAINS, st.floats(-5, 5))
def test_fieller_holds_the_ratios_that_a_t_test_does_not_rule_out(gains: list[tuple[int, int]], ratio: float) -> None:
    original, reproduced = np.array(gains).T / 100
    rest = reproduced - ratio * original
    assume(np.ptp(rest) > 1e-6)
    assume(abs(original.mean()) > 1e-6)
    p = stats.ttest_1samp(rest, 0).pvalue
    assume(abs(p - 0.05) > 1e-6)

    found = fieller(original, reproduced, paired=True)

    assert (ratio in found) == (p > 0.05)


@given(st.integers(0, 10_000))
def test_fieller_on_two_collections_ends_where_welch_begins(seed: int) -> None:
    generator = np.random.default_rng(seed)
    original, reproduced = generator.normal(1.0, 0.5, 12), generator.normal(0.7, 0.8, 20)
    found = fieller(original, reproduced, paired=False)
    assume(found.low is not None and found.high is not None)
    ratio = reproduced.mean() / original.mean()
    degrees = stats.ttest_ind(reproduced, ratio * original, equal_var=False).df

    for bound in bounds(found):
        t = stats.ttest_ind(reproduced, bound * original, equal_var=False).statistic
        assert abs(t) == pytest.approx(stats.t.ppf(0.975, degrees), rel=1e-6)


def test_an_original_effect_near_0_leaves_no_interval_but_all_values_except_some() -> None:
    original = np.array([0.3, -0.1, 0.2, 0.1, -0.2, 0.25])  # mean 0.09, p 0.31
    reproduced = np.array([0.51, 0.48, 0.52, 0.49, 0.5, 0.5])

    found = fieller(original, reproduced, paired=True)

    assert (found.low, found.high) == (None, None)
    assert found.excluded is not None
    assert found.note == (
        "the original improvement cannot be told from 0: every ratio is possible but those between "
        f"{found.excluded[0]:.4g} and {found.excluded[1]:.4g}"
    )
    assert found.excluded[0] < 0 < found.excluded[1]
    assert 0.0 not in found
    assert reproduced.mean() / original.mean() in found


def test_effects_that_both_cannot_be_told_from_0_leave_the_whole_line() -> None:
    original = np.array([0.3, -0.1, 0.2, 0.1, -0.2, 0.25])

    found = fieller(original, np.array([-0.2, 0.3, 0.1, -0.25, 0.2, 0.0]), paired=True)

    assert (found.low, found.high, found.excluded) == (None, None, None)
    assert found.note == "the original improvement cannot be told from 0, so every ratio is possible"
    assert 1e9 in found


@pytest.mark.parametrize(
    ("b", "low", "high"), [pytest.param(2.0, 0.75, None, id="upwards"), pytest.param(-2.0, None, -0.75, id="downwards")]
)
def test_an_original_effect_at_the_limit_leaves_a_ray(b: float, low: float | None, high: float | None) -> None:
    whole = Interval(low=None, high=None, method="Fieller")

    found = intervals._solved(0.0, b, 3.0, whole, ratio=1.0)

    assert (found.low, found.high) == (low, high)
    assert found.note == "the original improvement cannot be told from 0, so one side has no bound"


def test_an_original_effect_of_0_leaves_every_ratio_possible() -> None:
    found = fieller(np.array([0.1, -0.1, 0.2, -0.2]), np.array([0.1, 0.2, 0.1, 0.3]), paired=True)

    assert (found.low, found.high) == (None, None)
    assert found.note == "the original improvement is 0, so every ratio is possible"


@pytest.mark.parametrize("paired", [True, False])
def test_fieller_holds_the_true_ratio_as_often_as_it_says_even_for_weak_effects(paired: bool) -> None:  # noqa: FBT001
    generator = np.random.default_rng(5)
    hits = unbounded = 0
    for _ in range(2000):
        original = generator.normal(0.5, 1, 20)  # told from 0 in half of the samples
        reproduced = 0.8 * original + generator.normal(0, 0.5, 20) if paired else generator.normal(0.4, 1, 25)
        found = fieller(original, reproduced, paired=paired)
        hits += 0.8 in found
        unbounded += found.low is None

    assert hits / 2000 == pytest.approx(0.95, abs=0.015)
    assert unbounded > 500
