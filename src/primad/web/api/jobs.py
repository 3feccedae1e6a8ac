"""How far is long work?

GET    /jobs                      the jobs of whoever asks
GET    /jobs/KEY                  one: its state, why, how far it is, and what came of it
POST   /jobs/KEY/cancellation     ask that it is not done, or no further
"""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest
from ninja import Path, Router

from primad.errors import NotAllowed
from primad.store import jobs
from primad.store.actors import current
from primad.store.jobs import JobFacts
from primad.web.api.fields import Key
from primad.web.api.paging import Limit, Offset, Page, part

router = Router()
JobKey = Annotated[Key, Path(description="The key of a job.")]


@router.get("", response=Page[JobFacts], summary="List your jobs.")
def list_jobs(request: HttpRequest, limit: Limit = 50, offset: Offset = 0) -> Page[JobFacts]:
    """Return the jobs of whoever asks, the latest first."""
    del request
    if not current().is_known:
        raise NotAllowed("sign in first: jobs belong to whoever asked for them")
    return part(jobs.mine(), limit, offset)


@router.get("/{key}", response=JobFacts, summary="Say how far a job is.")
def job(request: HttpRequest, key: JobKey) -> JobFacts:
    """Return the state of a job, why it is in it, and what came of it; for whoever asked for it."""
    del request
    return jobs.facts(key)


@router.post("/{key}/cancellation", response=JobFacts, summary="Ask that a job is not done, or no further.")
def cancel(request: HttpRequest, key: JobKey) -> JobFacts:
    """Call a job off: at once while it waits, at its next step while a worker is at it."""
    del request
    return jobs.cancel(key)
