"""Does the report of a track say what happened?"""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from primad.reports._tables import NONE
from primad.reports.track.attempts import outcome_shown, verdict_shown
from primad.reports.track.contents import tables_of
from primad.reports.track.page import track_page
from primad.reports.track.text import track_text
from primad.reports.track.values import track_json
from primad.store.actors import acting
from primad.track.outputs import NewOutput
from primad.track.questions import DEFAULT
from primad.track.replays.wish import Wish
from primad.track.track import Track
from tests.track import small
from tests.track.roles import ACTORS, settle
from tests.track.test_services import GOOD
from tests.track.test_sight import NAMES

NOON = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)


def worked(track: Track, analyst: str, address: str, minutes: int, output: Path | None = None, **facts: Any) -> int:
    """Let ANALYST work for so many MINUTES on a submission, and return the number of the attempt."""
    number: int = track.start(analyst, address, at=NOON, **facts).number
    end = NOON + timedelta(minutes=minutes)
    if output is None:
        track.stop(number, "failed", stage="run", reason="out of memory", at=end)
    else:
        track.stop(number, "succeeded", output=output, run_minutes=minutes / 10, at=end)
    return number


def test_times_are_means_over_analysts_by_role(ready_track: Track, files: Path) -> None:
    (files / "mine.tsv").write_bytes(small.OUTPUT)
    ready_track.set_analyst("eve", role="user")
    with ready_track.speaking():
        ready_track.assign("eve", "alpha/run1")
    worked(ready_track, "ann", "alpha/run1", 30)
    worked(ready_track, "ann", "alpha/run1", 50, files / "mine.tsv")
    worked(ready_track, "eve", "alpha/run1", 20)
    worked(ready_track, "dan", "alpha/run1", 10, files / "mine.tsv")

    times = {row.role: [row.human, row.human_n, row.run, row.run_n] for row in ready_track.report().times}

    assert times == {"user": pytest.approx([50.0, 2, 5.0, 1]), "developer": pytest.approx([10.0, 1, 1.0, 1])}


def test_time_that_has_not_ended_is_no_time_of_zero_minutes(ready_track: Track) -> None:
    worked(ready_track, "ann", "alpha/run1", 30)
    ready_track.start("ann", "alpha/run1")
    ready_track.start("dan", "alpha/run1")

    report = ready_track.report()

    assert {row.role: (row.human, row.human_n) for row in report.times} == {
        "user": (pytest.approx(30.0), 1),
        "developer": (None, 0),
    }
    (times,) = [one for one in tables_of(report) if one.name == "times"]
    assert times.rows[1] == ("System of alpha", "Developer", NONE, NONE, "0", "0")
    (attempts,) = [one for one in tables_of(report) if one.name == "attempts"]
    assert [row[9] for row in attempts.rows] == ["30", NONE, NONE]


def test_an_output_that_was_handed_over_after_a_replay_was_cut_off_is_not_said_to_come_from_its_sandbox(
    ready_track: Track,
) -> None:
    ready_track.again(worked(ready_track, "ann", "alpha/run1", 10))
    small.cut_off(ready_track, 2)
    assert (ready_track.attempt(2).state, ready_track.report().attempts[1].rung) == ("stopped", "bubblewrap")
    ready_track.resume(2)

    ready_track.stop(2, "succeeded", output={"output.tsv": small.OUTPUT})

    said = "the output was handed over by hand after a replay was cut off"
    facts, row = ready_track.attempt_facts(2), ready_track.report().attempts[1]
    assert (row.state, row.rung, row.reason) == ("succeeded", "", said)
    assert (facts.rung, facts.held, facts.open) == ("", (), ())
    assert facts.remarks[-1] == said
    assert f"- {said}\n" in outcome_shown(facts, None)
    assert ready_track.attempt(2).replay["sandbox"]["rung"] == "bubblewrap"  # what its journal says is kept


