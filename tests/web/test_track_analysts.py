"""Can analysts do their work on pages: find what is theirs, run it, keep their time, and say how it went?"""

import json
import re
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from primad.reports.track.answers import AttemptFacts
from primad.store.actors import acting, keeper
from primad.store.models import Event
from primad.track.models import Assignment, Attempt, Machine, System
from primad.track.replays.lease import elsewhere
from tests.track import small
from tests.web.small_site import SmallSite
from tests.web.track_work import SCRIPT, browser, text_of

ANN = "/tracks/demo/analysts/ann/"
SYSTEM = f"{ANN}systems/alpha/run1/"
ATTEMPT = f"{ANN}attempts/1/"
SHEET = f"{ANN}sheets/alpha/run1/"
JSON = {"Accept": "application/json"}


def begun(site: SmallSite) -> Client:
    """Return the browser of ann, who has begun attempt 1."""
    with acting(keeper()):
        site.track().start("ann", "alpha/run1")
    return browser(site, "analyst")


def attempt(site: SmallSite) -> AttemptFacts:
    """Return what is known of attempt 1."""
    with acting(keeper()):
        facts: AttemptFacts = site.track().attempt_facts(1)
    return facts


def answers(site: SmallSite, analyst: str = "ann") -> dict[str, Any]:
    """Return what the sheet of ANALYST answers, by question."""
    with acting(keeper()):
        facts = site.track().sheet_facts(analyst, "alpha/run1")
    return {one.key: one.value for one in facts.questions if one.value is not None}


def mark(client: Client, key: str) -> str:
    """Return the mark that a page which is loaded now has of the question KEY."""
    found = re.search(f'name="was-{key}" value="([0-9a-f]+)"', text_of(client.get(SHEET)))
    assert found
    return found[1]


# What is theirs ----------------------------------------------------------------------------------------------------


def test_an_analyst_sees_what_to_run_and_where_to_start(site: SmallSite) -> None:
    page = text_of(browser(site, "analyst").get(ANN))

    assert "System of alpha" in page
    assert "not begun" in page
    assert f'href="{SYSTEM}"' in page


def test_the_page_of_a_system_names_prerequisites_contact_and_bundle(site: SmallSite) -> None:
    page = text_of(browser(site, "analyst").get(SYSTEM))

    assert "python3 &gt;=3.8" in page
    assert "coders@example.org, or alpha@example.org" in page
    assert "/tracks/demo/files/bundle/alpha/run1/-/1/alpha.tar.gz" in page


def test_a_system_that_is_not_assigned_has_no_page(site: SmallSite) -> None:
    with acting(keeper()):
        site.track().unassign("ann", "alpha/run1")

    assert browser(site, "analyst").get(SYSTEM).status_code == 404
    assert browser(site, "organiser").get(SYSTEM).status_code == 404


def test_a_secret_is_shown_on_demand_only_and_the_look_is_in_the_log(site: SmallSite) -> None:
    with acting(keeper()):
        track = site.track()
        track.move_to("systems", "for a test")
        track.submit_remote("alpha/run1", "ssh there\nthen run it", secret="open sesame")  # noqa: S106 - of a system that is not there
        track.move_to("replication")
    client = browser(site, "analyst")

    before = text_of(client.get(SYSTEM))
    after = text_of(client.post(SYSTEM, {"do": "secret"}))

    assert "open sesame" not in before
    assert "ssh there\nthen run it" in before
    assert "open sesame" in after
    assert Event.objects.filter(verb="read the secret", whom="analyst@example.org").count() == 1
    assert "open sesame" not in text_of(client.get(SYSTEM))


def test_a_machine_is_added_and_a_wrong_name_is_told_with_what_was_typed(site: SmallSite) -> None:
    client = browser(site, "analyst")

    wrong = client.post(ANN, {"do": "machine", "slug": "My Mac", "memory": "16 GB"})
    right = client.post(ANN, {"do": "machine", "slug": "mac", "memory": "16 GB"}, follow=True)

    assert wrong.status_code == 422
    assert 'value="My Mac"' in text_of(wrong)
    assert 'value="16 GB"' in text_of(wrong)
    assert "The machine mac is written down." in text_of(right)
    assert "<td>16 GB</td>" in text_of(right)


