"""Has somebody come in with this browser before?

browser_of    the mark of the browser, if it has one for an account
remembering   an answer that gives the browser a mark

Whoever guesses passwords from many machines makes everybody wait who tries the same address, but for those whose
browser has a mark: their tries are counted apart.  The mark is signed, says nothing about who has it, and lets nobody
in.
"""

from __future__ import annotations

import hashlib
import secrets

from django.http import HttpRequest, HttpResponse

from primad.accounts.models import folded
from primad.web import served

COOKIE = "known-browser"
_AGE = 180 * 24 * 3600  # seconds


def browser_of(request: HttpRequest, email: str) -> str:
    """Return the mark of the browser that sent REQUEST, if it came in with the address EMAIL before; else nothing."""
    said = request.get_signed_cookie(COOKIE, "", salt=_salt(email), max_age=_AGE)
    return str(said or "")


def remembering(request: HttpRequest, response: HttpResponse, email: str) -> HttpResponse:
    """Return RESPONSE with a mark for the browser, which came in with the address EMAIL."""
    response.set_signed_cookie(
        COOKIE,
        browser_of(request, email) or secrets.token_hex(16),
        salt=_salt(email),
        max_age=_AGE,
        path="/sign-in/",
        secure=served.site().https,
        httponly=True,
        samesite="Lax",
    )
    return response


def _salt(email: str) -> str:
    """Return what ties a mark to the address EMAIL without saying it."""
    return f"{COOKIE} {hashlib.sha256(folded(email).encode('utf-8', 'replace')).hexdigest()}"
