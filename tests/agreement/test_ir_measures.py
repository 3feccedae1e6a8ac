"""Does a name of ir_measures mean here what it means there?

Scores are not tied: ir_measures hands RR@k to a program that breaks ties the other way round.
"""

import random

import ir_measures
import pytest

from primad import Rules, evaluate

RANDOM = random.Random(17)
TOPICS = ("1", "2", "3", "4")
DOCUMENTS = [f"d{number}" for number in range(16)]
QRELS = {topic: {d: RANDOM.choice((0, 0, 1, 2, 3)) for d in RANDOM.sample(DOCUMENTS, 9)} for topic in TOPICS}
QRELS["4"] = {"d1": 0, "d2": 0}
RUN = {topic: {d: n / 4 for n, d in enumerate(RANDOM.sample(DOCUMENTS, 12))} for topic in TOPICS}

OURS = (
    *("AP", "AP@5", "AP(rel=2)@10", "AP(rel=2)", "AP(judged_only=True)", "AP(rel=2,judged_only=True)@5"),
    *("P@5", "P(rel=2)@5", "P(rel=2, judged_only=True)@5", "P@100", "R@3", "R(rel=2)@10", "R(judged_only=True)@5"),
    *("nDCG", "nDCG@5", "nDCG(judged_only=True)", "nDCG(judged_only=True)@5", "nDCG(dcg='log2')@10"),
    *("RR", "RR(rel=3)", "RR(judged_only=True)", "RR@1", "RR@2", "RR(rel=2)@3", "Rprec", "Rprec(rel=2)"),
    *("Bpref", "Bpref(rel=2)", "infAP", "Success@1", "Success(rel=3)@5", "Success(judged_only=True)@1"),
    *("SetP", "SetP(rel=2)", "SetP(relative=True)", "SetP(judged_only=True)", "SetR", "SetR(rel=2)"),
    *("SetF", "SetF(rel=2)", "SetF(beta=2.0)", "SetF(beta=0.5)", "SetF(beta=2.0, rel=2)", "SetAP", "SetAP(rel=2)"),
    *("NumRet", "NumRet(rel=1)", "NumRet(rel=2)", "NumRel", "IPrec@0.0", "IPrec@0.1", "IPrec@0.25", "IPrec@1.0"),
    *("IPrec(rel=2)@0.5", "IPrec(judged_only=True)@0.5"),
)
HANDED_OVER = (
    *("Judged@10", "Judged@3", "ERR@10", "ERR@2", "RBP(rel=1)", "RBP(rel=1,p=0.5)", "RBP(rel=2)"),
    *("nDCG(dcg='exp-log2')@5", "nDCG(gains={1:3,2:9})", "Compat(p=0.8)"),
)
ALIASES = ("MAP", "MAP@5", "MRR", "MRR@2", "NDCG", "NDCG@5", "RPrec", "BPref", "MAP(rel=2)", "NDCG(judged_only=True)@3")


def theirs(name: str) -> dict[str, float]:
    metrics = ir_measures.iter_calc([ir_measures.parse_measure(name)], QRELS, RUN)
    return {metric.query_id: metric.value for metric in metrics}


@pytest.mark.parametrize("name", [*OURS, *HANDED_OVER, *ALIASES])
def test_a_name_of_ir_measures_has_its_scores(name: str) -> None:
    (run,) = evaluate(QRELS, RUN, [name])

    assert {topic: scores[name] for topic, scores in run.topic_scores()} == pytest.approx(theirs(name), abs=1e-9)


def test_all_names_in_one_evaluation_have_the_summaries_of_ir_measures() -> None:
    names = [*OURS, *HANDED_OVER, *ALIASES]
    expected = {name: ir_measures.calc_aggregate([ir_measures.parse_measure(name)], QRELS, RUN) for name in names}

    (run,) = evaluate(QRELS, RUN, names)

    assert run.summary == pytest.approx({n: next(iter(scores.values())) for n, scores in expected.items()}, abs=1e-9)


def test_the_topics_that_ir_measures_counts_are_counted() -> None:
    counted = ir_measures.calc_aggregate([ir_measures.NumQ], QRELS, RUN)[ir_measures.NumQ]

    (run,) = evaluate(QRELS, RUN, ["NumQ"])

    assert run.summary == {"NumQ": counted} == {"NumQ": 4}


@pytest.mark.parametrize("name", ["AP", "P@5", "nDCG@10", "RR@3", "SetF", "ERR@10", "Judged@10", "NumRet"])
def test_topics_that_a_run_lacks_count_as_0_in_ir_measures_as_they_do_with_c(name: str) -> None:
    shorter = {topic: documents for topic, documents in RUN.items() if topic != "2"}
    measure = ir_measures.parse_measure(name)

    (run,) = evaluate(QRELS, shorter, [name], rules=Rules(complete=True))

    assert run.summary == pytest.approx({name: ir_measures.calc_aggregate([measure], QRELS, shorter)[measure]})


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        # 1 of 2 retrieved documents is relevant, and 1 of 4 relevant ones is retrieved: P = 1/2, R = 1/4.
        pytest.param("SetF", 1 / 3, id="1"),
        pytest.param("SetF(beta=2)", 3 * (1 / 8) / (1 / 4 + 2 * 1 / 2), id="2, not its square 4"),
        pytest.param("SetF(beta=0.5)", 1.5 * (1 / 8) / (1 / 4 + 0.5 * 1 / 2), id="a half"),
    ],
)
def test_beta_is_the_weight_itself_as_ir_measures_hands_it_to_trec_eval(name: str, expected: float) -> None:
    qrels = {"1": {"a": 1, "c": 1, "d": 1, "e": 1}}
    ranking = {"1": {"a": 2.0, "b": 1.0}}

    (run,) = evaluate(qrels, ranking, [name])

    assert run.summary == pytest.approx({name: expected})


@pytest.mark.parametrize(
    ("name", "same"),
    [
        pytest.param("MAP@7", "AP@7", id="MAP"),
        pytest.param("MRR", "RR", id="MRR"),
        pytest.param("NDCG@7", "nDCG@7", id="NDCG"),
        pytest.param("Precision@7", "P@7", id="Precision"),
        pytest.param("Recall@7", "R@7", id="Recall"),
        pytest.param("RPrec", "Rprec", id="RPrec"),
        pytest.param("BPref", "Bpref", id="BPref"),
    ],
)
def test_an_alias_has_the_scores_of_its_measure_and_keeps_its_name(name: str, same: str) -> None:
    (run,) = evaluate(QRELS, RUN, [name, same])

    assert list(run.summary) == [name, same]
    assert run.summary[name] == run.summary[same] > 0
