"""What does a question of the API answer to whom?

ApiRow      a row for one operation; its method is the only one in its answers
SIGN_IN     what somebody gets who is not known and may not ask this
known       one status for everybody who has signed in, another for visitors
"""

from dataclasses import dataclass

from tests.web.expected.row import Row, Statuses, everybody

SIGN_IN = 401


@dataclass(frozen=True)
class ApiRow(Row):
    """A row for an operation; what is sent is JSON, or a form with files where IS_FORM says so."""

    is_form: bool = False


def known(status: int, **others: int) -> Statuses:
    """Return STATUS for everybody who has signed in but those that are named, and that visitors shall do so."""
    return everybody(status, **({"visitor": SIGN_IN} | others))
