"""What does an address answer to whom?

Row        one address: what it is filled with, and which status each method gives each role
everybody  the same status for all roles
only       some roles get one status, all others another
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.web.people import ROLES

SIGN_IN = 302  # a visitor who may not look at a page is asked to sign in
FORBIDDEN = 403
NOT_FOUND = 404
NO_METHOD = 405

Statuses = Mapping[str, int]


def everybody(status: int, **others: int) -> Statuses:
    """Return STATUS for all roles but those that are named."""
    return dict.fromkeys(ROLES, status) | others


def only(roles: str, status: int, refused: int = FORBIDDEN, **others: int) -> Statuses:
    """Return STATUS for ROLES, a text with blanks between, and REFUSED for all others but those that are named."""
    return dict.fromkeys(ROLES, refused) | dict.fromkeys(roles.split(), status) | others


@dataclass(frozen=True)
class Row:
    """An address, what it is filled with, and what it answers.

    ARGUMENTS fill the address; a value may be a function of the small site.  ANSWERS are statuses by method and role;
    a method that is not named must answer 405 to everybody.  BODY is what is sent with POST (and PUT, PATCH, DELETE),
    as form fields; a value may be a function that returns a new file.  Each question is asked on a site of its own, so
    nothing that one changes is seen by another.
    """

    answers: Mapping[str, Statuses]
    arguments: Mapping[str, Any] = field(default_factory=dict)
    body: Mapping[str, Any] = field(default_factory=dict)
    query: str = ""
