"""Does each level have every value that exists, and for every other one the reason?"""

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from primad import Run
from primad.reproducibility.assessment.collection import OTHER, SAME
from primad.reproducibility.assessment.levels import (
    LevelFound,
    document_order,
    effectiveness,
    given_value,
    overall_effect,
    taking,
    topic_scores,
)
from primad.reproducibility.assessment.measured import MeasuredRun, Side
from primad.reproducibility.assessment.result import ROLES, Role, RunFacts, Value
from primad.reproducibility.assessment.score_table import ScoreTable
from primad.reproducibility.assessment.settings import Settings
from primad.reproducibility.order import RankingPair, Rankings
from primad.reproducibility.sharing import Shared

PLAIN = Settings(measures=("map",), intervals=False)
ORDER = ("tau", "tau_shared", "overlap", "rbo_ext", "ktu", "rbo")

ORIGINAL = {"1": 0.2, "2": 0.4, "10": 0.6}
REPRODUCED = {"10": 0.55, "2": 0.4, "1": 0.3}


REJUDGED = Shared(topics=True, documents=True, qrels=False, why="")
ELSEWHERE = Shared(topics=True, documents=False, qrels=False, why="")


def scored(scores: dict[str, float], unscored: str = "") -> MeasuredRun:
    """Return a run of which only the SCORES are known, perhaps with why they say nothing."""
    facts = RunFacts(path="run", tag="run", topics=len(scores))
    return MeasuredRun(facts=facts, scores=ScoreTable.of_dict("map", scores), unscored=unscored)


def side(baseline: dict[str, float], advanced: dict[str, float] | None = None) -> Side:
    """Return an experiment of which only scores are known."""
    runs: dict[Role, MeasuredRun] = {"baseline": scored(baseline)}
    if advanced:
        runs["advanced"] = scored(advanced)
    return Side(name="experiment", runs=runs)


def by_name(found: LevelFound) -> dict[str, Value]:
    """Return the values by measure."""
    return {value.measure: value for value in found.values}


def pair(first: dict[str, dict[str, float]], second: dict[str, dict[str, float]]) -> RankingPair:
    """Return two rankings side by side."""
    return RankingPair.of(*(Rankings.of(Run.from_dict(run)) for run in (first, second)))


# Effectiveness ---------------------------------------------------------------------------------------------------


def test_effectiveness_is_the_mean_over_topics() -> None:
    (value,) = effectiveness("advanced", scored(ORIGINAL), PLAIN)

    assert (value.measure, value.level, value.run, value.of) == ("arp", "effectiveness", "advanced", "map")
    assert value.value == pytest.approx(0.4)
    assert (value.variant, value.interval, value.topics) == ("mean over 3 topics", None, ORIGINAL)


def test_effectiveness_has_an_interval_around_the_mean_unless_nobody_wants_it() -> None:
    (value,) = effectiveness("baseline", scored(ORIGINAL), Settings(measures=("map",)))

    assert value.interval is not None
    # The scores 0.2, 0.4 and 0.6: a standard error of 0.2 / sqrt(3), and t with 2 degrees of freedom is 4.3027.
    # From 0.4 - 0.49683 on, but no score is below 0.
    assert (value.interval.low, value.interval.high) == pytest.approx((0, 0.4 + 0.49683), abs=1e-5)
    assert (value.interval.method, value.interval.confidence) == ("jackknife t", 0.95)


def test_effectiveness_that_says_nothing_is_undefined_with_the_reason() -> None:
    (value,) = effectiveness("advanced", scored(ORIGINAL, "nothing is judged"), Settings(measures=("map",)))

    assert value == Value(measure="arp", level="effectiveness", run="advanced", of="map", undefined="nothing is judged")


def test_a_value_of_others_is_reported_as_theirs() -> None:
    value = given_value("ktu", "advanced", {"1": 0.1, "2": 0.3}, "ktu.csv", PLAIN)

    assert value == Value(
        measure="ktu",
        level="document order",
        run="advanced",
        variant="as given in ktu.csv, mean over 2 topics",
        value=0.2,
        topics={"1": 0.1, "2": 0.3},
        note="computed by others",
    )


