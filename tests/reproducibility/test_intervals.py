"""Do intervals hold what their method says, depend on nothing but the scores, and say where they have no bound?"""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from scipy.stats._resampling import BootstrapResult

from primad.errors import DataError
from primad.reproducibility import resampling
from primad.reproducibility.effects import delta_relative_improvement, effect_ratio
from primad.reproducibility.intervals import bca, fieller, intervals_of, intervals_of_mean, jackknife_t
from primad.reproducibility.order_measures import rbo_ext, tau
from primad.reproducibility.registry import Effect, Mean, Measure
from primad.reproducibility.resampling import RESAMPLES, PositiveMean
from primad.reproducibility.score_error import nrmse, rmse
from tests.reproducibility.some_runs import Array, all_intervals, bounds, effect, four_runs


def effects(topics: int, measures: int = 1) -> tuple[Effect, Effect]:
    runs = four_runs(topics, measures)
    return effect(runs[:2]), effect(runs[2:])


# Each method against another implementation -------------------------------------------------------------------


def bca_of_scipy(columns: list[Array], statistic: Callable[..., Array], drawn: Array, *, paired: bool) -> list[float]:
    """Return scipy's BCa interval from the values DRAWN."""
    # Rounding must not tell resamples that are the sample itself from it.
    value = statistic(*columns, axis=-1)
    drawn = np.where(np.isclose(drawn, value, rtol=1e-12, atol=0), value, drawn)
    before = BootstrapResult(confidence_interval=None, bootstrap_distribution=drawn, standard_error=None)
    found = stats.bootstrap(
        columns, statistic, paired=paired, n_resamples=0, bootstrap_result=before, vectorized=True, method="BCa"
    )
    return [float(bound) for bound in found.confidence_interval]


@pytest.mark.parametrize("topics", [10, 50])
def test_bca_of_a_mean_is_that_of_scipy_on_the_same_resamples(topics: int) -> None:
    column = four_runs(topics)[0][0]
    drawn = resampling._counts(topics, 0, 0, RESAMPLES) @ column / topics

    theirs = bca_of_scipy([column], np.mean, drawn, paired=False)

    assert bounds(intervals_of_mean(column)[0]) == pytest.approx(theirs, rel=1e-9)


@pytest.mark.parametrize("topics", [2, 3, 9])
def test_the_interval_of_a_mean_of_few_topics_is_students(topics: int) -> None:
    column = four_runs(topics)[0][0]

    (found,) = intervals_of_mean(100 * column)

    theirs = stats.ttest_1samp(100 * column, 0.0).confidence_interval(0.95)
    assert bounds(found) == pytest.approx([theirs.low, theirs.high], rel=1e-9)


def test_intervals_of_few_topics_end_where_scores_do() -> None:
    found = intervals_of_mean(np.array([[0.0, 0.1, 0.9], [0.0, 0.1, 1.1], [-0.1, 0.1, 0.9]]))

    assert bounds(found[0]) == (0, 1)
    assert [bounds(one)[0] < 0 and bounds(one)[1] > 1 for one in found[1:]] == [True, True]


@pytest.mark.parametrize("agreement", [[0.1, 0.9], [-0.5, 0.4, 0.9]])
def test_intervals_of_few_topics_end_where_their_measure_does(agreement: list[float]) -> None:
    unended = replace(tau, ideal=None)

    (found,) = intervals_of_mean(np.array(agreement), measure=unended)

    assert bounds(found) == (-1, 1)


@pytest.mark.parametrize("topics", [2, 3, 5, 9, 10])
def test_intervals_of_means_of_few_normal_scores_cover_the_true_mean(topics: int) -> None:
    drawn = np.random.default_rng(topics).normal(0.3, 0.1, (2000, topics))

    covered = np.mean([0.3 in interval for interval in intervals_of_mean(drawn) if interval])

    assert (0.93 if topics < 10 else 0.88) < covered < 0.97


@pytest.mark.parametrize("topics", [2, 3])
def test_values_that_only_rounding_tells_apart_give_an_interval_without_width(topics: int) -> None:
    (found,) = intervals_of_mean(np.linspace(0.1, 0.1 + 1e-17, topics) + 0.2 - 0.2)

    assert found is not None
    assert found.low == found.high == pytest.approx(0.1)
    assert found.note == "no topic differs from the others in this, so the interval has no width"


