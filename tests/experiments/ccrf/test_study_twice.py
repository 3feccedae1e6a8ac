"""Is the same study the same again, and does each change show as its letter and no other?"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from primad import annotate, compare, evaluate, read_record, read_run
from primad.compute import each
from primad.experiments.ccrf.classifiers import LogisticByHand, logistic_regression
from primad.experiments.ccrf.dataset import Dataset
from primad.experiments.ccrf.feedback import ORIGINAL, Training, reranked
from primad.experiments.ccrf.first_stages import bm25
from primad.experiments.ccrf.fusion import interpolated
from primad.experiments.ccrf.plan import NEGATIVES, RERANKING, WEIGHT, Team
from tests.experiments.ccrf.studies import DEPTH, RUNS, done, ranking_of, small_collections, small_study

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("study")]

MEASURES = ("map", "ndcg", "P_10", "recip_rank", "num_rel_ret")
ONE, TWO, THREE = small_collections()
TRAINING = replace(ORIGINAL, seed=1, negatives=NEGATIVES)
BASE = "reranked-one.three"


@pytest.fixture(scope="module")
def again(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """Return the small study a second time, made by two processes that share nothing with this one."""
    return small_study(tmp_path_factory.mktemp("again"), partial(each, jobs=2))


def by_tag(dataset: Dataset) -> dict[str, Path]:
    """Return the file of each run by its tag."""
    return {one.tag: one.path for one in dataset.kept}


def scores_of(dataset: Dataset, target: str) -> dict[str, Any]:
    """Return by tag what every run on TARGET scores, each topic included."""
    runs = [one.path for one in dataset.kept if one.target == target]
    return {run.tag: (dict(run.topic_scores()), run.summary) for run in evaluate(dataset.qrels(target), runs, MEASURES)}


# Twice -----------------------------------------------------------------------------------------------------------


def test_two_processes_keep_the_same_runs_in_the_same_order(study: Dataset, again: Dataset) -> None:
    def without_folder(dataset: Dataset) -> list[Any]:
        return [replace(one, path=one.path.relative_to(dataset.folder)) for one in dataset.kept]

    assert without_folder(again) == without_folder(study)
    assert {path.relative_to(again.folder) for path in again.folder.rglob("*")} == {
        path.relative_to(study.folder) for path in study.folder.rglob("*")
    }


def test_every_run_is_of_type_primad_the_second_time(study: Dataset, again: Dataset) -> None:
    second = by_tag(again)

    types = {}
    for tag, path in by_tag(study).items():
        (found,) = compare(path, second[tag])
        types[tag] = (str(found.type), found.name, found.only_original, found.only_other)

    assert types == dict.fromkeys(by_tag(study), ("primad", "repeat", (), ()))


def test_every_ranking_is_the_same_byte_for_byte_the_second_time(study: Dataset, again: Dataset) -> None:
    first, second = ({tag: ranking_of(path) for tag, path in by_tag(one).items()} for one in (study, again))

    assert second == first
    assert len(first) == RUNS
    assert all(ranking.count(b"\n") > 10 for ranking in first.values())


def test_every_score_of_every_topic_is_the_same_the_second_time(study: Dataset, again: Dataset) -> None:
    for target in ("one", "two", "three"):
        found = scores_of(study, target)
        assert scores_of(again, target) == found
        assert {len(topics) for topics, _ in found.values()} == {6}


def test_the_second_time_records_differ_in_times_and_memory_only(study: Dataset, again: Dataset) -> None:
    second = by_tag(again)
    for tag, path in by_tag(study).items():
        ours, theirs = read_record(path).tree, read_record(second[tag]).tree
        assert ours.pop("resources").keys() == theirs.pop("resources").keys()
        assert theirs == ours


def test_everything_else_is_the_same_the_second_time(study: Dataset, again: Dataset) -> None:
    for name in ("README.md", "overview.csv", "qrels/one.qrels", "qrels/two.qrels", "qrels/three.qrels"):
        assert (again.folder / name).read_bytes() == (study.folder / name).read_bytes()


# A walk over the letters -----------------------------------------------------------------------------------------


@pytest.fixture
def other(tmp_path: Path, study: Dataset) -> Dataset:
    """Return a dataset of its own for runs that differ from one of the study."""
    return Dataset(tmp_path / "other", study.collections, study.command)


def feedback(
    dataset: Dataset, *, training: Training = TRAINING, weight: float = WEIGHT, team: Team = RERANKING, on: Any = THREE
) -> Path:
    """Do what the second team did for the run of the study that others are compared with."""
    first = bm25(on, DEPTH)
    found = interpolated(reranked([ONE], on, first, training, depth=DEPTH), first, weight)
    return done(dataset, team, BASE, found, on, ONE, names="original-one.three")


def restated(dataset: Dataset, values: dict[str, Any]) -> Path:
    """Repeat the run, and let its record state other VALUES than this machine and the study do."""
    path = feedback(dataset)
    annotate(path, values=values).save(path)
    return path


CHANGES: dict[str, Callable[[Dataset], Path]] = {
    "nothing": feedback,
    "operating system": partial(
        restated, values={"platform.operating system.distribution": "Ubuntu 12.04.5 LTS (Precise Pangolin)"}
    ),
    "library": partial(restated, values={"platform.software.libraries": {"python": ["numpy==1.15.4"]}}),
    "reported measures": partial(restated, values={"research goal.evaluation.reported measures": ["ndcg_cut_10"]}),
    "classifier by hand": partial(feedback, training=replace(TRAINING, classifier=LogisticByHand)),
    "weight": partial(feedback, weight=0.9),
    "strength": partial(feedback, training=replace(TRAINING, classifier=partial(logistic_regression, 0.5))),
    "team": partial(feedback, team=replace(RERANKING, name="another laboratory")),
    "target": partial(feedback, on=TWO),
}


@pytest.mark.parametrize(
    ("change", "type_", "name"),
    [
        pytest.param("nothing", "primad", "repeat", id="nothing"),
        pytest.param("operating system", "Primad", "port", id="platform: operating system"),
        pytest.param("library", "Primad", "port", id="platform: library"),
        pytest.param("reported measures", "pRimad", "re-use", id="research goal: measures"),
        pytest.param("classifier by hand", "prImad", "re-code", id="implementation: classifier"),
        pytest.param("weight", "priMad", "parameter-sweep", id="method: weight"),
        pytest.param("strength", "priMad", "parameter-sweep", id="method: strength"),
        pytest.param("team", "primAd", "independent repeat", id="actor: team"),
        pytest.param("target", "primaD", "generalize", id="data: target"),
    ],
)
def test_one_change_shows_as_its_letter_and_no_other(
    study: Dataset, other: Dataset, change: str, type_: str, name: str
) -> None:
    base = by_tag(study)[BASE]

    (found,) = compare(base, CHANGES[change](other))

    assert (str(found.type), found.name) == (type_, name)
    assert found.unknown == ()


def test_another_venue_is_another_research_goal(study: Dataset, tmp_path: Path) -> None:
    base, moved = (Path(shutil.copy(by_tag(study)[BASE], tmp_path / name)) for name in ("base.run", "moved.run"))
    for path, venue in ((base, "TREC"), (moved, "CLEF")):
        annotate(path, values={"research goal.venue.name": venue}).save(path)

    (found,) = compare(base, moved)

    assert str(found.type) == "pRimad"


@pytest.mark.parametrize(
    ("change", "is_same"),
    [
        pytest.param("nothing", True, id="nothing"),
        pytest.param("operating system", True, id="what is stated only"),
        pytest.param("team", True, id="team"),
        pytest.param("weight", False, id="weight"),
        pytest.param("strength", False, id="strength"),
        pytest.param("target", False, id="target"),
    ],
)
def test_what_was_changed_really_ran(study: Dataset, other: Dataset, change: str, *, is_same: bool) -> None:
    path = CHANGES[change](other)

    assert (ranking_of(path) == ranking_of(by_tag(study)[BASE])) is is_same


def test_the_other_classifier_really_learned_and_gives_nearly_the_same_scores(
    study: Dataset, other: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    learned, fit = [], LogisticByHand.fit

    def noted(classifier: LogisticByHand, vectors: Any, labels: Any, /) -> LogisticByHand:
        learned.append(len(labels))
        return fit(classifier, vectors, labels)

    monkeypatch.setattr(LogisticByHand, "fit", noted)
    path = CHANGES["classifier by hand"](other)

    assert len(learned) == len(THREE.topics) == 6
    assert scores_in(path) == pytest.approx(scores_in(by_tag(study)[BASE]), abs=0.01)


def scores_in(path: Path) -> dict[tuple[str, str], float]:
    """Return the scores of a run by topic and document."""
    return {(topic, name): score for topic, found in read_run(path).to_dict().items() for name, score in found.items()}


def test_the_study_itself_has_runs_that_differ_in_data_or_parameter_alone(study: Dataset) -> None:
    runs = by_tag(study)
    pairs = {
        (BASE, "reranked-one.two"): "primaD",
        ("sweep-one.three-w0.1", "sweep-one.three-w0.9"): "priMad",
        ("transferred-one.two", "transferred-one+three.two"): "primaD",
        ("original-one.three", "reimplemented-one.three"): "prIMAd",
        ("original-one.three", BASE): "priMAd",
    }

    for (one, two), type_ in pairs.items():
        (found,) = compare(runs[one], runs[two])
        assert (two, str(found.type)) == (two, type_)
