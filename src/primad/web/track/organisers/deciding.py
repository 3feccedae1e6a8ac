"""Which submissions are run again?

deciding   whether each submission is eligible, and why
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from primad.errors import UsageError
from primad.metadata.showing import harmless
from primad.web.track.organisers.office import form_of, office
from primad.web.track.working import Done, Form

_ANSWERS: Mapping[str, bool | None] = {"yes": True, "no": False, "undecided": None}


@require_http_methods(["GET", "POST"])
def deciding(request: HttpRequest, track: str) -> HttpResponse:
    """Show all submissions, and decide which are eligible."""
    form = form_of(request, track)
    return office(form, "track/organise_eligible.html", {"decide": _decide}, lambda: _shown(form), "track-eligible")


def _shown(form: Form) -> Mapping[str, Any]:
    """Return what the page on eligibility says."""
    return {"rows": form.track.facts().submissions}


def _decide(form: Form) -> Done:
    """Decide whether a submission is eligible."""
    address, said = form.text("address"), form.text("eligible")
    if said not in _ANSWERS:
        raise UsageError(f"expected {' or '.join(_ANSWERS)} for eligible, found '{harmless(said[:40])}'")
    before = form.track.submission_facts(address)
    form.track.decide(address, eligible=_ANSWERS[said], reason=form.text("reason"))
    undo = {
        "do": "decide",
        "address": address,
        "eligible": next(word for word, answer in _ANSWERS.items() if answer is before.eligible),
        "reason": before.reason or "as it was before",
    }
    words = {True: "is eligible", False: "is not eligible", None: "is undecided again"}
    return Done(f"{address} {words[_ANSWERS[said]]}.", undo)