def test_a_value_of_others_has_the_level_of_its_measure() -> None:
    levels = [given_value(name, "baseline", {"1": 0.5}, "f", PLAIN).level for name in ("rmse", "er", "unheard_of")]

    assert levels == ["scores", "overall effect", "document order"]


# Document order --------------------------------------------------------------------------------------------------

ABCD = {"1": {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}}
BACD = {"1": {"b": 4.0, "a": 3.0, "c": 2.0, "d": 1.0}}


def test_order_is_compared_by_every_measure_that_takes_rankings() -> None:
    found = document_order("baseline", pair(ABCD, BACD), SAME, Settings(p=0.9, depth=4, intervals=False))

    agreement = [0, 1, 1, 1]
    weights = [0.9**depth for depth in range(4)]
    ext = 0.1 * sum(a * w for a, w in zip(agreement, weights, strict=True)) + 0.9**4
    cut = sum(a * w for a, w in zip(agreement, weights, strict=True)) / sum(weights)
    assert {name: value.value for name, value in by_name(found).items()} == pytest.approx(
        {"tau": 2 / 3, "tau_shared": 2 / 3, "overlap": 1.0, "rbo_ext": ext, "ktu": 2 / 3, "rbo": cut}
    )
    assert {(value.level, value.run, value.of) for value in found.values} == {("document order", "baseline", "")}


def test_each_measure_of_order_names_variant_p_and_depth() -> None:
    settings = Settings(p=0.9, depth=50, ties="a", intervals=False)

    found = by_name(document_order("baseline", pair(ABCD, BACD), SAME, settings))

    assert {name: found[name].variant for name in ORDER} == {
        "tau": "absent documents tied last, depth 50, equal scores tied",
        "tau_shared": "depth 50, ties broken as trec_eval does",
        "overlap": "Jaccard, depth 50",
        "rbo_ext": "RBO_ext, p=0.9, depth 50, ties by variant a",
        "ktu": "as repro_eval 0.5.0, depends on the names of documents, depth 50",
        "rbo": "as repro_eval 0.5.0, p=0.9, depth 50, not extrapolated",
    }


def test_ties_that_are_broken_are_said_to_be() -> None:
    found = by_name(document_order("baseline", pair(ABCD, BACD), SAME, PLAIN))

    assert found["tau"].variant == "absent documents tied last, depth 1000, ties broken as trec_eval does"
    assert found["rbo_ext"].variant == "RBO_ext, p=0.95, depth 1000, ties broken as trec_eval does"


def test_ktu_looks_at_1000_documents_whatever_the_depth() -> None:
    long = {"1": {f"d{rank:04}": -float(rank) for rank in range(1100)}}
    swapped = {"1": long["1"] | {"d1050": -1060.5}}

    found = by_name(document_order("baseline", pair(long, swapped), SAME, Settings(depth=2000, intervals=False)))

    assert found["ktu"].value == 1.0
    assert found["ktu"].variant.endswith("depth 1000")
    assert found["tau"].value is not None
    assert found["tau"].value < 1.0


TIED = {"1": {"a": 2.0, "b": 1.0, "c": 1.0, "d": 0.0}}


@pytest.mark.parametrize(
    ("ties", "rbo_ext"),
    [pytest.param("w", 0.982, id="w"), pytest.param("a", 0.9775, id="a"), pytest.param("b", 0.987942, id="b")],
)
def test_ties_count_by_the_variant_that_is_asked_for(ties: Any, rbo_ext: float) -> None:
    found = document_order("baseline", pair(TIED, ABCD), SAME, Settings(p=0.9, ties=ties, intervals=False))

    assert by_name(found)["rbo_ext"].value == pytest.approx(rbo_ext, abs=1e-6)


