"""What happens in the small track before a page is looked at, done by whoever runs the site.

at_database   speak to the database of the site, before its rows are changed by hand
at_results    the track takes results again
asked         an analyst has asked the authors something
published     the track is published; ann got the same output, dan another one
text          the text of an answer
plain         what a person reads on a page
obeyed        what a browser would obey on a page that we have not put there
"""

import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from primad.store import database
from primad.store.actors import acting, keeper
from primad.store.folder import find_folder
from primad.track.track import Track
from tests.track import small
from tests.web.small_site import SmallSite


def at_database(site: SmallSite) -> None:
    """Speak to the database of SITE: until then it may be that of the one that all are copied from."""
    database.use(find_folder(site.folder))


def at_results(site: SmallSite, closes: str = "") -> Track:
    """Return the track, which takes results; the phase CLOSES at a date, if one is given."""
    with acting(keeper()):
        track = site.track()
        track.move_to("results", "for a test")
        if closes:
            track.change(dates={"results": {"closes": closes}})
    return track


def asked(site: SmallSite, *questions: str) -> int:
    """Return the number of an attempt of ann at alpha/run1 in which its team was asked QUESTIONS."""
    with acting(keeper()):
        track = site.track()
        track.start("ann", "alpha/run1")
        number = track.facts().attempts[-1].number
        for one in questions:
            track.ask(number, one)
    return number


def published(site: SmallSite, folder: Path) -> None:
    """Let both analysts run alpha/run1, and publish the track; files are written to FOLDER."""
    with acting(keeper()):
        track = site.track()
        for analyst, output in (("ann", small.OUTPUT), ("dan", small.WORSE)):
            (folder / "output.tsv").write_bytes(output)
            track.start(analyst, "alpha/run1")
            number = track.facts().attempts[-1].number
            track.stop(number, "succeeded", output=folder / "output.tsv", run_minutes=2)
        track.move_to("adjudication")
        track.move_to("published")


def text(answer: Any) -> str:
    """Return the text of ANSWER."""
    return str(answer.content.decode())


def plain(answer: Any) -> str:
    """Return what a person reads on a page: its text, without marks, blanks as one."""
    shown = " ".join(unescape(re.sub(r"<[^>]*>", " ", text(answer))).split())
    return re.sub(r" (?=[.,:;](?: |$))", "", shown)


class _Marks(HTMLParser):
    """Collects what a browser obeys."""

    def __init__(self) -> None:
        """Begin with nothing."""
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep TAG if nothing of ours is like it."""
        names = {name for name, _ in attrs}
        is_ours = tag not in ("img", "style", "b", "iframe") and (tag != "script" or "src" in names)
        if not is_ours or any(name.startswith("on") or name == "style" for name in names):
            self.found.append(self.get_starttag_text() or tag)


def obeyed(answer: Any) -> list[str]:
    """Return the marks on a page that we have not put there, and style and script that are no files of ours."""
    marks = _Marks()
    marks.feed(text(answer))
    return marks.found
