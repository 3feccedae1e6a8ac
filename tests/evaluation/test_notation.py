"""Is a name understood, in either notation, or refused with a reason?"""

import pytest

from primad.errors import MeasureError, PrimadError, UnknownMeasure
from primad.evaluation import DEFAULT_MEASURES, BoundMeasure, parse_measure, parse_measures
from primad.evaluation.notation import TREC_EVAL_ORDER

SET = (
    *("runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "utility"),
    *("set_P", "set_relative_P", "set_recall", "set_map", "set_F"),
)


def labels(*names: str, compat: int = 9) -> list[str]:
    return [measure.label for measure in parse_measures(names, compat)]


def families(*names: str, compat: int = 9) -> list[str]:
    return list(dict.fromkeys(measure.family for measure in parse_measures(names, compat)))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("map", [BoundMeasure("map", "map")], id="no parameter"),
        pytest.param("P_10", [BoundMeasure("P_10", "P", 10)], id="underscore"),
        pytest.param("P.10", [BoundMeasure("P_10", "P", 10)], id="dot"),
        pytest.param("P.7,3,7", [BoundMeasure("P_3", "P", 3), BoundMeasure("P_7", "P", 7)], id="list, sorted, once"),
        pytest.param("ndcg_cut_5", [BoundMeasure("ndcg_cut_5", "ndcg_cut", 5)], id="the longest family"),
        pytest.param("ndcg_cut.23.4", [BoundMeasure("ndcg_cut_23", "ndcg_cut", 23)], id="a fraction is cut off"),
        pytest.param("Rprec", [BoundMeasure("Rprec", "Rprec")], id="a family that begins another"),
        pytest.param("Rprec_mult.0.5", [BoundMeasure("Rprec_mult_0.50", "Rprec_mult", 0.5)], id="a fraction"),
        pytest.param(
            "iprec_at_recall..5", [BoundMeasure("iprec_at_recall_0.50", "iprec_at_recall", 0.5)], id="a bare fraction"
        ),
        pytest.param(
            "utility.2,-1,0,0", [BoundMeasure("utility_2,-1,0,0", "utility", (2.0, -1.0, 0.0, 0.0))], id="numbers"
        ),
        pytest.param(
            "ndcg.1=3,02=9",
            [BoundMeasure("ndcg_1=3,02=9", "ndcg", (("1", 3.0), ("2", 9.0)))],
            id="pairs",
        ),
        pytest.param("rbp.p=0.8", [BoundMeasure("rbp_p=0.8", "rbp", (("p", 0.8),))], id="a named number"),
        pytest.param("relstring.20", [BoundMeasure("relstring_20", "relstring", (20.0,))], id="a length"),
    ],
)
def test_a_name_of_trec_eval_is_understood(name: str, expected: list[BoundMeasure]) -> None:
    assert parse_measure(name, 10) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("AP", BoundMeasure("AP", "map"), id="no cutoff"),
        pytest.param("AP@10", BoundMeasure("AP@10", "map_cut", 10), id="cutoff"),
        pytest.param("P(rel=2)@5", BoundMeasure("P(rel=2)@5", "P", 5, level=2), id="level"),
        pytest.param("P(cutoff=5)", BoundMeasure("P(cutoff=5)", "P", 5), id="cutoff as a setting"),
        pytest.param(
            "RR(judged_only=True)", BoundMeasure("RR(judged_only=True)", "recip_rank", judged_only=True), id="judged"
        ),
        pytest.param(
            "nDCG( rel=2 , judged_only=False )@3",
            BoundMeasure("nDCG( rel=2 , judged_only=False )@3", "ndcg_cut", 3, level=2, judged_only=False),
            id="blanks",
        ),
        pytest.param(
            "SetP(relative=True)", BoundMeasure("SetP(relative=True)", "set_relative_P"), id="relative precision"
        ),
        pytest.param("SetP(relative=False)", BoundMeasure("SetP(relative=False)", "set_P"), id="not relative"),
        pytest.param("SetF(beta=2)", BoundMeasure("SetF(beta=2)", "set_F", (2.0,)), id="beta"),
        pytest.param("NumRet(rel=1)", BoundMeasure("NumRet(rel=1)", "num_rel_ret", level=1), id="relevant retrieved"),
        pytest.param("IPrec@0.1", BoundMeasure("IPrec@0.1", "iprec_at_recall", 0.1), id="level of recall"),
        pytest.param("ERR@10", BoundMeasure("ERR@10"), id="handed over"),
        pytest.param("RBP(rel=1,p=0.8)", BoundMeasure("RBP(rel=1,p=0.8)"), id="handed over, with settings"),
        pytest.param(
            "nDCG(dcg='exp-log2')@10", BoundMeasure("nDCG(dcg='exp-log2')@10"), id="handed over for its settings"
        ),
    ],
)
def test_a_name_of_ir_measures_is_understood(name: str, expected: BoundMeasure) -> None:
    assert parse_measure(name) == [expected]


