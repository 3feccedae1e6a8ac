"""Is the study kept so that others can use its runs without it?"""

import csv
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from primad import check_file, read_qrels, read_record, read_run
from primad.experiments.ccrf.collection import Collection, CollectionError
from primad.experiments.ccrf.dataset import HEAD, Dataset
from primad.experiments.ccrf.first_stages import bm25
from primad.experiments.ccrf.fusion import Retrieved
from primad.experiments.ccrf.plan import KEYWORDS, RERANKING, Made, Work, plan
from tests.cli.running import primad
from tests.experiments.ccrf.studies import DEPTH, NAMES, RUNS, WEIGHTS, done, small_collections

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("study")]

FOUND = Retrieved({"1": {"d1": 2.0, "d2": 1.0}}, [{"name": "bm25", "method": "bm25s.BM25"}])
TINY = Collection("tiny", {"d1": "red rose", "d2": "rose"}, {"1": "rose"}, {"1": {"d1": 1}}, "two documents")


def empty(folder: Path) -> Dataset:
    """Return a dataset of a tiny collection, without a run."""
    return Dataset(folder, [TINY])


# Files -----------------------------------------------------------------------------------------------------------


def test_every_run_lies_below_its_target_and_its_team(study: Dataset) -> None:
    files = [path for path in study.runs.rglob("*") if path.is_file()]

    assert sorted(files) == sorted(one.path for one in study.kept)
    assert Counter(path.parent.relative_to(study.runs).as_posix() for path in files) == {
        **{f"{name}/{team}": 2 for name in NAMES for team in ("keywords", "reranking", "transferring")},
        "three/original": 4,
        "three/reranking": 4,
        "three/reranking-sweep": 2 * len(WEIGHTS),
        **{f"{name}/reranking-pairs": 1 for name in NAMES},
        "three/reimplementing": 2,
    }


def test_the_folder_holds_runs_metadata_judgments_an_overview_and_what_a_reader_should_know(study: Dataset) -> None:
    assert {path.name for path in study.folder.iterdir()} == {"runs", "metadata", "qrels", "overview.csv", "README.md"}


def test_a_file_is_named_by_the_tag_of_its_run(study: Dataset) -> None:
    for one in study.kept:
        assert one.path.name == f"{one.tag}.run"
        assert read_run(one.path).tag == read_record(one.path).tag == one.tag


def test_the_record_beside_a_run_is_that_of_its_header(study: Dataset) -> None:
    beside = {path.relative_to(study.folder / "metadata").with_suffix(""): path for path in study.folder.rglob("*.yml")}
    runs = {one.path.relative_to(study.runs).with_suffix(""): one.path for one in study.kept}

    assert beside.keys() == runs.keys()
    for name, path in runs.items():
        assert read_record(beside[name]).tree == read_record(path).tree


def test_the_judgments_are_those_of_the_collections(study: Dataset) -> None:
    assert [path.name for path in study.all_qrels()] == ["one.qrels", "two.qrels", "three.qrels"]
    for one, path in zip(small_collections(), study.all_qrels(), strict=True):
        assert read_qrels(path).to_dict() == one.qrels


def test_the_ranking_in_the_file_is_what_was_retrieved(tmp_path: Path) -> None:
    target = small_collections()[2]
    found = bm25(target, DEPTH)

    path = done(Dataset(tmp_path, [target]), KEYWORDS, "mine", found, target)

    assert read_run(path).to_dict() == found.ranking


def test_what_there_is_not_is_not_stated(tmp_path: Path) -> None:
    path = done(empty(tmp_path), KEYWORDS, "mine", FOUND, replace(TINY, description=""))

    record = read_record(path)
    assert record.get("research goal.evaluation.baseline") is None
    assert record["data"] == {"test collection": {"name": "tiny"}}
    assert record.get("method.indexing") is None


# Overview --------------------------------------------------------------------------------------------------------


def test_the_overview_has_a_row_for_each_team_and_method_as_in_table_1(study: Dataset) -> None:
    with (study.folder / "overview.csv").open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)

    assert head == list(HEAD) == ["Researchers", "As in the literature", "Method", "Target collections", "Runs"]
    assert rows == [
        ["keywords", "-", "keyword search", "one, two, three", "6"],
        ["original", "Grossman and Cormack 2017", "feedback from judgments", "three", "2"],
        ["reranking", "Yu, Xie and Lin 2019", "feedback from judgments", "one, two, three", "17"],
        ["reimplementing", "Breuer et al. 2020", "feedback from judgments", "three", "2"],
        ["original", "Grossman and Cormack 2018", "feedback from pseudo-labelled texts", "three", "2"],
        ["transferring", "Breuer, Pest and Schaer 2021", "feedback from pseudo-labelled texts", "one, two, three", "6"],
    ]
    assert [tuple(row) for row in rows] == study.overview()


