"""Who acts for whom in a track?  For its organisers.

GET     /tracks/TRACK/members               who is what
DELETE  /tracks/TRACK/members               take a role back
POST    /tracks/TRACK/invitations           a link to become something, told once
DELETE  /tracks/TRACK/invitations/KEY       make it useless

Whether there is an account with an address is no business of organisers: everybody is invited in the same way, by an
address.  Organisers are invited on pages only: whoever found a token shall not become one by it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from django.http import HttpRequest
from ninja import Field, Path, Query, Status

from primad.accounts import inviting, people
from primad.errors import NotAllowed
from primad.store.actors import current
from primad.track.rights import SCOPE
from primad.track.track import Track
from primad.web import served
from primad.web.api.fields import Asking, Name, refuse_without
from primad.web.api.paging import Limit, Offset, Page, part
from primad.web.api.tracks.shared import Chosen, TrackName, router
from primad.web.people.mailing import link_of, send_invitation
from primad.web.track.reading import refuse_unknown

Role = Literal["organiser", "team", "analyst"]
Email = Annotated[Name, Field(max_length=254)]


@dataclass(frozen=True)
class MemberFacts:
    """A user who is a KIND of member: SLUG is their team, or the analyst that they are."""

    name: str
    email: str
    kind: str
    slug: str
    since: datetime


@dataclass(frozen=True)
class TrackInvitation:
    """A link to become a KIND of member; LINK is told once, unless it IS_SENT by mail."""

    key: int
    kind: str
    slug: str
    email: str
    expires_at: datetime
    link: str = ""
    is_sent: bool = False


class NewRole(Asking):
    """A role: an organiser, a member of a team, or an analyst, whose name the slug is."""

    kind: Role
    slug: Chosen = ""
    email: Email = ""


@router.get("/{track}/members", response=Page[MemberFacts], summary="List who is what in a track.")
def track_members(request: HttpRequest, track: TrackName, limit: Limit = 100, offset: Offset = 0) -> Page[MemberFacts]:
    """Return the users who act in a track, for its organisers."""
    del request
    return part(_members(_organised(track)), limit, offset)


@router.delete("/{track}/members", response=list[MemberFacts], summary="Take a role back from a user.")
def track_withdraw_role(
    request: HttpRequest,
    track: TrackName,
    email: Annotated[Email, Query()],
    kind: Annotated[Role, Query()],
    slug: Annotated[Chosen, Query("")] = "",
) -> list[MemberFacts]:
    """Take a role back, and return who is what; somebody has to stay who organises the track."""
    del request
    here = _organised(track)
    people.withdraw(people.member_called(here.row.slug, email), here.row.slug, kind, slug)
    return _members(here)


@router.post("/{track}/invitations", response={201: TrackInvitation}, summary="Invite somebody into a track.")
def track_invite(request: HttpRequest, track: TrackName, asked: NewRole) -> Status[TrackInvitation]:
    """Return a new invitation: sent by mail if the site sends any, else with its link, which is told this once."""
    here = _organised(track)
    refuse_unknown(here, asked.kind, asked.slug)
    made, secret = inviting.invite(asked.kind, email=asked.email, track=here.row.slug, slug=asked.slug)
    is_sent = send_invitation(request, made, secret)
    link = "" if is_sent else link_of(request, secret)
    return Status(
        201, TrackInvitation(made.pk, made.kind, made.slug, made.email, made.expires_at, link, is_sent=is_sent)
    )


@router.delete("/{track}/invitations/{key}", response={204: None}, summary="Make an invitation useless.")
def track_revoke(request: HttpRequest, track: TrackName, key: Annotated[int, Path(ge=1, le=2**31)]) -> Status[None]:
    """Revoke the invitation with this key."""
    del request
    _organised(track)
    inviting.revoke(key)
    return Status(204, None)


def _organised(slug: str) -> Track:
    """Return the track SLUG, for those who organise it and came for that."""
    here = served.track(slug)
    refuse_without(SCOPE)
    if not current().organises(here.row.slug):
        raise NotAllowed("only organisers see who takes part, and say who does")
    return here


def _members(track: Track) -> list[MemberFacts]:
    """Return who is what in TRACK."""
    rows = people.members(track.row.slug)
    return [MemberFacts(one.user.name, one.user.email, one.kind, one.slug, one.since) for one in rows]