@pytest.mark.parametrize("outcome", ["failed", "abandoned"])
def test_an_attempt_that_nobody_gave_an_output_was_held_by_the_sandbox_of_its_replay(
    ready_track: Track, outcome: str
) -> None:
    small.cut_off(ready_track, ready_track.start("ann", "alpha/run1").number)
    ready_track.stop(1, outcome, stage="run", reason="it hangs")

    (row,) = ready_track.report().attempts

    assert (row.rung, row.reason) == ("bubblewrap", "it hangs")
    assert ready_track.attempt_facts(1).rung == "bubblewrap"


def test_a_replay_that_was_cut_off_and_came_to_its_end_then_succeeded_in_its_sandbox(ready_track: Track) -> None:
    small.cut_off(ready_track, ready_track.start("ann", "alpha/run1").number)
    ready_track.replay(1, Wish())

    (row,) = ready_track.report().attempts

    assert (row.state, row.rung, row.reason) == ("succeeded", "bubblewrap", "")


def test_a_verdict_on_few_items_says_the_same_number_of_them_everywhere(sqlite_track: Track, files: Path) -> None:
    small.fill(sqlite_track, files)
    address = small.submit(sqlite_track, files, output=b"d1\tj11\nd2\tj45\n")  # of five documents
    sqlite_track.move_to("assignment")
    sqlite_track.assign("ann", address)
    sqlite_track.move_to("replication")
    verdict = sqlite_track.stop(
        sqlite_track.start("ann", address).number, "succeeded", output={"output.tsv": b"d1\tj11\nd2\tr05\n"}
    )
    assert verdict is not None

    shown = verdict_shown(1, verdict.content, None)
    (verdicts,) = [one for one in tables_of(sqlite_track.report()) if one.name == "verdicts"]

    said = "With 5 items only, nothing follows from the test of the difference."
    assert said in shown
    assert verdicts.rows[0][-1].endswith(said)


def test_two_systems_of_one_title_are_not_mixed_up(sqlite_track: Track, files: Path) -> None:
    track = sqlite_track
    small.fill(track, files)
    track.move_to("results")
    for team in ("alpha", "beta"):
        track.submit(team, "run1", [NewOutput({"output.tsv": small.OUTPUT})], title="Baseline")
        track.submit_bundle(f"{team}/run1", small.bundle(files, f"{team}.tar.gz"))
    track.move_to("assignment")
    track.assign("ann", "alpha/run1")
    track.assign("ann", "beta/run1")
    track.move_to("replication")
    (files / "mine.tsv").write_bytes(small.OUTPUT)
    worked(track, "ann", "alpha/run1", 320, files / "mine.tsv")
    worked(track, "ann", "beta/run1", 20, files / "mine.tsv")

    report = track.report()

    assert {row.submission: row.human for row in report.times} == {
        "alpha/run1": pytest.approx(320.0),
        "beta/run1": pytest.approx(20.0),
    }
    assert [row.title for row in report.systems] == ["Baseline (alpha/run1)", "Baseline (beta/run1)"]


def test_who_gave_more_time_than_was_meant_is_named(ready_track: Track) -> None:
    worked(ready_track, "ann", "alpha/run1", 300)
    worked(ready_track, "ann", "alpha/run1", 200)
    worked(ready_track, "dan", "alpha/run1", 480)

    over = [note for note in ready_track.report().notes if "minutes" in note]

    assert over == ["Ann gave 500 minutes to System of alpha, more than the 480 that were meant."]


