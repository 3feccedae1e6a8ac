"""Is a report as a part of another page the same report, without what belongs to a page?"""

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

import pytest
from markupsafe import Markup

from primad.reports.assessment import figures, page
from primad.reports.qra import figures as qra_figures
from primad.reports.qra import page as qra_page
from primad.reports.track import page as track_pages
from primad.reports.track.facts import TrackReport
from primad.reports.track.pictures import drawings as track_drawings
from tests.reports import assessments, quantified
from tests.reports.outline import ASSESSED, QUANTIFIED, outlined
from tests.reports.track import examples

pytestmark = pytest.mark.slow

Render = Callable[..., str]
BESIDE = "Download all files of this report."


@cache
def assessed(name: str, *arguments: Any) -> tuple[Render, Render]:
    """Return what renders the page and the fragment about an example."""
    found = getattr(assessments, name)(*arguments)
    drawn = list(figures.drawings(found))
    return partial(page.render_page, found, drawn), partial(page.render_fragment, found, drawn)


@cache
def measured(name: str, *arguments: Any) -> tuple[Render, Render]:
    """Return what renders the page and the fragment about an example."""
    found = getattr(quantified, name)(*arguments)
    drawn = list(qra_figures.drawings(found))
    return partial(qra_page.render_page, found, drawn), partial(qra_page.render_fragment, found, drawn)


@cache
def tracked(name: str) -> tuple[Render, Render]:
    """Return what renders the page and the fragment about an example."""
    report: TrackReport = getattr(examples, name)()
    drawn = list(track_drawings(report))
    return partial(track_pages.track_page, report, drawn), partial(track_pages.track_fragment, report, drawn)


def every(cases: Sequence[tuple[Any, ...]], make: Callable[..., tuple[Render, Render]]) -> list[Any]:
    """Return the CASES with what makes both forms of each."""
    return [pytest.param(partial(make, *case), id=f"{make.__name__} {case[0]}") for case in cases]


each = pytest.mark.parametrize(
    "make",
    [
        *every(ASSESSED, assessed),
        *every(QUANTIFIED, measured),
        *every([("full",), ("empty",), ("hostile",)], tracked),
    ],
)


@each
def test_a_fragment_has_the_contents_of_the_page_and_none_of_its_frame(
    make: Callable[[], tuple[Render, Render]],
) -> None:
    render_page, render_fragment = make()
    main = render_page().split("<main>\n")[1].split("</main>")[0]
    fragment = render_fragment(beside=BESIDE)

    assert main.replace("files beside this page", "files of this report") in fragment
    outline = outlined(fragment)
    assert (outline.faults, outline.open) == ([], [])
    assert outline.elements[0] == ("article", {"class": "report"})
    assert {tag for tag, _ in outline.elements} & {"html", "head", "body", "main", "meta", "style", "script"} == set()
    assert len(outline.all("h1")) == 1
    assert [tag for tag, attributes in outline.elements if "style" in attributes] == []


@each
def test_a_fragment_opens_with_the_question_and_the_answer_of_the_page(
    make: Callable[[], tuple[Render, Render]],
) -> None:
    render_page, render_fragment = make()
    opening = render_page().split('<body class="report">\n')[1].split("<main>")[0]

    assert render_fragment().startswith(f'<article class="report">\n{opening}')


@each
def test_a_fragment_speaks_of_files_only_where_it_is_told_that_there_are_any(
    make: Callable[[], tuple[Render, Render]],
) -> None:
    _, render_fragment = make()

    assert "beside this page" not in render_fragment()
    assert "files of this report" not in render_fragment()
    assert outlined(render_fragment(beside=BESIDE)).said("p")[-1].endswith(f". {BESIDE}")


def test_what_a_fragment_leaves_out_is_said_with_and_without_files_that_hold_it() -> None:
    _, render_fragment = assessed("many", 7)

    assert "The files of this report hold all others, with their intervals." in render_fragment(beside=BESIDE)
    assert "hold all others" not in render_fragment()


def test_the_sentence_on_files_is_text_unless_it_is_markup_of_ours() -> None:
    report = examples.empty()

    assert "&lt;b&gt;" in track_pages.track_fragment(report, beside="<b>")
    assert '<a href="zip">' in track_pages.track_fragment(report, beside=Markup('<a href="zip">all</a>'))
