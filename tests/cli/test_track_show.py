"""Does a person see how far a track is, who has to do what next, and why anything waits?"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from primad.track.track import Track
from tests.cli import track_folders
from tests.cli.running import Outcome, primad
from tests.track import small


@pytest.fixture
def filled(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    yield from track_folders.worked_in(track_folders.filled(tmp_path_factory), tmp_path, monkeypatch)


@pytest.fixture
def tried(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    yield from track_folders.worked_in(track_folders.tried(tmp_path_factory), tmp_path, monkeypatch)


def track(*arguments: object) -> Outcome:
    return primad("track", *arguments)


def shown(*thing: object) -> Any:
    """Return what is known of a THING, or of the track."""
    document = json.loads(track("show", *thing, "--format", "json").out)
    (content,) = (value for key, value in document.items() if key != "schema")
    return content


def todos() -> list[tuple[str, str]]:
    """Return who has to do what next."""
    return [(one["who"], one["what"]) for one in shown()["next"]]


# The track -------------------------------------------------------------------------------------------------------


def test_every_phase_says_who_has_to_do_what(filled: Path) -> None:
    demo = Track(filled)
    assert todos() == [("organiser", "move the track on to results")]

    demo.move_to("results")
    assert todos() == [
        ("team alpha", "submit results"),
        ("team beta", "submit results"),
        ("organiser", "move the track on to systems"),
    ]
    (filled / "output.tsv").write_bytes(small.OUTPUT)
    track("submit", "alpha", "run1", "output.tsv")
    demo.move_to("systems")
    assert todos() == [
        ("team alpha", "submit the system of alpha/run1"),
        ("organiser", "move the track on to assignment"),
    ]
    demo.submit_bundle("alpha/run1", small.bundle(filled))
    assert todos()[0] == ("organiser", "decide whether alpha/run1 is eligible; it counts as such until then")
    demo.decide("alpha/run1", eligible=True, reason="complete")
    demo.move_to("assignment")
    assert todos() == [
        ("organiser", "assign analysts to alpha/run1"),
        ("organiser", "move the track on to replication"),
    ]
    demo.assign("ann", "alpha/run1")
    demo.move_to("replication")
    assert todos()[0] == ("analyst ann", "run the system of alpha/run1")
    demo.start("ann", "alpha/run1")
    assert todos()[0] == ("analyst ann", "end attempt 1")
    demo.stop(1, "failed", stage="run", reason="no memory")
    assert todos()[0] == ("analyst ann", "fill in and lock the sheet on alpha/run1")


@pytest.mark.usefixtures("tried")
def test_a_track_is_shown_with_all_that_waits_and_why() -> None:
    outcome = track("show")

    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith("track        demo: A small track\nphase        replication, then adjudication\n")
    assert "teams without a submission  beta\n" in outcome.out
    assert "alpha/run1  coding  bundle  ann, dan  run again\n" in outcome.out
    assert "alpha/run1: ann succeeded (identical bytes); dan failed (at install)\n" in outcome.out
    assert "1: identical bytes\n2: install: needs Java 8\n" in outcome.out
    assert (
        "- analyst dan: fill in and lock the sheet on alpha/run1\n      primad track sheet dan alpha/run1 --lock\n"
        in outcome.out
    )


def test_where_time_is_up_it_is_the_turn_of_the_organiser(filled: Path) -> None:
    Track(filled).move_to("results")
    track("change", "--closes", "results=2016-05-01")
    (filled / "output.tsv").write_bytes(small.OUTPUT)

    assert "the phase results closed on 2016-05-01" in track("submit", "alpha", "run1", "output.tsv").err
    assert todos() == [
        ("organiser", "set another date if teams shall still submit: the phase closed on 2016-05-01"),
        ("organiser", "move the track on to systems, which was to be after 2016-05-01"),
    ]
    assert "submit results" not in [one["what"] for one in shown()["allowed"]]


@pytest.mark.parametrize("width", [40, 80, 200])
def test_a_command_to_copy_is_whole_however_narrow_the_terminal_is(width: int, tried: Path) -> None:
    from primad.reports.track.things import track_shown
    from primad.track import queries

    text = track_shown(queries.track_facts(Track(tried).row), width)

    assert "      primad track sheet dan alpha/run1 --lock\n" in text
    assert "      primad track phase adjudication\n" in text


@pytest.mark.usefixtures("filled")
def test_a_phase_that_should_be_over_says_so() -> None:
    track("change", "--closes", "set-up=2016-05-01")

    assert "phase        set-up (closes 2016-05-01; it should be over), then results\n" in track("show").out
    assert todos() == [("organiser", "move the track on to results, which was to be after 2016-05-01")]
    assert shown()["late"] is True


def test_decisions_and_open_sheets_are_left_to_do_after_replication(tried: Path) -> None:
    Track(tried).move_to("adjudication")

    assert todos() == [
        ("analyst ann", "fill in and lock the sheet on alpha/run1"),
        ("analyst dan", "fill in and lock the sheet on alpha/run1"),
        ("organiser", "decide the level of repeatability of attempt 1"),
        ("organiser", "decide the level of repeatability of attempt 2"),
        ("organiser", "move the track on to published"),
    ]
    Track(tried).move_to("published")
    assert todos() == [("organiser", "write the report")]


def test_a_withdrawn_submission_leaves_nothing_to_do_but_to_end_what_goes_on(tried: Path) -> None:
    demo = Track(tried)
    demo.start("ann", "alpha/run1")

    demo.withdraw("alpha/run1", "the wrong file")

    assert todos() == [
        ("analyst ann", "end attempt 3: alpha/run1 is withdrawn"),
        ("organiser", "move the track on to adjudication"),
    ]
    assert track("attempt", "stop", 3, "abandoned", "--because", "withdrawn").err == ""
    demo.move_to("adjudication")
    assert todos() == [("organiser", "move the track on to published")]


def test_the_organiser_is_asked_what_is_eligible_also_where_analysts_are_assigned_already(filled: Path) -> None:
    demo = Track(filled)
    address = small.submit(demo, filled)
    demo.move_to("assignment")
    demo.assign("ann", address)

    undecided = ("organiser", "decide whether alpha/run1 is eligible; it counts as such until then")
    assert undecided in todos()
    demo.decide(address, eligible=True, reason="complete")
    assert undecided not in todos()


def test_commands_to_copy_name_the_track_as_it_was_named(
    tried: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    outcome = track("show", "--archive", tried.name, "--track", "demo")

    assert f"      primad track sheet dan alpha/run1 --lock --archive {tried.name} --track demo\n" in outcome.out
    assert f"      primad track phase adjudication --archive {tried.name} --track demo\n" in outcome.out


@pytest.mark.parametrize(
    "thing", [pytest.param("3", id="attempt"), pytest.param("alpha/run1", id="submission"), "analyst:ann"]
)
def test_both_commands_of_an_attempt_that_stopped_name_the_track_as_it_was_named(
    tried: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, thing: str
) -> None:
    from primad.track.models import Attempt

    Track(tried).start("ann", "alpha/run1")
    Attempt.objects.filter(number=3).update(state="stopped", reason="the lid was closed")
    monkeypatch.chdir(tmp_path)

    outcome = track("show", thing, "--archive", tried.name, "--track", "demo")

    options = f"--archive {tried.name} --track demo"
    assert (
        f"the lid was closed; go on: primad track replay --resume 3 {options}, or end it: "
        f"primad track attempt stop 3 abandoned --because TEXT {options}"
    ) in " ".join(outcome.out.split())


def test_a_replay_that_is_refused_for_one_that_stopped_says_how_that_goes_on_in_the_same_folder(
    tried: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from primad.track.models import Attempt

    Track(tried).start("ann", "alpha/run1")
    Attempt.objects.filter(number=3).update(state="stopped", reason="the lid was closed")
    monkeypatch.chdir(tmp_path)

    outcome = track("replay", "alpha/run1", "--analyst", "ann", "--archive", tried.name)

    assert outcome.code == 2
    assert f"go on: primad track replay --resume 3 --archive {tried.name}, or" in outcome.err


def test_the_log_of_a_submission_says_yes_and_no(tried: Path) -> None:
    Track(tried).decide("alpha/run1", eligible=False, reason="late")

    assert "eligible: no, reason: late" in track("show", "alpha/run1").out


@pytest.mark.usefixtures("filled")
def test_what_a_track_is_about_is_shown_on_lines_of_the_terminal() -> None:
    track("change", "--about", "Systems of others.\nHere are two.")

    assert "about        Systems of others. Here are two.\n" in track("show").out


def test_a_published_track_without_attempts_says_of_nobody_that_they_have_not_begun(filled: Path) -> None:
    demo = Track(filled)
    address = small.submit(demo, filled)
    demo.move_to("assignment")
    demo.assign("ann", address)
    assert shown(address)["row"]["why"] == "ann has not begun"

    demo.move_to("published")

    assert shown(address)["row"]["why"] == "no attempts of single analysts are recorded"


def test_an_attempt_whose_replay_is_gone_says_how_to_go_on(tried: Path) -> None:
    from datetime import UTC, datetime, timedelta

    from primad.track.models import Attempt

    demo = Track(tried)
    demo.start("ann", "alpha/run1")
    Attempt.objects.filter(number=3).update(state="running", holder="elsewhere:7:1", beat_at=datetime.now(UTC))
    assert shown(3)["row"]["why"].startswith("a replay is at work on elsewhere (process 7), last seen alive ")
    assert ("analyst ann", "wait for the replay of attempt 3") in todos()

    Attempt.objects.filter(number=3).update(beat_at=datetime.now(UTC) - timedelta(hours=1))

    row = shown(3)["row"]
    assert row["state"] == "stopped"
    assert row["why"] == "the process of the replay is gone"
    assert row["command"].startswith("go on: primad track replay --resume 3, or end it: primad track attempt stop 3 ")
    assert ("analyst ann", "resume the replay of attempt 3, or end the attempt") in todos()


@pytest.mark.parametrize("read", [Track.facts, Track.report])
def test_a_track_is_read_by_as_many_queries_however_many_attempts_there_are(
    tried: Path, read: Callable[[Track], object]
) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    demo = Track(tried)
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as captured:
            read(demo)
        counts.append(len(captured))
        for _ in range(3):
            demo.again(1)

    assert counts[0] == counts[1] < 40


# One thing -------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("tried")
def test_a_submission_is_shown_with_outputs_system_and_log() -> None:
    outcome = track("show", "alpha/run1")

    assert outcome.code == 0
    for line in (
        "submission  alpha/run1\n",
        "eligible    not decided\n",
        "state       run again\n",
        "output of default on test  output.tsv (",
        "prerequisites   python3 >=3.8\n",
        "expected        1 minute, 200 MB of memory\n",
    ):
        assert line in outcome.out
    assert [one["verb"] for one in shown("run1")["events"]] == ["submitted", "submitted"]


@pytest.mark.usefixtures("tried")
def test_an_analyst_a_team_and_a_task_are_shown() -> None:
    analyst, team, task = track("show", "dan").out, track("show", "alpha").out, track("show", "coding").out

    assert "conflicts  beta (a former member)\n" in analyst
    assert "machine server  Debian 12, 64 GB\n" in analyst
    assert "2        alpha/run1  dan      test      failed" in analyst
    assert "team     alpha: Team Alpha\ncontact  alpha@example.org\n" in team
    assert "task         coding: Coding\n" in task
    assert "test      hidden  1 file\n" in task


def test_a_name_that_several_have_takes_its_kind(tried: Path) -> None:
    demo = Track(tried)
    demo.move_to("results", "a test")
    demo.set_team("coding", title="The coders")

    ambiguous = track("show", "coding")

    assert (ambiguous.code, ambiguous.out) == (1, "")
    assert "'coding' is several things; name one: task:coding, team:coding" in ambiguous.err
    assert "The coders" in track("show", "team:coding").out
    assert "scorer" in track("show", "task:coding").out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        pytest.param(["eve"], 1, "no task, team, analyst, submission or attempt is called 'eve'", id="nothing"),
        pytest.param(["9"], 1, "no attempt has the number 9", id="no attempt"),
        pytest.param(["99999999999999999999"], 1, "no attempt has the number 99999999999999999999", id="a huge number"),
        pytest.param(["beta/run1"], 1, "no submission is called 'beta/run1'; did you mean 'alpha/run1'?", id="team"),
        pytest.param(["analyst:coding"], 1, "no analyst is called 'coding'", id="another kind"),
        pytest.param(["--transcript"], 2, "expected the THING that is meant", id="whose transcript"),
        pytest.param(
            ["ann", "--transcript"],
            2,
            "an attempt has a transcript; expected its number, found the analyst ann",
            id="an analyst has none",
        ),
    ],
)
@pytest.mark.usefixtures("tried")
def test_what_is_not_there_is_told(arguments: list[str], code: int, message: str) -> None:
    outcome = track("show", *arguments)

    assert (outcome.code, outcome.out) == (code, "")
    assert message in outcome.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["verdict", "alpha/run2"], "attempts have numbers, found 'alpha/run2'; see them", id="an address"),
        pytest.param(
            ["attempt", "log", "a note", "5"], "attempts have numbers, found 'a note'", id="the other way round"
        ),
        pytest.param(["attempt", "pause", "0"], "attempts have numbers, found '0'", id="none"),
        pytest.param(["replay", "--resume", "9" * 30], "attempts have numbers, found '999", id="a huge number"),
        pytest.param(
            ["level", "6", "5"], "levels are 1, 2, 3 and 4, found '5'; the number of the attempt", id="a level"
        ),
        pytest.param(["attempt", "correct", "1", "first"], "whiles of work have numbers, found 'first'", id="a span"),
        pytest.param(
            ["attempt", "stop", "1", "done"], "expected succeeded, failed, abandoned, found 'done'", id="an end"
        ),
        pytest.param(["decide", "run1", "maybe"], "expected yes, no, found 'maybe'", id="an answer"),
    ],
)
@pytest.mark.usefixtures("tried")
def test_what_is_no_number_and_no_known_word_is_refused_with_what_is_expected(
    arguments: list[str], message: str
) -> None:
    outcome = track(*arguments)

    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err
    assert "Value error" not in outcome.err


@pytest.mark.usefixtures("tried")
def test_an_attempt_by_hand_has_no_transcript() -> None:
    outcome = track("show", 1, "--transcript")

    assert (outcome.code, outcome.out) == (0, "")
    assert outcome.err == "primad: attempt 1 has no transcript: no replay of it was begun\n"


def test_a_verdict_on_five_items_says_that_its_test_tells_nothing(tried: Path) -> None:
    (tried / "worse.tsv").write_bytes(small.WORSE)
    track("attempt", "start", "dan", "alpha/run1")
    track("attempt", "stop", 3, "succeeded", "--output", "worse.tsv")

    told = track("verdict", 3)

    assert "test       With 5 items only, nothing follows from the test of the difference.\n" in told.out


# The report ------------------------------------------------------------------------------------------------------


def test_a_report_is_printed_or_written_with_evidence(tried: Path) -> None:
    printed = track("report")
    document = json.loads(track("report", "--format", "json").out)
    written = track("report", "--output", "report", "--format", "html", "--format", "csv", "--evidence", "badges")

    assert printed.out.startswith("How well could the systems of A small track be run again?\n")
    assert "1 of 2 attempts succeeded.\n" in printed.out
    assert document["slug"] == "demo"
    assert (written.code, written.out) == (0, "")
    assert "begin with report/report.html" in written.err
    assert {path.name for path in (tried / "report").iterdir()} >= {"report.html", "attempts.csv", "track.json"}
    assert not (tried / "report" / "track.tex").exists()
    evidence = tried / "badges" / "alpha" / "run1"
    assert (evidence / "files" / "attempt-1" / "output" / "output.tsv").read_bytes() == small.OUTPUT
    assert "needs Java 8" in (evidence / "README.md").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["--format", "csv"], "to print, or --output DIR for other forms", id="many files on a terminal"),
        pytest.param(["--format", "json", "--format", "table"], "expected one of table", id="two forms at once"),
        pytest.param(["--out", "report", "--format", "table"], "a table is printed, not written", id="a table"),
    ],
)
@pytest.mark.usefixtures("filled")
def test_forms_that_cannot_be_had_are_refused(arguments: list[str], message: str) -> None:
    outcome = track("report", *arguments)

    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err