# An attempt --------------------------------------------------------------------------------------------------------


def test_an_attempt_is_started_on_a_machine_and_the_time_runs(site: SmallSite) -> None:
    client = browser(site, "analyst")

    answer = client.post(SYSTEM, {"do": "start", "configuration": "default", "data_set": "test", "machine": "laptop"})

    assert (answer.status_code, answer["Location"]) == (303, ATTEMPT)
    page = text_of(client.get(ATTEMPT))
    assert "runs since" in page
    assert "data-since=" in page
    assert attempt(site).row.machine == "laptop"


def test_time_is_paused_resumed_and_moved_to_another_stage_without_a_gap(site: SmallSite) -> None:
    client = begun(site)

    client.post(ATTEMPT, {"do": "stage", "stage": "install"})
    paused = text_of(client.post(ATTEMPT, {"do": "pause"}, follow=True))
    client.post(ATTEMPT, {"do": "resume", "stage": "run"})

    spans = attempt(site).spans
    assert [one.stage for one in spans] == ["prerequisites", "install", "run"]
    assert spans[0].ended_at == spans[1].started_at
    assert [one.ended_at is None for one in spans] == [False, False, True]
    assert "the time rests" in paused
    assert "Undo this" in paused


def test_a_pause_is_undone_by_the_form_behind_its_message(site: SmallSite) -> None:
    client = begun(site)

    page = text_of(client.post(ATTEMPT, {"do": "pause"}, follow=True))
    undo = page[page.index('class="undo"') :].partition("</form>")[0]
    fields = dict(re.findall(r'name="(\w+)" value="(\w+)"', undo))
    client.post(ATTEMPT, fields)

    assert fields["do"] == "resume"
    assert attempt(site).spans[-1].ended_at is None
    assert "Undo this" not in text_of(client.get(ANN + "attempts/1/replay/"))


def test_an_attempt_that_was_left_open_is_paused_and_ended_on_its_page_and_not_gone_on_with(site: SmallSite) -> None:
    client = begun(site)
    with acting(keeper()):
        site.track().move_to("adjudication")

    offered = re.findall(r'name="do" value="(\w+)"', text_of(client.get(ATTEMPT)))
    paused = text_of(client.post(ATTEMPT, {"do": "pause"}, follow=True))
    client.post(ATTEMPT, {"do": "abandon", "reason": "too late"})

    assert offered == ["pause", "correct", "succeed", "fail", "abandon"]
    assert "Your time rests." in paused
    assert 'value="resume"' not in paused
    assert attempt(site).row.state == "abandoned"


def test_a_correction_needs_a_reason_and_can_be_taken_back(site: SmallSite) -> None:
    client = begun(site)
    client.post(ATTEMPT, {"do": "pause"})
    before = attempt(site).spans[0]
    Attempt.objects.update(opened_at=datetime(2026, 1, 2, 9, 0, tzinfo=UTC))
    times = {"started_at": "2026-01-02T10:00:00", "ended_at": "2026-01-02T10:30:00"}

    refused = client.post(ATTEMPT, {"do": "correct", "span": "1", **times, "reason": ""})
    page = text_of(client.post(ATTEMPT, {"do": "correct", "span": "1", **times, "reason": "forgot"}, follow=True))

    assert refused.status_code == 422
    assert 'value="2026-01-02T10:00:00"' in text_of(refused)
    assert attempt(site).row.human_minutes == pytest.approx(30)
    assert before.ended_at
    assert f'value="{before.started_at.isoformat()}"' in page
    assert f'value="{before.ended_at.isoformat()}"' in page


