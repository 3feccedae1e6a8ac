"""Which jobs were left alone, and how do they come back into the queue?

reap     let jobs be begun again whose worker died, or that the queue does not know
forget   remove jobs that were over long ago
KEPT     for how long they are kept

Every worker looks around for the first before it takes a job, and while it has none; for the others once an hour.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from primad.store.database import writing
from primad.store.jobs import queue
from primad.store.jobs.moving import OPEN, bury
from primad.store.lease import is_gone
from primad.store.models import Job

KEPT = timedelta(days=30)


def forget() -> None:
    """Remove jobs that were over long ago; what came of them is kept apart, and the log knows who asked."""
    with writing():
        Job.objects.exclude(state__in=OPEN).filter(ended_at__lt=datetime.now(UTC) - KEPT).delete()


def reap() -> None:
    """Let jobs be begun again whose worker died, or that the queue does not know, as after a backup was restored."""
    jobs = list(Job.objects.filter(state__in=OPEN).order_by("pk"))
    entries = queue.entries() if jobs else {}
    for job in jobs:
        if job.state == "running":
            if is_gone(job.holder, job.beat_at):
                bury(job)
        elif not _is_in_good_hands(entries.get(job.task)):
            _put_back(job)


def _is_in_good_hands(entry: queue.Entry | None) -> bool:
    """Tell whether a job that waits can be taken by ENTRY, or was taken by somebody who is alive."""
    if entry is None:
        return False
    return entry.status == queue.READY or not is_gone(queue.worker_of(entry), entry.started_at)


def _put_back(job: Job) -> None:
    """Put JOB, which waits, back into the queue, unless somebody did meanwhile."""
    with writing():
        is_waiting = Job.objects.filter(pk=job.pk, state="waiting", task=job.task).exists()
        if is_waiting and not _is_in_good_hands(queue.entries().get(job.task)):
            queue.give_back(job)
