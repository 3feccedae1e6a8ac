"""Who takes part?

people   teams, analysts, and the users who act for them; invitations, and roles that are taken back
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from primad.accounts import inviting
from primad.accounts import people as accounts
from primad.errors import UsageError
from primad.reports.track.answers import AnalystFacts, TeamFacts
from primad.track.wellformed import ROLES
from primad.web.people.mailing import link_of, send_invitation
from primad.web.track.organisers.office import form_of, office, shown_again
from primad.web.track.reading import refuse_unknown
from primad.web.track.working import Done, Form, Verb


@require_http_methods(["GET", "POST"])
@never_cache
def people(request: HttpRequest, track: str) -> HttpResponse:
    """Show who takes part, add and change them, and give roles to users."""
    form = form_of(request, track)
    return office(form, _TEMPLATE, _DO, lambda: _shown(form), _HERE)


def _shown(form: Form) -> dict[str, Any]:
    """Return what the page on people says; the forms hold the team and the analyst that the address names."""
    facts = form.track.facts()
    wanted = form.request.GET
    return {
        "teams": facts.teams,
        "analysts": facts.analysts,
        "members": accounts.members(facts.slug),
        "invitations": inviting.pending_in(facts.slug),
        "roles": [(one, one) for one in filter(None, ROLES)],
        "team": next((one for one in facts.teams if one.slug == wanted.get("team")), None),
        "analyst": next((one for one in facts.analysts if one.slug == wanted.get("analyst")), None),
        "invited": None,
    }


# Teams and analysts ----------------------------------------------------------------------------------------------


def _team(form: Form) -> Done:
    """Register a team, or change one."""
    slug = form.text("slug")
    before = next((one for one in form.track.facts().teams if one.slug == slug), None)
    form.track.set_team(slug, title=form.text("title"), contact=form.text("contact"), remark=form.text("remark"))
    said = f"The team {slug} is {'changed' if before else 'registered; invite its people below'}."
    return Done(said, _team_before(before) if before else {}, form.request.path)


def _team_before(team: TeamFacts) -> dict[str, str]:
    """Return the fields of the form that makes TEAM what it was."""
    words = {"title": team.title, "contact": team.contact, "remark": team.note}
    return {"do": "team", "slug": team.slug, **words}


def _analyst(form: Form) -> Done:
    """Enlist an analyst, or change one."""
    slug = form.text("slug")
    before = next((one for one in form.track.facts().analysts if one.slug == slug), None)
    form.track.set_analyst(
        slug,
        role=form.text("role"),
        title=form.text("title"),
        background=form.text("background"),
        conflicts=conflicts_of(form.text("conflicts")),
    )
    said = f"The analyst {slug} is {'changed' if before else 'enlisted; invite them below'}."
    return Done(said, _analyst_before(before) if before else {}, form.request.path)


def _analyst_before(analyst: AnalystFacts) -> dict[str, str]:
    """Return the fields of the form that makes ANALYST what they were."""
    words = {"title": analyst.title, "role": analyst.role, "background": analyst.background}
    lines = "\n".join(f"{team}: {why}" for team, why in analyst.conflicts.items())
    return {"do": "analyst", "slug": analyst.slug, **words, "conflicts": lines}


def conflicts_of(text: str) -> dict[str, str]:
    r"""Return conflicts of interest as somebody typed them, each team in a line with the reason.

    >>> conflicts_of("beta: a former member\nalpha: same lab")
    {'beta': 'a former member', 'alpha': 'same lab'}
    """
    lines = [line.partition(":") for line in text.splitlines() if line.strip()]
    unexplained = [team.strip() for team, _, why in lines if not why.strip()]
    if unexplained:
        raise UsageError(
            f"expected lines such as 'beta: a former member', found '{unexplained[0][:40]}' without a reason"
        )
    return {team.strip(): why.strip() for team, _, why in lines}


# Users -----------------------------------------------------------------------------------------------------------


def _invite(form: Form) -> HttpResponse:
    """Invite somebody; the link is sent if it can be, and shown once, as it is not stored.

    Whether there is an account with their address makes no difference: that is no business of organisers.
    """
    kind, _, slug = form.text("role").partition("/")
    refuse_unknown(form.track, kind, slug)
    invitation, secret = inviting.invite(kind, email=form.text("email"), track=form.track.row.slug, slug=slug)
    invited = {
        "key": invitation.pk,
        "to": str(invitation),
        "until": invitation.expires_at,
        "link": link_of(form.request, secret),
        "is_sent": send_invitation(form.request, invitation, secret),
    }
    return shown_again(form, _TEMPLATE, _shown(form) | {"invited": invited}, _HERE)


def _revoke(form: Form) -> Done:
    """Make a link useless."""
    inviting.revoke(form.number("key", "an invitation"))
    return Done("The link works no more.")


def _withdraw(form: Form) -> Done:
    """Take a role back from a user."""
    user = accounts.member_called(form.track.row.slug, form.text("email"))
    kind, _, slug = form.text("role").partition("/")
    accounts.withdraw(user, form.track.row.slug, kind, slug)
    undo = {"do": "invite", "email": user.email, "role": form.text("role")}
    return Done(f"{user.name} is no longer {kind} {slug}".rstrip() + "; to undo this, invite them again.", undo)


_TEMPLATE = "track/organise_people.html"
_HERE = "track-people"
_DO: Mapping[str, Verb] = {
    "team": _team,
    "analyst": _analyst,
    "invite": _invite,
    "revoke": _revoke,
    "withdraw": _withdraw,
}
