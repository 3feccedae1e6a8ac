"""Pages on long work: how far it is, why it waits, and what came of it.

mine     the jobs and the kept results of whoever is signed in
job      one job; the page follows it, and goes on to the result when that is there
Scoring  what came of an evaluation
cancel   ask that it is not done, or no further
again    ask for the same once more, if it came to nothing
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from primad.errors import NotAllowed
from primad.store import jobs
from primad.store.actors import current
from primad.store.jobs import JobFacts
from primad.store.jobs.reading import visible
from primad.web.archive.cards import page_text
from primad.web.pages import done, page
from primad.web.tools import kept
from primad.web.tools.results import KINDS

ENDED = ("done", "failed", "cancelled")
_MOST_SHOWN = 50
_MARKS = {"done": "good", "failed": "bad"}


@require_GET
def mine(request: HttpRequest) -> HttpResponse:
    """Show the jobs and the kept results of whoever is signed in."""
    if not current().is_known:
        raise NotAllowed("sign in first: jobs belong to whoever asked for them")
    return page(request, "tools/jobs.html", jobs=jobs.mine(), results=kept.mine(), kinds=KINDS, marks=_MARKS)


@require_GET
def job(request: HttpRequest, key: str) -> HttpResponse:
    """Show how far the job with this KEY is."""
    facts = jobs.facts(key)
    goal = _goal(facts)
    response = page(
        request,
        "tools/job.html",
        job=facts,
        goal=goal,
        scoring=_scoring(key) if facts.kind == "archive.evaluate" else None,
        is_ended=facts.state in ENDED,
        newer=visible(key).arguments.get("again", "") if facts.state in ("failed", "cancelled") else "",
        percent=100 * facts.done // facts.total if facts.total else 0,
        mark=_MARKS.get(facts.state, "plain"),
    )
    if goal and getattr(request, "htmx", False):
        response["HX-Redirect"] = goal  # whoever waited sees the result without asking
    return response


@dataclass(frozen=True)
class Scoring:
    """An evaluation: the QUERY that finds its runs, and what came of it, nothing before it is done.

    UNSCORED are some of the runs without a score, each with its address, its tag and the reason.
    """

    query: str
    came: Mapping[str, Any]
    unscored: tuple[Mapping[str, str], ...] = ()

    @property
    def more(self) -> int:
        """Return how many runs without a score are left out."""
        return int(self.came.get("without", 0)) - len(self.unscored)


def _scoring(key: str) -> Scoring | None:
    """Return what the evaluation with this KEY was asked for, and what came of it; None where another took it over."""
    found = visible(key)
    if "again" in found.arguments:
        return None
    came = found.result if found.state == "done" and "computed" in found.result else {}
    shown = [one | {"reason": page_text(one["reason"])} for one in came.get("unscored", ())[:_MOST_SHOWN]]
    return Scoring(found.arguments["given"].get("query", ""), came, tuple(shown))


def _goal(facts: JobFacts) -> str:
    """Return the address of what came of a job, empty if nothing has yet."""
    key = facts.result.get("result") if facts.state == "done" else None
    return reverse("result", args=[key]) if key else ""


@require_POST
def cancel(request: HttpRequest, key: str) -> HttpResponse:
    """Ask that the job with this KEY is not done, or no further."""
    jobs.cancel(key)
    return done(request, "The job is asked to stop.", reverse("job", args=[key]))


@require_POST
def again(request: HttpRequest, key: str) -> HttpResponse:
    """Ask once more for what the job with this KEY was to do."""
    asked = jobs.again(key)
    return done(request, "The same is asked for once more.", reverse("job", args=[asked.key]))
