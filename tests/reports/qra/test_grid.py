"""Has a grid no more columns than can be looked at, those that tell something, and does it say what it leaves out?"""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from primad.qra.assess import assess
from primad.qra.conditions import PAPER
from primad.qra.result import QuantifiedAssessment
from primad.reports.folder import write_report
from primad.reports.qra._grid import MOST_COLUMNS, Grid, grids, pages
from primad.reports.qra._grid_figure import conditions
from primad.reports.qra.figures import drawings
from primad.reports.qra.page import render_page
from tests.reports import quantified as made
from tests.reports.outline import outlined

NAMES = [f"c{number:02}" for number in range(1, 31)]


def measured(first: dict[str, str], second: dict[str, str]) -> QuantifiedAssessment:
    """Return an assessment of two measurements under these conditions."""
    return assess(
        [replace(made.BLEU, value=value, conditions=stated) for value, stated in (("50", first), ("52", second))]
    )


def with_conditions(number: int, varying: set[str]) -> QuantifiedAssessment:
    """Return an assessment of two measurements with a NUMBER of conditions, of which those VARYING differ."""
    stated = dict.fromkeys(NAMES[:number], "same")
    return measured(stated, stated | dict.fromkeys(sorted(varying), "other"))


def grid_of(found: QuantifiedAssessment) -> Grid:
    """Return the only grid of what was FOUND."""
    (grid,) = grids(found)
    return grid


@pytest.mark.parametrize(
    ("number", "varying", "shown"),
    [
        pytest.param(16, {"c16"}, NAMES[:16], id="as many as there may be"),
        pytest.param(17, {"c17"}, [*NAMES[:15], "c17"], id="one more, and the last differs"),
        pytest.param(17, set(), NAMES[:16], id="one more, and none differs"),
        pytest.param(30, {"c20", "c05", "c30"}, [*NAMES[:14], "c20", "c30"], id="many, and few differ"),
        pytest.param(30, set(NAMES[10:26]), NAMES[10:26], id="as many differ as there may be"),
        pytest.param(30, set(NAMES[4:]), NAMES[4:20], id="more differ than there may be"),
    ],
)
def test_a_grid_has_at_most_16_columns_in_their_order_those_before_others_that_differ(
    number: int, varying: set[str], shown: list[str]
) -> None:
    grid = grid_of(with_conditions(number, varying))

    assert MOST_COLUMNS == 16
    assert list(grid.columns) == shown
    assert grid.left_out == number - len(shown)
    assert {len(line.cells) for block in grid.blocks for line in block.lines} == {len(shown)}
    second = grid.blocks[0].lines[1].cells
    assert [cell.text for cell in second] == ["other" if name in varying else "same" for name in shown]


@pytest.mark.parametrize("unknown", [pytest.param("?", id="nobody knows"), pytest.param("", id="not stated")])
def test_a_condition_of_which_one_value_is_known_does_not_differ(unknown: str) -> None:
    first = dict.fromkeys(NAMES[:17], "same")

    grid = grid_of(measured(first, first | {"c17": unknown}))

    assert list(grid.columns) == NAMES[:16]


def test_conditions_of_the_paper_stay_before_all_others_and_below_their_headings() -> None:
    stated = dict.fromkeys([*NAMES[:16], *(condition.name for condition in PAPER)], "same")

    grid = grid_of(measured(stated, stated | {"c16": "other", "performed_by": "other"}))

    assert list(grid.columns[:7]) == [condition.label for condition in PAPER]
    assert list(grid.columns[7:]) == [*NAMES[:8], "c16"]
    assert grid.stages[-1] == ("Further conditions", 9)
    assert sum(number for _, number in grid.stages) == 16
    assert [title for title, _ in grid.stages] == [
        "Object conditions",
        "Measurement method conditions",
        "Measurement procedure conditions",
        "Further conditions",
    ]


def test_groups_of_a_study_have_the_same_columns_and_each_study_has_its_own() -> None:
    stated = dict.fromkeys(NAMES[:17], "same")
    varied = replace(made.BLEU, value="50", conditions=stated)
    several = [
        varied,
        replace(varied, value="52"),
        replace(varied, object="other", conditions=stated | {"c17": "other"}),
        replace(varied, object="third", study="second", conditions={"c01": "x"}),
    ]

    first, second = grids(assess(several))

    assert list(first.columns) == [*NAMES[:15], "c17"]
    assert (list(second.columns), second.left_out, second.note) == (["c01"], 0, "")


# What is said of it --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "note"),
    [
        pytest.param(16, "", id="none"),
        pytest.param(
            17, "1 further condition is left out, first those with one value only; the JSON has all.", id="one"
        ),
        pytest.param(
            30, "14 further conditions are left out, first those with one value only; the JSON has all.", id="several"
        ),
    ],
)
def test_a_grid_its_parts_the_figure_and_the_page_say_how_many_conditions_are_left_out(number: int, note: str) -> None:
    found = with_conditions(number, {"c03"})

    grid = grid_of(found)
    (drawing,) = [one for one in drawings(found) if one.kind == "conditions"]
    (caption,) = [text for text in outlined(render_page(found, [])).said("caption") if "conditions of each" in text]

    assert grid.note == note
    assert {part.note for part in pages(grid, 1)} == {note}
    assert [sentence for sentence in drawing.sentences if "left out" in sentence] == [note] * bool(note)
    assert caption.endswith(f"the value of an original is bold{f'. {note}' if note else ''}")


def test_figure_and_page_have_the_columns_of_the_grid_and_no_others() -> None:
    found = with_conditions(30, {"c29"})
    shown = [*NAMES[:15], "c29"]

    (axes,) = conditions(grid_of(found)).axes
    page = outlined(render_page(found, []))

    assert [text.get_text() for text in axes.texts if text.get_text() in NAMES] == shown
    assert [text for text in page.said("th") if text in NAMES] == shown


def test_the_json_has_all_conditions_as_the_note_says(tmp_path: Path) -> None:
    write_report(with_conditions(30, {"c03"}), tmp_path / "report", pictures=())

    written = (tmp_path / "report" / "qra.json").read_text()
    assert set(NAMES) <= set(re.findall(r"c\d\d", json.dumps(json.loads(written)["groups"][0]["measurements"])))
