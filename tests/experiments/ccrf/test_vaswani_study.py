"""Does the study's sweep have the paper's shape on a real collection, recorded as the study records it?"""

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from scipy.stats import ttest_rel

from primad import Assessment, assess, check_file, evaluate, read_record
from primad.experiments.ccrf import outcomes
from primad.experiments.ccrf.collection import Collection, parts
from primad.experiments.ccrf.dataset import Dataset
from primad.experiments.ccrf.feedback import ORIGINAL, reranked
from primad.experiments.ccrf.first_stages import bm25
from primad.experiments.ccrf.fusion import interpolated
from primad.experiments.ccrf.plan import KEYWORDS, NEGATIVES, TUNING, WEIGHT, Made, Work
from primad.experiments.ccrf.trec_folder import read_collection
from primad.reproducibility.assessment.result import SweepLine

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("vaswani")]

# The first is a keyword search alone, the last a classifier alone; WEIGHT stands between them, fixed beforehand.
WEIGHTS = (0.0, 0.2, 0.4, WEIGHT, 0.6, 0.8, 1.0)

each_half = pytest.mark.parametrize(
    ("source", "target"),
    [
        pytest.param("vaswani-1", "vaswani-2", id="to the odd half"),
        pytest.param("vaswani-2", "vaswani-1", id="to the even half"),
    ],
)


