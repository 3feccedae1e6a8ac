"""The first page, and the pages for addresses that lead nowhere.

home        what this is, which tracks are open, a box to search the archive, and what is next for whoever looks
not_found   there is no such page
unreadable  what was asked cannot be read
broken      something went wrong that nobody foresaw, such as a database that goes away while an answer is made
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from primad.errors import DataError, PairingError
from primad.store import jobs
from primad.store.actors import Actor, Role, current
from primad.track.track import Track
from primad.web import served
from primad.web.away import is_away
from primad.web.middleware import unavailable
from primad.web.pages import page, told
from primad.web.track.reading import limit, page_of, waiting

PUBLISHED = "published"
_MOST_JOBS = 5
_MOST_TODO = 6


@dataclass(frozen=True)
class Part:
    """What somebody is in a TRACK: WHAT in words, and what they have TODO there, each with an address."""

    track: str
    title: str
    what: tuple[tuple[str, str], ...]
    todo: tuple[tuple[str, str], ...]


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show what this is, and what there is to do."""
    actor = current()
    tracks = Track.tracks(served.folder())
    return page(
        request,
        "home.html",
        runs=served.archive().search("", limit=0, measures=()).total,
        open=[(one, limit(one.opens), limit(one.closes, ends=True)) for one in tracks if one.phase != PUBLISHED],
        published=[one for one in tracks if one.phase == PUBLISHED],
        parts=list(_parts(actor, {one.slug: one.title for one in tracks})),
        jobs=jobs.mine()[:_MOST_JOBS],
    )


def _parts(actor: Actor, titles: dict[str, str]) -> Iterator[Part]:
    """Yield what ACTOR is in each track of TITLES, with what they have to do."""
    for slug, title in titles.items():
        roles = sorted(one for one in actor.roles if one.track == slug)
        if roles:
            here = served.track(slug)
            steps = ((f"{one.who}: {one.what}", page_of(slug, one)) for one in here.facts().next)
            todo = dict.fromkeys((*_unanswered(here, roles), *steps))
            yield Part(slug, title, tuple(map(_what, roles)), tuple(todo)[:_MOST_TODO])


def _unanswered(here: Track, roles: list[Role]) -> Iterator[tuple[str, str]]:
    """Yield what the teams of ROLES were asked in the track HERE, and have not answered."""
    for team in (one.slug for one in roles if one.kind == "team"):
        page = f"{reverse('track-team', args=[here.row.slug, team])}#questions"
        yield from ((f"team {team}: answer what an analyst asked on {one}", page) for one, _ in waiting(here, team))


def _what(role: Role) -> tuple[str, str]:
    """Return in words what somebody is by ROLE, and the address of their page."""
    said = {"organiser": "you organise it", "team": f"your team {role.slug}", "analyst": f"you are analyst {role.slug}"}
    name = {"organiser": "track-organise", "team": "track-team", "analyst": "track-analyst"}[role.kind]
    return said[role.kind], str(reverse(name, args=[one for one in (role.track, role.slug) if one]))


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Say that there is no such page."""
    del exception
    return told(request, PairingError("there is no page at this address; was it cut when it was copied?"))


def unreadable(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Say that what was asked cannot be read."""
    del exception
    return told(request, DataError("what was sent cannot be read; go back, and send less at once"), status=400)


def broken(request: HttpRequest) -> HttpResponse:
    """Say that something went wrong that nobody foresaw; what it was is in the log of the server."""
    if isinstance(error := sys.exception(), Exception) and is_away(error):
        return unavailable(request, error)
    text = "<!DOCTYPE html><html lang=en><title>Something went wrong</title><h1>Something went wrong</h1>"
    said = "<p>Nothing that was accepted is lost. Try again; if it stays, tell whoever runs this site when it was.</p>"
    return HttpResponse(f"{text}{said}", status=500)
