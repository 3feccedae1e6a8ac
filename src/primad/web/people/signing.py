"""How does somebody come in?

sign_in    by address and password
sign_out   and go again
invited    by a link, as a new user or as the one they are
entered    by a link that whoever runs the site on their own machine was shown
enter      let a user in whose right to come in is known
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth import authenticate, login, logout
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import NoReverseMatch, reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from primad.accounts import entering, inviting
from primad.accounts.models import Invitation, folded
from primad.accounts.people import actor_of
from primad.errors import NotAllowed, PrimadError
from primad.store.actors import acting, current
from primad.store.database import writing
from primad.store.log import note
from primad.web.fields import field
from primad.web.limits import throttling
from primad.web.limits.rates import machine_of
from primad.web.pages import UNPROCESSABLE, done, page
from primad.web.people.browsers import browser_of, remembering
from primad.web.people.sessions import sweep

_LONGEST = 4096  # characters of a password; more would only keep the processor busy


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    """Let somebody in who knows their password."""
    after = _safe(request, request.POST.get("next") or request.GET.get("next") or "")
    if request.method != "POST":
        return page(request, "people/sign_in.html", next=after, email="")
    email = folded(field(request, "email"))
    try:
        enter(request, _user_with(request, email))
    except NotAllowed as error:
        return page(request, "people/sign_in.html", status=UNPROCESSABLE, next=after, email=email, problem=error)
    return remembering(request, HttpResponseRedirect(after, status=303), email)


def _safe(request: HttpRequest, address: str) -> str:
    """Return ADDRESS if it is one of this site, else that of the first page."""
    is_ours = url_has_allowed_host_and_scheme(address, {request.get_host()}, require_https=request.is_secure())
    return address if is_ours else str(reverse("home"))


def _user_with(request: HttpRequest, email: str) -> Any:
    """Return the user with the address EMAIL whose password came with REQUEST; it takes as long where there is none."""
    password = request.POST.get("password", "")
    machine = machine_of(request)
    browser = browser_of(request, email)
    throttling.attempt(email, machine, browser)
    user = authenticate(request, username=email, password=password) if len(password) <= _LONGEST else None
    if user is None:
        raise NotAllowed("address and password do not belong together; check both, and mind capitals")
    throttling.forgive(email, machine, browser)
    return user


def enter(request: HttpRequest, user: Any) -> None:
    """Let USER in, in a session with a new key."""
    sweep()
    login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    with acting(actor_of(user)), writing():
        note("signed in", f"user {user.email}")


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """Let somebody go; where nobody was signed in nothing is said, for a sentence is stored until it is read."""
    logout(request)
    if not current().is_known:
        return HttpResponseRedirect(reverse("home"), status=303)
    with writing():
        note("signed out", f"user {current().name}")
    return done(request, "You are signed out.", reverse("home"))


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invited(request: HttpRequest, secret: str) -> HttpResponse:
    """Let somebody in who was invited."""
    try:
        found = inviting.invitation(secret)
    except NotAllowed as error:  # to sign in would not help
        return page(request, "problem.html", problem=error, status=403)
    given = {name: field(request, name) for name in ("email", "name")}
    if request.method != "POST":
        return page(request, "people/invited.html", invitation=found, given=given | {"email": found.email})
    link, machine = f"invitation {found.pk}", machine_of(request)
    try:
        throttling.attempt(link, machine)
        user = inviting.accept(
            secret,
            **given,
            password=request.POST.get("password", "")[:_LONGEST],
            user=request.user if request.user.is_authenticated else None,
        )
    except PrimadError as error:
        return page(request, "people/invited.html", status=UNPROCESSABLE, invitation=found, given=given, problem=error)
    throttling.forgive(link, machine)
    enter(request, user)
    return done(request, f"Welcome, {user.name}.", _first_page_of(found))


def _first_page_of(found: Invitation) -> str:
    """Return where somebody goes on who followed the invitation FOUND."""
    try:
        return str(reverse("track", args=[found.track])) if found.track else str(reverse("home"))
    except NoReverseMatch:
        return str(reverse("home"))


@never_cache
@require_safe
def entered(request: HttpRequest, secret: str) -> HttpResponse:
    """Let somebody in by a link alone; whoever only looks what is there uses nothing up."""
    if request.method == "HEAD":
        return HttpResponseRedirect(reverse("home"), status=303)
    try:
        user = entering.enter(secret)
    except NotAllowed as error:  # to sign in would not help
        return page(request, "problem.html", problem=error, status=403)
    enter(request, user)
    return done(request, f"You are signed in as {user.name}.", reverse("home"))
