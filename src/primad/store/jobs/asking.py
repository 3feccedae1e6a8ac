"""How is long work asked for, and called off?

ask       put a job into the queue, in one transaction with what is known of it
again     ask once more for a job that came to nothing
cancel    call a job off: at once while it waits, at its next step while somebody is at work on it
"""

from __future__ import annotations

import json
import secrets
from datetime import UTC, datetime
from typing import Any

from primad.errors import NotAllowed, UsageError
from primad.store.actors import current, refuse_scope
from primad.store.database import writing
from primad.store.jobs import queue
from primad.store.jobs.kinds import refuse_asker, refuse_misfit
from primad.store.jobs.moving import OPEN, drop, finish
from primad.store.jobs.reading import JobFacts, facts, told_of, visible
from primad.store.jobs.texts import one_line
from primad.store.lease import is_gone
from primad.store.log import note
from primad.store.models import Job
from primad.store.results import SCOPE  # all long work is about the archive, and what comes of it is kept

# What one person may have in the queue, so that it stays everybody's.
MOST_OPEN = 20
MOST_BYTES = 16_000_000


def ask(kind: str, title: str, **arguments: Any) -> JobFacts:
    """Ask for work of a KIND with ARGUMENTS that JSON can hold, shown to people under a TITLE."""
    actor = current()
    if not actor.is_known:
        raise NotAllowed("only users ask for long work; sign in first")
    refuse_scope(SCOPE)
    refuse_misfit(kind, arguments)
    refuse_asker(kind)
    with writing():
        if not actor.is_keeper and Job.objects.filter(user=actor.user, state__in=OPEN).count() >= MOST_OPEN:
            raise UsageError(f"you have {MOST_OPEN} jobs that are not done yet; wait until one is, or cancel one")
        job = Job.objects.create(
            key=secrets.token_hex(16),
            kind=kind,
            title=one_line(title) or kind,
            # What they came to do, and by which token, counts for what is done for them.
            arguments={"given": _plain(arguments), "scopes": sorted(actor.scopes), "token": actor.token},
            owner=actor.name,
            user=actor.user,
            created_at=datetime.now(UTC),
        )
        queue.put(job)
        note("asked for", f"job {job.key}", kind=kind, title=job.title)
    return told_of(job)


def again(key: str) -> JobFacts:
    """Ask once more for the job with this KEY, which failed or was cancelled, and return the new one.

    The new one takes over what the former was given: who tries again and again has it stored once.
    """
    with writing():
        former = visible(key)
        if former.state in (*OPEN, "done"):
            raise UsageError(f"the job is {former.state}; it can be asked for again if it fails or is cancelled")
        if "again" in former.arguments:
            raise UsageError(
                "the job was asked for again already; find the new one among your jobs, and try that again"
            )
        asked = ask(former.kind, former.title, **former.arguments["given"])
        if former.user == current().user:  # an administrator takes nothing away
            left = former.arguments | {"given": {}, "again": asked.key}
            Job.objects.filter(pk=former.pk).update(arguments=left)
    return asked


def cancel(key: str) -> JobFacts:
    """Call off the job with this KEY and return how it stands; one that is over stays as it is."""
    job = visible(key)
    refuse_scope(SCOPE)
    why = f"cancelled by {current().name}"
    with writing():
        if job.state in OPEN:
            note("cancelled", f"job {key}", title=job.title)
        if not drop(job, why):
            Job.objects.filter(pk=job.pk, state="running", cancel_asked_at=None).update(
                cancel_asked_at=datetime.now(UTC), why=why
            )
    job.refresh_from_db()
    if job.state == "running" and is_gone(job.holder, job.beat_at):
        finish(job, "cancelled", why)
    return facts(key)


def _plain(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return ARGUMENTS as any database can store them."""
    try:
        text = json.dumps(arguments, ensure_ascii=False, allow_nan=False)
        size = len(text.encode())
    except (TypeError, ValueError, RecursionError):
        raise UsageError("expected texts, numbers and lists to work on, found something else") from None
    if "\\u0000" in text:
        raise UsageError("expected text to work on, found a character NUL in it")
    if size > MOST_BYTES:
        raise UsageError(f"expected at most {MOST_BYTES // 1_000_000} MB to work on, found {size / 1e6:,.1f} MB")
    plain: dict[str, Any] = json.loads(text)
    return plain
