"""The report of a track as pictures.

    times         human time and run time of each system, a bar for each role
    differences   replicated minus submitted score of each attempt, with its interval
    drawings      those that apply, with a title, a description and sentences

Each picture shows values of a ``TrackReport`` as they are: nothing is computed here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from primad.reports._drawing import COLOURS, QUIET, finish, legend_below, panels, short, styled
from primad.reports.lists import signed
from primad.reports.track.facts import TimeRow, TrackReport, VerdictRow
from primad.reports.track.table import minutes
from primad.reports.track.titles import distinct

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

KINDS = ("times", "differences")

_BAR, _ROW, _FRAME = 0.8, 0.34, 1.5
_MOST = 40  # more rows than this are not read
_LIMIT = 0.01  # of question 8
_HATCHES = ("", "///", "...", "xxx")


@dataclass(frozen=True)
class Drawing:
    """A picture of some KIND with words for people who do and who do not see it."""

    kind: str
    title: str
    description: str
    sentences: tuple[str, ...]
    figure: Figure


def drawings(report: TrackReport) -> Iterator[Drawing]:
    """Yield each picture that applies to REPORT."""
    report = distinct(report)
    if any(row.human is not None or row.run is not None for row in report.times):
        yield _drawn_times(report.times)
    if compared := [row for row in report.verdicts if row.difference is not None]:
        yield _drawn_differences(compared)


# Times -----------------------------------------------------------------------------------------------------------


def _drawn_times(rows: Sequence[TimeRow]) -> Drawing:
    """Return the picture of times."""
    systems = list(dict.fromkeys(row.system for row in rows))[:_MOST]
    roles = list(dict.fromkeys(row.role for row in rows))
    said = "A bar for each role; no bar where no work of that role has ended, or nobody got it to run to its end."
    listed = "; ".join(
        f"{row.system}, {row.role}: human {minutes(row.human)}, run {minutes(row.run)}" for row in rows[:_MOST]
    )
    with styled():
        height = _FRAME + _ROW * max(2, len(systems)) * max(1, len(roles) / 2)
        figure, (human, run) = panels(2, height=height, width=3.6)
        for axes, title in ((human, "human time"), (run, "run time")):
            axes.set(title=title, xlabel="minutes")
            axes.set_yticks(range(len(systems)), [short(name) for name in systems])
            axes.invert_yaxis()
        run.set_yticklabels([])
        for place, role in enumerate(roles):
            found = {row.system: row for row in rows if row.role == role}
            _bars(human, [found[name].human if name in found else None for name in systems], place, len(roles))
            _bars(run, [found[name].run if name in found else None for name in systems], place, len(roles))
        looks = [{"marker": "s", "color": COLOURS[place % len(COLOURS)]} for place in range(len(roles))]
        legend_below(figure, [role or "role not stated" for role in roles], looks)
        finish(figure, [])
    return Drawing("times", "Human time and run time by system", f"Minutes. {listed}.", (said,), figure)


def _bars(axes: Axes, values: Sequence[float | None], place: int, number: int) -> None:
    """Draw the VALUES of one role, which is the one at PLACE of a NUMBER of them."""
    thick = _BAR / number
    levels = [level for level, found in enumerate(values) if found is not None]
    axes.barh(
        [level + thick * (place - (number - 1) / 2) for level in levels],
        [found for found in values if found is not None],
        height=thick * 0.9,
        color=COLOURS[place % len(COLOURS)],
        hatch=_HATCHES[place % len(_HATCHES)],
        edgecolor="white",
    )


# Differences -----------------------------------------------------------------------------------------------------


def _drawn_differences(rows: Sequence[VerdictRow]) -> Drawing:
    """Return the picture of differences."""
    shown = rows[:_MOST]
    more = f" The first {_MOST} of {len(rows):,} are shown." if len(rows) > _MOST else ""
    said = (
        "Replicated minus submitted score on the primary measure; lines are 95 % intervals where there is a test, and "
        f"the grey band is less than .01 to either side.{more}"
    )
    listed = "; ".join(f"{_called(row)}: {signed(row.difference or 0.0)}" for row in shown)
    with styled():
        figure, (axes,) = panels(1, height=_FRAME + _ROW * len(shown), width=6.8)
        axes.set(xlabel=f"difference ({', '.join(dict.fromkeys(short(row.primary) for row in shown))})")
        axes.set_yticks(range(len(shown)), [short(_called(row)) for row in shown])
        axes.set_ylim(len(shown) - 0.5, -0.5)
        axes.axvspan(-_LIMIT, _LIMIT, color="#eeeeee", zorder=0)
        axes.axvline(0, color=QUIET, linewidth=0.8, zorder=1)
        _points(axes, shown)
        finish(figure, [])
    return Drawing("differences", "Replicated beside submitted scores", f"{listed}.", (said,), figure)


def _points(axes: Axes, rows: Sequence[VerdictRow]) -> None:
    """Draw the difference of each of ROWS, and its interval."""
    for level, row in enumerate(rows):
        if row.low is not None and row.high is not None:
            axes.plot([row.low, row.high], [level, level], color=COLOURS[0], linewidth=1.6, zorder=2)
        axes.plot([row.difference or 0.0], [level], marker="o", color=COLOURS[0], markeredgecolor="white", zorder=3)


def _called(row: VerdictRow) -> str:
    """Return how a picture calls ROW."""
    return f"{row.title}, attempt {row.attempt}"
