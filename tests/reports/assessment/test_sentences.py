"""Do the sentences say what the values say, and no more?"""

from dataclasses import replace
from typing import Any

import pytest

from primad.reports.assessment.sentences import (
    answers_sentence,
    changed_sentence,
    equivalence_remarks,
    level_sentences,
    margin_sentences,
    overall,
    summary,
    values_sentences,
    why,
)
from primad.reproducibility.assessment.result import ROLES, Assessment, Experiment, Of, Reproduction, Value
from primad.reproducibility.coverage import false_equivalence_stated
from primad.reproducibility.registry import Level
from tests.reports import assessments as made


def assessed(*values: Value, original: Experiment = made.ORIGINAL, **facts: Any) -> Assessment:
    """Return an assessment of one reproduction with VALUES."""
    one = Reproduction(name="mine", values=values, **facts)
    return Assessment(original=original, reproductions=(one,), settings=made.SETTINGS)


def said(*values: Value, **facts: Any) -> str:
    """Return the summary of a reproduction with VALUES."""
    assessment = assessed(*values, **facts)
    return summary(assessment, assessment.reproductions[0])


def at(level: str, *values: Value) -> str:
    """Return the sentence about one level of a reproduction with VALUES."""
    assessment = assessed(*values)
    return {str(name): text for name, text in level_sentences(assessment, assessment.reproductions[0]).items()}[level]


# One reproduction --------------------------------------------------------------------------------------------


def test_a_summary_says_how_much_came_back_and_whether_the_order_did() -> None:
    assert summary(made.table2(), made.bffmsss()) == (
        "BFFMSSS kept 105 % of the improvement in map (ER 1.05, 95 % interval 0.87 to 1.26); document order differs: "
        "RBO 0.57 (baseline) and 0.67 (advanced), rankings overlap by 41 % (baseline) and 50 % (advanced) "
        "(Jaccard)."
    )


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(0.0, "mine kept 0 % of the improvement in map (ER 0.00).", id="vanished"),
        pytest.param(0.784, "mine kept 78 % of the improvement in map (ER 0.78).", id="most of it"),
        pytest.param(2.0, "mine kept 200 % of the improvement in map (ER 2.00).", id="more of it"),
        pytest.param(-0.5, "mine turned the improvement in map around (ER -0.50).", id="turned around"),
    ],
)
def test_the_effect_ratio_is_read_as_a_share(value: float, expected: str) -> None:
    assert said(made.effect("er", value)) == expected


def test_what_was_no_improvement_is_not_called_one() -> None:
    worse = replace(made.ORIGINAL, values=(made.arp(0.4), made.arp(0.3, "advanced")))

    assert said(made.effect("er", 0.5), original=worse) == (
        "mine kept 50 % of the difference between baseline and advanced run in map (ER 0.50)."
    )


def test_without_an_effect_the_scores_are_said() -> None:
    assert summary(made.baseline_only(), made.baseline_only()["again"]) == (
        "again: mean map is 0.2500 (original 0.2500, the same); document order is the same."
    )


def over(runs: dict[Of, str]) -> list[Value]:
    """Return a mean of each of RUNS over its topics, comparable with the original by topic."""
    means = [replace(made.arp(0.3, run), topics=dict.fromkeys(topics.split(), 0.3)) for run, topics in runs.items()]
    return [*means, *(made.scored("rmse", run, 0.1) for run in runs)]


@pytest.mark.parametrize(
    ("runs", "expected"),
    [
        pytest.param({"baseline": "301", "advanced": "301 302"}, " on 1 of 2 topics", id="a topic is missing"),
        pytest.param({"baseline": "301 302", "advanced": "302"}, " on 1 of 2 topics", id="of the advanced run"),
        pytest.param({"baseline": "301 302", "advanced": "301 302 303"}, " on 2 of 3 topics", id="one more"),
        pytest.param({"baseline": "301 302", "advanced": "301 302"}, "", id="none is lost"),
    ],
)
def test_an_effect_on_fewer_topics_says_of_how_many_it_is(runs: dict[Of, str], expected: str) -> None:
    text = said(*over(runs), made.effect("er", 1.0))

    assert text == f"mine kept 100 % of the improvement in map{expected} (ER 1.00)."


def test_an_order_on_fewer_topics_than_scores_says_of_how_many_it_is() -> None:
    order = replace(made.ordered("rbo_ext", "baseline", 1.0), topics={"301": 1.0})

    text = said(*over({"baseline": "301 302"}), order)  # where 302 is missing, and counts as 0

    assert text.endswith("; document order is the same (on 1 of 2 topics).")


def test_scores_of_which_topics_are_lost_say_how_many_are_paired() -> None:
    assert said(*over({"baseline": "301"})) == (
        "mine: mean map is 0.3000 for the baseline (original 0.3711, over other topics), 1 of 2 topics paired."
    )


