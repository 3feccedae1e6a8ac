"""Do the pictures show the values, legibly, and always the same?"""

import subprocess
import sys
from dataclasses import replace
from itertools import combinations
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Annotation

from primad.reports._drawing import FORMS, picture
from primad.reports.assessment.figures import drawings, overall_effects, rank_overlap, sweep, topic_scores
from primad.reproducibility.assessment.result import Assessment
from primad.reproducibility.intervals import Interval
from tests.reports import assessments as made


def data_of(line: Line2D) -> list[list[float]]:
    """Return the points of a line."""
    return [[float(x), float(y)] for x, y in np.asarray(line.get_xydata())]


def points_of(axes: Axes) -> list[tuple[float, float]]:
    """Return where marks stand that are drawn one by one."""
    return [(x, y) for line in axes.lines if len(data_of(line)) == 1 for x, y in data_of(line)]


def names_of(figure: Figure) -> list[str]:
    """Return the names in the legend."""
    return [text.get_text() for legend in figure.legends for text in legend.get_texts()]


def labels_of(axes: Axes) -> list[Annotation]:
    """Return the names beside points."""
    return [text for text in axes.texts if isinstance(text, Annotation)]


def kinds_of(assessment: Assessment) -> list[tuple[str, str]]:
    """Return which pictures apply."""
    return [(one.kind, one.measure) for one in drawings(assessment)]


# Which -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("assessment", "expected"),
    [
        pytest.param(made.table2(), [("effects", ""), ("topics", "map"), ("overlap", "")], id="baseline and advanced"),
        pytest.param(made.baseline_only(), [("topics", "map"), ("overlap", "")], id="baseline only"),
        pytest.param(made.other_collection(), [("effects", "")], id="another collection"),
        pytest.param(made.problem_only(), [], id="nothing"),
        pytest.param(made.sweep(), [("sweep", "map")], id="a sweep"),
    ],
)
def test_only_pictures_that_apply_are_drawn(assessment: Assessment, expected: list[tuple[str, str]]) -> None:
    assert kinds_of(assessment) == expected


def test_an_assessment_without_a_sweep_has_no_picture_of_one() -> None:
    with pytest.raises(ValueError, match="expected an assessment with a sweep"):
        sweep(made.table2(), "map")


# What --------------------------------------------------------------------------------------------------------


def test_effects_are_points_beside_the_ideal_one() -> None:
    figure = overall_effects(made.table2())

    assert points_of(figure.axes[0]) == [(1.0514, -0.0123), (0.8267, 0.0362), (1.0, 0.0)]
    assert names_of(figure) == ["ideal", "BFFMSSS", "YXL"]


def test_intervals_that_have_two_ends_are_lines() -> None:
    axes = overall_effects(made.table2()).axes[0]

    lines = [data_of(line) for line in axes.lines if len(data_of(line)) == 2]

    assert [[0.87, -0.0123], [1.26, -0.0123]] in lines
    assert [[1.0514, -0.05], [1.0514, 0.03]] in lines


def bars(axes: Axes, height: float) -> list[tuple[list[float], str]]:
    """Return from where to where the horizontal lines at that HEIGHT go, and the mark at their ends."""
    drawn = [line for line in axes.lines if [y for _, y in data_of(line)] == [height, height]]
    return [([x for x, _ in data_of(line)], str(line.get_marker())) for line in drawn]


