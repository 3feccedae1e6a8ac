"""Does everybody see what they should, word for word, and nothing that is hidden from them?"""

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from primad.errors import NotAllowed, PairingError, PrimadError, UsageError
from primad.reports.lists import json_document
from primad.store import database
from primad.store.actors import acting
from primad.store.models import Event
from primad.track.models import DataSet
from primad.track.track import Track
from tests.track import small
from tests.track.roles import ACTORS, COMMENT, GOOD, NOTE, copied, made_once, settle

SECRET = "open-sesame-5719"  # noqa: S105 - opens nothing

NAMES = re.compile(r"\b(?:ann|dan)\b", re.IGNORECASE)  # of analysts


@pytest.fixture(scope="module")
def settled_once(tmp_path_factory: pytest.TempPathFactory, sqlite_tables: Path) -> Path:
    """Return the data folder of a track with everybody in it, which is not to be changed."""
    return made_once(tmp_path_factory.mktemp("settled"), sqlite_tables)


@pytest.fixture
def settled(settled_once: Path, tmp_path: Path) -> Iterator[Track]:
    """Return a track with everybody in it."""
    yield copied(settled_once, tmp_path / "settled")
    database.close()


def everything(track: Track) -> str:
    """Return everything that whoever acts gets to read of TRACK but for when it was, as one text."""
    read = json_document("all", dict(enumerate(_everything(track))))
    return re.sub(r"\d{4}-\d\d-\d\dT[^\"]+", "then", read)  # 10.8 seconds past are no score of 0.8


def _everything(track: Track) -> Iterator[Any]:
    """Yield what each read gives."""
    reads: list[tuple[Any, ...]] = [(track.facts,), (track.task_facts, "coding")]
    reads += [(track.team_facts, one) for one in ("alpha", "beta")]
    reads += [(track.analyst_facts, one) for one in ("ann", "dan")]
    for address in ("alpha/run1", "beta/run1"):
        reads += [(track.submission_facts, address), (track.readable_sheets, address)]
        reads += [(track.sheet_facts, who, address) for who in ("ann", "dan")]
    for number in (1, 2):
        reads += [(track.attempt_facts, number), (track.verdict_facts, number), (track.level_facts, number)]
    for read, *arguments in reads:
        with suppress(NotAllowed, PairingError):
            yield read(*arguments)


HIDDEN = {  # before publication
    "visitor": ["alpha", "beta@", "run1", "ann", "dan", COMMENT, NOTE, "Java", "apart", "identical", "Ubuntu"],
    "user": ["alpha", "run1", "ann", "dan", COMMENT, NOTE, "Java", "apart", "identical"],
    "alpha": ["beta", '"ann"', '"dan"', COMMENT, NOTE, "apart", "identical", '"f1": 0.8', "Ubuntu", "succeeded"],
    "beta": ["alpha", '"ann"', '"dan"', COMMENT, NOTE, "Java", "apart", "identical", '"f1": 0.8'],
    "ann": ["identical", '"f1": 0.8', '"f1": 0.6', "Debian", "0.8000", "0.6000"],
    "dan": ["beta/run1", "apart", COMMENT, NOTE, "Java", '"f1": 0.8', "Ubuntu"],
    "organiser": [COMMENT],
    "administrator": [COMMENT],
}


@pytest.mark.parametrize("who", HIDDEN)
def test_before_publication_nothing_leaks_through_any_read(settled: Track, who: str) -> None:
    with acting(ACTORS[who]):
        seen = everything(settled)

    assert [word for word in HIDDEN[who] if word in seen] == []


@pytest.mark.parametrize("who", ["visitor", "user", "elsewhere"])
def test_a_published_track_tells_verdicts_and_no_contact_sheet_note_or_question(settled: Track, who: str) -> None:
    settled.move_to("published")

    with acting(ACTORS[who]):
        seen = everything(settled)

    assert [word for word in ("alpha@", "coders@", COMMENT, NOTE, "Java", "Ubuntu") if word in seen] == []
    assert [word for word in ("alpha/run1", ".01 or more apart", "identical bytes") if word not in seen] == []


@pytest.mark.parametrize("who", ["visitor", "user", "elsewhere", "alpha", "beta"])
@pytest.mark.parametrize("blind", [pytest.param(True, id="blind"), pytest.param(False, id="open")])
def test_a_published_track_tells_who_made_an_attempt_by_role_and_number(
    settled: Track, who: str, *, blind: bool
) -> None:
    type(settled.row).objects.update(blind=blind)
    settled.move_to("published")
    with acting(ACTORS["dan"]):
        settled.again(2)

    with acting(ACTORS[who]):
        seen = everything(settled)
        row = settled.submission_facts("alpha/run1").row
        attempts = [(one.number, one.analyst, one.why) for one in settled.facts().attempts]

    assert NAMES.findall(seen) == []
    assert row.analysts == ("user 1", "developer 1")
    assert row.why == (
        "user 1 succeeded (.01 or more apart); developer 1 succeeded (identical bytes); developer 1 open"
    )
    assert attempts == [
        (1, "user 1", ".01 or more apart"),
        (2, "developer 1", "identical bytes"),
        (3, "developer 1", "it has not ended"),
    ]