def test_of_two_topics_the_interval_of_an_error_is_by_the_jackknife() -> None:
    original, reproduced = np.array([[0.2, 0.6]]), np.array([[0.3, 0.3]])

    two = intervals_of(rmse, original, reproduced)
    three = intervals_of(rmse, *(np.pad(one, ((0, 0), (0, 1)), "edge") for one in (original, reproduced)))

    assert [one.method for one in (*two, *three) if one] == ["jackknife t", "studentised bootstrap"]


@pytest.mark.parametrize("topics", [7, 50])
def test_bca_of_paired_scores_is_that_of_scipy_on_the_same_resamples(topics: int) -> None:
    original, _, reproduced, _ = (run[0] for run in four_runs(topics))
    counts = resampling._counts(topics, 0, 0, RESAMPLES)
    drawn = np.sqrt(counts @ (original - reproduced) ** 2 / topics)

    def root(first: Array, second: Array, axis: int) -> Array:
        return np.asarray(np.sqrt(((first - second) ** 2).mean(axis=axis)))

    theirs = bca_of_scipy([original, reproduced], root, drawn, paired=True)

    assert bounds(bca(rmse, original, reproduced)[0]) == pytest.approx(theirs, rel=1e-9)


def dri(baseline: Array, advanced: Array, again: Array, again_advanced: Array, axis: int = -1) -> Array:
    first, second = advanced.mean(axis) / baseline.mean(axis), again_advanced.mean(axis) / again.mean(axis)
    return np.asarray(first - second)


def test_bca_of_effects_on_one_collection_draws_all_four_runs_jointly() -> None:
    runs = [run[0] for run in four_runs(30)]
    means = [resampling._counts(30, 0, 0, RESAMPLES) @ run / 30 for run in runs]

    theirs = bca_of_scipy(runs, dri, means[1] / means[0] - means[3] / means[2], paired=True)

    found = bca(delta_relative_improvement, effect(runs[:2]), effect(runs[2:]))
    assert bounds(found[0]) == pytest.approx(theirs, rel=1e-9)


def test_bca_of_effects_on_two_collections_draws_them_independently() -> None:
    first, second = four_runs(30), four_runs(20, seed=1)
    at = [resampling._counts(topics, sample, 0, RESAMPLES) / topics for sample, topics in enumerate((30, 20))]
    drawn = (at[0] @ first[1][0]) / (at[0] @ first[0][0]) - (at[1] @ second[3][0]) / (at[1] @ second[2][0])
    # scipy's statistic takes one column per sample: topics by their number, the runs looked up.
    numbers = [np.arange(30.0), np.arange(20.0)]

    def looked_up(one: Array, two: Array, axis: int) -> Array:
        places = one.astype(int), two.astype(int)
        columns = first[0][0][places[0]], first[1][0][places[0]], second[2][0][places[1]], second[3][0][places[1]]
        return dri(*columns, axis=axis)

    theirs = bca_of_scipy(numbers, looked_up, drawn, paired=False)

    found = bca(delta_relative_improvement, effect(first[:2]), effect(second[2:]), same_topics=False)
    assert bounds(found[0]) == pytest.approx(theirs, rel=1e-9)


DIFFERENCE = Measure(
    name="difference",
    formula=lambda original, reproduced, mean: mean(reproduced - original),
    title="Mean difference",
    level="scores",
    takes="paired",
)
GAIN_DIFFERENCE = Measure(
    name="gain_difference",
    formula=lambda original, reproduced: reproduced.mean_improvement() - original.mean_improvement(),
    title="Difference of mean improvements",
    level="overall effect",
    takes="effects",
)


@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_the_jackknife_of_a_mean_is_the_interval_of_the_t_test(confidence: float) -> None:
    original, _, reproduced, _ = (run[0] for run in four_runs(12))

    theirs = stats.ttest_rel(reproduced, original).confidence_interval(confidence)

    assert bounds(jackknife_t(DIFFERENCE, original, reproduced, confidence=confidence)[0]) == pytest.approx(theirs)


