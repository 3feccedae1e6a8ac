"""Do the links of the pages lead anywhere, on a code host and on the site?

A code host and MkDocs make the anchor of a heading by different rules, so that an anchor counts only where both agree.
What lies outside docs/ is not on the site, so no page in docs/ may link to it.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from markdown.extensions.toc import slugify  # type: ignore[import-untyped]  # which makes the anchors of the site
from markdown_it.token import Token

from tests.docs.pages import ROOT, pages, text_of, tokens


def links(text: str) -> list[str]:
    """Return where the links and images of a page lead."""
    inner = [child for token in tokens(text) for child in token.children or ()]
    found = [child.attrs["href" if child.type == "link_open" else "src"] for child in inner if is_link(child)]
    return [str(address) for address in found]


def is_link(token: Token) -> bool:
    """Tell whether TOKEN leads anywhere."""
    return token.type in {"link_open", "image"}


def headings(text: str) -> list[str]:
    """Return the headings of a page, without marks."""
    found = tokens(text)
    inline = [after for token, after in pairwise(found) if token.type == "heading_open"]
    return ["".join(child.content for child in token.children or ()) for token in inline]


def of_a_code_host(heading: str) -> str:
    """Return the anchor that a code host gives a HEADING."""
    return re.sub(r"[^\w\- ]", "", unicodedata.normalize("NFC", heading).lower()).replace(" ", "-")


def anchors(text: str) -> set[str]:
    """Return the anchors that a page has everywhere: those of headings that it has once."""
    found = headings(text)
    here, there = [of_a_code_host(one) for one in found], [slugify(one, "-") for one in found]
    return {one for one, other in zip(here, there, strict=True) if one == other and Counter(here)[one] == 1}


def wrong(page: str, link: str) -> str | None:
    """Return what is wrong with a LINK of PAGE, if anything is."""
    parts = urlsplit(link)
    if parts.scheme:
        is_address = parts.scheme in {"http", "https"} and "." in parts.netloc
        return None if is_address or parts.scheme == "mailto" else f"{link} is no address"
    target = (ROOT / page).parent.joinpath(unquote(parts.path)).resolve() if parts.path else ROOT / page
    if not target.is_file():
        return f"{link} leads to no file"
    if page.startswith("docs/") and not target.is_relative_to(ROOT / "docs"):
        return f"{link} leads out of docs/, and so out of the site"
    if parts.fragment and parts.fragment not in anchors(target.read_text(encoding="utf-8")):
        return f"{link}: no heading of {target.name} has this anchor on a code host and on the site"
    return None


@pytest.mark.parametrize("page", pages())
def test_every_link_of_a_page_leads_somewhere(page: str) -> None:
    assert [found for link in links(text_of(page)) if (found := wrong(page, link))] == []


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        pytest.param("nowhere.md", "nowhere.md leads to no file", id="no file"),
        pytest.param("../../README.md", "../../README.md leads out of docs/, and so out of the site", id="outside"),
        pytest.param(
            "roles.md#no-such-heading",
            "roles.md#no-such-heading: no heading of roles.md has this anchor on a code host and on the site",
            id="no heading",
        ),
        pytest.param("htp://example.org", "htp://example.org is no address", id="no address"),
        pytest.param("roles.md#seeing-a-track", None, id="a heading of another page"),
        pytest.param("https://example.org/a", None, id="an address"),
    ],
)
def test_a_link_that_leads_nowhere_is_found(link: str, expected: str | None) -> None:
    assert wrong("docs/guides/track.md", link) == expected


def test_links_are_found_in_tables_and_images_but_not_in_code() -> None:
    text = "[a](a.md) `[b](b.md)`\n\n| x |\n|---|\n| [c](c.md#d) |\n\n![d](d.svg)\n\n```text\n[e](e.md)\n```\n"

    assert links(text) == ["a.md", "c.md#d", "d.svg"]


def test_an_anchor_counts_where_code_host_and_site_agree() -> None:
    text = "# A `word` of *it*\n\n## Two\n\n## Two\n\n## This & that\n\n## Größe\n"

    assert anchors(text) == {"a-word-of-it"}


@pytest.mark.parametrize("page", pages())
def test_a_page_begins_with_its_only_title(page: str) -> None:
    assert [token.map for token in tokens(text_of(page)) if token.type == "heading_open" and token.tag == "h1"] == [
        [0, 1]
    ]


def test_every_folder_of_pages_is_looked_at() -> None:
    assert {Path(page).parts[1] for page in pages() if page.startswith("docs/")} >= {"guides", "reference", "index.md"}
