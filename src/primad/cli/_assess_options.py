"""What every command that assesses reproductions has in common: its options, and how the answer is printed.

Margins, Tested, ...   an option each, as the signature of a command names it
settings_of            the settings that the options state
show_assessment        the answer, and a report of it if one is wanted
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from primad.cli._output import say, show, terminal_width
from primad.cli._pairs import named_numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from primad.reproducibility.assessment.result import Assessment
    from primad.reproducibility.assessment.settings import Settings


class Form(StrEnum):
    """How the assessment is printed."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    LATEX = "latex"


class Ties(StrEnum):
    """How documents with equal scores count in tau and RBO_ext."""

    BROKEN = "broken"
    W = "w"
    A = "a"
    B = "b"


_TIES: dict[Ties, Literal["", "w", "a", "b"]] = {Ties.BROKEN: "", Ties.W: "w", Ties.A: "a", Ties.B: "b"}


class Test(StrEnum):
    """How topic scores are tested."""

    T = "t"
    STUDENT = "student"
    WILCOXON = "wilcoxon"
    PERMUTATION = "permutation"


class Correction(StrEnum):
    """How claims of a difference are corrected."""

    HOLM = "holm"
    BONFERRONI = "bonferroni"
    NONE = "none"


class Compat(StrEnum):
    """Which version of trec_eval is followed."""

    NINE = "9"
    TEN = "10"


Measures = Annotated[
    list[str] | None,
    typer.Option("-m", "--measure", metavar="NAME", help="An effectiveness measure; map, ndcg and P_10 by default."),
]
Margins = Annotated[
    list[str] | None,
    typer.Option(metavar="MEASURE=X", help="How far apart is still the same, as in map=0.01, rbo_ext=0.05, er=0.1."),
]
Tested = Annotated[Test, typer.Option(help="How topic scores are tested.")]
Corrected = Annotated[Correction, typer.Option(help="How claims of a difference are corrected.")]
Confidence = Annotated[float, typer.Option(metavar="X", help="Confidence of the intervals.")]
Intervals = Annotated[bool, typer.Option(help="Compute intervals; without them it is faster.")]
RboP = Annotated[float, typer.Option("--rbo-p", metavar="X", help="How much RBO looks at the top.")]
Depth = Annotated[int, typer.Option(metavar="N", help="How far down rankings are compared.")]
Tied = Annotated[
    Ties, typer.Option(help="Equal scores in tau and RBO_ext: broken as trec_eval does, or variant w, a, b.")
]
Level = Annotated[int, typer.Option("-l", "--level", metavar="N", help="The lowest relevance that counts as relevant.")]
Complete = Annotated[bool, typer.Option("-c", "--complete", help="Count judged topics that a run lacks as 0.")]
Followed = Annotated[Compat, typer.Option(help="The version of trec_eval to follow.")]
PerTopic = Annotated[bool, typer.Option("-q", "--per-topic", help="Add the values of each topic.")]
Report = Annotated[str | None, typer.Option(metavar="DIR", help="Write a page, tables and figures into DIR.")]
Jobs = Annotated[
    int | None, typer.Option(min=1, metavar="N", help="Experiments at a time; as many as pay off by default.")
]
Printed = Annotated[Form, typer.Option("--format", help="How to print the assessment.")]


def settings_of(
    measures: Sequence[str],
    *,
    margin: list[str] | None,
    test: Test,
    correction: Correction,
    confidence: float,
    intervals: bool,
    p: float,
    depth: int,
    ties: Ties,
    level: int,
    complete: bool,
    compat: Compat,
) -> Settings:
    """Return the settings that the options state, by these MEASURES."""
    from primad.evaluation.rules import Rules
    from primad.reproducibility.assessment.settings import Settings

    return Settings(
        measures=tuple(measures),
        rules=Rules(compat=int(compat), level=level, complete=complete),
        p=p,
        depth=depth,
        ties=_TIES[ties],
        test=test.value,
        correction=correction.value,
        confidence=confidence,
        intervals=intervals,
        margins=named_numbers(margin or [], "--margin", "MEASURE=X, as in map=0.01"),
    )


def show_assessment(found: Assessment, form: Form, *, per_topic: bool, report: str | None) -> None:
    """Print what was FOUND, and write the report if one is wanted; exit with 1 if nothing can be said."""
    from primad.reports.assessment import render

    show(render(found, form, per_topic=per_topic, width=terminal_width()))
    if report is not None:
        from primad.reports.bundle import write_report

        write_report(found, Path(report))
        say(f"report in {report}")
    if not found.says_something:
        raise typer.Exit(1)