def test_a_transcript_is_handed_in_with_the_end_and_what_steers_a_terminal_is_made_harmless(site: SmallSite) -> None:
    client = begun(site)
    printed = SimpleUploadedFile("typescript", b"$ make\r\n\x1b[2Jno rule\n")

    nothing = client.post(ATTEMPT, {"do": "transcript"})
    client.post(ATTEMPT, {"do": "fail", "stage": "install", "reason": "no rule", "transcript": printed})
    first = attempt(site).transcript
    client.post(ATTEMPT, {"do": "transcript", "transcript": SimpleUploadedFile("typescript", b"$ make all\n")})

    assert nothing.status_code == 422
    assert (first[0], "no rule" in first[1], "\x1b" in first[1]) == ("$ make", True, False)
    assert attempt(site).transcript == ("$ make all",)


def test_notes_and_questions_are_kept_and_shown_as_text(site: SmallSite) -> None:
    client = begun(site)

    client.post(ATTEMPT, {"do": "remark", "text": f"first line\n{SCRIPT}"})
    client.post(ATTEMPT, {"do": "ask", "text": f"which locale? {SCRIPT}"})
    client.post(ATTEMPT, {"do": "answer", "text": "C.UTF-8"})
    page = text_of(client.get(ATTEMPT))

    assert "first line\n&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert SCRIPT not in page
    assert attempt(site).questions[0].answer == "C.UTF-8"
    assert "Waits for an answer" not in page


def test_an_attempt_that_succeeded_is_judged_and_the_verdict_has_a_sentence(site: SmallSite) -> None:
    client = begun(site)
    output = SimpleUploadedFile("output.tsv", small.OUTPUT)

    page = text_of(client.post(ATTEMPT, {"do": "succeed", "output": output, "run_minutes": "2.5"}, follow=True))

    assert (attempt(site).row.state, attempt(site).row.run_minutes) == ("succeeded", 2.5)
    assert "Verdict" in page
    assert "Beside the submitted output:" in page
    assert "0.8000" not in page, "a score by hidden gold"
    assert "Fill in the sheet" in page


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        pytest.param({"do": "succeed"}, "choose its files", id="no output"),
        pytest.param({"do": "fail", "stage": "install"}, "for a reason", id="no reason"),
        pytest.param({"do": "abandon"}, "say why", id="abandoned without a word"),
        pytest.param({"do": "explode"}, "expected one of", id="no such verb"),
        pytest.param({"do": "stage", "stage": "lunch"}, "expected a stage", id="no such stage"),
        pytest.param({"do": "correct", "span": "x"}, "expected a span", id="no span"),
        pytest.param({"do": "remark", "text": " "}, "expected a note", id="an empty note"),
    ],
)
def test_what_cannot_be_done_is_told_on_the_page_and_changes_nothing(
    site: SmallSite, sent: dict[str, str], told: str
) -> None:
    client = begun(site)

    answer = client.post(ATTEMPT, sent)

    assert answer.status_code == 422
    assert told in text_of(answer)
    assert (attempt(site).row.state, len(attempt(site).spans)) == ("open", 1)


def test_an_output_that_cannot_be_read_is_taken_only_where_somebody_insists(site: SmallSite) -> None:
    client = begun(site)

    refused = client.post(ATTEMPT, {"do": "succeed", "output": SimpleUploadedFile("output.tsv", b"\x00\xff")})
    kept = attempt(site).row.state
    taken = client.post(
        ATTEMPT, {"do": "succeed", "unreadable": "1", "output": SimpleUploadedFile("output.tsv", b"\x00\xff")}
    )

    assert (refused.status_code, kept) == (422, "open")
    assert (taken.status_code, attempt(site).row.state) == (303, "succeeded")