def test_the_answer_about_order_rests_on_rbo_ext_and_the_stated_margin() -> None:
    settings = Settings(margins={"rbo_ext": 0.3}, intervals=False)

    two = {**ABCD, "2": ABCD["1"]}

    (answer,) = document_order("advanced", pair(two, two), SAME, settings).answers

    assert (answer.level, answer.run, answer.answer, answer.value) == ("document order", "advanced", "equivalent", 1.0)
    assert answer.margin is not None
    assert answer.margin.low == pytest.approx(0.7)
    assert answer.margin.reason == "stated by the user"


def test_topics_without_a_value_are_left_out_of_the_mean_and_counted() -> None:
    two = {**ABCD, "2": {"a": 1.0}, "3": {"z": 2.0, "y": 1.0}}
    other = {**ABCD, "2": {"b": 1.0}, "3": {"z": 2.0, "x": 1.0}}

    value = by_name(document_order("baseline", pair(two, other), SAME, PLAIN))["tau_shared"]

    assert (value.value, value.topics) == (1.0, {"1": 1.0})
    assert value.note == (
        "undefined, and left out of the mean, for 1 topic: no shared documents; 1 topic: one shared document"
    )


ALL_TIED = {**ABCD, "2": {"a": 1.0, "b": 1.0}}


def test_a_topic_of_nothing_but_ties_has_a_tau_where_ties_are_broken_and_no_note() -> None:
    value = by_name(document_order("baseline", pair(ALL_TIED, ALL_TIED), SAME, PLAIN))["tau"]

    assert (value.value, value.topics, value.note) == (1.0, {"1": 1.0, "2": 1.0}, "")


def test_a_topic_of_nothing_but_ties_has_no_tau_where_equal_scores_are_ties() -> None:
    settings = Settings(ties="a", intervals=False)

    value = by_name(document_order("baseline", pair(ALL_TIED, ALL_TIED), SAME, settings))["tau"]

    assert (value.value, value.topics) == (1.0, {"1": 1.0})
    assert value.note == "undefined, and left out of the mean, for 1 topic: all documents tied in both runs"


@pytest.mark.parametrize(
    ("rankings", "shared", "reason"),
    [
        pytest.param(None, SAME, "only scores were given, no rankings", id="no rankings"),
        pytest.param(pair(ABCD, {"2": {"a": 1}}), SAME, "no topic that both runs have", id="no topic"),
        pytest.param(None, OTHER, "other topics: order cannot be compared topic by topic", id="other topics"),
        pytest.param(None, ELSEWHERE, "other documents: order cannot be compared topic by topic", id="elsewhere"),
    ],
)
def test_order_that_cannot_be_compared_is_undefined_with_the_reason(
    rankings: RankingPair | None, shared: Shared, reason: str
) -> None:
    found = document_order("baseline", rankings, shared, PLAIN)

    assert {value.measure: (value.value, value.undefined) for value in found.values} == dict.fromkeys(
        ORDER, (None, reason)
    )
    assert found.answers == []


# Topic scores ----------------------------------------------------------------------------------------------------


def test_scores_are_paired_by_topic_whatever_their_order() -> None:
    found = by_name(topic_scores("baseline", scored(ORIGINAL), scored(REPRODUCED), SAME, PLAIN))

    rmse = math.sqrt((0.1**2 + 0 + 0.05**2) / 3)
    room = math.sqrt((0.8**2 + 0.6**2 + 0.6**2) / 3)
    differences = np.array([0.1, 0.0, -0.05])
    assert found["rmse"].value == pytest.approx(rmse)
    assert found["nrmse"].value == pytest.approx(rmse / room)
    assert found["p"].value == pytest.approx(stats.ttest_1samp(differences, 0).pvalue)
    assert found["d"].value == pytest.approx(differences.mean() / differences.std(ddof=1))
    assert [found[name].variant for name in ("rmse", "p", "d")] == [
        "3 topics",
        "paired t-test",
        "d_z, standard deviation of the differences",
    ]


def test_topics_that_one_run_lacks_are_not_paired() -> None:
    found = by_name(topic_scores("baseline", scored(ORIGINAL), scored({"1": 0.3, "2": 0.4, "7": 1}), SAME, PLAIN))

    assert found["rmse"].value == pytest.approx(math.sqrt(0.01 / 2))
    assert found["rmse"].variant == "2 topics"


