"""Pages as a reader meets them: their elements and texts in order.

Outline               the elements and texts of a page, and the tags that do not match
outlined              the outline of a page
after                 the texts below a heading
assessment_outline    the outline of the page about an example in assessments.py
quantified_outline    the outline of the page about an example in quantified.py
ASSESSED              examples of every kind in assessments.py, with their arguments
QUANTIFIED            examples of every kind in quantified.py, with their arguments
"""

from __future__ import annotations

from functools import cache
from html.parser import HTMLParser
from typing import Any

from primad.reports.assessment import figures, page
from primad.reports.qra import figures as qra_figures
from primad.reports.qra import page as qra_page
from tests.reports import assessments, quantified

ASSESSED: list[tuple[Any, ...]] = [
    ("table2",),
    ("baseline_only",),
    ("other_collection",),
    ("problem_only",),
    ("sweep",),
    ("hostile",),
    ("many", 7),
]
QUANTIFIED: list[tuple[Any, ...]] = [
    ("nts",),
    ("repeated",),
    ("single",),
    ("equal",),
    ("few",),
    ("hostile",),
    ("many", 13),
    ("nothing",),
]
VOID = {"meta", "br", "link", "img", "input", "hr"}


class Outline(HTMLParser):
    """Reads a page: its elements in order, their texts, and tags that do not match."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.texts: list[tuple[str, str]] = []
        self.open: list[str] = []
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.elements.append((tag, {key: value or "" for key, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element without content."""
        self.elements.append((tag, {key: value or "" for key, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        """Note an end that has no beginning."""
        if not self.open or self.open.pop() != tag:
            self.faults.append(tag)

    def handle_data(self, data: str) -> None:
        """Note a text."""
        if data.strip():
            self.texts.append((self.open[-1] if self.open else "", " ".join(data.split())))

    def all(self, tag: str) -> list[dict[str, str]]:
        """Return the attributes of each element called TAG."""
        return [attributes for name, attributes in self.elements if name == tag]

    def said(self, tag: str) -> list[str]:
        """Return the texts directly in elements called TAG."""
        return [text for name, text in self.texts if name == tag]

    def following(self, tag: str) -> set[str]:
        """Return which elements come right after those called TAG."""
        tags = [name for name, _ in self.elements]
        return {tags[place + 1] for place, name in enumerate(tags) if name == tag}


def outlined(text: str) -> Outline:
    """Return the outline of the page with that TEXT."""
    outline = Outline()
    outline.feed(text)
    outline.close()
    return outline


def after(outline: Outline, heading: str) -> list[str]:
    """Return the texts that follow a HEADING of second rank, up to the next."""
    place = outline.texts.index(("h2", heading))
    following = outline.texts[place + 1 :]
    end = next((at for at, (tag, _) in enumerate(following) if tag == "h2"), len(following))
    return [text for _, text in following[:end]]


@cache
def assessment_outline(name: str, *arguments: Any) -> Outline:
    """Return the outline of the page, with its figures, about the assessment of that NAME."""
    found = getattr(assessments, name)(*arguments)
    return outlined(page.render_page(found, list(figures.drawings(found))))


@cache
def quantified_outline(name: str, *arguments: Any) -> Outline:
    """Return the outline of the page, with its figures, about the quantified assessment of that NAME."""
    found = getattr(quantified, name)(*arguments)
    return outlined(qra_page.render_page(found, list(qra_figures.drawings(found))))
