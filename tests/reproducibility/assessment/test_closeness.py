"""Is everything about a reproduction brought together, and is what a reader must know said?"""

from pathlib import Path
from typing import Any

import pytest

from primad import annotate, assess
from primad.errors import UsageError
from primad.reproducibility.assessment.closeness import closeness, original_values
from primad.reproducibility.assessment.inputs import Given
from primad.reproducibility.assessment.measured import MeasuredRun, Measurer, Side
from primad.reproducibility.assessment.result import ROLES, Reproduction, RunFacts
from primad.reproducibility.assessment.score_table import ScoreTable
from primad.reproducibility.assessment.settings import Settings

QRELS = {"1": {"a": 1, "b": 0}, "2": {"a": 1, "b": 0}, "3": {"a": 1}}
GOOD = {"1": {"a": 2.0, "b": 1.0}, "2": {"a": 2.0, "b": 1.0}, "3": {"a": 2.0, "z": 1.0}}
BAD = {"1": {"b": 2.0, "a": 1.0}, "2": {"a": 2.0, "b": 1.0}, "3": {"z": 2.0, "a": 1.0}}
SETTINGS = Settings(measures=("map",), intervals=False)
MEASURER = Measurer(QRELS, SETTINGS)


def side(*runs: Any, name: str = "original", measurer: Measurer = MEASURER, why: str = "") -> Side:
    """Return the experiment of RUNS, measured."""
    return measurer.side(Given(name, dict(zip(ROLES, runs, strict=False)), why=why))


def close(original: Side, *runs: Any, settings: Settings = SETTINGS) -> Reproduction:
    """Return how close the experiment of RUNS, called mine, is to the ORIGINAL."""
    return closeness(original, side(*runs, name="mine"), settings)


def told(tag: str, run: dict[str, dict[str, float]] = GOOD, **values: Any) -> bytes:
    """Return RUN with a header that states VALUES, a double underscore being a dot."""
    lines = "".join(f"{t} Q0 {d} 1 {score} {tag}\n" for t, documents in run.items() for d, score in documents.items())
    stated = {key.replace("__", ".").replace("_", " "): value for key, value in values.items()}
    return annotate(lines.encode(), values={"tag": tag} | stated).data


def test_the_original_has_its_effectiveness_and_nothing_else() -> None:
    experiment = original_values(side(BAD, GOOD), SETTINGS)

    assert [(value.measure, value.of, value.run, value.value) for value in experiment.values] == [
        ("arp", "map", "baseline", pytest.approx(2 / 3)),
        ("arp", "map", "advanced", 1.0),
    ]
    assert (experiment.name, experiment.qrels) == ("original", "qrels")
    assert experiment.runs["baseline"] == RunFacts(path="run", tag="", topics=3)


def test_what_is_to_be_said_about_the_runs_of_the_original_is_said_with_it() -> None:
    experiment = original_values(side({"1": GOOD["1"], "2": GOOD["2"]}), SETTINGS)

    assert experiment.remarks == ("run: 1 judged topic not in the run, left out (-c counts them as 0): 3",)


def test_a_margin_for_what_nobody_asks_about_is_refused() -> None:
    settings = Settings(measures=("map",), margins={"map": 0.1, "rmse": 0.1, "rbo_ext": 0.1, "er": 0.1, "ndcg": 0.1})

    with pytest.raises(UsageError, match="a margin for one of map, rmse, rbo_ext, er, found one for 'ndcg'"):
        original_values(side(GOOD), settings)


def test_a_reproduction_has_values_of_each_run_and_of_both() -> None:
    found = close(side(BAD, GOOD), BAD, GOOD)

    of_a_run = ["arp", "tau", "tau_shared", "overlap", "rbo_ext", "ktu", "rbo", "rmse", "nrmse", "p", "d"]
    assert [(value.run, value.measure) for value in found.values] == [
        *(("baseline", name) for name in of_a_run),
        *(("advanced", name) for name in of_a_run),
        ("both", "er"),
        ("both", "dri"),
    ]
    assert [(answer.level, answer.run) for answer in found.answers] == [
        ("document order", "baseline"),
        ("effectiveness", "baseline"),
        ("scores", "baseline"),
        ("document order", "advanced"),
        ("effectiveness", "advanced"),
        ("scores", "advanced"),
        ("overall effect", "both"),
    ]


def test_a_repeated_experiment_is_perfect_at_every_level() -> None:
    found = close(side(BAD, GOOD), BAD, GOOD)

    perfect = {"tau": 1, "overlap": 1, "rbo_ext": 1, "ktu": 1, "rmse": 0, "nrmse": 0, "p": 1, "d": 0}
    for role in ROLES:
        values = {value.measure: value.value for value in found.values if value.run == role}
        assert {name: values[name] for name in perfect} == perfect
    assert [value.value for value in found.values if value.run == "both"] == [1.0, 0.0]
    assert {answer.answer for answer in found.answers} == {"equivalent"}
    assert found.remarks == ()


