"""Where do jobs wait?  In the queue of django-tasks-db, which holds only what is still to be done.

    Entry        a job in the queue
    put          put a job into the queue
    give_back    let another worker take a job
    take_away    take a job out of the queue
    waiting      what can be taken now
    entries      everything in the queue, by its number
    worker_of    who has taken an entry
    here_i_am    write down that a worker is there and has nothing to do, and gone that it is no more
    workers      the workers that are there

All that changes it stands in one transaction with the change to the job.  A worker that is idle is an entry of another
queue, which nobody takes anything from.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from typing import Any
from uuid import NAMESPACE_OID, UUID, uuid5

from django_tasks import DEFAULT_TASK_QUEUE_NAME, task
from django_tasks_db.models import DBTaskResult

from primad.errors import UsageError
from primad.store.lease import is_gone
from primad.store.models import Job

Entry = DBTaskResult[..., Any]

PRESENCE = "presence"
READY, RUNNING = "READY", "RUNNING"


@task()
def work_off(key: str) -> None:
    """Stand in the queue for the job KEY; who does it needs a lease, which other workers do not know of."""
    raise UsageError(f"the job {key} is done by: primad worker")


def put(job: Job) -> None:
    """Put JOB, a row of its own transaction, at the end of the queue."""
    job.task = str(work_off.enqueue(job.key).id)
    Job.objects.filter(pk=job.pk).update(task=job.task)


def give_back(job: Job) -> None:
    """Let another worker take JOB, at the place in the queue that it had."""
    if not _entry(job.task).update(status=READY, started_at=None):
        put(job)


def take_away(job: Job) -> None:
    """Take JOB out of the queue."""
    _entry(job.task).delete()


def waiting() -> Any:
    """Return what can be taken now, the first in the queue first."""
    return DBTaskResult.objects.ready().filter(queue_name=DEFAULT_TASK_QUEUE_NAME)


def entries() -> dict[str, Entry]:
    """Return everything in the queue by its number."""
    return {str(one.pk): one for one in DBTaskResult.objects.filter(queue_name=DEFAULT_TASK_QUEUE_NAME)}


def worker_of(entry: Entry) -> str:
    """Return who has taken ENTRY, empty if nobody has."""
    return str(entry.worker_ids[-1]) if entry.status == RUNNING and entry.worker_ids else ""


def _entry(number: str) -> Any:
    """Return the entry with this NUMBER, as a query."""
    with suppress(ValueError):
        return DBTaskResult.objects.filter(pk=UUID(number))
    return DBTaskResult.objects.none()


# Workers ---------------------------------------------------------------------------------------------------------


def here_i_am(worker: str) -> None:
    """Write down that WORKER is there, and forget those that died."""
    now = datetime.now(UTC)
    facts = {
        "status": RUNNING,
        "queue_name": PRESENCE,
        "backend_name": "default",
        "task_path": work_off.module_path,
        "args_kwargs": {"args": [], "kwargs": {}},
        "worker_ids": [worker],
        "started_at": now,
        "run_after": now,
    }
    DBTaskResult.objects.update_or_create(pk=_number_of(worker), defaults=facts)
    for one in DBTaskResult.objects.filter(queue_name=PRESENCE):
        if is_gone(worker_of(one), one.started_at, now):
            one.delete()


def gone(worker: str) -> None:
    """Write down that WORKER is no more."""
    DBTaskResult.objects.filter(pk=_number_of(worker)).delete()


def workers(now: datetime | None = None) -> set[str]:
    """Return the workers that are there, at work or idle."""
    idle = DBTaskResult.objects.filter(queue_name=PRESENCE)
    busy = Job.objects.filter(state="running").values_list("holder", "beat_at")
    seen = [*((worker_of(one), one.started_at) for one in idle), *busy]
    return {worker for worker, at in seen if not is_gone(worker, at, now)}


def _number_of(worker: str) -> UUID:
    """Return the number of the entry that says that WORKER is there."""
    return uuid5(NAMESPACE_OID, worker)
