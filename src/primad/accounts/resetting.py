"""How does somebody come in again who forgot their password?

    link_for   a link for a user, made by an administrator
    asked      a link for whoever has an address, to be sent there and nowhere else
    link       the user that a link is for
    reset      a new password by a link
    change     a new password by whoever knows the old one

A link is stored as an invitation of the kind "password": it works once, for a day, and only its digest is kept.  A new
link of an administrator makes those before it useless, one that somebody asked for those that were asked for, and a new
password all of them.  That of somebody who administers no more is useless, too.  A new password by a link makes tokens
useless: whoever forgot it may have lost more.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from primad.accounts.links import let_in, new_link, usable
from primad.accounts.models import Invitation, User, folded
from primad.accounts.passwords import give_password
from primad.accounts.people import refuse_token
from primad.accounts.tokens import revoke_all
from primad.errors import DataError, NotAllowed
from primad.store.actors import VISITOR, Actor, current, refuse_scope
from primad.store.database import writing
from primad.store.log import note

KIND = "password"
HOURS = 24


def link_for(user: User) -> tuple[Invitation, str]:
    """Return a link by which USER sets a new password, and its secret, which is not stored."""
    refuse_scope("account")
    if not current().is_over_all:
        raise NotAllowed("only administrators make links for a new password")
    refuse_token("to make a link for a new password")
    return _made(user, current(), _links(user))


def asked(email: str) -> tuple[Invitation, str] | None:
    """Return a link for whoever has the address EMAIL, None if there is nobody; it is sent there, never shown."""
    user: User | None = User.objects.filter(email=folded(email), is_active=True).first()
    # Anybody can ask with any address: that makes no link useless that an administrator made.
    return _made(user, VISITOR, _links(user).filter(by=VISITOR.name)) if user else None


def _made(user: User, by: Actor, former: Any) -> tuple[Invitation, str]:
    """Return a new link for USER made BY somebody, and its secret; the FORMER ones are useless then."""
    with writing():
        former.update(revoked_at=datetime.now(UTC))
        made = new_link(KIND, user.email, timedelta(hours=HOURS), by)
        note("made", f"user {user.email}", link="for a new password")
    return made


def _links(user: User) -> Any:
    """Return the links for USER that can still be used, as a query."""
    return Invitation.objects.filter(kind=KIND, email=user.email, used_at=None, revoked_at=None)


def link(secret: str) -> tuple[Invitation, User]:
    """Return what the SECRET of a link is for: the link itself, and its user, if both can still be used."""
    found = usable(secret, KIND)
    return found, let_in(found)


def reset(secret: str, password: str) -> User:
    """Return the user whose password is PASSWORD now, by the SECRET of a link; their tokens do nothing any more."""
    with writing():
        found, user = link(secret)
        _set(user, password)
        Invitation.objects.filter(pk=found.pk).update(used_at=datetime.now(UTC), used_by=user)
        note("changed", f"user {user.email}", password="by a link")  # noqa: S106 - says how, and is no password
        revoke_all(user)
    return user


def change(user: User, old: str, new: str, *, with_tokens: bool = False) -> None:
    """Give USER, who acts, the NEW password if they know the OLD one; WITH_TOKENS makes their tokens useless, too."""
    if current().user != user.pk:
        raise NotAllowed("only you yourself change your password")
    if not user.check_password(old):
        raise DataError("the password that you have now is another one; check it, and mind capitals")
    with writing():
        _set(user, new)
        note("changed", f"user {user.email}", password="by themselves")  # noqa: S106 - says how, and is no password
        if with_tokens:
            revoke_all(user)


def _set(user: User, password: str) -> None:
    """Give USER a PASSWORD, and make links for a new one useless, within a transaction."""
    give_password(user, password)
    user.save(update_fields=["password"])
    _links(user).update(revoked_at=datetime.now(UTC))
