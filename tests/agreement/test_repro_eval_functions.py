"""Do single measures say what single functions of repro_eval 0.5.0 recorded, and where not, what is wrong there?"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from primad import Effect, Run, assess
from primad.errors import UsageError
from primad.reproducibility.assessment.assess import assess_sides
from primad.reproducibility.assessment.measured import MeasuredRun, Side
from primad.reproducibility.assessment.result import Assessment, Reproduction, RunFacts, Value
from primad.reproducibility.assessment.score_table import ScoreTable
from primad.reproducibility.assessment.settings import Settings
from primad.reproducibility.effects import delta_relative_improvement, effect_ratio
from primad.reproducibility.order import RankingPair, Rankings, rbo_truncated

TOLERANCE = 1e-9

ORIGINAL = {"1": 0.1, "2": 0.5, "3": 0.9, "4": 0.3}
REPRODUCED = {"1": 0.12, "2": 0.55, "3": 0.93, "4": 0.35}


@pytest.fixture(scope="module")
def vectors(shared_data: Path) -> dict[str, Any]:
    """Return what each call gave, by its name without the number."""
    text = (shared_data.parent / "reference" / "repro_eval_vectors.json").read_text(encoding="utf-8")
    return {case["id"].partition("_")[2]: case["output"] for case in json.loads(text)["function_cases"]}


def only(assessment: Assessment) -> Reproduction:
    """Return the one reproduction."""
    (reproduction,) = assessment
    return reproduction


def answer(value: Value | None) -> float | str:
    """Return the number, or why there is none."""
    assert value is not None
    return value.undefined if value.value is None else value.value


def without(scores: Mapping[str, float], topic: str) -> dict[str, float]:
    """Return SCORES without those of TOPIC."""
    return {other: score for other, score in scores.items() if other != topic}


def from_scores(original: Mapping[str, float], reproduced: Mapping[str, float]) -> Reproduction:
    """Return how close REPRODUCED is to ORIGINAL, by scores of the measure m."""

    def side(name: str, scores: Mapping[str, float]) -> Side:
        table = ScoreTable.of_dict("m", scores)
        facts = RunFacts(path=name, tag=name, topics=len(scores))
        return Side(name=name, runs={"baseline": MeasuredRun(facts=facts, scores=table)})

    settings = Settings(measures=("m",))
    return only(assess_sides(side("original", original), [side("reproduction", reproduced)], settings))


def score_value(name: str, original: Mapping[str, float], reproduced: Mapping[str, float]) -> float | str:
    """Return the value of the measure NAME."""
    return answer(from_scores(original, reproduced).find(name, of="m"))


def test_topics_are_paired_by_their_names_in_whatever_order_they_come(vectors: dict[str, Any]) -> None:
    theirs = vectors["ttest_order"]
    turned = dict(reversed(REPRODUCED.items()))

    in_order, in_another = (score_value("p", ORIGINAL, scores) for scores in (REPRODUCED, turned))

    assert in_order == pytest.approx(theirs["same_order"]["AP"], abs=TOLERANCE)
    # There the first topic of the one is paired with the last of the other.
    assert theirs["reversed_order"]["AP"] == pytest.approx(0.8497961764640797)
    assert in_another == in_order


@pytest.mark.parametrize(
    ("case", "original", "reproduced", "alone"),
    [
        ("rmse_missing_topic", ORIGINAL, without(REPRODUCED, "4"), "original"),
        ("rmse_extra_topic", without(ORIGINAL, "4"), REPRODUCED, "reproduction"),
    ],
)
def test_a_topic_of_one_run_is_left_out_and_named(
    case: str, original: dict[str, float], reproduced: dict[str, float], alone: str, vectors: dict[str, Any]
) -> None:
    found = from_scores(original, reproduced)

    assert answer(found.find("rmse", of="m")) == pytest.approx(0.035590260840104394, abs=TOLERANCE)
    said = f"1 of 4 topics of the baseline run only in {alone}, left out where topics are paired: 4"
    assert said in found.remarks
    # There the first is an AttributeError, the second is silent.
    theirs = vectors[case]
    assert theirs.get("AP", 0.035590260840104394) == 0.035590260840104394
    assert ("error" in theirs) == (alone == "original")


def test_nrmse(vectors: dict[str, Any]) -> None:
    assert score_value("nrmse", ORIGINAL, REPRODUCED) == pytest.approx(vectors["nrmse"]["AP"], abs=1e-9)


def test_nrmse_of_scores_beyond_1_is_undefined(vectors: dict[str, Any]) -> None:
    assert vectors["nrmse_unbounded"] == {"m": 1.0}

    found = score_value("nrmse", {"1": 5, "2": 7}, {"1": 0, "2": 0})

    assert found == "its scale is the largest possible error of scores between 0 and 1, and a score lies outside"
    assert score_value("rmse", {"1": 5, "2": 7}, {"1": 0, "2": 0}) == pytest.approx(37**0.5)


def effect(baseline: tuple[float, ...], advanced: tuple[float, ...]) -> Effect:
    """Return the effect of an advanced run over a baseline."""
    one, other = (dict(zip("123", scores, strict=True)) for scores in (baseline, advanced))
    return Effect.of(one, other)


BASELINE = (0.2, 0.4, 0.6)


@pytest.mark.parametrize(
    ("case", "advanced"), [("er_dri", (0.3, 0.5, 0.7)), ("er_sign", (0.1, 0.3, 0.5))], ids=["half", "reversed"]
)
def test_er_and_dri(case: str, advanced: tuple[float, ...], vectors: dict[str, Any]) -> None:
    original, reproduced = effect(BASELINE, (0.4, 0.6, 0.8)), effect(BASELINE, advanced)

    found = {
        "ER": {"AP": effect_ratio(original, reproduced)},
        "DRI": {"AP": delta_relative_improvement(original, reproduced)},
    }

    expected = vectors[case]
    assert found == {name: pytest.approx(values, abs=TOLERANCE) for name, values in expected.items()}


def test_er_without_an_effect_is_undefined(vectors: dict[str, Any]) -> None:
    assert vectors["er_00"] == {"ER": {"AP": "NaN"}}
    runs = Run.from_dict({"1": {"d1": 2, "d2": 1}}), Run.from_dict({"1": {"d1": 2, "d2": 1}})

    assessment = assess(runs, runs, {"1": {"d1": 1}}, measures="AP")

    said = answer(only(assessment).find("er", of="AP", run="both"))
    assert said == "the original runs have equal mean scores, so there is no effect to come back"


def test_rbo_of_equal_lists_that_are_shorter_than_the_depth(vectors: dict[str, Any]) -> None:
    rankings = Rankings.of(Run.from_dict({"1": {"d1": 3, "d2": 2, "d3": 1}}))
    rbo = partial(rbo_truncated, RankingPair.of(rankings, rankings))

    found = [float(rbo(p, depth)[0]) for p, depth in ((0.95, 1000), (0.95, 3), (0.8, 1000), (0.8, 10), (1.0, 3))]

    assert found == pytest.approx(vectors["rbo_depth"], abs=TOLERANCE)


def test_a_depth_of_0_is_refused_in_words(vectors: dict[str, Any]) -> None:
    assert "TypeError" in vectors["trim_zero"]["error"]
    run = {"1": {"d1": 1.0}}

    with pytest.raises(UsageError, match="expected a depth of at least 1, found 0"):
        assess(run, run, {"1": {"d1": 1}}, depth=0)


def test_the_calls_are_all_there_are(vectors: dict[str, Any]) -> None:
    assert set(vectors) == {
        "ttest_order",
        "rmse_missing_topic",
        "rmse_extra_topic",
        "nrmse",
        "nrmse_unbounded",
        "er_dri",
        "er_sign",
        "er_00",
        "rbo_depth",
        "trim_zero",
    }
