"""Do lists of runs fit the terminal, and does the figure of progress show what it is drawn from?"""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import combinations
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Annotation

from primad.errors import UsageError
from primad.reports._drawing import FORMS
from primad.reports.archive_figure import Mark, progress_figure, written
from primad.reports.lists import counts, facts, fitted, json_document

HEADING = ["address", "tag", "team", "map"]
LONG = "anserini__2019-06-28__bm25.rm3.with.a.very.long.tag.that.nobody.reads.to.its.end"


@dataclass(frozen=True)
class Thing:
    name: str
    at: datetime
    parts: tuple["Thing", ...] = ()


# Tables ----------------------------------------------------------------------------------------------------------


def test_a_table_that_fits_shows_whole_names() -> None:
    rows = [HEADING, ["a2af8052d871", "bm25", "h2oloo", "0.2087"]]

    assert fitted(rows, 3, 80).splitlines() == [
        "address       tag   team       map",
        "────────────  ────  ──────  ──────",
        "a2af8052d871  bm25  h2oloo  0.2087",
    ]


def test_long_names_are_cut_in_the_middle_until_the_table_fits() -> None:
    rows = [HEADING, ["a2af8052d871", LONG, "h2oloo", "0.2087"]]

    table = fitted(rows, 3, 60).splitlines()

    assert max(map(len, table)) <= 60
    assert table[2] == f"a2af8052d871  {LONG[:13]}…{LONG[-14:]}  h2oloo  0.2087"


def test_a_table_that_never_fits_goes_on_below_with_the_names_again() -> None:
    measures = [f"measure_number_{place}" for place in range(6)]
    rows = [["address", "tag", *measures], ["a2af8052d871", "bm25", *["0.5000"] * 6]]

    table = fitted(rows, 2, 60)

    assert max(map(len, table.splitlines())) <= 60
    assert table.count("a2af8052d871  bm25") == 3
    assert [name for name in measures if table.count(name) != 1] == []


def test_names_cannot_steer_the_terminal() -> None:
    assert "\x1b" not in fitted([["tag"], ["bm25\x1b[2J"]], 1, 80)
    assert facts({"tag": "bm25\x1b[2J"}) == "tag  bm25\\x1b[2J\n"


def test_a_fact_that_is_too_long_goes_on_below_itself() -> None:
    assert (
        facts({"method": "bm25 + rm3 + monot5", "tag": "x"}, 20) == "method  bm25 + rm3 +\n        monot5\ntag     x\n"
    )


def test_a_value_that_no_run_states_is_counted_by_that_name() -> None:
    table = counts("team", [("h2oloo", 1234), ("", 2)], 80)

    assert [line.split("  ")[0] for line in table.splitlines()[2:]] == ["h2oloo", "(not stated)"]
    assert "1,234" in table


# JSON ------------------------------------------------------------------------------------------------------------


def test_a_document_for_programs_names_its_form_first_and_has_times_in_words() -> None:
    noon = datetime(2017, 3, 1, 12, tzinfo=UTC)

    text = json_document("primad.archive.thing/1", Thing("a", noon, (Thing("b", noon),)), good=True)

    assert text.startswith('{\n  "schema": "primad.archive.thing/1"')
    assert json.loads(text) == {
        "schema": "primad.archive.thing/1",
        "name": "a",
        "at": "2017-03-01T12:00:00+00:00",
        "parts": [{"name": "b", "at": "2017-03-01T12:00:00+00:00", "parts": []}],
        "good": True,
    }


# The figure ------------------------------------------------------------------------------------------------------

MARKS = [
    Mark(2005, 0.20, "first", is_baseline=True),
    Mark(2005, 0.15, "weak"),
    Mark(2007, 0.18, "later", is_baseline=True),
    Mark(2009, 0.25, "record"),
]
BEST = [(2005, 0.20), (2007, 0.20), (2009, 0.25)]


@pytest.fixture
def figure() -> Figure:
    drawn = progress_figure(MARKS, BEST, collection="Core17", measure="map")
    assert isinstance(drawn, Figure)
    return drawn


def series(axes: Axes) -> dict[str, list[list[float]]]:
    """Return the points of what is drawn, by its mark."""
    return {str(line.get_marker()): np.asarray(line.get_xydata()).tolist() for line in axes.lines}


def test_baselines_have_another_shape_than_other_runs(figure: Figure) -> None:
    drawn = series(figure.axes[0])

    assert drawn["o"] == [[2005, 0.15], [2009, 0.25]]
    assert drawn["^"] == [[2005, 0.20], [2007, 0.18]]


def test_the_line_holds_the_best_score_until_a_better_one_comes(figure: Figure) -> None:
    line = series(figure.axes[0])["None"]

    assert line == [[2005, 0.20], [2007, 0.20], [2007, 0.20], [2009, 0.20], [2009, 0.25], [2009.5, 0.25]]


def test_the_legend_says_what_shapes_and_line_mean(figure: Figure) -> None:
    assert [text.get_text() for text in figure.legends[0].get_texts()] == [
        "run",
        "baseline of other runs",
        "best so far",
    ]


def test_runs_that_were_the_best_when_they_came_are_named_and_no_name_covers_another(figure: Figure) -> None:
    names = [text for text in figure.axes[0].texts if isinstance(text, Annotation)]

    assert sorted(name.get_text() for name in names) == ["first", "record"]
    boxes = [name.get_window_extent() for name in names]
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))


def test_years_are_whole_numbers(figure: Figure) -> None:
    ticks = figure.axes[0].get_xticks()

    assert [tick for tick in ticks if tick != int(tick)] == []


@pytest.mark.parametrize("form", FORMS)
def test_the_same_scores_give_the_same_file(figure: Figure, form: str) -> None:
    again = progress_figure(MARKS, BEST, collection="Core17", measure="map")

    assert written(figure, f"progress.{form}") == written(again, f"progress.{form}")


def test_a_figure_is_of_the_form_that_its_name_says(figure: Figure) -> None:
    assert ET.fromstring(written(figure, "p.svg")).tag == "{http://www.w3.org/2000/svg}svg"  # noqa: S314 - ours
    assert written(figure, "p.PNG").startswith(b"\x89PNG")
    assert written(figure, "p.pdf").startswith(b"%PDF")


def test_a_figure_of_an_unknown_form_is_wrong_usage(figure: Figure) -> None:
    with pytest.raises(UsageError, match=r"expected a figure as \.svg, \.pdf or \.png, found 'p\.gif'"):
        written(figure, "p.gif")


def test_a_name_that_looks_like_a_formula_is_drawn_as_it_is() -> None:
    drawn = progress_figure([Mark(2005, 0.2, "$x^2$")], [(2005, 0.2)], collection="$", measure="map")

    assert b"$x^2$" in written(drawn, "p.svg")
