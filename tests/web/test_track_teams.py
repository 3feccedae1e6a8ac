"""Can a team hand in its results and its system, hear what is wrong, answer analysts, and take things back?"""

import re
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client

from primad.store.actors import acting, keeper
from primad.track import models
from tests.track import small
from tests.web.small_site import SmallSite
from tests.web.track_stories import asked, at_database, at_results, obeyed, plain, text

TEAM = "/tracks/demo/teams/alpha/"
FORM = "/tracks/demo/teams/alpha/submit/coding/"
RUN = "/tracks/demo/submissions/alpha/run1/"
EVIL = "<script>alert('x')</script>\"><img src=x onerror=alert(1)>"


@pytest.fixture(autouse=True)
def _spoken_to(site: SmallSite) -> None:
    at_database(site)


def file(data: bytes = small.OUTPUT, name: str = "output.tsv") -> SimpleUploadedFile:
    """Return a file as a browser sends it."""
    return SimpleUploadedFile(name, data)


def results(**fields: Any) -> dict[str, Any]:
    """Return the form for results, filled in, with other FIELDS."""
    filled = {"name": "run2", "title": "A second run", "about": "Better.\nMuch.", "configuration-0": "default"}
    return filled | {"data_set-0": "test", "files-0": file(), "values-0": "f1 0.8"} | fields


def post(client: Client, address: str, **fields: Any) -> Any:
    """Return what CLIENT is answered who sends a form to ADDRESS, and goes on to the next page."""
    return client.post(address, fields, follow=True)


# The page of a team --------------------------------------------------------------------------------------------------


def test_a_team_sees_its_submissions_with_state_and_why(site: SmallSite) -> None:
    page = plain(site.client("member").get(TEAM))

    assert "alpha/run1 System of alpha coding bundle assigned analysts run it; what came of it is told once" in page


def test_an_analyst_sees_whom_to_ask_and_no_form(site: SmallSite) -> None:
    answer = site.client("analyst").get(TEAM)

    assert "Analysts ask at alpha@example.org." in plain(answer)
    assert f'action="{TEAM}' not in text(answer)


def test_a_team_without_submissions_is_told_what_to_do_first(site: SmallSite) -> None:
    at_results(site)

    page = plain(site.client("rival").get("/tracks/demo/teams/beta/"))

    assert "Nothing was submitted yet. Hand in the results of your system first" in page
    assert "Submit results to Coding" in page


def test_a_team_that_is_late_is_told_since_when_and_whom_to_ask(site: SmallSite) -> None:
    at_results(site, "2020-05-01")
    client = site.client("member")

    page, refused = plain(client.get(TEAM)), client.post(FORM, results())

    assert "The phase results closed on 2020-05-01 23:59 UTC, and nothing is taken since then. Ask an organiser" in page
    assert refused.status_code == 422
    assert "the phase results closed on 2020-05-01; an organiser can set another date" in plain(refused)


# Results -------------------------------------------------------------------------------------------------------------


def test_results_are_taken_scored_and_shown(site: SmallSite) -> None:
    at_results(site)

    page = plain(post(site.client("member"), FORM, **results()))

    assert "alpha/run2 was taken." in page
    assert "Better. Much." in page
    assert (
        "default on test Measure Stated by the team Found by the scorer f1 0.8000 not shown before publication" in page
    )
    assert models.Output.objects.get(submission__slug="run2").scored["f1"] == pytest.approx(0.8)


