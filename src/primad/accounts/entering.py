"""How does somebody come in by a link alone?  Whoever has the data folder can let them.

link_for   a link by which a user is signed in, once
enter      the user that a link signs in
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from primad.accounts.links import let_in, new_link, usable
from primad.accounts.models import Invitation, User
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
    with writing():
        _, secret = new_link(KIND, user.email, timedelta(hours=HOURS), current())
        note("made", f"user {user.email}", link="to be signed in")
    return secret


def enter(secret: str) -> User:
    """Return the user whom the SECRET of a link signs in, which works no more."""
    with writing():
        found = usable(secret, KIND)
        user = let_in(found)
        Invitation.objects.filter(pk=found.pk).update(used_at=datetime.now(UTC), used_by=user)
        note("entered", f"user {user.email}")
    return user
