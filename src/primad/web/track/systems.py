"""How does a team hand in the system of a submission, and take a submission back?

system      the form for a bundle or remote access; a bundle can be checked without handing it in
preflight   what analysts will miss in the newest bundle
withdraw    take a submission out of the track
reinstate   bring it back
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from primad.errors import PrimadError, UsageError
from primad.track.bundles import manifest_of_bundle
from primad.track.track import Track
from primad.web import served
from primad.web.arriving import chosen
from primad.web.fields import field
from primad.web.pages import UNPROCESSABLE, done, page
from primad.web.track.forms import said, typed_fields
from primad.web.track.reading import closed, for_members, require

_REMOTE = ("instructions", "operating_system", "language")


@sensitive_post_parameters("secret")
@require_http_methods(["GET", "HEAD", "POST"])
@for_members
def system(request: HttpRequest, track: str, team: str, name: str) -> HttpResponse:
    """Show the forms for the system of a submission, and take what one of them says."""
    here = served.track(track)
    here.submission_facts(f"{team}/{name}")
    require(here, "submit-system", team)
    if request.method != "POST":
        return _system_page(request, here, team, name)
    does: dict[str, Callable[..., HttpResponse]] = {"check": _check, "bundle": _bundle, "remote": _remote}
    given = typed_fields(request, *_REMOTE)
    try:
        wish = request.POST.get("wish", "")
        if wish not in does:
            raise UsageError("expected a bundle or remote access; use one of the buttons")
        return does[wish](request, here, team, name)
    except PrimadError as error:
        return _system_page(request, here, team, name, UNPROCESSABLE, given=given, problem=error)


def _one_file(request: HttpRequest) -> dict[str, bytes]:
    """Return the bundle that came with REQUEST by its name."""
    found = chosen(request, "bundle") or {}
    if len(found) != 1:
        raise UsageError("expected a bundle, one file; choose it again, and send the form")
    return found


def _check(request: HttpRequest, track: Track, team: str, name: str) -> HttpResponse:
    """Say what analysts will miss in a bundle, of which nothing is kept."""
    ((called, data),) = _one_file(request).items()
    _, missing = manifest_of_bundle(data, called)
    return _system_page(request, track, team, name, missing=missing, checked=called)


def _bundle(request: HttpRequest, track: Track, team: str, name: str) -> HttpResponse:
    """Take a bundle as the system of a submission."""
    taken = track.submit_bundle(f"{team}/{name}", _one_file(request))
    remarks = "".join(f" Note: {one}." for one in taken.remarks)
    where = reverse("track-preflight", args=[track.row.slug, team, name])
    return done(request, f"The bundle was taken as the system of {taken.submission}.{remarks}", where)


def _remote(request: HttpRequest, track: Track, team: str, name: str) -> HttpResponse:
    """Take remote access as the system of a submission; its secret is not shown again."""
    given = typed_fields(request, *_REMOTE)
    instructions = given.pop("instructions")
    track.submit_remote(f"{team}/{name}", instructions, secret=request.POST.get("secret", ""), **given)
    where = reverse("track-submission", args=[track.row.slug, team, name])
    kept = " The secret is encrypted, and shown to its analysts only." if request.POST.get("secret") else ""
    return done(request, f"Remote access was taken as the system of {team}/{name}.{kept}", where)


def _system_page(
    request: HttpRequest, track: Track, team: str, name: str, status: int = 200, **context: Any
) -> HttpResponse:
    """Return the forms for the system of a submission with what was typed into them."""
    facts = track.facts()
    given = dict.fromkeys(_REMOTE, "") | context.pop("given", {})
    return page(
        request,
        "track/team_system.html",
        status=status,
        **{"missing": (), "checked": ""}
        | context
        | {
            "track": facts,
            "facts": track.submission_facts(f"{team}/{name}"),
            "given": given,
            "closed": closed(facts),
        },
    )


@require_safe
@for_members
def preflight(request: HttpRequest, track: str, team: str, name: str) -> HttpResponse:
    """Show what analysts will miss in the newest bundle of a submission."""
    here = served.track(track)
    address = f"{team}/{name}"
    missing = here.preflight_of(address)
    may = here.may("submit-system", team=team)
    return page(
        request,
        "track/team_preflight.html",
        track=here.facts(),
        facts=here.submission_facts(address),
        missing=missing,
        may=may,
    )


# Taking back -----------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@for_members
def withdraw(request: HttpRequest, track: str, team: str, name: str) -> HttpResponse:
    """Ask why a submission is withdrawn, and take it out of the track."""
    told = f"{team}/{name} is withdrawn. Nothing was deleted; you can bring it back below."
    return _for_a_reason(request, track, team, name, "withdraw", told)


@require_http_methods(["GET", "HEAD", "POST"])
@for_members
def reinstate(request: HttpRequest, track: str, team: str, name: str) -> HttpResponse:
    """Ask why a submission comes back, and bring it back into the track."""
    return _for_a_reason(request, track, team, name, "reinstate", f"{team}/{name} is back in the track.")


def _for_a_reason(request: HttpRequest, track: str, team: str, name: str, verb: str, told: str) -> HttpResponse:
    """Ask for the reason of VERB, do it, and say what is TOLD of it."""
    here = served.track(track)
    address = f"{team}/{name}"
    facts = here.submission_facts(address)
    require(here, verb, team)
    reason = field(request, "reason")
    context: dict[str, Any] = {"track": here.facts(), "facts": facts, "verb": verb, "reason": reason}
    if request.method != "POST":
        return page(request, "track/team_reason.html", **context)
    try:
        does = {"withdraw": here.withdraw, "reinstate": here.reinstate}[verb]
        does(address, said(reason, "a reason"))
    except PrimadError as error:
        return page(request, "track/team_reason.html", status=UNPROCESSABLE, problem=error, **context)
    return done(request, told, reverse("track-submission", args=[track, team, name]))
