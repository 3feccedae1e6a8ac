"""Where is something kept that was computed, so that others can look at it?

    keep          keep files and facts under an address that nobody can guess
    found         the result with an address
    remove        take it out of sight, and bring_back again
    refuse_more   refuse whoever has kept enough for a day
    FRAGMENT      the file that is a result as part of a page

What is kept does not change: a link that somebody was given shows the same in a year.  Whoever knows an address sees
the result, so the log has only its beginning.  Pages trust a fragment as they trust their own templates: it is handed
over apart from the files, and no file can stand in for it.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from primad.errors import NotAllowed, PairingError, UsageError
from primad.store.actors import current, refuse_scope
from primad.store.database import writing
from primad.store.folder import DataFolder
from primad.store.log import note
from primad.store.models import Result, ResultFile

FRAGMENT = "fragment.html"
SCOPE = "archive"
DAILY = 200  # results of one person
_TITLE = 200
_TOLD = 8  # digits of an address that the log has


def keep(
    folder: DataFolder, kind: str, title: str, files: Mapping[str, bytes], fragment: str = "", **facts: Any
) -> Result:
    """Return a result of a KIND, kept in FOLDER with its FILES and FACTS.

    FRAGMENT is the same as a part of a page: a template of ours made it, which escapes what came from outside.
    """
    actor = current()
    _refuse_keeping(files)
    refuse_more()
    whole = {**files, FRAGMENT: fragment.encode()} if fragment else files
    stored = {path: (folder.blobs.put(data), len(data)) for path, data in whole.items()}
    folder.blobs.flush({digest for digest, _ in stored.values()})
    with writing():
        result: Result = Result.objects.create(
            key=secrets.token_hex(16),
            kind=kind,
            title=" ".join(title.split())[:_TITLE],
            owner=actor.name,
            user=actor.user,
            facts=facts,
            made_at=datetime.now(UTC),
        )
        ResultFile.objects.bulk_create(
            ResultFile(result=result, path=path, digest=digest, size=size) for path, (digest, size) in stored.items()
        )
        note("kept", _subject(result), kind=kind, title=result.title)
    return result


def _refuse_keeping(files: Mapping[str, bytes]) -> None:
    """Refuse whoever acts if they may keep nothing, and FILES of which one would pass for a part of our pages."""
    if not current().is_known:
        raise NotAllowed("only users keep results; sign in first")
    refuse_scope(SCOPE)
    if FRAGMENT in files:
        raise UsageError(f"expected files of a report, found {FRAGMENT}, which is a part of a page")


def refuse_more() -> None:
    """Refuse whoever acts if they have kept as much within a day as one person may; administrators may any number."""
    actor = current()
    if actor.is_over_all:
        return
    since = datetime.now(UTC) - timedelta(days=1)
    if Result.objects.filter(user=actor.user, made_at__gt=since).count() >= DAILY:
        raise NotAllowed(
            f"you have kept {DAILY} results within a day, which is as many as this site takes from one person; go on "
            "tomorrow, or ask an administrator"
        )


def _subject(result: Result) -> str:
    """Return what the log calls RESULT."""
    return f"result {result.key[:_TOLD]}"


def found(key: str) -> Result:
    """Return the result with this KEY, unless it was removed."""
    result: Result | None = Result.objects.filter(key=key, removed_at=None).first()
    if result is None:
        raise PairingError("there is no result at this address; was it removed, or the address cut?")
    return result


def remove(key: str) -> None:
    """Take the result with this KEY out of sight; its files stay."""
    _set_removed(found(key), datetime.now(UTC), "removed")


def bring_back(key: str) -> None:
    """Bring the result with this KEY back into sight."""
    result: Result | None = Result.objects.filter(key=key).first()
    if result is None:
        raise PairingError("there is no result at this address")
    _set_removed(result, None, "brought back")


def _set_removed(result: Result, when: datetime | None, verb: str) -> None:
    """Write down when RESULT was removed, if whoever acts may do that."""
    actor = current()
    refuse_scope(SCOPE)
    if not (actor.is_over_all or (actor.user is not None and actor.user == result.user)):
        raise NotAllowed("only whoever made a result, or an administrator, removes it")
    with writing():
        Result.objects.filter(pk=result.pk).update(removed_at=when)
        note(verb, _subject(result))
