"""How does a program send something again without doing it twice?

    once       the answer to a question that has an Idempotency-Key: the first time it is found, later it is repeated
    digest     what tells a question with files from others

Whoever lost the connection sends the same question with the same key, and gets the answer that was lost.  The same key
with another question is refused.  What is done and that it was answered are written in one transaction, unless it takes
long: then it must be something that comes to the same when it is done again, as adding runs does, for a server may die
between the two.  Where the process that was to answer has died, the next one who asks takes over.

A question whose answer holds a secret cannot be asked so, for answers are stored.  Whoever has lost a role, or comes
with a token for less, does not hear the answer again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, transaction
from django.http import HttpRequest
from ninja import Status
from ninja.errors import HttpError

from primad.errors import NotAllowed
from primad.store.actors import current
from primad.store.database import writing
from primad.store.lease import holder, is_gone
from primad.web.api.problems import Busy
from primad.web.models import Answered

if TYPE_CHECKING:
    from django.core.files.uploadedfile import UploadedFile

HEADER = "Idempotency-Key"
KEPT = timedelta(days=7)
MOST = 1_000  # answers of one person
_SWEEP = timedelta(hours=1)
_swept: datetime | None = None
_LONGEST = 200
_CONFLICT = 409
_MISFIT = 422
# Whoever answers for longer than this, on whichever machine, has died.
_PATIENCE = timedelta(minutes=10)


def once(
    request: HttpRequest,
    asked: bytes,
    answer: Callable[[], tuple[int, Any]],
    *,
    takes_long: bool = False,
    found: Callable[[datetime], tuple[int, Any] | None] = lambda _since: None,
) -> Status[Any]:
    """Return what ANSWER returns, a status and a body for JSON, found once for each key; ASKED is what was asked.

    What TAKES_LONG is done outside of a transaction, so that others can write meanwhile; so is all that speaks to an
    archive or a track as a whole, which make transactions of their own.  Where whoever was to answer has died, FOUND
    says what they would have answered if they had done it, since a moment, and None if they had not.
    """
    key = request.headers.get(HEADER, "")
    if not key or not current().is_known:
        return Status(*answer())
    if len(key) > _LONGEST or not key.isprintable() or not key.isascii():
        raise HttpError(_MISFIT, f"expected an {HEADER} of at most {_LONGEST} plain characters")
    digest = hashlib.sha256(f"{request.method} {request.path}\0".encode() + asked).hexdigest()
    row, is_mine, since = _claimed(key, digest)
    if not is_mine:
        return Status(*_repeated(row, digest))
    done = found(since) if since else None
    if done:
        _written(row, *done)
        return Status(*done)
    return Status(*_answered(row, answer, takes_long=takes_long))


def digest(fields: Mapping[str, Any], files: Iterable[UploadedFile]) -> bytes:
    """Return what tells a question with these FIELDS and FILES from others."""
    told = hashlib.sha256(json.dumps(fields, sort_keys=True).encode())
    for file in files:
        content = hashlib.sha256()
        for piece in file.chunks():
            content.update(piece)
        file.seek(0)
        told.update(json.dumps([str(file.name), content.hexdigest()]).encode())
    return told.digest()


def _answered(row: Answered, answer: Callable[[], tuple[int, Any]], *, takes_long: bool) -> tuple[int, Any]:
    """Return the answer that is found now, and write it down in ROW."""
    try:
        with nullcontext() if takes_long else writing():
            status, body = answer()
            _written(row, status, body)
    except BaseException:
        Answered.objects.filter(pk=row.pk).delete()  # nothing was done, so it can be tried again
        raise
    return status, body


def _written(row: Answered, status: int, body: Any) -> None:
    """Write down in ROW what was answered."""
    kept = {"said": body, "as": sorted(_rights())}
    Answered.objects.filter(pk=row.pk).update(status=status, body=kept, at=datetime.now(UTC))


def _rights() -> set[str]:
    """Return what whoever acts is, and came to do."""
    actor = current()
    roles = {"/".join(("role", *role)) for role in actor.roles} | {f"scope/{scope}" for scope in actor.scopes}
    return roles | ({"administrator"} if actor.is_administrator else set())


def _claimed(key: str, digest: str) -> tuple[Answered, bool, datetime | None]:
    """Return the row for KEY of whoever acts, whether it is ours to answer, and since when others tried who died."""
    now, whom = datetime.now(UTC), current().name
    _tidy(whom, now)
    mine: dict[str, Any] = {"asked": digest, "at": now, "body": {"holder": holder()}}
    try:
        with transaction.atomic():
            return Answered.objects.create(whom=whom, key=key, **mine), True, None
    except IntegrityError:
        row: Answered | None = Answered.objects.filter(whom=whom, key=key).first()
    if row is None:
        raise Busy(_CONFLICT, "the same question has just failed; ask again in a moment")
    since = datetime.fromisoformat(row.body.get("since") or row.at.isoformat())
    mine["body"]["since"] = since.isoformat()
    is_same = row.asked == digest
    is_mine = is_same and _is_left(row, now) and Answered.objects.filter(pk=row.pk, status=0, at=row.at).update(**mine)
    return row, bool(is_mine), since


def _tidy(whom: str, now: datetime) -> None:
    """Forget what is old, once an hour, and of WHOM what came before the last MOST answers."""
    global _swept  # noqa: PLW0603 - each process sweeps for itself
    if _swept is None or now - _swept > _SWEEP:
        _swept = now
        Answered.objects.filter(at__lt=now - KEPT).delete()
    kept = Answered.objects.filter(whom=whom).exclude(status=0)
    beyond = list(kept.order_by("-at").values_list("pk", flat=True)[MOST - 1 :])
    if beyond:
        Answered.objects.filter(pk__in=beyond).delete()


def _is_left(row: Answered, now: datetime) -> bool:
    """Tell whether nobody will answer the question in ROW any more."""
    return row.status == 0 and (now - row.at > _PATIENCE or is_gone(str(row.body.get("holder", "")), now, now))


def _repeated(row: Answered, digest: str) -> tuple[int, Any]:
    """Return the answer in ROW again, if the question is the same."""
    if row.asked != digest:
        raise HttpError(_CONFLICT, f"this {HEADER} was used for another question; use a new one")
    if not row.status:
        raise Busy(_CONFLICT, "the same question is being answered; ask again in a moment")
    if set(row.body.get("as", ())) - _rights():
        raise NotAllowed("you may do less than when you asked this first, so the answer is not repeated; ask it anew")
    return row.status, row.body["said"]
