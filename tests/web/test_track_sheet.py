"""Is nothing lost that an analyst types on a sheet?  A real browser and a real server; each story takes seconds."""

import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect, sync_playwright

from primad.store import database
from primad.store.actors import acting, keeper
from primad.track.track import Track
from tests.web.live import LiveSite, serving
from tests.web.people import PASSWORD, Everybody

pytestmark = pytest.mark.slow

CHROMIUM = "/usr/bin/chromium"
SHEET = "/tracks/demo/analysts/ann/sheets/alpha/run1/"
PATIENCE = 20.0
# What is sent while a tab is closed may arrive when the browser can reach the server again; here it does not.
NOTHING_AFTER_THE_END = """
const real = fetch;
window.fetch = (what, how) => (how?.keepalive ? Promise.reject(new TypeError("gone")) : real(what, how));
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Return a browser."""
    if not Path(CHROMIUM).exists():
        pytest.skip("there is no Chromium here")
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as play:
        # Playwright keeps a loop of events in this thread; that nothing here is asynchronous Django cannot see.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        chromium = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def live(
    site_template: tuple[Path, Everybody], tmp_path_factory: pytest.TempPathFactory, browser: Browser
) -> Iterator[LiveSite]:
    """Return a server that answers for a small site, in which ann is at work on an attempt; all stories share it."""
    del browser  # which has to be there before
    folder, people = site_template
    place = tmp_path_factory.mktemp("live")
    shutil.copytree(folder, place / "data")
    with acting(keeper()):
        Track(place / "data", "demo").start("ann", "alpha/run1")
    database.close()
    with serving(place / "data", people, place / "home") as running:
        yield running


def come(browser: Browser, live: LiveSite, **options: Any) -> BrowserContext:
    """Return a window of BROWSER in which ann is signed in."""
    context = browser.new_context(base_url=live.address, **options)
    page = context.new_page()
    page.goto("/sign-in/")
    page.fill("#email", "analyst@example.org")
    page.fill("#password", PASSWORD)
    page.click("main button")
    page.wait_for_load_state("networkidle")  # a tab that is closed while it loads may never say that it is
    page.close()
    return context


def opened(context: BrowserContext) -> Page:
    """Return the sheet of ann in a tab of its own."""
    page = context.new_page()
    page.goto(SHEET)
    return page


def kept(live: LiveSite, key: str) -> Any:
    """Return what the server has of the answer to the question KEY, None if nothing."""
    try:
        with acting(keeper()):
            facts = Track(live.folder, "demo").sheet_facts("ann", "alpha/run1")
        return next(
            one.value if one.value is not None else one.comment or None for one in facts.questions if one.key == key
        )
    finally:
        database.close()


def until(holds: Callable[[], bool]) -> bool:
    """Tell whether something HOLDS in the end; how soon is nobody's promise."""
    end = time.monotonic() + PATIENCE
    while not holds() and time.monotonic() < end:
        time.sleep(0.1)
    return holds()


def test_an_answer_is_saved_as_it_is_typed_and_said_to_be(browser: Browser, live: LiveSite) -> None:
    context = come(browser, live)
    page = opened(context)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)

    page.check("#value-Q1-yes")
    page.locator("#comment-Q5").press_sequentially("more examples")

    expect(page.locator("#saved-Q1")).to_contain_text("Saved at")
    expect(page.locator("#saved-Q5")).to_contain_text("Saved at")
    expect(page.locator("#sheet-state")).to_have_text("Everything is saved as you type.")
    assert (kept(live, "Q1"), kept(live, "Q5")) == ("yes", "more examples")
    assert page.evaluate("localStorage.length") == 0
    assert errors == []
    context.close()


def test_closing_the_tab_at_once_loses_nothing(browser: Browser, live: LiveSite) -> None:
    context = come(browser, live)
    page = opened(context)

    page.locator("#value-Q9").fill("closed before it was sent")
    with page.expect_event("close"):
        page.close(run_before_unload=True)

    assert until(lambda: kept(live, "Q9") == "closed before it was sent")
    context.close()


