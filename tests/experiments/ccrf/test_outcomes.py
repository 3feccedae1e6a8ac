"""Does the study show what its runs show, and in the form of the paper?"""

from dataclasses import replace
from pathlib import Path
from statistics import mean

import numpy as np
import pytest
from scipy.stats import ttest_rel
from statsmodels.stats.multitest import multipletests

from primad import Assessment, Experiment, assess
from primad.experiments.ccrf import outcomes
from primad.experiments.ccrf.collection import CollectionError
from primad.experiments.ccrf.dataset import Dataset
from primad.experiments.ccrf.outcomes import Improvement
from primad.experiments.ccrf.plan import KEYWORDS, RERANKING
from primad.reproducibility.assessment.result import Sweep, SweepLine, SweepPoint
from primad.reproducibility.assessment.settings import Settings
from tests.experiments.ccrf.studies import NAMES, WEIGHTS, ap_of, done, ranked, tiny

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("study")]

ORIGINAL = ("original-one.three", "original-one+two.three")
# The reproductions of the original on its own collection: how they are called, and the beginning of their tags.
REPRODUCED = {
    "reimplementing": "reimplemented-",
    "reranking ensemble-one.three": "ensemble-",
    "reranking reranked-one.three": "reranked-",
}
CALLED = ("reimplementing", "reranking by two classifiers", "reranking")  # the same, as a page has them
# The target of each pair that was reproduced, and its sources.
PAIRS = [
    ("one", "two"),
    ("one", "two+three"),
    ("two", "one"),
    ("two", "one+three"),
    ("three", "one"),
    ("three", "one+two"),
]


@pytest.fixture(scope="module")
def reproduced(study: Dataset) -> Assessment:
    """Return how well the original was reproduced on its own collection."""
    return outcomes.reproduced(study)


@pytest.fixture(scope="module")
def swept(study: Dataset) -> Assessment:
    """Return the sweep of weights."""
    return outcomes.swept(study)


# Improvements ----------------------------------------------------------------------------------------------------


def test_improvements_are_those_of_the_fixed_weight_over_bm25(study: Dataset) -> None:
    ap = {target: ap_of(study, target) for target in NAMES}

    found = outcomes.improvements(study)

    assert [one.pair for one in found] == [f"{sources} → {target}" for target, sources in PAIRS]
    for one, (target, sources) in zip(found, PAIRS, strict=True):
        keywords, score = mean(ap[target][f"bm25.{target}"]), mean(ap[target][f"reranked-{sources}.{target}"])
        assert (one.keywords, one.score, one.gain) == pytest.approx((keywords, score, score - keywords))


def test_p_values_are_those_of_scipy_corrected_by_statsmodels(study: Dataset) -> None:
    ap = {target: ap_of(study, target) for target in NAMES}
    raw = [
        ttest_rel(ap[target][f"reranked-{sources}.{target}"], ap[target][f"bm25.{target}"]).pvalue
        for target, sources in PAIRS
    ]

    corrected = multipletests(raw, method="holm")[1]

    assert [one.p for one in outcomes.improvements(study)] == pytest.approx(corrected.tolist())


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        pytest.param([], [], id="none"),
        pytest.param([0.03], [0.03], id="one"),
        pytest.param([0.01, 0.04, 0.03], [0.03, 0.06, 0.06], id="the larger is no smaller than the one before"),
        pytest.param([0.5, 0.9], [1.0, 1.0], id="at most 1"),
        pytest.param([0.02, 0.02], [0.04, 0.04], id="equal ones"),
        pytest.param([0.0, 1.0], [0.0, 1.0], id="the ends"),
        pytest.param([None, 0.02, None, 0.03], [None, 0.04, None, 0.04], id="what has no test counts for none"),
        pytest.param([None], [None], id="no test at all"),
    ],
)
def test_p_values_are_corrected_after_holm(raw: list[float | None], expected: list[float | None]) -> None:
    found = outcomes._corrected([Improvement(str(place), 0.1, 0.2, p) for place, p in enumerate(raw)])

    assert [one.pair for one in found] == [str(place) for place in range(len(raw))]
    assert [one.p for one in found] == pytest.approx(expected)


