"""Are p-values those of scipy, paired by topic, and said to be undefined where there is none?"""

import math
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from primad.errors import DataError, UndefinedMeasure
from primad.reproducibility import significance
from primad.reproducibility.registry import paired
from primad.reproducibility.significance import (
    Contrast,
    PValue,
    Test,
    noncentrality,
    out_of_range,
    p_value,
    paired_contrast,
    pooled_contrast,
    rounding,
    unpaired_contrast,
)
from tests.reproducibility.recorded import Scores, by_topic, effect_example, function_case, recorded, table_2

Array = NDArray[np.float64]


def scores(topics: int, seed: int = 0) -> tuple[Array, Array]:
    """Return the scores of two runs that mostly agree."""
    generator = np.random.default_rng([topics, seed])
    original = generator.beta(1.2, 2.2, topics)
    return original, np.clip(original + generator.normal(-0.02, 0.1, topics), 0, 1)


def paired_p(original: Scores, reproduced: Scores, test: Test = "t") -> PValue:
    return p_value(*paired(original, reproduced)[1:], paired=True, test=test)


# Against scipy ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("topics", [2, 3, 10, 50, 250])
def test_t_tests_are_those_of_scipy(topics: int) -> None:
    original, reproduced = scores(topics)
    longer = np.append(reproduced, [0.3, 0.9])
    cases = [
        (p_value(original, reproduced, paired=True), stats.ttest_rel(reproduced, original), "paired t-test"),
        (
            p_value(original, reproduced, paired=True, test="student"),
            stats.ttest_rel(reproduced, original),
            "paired t-test",
        ),
        (p_value(original, longer, paired=False), stats.ttest_ind(longer, original, equal_var=False), "Welch's t-test"),
        (
            p_value(original, longer, paired=False, test="student"),
            stats.ttest_ind(longer, original),
            "Student's t-test",
        ),
    ]

    for ours, theirs, name in cases:
        assert ours.test == name
        assert ours.p == pytest.approx(theirs.pvalue, rel=1e-9)
        assert ours.statistic == pytest.approx(theirs.statistic, rel=1e-9)
        assert ours.degrees == pytest.approx(theirs.df, rel=1e-9)


@pytest.mark.parametrize("topics", [6, 12, 60, 250])
def test_wilcoxon_is_that_of_scipy(topics: int) -> None:
    original, reproduced = scores(topics)

    signed, summed = (p_value(original, reproduced, paired=pairs, test="wilcoxon") for pairs in (True, False))

    assert (signed.test, summed.test) == ("Wilcoxon signed-rank test", "Wilcoxon rank-sum test")
    for ours, theirs in (
        (signed, stats.wilcoxon(reproduced, original)),
        (summed, stats.mannwhitneyu(reproduced, original)),
    ):
        assert (ours.p, ours.statistic) == pytest.approx((theirs.pvalue, theirs.statistic), rel=1e-9)


def test_wilcoxon_sees_ties_in_spite_of_rounding_and_says_what_it_leaves_out() -> None:
    original = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7])
    reproduced = np.array([0.2, 0.3, 0.4, 0.3, 0.5, 0.6, 0.9])  # differences 0.1 and 0.2, none exact

    found = p_value(original, reproduced, paired=True, test="wilcoxon")

    assert found.p == pytest.approx(stats.wilcoxon([1, 1, 1, -1, 2]).pvalue)
    assert found.note == "2 topics without a difference are left out"


def test_wilcoxon_sees_ties_among_the_smallest_differences_in_spite_of_rounding() -> None:
    original = np.array([0.5, 0.7, 0.7, 0.2, 0.1, 0.1])
    reproduced = np.array([0.7, 0.8, 0.6, 0.0, 0.2, 0.2])

    found = p_value(original, reproduced, paired=True, test="wilcoxon")

    # In tenths; four share the ranks 1 to 4 and two the ranks 5 and 6, so the falls have 2.5 + 5.5.
    assert found.statistic == 8.0
    assert found.p == pytest.approx(stats.wilcoxon([2, 1, -1, -2, 1, 1]).pvalue)


