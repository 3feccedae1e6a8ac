"""primad assess: how well was an experiment reproduced?"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from primad.cli._grouping import GroupingCommand, parts
from primad.cli._output import say, show, terminal_width
from primad.cli._pairs import named_numbers
from primad.cli._progress import progress
from primad.errors import UsageError

if TYPE_CHECKING:
    from primad.reproducibility.assessment.result import Assessment
    from primad.reproducibility.assessment.settings import Settings

EXAMPLE = """\b
Examples:
  primad assess --original bm25.run rm3.run --reproduction my.bm25.run my.rm3.run --qrels core17.qrels
  primad assess --original WCrobust04 --in runs/ --qrels core17.qrels --report report/
  primad assess --scores base.csv advanced.csv -m map --values rbo=base_rbo.csv advanced_rbo.csv
  primad assess --as-reported rm3.run --in runs/ --qrels core17.qrels
"""

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


def assess(
    context: typer.Context,
    original: Annotated[
        list[str] | None,
        typer.Option(
            metavar="BASELINE [ADVANCED]",
            help="The runs that were reproduced; with --in also by tag, in tables by column.",
        ),
    ] = None,
    reproduction: Annotated[
        list[str] | None,
        typer.Option(metavar="BASELINE [ADVANCED]", help="The runs of a reproduction; once for each."),
    ] = None,
    qrels: Annotated[
        list[str] | None, typer.Option(metavar="FILE...", help="The judgments; of several each run takes its own.")
    ] = None,
    reproduction_qrels: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE...", help="The judgments of the reproductions, if others: one for all, or one each."
        ),
    ] = None,
    folder: Annotated[
        list[str] | None,
        typer.Option("--in", metavar="DIR...", help="Find reproductions by their metadata in these folders."),
    ] = None,
    scores: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE [FILE]", help="Scores of topics (CSV) of baselines, and of advanced runs."),
    ] = None,
    values: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=FILE [FILE]", help="With --scores: topic values that others computed."),
    ] = None,
    as_reported: Annotated[
        str | None, typer.Option(metavar="RUN", help="Redo what the header of RUN states: measures, baselines, test.")
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "-m", "--measure", metavar="NAME", help="An effectiveness measure; map, ndcg and P_10 by default."
        ),
    ] = None,
    margin: Annotated[
        list[str] | None,
        typer.Option(
            metavar="MEASURE=X", help="How far apart is still the same, as in map=0.01, rbo_ext=0.05, er=0.1."
        ),
    ] = None,
    test: Annotated[Test, typer.Option(help="How topic scores are tested.")] = Test.T,
    correction: Annotated[Correction, typer.Option(help="How claims of a difference are corrected.")] = Correction.HOLM,
    confidence: Annotated[float, typer.Option(metavar="X", help="Confidence of the intervals.")] = 0.95,
    intervals: Annotated[bool, typer.Option(help="Compute intervals; without them it is faster.")] = True,
    p: Annotated[float, typer.Option("--rbo-p", metavar="X", help="How much RBO looks at the top.")] = 0.95,
    depth: Annotated[int, typer.Option(metavar="N", help="How far down rankings are compared.")] = 1000,
    ties: Annotated[
        Ties, typer.Option(help="Equal scores in tau and RBO_ext: broken as trec_eval does, or variant w, a, b.")
    ] = Ties.BROKEN,
    level: Annotated[
        int, typer.Option("-l", "--level", metavar="N", help="The lowest relevance that counts as relevant.")
    ] = 1,
    complete: Annotated[
        bool, typer.Option("-c", "--complete", help="Count judged topics that a run lacks as 0.")
    ] = False,
    compat: Annotated[Compat, typer.Option(help="The version of trec_eval to follow.")] = Compat.NINE,
    reference: Annotated[
        str | None, typer.Option(metavar="TAG|FILE", help="The run of a sweep that others are compared with.")
    ] = None,
    per_topic: Annotated[bool, typer.Option("-q", "--per-topic", help="Add the values of each topic.")] = False,
    report: Annotated[
        str | None, typer.Option(metavar="DIR", help="Write a page, tables and figures into DIR.")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Experiments at a time; as many as pay off by default.")
    ] = None,
    form: Annotated[Form, typer.Option("--format", help="How to print the assessment.")] = Form.TABLE,
) -> None:
    """Say how well an original experiment was reproduced: effectiveness, order, scores, overall effect.

    The test collection decides which measures exist; each one that does not is listed with the reason.
    """
    from primad.evaluation.rules import Rules
    from primad.reproducibility.assessment.request import Request, fulfil
    from primad.reproducibility.assessment.settings import DEFAULT_MEASURES, Settings
    from primad.reproducibility.assessment.tables import UNNAMED

    settings = Settings(
        measures=tuple(measure or ((UNNAMED,) if scores else DEFAULT_MEASURES)),
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
    judgments, folders = _all(qrels, "--qrels"), _all(folder, "--in")
    if as_reported is not None:
        _refuse_beside_as_reported(context)
        _redo(as_reported, folders, judgments, settings, form)
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
    found = fulfil(request, lambda things, total: progress(things, total=total, what="experiments"))
    _print(found, form, per_topic=per_topic, report=report)


def _print(found: Assessment, form: Form, *, per_topic: bool, report: str | None) -> None:
    """Print what was FOUND, and write the report if one is wanted; exit with 1 if nothing can be said."""
    from primad.reports.assessment import render

    show(render(found, form, per_topic=per_topic, width=terminal_width()))
    if report is not None:
        from primad.reports.bundle import write_report

        write_report(found, Path(report))
        say(f"report in {report}")
    if not found.says_something:
        raise typer.Exit(1)


def _refuse_beside_as_reported(context: typer.Context) -> None:
    """Refuse each option that was given and that the header decides, or that has nothing to act upon."""
    for option in context.command.params:
        source = context.get_parameter_source(option.name or "")
        if option.name in _WITH_AS_REPORTED or source is None or source.name in _NOT_GIVEN:
            continue
        is_off = context.params[option.name or ""] is False
        name = (option.secondary_opts if is_off else option.opts)[-1]
        raise UsageError(f"{name} has no meaning together with --as-reported")


def _redo(run: str, folders: list[str], qrels: list[str], settings: Settings, form: Form) -> None:
    """Print what the header of RUN reports, done again."""
    from primad.reports.as_reported import render
    from primad.reproducibility.as_reported import as_reported, finder
    from primad.reproducibility.described import describe

    if len(qrels) != 1:
        raise UsageError(f"expected one file of judgments with --as-reported, found {len(qrels)}")
    if form not in (Form.TABLE, Form.JSON):
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
