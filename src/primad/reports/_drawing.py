"""What all figures have in common: colours, marks, names that do not overlap, and files that are the same each time.

    styled          the look of a figure, whatever the user's settings of matplotlib say
    Style, styles   a colour, a mark and a kind of line for each series: any one of them tells the series apart
    panels          a figure of equal panels
    Names, finish   names beside some points, each where it covers nothing; one without such a place is left out
    picture         a figure as the bytes of a file

The colours are those of Okabe and Ito, which people with any kind of colour vision tell apart.  Names come from
outside, so no text is read as a formula.
"""

from __future__ import annotations

import io
import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from primad.reports._tables import cut, harmless

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Annotation
    from matplotlib.transforms import Bbox

FORMS = ("svg", "pdf", "png")

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#7F7F7F")
MARKS = ("o", "^", "s", "D", "v", "P", "X", "*")
_DASHES: tuple[Any, ...] = (
    "-",
    (0, (5, 1.5)),
    (0, (1, 1)),
    (0, (5, 1.5, 1, 1.5)),
    (0, (8, 2)),
    (0, (3, 1, 1, 1, 1, 1)),
    (0, (2, 2)),
    (0, (10, 2, 2, 2)),
)
# More series than this cannot be told apart by eye: then all look alike and some are named.
MOST_SERIES = len(MARKS)
QUIET = "#777777"
_LONGEST_NAME = 28
_USUAL_ROWS, _ROW = 2, 0.19  # of a legend; the height of a row in inches
_MADE: WeakKeyDictionary[Figure, dict[str, bytes]] = WeakKeyDictionary()
DOTS_PER_INCH = 200
_STYLE = {
    "axes.axisbelow": True,
    "axes.edgecolor": "#444444",
    "axes.grid": True,
    "axes.labelsize": 9,
    "axes.linewidth": 0.8,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 10,
    "font.size": 9,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "legend.fontsize": 8.5,
    "legend.frameon": False,
    "lines.linewidth": 1.6,
    "lines.markersize": 5.5,
    "pdf.fonttype": 42,
    "svg.fonttype": "none",
    "svg.hashsalt": "primad",
    "text.parse_math": False,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
}
# Neither a date nor the version of a program, so that the same input gives the same bytes.
_METADATA: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "png": {"Software": None},
}


@dataclass(frozen=True)
class Style:
    """How a series is drawn."""

    colour: str
    mark: str
    dashes: Any

    def line(self) -> dict[str, Any]:
        """Return the look of a line."""
        return {"color": self.colour, "marker": self.mark, "linestyle": self.dashes, "markeredgecolor": "white"}

    def point(self) -> dict[str, Any]:
        """Return the look of a point."""
        return {"color": self.colour, "marker": self.mark, "linestyle": "none", "markeredgecolor": "white"}


def styles(number: int) -> list[Style]:
    """Return a style for each of a NUMBER of series; of too many, the same quiet one for all."""
    if number > MOST_SERIES:
        return [Style(COLOURS[0], "o", "-")] * number
    return [Style(*look) for look in list(zip(COLOURS, MARKS, _DASHES, strict=True))[:number]]


@contextmanager
def styled() -> Iterator[None]:
    """Draw in the style of primad's figures."""
    import matplotlib.style

    with matplotlib.style.context(["default", _STYLE]), warnings.catch_warnings():
        # Names may be in any script; what a font lacks is drawn as a box.
        warnings.filterwarnings("ignore", message=r"Glyph .* missing from font")
        yield


def panels(number: int, *, height: float = 3.6, most: int = 3, width: float = 3.4) -> tuple[Figure, list[Axes]]:
    """Return a figure with a NUMBER of panels, at MOST that many side by side."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    across = min(number, most)
    down = -(-number // across)
    figure = Figure(figsize=(max(width * across, 4.6), height * down), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(down, across, squeeze=False).flatten().tolist()
    for unused in axes[number:]:
        unused.set_axis_off()
    return figure, axes[:number]


def legend_below(figure: Figure, names: Sequence[str], looks: Sequence[dict[str, Any]]) -> None:
    """Say below all panels how each of NAMES looks; many rows make the figure higher, not the panels lower."""
    from matplotlib.lines import Line2D

    shown = [short(name) for name in names]
    handles = [Line2D([], [], **{"linestyle": "none", **look}) for look in looks]
    width, height = figure.get_size_inches()
    room = width / (0.5 + 0.075 * max(map(len, shown)))
    columns = max(1, min(len(shown), int(room)))
    more = max(0, -(-len(shown) // columns) - _USUAL_ROWS)
    figure.set_size_inches(width, height + _ROW * more)
    figure.legend(handles, shown, loc="outside lower center", ncols=columns)


def short(name: str) -> str:
    """Return NAME as a figure has room for it."""
    return cut(harmless(name), _LONGEST_NAME)


Point = tuple[float, float]


@dataclass(frozen=True)
class Names:
    """Names for some points of AXES, each with its place, the most wanted first; they must not cover any of POINTS."""

    axes: Axes
    wanted: Sequence[tuple[Point, str]]
    points: Sequence[Point]


def finish(figure: Figure, panels: Sequence[Names]) -> None:
    """Give everything its place, once and for all forms of file, and write the names of all PANELS."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    for names in panels:
        shown = [tuple(spot) for spot in names.axes.transData.transform(names.points)] if names.points else []
        taken: list[Bbox] = []
        for point, text in names.wanted:
            placed = _placed(names.axes, point, text, taken, shown)
            if placed is not None:
                taken.append(placed)


def _placed(axes: Axes, point: Point, text: str, taken: list[Bbox], points: list[Any]) -> Bbox | None:
    """Write TEXT beside POINT and return where it stands, None where there is no room."""
    for across, along in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)):
        for distance in (6.0, 12.0):
            note = _note(axes, point, text, (across * distance, along * distance))
            box = note.get_window_extent().padded(1.0)
            if _is_free(box, axes.bbox, taken, points):
                return box
            note.remove()
    return None


def _note(axes: Axes, point: Point, text: str, offset: Point) -> Annotation:
    """Write TEXT at an OFFSET in points from POINT."""
    aligned = {-1: "right", 0: "center", 1: "left"}[(offset[0] > 0) - (offset[0] < 0)]
    level = {-1: "top", 0: "center", 1: "bottom"}[(offset[1] > 0) - (offset[1] < 0)]
    note = axes.annotate(
        text, point, offset, textcoords="offset points", ha=aligned, va=level, fontsize=7.5, color="#333333"
    )
    note.set_in_layout(False)
    return note


def _is_free(box: Bbox, frame: Bbox, taken: list[Bbox], points: list[Any]) -> bool:
    """Tell whether BOX lies inside the FRAME and covers nothing."""
    inside = frame.x0 <= box.x0 and box.x1 <= frame.x1 and frame.y0 <= box.y0 and box.y1 <= frame.y1
    return (
        inside and not any(box.overlaps(other) for other in taken) and not any(box.contains(*spot) for spot in points)
    )


def picture(figure: Figure, form: str) -> bytes:
    """Return FIGURE as the bytes of a file of the given FORM: svg, pdf or png; the same bytes for the same figure.

    A page and the file beside it have the same picture, which is made once: figures do not change any more by then.
    """
    made = _MADE.setdefault(figure, {})
    if form not in made:
        out = io.BytesIO()
        with styled():
            figure.savefig(out, format=form, dpi=DOTS_PER_INCH, metadata=_METADATA[form])
        made[form] = out.getvalue()
    return made[form]