def test_with_one_topic_there_is_a_gain_and_no_test(tmp_path: Path) -> None:
    source, target = tiny("a"), tiny("b")
    dataset = Dataset(tmp_path, [source, target])
    done(dataset, KEYWORDS, "bm25.b", ranked("d2", "d1"), target)
    done(dataset, RERANKING, "reranked-a.b", ranked("d1", "d2"), target, source)

    (found,) = outcomes.improvements(dataset)

    assert found == Improvement("a → b", keywords=0.5, score=1.0, p=None)
    assert (found.gain, found.is_significant) == (0.5, False)


@pytest.mark.parametrize("number", [1, 2, 5, 20])
def test_any_p_values_are_corrected_as_statsmodels_does(number: int) -> None:
    drawn = (np.random.default_rng(number).random(number) ** 3).tolist()  # some of them small

    found = outcomes._corrected([Improvement(str(place), 0.1, 0.2, p) for place, p in enumerate(drawn)])

    assert [one.p for one in found] == pytest.approx(multipletests(drawn, method="holm")[1].tolist())


@pytest.mark.parametrize(
    ("p", "is_significant"),
    [
        pytest.param(0.049, True, id="below"),
        pytest.param(0.05, False, id="at"),
        pytest.param(0.2, False, id="above"),
        pytest.param(None, False, id="without a test"),
    ],
)
def test_a_difference_is_significant_below_five_percent(p: float | None, *, is_significant: bool) -> None:
    one = Improvement("a → b", keywords=0.25, score=0.5, p=p)

    assert one.is_significant is is_significant
    assert one.gain == 0.25


def test_a_run_without_a_value_is_named() -> None:
    with pytest.raises(CollectionError, match=r"^lost: there is no arp of map$"):
        outcomes._value(Experiment(name="lost"), "arp")


# The sweep -------------------------------------------------------------------------------------------------------


def test_the_sweep_has_a_line_for_each_pair_along_the_weight(swept: Assessment) -> None:
    assert swept.sweep is not None
    assert swept.sweep.field == "method.retrieval[2].weight"
    assert [(line.name, line.reference) for line in swept.sweep.lines] == [
        ("one + two → three", "sweep-one+two.three-w0.1"),
        ("one → three", "sweep-one.three-w0.1"),
    ]
    assert [tuple(point.parameter for point in line.points) for line in swept.sweep.lines] == [WEIGHTS, WEIGHTS]
    assert swept.sweep.left_out == ()


def test_the_scores_of_the_sweep_are_those_of_its_runs(study: Dataset, swept: Assessment) -> None:
    ap = ap_of(study, "three")

    assert swept.sweep is not None
    for line in swept.sweep.lines:
        found = {point.run: point.scores["map"] for point in line.points}
        assert found == pytest.approx({tag: mean(ap[tag]) for tag in found})
        assert line.points[0].rmse == {"map": 0.0}
        assert all(point.rmse["map"] > 0 for point in line.points[1:])


def sweep_of(*lines: dict[float, float]) -> Assessment:
    """Return a sweep with LINES of AP by weight."""
    drawn = tuple(
        SweepLine(
            name=str(place),
            reference="r",
            points=tuple(
                SweepPoint(parameter=weight, run=str(weight), scores={"map": ap}, rmse={}, rbo_ext=None)
                for weight, ap in line.items()
            ),
        )
        for place, line in enumerate(lines)
    )
    sweep = Sweep(field="weight", lines=drawn)
    return Assessment(original=Experiment(name="original"), reproductions=(), settings=Settings(), sweep=sweep)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        pytest.param([{0.1: 0.2, 0.5: 0.3, 0.9: 0.1}], "a weight of 0.5 is best", id="one line"),
        pytest.param([{0.1: 0.2, 0.5: 0.3}, {0.1: 0.1, 0.5: 0.9}], "a weight of 0.5 is best", id="lines that agree"),
        pytest.param(
            [{0.1: 0.2, 0.7: 0.3}, {0.1: 0.4, 0.7: 0.3}, {0.1: 0.2, 0.4: 0.3}],
            "weights of 0.1 to 0.7 are best",
            id="lines that differ",
        ),
        pytest.param([{0.1: 0.3, 0.5: 0.3}], "a weight of 0.1 is best", id="the lowest of equal ones"),
        pytest.param([], "no weight could be looked at", id="no line"),
    ],
)
def test_it_is_said_at_which_weights_the_lines_are_best(lines: list[dict[float, float]], words: str) -> None:
    assert outcomes.best_of_sweep(sweep_of(*lines)) == words