@pytest.mark.parametrize(
    ("test", "name", "expected"),
    [
        pytest.param("t", "Welch's t-test", {"equal_var": False}, id="Welch"),
        pytest.param("student", "Student's t-test", {"equal_var": True}, id="Student"),
    ],
)
@pytest.mark.parametrize(
    ("shared", "what"),
    [pytest.param(OTHER, "other topics", id="topics"), pytest.param(ELSEWHERE, "other documents", id="documents")],
)
def test_on_another_collection_scores_are_tested_unpaired(
    test: Any, name: str, expected: dict[str, bool], shared: Shared, what: str
) -> None:
    other = {"1": 0.9, "2": 0.5, "3": 0.8, "4": 0.6}
    settings = Settings(measures=("map",), test=test, intervals=False)

    found = by_name(topic_scores("baseline", scored(ORIGINAL), scored(other), shared, settings))

    first, second = np.array([*ORIGINAL.values()]), np.array([*other.values()])
    pooled = math.sqrt((2 * first.var(ddof=1) + 3 * second.var(ddof=1)) / 5)
    assert found["p"].variant == name
    assert found["p"].value == pytest.approx(stats.ttest_ind(first, second, **expected).pvalue)
    assert found["d"].value == pytest.approx((second.mean() - first.mean()) / pooled)
    reason = f"{what}: scores cannot be compared topic by topic"
    assert [found[name].undefined for name in ("rmse", "nrmse")] == [reason, reason]


def test_scores_by_other_judgments_of_the_same_documents_are_tested_topic_by_topic() -> None:
    found = by_name(topic_scores("baseline", scored(ORIGINAL), scored(REPRODUCED), REJUDGED, PLAIN))

    same = by_name(topic_scores("baseline", scored(ORIGINAL), scored(REPRODUCED), SAME, PLAIN))
    reason = "other judgments: a difference of scores would be one of the judgments, too"
    assert [found[name].undefined for name in ("rmse", "nrmse")] == [reason, reason]
    assert found["p"].variant == "paired t-test"
    assert [found[name] for name in ("p", "d")] == [same[name] for name in ("p", "d")]


NOT_COMPARABLE = "mean scores of another test collection are not comparable, the improvement (ER, DRI) is"


@pytest.mark.parametrize(
    "shared",
    [
        pytest.param(OTHER, id="other topics"),
        pytest.param(ELSEWHERE, id="other documents"),
        pytest.param(REJUDGED, id="other judgments"),
    ],
)
@pytest.mark.parametrize(
    "reproduced",
    [
        pytest.param(ORIGINAL, id="the same numbers"),
        pytest.param({topic: score + 0.3 + int(topic) / 100 for topic, score in ORIGINAL.items()}, id="far apart"),
    ],
)
def test_nobody_says_whether_mean_scores_of_another_collection_came_back(
    shared: Shared, reproduced: dict[str, float]
) -> None:
    found = topic_scores("advanced", scored(ORIGINAL), scored(reproduced), shared, PLAIN)

    (answer,) = found.answers
    assert (answer.level, answer.of, answer.run) == ("effectiveness", "map", "advanced")
    assert answer.sentence == f"inconclusive: {NOT_COMPARABLE}"
    assert (answer.value, answer.margin, answer.p_equivalent, answer.p_different) == (None, None, None, None)
    assert answer.topics == 3


def test_an_answer_about_another_collection_names_the_smaller_number_of_topics() -> None:
    (answer,) = topic_scores("baseline", scored(ORIGINAL), scored({"7": 0.5, "8": 0.1}), OTHER, PLAIN).answers

    assert answer.topics == 2


FIVE = {"1": 0.1, "2": 0.2, "3": 0.3, "4": 0.4, "5": 0.5}
ABOVE = {"1": 0.11, "2": 0.22, "3": 0.33, "4": 0.44, "5": 0.55}


