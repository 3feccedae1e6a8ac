"""Who runs what?

assigning   the matrix of analysts and submissions, balanced by itself or filled by hand
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from primad.errors import UsageError
from primad.reports.track.answers import AnalystFacts, SubmissionRow, TrackFacts
from primad.track.next_steps import OUT
from primad.web.track.organisers.office import form_of, office
from primad.web.track.working import Done, Form

_BETWEEN = " "  # an analyst and an address in the value of a box; no slug has a blank


@dataclass(frozen=True)
class Cell:
    """An analyst and a submission: whether one IS_ASSIGNED to the other, and why that cannot be changed (BAR)."""

    value: str
    is_assigned: bool
    by_hand: bool
    machine: str
    bar: str


@require_http_methods(["GET", "POST"])
def assigning(request: HttpRequest, track: str) -> HttpResponse:
    """Show who runs what, and change it."""
    form = form_of(request, track)
    verbs = {"all": _all, "keep": _keep}
    return office(form, "track/assign.html", verbs, lambda: _shown(form.track.facts()), "track-assign")


def _shown(facts: TrackFacts) -> Mapping[str, Any]:
    """Return what the page on assignments says."""
    rows = [one for one in facts.submissions if one.state not in OUT and one.system]
    loads = Counter(one.analyst for one in facts.assignments)
    return {
        "rows": [(row, [_cell(facts, one, row) for one in facts.analysts]) for row in rows],
        "left_out": [one for one in facts.submissions if one not in rows],
        "analysts": facts.analysts,
        "loads": [(one.title, loads[one.slug]) for one in facts.analysts],
        "most": min(2, len(facts.analysts)),
    }


def _cell(facts: TrackFacts, analyst: AnalystFacts, row: SubmissionRow) -> Cell:
    """Return how ANALYST stands to the submission of ROW."""
    address = row.address
    found = next((one for one in facts.assignments if (one.analyst, one.submission) == (analyst.slug, address)), None)
    begun = any(one.submission == address for one in analyst.attempts)
    conflict = analyst.conflicts.get(row.team)
    bar = f"conflict of interest: {conflict}" if conflict is not None else "has begun" if begun and found else ""
    return Cell(
        value=f"{analyst.slug}{_BETWEEN}{address}",
        is_assigned=found is not None,
        by_hand=found.by_hand if found else False,
        machine=found.machine if found else "",
        bar=bar,
    )


def _pairs(form: Form) -> set[str]:
    """Return who is assigned to what now."""
    return {f"{one.analyst}{_BETWEEN}{one.submission}" for one in form.track.facts().assignments}


def _all(form: Form) -> Done:
    """Assign everybody, balanced."""
    before = _pairs(form)
    matrix = form.track.assign_all(form.number("per_submission", "analysts for each submission"))
    said = f"{len(matrix.pairs)} assignments stand. {' '.join(matrix.notes)}".strip()
    after = _pairs(form)
    return Done(said, _back(after - before, before - after))


def _keep(form: Form) -> Done:
    """Change what was ticked or unticked since the page was loaded; what others changed meanwhile stays.

    What cannot be changed is told, and holds up nothing else.
    """
    sent = form.request.POST
    ticked, was = set(sent.getlist("pair")), set(sent.getlist("was"))
    changed = (ticked ^ was) & set(sent.getlist("shown"))
    done = form.track.reassign(_named(changed & ticked), _named(changed & was))
    new, gone = {_BETWEEN.join(one) for one in done.assigned}, {_BETWEEN.join(one) for one in done.taken_back}
    said = f"{_counted(new)} assigned, {_counted(gone)} taken back."
    if done.refused:
        raise UsageError(f"{'; '.join(done.refused)}. All else is kept: {said}")
    return Done(said if new or gone else "Nothing was changed.", _back(new, gone))


def _named(pairs: set[str]) -> list[tuple[str, str]]:
    """Return PAIRS as analysts and addresses, in an order."""
    cut = (one.partition(_BETWEEN) for one in sorted(pairs))
    return [(analyst, address) for analyst, _, address in cut]


def _counted(pairs: set[str]) -> str:
    """Return how many PAIRS there are, and which.

    >>> _counted({"ann alpha/run1"}), _counted(set())
    ('1 (ann alpha/run1)', '0')
    """
    return f"{len(pairs)} ({', '.join(sorted(pairs))})" if pairs else "0"


def _back(new: set[str], gone: set[str]) -> dict[str, str | list[str]]:
    """Return the fields of the form that takes NEW assignments back, and brings back those that are GONE."""
    fields: dict[str, str | list[str]] = {"do": "keep", "shown": sorted(new | gone), "was": sorted(new)}
    return fields | {"pair": sorted(gone)} if new or gone else {}
