"""Do the options of trec_eval do what they do there?"""

import pytest

from primad import PrimadError, Rules, RunScores, evaluate
from primad.errors import TopicError, UsageError

QRELS = {"1": {"a": 1, "n": 0}, "2": {"a": 1}, "3": {"a": 1, "b": 1}}
# Topic 2 is missing, topic 9 was not judged.
RUN = {"1": {"a": 2.0, "n": 1.0}, "3": {"x": 2.0, "a": 1.0}, "9": {"a": 1.0}}


def scored(*measures: str, **options: object) -> RunScores:
    (run,) = evaluate(QRELS, RUN, measures, rules=Rules(**options))  # type: ignore[arg-type]
    return run


def test_without_c_version_9_averages_over_the_topics_that_run_and_qrels_share() -> None:
    run = scored("map")

    assert dict(run.topic_scores()) == {"1": {"map": 1.0}, "3": {"map": 0.25}}
    assert run.summary == {"map": (1 + 0.25) / 2}
    assert (run.missing, run.unjudged) == (("2",), ("9",))


def test_with_c_version_9_averages_over_all_judged_topics_and_shows_only_those_it_has() -> None:
    run = scored("map", complete=True)

    assert dict(run.topic_scores()) == {"1": {"map": 1.0}, "3": {"map": 0.25}}
    assert run.summary == pytest.approx({"map": (1 + 0 + 0.25) / 3})


def test_with_c_version_10_shows_a_score_for_missing_topics_too() -> None:
    run = scored("map", "num_rel", "relstring", compat=10, complete=True)

    assert dict(run.topic_scores()) == {
        "1": {"map": 1.0, "num_rel": 1, "relstring": "10"},
        "2": {"map": 0.0, "num_rel": 1, "relstring": ""},
        "3": {"map": 0.25, "num_rel": 2, "relstring": "-1"},
    }
    assert run.summary == pytest.approx({"map": (1 + 0 + 0.25) / 3, "num_rel": 4})
    assert run.missing == ("2",)


def test_with_c_version_10_shows_measures_of_ir_measures_for_missing_topics_too() -> None:
    run = scored("Judged@1", compat=10, complete=True)

    assert dict(run.topic_scores()) == {"1": {"Judged@1": 1.0}, "2": {"Judged@1": 0.0}, "3": {"Judged@1": 0.0}}
    assert run.summary == pytest.approx({"Judged@1": 1 / 3})


def test_a_missing_topic_makes_a_geometric_mean_small_with_c() -> None:
    assert scored("gm_map", complete=True).summary == pytest.approx({"gm_map": (1 * 1e-5 * 0.25) ** (1 / 3)})


def test_version_10_refuses_a_run_without_all_judged_topics_unless_c_is_given() -> None:
    with pytest.raises(TopicError) as caught:
        scored("map", compat=10)

    assert str(caught.value) == (
        "run 1: expected all 3 judged topics, as trec_eval 10 does, found 1 of them missing (2); "
        "-c counts them as 0, --compat 9 leaves them out"
    )


@pytest.mark.parametrize("options", [{}, {"compat": 10}, {"complete": True}, {"compat": 10, "complete": True}])
def test_a_run_that_shares_no_topic_with_the_qrels_is_refused(options: dict[str, int]) -> None:
    with pytest.raises(TopicError) as caught:
        evaluate(QRELS, {"7": {"a": 1.0}, "8": {"a": 1.0}}, ["map"], rules=Rules(**options))  # type: ignore[arg-type]

    assert str(caught.value) == "run 1: expected topics of the qrels (1, 2, 3), found only others (7, 8)"


def test_a_message_shows_only_some_of_many_topics() -> None:
    many = {str(topic): {"a": 1.0} for topic in range(10, 19)}

    with pytest.raises(TopicError, match=r"found only others \(10, 11, 12, 13, 14, …\)$"):
        evaluate(QRELS, many, ["map"])


@pytest.mark.parametrize(
    ("depth", "expected"),
    [
        pytest.param(1, {"num_ret": 1, "map": 0.0, "set_P": 0.0}, id="before the relevant document"),
        pytest.param(2, {"num_ret": 2, "map": 0.5, "set_P": 0.5}, id="with it"),
        pytest.param(9, {"num_ret": 3, "map": 0.5, "set_P": 1 / 3}, id="more than there are"),
        pytest.param(None, {"num_ret": 3, "map": 0.5, "set_P": 1 / 3}, id="all"),
    ],
)
def test_depth_cuts_the_ranking(depth: int | None, expected: dict[str, float]) -> None:
    ranking = {"1": {"x": 3.0, "a": 2.0, "n": 1.0}}

    (run,) = evaluate({"1": {"a": 1, "n": 0}}, ranking, list(expected), rules=Rules(depth=depth))

    assert run.summary == pytest.approx(expected)


