"""Pages on what was computed and kept: an assessment, the precision of values, the report of a track.

result       the result inside the site, with its permanent address
report       its files as one archive
file         one of its files
remove       take it out of sight, for whoever made it and for administrators
bring_back   undo that
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST
from markupsafe import Markup

from primad.store import results
from primad.web import served
from primad.web.pages import done, download, page
from primad.web.tools import kept

KINDS = {
    "qra": "Precision of measured values",
    "assessment": "Assessment of reproductions",
    "track": "Report of a track",
}


@require_GET
def result(request: HttpRequest, key: str) -> HttpResponse:
    """Show the result with this KEY."""
    found = kept.result_at(key)
    if found.removed_at:
        return page(request, "tools/result_removed.html", result=found)
    text = kept.fragment_of(served.folder(), found)
    return page(
        request,
        "tools/result.html",
        result=found,
        kind=KINDS.get(found.kind, found.kind),
        fragment=Markup(text),  # noqa: S704 - made by a template of ours, which escapes what came from outside
        address=request.build_absolute_uri(reverse("result", args=[key])),
        maker=kept.maker_of(found),
        may_remove=kept.may_remove(found),
        files=kept.paths_of(found),
    )


@require_GET
def report(_request: HttpRequest, key: str) -> HttpResponse:
    """Return the files of the result with this KEY as one archive."""
    found = results.found(key)
    name = f"primad-{found.kind}-{found.key[:8]}.zip"
    return download(kept.report_of(served.folder(), found), name, "application/zip")


@require_GET
def file(_request: HttpRequest, key: str, path: str) -> HttpResponse:
    """Return the file at PATH of the result with this KEY."""
    found = results.found(key)
    return download(kept.content_of(served.folder(), found, path), path.rpartition("/")[2])


@require_POST
def remove(request: HttpRequest, key: str) -> HttpResponse:
    """Take the result with this KEY out of sight."""
    results.remove(key)
    return done(request, "The result is removed. It can be brought back here.", reverse("result", args=[key]))


@require_POST
def bring_back(request: HttpRequest, key: str) -> HttpResponse:
    """Bring the result with this KEY back into sight."""
    results.bring_back(key)
    return done(request, "The result is back at its address.", reverse("result", args=[key]))
