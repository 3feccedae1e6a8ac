"""Is a report written whole or not at all, and is nothing of the user's lost?"""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure

from primad.errors import FileError, UsageError
from primad.reports.folder import write_report
from primad.reproducibility.assessment.result import Assessment
from tests.reports import assessments as made
from tests.reports import quantified

TABLES = ["report.html", "assessment.tex", "assessment.csv", "assessment.json"]


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def unwritable() -> Assessment:
    """Return an assessment that has a page, but no JSON."""
    one = replace(made.yxl(), values=(made.scored("rmse", "baseline", float("inf")),))
    return replace(made.table2(), reproductions=(one,))


# What --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_report_has_a_page_tables_and_figures_that_apply(tmp_path: Path) -> None:
    files = write_report(made.table2(), tmp_path / "report")

    figures = [f"{stem}.{form}" for stem in ("effects", "topics-map", "overlap") for form in ("svg", "pdf", "png")]
    assert files == [tmp_path / "report" / name for name in (*TABLES, *figures)]
    assert sorted(path.name for path in files) == names_in(tmp_path / "report")
    assert names_in(tmp_path) == ["report"]
    beginnings = {".svg": b"<?xml", ".pdf": b"%PDF", ".png": b"\x89PNG", ".html": b"<!DOCTYPE html>"}
    assert all(path.read_bytes().startswith(beginnings.get(path.suffix, b"")) for path in files)


@pytest.mark.slow
def test_the_same_assessment_gives_the_same_bytes(tmp_path: Path) -> None:
    first, second = (write_report(made.baseline_only(), tmp_path / name) for name in ("a", "b"))

    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


@pytest.mark.slow
def test_hostile_names_give_harmless_files(tmp_path: Path) -> None:
    files = write_report(made.hostile(), tmp_path / "report")

    assert {path.parent for path in files} == {tmp_path / "report"}
    assert all(path.name.isascii() and len(path.name) < 100 for path in files)
    assert sum(path.suffix == ".png" for path in files) == 4
    write_report(made.hostile(), tmp_path / "report", pictures=())


def test_a_report_without_figures_has_none(tmp_path: Path) -> None:
    assert [path.name for path in write_report(made.problem_only(), tmp_path / "report")] == TABLES


def test_the_json_of_a_report_has_the_values_of_topics(tmp_path: Path) -> None:
    write_report(made.problem_only(), tmp_path / "report")

    content = json.loads((tmp_path / "report" / "assessment.json").read_text())

    assert content["original"]["values"][0]["topics"] == {"301": 0.3, "302": 0.4422}


# Which pictures ----------------------------------------------------------------------------------------------

STEMS = ("effects", "topics-map", "overlap")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pictures", "kept", "said"),
    [
        pytest.param(("svg",), ["svg"], ", and the figures as SVG,", id="one"),
        pytest.param("svg", ["svg"], ", and the figures as SVG,", id="one as text"),
        pytest.param(["png", "svg", "png"], ["svg", "png"], ", and the figures as SVG and PNG,", id="in any order"),
        pytest.param((), [], "", id="none"),
    ],
)
def test_only_the_forms_of_pictures_that_are_wanted_are_written_and_promised(
    pictures: Any, kept: list[str], said: str, tmp_path: Path
) -> None:
    files = write_report(made.table2(), tmp_path / "report", pictures=pictures)

    figures = [f"{stem}.{form}" for stem in STEMS for form in kept]
    assert [path.name for path in files] == [*TABLES, *figures]
    assert names_in(tmp_path / "report") == sorted([*TABLES, *figures])
    page = (tmp_path / "report" / "report.html").read_text()
    assert f" The same values as CSV, JSON and LaTeX{said} lie beside this page." in page


@pytest.mark.slow
@pytest.mark.parametrize("result", [made.table2, quantified.nts])
def test_a_page_holds_its_figures_whatever_is_written_beside_it(result: Callable[[], Any], tmp_path: Path) -> None:
    for name, pictures in {"all": ("svg", "pdf", "png"), "none": ()}.items():
        write_report(result(), tmp_path / name, pictures=pictures)

    pages = {name: (tmp_path / name / "report.html").read_text() for name in ("all", "none")}
    assert pages["none"].count("<svg") == pages["all"].count("<svg") >= 2
    assert pages["none"] == pages["all"].replace(", and the figures as SVG, PDF and PNG,", "")


