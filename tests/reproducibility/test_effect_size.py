"""Is Cohen's d the one that its variant names, with an interval that holds it?"""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from primad.errors import UndefinedMeasure
from primad.reproducibility import effect_size
from primad.reproducibility.effect_size import cohens_d
from primad.reproducibility.intervals import Interval
from tests.reproducibility.some_runs import bounds


def test_d_z_is_the_mean_difference_over_the_spread_of_differences() -> None:
    # Differences 0.1, 0.2, 0.3: mean 0.2, standard deviation 0.1.
    found = cohens_d(np.array([0.1, 0.5, 0.4]), np.array([0.2, 0.7, 0.7]), paired=True)

    assert found.value == pytest.approx(2.0)
    assert found.variant == "d_z, standard deviation of the differences"


def test_pooled_d_is_the_difference_of_means_over_the_spread_within_runs() -> None:
    # Means 2 and 5, variances 1 and 2.5, pooled (2 * 1 + 4 * 2.5) / 6 = 2.
    found = cohens_d(np.array([1.0, 2, 3]), np.array([3.0, 4, 5, 6, 7]), paired=False)

    assert found.value == pytest.approx(3 / 2**0.5)
    assert found.variant == "d, pooled standard deviation"


@pytest.mark.parametrize("confidence", [0.9, 0.95])
@pytest.mark.parametrize("paired", [True, False])
def test_the_interval_ends_where_the_observed_t_becomes_unlikely(paired: bool, confidence: float) -> None:  # noqa: FBT001
    generator = np.random.default_rng(1)
    original, reproduced = generator.random(15), generator.random(15) + 0.2
    degrees, unit = (14, 15**-0.5) if paired else (28, (2 / 15) ** 0.5)

    found = cohens_d(original, reproduced, paired=paired, confidence=confidence)

    t = found.value / unit
    at_low, at_high = (stats.nct.sf(t, degrees, bound / unit) for bound in bounds(found.interval))
    assert (at_low, at_high) == pytest.approx(((1 - confidence) / 2, (1 + confidence) / 2), abs=1e-5)


def test_identical_scores_have_no_effect() -> None:
    scores = np.array([0.1, 0.4, 0.2])

    found = cohens_d(scores, scores.copy(), paired=True)

    assert found.value == 0
    assert found.interval == Interval(low=0.0, high=0.0, method="noncentral t", note="identical scores")


def test_equal_scores_of_other_topics_have_an_interval_as_wide_as_any() -> None:
    scores = np.array([0.1, 0.4, 0.2])

    found = cohens_d(scores, scores.copy(), paired=False)

    low, high = bounds(found.interval)
    assert found.value == 0
    assert -low == pytest.approx(high)
    assert stats.nct.sf(0, 4, high / (2 / 3) ** 0.5) == pytest.approx(0.975, abs=1e-6)


@pytest.mark.parametrize("sign", [1, -1])
def test_a_huge_effect_has_an_interval_that_holds_it(sign: int) -> None:
    original = np.linspace(0.1, 0.9, 10)
    noise = np.array([1.0, -1, 2, -2, 0.5, 3, -1.5, 1, 0, -3])

    found = cohens_d(original, original + sign * (1 + 5e-8 * noise), paired=True)

    # The spread is then all that is uncertain: d is the mean over it, and the spread is chi distributed.
    expected = [abs(found.value) * (stats.chi2.ppf(share, 9) / 9) ** 0.5 for share in (0.025, 0.975)]
    assert abs(found.value) > 1e7
    assert sorted(abs(bound) for bound in bounds(found.interval)) == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("confidence", [0.99, 0.9999, 0.9999999])
def test_an_interval_of_any_confidence_is_found(confidence: float) -> None:
    generator = np.random.default_rng(1)
    original, reproduced = generator.random(15), generator.random(15) + 0.2

    narrow, wide = (cohens_d(original, reproduced, paired=True, confidence=one) for one in (0.9, confidence))

    assert bounds(wide.interval)[0] < bounds(narrow.interval)[0] < bounds(narrow.interval)[1]
    assert bounds(narrow.interval)[1] < bounds(wide.interval)[1] < 10


