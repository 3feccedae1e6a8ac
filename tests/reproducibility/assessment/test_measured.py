"""Is a run read, scored and described once, and are the right qrels found for it?"""

from pathlib import Path
from typing import Any

import pytest

from primad import Rules, Run, annotate
from primad.errors import PairingError, TopicError
from primad.evaluation import to_run
from primad.reproducibility.assessment import measured as module
from primad.reproducibility.assessment.inputs import Given
from primad.reproducibility.assessment.measured import MeasuredRun, Measurer, Side, measured_side
from primad.reproducibility.assessment.result import ROLES, RunFacts
from primad.reproducibility.assessment.settings import Settings

QRELS = {"1": {"a": 1, "b": 0}, "2": {"a": 1}, "3": {"c": 1}}
RUN = {"1": {"b": 2.0, "a": 1.0}, "2": {"a": 1.0}, "9": {"a": 1.0}}
LINES = b"1 Q0 b 1 2 column\n1 Q0 a 2 1 column\n2 Q0 a 1 1 column\n"
BROKEN = b"# ir_metadata.start\n# tag: [unclosed\n# ir_metadata.end\n"


def measured(run: Any, qrels: Any = QRELS, **settings: Any) -> MeasuredRun:
    """Return RUN, measured by map."""
    return Measurer(qrels, Settings(measures=("map",), **settings)).measure(run)


def test_a_run_is_scored_on_the_topics_that_are_judged() -> None:
    assert measured(RUN).scores.by_topic(0) == {"1": 0.5, "2": 1.0}


def test_topics_left_out_are_stated_with_the_rule() -> None:
    assert measured(RUN).remarks == (
        "run: 1 judged topic not in the run, left out (-c counts them as 0): 3",
        "run: 1 topic without judgments, compared in their order only: 9",
    )


def test_by_the_complete_rule_topics_that_the_run_lacks_count_as_0() -> None:
    run = measured(RUN, rules=Rules(complete=True))

    assert run.scores.by_topic(0) == {"1": 0.5, "2": 1.0, "3": 0.0}
    assert run.remarks[0] == "run: 1 judged topic not in the run, counted as 0 (-c): 3"


def test_by_the_rules_of_trec_eval_10_a_missing_topic_is_an_error() -> None:
    with pytest.raises(TopicError, match="found 1 of them missing"):
        measured(RUN, rules=Rules(compat=10))


def test_a_run_of_other_topics_only_is_an_error() -> None:
    with pytest.raises(TopicError, match="expected topics of the qrels"):
        measured({"77": {"a": 1}})


STRANGE = {"1": {"x": 1.0}, "2": {"y": 1.0}, "3": {"z": 1.0}}
UNSCORED = "qrels judges none of the documents at the top of the run; is it of another collection?"


def test_a_run_of_which_nothing_is_judged_is_unscored_with_the_reason() -> None:
    run = measured(STRANGE)

    assert run.unscored == UNSCORED
    assert run.remarks == ()


def test_a_run_that_is_unscored_keeps_its_order() -> None:
    rankings = measured(STRANGE).rankings

    assert rankings is not None
    assert rankings.topics == ("1", "2", "3")


def test_the_qrels_that_judge_nothing_are_named_by_their_file(tmp_path: Path) -> None:
    path = tmp_path / "other.qrels"
    path.write_text("1 0 a 1\n")

    assert measured({"1": {"x": 1}}, path).unscored.startswith(f"{path} judges none of the documents")


@pytest.mark.parametrize(
    "run",
    [
        pytest.param(STRANGE | {"1": {"b": 1.0}}, id="a document that is not relevant"),
        pytest.param(STRANGE | {"1": {"x": 1.0, "a": 0.5}}, id="a document that is relevant"),
        pytest.param(
            {"1": {f"x{rank:02}": 100.0 - rank for rank in range(20)} | {"a": 1.0}}, id="a relevant one far down"
        ),
    ],
)
def test_one_judged_document_is_enough_to_be_scored(run: Any) -> None:
    assert measured(run).unscored == ""