def test_the_jackknife_on_two_collections_is_the_interval_of_welch() -> None:
    first, second = four_runs(12), four_runs(25, seed=1)
    gains = first[1][0] - first[0][0], second[3][0] - second[2][0]

    theirs = stats.ttest_ind(gains[1], gains[0], equal_var=False).confidence_interval()

    found = jackknife_t(GAIN_DIFFERENCE, effect(first[:2]), effect(second[2:]), same_topics=False)
    assert bounds(found[0]) == pytest.approx(theirs, rel=1e-9)


def test_studentised_intervals_are_the_roots_of_bounds_of_mean_squares() -> None:
    original, _, reproduced, _ = four_runs(20)
    squares, room = (original - reproduced) ** 2, np.maximum(original, 1 - original) ** 2

    for measure, mean in ((rmse, PositiveMean.of(squares)), (nrmse, PositiveMean.of(squares, room))):
        expected = float(mean.lower(0.025)[0]) ** 0.5, float(mean.upper(0.025)[0]) ** 0.5
        assert bounds(intervals_of(measure, original, reproduced)[0]) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("differing", [1, 2, 3, 5, 40])
def test_rmse_and_nrmse_of_the_same_errors_have_intervals_of_about_the_same_width(differing: int) -> None:
    original = np.linspace(0.05, 0.6, 50)
    reproduced = original.copy()
    reproduced[:differing] += np.geomspace(0.0001, 0.0027, differing)
    widths = []
    for measure in (rmse, nrmse):
        low, high = bounds(intervals_of(measure, original, reproduced)[0])
        widths.append(high / low)

    assert widths[0] == pytest.approx(widths[1], rel=0.2)


def test_an_agreement_is_as_far_from_its_ideal_as_the_mean_distance_may_be() -> None:
    agreement = 1 - four_runs(30)[0] ** 2

    low, high = bounds(intervals_of_mean(agreement, measure=rbo_ext)[0])

    distance = PositiveMean.of(1 - agreement)
    assert (1 - high, 1 - low) == pytest.approx((float(distance.lower(0.025)[0]), float(distance.upper(0.025)[0])))


def test_a_distance_whose_ideal_is_its_lower_bound_has_its_interval_above_it() -> None:
    distance = Measure(
        name="far", formula=abs, title="", level="document order", takes="rankings", ideal=0.0, bounds=(0.0, None)
    )
    values = four_runs(30)[0] ** 2

    found = intervals_of_mean(values, measure=distance)[0]

    mean = PositiveMean.of(values)
    assert bounds(found) == pytest.approx((float(mean.lower(0.025)[0]), float(mean.upper(0.025)[0])))
    assert found is not None
    assert found.method == "studentised bootstrap"


def test_no_bound_of_an_agreement_leaves_the_range_of_its_measure() -> None:
    agreement = np.array([1.0] * 9 + [0.0])

    low, high = bounds(intervals_of_mean(agreement, measure=rbo_ext)[0])

    assert low == 0
    assert 0.9 < high <= 1


# Which method for which measure -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("measure", "method"),
    [
        pytest.param(rmse, "studentised bootstrap", id="rmse"),
        pytest.param(nrmse, "studentised bootstrap", id="nrmse"),
        pytest.param(delta_relative_improvement, "jackknife t", id="dri"),
        pytest.param(effect_ratio, "Fieller", id="er"),
        pytest.param(DIFFERENCE, "BCa bootstrap", id="a measure of one's own"),
    ],
)
def test_each_measure_has_its_method_and_an_interval_for_each_row(measure: Measure, method: str) -> None:
    runs = four_runs(40, measures=3)
    given = (runs[0], runs[2]) if measure.takes == "paired" else (effect(runs[:2]), effect(runs[2:]))

    found = intervals_of(measure, *given, confidence=0.9)

    for row, interval in enumerate(found):
        value = _value(measure, [run[row] for run in runs])
        assert interval is not None
        assert (interval.method, interval.confidence, interval.note) == (method, 0.9, "")
        assert bounds(interval)[0] < value < bounds(interval)[1]
    assert len(found) == 3


def _value(measure: Measure, runs: list[Array]) -> float:
    names = [dict(zip(map(str, range(len(run))), run.tolist(), strict=True)) for run in runs]
    if measure.takes == "paired":
        return measure(names[0], names[2])
    return measure(Effect.of(*names[:2]), Effect.of(*names[2:]))


