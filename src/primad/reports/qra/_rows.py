"""What the figures of a quantified assessment have in common: a row for each group, panels one above the other.

stack       a figure of panels of different heights
whole       a figure that is one sheet to draw on
rows_of     a row of a panel for each name
row_name    what the row of a group is called
beside      a text to the right of a row
settle      everything in its place
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from primad.reports._drawing import DOTS_PER_INCH, short

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from primad.qra.result import GroupResult

WIDTH = 7.4


def stack(heights: Sequence[float], *, room: float, width: float = WIDTH) -> tuple[Figure, list[Axes]]:
    """Return a figure with panels of the HEIGHTS wanted, in inches, below each other, and ROOM for what is around."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    # Texts have other widths at other resolutions, so the layout is made at that of the files.
    figure = Figure(figsize=(width, sum(heights) + room), layout="constrained", dpi=DOTS_PER_INCH)
    FigureCanvasAgg(figure)
    axes = figure.subplots(len(heights), 1, squeeze=False, gridspec_kw={"height_ratios": list(heights)})
    return figure, axes.flatten().tolist()


def whole(width: float, height: float) -> tuple[Figure, Axes]:
    """Return a figure of that WIDTH and HEIGHT, in inches, with nothing on it."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height))
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0.01, 0.0, 0.98, 1.0))
    axes.set_axis_off()
    return figure, axes


def settle(figure: Figure) -> Figure:
    """Give everything its place, once and for all forms of file."""
    # The room that texts beside rows take is known when the axes have their size: the second time is right.
    figure.draw_without_rendering()
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    return figure


def rows_of(axes: Axes, names: Sequence[str]) -> None:
    """Give AXES a row for each of NAMES, the first on top."""
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")


def row_name(one: GroupResult) -> str:
    """Return what a row is called: the object, and the part of the group."""
    return short(", ".join((one.group.object, *(f"{name}={value}" for name, value in one.group.subset.items()))))


def beside(axes: Axes, row: int, text: str) -> None:
    """Write TEXT to the right of a ROW of AXES."""
    axes.text(1.025, row, text, transform=axes.get_yaxis_transform(), va="center", fontsize=7.5, color="#333333")