def test_configurations_of_a_system_have_cells_of_their_own(sqlite_track: Track, files: Path) -> None:
    track = sqlite_track
    small.fill(track, files)
    track.move_to("results")
    outputs = [
        NewOutput({"o.tsv": small.OUTPUT}, configuration="a"),
        NewOutput({"o.tsv": small.WORSE}, configuration="b"),
    ]
    track.submit("alpha", "run1", outputs)
    track.submit_remote("alpha/run1", "ssh to the server")
    track.move_to("assignment")
    track.assign("ann", "alpha/run1")
    track.move_to("replication")
    for configuration, content in (("a", small.OUTPUT), ("b", small.WORSE)):
        (files / "mine.tsv").write_bytes(content)
        worked(track, "ann", "alpha/run1", 10, files / "mine.tsv", configuration=configuration)

    cells = {cell.configuration: [cell.submitted, cell.replicated] for cell in track.report().cells}

    assert cells == {"a": pytest.approx([0.8, 0.8]), "b": pytest.approx([0.6, 0.6])}


def test_what_a_failed_run_has_left_is_no_result(sqlite_track: Track, files: Path) -> None:
    script = small.SCRIPT + "\nsys.exit(3)\n"
    small.fill(sqlite_track, files)
    address = small.submit(sqlite_track, files, script=script)
    sqlite_track.move_to("assignment")
    sqlite_track.assign("ann", address)
    sqlite_track.move_to("replication")

    attempt = sqlite_track.replay(sqlite_track.start("ann", address).number, Wish())

    assert (attempt.state, attempt.scored, hasattr(attempt, "verdict")) == ("failed", {}, False)
    assert sqlite_track.report().verdicts == ()


def test_a_withdrawn_submission_is_in_no_table_and_named_in_a_note(ready_track: Track, files: Path) -> None:
    (files / "mine.tsv").write_bytes(small.OUTPUT)
    worked(ready_track, "ann", "alpha/run1", 10, files / "mine.tsv")
    ready_track.withdraw("alpha/run1", "a licence")

    report = ready_track.report()

    assert (report.systems, report.attempts, report.verdicts, report.precision, report.cells) == ((), (), (), (), ())
    assert "alpha/run1 was withdrawn, and is in no table." in report.notes


def test_answers_are_scored_by_the_sheet_they_were_given_on(ready_track: Track) -> None:
    worked(ready_track, "ann", "alpha/run1", 10)
    ready_track.fill("ann", "alpha/run1", GOOD, lock=True)
    questions = [dict(item) for item in DEFAULT["questions"]]
    for item in questions:
        if item["key"] == "Q10":
            item |= {"text": "Was the licence missing?", "better": "no", "purpose": ""}
    ready_track.move_to("assignment", "the sheet was wrong")
    ready_track.set_sheet({"title": DEFAULT["title"], "questions": questions})

    rows = [(row.text, row.score.share, row.score.n) for row in ready_track.report().questions if row.key == "Q10"]

    assert ("Was the licence missing?", None, 0) in rows
    assert [(share, n) for text, share, n in rows if text != "Was the licence missing?"] == [(1.0, 1)]


RECORD = {
    "method": {"automatic": True, "retrieval": [{"name": "bm25"}]},
    "research goal": {"venue": {"name": "SIGIR"}},
    "data": {"test collection": {"name": "TREC Robust 2004"}},
    "platform": {"operating system": {"distribution": "Debian 12"}},
}


@pytest.mark.parametrize(
    ("analyst", "letters"),
    [pytest.param("dan", "primAd", id="the same system"), pytest.param("ann", "PrimAd", id="another system")],
)
def test_only_what_changed_is_in_capitals_whatever_the_team_has_stated(
    sqlite_track: Track, files: Path, analyst: str, letters: str
) -> None:
    small.fill(sqlite_track, files)
    sqlite_track.move_to("results")
    sqlite_track.submit("alpha", "run1", [NewOutput({"output.tsv": small.OUTPUT}, record=RECORD)])
    sqlite_track.submit_bundle("alpha/run1", small.bundle(files))
    sqlite_track.move_to("assignment")
    sqlite_track.assign_all(per_submission=2)
    sqlite_track.move_to("replication")
    (files / "mine.tsv").write_bytes(small.OUTPUT)

    worked(sqlite_track, analyst, "alpha/run1", 10, files / "mine.tsv")

    assert [row.type for row in sqlite_track.report().verdicts] == [letters]