@pytest.mark.parametrize(
    ("interval", "expected"),
    [
        pytest.param(made.interval(0.9, 1.2), [([0.9, 1.2], "")], id="two ends"),
        pytest.param(made.interval(0.9, None), [(["m", 0.9], ""), (["m", "right"], ">")], id="no upper end"),
        pytest.param(made.interval(None, 1.2), [(["m", "left"], "<"), (["m", 1.2], "")], id="no lower end"),
        pytest.param(made.interval(None, None), [(["m", "left"], "<"), (["m", "right"], ">")], id="no end"),
        pytest.param(made.interval(-50.0, 80.0), [(["m", "left"], "<"), (["m", "right"], ">")], id="beyond the frame"),
        pytest.param(
            made.interval(None, None, excluded=(0.95, 1.05)),
            [(["m", "left"], "<"), (["m", 0.95], ""), (["m", 1.05], ""), (["m", "right"], ">")],
            id="outside",
        ),
    ],
)
def test_an_interval_without_an_end_is_a_bar_to_the_edge_with_an_arrow(interval: Interval, expected: Any) -> None:
    values = (made.effect("er", 1.1, interval=interval), made.effect("dri", 0.01))
    one = replace(made.yxl(), values=values)

    axes = overall_effects(replace(made.table2(), reproductions=(one,))).axes[0]

    left, right = axes.get_xlim()
    found = bars(axes, 0.01)
    edges = {"left": left, "right": right}
    assert [mark for _, mark in found] == [mark for _, mark in expected]
    for (ends, _), (wanted, _) in zip(found, expected, strict=True):
        assert ends[1] == edges.get(str(wanted[1]), wanted[1])
        assert wanted[0] == "m" or ends[0] == wanted[0]


def test_a_long_interval_does_not_squeeze_the_points() -> None:
    wide = made.effect("er", 1.1, interval=made.interval(-50.0, 80.0))
    one = replace(made.yxl(), values=(wide, made.effect("dri", 0.01)))

    low, high = overall_effects(replace(made.table2(), reproductions=(one,))).axes[0].get_xlim()

    assert high - low < 2


def test_a_perfect_reproduction_can_be_drawn() -> None:
    one = replace(made.yxl(), values=(made.effect("er", 1.0), made.effect("dri", 0.0)))

    axes = overall_effects(replace(made.table2(), reproductions=(one,))).axes[0]

    assert axes.get_xlim()[0] < 1 < axes.get_xlim()[1]
    assert axes.get_ylim()[0] < 0 < axes.get_ylim()[1]


def test_each_series_has_a_colour_a_mark_and_a_line_of_its_own() -> None:
    lines = sweep(made.sweep(8), "map").axes[0].lines

    assert len({str(line.get_color()) for line in lines}) == 8
    assert len({str(line.get_marker()) for line in lines}) == 8
    assert len({str(vars(line)["_dash_pattern"]) for line in lines}) == 8


def test_a_sweep_shows_score_error_and_overlap_in_the_order_of_the_parameter() -> None:
    figure = sweep(made.sweep(), "map")

    assert [axes.get_title(loc="left") for axes in figure.axes] == ["mean map", "RMSE of map", "RBO_ext"]
    assert data_of(figure.axes[0].lines[0]) == [[0.1, 0.30], [0.6, 0.34], [0.9, 0.32]]
    assert data_of(figure.axes[1].lines[1]) == [[0.1, 0.0], [0.6, 0.07], [0.9, 0.12]]
    assert names_of(figure) == ["04 → 17", "04 → 18"]


def test_a_sweep_without_rankings_has_no_panel_for_them() -> None:
    found = made.sweep().sweep
    assert found is not None
    points = tuple(replace(point, rbo_ext=None) for point in found.lines[0].points)
    without = replace(made.sweep(), sweep=replace(found, lines=(replace(found.lines[0], points=points),)))

    assert len(sweep(without, "map").axes) == 2


def test_topics_are_points_around_the_diagonal() -> None:
    figure = topic_scores(made.table2(), "map")
    first = figure.axes[0]

    assert [axes.get_title(loc="left") for axes in figure.axes] == ["BFFMSSS", "YXL"]
    low, high = first.get_xlim()
    assert data_of(first.lines[0]) == [[low, low], [high, high]]
    assert data_of(first.lines[1]) == [[0.3, 0.2], [0.4422, 0.5224]]
    assert names_of(figure) == ["baseline", "advanced"]


def test_topics_that_changed_most_are_named_and_those_that_did_not_are_not() -> None:
    assert [text.get_text() for text in labels_of(topic_scores(made.baseline_only(), "map").axes[0])] == []
    assert {text.get_text() for text in labels_of(topic_scores(made.table2(), "map").axes[0])} == {"301", "302"}


def test_of_many_reproductions_six_have_a_panel() -> None:
    assert [axes.get_title(loc="left") for axes in topic_scores(made.many(9), "map").axes] == [
        f"rpl_{place}" for place in range(1, 7)
    ]