@pytest.fixture(scope="module")
def dataset(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """Return the sweep from each half of a real collection to the other, and the keyword searches."""
    even, odd = parts(read_collection(shared_data / "vaswani"), 2)
    made = Dataset(tmp_path_factory.mktemp("vaswani"), (even, odd))
    for source, target in ((even, odd), (odd, even)):
        made.add(Work("weights to try", (source,), target, partial(tried, source, target)))
    return made


def tried(source: Collection, target: Collection) -> list[Made]:
    """Do what the second team does of the study, for all weights."""
    first = bm25(target)
    upper = reranked([source], target, first, replace(ORIGINAL, negatives=NEGATIVES))
    keywords = Made(KEYWORDS, f"bm25.{target.name}", first)
    mixed = [
        Made(TUNING, f"sweep-{source.name}.{target.name}-w{one:g}", interpolated(upper, first, one), keywords.tag)
        for one in WEIGHTS
    ]
    return [keywords, *mixed]


@pytest.fixture(scope="module")
def swept(dataset: Dataset) -> Assessment:
    """Return the sweep as the study finds it."""
    return outcomes.swept(dataset)


def line_of(swept: Assessment, source: str, target: str) -> SweepLine:
    """Return the line of the sweep from SOURCE to TARGET."""
    assert swept.sweep is not None
    (line,) = [line for line in swept.sweep.lines if line.name == f"{source} → {target}"]
    return line


def run_of(dataset: Dataset, tag: str) -> Path:
    """Return the run with this TAG."""
    (path,) = [one.path for one in dataset.kept if one.tag == tag]
    return path


def test_the_runs_are_one_sweep_with_a_line_for_each_half(swept: Assessment) -> None:
    assert swept.sweep is not None
    assert swept.sweep.field == "method.retrieval[2].weight"
    assert [line.name for line in swept.sweep.lines] == ["vaswani-1 → vaswani-2", "vaswani-2 → vaswani-1"]
    assert [tuple(point.parameter for point in line.points) for line in swept.sweep.lines] == [WEIGHTS, WEIGHTS]
    assert swept.sweep.left_out == ()


@each_half
def test_interpolation_is_far_above_bm25_and_the_best_of_the_sweep_lies_inside(
    dataset: Dataset, swept: Assessment, source: str, target: str
) -> None:
    ap = {point.parameter: point.scores["map"] for point in line_of(swept, source, target).points}
    (keywords,) = evaluate(dataset.qrels(target), run_of(dataset, f"bm25.{target}"), ["map"])

    assert ap[0.0] == pytest.approx(keywords.summary["map"], abs=1e-4)
    assert 0.30 <= ap[0.0] <= 0.32
    assert 0.26 <= ap[1.0] <= 0.31
    assert ap[WEIGHT] >= ap[0.0] + 0.05
    assert 0.36 <= ap[WEIGHT] <= 0.40
    best = max(ap, key=lambda weight: ap[weight])
    assert 0.2 < best < 0.8
    # It goes up to the best weight, and down from there.
    assert [ap[one] for one in WEIGHTS if one <= best] == sorted(ap[one] for one in WEIGHTS if one <= best)
    assert [ap[one] for one in WEIGHTS if one >= best] == sorted(ap[one] for one in WEIGHTS if one >= best)[::-1]


def test_scores_are_those_that_were_measured(swept: Assessment) -> None:
    assert swept.sweep is not None
    found = {line.name: [point.scores["map"] for point in line.points] for line in swept.sweep.lines}

    expected = {
        "vaswani-1 → vaswani-2": [0.3026, 0.3388, 0.3698, 0.3715, 0.3674, 0.3256, 0.2793],
        "vaswani-2 → vaswani-1": [0.3198, 0.3623, 0.3986, 0.3963, 0.3804, 0.3492, 0.3033],
    }
    assert found.keys() == expected.keys()
    for name, scores in expected.items():
        assert found[name] == pytest.approx(scores, abs=0.001)
    assert outcomes.best_of_sweep(swept) == "weights of 0.4 to 0.5 are best"


@each_half
def test_the_difference_to_bm25_is_significant_at_the_weight_that_the_sweep_did_not_choose(
    dataset: Dataset, source: str, target: str
) -> None:
    keywords, mixed = run_of(dataset, f"bm25.{target}"), run_of(dataset, f"sweep-{source}.{target}-w{WEIGHT:g}")

    (found,) = assess(keywords, {"feedback": mixed}, dataset.qrels(target), measures=["map"], intervals=False)

    p = found.find("p", of="map")
    assert p is not None
    assert p.value is not None
    assert p.value < 0.0001
    scored = evaluate(dataset.qrels(target), [keywords, mixed], ["map"])
    assert p.value == pytest.approx(ttest_rel(*(run.scores["map"] for run in scored)).pvalue)


def test_every_run_passes_a_check(dataset: Dataset) -> None:
    assert len(dataset.kept) == 2 * (1 + len(WEIGHTS))
    assert [one.tag for one in dataset.kept if one.problems or not check_file(one.path).is_good] == []


@each_half
@pytest.mark.parametrize("weight", WEIGHTS)
def test_every_run_of_the_sweep_states_a_complete_method(
    dataset: Dataset, source: str, target: str, weight: float
) -> None:
    record = read_record(run_of(dataset, f"sweep-{source}.{target}-w{weight:g}"))

    keywords, reranker, mixture = record["method.retrieval"]
    assert (keywords["name"], keywords["method"], keywords["k1"], keywords["b"]) == ("bm25", "bm25s.BM25", 0.9, 0.4)
    assert (reranker["name"], reranker["reranks"]) == ("lr reranker", "bm25")
    assert (reranker["method"], reranker["C"]) == ("sklearn.linear_model.LogisticRegression", 10.0)
    assert reranker["features"]["method"] == "sklearn.feature_extraction.text.TfidfVectorizer"
    assert reranker["negatives where none are judged"] == NEGATIVES
    assert mixture["interpolates"] == ["lr reranker", "bm25"]
    assert (mixture["weight"], mixture["normalisation"]) == (weight, "min-max")
    assert record["method.indexing.stemmer"] == "primad.experiments.ccrf.first_stages.porter"
    assert (record["method.automatic"], record["research goal.evaluation.baseline"]) == (True, [f"bm25.{target}"])
    assert record["data.test collection.name"] == target
    assert [one["name"] for one in record["data.training data"]] == [source]


def test_a_half_says_which_topics_have_no_relevant_document(dataset: Dataset) -> None:
    record = read_record(run_of(dataset, "bm25.vaswani-2"))

    assert record["data.test collection.description"] == (
        "documents of vaswani whose id has an md5 of 1 modulo 2; without a relevant document: 8, 50"
    )
