"""Is something that was sent twice done once?  Also where two come at once, or a server died in between."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from primad.accounts.models import Membership
from primad.archive.models import Run
from primad.store import database
from primad.store.actors import acting, keeper
from primad.store.lease import holder
from primad.store.models import Event, Job
from primad.web.api import idempotency
from primad.web.models import Answered
from tests.archive.servers import PostgreSQL
from tests.web.api_client import Asker, upload
from tests.web.live import LiveSite, postgresql_twin, serving
from tests.web.people import Everybody
from tests.web.small_site import SmallSite, run_text

KEY = "a-key-that-nobody-else-has"
DIED = """
from primad.store import database
database.configure(["django_tasks", "django_tasks_db"])
from primad.store.lease import holder
print(holder())
"""


@pytest.fixture
def user(site: SmallSite) -> Asker:
    return Asker(site, "user")


def sent(asker: Asker, tag: str = "mine", key: str = KEY, **fields: str) -> tuple[int, object]:
    """Return what is answered to an upload."""
    answer = asker.send("/archive/runs", {"files": upload("mine.run", run_text(tag, 4)), **fields}, key=key)
    return answer.status, answer.json


def test_an_upload_that_is_sent_again_gets_the_same_answer_and_changes_nothing(user: Asker) -> None:
    first = sent(user)
    events = Event.objects.count()

    again = sent(user)

    assert first == again
    assert first[1]["kept"][0]["status"] == "added"  # type: ignore[index]  # JSON
    assert (Event.objects.count(), Run.objects.count()) == (events, 4)


def test_the_same_upload_with_another_key_is_known(user: Asker) -> None:
    sent(user)

    _, other = sent(user, key="another")

    assert other["kept"][0]["status"] == "known"  # type: ignore[index]  # JSON


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"tag": "other"}, id="another file"),
        pytest.param({"collection": "other"}, id="another collection"),
        pytest.param({"without_metadata": "true"}, id="another option"),
    ],
)
def test_a_key_that_was_used_for_something_else_is_refused(user: Asker, changed: dict[str, str]) -> None:
    sent(user)

    status, said = sent(user, **changed)

    assert (status, "was used for another question" in str(said)) == (409, True)
    assert Run.objects.count() == 4


def test_the_key_of_somebody_else_is_another_one(site: SmallSite, user: Asker) -> None:
    job = user.post("/archive/evaluations", key=KEY).json

    other = Asker(site, "rival").post("/archive/evaluations", key=KEY).json

    assert (job["owner"], other["owner"]) == ("user@example.org", "rival@example.org")


def test_a_job_that_is_asked_for_again_is_the_same_job(user: Asker) -> None:
    first = user.post("/archive/evaluations", key=KEY)

    again = user.post("/archive/evaluations", key=KEY)

    assert (first.status, first.json["key"]) == (again.status, again.json["key"])
    assert Job.objects.count() == 1


def test_what_was_refused_can_be_tried_again_with_the_same_key(user: Asker) -> None:
    wrong = user.post("/archive/assessments", {"original": ["later"]}, key=KEY)
    sent(user, "later", key="upload")

    right = user.post("/archive/assessments", {"original": ["later"]}, key=KEY)

    assert (wrong.status, right.status) == (404, 202)


def test_an_answer_is_not_repeated_to_somebody_who_has_lost_a_role_meanwhile(site: SmallSite) -> None:
    organiser = Asker(site, "organiser")
    asked = {"title": "Team Alpha", "contact": "alpha@example.org", "remark": "pays late"}
    with acting(keeper()):
        site.track().move_to("set-up", "for a test")
    first = organiser.ask("PUT", "/tracks/demo/teams/alpha", asked, key=KEY)
    again = organiser.ask("PUT", "/tracks/demo/teams/alpha", asked, key=KEY)
    Membership.objects.filter(user=site.user("organiser")).delete()

    refused = organiser.ask("PUT", "/tracks/demo/teams/alpha", asked, key=KEY)

    assert (first.status, again.json) == (200, first.json)
    assert (refused.status, "the answer is not repeated" in refused.detail) == (403, True)
    assert "pays late" not in refused.content.decode()


def test_an_answer_is_not_repeated_to_a_token_for_less(site: SmallSite) -> None:
    member, reader = Asker(site, "member"), Asker(site, "member", ("read",))
    path = "/tracks/demo/submissions/alpha/run1/withdrawal"
    first = member.post(path, {"reason": "a mistake"}, key=KEY)

    refused = reader.post(path, {"reason": "a mistake"}, key=KEY)

    assert (first.status, refused.status) == (200, 403)


def test_whoever_became_something_by_a_question_hears_the_answer_again(site: SmallSite) -> None:
    administrator = Asker(site, "administrator")

    first = administrator.post("/tracks", {"slug": "next"}, key=KEY)
    again = administrator.post("/tracks", {"slug": "next"}, key=KEY)

    assert (first.status, again.json) == (201, first.json)
    assert Membership.objects.filter(track="next", user=site.user("administrator")).count() == 1


def test_a_secret_is_never_written_down_with_an_answer(user: Asker) -> None:
    first = user.post("/tokens", {"name": "one"}, key=KEY).json["secret"]
    second = user.post("/tokens", {"name": "one"}, key=KEY).json["secret"]

    assert first != second
    assert not Answered.objects.exists()


@pytest.mark.parametrize("key", ["x" * 201, "a\u00e9"])
def test_a_key_that_is_none_is_refused(user: Asker, key: str) -> None:
    assert user.post("/archive/evaluations", key=key).status == 422
    assert Job.objects.count() == 0


# Servers that die ------------------------------------------------------------------------------------------------


def left_by(user: Asker, who: str, at: datetime) -> None:
    """Let the last question be one that WHO began to answer at a moment, and did not."""
    user.post("/archive/evaluations", key=KEY)
    Answered.objects.update(status=0, body={"holder": who}, at=at)
    Job.objects.all().delete()


def test_a_question_whose_process_died_is_taken_over_at_once(user: Asker) -> None:
    dead = subprocess.run([sys.executable, "-c", DIED], capture_output=True, text=True, check=True).stdout.strip()
    left_by(user, dead, datetime.now(UTC))

    answer = user.post("/archive/evaluations", key=KEY)

    assert (answer.status, Job.objects.count()) == (202, 1)


def test_a_question_that_is_being_answered_is_told_to_come_again(user: Asker) -> None:
    left_by(user, holder(), datetime.now(UTC))

    answer = user.post("/archive/evaluations", key=KEY)

    assert (answer.status, answer.headers["Retry-After"], Job.objects.count()) == (409, "1", 0)


def test_a_question_that_nobody_answers_for_long_is_taken_over(user: Asker) -> None:
    left_by(user, holder(), datetime.now(UTC) - timedelta(minutes=11))

    assert user.post("/archive/evaluations", key=KEY).status == 202


def test_a_server_that_dies_before_it_wrote_the_answer_down_has_done_nothing(
    user: Asker, monkeypatch: pytest.MonkeyPatch
) -> None:
    class PowerCut(BaseException):
        """The end of a process."""

    def dies(*_: object) -> None:
        raise PowerCut

    with monkeypatch.context() as patch:
        patch.setattr(idempotency, "_written", dies)
        with pytest.raises(PowerCut):
            user.post("/archive/evaluations", key=KEY)

    assert (Job.objects.count(), user.post("/archive/evaluations", key=KEY).status, Job.objects.count()) == (0, 202, 1)


def test_answers_are_forgotten_after_a_week(user: Asker, monkeypatch: pytest.MonkeyPatch) -> None:
    user.post("/archive/evaluations", key="old")
    Answered.objects.update(at=datetime.now(UTC) - timedelta(days=8))
    monkeypatch.setattr(idempotency, "_swept", datetime.now(UTC) - timedelta(hours=2))

    user.post("/archive/evaluations", key="new")

    assert list(Answered.objects.values_list("key", flat=True)) == ["new"]


# Many at once ----------------------------------------------------------------------------------------------------


@pytest.fixture(params=["sqlite", "postgresql"])
def live(request: pytest.FixtureRequest, site_template: tuple[Path, Everybody], tmp_path: Path) -> Iterator[LiveSite]:
    """Return a site with two processes that answer, on either database."""
    folder, people = site_template
    if request.param == "sqlite":
        shutil.copytree(folder, tmp_path / "data")
        with serving(tmp_path / "data", people, tmp_path / "home", workers=2) as site:
            yield site
        return
    with PostgreSQL() as server:
        twin = postgresql_twin(folder, tmp_path / "data", server.database())
        with serving(twin, people, tmp_path / "home", workers=2) as site:
            yield site


@pytest.mark.slow
def test_of_many_that_ask_the_same_at_once_one_is_answered_and_the_rest_get_its_answer(live: LiveSite) -> None:
    headers = {"Authorization": f"Bearer {live.token('user')}", "Idempotency-Key": KEY}

    def asked(_: int) -> httpx.Response:
        while True:
            answer = httpx.post(f"{live.address}/api/v1/archive/evaluations", json={}, headers=headers, timeout=60)
            if answer.status_code != 409:
                return answer

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(asked, range(16)))
    jobs = httpx.get(f"{live.address}/api/v1/jobs", headers=headers, timeout=60).json()

    assert {one.status_code for one in answers} == {202}
    assert len({one.json()["key"] for one in answers}) == 1
    assert jobs["total"] == 1
    database.close()
