"""An assessment as pictures.

    sweep             score, RMSE and rank-biased overlap along a parameter, a line for each pair of collections
    overall_effects   DRI against ER, a point for each reproduction, the ideal point marked
    topic_scores      the score of each topic, original against reproduction
    rank_overlap      the share of documents that both rankings have, by depth
    drawings          all of them that apply, with a name, a title and a description

Each picture shows values of an ``Assessment`` as they are: nothing is computed here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from primad.reports._drawing import (
    COLOURS,
    MOST_SERIES,
    QUIET,
    Names,
    Point,
    finish,
    legend_below,
    panels,
    short,
    styled,
    styles,
)
from primad.reports.assessment._overview import swept_measures
from primad.reports.assessment._roles import roles_of
from primad.reports.assessment.figure_sentences import Kind
from primad.reproducibility.assessment.result import ROLES, Role

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from primad.reproducibility.assessment.result import Assessment, Reproduction, SweepLine, SweepPoint, Value

# As many panels can be looked at in one picture.
MOST_PANELS = 6
_MOST_NAMES = 8
_NAMED_TOPICS = 3
_IDEAL = (1.0, 0.0)
# Axes are at least this wide, so that a reproduction that is nearly ideal looks so.
_LEAST_ER, _LEAST_DRI = 0.2, 0.05

_FAINT: dict[str, Any] = {"color": COLOURS[0], "alpha": 0.35, "linewidth": 0.9}
_IDEAL_LOOK: dict[str, Any] = {"color": "black", "marker": "+", "markersize": 13, "markeredgewidth": 1.6}
_BEYOND_LOOK: dict[str, Any] = {"color": COLOURS[1], "marker": "X", "markersize": 7, "markeredgecolor": "white"}
_TOPIC_LOOKS: dict[Role, dict[str, Any]] = {
    "baseline": {"linestyle": "none", "marker": "o", "color": COLOURS[0], "markerfacecolor": "none"},
    "advanced": {"linestyle": "none", "marker": "^", "color": COLOURS[1], "markeredgecolor": "white"},
}


@dataclass(frozen=True)
class Drawing:
    """A picture of some KIND by some MEASURE, with its TITLE and a DESCRIPTION for people who do not see it."""

    kind: Kind
    measure: str
    title: str
    description: str
    figure: Figure


def drawings(assessment: Assessment) -> Iterator[Drawing]:
    """Yield each picture that applies to ASSESSMENT."""
    for measure in swept_measures(assessment.sweep):
        about = "Lines show the mean score, the error against the reference and the overlap of rankings."
        yield Drawing("sweep", measure, f"{measure} along the parameter", about, sweep(assessment, measure))
    if effect_measures(assessment):
        about = "Each point is a reproduction: effect ratio to the right, delta relative improvement upwards."
        yield Drawing("effects", "", "Overall effects", about, overall_effects(assessment))
    for measure in paired_measures(assessment):
        about = "Each point is a topic: score of the original to the right, of the reproduction upwards."
        yield Drawing("topics", measure, f"{measure} topic by topic", about, topic_scores(assessment, measure))
    if any(one.agreement for one in assessment):
        about = "Lines show which share of their documents original and reproduction have in common at each depth."
        yield Drawing("overlap", "", "Overlap of rankings by depth", about, rank_overlap(assessment))


# Sweep ---------------------------------------------------------------------------------------------------------


def sweep(assessment: Assessment, measure: str) -> Figure:
    """Return the scores by MEASURE, their RMSE and RBO along the parameter."""
    if assessment.sweep is None:
        raise ValueError("expected an assessment with a sweep")
    lines = assessment.sweep.lines
    readings: dict[str, Callable[[SweepPoint], float | None]] = {
        f"mean {measure}": lambda point: point.scores.get(measure),
        f"RMSE of {measure}": lambda point: point.rmse.get(measure),
        "RBO_ext": lambda point: point.rbo_ext,
    }
    shown = {title: [_along(line, read) for line in lines] for title, read in readings.items()}
    shown = {title: series for title, series in shown.items() if any(series)}
    names = [line.name for line in lines]
    with styled():
        figure, all_axes = panels(len(shown))
        if 1 < len(names) <= MOST_SERIES:
            legend_below(figure, names, [style.line() for style in styles(len(names))])
        wanted = []
        for axes, (title, series) in zip(all_axes, shown.items(), strict=True):
            axes.set(title=title, xlabel=short(assessment.sweep.field))
            wanted.append(_draw_lines(axes, names, series))
        finish(figure, wanted)
    return figure


def _along(line: SweepLine, read: Callable[[SweepPoint], float | None]) -> list[Point]:
    """Return what there is to READ along the parameter."""
    points = sorted(line.points, key=lambda point: point.parameter)
    return [(point.parameter, value) for point in points if (value := read(point)) is not None]


def _draw_lines(axes: Axes, names: Sequence[str], series: Sequence[Sequence[Point]]) -> Names:
    """Draw a line for each of SERIES; of too many, all alike, and name the highest and the lowest."""
    few = len(names) <= MOST_SERIES
    for points, style in zip(series, styles(len(names)), strict=True):
        look = {**style.line(), "markevery": _every(len(points))} if few else _FAINT
        axes.plot(*_columns(points), **look)
    if few:
        return Names(axes, [], [])
    ends = [(points[-1], short(name)) for name, points in zip(names, series, strict=True) if points]
    ends.sort(key=lambda end: (end[0][1], end[1]))
    _room_at_the_right(axes)
    return Names(axes, [ends[-1], ends[0]], [end for end, _ in ends])


def _room_at_the_right(axes: Axes) -> None:
    """Make the horizontal axis longer, so that names stand behind the ends of lines."""
    low, high = axes.get_xlim()
    share = 0.3
    axes.set_xlim(right=high * (high / low) ** share if axes.get_xscale() == "log" else high + share * (high - low))


def _columns(points: Sequence[Point]) -> tuple[list[float], list[float]]:
    """Return POINTS as two columns."""
    return [point[0] for point in points], [point[1] for point in points]


def _every(number: int) -> int:
    """Return how many points of a line share a mark, so that marks do not run together."""
    return max(1, number // 12)


# Overall effects -----------------------------------------------------------------------------------------------


def effect_measures(assessment: Assessment) -> list[str]:
    """Return the effectiveness measures by which a reproduction has both ER and DRI."""
    measures = dict.fromkeys(value.of for one in assessment for value in one.values if value.measure == "er")
    return [measure for measure in measures if any(_effect(one, measure) for one in assessment)]


def _effect(one: Reproduction, measure: str) -> tuple[Value, Value] | None:
    """Return ER and DRI of a reproduction if both are defined."""
    ratio, delta = (one.find(name, of=measure, run="both") for name in ("er", "dri"))
    if ratio is None or delta is None or ratio.value is None or delta.value is None:
        return None
    return ratio, delta


def overall_effects(assessment: Assessment) -> Figure:
    """Return DRI against ER, a panel for each effectiveness measure."""
    measures = effect_measures(assessment)[:MOST_PANELS]
    names = [one.name for one in assessment if any(_effect(one, measure) for measure in measures)]
    looks = _point_looks(names)
    with styled():
        figure, all_axes = panels(len(measures), width=4.6 if len(measures) == 1 else 3.4)
        named = looks if len(names) <= MOST_SERIES else {"beyond the frame": _BEYOND_LOOK}
        legend_below(figure, ["ideal", *named], [_IDEAL_LOOK, *named.values()])
        wanted = []
        for axes, measure in zip(all_axes, measures, strict=True):
            axes.set(title=short(measure), xlabel="Effect Ratio (ER)", ylabel="Delta Relative Improvement (DRI)")
            effects = {one.name: effect for one in assessment if (effect := _effect(one, measure))}
            wanted.append(_draw_effects(axes, effects, looks))
            axes.plot(*_IDEAL, zorder=4, **_IDEAL_LOOK)
        finish(figure, wanted)
    return figure


def _point_looks(names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return the look of the point of each of NAMES: later ones are smaller, so that equal points are all seen."""
    few = len(names) <= MOST_SERIES
    sizes = [12.5 - 0.7 * place if few else 5 for place in range(len(names))]
    looks = [{**style.point(), "alpha": 1 if few else 0.75} for style in styles(len(names))]
    return {name: {**look, "markersize": size} for name, look, size in zip(names, looks, sizes, strict=True)}


