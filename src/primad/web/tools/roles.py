"""The page that says who may do what: the tables are those that services ask.

roles   what visitors, users, team members, analysts, organisers and administrators may do and see
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from primad.archive import rights as of_archive
from primad.track import rights as of_track
from primad.track.phases import ALLOWED, PHASES
from primad.track.sight import SEEN
from primad.web.pages import page

PEOPLE = {
    "visitor": "anybody who has not signed in",
    "user": "anybody who has signed in",
    "team member": "a user who belongs to a team of a track; sees and changes what is that team's",
    "analyst": "a user who runs systems again in a track; sees what is assigned to them, changes what they did",
    "organiser": "a user who runs a track",
    "administrator": "a user who runs the site; counts as an organiser of every track",
}
_OF_ARCHIVE = {"user": "users", "owner": "whoever added the run, administrators", "": "administrators"}
_OF_TRACK = {"team": "the team", "analyst": "the analyst", "organiser": "organisers"}


@require_GET
def roles(request: HttpRequest) -> HttpResponse:
    """Show who may do and see what."""
    return page(
        request,
        "tools/roles.html",
        people=PEOPLE,
        archive=[(one.what, _OF_ARCHIVE[one.who]) for one in of_archive.RIGHTS.values()],
        track=[
            (one.what, ", ".join(_OF_TRACK[role] for role in one.who) or "administrators", _phases(verb))
            for verb, one in of_track.RIGHTS.items()
        ],
        seen=list(SEEN.values()),
    )


def _phases(verb: str) -> str:
    """Return the phases of a track in which VERB is done, in words."""
    phases, of_repeated = (ALLOWED.get(of_track.phase_verb(verb, repeated=one), PHASES) for one in (False, True))
    also = ", ".join(one for one in of_repeated if one not in phases)
    usual = "any" if len(phases) == len(PHASES) else ", ".join(phases)
    return f"{usual}; of an attempt that repeats another also {also}" if also else usual
