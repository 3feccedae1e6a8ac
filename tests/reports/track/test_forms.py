"""Does each form of the report of a track hold what the tables say, and no trap that a name sets?"""

import csv
import io
import json
import re
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from primad.reports._tables import NONE
from primad.reports.track.facts import Funnel, MachineRow, TrackReport
from primad.reports.track.latex import track_latex
from primad.reports.track.page import track_page
from primad.reports.track.pictures import drawings
from primad.reports.track.text import track_text
from primad.reports.track.values import track_csv, track_json
from tests.reports.outline import Outline, outlined
from tests.reports.track.examples import TRAP, empty, full, hostile, namesakes

every = pytest.mark.parametrize("report", [full(), empty(), hostile()], ids=["full", "empty", "hostile"])


def page(report: TrackReport) -> Outline:
    """Return the outline of the page about REPORT."""
    return outlined(track_page(report, list(drawings(report)), ["svg"]))


# Terminal --------------------------------------------------------------------------------------------------------


@every
@pytest.mark.parametrize("width", [60, 100, None])
def test_text_fits_the_terminal_and_does_not_steer_it(report: TrackReport, width: int | None) -> None:
    text = track_text(report, width)

    assert re.findall("[\x00-\x09\x0b-\x1f\x7f\u202e]", text) == []
    words = max(map(len, text.split()))
    assert width is None or max(map(len, text.splitlines())) <= max(width, words)


def test_text_has_sentences_below_the_table_once_for_all_rows_that_they_are_about() -> None:
    text = track_text(full(), 100)

    assert "Q1, Q10: Share of yes.\n" in text
    assert "attempt 2: gcc is missing. Level 1: its authors say so.\n" in text


def test_text_lists_comments_below_their_question() -> None:
    text = track_text(full(), 100)

    assert "Q9\n- Words, Ann, user: Add an example.\n" in text
    assert "Words\n- List what is needed. Because Q1 has 33%.\n" in text


def test_text_of_nothing_is_sentences() -> None:
    text = track_text(empty(), 100)

    assert "- No attempts are recorded.\n" in text
    assert "─" not in text


# Page ------------------------------------------------------------------------------------------------------------


@every
def test_the_page_is_well_formed_and_loads_nothing(report: TrackReport) -> None:
    outline = page(report)

    assert (outline.faults, outline.open) == ([], [])
    loading = {"script", "link", "img", "iframe", "object", "embed", "base", "form"}
    assert loading.isdisjoint(tag for tag, _ in outline.elements)
    assert [key for _, found in outline.elements for key in found if key.startswith("on") or key == "src"] == []
    assert [meta["content"] for meta in outline.all("meta") if "http-equiv" in meta] == [
        "default-src 'none'; style-src 'unsafe-inline'"
    ]


@every
def test_the_page_is_open_to_all_readers(report: TrackReport) -> None:
    outline = page(report)
    identifiers = Counter(found["id"] for _, found in outline.elements if "id" in found)
    labels = {name for _, found in outline.elements for name in found.get("aria-labelledby", "").split()}

    assert [name for name, number in identifiers.items() if number > 1] == []
    assert labels <= set(identifiers)
    assert len(outline.all("table")) == len(outline.all("caption"))
    assert [heading for heading in outline.all("th") if "scope" not in heading] == []


def test_the_page_shows_tables_pictures_and_comments() -> None:
    outline = page(full())

    titles = outline.said("h2")
    assert titles[:3] == ["Who took part", "Systems", "Submissions"]
    assert {"Human time and run time by system", "Replicated beside submitted scores", "Remarks"} <= set(titles)
    assert len(outline.all("svg")) == 2
    assert "Q1 Needs easy to see? Why?" in outline.said("h3")
    assert "Which version?" in outline.said("li")


def test_what_a_track_is_about_reads_as_paragraphs() -> None:
    outline = page(replace(full(), about="Two lines\nof one paragraph.\n\nAnother."))

    assert {"Two lines of one paragraph.", "Another."} <= set(outline.said("p"))


