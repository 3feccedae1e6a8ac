"""Does the page that joins reports show all it is given, in the form of all pages, and obey no name?"""

from collections.abc import Callable
from pathlib import Path

import pytest

from primad.errors import UsageError
from primad.reports.index import Section
from tests.reports.assessment import test_page_form as form
from tests.reports.joined import HOSTILE, NAMES, PRECISION, RUNS, SHOWN, WORDS, filled, page_of, showing_table
from tests.reports.outline import Outline, after

PAGES = {
    "reports": [RUNS, PRECISION, WORDS],
    "two sections": [RUNS, PRECISION],
    "words": [WORDS],
    "hostile": [NAMES, NAMES, NAMES],
    "nothing": [],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with two reports."""
    return filled(tmp_path)


# Form --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize(
    "check",
    [
        form.test_a_page_is_well_formed,
        form.test_no_two_elements_share_an_identifier,
        form.test_every_reference_inside_the_page_leads_somewhere,
        form.test_a_page_has_its_own_colours_for_the_night_and_for_paper,
        form.test_tables_have_captions_and_headings_with_a_scope,
        form.test_tables_scroll_in_boxes_that_a_keyboard_reaches,
        form.test_each_section_opens_with_words,
    ],
    ids=lambda check: check.__name__,
)
def test_an_index_has_the_form_of_all_pages(
    check: Callable[[Callable[[], Outline]], None], name: str, folder: Path
) -> None:
    outline = page_of(folder, PAGES[name])

    check(lambda: outline)


@pytest.mark.parametrize("name", ["words", "nothing"])
def test_an_index_without_pictures_loads_nothing_and_may_load_nothing(name: str, folder: Path) -> None:
    outline = page_of(folder, PAGES[name])

    form.test_a_page_loads_nothing(lambda: outline)
    form.test_a_policy_forbids_what_a_page_need_not_do(lambda: outline)


@pytest.mark.parametrize("name", ["reports", "hostile"])
def test_an_index_with_pictures_may_load_pictures_beside_it_and_nothing_else(name: str, folder: Path) -> None:
    outline = page_of(folder, PAGES[name])

    assert [meta["content"] for meta in outline.all("meta") if "http-equiv" in meta] == [
        "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' file:"
    ]
    assert {tag for tag, attributes in outline.elements if "src" in attributes} == {"img"}
    assert {"script", "link", "iframe", "object", "embed", "base", "form"} & {
        tag for tag, _ in outline.elements
    } == set()


def test_an_index_has_a_language_and_headings_in_order(folder: Path) -> None:
    outline = page_of(folder, [RUNS, PRECISION])

    assert outline.all("html") == [{"lang": "en"}]
    assert [(tag, text) for tag, text in outline.texts if tag in {"title", "h1", "h2", "h3"}] == [
        ("title", "Our reports"),
        ("h1", "Our reports"),
        ("h2", "Was it reproduced?"),
        ("h2", "How precise is it?"),
    ]


# Content -----------------------------------------------------------------------------------------------------


def test_a_section_says_shows_and_links_in_this_order_and_ends_with_its_command(folder: Path) -> None:
    assert after(page_of(folder, [RUNS, WORDS]), "Was it reproduced?") == [
        *("Most of the effect came back.", "The rankings differ."),
        *("Scores", "Run", "AP", "ER", "original", "0.3", "Baseline", "mine", "0.25", "1.1"),
        *("Advanced", "yours", "0.5", "0.9"),
        "Overall effects",
        "The whole report",
        *("On the command line:", "$ primad assess --output runs"),
    ]


def test_parts_stand_below_their_section_and_are_in_the_contents(folder: Path) -> None:
    whole = Section(title="Answers", text=["In short."], parts=[RUNS, WORDS])

    outline = page_of(folder, [whole, PRECISION, WORDS])

    assert [(tag, text) for tag, text in outline.texts if tag in {"h2", "h3"}] == [
        *(("h2", "Answers"), ("h3", "Was it reproduced?"), ("h3", "What is left")),
        *(("h2", "How precise is it?"), ("h2", "What is left")),
    ]
    assert [one["href"] for one in outline.all("a")][:5] == ["#s1", "#s1-1", "#s1-2", "#s2", "#s3"]
    form.test_no_two_elements_share_an_identifier(lambda: outline)
    form.test_every_reference_inside_the_page_leads_somewhere(lambda: outline)


def test_pictures_of_parts_may_be_loaded_too(folder: Path) -> None:
    outline = page_of(folder, [Section(title="Answers", text=["In short."], parts=[RUNS])])

    assert [meta["content"].partition("; img-src ")[2] for meta in outline.all("meta") if "http-equiv" in meta] == [
        "'self' file:"
    ]


def test_a_part_with_parts_is_refused(folder: Path) -> None:
    deep = Section(title="Deep", parts=[Section(title="Deeper", parts=[WORDS])])

    with pytest.raises(UsageError, match=r"expected a part without parts of its own in 'Deep', found 'Deeper'"):
        page_of(folder, [deep])


def test_a_section_of_words_has_nothing_else(folder: Path) -> None:
    assert after(page_of(folder, [WORDS, RUNS]), "What is left") == ["Nothing."]


def test_the_lead_comes_first_and_is_left_out_if_there_is_none(folder: Path) -> None:
    assert page_of(folder, [WORDS], lead=["One.", "Two."]).said("p")[:3] == ["One.", "Two.", "Nothing."]
    without = page_of(folder, [WORDS], lead=[])
    assert without.said("p")[0] == "Nothing."
    assert [box for box in without.all("div") if box["class"] == "lead"] == []


def test_a_row_with_nothing_but_a_first_cell_is_a_heading_over_what_follows(folder: Path) -> None:
    outline = page_of(folder, [RUNS])

    assert [
        (row.get("class"), heading) for row, heading in zip(outline.all("tr"), row_headings(outline), strict=True)
    ] == [
        (None, {"scope": "col", "class": "words"}),
        (None, {"scope": "row"}),
        ("group", {"scope": "rowgroup", "colspan": "3"}),
        ("line", {"scope": "row"}),
        ("group", {"scope": "rowgroup", "colspan": "3"}),
        ("line", {"scope": "row"}),
    ]
    assert len(outline.all("tbody")) == 3
    assert len(outline.all("td")) == 6


def row_headings(outline: Outline) -> list[dict[str, str]]:
    """Return the attributes of the first cell of each row."""
    return [outline.elements[place + 1][1] for place, (tag, _) in enumerate(outline.elements) if tag == "tr"]


def test_the_rows_of_a_single_column_are_no_headings(folder: Path) -> None:
    outline = page_of(folder, showing_table(["Run"], [("bm25",), ("rm3",)]))

    assert [heading["scope"] for heading in outline.all("th")] == ["col", "row", "row"]


def test_a_heading_may_have_nothing_below_it_and_a_table_no_rows(folder: Path) -> None:
    alone = page_of(folder, showing_table(["Run", "AP"], [("Baseline", "")]))

    assert alone.said("th") == ["Run", "AP", "Baseline"]
    assert len(alone.all("tbody")) == 1
    assert page_of(folder, showing_table(["Run", "AP"], [])).said("th") == ["Run", "AP"]


def test_a_table_without_a_caption_is_named_by_its_section_for_who_does_not_see_it(folder: Path) -> None:
    outline = page_of(folder, [PRECISION])

    assert outline.said("caption") == ["How precise is it?"]
    assert outline.all("caption") == [{"class": "unseen"}]
    assert [box["aria-label"] for box in outline.all("div") if box["class"] == "scroll"] == ["How precise is it?"]


def test_columns_of_numbers_are_aligned_right_and_columns_with_any_words_left(folder: Path) -> None:
    rows = [("bm25", "0.3", "-", "p < 1e-05"), ("rm3", "0.25", "Ada", "+5 %"), ("Baseline", "", "", "")]
    outline = page_of(folder, showing_table(["Run", "AP", "Who", "Change"], rows))

    assert outline.all("table") == [{"class": "numbers"}]
    assert [heading.get("class") for heading in outline.all("th")][:4] == ["words", None, "words", None]
    assert [cell.get("class") for cell in outline.all("td")] == [None, "words", None] * 2
    style = " ".join(outline.said("style"))
    assert ".report table.numbers td, .report table.numbers thead th + th { text-align: right;" in style
    assert "table.numbers .words { text-align: left; }" in style


def test_long_words_are_wrapped_and_numbers_are_not(folder: Path) -> None:
    outline = page_of(folder, showing_table(["Field", "Value"], [("a", "x" * 40), ("b", "x" * 41)]))

    assert outline.all("td") == [{"class": "words"}, {"class": "words long"}]
    assert page_of(folder, showing_table(["Field", "Value"], [("a", "1" * 41)])).all("td") == [{}]


def test_a_picture_is_described_for_people_who_do_not_see_it_and_lies_on_white(folder: Path) -> None:
    outline = page_of(folder, [RUNS, PRECISION])

    assert outline.all("img") == [
        {"src": "runs/effects.svg", "alt": "Two points near the ideal."},
        {"src": "qra/values.png", "alt": "Four values."},
    ]
    assert outline.said("figcaption") == ["Overall effects"]
    labels = [box["aria-label"] for box in outline.all("div") if box["class"] == "paper"]
    assert labels == ["Overall effects", "How precise is it?"]
    assert ".paper { --sheet: #fff;" in " ".join(outline.said("style"))


@pytest.mark.parametrize(
    ("sections", "expected"),
    [
        pytest.param([RUNS, PRECISION], [], id="two"),
        pytest.param([RUNS, PRECISION, WORDS], ["#s1", "#s2", "#s3"], id="three"),
    ],
)
def test_more_than_two_sections_have_a_table_of_contents(
    sections: list[Section], expected: list[str], folder: Path
) -> None:
    outline = page_of(folder, sections)

    assert len(outline.all("nav")) == bool(expected)
    assert [link["href"] for link in outline.all("a") if link["href"].startswith("#")] == expected
    assert outline.said("a")[: len(expected)] == [section.title for section in sections][: len(expected)]


def test_the_foot_of_the_page_promises_no_files(folder: Path) -> None:
    said = page_of(folder, [WORDS]).said("p")[-1]

    assert said.startswith("Made by primad ")
    assert "beside" not in said


# Hostile names -----------------------------------------------------------------------------------------------


def test_hostile_names_come_out_as_text(folder: Path) -> None:
    outline = page_of(folder, [NAMES] * 3, title=HOSTILE, lead=[HOSTILE])
    text = (folder / "index.html").read_text(encoding="utf-8")

    assert outline.all("script") == []
    assert not any(character in text for character in "\x1b\u202e")
    for tag in ("title", "h1", "h2", "p", "th", "td", "caption", "figcaption"):
        assert SHOWN in outline.said(tag), tag
    assert outline.said("a") == [SHOWN] * 6
    assert outline.said("code") == [f"$ {SHOWN}"] * 3
    assert {image["alt"] for image in outline.all("img")} == {SHOWN}
    assert {box["aria-label"] for box in outline.all("div") if "aria-label" in box} == {SHOWN}
