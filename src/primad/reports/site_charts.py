"""Charts for the pages of the site, each ready for a page: a figure with a caption, and a description in words.

    topic_chart      the scores of a run, topic by topic from the highest to the lowest, and their mean
    progress_chart   the scores of runs on a collection over the years, and the best so far
    bars             a number for each of some names

They are written by hand, which takes a few milliseconds, where matplotlib takes more than a hundred.  The page brings
styles/charts.css.  What is drawn is also said: in words for people who do not see it, and name by name where
the pointer rests.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from primad.errors import UsageError
from primad.reports._chart_parts import Heights, framed, grid, heights, nothing, part, percent, refuse_unusable
from primad.reports._tables import cut, number

if TYPE_CHECKING:
    from xml.etree import ElementTree as ET

    from markupsafe import Markup

    from primad.reports.archive_figure import Mark

_TOP = 18
_DOWN = 190  # from the top to the line below a chart, in pixels
_MOST_TOPICS = 60  # each with a bar and a name of its own
_ROOM_FOR_TOPICS = 0.88  # a share of the width; the values of the grid stand beside it
_MOST_STEPS = 600  # of an outline: a screen shows no more
_MOST_AT_ONCE = 25  # names below bars that a telephone has room for
_EACH_THIRD = 3
_LONGEST_TOPIC, _LONGEST_NAME = 12, 34
_LETTER = 7.0  # how wide a letter is, about
_MOST_SAID = 12
_LEFT, _RIGHT = 0.13, 0.95  # shares of the width between which years lie
_MOST_YEARS = 6
_BASELINE = "M0-5L5 4H-5Z"


# Topics --------------------------------------------------------------------------------------------------------


def topic_chart(scores: Mapping[str, float], measure: str, mean: float) -> Markup:
    """Return SCORES by topic as bars from the highest to the lowest, with their MEAN as a line."""
    title = f"{measure}, topic by topic"
    if not scores:
        return nothing("topics", title, "No topic has a score.")
    refuse_unusable([*scores.values(), mean])
    ranked = sorted(scores.items(), key=lambda one: (-one[1], one[0]))
    places = heights([*scores.values(), mean], _TOP, _DOWN, from_zero=True)
    few = len(ranked) <= _MOST_TOPICS
    names = [cut(topic, _LONGEST_TOPIC) for topic, _ in ranked]
    below = 12 + _LETTER * max(map(len, names)) if few else 24
    drawn = _columns(ranked, names, places) if few else _outline(ranked, names, places)
    lines = grid(places, at_right=True, without=[places.of(mean)])
    parts = [*lines, *drawn, *_level(places.of(mean), f"mean {number(mean)}")]
    return framed("topics", title, _topics_said(ranked, mean), _DOWN + below, parts)


def _topics_said(ranked: Sequence[tuple[str, float]], mean: float) -> str:
    """Return in words what the chart of topics shows."""
    (best, highest), (worst, lowest) = ranked[0], ranked[-1]
    above = sum(score > mean for _, score in ranked)
    topics = f"{len(ranked):,} {'topic' if len(ranked) == 1 else 'topics'}"
    return (
        f"Mean {number(mean)} over {topics}, {above:,} of them above it; "
        f"highest {number(highest)} (topic {best}), lowest {number(lowest)} (topic {worst})."
    )


def _columns(ranked: Sequence[tuple[str, float]], names: Sequence[str], places: Heights) -> Iterator[ET.Element]:
    """Yield a bar for each topic with its name below; where there is no room for all names, each third stays."""
    width = _ROOM_FOR_TOPICS / len(ranked)
    zero = places.of(0)
    for at, ((topic, score), name) in enumerate(zip(ranked, names, strict=True)):
        spare = len(ranked) > _MOST_AT_ONCE and at % _EACH_THIRD
        level = places.of(score)
        bar = part("rect", x="10%", width="80%", y=min(level, zero), height=abs(zero - level), class_="bar")
        label = part(
            "text", name, class_="quiet spare" if spare else "quiet", transform="rotate(-90)", text_anchor="end"
        )
        # Only an svg has a place in percent and an origin of its own, around which a name is turned.
        turned = part("svg", "", label, x="50%", y=_DOWN + 8, overflow="visible")
        label.set("y", "4")
        told = part("title", f"topic {topic}: {number(score)}")
        yield part("svg", "", told, bar, turned, x=percent(at * width), width=percent(width), overflow="visible")


def _outline(ranked: Sequence[tuple[str, float]], names: Sequence[str], places: Heights) -> Iterator[ET.Element]:
    """Yield the scores of many topics as one outline, and the names of the first and the last."""
    steps = min(len(ranked), _MOST_STEPS)
    shown = [ranked[at * len(ranked) // steps][1] for at in range(steps)]
    path = "".join(f"V{round(places.of(score), 1):g}h1" for score in shown)
    zero = f"{places.of(0):g}"
    outline = part("path", d=f"M0 {zero}{path}V{zero}Z", class_="bar")
    room = percent(_ROOM_FOR_TOPICS)
    stretched = {"viewBox": f"0 0 {steps} {_DOWN}", "preserveAspectRatio": "none"}
    yield part("svg", "", outline, width=room, height=_DOWN, **stretched)
    yield part("text", f"topic {names[0]}", x="0", y=_DOWN + 18, class_="quiet")
    yield part("text", f"topic {names[-1]}", x=room, y=_DOWN + 18, class_="quiet", text_anchor="end")


def _level(down: float, text: str) -> Iterator[ET.Element]:
    """Yield a line across the chart, seen on bars too, and the TEXT above it."""
    yield part("line", x1="0", x2="100%", y1=down, y2=down, class_="ground", stroke_width=5)
    yield part("line", x1="0", x2="100%", y1=down, y2=down, class_="mean", stroke="currentColor", stroke_width=2)
    yield part("text", text, x="100%", y=down - 4, text_anchor="end", class_="name", font_weight="bold")


# Years ---------------------------------------------------------------------------------------------------------


def progress_chart(
    marks: Sequence[Mark], best: Sequence[tuple[int, float]], *, collection: str, measure: str
) -> Markup:
    """Return the scores of runs over the years, baselines marked, with the BEST one up to each year as a line."""
    title = f"{measure} on {collection} over the years"
    if not marks or not best:
        return nothing("progress", title, "No run on this collection has both a year and a score.")
    refuse_unusable([*(mark.score for mark in marks), *(score for _, score in best)])
    places = heights([*(mark.score for mark in marks), *(score for _, score in best)], _TOP, _DOWN, from_zero=False)
    years = sorted({mark.year for mark in marks} | {year for year, _ in best})
    across = {year: _across(year, years[0], years[-1]) for year in years}
    parts = [
        *grid(places, at_right=False),
        *_years(across),
        *_best_line(best, places, across),
        *_runs(marks, places, across),
        *_record(marks, best, places, across),
        *_key(_DOWN + 44),
    ]
    return framed("progress", title, _progress_said(marks, best), _DOWN + 52, parts)


def _across(year: int, first: int, last: int) -> float:
    """Return the share of the width at which YEAR lies."""
    return _LEFT + (_RIGHT - _LEFT) * ((year - first) / (last - first) if last > first else 0.5)


def _progress_said(marks: Sequence[Mark], best: Sequence[tuple[int, float]]) -> str:
    """Return in words what the chart of years shows."""
    years = [mark.year for mark in marks]
    runs = f"{len(marks):,} {'run' if len(marks) == 1 else 'runs'} from {min(years)} to {max(years)}"
    baselines = sum(mark.is_baseline for mark in marks)
    (start, first), (end, last) = best[0], best[-1]
    name = next((f" ({mark.name})" for mark in marks if mark.score == last), "")
    return (
        f"{runs}, {baselines:,} of them baselines of others. The best score was {number(first)} in {start} and is "
        f"{number(last)}{name} in {end}."
    )


def _years(across: Mapping[int, float]) -> Iterator[ET.Element]:
    """Yield the line below the chart, and as many years as there is room for."""
    yield part("line", x1="0", x2="100%", y1=_DOWN, y2=_DOWN, class_="axis", stroke="currentColor")
    every = -(-len(across) // _MOST_YEARS)
    for year, share in list(across.items())[::every]:
        yield part("text", str(year), x=percent(share), y=_DOWN + 18, text_anchor="middle", class_="quiet")


def _best_line(best: Sequence[tuple[int, float]], places: Heights, across: Mapping[int, float]) -> Iterator[ET.Element]:
    """Yield the line of the BEST scores: each holds from its year on."""
    corners = [(across[year], places.of(score)) for year, score in best]
    for (left, down), (right, then) in pairwise([*corners, (1.0, corners[-1][1])]):
        yield from (_stroke(left, right, down, down), _stroke(right, right, down, then))


def _stroke(left: float, right: float, start: float, end: float) -> ET.Element:
    """Return a piece of a line."""
    ends = {"x1": percent(left), "x2": percent(right)}
    return part("line", y1=start, y2=end, class_="best", stroke="currentColor", stroke_width=2, **ends)


def _runs(marks: Sequence[Mark], places: Heights, across: Mapping[int, float]) -> Iterator[ET.Element]:
    """Yield a mark for each place where there are runs, baselines above the others."""
    there: dict[tuple[bool, int, int], list[Mark]] = {}
    for mark in marks:
        there.setdefault((mark.is_baseline, mark.year, round(places.of(mark.score))), []).append(mark)
    for (is_baseline, year, down), together in sorted(there.items(), key=lambda one: one[0]):
        first = together[0]
        more = f" and {len(together) - 1:,} more" if len(together) > 1 else ""
        told = part("title", f"{first.name}{more}, {year}: {number(first.score)}")
        yield (_triangle if is_baseline else _ring)(percent(across[year]), down, told)


def _ring(left: str | float, down: float, *told: ET.Element) -> ET.Element:
    """Return the mark of a run."""
    look = {"fill": "none", "stroke": "currentColor", "class_": "run"}
    return part("circle", "", *told, cx=left, cy=down, r=4, stroke_width=1.5, **look)


def _triangle(left: str | float, down: float, *told: ET.Element) -> ET.Element:
    """Return the mark of a baseline."""
    return part("svg", "", *told, part("path", d=_BASELINE, class_="baseline"), x=left, y=down, overflow="visible")


def _record(
    marks: Sequence[Mark], best: Sequence[tuple[int, float]], places: Heights, across: Mapping[int, float]
) -> Iterator[ET.Element]:
    """Yield the name of the run that is the best of all."""
    for mark in sorted((mark for mark in marks if mark.score == best[-1][1]), key=lambda mark: mark.year)[:1]:
        share = across[mark.year]
        side = "end" if share > (_LEFT + _RIGHT) / 2 else "start"
        name = cut(mark.name, _LONGEST_NAME)
        yield part("text", name, x=percent(share), y=places.of(mark.score) - 8, text_anchor=side, class_="name")


def _key(down: float) -> Iterator[ET.Element]:
    """Yield what the marks and the line mean."""
    level = down - 4
    yield from (_ring(6, level), part("text", "run", x=16, y=down))
    yield from (_triangle(56, level), part("text", "baseline of other runs", x=66, y=down))
    yield part("line", x1=208, x2=230, y1=level, y2=level, class_="best", stroke="currentColor", stroke_width=2)
    yield part("text", "best so far", x=236, y=down)


# Numbers -------------------------------------------------------------------------------------------------------


def bars(rows: Sequence[tuple[str, float]], title: str, unit: str) -> Markup:
    """Return a bar for each of ROWS, a name and a number from 0 on; UNIT stands in the caption, if there is one."""
    if not rows:
        return nothing("bars", title, "There is nothing to count yet.")
    refuse_unusable(value for _, value in rows)
    if negative := [row for row in rows if row[1] < 0]:
        raise UsageError(f"expected numbers from 0 on, found {negative[0][1]:g} for '{negative[0][0]}'")
    most = max(value for _, value in rows) or 1.0
    parts = [one for at, row in enumerate(rows) for one in _bar(*row, most, 42 * at)]
    caption = f"{title} ({unit})" if unit else title
    return framed("bars", caption, _bars_said(rows), 42 * len(rows), parts)


def _bar(name: str, value: float, most: float, down: float) -> Iterator[ET.Element]:
    """Yield a name, a number, and a bar as long as the number says; a rail shows how long the longest is."""
    yield part("text", cut(name, _LONGEST_NAME), x="0", y=down + 14)
    yield part("text", _counted(value), x="100%", y=down + 14, text_anchor="end", font_weight="bold")
    yield part("rect", x="0", y=down + 20, width="100%", height=12, class_="rail", opacity=0.15)
    told = part("title", f"{name}: {_counted(value)}")
    yield part("rect", "", told, x="0", y=down + 20, width=percent(value / most), height=12, class_="bar")


def _counted(value: float) -> str:
    """Return VALUE as it is read: whole numbers without digits behind the point.

    >>> _counted(1200.0), _counted(0.25), _counted(12.3456)
    ('1,200', '0.25', '12.35')
    """
    return f"{value:,.0f}" if value == int(value) else f"{value:,.4g}"


def _bars_said(rows: Sequence[tuple[str, float]]) -> str:
    """Return in words what the bars show, the highest first."""
    ranked = sorted(rows, key=lambda row: -row[1])
    more = len(ranked) - _MOST_SAID
    said = ", ".join(f"{name} {_counted(value)}" for name, value in ranked[:_MOST_SAID])
    return f"From the highest to the lowest: {said}{f' and {more:,} more' if more > 0 else ''}."