def test_the_page_has_the_sentences_of_a_wide_table_below_it() -> None:
    outline = page(full())

    assert "In words" not in outline.said("th")
    assert "attempt 3: The difference is more than chance." in outline.said("li")
    assert "attempt 2: gcc is missing. Level 1: its authors say so." in outline.said("li")


def test_the_page_has_no_column_in_which_nothing_is_said() -> None:
    silent, said = (page(replace(empty(), funnel=(Funnel("teams", 3, note),))) for note in ("", "one more came late"))

    assert silent.said("th") == ["Step", "Count", "teams"]
    assert said.said("th") == ["Step", "Count", "Remark", "teams"]


def test_every_table_of_the_page_scrolls_where_it_is_too_wide() -> None:
    outline = page(full())

    regions = [found for tag, found in outline.elements if tag == "div" and found.get("class") == "scroll"]
    assert len(regions) == len(outline.all("table"))
    assert {found["tabindex"] for found in regions} == {"0"}


def test_the_page_of_nothing_has_no_table() -> None:
    outline = page(empty())

    assert outline.all("table") == []
    assert "No verdicts are recorded." in outline.said("li")


def test_a_trap_is_shown_as_text() -> None:
    outline = page(hostile())

    assert TRAP[: len("<script>alert(1)</script>")] in " ".join(outline.said("th"))


# LaTeX -----------------------------------------------------------------------------------------------------------


def test_latex_has_booktabs_tables_with_caption_label_and_notes() -> None:
    text = track_latex(full())

    assert "\\caption{Time in minutes that analysts spent, and that runs took.}\n\\label{tab:track-times}" in text
    assert "Words & User & 12 & 4.2 & 2 & 1 \\\\\n" in text
    assert "Configuration & Q1({*}) Needs easy to see? & 50\\% & 33\\% & 2 & yes or no & Share of yes. \\\\\n" in text
    assert "\\par\\smallskip{\\footnotesize Means over analysts." in text


def test_latex_writes_negative_numbers_with_a_minus_and_words_with_a_hyphen() -> None:
    text = track_latex(full())

    assert " & 0.7800 & $-$0.0200 & {[}$-$0.0350, $-$0.0050{]} & 0.030 & " in text
    assert " & 5-point scale & " in text


@every
def test_latex_opens_and_closes_everything(report: TrackReport) -> None:
    text = track_latex(report)

    for kind in ("table", "tabular"):
        assert text.count(f"\\begin{{{kind}}}") == text.count(f"\\end{{{kind}}}")
    without = re.sub(r"\\[{}]", "", text)
    assert without.count("{") == without.count("}")
    assert "\\input" not in text
    widths = re.findall(r"\\begin\{tabular\}\{((?:[lr]|p\{\dcm\})*)\}\n\\toprule\n(.*)", text)
    assert len(widths) == text.count(r"\begin{tabular}")
    assert [len(re.sub(r"\{\dcm\}", "", columns)) for columns, _ in widths] == [
        heading.count(" & ") + 1 for _, heading in widths
    ]


def test_latex_names_the_tables_that_are_left_out() -> None:
    assert "% no table 'attempts': No attempts are recorded.\n" in track_latex(empty())


# Values ----------------------------------------------------------------------------------------------------------


def test_json_has_every_value_and_the_name_of_its_form() -> None:
    content = json.loads(track_json(full()))

    assert content["schema"] == "primad.track-report/1"
    assert content["verdicts"][1]["difference"] == -0.02
    assert content["questions"][0]["by_system"] == {"red/words": {"share": 0.5, "n": 2}}
    assert content["times"][1]["run"] is None
    assert content["made_at"] == "2026-05-04T12:30:00+00:00"