def test_more_confidence_means_a_wider_interval() -> None:
    original, _, reproduced, _ = four_runs(40)
    for measure in (rmse, nrmse, DIFFERENCE):
        narrow, wide = (
            bounds(intervals_of(measure, original, reproduced, confidence=confidence)[0]) for confidence in (0.8, 0.99)
        )
        assert wide[0] < narrow[0] < narrow[1] < wide[1]


def test_a_measure_of_rankings_has_no_interval_but_by_its_topic_values() -> None:
    with pytest.raises(DataError, match="rbo_ext has a value for each topic"):
        intervals_of(rbo_ext, None, None)


def test_effects_on_other_numbers_of_topics_cannot_be_on_the_same_topics() -> None:
    with pytest.raises(DataError, match="expected effects on the same topics, found 5 and 6 of them"):
        intervals_of(delta_relative_improvement, effects(5)[0], effects(6)[1])


# Nothing but the scores ---------------------------------------------------------------------------------------


def test_a_measure_has_the_same_interval_alone_as_among_others() -> None:
    runs = four_runs(35, measures=6)

    together = all_intervals(runs)

    for row in range(6):
        assert all_intervals([run[row] for run in runs]) == [[found[row]] for found in together]
    assert all_intervals([np.asfortranarray(run) for run in runs]) == together


def test_intervals_are_the_same_in_another_process_with_other_threads_after_other_work() -> None:
    program = (
        "from tests.reproducibility.some_runs import all_intervals, four_runs\n"
        "all_intervals(four_runs(60, measures=9, seed=3))\n"
        "print(all_intervals(four_runs(60, measures=4)))"
    )
    limits = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "2")  # one here: conftest.py

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=os.environ | limits
    )

    assert done.stdout.strip() == str(all_intervals(four_runs(60, measures=4)))


# Data that leave little to say --------------------------------------------------------------------------------


def test_topics_without_a_value_are_left_out_of_their_row_only() -> None:
    values = four_runs(20, measures=3)[0]
    gaps = values.copy()
    gaps[1, [3, 8]] = np.nan

    found = intervals_of_mean(gaps)

    assert [found[0], found[2]] == [intervals_of_mean(values)[row] for row in (0, 2)]
    assert found[1] == intervals_of_mean(np.delete(values[1], [3, 8]))[0]


def test_no_spread_means_no_width_and_a_note() -> None:
    same = np.full((1, 5), 0.1)
    strong = Effect(np.full(5, 0.2), np.array([0.3, 0.4, 0.35, 0.3, 0.45]))
    cases = [
        (intervals_of_mean(same), 0.1),
        (intervals_of(rmse, same, same), 0.0),
        (intervals_of(rmse, same, same + 0.25), 0.25),
        (intervals_of(nrmse, same, same), 0.0),
        (intervals_of(nrmse, same, same + 0.45), 0.5),
        (intervals_of(delta_relative_improvement, strong, strong), 0.0),
        (intervals_of(effect_ratio, strong, strong), 1.0),
        (intervals_of(effect_ratio, Effect(same, same + 0.2), Effect(same, same + 0.1), same_topics=False), 0.5),
    ]

    for (interval,), value in cases:
        assert bounds(interval) == pytest.approx((value, value), abs=1e-12)
        assert interval is not None
        assert interval.note == "no topic differs from the others in this, so the interval has no width"


@pytest.mark.parametrize("measure", [rmse, nrmse, delta_relative_improvement, effect_ratio, DIFFERENCE])
def test_one_topic_has_no_interval(measure: Measure) -> None:
    runs = four_runs(1, measures=2)
    given = (runs[0], runs[2]) if measure.takes == "paired" else (effect(runs[:2]), effect(runs[2:]))

    assert intervals_of(measure, *given) == [None, None]


def test_a_ratio_of_one_topic_is_refused() -> None:
    with pytest.raises(DataError, match="expected improvements of at least 2 topics, found 1"):
        fieller(np.array([0.1]), np.array([0.2]), paired=True)


