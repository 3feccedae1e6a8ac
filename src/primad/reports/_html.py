"""What all pages have in common: templates that escape everything, and pictures that are part of the page.

environment    where templates are found, and how they are filled in
as_page        a template as a page that needs nothing else
as_fragment    the same as a part of another page, which brings the style sheets
inline_figure  a drawing as part of a page, with what is said of it
inline_svg     its picture
kept_as        in which forms the figures of a page are files beside it, in words

The pages of a site forbid style in attributes, so a picture has none: its look is in attributes of SVG.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Protocol
from xml.etree import ElementTree as ET

from primad.reports._drawing import picture
from primad.reports._tables import as_text, harmless

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from markupsafe import Markup
    from matplotlib.figure import Figure

_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
_REFERENCE = re.compile(r"url\(#([^)]*)\)")
_DECLARATION = re.compile(r"([a-z-]+):\s*((?:'[^']*'|[^;'])*)")
# What matplotlib says of all elements in a style sheet, which a page does not take over.
_EVERYWHERE = {"stroke-linejoin": "round", "stroke-linecap": "butt"}


class Drawn(Protocol):
    """What a drawing of any report has."""

    @property
    def title(self) -> str:
        """Return what it is called."""

    @property
    def description(self) -> str:
        """Return what it shows, for people who do not see it."""

    @property
    def figure(self) -> Figure:
        """Return the picture itself."""


@dataclass(frozen=True)
class InlineFigure:
    """A figure of a page with its sentences."""

    title: str
    sentences: Sequence[str]
    svg: Markup


@cache
def environment() -> Any:
    """Return the templates' environment: everything is escaped, and what is not known is an error."""
    import jinja2

    return jinja2.Environment(
        loader=jinja2.PackageLoader("primad.reports"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )


def as_page(template: str, facts: Mapping[str, Any], forms: Sequence[str]) -> str:
    """Return TEMPLATE filled in with FACTS as a page, whose figures are files beside it in these FORMS."""
    frame = {"layout": "base.html", "files": "files beside this page", "kept_as": kept_as(forms)}
    return _filled(template, {**facts, **frame})


def as_fragment(template: str, facts: Mapping[str, Any], beside: str) -> str:
    """Return TEMPLATE filled in with FACTS as a part of a page; BESIDE says where its files are, if there are any."""
    frame = {"layout": "fragment.html", "files": "files of this report" if beside else "", "beside": beside}
    return _filled(template, {**facts, **frame})


def _filled(template: str, facts: Mapping[str, Any]) -> str:
    """Return TEMPLATE filled in with FACTS."""
    return as_text(environment().get_template(template).render(facts, version=version("primad")))


def _shown(value: Any) -> Any:
    """Return VALUE without what steers the direction of writing; markup of ours as it is."""
    return harmless(value) if type(value) is str else value


def kept_as(forms: Sequence[str]) -> str:
    """Return in which FORMS the figures of a page are files beside it, in words.

    >>> kept_as(("svg", "pdf", "png")), kept_as(["svg"]), kept_as(())
    ('SVG, PDF and PNG', 'SVG', '')
    """
    named = [form.upper() for form in forms]
    return " and ".join(filter(None, (", ".join(named[:-1]), *named[-1:])))


def inline_figure(place: int, drawing: Drawn, sentences: Sequence[str]) -> InlineFigure:
    """Return DRAWING as the figure at a PLACE of the page, with SENTENCES about it."""
    from markupsafe import Markup

    svg = inline_svg(picture(drawing.figure, "svg"), f"figure{place}", drawing.title, drawing.description)
    return InlineFigure(drawing.title, sentences, Markup(svg))  # noqa: S704  (our own, and what it names is escaped)


def inline_svg(svg: bytes, name: str, title: str, description: str) -> str:
    """Return SVG as part of a page, its identifiers begun with NAME, which no other figure of the page has."""
    ET.register_namespace("", _SVG)
    root = ET.fromstring(svg)  # noqa: S314  (matplotlib wrote it)
    for parent in root.iter():
        for child in list(parent):
            if child.tag in {f"{{{_SVG}}}metadata", f"{{{_SVG}}}style"}:
                parent.remove(child)
    for element in root.iter():
        element.attrib.update(_DECLARATION.findall(element.attrib.pop("style", "")))
        _rename(element, name)
    root.attrib.update({"role": "img", "aria-labelledby": f"{name}-title {name}-description", **_EVERYWHERE})
    # The style sheet says how wide a figure may be in em, which are shares of its own width: no two need be alike.
    root.attrib["font-size"] = f"{float(root.attrib.pop('width').removesuffix('pt')):g}px"
    del root.attrib["height"]
    for place, (tag, text) in enumerate((("title", title), ("desc", description))):
        label = ET.Element(f"{{{_SVG}}}{tag}", {"id": f"{name}-{'title' if tag == 'title' else 'description'}"})
        label.text = harmless(text)
        root.insert(place, label)
    return ET.tostring(root, encoding="unicode")


def _rename(element: ET.Element, name: str) -> None:
    """Begin each identifier of ELEMENT, and each reference to one, with NAME."""
    for key, value in list(element.attrib.items()):
        if key == "id":
            element.attrib[key] = f"{name}-{value}"
        elif key == f"{{{_XLINK}}}href":
            del element.attrib[key]
            element.attrib["href"] = value.replace("#", f"#{name}-", 1)
        elif "url(#" in value:
            element.attrib[key] = _REFERENCE.sub(rf"url(#{name}-\1)", value)
