"""Does the section on the replication track say what the track has found?"""

from pathlib import Path

import pytest

from primad.experiments.demo import tracked
from primad.experiments.demo.state import Asked, Shown, State
from primad.experiments.demo.tracked import REPORT, told, track
from primad.track.track import Track
from tests.experiments.coding.tracks import SEED, SIZE, small_track

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("coding-track")]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the demonstration."""
    return small_track(tmp_path_factory)[0]


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Shown:
    """Return the section on a small track."""
    folder, played = small_track(tmp_path_factory)
    return told(played, folder)


def table(shown: Shown, number: int) -> list[dict[str, str]]:
    """Return a table of the section, its rows by the head."""
    found = shown.section.tables[number]
    return [dict(zip(found.head, row, strict=True)) for row in found.rows]


def test_the_headline_says_what_became_of_each_system_and_nothing_that_chance_decides(shown: Shown) -> None:
    assert shown.headline == (
        "2 of 4 submitted systems gave the submitted output again, byte for byte, when others ran them: Dictionary "
        "did; Trigrams did, once its authors had repaired it, but not for the user; Drawing lots gave another output "
        "in each of 5 attempts; Folding failed at its prerequisites (medfold is missing; the system asks for >=2.1)."
    )


def test_the_line_says_what_analysts_were_least_content_with(shown: Shown) -> None:
    assert shown.line == (
        "Two analysts, both simulated, ran 4 submitted systems for ICD-10 coding again; the lowest scores in the "
        "sheets they fill in are those of question 1 (needs easy to see: 25 %) and question 6 (progress told: 25 %)."
    )


def test_what_varies_is_said_to_vary_with_the_numbers_of_the_report(shown: Shown, place: Path) -> None:
    report = Track(place / "archive").report()
    judged = [one for one in report.verdicts if one.title == "Drawing lots"]
    differences = [one.difference for one in judged if one.difference is not None]
    (cv,) = (one.cv_star for one in report.precision if (one.title, one.data_set) == ("Drawing lots", "test"))

    (said,) = (text for text in shown.section.text if "without a seed" in text)

    assert "its numbers here are others in the next demonstration" in said
    assert f"by {min(differences):+.4f} to {max(differences):+.4f} (p of " in said
    assert said.endswith(f"over the submitted output and 5 attempts its CV* is {cv:.2f} %.")


def test_the_page_says_what_held_the_systems_and_that_one_program_played_everybody(shown: Shown, place: Path) -> None:
    rungs = {one.rung for one in Track(place / "archive").report().attempts}

    assert len(rungs) == 1
    (rung,) = rungs
    held = "the systems, which are our own, were trusted" if rung == "plain" else f"without a network ({rung})"
    assert [text for text in shown.section.text if held in text] == [shown.section.text[2]]
    assert [text for text in shown.section.text if text.startswith("One program plays everybody here")] != []


def test_the_first_table_has_how_each_analyst_fared_with_each_system(shown: Shown) -> None:
    rows = table(shown, 0)

    assert [(row["System"], row["missing in its documentation"]) for row in rows] == [
        ("Dictionary", "0"),
        ("Trigrams", "5"),
        ("Drawing lots", "8"),
        ("Folding", "6"),
    ]
    assert [(row["for the user"], row["for the developer"]) for row in rows if row["System"] != "Drawing lots"] == [
        ("identical bytes", "identical bytes"),
        ("failed at run", "failed at run, then identical bytes"),
        ("failed at prerequisites", "failed at prerequisites"),
    ]
    assert [row["CV*"] for row in rows if row["System"] != "Drawing lots"] == ["0.00 %", "0.00 %", ""]


def test_the_second_table_has_each_system_on_each_data_set(shown: Shown) -> None:
    rows = {row["System"]: row for row in table(shown, 1)}

    assert rows["Dictionary"]["as submitted"] == rows["Dictionary"]["last attempt"] != ""
    assert rows["Dictionary"]["on other texts"] not in {"", rows["Dictionary"]["as submitted"]}
    assert [rows["Folding"][name] for name in ("last attempt", "on other texts")] == ["", ""]


def test_the_section_leads_to_the_report_and_names_a_command(shown: Shown, place: Path) -> None:
    (link,) = shown.section.links

    assert link.path == f"{REPORT}/report.html"
    assert (place / link.path).is_file()
    assert shown.section.command == "primad track show --archive archive"


@pytest.mark.parametrize(
    ("rungs", "said"),
    [
        pytest.param(["bubblewrap"], "Every system was run in a sandbox without a network (bubblewrap).", id="held"),
        pytest.param(
            ["plain"], "This machine has no sandbox, so the systems, which are our own, were trusted", id="not"
        ),
    ],
)
def test_a_machine_without_a_sandbox_is_told_so(rungs: list[str], said: str) -> None:
    assert tracked.held_by(rungs).startswith(said)


def test_another_track_with_the_same_seed_has_the_same_line(
    shown: Shown, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tracked, "_SIZE_IN_QUICK", SIZE)

    again = track(State(tmp_path, Asked(seed=SEED, quick=True)))

    assert (again.line, again.headline) == (shown.line, shown.headline)
