"""Do the style sheets of reports and charts touch nothing but reports and charts, alone and in a page of the site?"""

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest

from primad.reports.assessment.page import render_page
from primad.reports.index import write_index
from primad.reports.qra.page import render_page as render_qra
from primad.reports.track.page import track_page
from tests.reports import assessments, quantified
from tests.reports.track import examples

STYLES = {path.name: path.read_text() for path in files("primad.reports").joinpath("templates", "styles").iterdir()}
each = pytest.mark.parametrize("name", sorted(STYLES))


def rules(css: str) -> Iterator[tuple[str, str]]:
    """Yield each selector with its declarations, inside of conditions such as @media too."""
    plain = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    for selectors, declarations in re.findall(r"([^{}]+)\{([^{}]*)\}", plain):
        for selector in selectors.split(","):
            yield selector.strip(), declarations


def test_there_is_a_sheet_for_each_kind_of_page() -> None:
    assert sorted(STYLES) == ["assessment.css", "charts.css", "index.css", "qra.css", "report.css", "track.css"]


@each
def test_outside_of_reports_and_charts_a_sheet_sets_nothing_but_names_of_colours(name: str) -> None:
    ours = re.compile(r"(figure)?\.chart\b.*" if name == "charts.css" else r"(html:has\(> )?(body)?\.report\b.*")
    found = list(rules(STYLES[name]))
    outside = [(selector, text) for selector, text in found if not ours.fullmatch(selector)]

    assert len(found) > len(outside)
    assert {selector for selector, _ in outside} <= {":root"}
    named = [one.strip() for _, text in outside for one in text.split(";") if one.strip()]
    assert [one for one in named if not one.startswith("--")] == []


@each
def test_a_sheet_loads_nothing_and_has_as_many_ends_as_beginnings(name: str) -> None:
    css = STYLES[name]

    assert not re.search(r"@import|url\(|@font-face|expression\(", css)
    assert css.count("{") == css.count("}") > 0
    assert "{{" not in css
    assert "{%" not in css


@each
def test_a_name_of_a_colour_that_a_sheet_uses_is_known(name: str) -> None:
    known = set(re.findall(r"(--[a-z]+):", STYLES["report.css"] + STYLES[name]))

    assert set(re.findall(r"var\((--[a-z]+)", STYLES[name])) <= known


def test_a_page_of_its_own_brings_its_sheets_whole_and_no_other(tmp_path: Path) -> None:
    index = write_index(tmp_path, title="t", lead=["l"], sections=[])
    pages = {
        "assessment.css": render_page(assessments.problem_only(), []),
        "qra.css": render_qra(quantified.nothing(), []),
        "track.css": track_page(examples.empty()),
        "index.css": index.read_text(),
    }

    for name, text in pages.items():
        within = text.split("<style>\n")[1].split("</style>")[0]
        assert within.strip() == f"{STYLES['report.css']}{STYLES[name]}".strip()