def test_topics_of_another_collection_are_not_called_lost() -> None:
    mean = replace(made.arp(0.3), topics={"601": 0.3})

    assert said(mean, made.effect("er", 1.0)) == "mine kept 100 % of the improvement in map (ER 1.00)."


def test_without_any_value_that_is_said() -> None:
    assert said(made.effect("er", None, undefined="no advanced run")) == "mine: no measure has a value."


def test_without_scores_the_order_is_said_behind_the_name() -> None:
    assert said(made.ordered("rbo_ext", "baseline", 1.0)) == "mine: document order is the same."


@pytest.mark.parametrize(
    ("ratio", "expected"),
    [
        pytest.param(0.9988, "mine kept 99.9 % of the improvement in map (ER 0.999).", id="almost all"),
        pytest.param(1.0, "mine kept 100 % of the improvement in map (ER 1.00).", id="all"),
        pytest.param(0.0004, "mine kept 0.04 % of the improvement in map (ER 0.0004).", id="almost nothing"),
    ],
)
def test_a_share_is_everything_or_nothing_only_if_it_is(ratio: float, expected: str) -> None:
    assert said(made.effect("er", ratio)) == expected


def test_of_a_problem_the_reason_is_said() -> None:
    silent = made.problem_only()

    assert summary(silent, silent["broken"]) == "Nothing can be said about broken: broken.run: no such file."


# Levels ------------------------------------------------------------------------------------------------------


def test_each_level_has_a_sentence() -> None:
    assert level_sentences(made.table2(), made.bffmsss()) == {
        "effectiveness": (
            "Mean map is 0.3612 for the baseline (original 0.3711, -2.7 %) "
            "and 0.4208 for the advanced run (original 0.4278, -1.6 %)."
        ),
        "document order": (
            "Document order differs: RBO 0.57 (baseline) and 0.67 (advanced), "
            "rankings overlap by 41 % (baseline) and 50 % (advanced) (Jaccard)."
        ),
        "scores": (
            "Topics differ from the original in map by 0.0741 for the baseline (95 % interval 0.0600 to 0.0900) "
            "and 0.0460 for the advanced run, as root mean square."
        ),
        "overall effect": (
            "105 % of the improvement in map came back (ER 1.05, 95 % interval 0.87 to 1.26); the relative improvement "
            "is 1.2 percentage points larger (DRI -0.0123, 95 % interval -0.0500 to 0.0300)."
        ),
        "cost": "In relation to the original: wall time 2.50 times.",
    }


def test_means_of_other_topics_are_not_related() -> None:
    elsewhere = made.other_collection()

    assert level_sentences(elsewhere, elsewhere["Core18"])["effectiveness"] == (
        "Mean map is 0.2000 for the baseline (original 0.3711)."
    )


def test_means_over_other_topics_have_no_percentage() -> None:
    fewer = replace(made.arp(0.36), topics={"301": 0.36})

    assert at("effectiveness", fewer, made.scored("rmse", "baseline", 0.1)) == (
        "Mean map is 0.3600 for the baseline (original 0.3711, over other topics)."
    )


@pytest.mark.parametrize(
    ("mean", "expected"),
    [
        pytest.param(0.3711 - 1e-6, "-0.0003 %", id="a little less"),
        pytest.param(0.3711 + 1e-6, "+0.0003 %", id="a little more"),
        pytest.param(0.3711 + 1e-15, "the same", id="rounding"),
    ],
)
def test_a_small_change_is_not_rounded_to_0_percent(mean: float, expected: str) -> None:
    said = at("effectiveness", made.arp(mean), made.scored("rmse", "baseline", 0.1))

    assert said == f"Mean map is 0.3711 for the baseline (original 0.3711, {expected})."


def test_a_level_without_values_says_each_reason_once() -> None:
    elsewhere = made.other_collection()

    assert level_sentences(elsewhere, elsewhere["Core18"])["document order"] == (
        "Document order: no value: other documents: order cannot be compared."
    )


def test_a_level_that_needs_more_runs_says_so_in_english() -> None:
    assert at("overall effect", made.effect("er", None, undefined="it needs an advanced run")) == (
        "Overall effect: no value: it needs an advanced run."
    )


def test_where_only_tests_have_values_they_are_said_with_the_reason_for_the_error() -> None:
    said = at(
        "scores",
        made.scored("rmse", "baseline", None, undefined="other judgments"),
        made.scored("p", "baseline", 0.01, variant="Welch's t-test"),
        made.scored("d", "baseline", -0.431),
        made.scored("p", "advanced", 0.99999, variant="Welch's t-test"),
    )

    assert said == (
        "The difference of scores in map: p 0.0100 by Welch's t-test, d -0.43 (baseline) and "
        "p 0.99999 by Welch's t-test (advanced); RMSE has no value: other judgments."
    )