@pytest.mark.parametrize(
    ("test", "p"),
    [
        pytest.param("t", stats.ttest_1samp([0.01, 0.02, 0.03, 0.04, 0.05], 0).pvalue, id="t"),
        pytest.param("student", stats.ttest_1samp([0.01, 0.02, 0.03, 0.04, 0.05], 0).pvalue, id="student"),
        # Of the 32 ways to give five differences a sign, two are as extreme as five of the same.
        pytest.param("wilcoxon", 2 / 32, id="wilcoxon"),
        pytest.param("permutation", 2 / 32, id="permutation"),
    ],
)
def test_the_test_that_is_asked_for_decides_the_claim_of_a_difference_of_means(test: Any, p: float) -> None:
    settings = Settings(measures=("map",), test=test, intervals=False)

    found = topic_scores("baseline", scored(FIVE), scored(ABOVE), SAME, settings)

    assert found.answers[0].level == "effectiveness"
    assert found.answers[0].p_different == pytest.approx(p)
    assert by_name(found)["p"].value == pytest.approx(p)
    assert found.answers[0].answer == ("different" if p < 0.05 else "inconclusive")


@pytest.mark.parametrize("test", ["wilcoxon", "permutation"])
@pytest.mark.parametrize(
    ("reproduced", "verdict"),
    [
        pytest.param(FIVE, "equivalent", id="identical"),
        pytest.param({topic: score + 0.25 for topic, score in FIVE.items()}, "inconclusive", id="no spread"),
        pytest.param({"1": 0.2}, "inconclusive", id="one topic"),
    ],
)
def test_where_means_need_no_test_another_one_changes_nothing(
    test: Any, reproduced: dict[str, float], verdict: str
) -> None:
    plain, asked = (
        topic_scores("baseline", scored(FIVE), scored(reproduced), SAME, Settings(measures=("map",), test=name)).answers
        for name in ("t", test)
    )

    assert asked[0] == plain[0]
    assert asked[0].answer == verdict


UNSCORED = "qrels judges none of the documents at the top of the run"


@pytest.mark.parametrize(
    ("original", "reproduced"),
    [
        pytest.param(scored(ORIGINAL, UNSCORED), scored(REPRODUCED), id="original"),
        pytest.param(scored(ORIGINAL), scored(REPRODUCED, UNSCORED), id="reproduction"),
        pytest.param(scored(ORIGINAL, UNSCORED), scored(REPRODUCED, UNSCORED), id="both"),
    ],
)
@pytest.mark.parametrize(
    "shared", [pytest.param(SAME, id="same"), pytest.param(REJUDGED, id="judgments"), pytest.param(OTHER, id="topics")]
)
def test_scores_that_say_nothing_are_not_compared(
    original: MeasuredRun, reproduced: MeasuredRun, shared: Shared
) -> None:
    found = topic_scores("baseline", original, reproduced, shared, PLAIN)

    assert {value.measure: (value.value, value.undefined) for value in found.values} == dict.fromkeys(
        ("rmse", "nrmse", "p", "d"), (None, UNSCORED)
    )
    assert not found.answers


def test_no_topic_in_common_leaves_nothing_to_compare() -> None:
    found = topic_scores("baseline", scored({"1": 0.5}), scored({"2": 0.5}), SAME, PLAIN)

    assert {value.measure: value.undefined for value in found.values} == dict.fromkeys(
        ("rmse", "nrmse", "p", "d"), "no topic that both runs have"
    )
    assert not found.answers


def test_one_topic_has_an_error_but_no_test() -> None:
    found = by_name(
        topic_scores("baseline", scored({"1": 0.5}), scored({"1": 0.25}), SAME, Settings(measures=("map",)))
    )

    assert found["rmse"].value == 0.25
    assert found["rmse"].interval is None
    assert found["p"].undefined == "a test needs at least 2 topics, found 1"
    assert found["d"].undefined == "a spread needs at least 2 topics, found 1"


def test_identical_scores_have_a_p_value_of_1_and_say_so() -> None:
    found = by_name(topic_scores("baseline", scored(ORIGINAL), scored(ORIGINAL), SAME, PLAIN))

    assert (found["rmse"].value, found["p"].value, found["p"].note) == (0.0, 1.0, "identical scores")
    assert found["d"].value == 0.0


