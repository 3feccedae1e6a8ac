"""Who administers the site?

promote   make a user an administrator, or no longer one
"""

from __future__ import annotations

from primad.accounts.models import User
from primad.accounts.people import make_administrator, refuse_token
from primad.errors import NotAllowed, UsageError
from primad.store.actors import current, refuse_scope
from primad.store.database import writing
from primad.store.log import note


def promote(user: User, *, administrator: bool) -> None:
    """Make USER an administrator, or no longer one; somebody has to stay who is."""
    refuse_scope("account")
    refuse_token("to make an administrator")
    if not current().is_over_all:
        raise NotAllowed("only administrators make administrators")
    with writing():
        others = User.objects.filter(is_administrator=True, is_active=True).exclude(pk=user.pk)
        if not administrator and not others.exists():
            raise UsageError(f"{user.email} is the only administrator; make somebody else one first")
        if administrator:
            make_administrator(user)
        else:
            User.objects.filter(pk=user.pk).update(is_administrator=False)
        note("promoted" if administrator else "demoted", f"user {user.email}")