def test_a_stated_value_that_hidden_gold_contradicts_is_told_to_organisers_and_once_published_to_the_team(
    site: SmallSite,
) -> None:
    at_results(site)
    run2, said = "/tracks/demo/submissions/alpha/run2/", "default: f1 was stated as 0.9, the scorer of the task finds"

    wrong = plain(post(site.client("member"), FORM, **results(**{"values-0": "f1: 0.9"})))
    right = plain(post(site.client("member"), FORM, **results(name="run3", **{"values-0": "f1: 0.8"})))
    before = plain(site.client("member").get(run2))
    office = plain(site.client("organiser").get(run2))
    with acting(keeper()):
        for phase in ("systems", "assignment", "replication", "adjudication", "published"):
            site.track().move_to(phase)
    published = plain(site.client("member").get(run2))

    assert "alpha/run2 was taken." in wrong
    assert "alpha/run3 was taken." in right
    assert [page for page in (wrong, right, before) if "finds" in page or "0.8000 0." in page] == []
    assert f"{said} 0.8000" in office
    assert f"{said} 0.8000" in published


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        pytest.param({"name": "run1"}, "alpha/run1 was submitted already; name another", id="name taken"),
        pytest.param({"name": " "}, "expected a short name for the submission, found nothing", id="no name"),
        pytest.param({"name": "Run Two"}, "expected small letters, digits, dots", id="no slug"),
        pytest.param({"values-0": "f1 high"}, "expected a number for f1, found 'high'", id="no number"),
        pytest.param({"data_set-0": "other"}, "no data set is called 'other'", id="no such data set"),
        pytest.param({"files-0": file(b"")}, "found nothing in output.tsv", id="empty file"),
        pytest.param({"files-0": file(b"\xff\xfe\0")}, "output.tsv", id="no text"),
    ],
)
def test_what_is_refused_is_told_beside_the_form_and_what_was_typed_stays(
    site: SmallSite, fields: dict[str, Any], reason: str
) -> None:
    at_results(site)
    files, runs = models.File.objects.count(), models.Submission.objects.count()
    given = results(**fields)

    answer = site.client("member").post(FORM, given)

    assert answer.status_code == 422
    assert reason in plain(answer)
    page = text(answer)
    assert f'name="name" type="text" value="{given["name"].strip()}"' in page
    assert ">Better.\nMuch.</textarea>" in page
    assert f">{given['values-0']}</textarea>" in page
    assert (models.File.objects.count(), models.Submission.objects.count()) == (files, runs)


def test_several_outputs_are_taken_together_or_not_at_all(site: SmallSite) -> None:
    at_results(site)
    client = site.client("member")
    second = {"configuration-3": "fast", "data_set-3": "test"}

    refused = client.post(FORM, results(**second, **{"files-3": file(b"")}))
    none = models.Submission.objects.filter(slug="run2").count()
    post(client, FORM, **results(**second, **{"files-3": file(small.WORSE)}))

    assert (refused.status_code, none) == (422, 0)
    outputs = models.Output.objects.filter(submission__slug="run2").order_by("id")
    assert list(outputs.values_list("configuration", flat=True)) == ["default", "fast"]


def test_one_more_output_can_be_asked_for_with_and_without_a_script(site: SmallSite) -> None:
    at_results(site)
    client = site.client("member")

    whole = client.post(FORM, results(more="1"))
    part = client.get(f"{FORM}outputs/1/", headers={"HX-Request": "true"})

    assert whole.status_code == 200
    assert 'name="configuration-1"' in text(whole)
    assert ">Better.\nMuch.</textarea>" in text(whole)
    assert re.findall(r'name="configuration-(\d)"', text(part)) == ["1"]
    assert f'hx-get="{FORM}outputs/2/"' in text(part)
    assert "<html" not in text(part)


def test_a_task_that_measures_takes_values_and_conditions_without_files(site: SmallSite) -> None:
    at_results(site)
    with acting(keeper()):
        site.track().set_task("human", title="Human", kind="measure", scorer="coding")
    fields = {"name": "m1", "configuration-0": "", "values-0": "bleu 31.5", "conditions-0": "annotators: three experts"}

    page = plain(post(site.client("member"), "/tracks/demo/teams/alpha/submit/human/", **fields))

    assert "bleu 31.5000" in page
    assert "annotators three experts" in page


# Systems -------------------------------------------------------------------------------------------------------------


def bundle(tmp_path: Path, **manifest: Any) -> SimpleUploadedFile:
    """Return a bundle as a browser sends it."""
    return file(small.bundle(tmp_path, **manifest).read_bytes(), "system.tar.gz")


def test_a_bundle_is_taken_as_a_new_version_and_it_is_told_at_once_what_analysts_will_miss(
    site: SmallSite, tmp_path: Path
) -> None:
    at_results(site)
    client = site.client("member")

    page = plain(post(client, f"{RUN}system/", wish="bundle", bundle=bundle(tmp_path, version="2.0")))

    assert "The bundle was taken as the system of alpha/run1." in page
    assert "Version 2, system.tar.gz, was looked at without running it." in page
    assert "there is no README what goes wrong on another machine is explained nowhere add a README" in page
    assert [int(one) for one in re.findall(r"Version (\d)", plain(client.get(RUN)))] == [2, 1]


