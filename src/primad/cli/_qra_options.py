"""What every command that quantifies precision has in common: its options, and how they are answered.

Questions        what the options ask; ``answer`` prints it of measurements, ``ask`` lets a site do so
show_precision   an assessment, and a report of it if one is wanted
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from primad.cli._options import AssessmentForm, Confidence, PrintedAssessment, Report, refuse_as_report
from primad.cli._output import say, say_remarks, show, terminal_width
from primad.cli._pairs import named_numbers, named_values
from primad.cli._progress import progress
from primad.errors import UsageError

if TYPE_CHECKING:
    from primad.cli.remote.site import RemoteSite
    from primad.qra.material import Material
    from primad.qra.result import QuantifiedAssessment


class Variant(StrEnum):
    """Which definition of CV* counts."""

    ACL2022 = "acl2022"
    QRA3 = "qra3"


By = Annotated[
    list[str] | None, typer.Option(metavar="CONDITION", help="Part each group by the values of a condition.")
]
Where = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=VALUE", help="Only measurements with this condition, source, role, object, id, ..."),
]
Causes = Annotated[bool, typer.Option("--causes", help="Say why the values vary, as far as anybody can.")]
Conditions = Annotated[
    str | None,
    typer.Option(metavar="NAME,...", help="Look at these conditions only; 'paper' means the seven of the paper."),
]
Varied = Annotated[Variant, typer.Option(help="Which definition of CV* counts.")]
Margins = Annotated[
    list[str] | None,
    typer.Option(metavar="MEASURAND=X", help="How far apart values are still equivalent, as in BLEU=0.5."),
]
Laboratory = Annotated[str, typer.Option(metavar="CONDITION", help="The condition that tells laboratories apart.")]
Save = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Keep all that was read: .csv, .yaml, .jsonl, or .qra3.csv with its config."),
]
LABORATORY = "performed_by"


@dataclass(frozen=True)
class Questions:
    """What is to be said of measurements, how it is printed, and where they are kept."""

    by: By = None
    where: Where = None
    causes: Causes = False
    conditions: Conditions = None
    variant: Varied = Variant.ACL2022
    margin: Margins = None
    laboratory: Laboratory = LABORATORY
    confidence: Confidence = 0.95
    save: Save = None
    report: Report = None
    form: PrintedAssessment = AssessmentForm.TABLE

    def __post_init__(self) -> None:
        """Refuse what has no meaning before anything is read."""
        self.asked()
        refuse_as_report(self.report)
        if self.save is not None:
            from primad.qra.saving import format_of

            format_of(Path(self.save))

    def asked(self) -> dict[str, Any]:
        """Return the questions as primad.qra.assess takes them."""
        return {
            "variant": self.variant.value,
            "by": self.by or [],
            "where": named_values(self.where or [], "--where", "NAME=VALUE, as in role=original"),
            "conditions": _names(self.conditions),
            "causes": self.causes,
            "margins": named_numbers(self.margin or [], "--margin", "MEASURAND=X, as in BLEU=0.5"),
            "laboratory": self.laboratory,
            "confidence": self.confidence,
        }

    def answer(self, material: Material) -> None:
        """Print what MATERIAL says, and write the report if one is wanted; exit with 1 if nothing can be said."""
        from primad.qra.assess import assess

        found = assess(
            material, progress=lambda groups, total: progress(groups, total=total, what="groups"), **self.asked()
        )
        if self.save is not None:
            _save(material, Path(self.save))
        show_precision(found, self.form, self.report)

    def ask(self, site: RemoteSite, source: Mapping[str, Any]) -> None:
        """Print what SITE says of the measurements from SOURCE, and fetch the report if one is wanted."""
        from primad.cli.remote.reporting import quantified

        if self.save is not None:
            raise UsageError("--save keeps what is read here; expected it without --server")
        quantified(site, source, self.asked(), self.form, self.report)


def show_precision(found: QuantifiedAssessment, form: AssessmentForm, report: str | None) -> None:
    """Print what was FOUND, and write the report if one is wanted; exit with 1 if nothing can be said."""
    from primad.reports.qra.text import render

    show(render(found, form, width=terminal_width()))
    say_remarks(found.remarks, form, has_labels=bool(found.labels))
    if report is not None:
        from primad.reports.folder import write_report

        write_report(found, Path(report))
        say(f"report in {report}")
    if not found.says_something:
        raise typer.Exit(1)


def _names(conditions: str | None) -> list[str] | None:
    """Return the names in the option --conditions, None if it was not given."""
    if conditions is None:
        return None
    names = [name.strip() for name in conditions.split(",")]
    if not all(names):
        raise UsageError(f"expected --conditions NAME,..., as in code_by,test_set, found '{conditions}'")
    return names


def _save(material: Material, path: Path) -> None:
    """Keep MATERIAL in the format that the name of PATH says, and say where it is and what is not in it."""
    from primad.qra.saving import save

    saved = save(material, path)
    for target in saved.texts:
        say(f"measurements in {target}")
    for remark in saved.remarks:
        say(remark)
