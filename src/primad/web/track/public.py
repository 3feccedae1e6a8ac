"""Which pages on tracks are for everybody?

tracks       all tracks
track        one of them: what it is about, where it is, and what came of it
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from primad.reports.site_charts import bars
from primad.store.actors import current
from primad.track.track import Track
from primad.web import served
from primad.web.pages import page
from primad.web.track.reading import by_state, limit, lines, page_of, parts, possible, steps, waiting


@require_safe
def tracks(request: HttpRequest) -> HttpResponse:
    """Show all tracks, the newest first."""
    rows = [(row, limit(row.opens), limit(row.closes, ends=True)) for row in Track.tracks(served.folder())]
    return page(request, "track/public_all.html", rows=rows)


@require_safe
def track(request: HttpRequest, track: str) -> HttpResponse:
    """Show a track as whoever looks may see it."""
    here = served.track(track)
    facts = here.facts()
    chart = bars(by_state(facts.submissions), "Submissions by state", "") if facts.submissions else ""
    return page(
        request,
        "track/public.html",
        facts=facts,
        steps=steps(facts),
        page_of=page_of,
        possible=possible(facts),
        parts=parts(track),
        waiting=[one for slug in current().slugs(track, "team") for one in waiting(here, slug)],
        about=lines(facts.about),
        has_inputs=here.sight.sees("inputs"),
        chart=chart,
    )