def test_a_bundle_can_be_checked_and_nothing_of_it_is_kept(site: SmallSite, tmp_path: Path) -> None:
    files = models.File.objects.count()

    answer = site.client("member").post(f"{RUN}system/", {"wish": "check", "bundle": bundle(tmp_path)})

    assert answer.status_code == 200
    assert "system.tar.gz was checked, not submitted" in plain(answer)
    assert "there is no README" in plain(answer)
    assert (models.File.objects.count(), models.System.objects.count()) == (files, 1)


def test_configurations_that_the_bundle_has_not_are_told(site: SmallSite, tmp_path: Path) -> None:
    at_results(site)
    client = site.client("member")
    post(client, FORM, **results(**{"configuration-0": "fast"}))

    page = plain(post(client, "/tracks/demo/submissions/alpha/run2/system/", wish="bundle", bundle=bundle(tmp_path)))

    assert "the bundle has no configuration 'fast', of which an output was submitted" in page


def test_the_secret_of_remote_access_is_never_shown_again_nor_stored_as_it_is(site: SmallSite) -> None:
    at_results(site)
    client, secret = site.client("member"), "correct-horse-42"
    fields = {"wish": "remote", "instructions": "Step one.\nStep two.", "secret": secret, "language": "perl"}

    refused = client.post(f"{RUN}system/", fields | {"instructions": " "})
    taken = post(client, f"{RUN}system/", **fields)

    assert refused.status_code == 422
    assert "Remote access was taken as the system of alpha/run1. The secret is encrypted" in plain(taken)
    assert "Instructions Step one. Step two." in plain(taken)
    assert [secret in text(one) for one in (refused, taken, client.get(RUN), client.get(TEAM))] == [False] * 4
    assert 'value="perl"' in text(refused)
    with connection.cursor() as cursor:
        cursor.execute("SELECT secret FROM track_system UNION SELECT details FROM store_event")
        assert not [row for row in cursor.fetchall() if secret in str(row)]


def test_a_system_is_not_taken_in_another_phase_and_instructions_stay(site: SmallSite) -> None:
    fields = {"wish": "remote", "instructions": "Step one.\nStep two."}

    answer = site.client("member").post(f"{RUN}system/", fields)

    assert answer.status_code == 422
    assert "systems are submitted in results or systems" in plain(answer)
    assert ">Step one.\nStep two.</textarea>" in text(answer)


@pytest.mark.parametrize("fields", [{}, {"wish": "bundle"}, {"wish": "steal"}])
def test_a_form_without_a_bundle_is_told_so(site: SmallSite, fields: dict[str, str]) -> None:
    answer = site.client("member").post(f"{RUN}system/", fields)

    assert answer.status_code == 422
    assert "expected a bundle" in plain(answer)


# Questions -----------------------------------------------------------------------------------------------------------


def test_an_answer_sent_twice_answers_the_question_on_the_page_and_not_the_next_one(site: SmallSite) -> None:
    number = asked(site, "Which locale\ndoes it need?", "And which Python?")
    client = site.client("member")

    before = client.get(TEAM)
    key = str(models.Question.objects.earliest("id").pk)
    after = post(client, f"{TEAM}questions/{number}/", text="UTF-8.\nAny of them.", question=key)
    again = client.post(f"{TEAM}questions/{number}/", {"text": "UTF-8.\nAny of them.", "question": key})

    assert text(before).count("<textarea") == 2
    assert "The analyst can read your answer now." in plain(after)
    assert again.status_code == 422
    assert "is answered already" in plain(again)
    answers = models.Question.objects.order_by("id").values_list("answer", flat=True)
    assert list(answers) == ["UTF-8.\nAny of them.", ""]
    assert plain(after).index("And which Python?") < plain(after).index("Which locale does it need?")


def test_an_answer_that_says_nothing_is_refused_and_one_to_nothing_stays_in_the_form(site: SmallSite) -> None:
    number = asked(site, "Which locale?")
    client = site.client("member")

    empty = client.post(f"{TEAM}questions/{number}/", {"text": " "})
    post(client, f"{TEAM}questions/{number}/", text="UTF-8")
    twice = client.post(f"{TEAM}questions/{number}/", {"text": "UTF-8"})

    assert (empty.status_code, twice.status_code) == (422, 422)
    assert "expected an answer to the question, found nothing" in plain(empty)
    assert "no question of" in plain(twice)


def test_another_team_does_not_answer_for_this_one(site: SmallSite) -> None:
    number = asked(site, "Which locale?")

    theirs = site.client("rival").post(f"{TEAM}questions/{number}/", {"text": "none"})
    own = site.client("rival").post(f"/tracks/demo/teams/beta/questions/{number}/", {"text": "none"})

    assert (theirs.status_code, own.status_code) == (403, 404)
    assert models.Question.objects.get().answered_at is None
    assert "Which locale?" not in text(own)


