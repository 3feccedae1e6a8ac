"""What is a link that lets somebody in, and can it still be used?

    new_link     a link, stored as an invitation, and its secret, which is shown once
    usable       a link that can still be used
    is_granted   whether whoever made a link may still give what it gives
    let_in       the user whom a link for a user is for

A link works once, for a while, and as long as whoever made it may give what it gives.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from primad.accounts.models import Invitation, User
from primad.accounts.people import may_still_grant
from primad.accounts.unguessable import digest_of, new_secret
from primad.errors import NotAllowed
from primad.store.actors import Actor

_NO_LONGER = "this link is no longer valid; ask whoever sent it for another"


def new_link(
    kind: str, email: str, lifetime: timedelta, by: Actor, *, track: str = "", slug: str = ""
) -> tuple[Invitation, str]:
    """Return a new link of a KIND to EMAIL, made BY somebody, and its secret, of which only the digest is stored."""
    secret, now = new_secret(), datetime.now(UTC)
    made: Invitation = Invitation.objects.create(
        digest=digest_of(secret),
        email=email,
        kind=kind,
        track=track,
        slug=slug,
        by=by.name,
        made_by_id=by.user,
        created_at=now,
        expires_at=now + lifetime,
    )
    return made, secret


def usable(secret: str, *kinds: str) -> Invitation:
    """Return the link of one of KINDS that SECRET is for, if it can still be used."""
    found: Invitation | None = Invitation.objects.filter(digest=digest_of(secret), kind__in=kinds).first()
    if found is None:
        raise NotAllowed("this link is not known; was it cut when it was copied?")
    if found.used_at:
        raise NotAllowed("this link was used already, and works once; sign in, or ask for another")
    if found.revoked_at or found.expires_at < datetime.now(UTC) or not is_granted(found):
        raise NotAllowed(_NO_LONGER)
    return found


def is_granted(link: Invitation) -> bool:
    """Tell whether whoever made LINK may still give what it gives."""
    maker = link.made_by
    return maker is None or may_still_grant(maker, link.kind, link.track)


def let_in(link: Invitation) -> User:
    """Return the user with the address of LINK, if they are let in."""
    user: User | None = User.objects.filter(email=link.email, is_active=True).first()
    if user is None:
        raise NotAllowed(_NO_LONGER)
    return user
