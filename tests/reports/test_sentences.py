"""Do the sentences say what the values say, and no more?"""

from dataclasses import replace
from typing import Any

import pytest

from primad.reports.sentences import (
    answer_sentence,
    changed_sentence,
    figure_sentences,
    level_sentences,
    margin_sentences,
    overall,
    summary,
    within,
)
from primad.reproducibility.assessment.result import ROLES, Assessment, Experiment, Reproduction, Value
from primad.reproducibility.intervals import Interval
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
        "RBO 0.57 (baseline) and 0.67 (advanced), rankings share 41 % (baseline) and 50 % (advanced) "
        "of their documents."
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
        "again: mean map is 0.2500 for the baseline (original 0.2500, the same); document order is the same."
    )


def test_without_any_value_that_is_said() -> None:
    assert said(made.effect("er", None, undefined="no advanced run")) == "mine: no measure has a value."


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
            "rankings share 41 % (baseline) and 50 % (advanced) of their documents."
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


def test_a_level_without_values_says_each_reason_once() -> None:
    elsewhere = made.other_collection()

    assert level_sentences(elsewhere, elsewhere["Core18"])["document order"] == (
        "Document order: no value, because of other documents: order cannot be compared."
    )


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


# Intervals ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("interval", "expected"),
    [
        pytest.param(made.interval(0.5, 1.5), "95 % interval 0.50 to 1.50", id="two ends"),
        pytest.param(made.interval(0.5, None), "95 % interval from 0.50 on", id="no upper end"),
        pytest.param(made.interval(None, 1.5), "95 % interval up to 1.50", id="no lower end"),
        pytest.param(made.interval(None, None), "95 % interval unbounded", id="no end"),
        pytest.param(made.interval(None, None, note="a ray"), "95 % interval unbounded: a ray", id="with a note"),
        pytest.param(made.interval(0.5, 1.5, confidence=0.9), "90 % interval 0.50 to 1.50", id="less sure"),
    ],
)
def test_an_interval_is_put_in_words(interval: Interval, expected: str) -> None:
    assert within(interval) == expected


# Answers -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", ["equivalent", "different", "inconclusive"])
def test_an_answer_names_what_it_is_about_and_what_could_have_been_seen(answer: str) -> None:
    text = answer_sentence(made.answered("effectiveness", answer, detectable=0.03))

    assert text.startswith(f"Effectiveness (map, baseline): {answer}: the finding; ")
    assert text.count("these 50 topics could detect") == 1
    assert text.endswith("0.03.")


def test_an_answer_that_rests_on_no_test_says_nothing_of_what_could_be_seen() -> None:
    text = answer_sentence(made.answered("scores", "equivalent", of="", run="", notes=("identical",)))

    assert text == "Scores: equivalent: the finding; identical."


def test_what_is_inconclusive_is_nowhere_called_the_same() -> None:
    answer = made.answered("effectiveness", "inconclusive", p_equivalent=0.2, p_different=0.9, detectable=0.03)

    assert "same" not in answer_sentence(answer)
    assert "equivalent" not in answer_sentence(answer)


def test_the_reason_of_a_margin_is_given_once_for_each_level() -> None:
    assert margin_sentences(made.many(3)) == [
        "Margin of effectiveness: a reason.",
        "Margin of document order: a reason.",
        "Margin of overall effect: a reason.",
    ]


# What changed ------------------------------------------------------------------------------------------------


def test_what_changed_is_said_in_letters_and_words() -> None:
    text = changed_sentence(made.bffmsss())

    assert text.startswith("PRIMAd, independent re-use+validate: Another platform")
    assert text.endswith(".")


def test_what_is_not_known_to_have_changed_is_said_to_be_unknown() -> None:
    assert changed_sentence(made.yxl()) == (
        "What changed is unknown: the runs of YXL or of the original have no metadata."
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


# Figures -----------------------------------------------------------------------------------------------------


def test_a_sweep_is_said_by_its_highest_points() -> None:
    assert figure_sentences(made.sweep(), "sweep", "map") == [
        "04 → 17: mean map is highest at 0.6 (0.3400), RMSE is at most 0.1200.",
        "04 → 18: mean map is highest at 0.6 (0.3500), RMSE is at most 0.1200.",
    ]


def test_of_many_lines_the_first_are_said() -> None:
    assert figure_sentences(made.sweep(9), "sweep", "map")[-1] == "And 3 more lines."


def test_topics_are_counted_by_what_became_of_them() -> None:
    assert figure_sentences(made.table2(), "topics", "map")[0] == (
        "BFFMSSS, baseline: lower on 1, higher on 1, the same on 0 of 2 topics."
    )


def test_overlap_is_said_at_the_top_and_at_the_end() -> None:
    assert figure_sentences(made.table2(), "overlap", "") == [
        "BFFMSSS, baseline: both rankings have 40 % of the first 10 and 60 % of the first 1,000 documents.",
        "BFFMSSS, advanced: both rankings have 50 % of the first 10 and 70 % of the first 1,000 documents.",
    ]


def test_overlap_of_many_reproductions_is_a_range() -> None:
    assert figure_sentences(made.many(7), "overlap", "")[0] == (
        "At the end of the baseline rankings between 60 % (rpl_1) and 60 % (rpl_7) of the documents are in both."
    )


def test_the_figure_of_effects_says_where_the_ideal_is() -> None:
    one = replace(made.table2(), reproductions=(made.bffmsss(),))

    (text,) = figure_sentences(one, "effects", "")

    assert text == (
        "BFFMSSS kept 105 % of the improvement in map (ER 1.05, 95 % interval 0.87 to 1.26). "
        "The nearer to the cross at ER 1 and DRI 0, the more of the improvement came back."
    )


def test_an_order_that_is_nearly_the_same_is_not_rounded_to_perfect() -> None:
    assert at("document order", made.ordered("rbo_ext", "baseline", 0.9999953)) == (
        "Document order differs: RBO 0.999995."
    )