def test_a_difference_that_is_the_same_on_all_topics_has_no_p_value() -> None:
    shifted = {topic: score + 0.1 for topic, score in ORIGINAL.items()}

    found = by_name(topic_scores("baseline", scored(ORIGINAL), scored(shifted), SAME, PLAIN))

    assert found["p"].undefined.startswith("every topic differs by the same amount")
    assert found["d"].undefined == "there is no spread to hold the difference against"
    assert found["rmse"].value == pytest.approx(0.1)


def test_a_p_value_has_no_interval() -> None:
    settings = Settings(measures=("map",))

    found = by_name(topic_scores("baseline", scored(ORIGINAL), scored(REPRODUCED), SAME, settings))

    assert found["p"].interval is None
    assert all(found[name].interval for name in ("rmse", "nrmse", "d"))


def test_scores_beyond_1_have_an_rmse_but_no_nrmse() -> None:
    found = by_name(topic_scores("baseline", scored({"1": 3.0, "2": 0.0}), scored({"1": 1.0, "2": 0.0}), SAME, PLAIN))

    assert found["rmse"].value == pytest.approx(math.sqrt(2))
    assert found["nrmse"].undefined.startswith("its scale is the largest possible error of scores between 0 and 1")


def test_answers_about_scores_use_the_margins_of_their_measure() -> None:
    settings = Settings(measures=("map",), margins={"map": 0.5, "rmse": 0.4}, intervals=False)

    found = topic_scores("baseline", scored(ORIGINAL), scored(REPRODUCED), SAME, settings)

    assert [(answer.level, answer.of, answer.run) for answer in found.answers] == [
        ("effectiveness", "map", "baseline"),
        ("scores", "map", "baseline"),
    ]
    assert [answer.margin and answer.margin.high for answer in found.answers] == [0.5, 0.4]


# Overall effect --------------------------------------------------------------------------------------------------


def test_the_effect_is_the_share_of_the_improvement_that_came_back() -> None:
    original = side({"1": 0.2, "2": 0.6}, {"1": 0.5, "2": 0.7})
    reproduction = side({"2": 0.5, "1": 0.3}, {"2": 0.5, "1": 0.4})

    found = by_name(overall_effect(original, reproduction, SAME, PLAIN))

    assert found["er"].value == pytest.approx(0.05 / 0.2)
    assert found["dri"].value == pytest.approx(0.2 / 0.4 - 0.05 / 0.4)
    assert {(value.run, value.level, value.of, value.variant) for value in found.values()} == {
        ("both", "overall effect", "map", "2 topics")
    }


def test_the_effect_on_one_collection_is_that_of_topics_which_all_four_runs_have() -> None:
    original = side({"1": 0.2, "2": 0.6, "3": 0.1}, {"1": 0.5, "2": 0.7})
    reproduction = side({"1": 0.3, "2": 0.5}, {"1": 0.4, "4": 0.9})

    found = by_name(overall_effect(original, reproduction, SAME, PLAIN))

    assert found["er"].value == pytest.approx(0.1 / 0.3)
    assert found["er"].variant == "1 topic"


def test_the_effect_on_another_collection_has_topics_of_its_own() -> None:
    original = side({"1": 0.2, "2": 0.6}, {"1": 0.5, "2": 0.7})
    reproduction = side({"7": 0.1, "8": 0.2, "9": 0.3}, {"7": 0.2, "8": 0.4, "9": 0.6})

    found = by_name(overall_effect(original, reproduction, OTHER, PLAIN))

    assert found["er"].value == pytest.approx(1.0)
    assert found["dri"].value == pytest.approx(0.5 - 1.0)
    assert found["er"].variant == "2 and 3 topics, resampled independently"


