"""Is what the page of an attempt says true, and what it offers possible?"""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from primad.store.actors import acting, keeper
from primad.store.log import note
from primad.track.models import Attempt, Task
from tests.track import small
from tests.web.small_site import SmallSite
from tests.web.track_work import browser, text_of

PAGE = "/tracks/demo/analysts/ann/attempts/{}/"


def repeated(site: SmallSite, phase: str) -> Client:
    """Return the browser of ann, whose attempt 2 repeats the first, begun when the track was in PHASE."""
    with acting(keeper()):
        track = site.track()
        track.stop(track.start("ann", "alpha/run1").number, "failed", stage="run", reason="it hangs")
        small.move_on(track, phase)
        track.again(1)
    return browser(site, "analyst")


@pytest.mark.parametrize("phase", ["adjudication", "published"])
def test_the_page_of_a_repeated_attempt_lets_it_go_on_and_end_in_later_phases(site: SmallSite, phase: str) -> None:
    client = repeated(site, phase)
    page = PAGE.format(2)

    offered = text_of(client.get(page))
    goes_on = text_of(client.post(page, {"do": "resume", "stage": "run"}, follow=True))
    rests = text_of(client.post(page, {"do": "pause"}, follow=True))
    client.post(page, {"do": "abandon", "reason": "nobody runs it"})

    assert "End it: abandoned" in offered
    assert "End it: succeeded" in offered
    assert "Your time runs." in goes_on
    assert 'name="do" value="resume"' in rests[rests.index('class="undo"') - 100 :].partition("</form>")[0]
    assert Attempt.objects.get(number=2).state == "abandoned"


def test_the_history_names_the_verdict_with_the_limit_in_force(site: SmallSite) -> None:
    with acting(keeper()):
        track = site.track()
        Task.objects.update(settings={"primary": "f1", "limit": 0.5})
        track.stop(track.start("ann", "alpha/run1").number, "succeeded", output={"output.tsv": small.WORSE})

    page = text_of(browser(site, "analyst").get(PAGE.format(1)))

    assert "judged (verdict: less than .5 apart)" in page
    assert "less than .01 apart" not in page


def test_the_history_leaves_out_the_usual_limit_that_older_events_name(site: SmallSite) -> None:
    with acting(keeper()):
        site.track().start("ann", "alpha/run1")
        note("judged", "attempt demo/1", agreement="less than .01 apart")

    page = text_of(browser(site, "analyst").get(PAGE.format(1)))

    assert " judged</li>" in page
    assert "less than .01 apart" not in page


def test_the_history_tells_the_times_before_a_correction_as_people_read_them(site: SmallSite) -> None:
    noon = datetime(2026, 1, 2, 12, 0, tzinfo=UTC)
    with acting(keeper()):
        track = site.track()
        number = track.start("ann", "alpha/run1", at=noon).number
        track.pause(number, at=noon + timedelta(minutes=30))
        track.correct(number, 1, ended_at=noon + timedelta(minutes=20), reason="typo")

    page = text_of(browser(site, "analyst").get(PAGE.format(1)))

    assert "corrected (before: started at 2026-01-02 12:00 and ended at 2026-01-02 12:30, reason: typo)" in page
