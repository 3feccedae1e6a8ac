"""May everybody do what they should, and nobody anything else?  Every method of a track x every role."""

import inspect
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from primad.archive import rights as archive_rights
from primad.errors import DataError, FileError, NotAllowed, PairingError, PrimadError, UsageError
from primad.store import database
from primad.store.actors import Actor, Role, acting
from primad.store.models import Event
from primad.track.models import Attempt, Question, Sheet, Submission
from primad.track.outputs import NewOutput
from primad.track.replays.wish import Wish
from primad.track.rights import RIGHTS
from primad.track.services import asking, attempting, enlisting, judging, setting_up, sheets, submitting, timing
from primad.track.sight import SEEN
from primad.track.track import Track
from tests.track import small
from tests.track.roles import ACTORS, copied, made_once

PAGE = Path(__file__).parents[2] / "docs" / "guides" / "roles.md"
BUNDLE = {"system.tar.gz": b"no bundle"}
OUTPUT = [NewOutput({"output.tsv": small.OUTPUT})]

# Who, in the order of ACTORS: visitor, user, alpha, beta, ann, dan, organiser, elsewhere, administrator, keeper.
# y: may; n: may not; h: hears that there is no such thing.
ANYBODY = "yyyyyyyyyy"
ORGANISERS = "nnnnnnynyy"
MAKERS = "nnnnnnnnyy"
OWN_TEAM = "hhyhnnyhyy"
NAMED_ANALYST = "hhhhnhyhyy"
ATTEMPT_ENDED = "hhhhyhyhyy"
ATTEMPT = "hhhhyhnhny"