def test_overlap_is_drawn_by_depth_on_a_logarithmic_axis() -> None:
    figure = rank_overlap(made.table2())

    assert [axes.get_title(loc="left") for axes in figure.axes] == ["baseline", "advanced"]
    assert figure.axes[0].get_xscale() == "log"
    assert data_of(figure.axes[1].lines[0]) == [[1.0, 0.3], [10.0, 0.5], [1000.0, 0.7]]
    assert names_of(figure) == ["BFFMSSS"]


# Many --------------------------------------------------------------------------------------------------------


def spread(number: int) -> Assessment:
    """Return a NUMBER of reproductions whose points are scattered, one of them far away."""
    random = np.random.default_rng(7)
    several = []
    for one in made.many(number):
        ratio, delta = float(random.normal(1, 0.3)), float(random.normal(0, 0.05))
        several.append(replace(one, values=(made.effect("er", ratio), made.effect("dri", delta))))
    several[3] = replace(several[3], values=(made.effect("er", 1.0), made.effect("dri", -7.0)))
    return replace(made.table2(), reproductions=tuple(several))


def test_names_among_fifty_points_cover_neither_each_other_nor_a_point() -> None:
    figure = overall_effects(spread(50))
    axes = figure.axes[0]
    figure.draw_without_rendering()

    boxes = [label.get_window_extent() for label in labels_of(axes)]
    spots = axes.transData.transform(points_of(axes))

    assert len(boxes) >= 5
    assert not any(one.overlaps(two) for one, two in combinations(boxes, 2))
    assert not any(box.contains(x, y) for box in boxes for x, y in spots)


def test_a_point_far_away_does_not_squeeze_fifty_others() -> None:
    axes = overall_effects(spread(50)).axes[0]

    assert axes.get_ylim()[0] > -1
    assert "rpl_4 ↓" in {label.get_text() for label in labels_of(axes)}
    assert len(points_of(axes)) == 51
    assert all(axes.get_ylim()[0] <= y <= axes.get_ylim()[1] for _, y in points_of(axes))


def test_of_many_lines_the_highest_and_the_lowest_are_named() -> None:
    figure = sweep(made.sweep(12), "map")

    assert names_of(figure) == []
    assert [label.get_text() for label in labels_of(figure.axes[0])] == ["04 → 28", "04 → 17"]


# Files -------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_the_same_values_give_the_same_bytes(form: str) -> None:
    first, second = (picture(sweep(made.sweep(), "map"), form) for _ in range(2))

    assert first == second
    assert first.startswith({"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG"}[form])


def test_the_settings_of_the_user_do_not_matter() -> None:
    plain = picture(rank_overlap(made.baseline_only()), "svg")

    with mpl.rc_context({"font.size": 30, "axes.grid": False, "svg.hashsalt": "x", "lines.linewidth": 9}):
        assert picture(rank_overlap(made.baseline_only()), "svg") == plain
        assert mpl.rcParams["font.size"] == 30


@pytest.mark.slow
def test_names_are_no_formulas_in_any_picture() -> None:
    for drawing in drawings(made.hostile()):
        for form in FORMS:
            assert picture(drawing.figure, form)


def test_names_may_be_in_a_script_that_the_font_lacks() -> None:
    found = made.sweep().sweep
    assert found is not None

    assert picture(sweep(replace(made.sweep(), sweep=replace(found, field="重み")), "map"), "png")


def test_nothing_hostile_is_markup_in_an_svg() -> None:
    text = picture(sweep(made.hostile(), "map"), "svg").decode()

    assert "<script>" not in text
    assert "&lt;script&gt;" in text


@pytest.mark.slow
def test_drawing_leaves_pyplot_alone() -> None:
    code = (
        "import sys; from tests.reports import assessments as made; "
        "from primad.reports.assessment.figures import drawings; "
        "assert 'matplotlib' not in sys.modules; list(drawings(made.baseline_only())); "
        "print('matplotlib.pyplot' in sys.modules)"
    )

    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert found.stdout == "False\n"
