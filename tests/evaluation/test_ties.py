"""Are the extremes over ties those of all orders of tied documents?  Every order is tried."""

from itertools import groupby, permutations, product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from primad import Rules, evaluate
from primad.evaluation import families
from primad.evaluation.parameters import Cutoffs

NOT_OFFERED = {"infAP", "num_nonrel_judged_ret", "ndcg_rel", "Rndcg", "G", "runid", "relstring"}
OFFERED = sorted(families.keys() - NOT_OFFERED)
SUMMARY_ONLY = {"num_q", "gm_map", "gm_bpref"}
WITH_PARAMETERS = (
    *("ndcg.1=2,2=5", "ndcg.1=9,2=1", "ndcg.0=4", "ndcg.1=-2", "rbp.p=0.5", "rbp.1=3,2=1", "set_F.0.5"),
    *("utility.1,0,0,0", "utility.0,1,0,0", "utility.1,-2,3,-4", "utility.-1,1,0,0"),
    *("11pt_avg.0.5", "P(rel=2)@2", "AP(judged_only=True)", "SetP(judged_only=True)", "RR@2"),
)

Judged = dict[str, int]
Retrieved = dict[str, float]

judgments = st.dictionaries(st.sampled_from("abcdez"), st.integers(-1, 3), min_size=1)
rankings = st.dictionaries(st.sampled_from("abcde"), st.sampled_from((1.0, 2.0)), min_size=1)
rules = st.builds(
    Rules,
    compat=st.just(10),
    level=st.integers(1, 2),
    depth=st.sampled_from((None, 1, 2, 3)),
    judged_only=st.booleans(),
    complete=st.just(value=True),
)


def small(name: str) -> str:
    """Return the measure with cutoffs that matter for five documents."""
    return f"{name}.1,2,4" if name in families and isinstance(families[name].parameter, Cutoffs) else name


def orders(retrieved: Retrieved) -> list[list[str]]:
    """Return every ranking that falling scores allow."""
    falling = sorted(retrieved, key=lambda document: -retrieved[document])
    blocks = [list(block) for _, block in groupby(falling, key=lambda document: retrieved[document])]
    return [[d for block in chosen for d in block] for chosen in product(*map(permutations, blocks))]


def extremes(judged: Judged, retrieved: Retrieved, name: str, rules: Rules) -> dict[str, tuple[float, float]]:
    """Return the lowest and the highest score over all orders, one order to a topic."""
    rankings = {
        str(number): {d: -float(rank) for rank, d in enumerate(order)} for number, order in enumerate(orders(retrieved))
    }
    (run,) = evaluate(dict.fromkeys(rankings, judged), rankings, [name], rules=rules)
    return {label: (min(column), max(column)) for label, column in run.scores.items()}


@pytest.mark.parametrize("name", [name for name in (*OFFERED, *WITH_PARAMETERS) if name not in SUMMARY_ONLY])
@settings(deadline=None, max_examples=25)
@given(judged=judgments, retrieved=rankings, rules=rules)
@example(
    judged={"a": 1, "b": 2},
    retrieved={"a": 1.0, "b": 1.0, "c": 1.0},
    rules=Rules(compat=10, complete=True),
)
@example(
    judged={"a": 0, "b": 1},
    retrieved={"a": 1.0, "b": 1.0, "c": 1.0},
    rules=Rules(compat=10, depth=2, judged_only=True, complete=True),
)
@example(
    judged={"a": 0, "b": 1, "z": 1},
    retrieved={"a": 1.0, "b": 1.0, "c": 1.0},
    rules=Rules(compat=10, depth=2, judged_only=True, complete=True),
)
def test_the_extremes_offered_are_those_of_all_orders_of_tied_documents(
    name: str, judged: Judged, retrieved: Retrieved, rules: Rules
) -> None:
    (run,) = evaluate({"1": judged}, {"1": retrieved}, [small(name)], rules=rules, ties=True)

    expected = extremes(judged, retrieved, small(name), rules)
    assert run.ties == {label: pytest.approx(expected[label], abs=1e-12) for label in run.ties}


def test_the_extremes_of_a_geometric_mean_are_the_geometric_means_of_the_extremes() -> None:
    qrels = {"1": {"a": 1}, "2": {"a": 1}}
    ranking = {"1": {"a": 1.0, "b": 1.0}, "2": {"a": 1.0, "b": 1.0, "c": 1.0, "d": 1.0}}

    (run,) = evaluate(qrels, ranking, ["gm_map"], ties=True)

    assert run.ties == {"gm_map": pytest.approx(((1 / 2 * 1 / 4) ** 0.5, 1.0))}


def test_all_measures_have_extremes_but_those_that_the_order_of_relevance_does_not_give() -> None:
    (run,) = evaluate({"1": {"a": 1}}, {"1": {"a": 1.0, "b": 1.0}}, ["all_trec"], rules=Rules(compat=10), ties=True)

    assert set(run.summary) - set(run.ties) == NOT_OFFERED - {"runid", "relstring"}
    assert set(run.ties) <= set(run.summary)


def test_measures_of_ir_measures_have_no_extremes() -> None:
    (run,) = evaluate({"1": {"a": 1}}, {"1": {"a": 1.0, "b": 1.0}}, ["AP", "ERR@10"], ties=True)

    assert run.ties == {"AP": (0.5, 1.0)}


def test_extremes_are_not_computed_unless_asked_for() -> None:
    (run,) = evaluate({"1": {"a": 1}}, {"1": {"a": 1.0, "b": 1.0}}, ["map"])

    assert run.ties == {}


def test_the_extremes_of_a_mean_are_the_means_of_the_extremes() -> None:
    qrels = {"1": {"a": 1}, "2": {"a": 1}}
    # Tied for topic 1: the relevant document is first (1) or second (1/2).  Not tied for topic 2: always second.
    ranking = {"1": {"a": 1.0, "b": 1.0}, "2": {"a": 1.0, "b": 2.0}}

    (run,) = evaluate(qrels, ranking, ["recip_rank"], ties=True)

    assert run.ties == {"recip_rank": (0.5, 0.75)}
    assert run.summary == {"recip_rank": 0.5}


def test_topics_that_a_run_lacks_count_as_0_in_the_extremes_too() -> None:
    qrels = {"1": {"a": 1}, "2": {"a": 1}}
    ranking = {"1": {"a": 1.0, "b": 1.0}}

    (run,) = evaluate(qrels, ranking, ["recip_rank"], rules=Rules(complete=True), ties=True)

    assert run.ties == {"recip_rank": (0.25, 0.5)}


@pytest.mark.parametrize(
    ("scores", "version", "expected"),
    [
        pytest.param({"a": 1.00000001, "b": 1.0}, 9, (0.5, 1.0), id="tied in 32 bits, against the order of documents"),
        pytest.param({"a": 1.0, "b": 1.00000001}, 9, (0.5, 1.0), id="tied in 32 bits, in the order of documents"),
        pytest.param({"a": 1.00000001, "b": 1.0}, 10, (1.0, 1.0), id="not tied in 64 bits"),
        pytest.param({"a": 1.0, "b": 1.0}, 10, (0.5, 1.0), id="tied in 64 bits"),
    ],
)
def test_documents_are_tied_where_the_version_in_force_cannot_tell_their_scores_apart(
    scores: dict[str, float], version: int, expected: tuple[float, float]
) -> None:
    (run,) = evaluate({"1": {"a": 1}}, {"1": scores}, ["recip_rank"], rules=Rules(compat=version), ties=True)

    assert run.ties == {"recip_rank": expected}