def test_judged_documents_without_relevance_below_the_top_ten_are_not_seen() -> None:
    deep = {f"x{rank:02}": 100.0 - rank for rank in range(9)}

    assert measured({"1": deep | {"b": 1.0}}).unscored == ""
    assert measured({"1": deep | {"x99": 2.0, "b": 1.0}}).unscored == UNSCORED


def test_rankings_are_those_of_all_topics_cut_at_the_depth() -> None:
    rankings = measured({"1": {"a": 3, "b": 2, "c": 1}, "2": {"a": 1}, "9": {"z": 2, "y": 1}}, depth=2).rankings

    assert rankings is not None
    assert (rankings.topics, rankings.lengths.tolist()) == (("1", "2", "9"), [2, 1, 2])


@pytest.mark.parametrize(("compat", "score"), [pytest.param(9, 0.5, id="9"), pytest.param(10, 1.0, id="10")])
def test_scores_that_are_equal_as_32_bit_numbers_are_ties_by_the_rules_of_trec_eval_9(
    compat: int, score: float
) -> None:
    run = {"1": {"a": 1.00000000001, "b": 1.0}}

    found = measured(run, {"1": {"a": 1, "b": 0}}, rules=Rules(compat=compat))

    assert found.scores.by_topic(0) == {"1": score}


# What a run says about itself ----------------------------------------------------------------------------------