def test_wilcoxon_sees_ties_on_topics_of_their_own_in_spite_of_rounding() -> None:
    original = np.array([0.3, 0.3, 0.5, 0.6, 0.3])
    reproduced = np.array([0.1 + 0.2, 0.1 + 0.2, 0.1 + 0.2, 0.7, 0.1 + 0.2, 0.6])  # 0.1 + 0.2 lies just above 0.3

    found = p_value(original, reproduced, paired=False, test="wilcoxon")

    expected = stats.mannwhitneyu([3, 3, 3, 7, 3, 6], [3, 3, 5, 6, 3])
    assert (found.statistic, found.p) == pytest.approx((expected.statistic, expected.pvalue))


@pytest.mark.parametrize("topics", [2, 5, 11])
def test_the_paired_permutation_test_is_exact_for_few_topics(topics: int) -> None:
    original, reproduced = scores(topics)

    found = p_value(original, reproduced, paired=True, test="permutation")

    theirs = stats.permutation_test((reproduced - original,), np.mean, permutation_type="samples", n_resamples=np.inf)
    assert found.p == pytest.approx(theirs.pvalue, rel=1e-9)
    assert found.statistic == pytest.approx(reproduced.mean() - original.mean())
    assert found.note == f"exact: all {2**topics:,} rearrangements"


@pytest.mark.parametrize("sizes", [(2, 3), (4, 4), (6, 5)])
def test_the_unpaired_permutation_test_is_exact_for_few_topics(sizes: tuple[int, int]) -> None:
    original, reproduced = scores(sizes[0])[0], scores(sizes[1], seed=1)[1]

    found = p_value(original, reproduced, paired=False, test="permutation")

    # scipy doubles the smaller tail; we count what is as far on either side.
    def distance(first: Array, second: Array, axis: int) -> Array:
        return np.asarray(np.abs(first.mean(axis=axis) - second.mean(axis=axis)))

    theirs = stats.permutation_test((reproduced, original), distance, n_resamples=np.inf, alternative="greater")
    assert found.p == pytest.approx(theirs.pvalue, rel=1e-9)
    assert found.statistic == pytest.approx(reproduced.mean() - original.mean())
    assert found.note == f"exact: all {math.comb(sum(sizes), sizes[0]):,} rearrangements"


@pytest.mark.parametrize(
    ("topics", "note"),
    [(17, "exact: all 131,072 rearrangements"), (18, "9,999 rearrangements drawn at random")],
)
def test_up_to_17_topics_all_signs_are_tried_and_of_more_some_are_drawn(topics: int, note: str) -> None:
    assert p_value(*scores(topics), paired=True, test="permutation").note == note


def test_signs_that_give_the_same_sum_but_for_rounding_count_as_far() -> None:
    original = np.array([0.28, 0.47, 0.48, 0.1, 0.21, 0.04, 0.54, 0.08, 0.15, 0.05, 0.13])
    reproduced = np.array([0.46, 0.82, 0.65, 0.35, 0.55, 0.36, 0.76, 0.44, 0.43, 0.24, 0.46])

    found = p_value(original, reproduced, paired=True, test="permutation")

    # All topics rise: no signs but those, and all of them turned, give as large a sum.
    assert found.p == 2 / 2**11


