"""Do the pictures of a quantified assessment show its values, legibly, and always the same?"""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.text import Annotation

from primad.qra.assess import assess
from primad.qra.measurement import Scale
from primad.qra.result import QuantifiedAssessment
from primad.reports._drawing import FORMS, picture
from primad.reports._tables import NONE
from primad.reports.qra._contrasts_figure import contrasts
from primad.reports.qra._grid import MOST_COLOURS, grids, pages
from primad.reports.qra._grid_figure import conditions
from primad.reports.qra.figures import MOST_GROUPS, chosen, cv, drawings, values
from tests.reports import quantified as made


def kinds_of(found: QuantifiedAssessment) -> list[tuple[str, str]]:
    """Return which pictures apply."""
    return [(one.kind, one.measure) for one in drawings(found)]


def marks_of(axes: Axes, mark: str) -> list[tuple[float, float]]:
    """Return where marks of that kind stand, to three digits."""
    lines = [line for line in axes.lines if line.get_marker() == mark]
    return [(round(float(x), 3), round(float(y), 3)) for line in lines for x, y in np.asarray(line.get_xydata())]


def strokes_of(axes: Axes) -> list[list[tuple[float, float]]]:
    """Return from where to where lines go, to three digits."""
    drawn = [np.asarray(line.get_xydata()) for line in axes.lines]
    return [[(round(float(x), 3), round(float(y), 3)) for x, y in ends] for ends in drawn if len(ends) == 2]


def arrows_of(axes: Axes) -> list[tuple[float, float]]:
    """Return where arrows end, to three digits."""
    notes = [text for text in axes.texts if isinstance(text, Annotation) and text.arrow_patch]
    return [(round(float(note.xy[0]), 3), round(float(note.xy[1]), 3)) for note in notes]


def rows_of(axes: Axes) -> list[str]:
    """Return the names of the rows, from top to bottom."""
    return [label.get_text() for label in axes.get_yticklabels()]


def texts_of(axes: Axes) -> list[str]:
    """Return what is written into AXES."""
    return [text.get_text() for text in axes.texts if text.get_text()]


def legend_of(figure: Figure) -> list[str]:
    """Return the names in the legend."""
    return [text.get_text() for legend in figure.legends for text in legend.get_texts()]


# Which -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("nts", [("values", ""), ("cv", ""), ("conditions", "nts")], id="groups with conditions"),
        pytest.param("single", [("values", "")], id="no CV* and no condition"),
        pytest.param("nothing", [], id="nothing"),
    ],
)
def test_only_pictures_that_apply_are_drawn(name: str, expected: list[tuple[str, str]]) -> None:
    assert kinds_of(getattr(made, name)()) == expected


def test_contrasts_are_drawn_if_somebody_asked_for_causes() -> None:
    assert ("contrasts", "") in kinds_of(made.nts(causes=True))


# Values ------------------------------------------------------------------------------------------------------


def test_each_measurand_has_a_panel_with_its_scale() -> None:
    figure = values(made.nts().groups)

    assert [axes.get_title("left") for axes in figure.axes] == ["BLEU", "SARI"]
    assert figure.axes[0].get_xlabel() == "points, scale 0 to 100, higher is better"


def test_originals_and_reproductions_have_marks_of_their_own() -> None:
    figure = values(made.nts().groups)

    assert [x for x, _ in marks_of(figure.axes[0], "D")] == [84.51]
    assert [x for x, _ in marks_of(figure.axes[0], "o")] == [84.2, 84.5, 87.46]
    assert legend_of(figure) == ["original", "reproduction", "mean", "± one s*"]


def test_a_bar_reaches_one_standard_deviation_to_both_sides_of_the_mean() -> None:
    found = made.repeated()
    (axes,) = values(found.groups).axes

    stdev = found.groups[0].precision.stdev
    assert stdev is not None
    assert marks_of(axes, "|") == [(84.3, 0.0)]
    assert strokes_of(axes) == [[(round(84.3 - stdev, 3), 0.0), (round(84.3 + stdev, 3), 0.0)]]


