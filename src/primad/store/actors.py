"""Who is acting?  Every change and every question is somebody's.

    Actor          somebody: a name for the log, and what they are in which track
    Role           what somebody is in a track: an organiser, a member of a team, an analyst
    keeper         whoever has the data folder itself, as at the command line, and so may do anything
    itself         whoever does what nobody asked for: a site itself, or the keeper
    VISITOR        somebody of whom nothing is known
    acting         a while in which somebody acts
    current        who acts now
    expect         whom to take a process for where nobody acts
    is_site        whether this process does what strangers ask for
    refuse_scope   refuse whoever acts by a token that was not made for something

A command line acts for the keeper.  A site takes everybody for a visitor until it knows better, so that whatever is
forgotten forbids too much and never too little.
"""

from __future__ import annotations

import getpass
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from primad.errors import NotAllowed

ROLES = ("organiser", "team", "analyst")
# What a token may be used for; whoever signs in with a password may do all that they may do at all.
SCOPES = ("read", "archive", "track", "account")


class Role(NamedTuple):
    """What somebody is in a track: its slug, the KIND of role, and the slug of their team or analyst."""

    track: str
    kind: str
    slug: str = ""


@dataclass(frozen=True)
class Actor:
    """Somebody: NAME as the log has it, the key of their USER, and their ROLES; SCOPES are what they came to do.

    Who came by a token is known by the name of that TOKEN and its key, too, which is good UNTIL some moment.
    """

    name: str
    user: int | None = None
    is_keeper: bool = False
    is_administrator: bool = False
    roles: frozenset[Role] = field(default_factory=frozenset)
    scopes: frozenset[str] = frozenset(SCOPES)
    token: str = ""
    token_key: int | None = None
    until: datetime | None = None

    @property
    def is_known(self) -> bool:
        """Tell whether anything is known of them."""
        return self.is_keeper or self.user is not None

    @property
    def is_over_all(self) -> bool:
        """Tell whether they may do what organisers of any track may."""
        return self.is_keeper or self.is_administrator

    def came_for(self, scope: str) -> bool:
        """Tell whether they came to do what SCOPE says: whoever uses a token may be held to reading."""
        return scope in self.scopes

    def organises(self, track: str) -> bool:
        """Tell whether they organise TRACK."""
        return self.is_over_all or Role(track, "organiser") in self.roles

    def is_in_team(self, track: str, slug: str) -> bool:
        """Tell whether they are a member of the team SLUG."""
        return Role(track, "team", slug) in self.roles

    def is_analyst(self, track: str, slug: str) -> bool:
        """Tell whether they are the analyst SLUG."""
        return Role(track, "analyst", slug) in self.roles

    def slugs(self, track: str, kind: str) -> tuple[str, ...]:
        """Return the slugs of the teams or analysts that they are in TRACK."""
        return tuple(sorted(one.slug for one in self.roles if one.track == track and one.kind == kind))

    def takes_part(self, track: str) -> bool:
        """Tell whether they are anything in TRACK."""
        return self.is_over_all or any(one.track == track for one in self.roles)


def _at_keyboard() -> str:
    """Return the name that the system has for the person at the keyboard."""
    try:
        return getpass.getuser().encode("utf-8", "backslashreplace").decode()[:200]
    except (ImportError, KeyError, OSError):  # a number without a name
        return "unknown"


def keeper() -> Actor:
    """Return whoever has the data folder itself."""
    return Actor(_at_keyboard(), is_keeper=True)


SITE = "the site"  # as the log has it; users have addresses
VISITOR = Actor("visitor", scopes=frozenset({"read"}))
_expected: Actor | None = None
_acting: ContextVar[Actor | None] = ContextVar("acting", default=None)


def expect(actor: Actor | None) -> None:
    """Take this process for ACTOR where nobody acts; None is the keeper."""
    global _expected  # noqa: PLW0603 - a process is taken for one at a time
    _expected = actor


def is_site() -> bool:
    """Tell whether this process is that of a site, which does what strangers ask for."""
    return _expected is not None and not _expected.is_keeper


def itself() -> Actor:
    """Return whoever does what nobody asked for: a site itself, by no name of a person, else the keeper."""
    return Actor(SITE, is_keeper=True) if is_site() else keeper()


def current() -> Actor:
    """Return who acts now."""
    return _acting.get() or _expected or keeper()


def refuse_scope(scope: str) -> None:
    """Refuse whoever acts by a token that was not made for SCOPE."""
    actor = current()
    if actor.is_known and not actor.came_for(scope):
        raise NotAllowed(f"this token was not made for that; make one with the scope '{scope}'")


@contextmanager
def acting(actor: Actor) -> Iterator[None]:
    """Let ACTOR do everything inside."""
    token = _acting.set(actor)
    try:
        yield
    finally:
        _acting.reset(token)
