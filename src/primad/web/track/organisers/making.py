"""How does a track begin?

new   a new track, made by an administrator, who organises it
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from primad.errors import NotAllowed, PrimadError
from primad.store.actors import current
from primad.track import rights
from primad.track.track import Track
from primad.web import served
from primad.web.fields import field
from primad.web.pages import UNPROCESSABLE, done, page

_FIELDS = ("slug", "title", "about")


@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Make a new track."""
    rights.require(None, "make-track")
    given = {name: field(request, name) for name in _FIELDS}
    if request.method == "GET":
        return page(request, "track/organise_new.html", given=given)
    try:
        made = Track.init(served.folder().path, given["slug"], given["title"], about=given["about"])
    except NotAllowed:
        raise
    except PrimadError as error:
        return page(request, "track/organise_new.html", status=UNPROCESSABLE, given=given, problem=error)
    told = f"The track {made.row.slug} is made, and you ({current().name}) organise it."
    return done(request, told, reverse("track-organise", kwargs={"track": made.row.slug}))