def test_values_of_a_shifted_scale_are_drawn_where_they_were_measured() -> None:
    ratings = [replace(made.BLEU, value=value, scale=Scale(1, 7), role="reproduction") for value in ("5", "6")]
    (axes,) = values(assess(ratings).groups).axes

    assert [x for x, _ in marks_of(axes, "o")] == [5.0, 6.0]
    assert marks_of(axes, "|") == [(5.5, 0.0)]


def test_equal_values_do_not_cover_each_other() -> None:
    (axes,) = values(made.equal().groups).axes
    ((_, first),) = marks_of(axes, "D")
    ((_, second),) = marks_of(axes, "o")

    assert abs(first - second) > 0.2


def test_one_measurement_has_neither_mean_nor_bar() -> None:
    figure = values(made.single().groups)

    assert marks_of(figure.axes[0], "s") == [(0.5, 0.0)]
    assert len(figure.axes[0].lines) == 1
    assert legend_of(figure) == ["role not stated"]


# CV* ---------------------------------------------------------------------------------------------------------


def test_groups_are_sorted_by_cv_with_the_lowest_on_top() -> None:
    (axes,) = cv(made.many(3).groups[::-1]).axes

    assert rows_of(axes) == ["system 0, BLEU", "system 1, BLEU", "system 2, BLEU"]
    assert texts_of(axes)[0].startswith("0.992 %,  n = 2")
    assert all(before < after for (before, _), (after, _) in pairwise(marks_of(axes, "o")))


def test_an_interval_is_a_line_from_limit_to_limit() -> None:
    (axes,) = cv(made.nts().groups).axes

    assert strokes_of(axes)[0] == [(1.021, 0.0), (6.727, 0.0)]


def test_a_limit_beyond_the_frame_is_an_arrow_and_said_to_be() -> None:
    found = made.nts()
    (axes,) = cv(found.groups).axes
    drawing = next(one for one in drawings(found) if one.kind == "cv")

    assert arrows_of(axes) == [(round(axes.get_xlim()[1], 3), 1.0)]
    assert "∞" not in texts_of(axes)
    assert drawing.sentences[-1] == (
        "An arrow without the sign ∞ leads to a limit beyond the frame, which the table holds."
    )


def test_an_unbounded_interval_ends_in_an_arrow_and_is_said_to() -> None:
    found = made.few()
    (axes,) = cv(found.groups).axes
    drawing = next(one for one in drawings(found) if one.kind == "cv")

    end = axes.get_xlim()[1]
    assert arrows_of(axes) == [(round(end, 3), 0.0)]
    assert "∞" in texts_of(axes)
    assert "1 group has no upper limit: the line ends in an arrow and the sign ∞." in drawing.sentences


def test_a_limit_up_to_3_times_the_largest_cv_is_inside_the_frame() -> None:
    found = assess([made.measured(value, "Nisioi") for value in ("80", "84", "86", "91", "95")])
    interval = found.groups[0].precision.cv_ci
    assert interval is not None
    assert interval.high is not None
    (axes,) = cv(found.groups).axes

    assert 2.5 < interval.high / (found.groups[0].cv or 1.0) < 3
    assert arrows_of(axes) == []
    assert axes.get_xlim()[1] == pytest.approx(1.04 * interval.high)


def test_an_arrow_is_no_mark_of_a_series() -> None:
    (axes,) = cv(made.few().groups).axes

    assert {line.get_marker() for line in axes.lines} == {"o", "None"}


def test_a_bounded_interval_has_no_sign_of_an_unbounded_one() -> None:
    (axes,) = cv(made.repeated().groups).axes

    assert "∞" not in texts_of(axes)


def test_equal_values_have_a_cv_at_0_without_an_interval() -> None:
    (axes,) = cv(made.equal().groups).axes

    assert marks_of(axes, "o") == [(0.0, 0.0)]
    assert strokes_of(axes) == []


