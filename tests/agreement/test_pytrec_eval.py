"""Do scores agree with those of trec_eval 9, as pytrec_eval packages it?  On runs and qrels made to be odd.

pytrec_eval keeps scores as 32-bit numbers, as trec_eval 9 does.  Three things in it cannot be compared:

- runid and relstring, for which it returns stray memory as a number
- topics whose documents are all of negative relevance, which crash it
- level=gain pairs, which its names have no room for: they are compared on qrels that hold the gains

Its gm_ scores are logarithms, and num_q is 1 for each topic; we have both in the summary only.
"""

import math
from collections.abc import Iterable, Mapping

import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from primad import Evaluation, Rules, evaluate
from tests.evaluation.made_up import DOCUMENTS, Qrels, Run, experiments, topics_with

MEASURES = sorted(pytrec_eval.supported_measures - {"runid", "relstring"})
SUMMARY_ONLY = {"num_q", "gm_map", "gm_bpref"}
INTERPOLATED = {"11pt_avg", *(f"iprec_at_recall_{tenth / 10:.2f}" for tenth in range(11))}
SUMS = {"num_q", "num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret"}

DEFAULT = Rules()
Scores = dict[tuple[str, str], float]

rules = st.builds(Rules, compat=st.just(9), level=st.integers(1, 3), judged_only=st.booleans())


def theirs(qrels: Qrels, run: Run, measures: Iterable[str] = MEASURES, rules: Rules = DEFAULT) -> Scores:
    """Return all scores by topic and measure, 0 for what is not a number there."""
    evaluator = pytrec_eval.RelevanceEvaluator(
        qrels, set(measures), relevance_level=rules.level, judged_docs_only_flag=rules.judged_only
    )
    found: Mapping[str, Mapping[str, float]] = evaluator.evaluate(run)
    scores = {(topic, measure): value for topic, values in found.items() for measure, value in values.items()}
    undefined = {key for key, value in scores.items() if math.isnan(value)}
    assert all(rules.judged_only and _is_interpolated(name) for _, name in undefined)
    assert all(_has_nothing_judged(qrels[topic], run[topic]) for topic, _ in undefined)
    return scores | dict.fromkeys(undefined, 0.0)


def _is_interpolated(name: str) -> bool:
    return name == "11pt_avg" or name.startswith("iprec_at_recall_")


def _has_nothing_judged(judged: Mapping[str, int], retrieved: Iterable[str]) -> bool:
    """Tell whether the rule "judged only" leaves no document."""
    return all(judged.get(document, -1) < 0 for document in retrieved)


def ours(result: Evaluation) -> Scores:
    (run,) = result
    return {(topic, name): float(value) for topic, scores in run.topic_scores() for name, value in scores.items()}


def by_topic(scores: Scores) -> Scores:
    return {(topic, name): value for (topic, name), value in scores.items() if name not in SUMMARY_ONLY}


def summed_up(scores: Scores) -> dict[str, float]:
    """Return the sum, the geometric mean or the mean over topics, as pytrec_eval's examples do."""
    columns: dict[str, list[float]] = {}
    for (_, name), value in scores.items():
        columns.setdefault(name, []).append(value)
    return {
        name: sum(column)
        if name in SUMS
        else math.exp(sum(column) / len(column))
        if name.startswith("gm_")
        else sum(column) / len(column)
        for name, column in columns.items()
    }


@settings(deadline=None)
@given(experiments(), rules)
def test_every_score_of_every_topic_is_that_of_trec_eval(experiment: tuple[Qrels, Run], rules: Rules) -> None:
    qrels, run = experiment

    result = evaluate(qrels, run, MEASURES, rules=rules)

    assert ours(result) == pytest.approx(by_topic(theirs(qrels, run, rules=rules)), rel=1e-9, abs=1e-9)


@settings(deadline=None)
@given(experiments(size=6), rules)
def test_every_summary_is_that_of_trec_eval(experiment: tuple[Qrels, Run], rules: Rules) -> None:
    qrels, run = experiment

    (result,) = evaluate(qrels, run, MEASURES, rules=rules)

    assert result.summary == pytest.approx(summed_up(theirs(qrels, run, rules=rules)), rel=1e-9, abs=1e-9)


