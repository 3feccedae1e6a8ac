"""primad archive show, overview and progress: what is known of a run, of teams, of years."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from primad.cli import _output
from primad.cli._commands import new_app
from primad.cli._options import Folder, Form, Printed, by_measure
from primad.cli._output import say, terminal_width
from primad.cli.archive._opening import opened
from primad.cli.archive._queries import Query, QueryCommand, query_of
from primad.cli.archive.searching import nothing_found
from primad.cli.remote.naming import Served

if TYPE_CHECKING:
    from primad.reports.archive.answers import Progress

SHOW_EXAMPLE = """\b
Examples:
  primad archive show a2af8052d871
  primad archive show my-bm25 --record
"""
OVERVIEW_EXAMPLE = """\b
Examples:
  primad archive overview
  primad archive overview collection:core17 --format json
"""
PROGRESS_EXAMPLE = """\b
Examples:
  primad archive progress core17
  primad archive progress core17 -m ndcg_cut_10 --figure progress.svg
"""

app = new_app()


@app.command(cls=Served, epilog=SHOW_EXAMPLE)
def show(
    run: Annotated[str, typer.Argument(metavar="RUN", help="An address, the beginning of one, or a tag.")],
    record: Annotated[bool, typer.Option("--record", help="Print its whole record, too.")] = False,
    folder: Folder = None,
    form: Printed = Form.TABLE,
) -> None:
    """Print everything that is known of a run: versions, scores, where it ranks, what was done to it.

    Times are those of UTC.
    """
    from primad.reports.archive.run_sheet import run_shown

    shown = opened(folder).show(run)
    _output.show(run_shown(shown, form, terminal_width(), with_record=record))


@app.command(cls=QueryCommand, epilog=OVERVIEW_EXAMPLE)
def overview(query: Query = None, folder: Folder = None, form: Printed = Form.TABLE) -> None:
    """Print who has how many runs by which method on which collections; exit with 1 if there are none."""
    from primad.reports.archive.runs import overview_shown

    archive = opened(folder)
    text = query_of(query)
    rows = archive.overview(text)
    _output.show(overview_shown(rows, form, terminal_width()))
    if not rows:
        say(nothing_found(archive, text))
        raise typer.Exit(1)


@app.command(cls=Served, epilog=PROGRESS_EXAMPLE)
def progress(
    collection: Annotated[str, typer.Argument(metavar="COLLECTION", help="The collection, by any of its names.")],
    measure: Annotated[str | None, by_measure("The measure; map by default.")] = None,
    figure: Annotated[
        str | None, typer.Option(metavar="FILE", help="Draw it, too: a file named .svg, .pdf or .png.")
    ] = None,
    folder: Folder = None,
    form: Printed = Form.TABLE,
) -> None:
    """Print the scores on COLLECTION over the years, so that weak baselines are seen; exit with 1 if there are none.

    A baseline is weak if it scores below the best run of the years before.
    """
    from primad.archive.archive import MEASURE
    from primad.reports.archive.years import progress_shown
    from primad.reports.archive_figure import form_of

    if figure is not None:
        form_of(figure)  # refuses what is none before anything is read
    found = opened(folder).progress(collection, measure or MEASURE)
    _output.show(progress_shown(found, form, terminal_width()))
    if not found.points:
        say(f"no run on {found.collection} has a year and a score by {found.measure}")
        for sentence in found.sentences:  # which of the two is missing, and what to do
            say(sentence)
        raise typer.Exit(1)
    if figure is not None:
        _draw(found, figure)
        say(f"figure in {figure}")


def _draw(found: Progress, path: str) -> None:
    """Write the figure of what was FOUND to PATH."""
    from primad.archive.best_so_far import best_so_far
    from primad.reports.archive_figure import Mark, progress_figure, written
    from primad.trec.files import atomic_write

    marks = [Mark(one.year, one.score, one.tag, one.is_baseline) for one in found.points]
    drawn = progress_figure(marks, best_so_far(found), collection=found.collection, measure=found.measure)
    with atomic_write(path) as stream:
        stream.write(written(drawn, path))
