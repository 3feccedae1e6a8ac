"""The grid of conditions as a picture, in the manner of the paper's Tables 3, 5 and 7.

conditions    the conditions of each measurement, equal values in equal colour, with value and CV*
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from primad.reports._drawing import QUIET, short, styled
from primad.reports._tables import cut, harmless
from primad.reports.qra._cells import figure_cell
from primad.reports.qra._rows import WIDTH, row_name, whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from primad.reports.qra._grid import Block, Cell, Grid

_TINTS = ("#b3d5ea", "#f3c6a5", "#aadfcf", "#ecd0df", "#f8dda3", "#cdeafa", "#d4d4d4")
_HEADING = 2.2
_BETWEEN = 0.35
_COLUMN = 1.12
_FIGURES = 1.6
_LONGEST = 17
_YEAR = re.compile(r" \([0-9]{4}[a-z]?\)$")


def conditions(grid: Grid) -> Figure:
    """Return the conditions of all measurements of GRID, with their values and CV*."""
    across = len(grid.columns)
    starts = 0.25 + 0.072 * max(len(name) for block in grid.blocks for name in _names(block))
    width = max(WIDTH, starts + _COLUMN * across + _FIGURES)
    size = (width - starts - _FIGURES) / across
    edges = [starts + size * place for place in range(across + 1)]
    down = _HEADING + grid.rows + _BETWEEN * len(grid.blocks)
    with styled():
        figure, axes = whole(width, 0.2 * down + 0.1)
        axes.set(xlim=(0, width), ylim=(down, 0))
        _draw_heading(axes, grid, edges)
        top = _HEADING
        for block in grid.blocks:
            _draw_block(axes, top, block, edges)
            top += len(block.lines) + _BETWEEN
    return figure


def _names(block: Block) -> tuple[str, str]:
    """Return what a BLOCK is called, in two lines."""
    return row_name(block.result), short(block.result.group.measurand)


def _draw_heading(axes: Axes, grid: Grid, edges: Sequence[float]) -> None:
    """Write what the columns are."""
    at = 0
    for title, number in grid.stages:
        _write(axes, edges[at] + 0.03, 0.1, cut(title, _LONGEST * number), color=QUIET)
        axes.plot((edges[at] + 0.03, edges[at + number] - 0.06), (1.05, 1.05), color=QUIET, linewidth=0.7)
        at += number
    for edge, name in zip(edges, grid.columns, strict=False):
        _write(axes, edge + 0.03, 1.1, cut(harmless(name), _LONGEST), weight="bold")
    _write(axes, edges[-1] + 0.1, 1.1, "value", weight="bold")
    _write(axes, edges[-1] + 1.0, 1.1, "CV* in %", weight="bold")


def _draw_block(axes: Axes, top: float, block: Block, edges: Sequence[float]) -> None:
    """Draw the rows of a group from TOP on."""
    name, measurand = _names(block)
    _write(axes, 0.02, top, name if len(block.lines) > 1 else cut(f"{name}, {measurand}", 28), weight="bold")
    _write(axes, 0.02, top + 1, measurand if len(block.lines) > 1 else "")
    _write(axes, edges[-1] + 1.0, top, figure_cell(block.result.cv), weight="bold")
    for row, line in enumerate(block.lines):
        _draw_cells(axes, top + row, line.cells, edges)
        look: dict[str, Any] = {"weight": "bold", "color": "#8a3d00"} if line.role == "original" else {}
        _write(axes, edges[-1] + 0.1, top + row, cut(harmless(line.value), 10), **look)


def _draw_cells(axes: Axes, top: float, cells: Sequence[Cell], edges: Sequence[float]) -> None:
    """Draw a row of CELLS."""
    from matplotlib.patches import Rectangle

    for cell, (left, right) in zip(cells, pairwise(edges), strict=True):
        colour = "white" if cell.colour is None else _TINTS[cell.colour]
        axes.add_patch(Rectangle((left, top), right - left - 0.03, 0.94, facecolor=colour, edgecolor="none"))
        _write(axes, left + 0.03, top, _abbreviated(cell.text))


def _abbreviated(text: str) -> str:
    """Return TEXT as a cell has room for it: without its year first, for names are often sources.

    >>> _abbreviated("OTE"), _abbreviated("Nisioi et al. (2017)"), _abbreviated("a very long description")
    ('OTE', 'Nisioi et al.', 'a very l…cription')
    """
    clean = harmless(text)
    return cut(clean if len(clean) <= _LONGEST else _YEAR.sub("", clean), _LONGEST)


def _write(axes: Axes, left: float, top: float, text: str, **look: Any) -> None:
    """Write TEXT in a row of a grid."""
    axes.text(left, top + 0.5, text, va="center", **{"fontsize": 7.5, "color": "#222222", **look})
