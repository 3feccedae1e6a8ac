"""Does the page that joins reports lead nowhere but to files that exist, and is it written whole or not at all?"""

from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote

import pytest

from primad.errors import FileError, UsageError
from primad.reports.index import Section, write_index
from tests.reports.joined import (
    FILES,
    PRECISION,
    RUNS,
    WORDS,
    filled,
    leading_to,
    names_in,
    page_of,
    showing,
    showing_table,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with two reports."""
    return filled(tmp_path)


# Addresses ---------------------------------------------------------------------------------------------------


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
