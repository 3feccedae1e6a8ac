"""What is stored of people?

    User         somebody who can sign in
    Membership   what a user is in a track: an organiser, a member of a team, an analyst
    Invitation   a link that lets somebody in once, and gives them a role
    Token        what a program signs in with for a user

Of links and tokens only a digest is stored, so that whoever reads the database cannot use them.  Tracks, teams and
analysts are named by their slugs, which never change.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models

from primad.store.actors import ROLES

NAME = 200
DIGEST = 64
SLUG = 64


class People(BaseUserManager):
    """Users, found by their address."""

    def get_by_natural_key(self, email: str) -> Any:
        """Return the user with the address EMAIL, whatever its capitals."""
        return self.get(email=folded(email))


def folded(email: str) -> str:
    """Return EMAIL as it is stored.

    >>> folded(" Ada@Example.ORG ")
    'ada@example.org'
    """
    return email.strip().lower()


class User(AbstractBaseUser):
    """Somebody who can sign in, known by the address of their mail."""

    email: str = models.CharField(max_length=NAME, unique=True)
    name: str = models.CharField(max_length=NAME)
    is_active: bool = models.BooleanField(default=True)
    is_administrator: bool = models.BooleanField(default=False)
    created_at: datetime = models.DateTimeField()

    objects = People()

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["name"]

    def __str__(self) -> str:
        """Return name and address."""
        return f"{self.name} <{self.email}>"

    # What Django's administration asks.

    @property
    def is_staff(self) -> bool:
        """Tell whether they may administer."""
        return self.is_administrator

    def has_perm(self, _permission: str, _thing: Any = None) -> bool:
        """Tell whether they may administer; there is no finer grain."""
        return self.is_active and self.is_administrator

    def has_module_perms(self, _app: str) -> bool:
        """Tell whether they may administer."""
        return self.is_active and self.is_administrator


class Membership(models.Model):
    """What USER is in a TRACK: a KIND of role, and the SLUG of their team or analyst."""

    user: User = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    track: str = models.CharField(max_length=SLUG)
    kind: str = models.CharField(max_length=20, choices=[(one, one) for one in ROLES])
    slug: str = models.CharField(max_length=SLUG, blank=True, default="")
    since: datetime = models.DateTimeField()

    class Meta:
        """Nobody is the same twice."""

        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "track", "kind", "slug"], name="membership_once")
        ]

    def __str__(self) -> str:
        """Return who is what."""
        return f"{self.user} is {self.kind} {self.slug} in {self.track}".replace("  ", " ")


class Invitation(models.Model):
    """A link that lets somebody in once: who is meant (EMAIL, may be empty), and what it gives them.

    KIND is a role in TRACK, or "administrator", or "user" for somebody without a role.  BY is who made it as the log
    has them, and MADE_BY the user, None where it was no user: the link works while they may still give what it gives.
    REFUSED is how often a new user was refused whose form was in order.
    """

    digest: str = models.CharField(max_length=DIGEST, unique=True)
    email: str = models.CharField(max_length=NAME, blank=True, default="")
    kind: str = models.CharField(max_length=20)
    track: str = models.CharField(max_length=SLUG, blank=True, default="")
    slug: str = models.CharField(max_length=SLUG, blank=True, default="")
    by: str = models.CharField(max_length=NAME)
    made_by: User | None = models.ForeignKey(User, null=True, on_delete=models.CASCADE, related_name="+")
    created_at: datetime = models.DateTimeField()
    expires_at: datetime = models.DateTimeField()
    used_at: datetime | None = models.DateTimeField(null=True)
    used_by: User | None = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    revoked_at: datetime | None = models.DateTimeField(null=True)
    refused: int = models.PositiveSmallIntegerField(default=0)

    def __str__(self) -> str:
        """Return whom it invites to what."""
        return f"{self.email or 'somebody'} as {' '.join(filter(None, (self.kind, self.slug)))}"


class Token(models.Model):
    """What a program signs in with for USER; SCOPES are words, with blanks between, of what it may be used for.

    MADE_BY is the token by which it was made, None where its user had signed in.
    """

    user: User = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tokens")
    made_by: Token | None = models.ForeignKey("self", null=True, on_delete=models.CASCADE, related_name="+")
    digest: str = models.CharField(max_length=DIGEST, unique=True)
    name: str = models.CharField(max_length=NAME)
    scopes: str = models.CharField(max_length=NAME)
    created_at: datetime = models.DateTimeField()
    expires_at: datetime | None = models.DateTimeField(null=True)
    used_at: datetime | None = models.DateTimeField(null=True)
    revoked_at: datetime | None = models.DateTimeField(null=True)

    def __str__(self) -> str:
        """Return whose it is and what for."""
        return f"{self.name} of {self.user}"