def test_a_level_with_a_measure_of_the_users_own_has_a_value() -> None:
    missing = made.ordered("rbo_ext", "baseline", None, undefined="no rankings")

    assert at("document order", missing, made.ordered("mine", "baseline", 0.5)) == (
        "Document order: mine 0.5000 for the baseline."
    )


def test_order_that_others_have_computed_is_said_to_be_theirs() -> None:
    theirs = replace(made.ordered("rbo", "baseline", 0.57), note="computed by others")

    assert at("document order", theirs) == "Document order differs: RBO 0.57, computed by others."


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(0.1, "the relative improvement is 10.0 percentage points smaller (DRI 0.1000)", id="smaller"),
        pytest.param(-0.1, "the relative improvement is 10.0 percentage points larger (DRI -0.1000)", id="larger"),
        pytest.param(0.0, "the relative improvement is the same (DRI 0.0000)", id="the same"),
    ],
)
def test_the_sign_of_dri_is_put_in_words(value: float, expected: str) -> None:
    assert at("overall effect", made.effect("er", 1.0), made.effect("dri", value)).endswith(f"; {expected}.")


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param([1.0, 1.0], "Document order is the same.", id="both the same"),
        pytest.param([1.0, 0.5], "Document order differs: RBO 1.00 (baseline) and 0.50 (advanced).", id="one the same"),
        pytest.param([0.25], "Document order differs: RBO 0.25.", id="one run"),
    ],
)
def test_order_is_the_same_only_if_it_is_for_every_run(values: list[float], expected: str) -> None:
    found = [made.ordered("rbo_ext", run, value) for run, value in zip(ROLES, values, strict=False)]

    assert at("document order", *found) == expected


def test_order_is_told_by_the_best_measure_that_has_a_value() -> None:
    missing = made.ordered("rbo_ext", "baseline", None, undefined="no rankings")

    assert at("document order", missing, made.ordered("rbo", "baseline", 0.57)) == "Document order differs: RBO 0.57."


def test_scores_are_the_same_if_there_is_no_error() -> None:
    assert at("scores", made.scored("rmse", "baseline", 0.0)) == "Every topic has the same map as in the original."


# Answers -----------------------------------------------------------------------------------------------------


def test_an_answer_rests_on_its_finding_and_on_what_could_have_been_seen() -> None:
    text = why(made.answered("effectiveness", "different", detectable=0.03))

    assert text.startswith("the finding; ")
    assert text.count("these 50 topics could detect") == 1
    assert text.endswith("a difference of 0.03.")


def test_an_answer_that_rests_on_no_test_says_nothing_of_what_could_be_seen() -> None:
    assert why(made.answered("scores", "equivalent", of="", run="", notes=("identical",))) == "the finding; identical."


def test_what_is_inconclusive_is_nowhere_called_the_same() -> None:
    answer = made.answered("effectiveness", "inconclusive", p_equivalent=0.2, p_different=0.9, detectable=0.03)

    assert "same" not in why(answer)
    assert "equivalent" not in why(answer)


def test_answers_are_counted_by_kind_with_their_levels() -> None:
    assert answers_sentence(made.bffmsss()) == (
        "Of 3 answers about BFFMSSS: 1 equivalent (overall effect), 1 different (document order), "
        "1 inconclusive (effectiveness)."
    )


def test_answers_of_one_level_are_counted_there() -> None:
    twice = (made.answered("scores", "different"), made.answered("scores", "different", run="advanced"))

    assert answers_sentence(replace(made.yxl(), answers=twice)) == (
        "Of 2 answers about YXL: 0 equivalent, 2 different (2 scores), 0 inconclusive."
    )


def test_the_reason_of_a_margin_is_given_once_for_each_level() -> None:
    assert margin_sentences(made.many(3)) == [
        "Margin of effectiveness: a reason.",
        "Margin of document order: a reason.",
        "Margin of overall effect: a reason.",
    ]


def equivalent(level: Level, topics: int, **facts: Any) -> Reproduction:
    """Return a reproduction that a test calls equivalent at a LEVEL."""
    answer = made.answered(level, "equivalent", topics=topics, **({"p_equivalent": 0.01} | facts))
    return replace(made.yxl(), answers=(answer,))


@pytest.mark.parametrize("level", ["document order", "scores"])
def test_how_often_equivalent_is_wrong_is_said_once_for_each_level(level: Level) -> None:
    several = (equivalent(level, 50), equivalent(level, 25))

    assert equivalence_remarks(replace(made.table2(), reproductions=several)) == [
        f"{level.capitalize()}: {false_equivalence_stated(level, 25)}."
    ]


