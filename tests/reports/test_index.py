"""Does the page that joins reports show all it is given, lead nowhere but to files that exist, and obey no name?"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from primad.errors import FileError, UsageError
from primad.reports.index import Link, Picture, Section, Table, write_index
from tests.reports import test_page_form as form
from tests.reports.outline import Outline, after, outlined

HOSTILE = "<script>alert('x')</script>&\"\x1b[2J\u202eevil\udcff"
SHOWN = "<script>alert('x')</script>&\"\\x1b[2J\\u202eevil\\udcff"
FILES = ("runs/report.html", "runs/effects.svg", "qra/report.html", "qra/values.png")

RUNS = Section(
    title="Was it reproduced?",
    text=["Most of the effect came back.", "The rankings differ."],
    tables=[
        Table(
            head=["Run", "AP", "ER"],
            rows=[
                ("original", "0.3", ""),
                ("Baseline", "", ""),
                ("mine", "0.25", "1.1"),
                ("Advanced", "", ""),
                ("yours", "0.5", "0.9"),
            ],
            caption="Scores",
        )
    ],
    pictures=[Picture(path="runs/effects.svg", caption="Overall effects", description="Two points near the ideal.")],
    links=[Link(path="runs/report.html", text="The whole report")],
    command="primad assess --output runs",
)
PRECISION = Section(
    title="How precise is it?",
    text=["CV* is 12."],
    tables=[Table(head=["System", "CV*"], rows=[("nts", "12.1")])],
    pictures=[Picture(path="qra/values.png", caption="", description="Four values.")],
    links=[Link(path="qra/report.html", text="The report")],
)
WORDS = Section(title="What is left", text=["Nothing."])
NAMES = Section(
    title=HOSTILE,
    text=[HOSTILE],
    tables=[Table(head=[HOSTILE, HOSTILE], rows=[(HOSTILE, ""), (HOSTILE, HOSTILE)], caption=HOSTILE)],
    pictures=[Picture(path="runs/effects.svg", caption=HOSTILE, description=HOSTILE)],
    links=[Link(path="runs/report.html", text=HOSTILE)],
    command=HOSTILE,
)
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


def filled(folder: Path, names: tuple[str, ...] = FILES) -> Path:
    """Return FOLDER with a file of each of these NAMES."""
    for name in names:
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / name).write_text("a report")
    return folder


def page_of(folder: Path, sections: list[Section], **changed: Any) -> Outline:
    """Return the outline of the page with these SECTIONS."""
    path = write_index(folder, **{"title": "Our reports", "lead": ["All is well."], "sections": sections} | changed)
    return outlined(path.read_text(encoding="utf-8"))


def leading_to(path: str) -> list[Section]:
    """Return a section with a link to PATH."""
    return [replace(WORDS, links=[Link(path=path, text="here")])]


def showing(path: str) -> list[Section]:
    """Return a section with the picture at PATH."""
    return [replace(WORDS, pictures=[Picture(path=path, caption="A", description="B")])]


def showing_table(head: list[str], rows: list[tuple[str, ...]], caption: str = "") -> list[Section]:
    """Return a section with a table of these ROWS below HEAD."""
    return [replace(WORDS, tables=[Table(head=head, rows=rows, caption=caption)])]


def names_in(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


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
        *("To make this section again:", "$ primad assess --output runs"),
    ]


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
        (None, {"scope": "col"}),
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


def test_all_columns_but_the_first_are_aligned_right(folder: Path) -> None:
    outline = page_of(folder, [RUNS])

    assert outline.all("table") == [{"class": "numbers"}]
    assert "table.numbers td, table.numbers thead th + th { text-align: right;" in " ".join(outline.said("style"))


def test_long_cells_are_wrapped_and_numbers_are_not(folder: Path) -> None:
    outline = page_of(folder, showing_table(["Field", "Value"], [("a", "x" * 40), ("b", "x" * 41)]))

    assert outline.all("td") == [{}, {"class": "long"}]


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


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("a \"b\" 'c'.svg", "a%20%22b%22%20%27c%27.svg", id="quotes and spaces"),
        pytest.param("100%20#1?x=1.svg", "100%2520%231%3Fx%3D1.svg", id="signs of addresses"),
        pytest.param("<b>&amp;.svg", "%3Cb%3E%26amp%3B.svg", id="markup"),
        pytest.param("runs/x:y.svg", "runs/x%3Ay.svg", id="a colon below"),
        pytest.param("a\\b.svg", "a%5Cb.svg", id="backslash"),
        pytest.param("ä.svg", "%C3%A4.svg", id="another alphabet"),
        pytest.param("\u202egvs.svg", "%E2%80%AEgvs.svg", id="direction of writing"),
        pytest.param("\udcff.svg", "%FF.svg", id="a byte that is no text"),
        pytest.param(" javascript:alert(1).svg", "%20javascript%3Aalert%281%29.svg", id="almost a scheme"),
        pytest.param("..svg", "..svg", id="dots"),
    ],
)
def test_any_name_of_a_file_becomes_an_address_that_leads_to_it(name: str, expected: str, tmp_path: Path) -> None:
    filled(tmp_path, (name,))

    outline = page_of(tmp_path, [*leading_to(name), *showing(name)])

    assert [link["href"] for link in outline.all("a")] == [expected]
    assert [image["src"] for image in outline.all("img")] == [expected]
    assert (tmp_path / unquote(expected, errors="surrogateescape")).read_text() == "a report"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        pytest.param("./runs//effects.svg", "runs/effects.svg", id="needless steps"),
        pytest.param("nowhere/../runs/effects.svg", "runs/effects.svg", id="down and up"),
        pytest.param("elsewhere/../runs/effects.svg", "runs/effects.svg", id="through a link"),
    ],
)
def test_steps_up_inside_the_folder_are_taken_as_a_browser_takes_them(path: str, expected: str, tmp_path: Path) -> None:
    folder = filled(tmp_path / "folder")
    (tmp_path / "other" / "deep").mkdir(parents=True)
    (folder / "elsewhere").symlink_to(tmp_path / "other" / "deep")

    assert page_of(folder, leading_to(path)).all("a") == [{"href": expected}]


# What is refused ---------------------------------------------------------------------------------------------

NO_PATH = "expected a path from the folder of the page, as in runs/report.html, found "
LEADS_OUT = "expected a path that stays in the folder of the page, found "
MISSING = "no such file; write it before the page that leads to it"
A_FOLDER = "expected a file, found a directory; name a file in it"


@pytest.mark.parametrize("sections_of", [leading_to, showing])
@pytest.mark.parametrize(
    ("path", "expected"),
    [
        pytest.param("", NO_PATH, id="empty"),
        pytest.param("/etc/x.svg", NO_PATH, id="absolute"),
        pytest.param("//host/x.svg", NO_PATH, id="another host"),
        pytest.param("https://host/x.svg", NO_PATH, id="address"),
        pytest.param("javascript:alert(1)//.svg", NO_PATH, id="script"),
        pytest.param("DATA:image/svg+xml,x.svg", NO_PATH, id="data"),
        pytest.param("x\0.svg", NO_PATH, id="NUL"),
        pytest.param("../secret.svg", LEADS_OUT, id="up"),
        pytest.param("runs/../../secret.svg", LEADS_OUT, id="down and up"),
        pytest.param("../folder/runs/effects.svg", LEADS_OUT, id="out and in"),
    ],
)
def test_a_path_that_leads_out_of_the_folder_is_refused(
    sections_of: Callable[[str], list[Section]], path: str, expected: str, tmp_path: Path
) -> None:
    folder = filled(tmp_path / "folder")
    (tmp_path / "secret.svg").write_text("not for you")

    with pytest.raises(UsageError) as caught:
        page_of(folder, sections_of(path))

    assert str(caught.value) == f"{expected}{path!r}"
    assert names_in(folder) == sorted(FILES)


@pytest.mark.parametrize("sections_of", [leading_to, showing])
@pytest.mark.parametrize(
    ("path", "found"),
    [
        pytest.param("runs/missing.svg", MISSING, id="no file"),
        pytest.param("runs/report.html/x.svg", MISSING, id="below a file"),
        pytest.param("dangling.svg", MISSING, id="a link to nothing"),
        pytest.param("\ud800.svg", MISSING, id="half a character"),
        pytest.param("runs", A_FOLDER, id="folder"),
        pytest.param(".", A_FOLDER, id="the folder itself"),
        pytest.param("x" * 300, "cannot be read (File name too long)", id="too long"),
    ],
)
def test_a_path_to_what_is_no_file_is_refused(
    sections_of: Callable[[str], list[Section]], path: str, found: str, folder: Path
) -> None:
    (folder / "dangling.svg").symlink_to("nowhere.svg")

    with pytest.raises(FileError) as caught:
        page_of(folder, sections_of(path))

    assert str(caught.value) == f"{folder / path}: {found}"
    assert names_in(folder) == sorted(FILES)


def test_a_picture_that_no_browser_shows_is_refused(folder: Path) -> None:
    filled(folder, ("runs/effects.pdf", "runs/EFFECTS.PNG"))

    with pytest.raises(UsageError) as caught:
        page_of(folder, showing("runs/effects.pdf"))

    expected = "expected a picture (.svg, .png, .jpg, .jpeg, .gif, .webp), found 'runs/effects.pdf'"
    assert str(caught.value) == expected
    assert page_of(folder, showing("runs/EFFECTS.PNG")).all("img")[0]["src"] == "runs/EFFECTS.PNG"


@pytest.mark.parametrize(
    ("sections", "expected"),
    [
        pytest.param(
            showing_table(["Run", "AP"], [("bm25", "0.3"), ("rm3",)], "Scores"),
            "expected 2 cells in each row in the table 'Scores', found 1: ['rm3']",
            id="short row",
        ),
        pytest.param(
            showing_table(["Run", "AP"], [("rm3", "0.3", "0.4")]),
            "expected 2 cells in each row in the table of Run, AP, found 3: ['rm3', '0.3', '0.4']",
            id="long row, no caption",
        ),
        pytest.param(
            showing_table([], [], "Scores"),
            "expected at least one column in a table, found none ('Scores')",
            id="no columns",
        ),
    ],
)
def test_a_table_whose_rows_are_not_as_long_as_its_head_is_refused(
    sections: list[Section], expected: str, folder: Path
) -> None:
    with pytest.raises(UsageError) as caught:
        page_of(folder, sections)

    assert str(caught.value) == expected


# Where -------------------------------------------------------------------------------------------------------


def test_the_page_is_index_html_of_the_folder_which_may_be_named_as_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(tmp_path / "all")
    monkeypatch.chdir(tmp_path)

    assert write_index("all", title="Ours", lead=[], sections=[RUNS]) == Path("all/index.html")
    assert (tmp_path / "all" / "index.html").read_bytes().startswith(b"<!DOCTYPE html>")
    assert names_in(tmp_path / "all") == sorted((*FILES, "index.html"))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("nowhere", "no such folder; make it first", id="missing"),
        pytest.param("file", "expected a folder, found a file; name another folder", id="file"),
        pytest.param("file/below", "no such folder; make it first", id="below a file"),
    ],
)
def test_a_folder_that_is_none_is_refused(name: str, expected: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")

    with pytest.raises(FileError) as caught:
        write_index(tmp_path / name, title="Ours", lead=[], sections=[WORDS])

    assert str(caught.value) == f"{tmp_path}/{name}: {expected}"
    assert names_in(tmp_path) == ["file"]


def test_a_former_page_is_replaced_and_survives_one_that_could_not_be_written(folder: Path) -> None:
    (folder / "index.html").write_text("former")

    with pytest.raises(FileError):
        page_of(folder, [RUNS, *leading_to("missing.html")])
    assert (folder / "index.html").read_text() == "former"
    assert names_in(folder) == sorted((*FILES, "index.html"))

    assert page_of(folder, [RUNS]).said("h1") == ["Our reports"]


def test_the_same_sections_give_the_same_bytes(folder: Path) -> None:
    first, second = (
        write_index(folder, title="Ours", lead=["All."], sections=[RUNS, PRECISION]).read_bytes() for _ in range(2)
    )

    assert first == second
