"""Does the page of a job say how it stands, and lead to what came of it?"""

import pytest

from primad.store import database
from primad.store.folder import find_folder
from primad.store.models import Job
from tests.web.expected.tools import job, result
from tests.web.small_site import SmallSite


@pytest.fixture(autouse=True)
def spoken_to(site: SmallSite) -> None:
    """Let what a test looks up itself be looked up in its own site."""
    database.use(find_folder(site.folder))


def text_of(site: SmallSite, key: str, role: str = "user", **headers: str) -> str:
    return str(site.client(role).get(f"/jobs/{key}/", headers=headers).content.decode())


def test_a_job_that_waits_says_why_and_asks_again_by_itself(site: SmallSite) -> None:
    text = text_of(site, job(site, "waiting"))

    assert "no worker is running; whoever runs this site has to start one" in text
    assert 'hx-trigger="every 1s"' in text
    assert "Look again" in text
    assert "Cancel" in text


def test_progress_is_told_in_words_and_as_a_bar(site: SmallSite) -> None:
    key = job(site, "running")
    Job.objects.update(done=3, total=12, doing="run <b>7</b>")

    text = text_of(site, key)

    assert '<progress id="bar" max="12" value="3">' in text
    assert "3 of 12 (25 %): run &lt;b&gt;7&lt;/b&gt;" in text


def test_a_job_that_failed_says_why_and_can_be_asked_for_again(site: SmallSite) -> None:
    key = job(site)

    text = text_of(site, key)
    answer = site.client("user").post(f"/jobs/{key}/again/")

    new = Job.objects.exclude(key=key).get()
    assert "failed: for a test" in text
    assert "hx-trigger" not in text
    assert answer["Location"] == f"/jobs/{new.key}/"
    assert (new.kind, new.title, new.state) == ("archive.evaluate", "Scores", "waiting")
    assert new.arguments["given"] == {"query": "", "measures": ["map"]}
    assert f'<a href="/jobs/{new.key}/">It was asked for again</a>' in text_of(site, key)
    assert "Try again" not in text_of(site, key)


def test_a_job_that_is_not_over_is_not_asked_for_again(site: SmallSite) -> None:
    answer = site.client("user").post(f"/jobs/{job(site, 'running')}/again/")

    assert answer.status_code == 422
    assert Job.objects.count() == 1


def test_a_job_that_is_done_leads_to_its_result_and_whoever_waits_goes_there_at_once(site: SmallSite) -> None:
    key, kept = job(site, "done"), result(site)
    Job.objects.update(result={"result": kept})

    polled = site.client("user").get(f"/jobs/{key}/", headers={"HX-Request": "true"})

    assert f'href="/results/{kept}/"' in text_of(site, key)
    assert polled["HX-Redirect"] == f"/results/{kept}/"
    assert "<html" not in polled.content.decode()


def test_a_job_that_waits_is_cancelled(site: SmallSite) -> None:
    key = job(site, "waiting")

    answer = site.client("user").post(f"/jobs/{key}/cancel/", follow=True)

    assert Job.objects.get(key=key).state == "cancelled"
    assert "Try again" in answer.content.decode()


@pytest.mark.parametrize("role", ["visitor", "member", "organiser"])
def test_the_job_of_somebody_else_is_not_there(site: SmallSite, role: str) -> None:
    key, client = job(site, "waiting"), site.client(role)

    assert client.get(f"/jobs/{key}/").status_code == 404
    assert client.post(f"/jobs/{key}/cancel/").status_code == 404
    assert client.post(f"/jobs/{key}/again/").status_code == 404
    assert Job.objects.get(key=key).state == "waiting"


def test_the_jobs_of_somebody_are_listed_with_their_reasons(site: SmallSite) -> None:
    key = job(site)
    Job.objects.update(title="<script>alert(1)</script>", why="failed: <script>alert(2)</script>")

    text = site.client("user").get("/jobs/").content.decode()

    assert f'href="/jobs/{key}/"' in text
    assert "<script>alert" not in text
    assert "failed: &lt;script&gt;" in text
    assert "You have asked for no long work yet." in site.client("member").get("/jobs/").content.decode()
