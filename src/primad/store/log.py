"""Who changed what, and when?

note        write down a change, in the same transaction as the change itself
who_works   the person at the keyboard
"""

from __future__ import annotations

import getpass
from typing import Any

from primad.store.models import Event


def note(verb: str, subject: str, **details: Any) -> None:
    """Write down that somebody did VERB to SUBJECT."""
    Event.objects.create(whom=who_works(), verb=verb, subject=subject[:200], details=details)


def who_works() -> str:
    """Return the name that the system has for the person at the keyboard."""
    try:
        return getpass.getuser()[:200]
    except (KeyError, OSError):  # a number without a name
        return "unknown"
