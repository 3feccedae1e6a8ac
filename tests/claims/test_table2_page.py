"""Is every figure on docs/table2.md what its commands print, what the paper prints, or marked as read elsewhere?

The page needs topic scores that others published.  Where they lie beside the checkout, everything on it is carried out
here; the page itself says so above each block.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.docs.pages import ROOT, Block, blocks

PAGE = ROOT / "docs" / "table2.md"
FIGURE = ROOT / "docs" / "figures" / "table2.svg"
TEXT = PAGE.read_text(encoding="utf-8")
pytestmark = pytest.mark.slow  # one assessment with intervals, and a figure

OURS = ("run by", "tests/claims/test_table2_page.py")

# Rows of the table on the page, and the measure of primad that each is.
ROWS = {
    "Average Precision, original (GC)": "arp",
    "Average Precision": "arp",
    "Kendall's τ Union": "ktu",
    "Rank-Biased Overlap": "rbo",
    "Root Mean Square Error": "rmse",
    "p-value": "p",
    "Effect Ratio": "er",
    "Δ Relative Improvement": "dri",
}
# Numbers that neither a command nor the paper's table prints.
READ_ELSEWHERE = {
    "0.657": "intersection tau of topic 307, as published",
    "0.521": "of topic 310",
    "0.556": "of topic 321",
    "0.8": "p of RBO, in the name of the file",
    "0.05": "the customary level",
    "307": "a topic",
    "2017": "a year",
    "2020": "a year",
    "2022": "a year",
}


class Step(NamedTuple):
    """A command of the page: what the page shows under it, and what it printed here."""

    command: str
    shown: str
    printed: str


def ours() -> list[Block]:
    """Return the blocks of the page that are run here."""
    return [block for block in blocks(TEXT) if block.mark == OURS]


def run(command: str, folder: Path) -> str:
    """Return what COMMAND prints in FOLDER."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "MPLBACKEND": "agg"}
    done = subprocess.run(
        ["/bin/sh", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, ""), command
    return done.stdout


@pytest.fixture(scope="module")
def folder(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the published scores and the files that the page shows."""
    place = tmp_path_factory.mktemp("table2")
    (place / "ccrf_scores").symlink_to(shared_data / "ccrf_scores")
    for block in ours():
        if block.language == "python":
            name, _, content = block.text.partition("\n")
            (place / name.removeprefix("# ")).write_text(content, encoding="utf-8")
    return place


@pytest.fixture(scope="module")
def steps(folder: Path) -> list[Step]:
    """Return the commands of the page, carried out from top to bottom."""
    shown = "".join(block.text for block in ours() if block.language == "console")
    found = re.findall(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", shown, flags=re.MULTILINE)
    return [Step(command, output, run(command, folder)) for command, output in found]


@pytest.fixture(scope="module")
def assessment(steps: list[Step], folder: Path) -> dict[str, Any]:
    """Return what the first command of the page says as JSON."""
    command, _, _ = steps[0].command.partition(" | ")
    found: dict[str, Any] = json.loads(run(f"{command} --format json", folder))
    return found


@pytest.fixture(scope="module")
def paper(shared_data: Path) -> dict[str, list[list[str]]]:
    """Return the rows of the paper's Table 2 by name: figures of GC, YXL and BFFMSSS, for each row of that name."""
    text = (shared_data.parent / "papers" / "ir_metadata.txt").read_text(encoding="utf-8")
    table = text[text.index("Table 2: Reproducibility evaluation") :].partition("The RMSE was introduced")[0]
    rows: dict[str, list[list[str]]] = {}
    for name, figures in re.findall(r"^([^\d\n]+?)((?: -?\d\.\d{4}){3})$", table, flags=re.MULTILINE):
        rows.setdefault(name.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").replace("𝜏", "τ"), []).append(
            figures.split()
        )
    return rows


def table_of_the_page() -> dict[str, tuple[list[str], list[str], str]]:
    """Return what was printed, what was computed again, and the word about it, by row."""
    rows = re.findall(r"^\| ([^|]+) \| ([-\d., ]+) \| ([-\d., ]+) \| ([^|]+) \|$", TEXT, flags=re.MULTILINE)
    return {name: (printed.split(", "), computed.split(", "), word) for name, printed, computed, word in rows}


def computed(measure: str, values: list[dict[str, Any]]) -> list[str]:
    """Return the values of MEASURE with four digits, the baseline's first."""
    found: Mapping[str, float] = {value["run"]: value["value"] for value in values if value["measure"] == measure}
    return [f"{found[run]:.4f}" for run in ("baseline", "advanced", "both") if run in found]


def test_commands_print_what_the_page_shows(steps: list[Step]) -> None:
    assert [step.command.split()[0] for step in steps] == ["primad", "python", "python"]
    assert [step.printed for step in steps] == [step.shown for step in steps]


def test_the_figure_is_what_the_code_on_the_page_draws(steps: list[Step], folder: Path) -> None:
    assert "pairings.py" in steps[-1].command
    drawn = (folder / "pairings.svg").read_bytes()

    assert FIGURE.read_bytes() == drawn, "write docs/figures/table2.svg again with the code on the page"


def test_the_printed_column_is_that_of_the_paper(paper: dict[str, list[list[str]]]) -> None:
    expected = {name: [row[2] for row in paper[name]] for name in ROWS if name in paper}
    expected["Average Precision, original (GC)"] = [row[0] for row in paper["Average Precision"]]

    assert {name: printed for name, (printed, _, _) in table_of_the_page().items()} == expected


def test_the_other_column_is_what_primad_computes(assessment: dict[str, Any]) -> None:
    (reproduction,) = assessment["reproductions"]
    expected = {name: computed(measure, reproduction["values"]) for name, measure in ROWS.items()}
    expected["Average Precision, original (GC)"] = computed("arp", assessment["original"]["values"])

    assert {name: again for name, (_, again, _) in table_of_the_page().items()} == expected


def test_a_row_is_said_to_differ_where_it_does() -> None:
    differing = {name for name, (printed, again, _) in table_of_the_page().items() if printed != again}

    assert differing == {name for name, (_, _, word) in table_of_the_page().items() if word.startswith("differs")}
    assert differing == {"Root Mean Square Error", "p-value"}


def test_what_is_printed_as_rmse_is_what_primad_finds_as_nrmse(assessment: dict[str, Any]) -> None:
    (reproduction,) = assessment["reproductions"]

    assert computed("nrmse", reproduction["values"]) == table_of_the_page()["Root Mean Square Error"][0]


def test_every_number_in_the_text_is_printed_somewhere(steps: list[Step], paper: dict[str, list[list[str]]]) -> None:
    prose = re.sub(
        r"^```.*?^```|`[^`]*`|\(https?:\S+\)|\[doi:\S+\]|zenodo\S+", "", TEXT, flags=re.DOTALL | re.MULTILINE
    )
    numbers = re.findall(r"(?<![\w./-])-?\d+(?:\.\d+)*(?![\w/])", prose)
    printed = " ".join(step.printed for step in steps)
    guide = (ROOT / "docs" / "guides" / "assessing.md").read_text(encoding="utf-8")
    known = set(re.findall(r"-?\d+(?:\.\d+)?", f"{printed} {guide}")) | READ_ELSEWHERE.keys() | {"0.5.0"}
    known |= {figure for rows in paper.values() for row in rows for figure in row}

    assert len(numbers) > 60
    assert [number for number in numbers if len(number) > 2 and number not in known] == []


def test_the_answers_in_the_text_are_those_of_the_assessment(assessment: dict[str, Any]) -> None:
    (reproduction,) = assessment["reproductions"]
    answers = {(one["measure"], one["run"]): one["answer"] for one in reproduction["answers"]}

    assert answers["arp", "advanced"] == "equivalent"
    assert answers["arp", "baseline"] == answers["er", "both"] == "inconclusive"
    assert "the advanced run's mean is equivalent, the baseline's is inconclusive" in " ".join(TEXT.split())