@pytest.mark.parametrize("pairs", [True, False])
@pytest.mark.parametrize("topics", [40, 200])
def test_where_means_are_the_same_every_drawn_rearrangement_is_as_far(topics: int, pairs: bool) -> None:  # noqa: FBT001
    original, reproduced = np.full(topics, 0.5), np.tile([0.25, 0.75], topics // 2)

    assert p_value(original, reproduced, paired=pairs, test="permutation").p == 1.0


def test_draws_too_many_for_memory_are_made_one_by_one_and_are_as_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(significance, "_CELLS", 1)
    monkeypatch.setattr(significance, "_DRAWN", 99)

    found = p_value(np.full(40, 0.5), np.tile([0.25, 0.75], 20), paired=True, test="permutation")

    assert (found.p, found.note) == (1.0, "99 rearrangements drawn at random")


@pytest.mark.parametrize("pairs", [True, False])
def test_a_permutation_test_on_many_topics_is_close_to_the_t_test_and_the_same_each_time(pairs: bool) -> None:  # noqa: FBT001
    original, reproduced = scores(120)

    found, again = (p_value(original, reproduced, paired=pairs, test="permutation") for _ in range(2))

    assert found == again
    assert found.statistic == pytest.approx(reproduced.mean() - original.mean())
    assert found.note == "9,999 rearrangements drawn at random"
    assert found.p == pytest.approx(p_value(original, reproduced, paired=pairs).p, abs=0.02)


def test_no_drawn_p_value_is_0() -> None:
    original = np.linspace(0, 0.5, 40)

    assert p_value(original, original + 0.3, paired=True, test="permutation").p == 1 / 10_000


# Special cases ------------------------------------------------------------------------------------------------

ALL_TESTS: tuple[Test, ...] = ("t", "student", "wilcoxon", "permutation")


@pytest.mark.parametrize("test", ALL_TESTS)
@pytest.mark.parametrize("pairs", [True, False])
def test_identical_scores_have_a_p_value_of_1_and_say_so(test: Test, pairs: bool) -> None:  # noqa: FBT001
    original = np.array([0.1, 0.3, 0.2])

    found = p_value(original, original.copy(), paired=pairs, test=test)

    assert (found.p, found.note) == (1.0, "identical scores")


@pytest.mark.parametrize("test", ALL_TESTS)
@pytest.mark.parametrize("pairs", [True, False])
def test_scores_that_are_all_0_are_identical_and_not_too_small(test: Test, pairs: bool) -> None:  # noqa: FBT001
    found = p_value(np.zeros(3), np.zeros(3 if pairs else 4), paired=pairs, test=test)

    assert (found.p, found.note) == (1.0, "identical scores")
    assert p_value(np.zeros(3), np.zeros(3), paired=pairs, test=test).note == "identical scores"


def test_a_difference_that_rounding_made_is_none() -> None:
    found = p_value(np.array([0.3, 0.6]), np.array([0.1 + 0.2, 0.6]), paired=True)

    assert (found.p, found.note) == (1.0, "identical scores")


@pytest.mark.parametrize("test", ["t", "student"])
def test_a_t_test_is_undefined_where_every_topic_differs_by_the_same(test: Test) -> None:
    original = np.array([0.1, 0.2, 0.3])

    with pytest.raises(UndefinedMeasure, match="p is undefined: every topic differs by the same amount"):
        p_value(original, original + 0.1, paired=True, test=test)
    with pytest.raises(UndefinedMeasure, match="p is undefined: each run has the same score on all its topics"):
        p_value(np.full(3, 0.1), np.full(4, 0.2), paired=False, test=test)


def test_the_permutation_test_is_defined_where_every_topic_differs_by_the_same() -> None:
    original = np.array([0.1, 0.2, 0.3, 0.5])

    assert p_value(original, original + 0.1, paired=True, test="permutation").p == 2 / 2**4


@pytest.mark.parametrize("test", ALL_TESTS)
@pytest.mark.parametrize("pairs", [True, False])
def test_one_topic_is_too_few(test: Test, pairs: bool) -> None:  # noqa: FBT001
    with pytest.raises(UndefinedMeasure, match="a test needs at least 2 topics, found 1"):
        p_value(np.array([0.1]), np.array([0.3]), paired=pairs, test=test)


@pytest.mark.parametrize("test", ALL_TESTS)
def test_one_topic_of_either_run_is_too_few(test: Test) -> None:
    one, three = np.array([0.1]), np.array([0.3, 0.4, 0.6])

    with pytest.raises(UndefinedMeasure, match="a test needs at least 2 topics, found 1"):
        p_value(one, three, paired=False, test=test)
    with pytest.raises(UndefinedMeasure, match="a test needs at least 2 topics, found 1"):
        p_value(three, one, paired=False, test=test)


def test_scores_that_cannot_be_compared_are_refused() -> None:
    with pytest.raises(DataError, match="expected scores of the same topics, found 2 and 3 of them"):
        p_value(np.zeros(2), np.ones(3), paired=True)
    with pytest.raises(DataError, match="expected a number for each topic"):
        p_value(np.array([0.1, math.nan]), np.ones(2), paired=True)
    with pytest.raises(DataError, match="expected a number for each topic"):
        p_value(np.ones(2), np.array([0.1, math.nan]), paired=True)


# repro_eval ---------------------------------------------------------------------------------------------------


def test_paired_p_values_are_those_of_repro_eval_but_for_its_three_defects(shared_data: Path) -> None:
    """Identical scores are nan there unless all measures are; one topic is nan; a constant difference is 0."""
    seen: Counter[str] = Counter()
    for case in recorded(shared_data, "ttest_paired"):
        try:
            ours = paired_p(case.original, case.reproduced)
        except UndefinedMeasure as error:
            seen[error.reason.split(",")[0]] += 1
            assert math.isnan(case.value) or case.value == 0, str(case)
        else:
            seen[f"{ours.note or 'a value'}, there {case.value if ours.note else 'the same'}"] += 1
            if not ours.note:
                assert ours.p == pytest.approx(case.value, abs=1e-9), str(case)

    assert seen == {
        "a value, there the same": 90,
        "identical scores, there nan": 65,
        "identical scores, there 1.0": 27,
        "a test needs at least 2 topics": 36,
        "every topic differs by the same amount": 7,
    }


def test_unpaired_p_values_of_repro_eval_are_students(shared_data: Path) -> None:
    cases = list(recorded(shared_data, "ttest_unpaired"))

    def ours(test: Test) -> dict[str, float]:
        return {
            str(case): p_value(
                np.array(list(case.original.values())),
                np.array(list(case.reproduced.values())),
                paired=False,
                test=test,
            ).p
            for case in cases
        }

    # All topics of both runs score 1: nan there, identical scores here.
    theirs = {str(case): 1.0 if math.isnan(case.value) else case.value for case in cases}
    assert [case.measure for case in cases if math.isnan(case.value)] == ["R@10", "RR"]
    assert len(cases) == 18
    assert ours("student") == pytest.approx(theirs, abs=1e-9)
    assert ours("t") != pytest.approx(theirs, abs=1e-3)


def test_topics_are_paired_by_name_where_repro_eval_pairs_by_the_order_of_a_dict(shared_data: Path) -> None:
    original = {"1": 0.1, "2": 0.5, "3": 0.9, "4": 0.3}
    reproduced = {"1": 0.12, "2": 0.55, "3": 0.93, "4": 0.35}
    backwards = dict(reversed(reproduced.items()))
    theirs = function_case(shared_data, "F01")

    assert paired_p(original, reproduced).p == pytest.approx(theirs["same_order"]["AP"], abs=1e-9)
    assert paired_p(original, backwards).p == paired_p(original, reproduced).p
    assert theirs["reversed_order"]["AP"] == pytest.approx(0.85, abs=1e-3)


# Published numbers --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("run", "by_topic_id", "unpaired"),
    [
        pytest.param("WCrobust04", 0.3493, 0.7900, id="baseline"),
        pytest.param("WCrobust0405", 0.2869, 0.8284, id="advanced"),
    ],
)
def test_the_p_values_of_the_published_table_are_far_from_those_paired_by_topic(
    shared_data: Path, run: str, by_topic_id: float, unpaired: float
) -> None:
    original, reproduced = table_2(shared_data, run)
    columns = paired(original, reproduced)[1:]

    assert round(paired_p(original, reproduced).p, 4) == by_topic_id
    # With as many topics on both sides and nearly equal variances, Welch's and Student's agree to six digits.
    assert round(p_value(*columns, paired=False).p, 4) == unpaired
    assert round(p_value(*columns, paired=False, test="student").p, 4) == unpaired


