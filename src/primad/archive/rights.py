"""Who may do what in an archive?

    RIGHTS           each verb with what it is in words, and who may do it
    may              whether whoever acts may do a verb
    require          refuse whoever acts if they may not, and say who may
    owner_of         who added a run
    refuse_removed   refuse to show a run that was removed, but to those who may bring it back
    Removed          the error that says so

Everybody may read.  A "user" is anybody who has signed in, the "owner" of a run whoever added it first; administrators
may do all of it, and so may the keeper of the data folder.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from primad.errors import NotAllowed, PairingError
from primad.store.actors import current, refuse_scope

if TYPE_CHECKING:
    from primad.archive.models import Run

SCOPE = "archive"


class Right(NamedTuple):
    """WHAT somebody does and WHO may, besides administrators; CHANGES says that it takes a token made for that."""

    what: str
    who: str
    changes: bool = True


RIGHTS: Mapping[str, Right] = {
    "add": Right("add runs", "user"),
    "evaluate": Right("have runs scored", "user"),
    "assess": Right("assess how well runs were reproduced", "user", changes=False),
    "qra": Right("measure the precision of runs", "user", changes=False),
    "replace": Right("add a new version of a run", "owner"),
    "remove": Right("remove a run", "owner"),
    "bring-back": Right("bring back a run that was removed", "owner"),
    "collection": Right("describe a collection", ""),
    "verify": Right("verify the archive", ""),
    "backup": Right("back the archive up", ""),
    "export": Right("export runs to a folder of the server", ""),
}
_WORDS = {"user": "users", "owner": "whoever added the run, and administrators,", "": "administrators"}


def may(verb: str, run: Run | None = None) -> bool:
    """Tell whether whoever acts may do VERB, to RUN if it is about one."""
    actor = current()
    right = RIGHTS[verb]
    if actor.is_keeper:
        return True
    if right.changes and SCOPE not in actor.scopes:
        return False
    is_named = actor.is_known and right.who == "user"
    return actor.is_administrator or is_named or (right.who == "owner" and _owns(run))


def _owns(run: Run | None) -> bool:
    """Tell whether whoever acts added RUN."""
    actor = current()
    return run is not None and actor.is_known and owner_of(run) == actor.name


def owner_of(run: Run) -> str:
    """Return who added RUN first, as the log has it; nobody where it does not say."""
    from primad.store.models import Event

    first = Event.objects.filter(verb="added", subject=run.address).order_by("id").first()
    return first.whom if first else ""


class Removed(PairingError):
    """A run that was removed, and is out of sight of whoever acts."""


def refuse_removed(run: Run) -> None:
    """Refuse RUN to whoever acts, if it was removed and they may not bring it back."""
    if run.removed_at is not None and not may("bring-back", run):
        raise Removed(f"the run {run.address[:12]} was removed; whoever added it can bring it back")


def require(verb: str, run: Run | None = None) -> None:
    """Refuse whoever acts unless they may do VERB, to RUN if it is about one."""
    if may(verb, run):
        return
    right = RIGHTS[verb]
    if right.changes:
        refuse_scope(SCOPE)
    first = "" if current().is_known else "sign in first: "
    raise NotAllowed(f"{first}only {_WORDS[right.who]} may {right.what}; ask an administrator")