def test_an_analyst_and_organisers_find_the_attempts_of_an_analyst_by_name(settled: Track) -> None:
    settled.move_to("published")
    seen = {}
    for who in ("ann", "organiser"):
        with acting(ACTORS[who]):
            row = settled.submission_facts("alpha/run1").row
            seen[who] = (row.analysts, [settled.attempt_facts(one).row.analyst for one in (1, 2)])

    assert seen == {
        "ann": (("ann", "developer 1"), ["ann", "developer 1"]),
        "organiser": (("ann", "dan"), ["ann", "dan"]),
    }


@pytest.mark.parametrize(("who", "sees"), [("visitor", False), ("beta", False), ("alpha", True), ("ann", True)])
def test_of_what_was_withdrawn_others_see_one_line_in_a_published_track(
    settled: Track, who: str, *, sees: bool
) -> None:
    with acting(ACTORS["organiser"]):
        settled.withdraw("alpha/run1", "wrong files")
        settled.move_to("adjudication")
        settled.move_to("published")

    with acting(ACTORS[who]):
        facts = settled.submission_facts("alpha/run1")
        assert facts.row.state == "withdrawn"
        assert (bool(facts.outputs), bool(facts.attempts)) == (sees, sees)
        assert any(one.submission == "alpha/run1" for one in settled.facts().attempts) is sees
        if sees:
            assert settled.file_list("output", "alpha/run1")
            settled.attempt_facts(1)
        else:
            with pytest.raises(NotAllowed, match="a submission that was withdrawn"):
                settled.file_list("output", "alpha/run1")
            with pytest.raises(PairingError):
                settled.attempt_facts(1)


def test_a_visitor_sees_what_the_track_is_about_and_how_many_take_part(settled: Track) -> None:
    with acting(ACTORS["visitor"]):
        facts = settled.facts()

    assert (facts.title, facts.phase, facts.team_count, facts.submission_count) == (
        "A small track",
        "replication",
        2,
        2,
    )
    assert [(one.slug, one.has_gold, one.public) for one in facts.tasks[0].data_sets] == [("test", True, False)]
    people = (*facts.teams, *facts.analysts, *facts.assignments)
    things = (*facts.submissions, *facts.attempts, *facts.sheets)
    assert (people, things, facts.next, facts.allowed) == ((), (), (), ())


def test_a_team_sees_its_submission_and_what_it_is_asked_but_not_what_came_of_it(settled: Track) -> None:
    with acting(ACTORS["alpha"]):
        facts = settled.submission_facts("alpha/run1")

    assert (facts.row.state, facts.row.why) == (
        "in replication",
        "analysts run it; what came of it is told once the track is published",
    )
    assert facts.systems[0].bundle == "alpha.tar.gz"
    assert facts.outputs[0].files == {"output.tsv": len(small.OUTPUT)}
    assert facts.outputs[0].scored == {}
    assert [(one.attempt, one.text) for one in facts.questions] == [(1, "Which version of Java?")]
    assert [one.verb for one in facts.events] == ["submitted", "submitted"]
    assert (facts.attempts, facts.sheets) == ((), ())


def test_scores_by_a_public_gold_standard_are_shown_to_the_team(settled: Track) -> None:
    DataSet.objects.update(public=True)

    with acting(ACTORS["alpha"]):
        scored = settled.submission_facts("alpha/run1").outputs[0].scored
        gold = settled.download("gold", "coding/test", "gold.tsv")

    assert scored["f1"] == pytest.approx(0.8)
    assert gold == small.GOLD


def test_who_takes_a_hidden_gold_standard_is_in_the_log_and_who_takes_a_public_one_is_not(settled: Track) -> None:
    with acting(ACTORS["organiser"]):
        settled.download("gold", "coding/test", "gold.tsv")
        DataSet.objects.update(public=True)
        settled.download("gold", "coding/test", "gold.tsv")

    found = Event.objects.filter(verb="downloaded").values_list("whom", "subject", "details")
    assert list(found) == [
        (ACTORS["organiser"].name, "track demo", {"gold": "coding/test", "path": "gold.tsv"}),
    ]


