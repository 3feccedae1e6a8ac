"""How does a job stand, and why?

    JobFacts    what there is to say about a job, as plain values
    facts       of the job with a key
    mine        of all jobs of whoever acts, the latest first
    visible     the job with a key itself, if whoever acts may see it
    told_of     what there is to say about a job

A job is seen by whoever asked for it, by administrators and by the keeper of the data folder.  Why it stands as it
does is always said in a sentence, and found out when somebody asks: a worker that died cannot say that it did.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from primad.errors import PairingError
from primad.store.actors import Actor, current
from primad.store.jobs import queue
from primad.store.jobs.moving import MOST_STARTS, OPEN
from primad.store.lease import host_of, is_gone
from primad.store.models import Job

_MOST = 100
_NOBODY = "no worker is running; whoever runs this site has to start one"


@dataclass(frozen=True, kw_only=True)
class JobFacts:
    """A job of a KIND called TITLE, which OWNER asked for: its STATE, and WHY in a sentence.

    STATE is "waiting", "running", "done", "failed" or "cancelled".  PLACE counts the jobs that wait before it.  DONE of
    TOTAL says how far it is (0 where nobody knows), DOING what is done now; RESULT is what came of it.
    """

    key: str
    kind: str
    title: str
    owner: str
    state: str
    why: str
    place: int
    done: int
    total: int
    doing: str
    result: dict[str, Any]
    starts: int
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None


def facts(key: str) -> JobFacts:
    """Return how the job with this KEY stands, for those who may see it."""
    return told_of(visible(key))


def mine() -> tuple[JobFacts, ...]:
    """Return the jobs of whoever acts, the latest first, a hundred at most."""
    actor = current()
    if not actor.is_known:
        return ()
    rows = list(Job.objects.filter(user=actor.user).order_by("-created_at", "-pk")[:_MOST])
    around = _Around.now() if any(job.state in OPEN for job in rows) else None
    return tuple(_told(job, around) for job in rows)


def visible(key: str) -> Job:
    """Return the job with this KEY, if whoever acts may see it."""
    job: Job | None = Job.objects.filter(key=key).first()
    if job is None or not _sees(current(), job):
        raise PairingError("there is no job at this address that you may see; was the address cut?")
    return job


def _sees(actor: Actor, job: Job) -> bool:
    """Tell whether ACTOR may see JOB."""
    return actor.is_over_all or (actor.user is not None and actor.user == job.user)


def told_of(job: Job) -> JobFacts:
    """Return how JOB stands."""
    return _told(job, _Around.now() if job.state in OPEN else None)


@dataclass(frozen=True)
class _Around:
    """What there is around a job: the jobs that WAIT, by their keys in order, those RUNNING, and the WORKERS."""

    moment: datetime
    waiting: tuple[str, ...]
    running: int
    workers: int

    @classmethod
    def now(cls) -> _Around:
        """Return what there is at this moment."""
        now = datetime.now(UTC)
        waiting = Job.objects.filter(state="waiting").order_by("created_at", "pk").values_list("key", flat=True)
        running = Job.objects.filter(state="running").count()
        return cls(now, tuple(waiting), running, len(queue.workers(now)))


def _told(job: Job, around: _Around | None) -> JobFacts:
    """Return how JOB stands among what is AROUND, which is None for a job that is over."""
    place = around.waiting.index(job.key) if around and job.key in around.waiting else 0
    return JobFacts(
        key=job.key,
        kind=job.kind,
        title=job.title,
        owner=job.owner,
        state=job.state,
        why=_why(job, around, place),
        place=place,
        done=job.done,
        total=job.total,
        doing=job.doing,
        result=dict(job.result) if job.state == "done" else {},
        starts=job.starts,
        created_at=job.created_at,
        started_at=job.started_at,
        ended_at=job.ended_at,
    )


def _why(job: Job, around: _Around | None, place: int) -> str:
    """Return why JOB stands as it does, in a sentence."""
    if around is None:
        return job.why or job.state
    if job.state == "waiting":
        return "; ".join(filter(None, (job.why, _why_waiting(around, place))))
    return _why_running(job, around)


def _why_waiting(around: _Around, place: int) -> str:
    """Return why a job waits before which so many others wait as PLACE says."""
    if not around.workers:
        return _NOBODY
    before = place + around.running
    if not before:
        return "a worker takes it in a moment"
    return f"waits behind {before:,} other job{'s' * (before != 1)}"


def _why_running(job: Job, around: _Around) -> str:
    """Return who is at work on JOB, and whether anybody has seen them."""
    if is_gone(job.holder, job.beat_at, around.moment):
        more = "as soon as a worker is free" if around.workers else f"once there is another; {_NOBODY}"
        again = f"it is begun again (start {job.starts + 1} of {MOST_STARTS})"
        return f"its worker died; {again if job.starts < MOST_STARTS else 'it is given up'} {more}"
    seconds = max(0, round((around.moment - job.beat_at).total_seconds())) if job.beat_at else 0
    again = f" (start {job.starts} of {MOST_STARTS})" if job.starts > 1 else ""
    said = f"a worker on {host_of(job.holder)} is at work on it{again}, last seen {seconds} s ago"
    return f"{said}; it was asked to stop, and does at its next step" if job.cancel_asked_at else said
