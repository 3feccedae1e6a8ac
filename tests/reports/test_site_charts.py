"""Do the charts of the site show their numbers, say them in words, and fit any page?"""

import re
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest

from primad.errors import UsageError
from primad.reports._chart_parts import Heights, heights
from primad.reports.archive_figure import Mark
from primad.reports.site_charts import bars, progress_chart, topic_chart

TRAP = '<script>alert("1")</script>\N{RIGHT-TO-LEFT OVERRIDE}'
MARKS = [Mark(2004, 0.25, "old", is_baseline=True), Mark(2010, 0.3, "middle"), Mark(2017, 0.275, "new")]
BEST = [(2004, 0.25), (2010, 0.3), (2017, 0.3)]


def topics(number: int) -> dict[str, float]:
    """Return scores of a NUMBER of topics, the last the highest."""
    return {f"t{at}": at / number for at in range(1, number + 1)}


def every_chart(name: str = "map") -> list[str]:
    """Return a chart of every form, with NAME wherever a name can stand."""
    marks = [Mark(2004, 0.25, name, is_baseline=True), Mark(2010, 0.3, name)]
    return [
        topic_chart({name: 0.5, "2": -0.25}, name, 0.125),
        topic_chart({name: 2.0, **topics(70)}, name, 0.5),
        topic_chart({}, name, 0.0),
        progress_chart(marks, BEST[:2], collection=name, measure=name),
        progress_chart([], [], collection=name, measure=name),
        bars([(name, 1), ("other", 0)], name, name),
        bars([], name, name),
    ]


def parsed(chart: str) -> ET.Element:
    """Return the elements of a CHART."""
    return ET.fromstring(chart)  # noqa: S314  (our own)


def drawn(chart: str, tag: str, name: str) -> list[ET.Element]:
    """Return the elements called TAG of the class NAME."""
    return [one for one in parsed(chart).iter(tag) if name in one.get("class", "").split()]


def words(chart: str, tag: str) -> list[str]:
    """Return the texts of elements called TAG."""
    return ["".join(one.itertext()) for one in parsed(chart).iter(tag)]


# All -----------------------------------------------------------------------------------------------------------


def test_no_chart_has_a_style_a_script_or_an_address() -> None:
    elements = [one for chart in every_chart() for one in parsed(chart).iter()]
    attributes = {key for one in elements for key in one.attrib}

    assert {one.tag for one in elements} & {"style", "script", "a", "image", "use", "foreignObject"} == set()
    assert {key for key in attributes if key in {"style", "href"} or key.startswith("on")} == set()


def test_a_chart_is_named_and_described_by_parts_that_it_has() -> None:
    for chart in every_chart():
        for svg in parsed(chart).findall("svg"):
            assert svg.get("role") == "img"
            labels = (svg.get("aria-labelledby") or "").split()
            assert [one.get("id") for one in (svg[0], svg[1])] == labels
            assert (svg[0].tag, svg[1].tag) == ("title", "desc")


def test_charts_on_one_page_have_identifiers_of_their_own() -> None:
    identifiers = re.findall(r' id="([^"]+)"', "".join([*every_chart(), bars([("done", 2)], "map", "map")]))

    assert len(identifiers) == len(set(identifiers)) == 10


def test_a_trap_is_shown_as_text() -> None:
    for chart in every_chart(TRAP):
        assert "<script" not in chart
        assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in chart
        assert "&lt;script&gt;" in chart


def test_everything_across_is_a_share_of_the_width_so_that_no_chart_is_wider_than_its_page() -> None:
    for chart in every_chart():
        for one in parsed(chart).iter():
            places = [one.get(key, "0") for key in ("x", "x1", "x2", "cx")]
            pixels = [float(place) for place in places if not place.endswith("%")]
            shares = [float(place[:-1]) for place in places if place.endswith("%")]
            assert max(pixels) <= 236  # of the key, on the smallest of telephones
            assert all(0 <= share <= 100 for share in shares)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_number_that_cannot_be_drawn_is_refused(value: float) -> None:
    with pytest.raises(UsageError, match="expected numbers that can be drawn, found"):
        topic_chart({"301": value}, "map", 0.5)
    with pytest.raises(UsageError, match="expected numbers that can be drawn, found"):
        bars([("done", value)], "Attempts", "")
    with pytest.raises(UsageError, match="expected numbers that can be drawn, found"):
        progress_chart([Mark(2004, value, "a")], [(2004, 0.5)], collection="c", measure="map")


