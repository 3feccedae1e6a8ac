"""primad assess: how well was an experiment reproduced?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from primad.cli._assess_options import How, Jobs, Printing
from primad.cli._commands import new_app
from primad.cli._grouping import GroupingCommand, parts
from primad.cli._options import AssessmentForm, gathered
from primad.cli._output import say, show, terminal_width
from primad.cli._progress import progress
from primad.errors import UsageError

if TYPE_CHECKING:
    from primad.reproducibility.assessment.settings import Settings

EXAMPLE = """\b
Examples:
  primad assess --original bm25.run rm3.run --reproduction my.bm25.run my.rm3.run --qrels core17.qrels
  primad assess --original WCrobust04 --in runs/ --qrels core17.qrels --report report/
  primad assess --scores base.csv advanced.csv -m map --values rbo=base_rbo.csv advanced_rbo.csv
  primad assess --as-reported rm3.run --in runs/ --qrels core17.qrels
"""

app = new_app()

_MOST_RUNS = 2
# What --as-reported leaves to the user: where runs and judgments are, how trec_eval counts, how the result is printed.
_WITH_AS_REPORTED = frozenset({"as_reported", "qrels", "folder", "level", "complete", "compat", "form"})
# How an option comes to its value where nobody gave it one.
_NOT_GIVEN = frozenset({"DEFAULT", "DEFAULT_MAP"})


class AssessCommand(GroupingCommand):
    """The command whose options name experiments of one or two runs."""

    grouping = frozenset(
        {"--original", "--reproduction", "--qrels", "--reproduction-qrels", "--scores", "--values", "--in"}
    )


Original = Annotated[
    list[str] | None,
    typer.Option(
        metavar="BASELINE [ADVANCED]", help="The runs that were reproduced; with --in also by tag, in tables by column."
    ),
]
Reproductions = Annotated[
    list[str] | None, typer.Option(metavar="BASELINE [ADVANCED]", help="The runs of a reproduction; once for each.")
]
Judgments = Annotated[
    list[str] | None, typer.Option(metavar="FILE...", help="The judgments; of several each run takes its own.")
]
OtherJudgments = Annotated[
    list[str] | None,
    typer.Option(metavar="FILE...", help="The judgments of the reproductions, if others: one for all, or one each."),
]
Folders = Annotated[
    list[str] | None,
    typer.Option("--in", metavar="DIR...", help="Find reproductions by their metadata in these folders."),
]
Scores = Annotated[
    list[str] | None,
    typer.Option(metavar="FILE [FILE]", help="Scores of topics (CSV) of baselines, and of advanced runs."),
]
Values = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=FILE [FILE]", help="With --scores: topic values that others computed."),
]
Reported = Annotated[
    str | None, typer.Option(metavar="RUN", help="Redo what the header of RUN states: measures, baselines, test.")
]
Reference = Annotated[
    str | None, typer.Option(metavar="TAG|FILE", help="The run of a sweep that others are compared with.")
]


@app.command(cls=AssessCommand, epilog=EXAMPLE)
@gathered
def assess(
    context: typer.Context,
    *,
    original: Original = None,
    reproduction: Reproductions = None,
    qrels: Judgments = None,
    reproduction_qrels: OtherJudgments = None,
    folder: Folders = None,
    scores: Scores = None,
    values: Values = None,
    as_reported: Reported = None,
    how: How,
    reference: Reference = None,
    jobs: Jobs = None,
    printing: Printing,
) -> None:
    """Say how well an original experiment was reproduced: effectiveness, order, scores, overall effect.

    The test collection decides which measures exist; each one that does not is listed with the reason.  The
    exit code is 1 if there is none.
    """
    from primad.reproducibility.assessment.request import Request, fulfil
    from primad.reproducibility.assessment.settings import DEFAULT_MEASURES
    from primad.reproducibility.assessment.tables import UNNAMED

    settings = how.settings((UNNAMED,) if scores else DEFAULT_MEASURES)
    judgments, folders = _all(qrels, "--qrels"), _all(folder, "--in")
    if as_reported is not None:
        _refuse_beside_as_reported(context)
        _redo(as_reported, folders, judgments, settings, printing.form)
        return
    request = Request(
        original=_last(original, "--original", _MOST_RUNS),
        reproductions=[parts(runs, "--reproduction", _MOST_RUNS) for runs in reproduction or []],
        qrels=judgments,
        reproduction_qrels=_all(reproduction_qrels, "--reproduction-qrels"),
        folders=folders,
        scores=_all(scores, "--scores"),
        values=_values(values or []),
        reference=reference,
        settings=settings,
        jobs=jobs,
    )
    printing.show(fulfil(request, lambda things, total: progress(things, total=total, what="experiments")))


def _refuse_beside_as_reported(context: typer.Context) -> None:
    """Refuse each option that was given and that the header decides, or that has nothing to act upon."""
    for option in context.command.params:
        source = context.get_parameter_source(option.name or "")
        if option.name in _WITH_AS_REPORTED or source is None or source.name in _NOT_GIVEN:
            continue
        is_off = context.params[option.name or ""] is False
        name = (option.secondary_opts if is_off else option.opts)[-1]
        raise UsageError(f"{name} has no meaning together with --as-reported")


def _redo(run: str, folders: list[str], qrels: list[str], settings: Settings, form: AssessmentForm) -> None:
    """Print what the header of RUN reports, done again."""
    from primad.reports.as_reported import render
    from primad.reproducibility.as_reported import as_reported, finder
    from primad.reproducibility.described import describe

    if len(qrels) != 1:
        raise UsageError(f"expected one file of judgments with --as-reported, found {len(qrels)}")
    if form not in (AssessmentForm.TABLE, AssessmentForm.JSON):
        raise UsageError(f"--as-reported is printed as table or json, not as {form}")
    described, remarks = describe(folders or [str(Path(run).parent)])
    result = as_reported(run, finder(described), qrels[0], rules=settings.rules)
    show(render(result, form, width=terminal_width()))
    for remark in remarks:
        say(remark)


def _all(given: list[str] | None, option: str) -> list[str]:
    """Return every value that was given to OPTION, however often it was named."""
    return [value for group in given or [] for value in parts(group, option)]


def _last(given: list[str] | None, option: str, most: int) -> list[str]:
    """Return the values of an OPTION that is to be named once."""
    if given and len(given) > 1:
        raise UsageError(f"expected {option} once, found it {len(given)} times")
    return parts(given[0], option, most) if given else []


def _values(given: list[str]) -> dict[str, list[str]]:
    """Return the tables of topic values by the name of the measure."""
    tables: dict[str, list[str]] = {}
    for group in given:
        first, *others = parts(group, "--values")
        name, equals, path = first.partition("=")
        if not equals or not name or not path:
            raise UsageError(f"expected --values NAME=FILE [FILE], found '{first}'")
        tables.setdefault(name, []).extend([path, *others])
    return tables