def test_an_analyst_sees_the_system_the_contact_and_their_own_attempts(settled: Track) -> None:
    with acting(ACTORS["ann"]):
        facts = settled.submission_facts("alpha/run1")
        team = settled.team_facts("alpha")

    assert (facts.row.analysts, facts.row.why) == (("ann",), "attempt 1 succeeded")
    assert facts.systems[0].configurations == ("default",)
    assert [one.number for one in facts.attempts] == [1]
    assert [(one.analyst, one.answered) for one in facts.sheets] == [("ann", 1)]
    assert (team.contact, team.submissions) == ("alpha@example.org", (facts.row,))


def test_an_analyst_hears_in_words_how_close_a_result_is_and_no_number_by_hidden_gold(settled: Track) -> None:
    with acting(ACTORS["ann"]):
        facts = settled.attempt_facts(1)
        verdict = settled.verdict_facts(1)
        proposed = settled.proposals("ann", "alpha/run1")
        read = everything(settled)

    assert facts.sentence == "Beside the submitted output: .01 or more apart."
    assert facts.scored == {}
    assert facts.note.endswith(f"{NOTE}\n")
    assert verdict is not None
    assert (verdict.submitted, verdict.replicated, verdict.difference) == (None, None, None)
    assert set(verdict.content) == {"agreement", "words", "points", "primary", "sentence"}
    assert (proposed["Q8"].value, proposed["Q8"].because) == (2, "the verdict: different by .01 or more")
    assert [number for number in ("0.8", "0.6", "0.2", "0.1999") if number in read] == []


def test_once_published_an_analyst_sees_the_scores(settled: Track) -> None:
    settled.move_to("published")

    with acting(ACTORS["dan"]):
        verdict = settled.verdict_facts(1)

    assert verdict is not None
    assert [verdict.submitted, verdict.replicated] == pytest.approx([0.8, 0.6])


def test_an_organiser_sees_how_far_a_sheet_is_and_no_answer_before_it_is_locked(settled: Track) -> None:
    with acting(ACTORS["organiser"]):
        rows = [(one.analyst, one.answered, one.locked_at is None) for one in settled.facts().sheets]
        read = settled.readable_sheets("alpha/run1")
        with pytest.raises(NotAllowed, match="the sheet of ann on alpha/run1 is read by others once it is locked"):
            settled.sheet_facts("ann", "alpha/run1")

    assert rows == [("ann", 1, True), ("dan", 9, False)]
    assert [one.analyst for one in read] == ["dan"]


def test_both_sheets_stand_side_by_side_once_both_are_locked(settled: Track) -> None:
    settled.fill("ann", "alpha/run1", GOOD, lock=True)

    with acting(ACTORS["organiser"]):
        organiser = settled.readable_sheets("alpha/run1")
    with acting(ACTORS["dan"]):
        dan = settled.readable_sheets("alpha/run1")

    assert [one.analyst for one in organiser] == ["ann", "dan"]
    assert sorted(one.analyst for one in dan) == ["ann", "dan"]
    assert [one.questions[0].comment for one in organiser] == ["", ""]


def test_in_a_blind_track_the_locked_sheet_of_another_stays_hidden_until_all_are_locked(settled: Track) -> None:
    type(settled.row).objects.update(blind=True)

    with acting(ACTORS["ann"]):
        read = settled.readable_sheets("alpha/run1")
        with pytest.raises(PairingError, match="no analyst is called 'dan'"):
            settled.sheet_facts("dan", "alpha/run1")

    assert [one.analyst for one in read] == ["ann"]


def test_next_steps_are_those_of_whoever_looks(settled: Track) -> None:
    seen = {}
    for who in ("ann", "dan", "alpha", "organiser"):
        with acting(ACTORS[who]):
            seen[who] = [(one.who, one.command) for one in settled.facts().next]

    assert seen["ann"] == [
        ("analyst ann", "primad track sheet ann alpha/run1 --lock"),
        ("analyst ann", "primad track replay beta/run1 --analyst ann"),
    ]
    assert seen["dan"] == seen["alpha"] == []
    assert {who for who, _ in seen["organiser"]} == {"analyst ann", "organiser"}


def test_what_is_allowed_is_what_whoever_looks_may_do(settled: Track) -> None:
    with acting(ACTORS["alpha"]):
        team = [one.what for one in settled.facts().allowed]
    with acting(ACTORS["ann"]):
        analyst = [one.what for one in settled.facts().allowed]

    assert team == ["withdraw submissions"]
    assert analyst == [
        "run systems again",
        "pause and end attempts",
        "fill in sheets",
        "correct times, decide levels",
        "repeat attempts",
    ]