def test_the_example_of_four_topics_is_reproduced(shared_data: Path) -> None:
    example = effect_example(shared_data)
    for run in ("base", "adv"):
        columns = np.array(example[f"orig_{run}"]), np.array(example[f"rep_{run}"])

        assert p_value(*columns, paired=True).p == pytest.approx(example[f"p_paired_{run}"], abs=1e-9)
        student = p_value(*columns, paired=False, test="student")
        assert student.p == pytest.approx(example[f"p_unpaired_{run}"], abs=1e-9)
    columns = np.array(example["orig_base"]), np.array(example["rep_base"])
    assert p_value(*columns, paired=False).p == pytest.approx(example["p_unpaired_welch_base"], abs=1e-9)


# Contrasts and corrections ------------------------------------------------------------------------------------


def test_one_sided_claims_are_those_of_scipy() -> None:
    original, reproduced = scores(20)
    contrast = paired_contrast(original, reproduced)

    above, below = (
        stats.ttest_1samp(reproduced - original, -0.01, alternative=side).pvalue for side in ("greater", "less")
    )

    assert contrast.above(-0.01) == pytest.approx(above, rel=1e-9)
    assert contrast.below(-0.01) == pytest.approx(below, rel=1e-9)


@pytest.mark.parametrize(("sides", "alpha"), [(1, 0.05), (2, 0.05), (2, 0.01)])
@pytest.mark.parametrize("degrees", [1, 9, 49, 5000])
def test_the_detectable_difference_is_detected_four_times_out_of_five(sides: int, alpha: float, degrees: int) -> None:
    contrast = Contrast(estimate=0.0, error=0.02, degrees=degrees)

    found = contrast.detectable(alpha, sides=1 if sides == 1 else 2)

    critical = stats.t.ppf(1 - alpha / sides, degrees)
    assert found is not None
    assert stats.nct.sf(critical, degrees, found / 0.02) == pytest.approx(0.8, abs=1e-5)


