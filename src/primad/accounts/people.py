"""Who are the users, and what are they in which track?

    actor_of            the actor that a user is
    user_called         the user with an address
    give, withdraw      give a user a role in a track, and take it back
    may_still_grant     whether a user may still make somebody what they once promised
    make_administrator  make a user an administrator
    member_called       who is something in a track, by their address
    members             who is what in a track
    change              the name of a user
    activate            let a user in again, or no more

Who may give roles is decided here: the organisers of a track, and administrators.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from primad.accounts.models import Membership, User, folded
from primad.errors import NotAllowed, PairingError, UsageError
from primad.metadata.showing import harmless
from primad.store.actors import ROLES, SCOPES, Actor, Role, current, refuse_scope
from primad.store.database import writing
from primad.store.log import note

# What somebody can be made by a token.  Whoever found one of an organiser could else become organiser by it, and would
# still be one when it has long been revoked.
BY_TOKEN = ("team", "analyst")


def actor_of(user: User, scopes: Iterable[str] = SCOPES) -> Actor:
    """Return the actor that USER is, who came to do what SCOPES say."""
    rows = Membership.objects.filter(user=user).values_list("track", "kind", "slug")
    return Actor(
        name=user.email,
        user=user.pk,
        is_administrator=user.is_administrator,
        roles=frozenset(Role(*row) for row in rows),
        scopes=frozenset(scopes),
    )


def user_called(email: str) -> User:
    """Return the user with the address EMAIL."""
    user: User | None = User.objects.filter(email=folded(email)).first()
    if user is None:
        raise PairingError(f"nobody has an account with the address {harmless(email[:80])}; invite them")
    return user


def refuse_token(what: str) -> None:
    """Refuse whoever acts by a token: whoever found one shall not make an account of their own by it, or take one."""
    if current().token:
        raise NotAllowed(f"{what} takes a password, and no token; sign in on the pages of the site")


def refuse_who_may_not_grant(kind: str, track: str) -> None:
    """Refuse whoever acts if they may not make somebody a KIND in TRACK."""
    refuse_who_may_not_take_back(kind, track)
    if kind not in BY_TOKEN:
        refuse_token(f"to make somebody {kind}")


def refuse_who_may_not_take_back(kind: str, track: str) -> None:
    """Refuse whoever acts if they have no say in who is a KIND in TRACK."""
    refuse_scope("track" if kind in ROLES else "account")
    if not _may_grant(current(), kind, track):
        raise NotAllowed("only organisers of a track give roles in it, and only administrators make administrators")


def _may_grant(actor: Actor, kind: str, track: str) -> bool:
    """Tell whether ACTOR may make somebody a KIND in TRACK, or do for them what only administrators do."""
    return actor.is_over_all or (kind in ROLES and actor.organises(track))


def may_still_grant(user: User, kind: str, track: str) -> bool:
    """Tell whether USER is let in, and may make somebody a KIND in TRACK now, whatever they were before."""
    return user.is_active and _may_grant(actor_of(user), kind, track)


def check_role(kind: str, track: str, slug: str) -> None:
    """Refuse a role that there is none of."""
    if kind not in ROLES or not track:
        raise UsageError(f"expected a role in a track ({', '.join(ROLES)}), found '{harmless(kind[:40])}'")
    if bool(slug) != (kind != "organiser"):
        raise UsageError("a member of a team and an analyst are named by a slug, an organiser is not")


def give(user: User, track: str, kind: str, slug: str) -> None:
    """Make USER what an invitation says, or the organiser of a track that they make, within a transaction."""
    _refuse_both_sides(user, track, kind, slug)
    _, is_new = Membership.objects.get_or_create(
        user=user, track=track, kind=kind, slug=slug, defaults={"since": datetime.now(UTC)}
    )
    if is_new:
        note("granted", f"track {track}", user=user.email, role=kind, slug=slug)


def _refuse_both_sides(user: User, track: str, kind: str, slug: str) -> None:
    """Refuse a role that would make USER organiser and analyst of TRACK, or somebody else's analyst SLUG.

    Organisers see what analysts may not, and analysts judge without them: a sheet is that of one person.
    """
    other = {"organiser": "analyst", "analyst": "organiser"}.get(kind)
    if other and Membership.objects.filter(user=user, track=track, kind=other).exists():
        raise UsageError(
            f"{user.email} is {other} of {track} already: nobody is both organiser and analyst of a track; "
            "take that role back first, or ask somebody else"
        )
    if kind == "analyst" and user.is_administrator:
        raise UsageError(f"{user.email} is an administrator, who counts as organiser of {track}, and no analyst of it")
    if kind == "analyst" and Membership.objects.filter(track=track, kind=kind, slug=slug).exclude(user=user).exists():
        raise UsageError(
            f"the analyst {slug} of {track} is somebody else already, and is one person; take the role back from them "
            "first, or enlist another analyst"
        )


def make_administrator(user: User) -> None:
    """Make USER an administrator, within a transaction; an analyst cannot be one, who counts as organiser."""
    judged = Membership.objects.filter(user=user, kind="analyst").order_by("track").first()
    if judged:
        raise UsageError(
            f"{user.email} is analyst of {judged.track}, and an administrator counts as organiser of every track: "
            "nobody is both; take that role back first, or ask somebody else"
        )
    User.objects.filter(pk=user.pk).update(is_administrator=True)
    user.is_administrator = True


def withdraw(user: User, track: str, kind: str, slug: str = "") -> None:
    """Take a role in TRACK back from USER; somebody has to stay who organises it."""
    refuse_who_may_not_take_back(kind, track)
    with writing():
        mine = Membership.objects.filter(user=user, track=track, kind=kind, slug=slug)
        others = Membership.objects.filter(track=track, kind="organiser").exclude(user=user)
        if kind == "organiser" and mine.exists() and not others.exists():
            raise UsageError(f"{user.email} is the only organiser of {track}; make somebody else one first")
        if mine.delete()[0]:
            note("withdrew", f"track {track}", user=user.email, role=kind, slug=slug)


def member_called(track: str, email: str) -> User:
    """Return the user with the address EMAIL who is something in TRACK; of others, nobody hears whether they exist."""
    found = Membership.objects.filter(track=track, user__email=folded(email)).select_related("user").first()
    if found is None:
        raise PairingError(f"nobody with the address {harmless(email[:80])} has a role in {track}")
    user: User = found.user
    return user


def members(track: str) -> list[Membership]:
    """Return who is what in TRACK, for its organisers."""
    if not current().organises(track):
        raise NotAllowed("only organisers see who takes part")
    rows = Membership.objects.filter(track=track).select_related("user")
    return list(rows.order_by("kind", "slug", "user__name"))


def change(user: User, *, name: str) -> None:
    """Give USER another NAME."""
    actor = current()
    refuse_scope("account")
    if not (actor.is_over_all or actor.user == user.pk):
        raise NotAllowed("only you yourself change your name")
    shown = " ".join(name.split())[:200]
    if not shown:
        raise UsageError("expected a name, found none")
    with writing():
        User.objects.filter(pk=user.pk).update(name=shown)
        note("changed", f"user {user.email}", name=shown)


def activate(user: User, *, active: bool) -> None:
    """Let USER in again, or no more where ACTIVE is false."""
    actor = current()
    refuse_scope("account")
    if not actor.is_over_all:
        raise NotAllowed("only administrators let users in or keep them out")
    if user.pk == actor.user:
        raise UsageError("you cannot keep yourself out")
    with writing():
        User.objects.filter(pk=user.pk).update(is_active=active)
        note("let in" if active else "kept out", f"user {user.email}")