def test_without_a_sweep_no_weight_is_said_to_be_best(reproduced: Assessment) -> None:
    assert reproduced.sweep is None
    assert outcomes.best_of_sweep(reproduced) == "no weight could be looked at"


def test_the_best_of_the_study_is_where_its_scores_are_highest(study: Dataset, swept: Assessment) -> None:
    ap = ap_of(study, "three")
    best = sorted(
        max(WEIGHTS, key=lambda weight, pair=pair: mean(ap[f"sweep-{pair}.three-w{weight}"]))  # type: ignore[misc]
        for pair in ("one", "one+two")
    )

    said = outcomes.best_of_sweep(swept)

    assert [float(word) for word in said.split() if word[0].isdigit()] == sorted(set(best))


# Reproduction ----------------------------------------------------------------------------------------------------


def test_reproductions_on_the_same_collection_are_found_by_their_metadata(reproduced: Assessment) -> None:
    assert tuple(facts.tag for facts in reproduced.original.runs.values()) == ORIGINAL
    assert {one.name: [facts.tag for facts in one.runs.values()] for one in reproduced} == {
        name: [f"{prefix}one.three", f"{prefix}one+two.three"] for name, prefix in REPRODUCED.items()
    }


def test_what_changed_is_told_from_their_records(reproduced: Assessment) -> None:
    assert {one.name: one.type for one in reproduced} == {
        "reimplementing": "prIMAd",
        "reranking ensemble-one.three": "priMAd",
        "reranking reranked-one.three": "priMAd",
    }


def test_table_2_has_the_rows_of_the_paper(reproduced: Assessment) -> None:
    head, rows = outcomes.table_2(reproduced, "three")

    assert head == ["Team", "original", *CALLED]
    of_a_run = ["Average Precision", "Rank-Biased Overlap", "Root Mean Square Error", "p-value"]
    effects = ["Effect Ratio", "its 95 % interval", "came back", "Δ Relative Improvement"]
    assert [row[0] for row in rows] == ["Overall effects", *effects, "Baseline", *of_a_run, "Advanced", *of_a_run]
    assert {len(row) for row in rows} == {len(head)}
    assert [row[1:] for row in rows if row[0] in ("Baseline", "Advanced", "Overall effects")] == [[""] * 4] * 3


def test_table_2_has_the_values_of_an_assessment_of_the_named_runs(study: Dataset, reproduced: Assessment) -> None:
    runs = {one.tag: one.path for one in study.kept}
    pairs = {name: (runs[f"{prefix}one.three"], runs[f"{prefix}one+two.three"]) for name, prefix in REPRODUCED.items()}
    named = assess((runs[ORIGINAL[0]], runs[ORIGINAL[1]]), pairs, study.qrels("three"), measures=["map"])
    ap = ap_of(study, "three")

    _, rows = outcomes.table_2(reproduced, "three")

    measures = [("arp", "map"), ("rbo_ext", ""), ("rmse", "map"), ("p", "map")]
    for start, run, tag in ((6, "baseline", ORIGINAL[0]), (11, "advanced", ORIGINAL[1])):
        of_the_original = [f"{mean(ap[tag]):.4f}", "1.0000", "0.0000", "1.0000"]
        assert [row[1] for row in rows[start : start + 4]] == of_the_original
        for row, (measure, of) in zip(rows[start : start + 4], measures, strict=True):
            assert row[2:] == [written(named, name, measure, of, run) for name in REPRODUCED]
    for row, measure, ideal in ((rows[1], "er", "1.0000"), (rows[4], "dri", "0.0000")):
        assert row[1:] == [ideal, *(written(named, name, measure, "map", "both") for name in REPRODUCED)]


def written(found: Assessment, name: str, measure: str, of: str, run: str) -> str:
    """Return how the paper would print a value."""
    values = [one.value for one in found[name].values if (one.measure, one.of, one.run) == (measure, of, run)]
    value = values[0]
    if value is None:
        return "-"
    return "<0.0001" if measure == "p" and value < 0.0001 else f"{value:.4f}"


def test_table_2_has_the_interval_and_the_answer_of_the_assessment(reproduced: Assessment) -> None:
    _, rows = outcomes.table_2(reproduced, "three")
    effects = [one.find("er", of="map", run="both") for one in reproduced]
    bounds = [one.interval for one in effects if one is not None and one.interval is not None]
    answers = [next(one.answer for one in given.answers if one.level == "overall effect") for given in reproduced]

    assert len(bounds) == len(CALLED)
    assert rows[2] == ["its 95 % interval", "", *(outcomes._between(one.low, one.high) for one in bounds)]
    signs = {"equivalent": "=", "different": "≠", "inconclusive": "?"}
    assert rows[3] == ["came back", "", *(signs[one] for one in answers)]


