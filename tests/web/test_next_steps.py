"""Does what is next lead to the page on which it is done, and does each page say it to whom it is for?"""

from pathlib import Path

import pytest

from primad.reports.track.answers import Todo
from primad.store.actors import acting, keeper
from primad.web.track.reading import page_of
from tests.track import small
from tests.web.small_site import SmallSite

ANN = "/tracks/demo/analysts/ann"


@pytest.mark.parametrize(
    ("who", "command", "address"),
    [
        pytest.param("organiser", "assign", "/tracks/demo/organise/assign/", id="an organiser assigns"),
        pytest.param("organiser", "show 3", "", id="no page"),
        pytest.param("team alpha", "submit alpha NAME FILE", "/tracks/demo/teams/alpha/#submissions", id="results"),
        pytest.param(
            "team alpha",
            "submit alpha/run1 --system BUNDLE",
            "/tracks/demo/submissions/alpha/run1/system/",
            id="a system",
        ),
        pytest.param("analyst ann", "replay alpha/run1 --analyst ann", f"{ANN}/systems/alpha/run1/", id="a replay"),
        pytest.param(
            "analyst ann",
            "attempt start ann alpha/run1 --configuration 7",
            f"{ANN}/systems/alpha/run1/",
            id="a configuration called by a number",
        ),
        pytest.param("analyst ann", "sheet ann alpha/run1 --lock", f"{ANN}/sheets/alpha/run1/", id="a sheet"),
        pytest.param("analyst ann", "replay --resume 3", f"{ANN}/attempts/3/", id="a replay that was stopped"),
        pytest.param(
            "analyst ann", "attempt stop 3 succeeded --output PATH", f"{ANN}/attempts/3/", id="an attempt to end"
        ),
    ],
)
def test_a_step_leads_to_the_page_on_which_it_is_done(who: str, command: str, address: str) -> None:
    assert page_of("demo", Todo(who, "do it", f"primad track {command}")) == address


@pytest.mark.parametrize("path", ["/", "/tracks/demo/", "/tracks/demo/analysts/ann/"])
def test_an_analyst_goes_from_what_is_next_to_the_system(site: SmallSite, path: str) -> None:
    page = site.client("analyst").get(path).content.decode()

    assert f'<a href="{ANN}/systems/alpha/run1/">' in page
    assert "run the system of alpha/run1</a>" in page


def test_an_organiser_reads_who_has_to_do_what(site: SmallSite) -> None:
    page = site.client("organiser").get("/tracks/demo/").content.decode()

    assert f'<li>analyst ann: <a href="{ANN}/systems/alpha/run1/">run the system of alpha/run1</a>' in page


def test_each_step_of_everybody_leads_to_a_page_that_an_organiser_may_see(site: SmallSite) -> None:
    client = site.client("organiser")
    with acting(site.actor("organiser")):
        addresses = [page_of("demo", one) for one in site.track().facts().next]

    assert len(addresses) == 3
    assert [client.get(address).status_code for address in addresses] == [200, 200, 200]


def test_an_administrator_is_not_told_to_take_part_in_no_track(site: SmallSite) -> None:
    page = site.client("administrator").get("/account/").content.decode()

    assert "You take part in no track" not in page
    assert 'may organise each of its <a href="/tracks/">tracks</a>' in page


def test_an_organiser_of_a_track_without_submissions_reads_that_there_are_none(site: SmallSite) -> None:
    with acting(site.actor("administrator")):
        type(site.track()).init(site.folder, "empty", "An empty track")

    said = {role: site.client(role).get("/tracks/empty/").content.decode() for role in ("administrator", "visitor")}

    assert "Nothing is submitted yet." in said["administrator"]
    assert "is shown here once the track is published" not in said["administrator"]
    assert "is shown here once the track is published" in said["visitor"]


def test_what_an_error_says_goes_on_where_the_page_begins_to_say_it(site: SmallSite) -> None:
    page = site.client("organiser").post("/tracks/demo/organise/", {"do": "nothing"}).content.decode()

    assert "<strong>This did not work:</strong> expected one of " in page


def test_what_cannot_be_changed_now_cannot_be_typed(site: SmallSite) -> None:
    organiser = site.client("organiser")
    pages = ("people", "questions", "rules", "tasks")
    closed = {one: organiser.get(f"/tracks/demo/organise/{one}/").content.decode() for one in pages}

    assert {one: text.count('<fieldset class="whole" disabled>') for one, text in closed.items()} == {
        "people": 1,
        "questions": 1,
        "rules": 1,
        "tasks": 1,
    }
    assert '<fieldset class="whole">' in organiser.get("/tracks/demo/organise/assign/").content.decode()


def test_a_visitor_reads_of_what_was_withdrawn_only_that_it_was(site: SmallSite) -> None:
    with acting(keeper()):
        site.track().withdraw("alpha/run1", "a mistake")
        for phase in ("adjudication", "published"):
            site.track().move_to(phase)

    answer = site.client().get("/tracks/demo/submissions/alpha/run1/")

    assert answer.status_code == 200
    assert "What was withdrawn is not shown here." in answer.content.decode()
    assert "/files/output/" not in answer.content.decode()


def test_after_an_attempt_its_page_leads_to_the_sheet_and_says_when_that_is_locked(
    site: SmallSite, tmp_path: Path
) -> None:
    (tmp_path / "output.tsv").write_bytes(small.OUTPUT)
    with acting(keeper()):
        number = site.track().start("ann", "alpha/run1").number
        site.track().stop(number, "succeeded", output=tmp_path / "output.tsv", run_minutes=2)
    pages = [site.client("analyst").get(f"{ANN}/attempts/{number}/").content.decode()]
    sheet = site.client("analyst").get(f"{ANN}/sheets/alpha/run1/").content.decode()
    with acting(keeper()):
        told = dict.fromkeys(("Q2", "Q3", "Q5"), 4) | dict.fromkeys(("Q1", "Q6", "Q10"), "yes")
        site.track().fill("ann", "alpha/run1", told, lock=True)
    pages.append(site.client("analyst").get(f"{ANN}/attempts/{number}/").content.decode())

    assert [("Fill in the sheet" in one, "Read the sheet, which is locked" in one) for one in pages] == [
        (True, False),
        (False, True),
    ]
    assert '<p class="notice good">Beside the submitted output: identical bytes' in pages[0]
    assert "Proposed: <strong>the same results</strong>, by the verdict." in sheet