def test_the_detectable_difference_is_that_of_a_two_sided_test_if_not_said_otherwise() -> None:
    contrast = Contrast(estimate=0.0, error=0.02, degrees=9)

    found = contrast.detectable(0.05)

    assert found is not None
    assert stats.nct.sf(stats.t.ppf(0.975, 9), 9, found / 0.02) == pytest.approx(0.8, abs=1e-5)


def test_a_weight_multiplies_the_original_mean_and_its_error() -> None:
    original, reproduced = scores(12)[0], scores(30)[1]

    found = unpaired_contrast(original, reproduced, weight=0.5)

    halved = stats.ttest_ind(reproduced, original / 2, equal_var=False)
    assert (found.t(), found.degrees) == pytest.approx((halved.statistic, halved.df))
    assert pooled_contrast(original, reproduced).degrees == 40


@given(st.permutations(range(12)))
def test_no_p_value_depends_on_the_order_of_topics(order: list[int]) -> None:
    original, reproduced = (by_topic(column.tolist()) for column in scores(12))
    topics = [str(number + 1) for number in order]
    shuffled = {topic: reproduced[topic] for topic in topics}

    for test in ALL_TESTS:
        assert paired_p(original, shuffled, test) == paired_p(original, reproduced, test)


def test_t_tests_do_not_wait_for_scipy_stats_and_imports_not_for_any_of_scipy() -> None:
    program = (
        "import sys, numpy as np; from primad.reproducibility.significance import p_value\n"
        "from primad.reproducibility import coverage, effect_size, effects, equivalence, intervals, score_error\n"
        "assert not any(name.startswith('scipy') for name in sys.modules)\n"
        "p_value(np.array([0.1, 0.2]), np.array([0.1, 0.3]), paired=True)\n"
        "print('scipy.stats' in sys.modules)"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout == "False\n"


# Where numbers are nearly none --------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [3e-15, 1e-14, 1e-13, 4e-13, 1e-12])
def test_scores_that_are_nearly_the_same_have_a_p_value_by_wilcoxon(size: float) -> None:
    original = np.linspace(0.1, 0.9, 12)
    reproduced = original + size * np.arange(12)

    found = p_value(original, reproduced, paired=True, test="wilcoxon")

    left_out = int((np.abs(reproduced - original) <= 16 * 2.0**-52 * reproduced.max()).sum())
    assert 0 < left_out < 12
    # All differences that are left have the same sign.
    assert found.p == pytest.approx(2 * 0.5 ** (12 - left_out))
    assert found.note == f"{left_out} topics without a difference are left out"


@pytest.mark.parametrize("test", ["t", "student", "wilcoxon", "permutation"])
@pytest.mark.parametrize("pairs", [True, False])
@pytest.mark.parametrize(
    ("unit", "reason"),
    [
        pytest.param(1e160, "scores reach 9e.159, too large to compute with", id="too large"),
        pytest.param(1e308, "scores reach 9e.307, too large to compute with", id="close to infinity"),
        pytest.param(1e-160, "no score is above 9e-161, too small to compute with", id="too small"),
    ],
)
def test_scores_too_large_or_small_to_compute_with_have_no_p_value(
    test: Test,
    pairs: bool,  # noqa: FBT001
    unit: float,
    reason: str,
) -> None:
    original, reproduced = np.array([0.1, 0.5, 0.9]) * unit, np.array([0.2, 0.4, 0.85]) * unit

    with pytest.raises(UndefinedMeasure, match=reason):
        p_value(original, reproduced, paired=pairs, test=test)


@pytest.mark.parametrize("largest", [0.0, 1e-75, 0.9, 1e75])
def test_scores_between_the_limits_or_0_are_not_out_of_range(largest: float) -> None:
    assert out_of_range(np.array([0.0, -largest]), np.zeros(2)) == ""


def test_rounding_is_sixteen_last_bits_of_the_score_that_is_largest_in_size() -> None:
    assert rounding(np.array([1.0, -4.0]), np.array([2.0])) == 64 * 2.0**-52
    assert rounding(np.array([0.25])) == 4 * 2.0**-52


# Noncentrality ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("degrees", [1, 3.5, 49])
@pytest.mark.parametrize("share", [0.001, 0.2, 0.975])
@pytest.mark.parametrize("t", [-40.0, -2.0, 0.0, 0.3, 2.0, 40.0])
def test_at_the_noncentrality_t_has_its_share(t: float, share: float, degrees: float) -> None:
    found = noncentrality(t, degrees, share)

    assert found is not None
    assert stats.nct.cdf(t, degrees, found) == pytest.approx(share, rel=1e-4)


@pytest.mark.parametrize("t", [1e4, -1e4, 1e9, -1e9])
def test_the_noncentrality_of_a_large_t_is_a_share_of_the_spread(t: float) -> None:
    found = noncentrality(t, 9, 0.2)

    # Then only the spread is uncertain, which is chi distributed; it is large where the noncentrality is.
    assert found == pytest.approx(t * (stats.chi2.ppf(0.8 if t > 0 else 0.2, 9) / 9) ** 0.5, rel=1e-6)


def test_the_noncentrality_does_not_leap_where_another_formula_takes_over() -> None:
    below, above = (noncentrality(t, 9, 0.025) for t in (100 - 1e-6, 100 + 1e-6))

    assert below == pytest.approx(above, rel=1e-6)


def test_a_share_that_no_noncentrality_has_is_out_of_reach() -> None:
    assert noncentrality(2.0, 10, 1.5) is None


def test_half_of_the_values_are_below_0_where_the_noncentrality_is_0() -> None:
    assert noncentrality(0.0, 10, 0.5) == 0.0


@pytest.mark.parametrize(("t", "degrees"), [(200.0, 1), (-200.0, 1), (150.0, 3)])
def test_a_large_t_has_no_noncentrality_where_its_share_is_that_of_the_central_distribution(
    t: float, degrees: int
) -> None:
    assert noncentrality(t, degrees, float(stats.t.cdf(t, degrees))) == pytest.approx(0.0, abs=1e-4)