def test_every_dash_of_table_2_has_its_reason(reproduced: Assessment) -> None:
    first, *others = reproduced.reproductions
    values = [
        replace(one, value=None, interval=None, undefined="no effect") if one.measure == "er" else one
        for one in first.values
    ]
    without = replace(reproduced, reproductions=(replace(first, values=tuple(values)), *others))

    head, rows = outcomes.table_2(without, "three")

    dashes = {(name, row[0]) for row in rows for name, cell in zip(head, row, strict=True) if cell == "-"}
    assert dashes == {(CALLED[0], "Effect Ratio"), (CALLED[0], "its 95 % interval")}
    assert outcomes.reasons(without, "three") == [f"{CALLED[0]} has no Effect Ratio (no effect)."]
    assert outcomes.reasons(reproduced, "three") == []


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        pytest.param("reimplemented-one.three", "reimplementing", id="at home"),
        pytest.param("reranked-one.two", "reranking on two", id="elsewhere"),
        pytest.param("ensemble-one+two.three", "reranking by two classifiers", id="two sources"),
        pytest.param("mine", "team 7", id="a stranger"),
    ],
)
def test_a_reproduction_is_called_by_who_did_what_where(reproduced: Assessment, tag: str, expected: str) -> None:
    first = reproduced.reproductions[0]
    facts = replace(first.runs["baseline"], tag=tag)

    assert outcomes.called(replace(first, name="team 7", runs={"baseline": facts}), "three") == expected


def test_where_nothing_was_reproduced_a_table_has_dashes_only(reproduced: Assessment) -> None:
    silent = replace(reproduced.reproductions[0], name="silent", values=(), answers=())
    _, rows = outcomes.table_2(replace(reproduced, reproductions=(silent,)), "three")

    assert {row[2] for row in rows if row[1]} == {"-"}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(0.00009, "<0.0001", id="tiny"),
        pytest.param(0.0, "<0.0001", id="zero"),
        pytest.param(0.0001, "0.0001", id="smallest"),
        pytest.param(0.25, "0.2500", id="usual"),
        pytest.param(None, "-", id="none"),
    ],
)
def test_a_tiny_probability_is_not_shown_as_zero(value: float | None, expected: str) -> None:
    assert outcomes._probability(value) == expected


# Generalisation --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prefix", "expected"),
    [
        pytest.param(
            outcomes.ORIGINAL,
            {
                "reimplementing": "reimplemented-one.three",
                "reranking ensemble-one.three": "ensemble-one.three",
                "reranking one": "reranked-two.one",
                "reranking reranked-one.three": "reranked-one.three",
                "reranking two": "reranked-one.two",
            },
            id="judgments",
        ),
        pytest.param(
            outcomes.LATER,
            {
                "transferring one": "transferred-two.one",
                "transferring three": "transferred-one.three",
                "transferring two": "transferred-one.two",
            },
            id="pseudo labels",
        ),
    ],
)
def test_each_reproduction_is_found_once_on_each_collection(
    study: Dataset, prefix: str, expected: dict[str, str]
) -> None:
    found = outcomes.generalised(study, prefix)

    assert {one.name: one.runs["baseline"].tag for one in found} == expected
    for one in found:
        target = one.runs["baseline"].tag.rpartition(".")[2]
        assert Path(one.qrels) == study.qrels(target)
        assert ("D" in one.type) is (target != "three")
        assert one.runs["advanced"].tag.partition("-")[0] == one.runs["baseline"].tag.partition("-")[0]
        effect = one.find("er", of="map", run="both")
        assert effect is not None
        assert effect.value == pytest.approx(effect_ratio(study, prefix, one.runs["advanced"].tag, expected[one.name]))


def effect_ratio(study: Dataset, prefix: str, advanced: str, baseline: str) -> float:
    """Return the mean improvement on any collection over that of the original."""
    original = ap_of(study, "three")
    repeated = ap_of(study, baseline.rpartition(".")[2])
    gain = mean(original[f"{prefix}one+two.three"]) - mean(original[f"{prefix}one.three"])
    return (mean(repeated[advanced]) - mean(repeated[baseline])) / gain
