"""Who asks, and with which tokens?  Accounts for programs.

GET     /me                       who the token stands for
PATCH   /me                       another name
GET     /tokens                   one's tokens
POST    /tokens                   a new one, whose secret is told once
DELETE  /tokens/KEY               make one useless
GET     /users                    who has an account, for administrators
POST    /users/KEY/exclusion      let a user in no more, DELETE lets them in again
GET     /invitations              links that wait for somebody, for administrators
DELETE  /invitations/KEY          make one useless

A password cannot be changed here, and users and administrators are invited on pages only: whoever found a token shall
not be able to take an account over, or to become one of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from django.http import HttpRequest
from ninja import Field, Path, Router, Status

from primad.accounts import inviting, people, tokens
from primad.accounts.models import Invitation, Token, User
from primad.errors import NotAllowed, PairingError
from primad.store.actors import current
from primad.web.api.fields import Asking, Name, refuse_without
from primad.web.api.paging import Limit, Offset, Page, paged, part

router = Router()
RowKey = Annotated[int, Path(ge=1, le=2**31)]
_SCOPE = "account"


@dataclass(frozen=True)
class RoleFacts:
    """What somebody is in a track: the KIND of role, and the slug of their team or analyst."""

    track: str
    kind: str
    slug: str


@dataclass(frozen=True)
class Me:
    """Whoever asks: NAME and EMAIL, what they are, and what their token may be used for."""

    name: str
    email: str
    is_administrator: bool
    roles: tuple[RoleFacts, ...]
    scopes: tuple[str, ...]


@dataclass(frozen=True)
class TokenFacts:
    """A token: its KEY, what it is called and may be used for, and until when; SECRET is told once, when it is made."""

    key: int
    name: str
    scopes: tuple[str, ...]
    created_at: datetime
    expires_at: datetime | None
    used_at: datetime | None
    secret: str = ""


@dataclass(frozen=True)
class UserFacts:
    """Somebody with an account."""

    key: int
    name: str
    email: str
    is_administrator: bool
    is_active: bool


@dataclass(frozen=True)
class InvitationFacts:
    """A link to become a KIND of user: for whom, by whom, until when."""

    key: int
    kind: str
    email: str
    by: str
    expires_at: datetime


class NewName(Asking):
    """Another name."""

    name: Annotated[Name, Field(min_length=1)]


class NewToken(Asking):
    """A token that is wanted: what it is called, may be used for, and for how many days."""

    name: Annotated[Name, Field(max_length=200)] = ""
    scopes: Annotated[list[Annotated[str, Field(max_length=20)]], Field(min_length=1, max_length=10)] = Field(
        default_factory=lambda: ["read"]
    )
    days: Annotated[int, Field(ge=1, le=tokens.LONGEST)] = 90


# Oneself ---------------------------------------------------------------------------------------------------------


@router.get("/me", response=Me, summary="Say who the token stands for.")
def me(request: HttpRequest) -> Me:
    """Return who asks."""
    del request
    user = _user()
    actor = current()
    roles = tuple(RoleFacts(*one) for one in sorted(actor.roles))
    return Me(user.name, user.email, user.is_administrator, roles, tuple(sorted(actor.scopes)))


@router.patch("/me", response=Me, summary="Take another name.")
def rename(request: HttpRequest, asked: NewName) -> Me:
    """Give whoever asks another name."""
    refuse_without(_SCOPE)
    people.change(_user(), name=asked.name)
    return me(request)


def _user() -> User:
    """Return the user who asks."""
    found: User | None = User.objects.filter(pk=current().user or 0).first()
    if found is None:
        raise NotAllowed("sign in first: send a token as Authorization: Bearer primad_...")
    return found


# Tokens ----------------------------------------------------------------------------------------------------------


@router.get("/tokens", response=Page[TokenFacts], summary="List your tokens.")
def list_tokens(request: HttpRequest, limit: Limit = 50, offset: Offset = 0) -> Page[TokenFacts]:
    """Return the tokens of whoever asks, the newest first."""
    del request
    refuse_without(_SCOPE)
    return part([_token(one) for one in tokens.mine()], limit, offset)


@router.post("/tokens", response={201: TokenFacts}, summary="Make a token; its secret is told this once.")
def make_token(request: HttpRequest, asked: NewToken) -> Status[TokenFacts]:
    """Return a new token with its secret; an answer with a secret is not stored, so it cannot be asked for again."""
    del request
    made, secret = tokens.make(asked.name, asked.scopes, asked.days)
    return Status(201, _token(made, secret))


@router.delete("/tokens/{key}", response={204: None}, summary="Make a token useless.")
def revoke_token(request: HttpRequest, key: RowKey) -> Status[None]:
    """Revoke the token with this key."""
    del request
    refuse_without(_SCOPE)
    tokens.revoke(key)
    return Status(204, None)


def _token(row: Token, secret: str = "") -> TokenFacts:
    """Return what is told of a token."""
    scopes = tuple(row.scopes.split())
    return TokenFacts(row.pk, row.name, scopes, row.created_at, row.expires_at, row.used_at, secret)


# Others ----------------------------------------------------------------------------------------------------------


@router.get("/users", response=Page[UserFacts], summary="List who has an account.")
def list_users(request: HttpRequest, limit: Limit = 50, offset: Offset = 0) -> Page[UserFacts]:
    """Return all users, for administrators."""
    del request
    _refuse_others()
    rows = User.objects.order_by("name", "pk")
    return paged([_person(one) for one in rows[offset : offset + limit]], rows.count(), offset)


@router.post("/users/{key}/exclusion", response=UserFacts, summary="Let a user in no more; what they did stays.")
def keep_out(request: HttpRequest, key: RowKey) -> UserFacts:
    """Keep the user with this key out."""
    del request
    return _activated(key, active=False)


@router.delete("/users/{key}/exclusion", response=UserFacts, summary="Let a user in again.")
def let_in(request: HttpRequest, key: RowKey) -> UserFacts:
    """Let the user with this key in."""
    del request
    return _activated(key, active=True)


def _activated(key: int, *, active: bool) -> UserFacts:
    """Let the user with this KEY in, or keep them out."""
    _refuse_others()
    found: User | None = User.objects.filter(pk=key).first()
    if found is None:
        raise PairingError("there is no such user")
    people.activate(found, active=active)
    found.is_active = active
    return _person(found)


def _person(row: User) -> UserFacts:
    """Return what is told of a user."""
    return UserFacts(row.pk, row.name, row.email, row.is_administrator, row.is_active)


def _refuse_others() -> None:
    """Refuse whoever does not administer the site, or came with a token for something else."""
    refuse_without(_SCOPE)
    if not current().is_over_all:
        raise NotAllowed("only administrators of this site look after its users")


@router.get("/invitations", response=Page[InvitationFacts], summary="List the invitations that wait for somebody.")
def list_invitations(request: HttpRequest, limit: Limit = 50, offset: Offset = 0) -> Page[InvitationFacts]:
    """Return the links that nobody has followed yet, for administrators."""
    del request
    _refuse_others()
    return part([_invitation(one) for one in inviting.pending()], limit, offset)


@router.delete("/invitations/{key}", response={204: None}, summary="Make an invitation useless.")
def revoke_invitation(request: HttpRequest, key: RowKey) -> Status[None]:
    """Revoke the invitation with this key."""
    del request
    refuse_without(_SCOPE)
    inviting.revoke(key)
    return Status(204, None)


def _invitation(row: Invitation) -> InvitationFacts:
    """Return what is told of an invitation."""
    return InvitationFacts(row.pk, row.kind, row.email, row.by, row.expires_at)
