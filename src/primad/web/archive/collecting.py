"""What is known of test collections?

collections   all of them; administrators describe a new one
collection    one: judgments, runs, progress over the years; administrators give it judgments and a profile
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from primad.archive import rights
from primad.archive.archive import MEASURE
from primad.archive.best_so_far import best_so_far
from primad.archive.search.facts import folded
from primad.archive.search.measures import one_measure
from primad.errors import PrimadError, UsageError
from primad.metadata.profile import BUILT_IN
from primad.web import served
from primad.web.archive.asking import status
from primad.web.archive.bringing import usable
from primad.web.archive.cards import page_text
from primad.web.archive.reading import collection_called, measures_on_offer
from primad.web.archive.terms import term_of
from primad.web.fields import field
from primad.web.pages import done, page, wrong_here

if TYPE_CHECKING:
    from markupsafe import Markup

    from primad.archive.archive import Archive
    from primad.reports.archive.answers import CollectionFacts, Found, OverviewRow, Progress

METHODS = ["GET", "HEAD", "POST"]
_BEST = 10
_MOST_ROWS = 100


@require_http_methods(METHODS)
def collections(request: HttpRequest) -> HttpResponse:
    """Show all collections; let administrators describe a new one."""
    archive = served.archive()
    wrong = None
    if request.method == "POST":
        rights.require("collection")
        try:
            return _described(request, archive, field(request, "name"))
        except PrimadError as error:
            wrong = error
    return page(
        request,
        "archive/collections.html",
        status=status(request) if wrong else 200,
        problem=wrong,
        collections=archive.collections(),
        chart=_runs_chart(archive.collections()),
        typed=_typed(request),
        is_ours=rights.may("collection"),
        profiles=BUILT_IN,
    )


@require_http_methods(METHODS)
def collection(request: HttpRequest, name: str) -> HttpResponse:
    """Show a collection; let administrators give it judgments and a profile."""
    archive = served.archive()
    facts = collection_called(archive, name)
    if name != facts.name:
        return HttpResponseRedirect(reverse("archive-collection", args=[facts.name]))
    wrong = None
    if request.method == "POST":
        rights.require("collection")
        try:
            return _described(request, archive, facts.name)
        except PrimadError as error:
            wrong = error
    measure = (field(request, "measure") if request.method != "POST" else "") or MEASURE
    return page(
        request,
        "archive/collection.html",
        status=status(request) if wrong else 200,
        problem=wrong,
        facts=facts,
        board=_board(archive, facts, measure),
        measures=measures_on_offer(measure),
        query=term_of("collection", facts.name),
        typed=_typed(request),
        is_ours=rights.may("collection"),
        profiles=BUILT_IN,
    )


def _runs_chart(collections: tuple[CollectionFacts, ...]) -> Markup | None:
    """Return how many runs the largest COLLECTIONS have, None where there are no two to compare."""
    from primad.reports.site_charts import bars

    largest = sorted(collections, key=lambda one: (-one.runs, folded(one.name)))[:_BEST]
    return (
        bars([(one.name, float(one.runs)) for one in largest], "Runs by collection", "") if len(largest) > 1 else None
    )


# One collection --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Board:
    """How runs on a collection did by MEASURE: the best, the years with their CHART, and who did what.

    WRONG says why there are no years.
    """

    measure: str
    overview: tuple[OverviewRow, ...]
    more: int
    best: Found | None = None
    progress: Progress | None = None
    chart: Markup | None = None
    sentences: tuple[str, ...] = ()
    wrong: str = ""


def _board(archive: Archive, facts: CollectionFacts, measure: str) -> Board:
    """Return how runs on the collection with these FACTS did by MEASURE."""
    query = term_of("collection", facts.name)
    rows = archive.overview(query)
    known: dict[str, Any] = {"measure": measure, "overview": rows[:_MOST_ROWS], "more": max(len(rows) - _MOST_ROWS, 0)}
    try:
        one_measure(measure)
        known["best"] = archive.search(query, sort=measure, limit=_BEST, measures=(measure,))
        progress = archive.progress(facts.name, measure)
    except PrimadError as error:
        return Board(**known, wrong=page_text(wrong_here(error)))
    said = [*(year.sentence for year in progress.years), *progress.sentences]
    sentences = tuple(page_text(one) for one in said if one)
    return Board(**known, progress=progress, chart=_years(progress), sentences=sentences)


def _years(found: Progress) -> Markup:
    """Return the scores over the years as a chart."""
    from primad.reports.archive_figure import Mark
    from primad.reports.site_charts import progress_chart

    marks = [Mark(one.year, one.score, one.tag, one.is_baseline) for one in found.points]
    return progress_chart(marks, best_so_far(found), collection=found.collection, measure=found.measure)


# Describing ------------------------------------------------------------------------------------------------------


def _typed(request: HttpRequest) -> dict[str, str]:
    """Return what was typed into the form."""
    names = ("name", "also", "ir_datasets", "profile")
    return {name: field(request, name) if request.method == "POST" else "" for name in names}


def _described(request: HttpRequest, archive: Archive, name: str) -> HttpResponse:
    """Say more about the collection NAME, as the form has it, and go on to its page."""
    typed = _typed(request)
    if typed["profile"] not in ("", *BUILT_IN):
        raise UsageError(f"expected one of the profiles {', '.join(BUILT_IN)}, found '{typed['profile'][:60]}'")
    with _file(request, "qrels") as qrels, _file(request, "topics") as topics, _file(request, "own_profile") as own:
        made = archive.set_collection(
            name,
            qrels=[qrels] if qrels else (),
            topics=topics or "",
            ir_datasets=typed["ir_datasets"],
            profile=str(own) if own else typed["profile"],
            also=[one.strip() for one in typed["also"].split(",") if one.strip()],
        )
    return done(request, f"{made.name} is described.", reverse("archive-collection", args=[made.name]))


def _file(request: HttpRequest, name: str) -> AbstractContextManager[Path | None]:
    """Bring the file of the field NAME, if there is one and it is not too large."""
    sent = request.FILES.get(name)
    return usable(sent) if sent else nullcontext()