def test_the_transcript_grows_while_a_replay_runs_and_the_page_is_told_of_its_end(site: SmallSite) -> None:
    from primad.store.lease import holder
    from primad.track.models import Attempt
    from primad.track.replays.replaying import workspace_of

    client = begun(site)
    Attempt.objects.filter(number=1).update(state="running", holder=holder())
    with acting(keeper()):
        track = site.track()
        place = workspace_of(track.folder, track.attempt(1))
    place.mkdir(parents=True)
    (place / "transcript.txt").write_text(f"coding 5 documents\n{SCRIPT}\n")

    running = text_of(client.get(f"{ATTEMPT}replay/?was=open", headers={"HX-Request": "true"}))
    Attempt.objects.filter(number=1).update(state="failed", holder="", reason="no more")
    ended = text_of(client.get(f"{ATTEMPT}replay/?was=running", headers={"HX-Request": "true"}))

    assert "coding 5 documents\n&lt;script&gt;" in running
    assert 'hx-trigger="every 2s"' in running
    assert "<html" not in running
    assert "The attempt was running when you loaded this page." in ended
    assert "hx-trigger" not in ended


# The command line --------------------------------------------------------------------------------------------------


def command_on(page: str) -> list[str]:
    """Return the commands that PAGE has behind a detail."""
    return [unescape(one) for one in re.findall(r"<summary>By command line</summary><pre><code>(.*?)</code>", page)]


def test_commands_on_pages_for_analysts_name_the_site_as_the_browser_reached_it(site: SmallSite) -> None:
    client = browser(site, "analyst")
    at = "--server http://localhost:8000 --track demo"

    desk, system = (text_of(client.get(one, headers={"host": "localhost:8000"})) for one in (ANN, SYSTEM))

    assert command_on(desk) == [
        f"primad track replay alpha/run1 --analyst ann {at}",
        f"primad track machine ann NAME {at}",
    ]
    assert command_on(system) == [f"primad track attempt start ann alpha/run1 {at}"]


@pytest.mark.parametrize(
    ("state", "command"),
    [
        ("open", ["replay alpha/run1 --analyst ann --configuration default --data-set test"]),
        ("stopped", ["replay --resume 1"]),
        ("failed", []),
    ],
)
def test_the_command_of_an_attempt_is_one_that_works_in_its_state(
    site: SmallSite, state: str, command: list[str]
) -> None:
    client = begun(site)
    Attempt.objects.filter(number=1).update(state=state)

    page = text_of(client.get(ATTEMPT))

    assert command_on(page) == [f"primad track {one} --server http://testserver --track demo" for one in command]
    assert ("While the command runs" in page) is bool(command)


def test_an_open_attempt_at_a_system_that_cannot_be_replayed_has_no_command(site: SmallSite) -> None:
    client = begun(site)
    System.objects.update(kind="remote")

    assert command_on(text_of(client.get(ATTEMPT))) == []


# The machine -------------------------------------------------------------------------------------------------------


def machines_on(page: str) -> list[str]:
    """Return the machines that PAGE offers, the chosen one with a mark."""
    options = page.partition('id="start-machine"')[2].partition("</select>")[0]
    found = re.findall(r'<option value="[^"]*"( selected)?>([^<]*)</option>', options)
    return [f"{'* ' if mark else ''}{name.partition(':')[0]}" for mark, name in found]


def test_the_only_machine_is_chosen_where_the_assignment_has_none(site: SmallSite) -> None:
    Assignment.objects.update(machine=None)
    client = browser(site, "analyst")

    assert machines_on(text_of(client.get(SYSTEM))) == ["none stated", "* laptop"]


def test_of_several_machines_none_is_chosen_where_the_assignment_has_none(site: SmallSite) -> None:
    Assignment.objects.update(machine=None)
    client = browser(site, "analyst")
    client.post(ANN, {"do": "machine", "slug": "mac"})

    assert machines_on(text_of(client.get(SYSTEM))) == ["none stated", "laptop", "mac"]


def test_the_machine_of_the_assignment_is_named_and_stays_the_choice(site: SmallSite) -> None:
    Assignment.objects.filter(analyst__slug="ann").update(machine=Machine.objects.get(slug="laptop"))
    client = browser(site, "analyst")

    assert machines_on(text_of(client.get(SYSTEM))) == ["the one of the assignment, laptop", "laptop"]


