"""Does the example give the tables of the paper as they were printed?

The expected cells are copied from Névéol et al., LOUHI 2016, tables 2 to 5, by hand.  The folder is read here without a
database: what is tested is the folder and the tables.
"""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from primad.reports._tables import NONE
from primad.reports.track.contents import tables_of
from primad.reports.track.evidence import part_of
from primad.reports.track.facts import MachineRow, SystemRow, TrackReport
from primad.reports.track.latex import track_latex
from primad.reports.track.table import Table
from primad.safe_yaml import read_yaml
from primad.track.published import Figure, published_funnel, published_scores, published_times
from primad.track.sheet import DEFAULT, template_of
from primad.track.tallying import question_rows, recommend

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "clef-ehealth-2016"


def read(path: Path) -> Any:
    """Return the YAML at PATH."""
    return read_yaml(path.read_text(encoding="utf-8"), str(path)).plain()


@pytest.fixture(scope="module")
def report() -> TrackReport:
    """Return the report that the folder gives."""
    track = read(FOLDER / "track.yaml")
    figures = [Figure(**one) for one in read(FOLDER / "published.yaml")]
    return TrackReport(
        slug=track["slug"],
        title=track["title"],
        about=track["about"],
        source=track["source"],
        phase=track["phase"],
        made_at=datetime(2026, 1, 1, tzinfo=UTC),
        funnel=published_funnel(figures),
        systems=tuple(_system(path) for path in sorted(FOLDER.glob("submissions/*/*/submission.yaml"))),
        machines=tuple(_machine(path) for path in sorted(FOLDER.glob("analysts/*.yaml"))),
        times=published_times(figures),
        questions=question_rows(template_of(DEFAULT), [], published_scores(figures)),
    )


def _system(path: Path) -> SystemRow:
    """Return the system of the submission at PATH."""
    found = read(path)
    system = found["system"]
    address = "/".join(path.parts[-3:-1])
    made_for = (system["operating_system"], system["language"])
    return SystemRow(
        address,
        found["title"],
        path.parts[-3],
        found["task"],
        *made_for,
        kind=system["kind"],
        eligible=found["eligible"],
    )


def _machine(path: Path) -> MachineRow:
    """Return the only machine of the analyst at PATH."""
    found = read(path)
    ((name, machine),) = found["machines"].items()
    return MachineRow(str(found["title"]), found["role"], name, machine["facts"])


def table(report: TrackReport, name: str) -> Table:
    """Return the table NAME of REPORT."""
    return {one.name: one for one in tables_of(report)}[name]


def test_table_2_is_that_of_the_paper(report: TrackReport) -> None:
    found = table(report, "systems")

    assert [found.heading, *found.rows] == [
        ("Participant", "Operating System", "Language"),
        ("System 1", "Windows", "java"),
        ("System 2", "Linux", "python"),
        ("System 3", "Linux", "python"),
    ]


def test_table_3_is_that_of_the_paper(report: TrackReport) -> None:
    found = table(report, "machines")

    assert [found.heading, *found.lines()] == [
        ("Analyst", "Configuration"),
        ("1", "Windows 7"),
        ("", "16Go ram, 9470Mb cache"),
        ("", "Intel Core i5-3437U CPU 1.90 GHz (2.40GHz)"),
        ("2", "Windows and Ubuntu"),
        ("", "4Go ram, 3MB cache"),
        ("", "Intel Core i5-3210M with dual-core (2.50GHz)"),
        ("3", "Ubuntu 14.04.3 LTS"),
        ("", "62Go ram, 42G cache"),
        ("", "Intel Xeon, CPU L5520 (2.27GHz)"),
        ("4", "Mac OS X"),
        ("", "8Go ram, 3Mb cache"),
        ("", "Core i5-3427U CPU (1.8GHz)"),
    ]


def test_table_4_is_that_of_the_paper(report: TrackReport) -> None:
    found = table(report, "times")

    assert [found.heading, *found.rows] == [
        ("Participant", "Analyst", "Human Time", "Run Time"),
        ("System 1", "User", "47", "150"),
        ("System 1", "Developer", "180", "510"),
        ("System 2", "User", "204", "720"),
        ("System 2", "Developer", "45", "96"),
        ("System 3", "User", "55", "240"),
        ("System 3", "Developer", "10", "93"),
    ]


