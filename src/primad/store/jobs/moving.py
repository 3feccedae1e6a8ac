"""How does a job get from one state to the next?

    take        waiting becomes running: a worker begins it
    finish      running becomes done, failed or cancelled
    hand_back   running becomes waiting: a worker was told to stop, which is not the fault of the job
    bury        running becomes waiting, or failed after as many starts as there may be: its worker died
    drop        waiting becomes cancelled
    held        a job as long as its holder has it, as a query

Each is one transaction, in which the queue changes too, and happens only if the job is still in the hands of whoever
wants it: a worker that was taken for dead can change nothing any more.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from primad.store.database import writing
from primad.store.jobs import queue
from primad.store.jobs.texts import told
from primad.store.models import Job

MOST_STARTS = 3
OPEN = ("waiting", "running")


def take(entry: queue.Entry, worker: str) -> Job | None:
    """Return the job of ENTRY, which WORKER has taken from the queue and begins; None if there is nothing to do."""
    with writing():
        now_there = queue.entries().get(str(entry.pk))
        if now_there is None or queue.worker_of(now_there) != worker:
            return None
        job: Job | None = Job.objects.filter(task=str(entry.pk), state="waiting").first()
        if job is None:
            entry.delete()
            return None
        now = datetime.now(UTC)
        begun = {"state": "running", "why": "", "done": 0, "total": 0, "doing": ""}
        _change(job, **begun, holder=worker, starts=job.starts + 1, beat_at=now, started_at=now)
        return job


def finish(job: Job, state: str, why: str, result: dict[str, Any] | None = None, **facts: Any) -> bool:
    """Let JOB be done, failed or cancelled, if its holder has it still, and tell whether that is so."""
    with writing():
        if not held(job).exists():
            return False
        queue.take_away(job)
        facts |= {} if result is None else {"result": result}
        _change(job, state=state, why=told(why), ended_at=datetime.now(UTC), holder="", **facts)
        return True


def hand_back(job: Job, why: str) -> bool:
    """Let JOB wait again as if it had not been begun, if its holder has it still, and tell whether that is so."""
    with writing():
        if not held(job).exists():
            return False
        queue.give_back(job)
        _change(job, state="waiting", why=why, holder="", starts=job.starts - 1, beat_at=None)
        return True


def bury(job: Job) -> None:
    """Let JOB, whose holder died, be begun again, unless it shall not be or was too often."""
    if job.cancel_asked_at is not None:
        finish(job, "cancelled", "cancelled; its worker died meanwhile")
    elif job.starts >= MOST_STARTS:
        finish(
            job,
            "failed",
            f"failed: its worker died {job.starts} times while at work on it, perhaps for want of memory; "
            "it is not begun again",
        )
    else:
        with writing():
            if held(job).exists():
                queue.give_back(job)
                why = f"its worker died; it is begun again (start {job.starts + 1} of {MOST_STARTS})"
                _change(job, state="waiting", why=why, holder="", beat_at=None)


def drop(job: Job, why: str) -> bool:
    """Let JOB be cancelled if it still waits, and tell whether that is so."""
    with writing():
        if not Job.objects.filter(pk=job.pk, state="waiting").exists():
            return False
        queue.take_away(job)
        _change(job, state="cancelled", why=told(why), ended_at=datetime.now(UTC))
        return True


def held(job: Job) -> Any:
    """Return JOB as long as its holder has it, as a query."""
    return Job.objects.filter(pk=job.pk, state="running", holder=job.holder, starts=job.starts)


def _change(job: Job, **values: Any) -> None:
    """Write VALUES into the row of JOB, and nothing else: others change other columns."""
    for name, value in values.items():
        setattr(job, name, value)
    Job.objects.filter(pk=job.pk).update(**values)
