"""What does a site answer that is scoring too much already?"""

from collections.abc import Iterator

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from primad.store import turns
from primad.store.actors import acting
from primad.track import scoring
from primad.track.models import Submission
from tests.track import small
from tests.web.api_client import Asker, upload
from tests.web.small_site import SmallSite
from tests.web.track_stories import at_results, plain

BUSY = "the site is scoring other outputs; try again in a minute"


@pytest.fixture
def busy(site: SmallSite, monkeypatch: pytest.MonkeyPatch) -> Iterator[SmallSite]:
    """Return a site whose track takes results, while two outputs are scored that take long."""
    at_results(site)
    monkeypatch.setattr(turns, "PATIENCE", 0.01)
    for _ in range(turns.MOST_AT_ONCE):
        scoring.TURNS._free.acquire()  # what a scorer that runs for long holds
    yield site
    for _ in range(turns.MOST_AT_ONCE):
        scoring.TURNS._free.release()


def test_a_page_says_that_the_site_is_busy_and_keeps_what_was_typed(busy: SmallSite) -> None:
    form = {"name": "run2", "title": "A second run", "configuration-0": "default", "data_set-0": "test"}

    answer = busy.client("member").post(
        "/tracks/demo/teams/alpha/submit/coding/", form | {"files-0": SimpleUploadedFile("output.tsv", small.OUTPUT)}
    )

    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "60")
    assert BUSY in plain(answer)
    assert 'value="A second run"' in answer.content.decode()
    assert not Submission.objects.filter(slug="run2").exists()


def test_the_api_says_that_the_site_is_busy_and_when_to_ask_again(busy: SmallSite) -> None:
    member = Asker(busy, "member")
    fields = {"team": "alpha", "name": "run2"}

    answer = member.send("/tracks/demo/submissions", fields | {"files": upload("o.tsv", small.OUTPUT)}, key="one")
    with acting(busy.actor("organiser")):
        taken = busy.track().facts().submissions

    assert (answer.status, answer.headers["Retry-After"], answer.detail) == (503, "60", BUSY)
    assert [one.address for one in taken] == ["alpha/run1"]


def test_pages_that_score_nothing_are_answered_meanwhile(busy: SmallSite) -> None:
    assert busy.client("member").get("/tracks/demo/submissions/alpha/run1/").status_code == 200
