"""What do all pages for organisers have in common?

organised     the track, for those who organise it
form_of       what was sent from a page for them
office        a page for organisers, with the way to the others
shown_again   the same page at once, with what is shown only now
PAGES         all of them
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse

from primad.errors import NotAllowed
from primad.store.actors import current
from primad.track.track import Track
from primad.web import served
from primad.web.pages import page
from primad.web.track.reading import can
from primad.web.track.working import Form, Verb, nothing_typed, work_page

PAGES: Mapping[str, str] = {
    "track-organise": "Progress and phases",
    "track-rules": "Dates and rules",
    "track-tasks": "Tasks and data",
    "track-questions": "Questions of the sheet",
    "track-people": "People",
    "track-eligible": "Eligibility",
    "track-assign": "Assignment",
    "track-adjudication": "Adjudication",
}
_VERBS = ("edit", "move", "register", "enlist", "decide-eligibility", "assign", "unlock", "level", "judge", "export")


def organised(slug: str) -> Track:
    """Return the track SLUG, if whoever acts organises it."""
    track = served.track(slug)
    if not current().organises(slug):
        first = "" if current().is_known else "sign in first: "
        raise NotAllowed(f"{first}these pages are for organisers of {slug}; ask one of them")
    return track


def office(
    form: Form, template: str, verbs: Mapping[str, Verb], show: Callable[[], Mapping[str, Any]], here: str
) -> HttpResponse:
    """Return the page HERE that TEMPLATE makes of what SHOW says, or do what its form asks for."""
    return work_page(form, template, verbs, lambda: _common(form, here) | dict(show()))


def _common(form: Form, here: str) -> dict[str, Any]:
    """Return what all pages for organisers say."""
    return {"track": form.track.row, "pages": PAGES, "here": here, "can": can(form.track, _VERBS)}


def form_of(request: HttpRequest, slug: str, **names: str) -> Form:
    """Return what was sent with REQUEST from a page for the organisers of the track SLUG."""
    return Form(request, organised(slug), names)


def shown_again(form: Form, template: str, context: Mapping[str, Any], here: str) -> HttpResponse:
    """Return the page HERE at once, without going on: what it shows is shown only now."""
    return page(form.request, template, **_common(form, here), **nothing_typed(), **context)