# The history -------------------------------------------------------------------------------------------------------


def test_a_replay_that_the_site_gave_up_is_its_own_doing_in_the_history_and_told_with_the_reason(
    site: SmallSite,
) -> None:
    client = begun(site)
    long_ago = datetime.now(UTC) - timedelta(seconds=61)
    Attempt.objects.filter(number=1).update(state="running", holder=elsewhere("1" * 32), beat_at=long_ago)

    history = text_of(client.get(ATTEMPT)).partition("<h2>History</h2>")[2]

    assert ": the site replayed (state: stopped, reason: nothing was heard of the replay for a minute; " in history
    assert list(Event.objects.filter(verb="replayed").values_list("whom", flat=True)) == ["the site"]


def test_the_attempt_of_somebody_else_is_not_there(site: SmallSite) -> None:
    begun(site)

    assert browser(site, "colleague").get(ATTEMPT).status_code == 404
    assert browser(site, "colleague").get("/tracks/demo/analysts/dan/attempts/1/").status_code == 404
    assert browser(site, "analyst").get("/tracks/demo/analysts/ann/attempts/99999999999999999999/").status_code == 404
    assert browser(site, "organiser").get("/tracks/demo/analysts/dan/attempts/1/").status_code == 404


def test_an_organiser_may_end_an_attempt_as_abandoned_and_nothing_else(site: SmallSite) -> None:
    begun(site)
    client = browser(site, "organiser")

    assert client.post(ATTEMPT, {"do": "pause"}).status_code == 403
    assert client.post(ATTEMPT, {"do": "abandon", "reason": "ann is ill"}).status_code == 303
    assert attempt(site).row.state == "abandoned"


# The sheet ---------------------------------------------------------------------------------------------------------


def test_one_answer_is_saved_and_confirmed_with_the_time(site: SmallSite) -> None:
    client = browser(site, "analyst")

    said = client.post(SHEET, {"do": "save", "value-Q1": "yes", "was-Q1": mark(client, "Q1")}, headers=JSON)

    assert said.status_code == 200
    assert json.loads(said.content)["kept"] == ["Q1"]
    assert re.fullmatch(r"\d\d:\d\d:\d\d UTC", json.loads(said.content)["at"])
    assert answers(site) == {"Q1": "yes"}


def test_without_a_script_everything_is_saved_by_the_button(site: SmallSite) -> None:
    client = browser(site, "analyst")

    page = client.post(
        SHEET, {"do": "save", "value-Q1": "no", "comment-Q1": SCRIPT, "value-Q2": "4", "value-Q9": "more\nexamples"}
    )
    shown = text_of(client.get(SHEET))

    assert page.status_code == 303
    assert answers(site) == {"Q1": "no", "Q2": 4, "Q9": "more\nexamples"}
    assert "Saved at" in shown
    assert "more\nexamples</textarea>" in shown
    assert SCRIPT not in shown


def test_an_answer_that_is_wrong_holds_up_no_other_and_stays_on_the_page(site: SmallSite) -> None:
    client = browser(site, "analyst")

    answer = client.post(SHEET, {"do": "save", "value-Q1": "yes", "value-Q2": "9", "comment-Q2": "much"})

    assert answer.status_code == 422
    assert answers(site) == {"Q1": "yes"}
    assert "found &#39;9&#39;" in text_of(answer)
    assert "much</textarea>" in text_of(answer)


def test_another_answer_than_the_proposed_one_is_kept_at_once_and_its_reason_asked_for_at_the_lock(
    site: SmallSite,
) -> None:
    client = begun(site)  # so that the record proposes an answer to Q4

    kept = client.post(SHEET, {"do": "save", "value-Q4": "yes", "note-Q4": ""}, headers=JSON)
    locked = client.post(SHEET, {"do": "lock"})

    assert (kept.status_code, kept.json()["kept"]) == (200, ["Q4"])
    assert answers(site)["Q4"] == "yes"
    assert "say why another than the proposed answer" in text_of(locked)  # as the field is called
    assert ">Why another than the proposed answer</label>" in text_of(locked)


