"""Can organisers adjudicate, publish and export a track on pages?"""

import io
import zipfile

from django.test import Client

from primad.store.actors import acting, keeper
from tests.track import small
from tests.web.small_site import SmallSite
from tests.web.track_work import TOP, browser, facts, text_of, undone


def judged(site: SmallSite) -> Client:
    """Return the browser of an organiser, once both analysts have tried alpha/run1 and locked their sheets."""
    told = {"Q1": "yes", "Q2": 4, "Q3": 5, "Q5": 4, "Q6": "yes", "Q10": "no"}
    with acting(keeper()):
        track = site.track()
        for number, (who, output) in enumerate((("ann", small.OUTPUT), ("dan", small.WORSE)), 1):
            track.start(who, "alpha/run1")
            track.stop(number, "succeeded", output={"output.tsv": output})
            track.fill(who, "alpha/run1", told | ({"Q1": "no"} if who == "dan" else {}), lock=True)
        track.move_to("adjudication")
    return browser(site)


def test_sheets_stand_side_by_side_and_differences_are_told_in_words(site: SmallSite) -> None:
    page = text_of(judged(site).get(f"{TOP}adjudicate/alpha/run1/"))

    assert page.count("they differ") == 2  # Q1, and Q8 by the verdicts
    assert "2 of 10 questions are answered differently" in page
    assert "they agree" in page


def test_sheets_that_are_not_locked_are_not_shown(site: SmallSite) -> None:
    with acting(keeper()):
        site.track().fill("ann", "alpha/run1", {"Q9": "between us"})

    page = text_of(browser(site).get(f"{TOP}adjudicate/alpha/run1/"))

    assert "ann has not locked the sheet yet" in page
    assert "between us" not in page


def test_a_level_is_decided_and_another_than_proposed_takes_a_reason(site: SmallSite) -> None:
    client = judged(site)
    here = f"{TOP}adjudicate/alpha/run1/"

    as_proposed = client.post(here, {"do": "level", "number": "1", "level": "4"})
    refused = client.post(here, {"do": "level", "number": "1", "level": "2", "reason": ""})
    other = text_of(client.post(here, {"do": "level", "number": "1", "level": "2", "reason": "slow"}, follow=True))
    then = facts(site).attempts[0].level
    undone(client, other)

    assert (as_proposed.status_code, refused.status_code) == (303, 422)
    assert (then, facts(site).attempts[0].level) == (2, 4)


def test_an_attempt_that_shows_no_level_is_not_one_of_those_to_be_decided(site: SmallSite) -> None:
    client = judged(site)
    with acting(keeper()):
        track = site.track()
        track.move_to("replication", "one more")
        track.stop(track.start("ann", "alpha/run1").number, "abandoned", reason="ann is ill")
        track.set_level(1, 4, "")

    page = text_of(client.get(f"{TOP}adjudicate/"))

    assert "<td>2 of 2</td><td>1 of 2</td>" in page


def test_a_sheet_is_unlocked_for_a_reason(site: SmallSite) -> None:
    client = judged(site)
    here = f"{TOP}adjudicate/alpha/run1/"

    refused = client.post(here, {"do": "unlock", "analyst": "ann", "reason": ""})
    client.post(here, {"do": "unlock", "analyst": "ann", "reason": "a slip"})

    assert refused.status_code == 422
    assert [one.analyst for one in facts(site).sheets if one.locked_at] == ["dan"]


def test_publishing_is_the_last_move(site: SmallSite) -> None:
    client = judged(site)

    before = text_of(client.get(TOP))
    page = text_of(client.post(TOP, {"do": "move", "phase": "published"}, follow=True))

    assert "Publish the track" in before
    assert facts(site).phase == "published"
    assert "Publish the track" not in page


def test_the_export_is_a_zip_without_hidden_gold(site: SmallSite) -> None:
    answer = browser(site).get(f"{TOP}export/")

    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as packed:
        names = packed.namelist()
        contents = b"".join(packed.read(name) for name in names)
    assert answer["Content-Disposition"] == 'attachment; filename="demo.zip"'
    assert "demo/track.yaml" in names
    assert small.TEXTS in contents
    assert small.GOLD not in contents
