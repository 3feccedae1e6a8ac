"""What charts of the site have in common: parts of an SVG that stretches with its page while its letters do not.

    part                an element, with its attributes
    percent             a share of the width, as SVG writes it
    framed              parts as a chart with its caption, and a description for people who do not see it
    nothing             what stands in place of a chart of nothing
    refuse_unusable     numbers that no chart can show are an error
    Heights, heights    where values lie between the top and the bottom of a chart
    grid                a line for each round value, with the value beside it

Places across are shares of the width and places down are pixels, so a chart needs no script to fit a telephone.  The
look is in attributes of SVG, in the colour of the text around; the classes let styles/charts.css give better colours,
by day and by night.
"""

from __future__ import annotations

import math
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from primad.errors import UsageError
from primad.reports._tables import as_text, harmless

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from markupsafe import Markup

LETTERS = 12  # the size of letters, in pixels
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_LINES = 4  # of a grid, about
_ROOM = 16  # that a value beside a line takes, in pixels


def part(tag: str, text: str = "", *inside: ET.Element, **attributes: str | float) -> ET.Element:
    """Return the element called TAG with its TEXT, what is INSIDE of it and its ATTRIBUTES, as in stroke_width=2."""
    named = {name.rstrip("_").replace("_", "-"): _written(value) for name, value in attributes.items()}
    element = ET.Element(tag, named)
    element.text = as_text(harmless(text)) or None
    element.extend(inside)
    return element


def _written(value: str | float) -> str:
    """Return VALUE as an attribute: numbers with no more digits than a screen shows."""
    return value if isinstance(value, str) else f"{round(value, 2):g}"


def percent(share: float) -> str:
    """Return a SHARE of the width, as SVG writes it.

    >>> percent(0.125)
    '12.5%'
    """
    return f"{round(100 * share, 3):g}%"


def framed(kind: str, title: str, description: str, height: float, parts: Iterable[ET.Element]) -> Markup:
    """Return the PARTS of a chart of that KIND and HEIGHT, below its TITLE, with a DESCRIPTION in words."""
    from markupsafe import Markup

    # Several charts may stand on a page, and each is named by what it says.
    name = f"{kind}-{zlib.crc32(f'{title}{description}'.encode('utf-8', 'replace')):08x}"
    drawing = part(
        "svg",
        "",
        part("title", title, id=f"{name}-title"),
        part("desc", description, id=f"{name}-description"),
        *parts,
        role="img",
        aria_labelledby=f"{name}-title {name}-description",
        width="100%",
        height=math.ceil(height),
        font_size=LETTERS,
        fill="currentColor",
    )
    figure = part("figure", "", part("figcaption", title), drawing, class_=f"chart {kind}")
    return Markup(ET.tostring(figure, encoding="unicode"))  # noqa: S704  (our own, and texts in it are escaped)


def nothing(kind: str, title: str, why: str) -> Markup:
    """Return what stands in place of a chart of nothing: its TITLE, and WHY there is none."""
    from markupsafe import Markup

    figure = part("figure", "", part("figcaption", title), part("p", why), class_=f"chart {kind}")
    return Markup(ET.tostring(figure, encoding="unicode"))  # noqa: S704  (our own, and texts in it are escaped)


def refuse_unusable(values: Iterable[float]) -> None:
    """Refuse VALUES that no chart can show."""
    if wrong := [value for value in values if not math.isfinite(value)]:
        raise UsageError(f"expected numbers that can be drawn, found {wrong[0]}")


# Heights -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Heights:
    """Places of values between TOP and BOTTOM, in pixels; LOW lies at the bottom, HIGH at the top."""

    low: float
    high: float
    top: float
    bottom: float

    def of(self, value: float) -> float:
        """Return how far down VALUE lies."""
        return self.bottom - (value - self.low) / (self.high - self.low) * (self.bottom - self.top)

    def rounds(self) -> list[float]:
        """Return the round values between the lowest and the highest."""
        step = _round_step(self.high - self.low)
        first = math.ceil(round(self.low / step, 9))
        last = math.floor(round(self.high / step, 9))
        return [number * step for number in range(first, last + 1)]


def _round_step(span: float) -> float:
    """Return a round distance between values, of which a few make up SPAN.

    >>> _round_step(1.0), _round_step(0.37), _round_step(900)
    (0.25, 0.1, 250.0)
    """
    rough = span / _LINES
    scale: float = 10 ** math.floor(math.log10(rough))
    return scale * next(step for step in _STEPS if step >= rough / scale - 1e-9)


def heights(values: Sequence[float], top: float, bottom: float, *, from_zero: bool) -> Heights:
    """Return places for VALUES with a little room above them, FROM_ZERO if the bottom or the top is to be 0."""
    low, high = min(values), max(values)
    if from_zero:
        low, high = min(low, 0.0), max(high, 0.0)
    room = 0.05 * (high - low) or abs(high) / 2 or 1.0
    return Heights(low if from_zero and low == 0 else low - room, high + room, top, bottom)


def grid(places: Heights, *, at_right: bool, without: Sequence[float] = ()) -> Iterator[ET.Element]:
    """Yield a line for each round value, and the value beside it unless it lies near one of the places WITHOUT."""
    values = places.rounds()
    for value in values:
        down = places.of(value)
        yield part("line", x1="0", x2="100%", y1=down, y2=down, class_="grid", stroke="currentColor", opacity=0.25)
        if all(abs(down - other) >= _ROOM for other in without):
            where = {"x": "100%", "text_anchor": "end"} if at_right else {"x": "0"}
            yield part("text", f"{value:,.6g}", y=down - 3, class_="quiet", **where)
