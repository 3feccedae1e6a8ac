"""The report of a track as one page that needs nothing else: no network, no script, no second file.

track_page    the page as text
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING

from primad.reports._drawing import picture
from primad.reports._html import environment, inline_svg, kept_as
from primad.reports._tables import as_text
from primad.reports.track.contents import headline, question_of, remarks_of, tables_of
from primad.reports.track.facts import TrackReport
from primad.reports.track.pictures import Drawing

if TYPE_CHECKING:
    from markupsafe import Markup

_MOST_ROWS = 500


@dataclass(frozen=True)
class _Figure:
    """A figure of the page with its sentences."""

    title: str
    sentences: tuple[str, ...]
    svg: Markup


def track_page(report: TrackReport, drawings: Sequence[Drawing] = (), forms: Sequence[str] = ()) -> str:
    """Return the page about REPORT with its DRAWINGS, which are files beside it in these FORMS."""
    return as_text(
        environment()
        .get_template("track.html")
        .render(
            about=_paragraphs(report.about),
            question=question_of(report),
            version=version("primad"),
            lead=list(headline(report)),
            tables=[table for table in tables_of(report) if table.rows],
            most=_MOST_ROWS,
            figures=list(_figures(drawings)),
            notes=remarks_of(report),
            kept_as=kept_as(forms) if drawings else "",
            settings=_settings(report),
        )
    )


def _paragraphs(text: str) -> list[str]:
    """Return TEXT as paragraphs, which an empty line parts."""
    return [" ".join(part.split()) for part in text.split("\n\n") if part.strip()]


def _figures(drawings: Iterable[Drawing]) -> Iterator[_Figure]:
    """Yield each of DRAWINGS for the page."""
    from markupsafe import Markup

    for place, drawing in enumerate(drawings, 1):
        svg = inline_svg(picture(drawing.figure, "svg"), f"figure{place}", drawing.title, drawing.description)
        yield _Figure(drawing.title, drawing.sentences, Markup(svg))  # noqa: S704  (our own, and what it names is escaped)


def _settings(report: TrackReport) -> dict[str, str]:
    """Return what else is known of REPORT, by its name."""
    named = {
        "Track": report.slug,
        "Phase": report.phase,
        "Source": report.source,
        "Made at": f"{report.made_at:%Y-%m-%d %H:%M %Z}".strip(),
    }
    return {name: text for name, text in named.items() if text}
