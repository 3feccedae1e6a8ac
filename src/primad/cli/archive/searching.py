"""primad archive search: runs, baselines and reproductions are found."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from primad.cli._commands import new_app
from primad.cli._options import Folder, RowsForm, by_measure
from primad.cli._output import say, show, terminal_width
from primad.cli.archive._opening import opened
from primad.cli.archive._queries import Query, QueryCommand, query_of
from primad.errors import UsageError

if TYPE_CHECKING:
    from primad.archive.archive import Archive
    from primad.reports.archive.answers import Found

EXAMPLE = """\b
Examples:
  primad archive search 'team:h2oloo method:bm25 collection:core17 map>=0.2 "relevance feedback"'
  primad archive search year:2015..2018 --sort map --facets team,toolkit -m map -m ndcg
  primad archive search --baseline-for my-bm25 -m map
  primad archive search --reproductions-of a2af8052d871 --format json
"""

app = new_app()

_LIMIT = 20


@app.command(cls=QueryCommand, epilog=EXAMPLE)
def search(
    query: Query = None,
    sort: Annotated[
        str, typer.Option(metavar="FIELD", help="The order: a field or a measure; -FIELD turns it around.")
    ] = "",
    limit: Annotated[int, typer.Option(min=0, metavar="N", help="Show the first N runs; 0 shows all.")] = _LIMIT,
    facets: Annotated[
        str, typer.Option(metavar="FIELD,...", help="Count the runs by the values of these fields, too.")
    ] = "",
    measure: Annotated[
        list[str] | None,
        by_measure("A measure whose scores are shown; map by default."),
    ] = None,
    baseline_for: Annotated[
        str | None, typer.Option(metavar="RUN", help="The strongest runs on the collection of RUN, compared with it.")
    ] = None,
    reproductions_of: Annotated[str | None, typer.Option(metavar="RUN", help="The runs that reproduce RUN.")] = None,
    folder: Folder = None,
    form: Annotated[RowsForm, typer.Option("--format", help="How to print the runs.")] = RowsForm.TABLE,
) -> None:
    """List the runs that QUERY finds, the newest first; exit with 1 if there is none.

    RUN is an address, the beginning of one, or a tag.
    """
    from primad.archive.archive import MEASURE

    text = query_of(query)
    names = [name.strip() for name in facets.split(",") if name.strip()]
    if baseline_for is not None or reproductions_of is not None:
        _refuse_beside(text, sort, names, alone=baseline_for is None or reproductions_of is None)
    if baseline_for is not None:
        _baselines(opened(folder), baseline_for, measure or [MEASURE], limit, form)
    elif reproductions_of is not None:
        _reproductions(opened(folder), reproductions_of, form)
    else:
        archive = opened(folder)
        found = archive.search(text, sort=sort, limit=limit or None, facets=names, measures=measure or (MEASURE,))
        _show(archive, found, form)


def _refuse_beside(text: str, sort: str, facets: list[str], *, alone: bool) -> None:
    """Refuse what cannot be asked together with neighbours of a run."""
    if not alone:
        raise UsageError("expected --baseline-for or --reproductions-of, found both")
    if text or sort or facets:
        raise UsageError("--baseline-for and --reproductions-of name one run; expected no QUERY, --sort or --facets")


def _show(archive: Archive, found: Found, form: RowsForm) -> None:
    """Print the runs that were FOUND."""
    from primad.reports.archive.runs import found_shown

    show(found_shown(found, form, terminal_width()))
    for remark in found.remarks:
        say(remark)
    if not found.total:
        say(nothing_found(archive, found.query))
        raise typer.Exit(1)
    if len(found.hits) < found.total:
        say(f"showing {len(found.hits):,} of {found.total:,} runs; --limit shows more")


def nothing_found(archive: Archive, query: str) -> str:
    """Return what to say where QUERY finds no run."""
    if not query or not archive.search("", limit=1).total:
        return "the archive has no runs; add some with: primad archive add FILE|DIR"
    return f"no run matches '{query:.200}'; try fewer terms, or see what there is with: primad archive overview"


def _baselines(archive: Archive, run: str, measures: list[str], limit: int, form: RowsForm) -> None:
    """Print the strongest runs beside RUN."""
    from primad.reports.archive.runs import baselines_shown, run_name

    if len(measures) > 1:
        raise UsageError(f"--baseline-for compares by one measure, found {', '.join(measures)}")
    found = archive.baselines_for(run, measure=measures[0], limit=limit or sys.maxsize)
    show(baselines_shown(found, form, terminal_width()))
    for remark in found.remarks:
        say(remark)
    if not found.baselines:
        evaluate = f"primad archive evaluate -m {measures[0]}"
        say(f"no other run on {found.run.collection} has a score by {measures[0]}; compute them with: {evaluate}")
        raise typer.Exit(1)
    if len(found.baselines) < found.total:
        say(
            f"showing {len(found.baselines):,} of {found.total:,} runs beside {run_name(found.run)}; --limit shows more"
        )


def _reproductions(archive: Archive, run: str, form: RowsForm) -> None:
    """Print the reproductions of RUN."""
    from primad.reports.archive.runs import reproductions_shown, run_name

    found = archive.reproductions_of(run)
    show(reproductions_shown(found, form, terminal_width()))
    for remark in found.remarks:
        say(remark)
    if not found.reproductions:
        say(
            f"no run says that it reproduces {run_name(found.run)}: a reproduction names it as "
            "research goal.evaluation.baseline and has the actor.role reproducer, or has the same ranking"
        )
        raise typer.Exit(1)