def test_without_an_interval_the_value_is_the_same() -> None:
    found = cohens_d(np.array([0.1, 0.5, 0.4]), np.array([0.2, 0.7, 0.7]), paired=True, interval=False)

    assert found.value == pytest.approx(2.0)
    assert (found.interval, found.note) == (None, "")


@pytest.mark.parametrize("shares", [pytest.param((0.025, 0.975), id="both"), (0.025,), (0.975,)])
def test_bounds_that_cannot_be_computed_are_none_with_a_reason(
    monkeypatch: pytest.MonkeyPatch, shares: tuple[float, ...]
) -> None:
    monkeypatch.setattr(
        effect_size,
        "noncentrality",
        lambda _t, _degrees, share: None if any(abs(share - one) < 0.01 for one in shares) else 1.0,
    )

    found = cohens_d(np.array([0.1, 0.5, 0.4]), np.array([0.2, 0.7, 0.7]), paired=True)

    assert found.value == pytest.approx(2.0)
    assert found.interval is None
    assert found.note.startswith("no interval: ")


@pytest.mark.parametrize("unit", [1e160, 1e-160])
def test_scores_too_large_or_small_to_compute_with_have_no_d(unit: float) -> None:
    with pytest.raises(UndefinedMeasure, match=r"to compute with .*; take another unit"):
        cohens_d(np.array([0.1, 0.5, 0.4]) * unit, np.array([0.2, 0.7, 0.7]) * unit, paired=True)


@pytest.mark.parametrize(
    ("original", "reproduced", "paired", "reason"),
    [
        pytest.param([0.1, 0.2, 0.3], [0.2, 0.3, 0.4], True, "no spread to hold", id="the same difference everywhere"),
        pytest.param([0.1, 0.1], [0.2, 0.2], False, "no spread to hold", id="the same score everywhere"),
        pytest.param([0.1], [0.2], True, "at least 2 topics, found 1", id="one topic"),
        pytest.param([0.1, 0.2], [0.2], False, "at least 2 topics, found 1", id="one topic elsewhere"),
    ],
)
def test_d_is_undefined_without_spread(
    original: list[float],
    reproduced: list[float],
    paired: bool,  # noqa: FBT001
    reason: str,
) -> None:
    with pytest.raises(UndefinedMeasure, match=f"d is undefined: .*{reason}"):
        cohens_d(np.array(original), np.array(reproduced), paired=paired)


PAIRS = st.lists(st.tuples(st.integers(0, 100), st.integers(0, 100)), min_size=2, max_size=20)


@given(PAIRS, st.booleans())
def test_exchanging_the_runs_changes_the_sign_only(pairs: list[tuple[int, int]], paired: bool) -> None:  # noqa: FBT001
    original, reproduced = np.array(pairs).T / 100
    spread = np.ptp(reproduced - original) if paired else max(np.ptp(original), np.ptp(reproduced))
    assume(spread > 1e-6)

    forth, back = cohens_d(original, reproduced, paired=paired), cohens_d(reproduced, original, paired=paired)

    assert back.value == pytest.approx(-forth.value)
    assert forth.interval is not None
    assert forth.value in forth.interval
    assert bounds(back.interval)[0] == pytest.approx(-bounds(forth.interval)[1], abs=1e-6, rel=1e-5)


@given(PAIRS, st.sampled_from([0.5, 8.0]))
def test_the_unit_of_the_scores_does_not_matter(pairs: list[tuple[int, int]], factor: float) -> None:
    original, reproduced = np.array(pairs).T / 100
    assume(np.ptp(reproduced - original) > 1e-6)

    plain, scaled = (cohens_d(original * unit, reproduced * unit, paired=True).value for unit in (1, factor))

    assert scaled == pytest.approx(plain, rel=1e-12)
