"""How does somebody come in by a link alone?  Whoever has the data folder can let them.

link_for   a link by which a user is signed in, once
enter      the user that a link signs in
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from primad.accounts.inviting import usable
from primad.accounts.models import Invitation, User
from primad.accounts.unguessable import digest_of, new_secret
from primad.errors import NotAllowed
from primad.store.actors import current
from primad.store.database import writing
from primad.store.log import note

KIND = "entry"
HOURS = 1


def link_for(user: User) -> str:
    """Return the secret of a link by which USER is signed in; only its digest is stored."""
    if not current().is_keeper:
        raise NotAllowed("only whoever has the data folder lets somebody in by a link")
    secret, now = new_secret(), datetime.now(UTC)
    with writing():
        Invitation.objects.create(
            digest=digest_of(secret),
            email=user.email,
            kind=KIND,
            by=current().name,
            created_at=now,
            expires_at=now + timedelta(hours=HOURS),
        )
        note("made", f"user {user.email}", link="to be signed in")
    return secret


def enter(secret: str) -> User:
    """Return the user whom the SECRET of a link signs in, which works no more."""
    with writing():
        found = usable(Invitation.objects.filter(kind=KIND, digest=digest_of(secret)).first())
        user: User | None = User.objects.filter(email=found.email, is_active=True).first()
        if user is None:
            raise NotAllowed("this link is no longer valid; ask whoever sent it for another")
        Invitation.objects.filter(pk=found.pk).update(used_at=datetime.now(UTC), used_by=user)
        note("entered", f"user {user.email}")
    return user
