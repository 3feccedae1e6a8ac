"""People in front of a real browser: Chromium without a window, against a real server process.

browsing    a while in which a browser is there
Person      somebody with a browser of their own: what they type, press and see, and what the browser complains about
laptop      a site begun by ``primad serve`` in an empty folder, and what it printed
session_of  the session of a user, made without a form

While a browser is there, this process must not speak to a database: playwright keeps a loop running, and Django refuses
to be asked beside one.  So what a site needs is made before.
"""

import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

from playwright.sync_api import Browser, BrowserContext, Download, Locator, Page, Response, expect, sync_playwright

from tests.web.live import PATIENCE, environment
from tests.web.small_site import SmallSite

CHROMIUM = "/usr/bin/chromium"
DESK, PHONE = (1280, 900), (390, 844)
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
# A page that says what is wrong with a form is an answer, and no fault; a script or a picture that is missing is one.
_ANSWER = re.compile(r"Failed to load resource: the server responded with a status of 4\d\d")
_PRIMAD = "from primad.cli import main; main()"
_PATIENCE = 30_000  # milliseconds for what a page shows in the end: the machine may be busy

File = Mapping[str, Any]


@contextmanager
def browsing() -> Iterator[Browser]:
    """Let a browser be there."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        expect.set_options(timeout=_PATIENCE)
        try:
            yield browser
        finally:
            browser.close()


def file(name: str, data: bytes | str) -> File:
    """Return a file that somebody can choose in a form."""
    content = data.encode() if isinstance(data, str) else data
    return {"name": name, "mimeType": "application/octet-stream", "buffer": content}


def session_of(site: SmallSite, role: str) -> str:
    """Return the session of somebody in ROLE of SITE."""
    return str(site.client(role).cookies["sessionid"].value)


@dataclass
class Person:
    """Somebody with a browser of their own, at the site at ADDRESS; COMPLAINTS are those of the browser."""

    context: BrowserContext
    address: str
    complaints: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Open a page, and listen to what the browser says of all pages."""
        self.context.set_default_timeout(_PATIENCE)
        self.context.on("console", lambda message: self._heard(message.type, message.text, message.location))
        self.context.on("weberror", lambda error: self.complaints.append(str(error.error)))
        self.context.on("response", self._answered)
        self.page = self.context.new_page()

    @classmethod
    def at(cls, browser: Browser, address: str, session: str = "", **how: Any) -> "Person":
        """Return somebody new at the site at ADDRESS, signed in by a SESSION if one is given; HOW their browser is."""
        how.setdefault("viewport", {"width": DESK[0], "height": DESK[1]})
        context = browser.new_context(base_url=address, accept_downloads=True, reduced_motion="reduce", **how)
        if session:
            context.add_cookies([{"name": "sessionid", "value": session, "url": address}])
        return cls(context, address)

    def _heard(self, kind: str, text: str, where: Any) -> None:
        """Keep what the console says, if it is a fault."""
        is_answer = _ANSWER.match(text) and "/static/" not in str(where.get("url", ""))
        if kind in ("error", "warning") and not is_answer:
            self.complaints.append(f"{self.page.url}: {kind}: {text}")

    def _answered(self, response: Response) -> None:
        """Keep an answer that no server should give."""
        if response.status >= 500:
            self.complaints.append(f"{response.url}: {response.status}")

    # What they do ------------------------------------------------------------------------------------------------

    def visit(self, path: str) -> Page:
        """Open the page at PATH."""
        self.page.goto(path if path.startswith("http") else f"{self.address}{path}")
        return self.page

    def part(self, where: str = "main") -> Locator:
        """Return the part WHERE of the page."""
        return self.page.locator(where)

    def types(self, label: str, text: str, where: str = "main") -> None:
        """Type TEXT into the field LABEL."""
        self.part(where).get_by_label(label, exact=True).fill(text)

    def chooses(self, label: str, option: str, where: str = "main") -> None:
        """Choose the OPTION of the list LABEL, by its words or its value."""
        self.part(where).get_by_label(label, exact=True).select_option(option)

    def ticks(self, label: str, where: str = "main") -> None:
        """Tick the box, or the point of a scale, LABEL."""
        self.part(where).get_by_label(label, exact=True).check()

    def attaches(self, label: str, *files: File, where: str = "main") -> None:
        """Choose FILES in the field LABEL."""
        self.part(where).get_by_label(label, exact=True).set_input_files(list(files))  # type: ignore[arg-type]  # mappings are what it takes

    def opens(self, summary: str, where: str = "main") -> None:
        """Open what is folded under SUMMARY."""
        self.part(where).locator("summary", has_text=summary).click()

    def presses(self, button: str, where: str = "main") -> None:
        """Press BUTTON."""
        self.part(where).get_by_role("button", name=button, exact=True).click()

    def follows(self, link: str, where: str = "main") -> None:
        """Follow LINK."""
        self.part(where).get_by_role("link", name=link, exact=True).click()

    def downloads(self, name: str, where: str = "main") -> bytes:
        """Return what the link NAME gives as a file."""
        with self.page.expect_download() as waiting:
            self.follows(name, where)
        return _data(waiting.value)

    def lights(self, scheme: Literal["light", "dark"]) -> None:
        """Let it be day or night; colours that change slowly have changed then."""
        self.page.emulate_media(color_scheme=scheme)
        self.page.evaluate("Promise.all(document.getAnimations().map(one => one.finished.catch(() => null)))")

    # What they see -----------------------------------------------------------------------------------------------

    def sees(self, *texts: str, where: str = "main") -> None:
        """Expect that each of TEXTS stands on the page."""
        for text in texts:
            expect(self.part(where).filter(visible=True).first).to_contain_text(text, use_inner_text=True)

    def sees_no(self, text: str, where: str = "main") -> None:
        """Expect that TEXT does not stand on the page."""
        expect(self.part(where).first).not_to_contain_text(text, use_inner_text=True)

    def reads(self, heading: str) -> None:
        """Expect that the page is the one under HEADING."""
        expect(self.page.get_by_role("heading", level=1)).to_have_text(heading)

    def leaves(self) -> None:
        """Close the browser; it must not have complained."""
        self.context.close()
        assert self.complaints == []