def test_what_is_identical_or_not_measured_needs_no_warning() -> None:
    several = (equivalent("scores", 50, p_equivalent=None), equivalent("effectiveness", 50))

    assert equivalence_remarks(replace(made.table2(), reproductions=several)) == []


# What changed ------------------------------------------------------------------------------------------------


def test_what_changed_is_said_in_letters_and_words() -> None:
    text = changed_sentence(made.bffmsss())

    assert text.startswith("PRIMAd, independent re-use+validate: Another platform")
    assert text.endswith(".")


def test_what_is_not_known_to_have_changed_is_said_to_be_unknown() -> None:
    assert changed_sentence(made.yxl()) == "What changed is unknown: only scores were given."


@pytest.mark.parametrize(
    ("silent", "said"),
    [
        pytest.param(("original",), "the original has no metadata", id="original"),
        pytest.param(("reproduction",), "the reproduction has no metadata", id="reproduction"),
        pytest.param(
            ("original", "reproduction"), "neither the original nor the reproduction has metadata", id="neither"
        ),
        pytest.param((), "of no run the original and the reproduction both have metadata", id="other runs"),
    ],
)
def test_who_has_no_metadata_is_told(silent: tuple[str, ...], said: str) -> None:
    unannotated = replace(made.yxl(), qrels="qrels", silent=silent)

    assert changed_sentence(unannotated) == f"What changed is unknown: {said}; primad annotate adds it."


def test_notes_on_what_changed_follow_it() -> None:
    compared = replace(made.changed("??i???"), notes=("the commands differ (1.2 → 0.9)",))

    text = changed_sentence(replace(made.bffmsss(), compared=compared))

    assert text.endswith(" Note: the commands differ (1.2 → 0.9).")


# What runs are called ----------------------------------------------------------------------------------------


def test_where_each_side_has_one_run_it_is_called_neither_baseline_nor_advanced() -> None:
    alone = assessed(
        made.arp(0.2),
        made.scored("rmse", "baseline", 0.1),
        original=replace(made.ORIGINAL, runs={}, values=(made.arp(0.25),)),
    )
    (one,) = alone

    said = [summary(alone, one), *level_sentences(alone, one).values(), *values_sentences(alone)]

    assert said == [
        "mine: mean map is 0.2000 (original 0.2500, -20.0 %).",
        "Mean map is 0.2000 (original 0.2500, -20.0 %).",
        "Topics differ from the original in map by 0.1000, as root mean square.",
        "mine: mean map is 0.2000 (original 0.2500, -20.0 %).",
    ]


def test_a_file_that_is_compared_with_itself_is_said_to_be_no_reproduction() -> None:
    (one,) = made.baseline_only()

    text = summary(made.baseline_only(), replace(one, is_original=True))

    assert text == (
        f"{one.name} is the very file of the original: it was compared with itself, and nothing was reproduced."
    )


# All together ------------------------------------------------------------------------------------------------


def test_of_several_reproductions_the_range_and_the_closest_are_named() -> None:
    assert overall(made.many(3)) == [
        "ER of map lies between 1.05 (rpl_1) and 1.07 (rpl_3); closest to 1 is rpl_1 (1.05).",
        "Effectiveness: 0 equivalent, 0 different, 3 inconclusive.",
        "Document order: 0 equivalent, 3 different, 0 inconclusive.",
        "Overall effect: 3 equivalent, 0 different, 0 inconclusive.",
    ]


def test_of_one_reproduction_nothing_is_said_together() -> None:
    assert overall(made.baseline_only()) == []


def test_silent_reproductions_are_counted() -> None:
    both = replace(made.table2(), reproductions=(made.yxl(), *made.problem_only().reproductions))

    assert overall(both) == ["Nothing can be said about 1 of 2 reproductions."]


def test_means_of_a_few_reproductions_are_each_beside_the_original() -> None:
    assert values_sentences(made.other_collection()) == [
        "Core18: mean map is 0.2000 for the baseline (original 0.3711)."
    ]


def test_means_of_many_reproductions_are_a_range() -> None:
    assert values_sentences(made.many(7)) == [
        "Mean map of the baseline lies between 0.3612 (rpl_1) and 0.3612 (rpl_7); that of the original is 0.3711.",
        "Mean map of the advanced run lies between 0.4208 (rpl_1) and 0.4208 (rpl_7); that of the original is 0.4278.",
    ]


# Rounding ----------------------------------------------------------------------------------------------------


def test_an_order_that_is_nearly_the_same_is_not_rounded_to_perfect() -> None:
    assert at("document order", made.ordered("rbo_ext", "baseline", 0.9999953)) == (
        "Document order differs: RBO 0.999995."
    )
