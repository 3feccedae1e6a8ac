"""How did scores on a collection develop over the years?  A picture, so that a weak baseline is seen.

    Mark              a run in the picture
    progress_figure   a point for each run, baselines marked, and the best score so far as a line
    written           a figure as the bytes of a file, in the form that the name of the file says

Armstrong et al. (CIKM 2009, doi:10.1145/1645953.1646031) drew such pictures: improvements do not add up where new runs
are compared with weak baselines.  Nothing is computed here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from primad.errors import UsageError
from primad.reports._drawing import COLOURS, FORMS, Names, Point, finish, legend_below, panels, picture, short, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MOST_NAMES = 8
_STEPS = 50
_MANY = 60  # points of more runs than this are drawn fainter, so that a crowd is seen as one
_RUN: dict[str, Any] = {"marker": "o", "color": COLOURS[0], "markerfacecolor": "none", "linestyle": "none"}
_BASELINE: dict[str, Any] = {"marker": "^", "color": COLOURS[1], "markersize": 8, "markeredgecolor": "white"}
_BEST: dict[str, Any] = {"color": "black", "linestyle": "-"}


@dataclass(frozen=True)
class Mark:
    """A run with its YEAR and SCORE; IS_BASELINE if other runs name it as what they improve on."""

    year: int
    score: float
    name: str
    is_baseline: bool = False


def progress_figure(marks: Sequence[Mark], best: Sequence[tuple[int, float]], *, collection: str, measure: str) -> Any:
    """Return the scores of runs over the years, with the BEST one up to each year as a line."""
    with styled():
        figure, (axes,) = panels(1, width=6.8)
        axes.set(
            title=f"{short(measure)} on {short(collection)} over the years",
            xlabel="year",
            ylabel=f"mean {short(measure)}",
        )
        looks = {"run": _RUN, "baseline of other runs": {**_BASELINE, "linestyle": "none"}, "best so far": _BEST}
        legend_below(figure, list(looks), list(looks.values()))
        _draw(axes, marks, best)
        finish(figure, [_names(axes, marks, best)])
    return figure


def written(figure: Figure, path: str) -> bytes:
    """Return FIGURE as the bytes of a file called PATH."""
    return picture(figure, form_of(path))


def form_of(path: str) -> str:
    """Return the form of a picture that the name PATH says.

    >>> form_of("progress.SVG")
    'svg'
    """
    form = PurePath(path).suffix.lower().removeprefix(".")
    if form not in FORMS:
        raise UsageError(f"expected a figure as .{', .'.join(FORMS[:-1])} or .{FORMS[-1]}, found '{path}'")
    return form


def _draw(axes: Axes, marks: Sequence[Mark], best: Sequence[tuple[int, float]]) -> None:
    """Draw the runs, the baselines above them, and the line."""
    from matplotlib.ticker import MaxNLocator

    faint = 0.45 if len(marks) > _MANY else 1.0
    runs = [one for one in marks if not one.is_baseline]
    baselines = [one for one in marks if one.is_baseline]
    line = _line(best)
    axes.plot([year for year, _ in line], [score for _, score in line], zorder=2, **_BEST)
    axes.plot([one.year for one in runs], [one.score for one in runs], zorder=3, alpha=faint, **_RUN)
    axes.plot(
        [one.year for one in baselines], [one.score for one in baselines], zorder=4, linestyle="none", **_BASELINE
    )
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    axes.margins(x=0.1, y=0.1)


def _line(best: Sequence[tuple[int, float]]) -> list[Point]:
    """Return the corners of the line of the BEST scores: each holds from its year on, the last one half a year more."""
    corners: list[Point] = []
    for year, score in best:
        if corners:
            corners.append((float(year), corners[-1][1]))
        corners.append((float(year), score))
    return [*corners, (corners[-1][0] + 0.5, corners[-1][1])] if corners else []


def _names(axes: Axes, marks: Sequence[Mark], best: Sequence[tuple[int, float]]) -> Names:
    """Return which points are named: those that were the best when they came, the latest first."""
    first = {score: year for year, score in reversed(best)}  # of equal scores the first year
    records = [one for one in sorted(marks, key=lambda one: -one.year) if first.get(one.score) == one.year]
    wanted = [((float(one.year), one.score), short(one.name)) for one in records[:_MOST_NAMES]]
    line = _line(best)
    # No name shall stand on the line either.
    along = [point for start, end in pairwise(line) for point in _between(start, end)]
    return Names(axes, wanted, [*((float(one.year), one.score) for one in marks), *along])


def _between(start: Point, end: Point) -> list[Point]:
    """Return points from START to END, close enough to each other that no name fits in between."""
    shares = [step / _STEPS for step in range(_STEPS + 1)]
    return [(start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])) for share in shares]
