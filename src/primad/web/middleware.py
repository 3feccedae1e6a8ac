"""What happens to every question, whichever page it is for?

    forwarded        what is said about whose question it is counts from our proxies only
    policy           browsers are told what pages may do: no script or style that is not ours, no frames
    acting_person    it is found out who asks, by their session or their token, and everything is done as they
    moderation       nobody asks for too much, or with a token that is none
    privacy          a private site asks visitors to sign in, and a token that was not made to read reads nothing
    explaining       an error of ours, and a database that is away, becomes a page that says it

The API knows tokens only: a session is never used there, so that no other site can make a browser ask it anything.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from django.http import HttpRequest, HttpResponse

from primad.accounts.people import actor_of
from primad.accounts.tokens import actor_by
from primad.errors import NotAllowed, PrimadError, UsageError
from primad.store import database
from primad.store.actors import VISITOR, Actor, acting, current
from primad.track._whole import read_once
from primad.web import served
from primad.web.away import CUT_OFF, away, is_away
from primad.web.limits.quotas import DAILY, Day
from primad.web.limits.rates import API, LIMITS, Minute, from_proxy, kind_of, machine_of
from primad.web.limits.waiting import TooMuch
from primad.web.numbers import whole
from primad.web.tools.uploads import FROM_VISITORS

Answer = Callable[[HttpRequest], HttpResponse]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
# What a private site shows to everybody, by the names of its addresses; a track decides itself who sees what of it.
OPEN = frozenset({"sign-in", "sign-out", "forgotten", "enter", "invited", "new-password"})
_TRACKS = "tracks/"
_FROM_VISITORS = 2_000_000
_FROM_VISITORS_TO = {"/annotate/": FROM_VISITORS + 1_000_000}  # a run, and what was typed
_READING = ("GET", "HEAD")
_MOST_DIGITS = 18  # of a length
_TOO_LARGE = 413
_THAT_READ = frozenset({"read", "archive", "track"})
# What a token can be asked about that was made for accounts alone.
_OF_ACCOUNTS = re.compile(rf"{API}v1/(me|tokens|users|invitations)(/|$)")


def forwarded(answer: Answer) -> Answer:
    """Let nobody but a proxy of ours say whose question it is, and whether it came by https."""

    def answered(request: HttpRequest) -> HttpResponse:
        if not from_proxy(request):
            for name in [one for one in request.META if one.startswith(("HTTP_X_FORWARDED", "HTTP_FORWARDED"))]:
                del request.META[name]
        return answer(request)

    return answered


def policy(answer: Answer) -> Answer:
    """Tell browsers what a page may do; this is the outermost, so that it holds for errors and static files too."""

    def answered(request: HttpRequest) -> HttpResponse:
        response = answer(request)
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    return answered


def acting_person(answer: Answer) -> Answer:
    """Do everything as the person who asks; what they see is kept by nobody on the way, and not by their browser."""

    def answered(request: HttpRequest) -> HttpResponse:
        try:
            database.use(served.folder(), check=False)
            actor = _who_asks(request)
        except CUT_OFF as error:
            return unavailable(request, error)
        with acting(actor), read_once() if request.method in _READING else nullcontext():
            response = answer(request)
        response.headers.setdefault("Cache-Control", "private, no-store" if actor.is_known else "private, no-cache")
        return response

    return answered


def _who_asks(request: HttpRequest) -> Actor:
    """Return who sent REQUEST."""
    if request.path.startswith(API):
        return actor_by(_bearer(request)) or VISITOR
    user: Any = request.user
    return actor_of(user) if user.is_authenticated else VISITOR


def _bearer(request: HttpRequest) -> str:
    """Return the token that REQUEST came with, empty if none."""
    kind, _, secret = request.headers.get("Authorization", "").partition(" ")
    return secret.strip() if kind.lower() == "bearer" else ""


def moderation(answer: Answer) -> Answer:
    """Let nobody ask for too much; nothing of a question is read before that is known."""
    minute, day = Minute(), Day()

    def answered(request: HttpRequest) -> HttpResponse:
        kind, actor = kind_of(request), current()
        who = f"user {actor.user}" if actor.is_known else f"machine {machine_of(request)}"
        wait = minute.wait((who, kind), LIMITS[kind].user if actor.is_known else LIMITS[kind].machine)
        if wait > 0:
            return _too_many(request, math.ceil(wait))
        if request.path.startswith(API) and not actor.is_known and "Authorization" in request.headers:
            return _unknown(request)
        if _length(request) > _most(request):
            return _too_large(request)
        pause = day.wait(actor, _length(request))
        return _enough(request, pause) if pause else answer(request)

    return answered


def _length(request: HttpRequest) -> int:
    """Return how many bytes come with REQUEST; what says no length is not read at all.

    A length that is too long to be read as a number is larger than everything.
    """
    said = request.META.get("CONTENT_LENGTH") or "0"
    found = whole(said, _MOST_DIGITS)
    return found if found is not None else sys.maxsize if said.isdecimal() else 0


def _most(request: HttpRequest) -> int:
    """Return how many bytes may come with REQUEST: from visitors few, for anybody can be one."""
    limit = served.site().upload_limit
    return limit if current().is_known else min(limit, _FROM_VISITORS_TO.get(request.path, _FROM_VISITORS))


def _enough(request: HttpRequest, seconds: int) -> HttpResponse:
    """Say that whoever sent REQUEST has sent enough for a day."""
    hours = math.ceil(seconds / 3600)
    sentence = (
        f"you have sent {DAILY // 1_000_000_000} GB within a day, which is as much as this site takes from one person; "
        f"go on in {hours} hour{'s' * (hours != 1)}, or ask an administrator"
    )
    return refused(request, TooMuch(sentence, seconds))


def _too_many(request: HttpRequest, seconds: int) -> HttpResponse:
    """Say that whoever sent REQUEST asks too often."""
    sentence = f"these were too many questions within a minute; wait {seconds} s, and then go on"
    return refused(request, TooMuch(sentence, seconds))


def _too_large(request: HttpRequest) -> HttpResponse:
    """Say that REQUEST is larger than this site takes."""
    most = f"{_most(request) // 1_000_000} MB that this site takes"
    is_known = current().is_known
    larger = "send less, or ask whoever runs it for a larger PRIMAD_UPLOAD_LIMIT"
    advice = f"{most} at once; {larger}" if is_known else f"{most} from visitors; sign in, or send less"
    return refused(request, UsageError(f"this is larger than the {advice}"), _TOO_LARGE)


def _unknown(request: HttpRequest) -> HttpResponse:
    """Say that the token of REQUEST is none; who sends one does not want to be taken for a visitor."""
    error = NotAllowed(
        "this token is not valid: it was cut, revoked, or has expired; make another on the page of your account, "
        "and send it as: Authorization: Bearer primad_..."
    )
    response = refused(request, error)
    response["WWW-Authenticate"] = "Bearer"
    return response


def refused(request: HttpRequest, error: PrimadError, status: int | None = None) -> HttpResponse:
    """Return ERROR as a page, and as problem details to a program that asks the API, with its own STATUS or another."""
    if request.path.startswith(API):
        from primad.web.api.problems import answered

        return answered(error, status)
    from primad.web.pages import page, status_of

    return page(request, "problem.html", problem=error, status=status or status_of(error))


def unavailable(request: HttpRequest, error: Exception) -> HttpResponse:
    """Return the answer to a REQUEST about which the database cannot be asked, not even who asks, since of ERROR."""
    with acting(VISITOR):
        return refused(request, away(error))


def privacy(answer: Answer) -> Answer:
    """Ask visitors of a private site to sign in, but for what is open to everybody; let a token do what it is for."""
    from primad.web.pages import told

    def answered(request: HttpRequest) -> HttpResponse:
        return answer(request)

    def process_view(request: HttpRequest, _view: Any, _args: Any, _kwargs: Any) -> HttpResponse | None:
        match = request.resolver_match
        if current().token and not current().scopes & _THAT_READ and not _OF_ACCOUNTS.match(request.path):
            return refused(request, NotAllowed("this token may not read; make one with the scope 'read'"))
        if (
            not served.site().private
            or current().is_known
            or match.view_name in OPEN
            or match.route.startswith(_TRACKS)
        ):
            return None
        error = NotAllowed("this site is private; sign in first")
        return refused(request, error) if request.path.startswith(API) else told(request, error)

    answered.process_view = process_view  # type: ignore[attr-defined]  # how Django finds it
    return answered


def explaining(answer: Answer) -> Answer:
    """Make a page of each error of ours, and of a database that is away."""
    from primad.web.pages import told

    def answered(request: HttpRequest) -> HttpResponse:
        return answer(request)

    def process_exception(request: HttpRequest, error: Exception) -> HttpResponse | None:
        said = away(error) if is_away(error) else error
        return told(request, said) if isinstance(said, PrimadError) else None

    answered.process_exception = process_exception  # type: ignore[attr-defined]  # how Django finds it
    return answered
