"""Is every page as wide as a phone, is the browser content with it, and what does it look like by day and by night?

Pictures are kept in the folder that the environment calls PRIMAD_PICTURES, else among the temporary files of pytest.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.urls import get_resolver, resolve
from playwright.sync_api import expect

from tests.web.browser import DESK, PHONE, SCHEMES, Person
from tests.web.expected.row import NO_METHOD
from tests.web.gallery import AFTER, NO_PAGES, PAGES, Gallery, gallery
from tests.web.people import Everybody
from tests.web.test_matrix import ROWS, names

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser pictures")]

TALLEST = 6000  # pixels of a picture; what is below looks like what is above


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder that pictures are kept in."""
    wanted = os.environ.get("PRIMAD_PICTURES")
    folder = Path(wanted) if wanted else tmp_path_factory.mktemp("pictures")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="module")
def shown(site_template: tuple[Path, Everybody], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gallery]:
    """Return a site in which every page has something to show."""
    with gallery(site_template, tmp_path_factory.mktemp("gallery")) as here:
        yield here


def taken(person: Person, folder: Path, name: str) -> None:
    """Take pictures of the page that PERSON sees: on a desk and on a phone, by day and by night."""
    page = person.page
    for device, (width, height) in (("phone", PHONE), ("desk", DESK)):
        page.set_viewport_size({"width": width, "height": height})
        whole = int(page.evaluate("document.documentElement.scrollHeight"))
        for scheme in SCHEMES:
            person.lights(scheme)
            clip = {"x": 0, "y": 0, "width": width, "height": min(whole, TALLEST)}
            page.screenshot(path=folder / f"{name}-{device}-{scheme}.png", full_page=True, clip=clip)  # type: ignore[arg-type]  # a mapping is what it takes


def sideways(person: Person) -> list[str]:
    """Return what makes the page wider than a phone."""
    person.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    wide = """() => document.documentElement.scrollWidth <= window.innerWidth ? [] :
        [...document.querySelectorAll('main *')].filter(one => one.getBoundingClientRect().right > window.innerWidth)
            .slice(0, 5).map(one => one.outerHTML.slice(0, 200)).concat(document.documentElement.scrollWidth)"""
    return [str(one) for one in person.page.evaluate(wide)]


@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_a_phone_and_the_browser_has_nothing_to_say(name: str, shown: Gallery, pictures: Path) -> None:
    person = shown.open(name)

    taken(person, pictures, name)

    assert sideways(person) == []
    assert person.complaints == []
    expect(person.page.locator("h1")).to_have_count(1)


@pytest.mark.parametrize("name", AFTER)
def test_a_page_that_answers_a_form_fits_a_phone(name: str, shown: Gallery, pictures: Path) -> None:
    person = AFTER[name](shown)

    taken(person, pictures, name)

    assert sideways(person) == []
    assert person.complaints == []


def test_the_browser_would_complain_of_a_script_or_a_style_in_a_page(shown: Gallery) -> None:
    person = shown.open("sign-in")

    person.page.evaluate("""() => {
        const script = document.createElement("script");
        script.textContent = "1";
        document.body.append(script);
        document.querySelector("h1").setAttribute("style", "color: red");
    }""")
    person.page.wait_for_timeout(100)

    said = [re.search(r"(inline \w+)", one) for one in person.complaints]
    assert [one and one.group() for one in said] == ["inline script", "inline style"]


def test_every_page_has_a_picture() -> None:
    here = dict.fromkeys(("run", "invitation", "forgot", "attempt", "ended"), "1")
    here |= dict.fromkeys(("job", "result"), "0" * 32)
    pictured = {
        resolve(one.path.format_map(here).partition("?")[0]).view_name for one in PAGES.values() if _is_ours(one.path)
    }
    looked_at = {
        name
        for name in names(get_resolver())
        if name in ROWS and set(ROWS[name].answers.get("GET", {}).values()) - {NO_METHOD}
    }
    ours = {name for name in looked_at if not name.startswith(("admin:", "api:"))}

    assert sorted(ours - pictured - NO_PAGES) == []


def _is_ours(path: str) -> bool:
    """Tell whether PATH is one that leads somewhere."""
    return not path.startswith("/no/")