def _draw_effects(axes: Axes, effects: Mapping[str, tuple[Value, Value]], looks: Mapping[str, dict[str, Any]]) -> Names:
    """Draw a point for each of EFFECTS; of many, name those farthest away."""
    crowded = len(looks) > MOST_SERIES
    points = {name: _point(effect) for name, effect in effects.items()}
    reach = [[] if crowded else [_ends(effect[side]) for effect in effects.values()] for side in (0, 1)]
    columns = _columns(list(points.values()))
    frame = [
        _limits([ideal, *(_usual(column, ideal) if crowded else column)], bounds, least)
        for column, bounds, ideal, least in zip(columns, reach, _IDEAL, (_LEAST_ER, _LEAST_DRI), strict=True)
    ]
    axes.set(xlim=frame[0], ylim=frame[1])
    axes.axvline(_IDEAL[0], color=QUIET, linewidth=0.8)
    axes.axhline(_IDEAL[1], color=QUIET, linewidth=0.8)
    for name, effect in effects.items():
        _draw_bounds(axes, effect, frame, looks[name]["color"], faint=crowded)
        inside = _inside(points[name], frame)
        axes.plot(*inside, zorder=3, clip_on=False, **(looks[name] if inside == points[name] else _BEYOND_LOOK))
    wanted = _outliers(points, frame) if crowded else []
    return Names(axes, wanted, [*(_inside(spot, frame) for spot in points.values()), _IDEAL])


