"""Is everything that was asked for assessed, one experiment at a time, and is nothing kept that is not needed?"""

import subprocess
import sys
import weakref
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

import primad
from primad import Run, assess
from primad.errors import DataError, FileError, MeasureError, UnknownMeasure, UsageError
from primad.qra.corrections import corrected
from primad.reproducibility import registry
from primad.reproducibility.assessment.assess import assembled, assess_each
from primad.reproducibility.assessment.inputs import Given
from primad.reproducibility.assessment.result import Experiment, Of, Reproduction, Value
from primad.reproducibility.assessment.settings import Settings

Scores = dict[str, dict[str, float]]

QRELS = {topic: {"a": 1, "b": 1, "c": 0} for topic in "1234"}
BASE: Scores = {
    "1": {"c": 3.0, "a": 2.0, "b": 1.0},
    "2": {"a": 3.0, "c": 2.0, "b": 1.0},
    "3": {"c": 3.0, "b": 2.0},
    "4": {"b": 3.0, "c": 2.0, "a": 1.0},
}
GOOD: Scores = {topic: {"a": 3.0, "b": 2.0, "c": 1.0} for topic in "1234"}
MINE: Scores = BASE | {"1": {"a": 3.0, "c": 2.0, "b": 1.0}, "3": {"c": 3.0, "x": 2.0}}
FAST: dict[str, Any] = {"measures": "map", "intervals": False}


def value(one: Reproduction, measure: str, of: str = "map", run: Of = "baseline") -> Value:
    """Return a value that is there."""
    found = one.find(measure, of=of, run=run)
    assert found is not None
    return found


def values(one: Reproduction) -> dict[tuple[str, str, str], float | str]:
    """Return each value, or why there is none."""
    return {(v.measure, v.of, v.run): v.undefined if v.value is None else v.value for v in one.values}


def write(path: Path, run: Scores, tag: str = "tag") -> str:
    """Write RUN to PATH."""
    rows = ((t, d, score) for t, documents in run.items() for d, score in documents.items())
    path.write_text("".join(f"{topic} Q0 {document} 1 {score} {tag}\n" for topic, document, score in rows))
    return str(path)


# Plain arguments -------------------------------------------------------------------------------------------------


def test_values_are_those_of_the_definitions() -> None:
    found = assess((BASE, GOOD), {"mine": (MINE, GOOD)}, QRELS, **FAST)

    # Average precision by hand, topics 1 to 4.
    base = np.array([(1 / 2 + 2 / 3) / 2, (1 + 2 / 3) / 2, (1 / 2) / 2, (1 + 2 / 3) / 2])
    mine = np.array([(1 + 2 / 3) / 2, (1 + 2 / 3) / 2, 0, (1 + 2 / 3) / 2])
    one = found["mine"]
    original = found.original.find("arp", of="map")
    assert original is not None
    assert original.value == pytest.approx(base.mean())
    assert value(one, "arp").value == pytest.approx(mine.mean())
    assert value(one, "rmse").value == pytest.approx(np.sqrt(((base - mine) ** 2).mean()))
    assert value(one, "rmse", run="advanced").value == 0.0
    assert value(one, "er", run="both").value == pytest.approx((1 - mine.mean()) / (1 - base.mean()))
    assert value(one, "dri", run="both").value == pytest.approx(1 / base.mean() - 1 / mine.mean())


def test_a_run_may_have_any_form(tmp_path: Path) -> None:
    rows = [(t, d, score) for t, documents in MINE.items() for d, score in documents.items()]
    columns = {"query_id": [r[0] for r in rows], "doc_id": [r[1] for r in rows], "score": [r[2] for r in rows]}
    path = write(tmp_path / "mine.run", MINE)
    forms: dict[str, Any] = {
        "path": path,
        "Path": Path(path),
        "bytes": Path(path).read_bytes(),
        "dict": MINE,
        "Run": Run.from_dict(MINE),
        "polars": pl.DataFrame(columns),
        "records": list(Run.from_dict(MINE).to_records()),
    }

    found = assess(BASE, forms, QRELS, **FAST)

    expected = values(assess(BASE, MINE, QRELS, **FAST).reproductions[0])
    assert {one.name: values(one) for one in found} == dict.fromkeys(forms, expected)
    for form in forms.values():
        assert values(assess(form, MINE, QRELS, **FAST).reproductions[0])["rmse", "map", "baseline"] == 0.0