def test_a_missing_advanced_run_is_said_and_the_baseline_compared() -> None:
    found = close(side(BAD, GOOD), BAD)

    assert found.remarks == ("mine has no advanced run: only the baseline is compared",)
    assert {value.run for value in found.values if value.value is not None} == {"baseline"}


def test_an_advanced_run_that_the_original_lacks_has_its_effectiveness_only() -> None:
    found = close(side(BAD), BAD, GOOD)

    assert found.remarks == ("the original has no advanced run, so there is nothing to compare run with",)
    assert [(value.measure, value.value) for value in found.values if value.run == "advanced"] == [("arp", 1.0)]


def test_topics_on_one_side_only_are_named_with_the_side() -> None:
    short = {topic: GOOD[topic] for topic in ("1", "2")}

    assert close(side(GOOD), short).remarks == (
        "run: 1 judged topic not in the run, left out (-c counts them as 0): 3",
        "1 of 3 topics of the baseline run only in original, left out where topics are paired: 3",
    )
    assert close(side(short), GOOD).remarks == (
        "1 of 3 topics of the baseline run only in mine, left out where topics are paired: 3",
    )


def test_rankings_without_a_topic_in_common_have_neither_values_nor_agreement() -> None:
    found = close(side({"1": GOOD["1"]}), {"2": GOOD["2"]})

    undefined = {value.undefined for value in found.values if value.level in ("document order", "scores")}
    assert undefined == {"no topic that both runs have"}
    assert found.agreement == {}


def test_agreement_is_the_share_of_the_top_that_both_have() -> None:
    deep = {"1": {"a": 5.0, "b": 4.0, "c": 3.0, "d": 2.0, "e": 1.0}}
    other = {"1": {"b": 5.0, "a": 4.0, "x": 3.0, "d": 2.0, "y": 1.0}}

    assert close(side(deep), other).agreement == {"baseline": {1: 0.0, 2: 1.0, 3: pytest.approx(2 / 3), 5: 0.6}}


def test_agreement_ends_at_the_depth_and_with_the_longer_list() -> None:
    short = Measurer(QRELS, Settings(measures=("map",), intervals=False, depth=2))
    found = closeness(side(GOOD, measurer=short), side(GOOD, measurer=short), short.settings)

    assert found.agreement == {"baseline": {1: 1.0, 2: 1.0}}
    assert close(side(GOOD), GOOD).agreement == {"baseline": {1: 1.0, 2: 1.0}}


def test_agreement_does_not_look_at_topics_that_one_run_lacks() -> None:
    long = {"1": GOOD["1"], "2": {f"d{rank:03}": float(-rank) for rank in range(100)}}

    assert close(side(long), {"1": GOOD["1"]}).agreement == {"baseline": {1: 1.0, 2: 1.0}}


# What runs say about themselves ----------------------------------------------------------------------------------


def test_what_changed_is_told_by_the_records_of_the_baselines() -> None:
    original = side(told("base", actor__team="us", data__test_collection={"name": "Core17"}))

    found = close(original, told("mine", actor__team="them", data__test_collection={"name": "Core17"}))

    assert found.compared is not None
    assert found.type[4:] == "Ad"
    assert [(one.original, one.other) for one in found.compared.changed["actor"]] == [("us", "them")]
    assert found.collection == "the same test collection (the same qrels, and the metadata says so, too)"


@pytest.mark.parametrize(
    ("original", "reproduction"),
    [
        pytest.param(GOOD, told("mine"), id="silent original"),
        pytest.param(told("base"), GOOD, id="silent reproduction"),
    ],
)
def test_nothing_is_known_to_have_changed_where_a_run_is_silent(original: Any, reproduction: Any) -> None:
    found = close(side(original), reproduction)

    assert (found.compared, found.type) == (None, "??????")


def test_the_advanced_runs_speak_where_the_baselines_are_silent() -> None:
    found = close(side(BAD, told("adv", actor__team="us")), BAD, told("mine", actor__team="us"))

    assert found.type[4] == "a"


def test_runs_that_differ_in_type_are_said_to() -> None:
    original = side(told("base", actor__team="us"), told("adv", actor__team="us"))

    found = close(original, told("mine", actor__team="us"), told("ours", actor__team="them"))

    assert found.remarks == ("the runs differ in type: baseline ????a?, advanced ????A?",)


def test_costs_are_there_where_both_records_state_them() -> None:
    slow, fast = (
        told("run", resources__runtime={"wallclock": wall}, platform__hardware={"cpu": {"model": model}})
        for wall, model in (("3 s", "Xeon"), ("1500 ms", "M1"))
    )

    found = close(side(slow), fast).find("wall")

    assert found is not None
    assert (found.level, found.value) == ("cost", 0.5)
    assert "Xeon" in found.note
    assert "M1" in found.note


def test_costs_that_nobody_recorded_are_not_listed() -> None:
    assert close(side(told("base")), told("mine")).find("wall") is None


def test_runs_that_share_documents_are_of_one_collection_however_their_records_name_it() -> None:
    original = side(told("base", data__test_collection={"name": "Robust04"}))

    found = close(original, told("mine", data__test_collection={"name": "TREC Robust 2004"}))

    tau = found.find("tau")
    assert tau is not None
    assert tau.value is not None
    assert found.collection == (
        "the same test collection (the same qrels, and the runs share documents, though their metadata names the "
        "collection otherwise)"
    )


