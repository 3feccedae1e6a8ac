"""The report of a track for a terminal.

track_text    everything, as tables and sentences that fit a width
"""

from __future__ import annotations

from collections.abc import Iterator

from primad.reports._tables import harmless, wrapped
from primad.reports.lists import fitted
from primad.reports.track.contents import headline, question_of, remarks_of, tables_of
from primad.reports.track.facts import TrackReport
from primad.reports.track.table import Table


def track_text(report: TrackReport, width: int | None = None) -> str:
    """Return REPORT as text no wider than WIDTH."""
    parts = [_opening(report, width), *(_section(table, width) for table in tables_of(report) if table.rows)]
    if notes := remarks_of(report):
        parts.append(_titled("Remarks") + "".join(_said(note, width, "- ") for note in notes))
    return "\n".join(parts)


def _opening(report: TrackReport, width: int | None) -> str:
    """Return what is said first."""
    facts = [report.about, f"Source: {report.source}" if report.source else ""]
    lines = [*headline(report), *(text for text in facts if text)]
    return _titled(question_of(report)) + "".join(_said(line, width) for line in lines)


def _section(table: Table, width: int | None) -> str:
    """Return TABLE with its title, and what is said below it."""
    return _titled(table.title) + "".join(_prose(table, width) if table.prose else _tabular(table, width))


def _tabular(table: Table, width: int | None) -> Iterator[str]:
    """Yield TABLE without its sentences, and the sentences below it."""
    rows = [list(table.heading[: table.narrow]), *(list(line[: table.narrow]) for line in table.lines())]
    yield fitted([row for row in rows if any(row)], table.texts, width)
    for sentence, labels in table.sentences().items():
        yield _said(sentence, width, f"{harmless(', '.join(labels))}: ")
    yield from (_said(note, width, "- ") for note in table.notes)


def _prose(table: Table, width: int | None) -> Iterator[str]:
    """Yield the rows of TABLE as lists."""
    for heading, entries in table.listed().items():
        yield _said(heading, width)
        for who, said in entries:
            yield _said(f"{who}: {said}" if who else said, width, "- ")


def _titled(title: str) -> str:
    """Return TITLE underlined."""
    shown = harmless(title)
    return f"{shown}\n{'═' * len(shown)}\n"


def _said(text: str, width: int | None, first: str = "") -> str:
    """Return TEXT as lines behind FIRST, with a hanging indent unless FIRST is long."""
    hanging = first if len(first) <= len("attempt 10: ") else ""
    whole = text if hanging == first else f"{first}{text}"
    return wrapped(harmless(" ".join(whole.split())), width, hanging)
