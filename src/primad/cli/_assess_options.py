"""What every command that assesses reproductions has in common: its options, and how the answer is printed.

How       how experiments are assessed: measures, margins, tests, and how runs are scored
Printing  how the answer is printed, and whether a report of it is written
Jobs      how many experiments are looked at at a time
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from primad.cli._options import (
    AssessmentForm,
    Compat,
    Complete,
    Confidence,
    Followed,
    Level,
    PerTopic,
    PrintedAssessment,
    Report,
    by_measure,
    refuse_as_report,
)
from primad.cli._output import say, show, terminal_width
from primad.cli._pairs import named_numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from primad.reproducibility.assessment.result import Assessment
    from primad.reproducibility.assessment.settings import Settings


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


Measures = Annotated[
    list[str] | None,
    by_measure("An effectiveness measure; map, ndcg and P_10 by default."),
]
Margins = Annotated[
    list[str] | None,
    typer.Option(metavar="MEASURE=X", help="How far apart is still the same, as in map=0.01, rbo_ext=0.05, er=0.1."),
]
Tested = Annotated[Test, typer.Option(help="How topic scores are tested.")]
Corrected = Annotated[Correction, typer.Option(help="How claims of a difference are corrected.")]
Intervals = Annotated[bool, typer.Option(help="Compute intervals; without them it is faster.")]
RboP = Annotated[float, typer.Option("--rbo-p", metavar="X", help="How much RBO looks at the top.")]
Depth = Annotated[int, typer.Option(metavar="N", help="How far down rankings are compared.")]
Tied = Annotated[
    Ties, typer.Option(help="Equal scores in tau and RBO_ext: broken as trec_eval does, or variant w, a, b.")
]
Jobs = Annotated[
    int | None, typer.Option(min=1, metavar="N", help="Experiments at a time; as many as pay off by default.")
]


@dataclass(frozen=True)
class How:
    """How experiments are assessed."""

    measure: Measures = None
    margin: Margins = None
    test: Tested = Test.T
    correction: Corrected = Correction.HOLM
    confidence: Confidence = 0.95
    intervals: Intervals = True
    p: RboP = 0.95
    depth: Depth = 1000
    ties: Tied = Ties.BROKEN
    level: Level = 1
    complete: Complete = False
    compat: Followed = Compat.NINE

    def settings(self, usual: Sequence[str]) -> Settings:
        """Return what the options state, by the USUAL measures where they name none."""
        from primad.evaluation.rules import Rules
        from primad.reproducibility.assessment.settings import Settings

        return Settings(
            measures=tuple(self.measure or usual),
            rules=Rules(compat=int(self.compat), level=self.level, complete=self.complete),
            p=self.p,
            depth=self.depth,
            ties=_TIES[self.ties],
            test=self.test.value,
            correction=self.correction.value,
            confidence=self.confidence,
            intervals=self.intervals,
            margins=named_numbers(self.margin or [], "--margin", "MEASURE=X, as in map=0.01"),
        )


@dataclass(frozen=True)
class Printing:
    """How an assessment is printed, and where a report of it is written."""

    per_topic: PerTopic = False
    report: Report = None
    form: PrintedAssessment = AssessmentForm.TABLE

    def __post_init__(self) -> None:
        """Refuse a place where no report can be, before anything is computed."""
        refuse_as_report(self.report)

    def show(self, found: Assessment) -> None:
        """Print what was FOUND, and write the report if one is wanted; exit with 1 if nothing can be said."""
        from primad.reports.assessment.text import render

        show(render(found, self.form, per_topic=self.per_topic, width=terminal_width()))
        if self.report is not None:
            from primad.reports.folder import write_report

            write_report(found, Path(self.report))
            say(f"report in {self.report}")
        if not found.says_something:
            raise typer.Exit(1)