@settings(deadline=None)
@given(experiments(), rules)
def test_scores_with_other_parameters_are_those_of_trec_eval(experiment: tuple[Qrels, Run], rules: Rules) -> None:
    qrels, run = experiment
    cutoffs = [f"{name}.1,2,3,7" for name in ("P", "recall", "relative_P", "map_cut", "ndcg_cut", "success")]
    others = ["iprec_at_recall.0.15,0.25,0.95", "Rprec_mult.0.35,0.5,3.0"]
    expected = theirs(qrels, run, [*cutoffs, *others], rules)

    result = evaluate(qrels, run, [*cutoffs, *others], rules=rules)

    assert ours(result) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    ("name", "label", "their_label"),
    [
        pytest.param("set_F.0.5", "set_F_0.5", "set_F", id="set_F"),
        pytest.param("set_F.3", "set_F_3", "set_F", id="set_F of a whole number"),
        pytest.param("11pt_avg.0.25,0.5,0.75", "11pt_avg_0.25,0.5,0.75", "11pt_avg", id="11pt_avg"),
        # Their names sort the numbers and know no sign.
        pytest.param("utility.1,2,3,4", "utility_1,2,3,4", "utility", id="utility"),
    ],
)
@settings(deadline=None, max_examples=30)
@given(experiment=experiments(size=6))
def test_a_measure_of_several_numbers_is_that_of_trec_eval(
    name: str, label: str, their_label: str, experiment: tuple[Qrels, Run]
) -> None:
    qrels, run = experiment
    expected = {(topic, label): score for (topic, _), score in theirs(qrels, run, [name]).items()}

    result = evaluate(qrels, run, [name])

    assert ours(result) == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert {measure for _, measure in theirs(qrels, run, [name])} == {their_label}


@pytest.mark.parametrize("name", ["ndcg", "ndcg_rel", "Rndcg", "G"])
@settings(deadline=None, max_examples=50)
@given(experiment=experiments(), gains=st.fixed_dictionaries({1: st.integers(1, 9), 2: st.integers(1, 9)}))
def test_gains_score_as_qrels_that_hold_them_do_in_trec_eval(
    name: str, experiment: tuple[Qrels, Run], gains: dict[int, int]
) -> None:
    qrels, run = experiment
    gained = {topic: {d: gains.get(level, level) for d, level in docs.items()} for topic, docs in qrels.items()}
    label = f"{name}_1={gains[1]},2={gains[2]}"
    expected = {(topic, label): score for (topic, _), score in theirs(gained, run, [name]).items()}

    result = evaluate(qrels, run, [f"{name}.1={gains[1]},2={gains[2]}"])

    assert ours(result) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@settings(deadline=None)
@given(topics_with((0, 1, 2), len(DOCUMENTS)), topics_with((1.0, 1.0000000001, 16777216.0, 16777217.0), 12))
def test_scores_that_differ_beyond_32_bits_are_tied_as_in_trec_eval(
    judged: dict[str, float], retrieved: dict[str, float]
) -> None:
    qrels = {"1": {document: int(level) for document, level in judged.items()}}

    result = evaluate(qrels, {"1": retrieved}, MEASURES)

    assert ours(result) == pytest.approx(by_topic(theirs(qrels, {"1": retrieved})), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    ("lower", "higher"),
    [
        pytest.param(1.0, 1.00000001, id="the ninth digit"),
        pytest.param(0.1, 0.1000000001, id="the tenth digit"),
        pytest.param(16777216.0, 16777217.0, id="whole numbers above 2 to the 24"),
        pytest.param(1e-46, 2e-46, id="numbers that are 0 in 32 bits"),
        pytest.param(1e39, 2e39, id="numbers that are infinite in 32 bits"),
    ],
)
def test_scores_that_are_equal_in_32_bits_tie_in_version_9_and_not_in_version_10(lower: float, higher: float) -> None:
    qrels, run = {"1": {"a": 1, "b": 0}}, {"1": {"a": higher, "b": lower}}
    expected = theirs(qrels, run, ["recip_rank"])

    nine, ten = (evaluate(qrels, run, ["recip_rank"], rules=Rules(compat=version)) for version in (9, 10))

    assert ours(nine) == expected == {("1", "recip_rank"): 0.5}
    assert ours(ten) == {("1", "recip_rank"): 1.0}


@pytest.mark.parametrize(
    ("judged", "undefined"),
    [
        pytest.param({"a": 1}, {"iprec_at_recall_0.00", "11pt_avg"}, id="a relevant document not retrieved"),
        pytest.param({"a": 0}, INTERPOLATED, id="no relevant document"),
    ],
)
def test_interpolated_precision_of_no_documents_is_0_where_trec_eval_has_no_number(
    judged: dict[str, int], undefined: set[str]
) -> None:
    qrels, run = {"1": judged}, {"1": {"unjudged": 1.0}}
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, INTERPOLATED, judged_docs_only_flag=True)
    their_scores: dict[str, float] = evaluator.evaluate(run)["1"]

    result = evaluate(qrels, run, sorted(INTERPOLATED), rules=Rules(judged_only=True))

    assert {name for name, score in their_scores.items() if math.isnan(score)} == undefined
    assert ours(result) == {("1", name): 0.0 for name in INTERPOLATED}


def test_a_topic_with_no_judged_document_at_all_scores_0() -> None:
    qrels, run = {"1": {"a": -1}}, {"1": {"a": 1.0}}

    result = evaluate(qrels, run, MEASURES)

    assert {score for (_, name), score in ours(result).items() if name not in {"num_ret", "utility"}} == {0.0}
    assert ours(result)["1", "num_ret"] == 1
    assert ours(result)["1", "utility"] == -1