def test_repeatability_is_an_open_mark() -> None:
    figure = cv(made.repeated().groups)

    assert [line.get_markerfacecolor() for line in figure.axes[0].lines if line.get_marker() == "o"] == ["white"]
    assert legend_of(figure) == ["repeatability R⁰", "reproducibility R"]


def test_studies_are_told_apart_by_colour_and_mark() -> None:
    groups = [made.measured("1", "x"), made.measured("2", "y")]
    both = assess([replace(one, study=study, object=study) for study in ("a", "b") for one in groups])
    figure = cv(both.groups)

    assert legend_of(figure) == ["a", "b"]
    assert len(marks_of(figure.axes[0], "o")) == len(marks_of(figure.axes[0], "^")) == 1


def test_an_even_scale_of_cv_is_not_called_logarithmic() -> None:
    (axes,) = cv(made.nts().groups).axes

    assert (axes.get_xscale(), axes.get_xlabel()) == ("linear", "CV* in percent")


def test_a_wide_range_of_cv_is_drawn_on_a_logarithmic_scale_without_formulas() -> None:
    measured = {"narrow": ("50.00", "50.01"), "wide": ("30", "60")}
    found = assess(
        [
            replace(made.BLEU, object=name, value=value, source=value)
            for name, both in measured.items()
            for value in both
        ]
    )
    (axes,) = cv(found.groups).axes

    assert axes.get_xscale() == "log"
    assert axes.get_xlabel() == "CV* in percent, logarithmic"
    assert axes.xaxis.get_major_formatter()(10.0, 0) == "10"


# Many --------------------------------------------------------------------------------------------------------


def test_of_many_groups_the_lowest_and_the_highest_are_shown_and_said_to_be() -> None:
    found = made.many(50)
    drawn = {one.kind: one for one in drawings(found)}
    names = rows_of(drawn["cv"].figure.axes[0])

    expected = [*range(20), *range(30, 50)]
    assert names == [f"system {place}, BLEU" for place in expected]
    said = "Of 50 groups, the 20 with the lowest and the 20 with the highest CV* are shown."
    assert drawn["values"].sentences[-1] == said
    assert drawn["cv"].sentences[-1] == f"{said} All others belong where the dotted line is."


def test_as_many_groups_as_can_be_read_are_all_shown() -> None:
    groups = made.many(MOST_GROUPS).groups

    assert chosen(groups) == list(groups)


# Conditions --------------------------------------------------------------------------------------------------


def test_a_grid_has_the_conditions_of_the_paper_in_its_order_and_then_all_others() -> None:
    (grid,) = grids(made.nts())

    assert grid.columns == ("Code by", "Comp./trained by", "Implemented by", "Performed by", "seed")
    assert grid.stages == (
        ("Object conditions", 2),
        ("Measurement method conditions", 1),
        ("Measurement procedure conditions", 1),
        ("Further conditions", 1),
    )


def test_equal_values_of_a_condition_have_the_same_colour() -> None:
    (grid,) = grids(made.nts())
    bleu, sari = grid.blocks

    trained = [line.cells[1].colour for line in bleu.lines]
    assert trained == [0, 0, 1, 0]
    assert [line.cells[1].colour for line in sari.lines] == trained
    assert [line.cells[3].colour for line in bleu.lines] == [0, 1, 1, 2]


def test_what_nobody_knows_or_has_said_has_no_colour() -> None:
    (grid,) = grids(made.nts())

    seeds = [line.cells[4] for line in grid.blocks[0].lines]
    assert [(cell.text, cell.colour) for cell in seeds] == [(NONE, None), (NONE, None), ("?", None), (NONE, None)]


def test_no_two_values_share_a_colour_when_there_are_more_values_than_colours() -> None:
    (grid,) = grids(assess([made.measured("80", f"team {place}") for place in range(MOST_COLOURS + 2)]))

    colours = [line.cells[3].colour for line in grid.blocks[0].lines]
    assert colours == [*range(MOST_COLOURS), None, None]