def _data(download: Download) -> bytes:
    """Return what DOWNLOAD brought."""
    return Path(download.path()).read_bytes()


# A site on a laptop ----------------------------------------------------------------------------------------------


class Laptop(NamedTuple):
    """A site that ``primad serve`` began: its ADDRESS, what it SAID, and the LINK of its first person."""

    address: str
    said: str
    link: str


@contextmanager
def laptop(folder: Path, home: Path, *arguments: str) -> Iterator[Laptop]:
    """Let ``primad serve`` answer in the empty FOLDER; what it says is written to HOME."""
    folder.mkdir()
    home.mkdir()
    command = [sys.executable, "-c", _PRIMAD, "serve", "--port", "0", *arguments]
    with (home / "said").open("w") as said, (home / "log").open("w") as log:
        process = subprocess.Popen(
            command, cwd=folder, env=environment(home), stdout=said, stderr=log, start_new_session=True
        )
    try:
        yield _printed(process, home)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)  # Ctrl-C
            process.wait(PATIENCE)


def _printed(process: subprocess.Popen[bytes], home: Path) -> Laptop:
    """Return what PROCESS prints when it is ready."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and process.poll() is None:
        said = (home / "said").read_text()
        address, link = re.search(r"The site is at (\S+)/ and", said), re.search(r"\S+/invitations/\S+/\n", said)
        if address and link:
            return Laptop(address.group(1), said, link.group().strip())
        time.sleep(0.1)
    raise AssertionError(f"the site did not begin: {(home / 'log').read_text()[-2000:]}")