# Topics --------------------------------------------------------------------------------------------------------


def test_bars_of_topics_are_as_high_as_their_scores_from_the_highest_to_the_lowest() -> None:
    chart = topic_chart({"301": 0.2, "302": 0.8, "303": 0.4}, "map", 0.46)
    sizes = [float(bar.get("height", "")) for bar in drawn(chart, "rect", "bar")]

    assert [size / sizes[0] for size in sizes] == pytest.approx([1, 0.5, 0.25], abs=1e-3)
    assert words(chart, "title")[1:] == [
        "topic 302: 0.8000",
        "topic 303: 0.4000",
        "topic 301: 0.2000",
    ]


def test_the_mean_is_a_line_at_its_height_with_its_value() -> None:
    chart = topic_chart({"301": 0.2, "302": 0.8}, "map", 0.5)
    (line,) = drawn(chart, "line", "mean")
    highest, lowest = (float(bar.get("y", "")) for bar in drawn(chart, "rect", "bar"))

    assert float(line.get("y1", "")) == pytest.approx((highest + lowest) / 2, abs=0.02)
    assert "mean 0.5000" in words(chart, "text")


def test_the_chart_of_topics_is_said_in_words() -> None:
    chart = topic_chart({"301": 0.2, "302": 0.8, "303": 0.5}, "map", 0.5)

    assert words(chart, "figcaption") == ["map, topic by topic"]
    assert words(chart, "desc") == [
        "Mean 0.5000 over 3 topics, 1 of them above it; highest 0.8000 (topic 302), lowest 0.2000 (topic 301)."
    ]


def test_a_score_below_zero_hangs_from_the_line_of_zero() -> None:
    chart = topic_chart({"up": 0.5, "down": -0.5}, "difference", 0.0)
    up, down = drawn(chart, "rect", "bar")
    zero = float(drawn(chart, "line", "mean")[0].get("y1", ""))

    assert float(up.get("y", "")) + float(up.get("height", "")) == pytest.approx(zero, abs=0.02)
    assert float(down.get("y", "")) == pytest.approx(zero, abs=0.02)


@pytest.mark.parametrize(
    ("number", "named", "spare"),
    [
        pytest.param(25, 25, 0, id="all fit"),
        pytest.param(60, 60, 40, id="a telephone shows each third"),
    ],
)
def test_each_of_a_few_topics_has_its_name_below_its_bar(number: int, named: int, spare: int) -> None:
    chart = topic_chart(topics(number), "map", 0.5)

    assert len([one for one in drawn(chart, "text", "quiet") if one.get("transform")]) == named
    assert len(drawn(chart, "text", "spare")) == spare


def test_many_topics_are_one_outline_with_the_names_of_the_first_and_the_last() -> None:
    chart = topic_chart(topics(61), "map", 0.5)

    assert drawn(chart, "rect", "bar") == []
    assert drawn(chart, "path", "bar")[0].get("d", "").count("h1") == 61
    assert {"topic t61", "topic t1"} <= set(words(chart, "text"))


def test_a_chart_does_not_grow_with_the_number_of_topics() -> None:
    chart = topic_chart(topics(50_000), "map", 0.5)

    assert drawn(chart, "path", "bar")[0].get("d", "").count("h1") == 600
    assert len(chart) < 12_000


def test_topics_without_any_score_are_no_bars_but_a_line_at_zero() -> None:
    chart = topic_chart({"301": 0.0, "302": 0.0}, "map", 0.0)

    assert [bar.get("height") for bar in drawn(chart, "rect", "bar")] == ["0", "0"]


# Years ---------------------------------------------------------------------------------------------------------


def test_runs_lie_at_their_years_and_scores_and_baselines_have_a_mark_of_their_own() -> None:
    chart = progress_chart(MARKS, BEST, collection="core17", measure="map")
    rings = drawn(chart, "circle", "run")[:-1]  # the last explains the mark
    shares = [float(one.get("cx", "").rstrip("%")) for one in rings]

    assert words(chart, "title")[1:] == ["middle, 2010: 0.3000", "new, 2017: 0.2750", "old, 2004: 0.2500"]
    assert shares == pytest.approx([13 + 82 * 6 / 13, 95], abs=0.01)
    assert float(rings[0].get("cy", "")) < float(rings[1].get("cy", ""))
    assert len(drawn(chart, "path", "baseline")) == 2


