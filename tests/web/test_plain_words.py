"""Does any page tell somebody in a browser to type a command, or to give an option?

A command may stand on a page where it is shown as one: in <code> or <pre>, or behind "By command line".
"""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urldefrag, urljoin

import pytest
from django.http import HttpResponse
from django.test import Client

from primad.cli.program import Program
from tests.web.people import ROLES
from tests.web.small_site import SmallSite

COMMANDS = sorted(Program.lines)
# An option of a script is one of an example of metadata, which says how somebody made a run.
TYPED = re.compile(rf"primad ({'|'.join(COMMANDS)})\b|(?<![\w-])(?<!\.py )--[a-z]+")
SHOWN_AS_SUCH = {"command", "by-command-line"}
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
# Pages of Django and of the API's viewer are not ours, and to sign out is no page.
ELSEWHERE = ("/admin/", "/api/", "/static/")
TRACK = "/tracks/demo/"
ATTEMPT = f"{TRACK}analysts/ann/attempts/1/"


class Sentences(HTMLParser):
    """The words of a page outside of what is shown as a command, and the addresses it leads to."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.links: list[str] = []
        self._open: list[tuple[str, bool]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        self.words += [told[name] for name in ("title", "placeholder", "aria-label") if name in told]
        if tag == "a" and "href" in told:
            self.links.append(told["href"])
        if tag not in VOID:
            is_command = tag in ("code", "pre", "script", "style", "textarea")
            self._open.append((tag, is_command or bool(SHOWN_AS_SUCH & set(told.get("class", "").split()))))

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not any(is_command for _, is_command in self._open):
            self.words.append(data)

    @property
    def typed(self) -> list[str]:
        """Return each passage that tells somebody to type something."""
        text = " ".join(" ".join(self.words).split())
        return [text[max(0, one.start() - 60) : one.end() + 30] for one in TYPED.finditer(text)]


def html(answer: Any) -> str:
    """Return the page in ANSWER, empty if it is none."""
    if isinstance(answer, HttpResponse) and answer.headers.get("Content-Type", "").startswith("text/html"):
        return str(answer.content.decode())
    return ""


def pages(client: Client, start: str) -> Iterator[tuple[str, Sentences]]:
    """Yield each page that can be reached from START by links, with its address; of a search only one."""
    waiting, known = [start], {start}
    while waiting:
        address = waiting.pop()
        answer = client.get(address, follow=True)
        found = Sentences(html(answer))
        yield address, found
        for link in found.links:
            there = urldefrag(urljoin(address, link)).url
            is_ours = there.startswith("/") and not there.startswith(ELSEWHERE)
            if is_ours and there.partition("?")[0] not in known:
                known.add(there.partition("?")[0])
                waiting.append(there)


def begun(site: SmallSite) -> None:
    """Let ann rest from an attempt, dan have succeeded with one, and a job wait for a worker."""
    ann = site.client("analyst")
    ann.post(f"{TRACK}analysts/ann/systems/alpha/run1/", {"do": "start"})
    ann.post(ATTEMPT, {"do": "pause"})


@pytest.mark.slow
@pytest.mark.parametrize("role", ROLES)
def test_no_page_that_a_role_reaches_by_links_tells_them_to_type_a_command(site: SmallSite, role: str) -> None:
    begun(site)

    found = {address: page.typed for address, page in pages(site.client(role), "/")}

    assert len(found) > 5, "the walk came to an end at once"
    assert {address: typed for address, typed in found.items() if typed} == {}


@pytest.mark.parametrize(
    ("role", "address", "sent", "said"),
    [
        pytest.param("analyst", ATTEMPT, {"do": "pause"}, "rests already", id="pause what rests"),
        pytest.param("analyst", ATTEMPT, {"do": "abandon"}, "say why the attempt was abandoned", id="abandon"),
        pytest.param("analyst", ATTEMPT, {"do": "succeed"}, "has an output", id="succeed without an output"),
        pytest.param(
            "organiser",
            f"{TRACK}organise/",
            {"do": "move", "phase": "results"},
            "to reopen results say why",
            id="reopen",
        ),
        pytest.param(
            "organiser",
            f"{TRACK}organise/eligible/",
            {"do": "decide", "address": "alpha/run1", "eligible": "no"},
            "say why the submission is eligible or not",
            id="eligible",
        ),
        pytest.param("user", "/archive/runs/0123abcd/", None, "no run has the address", id="run"),
        pytest.param("user", "/archive/collections/none/", None, "no collection is called", id="collection"),
        pytest.param(
            "organiser", f"{TRACK}analysts/ann/attempts/9/", None, "no attempt has the number 9", id="attempt"
        ),
    ],
)
def test_no_refusal_on_a_page_tells_somebody_to_type_a_command(
    site: SmallSite, role: str, address: str, sent: dict[str, str] | None, said: str
) -> None:
    begun(site)
    client = site.client(role)

    answer = client.get(address) if sent is None else client.post(address, sent)

    found = Sentences(html(answer))
    assert said in " ".join(found.words)
    assert found.typed == []


def test_a_command_in_a_sentence_is_found_and_one_that_is_shown_as_such_is_not() -> None:
    told = Sentences("<p>go on with: primad track show</p><p>Type <code>primad track show</code>.<br>primad says</p>")

    assert told.typed == ["go on with: primad track show Type . primad says"]
    assert Sentences('<p>say why, with --because</p><p class="command">give --because</p>').typed == [
        "say why, with --because"
    ]
