"""Can everybody use the pages: by day and by night, by keyboard alone, and without script?

What a program can tell of a page, axe tells: nothing serious may be found on any.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.track import small
from tests.web.browser import SCHEMES, Person, file
from tests.web.gallery import AFTER, OF_OTHERS, PAGES, Gallery, gallery
from tests.web.people import PASSWORD, Everybody
from tests.web.small_site import run_text

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser axe")]

SEVERE = ("serious", "critical")
SHEET = "/tracks/demo/analysts/dan/sheets/alpha/run1/"


@pytest.fixture(scope="module")
def shown(site_template: tuple[Path, Everybody], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gallery]:
    """Return a site in which every page has something to show."""
    with gallery(site_template, tmp_path_factory.mktemp("gallery")) as here:
        yield here


def found(person: Person) -> list[str]:
    """Return the severe problems that axe finds on the page that PERSON sees, by day and by night."""
    problems = []
    for scheme in SCHEMES:
        person.lights(scheme)
        # What does not depend on colours is looked at once.
        rules: dict[str, Any] = {"runOnly": {"type": "rule", "values": ["color-contrast"]}} if scheme == "dark" else {}
        told = Axe().run(person.page, options={"resultTypes": ["violations"], **rules}).response["violations"]
        severe = (one for one in told if one["impact"] in SEVERE)
        problems += [f"{scheme}: {one['id']}: {node['html'][:200]}" for one in severe for node in one["nodes"]]
    return problems


@pytest.mark.parametrize("name", [name for name in PAGES if name not in OF_OTHERS])
def test_axe_finds_nothing_serious_on_a_page(name: str, shown: Gallery) -> None:
    assert found(shown.open(name)) == []


@pytest.mark.parametrize("name", AFTER)
def test_axe_finds_nothing_serious_on_a_page_that_answers_a_form(name: str, shown: Gallery) -> None:
    assert found(AFTER[name](shown)) == []


# By keyboard alone ------------------------------------------------------------------------------------------------


def tabs_to(page: Page, wanted: str, most: int = 120) -> None:
    """Press Tab until the element WANTED has the focus, which must be visible."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("wanted => document.activeElement.matches(wanted)", wanted):
            assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
            return
    raise AssertionError(f"{wanted} cannot be reached by keyboard")


def signs_in(person: Person, role: str) -> None:
    """Let PERSON sign in as somebody in ROLE by keyboard alone."""
    person.visit("/sign-in/")
    tabs_to(person.page, "#email")
    person.page.keyboard.type(f"{role}@example.org")
    tabs_to(person.page, "#password")
    person.page.keyboard.type(PASSWORD)
    person.page.keyboard.press("Enter")
    person.reads("How well was it reproduced, and why?")


def test_somebody_signs_in_and_fills_in_and_locks_a_sheet_by_keyboard_alone(shown: Gallery) -> None:
    dan = Person.at(shown.browser, shown.address)
    signs_in(dan, "colleague")
    dan.visit(SHEET)
    page = dan.page
    for box in page.locator("fieldset.asked").all():
        key = str(box.get_attribute("data-key"))
        if box.locator("input[type=radio]").count():
            tabs_to(page, f"[name='value-{key}']")
            page.keyboard.press("ArrowUp")  # from 'not answered yet' to the answer before it
    tabs_to(page, "button[value=lock]")
    page.keyboard.press("Enter")

    dan.sees("The sheet is locked, and counts.")
    dan.leaves()


def test_the_first_tab_leads_past_the_navigation(shown: Gallery) -> None:
    visitor = shown.open("archive")

    visitor.page.keyboard.press("Tab")
    expect(visitor.page.locator(":focus")).to_have_text("To the content")
    visitor.page.keyboard.press("Enter")

    assert visitor.page.evaluate("document.activeElement.id") == "main"


# Without script ---------------------------------------------------------------------------------------------------


@pytest.fixture
def scriptless(shown: Gallery) -> Iterator[Person]:
    """Return somebody whose browser runs no script."""
    person = Person.at(shown.browser, shown.address, java_script_enabled=False)
    yield person
    person.leaves()


def comes_in(person: Person, role: str) -> None:
    """Let PERSON sign in as somebody in ROLE."""
    person.visit("/sign-in/")
    person.types("Address of your mail", f"{role}@example.org")
    person.types("Password", PASSWORD)
    person.presses("Sign in")
    person.sees("Sign out", where="header")


def test_a_sheet_is_saved_without_script(scriptless: Person) -> None:
    comes_in(scriptless, "analyst")
    scriptless.visit("/tracks/demo/analysts/ann/sheets/alpha/run1/")
    scriptless.sees("Answers are kept when you press Save.")
    scriptless.part("#comment-Q3").fill("Without any script.")
    scriptless.presses("Save")

    scriptless.sees("Saved at")
    assert scriptless.part("#comment-Q3").input_value() == "Without any script."


def test_an_attempt_goes_on_and_a_question_is_asked_without_script(scriptless: Person) -> None:
    comes_in(scriptless, "analyst")
    scriptless.visit("/tracks/demo/analysts/ann/attempts/1/")
    scriptless.presses("Pause")
    scriptless.sees("the time rests")
    scriptless.types("A question", "Is it the same without script?")
    scriptless.presses("Ask")

    scriptless.sees("Is it the same without script?")


def test_runs_are_checked_and_added_without_script(scriptless: Person) -> None:
    comes_in(scriptless, "user")
    scriptless.visit("/archive/upload/")
    scriptless.attaches("Files", file("plain.run", run_text("plain", 6)))
    scriptless.presses("Check")
    scriptless.sees("1 of 1 file would be kept.", "choose the files again and press Add")
    scriptless.attaches("Files", file("plain.run", run_text("plain", 6)))
    scriptless.presses("Add")

    scriptless.sees("1 run is in the archive.")


def test_results_and_a_system_are_submitted_without_script(scriptless: Person) -> None:
    comes_in(scriptless, "administrator")
    scriptless.visit("/tracks/demo/organise/")
    scriptless.opens("Reopen an earlier phase")
    scriptless.chooses("Phase", "results")
    scriptless.types("Why", "for a test")
    scriptless.presses("Reopen it")
    scriptless.sees("results", where=".steps [aria-current]")
    scriptless.visit("/tracks/demo/teams/beta/submit/coding/")
    scriptless.types("Name", "plain")
    scriptless.attaches("Files", file("output.tsv", small.OUTPUT))
    scriptless.presses("Submit")
    scriptless.sees("beta/plain")
    scriptless.visit("/tracks/demo/submissions/beta/plain/system/")
    scriptless.types("Instructions", "ssh there, and type run")
    scriptless.presses("Submit remote access")

    scriptless.sees("beta/plain")
    expect(scriptless.page).to_have_url(re.compile("/tracks/demo/submissions/beta/plain/"))


def test_a_search_a_comparison_and_precision_work_without_script(scriptless: Person) -> None:
    scriptless.visit("/archive/")
    scriptless.types("Search for runs", "tag:second")
    scriptless.presses("Search")
    scriptless.sees("1 run found.")
    scriptless.visit("/archive/compare/?original=first&run=second")
    scriptless.sees("What can be computed")
    scriptless.visit("/precision/?example=nts")
    scriptless.presses("Assess the measurements")

    scriptless.sees("shown to you only", "CV*")
