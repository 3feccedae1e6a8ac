"""Do the runs of the study state who made them, how, from what, and at which cost?"""

from importlib.metadata import version
from typing import Any

import pytest

from primad import check_file, read_record
from primad.experiments.ccrf.dataset import Dataset
from tests.experiments.ccrf.studies import COMMAND, DEPTH, WEIGHTS, small_collections

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("study")]

# Team, role and the run in the baseline field, by tag.
STATED = {
    "bm25.one": ("keywords", "experimenter", None),
    "rm3.one": ("keywords", "experimenter", ["bm25.one"]),
    "original-one.three": ("original", "experimenter", ["bm25.three"]),
    "original-one+two.three": ("original", "experimenter", ["original-one.three"]),
    "reranked-one.three": ("reranking", "reproducer", ["original-one.three"]),
    "reranked-one+two.three": ("reranking", "reproducer", ["original-one+two.three"]),
    "reranked-two+three.one": ("reranking", "reproducer", ["original-one+two.three"]),
    "sweep-one+two.three-w0.9": ("reranking", "experimenter", ["bm25.three"]),
    "pair-two.three": ("reranking", "experimenter", ["bm25.three"]),
    "ensemble-one.three": ("reranking", "reproducer", ["original-one.three"]),
    "reimplemented-one+two.three": ("reimplementing", "reproducer", ["original-one+two.three"]),
    "pseudo-one.three": ("original", "experimenter", ["bm25.three"]),
    "pseudo-one+two.three": ("original", "experimenter", ["pseudo-one.three"]),
    "transferred-one.two": ("transferring", "reproducer", ["pseudo-one.three"]),
    "transferred-one+three.two": ("transferring", "reproducer", ["pseudo-one+two.three"]),
}

# Behind these a stage names stages that come before it.
REFERENCES = ("reranks", "interpolates", "ensembles", "expands the query of", "fallback")


def records(study: Dataset) -> dict[str, Any]:
    """Return the record of each run by its tag."""
    return {one.tag: read_record(one.path) for one in study.kept}


def test_a_check_finds_nothing_wrong_with_any_run(study: Dataset) -> None:
    assert {one.tag: one.problems for one in study.kept if one.problems} == {}
    assert [one.tag for one in study.kept if not check_file(one.path).is_good] == []


def test_completeness_is_that_of_a_check(study: Dataset) -> None:
    for one in study.kept:
        completeness = check_file(one.path).completeness
        assert completeness is not None
        assert one.complete == completeness.whole.percent > 70


def test_runs_state_team_role_and_what_they_reproduce_or_improve_on(study: Dataset) -> None:
    fields = ("actor.team", "actor.role", "research goal.evaluation.baseline")
    found = records(study)

    assert {tag: tuple(found[tag].get(field) for field in fields) for tag in STATED} == STATED
    assert found["bm25.one"]["actor.name"] == "primad demo, playing the keywords team"


def test_every_run_that_is_named_is_in_the_dataset(study: Dataset) -> None:
    found = records(study)

    named = {tag for one in found.values() for tag in one.get("research goal.evaluation.baseline", [])}
    assert named - found.keys() == set()


def test_the_goal_is_what_is_evaluated_and_how_it_is_tested(study: Dataset) -> None:
    for one in records(study).values():
        evaluation = one["research goal.evaluation"]
        assert evaluation["reported measures"] == ["map"]
        assert evaluation["significance test"] == [{"name": "t-test", "correction method": "holm-bonferroni"}]


def test_test_collection_and_training_data_are_those_that_were_used(study: Dataset) -> None:
    described = {one.name: {"name": one.name, "description": one.description} for one in small_collections()}
    found = records(study)

    for one in study.kept:
        assert found[one.tag]["data.test collection"] == described[one.target]
        assert found[one.tag].get("data.training data", []) == [described[name] for name in one.sources]


def test_the_method_of_every_run_is_complete(study: Dataset) -> None:
    for tag, one in records(study).items():
        stages = one["method.retrieval"]
        names = [stage["name"] for stage in stages]
        assert all(isinstance(stage["method"], str) for stage in stages), tag
        assert len(set(names)) == len(names), tag
        for place, stage in enumerate(stages):
            named = [stage[key] for key in REFERENCES if key in stage]
            flat = {name for value in named for name in ([value] if isinstance(value, str) else value)}
            assert flat <= set(names[:place]), tag
            if "interpolates" in stage:
                assert 0 < stage["weight"] < 1, tag
                assert stage["normalisation"] == "min-max", tag