def test_judged_only_takes_unjudged_documents_out_of_the_ranking() -> None:
    qrels = {"1": {"a": 1, "n": 0, "p": -1}}
    ranking = {"1": {"x": 5.0, "p": 4.0, "n": 3.0, "y": 2.0, "a": 1.0}}

    (run,) = evaluate(qrels, ranking, ["num_ret", "recip_rank", "relstring"], rules=Rules(judged_only=True))

    assert dict(run.topic_scores()) == {"1": {"num_ret": 2, "recip_rank": 0.5, "relstring": "01"}}


def test_the_ranking_is_cut_before_unjudged_documents_are_taken_out() -> None:
    ranking = {"1": {"x": 3.0, "n": 2.0, "a": 1.0}}

    (run,) = evaluate({"1": {"a": 1, "n": 0}}, ranking, ["num_ret"], rules=Rules(depth=2, judged_only=True))

    assert run.summary == {"num_ret": 1}


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        pytest.param(0, {"num_rel": 3, "num_rel_ret": 3, "P_4": 3 / 4}, id="all judged"),
        pytest.param(1, {"num_rel": 2, "num_rel_ret": 2, "P_4": 2 / 4}, id="from 1 on"),
        pytest.param(2, {"num_rel": 1, "num_rel_ret": 1, "P_4": 1 / 4}, id="from 2 on"),
        pytest.param(3, {"num_rel": 0, "num_rel_ret": 0, "P_4": 0.0}, id="none"),
    ],
)
def test_documents_are_relevant_from_the_level_on(level: int, expected: dict[str, float]) -> None:
    qrels = {"1": {"a": 0, "b": 1, "c": 2, "p": -1}}
    ranking = {"1": {"a": 4.0, "b": 3.0, "c": 2.0, "p": 1.0}}

    (run,) = evaluate(qrels, ranking, list(expected), rules=Rules(level=level))

    assert run.summary == pytest.approx(expected)


def test_a_level_in_the_name_comes_before_the_rule() -> None:
    qrels = {"1": {"a": 1, "b": 2}}

    (run,) = evaluate(qrels, {"1": {"a": 2.0, "b": 1.0}}, ["P(rel=2)@1", "P@1", "P(rel=1)@1"], rules=Rules(level=2))

    assert run.summary == {"P(rel=2)@1": 0.0, "P@1": 0.0, "P(rel=1)@1": 1.0}


def test_judged_only_in_the_name_comes_before_the_rule() -> None:
    names = ["RR", "RR(judged_only=False)", "RR(judged_only=True)"]

    (run,) = evaluate({"1": {"a": 1}}, {"1": {"x": 2.0, "a": 1.0}}, names, rules=Rules(judged_only=True))

    assert run.summary == {"RR": 1.0, "RR(judged_only=False)": 0.5, "RR(judged_only=True)": 1.0}


def test_topics_are_in_the_order_of_their_bytes() -> None:
    qrels = {topic: {"a": 1} for topic in ("2", "é", "10", "1", "z")}

    (run,) = evaluate(qrels, {topic: {"a": 1.0} for topic in reversed(qrels)}, ["map"])

    assert run.topics == ("1", "10", "2", "z", "é")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        pytest.param({"compat": 8}, "expected trec_eval version 9 or 10, found 8", id="unknown version"),
        pytest.param({"depth": 0}, "expected a depth of at least 1, found 0", id="no depth"),
        pytest.param({"depth": -3}, "expected a depth of at least 1, found -3", id="negative depth"),
        pytest.param({"level": -1}, "expected a relevance level of at least 0, found -1", id="negative level"),
    ],
)
def test_rules_that_no_version_can_mean_are_refused(options: dict[str, int], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        Rules(**options)  # type: ignore[arg-type]

    assert str(caught.value) == message


def test_a_negative_level_in_a_name_is_an_error_of_ours() -> None:
    with pytest.raises(PrimadError, match="found -1"):
        evaluate({"1": {"a": 1}}, {"1": {"a": 1.0}}, ["P(rel=-1)@5"])


def test_a_depth_beyond_64_bits_is_all_documents() -> None:
    (run,) = evaluate({"1": {"a": 1}}, {"1": {"a": 1.0}}, ["map"], rules=Rules(depth=10**20))

    assert run.summary == {"map": 1.0}


def test_version_9_is_followed_unless_said_otherwise() -> None:
    assert Rules().compat == 9