def test_the_secret_of_a_system_is_for_its_analysts_and_who_reads_it_is_logged(
    sqlite_track: Track, files: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("PRIMAD_SECRET_KEY", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    small.fill(sqlite_track, files)
    small.submit(sqlite_track, files)
    sqlite_track.submit_remote("alpha/run1", "ssh to the server", secret=SECRET)
    sqlite_track.move_to("assignment")
    sqlite_track.assign("ann", "alpha/run1")

    with acting(ACTORS["ann"]):
        assert sqlite_track.secret_of("alpha/run1") == SECRET
    with acting(ACTORS["dan"]), pytest.raises(PairingError):
        sqlite_track.secret_of("alpha/run1")
    with acting(ACTORS["alpha"]), pytest.raises(NotAllowed):
        sqlite_track.secret_of("alpha/run1")

    assert [one.whom for one in Event.objects.filter(verb="read the secret")] == ["ann@people.example"]


def test_a_team_hears_again_what_analysts_will_miss(sqlite_track: Track, files: Path) -> None:
    small.fill(sqlite_track, files)
    small.submit(sqlite_track, files, expected={}, progress="")

    with acting(ACTORS["alpha"]):
        missing = sqlite_track.preflight_of("alpha/run1")

    assert {"Q6"} <= {one.question for one in missing}


def test_inputs_wait_for_the_phase_of_results(sqlite_track: Track, files: Path) -> None:
    small.fill(sqlite_track, files)

    with acting(ACTORS["alpha"]), pytest.raises(NotAllowed) as early:
        sqlite_track.download("inputs", "coding/test", "texts.tsv")
    sqlite_track.move_to("results")
    with acting(ACTORS["alpha"]):
        inputs = sqlite_track.download("inputs", "coding/test", "texts.tsv")

    assert str(early.value) == (
        "you may not see the inputs of a data set; those who may: organisers, its analysts from the phase results on, "
        "its team from the phase results on, everybody once published"
    )
    assert inputs == small.TEXTS


def test_files_are_listed_with_their_sizes_and_found_by_these_names(settled: Track) -> None:
    with acting(ACTORS["ann"]):
        listed = {what: settled.file_list(what, "alpha/run1") for what in ("output", "bundle")}
        found = {what: settled.download(what, "alpha/run1", listed[what][0].path) for what in listed}
        result = settled.download("result", "1", "output.tsv")

    assert [(one.path, one.size) for one in listed["output"]] == [("default@test/output.tsv", len(small.OUTPUT))]
    assert [one.path for one in listed["bundle"]] == ["1/alpha.tar.gz"]
    assert found["output"] == small.OUTPUT
    assert len(found["bundle"]) == listed["bundle"][0].size
    assert result == small.WORSE


@pytest.mark.parametrize(
    ("what", "name", "path", "error"),
    [
        pytest.param("output", "alpha/run1", "../../primad.sqlite3", PairingError, id="a path that leaves"),
        pytest.param("result", "1e9", "output.tsv", PairingError, id="no number"),
        pytest.param("result", "9" * 30, "output.tsv", PairingError, id="a number no column holds"),
        pytest.param("gold", "coding", "gold.tsv", PairingError, id="no data set"),
        pytest.param("database", "demo", "primad.sqlite3", UsageError, id="nothing that can be downloaded"),
    ],
)
def test_a_file_that_is_none_is_not_found(
    settled: Track, what: str, name: str, path: str, error: type[PrimadError]
) -> None:
    with pytest.raises(error):
        settled.download(what, name, path)


def test_tracks_are_listed_with_the_dates_of_their_phase(sqlite_track: Track) -> None:
    sqlite_track.change(dates={"set-up": {"opens": "2026-04-01"}, "results": {"closes": "2026-05-01"}})
    Track.init(sqlite_track.folder.path, "later", "A later track")

    with acting(ACTORS["visitor"]):
        rows = Track.tracks(sqlite_track.folder)

    assert [(one.slug, one.phase, one.opens, one.closes) for one in rows] == [
        ("later", "set-up", "", ""),
        ("demo", "set-up", "2026-04-01", ""),
    ]


def test_in_either_database_teams_and_analysts_find_their_own_and_nothing_else(track: Track, files: Path) -> None:
    settle(track, files)

    with acting(ACTORS["alpha"]):
        team = [one.address for one in track.facts().submissions]
        track.answer(1, "Java 17")
        with pytest.raises(PairingError, match="no attempt has the number 2"):
            track.answer(2, "Java 17")
    with acting(ACTORS["dan"]):
        analyst = track.called("run1")

    assert team == ["alpha/run1"]
    assert analyst == ("submission", "alpha/run1")
