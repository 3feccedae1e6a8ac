"""primad archive assess and qra: reproductions in the archive are assessed, and how precise all scores are."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from primad.cli import _assess_options as assessed
from primad.cli import _qra_options as quantified
from primad.cli._output import say
from primad.cli.archive._opening import Folder, opened
from primad.cli.archive._queries import Query, query_of
from primad.cli.remote.naming import meant
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


def assess(
    original: Annotated[
        str, typer.Argument(metavar="ORIGINAL", help="The run that was reproduced, by its address or tag.")
    ],
    advanced: Annotated[
        str | None, typer.Argument(metavar="ADVANCED", help="The advanced run, if ORIGINAL is its baseline.")
    ] = None,
    measure: assessed.Measures = None,
    margin: assessed.Margins = None,
    test: assessed.Tested = assessed.Test.T,
    correction: assessed.Corrected = assessed.Correction.HOLM,
    confidence: assessed.Confidence = 0.95,
    intervals: assessed.Intervals = True,
    p: assessed.RboP = 0.95,
    depth: assessed.Depth = 1000,
    ties: assessed.Tied = assessed.Ties.BROKEN,
    level: assessed.Level = 1,
    complete: assessed.Complete = False,
    compat: assessed.Followed = assessed.Compat.NINE,
    per_topic: assessed.PerTopic = False,
    report: assessed.Report = None,
    jobs: assessed.Jobs = None,
    folder: Folder = None,
    form: assessed.Printed = assessed.Form.TABLE,
) -> None:
    """Find the reproductions of ORIGINAL in the archive, and say how well they reproduce it.

    The options are those of primad assess.  The exit code is 1 if nothing can be said.
    """
    from primad.reproducibility.assessment.settings import DEFAULT_MEASURES

    settings = assessed.settings_of(
        measure or DEFAULT_MEASURES,
        margin=margin,
        test=test,
        correction=correction,
        confidence=confidence,
        intervals=intervals,
        p=p,
        depth=depth,
        ties=ties,
        level=level,
        complete=complete,
        compat=compat,
    )
    runs = [original] if advanced is None else [original, advanced]
    site = meant(folder)
    if site is not None:
        from primad.cli.remote.reporting import assessed as assessed_there

        assessed_there(site, runs, settings, form=form, per_topic=per_topic, report=report)
        return
    stated: dict[str, Any] = vars(settings)
    found = opened(folder).assess(runs, jobs=jobs, **stated)
    assessed.show_assessment(found, form, per_topic=per_topic, report=report)


def qra(
    query: Query = None,
    measure: Annotated[
        list[str] | None,
        typer.Option("-m", "--measure", metavar="NAME", help="A measure that runs are scored by; all usual ones."),
    ] = None,
    object_field: Annotated[
        str | None, typer.Option("--object", metavar="FIELD", help="The metadata field that names the object.")
    ] = None,
    by: quantified.By = None,
    where: quantified.Where = None,
    causes: quantified.Causes = False,
    conditions: quantified.Conditions = None,
    variant: quantified.Varied = quantified.Variant.ACL2022,
    margin: quantified.Margins = None,
    laboratory: quantified.Laboratory = quantified.LABORATORY,
    confidence: quantified.Confidence = 0.95,
    save: quantified.Save = None,
    report: quantified.Report = None,
    folder: Folder = None,
    form: quantified.Printed = quantified.Form.TABLE,
) -> None:
    """Say how precise the scores of all comparable runs are that QUERY finds, and why they vary.

    The options are those of primad qra.  The exit code is 1 if nothing can be said.
    """
    from primad.archive.archive import DEFAULT_MEASURES

    questions = quantified.Questions.of(
        by=by,
        where=where,
        conditions=conditions,
        causes=causes,
        variant=variant,
        margin=margin,
        laboratory=laboratory,
        confidence=confidence,
        save=save,
    )
    wanted = measure or DEFAULT_MEASURES
    site = meant(folder)
    if site is not None:
        source = {"query": query_of(query), "measures": list(wanted), "object_field": object_field}
        questions.ask(site, source, form, report)
        return
    material = opened(folder).measurements(query_of(query), wanted, object_field=object_field)
    if not material.measurements:
        for remark in material.remarks:
            say(remark)
        raise DataError(
            "nothing to assess: no run that was found has a score; compute them with: primad archive evaluate"
        )
    questions.answer(material, form, report)
