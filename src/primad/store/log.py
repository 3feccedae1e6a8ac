"""Who changed what, and when?

note        write down a change, in the same transaction as the change itself
note_all    write down many changes
details_of  what others hear of a change
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from primad.store.actors import current
from primad.store.models import Event


def note(verb: str, subject: str, **details: Any) -> None:
    """Write down that whoever acts did VERB to SUBJECT."""
    note_all([(verb, subject, details)])


def details_of(event: Event) -> dict[str, Any]:
    """Return the details of EVENT for everybody who may see it: how others call their tokens is for administrators."""
    return {name: value for name, value in event.details.items() if name != "token"}


def note_all(changes: Iterable[tuple[str, str, dict[str, Any]]]) -> None:
    """Write down CHANGES, each a verb, a subject and details; who came by a token did it by that."""
    actor = current()
    by = {"token": actor.token} if actor.token else {}
    Event.objects.bulk_create(
        Event(whom=actor.name, verb=verb, subject=subject[:200], details=details | by)
        for verb, subject, details in changes
    )
