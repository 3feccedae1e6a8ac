"""Does the page about an assessment say all there is to say, and is it deaf to hostile names?"""

from dataclasses import replace

import pytest

from primad.reports._html import inline_svg
from primad.reports.assessment.figures import drawings
from primad.reports.assessment.page import render_page
from primad.reproducibility.assessment.result import Assessment
from tests.reports import assessments as made
from tests.reports.outline import after
from tests.reports.outline import assessment_outline as read


def page_of(assessment: Assessment) -> str:
    """Return the page with all figures."""
    return render_page(assessment, list(drawings(assessment)))


# Form --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_figures_are_described_for_people_who_do_not_see_them() -> None:
    outline = read("table2")

    assert [svg["role"] for svg in outline.all("svg")] == ["img"] * 3
    assert outline.said("desc")[0] == (
        "Each point is a reproduction: effect ratio to the right, delta relative improvement upwards."
    )


# Content -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_page_asks_and_answers_its_question() -> None:
    outline = read("table2")

    assert outline.said("h1") == ["How well were WCrobust04 and WCrobust0405 reproduced?"]
    assert outline.said("title")[0] == "How well were WCrobust04 and WCrobust0405 reproduced?"
    assert outline.said("p")[0].startswith("BFFMSSS kept 105 % of the improvement in map")


def test_the_page_has_all_values_with_intervals_answers_and_reasons() -> None:
    outline = read("table2")

    assert {"0.3711", "0.3612", "0.5747", "1.0514", "-0.0123", "0.8267", "2.5000"} <= set(outline.said("td"))
    assert {"[0.8700, 1.2600]", "[0.5000, ∞]"} <= set(outline.said("small"))
    assert outline.said("abbr")[-1] == "="
    assert "(1) no rankings were given" in outline.said("li")


def test_answers_stand_in_the_order_of_levels_with_what_they_rest_on() -> None:
    outline = read("table2")

    assert outline.said("strong") == ["? inconclusive", "≠ different", "= equivalent"]
    assert "the finding; these 50 topics could detect a value 0.04 outside." in outline.said("td")


@pytest.mark.slow
def test_the_blocks_of_values_and_answers_open_with_what_their_numbers_say() -> None:
    assert after(read("table2"), "Values")[0].startswith("BFFMSSS: mean map is 0.3612 for the baseline")
    assert after(read("table2"), "Was it reproduced?")[0].startswith("Of 3 answers about BFFMSSS: 1 equivalent")
    assert after(read("many", 7), "Values")[0].startswith("Mean map of the baseline lies between 0.3612 (rpl_1)")


def test_the_page_says_what_changed_field_by_field() -> None:
    outline = read("table2")
    cells = outline.said("td")
    place = cells.index("implementation.source.repository")

    assert cells[place : place + 3] == ["implementation.source.repository", "wumpus", "Anserini"]
    assert "method.indexing.stemmer" in outline.said("p")
    assert any(text.startswith("What changed is unknown: ") for text in outline.said("p"))


def test_the_page_names_the_sources_of_its_measures() -> None:
    outline = read("table2")

    assert "doi:10.1145/3397271.3401036" in outline.said("a")
    assert {"https://doi.org/10.1145/1852102.1852106"} <= {a["href"] for a in outline.all("a")}


def test_the_page_states_how_it_was_computed() -> None:
    outline = read("table2")
    facts = dict(zip(outline.said("dt")[-13:], outline.said("dd")[-13:], strict=True))

    assert facts["Effectiveness measures"] == "map"
    assert facts["Correction of claims of a difference"] == "holm"
    assert facts["Margins"].startswith("Margin of effectiveness: a reason.")
    assert facts["Judgments"] == "core17.qrels"


def test_remarks_name_the_reproduction_that_they_are_about() -> None:
    assert {"map: no interval scale", "BFFMSSS: 1 of 3 topics only in GC"} <= set(read("table2").said("li"))


def test_a_page_about_nothing_says_why() -> None:
    outline = read("problem_only")

    assert outline.said("p")[0] == "Nothing can be said about broken: broken.run: no such file"
    assert outline.all("svg") == []
    assert outline.all("table") == []


def test_a_figure_that_does_not_apply_is_not_mentioned() -> None:
    headings = read("other_collection").said("h2")

    assert "Overall effects" in headings
    assert not any("topic" in heading or "depth" in heading or "parameter" in heading for heading in headings)


@pytest.mark.slow
def test_many_reproductions_are_rows_and_what_changed_in_all_is_said_once() -> None:
    outline = read("many", 7)

    assert [text for text in outline.said("th") if text.startswith("rpl_")] == [f"rpl_{n}" for n in range(1, 8)]
    assert outline.said("td").count("wumpus") == 1
    assert "rpl_1, rpl_2, rpl_3, rpl_4, rpl_5, rpl_6, rpl_7" in outline.said("h3")


