"""How does somebody become a user, and what of?

    invite       a link for somebody, shown once
    invitation   the invitation that a link is
    usable       a link that can still be used
    pending      the links that wait for somebody
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

from primad.accounts.models import Invitation, User, folded
from primad.accounts.people import (
    check_role,
    give,
    make_administrator,
    may_still_grant,
    refuse_who_may_not_grant,
    refuse_who_may_not_take_back,
)
from primad.accounts.unguessable import digest_of, new_secret
from primad.errors import DataError, NotAllowed, UsageError
from primad.metadata.showing import harmless
from primad.store.actors import ROLES, current
from primad.store.database import writing
from primad.store.log import note

DAYS = 14
FIRST_HOURS = 24
MOST_REFUSED = 3
KINDS = ("administrator", "user")  # besides roles in tracks


def invite(kind: str, *, email: str = "", track: str = "", slug: str = "", days: int = DAYS) -> tuple[Invitation, str]:
    """Return an invitation to become a KIND, and the secret of its link, which is not stored."""
    if kind not in KINDS:
        check_role(kind, track, slug)
    refuse_who_may_not_grant(kind, track)
    if current().token and not email:
        raise UsageError("expected the address of whom to invite: a link made by a token is for one person; give it")
    if email and not is_address(email):
        raise UsageError(f"expected an address such as ada@example.org, found '{harmless(email[:80])}'")
    with writing():
        return _made(kind, email=email, track=track, slug=slug, lifetime=timedelta(days=days))


def _made(kind: str, *, email: str, track: str, slug: str, lifetime: timedelta) -> tuple[Invitation, str]:
    """Return a new invitation and its secret, within a transaction."""
    secret, now = new_secret(), datetime.now(UTC)
    made: Invitation = Invitation.objects.create(
        digest=digest_of(secret),
        email=folded(email),
        kind=kind,
        track=track,
        slug=slug,
        by=current().name,
        made_by_id=current().user,
        created_at=now,
        expires_at=now + lifetime,
    )
    note("invited", f"track {track}" if track else "site", email=made.email, role=kind, slug=slug)
    return made, secret


def is_address(text: str) -> bool:
    """Tell whether TEXT can be the address of a mailbox.

    >>> is_address("ada@example.org"), is_address("ada"), is_address("a b@example.org")
    (True, False, False)
    """
    from django.core.exceptions import ValidationError
    from django.core.validators import validate_email

    try:
        validate_email(text.strip())
    except ValidationError:
        return False
    return True


def invitation(secret: str) -> Invitation:
    """Return the invitation that the SECRET of a link is for, if it can still be used."""
    kinds = (*KINDS, *ROLES)  # a link for a new password is none of these
    return usable(Invitation.objects.filter(digest=digest_of(secret), kind__in=kinds).first())


def usable(found: Invitation | None) -> Invitation:
    """Return the link that was FOUND, if it can still be used."""
    if found is None:
        raise NotAllowed("this link is not known; was it cut when it was copied?")
    if found.used_at:
        raise NotAllowed("this link was used already, and works once; sign in, or ask for another")
    is_granted = _is_granted(found)
    if found.revoked_at or found.expires_at < datetime.now(UTC) or not is_granted:
        raise NotAllowed("this link is no longer valid; ask whoever sent it for another")
    return found


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
    from django.contrib.auth.password_validation import validate_password
    from django.core.exceptions import ValidationError

    if found.email and folded(email) != found.email:
        raise UsageError(f"the invitation is for {found.email}; give that address, or ask for another invitation")
    if not is_address(email):
        raise UsageError("expected the address of your mail, such as ada@example.org")
    shown = " ".join(name.split())[:200]
    if not shown:
        raise UsageError("expected your name, found none")
    user = User(email=folded(email), name=shown, created_at=datetime.now(UTC))
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise DataError(" ".join(error.messages)) from None
    user.set_password(password)
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
    return [one for one in rows if _is_granted(one)]


def _is_granted(invitation: Invitation) -> bool:
    """Tell whether whoever made INVITATION may still give what it gives."""
    maker = invitation.made_by
    return maker is None or may_still_grant(maker, invitation.kind, invitation.track)


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
        raise UsageError("there is no such invitation")
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
        _, secret = _made("administrator", email="", track="", slug="", lifetime=timedelta(hours=FIRST_HOURS))
    return secret