CHANGES: dict[str, tuple[Callable[[Track], Any], str]] = {
    "init": (lambda track: Track.init(track.folder.path, "another"), MAKERS),
    "import_folder": (lambda track: Track.import_folder(track.folder.path / "none", track.folder.path), MAKERS),
    "move_to": (lambda track: track.move_to("adjudication"), ORGANISERS),
    "change": (lambda track: track.change(title="Another"), ORGANISERS),
    "set_sheet": (lambda track: track.set_sheet({"title": "S", "questions": []}), "nnnnnnynyy"),
    "set_task": (lambda track: track.set_task("coding", scorer="coding"), ORGANISERS),
    "set_data_set": (lambda track: track.set_data_set("coding", "test", about="other"), ORGANISERS),
    "set_team": (lambda track: track.set_team("gamma"), ORGANISERS),
    "set_analyst": (lambda track: track.set_analyst("eve", role="user"), ORGANISERS),
    "set_machine": (lambda track: track.set_machine("ann", "new", facts={"memory": "1 GB"}), ATTEMPT_ENDED),
    "submit": (lambda track: track.submit("alpha", "run2", OUTPUT), OWN_TEAM),
    "submit_bundle": (lambda track: track.submit_bundle("alpha/run1", BUNDLE), OWN_TEAM),
    "submit_remote": (lambda track: track.submit_remote("alpha/run1", "ssh"), OWN_TEAM),
    "withdraw": (lambda track: track.withdraw("alpha/run1", "wrong"), OWN_TEAM),
    "reinstate": (lambda track: track.reinstate("alpha/run1", "right"), OWN_TEAM),
    "decide": (lambda track: track.decide("alpha/run1", eligible=True, reason="good"), "hhnhnnyhyy"),
    "assign_all": (lambda track: track.assign_all(), ORGANISERS),
    "assign": (lambda track: track.assign("ann", "alpha/run1"), NAMED_ANALYST),
    "unassign": (lambda track: track.unassign("ann", "alpha/run1"), NAMED_ANALYST),
    "reassign": (lambda track: track.reassign([("ann", "alpha/run1")], []), NAMED_ANALYST),
    "start": (lambda track: track.start("ann", "alpha/run1"), ATTEMPT),
    "resume": (lambda track: track.resume(1), ATTEMPT),
    "pause": (lambda track: track.pause(1), ATTEMPT),
    "change_stage": (lambda track: track.change_stage(1, "run"), ATTEMPT),
    "keep_transcript": (lambda track: track.keep_transcript(1, b"$ make"), ATTEMPT),
    "stop": (lambda track: track.stop(1, "failed", stage="run", reason="it did"), ATTEMPT),
    "stop (abandoned)": (lambda track: track.stop(1, "abandoned", reason="enough"), ATTEMPT_ENDED),
    "correct": (lambda track: track.correct(1, 1, reason="forgot"), ATTEMPT_ENDED),
    "remark": (lambda track: track.remark(1, "hm"), ATTEMPT),
    "ask": (lambda track: track.ask(1, "Why?"), ATTEMPT),
    "answer": (lambda track: track.answer(1, "Because."), "hhyhyhyhyy"),
    "replay": (lambda track: track.replay(1, Wish()), ATTEMPT),
    "again": (lambda track: track.again(1), ATTEMPT),
    "runnable": (lambda track: track.runnable(1), ATTEMPT),
    "begin_elsewhere": (lambda track: track.begin_elsewhere(1, "0" * 32), ATTEMPT),
    "beat": (lambda track: track.beat(1, "0" * 32), ATTEMPT),
    "hear": (lambda track: track.hear(1, "0" * 32, 0, b"a line"), ATTEMPT),
    "take_output": (lambda track: track.take_output(1, "0" * 32, "output.tsv", b"1"), ATTEMPT),
    "end_elsewhere": (lambda track: track.end_elsewhere(1, "0" * 32, None, stopped="enough"), ATTEMPT),
    "sheet": (lambda track: track.sheet("ann", "alpha/run1"), ATTEMPT),
    "fill": (lambda track: track.fill("ann", "alpha/run1", {"Q1": "no"}), ATTEMPT),
    "proposals": (lambda track: track.proposals("ann", "alpha/run1"), ATTEMPT),
    "unlock": (lambda track: track.unlock("dan", "alpha/run1", "a slip"), "hhhhhnyhyy"),
    "verdict": (lambda track: track.verdict(1), NAMED_ANALYST),
    "set_level": (lambda track: track.set_level(1, 1, "so"), NAMED_ANALYST),
    "export": (lambda track: track.export(track.folder.path.parent / "out"), ORGANISERS),
}
# What is seen in replication, and once the track is published.
READS: dict[str, tuple[Callable[[Track], Any], str, str]] = {
    "tracks": (lambda track: Track.tracks(track.folder), ANYBODY, ANYBODY),
    "may": (lambda track: track.may("submit", team="alpha"), ANYBODY, ANYBODY),
    "require": (lambda track: track.require("submit", team="alpha"), "nnynnnynyy", "nnynnnynyy"),
    "require an analyst": (lambda track: track.require("attempt", analyst="ann"), "nnnnynnnny", "nnnnynnnny"),
    "facts": (lambda track: track.facts(), ANYBODY, ANYBODY),
    "task_facts": (lambda track: track.task_facts("coding"), ANYBODY, ANYBODY),
    "called": (lambda track: track.called("alpha/run1"), "hhyhyyyhyy", ANYBODY),
    "team_facts": (lambda track: track.team_facts("alpha"), "hhyhyyyhyy", ANYBODY),
    "questions_to": (lambda track: track.questions_to("alpha"), "hhyhyyyhyy", ANYBODY),
    "analyst_facts": (lambda track: track.analyst_facts("ann"), ATTEMPT_ENDED, ATTEMPT_ENDED),
    "submission_facts": (lambda track: track.submission_facts("alpha/run1"), "hhyhyyyhyy", ANYBODY),
    "preflight_of": (lambda track: track.preflight_of("alpha/run1"), "hhyhyyyhyy", "nnynyyynyy"),
    "secret_of": (lambda track: track.secret_of("alpha/run1"), "hhnhyyyhyy", "nnnnyyynyy"),
    "attempt_facts": (lambda track: track.attempt_facts(1), ATTEMPT_ENDED, ANYBODY),
    "verdict_facts": (lambda track: track.verdict_facts(1), ATTEMPT_ENDED, ANYBODY),
    "level_facts": (lambda track: track.level_facts(1), ATTEMPT_ENDED, ANYBODY),
    "sheet_facts": (lambda track: track.sheet_facts("ann", "alpha/run1"), ATTEMPT, ATTEMPT),
    "sheet_facts (locked)": (lambda track: track.sheet_facts("dan", "alpha/run1"), "hhhhyyyhyy", "hhhhyyyhyy"),
    "readable_sheets": (lambda track: track.readable_sheets("alpha/run1"), "hhnhyyyhyy", "nnnnyyynyy"),
    "file_list": (lambda track: track.file_list("inputs", "coding/test"), "nnyyyyynyy", ANYBODY),
    "download (inputs)": (lambda track: track.download("inputs", "coding/test", "texts.tsv"), "nnyyyyynyy", ANYBODY),
    "download": (lambda track: track.download("gold", "coding/test", "gold.tsv"), ORGANISERS, ORGANISERS),
    "contents": (lambda track: track.contents("gold", "coding/test"), ORGANISERS, ORGANISERS),
    "download (output)": (
        lambda track: track.download("output", "alpha/run1", "default@test/output.tsv"),
        "hhyhyyyhyy",
        ANYBODY,
    ),
    "download (bundle)": (
        lambda track: track.download("bundle", "alpha/run1", "1/alpha.tar.gz"),
        "hhyhyyyhyy",
        "nnynyyynyy",
    ),
    "download (result)": (lambda track: track.download("result", "1", "output.tsv"), ATTEMPT_ENDED, ANYBODY),
    "download (transcript)": (lambda track: track.file_list("transcript", "1"), ATTEMPT_ENDED, "nnynynynyy"),
    "report": (lambda track: track.report(), ORGANISERS, ANYBODY),
    "write_report": (lambda track: track.write_report(track.folder.path / "r", "json"), ORGANISERS, ANYBODY),
    "write_evidence": (
        lambda track: track.write_evidence("alpha/run1", track.folder.path / "e"),
        "hhnhnnyhyy",
        "nnynnnynyy",
    ),
    "handed_over": (lambda track: track.handed_over(1), ATTEMPT_ENDED, "nnynynynyy"),
    "assess": (lambda track: track.assess(1), NAMED_ANALYST, ANYBODY),
    "assess_task": (lambda track: track.assess_task("coding"), ORGANISERS, ANYBODY),
    "quantify_task": (lambda track: track.quantify_task("coding"), ORGANISERS, ANYBODY),
    "task": (lambda track: track.task("coding"), ANYBODY, ANYBODY),
    "team": (lambda track: track.team("alpha"), "hhyhyyyhyy", ANYBODY),
    "analyst": (lambda track: track.analyst("ann"), ATTEMPT_ENDED, ATTEMPT_ENDED),
    "submission": (lambda track: track.submission("alpha/run1"), "hhyhyyyhyy", ANYBODY),
    "attempt": (lambda track: track.attempt(1), ATTEMPT_ENDED, ANYBODY),
}
WITHOUT_RIGHTS = {"close", "speaking"}  # connections, which everybody has