def test_what_the_server_never_got_is_offered_when_somebody_comes_back(browser: Browser, live: LiveSite) -> None:
    context = come(browser, live)
    page = context.new_page()
    page.add_init_script(NOTHING_AFTER_THE_END)
    page.goto(SHEET)

    context.set_offline(True)
    page.locator("#comment-Q3").fill("typed in a train")
    expect(page.locator("#saved-Q3")).to_contain_text("Not saved yet: the server cannot be reached")
    with page.expect_event("close"):
        page.close(run_before_unload=True)
    context.set_offline(False)
    again = opened(context)

    expect(again.locator("#sheet-offer")).to_contain_text("You changed Q3")
    assert kept(live, "Q3") is None
    again.get_by_role("button", name="Take what I had typed").click()
    expect(again.locator("#saved-Q3")).to_contain_text("Saved at")
    assert kept(live, "Q3") == "typed in a train"
    assert again.evaluate("localStorage.length") == 0
    context.close()


def test_of_two_tabs_the_later_answer_wins_and_the_other_is_told(browser: Browser, live: LiveSite) -> None:
    context = come(browser, live)
    first, second = opened(context), opened(context)

    first.check("#value-Q2-2")
    expect(first.locator("#saved-Q2")).to_contain_text("Saved at")
    expect(second.locator("#value-Q2-2")).to_be_checked()
    second.check("#value-Q2-5")

    expect(first.locator("#saved-Q2")).to_contain_text("Changed on another page, which came later: took no effort")
    expect(first.locator("#value-Q2-5")).to_be_checked()
    assert kept(live, "Q2") == 5
    context.close()


def test_leaving_the_page_stops_an_older_answer_that_is_still_on_its_way(browser: Browser, live: LiveSite) -> None:
    context = come(browser, live)
    page = opened(context)
    held: list[Route] = []
    page.route(
        "**/sheets/**", lambda route: route.continue_() if held or route.request.method == "GET" else held.append(route)
    )

    page.check("#value-Q2-2")
    expect(page.locator("#saved-Q2")).to_contain_text("Saving")
    page.check("#value-Q2-5")
    with page.expect_event("requestfailed") as stopped:
        page.evaluate("dispatchEvent(new Event('pagehide'))")
    expect(page.locator("#saved-Q2")).to_contain_text("Saved at")

    assert stopped.value == held[0].request
    assert kept(live, "Q2") == 5
    context.close()


def test_another_answer_than_the_proposed_one_is_saved_before_its_reason(browser: Browser, live: LiveSite) -> None:
    context = come(browser, live)
    page = opened(context)

    page.check("#value-Q4-yes")
    expect(page.locator("#saved-Q4")).to_contain_text("Saved at")

    assert kept(live, "Q4") == "yes"
    context.close()


def test_without_a_script_the_button_saves_and_locking_lists_what_is_missing(browser: Browser, live: LiveSite) -> None:
    context = come(browser, live, java_script_enabled=False)
    page = opened(context)

    page.check("#value-Q6-no")
    page.get_by_role("button", name="Save and lock").click()

    expect(page.get_by_role("link", name="Q10")).to_be_visible()
    assert kept(live, "Q6") == "no"
    context.close()


def test_the_time_runs_on_the_page_and_stands_there_without_a_script(browser: Browser, live: LiveSite) -> None:
    context, quiet = come(browser, live), come(browser, live, java_script_enabled=False)
    page, plain = context.new_page(), quiet.new_page()

    page.goto("/tracks/demo/analysts/ann/attempts/1/")
    plain.goto("/tracks/demo/analysts/ann/attempts/1/")
    shown = page.locator("output.clock").inner_text()

    expect(page.locator("output.clock")).not_to_have_text(shown)
    expect(plain.locator(".timer")).to_contain_text("runs since")
    context.close()
    quiet.close()
