"""What came of a track, on one page and as a folder?

report   the report with its tables and figures
files    the same as a folder in all formats
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from primad.web import served
from primad.web.pages import download, page
from primad.web.track.drawn import fragment_of, zip_of


@require_safe
def report(request: HttpRequest, track: str) -> HttpResponse:
    """Show the report of a track: to everybody once it is published, and to organisers before."""
    here = served.track(track)
    found = here.report()
    told = {"fragment": fragment_of(found), "is_public": found.phase == "published"}
    return page(request, "track/report.html", track=here.row.slug, title=here.row.title, status=200, **told)


@require_safe
def files(request: HttpRequest, track: str) -> HttpResponse:
    """Hand out the report of a track as a folder in all formats."""
    del request
    found = served.track(track).report()
    return download(zip_of(found), f"{found.slug}-report.zip", "application/zip")
