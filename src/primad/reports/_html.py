"""What all pages have in common: templates that escape everything, and pictures that are part of the page.

environment    where templates are found, and how they are filled in
inline_svg     a picture as part of a page
kept_as        in which forms the figures of a page are files beside it, in words
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from primad.reports._tables import harmless

if TYPE_CHECKING:
    from collections.abc import Sequence

_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
_REFERENCE = re.compile(r"url\(#([^)]*)\)")
_ENLARGED, _REDUCED = 1.6, 0.95


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


def inline_svg(svg: bytes, name: str, title: str, description: str) -> str:
    """Return SVG as part of a page, its identifiers begun with NAME, which no other figure of the page has."""
    ET.register_namespace("", _SVG)
    root = ET.fromstring(svg)  # noqa: S314  (matplotlib wrote it)
    for parent in root.iter():
        for child in list(parent):
            if child.tag in {f"{{{_SVG}}}metadata", f"{{{_SVG}}}style"}:
                parent.remove(child)
    for element in root.iter():
        _rename(element, name)
    root.attrib.update({"role": "img", "aria-labelledby": f"{name}-title {name}-description"})
    # A figure fits its column, but is never too small to read nor so large that it fills the screen.
    width = float(root.attrib.pop("width").removesuffix("pt"))
    root.attrib["style"] = f"min-width: {_REDUCED * width:.0f}px; max-width: {_ENLARGED * width:.0f}px"
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
