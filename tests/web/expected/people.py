"""What do the pages on people answer to whom?"""

from collections.abc import Callable
from typing import Any

from primad.accounts import entering, inviting, resetting, tokens
from primad.store.actors import acting, keeper
from tests.web.expected.row import FORBIDDEN, SIGN_IN, Row, Statuses, everybody, only
from tests.web.people import PASSWORD
from tests.web.small_site import SmallSite

DONE = 303
WRONG = 422
NEW = "seventeen green bicycles"


def for_administrators(status: int) -> Statuses:
    """Return STATUS for administrators; a visitor who posts is refused as everybody else."""
    return only("administrator", status)


def invited(site: SmallSite) -> str:
    """Return the secret of a link to become a user."""
    with acting(site.actor("administrator")):
        return inviting.invite("user")[1]


def invitation(site: SmallSite) -> int:
    """Return the key of an invitation."""
    with acting(site.actor("administrator")):
        return int(inviting.invite("user")[0].pk)


def forgot(site: SmallSite) -> str:
    """Return the secret of a link by which the user sets a new password."""
    with acting(site.actor("administrator")):
        return resetting.link_for(site.user("user"))[1]


def entry(site: SmallSite) -> str:
    """Return the secret of a link that signs the user in."""
    with acting(keeper()):
        return entering.link_for(site.user("user"))


def token_of(role: str) -> Callable[[SmallSite], int]:
    """Return what makes a token of somebody in ROLE, and tells its key."""

    def made(site: SmallSite) -> int:
        with acting(site.actor(role)):
            return int(tokens.make("of " + role)[0].pk)

    return made


def key_of(role: str) -> Callable[[SmallSite], int]:
    """Return what tells the key of somebody in ROLE."""
    return lambda site: site.everybody[role]


LOOKED_AT = {"GET": only("administrator", 200, visitor=SIGN_IN)}
SIGNED_IN: dict[str, Any] = {"visitor": FORBIDDEN}
ROWS: dict[str, Row] = {
    "sign-in": Row(
        {"GET": everybody(200), "POST": everybody(DONE)}, body={"email": "user@example.org", "password": PASSWORD}
    ),
    "sign-out": Row({"POST": everybody(DONE)}),
    "invited": Row(
        {"GET": everybody(200), "POST": everybody(DONE)},
        {"secret": invited},
        {"email": "new@example.org", "name": "Somebody New", "password": NEW},
    ),
    "enter": Row({"GET": everybody(DONE)}, {"secret": entry}),
    # This site sends no mail, so there is nothing to post.
    "forgotten": Row({"GET": everybody(200), "POST": everybody(200)}, body={"email": "user@example.org"}),
    "new-password": Row({"GET": everybody(200), "POST": everybody(DONE)}, {"secret": forgot}, {"password": NEW}),
    "account": Row({"GET": everybody(200, visitor=SIGN_IN)}),
    "account-name": Row({"POST": everybody(DONE, **SIGNED_IN)}, body={"name": "Another Name"}),
    "account-password": Row({"POST": everybody(DONE, **SIGNED_IN)}, body={"old": PASSWORD, "new": NEW}),
    "account-tokens": Row(
        {"POST": everybody(200, **SIGNED_IN)}, body={"token": "laptop", "scopes": ["read", "track"], "days": "30"}
    ),
    # A token of the user: nobody else has one with this key, and an administrator may revoke anybody's.
    "account-token-revoke": Row(
        {"POST": only("user administrator", DONE, WRONG, **SIGNED_IN)}, {"key": token_of("user")}
    ),
    "people": Row(LOOKED_AT),
    "people-invite": Row({"POST": for_administrators(200)}, body={"email": "new@example.org", "kind": "administrator"}),
    "people-invitation-revoke": Row({"POST": for_administrators(DONE)}, {"key": invitation}),
    "people-password": Row({"POST": for_administrators(200)}, {"key": key_of("user")}),
    "people-keep-out": Row({"POST": for_administrators(DONE)}, {"key": key_of("user")}),
    "people-let-in": Row({"POST": for_administrators(DONE)}, {"key": key_of("user")}),
}