def test_a_mean_of_no_topics_has_no_interval() -> None:
    for measure in (None, rbo_ext):
        none, one, two = intervals_of_mean(np.array([[np.nan, np.nan], [0.1, np.nan], [0.1, 0.4]]), measure=measure)

        assert (none, one) == (None, None)
        assert bounds(two)[0] < 0.25 < bounds(two)[1]


@pytest.mark.parametrize("unit", [1e80, 1e160, 1e300, 1e-80, 1e-300])
def test_scores_too_large_or_small_to_compute_with_have_no_interval(unit: float) -> None:
    runs = [run * np.array([[1.0], [unit]]) for run in four_runs(10, measures=2)]

    for found in (intervals_of(rmse, runs[0], runs[2]), intervals_of_mean(runs[0])):
        assert found[0] is not None
        assert found[1] is None
    effects = effect(runs[:2]), effect(runs[2:])
    for measure in (delta_relative_improvement, effect_ratio):
        assert [interval is None for interval in intervals_of(measure, *effects)] == [False, True]


def test_a_value_that_is_undefined_has_no_interval() -> None:
    above = np.array([0.2, 3.0, 0.5])
    nothing = Effect(np.zeros(3), above)

    for found in (intervals_of(nrmse, above, above / 2), intervals_of(delta_relative_improvement, nothing, nothing)):
        assert found[0] is not None
        assert (found[0].low, found[0].high, found[0].note) == (None, None, "the value itself is undefined")


def test_a_value_that_is_undefined_in_resamples_has_no_bound_and_says_so() -> None:
    rarely = Effect(np.array([0.0, 0.0, 0.0, 0.1]), np.array([0.1, 0.2, 0.1, 0.4]))
    never = Effect(np.full(4, 0.2), np.array([0.3, 0.2, 0.4, 0.5]))

    (found,) = bca(delta_relative_improvement, rarely, never)

    number = int((resampling._counts(4, 0, 0, RESAMPLES)[:, 3] == 0).sum())
    assert found is not None
    assert (found.low, found.high) == (None, None)
    assert found.note == f"undefined in {number} of 2,000 resamples of topics"


@pytest.mark.parametrize(
    "baseline",
    [
        pytest.param([0.0, 0.0, 0.0, 0.1], id="a mean of 0 without the last topic"),
        pytest.param([-0.1, -0.1, 0.1, 0.3], id="a mean below 0 without the last topic"),
    ],
)
def test_a_value_that_is_undefined_without_some_topic_has_no_bound_and_says_so(baseline: list[float]) -> None:
    rarely = Effect(np.array(baseline), np.array([0.1, 0.2, 0.1, 0.4]))
    never = Effect(np.full(4, 0.2), np.array([0.3, 0.2, 0.4, 0.5]))

    (found,) = intervals_of(delta_relative_improvement, rarely, never)

    assert found is not None
    assert (found.low, found.high) == (None, None)
    assert found.note == "undefined where some topic is left out"


def test_few_topics_that_differ_are_cautioned_against() -> None:
    original = np.linspace(0.1, 0.8, 50)
    reproduced = original.copy()
    reproduced[[3, 20, 31]] += [0.01, -0.02, 0.05]

    (found,) = intervals_of(rmse, original, reproduced)

    assert found is not None
    assert found.note == "only 3 of 50 topics differ, so it is wide"
    assert rmse.formula(original, reproduced, np.mean) in found


def test_two_topics_are_enough_for_every_method() -> None:
    runs = [np.array(run) for run in ([0.2, 0.4], [0.3, 0.6], [0.25, 0.32], [0.3, 0.5])]

    for found in all_intervals(runs):
        assert found[0] is not None
        assert found[0].note == "" or found[0].low is None


def test_the_mean_given_to_a_formula_may_be_called_for_any_number_of_columns() -> None:
    def skewness(original: Array, reproduced: Array, mean: Mean) -> Array:
        gap = reproduced - original
        spread = mean(gap**2) - mean(gap) ** 2
        return np.asarray((mean(gap**3) - 3 * mean(gap) * spread - mean(gap) ** 3) / spread**1.5)

    measure = Measure(name="skewness", formula=skewness, title="Skewness", level="scores", takes="paired")
    original, _, reproduced, _ = four_runs(60)

    (found,) = intervals_of(measure, original, reproduced)

    assert found is not None
    assert stats.skew((reproduced - original)[0]) in found