def test_why_runs_were_chosen_is_handed_on() -> None:
    assert closeness(side(GOOD), side(GOOD, name="mine", why="it says so"), SETTINGS).why == "it says so"


# Experiments of which only scores are known ------------------------------------------------------------------------


def known(*columns: dict[str, float]) -> Side:
    """Return an experiment of which only the scores in COLUMNS are known."""
    runs = [
        MeasuredRun(facts=RunFacts(path="f", tag="", topics=len(scores)), scores=ScoreTable.of_dict("map", scores))
        for scores in columns
    ]
    return Side(name="known", runs=dict(zip(ROLES, runs, strict=False)))


def test_scores_of_the_same_topics_are_paired() -> None:
    found = closeness(known({"1": 0.5, "2": 0.25}), known({"2": 0.25, "1": 0.0}), SETTINGS)

    rmse = found.find("rmse", of="map")
    assert rmse is not None
    assert rmse.value == pytest.approx((0.25 / 2) ** 0.5)
    assert found.collection == "the same test collection (scores of the same topics were given)"


def test_scores_of_other_topics_are_tested_unpaired() -> None:
    found = closeness(known({"1": 0.5, "2": 0.25}), known({"3": 0.25, "4": 0.0}), SETTINGS)

    p = found.find("p", of="map")
    assert p is not None
    assert p.variant == "Welch's t-test"
    assert found.collection == "other topics (scores of other topics were given)"


def test_an_advanced_run_that_is_worse_by_every_measure_is_pointed_out() -> None:
    good, bad = {"1": {"a": 2.0, "b": 1.0}}, {"1": {"b": 2.0, "a": 1.0}}
    qrels = {"1": {"a": 1, "b": 0}}

    swapped = assess((good, bad), {"mine": (good, bad)}, qrels, measures="map", intervals=False)
    right = assess((bad, good), {"mine": (bad, good)}, qrels, measures="map", intervals=False)

    said = "the original's advanced run scores lower than its baseline by every measure; were they swapped?"
    assert said in swapped.remarks
    assert said not in right.remarks


@pytest.mark.parametrize(
    ("baseline", "advanced", "is_crossed"),
    [
        pytest.param(0.5, 0.2, True, id="each as the other"),
        pytest.param(0.48, 0.21, True, id="each nearly as the other"),
        pytest.param(0.2, 0.5, False, id="as they were"),
        pytest.param(0.35, 0.35, False, id="in the middle"),
        pytest.param(0.4, 0.3, False, id="the other way round, but far from both"),
    ],
)
def test_a_reproduced_pair_that_was_swapped_is_pointed_out(
    baseline: float, advanced: float, *, is_crossed: bool
) -> None:
    original, repeated = (
        known(*({"1": score, "2": score + 0.1} for score in scores)) for scores in ((0.2, 0.5), (baseline, advanced))
    )

    found = closeness(original, repeated, SETTINGS)

    said = "known: each run scores as the other one of the original does; were they swapped?"
    assert (said in found.remarks) is is_crossed


def test_runs_are_not_called_swapped_for_the_number_of_their_documents_alone() -> None:
    qrels = {"1": {"a": 1, "b": 0}, "2": {"a": 1}}
    long_bad = {"1": {"b": 3.0, "a": 2.0, "x": 1.0}, "2": {"b": 9.0, "a": 1.0}}
    long_good = {"1": {"a": 3.0, "b": 2.0, "x": 1.0}, "2": {"a": 9.0, "x": 1.0}}
    short_bad, short_good = ({topic: {document: 1.0} for topic in ("1", "2")} for document in ("b", "a"))

    found = assess((long_bad, short_good), {"mine": (short_bad, long_good)}, qrels, measures=["map", "num_ret"])

    assert not [remark for remark in found["mine"].remarks if "swapped" in remark]


def test_a_file_that_is_compared_with_itself_is_pointed_out(tmp_path: Path) -> None:
    path, copy = (tmp_path / name for name in ("mine.run", "copy.run"))
    for each in (path, copy):
        each.write_bytes(told("mine"))

    itself, other = (close(side(str(path)), str(again)) for again in (path, copy))

    assert itself.is_original
    assert f"{path} is the file of the original as well: it was compared with itself" in itself.remarks
    assert not other.is_original
    assert other.remarks == ()


@pytest.mark.parametrize(
    ("original", "reproduction", "silent"),
    [
        pytest.param(told("a"), told("b"), (), id="none"),
        pytest.param(GOOD, told("b"), ("original",), id="original"),
        pytest.param(told("a"), GOOD, ("reproduction",), id="reproduction"),
        pytest.param(GOOD, GOOD, ("original", "reproduction"), id="both"),
    ],
)
def test_the_side_without_metadata_is_named(original: Any, reproduction: Any, silent: tuple[str, ...]) -> None:
    assert close(side(original), reproduction).silent == silent