def test_a_page_without_figures_promises_none(tmp_path: Path) -> None:
    write_report(made.problem_only(), tmp_path / "report")

    assert "LaTeX lie beside this page." in (tmp_path / "report" / "report.html").read_text()


def test_a_figure_that_page_and_folder_have_is_drawn_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[tuple[Figure, str]] = []
    savefig = Figure.savefig

    def noted(self: Figure, *arguments: Any, **options: Any) -> None:
        drawn.append((self, options["format"]))
        savefig(self, *arguments, **options)

    monkeypatch.setattr(Figure, "savefig", noted)
    write_report(made.table2(), tmp_path / "report", pictures=("svg",))

    assert [form for _, form in drawn] == ["svg"] * len(STEMS)
    assert len({id(figure) for figure, _ in drawn}) == len(STEMS)


@pytest.mark.parametrize(
    ("pictures", "found"),
    [
        pytest.param("jpg", "'jpg'", id="another form"),
        pytest.param(["svg", "eps", "SVG"], "'eps', 'SVG'", id="others among ours"),
        pytest.param([None], "None", id="nothing"),
        pytest.param("", "''", id="empty text"),
    ],
)
def test_an_unknown_form_of_pictures_is_refused_before_anything_is_written(
    pictures: Any, found: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError) as caught:
        write_report(made.problem_only(), tmp_path / "report", pictures=pictures)

    assert str(caught.value) == f"expected as forms of pictures some of svg, pdf, png, found {found}"
    assert names_in(tmp_path) == []


@pytest.mark.slow
def test_pictures_of_a_former_report_in_other_forms_do_not_stay(tmp_path: Path) -> None:
    write_report(made.table2(), tmp_path / "report", pictures=("png", "pdf"))
    assert names_in(tmp_path / "report") == sorted([*TABLES, *(f"{s}.{f}" for s in STEMS for f in ("png", "pdf"))])

    write_report(made.table2(), tmp_path / "report", pictures=("svg",))

    assert names_in(tmp_path / "report") == sorted([*TABLES, *(f"{stem}.svg" for stem in STEMS)])


# Where -------------------------------------------------------------------------------------------------------


def test_a_folder_may_be_named_as_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    assert write_report(made.problem_only(), "report")[0] == Path("report/report.html")
    assert names_in(tmp_path / "report") == sorted(TABLES)


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    write_report(made.problem_only(), tmp_path)

    assert names_in(tmp_path) == sorted(TABLES)


def test_a_former_report_is_replaced_with_all_its_figures(tmp_path: Path) -> None:
    write_report(made.problem_only(), tmp_path / "report")
    for name in ("topics-ndcg_cut_10.svg", "effects.pdf"):
        (tmp_path / "report" / name).write_text("old")

    write_report(made.problem_only(), tmp_path / "report")

    assert names_in(tmp_path / "report") == sorted(TABLES)


@pytest.mark.parametrize(
    ("files", "found"),
    [
        pytest.param(["notes.txt"], "notes.txt", id="another file"),
        pytest.param(["report.html", "notes.txt"], "notes.txt", id="beside a report"),
        pytest.param(["assessment.csv"], "assessment.csv", id="a table without a page"),
        pytest.param(["a", "b", "c", "d", "e"], "a, b, c and 2 more", id="many files"),
    ],
)
def test_a_folder_with_other_files_is_refused_and_left_alone(tmp_path: Path, files: list[str], found: str) -> None:
    for name in files:
        (tmp_path / name).write_text("mine")

    with pytest.raises(FileError) as caught:
        write_report(made.problem_only(), tmp_path)

    assert str(caught.value) == f"{tmp_path}: holds files that are no report of primad ({found}); name another folder"
    assert {path.read_text() for path in tmp_path.iterdir()} == {"mine"}
    assert names_in(tmp_path) == sorted(files)


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "report").write_text("mine")

    with pytest.raises(FileError) as caught:
        write_report(made.problem_only(), tmp_path / "report")

    assert str(caught.value) == f"{tmp_path}/report: expected a folder, found a file; name another folder"
    assert (tmp_path / "report").read_text() == "mine"