def test_measures_may_be_named_by_either_notation() -> None:
    found = assess(BASE, MINE, QRELS, measures=["map", "AP@2", "P_1"], intervals=False).reproductions[0]

    assert [v.of for v in found.values if v.measure == "rmse"] == ["map", "AP@2", "P_1"]


def test_without_measures_there_are_the_default_ones() -> None:
    found = assess(BASE, MINE, QRELS, intervals=False).reproductions[0]

    assert [v.of for v in found.values if v.measure == "arp"] == ["map", "ndcg", "P_10"]


def test_reproductions_on_another_collection_have_qrels_of_their_own() -> None:
    elsewhere = {topic: {f"{document}'": score for document, score in run.items()} for topic, run in GOOD.items()}
    qrels = {topic: {"a'": 1, "b'": 1} for topic in QRELS}

    one = assess((BASE, GOOD), {"there": (elsewhere, elsewhere)}, QRELS, reproduction_qrels=qrels, **FAST)["there"]

    assert one.collection == "other documents and judgments (other qrels, for other documents)"
    assert value(one, "arp").value == 1.0
    assert value(one, "er", run="both").value == 0.0
    assert value(one, "rmse").undefined == "other documents: scores cannot be compared topic by topic"
    assert value(one, "tau", of="").undefined == "other documents: order cannot be compared topic by topic"
    assert value(one, "p").variant == "Welch's t-test"


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        pytest.param(lambda: assess(BASE, [], QRELS), UsageError, "at least one reproduction, found none", id="none"),
        pytest.param(lambda: assess(BASE, {}, QRELS), UsageError, "at least one reproduction, found none", id="empty"),
        pytest.param(lambda: assess((), MINE, QRELS), UsageError, "found 0 runs", id="no original"),
        pytest.param(lambda: assess((BASE,) * 3, MINE, QRELS), UsageError, "found 3 runs", id="three originals"),
        pytest.param(lambda: assess(BASE, MINE, QRELS, jobs=0), UsageError, "at least 1 job, found 0", id="no jobs"),
        pytest.param(lambda: assess(BASE, MINE, QRELS, jobs=-1), UsageError, "at least 1 job, found -1", id="fewer"),
        pytest.param(
            lambda: assess(BASE, MINE, QRELS, measure="map"), UsageError, "settings measures, .* 'measure'", id="name"
        ),
        pytest.param(
            lambda: assess(BASE, MINE, QRELS, margins={"ndgc": 1}), UsageError, "found one for 'ndgc'", id="margin"
        ),
        pytest.param(
            lambda: assess(BASE, MINE, QRELS, measures="mpa"), UnknownMeasure, "did you mean 'map'", id="measure"
        ),
        pytest.param(
            lambda: assess(BASE, MINE, QRELS, measures=["map", "relstring"]),
            MeasureError,
            "no number for each topic",
            id="no number",
        ),
        pytest.param(lambda: assess(None, MINE, QRELS), DataError, "found NoneType", id="no run"),
        pytest.param(lambda: assess({"1": {}}, MINE, QRELS), DataError, "at least one document", id="empty original"),
        pytest.param(lambda: assess(BASE, MINE, {}), DataError, "qrels with at least one document", id="no qrels"),
        pytest.param(lambda: assess("gone.run", MINE, QRELS), FileError, "gone.run: no such file", id="no file"),
        pytest.param(lambda: assess(BASE, MINE, "gone"), FileError, "gone: no such file", id="no qrels file"),
    ],
)
def test_what_cannot_be_meant_or_read_is_refused_in_words(
    call: Callable[[], object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        call()


def test_a_reproduction_that_cannot_be_assessed_does_not_stop_the_others() -> None:
    found = assess(BASE, {"empty": {"1": {}}, "gone": "gone.run", "mine": MINE, "else": {"9": {"a": 1}}}, QRELS, **FAST)

    assert [(one.name, one.problem) for one in found] == [
        ("empty", "expected a run with at least one document, found none"),
        ("gone", "gone.run: no such file"),
        ("mine", ""),
        ("else", "run: expected topics of the qrels (1, 2, 3, 4), found only others (9)"),
    ]
    assert [len(one.values) > 0 for one in found] == [False, False, True, False]


# Bad input, each with its statement ------------------------------------------------------------------------------


def test_identical_runs_are_the_same_at_every_level() -> None:
    one = assess((BASE, GOOD), (BASE, GOOD), QRELS, measures="map").reproductions[0]

    perfect = {"tau": 1, "tau_shared": 1, "overlap": 1, "rbo_ext": 1, "ktu": 1, "rmse": 0, "p": 1, "er": 1, "dri": 0}
    assert {v.measure: v.value for v in one.values if v.measure in perfect} == perfect
    assert {answer.answer for answer in one.answers} == {"equivalent"}


def test_constant_scores_leave_the_order_unknown_if_ties_count() -> None:
    constant = {topic: dict.fromkeys("abc", 1.0) for topic in "1234"}

    broken = assess(constant, constant, QRELS, **FAST).reproductions[0]
    tied = assess(constant, constant, QRELS, ties="a", **FAST).reproductions[0]

    assert value(broken, "tau", of="").value == 1.0
    assert value(tied, "tau", of="").undefined == "4 topics: all documents tied in both runs"
    rbo = value(tied, "rbo_ext", of="").value
    assert rbo is not None
    assert rbo < 1


def test_one_document_per_topic_has_an_order_over_the_union_only() -> None:
    one = assess({t: {"a": 1} for t in QRELS}, {t: {"b": 1} for t in QRELS}, QRELS, **FAST).reproductions[0]

    assert value(one, "tau", of="").value == -1.0
    assert value(one, "tau_shared", of="").undefined == "4 topics: no shared documents"
    assert value(one, "ktu", of="").undefined == "4 topics: one document"
    assert value(one, "overlap", of="").value == 0.0


STRANGE: Scores = {topic: {f"{d}'": score for d, score in found.items()} for topic, found in GOOD.items()}
SCORES = ("arp", "rmse", "nrmse", "p", "d")
EFFECTS = ("er", "dri")
UNSCORED = "qrels judges none of the documents at the top of the run; is it of another collection?"


def test_a_reproduction_of_other_documents_has_its_order_and_reasons_in_place_of_scores() -> None:
    one = assess((BASE, GOOD), {"mine": (MINE, STRANGE)}, QRELS, **FAST)["mine"]

    assert {name: value(one, name, run="advanced").undefined for name in SCORES} == dict.fromkeys(SCORES, UNSCORED)
    assert {name: value(one, name, run="both").undefined for name in EFFECTS} == dict.fromkeys(EFFECTS, UNSCORED)
    assert value(one, "overlap", of="", run="advanced").value == 0.0
    assert value(one, "rmse").value is not None
    assert [(answer.level, answer.run) for answer in one.answers] == [
        ("document order", "baseline"),
        ("effectiveness", "baseline"),
        ("scores", "baseline"),
        ("document order", "advanced"),
    ]


def test_an_original_of_other_documents_has_no_scores_and_leaves_nothing_to_compare_them_with() -> None:
    found = assess(STRANGE, {"same": STRANGE, "mine": MINE}, QRELS, **FAST)

    arp = found.original.find("arp", of="map")
    assert arp is not None
    assert (arp.value, arp.undefined) == (None, UNSCORED)
    assert value(found["same"], "tau", of="").value == 1.0
    assert value(found["mine"], "arp").value is not None
    for one in found:
        assert {value(one, name).undefined for name in ("rmse", "nrmse", "p", "d")} == {UNSCORED}
        assert {answer.level for answer in one.answers} == {"document order"}


def test_other_judgments_of_the_same_documents_leave_no_rmse_but_tests_and_effects_by_topic() -> None:
    regraded = {topic: {"a": 1, "b": 0, "c": 1} for topic in QRELS}

    one = assess((BASE, GOOD), {"mine": (MINE, GOOD)}, QRELS, reproduction_qrels=regraded, **FAST)["mine"]

    assert one.collection == "other judgments (the qrels judge the same documents differently)"
    assert value(one, "rmse").undefined == (
        "other judgments: a difference of scores would be one of the judgments, too"
    )
    assert value(one, "p").variant == "paired t-test"
    assert value(one, "er", run="both").variant == "4 topics"
    assert value(one, "tau", of="").value is not None
    means = [answer for answer in one.answers if answer.level == "effectiveness"]
    assert [(answer.answer, answer.value) for answer in means] == [("inconclusive", None)] * 2


# For any runs ----------------------------------------------------------------------------------------------------

runs = st.dictionaries(
    st.sampled_from("1239"),
    st.dictionaries(st.sampled_from("abcxy"), st.sampled_from([0.0, 1.0, 2.0]), min_size=1),
    min_size=1,
)


@examples(max_examples=20)
@given(original=st.tuples(runs, runs), reproduction=st.tuples(runs, runs) | runs, ties=st.sampled_from(["", "a"]))
def test_every_value_is_a_finite_number_or_has_a_reason(original: Any, reproduction: Any, ties: str) -> None:
    topical = [{"1": {"a": 1.0}} | run for run in original]

    found = assess(tuple(topical), [reproduction], QRELS, measures=["map", "P_1"], ties=ties, intervals=False)

    one = found.reproductions[0]
    assert bool(one.problem) != bool(one.values)
    for each in (*found.original.values, *one.values):
        assert (each.value is None) == bool(each.undefined)
        assert each.value is None or np.isfinite(each.value)
        assert all(map(np.isfinite, each.topics.values()))


# Claims, cautions ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["holm", "bonferroni"])
def test_claims_of_a_difference_are_corrected_at_each_level_over_all_reproductions_and_measures(method: Any) -> None:
    two = {"mine": MINE, "good": GOOD}

    plain = assess(BASE, two, QRELS, measures=["map", "P_1"], intervals=False, correction="none")
    found = assess(BASE, two, QRELS, measures=["map", "P_1"], intervals=False, correction=method)

    for level, number in (("effectiveness", 4), ("document order", 2)):
        before, after = ([a for one in each for a in one.answers if a.level == level] for each in (plain, found))
        claims = [answer.p_different for answer in before if answer.p_different is not None]
        assert len(before) == number
        assert len(claims) > 1
        assert [a.corrected for a in after if a.p_different is not None] == corrected(claims, method)
    assert {answer.corrected for one in plain for answer in one.answers} == {None}


@pytest.mark.parametrize(
    ("settings", "cautioned"),
    [
        pytest.param({"measures": ["map", "P_10", "ndcg"]}, "map, ndcg", id="t"),
        pytest.param({"measures": ["map"], "test": "student"}, "map", id="student"),
        pytest.param({"measures": ["P_10"]}, None, id="interval scale"),
        pytest.param({"measures": ["map"], "test": "wilcoxon"}, "map", id="wilcoxon: equivalence still rests on t"),
    ],
)
def test_a_t_test_on_measures_without_an_interval_scale_is_cautioned_once(
    settings: dict[str, Any], cautioned: str | None
) -> None:
    remarks = assess(BASE, [MINE, GOOD], QRELS, intervals=False, **settings).remarks

    assert [remark.split(":")[0] for remark in remarks] == ([cautioned] if cautioned else [])
    assert all("doi:10.1109/ACCESS.2021.3116857" in remark for remark in remarks)


def test_what_is_to_be_said_about_the_original_is_said_once() -> None:
    short = {topic: BASE[topic] for topic in "123"}

    found = assess(short, [MINE, GOOD], QRELS, measures="P_1", intervals=False)

    assert found.remarks == ("run: 1 judged topic not in the run, left out (-c counts them as 0): 4",)


# Measures of one's own -------------------------------------------------------------------------------------------


@pytest.fixture
def own_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a test register measures that are forgotten afterwards."""
    monkeypatch.setattr(registry, "_REGISTERED", dict(primad.reproducibility.measures()))


@pytest.mark.usefixtures("own_registry")
def test_a_registered_measure_of_scores_is_computed_like_ours() -> None:
    @primad.measure("mae", title="Mean absolute error", level="scores", takes="paired", ideal=0.0, variant="mean |o-r|")
    def mae(original: Any, reproduced: Any, mean: Any) -> Any:
        return mean(np.abs(original - reproduced))

    one = assess((BASE, GOOD), (MINE, GOOD), QRELS, measures=["map", "P_1"]).reproductions[0]

    found = value(one, "mae")
    base = value(assess(MINE, BASE, QRELS, measures="map").reproductions[0], "arp").topics
    mine = value(one, "arp").topics
    assert found.value == pytest.approx(np.mean([abs(base[topic] - mine[topic]) for topic in base]))
    assert (found.level, found.variant) == ("scores", "mean |o-r|, 4 topics")
    assert found.interval is not None
    assert found.value is not None
    assert found.value in found.interval
    assert found.interval.method == "jackknife t"
    assert value(one, "mae", of="P_1", run="advanced").value == 0.0
    assert mae({"1": 0.5, "2": 0.0}, {"1": 0.0, "2": 0.0}) == 0.25


@pytest.mark.usefixtures("own_registry")
def test_a_registered_measure_of_effects_is_computed_like_ours() -> None:
    @primad.measure("gain", title="Difference of gains", level="overall effect", takes="effects", undefined="why")
    def _gain(original: Any, reproduced: Any) -> Any:
        return reproduced.mean_improvement() - original.mean_improvement()

    one = assess((BASE, GOOD), {"mine": (MINE, GOOD)}, QRELS, measures="map")["mine"]

    found = value(one, "gain", run="both")
    means = [value(assess(run, run, QRELS, **FAST).reproductions[0], "arp").value for run in (BASE, MINE)]
    assert None not in means
    assert found.value == pytest.approx(means[0] - means[1])  # type: ignore[operator]
    assert found.interval is not None
    assert found.value is not None
    assert found.value in found.interval
    assert value(assess(BASE, MINE, QRELS, **FAST).reproductions[0], "gain", run="both").undefined == (
        "it needs a baseline and an advanced run on both sides"
    )


@pytest.mark.usefixtures("own_registry")
def test_a_registered_measure_of_rankings_is_computed_like_ours() -> None:
    @primad.measure(
        "first", title="Same first document", level="document order", takes="rankings", variant="to depth {depth}"
    )
    def _first(pair: Any, _settings: Any) -> Any:
        return np.array([1.0 if topic in "23" else np.nan for topic in pair.topics])

    one = assess(BASE, MINE, QRELS, measures="map", depth=7).reproductions[0]

    found = value(one, "first", of="")
    assert (found.value, found.variant, found.topics) == (1.0, "to depth 7", {"2": 1.0, "3": 1.0})
    assert found.interval is not None


@pytest.mark.usefixtures("own_registry")
def test_a_registered_measure_without_a_number_has_its_reason() -> None:
    @primad.measure("never", title="Never", level="scores", takes="paired", undefined="it never has a value")
    def _never(original: Any, _reproduced: Any, mean: Any) -> Any:
        return mean(original) * np.nan

    one = assess(BASE, MINE, QRELS, measures="map").reproductions[0]

    assert (value(one, "never").value, value(one, "never").undefined) == (None, "it never has a value")


@pytest.mark.usefixtures("own_registry")
@pytest.mark.parametrize("name", ["rmse", "rbo_ext", "er", "arp", "p", "d", "wall", "cpu", "memory", "energy"])
def test_a_name_that_is_taken_is_refused(name: str) -> None:
    with pytest.raises(DataError, match=f"expected a new name for a measure, found '{name}', which is taken"):
        primad.measure(name, title="Mine", level="scores", takes="paired")(lambda *_: 0.0)


@pytest.mark.usefixtures("own_registry")
def test_a_name_registered_before_is_refused() -> None:
    register = primad.measure("twice", title="Mine", level="scores", takes="paired")
    register(lambda *_: 0.0)

    with pytest.raises(DataError, match="'twice', which is taken"):
        register(lambda *_: 1.0)


def test_a_name_of_ours_is_taken_from_the_first_moment_on() -> None:
    script = (
        "import primad\n"
        "try:\n"
        "    primad.measure('rmse', title='Mine', level='scores', takes='paired')(lambda *_: 0.0)\n"
        "except primad.PrimadError as error:\n"
        "    print(error)\n"
        "print(primad.get_measure('rmse').title)\n"
    )

    outcome = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert outcome.stdout.splitlines() == [
        "expected a new name for a measure, found 'rmse', which is taken",
        "Root mean square error",
    ]


# One at a time ---------------------------------------------------------------------------------------------------


def test_runs_are_forgotten_once_they_are_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[weakref.ref[Run]] = []
    begin = Run.__init__

    def noted(self: Run, *args: Any, **facts: Any) -> None:
        made.append(weakref.ref(self))
        begin(self, *args, **facts)

    def alive() -> int:
        return sum(run() is not None for run in made)

    monkeypatch.setattr(Run, "__init__", noted)
    paths = [write(tmp_path / f"{number}.run", MINE) for number in range(8)]
    original = Given("original", {"baseline": write(tmp_path / "base.run", BASE)}, (QRELS,))
    given_runs = [Given(path, {"baseline": path, "advanced": path}) for path in paths]

    found = 0
    for found, _ in enumerate(assess_each(original, given_runs, Settings(measures=("map",))), 1):  # noqa: B007
        assert alive() <= 2

    assert found == 9
    assert len(made) >= 17
    assert alive() <= 2


def test_the_original_comes_first_and_reproductions_as_they_are_done() -> None:
    givens = [Given(name, {"baseline": MINE}) for name in ("b", "a")]

    each = assess_each(Given("original", {"baseline": BASE}, (QRELS,)), givens, Settings(measures=("map",)))

    assert [(type(one), one.name) for one in each] == [
        (Experiment, "original"),
        (Reproduction, "b"),
        (Reproduction, "a"),
    ]


def test_an_assessment_has_reproductions_in_the_order_they_were_given() -> None:
    found = [Experiment(name="original"), Reproduction(name="b"), Reproduction(name="a")]
    givens = [Given(name, {}) for name in ("a", "b")]

    assert [one.name for one in assembled(found, givens, Settings())] == ["a", "b"]


@pytest.mark.slow
def test_several_processes_give_the_same_as_one(tmp_path: Path) -> None:
    paths: list[Any] = [write(tmp_path / f"{number}.run", MINE) for number in range(3)]
    experiments = [*paths, str(tmp_path / "gone.run"), BASE, Run.from_dict(GOOD, tag="good")]
    settings = {"measures": ["map", "P_1"], "margins": {"map": 0.1}}

    one, two = (assess(BASE, experiments, QRELS, jobs=jobs, **settings).to_dict(per_topic=True) for jobs in (1, 2))

    assert one == two


@pytest.mark.slow
def test_an_original_that_cannot_be_read_is_an_error_with_several_processes_too() -> None:
    with pytest.raises(FileError, match=r"gone\.run: no such file"):
        assess("gone.run", [BASE, GOOD], QRELS, jobs=2, measures="map")


@pytest.mark.slow
@pytest.mark.usefixtures("own_registry")
def test_a_measure_that_only_this_process_knows_is_an_error_with_several() -> None:
    for name in ("mine", "ours"):
        primad.measure(name, title="Mine", level="scores", takes="paired")(lambda first, _second, mean: mean(first))

    assert value(assess(BASE, [MINE, GOOD], QRELS, jobs=1, **FAST).reproductions[0], "mine").value is not None
    with pytest.raises(UsageError, match=r"^mine, ours: registered by a script, so other"):
        assess(BASE, [MINE, GOOD], QRELS, jobs=2, **FAST)


def thrice(by_topic: Mapping[str, Any]) -> dict[str, Any]:
    """Return each topic three times, under three names: of fewer than ten, coverage was not simulated."""
    return {f"{copy}{topic}": one for copy in "abc" for topic, one in by_topic.items()}


def test_the_coverage_that_is_stated_is_that_of_the_situation() -> None:
    original, qrels = (thrice(BASE), thrice(GOOD)), thrice(QRELS)

    def said(reproduction: Any, **options: Any) -> list[str]:
        remarks = assess(original, {"one": reproduction}, qrels, measures="map", **options).remarks
        return [remark for remark in remarks if "simulation" in remark]

    other = {topic: {f"x{document}": level for document, level in judged.items()} for topic, judged in qrels.items()}
    there = tuple(
        {topic: {f"x{document}": score for document, score in scores.items()} for topic, scores in thrice(run).items()}
        for run in (MINE, GOOD)
    )

    here, elsewhere = said((thrice(MINE), thrice(GOOD))), said(there, reproduction_qrels=other)

    assert len(here) == len(elsewhere) == 1
    assert here != elsewhere


def test_the_same_topics_and_documents_with_other_judgments_are_not_called_two_collections() -> None:
    judged_anew = {topic: judged | {"b": 0, "c": 1} for topic, judged in thrice(QRELS).items()}
    base, good, mine = (thrice(run) for run in (BASE, GOOD, MINE))

    found = assess((base, good), {"one": (mine, good)}, thrice(QRELS), measures="map", reproduction_qrels=judged_anew)
    (said,) = (remark for remark in found.remarks if "simulation" in remark)

    assert "a simulation with 10 topics" in said
    assert "rbo_ext" in said
    assert "rmse" not in said


def test_the_coverage_that_is_stated_is_that_of_the_topics_that_are_judged() -> None:
    def with_topics(run: Scores) -> Scores:
        return run | {str(topic): {"a": 2.0, "b": 1.0} for topic in range(5, 101)}

    judged = QRELS | {str(topic): {"a": 1, "b": 0} for topic in range(5, 26)}

    runs = (with_topics(BASE), with_topics(GOOD))
    remarks = assess(runs, {"one": (with_topics(MINE), runs[1])}, judged, measures="map").remarks

    assert [" with 25 topics" in one for one in remarks if "simulation" in one] == [True]