def _usual(column: Sequence[float], ideal: float) -> list[float]:
    """Return COLUMN without the few values that are so far from the IDEAL that they would squeeze all others.

    >>> _usual([1.0, 1.1, 0.8, 0.9, 1.2, 1.0, 1.1, 1.0, 0.7, 1.1, 9.0], 1.0)[-2:]
    [0.7, 1.1]
    """
    away = sorted(abs(value - ideal) for value in column)
    fence = 3 * away[int(0.85 * (len(away) - 1))]
    return [value for value in column if abs(value - ideal) <= fence]


def _inside(point: Point, frame: Sequence[Point]) -> Point:
    """Return POINT, or the place at the edge of the FRAME that is nearest to it."""
    across, along = (min(max(value, low), high) for value, (low, high) in zip(point, frame, strict=True))
    return across, along


def _point(effect: tuple[Value, Value]) -> Point:
    """Return where the point of an EFFECT lies."""
    return effect[0].value or 0.0, effect[1].value or 0.0


def _ends(value: Value) -> tuple[float, ...]:
    """Return the ends that the interval of VALUE has; those of a set that is no interval are where it is broken."""
    found = value.interval
    if found is None:
        return ()
    return found.excluded or tuple(end for end in (found.low, found.high) if end is not None)


def _pieces(value: Value, frame: Point) -> list[tuple[Point, Point]]:
    """Return the parts of the interval of VALUE that lie in the FRAME, each with the whole that it is a part of."""
    found = value.interval
    if found is None:
        return []
    low, high = (-math.inf if found.low is None else found.low), (math.inf if found.high is None else found.high)
    whole = [(-math.inf, found.excluded[0]), (found.excluded[1], math.inf)] if found.excluded else [(low, high)]
    cut = [((max(start, frame[0]), min(end, frame[1])), (start, end)) for start, end in whole]
    return [(inside, full) for inside, full in cut if inside[0] <= inside[1]]


def _draw_bounds(axes: Axes, effect: tuple[Value, Value], frame: Sequence[Point], colour: str, *, faint: bool) -> None:
    """Draw the intervals of an EFFECT as thin lines; one that goes on beyond the FRAME ends in an arrow."""
    look: dict[str, Any] = {"color": colour, "linewidth": 0.5 if faint else 0.9, "alpha": 0.25 if faint else 0.8}
    spot = _inside(_point(effect), frame)
    for side, marks in enumerate((("<", ">"), ("v", "^"))):
        for piece in _pieces(effect[side], frame[side]):
            for stroke, mark in _strokes(*piece, marks):
                across, along = ((stroke, (spot[1],) * 2), ((spot[0],) * 2, stroke))[side]
                axes.plot(
                    across,
                    along,
                    marker=mark,
                    markevery=[1],
                    markersize=4,
                    clip_on=False,
                    solid_capstyle="butt",
                    **look,
                )


def _strokes(inside: Point, full: Point, marks: tuple[str, str]) -> Iterator[tuple[Point, str]]:
    """Yield from where to where lines go for what is INSIDE of a FULL interval, each with the mark at its end."""
    if inside == full:
        yield inside, ""
        return
    for end, wanted, mark in zip(inside, full, marks, strict=True):
        yield (sum(inside) / 2, end), "" if end == wanted else mark


def _limits(values: Sequence[float], reach: Sequence[tuple[float, ...]], least: float) -> tuple[float, float]:
    """Return the ends of an axis: all VALUES, and as much of what they REACH as leaves the values legible.

    >>> _limits([1.0, 1.4], [(0.9, 99.0)], 0.2)
    (0.796, 2.304)
    """
    low, high = min(values), max(values)
    span = max(high - low, least)
    ends = [end for bounds in reach for end in bounds]
    low, high = max(min([low, *ends]), low - 2 * span), min(max([high, *ends]), high + 2 * span)
    # All values may be equal.
    low, high = min(low, high - least), max(high, low + least)
    room = 0.08 * (high - low)
    return round(low - room, 9), round(high + room, 9)


def _outliers(points: Mapping[str, Point], frame: Sequence[Point]) -> list[tuple[Point, str]]:
    """Return the names worth showing among many, with their places: those farthest from the ideal."""
    widths = [high - low for low, high in frame]
    away = {
        name: math.hypot((x - _IDEAL[0]) / widths[0], (y - _IDEAL[1]) / widths[1]) for name, (x, y) in points.items()
    }
    farthest = sorted(points, key=lambda name: (-away[name], name))[:_MOST_NAMES]
    return [(_inside(points[name], frame), short(name) + _way(points[name], frame)) for name in farthest]