def test_a_file_is_known_by_its_path_and_the_tag_in_its_last_column(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_bytes(LINES)

    assert measured(path).facts == RunFacts(path=str(path), tag="column", topics=2, is_file=True)


def test_the_tag_of_the_record_is_the_one_that_counts(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    annotate(LINES, values={"tag": "mine", "actor.team": "us"}).save(path)

    run = measured(path)

    assert run.facts.tag == "mine"
    assert run.record is not None
    assert run.record["actor.team"] == "us"


def test_a_record_beside_the_file_counts_as_well(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_bytes(LINES)
    (tmp_path / "a.run.yaml").write_text("tag: beside\n")

    assert measured(path).facts.tag == "beside"


def test_a_header_that_cannot_be_read_is_said_and_the_ranking_is_used_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_bytes(BROKEN + LINES)

    run = measured(path)

    assert run.record is None
    assert run.scores.by_topic(0) == {"1": 0.5, "2": 1.0}
    assert run.remarks[-1].startswith(f"metadata not used: {path}:3: expected YAML")


def test_a_run_in_memory_says_what_its_header_says() -> None:
    header = annotate(LINES, values={"tag": "mine"}).data.removesuffix(LINES).decode()
    run = Run.from_dict({"1": {"a": 1}}, tag="column", header=header)

    assert measured(run).facts == RunFacts(path="column", tag="mine", topics=1)


def test_a_run_in_memory_without_a_tag_is_called_run() -> None:
    assert measured({"1": {"a": 1}}).facts == RunFacts(path="run", tag="", topics=1)


def test_an_experiment_is_described_by_the_first_of_its_runs_that_says_something() -> None:
    silent, speaking = measured(RUN), measured(annotate(LINES, values={"actor.team": "us"}).data)
    side = Side(name="mine", runs={"baseline": silent, "advanced": speaking})

    assert side.record is speaking.record
    assert Side(name="mine", runs={"baseline": silent}).record is None
    assert side.as_experiment().runs == {"baseline": silent.facts, "advanced": speaking.facts}


def test_a_measured_experiment_keeps_name_reason_and_qrels(tmp_path: Path) -> None:
    path = tmp_path / "qrels"
    path.write_text("1 0 a 1\n")
    measurer = Measurer(path, Settings(measures=("map",)))

    side = measurer.side(Given("mine", {"baseline": RUN}, why="it says so"))

    assert (side.name, side.why, side.qrels_name) == ("mine", "it says so", str(path))
    assert side.qrels is measurer.qrels
    assert list(side.runs) == ["baseline"]


# Which qrels belong to a run -----------------------------------------------------------------------------------


def measurers(*qrels: dict[str, dict[str, int]]) -> list[Measurer]:
    """Return a measurer for each of QRELS, called by its place."""
    made = [Measurer(each, Settings(measures=("map",))) for each in qrels]
    for place, measurer in enumerate(made):
        measurer.name = f"qrels {place}"
    return made


ONE, OTHER = {"1": {"a": 1, "b": 0}}, {"1": {"x": 1, "y": 0}}


def qrels_of(several: list[Measurer], *runs: Any) -> str:
    """Return by which qrels the experiment of RUNS, called mine, is measured."""
    side = measured_side(several, Given("mine", dict(zip(ROLES, runs, strict=False))))
    assert side.qrels in [measurer.qrels for measurer in several if measurer.name == side.qrels_name]
    return side.qrels_name


def test_one_set_of_qrels_is_taken_even_where_it_judges_nothing() -> None:
    assert qrels_of(measurers(ONE), {"1": {"z": 1}}) == "qrels 0"


def test_the_experiment_is_measured_by_the_qrels_that_were_chosen() -> None:
    run, other = {"1": {"y": 2, "x": 1}}, {"1": {"x": 2, "y": 1}}

    side = measured_side(measurers(ONE, OTHER), Given("mine", {"baseline": run, "advanced": other}, why="it says so"))

    assert {role: one.scores.by_topic(0) for role, one in side.runs.items()} == {
        "baseline": {"1": 0.5},
        "advanced": {"1": 1.0},
    }
    assert (side.name, side.why) == ("mine", "it says so")


@pytest.mark.parametrize("qrels", [pytest.param([ONE], id="one"), pytest.param([ONE, OTHER], id="several")])
def test_each_run_is_read_once_however_many_qrels_there_are(
    qrels: list[dict[str, dict[str, int]]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [tmp_path / name for name in ("base.run", "adv.run")]
    for path in paths:
        path.write_bytes(LINES)
    read: list[Any] = []

    def counted(thing: Any) -> Run:
        read.append(thing)
        return to_run(thing)

    monkeypatch.setattr(module, "to_run", counted)

    assert qrels_of(measurers(*qrels), *paths) == "qrels 0"
    assert read == paths


@pytest.mark.parametrize(
    ("run", "place"),
    [
        pytest.param({"1": {"a": 3, "b": 2}}, 0, id="first"),
        pytest.param({"1": {"x": 3, "b": 2, "y": 1}}, 1, id="second, by more documents"),
    ],
)
def test_of_several_qrels_those_that_judge_what_was_retrieved_are_taken(
    run: dict[str, dict[str, float]], place: int
) -> None:
    assert qrels_of(measurers(ONE, OTHER), run) == f"qrels {place}"


def test_only_the_top_ten_documents_are_looked_at() -> None:
    deep = {"1": {f"x{rank:02}": 100 - rank for rank in range(10)} | {"a": 1, "b": 0}}

    assert qrels_of(measurers(ONE, {"1": {"x00": 1}}), deep) == "qrels 1"


@pytest.mark.parametrize(
    ("run", "message"),
    [
        pytest.param(
            {"1": {"z": 1}}, "mine: none of the qrels judges the documents at the top of its run", id="no document"
        ),
        pytest.param(
            {"1": {"a": 2, "x": 1}},
            "mine: several qrels judge equally many of the documents at the top of its run",
            id="equally many",
        ),
    ],
)
def test_qrels_that_cannot_be_told_apart_are_an_error_with_the_candidates(
    run: dict[str, dict[str, float]], message: str
) -> None:
    with pytest.raises(PairingError) as caught:
        measured_side(measurers(ONE, OTHER), Given("mine", {"baseline": run}))

    assert (caught.value.problem, caught.value.candidates) == (message, ["qrels 0", "qrels 1"])