# Taking back ---------------------------------------------------------------------------------------------------------


def test_a_submission_is_withdrawn_for_a_reason_and_brought_back(site: SmallSite) -> None:
    client = site.client("member")

    gone = post(client, f"{RUN}withdraw/", reason="a wrong file")
    back = post(client, f"{RUN}reinstate/", reason="it was the right one")

    assert "alpha/run1 is withdrawn. Nothing was deleted; you can bring it back below." in plain(gone)
    assert f'href="{RUN}reinstate/"' in text(gone)
    assert "reason: a wrong file" in plain(gone)
    assert "alpha/run1 is back in the track." in plain(back)
    assert models.Submission.objects.get(slug="run1").withdrawn_at is None


@pytest.mark.parametrize("verb", ["withdraw", "reinstate"])
def test_a_submission_is_not_taken_back_without_a_reason(site: SmallSite, verb: str) -> None:
    answer = site.client("member").post(f"{RUN}{verb}/", {"reason": "\n"})

    assert answer.status_code == 422
    assert "expected a reason, found nothing" in plain(answer)
    assert models.Submission.objects.get(slug="run1").withdrawn_at is None


def test_what_is_not_withdrawn_does_not_come_back_and_the_reason_stays(site: SmallSite) -> None:
    answer = site.client("member").post(f"{RUN}reinstate/", {"reason": "line one\nline two"})

    assert answer.status_code == 422
    assert "alpha/run1 is not withdrawn" in plain(answer)
    assert ">line one\nline two</textarea>" in text(answer)


@pytest.mark.parametrize("role", ["visitor", "user", "rival", "analyst"])
def test_nobody_else_hands_in_or_takes_back_for_a_team(site: SmallSite, role: str) -> None:
    at_results(site)
    client = site.client(role)

    statuses = {
        client.post(FORM, results()).status_code,
        client.post(f"{RUN}system/", {"wish": "remote", "instructions": "x"}).status_code,
        client.post(f"{RUN}withdraw/", {"reason": "x"}).status_code,
    }

    assert statuses <= {403, 404}
    assert (models.Submission.objects.count(), models.System.objects.count()) == (1, 1)
    assert models.Submission.objects.get().withdrawn_at is None


def test_a_form_from_elsewhere_is_refused(site: SmallSite) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(site.user("member"))

    answer = client.post(f"{RUN}withdraw/", {"reason": "x"})

    assert answer.status_code == 403
    assert models.Submission.objects.get().withdrawn_at is None


# Whatever others wrote -----------------------------------------------------------------------------------------------


def test_markup_in_every_field_of_every_form_is_shown_and_never_obeyed(site: SmallSite, tmp_path: Path) -> None:
    number = asked(site, EVIL)
    client = site.client("member")
    answered = post(client, f"{TEAM}questions/{number}/", text=EVIL)
    gone = post(client, f"{RUN}withdraw/", reason=EVIL)
    post(client, f"{RUN}reinstate/", reason=EVIL)
    at_results(site)
    fields = {"name": "run2", "title": EVIL, "about": EVIL, "configuration-0": EVIL, "data_set-0": EVIL}
    refused = client.post(FORM, fields | {"values-0": EVIL, "files-0": file(name=EVIL.replace("/", ""))})
    taken = post(client, FORM, **results(title=EVIL, about=EVIL, **{"files-0": file(name="<img src=x>.tsv")}))
    manifest = {"contact": EVIL, "language": EVIL, "prerequisites": [{"name": EVIL, "version": "1"}]}
    manifest |= {"run": ["python3 code.py /home/<img/src=x/onerror=alert(1)>"]}
    missing = post(client, f"{RUN}system/", wish="bundle", bundle=bundle(tmp_path, **manifest))
    remote = post(client, f"{RUN}system/", wish="remote", instructions=EVIL, operating_system=EVIL)

    pages = [answered, gone, refused, taken, missing, remote, client.get(RUN), client.get(TEAM)]

    assert [obeyed(one) for one in pages] == [[] for _ in pages]
    assert [("&lt;script&gt;" in text(one)) for one in pages] == [True] * 4 + [False] + [True] * 3
    assert "&lt;img src=x&gt;.tsv" in text(taken)
    assert "/home/&lt;img/src=x/onerror=alert(1)&gt;" in text(missing)