@pytest.fixture(scope="module")
def settled_once(tmp_path_factory: pytest.TempPathFactory, sqlite_tables: Path) -> Path:
    """Return the data folder of a track with everybody in it, which is not to be changed."""
    return made_once(tmp_path_factory.mktemp("settled"), sqlite_tables)


@pytest.fixture
def settled(settled_once: Path, tmp_path: Path) -> Iterator[Track]:
    """Return a track with everybody in it."""
    yield copied(settled_once, tmp_path / "settled")
    database.close()


def answers(track: Track, call: Callable[[Track], Any]) -> str:
    """Return what each of ACTORS gets for a CALL on TRACK, which is as it was after each."""
    with closing(sqlite3.connect(":memory:")) as before:
        connection.connection.backup(before)
        found = ""
        for actor in ACTORS.values():
            found += _answer(track, call, actor)
            before.backup(connection.connection)
    return found


def _answer(track: Track, call: Callable[[Track], Any], actor: Actor) -> str:
    """Return whether ACTOR may do a CALL; a refusal for another reason comes to those who may."""
    with acting(actor):
        try:
            call(track)
        except NotAllowed:
            return "n"
        except PairingError:
            return "h"
        except (UsageError, DataError, FileError):
            return "y"
    return "y"


@pytest.mark.slow
def test_everybody_may_change_what_the_table_says_and_nothing_else(settled: Track) -> None:
    found = {name: answers(settled, call) for name, (call, _) in CHANGES.items()}

    assert found == {name: expected for name, (_, expected) in CHANGES.items()}