def _way(point: Point, frame: Sequence[Point]) -> str:
    """Return an arrow to where POINT lies if that is beyond the FRAME."""
    (left, right), (bottom, top) = frame
    across = " ←" if point[0] < left else " →" if point[0] > right else ""
    return " ↓" if point[1] < bottom else " ↑" if point[1] > top else across


# Topics --------------------------------------------------------------------------------------------------------


def paired_measures(assessment: Assessment) -> list[str]:
    """Return the effectiveness measures whose scores can be compared topic by topic."""
    measures = dict.fromkeys(value.of for one in assessment for value in one.values if value.measure == "rmse")
    return [measure for measure in measures if any(_topic_points(assessment, one, measure) for one in assessment)]


def _topic_points(assessment: Assessment, one: Reproduction, measure: str) -> dict[Role, dict[str, Point]]:
    """Return the scores of each topic by run; empty where other collections make topics incomparable."""
    points: dict[Role, dict[str, Point]] = {}
    for role in ROLES:
        error = one.find("rmse", of=measure, run=role)
        original, other = (side.find("arp", of=measure, run=role) for side in (assessment.original, one))
        if original and other and error and error.value is not None:
            shared = [topic for topic in original.topics if topic in other.topics]
            points[role] = {topic: (original.topics[topic], other.topics[topic]) for topic in shared}
    return {role: found for role, found in points.items() if found}


def topic_scores(assessment: Assessment, measure: str) -> Figure:
    """Return the scores by MEASURE of each topic, a panel for each of the first reproductions."""
    shown = {one.name: _topic_points(assessment, one, measure) for one in assessment}
    shown = dict([(name, points) for name, points in shown.items() if points][:MOST_PANELS])
    spots = [spot for points in shown.values() for by_topic in points.values() for spot in by_topic.values()]
    scores = [score for spot in spots for score in spot]
    ends = _limits([0.0, *scores], [], 0.1)
    roles = roles_of(assessment)
    looks: dict[Role, dict[str, Any]] = {role: _TOPIC_LOOKS[role] for role in ROLES if _has(shown.values(), role)}
    with styled():
        figure, all_axes = panels(len(shown), height=3.5)
        legend_below(figure, [roles.word(role) or "topic" for role in looks], list(looks.values()))
        wanted = []
        for axes, (name, points) in zip(all_axes, shown.items(), strict=True):
            axes.set(title=short(name), xlim=ends, ylim=ends, aspect="equal")
            axes.set(xlabel=f"original, {short(measure)}", ylabel="reproduction")
            axes.plot(ends, ends, color=QUIET, linewidth=0.9, zorder=1)
            wanted.append(_draw_topics(axes, points))
        finish(figure, wanted)
    return figure


def _has(shown: Iterable[Mapping[Role, Any]], role: Role) -> bool:
    """Tell whether any of what is SHOWN is about the run of that ROLE."""
    return any(role in points for points in shown)


def _draw_topics(axes: Axes, points: Mapping[Role, Mapping[str, Point]]) -> Names:
    """Draw a point for each topic, with the names of those that changed most."""
    for role, by_topic in points.items():
        axes.plot(*_columns(list(by_topic.values())), **_TOPIC_LOOKS[role])
    spots = [(spot, topic) for by_topic in points.values() for topic, spot in by_topic.items()]
    changed = sorted(spots, key=lambda spot: (-abs(spot[0][1] - spot[0][0]), spot[1]))
    moved = [(spot, short(topic)) for spot, topic in changed if spot[0] != spot[1]]
    return Names(axes, moved[:_NAMED_TOPICS], [spot for spot, _ in spots])


# Rankings ------------------------------------------------------------------------------------------------------


def rank_overlap(assessment: Assessment) -> Figure:
    """Return the share of documents that both rankings have by depth, a panel for each run."""
    roles = [role for role in ROLES if any(one.agreement.get(role) for one in assessment)]
    names = [one.name for one in assessment if one.agreement]
    with styled():
        figure, all_axes = panels(len(roles), width=4.2)
        if len(names) <= MOST_SERIES:
            legend_below(figure, names, [style.line() for style in styles(len(names))])
        wanted = []
        for axes, role in zip(all_axes, roles, strict=True):
            axes.set(
                title=roles_of(assessment).word(role), xlabel="depth", ylabel="share of documents in both rankings"
            )
            axes.set(xscale="log", ylim=(-0.02, 1.02))
            axes.xaxis.set_major_formatter(lambda depth, _: f"{depth:,.0f}")
            shares = [one.agreement.get(role, {}) for one in assessment if one.agreement]
            lines = [sorted((float(depth), share) for depth, share in by.items()) for by in shares]
            wanted.append(_draw_lines(axes, names, lines))
        finish(figure, wanted)
    return figure
