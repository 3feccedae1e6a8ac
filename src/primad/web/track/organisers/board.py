"""How far is the track?

board   who waits for whom and why, charts, and the phases, through which organisers move it
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from primad.reports.site_charts import bars
from primad.reports.track.answers import Todo, TrackFacts
from primad.track.phases import PHASES, is_reopening
from primad.web.track.organisers.office import form_of, office
from primad.web.track.reading import limit, page_of
from primad.web.track.working import Done, Form


@require_http_methods(["GET", "POST"])
def board(request: HttpRequest, track: str) -> HttpResponse:
    """Show how far a track is, and move it to another phase."""
    form = form_of(request, track)
    return office(form, "track/organise.html", {"move": _move}, lambda: _shown(form), "track-organise")


def _shown(form: Form) -> Mapping[str, Any]:
    """Return what the board says."""
    facts = form.track.facts()
    return {
        "facts": facts,
        "waiting": _waiting(facts),
        "phases": PHASES,
        "limits": {one: limit((facts.dates.get(one) or {}).get("closes") or "", ends=True) for one in PHASES},
        "earlier": PHASES[: PHASES.index(facts.phase)],
        "charts": _charts(facts),
        "page_of": page_of,
    }


def _waiting(facts: TrackFacts) -> dict[str, list[Todo]]:
    """Return what everybody has to do, by who has to do it."""
    found: dict[str, list[Todo]] = {}
    for one in facts.next:
        found.setdefault(one.who, []).append(one)
    return found


def _charts(facts: TrackFacts) -> list[Any]:
    """Return the state of submissions, attempts and sheets as charts."""
    expected = len(facts.assignments)
    locked = sum(one.locked_at is not None for one in facts.sheets)
    begun = sum(one.locked_at is None for one in facts.sheets)
    sheets = [("locked", locked), ("begun", begun), ("not begun", max(0, expected - locked - begun))]
    return [
        bars(Counter(one.state for one in facts.submissions).most_common(), "Submissions by state", ""),
        bars(Counter(one.state for one in facts.attempts).most_common(), "Attempts by state", ""),
        bars(sheets if expected or facts.sheets else [], f"Sheets, of {expected} that are expected", ""),
    ]


def _move(form: Form) -> Done:
    """Move the track to another phase."""
    before, phase = form.track.row.phase, form.text("phase")
    remarks = form.track.move_to(phase, form.text("reason"))
    told = "; ".join(remarks)
    undo = {"do": "move", "phase": before}
    if is_reopening(phase, before):
        undo["reason"] = f"the move to {phase} was taken back"
    return Done(f"The track went from {before} to {phase}." + (f" Mind: {told}." if told else ""), undo)
