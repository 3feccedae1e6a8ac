"""Do the tables of docs/which-number.md say what the code does: which measures, kinds and numbers there are?"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from primad.reproducibility.assessment.request import Request, fulfil
from primad.reproducibility.assessment.result import Value
from primad.reproducibility.assessment.settings import Settings
from primad.reproducibility.catalogue import measures
from primad.reproducibility.comparison import KINDS, CollectionSameness, Possible, Type, measures_for, name_of
from primad.reproducibility.registry import BESIDES
from tests.docs.pages import ROOT

TEXT = (ROOT / "docs" / "which-number.md").read_text(encoding="utf-8")

SAME = CollectionSameness(topics=True, documents=True, qrels=True)
OTHER = CollectionSameness(topics=False, documents=False, qrels=False)
# What the first column of the table of measures says, for runs.
SHARED = {
    "the same topics, documents and qrels": SAME,
    "the same topics and documents, other qrels": CollectionSameness(topics=True, documents=True, qrels=False),
    "the same documents, other topics": CollectionSameness(topics=False, documents=True, qrels=False),
    "neither documents nor topics, or topic numbers only": CollectionSameness(
        topics=True, documents=False, qrels=False
    ),
}
# The same for scores without runs: the topics of the original, and those of the reproduction.
SCORED = {
    "only topic scores, of the same topics": (("1", "2", "3"), ("1", "2", "3")),
    "only topic scores, of other topics": (("1", "2", "3"), ("4", "5", "6")),
}

# Measures that exist, that exist with a baseline and an advanced run, and that do not.
Existing = tuple[set[str], set[str], set[str]]


def table(heading: str) -> list[list[str]]:
    """Return the rows below the line of the table that begins with HEADING."""
    lines = TEXT[TEXT.index(f"| {heading} |") :].partition("\n\n")[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]


def named(cell: str) -> set[str]:
    """Return what stands in marks in CELL."""
    return set(re.findall(r"`([^`]+)`", cell))


def shown() -> dict[str, Existing]:
    """Return the table of measures of the page."""
    rows = table("the two sides share")
    return {share: (named(exist), named(pairs), named(absent)) for share, exist, pairs, absent in rows}


def parted(possible: tuple[Possible, ...]) -> Existing:
    """Return what a comparison says exists."""
    exist = {one.measure for one in possible if one.is_possible and not one.reason}
    pairs = {one.measure for one in possible if one.is_possible and one.reason}
    return exist, pairs, {one.measure for one in possible if one.is_possible is False}


@pytest.mark.parametrize("share", SHARED)
def test_the_measures_that_exist_between_runs_are_those_of_the_table(share: str) -> None:
    assert shown()[share] == parted(measures_for(SHARED[share]))


def test_other_documents_leave_the_same_whatever_the_topics_are_called() -> None:
    assert parted(measures_for(OTHER)) == shown()["neither documents nor topics, or topic numbers only"]


@pytest.mark.parametrize("share", SCORED)
def test_the_measures_that_exist_for_scores_are_those_of_the_table(share: str, tmp_path: Path) -> None:
    both = of_scores(*SCORED[share], tmp_path, runs=2)
    one = of_scores(*SCORED[share], tmp_path, runs=1)

    expected = one, both - one, {test for test in all_measures() if test not in both}
    assert shown()[share] == expected


def all_measures() -> set[str]:
    """Return every measure by the name that the table has for it."""
    return {possible.measure for possible in measures_for(SAME)}


def of_scores(original: tuple[str, ...], reproduced: tuple[str, ...], folder: Path, *, runs: int) -> set[str]:
    """Return the measures that have a value in an assessment of scores of these topics, with so many RUNS a side."""
    files = [folder / f"{number}.csv" for number in range(runs)]
    for number, file in enumerate(files):
        scores: Mapping[str, Mapping[str, float]] = {
            "first": {topic: 0.1 * place + 0.05 * number for place, topic in enumerate(original, 1)},
            "second": {topic: 0.1 * place + 0.02 * number + 0.01 * place**2 for place, topic in enumerate(reproduced)},
        }
        rows = [f"{topic},{run},{score}" for run, column in scores.items() for topic, score in column.items()]
        file.write_text("\n".join(["topic,run,score", *rows]))
    request = Request(scores=[str(file) for file in files], settings=Settings(measures=("map",), intervals=False))
    (reproduction,) = fulfil(request)
    return {as_the_table_has_it(value) for value in reproduction.values if value.value is not None}


def as_the_table_has_it(value: Value) -> str:
    """Return the measure of VALUE, of a test with the way in which topics were taken."""
    if value.measure not in {"p", "d"}:
        return value.measure
    is_paired = "paired" in value.variant or "d_z" in value.variant
    return f"{value.measure} ({'paired' if is_paired else 'unpaired'})"


def test_kinds_are_those_of_the_literature_and_each_is_of_its_type() -> None:
    rows = {kind: letters.strip("`") for kind, letters, *_ in table("kind")}

    assert set(rows) == set(KINDS)
    for kind, letters in rows.items():
        is_sweep = kind == "parameter-sweep"
        expected = "independent repeat" if kind == "independent" else kind
        assert name_of(Type.parse(letters), parameters_only=is_sweep) == expected


def test_what_to_report_first_for_a_kind_exists_for_it() -> None:
    for kind, _, first, *_ in table("kind"):
        exist, pairs, _ = parted(measures_for(OTHER if kind == "generalize" else SAME))

        assert named(first) <= exist | pairs, kind


def test_what_to_report_first_for_what_you_have_exists_there() -> None:
    rows = {have: named(first) for have, _, first in table("you have")}

    assert len(rows) == 9
    for have, first in rows.items():
        exist, pairs, _ = parted(measures_for(OTHER if "another test collection" in have else SAME))
        assert first <= (exist | pairs if "a baseline and an advanced run" in have else exist), have


def test_every_number_of_an_assessment_has_a_line() -> None:
    lines = [name for cell, *_ in table("number") for name in re.findall(r"`(\w+)`", cell)]

    assert sorted(lines) == sorted([*measures(), *BESIDES])