def test_a_study_without_conditions_has_no_grid() -> None:
    assert grids(made.single()) == []


def test_a_grid_is_drawn_with_text_in_each_coloured_cell() -> None:
    (grid,) = grids(made.nts())
    (axes,) = conditions(grid).axes

    cells = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    assert len(cells) == 8 * 5
    assert {"84.51", "2.079", "SacreBLEU", "?", "Performed by"} <= {*texts_of(axes)}


def test_a_large_grid_is_parted_between_groups() -> None:
    (grid,) = grids(made.many(5))

    assert [part.rows for part in pages(grid, 4)] == [4, 4, 2]
    assert [part.rows for part in pages(grid, 1)] == [1] * 10
    assert pages(grid, 100) == [grid]


# Contrasts ---------------------------------------------------------------------------------------------------


def test_contrasts_are_points_beside_the_cv_of_all() -> None:
    found = made.nts(causes=True)
    (axes,) = contrasts(found.groups[:1]).axes

    causes = found.groups[0].causes
    assert causes is not None
    pairs = [round(one.cv, 3) for by_class in causes.contrasts.by_class for one in by_class.listed]
    assert [x for x, _ in marks_of(axes, "o")] == pairs
    assert strokes_of(axes)[0][0][0] == 2.079
    assert texts_of(axes)[0] == "NTS_def, BLEU"


def contrasted(*names: str) -> QuantifiedAssessment:
    """Return an assessment of two measurements in which the conditions of these NAMES change together."""
    values = {"50": "x", "52": "y"}
    conditions = {value: dict.fromkeys(names, stated) for value, stated in values.items()}
    return assess([replace(made.BLEU, value=value, conditions=conditions[value]) for value in values], causes=True)


SEVEN = ("code_by", "comp_trained_by", "method", "implemented_by", "procedure", "test_set", "performed_by")


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        pytest.param(SEVEN[5:], "Test set + Performed by", id="one line"),
        pytest.param(
            SEVEN,
            "Code by + Comp./trained by + Method + Implemented by +\nProcedure + Test set + Performed by",
            id="two",
        ),
    ],
)
def test_conditions_that_change_together_are_all_named_in_at_most_two_lines(
    names: tuple[str, ...], expected: str
) -> None:
    (axes,) = contrasts(contrasted(*names).groups).axes

    assert rows_of(axes) == ["", expected]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        pytest.param(("seed",), "in one condition alone.", id="one condition"),
        pytest.param(
            ("seed", "gpu"),
            "in one condition alone, or in several that always change together: + joins their names, for the values "
            "cannot tell which of them matters.",
            id="two that change together",
        ),
    ],
)
def test_contrasts_say_whether_a_row_may_be_several_conditions(names: tuple[str, ...], expected: str) -> None:
    (drawing,) = [one for one in drawings(contrasted(*names)) if one.kind == "contrasts"]

    assert drawing.sentences[0] == f"Each point is a pair of measurements that differ {expected}"


# Always ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_the_same_assessment_gives_the_same_bytes(form: str) -> None:
    first, second = ([picture(one.figure, form) for one in drawings(made.nts())] for _ in range(2))

    assert first == second


def test_hostile_names_are_text_and_short_enough() -> None:
    for drawing in drawings(made.hostile()):
        shown: list[Any] = [text.get_text() for axes in drawing.figure.axes for text in axes.texts]
        shown += [name for axes in drawing.figure.axes for name in rows_of(axes)]
        assert all(len(line) <= 80 for text in shown for line in text.split("\n"))
        assert not any(character in text for text in shown for character in "\x1b\u202e\udcff")
        assert picture(drawing.figure, "svg").count(b"<script") == 0


def test_no_text_of_a_row_leaves_the_picture() -> None:
    figure = cv(made.nts().groups)
    edge = figure.bbox.x1

    assert all(text.get_window_extent().x1 <= edge for text in figure.axes[0].texts)
