"""Do submissions, assignments, attempts and sheets follow the rules of a track?"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from primad.errors import DataError, FileError, FormatError, PairingError, UsageError
from primad.store.models import Event
from primad.track.models import Attempt, Output, Sheet, Span, Submission
from primad.track.outputs import NewOutput
from primad.track.replays import lease
from primad.track.services import judging, sheets, timing
from primad.track.track import Track
from tests.track import small

NOON = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
SECRET = "open-sesame-5719"  # noqa: S105 - opens nothing
GOOD = {"Q1": "yes", "Q2": 4, "Q3": 5, "Q5": 5, "Q6": "no", "Q10": "yes"}


def minutes(count: float) -> timedelta:
    return timedelta(minutes=count)


def test_a_track_that_cannot_be_made_leaves_no_folder_behind(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="expected a budget of 1 to 100,000 minutes, found 0"):
        Track.init(tmp_path / "new" / "data", "demo", budget=0)

    assert list(tmp_path.iterdir()) == []


def test_a_track_that_cannot_be_made_leaves_contents_that_were_there(tmp_path: Path) -> None:
    kept = tmp_path / "blobs" / "ab" / "of an archive whose settings were lost"
    kept.parent.mkdir(parents=True)
    kept.write_text("precious")

    with pytest.raises(UsageError, match="expected a budget"):
        Track.init(tmp_path, "demo", budget=0)

    assert [one for one in tmp_path.rglob("*") if one.is_file()] == [kept]


def test_a_track_that_cannot_be_made_leaves_others_as_they_are(sqlite_track: Track) -> None:
    with pytest.raises(UsageError, match="there is a track demo already"):
        Track.init(sqlite_track.folder.path, "demo")

    assert [one.slug for one in Track.tracks(sqlite_track.folder.path)] == ["demo"]


# Phases ----------------------------------------------------------------------------------------------------------


def test_a_submission_before_its_phase_is_refused_with_the_phase_that_takes_it(track: Track, files: Path) -> None:
    small.fill(track, files)

    with pytest.raises(UsageError, match="the track is in the phase set-up, but results are submitted in results"):
        track.submit("alpha", "run1", [NewOutput({"output.tsv": small.OUTPUT})])

    assert not Submission.objects.exists()


def test_going_back_takes_a_reason_and_is_logged(track: Track) -> None:
    track.move_to("systems")

    with pytest.raises(UsageError, match=r"to reopen results say why$"):
        track.move_to("results")
    track.move_to("results", "a team was ill")

    assert track.row.phase == "results"
    assert Event.objects.filter(verb="moved").latest("id").details == {
        "before": "systems",
        "after": "results",
        "reason": "a team was ill",
    }


def test_an_unknown_phase_is_named_beside_the_known_ones(track: Track) -> None:
    with pytest.raises(UsageError, match=r"expected a phase \(set-up, results, .*found 'done'"):
        track.move_to("done")


# Submitting ------------------------------------------------------------------------------------------------------


def test_a_submission_is_scored_when_it_comes(track: Track, files: Path) -> None:
    small.fill(track, files)
    track.move_to("results")

    taken = track.submit("alpha", "run1", [NewOutput({"output.tsv": small.OUTPUT}, values={"f1": 0.9})])

    assert Output.objects.get().scored["f1"] == pytest.approx(0.8)
    assert taken.remarks == ("default: f1 was stated as 0.9, the scorer of the task finds 0.8000",)


def test_an_output_that_the_scorer_cannot_read_is_refused_whole(track: Track, files: Path) -> None:
    small.fill(track, files)
    track.move_to("results")
    good, bad = NewOutput({"output.tsv": small.OUTPUT}), NewOutput({"output.tsv": b"no code\n"}, configuration="b")

    with pytest.raises(FormatError, match=r"output\.tsv:1: expected"):
        track.submit("alpha", "run1", [good, bad])

    assert not Submission.objects.exists()


def test_a_run_that_breaks_the_profile_of_its_task_is_refused(sqlite_track: Track, files: Path) -> None:
    sqlite_track.set_task("adhoc", scorer="trec", profile="ir_metadata")
    (files / "qrels").write_text("1 0 d1 1\n")
    sqlite_track.set_data_set("adhoc", "robust", gold=files / "qrels")
    sqlite_track.set_team("alpha")
    sqlite_track.move_to("results")

    with pytest.raises(Exception, match="metadata"):
        sqlite_track.submit("alpha", "bare", [NewOutput({"bare.run": b"1 Q0 d1 1 0.5 bare\n"})])

    assert not Submission.objects.exists()


def test_the_same_name_is_not_submitted_twice(track: Track, files: Path) -> None:
    small.fill(track, files)
    small.submit(track, files)

    with pytest.raises(UsageError, match="alpha/run1 was submitted already"):
        track.submit("alpha", "run1", [NewOutput({"output.tsv": small.OUTPUT})])


def test_a_team_hears_what_analysts_will_miss_in_its_bundle(track: Track, files: Path) -> None:
    small.fill(track, files)
    track.move_to("results")
    track.submit("alpha", "run1", [NewOutput({"output.tsv": small.OUTPUT})])

    taken = track.submit_bundle("alpha/run1", small.bundle(files, expected={}, progress=""))

    assert {"Q6"} <= {one.question for one in taken.missing}


def test_a_secret_of_remote_access_is_not_in_the_database(
    sqlite_track: Track, files: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from primad.track.secrets import key_file, unsealed

    monkeypatch.delenv("PRIMAD_SECRET_KEY", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    small.fill(sqlite_track, files)
    sqlite_track.move_to("results")
    sqlite_track.submit("alpha", "run1", [NewOutput({"output.tsv": small.OUTPUT})])

    system = sqlite_track.submit_remote("alpha/run1", "ssh to the server", secret=SECRET)

    sqlite_track.close()
    stored = b"".join(path.read_bytes() for path in sqlite_track.folder.path.rglob("*") if path.is_file())
    assert b"open-sesame" not in stored
    assert unsealed(system.secret) == SECRET
    assert key_file().stat().st_mode & 0o777 == 0o600
    assert not key_file().is_relative_to(sqlite_track.folder.path)


def test_a_secret_cannot_be_read_with_another_key(monkeypatch: pytest.MonkeyPatch) -> None:
    from cryptography.fernet import Fernet

    from primad.track.secrets import sealed, unsealed

    monkeypatch.setenv("PRIMAD_SECRET_KEY", Fernet.generate_key().decode())
    token = sealed("hidden")
    monkeypatch.setenv("PRIMAD_SECRET_KEY", Fernet.generate_key().decode())

    with pytest.raises(UsageError, match="encrypted with another key than the one in PRIMAD_SECRET_KEY"):
        unsealed(token)


# Assigning -------------------------------------------------------------------------------------------------------


def test_nobody_runs_the_system_of_a_team_they_have_a_conflict_with(track: Track, files: Path) -> None:
    small.fill(track, files)
    for team in ("alpha", "beta"):
        small.submit(track, files, team)
    track.move_to("assignment")

    matrix = track.assign_all(per_submission=2)

    assert {(pair.analyst, pair.submission) for pair in matrix.pairs} == {
        ("ann", "alpha/run1"),
        ("dan", "alpha/run1"),
        ("ann", "beta/run1"),
    }
    with pytest.raises(UsageError, match="dan has a conflict of interest with beta"):
        track.assign("dan", "beta/run1")


def test_a_submission_that_is_not_eligible_is_assigned_to_nobody(track: Track, files: Path) -> None:
    small.fill(track, files)
    small.submit(track, files)
    track.decide("alpha/run1", eligible=False, reason="it rests on intermediate results")
    track.move_to("assignment")

    assert track.assign_all(per_submission=2).pairs == ()


# Attempts --------------------------------------------------------------------------------------------------------


def test_human_time_is_what_lies_between_start_and_pause(track: Track, files: Path) -> None:
    address = small.ready(track, files)
    number = track.start("ann", address, at=NOON).number

    track.pause(number, at=NOON + minutes(10))
    track.resume(number, "run", at=NOON + minutes(60))
    track.stop(number, "failed", stage="run", reason="out of memory", at=NOON + minutes(65))

    attempt = track.attempt(number)
    assert judging.human_minutes(attempt) == pytest.approx(15.0)
    assert judging.human_minutes(attempt, "run") == pytest.approx(5.0)
    assert (attempt.state, attempt.stage, attempt.reason) == ("failed", "run", "out of memory")


def test_an_analyst_is_at_work_on_one_attempt_at_a_time(ready_track: Track) -> None:
    ready_track.start("ann", "alpha/run1")

    with pytest.raises(UsageError, match="ann is at work on attempt 1; pause it first"):
        ready_track.start("ann", "alpha/run1")


def test_an_attempt_that_its_analyst_is_at_work_on_goes_on_already(ready_track: Track) -> None:
    ready_track.start("ann", "alpha/run1")

    with pytest.raises(UsageError, match=r"^attempt 1 \(ann on alpha/run1\) goes on already, at the stage") as caught:
        ready_track.resume(1, "run")

    assert caught.value.command == "let it rest with: primad track attempt pause 1"
    assert [one.stage for one in Span.objects.all()] == ["prerequisites"]


def test_another_attempt_is_resumed_only_once_the_one_at_work_rests(ready_track: Track) -> None:
    ready_track.pause(ready_track.start("ann", "alpha/run1").number)
    ready_track.start("ann", "alpha/run1")

    with pytest.raises(UsageError, match="ann is at work on attempt 2; pause it first"):
        ready_track.resume(1)


@pytest.mark.parametrize(
    ("phase", "replay", "command"),
    [
        pytest.param("replication", {}, "begin another with: primad track attempt start", id="by hand"),
        pytest.param(
            "replication",
            {"steps": [{"stage": "run"}]},
            "begin another with: primad track attempt start, or repeat a replay with: primad track replay --again 1",
            id="replayed",
        ),
        pytest.param("adjudication", {}, "", id="by hand, and it is late"),
        pytest.param(
            "adjudication",
            {"steps": [{"stage": "run"}]},
            "repeat a replay with: primad track replay --again 1",
            id="replayed, and it is late",
        ),
    ],
)
def test_who_pauses_what_has_ended_is_told_so_and_to_repeat_only_a_replay(
    ready_track: Track, phase: str, replay: dict[str, object], command: str
) -> None:
    ready_track.stop(ready_track.start("ann", "alpha/run1").number, "failed", stage="run", reason="it hangs")
    Attempt.objects.update(replay=replay)
    small.move_on(ready_track, phase)

    with pytest.raises(UsageError, match=r"^attempt 1 \(ann on alpha/run1\) has failed already") as caught:
        ready_track.pause(1)

    assert caught.value.command == command


@pytest.mark.parametrize("verb", ["pause", "resume"])
def test_what_a_replay_is_at_work_on_is_neither_paused_nor_resumed(ready_track: Track, verb: str) -> None:
    number = ready_track.start("ann", "alpha/run1").number

    with lease.held(ready_track.attempt(number)), pytest.raises(UsageError, match="a replay is at work on attempt 1"):
        getattr(ready_track, verb)(number)


def test_an_analyst_who_is_not_assigned_cannot_start(ready_track: Track) -> None:
    ready_track.set_analyst("eve", role="user")

    with pytest.raises(UsageError, match="eve is not assigned to alpha/run1"):
        ready_track.start("eve", "alpha/run1")


@pytest.mark.parametrize(
    ("outcome", "given", "message"),
    [
        pytest.param("succeeded", {}, "an attempt that succeeded has an output", id="no output"),
        pytest.param("failed", {"reason": "crash"}, "failed did so at a stage", id="no stage"),
        pytest.param("failed", {"stage": "lunch", "reason": "x"}, "expected a stage", id="no such stage"),
        pytest.param("abandoned", {}, "say why the attempt was abandoned", id="no reason"),
        pytest.param("finished", {}, "expected an outcome", id="no such outcome"),
    ],
)
def test_an_outcome_needs_what_belongs_to_it(
    ready_track: Track, outcome: str, given: dict[str, str], message: str
) -> None:
    number = ready_track.start("ann", "alpha/run1").number

    with pytest.raises(UsageError, match=message):
        ready_track.stop(number, outcome, **given)  # type: ignore[arg-type]  # texts only

    assert ready_track.attempt(number).state == "open"


@pytest.mark.parametrize("run_minutes", [float("nan"), float("inf"), -1.0])
def test_a_run_time_that_no_run_can_have_is_refused(ready_track: Track, run_minutes: float) -> None:
    number = ready_track.start("ann", "alpha/run1").number

    with pytest.raises(UsageError, match=f"expected a run time of some minutes, found {run_minutes:g}"):
        ready_track.stop(number, "failed", stage="run", reason="it ran for ever", run_minutes=run_minutes)

    assert Attempt.objects.get().state == "open"


def test_an_attempt_that_ended_is_not_ended_again(ready_track: Track) -> None:
    number = ready_track.start("ann", "alpha/run1").number
    ready_track.stop(number, "abandoned", reason="no time")

    with pytest.raises(UsageError, match="has abandoned already"):
        ready_track.stop(number, "abandoned", reason="again")


def test_an_output_is_judged_beside_the_submitted_one(track: Track, files: Path) -> None:
    address = small.ready(track, files)
    (files / "mine.tsv").write_bytes(small.WORSE)
    number = track.start("dan", address).number

    verdict = track.stop(number, "succeeded", output=files / "mine.tsv", run_minutes=2)

    assert verdict is not None
    assert (verdict.agreement, verdict.points) == (".01 or more apart", 2)
    assert [verdict.submitted, verdict.replicated] == pytest.approx([0.8, 0.6])
    assert track.attempt(number).run_seconds == 120.0


def test_a_corrected_time_keeps_what_stood_there(ready_track: Track) -> None:
    number = ready_track.start("ann", "alpha/run1", at=NOON).number
    ready_track.pause(number, at=NOON + minutes(90))
    span = Span.objects.get()

    timing.correct_span(span, started_at=None, ended_at=NOON + minutes(30), remark="forgot to pause at lunch")

    assert judging.human_minutes(ready_track.attempt(number)) == pytest.approx(30.0)
    assert span.corrected["before"][0]["ended_at"] == (NOON + minutes(90)).isoformat()


@pytest.mark.parametrize(
    ("start", "end", "told"),
    [
        pytest.param(-5, 30, "when the attempt began", id="before the attempt began"),
        pytest.param(0, 60 * 24 * 365 * 80, "expected a time that is over", id="in the future"),
        pytest.param(
            0, 70, "was at work on attempt 1 from 2026-05-04 13:00 UTC to 2026-05-04 13:30 UTC", id="twice at once"
        ),
        pytest.param(50, 40, "expected an end behind the start", id="backwards"),
    ],
)
def test_a_time_at_which_nobody_can_have_worked_is_no_correction(
    start: int, end: int, told: str, ready_track: Track
) -> None:
    number = ready_track.start("ann", "alpha/run1", at=NOON).number
    ready_track.pause(number, at=NOON + minutes(30))
    ready_track.resume(number, at=NOON + minutes(60))
    ready_track.pause(number, at=NOON + minutes(90))

    with pytest.raises(UsageError, match=told):
        ready_track.correct(
            number, 1, started_at=NOON + minutes(start), ended_at=NOON + minutes(end), reason="noted wrongly"
        )

    assert judging.human_minutes(ready_track.attempt(number)) == pytest.approx(60.0)
    ready_track.correct(number, 1, ended_at=NOON + minutes(60), reason="no break was made")
    assert judging.human_minutes(ready_track.attempt(number)) == pytest.approx(90.0)


def test_a_stage_is_changed_without_a_gap_and_a_wrong_one_changes_nothing(ready_track: Track) -> None:
    number = ready_track.start("ann", "alpha/run1").number

    with pytest.raises(UsageError, match="expected a stage"):
        ready_track.change_stage(number, "lunch")
    before = ready_track.change_stage(number, "install")
    first, second = Span.objects.order_by("id")
    ready_track.pause(number)
    with pytest.raises(UsageError, match="rests"):
        ready_track.change_stage(number, "run")

    assert (before, second.stage) == ("prerequisites", "install")
    assert first.ended_at == second.started_at
    assert Span.objects.count() == 2


def test_an_answer_goes_to_the_question_that_is_named_and_only_once(ready_track: Track) -> None:
    number = ready_track.start("ann", "alpha/run1").number
    first, second = ready_track.ask(number, "Which locale?"), ready_track.ask(number, "Which Python?")

    answered = ready_track.answer(number, "3.11", question=second.key)
    with pytest.raises(UsageError, match="answered already"):
        ready_track.answer(number, "3.11", question=second.key)
    with pytest.raises(PairingError, match="no question of"):
        ready_track.answer(number, "3.11", question=second.key + 100)
    oldest = ready_track.answer(number, "C.UTF-8")

    assert (answered.text, answered.answer) == ("Which Python?", "3.11")
    assert (oldest.key, oldest.answer) == (first.key, "C.UTF-8")


def test_what_was_decided_first_can_become_undecided_again(ready_track: Track) -> None:
    ready_track.decide("alpha/run1", eligible=True, reason="has a system")
    number = ready_track.start("ann", "alpha/run1").number
    ready_track.stop(number, "abandoned", reason="no time")
    ready_track.set_level(number, 2, "a reason")

    ready_track.decide("alpha/run1", eligible=None, reason="too early")
    ready_track.set_level(number, None, "too early")

    facts = ready_track.submission_facts("alpha/run1")
    assert (facts.eligible, facts.reason) == (None, "")
    assert (ready_track.level_facts(number).decided, ready_track.level_facts(number).note) == (None, "")


# Sheets ----------------------------------------------------------------------------------------------------------


def test_what_was_recorded_proposes_three_answers(track: Track, files: Path) -> None:
    address = small.ready(track, files)
    (files / "mine.tsv").write_bytes(small.OUTPUT)
    number = track.start("ann", address).number
    track.ask(number, "Which version of Python?")
    track.stop(number, "succeeded", output=files / "mine.tsv")

    proposed = {key: one.value for key, one in track.proposals("ann", address).items()}

    assert proposed == {"Q4": "yes", "Q7": "yes", "Q8": 4}


def test_an_answer_other_than_proposed_is_kept_and_needs_a_note_to_be_locked(ready_track: Track, files: Path) -> None:
    (files / "mine.tsv").write_bytes(small.OUTPUT)
    number = ready_track.start("ann", "alpha/run1").number
    ready_track.stop(number, "succeeded", output=files / "mine.tsv")

    ready_track.fill("ann", "alpha/run1", {"Q8": 2})
    with pytest.raises(DataError, match=r"(?s)kept, but the sheet cannot be locked .*Q8: 4 was proposed, found 2; say"):
        ready_track.fill("ann", "alpha/run1", {}, lock=True)
    kept = Sheet.objects.get().answers["Q8"]["value"]
    ready_track.fill("ann", "alpha/run1", {"Q8": {"value": 2, "note": "the log says otherwise"}})
    with pytest.raises(DataError) as missing:
        ready_track.fill("ann", "alpha/run1", {}, lock=True)

    assert kept == 2
    assert "Q8" not in str(missing.value)


def test_a_locked_sheet_stays_as_it_is(ready_track: Track) -> None:
    number = ready_track.start("ann", "alpha/run1").number
    ready_track.stop(number, "abandoned", reason="no time")
    ready_track.fill("ann", "alpha/run1", GOOD, lock=True)

    with pytest.raises(UsageError, match="was locked on"):
        ready_track.fill("ann", "alpha/run1", {"Q1": "no"})

    assert Sheet.objects.get().answers["Q1"]["value"] == "yes"


def test_a_sheet_with_a_hole_is_not_locked(ready_track: Track) -> None:
    with pytest.raises(DataError, match="Q10: expected yes or no, found no answer"):
        ready_track.fill("ann", "alpha/run1", {key: value for key, value in GOOD.items() if key != "Q10"}, lock=True)

    assert Sheet.objects.get().locked_at is None


def test_in_a_blind_track_nobody_sees_other_sheets_before_all_are_locked(ready_track: Track) -> None:
    with ready_track.speaking() as row:
        type(row).objects.filter(pk=row.pk).update(blind=True)
    for analyst in ("ann", "dan"):
        number = ready_track.start(analyst, "alpha/run1").number
        ready_track.stop(number, "abandoned", reason="no time")
    dan, submission = ready_track.analyst("dan"), ready_track.submission("alpha/run1")

    ready_track.fill("ann", "alpha/run1", GOOD, lock=True)
    before = sheets.readable(submission, dan)
    ready_track.fill("dan", "alpha/run1", GOOD, lock=True)
    after = sheets.readable(ready_track.submission("alpha/run1"), dan)

    assert before == []
    assert sorted(sheet.analyst.slug for sheet in after) == ["ann", "dan"]


# Levels ----------------------------------------------------------------------------------------------------------


def test_a_level_other_than_proposed_takes_a_reason(ready_track: Track, files: Path) -> None:
    (files / "mine.tsv").write_bytes(small.OUTPUT)
    number = ready_track.start("ann", "alpha/run1").number
    ready_track.stop(number, "succeeded", output=files / "mine.tsv")

    assert judging.proposed_level(ready_track.attempt(number))[0] == 4
    with pytest.raises(UsageError, match="the record speaks for level 4; say why it is 2"):
        ready_track.set_level(number, 2)
    with pytest.raises(UsageError, match="the record speaks for level 4; say why it is none"):
        ready_track.set_level(number, None)
    ready_track.set_level(number, 2, "the machine of the authors was used")

    assert Attempt.objects.get().level == 2


# Names -----------------------------------------------------------------------------------------------------------


def test_a_wrong_name_comes_with_the_one_that_was_meant(ready_track: Track) -> None:
    with pytest.raises(PairingError, match="no submission is called 'alpha/run2'; did you mean 'alpha/run1'"):
        ready_track.start("ann", "alpha/run2")
    with pytest.raises(PairingError, match="no analyst is called 'anne'; did you mean 'ann'"):
        ready_track.start("anne", "alpha/run1")


@pytest.mark.parametrize("slug", ["", "../etc", "Big", "a/b", "-x", "x" * 61, "a..b", "é"])
def test_a_name_that_could_be_a_path_is_refused(sqlite_track: Track, slug: str) -> None:
    with pytest.raises(UsageError, match="as the name of a team"):
        sqlite_track.set_team(slug)


# Dates and profiles ----------------------------------------------------------------------------------------------


def test_what_comes_behind_the_closing_date_is_refused(track: Track, files: Path) -> None:
    small.fill(track, files)
    track.change(dates={"results": {"closes": "2016-05-01"}})
    track.move_to("results")

    with pytest.raises(UsageError, match="the phase results closed on 2016-05-01; an organiser can set another date"):
        track.submit("alpha", "run1", [NewOutput({"output.tsv": small.OUTPUT})])


def test_a_profile_in_a_file_is_kept_with_its_task(sqlite_track: Track, files: Path) -> None:
    profile = files / "strict.yaml"
    profile.write_text("name: strict\nessential: [research goal.venue.name]\n")
    sqlite_track.set_task("adhoc", scorer="trec", profile=str(profile))
    (files / "qrels").write_text("1 0 d1 1\n")
    sqlite_track.set_data_set("adhoc", "robust", gold=files / "qrels")
    sqlite_track.set_team("alpha")
    sqlite_track.move_to("results")
    profile.unlink()
    annotated = b"# ir_metadata.start\n# tag: bare\n# actor:\n#   name: A\n# ir_metadata.end\n1 Q0 d1 1 0.5 bare\n"

    with pytest.raises(FileError, match="research goal"):
        sqlite_track.submit("alpha", "bare", [NewOutput({"bare.run": annotated})])


# What people do in a hurry ---------------------------------------------------------------------------------------


def test_a_gold_standard_that_cannot_be_read_is_refused_when_it_is_set(track: Track, files: Path) -> None:
    track.set_task("coding", scorer="coding")
    (files / "gold.tsv").write_text("d1 J11\n")

    with pytest.raises(FormatError, match=r"gold\.tsv:1"):
        track.set_data_set("coding", "test", gold=files / "gold.tsv")

    assert not track.task("coding").data_sets.exists()


def test_an_empty_output_is_refused(track: Track, files: Path) -> None:
    small.fill(track, files)
    track.move_to("results")

    with pytest.raises(UsageError, match=r"found nothing in output\.tsv"):
        track.submit("alpha", "run1", [NewOutput({"output.tsv": b""})])


def test_an_output_that_cannot_be_read_leaves_the_attempt_open_unless_that_is_meant(
    ready_track: Track, files: Path
) -> None:
    (files / "mine.csv").write_text("d1,j11\n")
    number = ready_track.start("ann", "alpha/run1").number

    with pytest.raises(FormatError, match=r"mine\.csv:1"):
        ready_track.stop(number, "succeeded", output=files / "mine.csv")
    assert ready_track.attempt(number).state == "open"
    verdict = ready_track.stop(number, "succeeded", output=files / "mine.csv", unreadable=True)

    assert verdict is not None
    assert (verdict.agreement, verdict.points) == ("the scorer failed", 1)


def test_work_does_not_go_on_before_it_rested(ready_track: Track) -> None:
    number = ready_track.start("ann", "alpha/run1", at=NOON).number
    ready_track.pause(number, at=NOON + minutes(20))

    with pytest.raises(UsageError, match="expected a time from 2026-05-04 12:20 UTC on"):
        ready_track.resume(number, "run", at=NOON + minutes(10))


def test_a_clock_that_is_seconds_ahead_is_no_reason_to_refuse_and_makes_no_time_to_come(ready_track: Track) -> None:
    ahead = datetime.now(UTC) + timedelta(seconds=30)

    attempt = ready_track.start("ann", "alpha/run1", at=ahead)

    assert attempt.opened_at < ahead


@pytest.mark.parametrize(
    "moment",
    [
        pytest.param("9999-12-31T23:59:59-12:00", id="behind the last"),
        pytest.param("0001-01-01T00:00:00+12:00", id="before the first"),
    ],
)
def test_a_time_that_no_calendar_has_in_utc_is_refused(ready_track: Track, moment: str) -> None:
    with pytest.raises(UsageError, match="which no calendar has in UTC"):
        ready_track.start("ann", "alpha/run1", at=datetime.fromisoformat(moment))


def test_nothing_is_done_at_a_time_that_is_yet_to_come(ready_track: Track) -> None:
    tomorrow, told = datetime.now(UTC) + timedelta(days=1), "expected a time that is over, found .*; now it is"

    with pytest.raises(UsageError, match=told):
        ready_track.start("ann", "alpha/run1", at=tomorrow)
    number = ready_track.start("ann", "alpha/run1", at=NOON).number
    with pytest.raises(UsageError, match=told):
        ready_track.pause(number, at=tomorrow)
    with pytest.raises(UsageError, match=told):
        ready_track.stop(number, "abandoned", reason="no time", at=tomorrow)
    ready_track.pause(number, at=NOON + minutes(20))
    with pytest.raises(UsageError, match=told):
        ready_track.resume(number, at=tomorrow)

    assert judging.human_minutes(ready_track.attempt(number)) == pytest.approx(20.0)


def test_a_question_asked_while_the_system_ran_is_not_about_installing_it(ready_track: Track) -> None:
    number = ready_track.start("ann", "alpha/run1", at=NOON).number
    ready_track.pause(number, at=NOON + minutes(5))
    ready_track.resume(number, "run", at=NOON + minutes(6))

    ready_track.ask(number, "Is it normal that it prints nothing?", at=NOON + minutes(8))
    while_running = ready_track.proposals("ann", "alpha/run1")["Q4"].value
    ready_track.ask(number, "Which Java?", at=NOON + minutes(3))

    assert while_running == "no"
    assert ready_track.proposals("ann", "alpha/run1")["Q4"].value == "yes"


def test_the_worst_of_several_results_is_proposed(ready_track: Track, files: Path) -> None:
    for content in (small.OUTPUT, small.WORSE):
        (files / "mine.tsv").write_bytes(content)
        ready_track.stop(ready_track.start("ann", "alpha/run1").number, "succeeded", output=files / "mine.tsv")

    assert ready_track.proposals("ann", "alpha/run1")["Q8"].value == 2


def test_moving_on_says_what_is_left_undone(ready_track: Track) -> None:
    ready_track.start("ann", "alpha/run1")
    ready_track.sheet("ann", "alpha/run1")

    assert ready_track.move_to("published") == (
        "passed over: adjudication",
        "1 attempt has not ended",
        "1 sheet is not locked, and will not be counted",
    )


def test_an_analyst_with_a_conflict_is_not_told_to_be_assigned(track: Track, files: Path) -> None:
    small.fill(track, files)
    small.submit(track, files, "beta")
    track.move_to("replication")

    with pytest.raises(UsageError, match="dan has a conflict of interest with beta"):
        track.start("dan", "beta/run1")


@pytest.mark.parametrize(
    ("noted", "words"),
    [
        pytest.param([], "how long that took was not recorded", id="one stage only"),
        pytest.param([("install", 10), ("run", 50)], "it was built in 25 minutes", id="all stages"),
    ],
)
def test_how_long_it_took_to_build_is_known_only_if_it_was_noted(
    ready_track: Track, files: Path, noted: list[tuple[str, int]], words: str
) -> None:
    (files / "mine.tsv").write_bytes(small.WORSE)
    number = ready_track.start("ann", "alpha/run1", at=NOON).number
    now = NOON + minutes(15)
    ready_track.pause(number, at=now)
    for stage, took in noted:
        ready_track.resume(number, stage, at=now)
        now += minutes(took)
        ready_track.pause(number, at=now)
    ready_track.stop(number, "succeeded", output=files / "mine.tsv", at=now)

    assert words in judging.proposed_level(ready_track.attempt(number))[1]


# Several configurations ------------------------------------------------------------------------------------------

WAYS = ("precise", "fast", "a-long-name")


def run_in_several_ways(track: Track, files: Path) -> str:
    """Bring TRACK to replication, with a system that ann runs in several ways, and return its address."""
    small.fill(track, files)
    track.move_to("results")
    outputs = [NewOutput({"output.tsv": small.OUTPUT}, configuration=one) for one in WAYS]
    track.submit("alpha", "multi", outputs)
    ways = {one: {"run": ["/usr/bin/python3 code.py"]} for one in (*WAYS, "never-submitted")}
    track.submit_bundle("alpha/multi", small.bundle(files, configurations=ways, run=None))
    track.move_to("assignment")
    track.assign("ann", "alpha/multi")
    track.move_to("replication")
    return "alpha/multi"


@pytest.mark.parametrize("wanted", ["", "fats"])
def test_an_attempt_at_a_configuration_that_the_system_has_not_is_refused_before_it_is_opened(
    sqlite_track: Track, files: Path, wanted: str
) -> None:
    address = run_in_several_ways(sqlite_track, files)

    with pytest.raises(
        UsageError, match=r"expected a configuration of the system \(precise, fast, a-long-name, never-submitted\)"
    ):
        sqlite_track.start("ann", address, configuration=wanted)

    assert sqlite_track.facts().attempts == ()
    assert sqlite_track.start("ann", address, configuration="never-submitted").configuration == "never-submitted"


def test_the_only_configuration_of_a_system_need_not_be_named(sqlite_track: Track, files: Path) -> None:
    small.fill(sqlite_track, files)
    sqlite_track.move_to("results")
    sqlite_track.submit("alpha", "run1", [NewOutput({"output.tsv": small.OUTPUT}, configuration="exact")])
    sqlite_track.submit_remote("alpha/run1", "ssh to it")
    sqlite_track.move_to("assignment")
    sqlite_track.assign("ann", "alpha/run1")
    sqlite_track.move_to("replication")

    assert sqlite_track.start("ann", "alpha/run1").configuration == "exact"


def test_each_configuration_that_was_submitted_is_a_step_of_its_own(track: Track, files: Path) -> None:
    address = run_in_several_ways(track, files)
    track.stop(track.start("ann", address, configuration="fast").number, "failed", stage="run", reason="it hangs")

    steps = [one.command for one in track.facts().next if one.who == "analyst ann"]

    run = "primad track replay alpha/multi --analyst ann --configuration"
    assert steps == [f"{run} precise", f"{run} a-long-name"]


def test_configurations_and_measures_are_in_the_same_order_in_both_databases(track: Track, files: Path) -> None:
    facts = track.submission_facts(run_in_several_ways(track, files))

    assert facts.systems[0].configurations == (*WAYS, "never-submitted")
    assert [one.configuration for one in facts.outputs] == list(WAYS)
    assert list(facts.outputs[0].scored)[:4] == ["f1", "doc_f1", "doc_precision", "doc_recall"]


# What nobody runs any more ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("out", "why"),
    [
        pytest.param(lambda track: track.withdraw("alpha/run1", "wrong"), "was withdrawn", id="withdrawn"),
        pytest.param(
            lambda track: track.decide("alpha/run1", eligible=False, reason="no licence"),
            r"is not eligible \(no licence\)",
            id="not eligible",
        ),
    ],
)
def test_what_is_out_is_neither_assigned_nor_run(ready_track: Track, out: Callable[[Track], None], why: str) -> None:
    ready_track.unassign("dan", "alpha/run1")
    out(ready_track)

    with pytest.raises(UsageError, match=f"alpha/run1 {why}"):
        ready_track.assign("dan", "alpha/run1")
    with pytest.raises(UsageError, match=f"alpha/run1 {why}"):
        ready_track.start("ann", "alpha/run1")

    assert ready_track.reassign([("dan", "alpha/run1")], []).assigned == ()
    assert ready_track.facts().attempts == ()


# What somebody is told -------------------------------------------------------------------------------------------


def test_publishing_says_how_many_levels_are_only_proposed(ready_track: Track) -> None:
    ready_track.stop(ready_track.start("ann", "alpha/run1").number, "failed", stage="run", reason="it hangs")
    ready_track.move_to("adjudication")

    steps = [one.command for one in ready_track.facts().next]

    assert "primad track level 1 LEVEL" in steps
    assert ready_track.move_to("published") == ("the level of 1 attempt is not decided, only proposed",)


def test_an_attempt_that_shows_no_level_waits_for_no_decision(ready_track: Track) -> None:
    ready_track.stop(ready_track.start("ann", "alpha/run1").number, "abandoned", reason="ann is ill")
    ready_track.move_to("adjudication")

    steps = [one.command for one in ready_track.facts().next]

    assert ready_track.level_facts(1).proposed is None
    assert "primad track level 1 LEVEL" not in steps
    assert ready_track.move_to("published") == ()


def test_a_phase_that_is_over_already_opens_with_a_word(track: Track) -> None:
    track.change(dates={"results": {"closes": "2016-05-01"}})

    (remark,) = track.move_to("results")

    assert remark.startswith("results closed on 2016-05-01, so that teams can hand in nothing")


def test_a_track_without_submissions_has_nothing_to_be_run(track: Track) -> None:
    remarks = track.move_to("replication")

    assert remarks == ("passed over: results, systems, assignment", "nothing was submitted")
    assert track.facts().next[0].command == "primad track phase results --because TEXT"


def test_a_file_that_is_an_input_is_taken_with_a_remark(track: Track, files: Path) -> None:
    small.fill(track, files)
    track.set_data_set("coding", "test", inputs={"mentions.tsv": small.OUTPUT})
    track.move_to("results")

    taken = track.submit("alpha", "run1", [NewOutput({"mine.tsv": small.OUTPUT})])

    assert taken.remarks == (
        "mine.tsv is byte for byte mentions.tsv, an input of the data set test; was another file meant?",
    )
