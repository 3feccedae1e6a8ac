"""primad archive assess and qra: reproductions in the archive are assessed, and how precise all scores are."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from primad.cli._assess_options import How, Jobs, Printing
from primad.cli._commands import new_app
from primad.cli._options import Folder, by_measure, gathered
from primad.cli._output import say
from primad.cli._qra_options import Questions
from primad.cli.archive._opening import opened
from primad.cli.archive._queries import Query, QueryCommand, query_of
from primad.cli.remote.naming import Served, meant
from primad.errors import DataError

ASSESS_EXAMPLE = """\b
Examples:
  primad archive assess bm25
  primad archive assess a2af8052d871 b7e1c93f5520 -m map -m ndcg --report report/
"""
QRA_EXAMPLE = """\b
Examples:
  primad archive qra
  primad archive qra collection:core17 -m map --by actor.team --report report/
"""

app = new_app()


@app.command(cls=Served, epilog=ASSESS_EXAMPLE)
@gathered
def assess(
    *,
    original: Annotated[
        str, typer.Argument(metavar="ORIGINAL", help="The run that was reproduced, by its address or tag.")
    ],
    advanced: Annotated[
        str | None, typer.Argument(metavar="ADVANCED", help="The advanced run, if ORIGINAL is its baseline.")
    ] = None,
    how: How,
    jobs: Jobs = None,
    folder: Folder = None,
    printing: Printing,
) -> None:
    """Find the reproductions of ORIGINAL in the archive, and say how well they reproduce it.

    The options are those of primad assess.  The exit code is 1 if nothing can be said.
    """
    from primad.reproducibility.assessment.settings import DEFAULT_MEASURES

    settings = how.settings(DEFAULT_MEASURES)
    runs = [original] if advanced is None else [original, advanced]
    site = meant(folder)
    if site is not None:
        from primad.cli.remote.reporting import assessed

        assessed(site, runs, settings, form=printing.form, per_topic=printing.per_topic, report=printing.report)
        return
    stated: dict[str, Any] = vars(settings)
    printing.show(opened(folder).assess(runs, jobs=jobs, **stated))


@app.command(cls=QueryCommand, epilog=QRA_EXAMPLE)
@gathered
def qra(
    *,
    query: Query = None,
    measure: Annotated[
        list[str] | None,
        by_measure("A measure that runs are scored by; all usual ones by default."),
    ] = None,
    object_field: Annotated[
        str | None, typer.Option("--object", metavar="FIELD", help="The metadata field that names the object.")
    ] = None,
    folder: Folder = None,
    questions: Questions,
) -> None:
    """Say how precise the scores of all comparable runs are that QUERY finds, and why they vary.

    The options are those of primad qra.  The exit code is 1 if nothing can be said.
    """
    from primad.archive.archive import DEFAULT_MEASURES

    wanted = measure or DEFAULT_MEASURES
    site = meant(folder)
    if site is not None:
        source = {"query": query_of(query), "measures": list(wanted), "object_field": object_field}
        questions.ask(site, source)
        return
    material = opened(folder).measurements(query_of(query), wanted, object_field=object_field)
    if not material.measurements:
        for remark in material.remarks:
            say(remark)
        raise DataError(
            "nothing to assess: no run that was found has a score; compute them with: primad archive evaluate"
        )
    questions.answer(material)