def test_a_page_that_is_old_takes_nothing_back(site: SmallSite) -> None:
    client = browser(site, "analyst")
    was = mark(client, "Q1")
    client.post(SHEET, {"do": "save", "value-Q1": "yes", "was-Q1": was})

    old = client.post(SHEET, {"do": "save", "value-Q1": "", "was-Q1": was, "value-Q2": "5"}, follow=True)

    assert answers(site) == {"Q1": "yes", "Q2": 5}
    assert "Q1 was answered elsewhere meanwhile: yes. That stays." in text_of(old)


def test_of_two_pages_that_change_the_same_question_the_later_wins_and_is_told(site: SmallSite) -> None:
    client = browser(site, "analyst")
    was = mark(client, "Q2")
    client.post(SHEET, {"do": "save", "value-Q2": "2", "was-Q2": was}, headers=JSON)

    later = json.loads(client.post(SHEET, {"do": "save", "value-Q2": "5", "was-Q2": was}, headers=JSON).content)
    seen = json.loads(client.get(f"{SHEET}answers.json").content)["answers"]["Q2"]

    assert answers(site) == {"Q2": 5}
    assert "Q2 was answered elsewhere meanwhile: very hard, close to impossible. Yours" in later["told"][0]
    assert (seen["value"], seen["mark"]) == ("5", later["answers"]["Q2"]["mark"])


def test_a_sheet_lists_what_is_missing_and_is_read_only_once_it_is_locked(site: SmallSite) -> None:
    client = begun(site)
    client.post(ATTEMPT, {"do": "fail", "stage": "install", "reason": "no compiler"})
    whole = {"value-Q1": "yes", "value-Q2": "4", "value-Q3": "1", "value-Q5": "3", "value-Q6": "no", "value-Q10": "no"}

    incomplete = client.post(SHEET, {"do": "lock", "value-Q1": "yes"})
    client.post(SHEET, {"do": "lock", **whole})
    page = text_of(client.get(SHEET))
    late = client.post(SHEET, {"do": "save", "value-Q1": "no"}, headers=JSON)

    assert incomplete.status_code == 422
    assert '<a href="#Q2">Q2</a>' in text_of(incomplete)
    assert "Locked <time" in page
    assert "<form" not in page.partition("<main")[2]
    assert (late.status_code, json.loads(late.content)["locked"]) == (422, True)
    assert answers(site)["Q1"] == "yes"


def test_the_sheet_of_another_is_read_once_it_is_locked_and_not_before(site: SmallSite) -> None:
    client = browser(site, "colleague")
    dans = "/tracks/demo/analysts/dan/sheets/alpha/run1/"
    before = client.get(SHEET).status_code, "Sheets of others" in text_of(client.get(dans))

    with acting(keeper()):
        track = site.track()
        track.start("ann", "alpha/run1")
        track.stop(1, "failed", stage="install", reason="no compiler")
        told = {"Q1": "yes", "Q2": 4, "Q3": 1, "Q5": 3, "Q6": "no", "Q10": "no"}
        track.fill("ann", "alpha/run1", told, lock=True)

    assert before == (404, False)
    assert client.get(SHEET).status_code == 200
    assert "Sheets of others" in text_of(client.get(dans))


def test_pages_for_analysts_have_no_script_or_style_within(site: SmallSite) -> None:
    client = begun(site)

    for address in (ANN, SYSTEM, ATTEMPT, SHEET):
        page = text_of(client.get(address))
        assert not re.search(r"<script(?![^>]* src=)|\sstyle=|\son[a-z]+=", page), address
        assert page.count("<h1") == 1
        ids = re.findall(r'\sid="([^"]+)"', page)
        assert sorted(ids) == sorted(set(ids)), address
