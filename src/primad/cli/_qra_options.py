"""What every command that quantifies precision has in common: its options, and how they are answered.

By, Where, ...   an option each, as the signature of a command names it
Questions        what the options ask; ``answer`` prints it of measurements, ``ask`` lets a site do so
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from primad.cli._output import say, show, terminal_width
from primad.cli._pairs import named_numbers, named_values
from primad.cli._progress import progress
from primad.errors import UsageError

if TYPE_CHECKING:
    from primad.cli.remote.site import RemoteSite
    from primad.qra.material import Material
    from primad.qra.result import QuantifiedAssessment


class Form(StrEnum):
    """How the assessment is printed."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    LATEX = "latex"


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
Confidence = Annotated[float, typer.Option(metavar="X", help="Confidence of the intervals.")]
Save = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Keep all that was read: .csv, .yaml, .jsonl, or .qra3.csv with its config."),
]
Report = Annotated[str | None, typer.Option(metavar="DIR", help="Write a page, tables and figures into DIR.")]
Printed = Annotated[Form, typer.Option("--format", help="How to print the assessment.")]

LABORATORY = "performed_by"


@dataclass(frozen=True)
class Questions:
    """What is to be said of measurements, and where they are kept."""

    by: Sequence[str]
    where: Mapping[str, Sequence[str]]
    conditions: Sequence[str] | None
    causes: bool
    variant: Variant
    margins: Mapping[str, float]
    laboratory: str
    confidence: float
    kept: Path | None

    @classmethod
    def of(
        cls,
        *,
        by: list[str] | None,
        where: list[str] | None,
        conditions: str | None,
        causes: bool,
        variant: Variant,
        margin: list[str] | None,
        laboratory: str,
        confidence: float,
        save: str | None,
    ) -> Questions:
        """Return what the options ask; what has no meaning is refused before anything is read."""
        return cls(
            by=by or [],
            where=named_values(where or [], "--where", "NAME=VALUE, as in role=original"),
            conditions=_names(conditions),
            causes=causes,
            variant=variant,
            margins=named_numbers(margin or [], "--margin", "MEASURAND=X, as in BLEU=0.5"),
            laboratory=laboratory,
            confidence=confidence,
            kept=None if save is None else _place(save),
        )

    def answer(self, material: Material, form: Form, report: str | None) -> None:
        """Print what MATERIAL says, and write the report if one is wanted; exit with 1 if nothing can be said."""
        from primad.qra.assess import assess
        from primad.reports.qra import render

        found = assess(
            material,
            variant=self.variant.value,
            by=self.by,
            where=self.where,
            conditions=self.conditions,
            causes=self.causes,
            margins=self.margins,
            laboratory=self.laboratory,
            confidence=self.confidence,
            progress=lambda groups, total: progress(groups, total=total, what="groups"),
        )
        if self.kept is not None:
            _save(material, self.kept)
        show(render(found, form, width=terminal_width()))
        _say_remarks(found, form)
        if report is not None:
            from primad.reports.bundle import write_report

            write_report(found, Path(report))
            say(f"report in {report}")
        if not found.says_something:
            raise typer.Exit(1)

    def ask(self, site: RemoteSite, source: Mapping[str, Any], form: Form, report: str | None) -> None:
        """Print what SITE says of the measurements from SOURCE, and fetch the report if one is wanted."""
        from primad.cli.remote.reporting import quantified

        if self.kept is not None:
            raise UsageError("--save keeps what is read here; expected it without --server")
        asked = {
            "variant": self.variant.value,
            "by": list(self.by),
            "where": {name: list(values) for name, values in self.where.items()},
            "conditions": None if self.conditions is None else list(self.conditions),
            "causes": self.causes,
            "margins": dict(self.margins),
            "laboratory": self.laboratory,
            "confidence": self.confidence,
        }
        quantified(site, source, asked, form, report)


def _names(conditions: str | None) -> list[str] | None:
    """Return the names in the option --conditions, None if it was not given."""
    if conditions is None:
        return None
    names = [name.strip() for name in conditions.split(",")]
    if not all(names):
        raise UsageError(f"expected --conditions NAME,..., as in code_by,test_set, found '{conditions}'")
    return names


def _place(save: str) -> Path:
    """Return the path to SAVE to, whose name must say a format."""
    from primad.qra.saving import format_of

    format_of(Path(save))
    return Path(save)


def _save(material: Material, path: Path) -> None:
    """Keep MATERIAL in the format that the name of PATH says, and say where it is and what is not in it."""
    from primad.qra.saving import save

    saved = save(material, path)
    for target in saved.texts:
        say(f"measurements in {target}")
    for remark in saved.remarks:
        say(remark)


def _say_remarks(found: QuantifiedAssessment, form: Form) -> None:
    """Say what was remarked, and what the FORM leaves out."""
    for remark in found.remarks:
        say(remark)
    if found.labels and form in (Form.CSV, Form.LATEX):
        say(f"the agreement of labels is in --format table and json, not in {form}")