def test_a_family_without_parameter_has_its_customary_cutoffs() -> None:
    assert labels("success", "set_F") == ["success_1", "success_5", "success_10", "set_F"]


def test_official_is_what_trec_eval_prints_when_nothing_is_asked_for() -> None:
    ranks = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
    assert labels("official") == [
        *("runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank"),
        *(f"iprec_at_recall_{tenth / 10:.2f}" for tenth in range(11)),
        *(f"P_{rank}" for rank in ranks),
    ]


def test_set_has_the_measures_of_sets() -> None:
    assert labels("set") == list(SET)


def test_all_trec_has_no_measures_of_version_10_under_version_9() -> None:
    assert families("all_trec", compat=10) == list(TREC_EVAL_ORDER)
    assert families("all_trec", compat=9) == [f for f in TREC_EVAL_ORDER if f not in {"rbp", "rbp_resid", "unj"}]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        pytest.param(("set", "set_F.2"), [*SET[:-1], "set_F_2"], id="behind the set"),
        pytest.param(("set_F.2", "set"), ["set_F_2", *SET[:-1]], id="before the set"),
        pytest.param(
            ("set", "utility.1,0,0,0"), [*(m for m in SET if m != "utility"), "utility_1,0,0,0"], id="numbers"
        ),
        pytest.param(("set", "set_P", "map"), [*SET, "map"], id="a name without dot changes nothing"),
        pytest.param(("success_3", "success"), ["success_3", "success_1", "success_5", "success_10"], id="no set"),
    ],
)
def test_parameters_behind_a_dot_take_the_place_of_the_defaults_in_a_set(
    names: tuple[str, ...], expected: list[str]
) -> None:
    assert labels(*names) == expected


def test_a_measure_asked_for_twice_is_there_once() -> None:
    assert labels("P_5", "map", "P.5,10", "map") == ["P_5", "map", "P_10"]


def test_the_same_measure_in_both_notations_is_there_under_both_names() -> None:
    assert labels("map", "AP") == ["map", "AP"]


@pytest.mark.parametrize(
    ("name", "suggestion"),
    [
        pytest.param("ndgc", "ndcg", id="letters swapped"),
        pytest.param("recip_rnk", "recip_rank", id="letter missing"),
        pytest.param("nDGC@10", "nDCG@10", id="in the other notation"),
        pytest.param("all_trek", "all_trec", id="a set"),
        pytest.param("mapp", "map", id="in the notation it was asked for in"),
        pytest.param("ndcg@20", "nDCG@20", id="with the cutoff that was asked for"),
        pytest.param("ap(rel=2)@7", "AP(rel=2)@7", id="with the settings that were asked for"),
        pytest.param("bpref@10", "bpref", id="without a cutoff that it cannot have"),
    ],
)
def test_an_unknown_name_is_answered_with_the_nearest_known_one(name: str, suggestion: str) -> None:
    with pytest.raises(UnknownMeasure) as caught:
        parse_measure(name)

    assert str(caught.value) == f"unknown measure '{name}'; did you mean '{suggestion}'?"
    assert (caught.value.name, caught.value.suggestion) == (name, suggestion)


