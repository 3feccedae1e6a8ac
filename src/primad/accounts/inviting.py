"""How does somebody become a user, and what of?

    invite       a link for somebody, shown once
    invitation   the invitation that a link is
    pending      the links that wait for somebody, and pending_in those to a role in a track
    accept       become a user, or take the role as the user one is
    revoke       make a link useless
    first_link   the link by which the first person becomes administrator, while there is none

A link works once, for some days, and as long as whoever made it may give what it gives: who has lost a role does not
come back by a link that they kept.  By one that is for anybody, somebody could try which addresses have an account; so
it is useless after some tries.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.db.models import F, Q, QuerySet

from primad.accounts.links import is_granted, new_link, usable
from primad.accounts.models import NAME, Invitation, User, folded
from primad.accounts.passwords import give_password
from primad.accounts.people import (
    check_role,
    give,
    make_administrator,
    refuse_who_may_not_grant,
    refuse_who_may_not_take_back,
)
from primad.errors import NotAllowed, UsageError
from primad.metadata.showing import harmless
from primad.store.actors import ROLES, current
from primad.store.database import writing
from primad.store.log import note

DAYS = 14
FIRST_HOURS = 24
MOST_REFUSED = 3
KINDS = ("administrator", "user")  # besides roles in tracks


def invite(kind: str, *, email: str = "", track: str = "", slug: str = "") -> tuple[Invitation, str]:
    """Return an invitation to become a KIND, and the secret of its link, which is not stored."""
    if kind not in KINDS:
        check_role(kind, track, slug)
    refuse_who_may_not_grant(kind, track)
    if current().token and not email:
        raise UsageError("expected the address of whom to invite: a link made by a token is for one person; give it")
    if email and not is_address(email):
        raise UsageError(f"expected an address such as ada@example.org, found '{harmless(email[:80])}'")
    with writing():
        return _made(kind, folded(email), timedelta(days=DAYS), track, slug)


def _made(kind: str, email: str, lifetime: timedelta, track: str = "", slug: str = "") -> tuple[Invitation, str]:
    """Return a new invitation and its secret, within a transaction."""
    made = new_link(kind, email, lifetime, current(), track=track, slug=slug)
    note("invited", f"track {track}" if track else "site", email=email, role=kind, slug=slug)
    return made


def is_address(text: str) -> bool:
    """Tell whether TEXT can be the address of a mailbox, and of a user.

    >>> is_address("ada@example.org"), is_address("ada"), is_address("a b@example.org")
    (True, False, False)
    """
    from django.core.exceptions import ValidationError
    from django.core.validators import validate_email

    try:
        validate_email(text.strip())
    except ValidationError:
        return False
    return len(folded(text)) <= NAME


def invitation(secret: str) -> Invitation:
    """Return the invitation that the SECRET of a link is for, if it can still be used."""
    return usable(secret, *KINDS, *ROLES)  # a link for a new password is none of these


def accept(secret: str, *, email: str = "", name: str = "", password: str = "", user: User | None = None) -> User:
    """Return the user that somebody is now who followed a link: a new one, or USER, who is signed in."""
    found = invitation(secret)
    if user and found.email and user.email != found.email:
        raise UsageError(f"the invitation is for {found.email}; sign out first, or ask for one to {user.email}")
    taken = user or _new_user(found, email or found.email, name, password)
    try:
        with writing():
            _take(invitation(secret), taken)  # which somebody else may have followed meanwhile
    except UsageError:
        if not user and not found.email:
            _count_refused(found)
        raise
    return taken


def _take(found: Invitation, taken: User) -> None:
    """Make TAKEN what the invitation FOUND says, within a transaction."""
    if taken.pk is None:
        if User.objects.filter(email=taken.email).exists():
            raise UsageError("there is an account with this address; sign in, and then follow the link again")
        taken.save()
    if found.kind == "administrator":
        make_administrator(taken)
    elif found.kind != "user":
        give(taken, found.track, found.kind, found.slug)
    Invitation.objects.filter(pk=found.pk).update(used_at=datetime.now(UTC), used_by=taken)
    note("accepted", f"user {taken.email}", role=found.kind, by=found.by)


def _new_user(found: Invitation, email: str, name: str, password: str) -> User:
    """Return a new user who follows the invitation FOUND, not stored yet, whoever else has an account."""
    if found.email and folded(email) != found.email:
        raise UsageError(f"the invitation is for {found.email}; give that address, or ask for another invitation")
    if not is_address(email):
        raise UsageError("expected the address of your mail, such as ada@example.org")
    shown = " ".join(name.split())[:200]
    if not shown:
        raise UsageError("expected your name, found none")
    user = User(email=folded(email), name=shown, created_at=datetime.now(UTC))
    give_password(user, password)
    return user


def _count_refused(found: Invitation) -> None:
    """Count that a new user was refused, who may have learnt who has an account; after some the link is useless."""
    with writing():
        rows = Invitation.objects.filter(pk=found.pk, revoked_at=None)
        rows.update(refused=F("refused") + 1)
        if rows.filter(refused__gte=MOST_REFUSED).update(revoked_at=datetime.now(UTC)):
            note("revoked", f"track {found.track}" if found.track else "site", role=found.kind, refused=MOST_REFUSED)


def pending_in(track: str) -> list[Invitation]:
    """Return the links to a role in TRACK that nobody has followed yet and somebody still can, for its organisers."""
    if not current().organises(track):
        raise NotAllowed("only organisers of a track see who is invited to it")
    rows = _unused().filter(track=track).select_related("made_by").order_by("-created_at")
    return [one for one in rows if is_granted(one)]


def _unused() -> QuerySet[Invitation]:
    """Return the links that nobody has followed or revoked, and that have not expired."""
    found: QuerySet[Invitation] = Invitation.objects.filter(used_at=None, revoked_at=None)
    return found.filter(expires_at__gt=datetime.now(UTC))


def pending() -> list[Invitation]:
    """Return the links to become a user or an administrator that nobody has followed yet, for administrators."""
    if not current().is_over_all:
        raise NotAllowed("only administrators see who is invited")
    rows = _unused().filter(kind__in=KINDS)
    useless = Q(made_by__is_active=False) | Q(made_by__is_administrator=False)
    return list(rows.exclude(useless).order_by("-created_at"))


def revoke(key: int) -> None:
    """Make the link of the invitation with this KEY useless."""
    found: Invitation | None = Invitation.objects.filter(pk=key).first()
    if found is None:
        raise UsageError("there is no such invitation; the page of people lists those that are open")
    refuse_who_may_not_take_back(found.kind, found.track)
    with writing():
        Invitation.objects.filter(pk=key, used_at=None).update(revoked_at=datetime.now(UTC))
        note("revoked", f"track {found.track}" if found.track else "site", email=found.email, role=found.kind)


def first_link() -> str | None:
    """Return the secret of a link by which somebody becomes administrator, None where there is one already.

    Links that were printed before and not followed become useless.
    """
    with writing():
        if User.objects.filter(is_administrator=True, is_active=True).exists():
            return None
        now = datetime.now(UTC)
        Invitation.objects.filter(kind="administrator", used_at=None, by=current().name).update(revoked_at=now)
        _, secret = _made("administrator", "", timedelta(hours=FIRST_HOURS))
    return secret