@pytest.mark.parametrize(
    ("tag", "names", "last"),
    [
        pytest.param("bm25.three", ["bm25"], {"k1": 0.9, "b": 0.4, "depth": DEPTH}, id="keywords"),
        pytest.param("rm3.three", ["bm25", "rm3"], {"expands the query of": "bm25", "fb_docs": 10}, id="expanded"),
        pytest.param("original-one.three", ["lr"], {"C": 10.0, "seed": 1, "depth": DEPTH}, id="original"),
        pytest.param(
            "reranked-one.three",
            ["bm25", "lr reranker", "interpolation"],
            {"interpolates": ["lr reranker", "bm25"], "weight": 0.5},
            id="reranked",
        ),
        pytest.param(
            "sweep-one.three-w0.9",
            ["bm25", "lr reranker", "interpolation"],
            {"interpolates": ["lr reranker", "bm25"], "weight": 0.9},
            id="sweep",
        ),
        pytest.param(
            "pair-two.three",
            ["bm25", "lr reranker", "interpolation"],
            {"interpolates": ["lr reranker", "bm25"], "weight": 0.5},
            id="pair",
        ),
        pytest.param(
            "ensemble-one.three",
            ["bm25", "rm3", "lr+svm reranker lr", "lr+svm reranker svm", "lr+svm reranker", "interpolation"],
            {"interpolates": ["lr+svm reranker", "rm3"], "weight": 0.5},
            id="ensemble",
        ),
        pytest.param(
            "reimplemented-one.three",
            ["lr"],
            {"method": "primad.experiments.ccrf.classifiers.LogisticByHand", "C": 10.0},
            id="reimplemented",
        ),
    ],
)
def test_the_stages_are_those_that_made_the_ranking(
    study: Dataset, tag: str, names: list[str], last: dict[str, Any]
) -> None:
    stages = records(study)[tag]["method.retrieval"]

    assert [stage["name"] for stage in stages] == names
    assert {key: stages[-1][key] for key in last} == last


def test_a_method_says_where_its_labels_come_from(study: Dataset) -> None:
    found = records(study)

    for tag in ("original-one.three", "reimplemented-one.three"):
        assert found[tag]["method.retrieval"][-1]["labels"] == "judgments"
    for tag in ("pseudo-one.three", "transferred-two.one"):
        last = found[tag]["method.retrieval"][-1]
        by = last["pseudo labels"]["by"]
        assert last["labels"] == "the first 10 documents of bm25"
        assert (last["pseudo labels"]["positives"], by["name"], by["depth"]) == (10, "bm25", 10)


@pytest.mark.parametrize(
    ("prefixes", "tokenizer", "stemmer", "stopwords"),
    [
        pytest.param(
            ("bm25.", "rm3.", "reranked-", "sweep-", "pair-", "ensemble-"),
            "bm25s.tokenization.Tokenizer",
            "primad.experiments.ccrf.first_stages.porter",
            "bm25s.stopwords.STOPWORDS_EN",
            id="keyword searches and what reranks them",
        ),
        pytest.param(
            ("original-", "pseudo-"),
            "sklearn.feature_extraction.text.TfidfVectorizer",
            "none",
            "english",
            id="features",
        ),
        pytest.param(
            ("reimplemented-", "transferred-"),
            "primad.experiments.ccrf.features.tfidf_by_hand",
            "none",
            "none",
            id="features by hand",
        ),
    ],
)
def test_how_texts_became_terms_is_stated(
    study: Dataset, prefixes: tuple[str, ...], tokenizer: str, stemmer: str, stopwords: str
) -> None:
    paths = study.runs_of(*prefixes)

    stated = [read_record(path)["method.indexing"] for path in paths]
    assert len(stated) > 3
    for one in stated:
        assert (one["tokenizer"], one["stemmer"], one["stopwords"]) == (tokenizer, stemmer, stopwords)


def test_toolkits_are_stated_with_their_versions(study: Dataset) -> None:
    found = records(study)
    bm25s, learn, scipy = (f"{name}=={version(name)}" for name in ("bm25s", "scikit-learn", "scipy"))

    toolkits = {tag: found[tag]["platform.software.retrieval toolkit"] for tag in STATED}
    assert toolkits["bm25.one"] == [bm25s]
    assert toolkits["original-one.three"] == [learn]
    assert toolkits["reranked-one.three"] == toolkits["ensemble-one.three"] == [bm25s, learn]
    assert toolkits["reimplemented-one+two.three"] == [scipy]
    assert toolkits["transferred-one.two"] == [bm25s, scipy]


def test_the_code_is_the_release_of_primad_and_the_command_that_which_was_given(study: Dataset) -> None:
    for one in records(study).values():
        assert one["implementation.source.release"] == f"primad=={version('primad')}"
        assert one["implementation.source.lang"] == ["python"]
        assert one["implementation.executable.cmd"] == " ".join(COMMAND)


def test_what_the_work_has_cost_is_recorded(study: Dataset) -> None:
    for one in records(study).values():
        assert one["resources.exit status"] == 0
        assert one["resources.runtime.start time"] < one["resources.runtime.stop time"]
        assert set(one["resources.runtime"]) == {"start time", "stop time", "wallclock", "user", "system"}
        assert float(one["resources.ram.peak"].partition(" ")[0]) > 0


def test_runs_of_one_piece_of_work_share_its_cost(study: Dataset) -> None:
    found = records(study)

    spans = {found[f"sweep-one.three-w{weight}"]["resources.runtime.start time"] for weight in WEIGHTS}
    assert spans == {found["reranked-one.three"]["resources.runtime.start time"]}


def test_no_record_names_the_folder_it_is_kept_in(study: Dataset) -> None:
    inside = [one.tag for one in study.kept if str(study.folder).encode() in one.path.read_bytes()]

    assert inside == []
