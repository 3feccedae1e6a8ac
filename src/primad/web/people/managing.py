"""How do administrators look after users?

everybody    who has an account, and who is invited
invite       a link for a new user or administrator
revoke       make a link useless
password     a link by which a user sets a new password
keep_out     let a user in no more, and let_in again
"""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from primad.accounts import inviting, people, resetting
from primad.accounts.models import User
from primad.errors import NotAllowed, PairingError, PrimadError, UsageError
from primad.store.actors import current
from primad.web.fields import field
from primad.web.pages import UNPROCESSABLE, done, page
from primad.web.people import mailing

_MOST = 500


def _refuse_others() -> None:
    """Refuse whoever does not administer the site."""
    if not current().is_over_all:
        raise NotAllowed("only administrators of this site look after its users")


@require_safe
def everybody(request: HttpRequest) -> HttpResponse:
    """Show who has an account, and who is invited."""
    return _shown(request)


def _shown(request: HttpRequest, status: int = 200, **more: Any) -> HttpResponse:
    """Return the page on users, with MORE that the last step left."""
    _refuse_others()
    facts: dict[str, Any] = {
        "users": User.objects.order_by("name", "pk")[:_MOST],
        "total": User.objects.count(),
        "invitations": inviting.pending(),
        "given": {"email": "", "kind": "user"},
        "link": "",
    }
    return page(request, "people/people.html", status=status, **(facts | more))


@require_POST
def invite(request: HttpRequest) -> HttpResponse:
    """Invite somebody: by mail if the site sends any, else by a link that is shown this once."""
    _refuse_others()
    given = {name: field(request, name) for name in ("email", "kind")}
    try:
        if given["kind"] not in inviting.KINDS:
            raise UsageError(f"expected one of {', '.join(inviting.KINDS)}, found something else")
        invitation, secret = inviting.invite(given["kind"], email=given["email"])
    except PrimadError as error:
        return _shown(request, status=UNPROCESSABLE, problem=error, given=given)
    if mailing.send_invitation(request, invitation, secret):
        return done(request, f"A link is on its way to {invitation.email}.", reverse("people"))
    return _shown(request, link=mailing.link_of(request, secret), whom=str(invitation))


@require_POST
def revoke(request: HttpRequest, key: int) -> HttpResponse:
    """Make a link useless."""
    _refuse_others()
    inviting.revoke(key)
    return done(request, "The invitation is revoked: its link does nothing any more.", reverse("people"))


@require_POST
def password(request: HttpRequest, key: int) -> HttpResponse:
    """Make a link by which a user sets a new password, and show it this once."""
    user = _user(key)
    _, secret = resetting.link_for(user)
    return _shown(request, link=mailing.link_of(request, secret, "new-password"), whom=f"{user}, for a new password")


@require_POST
def keep_out(request: HttpRequest, key: int) -> HttpResponse:
    """Let a user in no more; what they did stays."""
    return _activated(request, key, active=False)


@require_POST
def let_in(request: HttpRequest, key: int) -> HttpResponse:
    """Let a user in again."""
    return _activated(request, key, active=True)


def _activated(request: HttpRequest, key: int, *, active: bool) -> HttpResponse:
    """Let a user in or keep them out, and say so."""
    user = _user(key)
    people.activate(user, active=active)
    sentence = "is let in again" if active else "is kept out: their sessions and tokens do nothing any more"
    return done(request, f"{user.name} {sentence}.", reverse("people"))


def _user(key: int) -> User:
    """Return the user with this KEY, to administrators."""
    _refuse_others()
    found: User | None = User.objects.filter(pk=key).first()
    if found is None:
        raise PairingError("there is no such user")
    return found