@pytest.mark.parametrize("name", ["xyzzy", "", " ", "@10", "P@", "map ", "(rel=1)", "42"])
def test_what_is_no_name_is_unknown(name: str) -> None:
    with pytest.raises(UnknownMeasure, match=r"^unknown measure "):
        parse_measure(name)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        pytest.param("P_0", "expected ranks from 1 on, found '0'", id="rank 0"),
        pytest.param("P.-5", "expected ranks from 1 on, found '-5'", id="negative rank"),
        pytest.param("P@0", "expected ranks from 1 on, found '0'", id="rank 0 in the other notation"),
        pytest.param("P_x", "expected a number, found 'x'", id="no number"),
        pytest.param("P.5,", "expected a number, found ''", id="nothing behind a comma"),
        pytest.param("P_", "expected a number, found ''", id="nothing behind the name"),
        pytest.param("P.1_0", "expected a number, found '1_0'", id="a number as only Python writes it"),
        pytest.param("P.inf", "expected a number, found 'inf'", id="infinite"),
        pytest.param("P.nan", "expected a number, found 'nan'", id="not a number"),
        pytest.param("ndcg.1", "expected level=gain, found '1'; did you mean 'ndcg_cut_1'?", id="no pair"),
        pytest.param("ndcg.1=x", "expected a number, found 'x'", id="no gain"),
        pytest.param("ndcg.p=1", "expected level=gain, found 'p=1'", id="no level"),
        pytest.param("rbp.q=1", "expected level=gain or p=number, found 'q=1'", id="no such setting"),
        pytest.param("utility.1,2", "expected 4 numbers, found '1,2'", id="too few numbers"),
        pytest.param("set_F.1,2", "expected a number, found '1,2'", id="too many numbers"),
        pytest.param("map.5", "it takes no parameter, found '5'; did you mean 'map_cut_5'?", id="no parameter"),
        pytest.param(
            "map_5",
            "it takes no parameter, found '5'; did you mean 'map_cut_5'?",
            id="no parameter behind an underscore",
        ),
        pytest.param("iprec_at_recall.x", "expected a number, found 'x'", id="no fraction"),
        pytest.param("iprec_at_recall.-1", "expected fractions from 0 to 1, found '-1'", id="negative fraction"),
        *(
            pytest.param(
                name,
                "it needs preferences or several judgments per document, which qrels do not hold",
                id=name,
            )
            for name in ("prefs", "all_prefs", "prefs_simp", "prefs_num_prefs_poss", "qrels_jg", "map_avgjg")
        ),
        *(
            pytest.param(name, "it needs judgments of subtopics, which these qrels do not hold", id=name)
            for name in ("alpha_nDCG@10", "ERR_IA@10", "P_IA@5", "P_IA(rel=2)@5", "StRecall@10")
        ),
        pytest.param(
            "RBP",
            "ir_measures cannot compute it so, or lacks a package or perl for it; "
            "rbp.p=0.8 and RBP(rel=1,p=0.8) are known",
            id="RBP without a level",
        ),
    ],
)
def test_a_known_measure_that_cannot_be_had_so_is_refused_with_the_reason(name: str, reason: str) -> None:
    with pytest.raises(MeasureError) as caught:
        parse_measure(name)

    assert str(caught.value) == f"measure '{name}': {reason}"
    assert (caught.value.name, caught.value.reason) == (name, reason)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("P(rel=2)", id="a cutoff is missing"),
        pytest.param("R", id="a cutoff is missing without settings"),
        pytest.param("INST", id="a setting is missing"),
        pytest.param("NERR8@10", id="another setting is missing"),
        pytest.param("P(foo=1)@5", id="a setting that the measure does not have"),
        pytest.param("P(rel=x)@5", id="no level"),
        pytest.param("P(rel)@5", id="a setting without value"),
        pytest.param("SetF(beta=x)", id="no weight"),
        pytest.param("AP(relative=True)", id="a setting of another measure"),
        pytest.param("P@1.2.3", id="no rank"),
        pytest.param("map(rel=2)", id="both notations in one"),
    ],
)
def test_whatever_is_wrong_with_a_name_is_an_error_of_ours(name: str) -> None:
    with pytest.raises(PrimadError):
        parse_measure(name)


def test_a_cutoff_that_is_no_whole_number_is_refused_in_the_notation_of_ir_measures() -> None:
    with pytest.raises(MeasureError):
        parse_measure("P@2.5")


def test_the_default_measures_are_known() -> None:
    assert labels(*DEFAULT_MEASURES) == list(DEFAULT_MEASURES)
