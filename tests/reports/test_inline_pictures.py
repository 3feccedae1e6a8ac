"""Does every kind of drawing keep its look in a page that forbids style in attributes?"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from primad.reports._drawing import picture
from primad.reports._html import inline_svg
from primad.reports.archive_figure import Mark, progress_figure
from primad.reports.assessment import figures
from primad.reports.qra import figures as qra_figures
from primad.reports.track import pictures
from tests.reports import assessments, quantified
from tests.reports.track import examples

KINDS = ("effects", "topics", "overlap", "sweep", *qra_figures.KINDS, *pictures.KINDS, "progress")
# Attributes that SVG 2 calls presentation attributes, as far as matplotlib needs them.
LOOK = {
    *("clip-path", "fill", "fill-opacity", "font-family", "font-size", "font-style", "font-weight", "opacity"),
    *("stroke", "stroke-dasharray", "stroke-dashoffset", "stroke-linecap", "stroke-linejoin", "stroke-opacity"),
    *("stroke-width", "text-anchor"),
}
STRUCTURE = {"id", "d", "x", "y", "width", "height", "transform", "href", "viewBox", "version", "role", "patternUnits"}


def _drawn() -> Iterator[tuple[str, Any]]:
    """Yield the kind and the figure of drawings of every kind."""
    for name in ("table2", "sweep"):
        yield from ((one.kind, one.figure) for one in figures.drawings(getattr(assessments, name)()))
    yield from ((one.kind, one.figure) for one in qra_figures.drawings(quantified.nts(causes=True)))
    yield from ((one.kind, one.figure) for one in pictures.drawings(examples.full()))
    marks = [Mark(2004, 0.25, "a", is_baseline=True), Mark(2017, 0.3, "b")]
    yield "progress", progress_figure(marks, [(2004, 0.25), (2017, 0.3)], collection="c", measure="map")


@cache
def drawn() -> dict[str, Any]:
    """Return a figure of every kind."""
    return dict(_drawn())


def said(svg: bytes | str) -> list[dict[str, str]]:
    """Return what is said of the look of each path, text and use, whether in a style or in attributes."""
    found = []
    for element in ET.fromstring(svg).iter():  # noqa: S314  (our own)
        if element.tag.rpartition("}")[2] in {"path", "text", "use"}:
            look = dict(re.findall(r"([a-z-]+): ([^;]+)", element.get("style", "")))
            look |= {key: value for key, value in element.attrib.items() if key in LOOK}
            found.append({key: value.replace("url(#f1-", "url(#") for key, value in look.items()})
    return found


@pytest.mark.slow
def test_there_is_a_drawing_of_every_kind() -> None:
    assert set(drawn()) == set(KINDS)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_drawing_says_in_attributes_what_it_said_in_styles(kind: str) -> None:
    svg = picture(drawn()[kind], "svg")
    text = inline_svg(svg, "f1", "title", "description")
    elements = list(ET.fromstring(text).iter())  # noqa: S314  (our own)

    assert said(text) == said(svg)
    assert {key for one in elements for key in one.attrib if key != "aria-labelledby"} <= LOOK | STRUCTURE
