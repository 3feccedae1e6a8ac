"""primad qra: how precise are measured values, and why do they vary?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from primad.cli._grouping import GroupingCommand, parts
from primad.cli._output import say, show, terminal_width
from primad.cli._pairs import named_numbers, named_values
from primad.cli._progress import progress
from primad.errors import DataError, UsageError

if TYPE_CHECKING:
    from primad.qra.material import Material
    from primad.qra.result import QuantifiedAssessment

EXAMPLE = """\b
Examples:
  primad qra --example belz2022
  primad qra measurements.csv --causes --conditions paper
  primad qra nts.qra.yaml --by comp_trained_by --report report/
  primad qra --runs runs/ --qrels core17.qrels -m map -m ndcg
"""


class QraCommand(GroupingCommand):
    """The command that takes files of measurements, or any number of runs behind an option."""

    grouping = frozenset({"--runs"})


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


def qra(
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILE...", help="Measurements: YAML, CSV, TSV, JSON lines, or QRA3's CSV."),
    ] = None,
    example: Annotated[
        str | None, typer.Option(metavar="NAME", help="Measurements that are shipped: belz2022.")
    ] = None,
    runs: Annotated[
        list[str] | None, typer.Option(metavar="RUN|DIR...", help="Make measurements out of these runs; needs --qrels.")
    ] = None,
    qrels: Annotated[str | None, typer.Option(metavar="FILE", help="The judgments for --runs.")] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option("-m", "--measure", metavar="NAME", help="With --runs: a measure; map, ndcg and P_10 by default."),
    ] = None,
    object_field: Annotated[
        str | None,
        typer.Option("--object", metavar="FIELD", help="With --runs: the metadata field that names the object."),
    ] = None,
    by: Annotated[
        list[str] | None, typer.Option(metavar="CONDITION", help="Part each group by the values of a condition.")
    ] = None,
    where: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="Only measurements with this condition, source, role, object, id, ..."),
    ] = None,
    causes: Annotated[bool, typer.Option("--causes", help="Say why the values vary, as far as anybody can.")] = False,
    conditions: Annotated[
        str | None,
        typer.Option(metavar="NAME,...", help="Look at these conditions only; 'paper' means the seven of the paper."),
    ] = None,
    conditions_from: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="Conditions of all measurements: a HEDS sheet or an ML checklist."),
    ] = None,
    criterion: Annotated[
        str | None, typer.Option(metavar="NAME", help="The quality criterion of a HEDS sheet, if it has several.")
    ] = None,
    config: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="QRA3's JSON config, if it is not beside its CSV; FILEs are QRA3's then."),
    ] = None,
    variant: Annotated[Variant, typer.Option(help="Which definition of CV* counts.")] = Variant.ACL2022,
    margin: Annotated[
        list[str] | None,
        typer.Option(metavar="MEASURAND=X", help="How far apart values are still equivalent, as in BLEU=0.5."),
    ] = None,
    laboratory: Annotated[
        str, typer.Option(metavar="CONDITION", help="The condition that tells laboratories apart.")
    ] = "performed_by",
    confidence: Annotated[float, typer.Option(metavar="X", help="Confidence of the intervals.")] = 0.95,
    save: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Keep all that was read: .csv, .yaml, .jsonl, or .qra3.csv with its config."),
    ] = None,
    report: Annotated[
        str | None, typer.Option(metavar="DIR", help="Write a page, tables and figures into DIR.")
    ] = None,
    form: Annotated[Form, typer.Option("--format", help="How to print the assessment.")] = Form.TABLE,
) -> None:
    """Say how precise measured values are (CV*), under which conditions, and why they vary.

    The values of one measurand of one object form a group: repeatability if all conditions are equal, else
    reproducibility.
    """
    from primad.qra.assess import assess
    from primad.reports.qra import render

    sources = _Sources(files or [], config, example, runs or [], qrels, measure or [], object_field)
    sources.refuse_contradictions()
    if criterion is not None and not conditions_from:
        raise UsageError("--criterion needs --conditions-from, for it is one of a datasheet")
    names = _names(conditions)
    values = named_values(where or [], "--where", "NAME=VALUE, as in role=original")
    margins = named_numbers(margin or [], "--margin", "MEASURAND=X, as in BLEU=0.5")
    kept = None if save is None else _place(save)
    material = _with_conditions(sources.material(), conditions_from or [], criterion)
    found = assess(
        material,
        variant=variant.value,
        by=by or [],
        where=values,
        conditions=names,
        causes=causes,
        margins=margins,
        laboratory=laboratory,
        confidence=confidence,
        progress=lambda groups, total: progress(groups, total=total, what="groups"),
    )
    if kept is not None:
        _save(material, kept)
    show(render(found, form, width=terminal_width()))
    _say_remarks(found, form)
    if report is not None:
        from primad.reports.bundle import write_report

        write_report(found, Path(report))
        say(f"report in {report}")
    if not found.says_something:
        raise typer.Exit(1)


@dataclass(frozen=True)
class _Sources:
    """Where measurements come from, as the options say."""

    files: list[str]
    config: str | None
    example: str | None
    runs: list[str]
    qrels: str | None
    measures: list[str]
    object_field: str | None

    def refuse_contradictions(self) -> None:
        """Refuse options that cannot be meant together, before anything is read."""
        if not self.files and self.example is None and not self.runs:
            raise UsageError("nothing to assess: name a file of measurements, --example or --runs")
        if self.runs and self.qrels is None:
            raise UsageError("--runs needs --qrels FILE: scores come from judgments")
        if not self.runs and (self.qrels or self.measures or self.object_field):
            raise UsageError("--qrels, -m and --object need --runs")
        if self.config is not None and not self.files:
            raise UsageError("--config needs a FILE that it is the configuration of")

    def material(self) -> Material:
        """Return what all of them say; that they have nothing to assess is an error, and remarks may tell why."""
        from primad.qra.reading.read import read_several

        material = read_several(self.files, self.config)
        if self.example is not None:
            from primad.qra.example import example_measurements

            material += example_measurements(self.example)
        if self.runs:
            material += self._of_runs()
        if not material.measurements and not material.labels:
            for remark in material.remarks:
                say(remark)
            claims = ", only claims, which are tested on measurements" if material.claims else ""
            raise DataError(f"nothing to assess: what was read has no measurements and no labels{claims}")
        return material

    def _of_runs(self) -> Material:
        """Return the measurements that the runs give."""
        from primad.reproducibility.run_measurements import measurements_of_runs
        from primad.reproducibility.run_scores import DEFAULT_MEASURES

        return measurements_of_runs(
            [path for group in self.runs for path in parts(group, "--runs")],
            self.qrels or "",
            self.measures or DEFAULT_MEASURES,
            object_field=self.object_field,
            progress=lambda things, total: progress(things, total=total, what="runs"),
        )


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


def _with_conditions(material: Material, files: list[str], criterion: str | None) -> Material:
    """Return MATERIAL whose measurements have the conditions that FILES state, where they state none themselves."""
    if not files:
        return material
    from primad.qra.reading.imported import read_conditions

    stated = {name: value for path in files for name, value in read_conditions(path, criterion).items()}
    if not material.measurements:
        say("--conditions-from has nothing to apply to: conditions are those of measurements, and there are none")
    measurements = tuple(replace(one, conditions={**stated, **one.conditions}) for one in material.measurements)
    return replace(material, measurements=measurements)


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
