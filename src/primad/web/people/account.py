"""What does somebody see and change of themselves?

account        their name, roles and tokens
rename         another name
make_token     a token for a program, whose secret is shown once
revoke_token   make a token useless
shown          the page, for other views that come back to it
"""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from primad.accounts import people, tokens
from primad.errors import NotAllowed, PrimadError, UsageError
from primad.store.actors import SCOPES, current
from primad.web.fields import field
from primad.web.numbers import whole
from primad.web.pages import UNPROCESSABLE, done, page

DAYS = (7, 30, 90, 366)
# What each scope is for, in the words of a person who ticks it.
SCOPE_TITLES = {
    "read": "read: look at what you may look at",
    "archive": "archive: put runs in, evaluate and assess them",
    "track": "track: submit, make attempts, fill in sheets",
    "account": "account: make and revoke tokens",
}


def refuse_visitors() -> None:
    """Refuse whoever is not signed in."""
    if not current().is_known:
        raise NotAllowed("sign in to see your account")


@require_safe
def account(request: HttpRequest) -> HttpResponse:
    """Show what is known of whoever is signed in."""
    return shown(request)


def shown(request: HttpRequest, status: int = 200, **more: Any) -> HttpResponse:
    """Return the page of whoever is signed in, with MORE that the last step left."""
    refuse_visitors()
    facts: dict[str, Any] = {
        "person": request.user,
        "roles": sorted(current().roles),
        "tokens": tokens.mine(),
        "scopes": [(one, SCOPE_TITLES[one]) for one in SCOPES],
        "days": [(str(one), f"{one} days") for one in DAYS],
        "given": {"name": request.user.name, "token": "", "scopes": ["read"], "days": "90"},
        "secret": "",
    }
    return page(request, "people/account.html", status=status, **(facts | more))


@require_POST
def rename(request: HttpRequest) -> HttpResponse:
    """Give whoever is signed in another name."""
    refuse_visitors()
    try:
        people.change(request.user, name=field(request, "name"))
    except PrimadError as error:
        return shown(request, status=UNPROCESSABLE, problem=error)
    return done(request, "Your name is changed.", reverse("account"))


@require_POST
def make_token(request: HttpRequest) -> HttpResponse:
    """Make a token, and show its secret this once; it is stored nowhere, so the page itself has to show it."""
    refuse_visitors()
    scopes = request.POST.getlist("scopes")
    try:
        made, secret = tokens.make(field(request, "token"), scopes, _days(request))
    except PrimadError as error:
        given = {"name": request.user.name, "token": field(request, "token"), "scopes": scopes, "days": "90"}
        return shown(request, status=UNPROCESSABLE, problem=error, given=given)
    return shown(request, secret=secret, made=made)


def _days(request: HttpRequest) -> int:
    """Return for how many days a token shall be good."""
    days = whole(field(request, "days"))
    if days is None:
        raise UsageError(f"expected from 1 to {tokens.LONGEST} days, found something else")
    return days


@require_POST
def revoke_token(request: HttpRequest, key: int) -> HttpResponse:
    """Make a token useless."""
    refuse_visitors()
    tokens.revoke(key)
    return done(request, "The token is revoked: no program comes in with it any more.", reverse("account"))
