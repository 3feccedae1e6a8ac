"""primad archive evaluate: every run is scored, here or on many machines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from primad.cli._commands import new_app
from primad.cli._options import Folder, Form, Printed, by_measure
from primad.cli._output import say, show
from primad.cli.archive._opening import opened, watching
from primad.cli.archive._queries import Query, QueryCommand, query_of
from primad.cli.archive.adding import say_unscored
from primad.cli.archive.searching import nothing_found
from primad.errors import UsageError

if TYPE_CHECKING:
    from primad.compute import Place, Slurm

EXAMPLE = """\b
Examples:
  primad archive evaluate
  primad archive evaluate collection:core17 -m map -m nDCG@10 --jobs 8
  primad archive evaluate --cluster tcp://head.example.org:8786
  primad archive evaluate --slurm jobs=10,cores=4,memory=8GB,walltime=01:00:00,queue=short
"""

app = new_app()


@app.command(cls=QueryCommand, epilog=EXAMPLE)
def evaluate(
    query: Query = None,
    measure: Annotated[
        list[str] | None,
        by_measure("A measure; map, ndcg_cut_10, P_10, recip_rank and recall_1000 by default."),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Processes on this machine; as many as pay off by default.")
    ] = None,
    cluster: Annotated[
        str, typer.Option(metavar="ADDRESS", help="The scheduler of a Dask cluster, as in tcp://host:8786.")
    ] = "",
    slurm: Annotated[
        str | None,
        typer.Option(
            metavar="NAME=VALUE,...", help="Jobs of Slurm: jobs, cores, memory, walltime, queue, account, interface."
        ),
    ] = None,
    folder: Folder = None,
    form: Printed = Form.TABLE,
) -> None:
    """Score each run that QUERY finds by the judgments of its collection; what is known is not computed again.

    Judged topics that a run lacks count as 0.  A run that cannot be scored is named with the reason and does not stop
    the rest; then the exit code is 1.
    """
    from primad.archive.archive import DEFAULT_MEASURES
    from primad.reports.archive.work import evaluated_shown

    place = place_of(jobs, cluster, slurm)
    archive = opened(folder)
    text = query_of(query)
    done = archive.evaluate(text, measure or DEFAULT_MEASURES, place=place, watch=watching("runs"))
    show(evaluated_shown(done, form))
    say_unscored(done.unscored)
    if not done.runs:
        say(nothing_found(archive, text))
    if done.unscored or not done.runs:
        raise typer.Exit(1)


def place_of(jobs: int | None, cluster: str, slurm: str | None) -> Place:
    """Return where work runs, as the options say."""
    from primad.compute import Place

    return Place(jobs=jobs, cluster=cluster, slurm=None if slurm is None else _slurm(slurm))


def _slurm(text: str) -> Slurm:
    """Return what TEXT asks of Slurm."""
    from primad.compute import Slurm

    stated: dict[str, str] = {}
    for part in text.split(","):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not name or not equals or not value:
            raise UsageError(f"expected --slurm NAME=VALUE,..., as in jobs=10,cores=4, found '{part}'")
        if name in stated:
            raise UsageError(f"expected {name} once in --slurm, found it again")
        stated[name] = value
    return Slurm.of(stated)
