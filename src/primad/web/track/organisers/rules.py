"""By which rules and dates does the track go?

rules   title, about, source, dates, budget and blindness
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from primad.track.models import Track as Row
from primad.track.phases import PHASES
from primad.web.track.organisers.office import form_of, office
from primad.web.track.working import Done, Form

_LIMITS = ("opens", "closes")


@require_http_methods(["GET", "POST"])
def rules(request: HttpRequest, track: str) -> HttpResponse:
    """Show the rules and dates of a track, and change them."""
    form = form_of(request, track)
    return office(form, "track/organise_rules.html", {"change": _change}, lambda: _shown(form.track.row), "track-rules")


def _shown(row: Row) -> Mapping[str, Any]:
    """Return what the page on rules says."""
    return {"phases": PHASES, "fields": _fields(row)}


def _fields(row: Row) -> dict[str, str]:
    """Return the fields of the form, as they are for the track of ROW."""
    dates = {
        f"{limit}-{phase}": str((row.dates.get(phase) or {}).get(limit, "")) for phase in PHASES for limit in _LIMITS
    }
    facts = {"title": row.title, "about": row.about, "source": row.source, "budget": str(row.budget)}
    return {"do": "change", **facts, **dates, **({"blind": "1"} if row.blind else {})}


def _change(form: Form) -> Done:
    """Change rules and dates."""
    before = _fields(form.track.row)
    stated = {phase: {limit: form.text(f"{limit}-{phase}") for limit in _LIMITS} for phase in PHASES}
    form.track.change(
        title=form.text("title") or form.track.row.slug,
        about=form.text("about"),
        source=form.text("source"),
        dates={phase: limits for phase, limits in stated.items() if any(limits.values())},
        budget=form.number("budget", "a budget in minutes"),
        blind=form.has("blind"),
    )
    return Done("Rules and dates are changed.", before)
