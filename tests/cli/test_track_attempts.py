"""Is what an analyst does written down: attempts by hand and by replay, what came of them, and how repeatable it is?"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from primad.track.track import Track
from tests.cli import track_folders
from tests.cli.running import Outcome, primad
from tests.track import small


@pytest.fixture
def ready(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    for place in track_folders.worked_in(track_folders.ready(tmp_path_factory), tmp_path, monkeypatch):
        (place / "output.tsv").write_bytes(small.OUTPUT)
        (place / "worse.tsv").write_bytes(small.WORSE)
        yield place


@pytest.fixture
def tried(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    yield from track_folders.worked_in(track_folders.tried(tmp_path_factory), tmp_path, monkeypatch)


def track(*arguments: object, stdin: bytes = b"") -> Outcome:
    return primad("track", *arguments, stdin=stdin)


def attempt(number: int) -> Any:
    """Return what is known of an attempt."""
    return json.loads(track("show", number, "--format", "json").out)["attempt"]


# By hand ---------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("ready")
def test_an_attempt_is_timed_and_its_output_judged() -> None:
    started = track("attempt", "start", "ann", "alpha/run1", "--at", "2016-05-01T10:00")
    assert (started.code, started.out) == (0, "1\n")
    assert "attempt 1 (ann on alpha/run1) has begun" in started.err
    assert track("attempt", "pause", 1, "--at", "2016-05-01T10:10").code == 0
    assert track("attempt", "resume", 1, "--stage", "run", "--at", "2016-05-01T12:10+02:00").code == 0

    ended = track(
        *("attempt", "stop", 1, "succeeded", "--output", "worse.tsv", "--run-minutes", 2, "--at", "2016-05-01T10:35Z")
    )

    assert ended.code == 0
    assert "human time  35.0 min\nrun time    2.0 min\noutput      worse.tsv (" in ended.out
    assert "f1 is 0.6000 where 0.8000 was submitted, 0.2000 lower" in " ".join(ended.out.split())
    assert ended.err == "primad: next: primad track sheet ann alpha/run1\n"
    spans = [(one["stage"], one["started_at"]) for one in attempt(1)["spans"]]
    assert spans == [("prerequisites", "2016-05-01T10:00:00+00:00"), ("run", "2016-05-01T10:10:00+00:00")]


def test_an_output_that_the_scorer_cannot_read_is_taken_only_if_it_is_said_to_be_so(ready: Path) -> None:
    (ready / "broken.tsv").write_text("no columns here\n")
    track("attempt", "start", "ann", "alpha/run1")

    refused = track("attempt", "stop", 1, "succeeded", "--output", "broken.tsv")
    taken = track("attempt", "stop", 1, "succeeded", "--output", "broken.tsv", "--unreadable")

    assert refused.code == 1
    assert "broken.tsv:1: expected" in refused.err
    assert refused.err.endswith("if that is what the system gave, end it with --unreadable\n")
    assert taken.code == 0, taken.err
    assert attempt(1)["row"]["agreement"] == "the scorer failed"


@pytest.mark.usefixtures("ready")
def test_a_question_can_be_written_down_later_with_its_time() -> None:
    track("attempt", "start", "ann", "alpha/run1", "--at", "2016-05-01T10:00")

    asked = track("attempt", "log", 1, "Which Java?", "--question", "--at", "2016-05-01T10:05")
    answered = track("attempt", "log", 1, "Java 8", "--answer", "--at", "2016-05-01T11:00")

    assert (asked.code, answered.code) == (0, 0)
    (question,) = attempt(1)["questions"]
    assert question["asked_at"] == "2016-05-01T10:05:00+00:00"
    assert question["answered_at"] == "2016-05-01T11:00:00+00:00"
    assert "a note has no time of its own" in track("attempt", "log", 1, "slow", "--at", "2016-05-01T11:00").err


@pytest.mark.usefixtures("ready")
def test_a_failed_attempt_says_where_and_why() -> None:
    track("attempt", "start", "dan", "run1", "--machine", "server", "--format", "json")

    incomplete = track("attempt", "stop", 1, "failed")
    ended = track("attempt", "stop", 1, "failed", "--stage", "install", "--because", "needs Java 8", "--format", "json")

    assert (incomplete.code, incomplete.out) == (2, "")
    assert "failed did so at a stage" in incomplete.err
    row = json.loads(ended.out)["attempt"]["row"]
    assert (row["state"], row["stage"], row["why"]) == ("failed", "install", "install: needs Java 8")
    assert row["machine"] == "server"


@pytest.mark.usefixtures("ready")
@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        pytest.param(["start", "eve", "run1"], 1, "no analyst is called 'eve'", id="no analyst"),
        pytest.param(["start", "ann", "run2"], 1, "no submission is called 'run2'", id="no submission"),
        pytest.param(["start", "ann", "run1", "--at", "noon"], 2, "expected --at TIME, such as", id="no time"),
        pytest.param(["start", "ann", "run1", "--data-set", "x"], 1, "no data set is called 'x'", id="no data set"),
        pytest.param(["pause", "9"], 1, "no attempt has the number 9", id="no attempt"),
        pytest.param(["stop", "1", "won"], 2, "won", id="no outcome"),
        pytest.param(["stop", "1", "succeeded", "--output", "no.tsv"], 1, "no.tsv: no such file", id="no output"),
        pytest.param(["log", "1", " "], 2, "expected something to write down", id="nothing to log"),
        pytest.param(["log", "1", "x", "--question", "--answer"], 2, "found both", id="question and answer"),
        pytest.param(["correct", "1", "1"], 2, "expected another time", id="no correction"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments: list[str], code: int, message: str) -> None:
    outcome = track("attempt", *arguments)

    assert (outcome.code, outcome.out) == (code, "")
    assert message in outcome.err


@pytest.mark.usefixtures("tried")
def test_questions_and_notes_are_logged() -> None:
    assert track("attempt", "log", 2, "Java 17", "--answer").err == (
        "primad: the question was: Which version of Java?\nprimad: the answer is with attempt 2\n"
    )
    track("attempt", "log", 2, "tried three times")
    track("attempt", "log", 2, "Where is the model?", "--question")

    shown = attempt(2)

    assert [(one["text"], one["answer"]) for one in shown["questions"]] == [
        ("Which version of Java?", "Java 17"),
        ("Where is the model?", ""),
    ]
    assert shown["note"].endswith("tried three times\n")
    table = track("show", 2).out
    assert "not answered yet" in table
    assert "tried three times" in table


@pytest.mark.usefixtures("tried")
def test_a_time_is_corrected_and_what_stood_there_is_kept() -> None:
    span = attempt(1)["spans"][0]
    began = span["started_at"]

    unexplained = track("attempt", "correct", 1, 1, "--from", began)
    told = track("attempt", "correct", 1, 1, "--from", began, "--to", began, "--because", "clock")

    assert "say why the time is corrected" in unexplained.err
    assert told.err == "primad: span 1 of attempt 1 is corrected\n"
    shown = attempt(1)
    assert shown["row"]["human_minutes"] == 0
    assert shown["spans"][0]["corrected"] == 1
    assert span["started_at"] in json.dumps(shown["events"])
    assert (
        "has no span 2; there are: 1 to 1"
        in track("attempt", "correct", 1, 2, "--to", "2016-05-01", "--because", "x").err
    )


# Verdicts and levels ---------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("ready")
def test_a_verdict_shows_both_scores_and_the_items_that_differ() -> None:
    track("attempt", "start", "ann", "run1")
    track("attempt", "stop", 1, "succeeded", "--output", "worse.tsv")

    table, document = track("verdict", 1), track("verdict", 1, "--format", "json")

    assert table.code == 0
    assert "agreement  .01 or more apart (2 of 4 points)" in table.out
    assert "f1 *                0.8000      0.6000" in table.out
    assert "d4: R50 was submitted, R51 replicated" in table.out or "d4: r50 was submitted, r51 replicated" in table.out
    content = json.loads(document.out)
    assert (content["schema"], content["attempt"]) == ("primad.track/1", 1)
    assert (content["verdict"]["points"], content["verdict"]["difference"]) == (2, pytest.approx(-0.2))


@pytest.mark.usefixtures("tried")
def test_where_there_is_nothing_to_judge_that_is_said() -> None:
    outcome = track("verdict", 2)

    assert (outcome.code, outcome.out) == (1, "")
    assert "there is nothing to judge: attempt 2 (dan on alpha/run1) has no output" in outcome.err


@pytest.mark.usefixtures("tried")
def test_a_level_is_proposed_and_another_one_takes_a_reason() -> None:
    proposed = track("level", 2)

    assert "proposed  1, its authors say that it builds\n" in proposed.out
    assert "the record speaks for level 1; say why it is 2" in track("level", 2, 2).err
    decided = track("level", 2, 2, "--because", "built elsewhere", "--format", "json")
    level = json.loads(decided.out)["level"]
    assert (level["decided"], level["note"], level["proposed"]) == (2, "built elsewhere", 1)
    assert track("level", 1, 4).code == 0
    assert track("level", 1, 5).code == 2
    assert re.search(r"^level +2, it builds \(built elsewhere\)$", track("show", 2).out, re.MULTILINE)


@pytest.mark.usefixtures("tried")
def test_an_output_that_is_no_run_is_not_assessed_as_one() -> None:
    outcome = track("assess", 1)

    assert (outcome.code, outcome.out) == (1, "")
    assert "attempt 1 has no run beside a submitted one; see primad track verdict 1" in outcome.err
    assert "expected a task of the kind reproduce" in track("assess", "coding").err


# Replays ---------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("ready")
def test_a_replay_shows_what_is_there_what_is_printed_and_what_came_of_it() -> None:
    outcome = track("replay", "alpha/run1", "--analyst", "ann")

    assert outcome.code == 0, outcome.err
    lines = outcome.err.splitlines()
    assert lines[:3] == [
        "primad: attempt 1 (ann on alpha/run1): configuration default on test",
        "primad: it asks for: python3 >=3.8",
        "primad: its authors expect 1 minute",
    ]
    assert any(line.startswith("python3 3.") and "is present, as asked for (>=3.8)" in line for line in lines)
    assert lines.index("coding 5 documents") < lines.index("primad: next: primad track sheet ann alpha/run1")
    assert "state       succeeded\n" in outcome.out
    assert "The replicated output is the submitted one, byte for byte (f1 0.8000)." in outcome.out
    shown = attempt(1)
    assert shown["steps"][-1]["status"] == 0
    assert shown["transcript"][-1].endswith("the replay succeeded")
    assert "coding 5 documents\n" in track("show", 1, "--transcript").out
    again = track("replay", "--again", 1, "--format", "json")
    row = json.loads(again.out)["attempt"]["row"]
    assert (row["number"], row["repeats"], row["state"]) == (2, 1, "succeeded")


@pytest.mark.usefixtures("ready")
def test_a_replay_goes_on_with_the_attempt_that_was_begun_by_hand() -> None:
    track("attempt", "start", "ann", "run1")

    outcome = track("replay", "run1", "--analyst", "ann", "--format", "json")

    shown = json.loads(outcome.out)["attempt"]
    assert shown["row"]["number"] == 1
    assert [one["ended_at"] is None for one in shown["spans"]] == [False]


def test_a_system_that_fails_is_the_answer_no(ready: Path) -> None:
    demo = Track(ready)
    demo.move_to("systems", "a damaged bundle")
    demo.submit_bundle("alpha/run1", small.bundle(ready, script="raise SystemExit('no model')"))
    demo.move_to("replication")

    outcome = track("replay", "run1", "--analyst", "ann")

    assert outcome.code == 1
    assert "no model" in outcome.err.splitlines()
    assert "state       failed\n" in outcome.out
    assert "it last said: no model" in " ".join(outcome.out.split())
    assert "1: run: run step 1 of 1" in track("show").out


@pytest.mark.usefixtures("ready")
def test_a_replay_that_cannot_begin_is_stopped_with_its_reason() -> None:
    outcome = track("replay", "run1", "--analyst", "ann", "--rung", "plain")

    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.splitlines()[-2:] == [
        "primad: attempt 1 is stopped; nothing is lost, go on with: primad track replay --resume 1",
        "primad: the plain rung holds nothing, so it has to be asked for with --trust",
    ]
    row = attempt(1)["row"]
    assert row["state"] == "stopped"
    assert row["why"].endswith("has to be asked for with --trust")
    assert row["command"].startswith("go on: primad track replay --resume 1, or end it:")
    second = track("replay", "run1", "--analyst", "ann")
    assert second.code == 2
    assert "attempt 1 of ann is stopped" in second.err
    resumed = track("replay", "--resume", 1)
    assert resumed.code == 0, resumed.err
    assert "attempt 1 (ann on alpha/run1) is succeeded; only one that is stopped" in track("replay", "--resume", 1).err


@pytest.mark.usefixtures("ready")
def test_whoever_interrupts_a_replay_is_told_how_to_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    from primad.cli.track import replaying

    def interrupted(line: str) -> None:
        raise KeyboardInterrupt(line)

    monkeypatch.setattr(replaying, "_show_line", interrupted)

    outcome = track("replay", "run1", "--analyst", "ann")

    assert outcome.code == 1
    assert outcome.err.endswith("attempt 1 is stopped; nothing is lost, go on with: primad track replay --resume 1\n")
    assert attempt(1)["row"]["state"] == "stopped"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        pytest.param([], 2, "expected one of SUBMISSION, --resume N and --again N", id="nothing to run"),
        pytest.param(["run1", "--again", "1"], 2, "type: primad track replay --again 1", id="two things"),
        pytest.param(["run1"], 2, "expected --analyst ANALYST", id="nobody"),
        pytest.param(
            ["--resume", "1", "--analyst", "ann"], 2, "type: primad track replay --resume 1", id="another analyst"
        ),
        pytest.param(["--resume", "1", "--data-set", "test"], 2, "goes on as it was begun", id="another data set"),
        pytest.param(["--again", "1", "--machine", "x"], 2, "is repeated as it was", id="another machine"),
        pytest.param(["--again", "7"], 1, "no attempt has the number 7", id="no attempt"),
        pytest.param(["run1", "--analyst", "ann", "--network"], 2, "the task coding allows no network", id="network"),
        pytest.param(["run1", "--analyst", "eve"], 1, "no analyst is called 'eve'", id="no analyst"),
        pytest.param(["run1", "--analyst", "ann", "--rung", "vm"], 2, "vm", id="no rung"),
    ],
)
def test_what_cannot_be_replayed_is_refused_and_no_attempt_begins(
    arguments: list[str], code: int, message: str, ready: Path
) -> None:
    from primad.track.models import Attempt

    Track(ready)  # tables are those of the track that was opened last
    outcome = track("replay", *arguments)

    assert (outcome.code, outcome.out) == (code, "")
    assert message in outcome.err
    assert not Attempt.objects.exists()
