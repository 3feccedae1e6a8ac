"""How does a program sign in for a user?

make       a token, whose secret is shown once
actor_by   the actor that a secret stands for
mine       the tokens of whoever acts
revoke     make a token useless, and revoke_all those of a user

A token that was made by another ends with it: whoever found one and made more of it loses all of them together.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from primad.accounts.models import Token, User
from primad.accounts.people import actor_of
from primad.accounts.unguessable import PREFIX, digest_of, new_secret
from primad.errors import NotAllowed, UsageError
from primad.store.actors import SCOPES, Actor, current, refuse_scope
from primad.store.database import writing
from primad.store.log import note

LONGEST = 366  # days
_SEEN = timedelta(minutes=1)  # how exactly the last use is kept: a write with each question would be too many


def make(name: str, scopes: Iterable[str] = ("read",), days: int = 90) -> tuple[Token, str]:
    """Return a new token of whoever acts, called NAME and good for SCOPES, and its secret, which is not stored.

    One that is made by a token is good for no more than that, and for no longer.
    """
    actor = current()
    refuse_scope("account")
    if actor.user is None:
        raise NotAllowed("sign in to make a token")
    wanted = tuple(dict.fromkeys(scopes))
    if not wanted or any(one not in SCOPES for one in wanted):
        raise UsageError(f"expected scopes ({', '.join(SCOPES)}), found '{' '.join(wanted)[:80]}'")
    if not actor.scopes.issuperset(wanted):
        found = ", ".join(one for one in SCOPES if one in actor.scopes)
        raise NotAllowed(f"a token makes none that is good for more than itself ({found}); sign in to make another")
    if not 1 <= days <= LONGEST:
        raise UsageError(f"expected from 1 to {LONGEST} days, found {days}")
    secret, now = new_secret(), datetime.now(UTC)
    expires = now + timedelta(days=days)
    with writing():
        _refuse_revoked(actor)
        token: Token = Token.objects.create(
            user_id=actor.user,
            made_by_id=actor.token_key,
            digest=digest_of(secret),
            name=" ".join(name.split())[:200] or "a token",
            scopes=" ".join(wanted),
            created_at=now,
            expires_at=min(expires, actor.until) if actor.until else expires,
        )
        note("made", f"token {token.pk}", name=token.name, scopes=token.scopes)
    return token, secret


def _refuse_revoked(actor: Actor) -> None:
    """Refuse ACTOR if the token that they came by was revoked since, within a transaction."""
    if actor.token_key and Token.objects.filter(pk=actor.token_key).exclude(revoked_at=None).exists():
        raise NotAllowed("the token by which you came was revoked just now; sign in to make another")


def actor_by(secret: str) -> Actor | None:
    """Return the actor that SECRET stands for, None if it is no token that can be used."""
    if not secret.startswith(PREFIX):
        return None
    now = datetime.now(UTC)
    found: Token | None = (
        Token.objects.select_related("user").filter(digest=digest_of(secret), revoked_at=None, user__is_active=True)
    ).first()
    if found is None or (found.expires_at and found.expires_at < now):
        return None
    if found.used_at is None or now - found.used_at > _SEEN:
        Token.objects.filter(pk=found.pk).update(used_at=now)
    actor = actor_of(found.user, found.scopes.split())
    return replace(actor, token=found.name, token_key=found.pk, until=found.expires_at)


def mine() -> list[Token]:
    """Return the tokens of whoever acts, the newest first."""
    return list(Token.objects.filter(user_id=current().user or 0, revoked_at=None).order_by("-created_at"))


def revoke(key: int) -> None:
    """Make the token with this KEY useless, and those that were made by it, if it is one of whoever acts."""
    actor = current()
    refuse_scope("account")
    rows = Token.objects.filter(pk=key)
    rows = rows if actor.is_over_all else rows.filter(user_id=actor.user or 0)
    with writing():
        if not rows.exists():
            raise UsageError("there is no such token of yours; the page of your account lists them")
        for one in _alive_from(key):
            Token.objects.filter(pk=one).update(revoked_at=datetime.now(UTC))
            note("revoked", f"token {one}")


def _alive_from(key: int) -> list[int]:
    """Return the keys of the tokens that can be used of these: the one with this KEY, and all that come from it."""
    line, newest = [key], [key]
    while newest:
        newest = list(Token.objects.filter(made_by__in=newest).values_list("pk", flat=True))
        line += newest
    return list(Token.objects.filter(pk__in=line, revoked_at=None).order_by("pk").values_list("pk", flat=True))


def revoke_all(user: User) -> int:
    """Make all tokens of USER useless, within a transaction, and return how many these were."""
    count = int(Token.objects.filter(user=user, revoked_at=None).update(revoked_at=datetime.now(UTC)))
    if count:
        note("revoked", f"user {user.email}", tokens=count)
    return count
