"""Who changed what, and when?

note        write down a change, in the same transaction as the change itself
note_all    write down many changes
who_works   the person at the keyboard
"""

from __future__ import annotations

import getpass
from collections.abc import Iterable
from typing import Any

from primad.store.models import Event


def note(verb: str, subject: str, **details: Any) -> None:
    """Write down that somebody did VERB to SUBJECT."""
    note_all([(verb, subject, details)])


def note_all(changes: Iterable[tuple[str, str, dict[str, Any]]]) -> None:
    """Write down CHANGES, each a verb, a subject and details."""
    whom = who_works()
    Event.objects.bulk_create(
        Event(whom=whom, verb=verb, subject=subject[:200], details=details) for verb, subject, details in changes
    )


def who_works() -> str:
    """Return the name that the system has for the person at the keyboard."""
    try:
        return getpass.getuser().encode("utf-8", "backslashreplace").decode()[:200]
    except (ImportError, KeyError, OSError):  # a number without a name
        return "unknown"
