"""primad qra: how precise are measured values, and why do they vary?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated, Any

import typer

from primad.cli._commands import new_app
from primad.cli._grouping import GroupingCommand, parts
from primad.cli._options import by_measure, gathered
from primad.cli._output import say
from primad.cli._progress import progress
from primad.cli._qra_options import Questions
from primad.cli.remote.naming import Served, is_named, meant
from primad.errors import DataError, UsageError

if TYPE_CHECKING:
    from primad.qra.material import Material

EXAMPLE = """\b
Examples:
  primad qra --example belz2022
  primad qra measurements.csv --causes --conditions paper
  primad qra nts.qra.yaml --by comp_trained_by --report report/
  primad qra --runs runs/ --qrels core17.qrels -m map -m ndcg
"""

app = new_app()


class QraCommand(Served, GroupingCommand):
    """The command that takes files of measurements, or any number of runs behind an option."""

    grouping = frozenset({"--runs"})


@app.command(cls=QraCommand, epilog=EXAMPLE)
@gathered
def qra(
    *,
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
        by_measure("With --runs: a measure; map, ndcg and P_10 by default."),
    ] = None,
    object_field: Annotated[
        str | None,
        typer.Option("--object", metavar="FIELD", help="With --runs: the metadata field that names the object."),
    ] = None,
    config: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="QRA3's JSON config, if it is not beside its CSV; FILEs are QRA3's then."),
    ] = None,
    conditions_from: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="Conditions of all measurements: a HEDS sheet or an ML checklist."),
    ] = None,
    criterion: Annotated[
        str | None, typer.Option(metavar="NAME", help="The quality criterion of a HEDS sheet, if it has several.")
    ] = None,
    questions: Questions,
) -> None:
    """Say how precise measured values are (CV*), under which conditions, and why they vary.

    The values of one measurand of one object form a group: repeatability if all conditions are equal, else
    reproducibility.  The exit code is 1 if nothing can be said of any.
    """
    sources = _Sources(files or [], config, example, runs or [], qrels, measure or [], object_field)
    sources.refuse_contradictions()
    if criterion is not None and not conditions_from:
        raise UsageError("--criterion needs --conditions-from, for it is one of a datasheet")
    site = meant() if is_named() or (sources.is_one_file and not conditions_from) else None
    if site is not None:
        questions.ask(site, sources.sent(conditions_from or []))
    else:
        questions.answer(_with_conditions(sources.material(), conditions_from or [], criterion))


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

    @property
    def is_one_file(self) -> bool:
        """Tell whether it is one file and nothing else."""
        return len(self.files) == 1 and not (self.config or self.example or self.runs)

    def sent(self, conditions_from: list[str]) -> dict[str, Any]:
        """Return what is sent to a site: the text of one file."""
        if not self.is_one_file or conditions_from:
            raise UsageError("a site is sent one FILE of measurements; expected no other, and no --example or --runs")
        from primad.qra.reading.foreign import LARGEST_TABLE, read_text
        from primad.trec.files import name_of

        path = self.files[0]
        name = name_of(path)
        return {"text": read_text(path, name, limit=LARGEST_TABLE), "name": PurePath(name).name}

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
        from primad.reproducibility.assessment.settings import DEFAULT_MEASURES
        from primad.reproducibility.measurements.of_runs import measurements_of_runs

        return measurements_of_runs(
            [path for group in self.runs for path in parts(group, "--runs")],
            self.qrels or "",
            self.measures or DEFAULT_MEASURES,
            object_field=self.object_field,
            progress=lambda things, total: progress(things, total=total, what="runs"),
        )


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
