"""Reports on repetitions of a command."""

from __future__ import annotations

import json
from typing import Any

import pytest

from primad.qra.assess import assess
from primad.qra.material import Material
from primad.qra.measurement import Measurement, Scale
from primad.qra.refusing import Refused
from primad.reports.repetition import render_repetition
from primad.reproducibility.repeating import Kept, Repetition

KEPT = (Kept(1, "bm25.run", "bm25.run.1"), Kept(2, "bm25.run", "bm25.run.2"))


def repetition(**others: Any) -> Repetition:
    """Return what came of two repetitions."""
    facts: dict[str, Any] = {"command": ("sh",), "wanted": 2, "done": 2, "varied_seed": False, "status": 0}
    return Repetition(**facts | {"kept": KEPT} | others)


def scores(*values: str, seeds: bool = False) -> list[Measurement]:
    """Return a score of one run for each of VALUES, all under one condition unless the SEEDS differ."""
    return [
        Measurement(
            object="bm25.run",
            measurand="map",
            value=value,
            scale=Scale(0.0, 1.0),
            direction="higher",
            experiment=str(number),
            conditions={"object.data.seed": str(number * seeds)},
        )
        for number, value in enumerate(values, 1)
    ]


def row_of(report: str) -> list[str]:
    """Return the cells of the only row of the table in REPORT."""
    lines = report.splitlines()
    place = next(number for number, line in enumerate(lines) if line.startswith("run "))
    return lines[place + 2].split()


def test_a_figure_has_the_same_digits_in_the_table_and_in_the_sentence() -> None:
    report = render_repetition(repetition(assessment=assess(scores("0.25", "0.375"))), "table")

    # mean 0.3125, s 0.0884 over c4(2) = 0.7979, and (1 + 1/8) of their ratio in percent
    assert row_of(report) == ["bm25.run", "map", "R⁰", "2", "0.312", "0.111", "39.880"]
    assert "CV* = 39.880 % (" in report
    assert "mean 0.312, " in report


def test_a_seed_that_differs_makes_it_reproducibility() -> None:
    report = render_repetition(repetition(assessment=assess(scores("0.25", "0.375", seeds=True))), "table")

    assert row_of(report)[2] == "R"
    assert "reproducibility (R)" in report


def test_a_figure_that_cannot_be_had_is_a_dash() -> None:
    report = render_repetition(repetition(assessment=assess(scores("0.25"))), "table")

    assert row_of(report) == ["bm25.run", "map", "R⁰", "1", "0.250", "\N{EN DASH}", "\N{EN DASH}"]


def test_where_no_score_is_left_the_report_says_so() -> None:
    empty = assess(Material((), remarks=("bm25.run, map: all 2 scores are 0, so it is left out",)))

    report = render_repetition(repetition(assessment=empty), "table")

    assert report.splitlines() == [
        "2 of 2 repetitions without changing anything.",
        "Kept: bm25.run.1, bm25.run.2",
        "No scores are left to assess.",
    ]


def test_without_judgments_nothing_is_said_about_scores() -> None:
    assert "scores" not in render_repetition(repetition(), "table")


def test_what_cannot_be_compared_is_said_with_the_reason() -> None:
    refused = Refused("agreement of rankings", "it needs at least 2 runs, found 1")

    report = render_repetition(repetition(done=1, kept=KEPT[:1], agreements=(refused,)), "table")

    assert report.splitlines()[-1] == "No agreement of rankings: it needs at least 2 runs, found 1."


@pytest.mark.parametrize("values", [(), ("0.25", "0.375")], ids=["no scores", "some scores"])
def test_as_json_the_assessment_is_whole(values: tuple[str, ...]) -> None:
    found = repetition(assessment=assess(Material(tuple(scores(*values)))))

    report = json.loads(render_repetition(found, "json"))

    assert [len(one["measurements"]) for one in report["assessment"]["groups"]] == [2] * bool(values)
    assert report["assessment"]["schema"] == "primad.qra/1"


def test_names_that_steer_a_terminal_are_shown_harmless() -> None:
    report = render_repetition(repetition(kept=(Kept(1, "a", "a\x1b[2J.run.1"),)), "table")

    assert "\x1b" not in report
    assert "a\\x1b[2J.run.1" in report
