"""How do runs come into the archive?

upload   files are looked at first, and added when whoever sent them says so, one also as a new version of a run
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from primad.archive import rights
from primad.errors import PrimadError, UsageError
from primad.web import served
from primad.web.archive.asking import in_sight, status
from primad.web.archive.bringing import Brought, brought, largest
from primad.web.archive.looking import add, look
from primad.web.fields import field
from primad.web.pages import page

if TYPE_CHECKING:
    from primad.archive.archive import Archive
    from primad.reports.archive.answers import Hit


@require_http_methods(["GET", "HEAD", "POST"])
def upload(request: HttpRequest) -> HttpResponse:
    """Look at files, or add them."""
    rights.require("add")
    archive = served.archive()
    known: dict[str, Any] = {
        "collection": field(request, "collection"),
        "without_metadata": bool(field(request, "without_metadata")),
        "replaced": _replaced(archive, field(request, "replaces")),
        "collections": archive.collections(),
    }
    if request.method != "POST":
        return _form(request, known)
    chosen = {key: known[key] for key in ("collection", "without_metadata")}
    try:
        is_adding = _is_adding(field(request, "do"))
        with brought(request.FILES.getlist("files")) as files:
            replaces = _one_version(files, known["replaced"])
            if is_adding:
                return _form(request, known, result=add(archive, files, replaces=replaces, **chosen))
            return _form(request, known, looked=look(archive, files, **chosen))
    except PrimadError as error:
        return _form(request, known, status=status(request), problem=error)


def _replaced(archive: Archive, name: str) -> Hit | None:
    """Return the run called NAME that is to have a new version, None if no run is named."""
    if not name:
        return None
    found = in_sight(archive, name).run
    run = archive.run(found.address)
    with archive.speaking():
        rights.require("replace", run)
    return found


def _one_version(files: Brought, replaced: Hit | None) -> str:
    """Return the address of the run that the run among FILES is a new version of, empty if it is none."""
    if replaced is None:
        return ""
    if len(files.runs) != 1:
        raise UsageError(f"expected one run as the new version of {replaced.tag}, found {len(files.runs)}; choose one")
    return replaced.address


def _is_adding(what: str) -> bool:
    """Tell whether files are to be added, and not only looked at."""
    if what not in ("check", "add"):
        raise UsageError(f"expected check or add, found '{what[:40]}'")
    return what == "add"


def _form(request: HttpRequest, known: dict[str, Any], **more: Any) -> HttpResponse:
    """Return the page with the form, and what was found or done."""
    limit = served.site().upload_limit
    context: dict[str, Any] = {"looked": None, "result": None, "limit": limit, "largest": largest()}
    return page(request, "archive/upload.html", **(context | known | more))