@pytest.mark.slow
def test_before_publication_everybody_sees_their_own_and_nobody_what_is_hidden(settled: Track) -> None:
    found = {name: answers(settled, call) for name, (call, _, _) in READS.items()}

    assert found == {name: expected for name, (_, expected, _) in READS.items()}


@pytest.mark.slow
def test_a_published_track_is_open_but_for_secrets_bundles_transcripts_and_sheets(settled: Track) -> None:
    settled.move_to("published")

    found = {name: answers(settled, call) for name, (call, _, _) in READS.items()}

    assert found == {name: expected for name, (_, _, expected) in READS.items()}


def test_every_method_of_a_track_has_a_row() -> None:
    methods = {name for name, _ in inspect.getmembers(Track, callable) if not name.startswith("_")}

    told = {name.partition(" ")[0] for name in (*CHANGES, *READS)}

    assert methods - WITHOUT_RIGHTS == told


# Services ask, too -----------------------------------------------------------------------------------------------


def test_services_refuse_whoever_came_past_the_facade(settled: Track) -> None:
    """Each verb of the table, on rows that a careless view might have found for anybody."""
    row, folder = settled.row, settled.folder
    ann, alpha, attempt = settled.analyst("ann"), settled.team("alpha"), settled.attempt(1)
    submission, task = settled.submission("alpha/run1"), settled.task("coding")
    sheet = Sheet.objects.get(analyst=ann)
    calls: dict[str, Callable[[], Any]] = {
        "make-track": lambda: setting_up.make_track("another", ""),
        "edit": lambda: setting_up.set_data_set(folder, task, "test"),
        "move": lambda: setting_up.move_to(row, "published"),
        "register": lambda: enlisting.set_team(row, "gamma"),
        "enlist": lambda: enlisting.set_analyst(row, "eve", role="user"),
        "machine": lambda: enlisting.set_machine(ann, "new"),
        "submit": lambda: submitting.submit(folder, alpha, task, "run2", OUTPUT),
        "submit-system": lambda: submitting.submit_remote(submission, "ssh"),
        "withdraw": lambda: submitting.withdraw(submission, "wrong"),
        "reinstate": lambda: submitting.reinstate(submission, "right"),
        "decide-eligibility": lambda: judging.decide(submission, eligible=True, reason="good"),
        "assign": settled.assign_all,
        "attempt": lambda: attempting.open_attempt(ann, submission),
        "end": lambda: timing.pause(attempt),
        "abandon": lambda: attempting.close(folder, attempt, "abandoned", reason="enough"),
        "repeat": lambda: attempting.repeat(attempt),
        "correct": lambda: settled_span(attempt),
        "answer": lambda: asking.answer(attempt, "Because."),
        "answer-sheet": lambda: sheets.answer(sheet, {"Q1": "no"}),
        "unlock": lambda: sheets.unlock(sheet, "a slip"),
        "judge-ended": lambda: judging.judge_attempt(folder, attempt),
        "judge": lambda: judging.judge_attempt(folder, attempt, anew=True),
        "level": lambda: judging.set_level(attempt, 1, "so"),
        "export": lambda: settled.export(folder.path.parent / "out"),
    }

    refused = [verb for verb, call in calls.items() if all(_is_refused(call, who) for who in ("visitor", "elsewhere"))]

    assert refused == list(RIGHTS)


