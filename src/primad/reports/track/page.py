"""The report of a track as one page that needs nothing else: no network, no script, no second file.

track_page        the page as text
track_fragment    the same as a part of another page
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from primad.reports._html import as_fragment, as_page, inline_figure
from primad.reports.track.contents import headline, question_of, remarks_of, tables_of
from primad.reports.track.facts import TrackReport
from primad.reports.track.pictures import Drawing

_TEMPLATE = "track.html"
_MOST_ROWS = 500


def track_page(report: TrackReport, drawings: Sequence[Drawing] = (), forms: Sequence[str] = ()) -> str:
    """Return the page about REPORT with its DRAWINGS, which are files beside it in these FORMS."""
    return as_page(_TEMPLATE, _facts(report, drawings), forms if drawings else ())


def track_fragment(report: TrackReport, drawings: Sequence[Drawing] = (), *, beside: str = "") -> str:
    """Return REPORT with its DRAWINGS as a part of a page; BESIDE says where its files are."""
    return as_fragment(_TEMPLATE, _facts(report, drawings), beside)


def _facts(report: TrackReport, drawings: Sequence[Drawing]) -> dict[str, Any]:
    """Return what the template is filled in with."""
    return {
        "about": _paragraphs(report.about),
        "question": question_of(report),
        "lead": list(headline(report)),
        "tables": [table for table in tables_of(report) if table.rows],
        "most": _MOST_ROWS,
        "figures": [inline_figure(place, one, one.sentences) for place, one in enumerate(drawings, 1)],
        "notes": remarks_of(report),
        "settings": _settings(report),
    }


def _paragraphs(text: str) -> list[str]:
    """Return TEXT as paragraphs, which an empty line parts."""
    return [" ".join(part.split()) for part in text.split("\n\n") if part.strip()]


def _settings(report: TrackReport) -> dict[str, str]:
    """Return what else is known of REPORT, by its name."""
    named = {
        "Track": report.slug,
        "Phase": report.phase,
        "Source": report.source,
        "Made at": f"{report.made_at:%Y-%m-%d %H:%M %Z}".strip(),
    }
    return {name: text for name, text in named.items() if text}