@pytest.mark.parametrize(
    ("parent", "expected"),
    [
        pytest.param("nowhere", "cannot be made (No such file or directory)", id="missing"),
        pytest.param("file", "expected a folder, found a file; name another folder", id="file"),
    ],
)
def test_a_folder_in_a_place_that_is_none_is_refused(tmp_path: Path, parent: str, expected: str) -> None:
    (tmp_path / "file").write_text("mine")

    with pytest.raises(FileError) as caught:
        write_report(made.problem_only(), tmp_path / parent / "report")

    assert str(caught.value) == f"{tmp_path}/{parent}/report: {expected}"
    assert names_in(tmp_path) == ["file"]


# Whole or not at all -----------------------------------------------------------------------------------------


def test_nothing_is_left_of_a_report_that_could_not_be_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_report(unwritable(), tmp_path / "report")

    assert names_in(tmp_path) == []


def test_a_former_report_survives_one_that_could_not_be_written(tmp_path: Path) -> None:
    write_report(made.problem_only(), tmp_path / "report")
    before = {path.name: path.read_bytes() for path in (tmp_path / "report").iterdir()}

    with pytest.raises(ValueError, match="not JSON compliant"):
        write_report(unwritable(), tmp_path / "report")

    assert {path.name: path.read_bytes() for path in (tmp_path / "report").iterdir()} == before
    assert names_in(tmp_path) == ["report"]


# The report about a quantified assessment ----------------------------------------------------------------------


QUANTIFIED = ["report.html", "qra.tex", "qra.csv", "qra.json"]


@pytest.mark.slow
def test_a_quantified_assessment_has_a_report_of_the_same_form(tmp_path: Path) -> None:
    files = write_report(quantified.nts(causes=True), tmp_path / "report")

    stems = ("values", "cv", "contrasts", "conditions-nts")
    figures = [f"{stem}.{form}" for stem in stems for form in ("svg", "pdf", "png")]
    assert files == [tmp_path / "report" / name for name in (*QUANTIFIED, *figures)]
    assert json.loads((tmp_path / "report" / "qra.json").read_text())["schema"] == "primad.qra/1"
    assert (tmp_path / "report" / "report.html").read_text().count("<svg") == 3


@pytest.mark.slow
def test_hostile_names_of_measurements_give_harmless_files(tmp_path: Path) -> None:
    files = write_report(quantified.hostile(), tmp_path / "report")

    assert {path.parent for path in files} == {tmp_path / "report"}
    assert all(path.name.isascii() and len(path.name) < 100 for path in files)
    write_report(quantified.hostile(), tmp_path / "report", pictures=())


def test_a_report_of_either_kind_replaces_the_other(tmp_path: Path) -> None:
    write_report(quantified.nothing(), tmp_path / "report")
    (tmp_path / "report" / "conditions-nts.svg").write_text("old")
    assert names_in(tmp_path / "report") == sorted([*QUANTIFIED, "conditions-nts.svg"])

    write_report(made.problem_only(), tmp_path / "report")
    assert names_in(tmp_path / "report") == sorted(TABLES)

    write_report(quantified.nothing(), tmp_path / "report")
    assert names_in(tmp_path / "report") == sorted(QUANTIFIED)


def test_a_file_that_only_looks_like_a_figure_is_left_alone(tmp_path: Path) -> None:
    write_report(quantified.nothing(), tmp_path / "report")
    (tmp_path / "report" / "values.txt").write_text("mine")

    with pytest.raises(FileError, match=r"holds files that are no report of primad \(values.txt\)"):
        write_report(quantified.nothing(), tmp_path / "report")

    assert (tmp_path / "report" / "values.txt").read_text() == "mine"
