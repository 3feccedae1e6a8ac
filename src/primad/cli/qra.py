"""primad qra: how precise are measured values, and why do they vary?"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from primad.cli._grouping import GroupingCommand, parts
from primad.cli._output import say, show, terminal_width
from primad.cli._pairs import named_numbers, named_values
from primad.cli._progress import progress
from primad.errors import UsageError

if TYPE_CHECKING:
    from primad.qra.material import Material

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
        str | None, typer.Option(metavar="FILE", help="QRA3's JSON config, if it is not beside its CSV.")
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
        typer.Option(metavar="FILE", help="Keep the measurements: .csv, .yaml, .jsonl, or .qra3.csv with its config."),
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

    material = _material(files or [], example, config)
    if runs:
        material += _of_runs(runs, qrels, measure, object_field)
    elif qrels or measure or object_field:
        raise UsageError("--qrels, -m and --object need --runs")
    if config is not None and not files:
        raise UsageError("--config needs a FILE that it is the configuration of")
    if criterion is not None and not conditions_from:
        raise UsageError("--criterion needs --conditions-from, for it is one of a datasheet")
    if not material.measurements and not material.labels:
        raise UsageError("nothing to assess: name a file of measurements, --example or --runs")
    material = _with_conditions(material, conditions_from or [], criterion)
    found = assess(
        material,
        variant=variant.value,
        by=by or [],
        where=named_values(where or [], "--where", "NAME=VALUE, as in role=original"),
        conditions=[name.strip() for name in conditions.split(",")] if conditions else None,
        causes=causes,
        margins=named_numbers(margin or [], "--margin", "MEASURAND=X, as in BLEU=0.5"),
        laboratory=laboratory,
        confidence=confidence,
        progress=lambda groups, total: progress(groups, total=total, what="groups"),
    )
    if save is not None:
        _save(material, Path(save))
    show(render(found, form, width=terminal_width()))
    for remark in found.remarks:
        say(remark)
    if report is not None:
        from primad.reports.bundle import write_report

        write_report(found, Path(report))
        say(f"report in {report}")
    if not found.says_something:
        raise typer.Exit(1)


def _material(files: list[str], example: str | None, config: str | None) -> Material:
    """Return what FILES and the EXAMPLE say."""
    from primad.qra.material import Material
    from primad.qra.reading.qra3 import read_qra3
    from primad.qra.reading.read import read_measurements

    read = [read_measurements(path) if config is None else read_qra3(path, config) for path in files]
    material = sum(read, start=Material())
    if example is not None:
        from primad.qra.example import example as shipped

        material += shipped(example)
    return material


def _of_runs(runs: list[str], qrels: str | None, measures: list[str] | None, object_field: str | None) -> Material:
    """Return the measurements that RUNS give."""
    from primad.reproducibility.run_measurements import measurements_of_runs
    from primad.reproducibility.run_scores import DEFAULT_MEASURES

    if qrels is None:
        raise UsageError("--runs needs --qrels FILE: scores come from judgments")
    return measurements_of_runs(
        [path for group in runs for path in parts(group, "--runs")],
        qrels,
        measures or DEFAULT_MEASURES,
        object_field=object_field,
        progress=lambda things, total: progress(things, total=total, what="runs"),
    )


def _with_conditions(material: Material, files: list[str], criterion: str | None) -> Material:
    """Return MATERIAL whose measurements have the conditions that FILES state, where they state none themselves."""
    if not files:
        return material
    from primad.qra.reading.imported import read_conditions

    stated = {name: value for path in files for name, value in read_conditions(path, criterion).items()}
    measurements = tuple(replace(one, conditions={**stated, **one.conditions}) for one in material.measurements)
    return replace(material, measurements=measurements)


def _save(material: Material, path: Path) -> None:
    """Keep the measurements of MATERIAL in the format that the name of PATH says."""
    from primad.qra.saving import saved_as
    from primad.trec.files import atomic_write

    for target, text in saved_as(material, path).items():
        with atomic_write(target) as stream:
            stream.write(text.encode())
        say(f"measurements in {target}")
