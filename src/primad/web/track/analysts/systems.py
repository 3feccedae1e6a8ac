"""What does a system need, and how is it begun?

system   a system that is assigned to an analyst: prerequisites, instructions, contact, bundle, secret; and the start
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from primad.errors import PairingError
from primad.track.track import Track
from primad.web import served
from primad.web.pages import page
from primad.web.track.reading import can, for_workers
from primad.web.track.working import Done, Form, nothing_typed, work_page

_TEMPLATE = "track/analyst_system.html"


@require_http_methods(["GET", "POST"])
@never_cache
@for_workers
def system(request: HttpRequest, track: str, analyst: str, team: str, name: str) -> HttpResponse:
    """Show a system that is assigned to an analyst, and let them start an attempt at it."""
    form = Form(request, served.track(track), {"analyst": analyst, "address": f"{team}/{name}"})
    return work_page(form, _TEMPLATE, {"start": _start, "secret": _secret}, lambda: _shown(form))


def _shown(form: Form) -> Mapping[str, Any]:
    """Return what the page of a system says."""
    who, address = form.track.analyst_facts(form.names["analyst"]), form.names["address"]
    if address not in who.assigned:
        raise PairingError(f"{address} is not assigned to {who.slug}; was it withdrawn?")
    facts = form.track.submission_facts(address)
    machine = _machine(form.track, who.slug, address)
    return {
        "track": form.track.row,
        "who": who,
        "submission": facts,
        "system": facts.systems[-1] if facts.systems else None,
        "contact": form.track.team_facts(facts.row.team).contact,
        "task": form.track.task_facts(facts.row.task),
        "machine": machine,
        "usual": who.machines[0].slug if len(who.machines) == 1 and not machine else "",
        "attempts": [one for one in facts.attempts if one.analyst == who.slug],
        "can": can(form.track, ("attempt", "machine"), analyst=who.slug),
        "secret": None,
    }


def _machine(track: Track, analyst: str, address: str) -> str:
    """Return the machine on which ANALYST is to run the submission with this ADDRESS, empty where none is named."""
    assigned = {(one.analyst, one.submission): one.machine for one in track.facts().assignments}
    return assigned.get((analyst, address), "")


def _start(form: Form) -> Done:
    """Start an attempt; the analyst's time begins."""
    begun = form.track.start(
        form.names["analyst"],
        form.names["address"],
        configuration=form.text("configuration"),
        data_set=form.text("data_set"),
        machine=form.text("machine"),
    )
    names = {"track": form.track.row.slug, "analyst": form.names["analyst"], "number": begun.number}
    return Done(
        f"Attempt {begun.number} is begun, and your time runs. Pause it whenever you stop.",
        address=reverse("track-attempt", kwargs=names),
    )


def _secret(form: Form) -> HttpResponse:
    """Show what is needed to reach a remote system, once; that somebody looked is in the log."""
    secret = form.track.secret_of(form.names["address"])
    return page(form.request, _TEMPLATE, **(nothing_typed() | dict(_shown(form)) | {"secret": secret}))
