"""What is known of a run?

run             its permanent page
baselines       strong runs beside it
reproductions   runs that reproduce it
with_header     its file; bare: its ranking alone; record: what it says about itself
remove          take it out of sight; bring_back: into sight again
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from primad.archive.archive import MEASURE
from primad.errors import PrimadError
from primad.web import served
from primad.web.archive import reading
from primad.web.archive.asking import in_sight, may_change, status
from primad.web.archive.cards import page_text
from primad.web.archive.citing import cite
from primad.web.fields import field
from primad.web.pages import done, download, page, wrong_here

GONE = 410
_MOST_BASELINES = 20


@require_safe
def run(request: HttpRequest, address: str) -> HttpResponse:
    """Show everything that is known of a run; a tag or the beginning of an address leads to its page."""
    archive = served.archive()
    shown = archive.show(address)
    here = reverse("archive-run", args=[shown.run.address])
    if address != shown.run.address:
        return HttpResponseRedirect(here)
    is_ours = may_change(archive, shown.run.address)
    if shown.removed_at and not is_ours:
        return page(request, "archive/gone.html", status=GONE, shown=shown)
    return page(
        request,
        "archive/run.html",
        sheet=reading.sheet_of(archive, shown, field(request, "measure")),
        shown=shown,
        is_ours=is_ours,
        citation=cite(shown, request.build_absolute_uri(here)),
    )


@require_safe
def baselines(request: HttpRequest, address: str) -> HttpResponse:
    """Show the strongest runs on the collection of a run, each compared with it."""
    measure = field(request, "measure", MEASURE) or MEASURE
    archive = served.archive()
    hit = in_sight(archive, address).run
    found, wrong = None, None
    try:
        found = archive.baselines_for(hit.address, measure=measure, limit=_MOST_BASELINES)
    except PrimadError as error:
        wrong = page_text(wrong_here(error))
    return page(
        request,
        "archive/baselines.html",
        status=status(request) if wrong else 200,
        run=hit,
        found=found,
        wrong=wrong,
        said=tuple(map(page_text, found.remarks)) if found else (),
        measure=measure,
        measures=reading.measures_on_offer(measure),
    )


@require_safe
def reproductions(request: HttpRequest, address: str) -> HttpResponse:
    """Show the runs that reproduce a run."""
    archive = served.archive()
    found = archive.reproductions_of(in_sight(archive, address).run.address)
    return page(request, "archive/reproductions.html", found=found, said=tuple(map(page_text, found.remarks)))


@require_safe
def with_header(request: HttpRequest, address: str) -> HttpResponse:
    """Return the file of a run with its header."""
    return _file(request, address, is_bare=False)


@require_safe
def bare(request: HttpRequest, address: str) -> HttpResponse:
    """Return the ranking of a run alone, for tools that reject comments."""
    return _file(request, address, is_bare=True)


def _file(request: HttpRequest, address: str, *, is_bare: bool) -> HttpResponse:
    """Return the file of a run, unless it was removed."""
    archive = served.archive()
    shown = archive.show(address)
    if shown.removed_at and not may_change(archive, shown.run.address):
        return page(request, "archive/gone.html", status=GONE, shown=shown)
    name, data = reading.files_of(archive, shown.run.address, is_bare=is_bare)
    return download(data, name, "text/plain; charset=utf-8")


@require_safe
def record(request: HttpRequest, address: str) -> HttpResponse:
    """Return the record of a run as YAML."""
    archive = served.archive()
    shown = archive.show(address)
    if shown.removed_at and not may_change(archive, shown.run.address):
        return page(request, "archive/gone.html", status=GONE, shown=shown)
    text = reading.record_of(shown).to_yaml()
    return download(text.encode(), f"{shown.run.address[:12]}.yml", "application/yaml")


@require_POST
def remove(request: HttpRequest, address: str) -> HttpResponse:
    """Take a run out of sight."""
    archive = served.archive()
    found = archive.show(address).run
    archive.remove(found.address, field(request, "reason"))
    here = reverse("archive-run", args=[found.address])
    return done(request, f"The run {found.tag} is removed; this page lets you bring it back.", here)


@require_POST
def bring_back(request: HttpRequest, address: str) -> HttpResponse:
    """Bring a run back into sight."""
    archive = served.archive()
    found = archive.show(address).run
    archive.bring_back(found.address)
    return done(request, f"The run {found.tag} is back.", reverse("archive-run", args=[found.address]))