def test_the_effect_by_other_judgments_of_the_same_documents_is_paired_by_topic() -> None:
    original = side({"1": 0.2, "2": 0.6, "3": 0.1}, {"1": 0.5, "2": 0.7, "3": 0.1})
    reproduction = side({"1": 0.3, "2": 0.5}, {"1": 0.4, "2": 0.7})

    found, same = (
        overall_effect(original, reproduction, shared, Settings(measures=("map",))) for shared in (REJUDGED, SAME)
    )

    assert by_name(found)["er"].value == pytest.approx(0.3 / 0.4)
    assert {value.variant for value in found.values} == {"2 topics"}
    assert (found.values, found.answers) == (same.values, same.answers)


@pytest.mark.parametrize(
    ("shared", "topics"),
    [pytest.param(SAME, "12", id="same"), pytest.param(OTHER, "78", id="other topics")],
)
@pytest.mark.parametrize("place", range(4))
def test_an_effect_of_which_one_run_says_nothing_is_undefined_with_the_reason(
    shared: Shared, topics: str, place: int
) -> None:
    said = [UNSCORED if run == place else "" for run in range(4)]
    original, reproduction = (
        Side(
            name="experiment",
            runs={role: scored(dict.fromkeys(names, 0.5), said.pop(0)) for role in ROLES},
        )
        for names in ("12", topics)
    )

    found = overall_effect(original, reproduction, shared, PLAIN)

    assert {value.measure: (value.value, value.undefined) for value in found.values} == {
        "er": (None, UNSCORED),
        "dri": (None, UNSCORED),
    }
    assert not found.answers


ONE_RUN = "it needs a baseline and an advanced run on both sides"


@pytest.mark.parametrize(
    ("original", "reproduction", "reason"),
    [
        pytest.param(side(ORIGINAL), side(ORIGINAL), ONE_RUN, id="baselines only"),
        pytest.param(side(ORIGINAL, ORIGINAL), side(ORIGINAL), ONE_RUN, id="no advanced run in the reproduction"),
        pytest.param(side(ORIGINAL), side(ORIGINAL, ORIGINAL), ONE_RUN, id="no advanced run in the original"),
        pytest.param(
            side({"1": 0.5}, {"2": 0.5}), side({"1": 0.5}, {"1": 0.5}), "no topic that both runs have", id="no topic"
        ),
    ],
)
def test_an_effect_that_does_not_exist_is_undefined_with_the_reason(
    original: Side, reproduction: Side, reason: str
) -> None:
    found = overall_effect(original, reproduction, SAME, PLAIN)

    assert {value.measure: value.undefined for value in found.values} == {"er": reason, "dri": reason}
    assert not found.answers


def test_no_original_improvement_leaves_no_ratio_but_a_relative_difference() -> None:
    original = side({"1": 0.25, "2": 0.5}, {"1": 0.5, "2": 0.25})
    reproduction = side({"1": 0.25, "2": 0.25}, {"1": 0.5, "2": 0.5})

    found = by_name(overall_effect(original, reproduction, SAME, Settings(measures=("map",))))

    assert found["er"].undefined == "the original runs have equal mean scores, so there is no effect to come back"
    assert found["dri"].value == -1.0


def test_a_baseline_of_0_leaves_no_relative_improvement_but_a_ratio() -> None:
    original = side({"1": 0.0, "2": 0.0}, {"1": 0.5, "2": 0.25})

    found = by_name(overall_effect(original, original, SAME, Settings(measures=("map",))))

    assert found["er"].value == 1.0
    assert found["dri"].undefined == (
        "a baseline has a mean score of 0 or below, so improvements over it have no relation to it"
    )


def test_the_answer_about_the_effect_is_about_both_runs() -> None:
    original = side({"1": 0.2, "2": 0.6}, {"1": 0.5, "2": 0.7})

    (answer,) = overall_effect(original, original, SAME, PLAIN).answers

    assert (answer.level, answer.of, answer.run, answer.answer) == ("overall effect", "map", "both", "equivalent")


def test_measures_are_taken_by_what_they_need() -> None:
    assert [[measure.name for measure in taking(what)] for what in ("rankings", "paired", "effects")] == [
        list(ORDER),
        ["rmse", "nrmse"],
        ["er", "dri"],
    ]