def settled_span(attempt: Attempt) -> None:
    """Correct the first span of ATTEMPT."""
    span = attempt.spans.first()
    timing.correct_span(span, started_at=None, ended_at=None, remark="forgot")


def _is_refused(call: Callable[[], Any], who: str) -> bool:
    """Tell whether a CALL is refused to WHO because of who they are."""
    with acting(ACTORS[who]):
        try:
            call()
        except NotAllowed:
            return True
        except PrimadError:
            return False
    return False


# Sentences and edges ---------------------------------------------------------------------------------------------


def test_a_refusal_says_who_may_and_whom_to_ask(settled: Track) -> None:
    with acting(ACTORS["ann"]), pytest.raises(NotAllowed) as refused:
        settled.withdraw("alpha/run1", "wrong")

    assert str(refused.value) == (
        "only members of team alpha and organisers may withdraw a submission; ask an organiser of demo"
    )


def test_a_token_that_was_made_for_reading_changes_nothing(settled: Track) -> None:
    reading = Actor("alpha@people.example", user=1, roles=ACTORS["alpha"].roles, scopes=frozenset({"read"}))

    with (
        acting(reading),
        pytest.raises(NotAllowed, match="not made for that; make one with the scope 'track'"),
    ):
        settled.withdraw("alpha/run1", "wrong")

    assert settled.submission("alpha/run1").withdrawn_at is None


def test_a_token_that_was_not_made_for_reading_sees_what_visitors_see(settled: Track) -> None:
    other = Actor("o@people.example", user=1, roles=ACTORS["organiser"].roles, scopes=frozenset({"archive"}))

    with acting(other):
        assert settled.facts().submissions == ()
        with pytest.raises(PairingError):
            settled.submission_facts("alpha/run1")


def test_an_error_names_nothing_that_somebody_may_not_know_of(settled: Track) -> None:
    with acting(ACTORS["beta"]), pytest.raises(PairingError) as hidden:
        settled.submission_facts("alpha/run1")
    Submission.objects.filter(team__slug="alpha").update(slug="gone")
    with acting(ACTORS["beta"]), pytest.raises(PairingError) as absent:
        settled.submission_facts("alpha/run1")

    assert str(hidden.value) == "no submission is called 'alpha/run1'; did you mean 'beta/run1'?"
    assert str(absent.value) == str(hidden.value)


def test_a_team_answers_what_it_was_asked(settled: Track) -> None:
    with acting(ACTORS["alpha"]):
        settled.answer(1, "Java 17")

    assert Question.objects.get().answer == "Java 17"


def test_an_analyst_who_ends_an_attempt_has_it_judged(settled: Track, files: Path) -> None:
    (files / "mine.tsv").write_bytes(small.OUTPUT)

    with acting(ACTORS["ann"]):
        number = settled.start("ann", "beta/run1").number
        verdict = settled.stop(number, "succeeded", output=files / "mine.tsv")

    assert verdict is not None
    assert (verdict.agreement, verdict.submitted, verdict.replicated) == ("identical bytes", None, None)
    assert Event.objects.filter(verb="judged").latest("id").whom == "ann@people.example"


def test_what_was_withdrawn_comes_back_for_a_reason(settled: Track) -> None:
    with acting(ACTORS["alpha"]):
        settled.withdraw("alpha/run1", "the wrong file")
        settled.reinstate("alpha/run1", "it was the right one")
        with pytest.raises(UsageError, match="alpha/run1 is not withdrawn"):
            settled.reinstate("alpha/run1", "again")

    assert Submission.objects.get(team__slug="alpha").withdrawn_at is None
    assert Event.objects.filter(verb="reinstated").get().details == {"reason": "it was the right one"}


