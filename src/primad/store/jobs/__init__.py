"""Long work: asked for by somebody, done by a worker, and seen by whoever asked.

    ask         ask for work of a kind
    again       ask once more for what came to nothing
    facts       how a job stands, and why
    mine        the jobs of whoever acts
    cancel      ask that a job is not done, or no further
    JobFacts    what there is to say about a job

    job         register a function as a kind of work
    Work        what that function is handed: it says how far it is, and learns that it shall stop
    Cancelled   what is raised in it then

Jobs wait in the queue of django-tasks-db until a worker (``primad worker``) takes them.  A worker holds a lease on the
job that it does and says every second that it is alive; the job of one that died is begun again by another.
"""

from primad.store.jobs.asking import again, ask, cancel
from primad.store.jobs.kinds import job
from primad.store.jobs.reading import JobFacts, facts, mine
from primad.store.jobs.work import Cancelled, Work

__all__ = ["Cancelled", "JobFacts", "Work", "again", "ask", "cancel", "facts", "job", "mine"]