def test_a_repaired_bundle_is_another_implementation(ready_track: Track, files: Path) -> None:
    (files / "mine.tsv").write_bytes(small.OUTPUT)
    worked(ready_track, "ann", "alpha/run1", 10, files / "mine.tsv")
    ready_track.move_to("systems", "a bundle is repaired")
    ready_track.submit_bundle("alpha/run1", small.bundle(files, "repaired.tar.gz", version="1.1"))
    ready_track.move_to("replication")
    worked(ready_track, "dan", "alpha/run1", 10, files / "mine.tsv")

    assert [row.type for row in ready_track.report().verdicts] == ["?rimAd", "?rImAd"]


def test_a_copy_without_the_gold_standard_keeps_its_verdicts(ready_track: Track, files: Path, tmp_path: Path) -> None:
    (files / "mine.tsv").write_bytes(small.OUTPUT)
    number = worked(ready_track, "ann", "alpha/run1", 10, files / "mine.tsv")
    ready_track.export(tmp_path / "public")
    copy = Track.import_folder(tmp_path / "public", tmp_path / "copy")

    verdict = copy.verdict(number)

    assert verdict is not None
    assert verdict.agreement == "identical bytes"
    assert len(copy.report().verdicts) == 1


# Who reads it ----------------------------------------------------------------------------------------------------


@pytest.fixture
def published(sqlite_track: Track, files: Path) -> Track:
    """Return a published track in which both analysts have locked sheets with comments, and one worked for long."""
    track = settle(sqlite_track, files)
    track.unlock("dan", "alpha/run1", "for a test")
    for analyst in ("ann", "dan"):
        track.fill(analyst, "alpha/run1", GOOD | {"Q1": {"value": "yes", "comment": "sed is old"}}, lock=True)
    worked(track, "ann", "beta/run1", 500)
    track.move_to("adjudication")
    track.move_to("published")
    return track


@pytest.mark.slow
@pytest.mark.parametrize("who", ["visitor", "user", "alpha", "beta", "ann", "elsewhere"])
def test_a_report_tells_all_but_organisers_what_analysts_did_and_wrote_and_not_who_they_are(
    published: Track, who: str
) -> None:
    with acting(ACTORS[who]):
        report = published.report()

    called = ["user 1", "developer 1"]
    written = track_json(report) + track_text(report) + track_page(report)
    assert [(one.analyst, one.role, one.text) for one in report.comments] == [
        ("user 1", "user", "sed is old"),
        ("developer 1", "developer", "sed is old"),
    ]
    assert [one.analyst for one in report.machines] == called
    assert [one.analyst for one in report.verdicts] == called
    assert [one.analyst for one in report.attempts] == [*called, "user 1"]
    assert [one for one in report.notes if "minutes" in one] == [
        "user 1 gave 500 minutes to System of beta, more than the 480 that were meant."
    ]
    assert NAMES.findall(written) == []


@pytest.mark.parametrize("who", ["organiser", "administrator", "keeper"])
def test_a_report_names_analysts_to_organisers(published: Track, who: str) -> None:
    with acting(ACTORS[who]):
        report = published.report()

    found = [{one.analyst for one in rows} for rows in (report.comments, report.machines, report.verdicts)]
    assert found == [{"Ann", "Dan"}] * 3


def test_the_evidence_for_its_badge_does_not_tell_a_team_who_ran_its_system(published: Track, tmp_path: Path) -> None:
    with acting(ACTORS["alpha"]):
        paths = published.write_evidence("alpha/run1", tmp_path / "evidence")

    texts = {one.name: one.read_text() for one in paths if one.suffix in (".md", ".json")}
    assert len(texts) == 2
    assert [name for name, text in texts.items() if NAMES.search(text) or "developer 1" not in text] == []
