"""Does a site stand fifty people at the deadline, and does it lose nothing when it is killed?

The load of two minutes is in bench/site.py, and further rounds of kills are in tests/web/faults.py.
"""

from collections.abc import Callable
from copy import deepcopy
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from bench.site_crowd import Crowd, missing, percentile
from bench.site_making import Numbers, bundle, made
from bench.site_server import Server
from primad.store.actors import acting, keeper
from primad.store.lease import holder
from primad.track.models import Submission, System
from primad.track.outputs import NewOutput
from primad.web.models import Answered
from tests.archive.servers import PostgreSQL
from tests.track import small
from tests.web.api_client import Answer, Asker, upload
from tests.web.faults import Rounds
from tests.web.small_site import SmallSite
from tests.web.track_stories import at_results

pytestmark = pytest.mark.slow

SECONDS = 10.0
FIFTY = Numbers(teams=15, analysts=35, runs=12)
KEY = "a-key-that-nobody-else-has"


@pytest.fixture(scope="module")
def deadline(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Crowd]:
    """Return a data folder, and the people who have worked at its site for ten seconds."""
    folder = tmp_path_factory.mktemp("deadline")
    everybody = made(folder, FIFTY)
    with Server(folder / "data") as server:
        crowd = Crowd.at(server.address, everybody)
        crowd.work(SECONDS)
    return folder / "data", crowd


def test_fifty_people_at_the_deadline_meet_no_error_and_lose_nothing(deadline: tuple[Path, Crowd]) -> None:
    data, crowd = deadline

    assert crowd.wrong == []
    assert missing(data, crowd) == []
    saved = sum(len(one.answers) for one in crowd.people)
    handed_in = sum(len(one.outputs) for one in crowd.people)
    assert (len(crowd.people), saved > 35, handed_in >= 15) == (50, True, True)


def test_what_is_missing_and_what_nobody_sent_is_noticed(deadline: tuple[Path, Crowd]) -> None:
    data, before = deadline
    crowd = deepcopy(before)
    team, other, analyst = crowd.people[0], crowd.people[1], crowd.people[-1]

    team.outputs["never sent"] = b"d1\tj11\n"
    del other.outputs["run1"]
    analyst.answers[(analyst.someone.sheets[0], "Q1")] = "never sent"
    lost = missing(data, crowd)

    assert len(lost) == 3
    assert "accepted 'never sent', found" in lost[0]
    assert lost[1:] == [
        "output team00/never sent: accepted once, found 0 times",
        "output team01/run1: found, and never accepted",
    ]


def test_the_percentile_is_the_value_that_so_many_are_not_above() -> None:
    values = [float(number) for number in range(1, 101)]

    assert [percentile(values, percent) for percent in (50, 95, 99, 100)] == [50.0, 95.0, 99.0, 100.0]
    assert percentile([7.0], 95) == 7.0


def test_fifty_people_lose_nothing_with_two_processes_on_postgresql(tmp_path: Path) -> None:
    with PostgreSQL() as postgresql:
        everybody = made(tmp_path, FIFTY, postgresql.database())
        with Server(tmp_path / "data", workers=2) as server:
            crowd = Crowd.at(server.address, everybody)
            crowd.work(SECONDS)

        assert crowd.wrong == []
        assert missing(tmp_path / "data", crowd) == []


def test_nothing_is_lost_when_a_server_and_a_worker_are_killed_in_the_middle(tmp_path: Path) -> None:
    rounds = Rounds(tmp_path, seed=1)
    with Server(tmp_path / "data") as server:
        rounds.play(server, 8.0, ("an answerer", "the job worker", "everything"))

        assert rounds.crowd is not None
        assert len(rounds.program.jobs) == 3
        assert sum(len(one.bundles) for one in rounds.crowd.people) > 0


# What a page costs ---------------------------------------------------------------------------------------------------


def asked_of_the_database(client: Client, path: str) -> int:
    """Return how many questions the page at PATH asks the database."""
    assert client.get(path).status_code == 200  # the first time, more is read
    with CaptureQueriesContext(connection) as asked:
        assert client.get(path).status_code == 200
    return len(asked)


@pytest.mark.parametrize(
    ("role", "path"),
    [
        pytest.param("member", "/", id="home"),
        pytest.param("member", "/tracks/demo/", id="track"),
        pytest.param("member", "/tracks/demo/teams/alpha/", id="team"),
        pytest.param("analyst", "/tracks/demo/analysts/ann/", id="analyst"),
    ],
)
def test_a_page_asks_the_database_as_often_however_many_submissions_there_are(
    site: SmallSite, role: str, path: str
) -> None:
    track = at_results(site)
    client = site.client(role)
    before = asked_of_the_database(client, path)

    with acting(keeper()):
        for number in range(2, 7):
            track.submit("alpha", f"run{number}", [NewOutput({"output.tsv": small.OUTPUT})])

    assert before > 5
    assert asked_of_the_database(client, path) == before


def test_a_page_shows_what_was_changed_since_the_last_one(site: SmallSite) -> None:
    track = at_results(site)
    client = site.client("member")
    assert b"alpha/run2" not in client.get("/tracks/demo/teams/alpha/").content

    with acting(keeper()):
        track.submit("alpha", "run2", [NewOutput({"output.tsv": small.OUTPUT})])

    assert b"alpha/run2" in client.get("/tracks/demo/teams/alpha/").content


# A server that dies between what it did and what it says -----------------------------------------------------------


def sent_again(asker: Asker, path: str, fields: Callable[[], dict[str, object]]) -> tuple[Answer, Answer]:
    """Return the answers to FIELDS sent to PATH, and sent again after the server died before it could say anything."""
    before = datetime.now(UTC)
    first = asker.send(path, fields(), key=KEY)
    dead = f"{holder().rpartition('|')[0]}|1"  # a process of this number began at another time
    Answered.objects.update(status=0, body={"holder": dead}, at=before)
    return first, asker.send(path, fields(), key=KEY)


def test_results_that_were_stored_when_the_server_died_are_taken_once(site: SmallSite) -> None:
    at_results(site)
    member = Asker(site, "member")

    first, again = sent_again(
        member,
        "/tracks/demo/submissions",
        lambda: {"team": "alpha", "name": "run2", "files": upload("output.tsv", small.OUTPUT.decode())},
    )

    assert (first.status, again.status, again.json["submission"]) == (201, 201, "alpha/run2")
    assert Submission.objects.filter(slug="run2").count() == 1


def test_a_system_that_was_stored_when_the_server_died_is_taken_once(site: SmallSite) -> None:
    at_results(site)
    member = Asker(site, "member")

    first, again = sent_again(
        member,
        "/tracks/demo/submissions/alpha/run1/bundle",
        lambda: {"bundle": SimpleUploadedFile("system.tar.gz", bundle(1))},
    )

    assert (first.status, again.status) == (201, 201)
    assert again.json == first.json
    assert list(System.objects.order_by("version").values_list("version", flat=True)) == [1, 2]


def test_a_name_that_was_taken_before_the_key_was_used_is_still_refused(site: SmallSite) -> None:
    at_results(site)
    member = Asker(site, "member")
    fields = {"team": "alpha", "name": "run1", "files": upload("output.tsv", small.OUTPUT.decode())}

    answer = member.send("/tracks/demo/submissions", fields, key=KEY)

    assert answer.status == 422
    assert "alpha/run1 was submitted already" in answer.detail
