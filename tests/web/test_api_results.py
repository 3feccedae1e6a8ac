"""Does the API say how precise values are, how far jobs are, and what was kept?"""

import io
import zipfile
from pathlib import Path

import pytest

from primad.qra.assess import assess
from primad.qra.reading.read import read_measurements
from primad.reports.qra.text import render
from primad.store.models import Job
from tests.web.api_client import Asker
from tests.web.small_site import SmallSite

VALUES = "object,measurand,value,c:performed_by\n" + "".join(
    f"system,BLEU,{value},{who}\n" for value, who in ((1.0, "a"), (1.1, "b"), (1.2, "c"))
)


@pytest.fixture
def user(site: SmallSite) -> Asker:
    return Asker(site, "user")


@pytest.fixture
def visitor(site: SmallSite) -> Asker:
    return Asker(site)


# Precision -------------------------------------------------------------------------------------------------------


def test_a_visitor_learns_how_precise_values_are_and_nothing_is_kept(visitor: Asker) -> None:
    said = visitor.post("/qra", {"text": VALUES, "name": "values.csv", "printed": {"form": "table", "width": 90}}).json
    found = assess(read_measurements(VALUES.encode(), name="values.csv"))

    assert said["result"] is None
    assert said["says_something"] is True
    assert said["printed"] == render(found, "table", width=90)
    assert said["found"]["groups"][0]["cv"] == pytest.approx(found.groups[0].cv)


def test_a_token_that_may_only_read_learns_how_precise_values_are_and_keeps_nothing(site: SmallSite) -> None:
    reader = Asker(site, "user", ("read",))

    said = reader.post("/qra", {"text": VALUES, "name": "values.csv"})

    assert (said.status, said.json["result"], said.json["says_something"]) == (200, None, True)
    assert reader.get("/results").json["total"] == 0


def test_a_user_gets_an_address_for_the_result_with_its_files(user: Asker, visitor: Asker) -> None:
    key = user.post("/qra", {"text": VALUES, "name": "values.csv", "title": "Three values"}).json["result"]

    facts = visitor.get(f"/results/{key}").json
    table = visitor.get(f"/results/{key}/files/qra.csv")
    report = zipfile.ZipFile(io.BytesIO(visitor.get(f"/results/{key}/report").content))

    assert (facts["title"], facts["maker"], facts["kind"]) == ("Three values", "User", "qra")
    assert {one["path"] for one in facts["files"]} == {Path(name).name for name in report.namelist()}
    assert "fragment.html" not in {one["path"] for one in facts["files"]}
    assert table.content == report.read(f"qra-{key[:8]}/qra.csv")
    assert [one["key"] for one in user.get("/results").json["items"]] == [key]


def test_options_of_precision_are_those_of_the_command(visitor: Asker) -> None:
    questions = {"variant": "qra3", "causes": True, "where": {"performed_by": ["a", "b"]}, "confidence": 0.9}
    found = assess(
        read_measurements(VALUES.encode(), name="values.csv"),
        variant="qra3",
        causes=True,
        where={"performed_by": ["a", "b"]},
        confidence=0.9,
    )

    said = visitor.post(
        "/qra", {"text": VALUES, "name": "values.csv", "questions": questions, "printed": {"form": "json"}}
    ).json

    assert said["printed"] == render(found, "json")


@pytest.mark.parametrize(
    ("asked", "status", "said"),
    [
        pytest.param({"text": VALUES.replace("1.1", "much"), "name": "v.csv"}, 422, "v.csv:3: value", id="no number"),
        pytest.param({"text": "a: &x [1]\nb: *x\n", "name": "v.yaml"}, 422, "v.yaml", id="hostile YAML"),
        pytest.param({"text": ""}, 422, "one of the two", id="nothing"),
        pytest.param({"text": VALUES, "query": ""}, 422, "one of the two", id="both"),
        pytest.param({"text": VALUES, "questions": {"by": ["nope"]}}, 422, "nope", id="no such condition"),
        pytest.param({"text": VALUES, "questions": {"confidence": 2}}, 422, "confidence", id="a share above 1"),
        pytest.param({"query": ""}, 401, "sign in", id="runs, by a visitor"),
    ],
)
def test_what_cannot_be_assessed_is_told_with_its_place(visitor: Asker, asked: object, status: int, said: str) -> None:
    answer = visitor.post("/qra", asked)

    assert (answer.status, said in answer.detail) == (status, True), answer.detail


def test_many_values_become_a_job_for_users_and_are_refused_to_visitors(user: Asker, visitor: Asker) -> None:
    many = "object,measurand,value\n" + "".join(f"s{n},BLEU,{n}\n" for n in range(2_001))

    asked = user.post("/qra", {"text": many, "name": "many.csv", "printed": {}})
    refused = visitor.post("/qra", {"text": many, "name": "many.csv"})

    assert (asked.status, asked.json["kind"], asked.json["title"]) == (202, "qra", "Precision of 2,001 measured values")
    assert (refused.status, "2,001 values are assessed as a job" in refused.detail) == (401, True)


# Jobs and results ------------------------------------------------------------------------------------------------


def test_a_job_says_why_it_waits_and_can_be_called_off_by_its_owner_only(site: SmallSite, user: Asker) -> None:
    other = Asker(site, "rival")
    key = user.post("/archive/evaluations", {"query": "team:alpha", "measures": ["map"]}).json["key"]

    facts = user.get(f"/jobs/{key}").json
    hidden = other.post(f"/jobs/{key}/cancellation")
    called_off = user.post(f"/jobs/{key}/cancellation").json

    assert (facts["title"], facts["state"]) == ("Scores of 3 runs", "waiting")
    assert "no worker is running" in facts["why"]
    assert hidden.status == 404
    assert (called_off["state"], called_off["why"]) == ("cancelled", "cancelled by user@example.org")
    assert [one["key"] for one in user.get("/jobs").json["items"]] == [key]
    assert other.get("/jobs").json["items"] == []


def test_a_result_that_was_removed_is_there_for_its_maker_only_and_comes_back(user: Asker, visitor: Asker) -> None:
    key = user.post("/qra", {"text": VALUES, "name": "values.csv"}).json["result"]

    removed = user.ask("DELETE", f"/results/{key}").json
    gone = visitor.get(f"/results/{key}").status, visitor.get(f"/results/{key}/report").status
    back = user.post(f"/results/{key}/restoration").json

    assert removed["removed_at"] is not None
    assert gone == (404, 404)
    assert (back["removed_at"], visitor.get(f"/results/{key}").status) == (None, 200)


def test_no_path_leads_out_of_a_result(user: Asker) -> None:
    key = user.post("/qra", {"text": VALUES, "name": "values.csv"}).json["result"]
    paths = ["../../primad.json", "nope", "%2e%2e/x", "a%00b", "/etc/passwd"]

    assert {path: user.get(f"/results/{key}/files/{path}").status for path in paths} == dict.fromkeys(paths, 404)


def test_more_jobs_than_one_person_may_have_are_refused(user: Asker) -> None:
    answers = [user.post("/archive/evaluations").status for _ in range(21)]

    assert answers == [202] * 20 + [422]
    assert Job.objects.count() == 20