def test_csv_has_a_table_for_each_kind_of_row_with_values_as_they_are() -> None:
    tables = {name: list(csv.DictReader(io.StringIO(text))) for name, text in track_csv(full()).items()}

    assert tables["times"][1]["human"] == "0.04"
    assert tables["times"][1]["run"] == ""
    assert tables["questions"][0]["score_share"] == "0.5"
    assert tables["machines"][1]["fact_graphics"] == "none"
    assert tables["systems"][0]["eligible"] == "yes"
    assert tables["precision"][0]["differing"] == "machine"


def test_scores_as_csv_say_what_each_is_a_share_of() -> None:
    rows = list(csv.DictReader(io.StringIO(track_csv(full())["scores"])))

    assert rows[1] == {
        "question": "Q2",
        "sheet": "",
        "submission": "red/words",
        "system": "Words",
        "share": "0.8",
        "n": "2",
        "scale": "5-point scale",
        "better": "",
        "rule": "Mean over 5.",
    }


def test_scores_of_systems_with_one_title_stay_apart_in_csv() -> None:
    rows = list(csv.DictReader(io.StringIO(track_csv(namesakes())["scores"])))

    assert [(row["submission"], row["system"], row["share"]) for row in rows] == [
        ("red/base", "Baseline (red/base)", "1.0"),
        ("blue/base", "Baseline (blue/base)", "0.0"),
    ]


def test_a_fact_about_a_machine_takes_the_place_of_no_column() -> None:
    facts = {"role": "server", "machine": "x86_64", "analyst": "nobody"}
    machine = MachineRow("Ann", "user", "laptop", facts)

    (row,) = csv.DictReader(io.StringIO(track_csv(replace(full(), machines=(machine,)))["machines"]))

    assert row == {
        "analyst": "Ann",
        "role": "user",
        "machine": "laptop",
        "fact_role": "server",
        "fact_machine": "x86_64",
        "fact_analyst": "nobody",
    }


def test_csv_of_nothing_is_no_table() -> None:
    assert track_csv(empty()) == {}


def test_a_spreadsheet_computes_no_name() -> None:
    rows = list(csv.reader(io.StringIO(track_csv(hostile())["funnel"])))
    formulas = [cell for row in rows for cell in row if cell.startswith(("=", "+", "-", "@"))]

    assert formulas == []


# Pictures --------------------------------------------------------------------------------------------------------


def test_pictures_are_described_for_people_who_do_not_see_them() -> None:
    times, differences = drawings(full())

    assert times.description == (f"Minutes. Words, user: human 12, run 4.2; Words, developer: human <0.1, run {NONE}.")
    assert differences.description == "Words, attempt 1: 0.0000; Words, attempt 3: -0.0200."


def test_a_difference_that_is_hardly_any_is_not_described_as_none() -> None:
    slight = replace(full().verdicts[0], difference=-3e-7)

    _, differences = drawings(replace(full(), verdicts=(slight,)))

    assert differences.description == "Words, attempt 1: -3.00e-7."


def test_each_of_two_systems_with_one_title_has_a_bar_of_its_own() -> None:
    (times,) = drawings(namesakes())

    assert [_lengths(axes) for axes in times.figure.axes] == [[10.0, 90.0], [1.0, 9.0]]


def test_bars_are_as_long_as_the_minutes() -> None:
    times, _ = drawings(full())

    assert [_lengths(axes) for axes in times.figure.axes] == [[0.04, 12.0], [4.25]]


def _lengths(axes: Axes) -> list[float]:
    """Return how long the bars of AXES are."""
    return sorted(bar.get_width() for bar in axes.patches if isinstance(bar, Rectangle))


def test_differences_lie_at_their_values_with_their_intervals() -> None:
    _, differences = drawings(full())

    lines = [np.asarray(line.get_xdata()).tolist() for line in differences.figure.axes[0].lines]
    assert lines == [[0.0, 0.0], [0.0], [-0.035, -0.005], [-0.02]]


def test_nothing_is_drawn_of_nothing() -> None:
    assert list(drawings(empty())) == []
