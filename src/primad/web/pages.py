"""How is a page made, and how is an error told on one?

page         a page, or the part of it that htmx asked for
told         a page that says what is wrong with what was asked
done         go on to another page, and say what was done
download     a file
stale_form   a form that was open for too long
status_of    the status of an answer that is an error
elsewhere    what an error says, to somebody who is not on this machine
wrong_here   what an error says that a page tells at its place, unless nothing is wrong with what was asked
"""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render

from primad.errors import NotAllowed, PairingError, PrimadError, TooBusy
from primad.store.actors import current
from primad.web import served
from primad.web.away import away, is_away
from primad.web.limits.waiting import TooMuch

UNPROCESSABLE = 422
# Where to look for what is not at an address below one of these: what to say, and the name of the page.
_LISTS = {"/archive/": ("Look for it in the archive", "archive"), "/tracks/": ("See all tracks", "tracks")}
LATER = (TooBusy, TooMuch)  # what may be asked again, in so many seconds as they say


def page(request: HttpRequest, template: str, *, status: int = 200, **context: Any) -> HttpResponse:
    """Return the page that TEMPLATE makes of CONTEXT; of a page that htmx fetches, only its main part."""
    is_part = bool(getattr(request, "htmx", False)) and not request.htmx.boosted
    context = {"layout": "part.html" if is_part else "base.html", "actor": current(), "problem": None} | context
    problem = away(context["problem"]) if is_away(context["problem"]) else context["problem"]
    is_late = isinstance(problem, LATER)  # whichever page says it, nothing is wrong with what was asked
    context |= {"site": served.site(), "problem": problem and elsewhere(str(problem))}
    response = render(request, template, context, status=status_of(problem) if is_late else status)
    if is_late:
        response["Retry-After"] = str(problem.seconds)
    return response


def elsewhere(said: str) -> str:
    """Return what is SAID to somebody who is not on this machine: where its folders are is no business of theirs."""
    return served.folder().unnamed(said)


def wrong_here(error: PrimadError) -> str:
    """Return what ERROR says, for a page that tells it where it belongs; a database that is away is told alone."""
    if is_away(error):
        raise error
    return elsewhere(str(error))


def status_of(error: PrimadError) -> int:
    """Return the status of an answer that says ERROR."""
    kinds = ((TooMuch, 429), (NotAllowed, 403), (PairingError, 404), (TooBusy, 503))
    return next((status for kind, status in kinds if isinstance(error, kind)), UNPROCESSABLE)


def told(request: HttpRequest, error: PrimadError, status: int | None = None) -> HttpResponse:
    """Return a page that says ERROR; whoever is not known and may not do this is asked to sign in."""
    if isinstance(error, NotAllowed) and not current().is_known and request.method in ("GET", "HEAD"):
        from urllib.parse import urlencode

        from django.urls import reverse

        return HttpResponseRedirect(f"{reverse('sign-in')}?{urlencode({'next': request.get_full_path()})}")
    lists = [one for start, one in _LISTS.items() if isinstance(error, PairingError) and request.path.startswith(start)]
    return page(request, "problem.html", problem=error, lists=lists, status=status or status_of(error))


def done(request: HttpRequest, sentence: str, address: str) -> HttpResponse:
    """Go on to the page at ADDRESS, which says SENTENCE."""
    messages.success(request, sentence)
    return HttpResponseRedirect(address, status=303)


def download(data: bytes, name: str, kind: str = "application/octet-stream") -> HttpResponse:
    """Return DATA as a file called NAME; no browser shows it as a page."""
    from django.utils.http import content_disposition_header

    response = HttpResponse(data, content_type=kind)
    response["Content-Disposition"] = content_disposition_header(as_attachment=True, filename=name)
    response["X-Content-Type-Options"] = "nosniff"
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return response


def stale_form(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return a page that says that a form was open for too long, or came from elsewhere."""
    del reason  # says more to whoever attacks than to whoever waited
    error = NotAllowed("this form is no longer valid; go back, load the page again, and send it once more")
    return page(request, "problem.html", problem=error, status=403)