def test_a_sweep_is_a_figure_and_a_table() -> None:
    outline = read("sweep")

    assert outline.said("h2")[:2] == ["map along the parameter", "Runs along the parameter"]
    assert outline.said("td")[:4] == ["0.1", "0.3000", "0.0000", "1.0000"]


def test_a_sweep_alone_is_called_so_and_opens_with_its_highest_points() -> None:
    outline = read("sweep")

    assert outline.said("h1") == ["Parameter sweep of method.retrieval[1].weight"]
    assert outline.said("title")[0] == "Parameter sweep of method.retrieval[1].weight"
    assert outline.said("p")[0] == "04 → 17: mean map is highest at 0.6 (0.3400), RMSE is at most 0.1200."


@pytest.mark.parametrize(
    ("name", "tag", "expected"),
    [
        pytest.param("w0.6", "w1", "Parameter sweep of method.retrieval[1].weight", id="the runs of a line"),
        pytest.param("YXL", "w1", "How well was w1 reproduced?", id="another reproduction"),
        pytest.param("w0.6", "gc", "How well was gc reproduced?", id="another original"),
    ],
)
def test_a_sweep_beside_reproductions_does_not_take_their_heading(name: str, tag: str, expected: str) -> None:
    found = made.sweep()
    original = replace(found.original, runs={"baseline": replace(made.RUNS["baseline"], tag=tag)})
    both = replace(found, original=original, reproductions=(replace(made.yxl(), name=name),))

    assert f"<h1>{expected}</h1>" in render_page(both, [])


def test_a_long_value_of_a_record_is_cut() -> None:
    one = replace(made.bffmsss(), compared=made.changed("PRIMAd", value=["x" * 1000, 1]))

    text = render_page(replace(made.table2(), reproductions=(one,)), [])

    assert "x" * 299 + "…" in text
    assert "x" * 300 not in text


@pytest.mark.slow
def test_the_same_assessment_gives_the_same_page() -> None:
    assert page_of(made.sweep()) == page_of(made.sweep())


# Hostile names -----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_hostile_names_come_out_as_text() -> None:
    text = page_of(made.hostile())

    assert "<script" not in text
    assert "&lt;script&gt;alert(" in text
    assert not any(character in text for character in "\x1b\u202e\udcff")
    assert text.encode()


def test_hostile_names_are_seen_as_they_are() -> None:
    shown = "<script>alert('x')</script>&\"=cmd()$\\frac{1}{2}$%\\x1b[2J\\u202eevil\\udcff"

    assert f"How well was {shown} reproduced?" in read("hostile").said("h1")
    assert shown in read("hostile").said("th")


@pytest.mark.slow
def test_a_source_that_is_no_doi_is_no_link() -> None:
    assert all(a["href"].startswith(("#", "https://doi.org/")) for a in read("hostile").all("a"))


# Inline pictures ---------------------------------------------------------------------------------------------


def test_an_inline_picture_has_identifiers_of_its_own_and_references_to_them() -> None:
    svg = b"""<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
        width="100pt" height="50pt"><metadata>x</metadata><style>*{}</style><g id="a" clip-path="url(#b)">
        <use xlink:href="#c"/></g></svg>"""

    text = inline_svg(svg, "f1", "A <title>", "What is seen")

    assert '<g id="f1-a" clip-path="url(#f1-b)">' in text
    assert '<use href="#f1-c" />' in text
    assert '<title id="f1-title">A &lt;title&gt;</title><desc id="f1-description">What is seen</desc>' in text
    assert not any(word in text for word in ("metadata", "<style", "<?xml", "height="))


def test_an_inline_picture_tells_the_style_sheet_how_wide_it_is_drawn() -> None:
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" width="331.2pt" height="50pt"/>'

    assert 'font-size="331.2px"' in inline_svg(svg, "f1", "", "")
    assert "min-width: .95em; max-width: 1.6em;" in " ".join(read("table2").said("style"))


def test_the_look_of_an_inline_picture_is_in_attributes_of_its_elements() -> None:
    svg = b"""<svg xmlns="http://www.w3.org/2000/svg" width="9pt" height="9pt"><text
        style="font-size: 8px; font-family: 'A; b', serif; fill: #fff;" fill="red">x</text>
        <path style="clip-path: url(#c);stroke-dasharray: 1.5,2"/></svg>"""

    text = inline_svg(svg, "f1", "", "")

    assert """<text fill="#fff" font-size="8px" font-family="'A; b', serif">x</text>""" in text
    assert '<path clip-path="url(#f1-c)" stroke-dasharray="1.5,2" />' in text
    assert "style" not in text
