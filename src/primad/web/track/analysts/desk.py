"""What has an analyst to do?

desk   the page of an analyst: what is assigned to them and what comes next, their machines and their time
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from primad.reports.track.answers import AnalystFacts, SubmissionRow, TrackFacts
from primad.track.machines import FACTS
from primad.track.next_steps import ENDED, OUT
from primad.web import served
from primad.web.track.reading import can, for_workers, page_of
from primad.web.track.working import Done, Form, work_page


@dataclass(frozen=True)
class Job:
    """A system that an analyst is to run: how far they are (STATE), what comes next (STEP), and the page for it."""

    row: SubmissionRow
    state: str
    step: str
    link: str
    is_done: bool = False

    @property
    def kind(self) -> str:
        """Return how the state looks: what nobody runs any more looks as it does elsewhere."""
        return "bad" if self.state in OUT else "good" if self.is_done else "plain"


@require_http_methods(["GET", "POST"])
@for_workers
def desk(request: HttpRequest, track: str, analyst: str) -> HttpResponse:
    """Show what an analyst has to do, and take down their machines."""
    form = Form(request, served.track(track), {"analyst": analyst})
    return work_page(form, "track/analyst.html", {"machine": _machine}, lambda: _shown(form))


def _shown(form: Form) -> Mapping[str, Any]:
    """Return what the page of an analyst says."""
    who = form.track.analyst_facts(form.names["analyst"])
    facts = form.track.facts()
    return {
        "track": facts,
        "who": who,
        "jobs": jobs_of(facts, who),
        "steps": [one for one in facts.next if one.who == f"analyst {who.slug}"],
        "page_of": page_of,
        "machine_facts": FACTS,
        "can": can(form.track, ("machine",), analyst=who.slug),
    }


def jobs_of(facts: TrackFacts, who: AnalystFacts) -> list[Job]:
    """Return what is assigned to WHO in the track of FACTS, each with what comes next."""
    rows = {one.address: one for one in facts.submissions}
    return [_job(facts, who, rows[address]) for address in who.assigned if address in rows]


def _job(facts: TrackFacts, who: AnalystFacts, row: SubmissionRow) -> Job:
    """Return how far WHO is with the submission of ROW."""
    names = {"track": facts.slug, "analyst": who.slug}
    team, _, name = row.address.partition("/")
    system = reverse("track-assigned", kwargs=names | {"team": team, "name": name})
    sheet = reverse("track-sheet", kwargs=names | {"team": team, "name": name})
    mine = [one for one in who.attempts if one.submission == row.address]
    open_one = next((one for one in mine if one.state not in ENDED), None)
    locked = any(one.locked_at for one in who.sheets if one.submission == row.address)
    if open_one:
        link = reverse("track-attempt", kwargs=names | {"number": open_one.number})
        return Job(row, f"attempt {open_one.number} is {open_one.state}", f"Go on with attempt {open_one.number}", link)
    if row.state in OUT:
        return Job(row, row.state, "Look at it", system, is_done=True)
    if locked:
        return Job(row, "sheet locked", "Read the sheet", sheet, is_done=True)
    if mine:
        return Job(row, f"attempt {mine[-1].number} {mine[-1].state}", "Fill in and lock the sheet", sheet)
    return Job(row, "not begun", "See what it needs, and start", system)


def _machine(form: Form) -> Done:
    """Take down a machine of an analyst."""
    slug = form.text("slug")
    facts = {name: form.text(name) for name in FACTS if form.text(name)}
    form.track.set_machine(form.names["analyst"], slug, facts=facts, record={})
    return Done(f"The machine {slug} is written down.")
