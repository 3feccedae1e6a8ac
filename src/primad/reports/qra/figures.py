"""A quantified assessment as pictures.

    values        the values of each group on their scale, with their mean and standard deviation
    cv            CV* of all groups side by side, the lowest first, with its interval
    conditions    the conditions of each measurement, equal values in equal colour
    contrasts     CV* of pairs of measurements that differ in one condition, or in conditions that change together
    drawings      all of them that apply, with a name, a title, a description and sentences

Each picture shows values of a ``QuantifiedAssessment`` as they are: nothing is computed here.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from primad.qra.words import figure as digits
from primad.qra.words import percent
from primad.reports._drawing import COLOURS, MARKS, QUIET, legend_below, short, styled
from primad.reports.qra._contrasts_figure import contrasts
from primad.reports.qra._grid import grids, pages
from primad.reports.qra._grid_figure import conditions
from primad.reports.qra._rows import beside, row_name, rows_of, settle, stack

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from primad.qra.measurement import Role
    from primad.qra.precision import Interval
    from primad.qra.result import GroupResult, QuantifiedAssessment

Kind = Literal["values", "cv", "conditions", "contrasts"]
KINDS: tuple[Kind, ...] = ("values", "cv", "conditions", "contrasts")

# As many groups can be read in one picture; of more, the ends are shown.
MOST_GROUPS = 40
_MOST_ROWS = 60
# As many pictures of conditions, and of contrasts, are worth their files.
_MOST_DRAWINGS = 8
_MOST_CONTRASTED = 18
_MOST_COLOURS = 7
# From this ratio of the largest CV* to the smallest, the small ones would all be at 0 on an even scale.
_WIDE = 50
# Limits up to this many times the largest CV* are inside the frame.
_REACH = 3.0
# As much of a line that goes on beyond the frame is shown.
_STUB = 1.5
_ROW = 0.3

_POINTS: dict[Role, dict[str, Any]] = {
    "original": {"marker": "D", "color": COLOURS[1], "markersize": 6},
    "reproduction": {"marker": "o", "color": COLOURS[0], "markersize": 5.2},
    "": {"marker": "s", "color": QUIET, "markersize": 4.8},
}
_ROLES: dict[Role, str] = {"original": "original", "reproduction": "reproduction", "": "role not stated"}
_MEAN: dict[str, Any] = {"marker": "|", "color": "black", "markersize": 11, "markeredgewidth": 1.5}
_TOGETHER = (
    ", or in several that always change together: + joins their names, for the values cannot tell which of them matters"
)
_SPREAD: dict[str, Any] = {"color": "#cfcfcf", "linewidth": 7, "solid_capstyle": "butt"}


@dataclass(frozen=True)
class Drawing:
    """A picture of some KIND, of what the name MEASURE says, with words for people who do and who do not see it."""

    kind: Kind
    measure: str
    title: str
    description: str
    sentences: tuple[str, ...]
    figure: Figure


def drawings(assessment: QuantifiedAssessment) -> Iterator[Drawing]:
    """Yield each picture that applies to ASSESSMENT."""
    if len(assessment):
        yield _drawn_values(assessment)
    if any(one.cv is not None for one in assessment):
        yield _drawn_cv(assessment)
    yield from _drawn_contrasts(assessment)
    yield from _drawn_conditions(assessment)


def chosen(results: Sequence[GroupResult]) -> list[GroupResult]:
    """Return RESULTS if they are few enough to be read, else those with the lowest and the highest CV*."""
    if len(results) <= MOST_GROUPS:
        return list(results)
    ranked = _by_cv(results) or list(results)
    half = MOST_GROUPS // 2
    kept = {id(one) for one in (*ranked[:half], *ranked[-half:])}
    return [one for one in results if id(one) in kept]


def _by_cv(results: Iterable[GroupResult]) -> list[GroupResult]:
    """Return the RESULTS that have a CV*, the lowest first."""
    ranked = [(one.cv, one.group.title, one) for one in results if one.cv is not None]
    return [one for _, _, one in sorted(ranked, key=lambda entry: entry[:2])]


def _left_out(all_of_them: int, shown: int) -> str:
    """Return which groups are shown of too many."""
    half = MOST_GROUPS // 2
    said = f"Of {all_of_them:,} groups, the {half} with the lowest and the {half} with the highest CV* are shown."
    return said if shown < all_of_them else ""


# Values --------------------------------------------------------------------------------------------------------


class _Axis(NamedTuple):
    """What values have in common that can be drawn on one axis."""

    study: str
    measurand: str
    scale: str
    unit: str
    direction: str


def _drawn_values(assessment: QuantifiedAssessment) -> Drawing:
    """Return the picture of the values of ASSESSMENT."""
    shown = chosen(assessment.groups)
    said = (
        "Each mark is a measurement; the grey bar reaches one standard deviation s* to both sides of the mean. "
        "Axes show the part of the scale that has values, so bars of different panels cannot be compared by length."
    )
    about = "A row for each group: marks are measured values, a bar is the mean with one standard deviation around it."
    left_out = _left_out(len(assessment), len(shown))
    title = "The values, their mean and their standard deviation"
    return Drawing("values", "", title, about, tuple(filter(None, (said, left_out))), values(shown))


def values(results: Sequence[GroupResult]) -> Figure:
    """Return the values of RESULTS, a panel for each measurand of a study, a row for each group."""
    by_axis: dict[_Axis, list[GroupResult]] = {}
    for one in results:
        by_axis.setdefault(_axis(one), []).append(one)
    roles = [role for role in _POINTS if any(m.role == role for one in results for m in one.group.measurements)]
    several = len({axis.study for axis in by_axis}) > 1
    with styled():
        figure, all_axes = stack([_ROW * len(members) + 0.12 for members in by_axis.values()], room=_room(by_axis))
        looks = [{**_POINTS[role], "markeredgecolor": "white"} for role in roles]
        named = dict(zip((_ROLES[role] for role in roles), looks, strict=True))
        if any(one.precision.n > 1 for one in results):
            named |= {"mean": _MEAN, "± one s*": {**_SPREAD, "linestyle": "-"}}
        legend_below(figure, list(named), list(named.values()))
        for axes, (axis, members) in zip(all_axes, by_axis.items(), strict=True):
            axes.set_title(short(axis.measurand) + (f"  ({short(axis.study)})" if several and axis.study else ""))
            axes.set_xlabel(_scale_words(axis), labelpad=1)
            _draw_values(axes, members)
        return settle(figure)


def _room(panels: dict[_Axis, list[GroupResult]]) -> float:
    """Return the inches that titles, axes and the legend take."""
    return 0.72 * len(panels) + 0.4


def _axis(one: GroupResult) -> _Axis:
    """Return on which axis the values of a group are drawn."""
    group = one.group
    scale = "" if group.scale.low is None and group.scale.high is None else f"scale {group.scale}"
    return _Axis(group.fact("study"), group.measurand, scale, group.unit, group.direction)


def _scale_words(axis: _Axis) -> str:
    """Return what an axis says about its scale."""
    direction = f"{axis.direction} is better" if axis.direction else ""
    return ", ".join(filter(None, (short(axis.unit), axis.scale, direction)))


def _draw_values(axes: Axes, members: Sequence[GroupResult]) -> None:
    """Draw a row for each group of MEMBERS."""
    rows_of(axes, [row_name(one) for one in members])
    axes.set_xlim(*_frame(end for one in members for end in (*one.group.values, *_around(one))))
    low, high = axes.get_xlim()
    for row, one in enumerate(members):
        if one.precision.n > 1:
            axes.plot(_around(one), (row, row), zorder=1, **_SPREAD)
            axes.plot([one.precision.mean + one.group.shift], [row], zorder=2, **_MEAN)
        measured = sorted(one.group.measurements, key=lambda m: (m.number, m.role))
        heights = _apart([m.number for m in measured], 0.012 * (high - low))
        for measurement, height in zip(measured, heights, strict=True):
            look = {"markeredgecolor": "white", "markeredgewidth": 0.7, **_POINTS[measurement.role]}
            order = 4 if measurement.role == "original" else 3
            axes.plot([measurement.number], [row + height], zorder=order, linestyle="none", clip_on=False, **look)
        beside(axes, row, f"n = {one.precision.n}")


def _around(one: GroupResult) -> tuple[float, float]:
    """Return the ends of the bar around the mean of a group."""
    mean, spread = one.precision.mean + one.group.shift, one.precision.stdev or 0.0
    return mean - spread, mean + spread


def _frame(ends: Iterable[float]) -> tuple[float, float]:
    """Return the ends of an axis on which all ENDS lie, with some room.

    >>> _frame([1.0, 2.0]), _frame([5.0, 5.0]), _frame([0.0])
    ((0.96, 2.04), (4.75, 5.25), (-0.5, 0.5))
    """
    found = list(ends)
    low, high = min(found), max(found)
    room = 0.04 * (high - low) or 0.05 * abs(high) or 0.5
    return round(low - room, 12), round(high + room, 12)


def _apart(sorted_values: Sequence[float], near: float) -> list[float]:
    """Return how far each of some values stands beside its row, so that marks of NEAR values do not cover each other.

    >>> _apart([1.0, 1.0, 1.0, 2.0], 0.1)
    [0.0, -0.27, 0.27, 0.0]
    """
    levels = [0]
    for before, value in pairwise(sorted_values):
        levels.append((levels[-1] + 1) % 3 if value - before < near else 0)
    return [(0.0, -0.27, 0.27)[level] for level in levels][: len(sorted_values)]


# CV* -----------------------------------------------------------------------------------------------------------


def _drawn_cv(assessment: QuantifiedAssessment) -> Drawing:
    """Return the picture of the CV* of ASSESSMENT."""
    ranked = _by_cv(assessment.groups)
    shown = chosen(ranked)
    said = [
        f"Lower is more precise. CV* is in the variant {assessment.variant}.",
        f"Lines are {percent(assessment.confidence)} intervals of the coefficient of variation, for normal values.",
    ]
    unbounded = sum(one.precision.cv_ci is not None and one.precision.cv_ci.high is None for one in shown)
    if unbounded:
        groups = "group has" if unbounded == 1 else "groups have"
        said.append(f"{unbounded} {groups} no upper limit: the line ends in an arrow and the sign ∞.")
    if any(_is_beyond(one.precision.cv_ci, _end(shown)) for one in shown):
        said.append("An arrow without the sign ∞ leads to a limit beyond the frame, which the table holds.")
    if len(shown) < len(ranked):
        said.append(f"{_left_out(len(ranked), len(shown))} All others belong where the dotted line is.")
    drawn = cv(shown, gap=len(shown) < len(ranked))
    about = "A row for each group, the lowest CV* on top: a mark is CV* in percent, a line its interval."
    return Drawing("cv", "", "CV* of all groups, side by side", about, tuple(said), drawn)


def cv(results: Sequence[GroupResult], *, gap: bool = False) -> Figure:
    """Return CV* of those of RESULTS that have one, the lowest on top; GAP if those in the middle are left out."""
    ranked = _by_cv(results)
    what, looks = _looks(ranked)
    end = _end(ranked)
    with styled():
        figure, (axes,) = stack([_ROW * len(ranked) + 0.1], room=1.0)
        rows_of(axes, [short(f"{row_name(one)}, {one.group.measurand}") for one in ranked])
        _scale_cv(axes, ranked, end)
        for row, one in enumerate(ranked):
            look = looks[_fact(one, what)]
            is_repeated = one.group.kind == "repeatability"
            _draw_interval(axes, row, one, end, look["color"])
            face: dict[str, Any] = {"markerfacecolor": "white"} if is_repeated else {"markeredgecolor": "white"}
            axes.plot([one.cv or 0.0], [row], zorder=3, linestyle="none", clip_on=False, **look, **face)
            beside(axes, row, f"{digits(one.cv or 0.0)} %,  n = {one.precision.n}")
        if gap:
            axes.axhline(len(ranked) / 2 - 0.5, color=QUIET, linewidth=1, linestyle=(0, (1, 2)))
        _cv_legend(figure, what, looks, ranked)
        return settle(figure)


def _cv_legend(figure: Figure, what: str, looks: dict[str, dict[str, Any]], ranked: Sequence[GroupResult]) -> None:
    """Say what colours and open marks mean."""
    named = {short(name) if name else f"{what} not stated": look for name, look in looks.items()} if what else {}
    if any(one.group.kind == "repeatability" for one in ranked):
        named["repeatability R⁰"] = {"marker": "o", "color": QUIET, "markerfacecolor": "white"}
        named["reproducibility R"] = {"marker": "o", "color": QUIET}
    if named:
        legend_below(figure, list(named), list(named.values()))


def _scale_cv(axes: Axes, ranked: Sequence[GroupResult], end: float) -> None:
    """Give AXES a scale on which all CV* can be read."""
    found = [one.cv or 0.0 for one in ranked]
    axes.set_xlabel("CV* in percent")
    if min(found) > 0 and max(found) / min(found) > _WIDE:
        axes.set_xscale("log")
        axes.set_xlabel("CV* in percent, logarithmic")
        axes.set_xlim(0.9 * min([*found, *(one.precision.cv_ci.low for one in ranked if one.precision.cv_ci)]), end)
        axes.xaxis.set_major_formatter(lambda place, _: f"{place:g}")
    else:
        axes.set_xlim(0, end)


def _end(ranked: Sequence[GroupResult]) -> float:
    """Return where the axis of CV* ends: all CV*, and as much of their intervals as leaves them legible."""
    largest = max((one.cv or 0.0 for one in ranked), default=0.0) or 1.0
    limits = [one.precision.cv_ci.high for one in ranked if one.precision.cv_ci]
    held = [limit for limit in limits if limit is not None and limit <= _REACH * largest]
    goes_on = len(held) < len(limits)
    return 1.04 * max(largest * (_STUB if goes_on else 1.0), *held, 0.0)


def _is_beyond(interval: Interval | None, end: float) -> bool:
    """Tell whether INTERVAL has an upper limit that lies beyond the END of the axis."""
    return interval is not None and interval.high is not None and interval.high > end


def _draw_interval(axes: Axes, row: int, one: GroupResult, end: float, colour: str) -> None:
    """Draw the interval of CV* in a ROW; what goes on beyond the END of the axis ends in an arrow."""
    interval = one.precision.cv_ci
    if interval is None:
        return
    goes_on = interval.high is None or interval.high > end
    high = end if goes_on or interval.high is None else interval.high
    low = max(interval.low, axes.get_xlim()[0])
    axes.plot((low, high), (row, row), color=colour, linewidth=1.1, alpha=0.75, zorder=2, solid_capstyle="butt")
    if goes_on:
        # Lines, not a filled head: that would be read as one more triangle of a series.
        look = {"arrowstyle": "->", "color": colour, "linewidth": 1.1, "shrinkA": 0, "shrinkB": 0}
        axes.annotate("", (high, row), (-9, 0), textcoords="offset points", arrowprops=look, annotation_clip=False)
    if interval.high is None:
        offset: dict[str, Any] = {"xytext": (-6, 1), "textcoords": "offset points", "ha": "right", "va": "bottom"}
        axes.annotate("∞", (high, row), fontsize=8, color=colour, **offset)


def _fact(one: GroupResult, what: str) -> str:
    """Return what a group is coloured by."""
    return one.group.fact(what) if what else ""


def _looks(results: Sequence[GroupResult]) -> tuple[str, dict[str, dict[str, Any]]]:
    """Return what tells RESULTS apart, study or kind of evaluation, and a look for each of its values."""
    for what in ("study", "evaluation"):
        found = dict.fromkeys(one.group.fact(what) for one in results)
        if 1 < len(found) <= _MOST_COLOURS:
            looks = zip(found, COLOURS, MARKS, strict=False)
            return what, {name: {"color": colour, "marker": mark} for name, colour, mark in looks}
    return "", {"": {"color": COLOURS[0], "marker": "o"}}


# Contrasts -----------------------------------------------------------------------------------------------------


def _drawn_contrasts(assessment: QuantifiedAssessment) -> Iterator[Drawing]:
    """Yield the picture of the contrasts of ASSESSMENT, if anybody asked for causes and there are any."""
    found = [one for one in assessment if one.causes is not None and one.causes.contrasts.by_class]
    if not found:
        return
    together = any(
        len(row.alias_class.names) > 1 for one in found if one.causes for row in one.causes.contrasts.by_class
    )
    said = [
        f"Each point is a pair of measurements that differ in one condition alone{_TOGETHER if together else ''}.",
        "A black line is CV* of all measurements; a dashed one is the floor, which is there without recorded change.",
    ]
    if any(one.causes.floor.copies for one in found if one.causes):
        said.append("Both leave out measurements that may be copies of others.")
    if len(found) > _MOST_CONTRASTED:
        said.append(f"These are the first {_MOST_CONTRASTED} of {len(found)} groups that have such pairs.")
    about = "A row for each class of conditions, by group: points are CV* of pairs, lines CV* of all and the floor."
    title = "What changed when one condition alone was changed"
    yield Drawing("contrasts", "", title, about, tuple(said), contrasts(found[:_MOST_CONTRASTED]))


# Conditions ----------------------------------------------------------------------------------------------------


def _drawn_conditions(assessment: QuantifiedAssessment) -> Iterator[Drawing]:
    """Yield a picture for each page of the grid of each study of ASSESSMENT."""
    found = [(grid, part) for grid in grids(assessment.groups) for part in enumerate(pages(grid, _MOST_ROWS), 1)]
    about = "A row for each measurement, a column for each condition; equal values of a column have the same colour."
    said = [
        "Within a column, equal values have the same colour; what nobody knows or has said has none.",
        "The value of the original is bold.",
    ]
    if len(found) > _MOST_DRAWINGS:
        said.append(f"These are the first {_MOST_DRAWINGS} of {len(found)} such pictures.")
    for grid, (number, part) in found[:_MOST_DRAWINGS]:
        name = f"{grid.study}-{number}" if part.rows < grid.rows else grid.study
        title = f"Conditions of measurement{f', {name}' if name else ''}"
        notes = [grid.note] if grid.note else []
        yield Drawing("conditions", name, title, about, (*said, *notes), conditions(part))