def test_the_best_so_far_is_a_line_that_steps_where_a_better_run_came() -> None:
    chart = progress_chart(MARKS, BEST, collection="core17", measure="map")
    strokes = [tuple(one.get(key) for key in ("x1", "y1", "x2", "y2")) for one in drawn(chart, "line", "best")[:-1]]

    assert all(one[2:] == then[:2] for one, then in pairwise(strokes))
    assert strokes[0][0] == "13%"
    assert strokes[-1][2] == "100%"
    assert len({y for _, start, _, end in strokes for y in (start, end)}) == 2


def test_the_chart_of_years_is_said_in_words() -> None:
    chart = progress_chart(MARKS, BEST, collection="core17", measure="map")

    assert words(chart, "figcaption") == ["map on core17 over the years"]
    (description,) = words(chart, "desc")
    assert description.split(". ") == [
        "3 runs from 2004 to 2017, 1 of them baselines of others",
        "The best score was 0.2500 in 2004 and is 0.3000 (middle) in 2017.",
    ]


def test_runs_at_one_place_are_one_mark_that_tells_how_many_they_are() -> None:
    marks = [Mark(2004, 0.25, f"run{at}") for at in range(3)]

    assert words(progress_chart(marks, [(2004, 0.25)], collection="c", measure="map"), "title")[1:] == [
        "run0 and 2 more, 2004: 0.2500"
    ]


def test_no_more_years_are_named_than_a_telephone_has_room_for() -> None:
    marks = [Mark(year, 0.5, "a") for year in range(1992, 2025)]
    chart = progress_chart(marks, [(1992, 0.5)], collection="c", measure="map")

    assert [text for text in words(chart, "text") if re.fullmatch(r"\d{4}", text)] == [
        str(year) for year in range(1992, 2025, 6)
    ]


# Numbers -------------------------------------------------------------------------------------------------------


def test_bars_are_as_long_as_their_numbers() -> None:
    chart = bars([("open", 3), ("done", 12), ("failed", 0)], "Attempts by state", "")

    assert [bar.get("width") for bar in drawn(chart, "rect", "bar")] == ["25%", "100%", "0%"]
    assert words(chart, "text") == ["open", "3", "done", "12", "failed", "0"]
    assert words(chart, "desc") == ["From the highest to the lowest: done 12, open 3, failed 0."]


def test_bars_of_nothing_counted_have_no_length() -> None:
    assert [bar.get("width") for bar in drawn(bars([("open", 0)], "Attempts", ""), "rect", "bar")] == ["0%"]


def test_the_unit_stands_in_the_caption() -> None:
    assert words(bars([("a", 1)], "Time", "minutes"), "figcaption") == ["Time (minutes)"]


def test_a_negative_number_has_no_bar_and_is_refused() -> None:
    with pytest.raises(UsageError, match="expected numbers from 0 on, found -1 for 'open'"):
        bars([("open", -1)], "Attempts", "")


def test_a_chart_of_nothing_says_so() -> None:
    assert words(bars([], "Attempts", ""), "p") == ["There is nothing to count yet."]
    assert words(topic_chart({}, "map", 0.0), "p") == ["No topic has a score."]
    assert words(progress_chart([], [], collection="c", measure="map"), "p") == [
        "No run on this collection has both a year and a score."
    ]


# Heights -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        pytest.param(0, 1, [0, 0.25, 0.5, 0.75, 1], id="shares"),
        pytest.param(-1, 0.6, [-1, -0.5, 0, 0.5], id="around zero"),
        pytest.param(1180, 1420, [1200, 1300, 1400], id="far from zero"),
        pytest.param(0, 3e-7, [0, 1e-7, 2e-7, 3e-7], id="tiny"),
    ],
)
def test_the_values_of_a_grid_are_round(low: float, high: float, expected: list[float]) -> None:
    assert Heights(low, high, 0, 100).rounds() == pytest.approx(expected)


@pytest.mark.parametrize("value", [0.0, 0.3, -7.0, 1e-300])
def test_equal_values_have_a_height_too(value: float) -> None:
    places = heights([value, value], 0, 100, from_zero=False)

    assert 0 < places.of(value) < 100
