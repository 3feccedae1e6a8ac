"""Which password can somebody have?

give_password   one that is not too easy, not stored yet
"""

from __future__ import annotations

from primad.accounts.models import User
from primad.errors import DataError


def give_password(user: User, password: str) -> None:
    """Give USER a PASSWORD, or say all that is wrong with it; whoever calls stores the user."""
    from django.contrib.auth.password_validation import validate_password
    from django.core.exceptions import ValidationError

    try:
        validate_password(password, user)
    except ValidationError as error:
        raise DataError(" ".join(error.messages)) from None
    user.set_password(password)
