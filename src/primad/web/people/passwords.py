"""How does somebody get another password?

change         by the one that they have
forgotten      by a mail, where the site sends mail; else by whoever runs it
new_password   by the link that they got
"""

from __future__ import annotations

from functools import partial

from django.contrib.auth import update_session_auth_hash
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from primad.accounts import resetting
from primad.accounts.models import folded
from primad.errors import NotAllowed, PrimadError
from primad.store import database
from primad.store.actors import VISITOR, acting
from primad.web import served
from primad.web.fields import field
from primad.web.limits import throttling
from primad.web.limits.rates import machine_of
from primad.web.pages import LATER, UNPROCESSABLE, done, page
from primad.web.people import account, mailing
from primad.web.people.posting import outbox
from primad.web.people.signing import enter

_LONGEST = 4096


@sensitive_post_parameters("old", "new")
@require_POST
def change(request: HttpRequest) -> HttpResponse:
    """Give whoever is signed in another password; their other sessions end."""
    account.refuse_visitors()
    try:
        throttling.attempt(request.user.email, machine_of(request))
        resetting.change(
            request.user,
            request.POST.get("old", ""),
            request.POST.get("new", "")[:_LONGEST],
            with_tokens=bool(request.POST.get("tokens")),
        )
    except PrimadError as error:
        return account.shown(request, status=UNPROCESSABLE, problem=error)
    throttling.forgive(request.user.email, machine_of(request))
    update_session_auth_hash(request, request.user)
    return done(
        request, "Your password is changed; where you were signed in elsewhere, you are not now.", reverse("account")
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def forgotten(request: HttpRequest) -> HttpResponse:
    """Send a link to whoever forgot their password; nobody is told whether there is such an account."""
    if request.method != "POST" or not served.site().mail:
        return page(request, "people/forgotten.html", email="")
    email = folded(field(request, "email"))
    try:
        throttling.attempt(f"forgotten {email}", machine_of(request))
        outbox.put(partial(_send, email, request.build_absolute_uri("/")))
    except LATER as error:
        return page(request, "people/forgotten.html", email=email, problem=error)
    sentence = "If there is an account with this address, a link is on its way there. It works once, for a day."
    return done(request, sentence, reverse("sign-in"))


def _send(email: str, root: str) -> None:
    """Send a link for a new password to EMAIL, on the site whose first page is at ROOT, if somebody has an account."""
    with acting(VISITOR):
        database.use(served.folder(), check=False)
        made = resetting.asked(email)
        if made:
            mailing.send_reset(email, root.rstrip("/") + reverse("new-password", args=[made[1]]))


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new_password(request: HttpRequest, secret: str) -> HttpResponse:
    """Let somebody set a new password who got a link, and let them in."""
    try:
        _, user = resetting.link(secret)
    except NotAllowed as error:  # to sign in would not help
        return page(request, "problem.html", problem=error, status=403)
    if request.method != "POST":
        return page(request, "people/new_password.html", email=user.email)
    try:
        user = resetting.reset(secret, request.POST.get("password", "")[:_LONGEST])
    except PrimadError as error:
        return page(request, "people/new_password.html", email=user.email, problem=error, status=UNPROCESSABLE)
    enter(request, user)
    return done(request, "Your password is changed, and you are signed in.", reverse("home"))
