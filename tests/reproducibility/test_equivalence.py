"""Does each level answer equivalent, different or inconclusive by its tests, and in words that say why?"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from primad.reproducibility.answers import Answer, Margin, Verdict, corrected_answers
from primad.reproducibility.equivalence import DEFAULT_MARGINS, same_effect, same_means, same_order, same_scores
from primad.reproducibility.intervals import fieller, intervals_of, intervals_of_mean
from primad.reproducibility.order_measures import rbo_ext
from primad.reproducibility.registry import Level, paired
from primad.reproducibility.score_error import rmse
from primad.reproducibility.significance import paired_contrast
from tests.reproducibility.recorded import table_2
from tests.reproducibility.some_runs import Array, bounds, four_runs


def with_difference(mean: float, spread: float, topics: int = 40) -> tuple[Array, Array]:
    """Return scores around 0.5 and others whose differences have exactly that MEAN and standard deviation SPREAD."""
    generator = np.random.default_rng(topics)
    original, noise = generator.uniform(0.2, 0.8, topics), generator.normal(0, 1, topics)
    original += 0.5 - original.mean()
    noise = (noise - noise.mean()) / noise.std(ddof=1)
    return original, original + mean + spread * noise


# Effectiveness ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mean", "spread", "expected"),
    [
        pytest.param(0.0, 0.03, "equivalent", id="no difference"),
        pytest.param(0.01, 0.03, "equivalent", id="a detected difference that does not matter"),
        pytest.param(0.05, 0.03, "different", id="a large difference"),
        pytest.param(-0.05, 0.03, "different", id="a large loss"),
        pytest.param(0.0, 0.3, "inconclusive", id="no difference, but too much spread to say so"),
        pytest.param(0.05, 0.3, "inconclusive", id="a large difference that may be chance"),
        pytest.param(0.024, 0.03, "different", id="inside the margin, but not surely so"),
    ],
)
def test_means_are_compared_with_5_percent_of_the_original(mean: float, spread: float, expected: Verdict) -> None:
    answer = same_means(*with_difference(mean, spread))

    assert answer.answer == expected
    assert answer.value == pytest.approx(mean, abs=1e-12)
    assert answer.margin is not None
    assert (answer.margin.low, answer.margin.high) == pytest.approx((-0.025, 0.025))
    assert "5 % of the original mean" in answer.margin.reason


def test_means_are_tested_by_two_one_sided_t_tests_and_one_of_both_sides() -> None:
    original, reproduced = with_difference(0.01, 0.05)
    differences = reproduced - original

    answer = same_means(original, reproduced, margin=0.03)

    above = stats.ttest_1samp(differences, -0.03, alternative="greater").pvalue
    below = stats.ttest_1samp(differences, 0.03, alternative="less").pvalue
    assert answer.p_equivalent == pytest.approx(max(above, below), rel=1e-9)
    assert answer.p_different == pytest.approx(stats.ttest_rel(original, reproduced).pvalue, rel=1e-9)
    assert answer.margin == Margin(low=-0.03, high=0.03, reason="stated by the user")


def test_the_detectable_difference_is_found_four_times_out_of_five() -> None:
    original, reproduced = with_difference(0.0, 0.1, topics=30)
    answer = same_means(original, reproduced)
    generator = np.random.default_rng(3)

    assert answer.detectable is not None
    samples = generator.normal(answer.detectable, 0.1, (20_000, 30))
    assert (stats.ttest_1samp(samples, 0, axis=1).pvalue < 0.05).mean() == pytest.approx(0.8, abs=0.01)


def power(detectable: float | None, error: float, degrees: int, *, sides: int) -> float:
    """Return how often a test at 5 % detects a difference of that size, by scipy."""
    assert detectable is not None
    return float(stats.nct.sf(stats.t.ppf(1 - 0.05 / sides, degrees), degrees, detectable / error))


def test_two_topics_are_enough_for_a_test_of_means_and_of_effects() -> None:
    original, reproduced = np.array([0.4, 0.41]), np.array([0.43, 0.47])
    t = stats.ttest_rel(original, reproduced)

    means, effects = same_means(original, reproduced, margin=0.5), same_effect(original, reproduced)

    assert means.p_different == effects.p_different == pytest.approx(t.pvalue)
    assert means.p_equivalent == pytest.approx(stats.ttest_1samp(reproduced - original, 0.5, alternative="less").pvalue)
    assert means.notes == effects.notes == ()


def test_means_that_are_both_0_are_the_same_though_scores_differ() -> None:
    answer = same_means(np.zeros(4), np.array([0.1, -0.1, 0.2, -0.2]), margin=0.5)

    assert answer.finding == "the mean score is the same (-0.5 to 0.5 counts as the same)"


# Document order -----------------------------------------------------------------------------------------------


def agreements(mean: float, topics: int = 40) -> Array:
    values = 1 - np.random.default_rng(topics).beta(2, 8, topics)
    return np.asarray(values + mean - values.mean())


@pytest.mark.parametrize(
    ("mean", "margin", "expected"),
    [
        pytest.param(0.97, None, "equivalent", id="close to 1"),
        pytest.param(0.60, None, "different", id="far from 1"),
        pytest.param(0.90, None, "inconclusive", id="at the limit"),
        pytest.param(0.60, 0.5, "equivalent", id="far from 1, but so is the limit"),
    ],
)
def test_agreement_is_compared_with_1_less_the_margin(mean: float, margin: float | None, expected: Verdict) -> None:
    answer = same_order(agreements(mean), margin=margin)

    assert answer.answer == expected
    assert answer.margin is not None
    assert (answer.margin.low, answer.margin.high) == (1 - (margin or 0.1), 1.0)
    assert answer.value == pytest.approx(mean)


def test_topics_without_agreement_are_left_out_and_counted() -> None:
    values = agreements(0.97)

    answer = same_order(np.append(values, [np.nan, np.nan]))

    assert replace(answer, notes=()) == same_order(values)
    assert answer.notes == ("2 topics for which it is undefined are left out",)


def test_agreement_that_is_undefined_everywhere_is_inconclusive() -> None:
    answer = same_order(np.array([np.nan, np.nan]))

    assert (answer.answer, answer.value, answer.topics) == ("inconclusive", None, 0)
    assert answer.sentence.startswith("inconclusive: RBO_ext is undefined")


# Scores -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spread", "expected"),
    [
        pytest.param(0.02, "equivalent", id="small errors"),
        pytest.param(0.05, "inconclusive", id="errors at the margin"),
        pytest.param(0.15, "different", id="large errors"),
    ],
)
def test_errors_are_compared_with_10_percent_of_the_original_mean(spread: float, expected: Verdict) -> None:
    original, reproduced = with_difference(0.0, spread)

    answer = same_scores(original, reproduced)

    assert answer.answer == expected
    assert answer.margin is not None
    assert (answer.margin.low, answer.margin.high) == pytest.approx((0.0, 0.05))


@given(st.integers(0, 10_000), st.floats(0.02, 0.15))
def test_an_error_is_equivalent_where_its_interval_ends_below_the_margin(seed: int, margin: float) -> None:
    original, _, reproduced, _ = four_runs(20, seed=seed)
    low, high = bounds(intervals_of(rmse, original, reproduced, confidence=0.9)[0])

    answer = same_scores(original[0], reproduced[0], margin=margin).answer

    # Near the bounds one resample of 2000 decides.
    if high < 0.99 * margin:
        assert answer == "equivalent"
    elif low > 1.01 * margin:
        assert answer == "different"
    elif 1.01 * low < margin < 0.99 * high:
        assert answer == "inconclusive"


@given(st.integers(0, 10_000), st.integers(1, 20), st.floats(0.001, 0.3))
def test_however_few_topics_differ_the_answer_is_equivalent_where_the_interval_ends_inside(
    seed: int, differing: int, margin: float
) -> None:
    original, _, reproduced, _ = four_runs(20, seed=seed)
    reproduced[0, differing:] = original[0, differing:]
    agreement = 1 - np.abs(original - reproduced)
    errors, order = (
        intervals_of(rmse, original, reproduced, confidence=0.9),
        intervals_of_mean(agreement, measure=rbo_ext, confidence=0.9),
    )

    answers = same_scores(original[0], reproduced[0], margin=margin), same_order(agreement[0], margin=margin)

    for answer, end in zip(answers, (bounds(errors[0])[1], 1 - bounds(order[0])[0]), strict=True):
        if abs(end - margin) > 0.01 * margin:
            assert (answer.answer == "equivalent") == (end < margin)


@pytest.mark.parametrize("margin", [0.05, 0.2])
def test_the_detectable_error_is_found_beyond_the_margin_four_times_out_of_five(margin: float) -> None:
    original, reproduced = with_difference(0.0, 0.05, topics=30)
    squares = (reproduced - original) ** 2

    answer = same_scores(original, reproduced, margin=margin)

    assert answer.detectable is not None
    beyond = (margin + answer.detectable) ** 2 - margin**2
    assert power(beyond, squares.std(ddof=1) / 30**0.5, 29, sides=1) == pytest.approx(0.8, abs=1e-5)


def test_the_detectable_loss_of_agreement_is_found_four_times_out_of_five() -> None:
    values = np.array([0.99, 0.95, 0.9, 0.97, 0.85, 0.93])

    answer = same_order(values)

    assert power(answer.detectable, values.std(ddof=1) / 6**0.5, 5, sides=1) == pytest.approx(0.8, abs=1e-5)


# Overall effect -----------------------------------------------------------------------------------------------


def gains(ratio: float, spread: float, topics: int = 40) -> tuple[Array, Array]:
    """Return improvements, and others with exactly that RATIO of means."""
    generator = np.random.default_rng(topics)
    original, noise = generator.normal(0.06, 0.05, topics), generator.normal(0, 1, topics)
    return original, ratio * original + spread * (noise - noise.mean())


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(
    ("ratio", "spread", "expected"),
    [
        pytest.param(1.0, 0.01, "equivalent", id="the same effect"),
        pytest.param(1.1, 0.01, "equivalent", id="a little more"),
        pytest.param(0.5, 0.01, "different", id="half of it"),
        pytest.param(-1.0, 0.01, "different", id="turned around"),
        pytest.param(1.0, 0.2, "inconclusive", id="the same, but with too much spread to say so"),
    ],
)
def test_effects_are_compared_with_the_limits_of_bioequivalence(
    ratio: float, spread: float, expected: Verdict, sign: int
) -> None:
    original, reproduced = gains(ratio, spread)

    answer = same_effect(sign * original, sign * reproduced)

    assert answer.answer == expected
    assert answer.value == pytest.approx(ratio)
    assert answer.margin is not None
    assert (answer.margin.low, answer.margin.high) == (0.8, 1.25)


@given(st.integers(0, 10_000), st.booleans())
def test_an_effect_is_equivalent_where_fiellers_interval_lies_inside_the_margin(seed: int, pairs: bool) -> None:  # noqa: FBT001
    generator = np.random.default_rng(seed)
    original = generator.normal(0.06, 0.05, 30)
    reproduced = (original if pairs else generator.permutation(original)) + generator.normal(0, 0.02, 30)
    answer = same_effect(original, reproduced, margin=0.4, paired=pairs)
    low, high = bounds(fieller(original, reproduced, paired=pairs, confidence=0.9))

    # On two collections the degrees of freedom are those at the limit here, at the ratio found there.
    if low > 1.02 / 1.4 and high < 1.4 / 1.02:
        assert answer.answer == "equivalent"
    elif low < 0.98 / 1.4 or high > 1.4 / 0.98:
        assert answer.answer != "equivalent"


@pytest.mark.parametrize("pairs", [True, False])
@pytest.mark.parametrize(
    ("shift", "expected"),
    [pytest.param(0.0, "inconclusive", id="the same"), pytest.param(0.5, "different", id="a large improvement")],
)
def test_an_original_effect_that_may_be_chance_is_never_equivalent_but_may_be_another(
    shift: float,
    expected: Verdict,
    pairs: bool,  # noqa: FBT001
) -> None:
    original = np.array([0.3, -0.1, 0.2, 0.1, -0.2, 0.25])
    reproduced = original + shift + np.array([0.01, -0.02, 0.01, 0.02, -0.01, 0.0])

    answer = same_effect(original, reproduced, margin=1000.0, paired=pairs)

    p = stats.ttest_1samp(original, 0).pvalue
    test = stats.ttest_rel(original, reproduced) if pairs else stats.ttest_ind(original, reproduced, equal_var=False)
    assert answer.answer == expected
    assert answer.notes == (f"the original improvement itself cannot be told from 0 (p {p:.3g})",)
    assert answer.p_equivalent is None
    assert answer.p_different == pytest.approx(test.pvalue)


def test_the_same_difference_of_effects_that_may_be_chance_is_one_by_the_sign_test() -> None:
    original = np.array([0.05, -0.04, 0.03, -0.05, 0.04, -0.03, 0.02, 0.01, -0.02, 0])

    answer = same_effect(original, original + 0.3)

    assert (answer.answer, answer.p_equivalent, answer.p_different) == ("different", None, 2 * 0.5**10)


@pytest.mark.parametrize("sign", [1, -1])
def test_effects_exactly_at_either_limit_are_inside_the_margin(sign: int) -> None:
    original = sign * np.random.default_rng(1).normal(0.1, 0.03, 20)

    answers = [same_effect(original, ratio * original) for ratio in (0.8, 1.25)]
    beyond = [same_effect(original, ratio * original) for ratio in (0.799, 1.251)]

    assert [answer.answer for answer in (*answers, *beyond)] == ["equivalent", "equivalent", "different", "different"]
    assert [answer.value for answer in answers] == pytest.approx([0.8, 1.25])
    for answer, ratio in zip(answers, (0.8, 1.25), strict=True):
        assert answer.p_different == pytest.approx(stats.ttest_rel(original, ratio * original).pvalue)
        assert "the sign test stands in" in answer.sentence


@pytest.mark.parametrize(
    ("gain", "expected", "inside", "difference"),
    [
        pytest.param(0.1, "equivalent", 0.5**15, 1.0, id="the same gain"),
        pytest.param(0.3 - 0.2, "equivalent", 0.5**15, 1.0, id="the same gain but for rounding"),
        pytest.param(0.12, "equivalent", 0.5**15, 2 * 0.5**15, id="a gain inside the margin"),
        pytest.param(0.2, "different", 1.0, 2 * 0.5**15, id="twice the gain"),
    ],
)
def test_effects_without_spread_differ_on_two_collections_where_their_means_do(
    gain: float, expected: Verdict, inside: float, difference: float
) -> None:
    answer = same_effect(np.full(20, 0.1), np.full(15, gain), paired=False)

    assert (answer.answer, answer.p_equivalent, answer.p_different) == (expected, inside, difference)
    assert answer.detectable is None


def test_equal_differences_exactly_at_either_limit_are_inside_the_margin() -> None:
    original = np.linspace(0.3, 0.7, 8)

    answers = [same_means(original, original + shift, margin=0.1) for shift in (-0.1, 0.1, -0.101, 0.101)]

    assert [answer.answer for answer in answers] == ["equivalent", "equivalent", "different", "different"]


def test_an_original_effect_of_0_cannot_come_back_but_another_may_differ_from_it() -> None:
    original = np.array([0.1, -0.1, 0.2, -0.2])
    small, large = np.array([0.1, 0.2, 0.1, 0.3]), original + np.array([0.9, 1.0, 1.1, 0.95])

    answers = same_effect(original, small), same_effect(original, large), same_effect(original, original.copy())

    assert [answer.answer for answer in answers] == ["inconclusive", "different", "inconclusive"]
    for answer in answers:
        assert (answer.value, answer.p_equivalent, answer.detectable) == (None, None, None)
        assert answer.notes == ("the original runs have equal mean scores, so there is no effect to come back",)
    assert answers[0].p_different == pytest.approx(stats.ttest_rel(original, small).pvalue)


@pytest.mark.parametrize("sign", [1, -1])
def test_the_detectable_change_of_an_effect_is_a_share_of_the_original_one(sign: int) -> None:
    original, reproduced = gains(0.9, 0.02, topics=20)

    answer = same_effect(sign * original, sign * reproduced)

    assert answer.detectable is not None
    difference, error = answer.detectable * abs(original.mean()), (reproduced - original).std(ddof=1) / 20**0.5
    assert power(difference, error, 19, sides=2) == pytest.approx(0.8, abs=1e-5)


def test_an_effect_on_two_collections_rests_on_as_many_topics_as_the_smaller_one_has() -> None:
    original, reproduced = gains(1.0, 0.01)

    answers = [
        same_effect(original, reproduced[:30], paired=False),
        same_effect(original[:30], reproduced, paired=False),
        same_effect(original * 1e80, reproduced[:30], paired=False),
        same_effect(original, reproduced[:1], paired=False),
    ]

    assert [answer.topics for answer in answers] == [30, 30, 30, 1]
    assert (answers[3].answer, answers[3].p_different) == ("inconclusive", None)


def test_an_original_effect_with_a_p_value_of_exactly_alpha_cannot_be_told_from_0() -> None:
    original, reproduced = gains(1.0, 0.01)
    alpha = paired_contrast(np.zeros(40), original).differs()

    answers = [same_effect(original, reproduced, alpha=level) for level in (alpha, 1.0001 * alpha)]

    assert ["cannot be told from 0" in answer.sentence for answer in answers] == [True, False]


def test_a_margin_of_the_user_reaches_as_far_down_as_up() -> None:
    margin = same_effect(*gains(1.0, 0.01), margin=1.0).margin

    assert margin == Margin(low=0.5, high=2.0, reason="stated by the user")


# Special cases ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("topics", "expected", "where"),
    [
        pytest.param(1, "inconclusive", "its only topic", id="one topic"),
        pytest.param(2, "equivalent", "all 2 topics", id="two topics"),
        pytest.param(50, "equivalent", "all 50 topics", id="many topics"),
    ],
)
def test_identical_experiments_are_equivalent_without_a_test_if_there_is_more_than_one_topic(
    topics: int, expected: Verdict, where: str
) -> None:
    scores = np.linspace(0.1, 0.9, topics)
    answers = {
        "scores": same_means(scores, scores.copy()),
        "order": same_order(np.ones(topics)),
        "improvements": same_effect(scores, scores.copy()),
    }

    for what, answer in (*answers.items(), ("scores", same_scores(scores, scores.copy()))):
        assert answer.answer == expected
        assert answer.notes[0] == f"identical {what} on {where}"
        assert (answer.p_equivalent, answer.p_different) == (None, None)


def test_one_topic_is_inconclusive() -> None:
    one, two = np.array([0.4]), np.array([0.3])

    for answer in (same_means(one, two), same_scores(one, two), same_order(two), same_effect(one, two)):
        assert answer.answer == "inconclusive"
        assert "a test needs at least 2 topics, found 1" in answer.sentence


@pytest.mark.parametrize(
    ("shift", "topics", "expected"),
    [
        pytest.param(0.001, 10, "equivalent", id="a small difference"),
        pytest.param(0.2, 10, "different", id="a large difference"),
        pytest.param(0.2, 3, "inconclusive", id="a large difference on three topics"),
    ],
)
def test_the_same_difference_everywhere_is_judged_by_the_sign_test(
    shift: float, topics: int, expected: Verdict
) -> None:
    original = np.linspace(0.3, 0.6, topics)

    for answer in (same_means(original, original + shift), same_scores(original, original + shift)):
        assert answer.answer == expected
        assert "the sign test stands in" in answer.sentence
    assert same_means(original, original + shift).p_different == 2 * 0.5**topics


@pytest.mark.parametrize(
    ("value", "expected", "p_equivalent", "p_different"),
    [(0.0, "different", 1.0, 2 * 0.5**10), (0.95, "equivalent", 0.5**10, 1.0)],
)
def test_the_same_agreement_everywhere_is_judged_by_the_sign_test(
    value: float, expected: Verdict, p_equivalent: float, p_different: float
) -> None:
    answer = same_order(np.full(10, value))

    assert (answer.answer, answer.p_equivalent, answer.p_different) == (expected, p_equivalent, p_different)


@pytest.mark.parametrize(("share", "expected"), [(0.5, "different"), (1.1, "equivalent")])
def test_the_same_improvements_everywhere_are_judged_by_the_sign_test(share: float, expected: Verdict) -> None:
    assert same_effect(np.full(10, 0.2), np.full(10, 0.2 * share)).answer == expected


def test_a_run_that_scores_nothing_has_no_default_margin() -> None:
    nothing, something = np.zeros(5), np.array([0.0, 0.1, 0.2, 0.0, 0.1])

    for compare in (same_means, same_scores):
        answer = compare(nothing, something)
        assert (answer.answer, answer.margin) == ("inconclusive", None)
        assert "there is no default margin; state one" in answer.sentence
        assert compare(nothing, something, margin=0.5).answer == "equivalent"


def test_a_few_topics_that_differ_slightly_leave_the_rest_equivalent() -> None:
    original = np.linspace(0.1, 0.8, 50)
    reproduced = original.copy()
    reproduced[[3, 20, 31]] += [0.001, -0.002, 0.001]
    order = np.where(original == reproduced, 1.0, 0.99)

    answers = [same_means(original, reproduced), same_scores(original, reproduced), same_order(order)]

    assert [answer.answer for answer in answers] == ["equivalent"] * 3


# Families of claims -------------------------------------------------------------------------------------------


def claim(p_different: float | None, p_equivalent: float | None = 0.9) -> Answer:
    margin = Margin(low=-0.02, high=0.02, reason="stated by the user")
    start = Answer(level="effectiveness", value=0.1, topics=50, margin=margin, finding="the mean score is 0.1 higher")
    return replace(start, p_different=p_different, p_equivalent=p_equivalent).decided()


def test_only_claims_of_a_difference_are_corrected() -> None:
    answers = [claim(0.01), claim(0.03), claim(0.04, p_equivalent=0.02), claim(None, p_equivalent=None)]
    assert [answer.answer for answer in answers] == ["different", "different", "equivalent", "inconclusive"]

    holm, bonferroni = corrected_answers(answers, "holm"), corrected_answers(answers, "bonferroni")

    assert [answer.corrected for answer in holm] == pytest.approx([0.03, 0.06, 0.06, None])
    assert [answer.corrected for answer in bonferroni] == pytest.approx([0.03, 0.09, 0.12, None])
    for corrected in (holm, bonferroni):
        assert [answer.answer for answer in corrected] == ["different", "inconclusive", "equivalent", "inconclusive"]
        assert [answer.p_equivalent for answer in corrected] == [answer.p_equivalent for answer in answers]


def test_without_a_correction_answers_stay_as_they_are() -> None:
    answers = [claim(0.01), claim(0.03)]

    assert corrected_answers(answers, "none") == answers


# Words --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        pytest.param(
            claim(0.00004),
            "different: the mean score is 0.1 higher; p 0.9 for lying inside; p < 0.001 for a difference",
            id="different",
        ),
        pytest.param(
            replace(claim(0.00004), corrected=0.012),
            "different: the mean score is 0.1 higher; p 0.9 for lying inside; p 0.012 (corrected) for a difference",
            id="corrected",
        ),
        pytest.param(
            replace(claim(0.2), detectable=0.0312345),
            "inconclusive: the mean score is 0.1 higher; p 0.9 for lying inside; p 0.2 for a difference; "
            "these 50 topics could detect a difference of 0.03123",
            id="inconclusive",
        ),
        pytest.param(
            replace(claim(0.2), detectable=0.0312345, corrected=0.4),
            "inconclusive: the mean score is 0.1 higher; p 0.9 for lying inside; p 0.4 (corrected) for a difference; "
            "these 50 topics could detect a difference of 0.03123 before correction",
            id="inconclusive after correction",
        ),
        pytest.param(
            claim(0.01, p_equivalent=0.002),
            "equivalent: the mean score is 0.1 higher; p 0.002 for lying inside; p 0.01 for a difference; "
            "a difference is detected, but it is too small to matter",
            id="irrelevant",
        ),
    ],
)
def test_the_sentence_says_the_answer_and_why(answer: Answer, expected: str) -> None:
    assert answer.sentence == expected


def test_an_answer_becomes_json_without_nan() -> None:
    answer = replace(same_effect(np.zeros(3), np.ones(3)), of="map", run="both")

    content = json.loads(json.dumps(answer.to_dict(), allow_nan=False))

    assert content == {
        "measure": "er",
        "level": "overall effect",
        "answer": "inconclusive",
        "value": None,
        "topics": 3,
        "p_equivalent": None,
        "p_different": 0.25,
        "corrected": None,
        "detectable": None,
        "alpha": 0.05,
        "of": "map",
        "run": "both",
        "margin": [0.8, 1.25],
        "margin_reason": "0.8 to 1.25, the limits that are usual for bioequivalence",
        "sentence": "inconclusive: ER is undefined (0.8 to 1.25 counts as the same); p 0.25 for a difference; "
        "all topics say the same, so the sign test stands in for a test that needs a spread; "
        "the original runs have equal mean scores, so there is no effect to come back",
    }


def test_every_default_margin_has_a_reason() -> None:
    assert {name: (default.size, default.of_original_mean) for name, default in DEFAULT_MARGINS.items()} == {
        "mean": (0.05, True),
        "rmse": (0.1, True),
        "rbo_ext": (0.1, False),
        "er": (0.25, False),
    }
    assert all(len(default.reason) > 20 for default in DEFAULT_MARGINS.values())


def test_the_published_reproduction_is_no_success_at_each_level(shared_data: Path) -> None:
    columns = {run: paired(*table_2(shared_data, run))[1:] for run in ("WCrobust04", "WCrobust0405")}
    baseline, advanced = columns.values()
    effect = [advanced[side] - baseline[side] for side in (0, 1)]

    answers: dict[Level, Verdict] = {
        answer.level: answer.answer for answer in (same_means(*baseline), same_scores(*baseline), same_effect(*effect))
    }

    assert answers == {"effectiveness": "inconclusive", "scores": "different", "overall effect": "inconclusive"}
    assert same_means(*advanced).answer == "equivalent"


# Nothing but the scores ---------------------------------------------------------------------------------------


def test_no_answer_depends_on_what_was_computed_before() -> None:
    runs = [run[0] for run in four_runs(30)]
    first = same_scores(runs[0], runs[2]), same_order(agreements(0.9))
    same_scores(*(run[0] for run in four_runs(50)[:2]))

    assert (same_scores(runs[0], runs[2]), same_order(agreements(0.9))) == first


# Few topics that differ, and many claims -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("difference", "expected"),
    [
        pytest.param(0.001, "equivalent", id="far inside the margin"),
        pytest.param(0.03, "inconclusive", id="RMSE inside the margin, but that topic outside"),
    ],
)
def test_a_single_topic_that_differs_is_judged_by_how_far_the_error_is_inside_the_margin(
    difference: float, expected: Verdict
) -> None:
    original = np.linspace(0.1, 0.6, 50)
    reproduced = original.copy()
    reproduced[7] += difference

    answer = same_scores(original, reproduced, margin=0.01)

    assert answer.answer == expected
    assert answer.is_inside
    assert answer.notes == ("only 1 of 50 topics differ",)


def test_three_topics_that_differ_by_a_fifth_of_the_margin_are_equivalent() -> None:
    original = np.linspace(0.05, 0.6, 50)
    reproduced = original.copy()
    reproduced[[3, 20, 31]] += [0.0001, -0.0027, 0.00001]

    answer = same_scores(original, reproduced, margin=0.0142)

    (interval,) = intervals_of(rmse, original, reproduced, confidence=0.9)
    assert answer.answer == "equivalent"
    assert bounds(interval)[1] < 0.0142


@pytest.mark.parametrize(("topics", "expected"), [(2, "inconclusive"), (4, "inconclusive"), (5, "equivalent")])
def test_no_claim_of_few_topics_is_surer_than_the_sign_test(topics: int, expected: Verdict) -> None:
    original = np.linspace(0.3, 0.6, topics)
    answers = [
        same_scores(original, original + 1e-4 * np.arange(1, topics + 1), margin=0.2),
        same_order(1 - np.linspace(1e-4, 1e-3, topics), margin=0.2),
    ]

    assert [answer.answer for answer in answers] == [expected] * 2
    assert [answer.p_equivalent for answer in answers] == [0.5**topics] * 2


@pytest.mark.parametrize("unit", [1e80, 1e160, 1e308, 1e-80, 1e-300])
@pytest.mark.parametrize("question", [same_means, same_scores, same_effect])
def test_scores_too_large_or_small_to_compute_with_are_inconclusive_for_that_reason(question: Any, unit: float) -> None:
    original = np.array([0.1, 0.5, 0.9]) * unit

    answer = question(original, original * np.array([1.1, 0.9, 0.8]))

    assert (answer.answer, answer.value, answer.p_equivalent, answer.p_different) == ("inconclusive", None, None, None)
    assert "to compute with" in answer.sentence
    assert "take another unit" in answer.sentence


@pytest.mark.parametrize("question", [same_means, same_scores, same_effect])
@pytest.mark.parametrize("unit", [1e70, 1e-70])
def test_scores_of_any_other_unit_are_answered_the_same(question: Any, unit: float) -> None:
    original, _, reproduced, _ = (run[0] for run in four_runs(20))

    plain, scaled = question(original, reproduced), question(original * unit, reproduced * unit)

    assert (scaled.answer, scaled.p_equivalent) == (plain.answer, pytest.approx(plain.p_equivalent, abs=0.002))


def test_an_error_far_beyond_all_resamples_withstands_the_correction_of_a_thousand_claims() -> None:
    original = np.linspace(0.1, 0.9, 50)
    reproduced = original + np.where(np.arange(50) % 2, 0.3, -0.31)

    answers = corrected_answers([same_scores(original, reproduced, margin=0.01)] * 1000, "bonferroni")

    assert {answer.answer for answer in answers} == {"different"}


@pytest.mark.parametrize("question", [same_means, same_scores])
def test_where_every_score_is_0_nothing_was_measured_and_nothing_is_equivalent(question: Any) -> None:
    answer = question(np.zeros(5), np.zeros(5), margin=0.1)

    assert (answer.answer, answer.notes) == (
        "inconclusive",
        ("every score of both runs is 0, so nothing was measured",),
    )


@pytest.mark.parametrize("question", [same_means, same_scores])
def test_a_run_that_lost_all_its_scores_is_different_though_some_were_0_before(question: Any) -> None:
    answer = question(np.append(0.0, np.linspace(0.4, 0.6, 19)), np.zeros(20))

    assert (answer.answer, answer.notes) == ("different", ())
