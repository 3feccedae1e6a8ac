"""Controlled contrasts as a picture: what changed when one condition, or one class of conditions, was changed alone.

contrasts    CV* of the pairs of each condition, beside that of all measurements and the floor of unrecorded variation
"""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Any

from primad.reports._drawing import COLOURS, legend_below, styled
from primad.reports._tables import cut, harmless
from primad.reports.qra._rows import beside, rows_of, settle, stack

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from primad.qra.causes import Causes
    from primad.qra.result import GroupResult

_ROW = 0.25
_ROW_OF_TWO_LINES = 0.31
_USUAL_LINE = 44
# All seven conditions of the paper have room in two of these.
_LONGEST_LINE = 56
_PAIR: dict[str, Any] = {"marker": "o", "color": COLOURS[0], "markersize": 5.5, "markeredgecolor": "white"}
_OVERALL: dict[str, Any] = {"color": "black", "linewidth": 1.5, "linestyle": "-"}
_FLOOR: dict[str, Any] = {"color": COLOURS[1], "linewidth": 1.7, "linestyle": (0, (2, 1))}


def contrasts(results: Sequence[GroupResult]) -> Figure:
    """Return the contrasts of RESULTS: below the name of each group, a row for each class changed alone."""
    shown = [(one.group.title, one.causes) for one in results if one.causes and one.causes.contrasts.by_class]
    names = [name for title, causes in shown for name in ("", *_labels(causes))]
    whole = "all without copies" if any(causes.floor.copies for _, causes in shown) else "all measurements"
    named = {"a pair of measurements": _PAIR, whole: _OVERALL}
    if any(causes.floor.cv is not None for _, causes in shown):
        named["identical conditions (floor)"] = _FLOOR
    with styled():
        height = _ROW_OF_TWO_LINES if any("\n" in name for name in names) else _ROW
        figure, (axes,) = stack([height * len(names) + 0.1], room=0.9)
        legend_below(figure, list(named), list(named.values()))
        rows_of(axes, names)
        axes.set(xlim=(0, 1.05 * max(_largest(causes) for _, causes in shown) or 1.0), xlabel="CV* in percent")
        row = 0
        for title, causes in shown:
            axes.axhspan(row - 0.5, row + 0.5, color="#f1f1ef", zorder=0, linewidth=0)
            across = axes.get_yaxis_transform()
            axes.text(0.01, row, cut(harmless(title), 80), transform=across, va="center", fontsize=8)
            _draw_rows(axes, row + 1, causes)
            row += 1 + len(causes.contrasts.by_class)
        return settle(figure)


def _labels(causes: Causes) -> list[str]:
    """Return the classes of conditions that were changed alone."""
    return [_in_two_lines(harmless(one.alias_class.label)) for one in causes.contrasts.by_class]


def _in_two_lines(label: str) -> str:
    r"""Return LABEL in one line, or in two if it is long; what exceeds these is cut.

    >>> _in_two_lines("Implemented by + Procedure + Test set + Performed by")
    'Implemented by + Procedure + Test set +\nPerformed by'
    """
    lines = wrap(label, _USUAL_LINE, break_on_hyphens=False)
    if len(lines) > 2:  # noqa: PLR2004  (as the name says)
        lines = wrap(label, _LONGEST_LINE, max_lines=2, placeholder=" …", break_on_hyphens=False)
    return "\n".join(lines)


def _largest(causes: Causes) -> float:
    """Return the largest CV* to be drawn for a group."""
    return max(causes.floor.overall, causes.floor.cv or 0.0, causes.contrasts.by_class[0].largest)


def _draw_rows(axes: Axes, first: int, causes: Causes) -> None:
    """Draw the contrasts of a group in its rows, from the FIRST on."""
    by_class, floor = causes.contrasts.by_class, causes.floor
    ends = (first - 0.45, first + len(by_class) - 0.55)
    axes.plot([floor.overall] * 2, ends, zorder=2, **_OVERALL)
    if floor.cv is not None:
        axes.plot([floor.cv] * 2, ends, zorder=2, **_FLOOR)
    for row, one in enumerate(by_class, first):
        found = [contrast.cv for contrast in one.listed]
        axes.plot(found, [row] * len(found), zorder=3, clip_on=False, **{**_PAIR, "linestyle": "none"})
        beside(axes, row, f"{one.count:,} {'pair' if one.count == 1 else 'pairs'}")