def test_times_are_said_to_be_aggregates(report: TrackReport) -> None:
    assert table(report, "times").notes == (
        "Users: human time is the mean of two analysts, run time that of the one who got results.",
        "Developers: the paper does not say over how many analysts times were taken.",
        "Times are aggregates as they were published; those of individuals were not.",
    )


def test_the_rows_of_table_5_are_those_of_the_paper(report: TrackReport) -> None:
    found = table(report, "questions")

    assert [found.heading[:3], *(row[:3] for row in found.shown_rows())] == [
        ("Phase", "Question", "Score"),
        ("Configuration", "Q1(*) Easy to understand?", "33%"),
        ("", "Q2 Easy to configure?", "55%"),
        ("Installation", "Q3(+) Easy to install?", "93%"),
        ("", "Q4(*) Contact Author?", "0%"),
        ("Running", "Q5(+) Easy to run?", "55%"),
        ("", "Q6(*) Info while running?", "33%"),
        ("Results", "Q7(*) Challenge format?", "100%"),
        ("", "Q8(*) Reproduced?", "71%"),
        ("Overall", "Q10(*) Use outside challenge?", "33%"),
    ]


def test_beside_each_published_score_stand_n_scale_and_rule(report: TrackReport) -> None:
    found = table(report, "questions")

    assert found.heading[3:] == ("n", "Scale", "Rule")
    assert {row[3] for row in found.rows} == {"not published"}
    assert [row[4] for row in found.rows] == [
        *("yes or no", "5-point scale", "5-point scale", "yes or no", "5-point scale"),
        *("yes or no", "yes or no", "4-point scale", "yes or no"),
    ]
    assert all(row[5].endswith(".") for row in found.rows)
    assert any("the answers behind them were never published" in note for note in found.notes)


def test_what_is_odd_about_the_printed_table_is_said(report: TrackReport) -> None:
    notes = [note.partition(":")[0] for note in table(report, "questions").notes]

    assert notes[-3:] == ["Q2", "Q4", "Q8"]


def test_no_formula_is_said_to_be_that_of_the_paper(report: TrackReport) -> None:
    (note,) = (note for note in table(report, "questions").notes if note.startswith("Q8"))
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")

    assert note.endswith("which supports none of these.")
    assert "Our rules are one of several readings." in readme


def test_how_systems_came_is_not_stated(report: TrackReport) -> None:
    assert {row[4] for row in table(report, "submissions").rows} == {NONE}


def test_each_system_has_its_published_times_as_evidence(report: TrackReport) -> None:
    found = {one.submission: [row.human for row in part_of(report, one.submission).times] for one in report.systems}

    assert found == {
        "team-1/system-1": [47.0, 180.0],
        "team-2/system-2": [204.0, 45.0],
        "team-3/system-3": [55.0, 10.0],
    }


def test_the_funnel_is_that_of_sections_3_and_4(report: TrackReport) -> None:
    assert [row[1] for row in table(report, "funnel").rows] == ["7", "3", "3", "3"]
    assert len(list(FOLDER.glob("teams/*.yaml"))) == 7


def test_recommendations_follow_from_the_weakest_scores_that_the_paper_names(report: TrackReport) -> None:
    assert [one.because.split()[0] for one in recommend(report)] == ["Q1", "Q6", "Q10"]


def test_no_individual_is_made_up(report: TrackReport) -> None:
    assert {row.role for row in report.machines} == {""}
    assert [path.name for path in FOLDER.iterdir() if path.name in {"attempts", "sheets"}] == []
    assert {(row.human_n, row.run_n, row.published) for row in report.times} == {(None, None, True)}


def test_latex_prints_the_cells_of_table_5(report: TrackReport) -> None:
    assert " & Q2 Easy to configure? & 55\\% & not published & 5-point scale & Mean of the points, over 5. \\\\\n" in (
        track_latex(report)
    )


def test_assignments_are_those_of_section_3_1() -> None:
    found: dict[str, list[str]] = {}
    for one in read(FOLDER / "assignments.yaml"):
        found.setdefault(one["analyst"], []).append(one["submission"][-8:])

    assert found == {
        "analyst-1": ["system-1"],
        "analyst-2": ["system-1", "system-2", "system-3"],
        "analyst-3": ["system-2", "system-3"],
        "analyst-4": ["system-2", "system-3"],
    }
