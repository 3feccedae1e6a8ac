"""Does docs/landscape.md say of other systems what the paper says that it names as its source?"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.pages import ROOT

TEXT = (ROOT / "docs" / "landscape.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def paper(shared_data: Path) -> str:
    """Return section 2 of the ir_metadata paper, without the ends of its lines."""
    text = (shared_data.parent / "papers" / "ir_metadata.txt").read_text(encoding="utf-8")
    related = text[text.index("2 RELATED") : text.index("3 METADATA ANNOTATIONS")]
    return " ".join(related.replace("-\n", "").split())


def table(heading: str) -> list[list[str]]:
    """Return the rows of the table that begins with HEADING."""
    lines = TEXT[TEXT.index(f"| {heading} |") :].partition("\n\n")[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]


def test_the_areas_of_direct_are_those_that_the_paper_lists(paper: str) -> None:
    listed = re.findall(r"\((\d)\) (?:the )?([\w ]+?)(?=,|\. )", paper.partition("eight conceptual areas")[2])

    assert [area for _, area in listed] == [area for area, *_ in table("area of DIRECT")]
    assert [int(number) for number, _ in listed] == [*range(1, 9)]


def test_the_kinds_of_action_are_those_of_the_paper(paper: str) -> None:
    assert "into supportive, proactive, and reactive actions" in paper
    assert [kind for kind, *_ in table("kind")] == ["supportive", "proactive", "reactive"]


@pytest.mark.parametrize(
    ("name", "of_the_page", "of_the_paper"),
    [
        ("RISE", "20 retrieval methods on 16 TREC collections", "20 retrieval methods with 16 TREC test collections"),
        ("RISE", "not online any more when the paper was written", "both services are currently not available online"),
        ("EvaluatIR", "not online any more when the paper was written", "run archive called EvaluatIR"),
        ("Open Runs", "about a quarter of participants", "Approximately 25% of the participants"),
        ("Open Runs", "too simplistic", "“too simplistic”"),
        ("ReproZip", "records the system calls of a command", "record system calls with ReproZip"),
    ],
)
def test_what_is_said_of_a_system_stands_in_the_paper(
    name: str, of_the_page: str, of_the_paper: str, paper: str
) -> None:
    (row,) = (cells for cells in table("name") if cells[0] == name)

    assert of_the_page in row[1]
    assert of_the_paper in paper