def test_the_runs_of_the_overview_are_all_runs(study: Dataset) -> None:
    assert sum(int(row[-1]) for row in study.overview()) == len(study.kept) == RUNS


def test_the_readme_tells_what_there_is(study: Dataset) -> None:
    text = (study.folder / "README.md").read_text(encoding="utf-8")

    assert f"holds {RUNS} runs" in text
    for one in small_collections():
        assert f"- {one.name}: {one.description}\n" in text
    assert "All teams were played by one program on one machine" in text
    assert "made together, as those of a sweep, each state the time and memory of all of them." in text


def test_the_commands_in_the_readme_work_in_the_folder(study: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(study.folder)
    text = Path("README.md").read_text(encoding="utf-8")
    commands = [part for part in text.split("`") if part.startswith("primad ")]

    outcomes = {command: primad(*_as_a_shell_would(command)) for command in commands}

    assert list(outcomes) == [
        "primad compare runs",
        "primad check runs",
        "primad evaluate qrels/three.qrels runs/three/*/*.run",
    ]
    assert {command: outcome.code for command, outcome in outcomes.items()} == dict.fromkeys(commands, 0)


def _as_a_shell_would(command: str) -> list[str]:
    """Return the arguments of COMMAND, patterns replaced by the files that fit."""
    words = command.split()[1:]
    return [str(path) for word in words for path in (sorted(Path().glob(word)) if "*" in word else [word])]


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_dataset_of_few_collections_can_be_closed(tmp_path: Path, number: int) -> None:
    collections = [replace(TINY, name=f"c{place}", description="") for place in range(number)]
    dataset = Dataset(tmp_path, collections)

    dataset.close()

    text = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert f"primad evaluate qrels/c{number - 1}.qrels" in text
    assert "- c0: no description\n" in text
    assert (tmp_path / "overview.csv").read_text(encoding="utf-8") == ",".join(HEAD) + "\n"


# Finding runs again ----------------------------------------------------------------------------------------------


def test_runs_are_found_by_the_beginning_of_their_tag_and_by_their_target(study: Dataset) -> None:
    assert [path.stem for path in study.runs_of("bm25.")] == ["bm25.one", "bm25.two", "bm25.three"]
    assert [path.stem for path in study.runs_of("bm25.", "rm3.", target="two")] == ["bm25.two", "rm3.two"]
    assert study.runs_of("no such") == []
    assert [path.stem for path in study.runs_of("pair-")] == ["pair-three.one", "pair-three.two", "pair-two.three"]
    assert len(study.sweep) == 2 * len(WEIGHTS)
    assert study.original("original-") == ["original-one.three", "original-one+two.three"]
    assert study.original("pseudo-") == ["pseudo-one.three", "pseudo-one+two.three"]
    assert study.target == "three"


def test_a_pair_is_called_by_its_sources_and_its_target(study: Dataset) -> None:
    pairs = {one.tag: one.pair for one in study.kept}

    assert pairs["reranked-two+three.one"] == "two+three → one"
    assert pairs["original-one.three"] == "one → three"


# What a reader of a run should know ------------------------------------------------------------------------------


def test_what_is_remarked_about_a_ranking_is_kept(tmp_path: Path) -> None:
    dataset = empty(tmp_path)
    remarks = ("topic 1 was guessed", "so was topic 2")

    done(dataset, KEYWORDS, "mine", replace(FOUND, remarks=remarks), TINY)
    done(dataset, KEYWORDS, "other", FOUND, TINY)

    assert [one.remarks for one in dataset.kept] == [remarks, ()]


def test_a_topic_that_nothing_is_learned_about_is_remarked_for_the_runs_that_it_concerns(tmp_path: Path) -> None:
    first, *others = small_collections()
    silent = replace(first, qrels={topic: grades for topic, grades in first.qrels.items() if topic != "303"})
    collections = [silent, *others]
    dataset = Dataset(tmp_path, collections)

    for work in plan(collections, weights=(), depth=DEPTH, whole=False):
        if work.target.name == "three" and work.title.startswith("keyword"):
            dataset.add(work)

    # A second source tells about the topic what the first does not.
    said = ("nothing to learn from, so the ranking of the first stage is kept: topic 303",)
    assert {one.tag: one.remarks for one in dataset.kept if one.remarks} == {"reranked-one.three": said}
    assert len(dataset.kept) == 5


# In which order --------------------------------------------------------------------------------------------------


def backwards(function: Callable[[Any], Any], things: Iterable[Any]) -> Iterable[Any]:
    """Do the last thing first."""
    return [function(thing) for thing in reversed(list(things))]


def test_runs_are_kept_in_the_order_of_the_plan_whichever_was_done_first(tmp_path: Path) -> None:
    collections = small_collections()
    works = [one for one in plan(collections, weights=(), depth=DEPTH) if one.title == "the whole collection ranked"]
    dataset = Dataset(tmp_path, collections)

    yielded = list(dataset.add_all(works, backwards))

    assert [one.tag for kept in yielded for one in kept] == ["original-one+two.three", "original-one.three"]
    # The baseline comes first: this is what an assessment is told to be the original.
    assert dataset.original("original-") == ["original-one.three", "original-one+two.three"]


# How collections are called --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        pytest.param("beir/scifact", "'beir/scifact'", id="a folder in it"),
        pytest.param("../x", "'../x'", id="a way out of the dataset"),
        pytest.param("..", "'..'", id="the folder above"),
        pytest.param(".hidden", "'.hidden'", id="a dot first"),
        pytest.param("-rf", "'-rf'", id="an option"),
        pytest.param("a b", "'a b'", id="a blank"),
        pytest.param("a+b", "'a+b'", id="what stands between two sources"),
        pytest.param("", "''", id="nothing"),
        pytest.param("a\n", r"'a\n'", id="an end of line"),
        pytest.param("a\x1b[31m", r"'a\x1b[31m'", id="what colours a terminal"),
        pytest.param("a\udcff", r"'a\udcff'", id="a byte that is no text"),
        pytest.param("x" * 61, f"'{'x' * 60}'…", id="too long"),
        pytest.param("x" * 10_000, f"'{'x' * 60}'…", id="much too long"),
        pytest.param("日" * 21, f"'{'日' * 21}'", id="too many bytes"),
    ],
)
def test_names_that_cannot_be_part_of_the_name_of_a_file_are_refused(tmp_path: Path, name: str, shown: str) -> None:
    folder = tmp_path / "dataset"

    with pytest.raises(CollectionError) as caught:
        Dataset(folder, [TINY, replace(TINY, name=name)])

    assert str(caught.value) == (
        "expected names of collections of letters, digits, underscores, dots and dashes, the first neither a dot nor a "
        f"dash, in at most 60 bytes, found {shown}; give the collection another name"
    )
    assert not folder.exists()


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("a", id="one letter"),
        pytest.param("2017", id="digits"),
        pytest.param("core_17.v2-1", id="signs"),
        pytest.param("x" * 60, id="as long as can be"),
        pytest.param("日" * 20, id="as many bytes as can be"),
    ],
)
def test_runs_of_collections_with_any_other_name_can_be_kept(tmp_path: Path, name: str) -> None:
    one = replace(TINY, name=name)
    dataset = Dataset(tmp_path, [one])

    # The longest tag of the study, as if all three collections had names of this length.
    path = done(dataset, KEYWORDS, f"reimplemented-{name}+{name}.{name}", FOUND, one, one)

    assert read_run(path).tag == path.stem == f"reimplemented-{name}+{name}.{name}"
    assert dataset.qrels(name).name == f"{name}.qrels"
    assert dataset.kept[0].pair == f"{name} → {name}"


# What goes wrong -------------------------------------------------------------------------------------------------


def test_work_that_fails_leaves_no_run_and_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing() -> list[Made]:
        raise CollectionError("there is nothing to search")

    monkeypatch.chdir(tmp_path)
    dataset = empty(tmp_path / "dataset")

    with pytest.raises(CollectionError, match="there is nothing to search"):
        dataset.add(Work("failing", (), TINY, failing))

    assert dataset.kept == []
    assert not list((tmp_path / "dataset").rglob("*.run"))


def test_a_run_with_a_problem_says_so(tmp_path: Path) -> None:
    nameless = replace(RERANKING, name="")

    (kept,) = empty(tmp_path).add(Work("w", (), TINY, lambda: [Made(nameless, "mine", FOUND)]))

    assert kept.problems == tuple(str(one) for one in check_file(kept.path).findings if one.severity == "error")
    assert kept.problems
