"""Does the scorer of runs say what `primad evaluate` says, and compare rankings as trec_eval orders them?"""

from typing import Any

import pytest

from primad import evaluate
from primad.errors import FileError, FormatError, PrimadError, UnknownMeasure
from primad.evaluation.scorers import Scored, scorer
from primad.evaluation.scorers.scored import Expecting

QRELS = b"1 0 a 1\n1 0 n 0\n2 0 a 1\n3 0 a 1\n3 0 b 1\n"
RUN = b"1 Q0 a 1 2.0 t\n1 Q0 n 2 1.0 t\n2 Q0 x 1 2.0 t\n2 Q0 a 2 1.0 t\n3 Q0 a 1 3 t\n3 Q0 x 2 2 t\n3 Q0 b 3 1 t\n"
SHORT = b"1 Q0 a 1 2.0 t\n1 Q0 n 2 1.0 t\n2 Q0 x 1 2.0 t\n2 Q0 a 2 1.0 t\n9 Q0 a 1 1 t\n"


def score(run: bytes, **setting: Any) -> Scored:
    return scorer("trec", setting).score({"qrels": QRELS}, {"run": run})


def test_scores_are_those_of_evaluate() -> None:
    (expected,) = evaluate(QRELS, [RUN], ["map", "ndcg_cut_10", "P_10", "recip_rank"])

    scored = score(RUN)

    assert scored.measures == expected.summary
    # Topic 1: 1; topic 2: 1/2; topic 3: (1/1 + 2/3) / 2 = 5/6.
    assert scored.measures["map"] == pytest.approx((1 + 1 / 2 + 5 / 6) / 3)
    assert scored.primary == "map"
    assert scored.remarks == ()


def test_the_first_of_the_measures_is_the_primary_one_unless_another_is_said() -> None:
    assert score(RUN, measures=["P_5", "AP"]).primary == "P_5"
    assert score(RUN, measures=["P_5", "AP"], primary="AP").primary == "AP"
    assert score(RUN, primary="P.7").primary == "P_7"
    assert score(RUN, measures=None, primary="", compat=10, level=None).primary == "map"
    assert list(score(RUN, measures="P_5 nDCG@10").measures) == ["P_5", "nDCG@10"]


@pytest.mark.parametrize("setting", [{}, {"measures": "P_5 nDCG@10"}, {"measures": ["P_5"], "primary": "P.7"}], ids=str)
def test_the_measures_are_known_before_anything_is_scored(setting: dict[str, Any]) -> None:
    assert set(scorer("trec", setting).measures) == set(score(RUN, **setting).measures)


def test_topics_that_the_run_lacks_count_as_0_unless_they_are_to_be_left_out_and_are_named() -> None:
    counted, left_out = score(SHORT), score(SHORT, complete=False)

    assert counted.measures["map"] == pytest.approx((1 + 1 / 2) / 3)
    assert left_out.measures["map"] == pytest.approx((1 + 1 / 2) / 2)
    assert counted.additive["map"].items == ("1", "2", "3")
    assert left_out.additive["map"].items == ("1", "2")
    unjudged = "topics without judgments are not scored: 9"
    assert counted.remarks == ("judged topics that the run lacks count as 0: 3", unjudged)
    assert left_out.remarks == ("judged topics that the run lacks are left out of means: 3", unjudged)


def test_a_run_has_the_same_scores_alone_and_beside_a_longer_one() -> None:
    trec, gold = scorer("trec"), {"qrels": QRELS}
    assert isinstance(trec, Expecting)

    beside = trec.score_beside(gold, {"run": RUN}, {"run": SHORT})

    assert beside.measures == score(SHORT).measures
    assert (beside.lost, beside.left_out) == (1, 0)


@pytest.mark.parametrize("complete", [True, False])
def test_means_and_sums_are_made_of_sums_over_topics(*, complete: bool) -> None:
    scored = score(SHORT, measures=["map", "num_ret", "gm_map", "num_rel"], complete=complete)

    made = {name: additive.value for name, additive in scored.additive.items()}
    # Topics that the run lacks have relevant documents, too, but no scores.
    names = ["map", "num_ret"] if complete else ["map", "num_ret", "num_rel"]
    assert made == pytest.approx({name: scored.measures[name] for name in names})


def test_of_an_error_rate_low_values_are_good() -> None:
    assert scorer("trec", {"measures": ["map"]}).lower_is_better == frozenset()


def test_a_run_in_several_files_is_one_run_and_a_topic_in_two_of_them_is_an_error() -> None:
    trec = scorer("trec")
    first, second = RUN[: RUN.index(b"3 Q0")], RUN[RUN.index(b"3 Q0") :]

    assert trec.score({"qrels": QRELS}, {"1.run": first, "2.run": second}).measures == score(RUN).measures
    with pytest.raises(FileError, match=r"2\.run: expected each topic in one file only, found '3' in 1\.run, too"):
        trec.score({"qrels": QRELS}, {"1.run": RUN, "2.run": second})


@pytest.mark.parametrize(
    ("run", "message"),
    [
        pytest.param(b"", "run: expected", id="empty"),
        pytest.param(b"\0\1\2", "run: expected text, found binary data", id="binary"),
        pytest.param(b"1 Q0 a 1 nan t\n", "run:1: expected a .*number.*nan", id="NaN"),
        pytest.param(b"1 Q0 a\n", "run:1: expected 6 columns", id="too few columns"),
        pytest.param(b"1 Q0 a 1 1 t\n" * 2, "run:2: expected each document once", id="twice"),
        pytest.param(b"x" * 1_000_000, "run:1: expected 6 columns", id="a long line"),
        pytest.param(b"7 Q0 a 1 1 t\n", "run: expected topics of the qrels", id="other topics"),
    ],
)
def test_a_run_that_cannot_be_scored_is_an_error_that_names_it(run: bytes, message: str) -> None:
    with pytest.raises(PrimadError, match=message):
        score(run)


def test_wrong_qrels_are_an_error_that_names_them() -> None:
    with pytest.raises(FormatError, match="qrels:1: expected 4 columns"):
        scorer("trec").score({"qrels": b"1 0\n"}, {"run": RUN})
    with pytest.raises(FileError, match="expected at least one file"):
        scorer("trec").score({}, {"run": RUN})


def test_an_unknown_measure_is_refused_before_anything_is_scored() -> None:
    with pytest.raises(UnknownMeasure):
        scorer("trec", {"measures": ["mapp"]})


def test_runs_are_the_same_if_they_rank_the_same_documents_in_the_same_order() -> None:
    trec = scorer("trec")
    # Other scores, ranks and tags; in topic 3, tied documents stand in falling order of their names.
    same = b"1 Q0 n 1 0.1 u\n1 Q0 a 1 0.2 u\n2 Q0 x 1 2.0 u\n2 Q0 a 2 1.0 u\n3 Q0 a 1 3 u\n3 Q0 x 2 2 u\n3 Q0 b 3 2 u\n"
    other = b"1 Q0 n 1 2.0 u\n1 Q0 a 2 1.0 u\n2 Q0 y 1 2.0 u\n2 Q0 a 2 1.0 u\n4 Q0 a 1 1 u\n"

    assert trec.compare({"r": RUN}, {"r": same}).is_identical
    found = trec.compare({"r": RUN}, {"r": other})
    assert (found.same, found.different) == (0, 4)
    assert [(one.item, one.first, one.second) for one in found.differing] == [
        ("1", ("a in place 1",), ("n in place 1",)),
        ("2", ("x",), ("y",)),
        ("3", ("a", "x", "b"), ()),
        ("4", (), ("a",)),
    ]