def test_an_organiser_unlocks_a_sheet_for_a_reason_that_is_kept(settled: Track) -> None:
    with acting(ACTORS["organiser"]):
        with pytest.raises(UsageError, match="say why the sheet is unlocked"):
            settled.unlock("dan", "alpha/run1", " ")
        settled.unlock("dan", "alpha/run1", "a slip")
    with acting(ACTORS["dan"]):
        settled.fill("dan", "alpha/run1", {"Q1": "no"})

    event = Event.objects.filter(verb="unlocked").get()
    assert (event.whom, event.details) == ("organiser@people.example", {"reason": "a slip"})
    assert Sheet.objects.get(analyst__slug="dan").answers["Q1"]["value"] == "no"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        pytest.param({"scorer": "command", "settings": {"command": "id"}}, "to score by a command", id="a command"),
        pytest.param({"scorer": "coding", "profile": "/etc/hostname"}, "a profile that is a file", id="a file"),
    ],
)
def test_an_organiser_of_a_site_neither_runs_nor_reads_anything_on_its_machine(
    sqlite_track: Track, change: dict[str, Any], words: str
) -> None:
    with acting(ACTORS["organiser"]), pytest.raises(NotAllowed, match=words):
        sqlite_track.set_task("coding", **change)


def test_nobody_but_the_keeper_runs_a_system_without_a_sandbox(settled: Track) -> None:
    with acting(ACTORS["ann"]), pytest.raises(NotAllowed, match="to run a system without a sandbox"):
        settled.replay(1, Wish(trust=True))


def test_whoever_opens_a_track_is_not_said_to_have_ended_what_died(settled: Track) -> None:
    with acting(ACTORS["ann"]):
        number = settled.start("ann", "beta/run1").number
    Attempt.objects.filter(number=number).update(state="running", holder="", beat_at=None)
    Attempt.objects.filter(number=number).update(opened_at="2016-05-01T00:00:00Z")

    with acting(ACTORS["visitor"]):
        Track(settled.folder, "demo")

    assert Attempt.objects.get(number=number).state == "stopped"
    assert Event.objects.filter(verb="replayed").latest("id").whom == ACTORS["keeper"].name


# The page --------------------------------------------------------------------------------------------------------


def table(heading: str) -> list[list[str]]:
    """Return the cells of the table below HEADING on the page of roles, without its head."""
    part = PAGE.read_text().split(f"## {heading}\n", 1)[1].split("\n## ")[0]
    rows = [line for line in part.splitlines() if line.startswith("|")]
    return [[cell.strip().replace("`", "") for cell in line.strip("|").split("|")] for line in rows[2:]]


def test_the_page_of_roles_has_the_table_of_rights() -> None:
    names = {"organiser": "organisers", "team": "the team", "analyst": "the analyst"}

    expected = [
        [verb, right.what, ", ".join(names[role] for role in right.who) or "administrators"]
        for verb, right in RIGHTS.items()
    ]

    assert table("Changing a track") == expected


def test_the_page_of_roles_has_the_table_of_what_is_seen() -> None:
    assert table("Seeing a track") == [list(seen) for seen in SEEN.values()]


def test_the_page_of_roles_has_the_rights_in_an_archive() -> None:
    names = {"user": "users", "owner": "whoever added the run", "": "administrators"}

    expected = [[verb, right.what, names[right.who]] for verb, right in archive_rights.RIGHTS.items()]

    assert table("An archive") == expected


def test_the_maker_of_a_track_organises_it(sqlite_track: Track) -> None:
    from primad.accounts.models import Membership, User

    user = User.objects.create(email="root@people.example", name="Root", created_at="2026-05-01T00:00:00Z")
    administrator = Actor(user.email, user=user.pk, is_administrator=True)

    with acting(administrator):
        Track.init(sqlite_track.folder.path, "mine", "Mine")

    made = Membership.objects.get()
    assert Role(made.track, made.kind, made.slug) == Role("mine", "organiser")
    assert re.search("granted", " ".join(Event.objects.values_list("verb", flat=True)))
