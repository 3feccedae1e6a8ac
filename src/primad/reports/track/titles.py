"""What do tables call a system?  By its title, and where two systems share one, by title and address.

    titles_of   the title of each submission, no two of them the same
    distinct    a report in which every row has that title
    is_about    whether a row of times is about a system

Titles are free text: two teams may both call theirs "Baseline".  What belongs together is told by the address of the
submission alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from primad.reports.track.facts import (
    AttemptRow,
    Cell,
    Comment,
    Moment,
    PrecisionRow,
    Recommendation,
    StageTime,
    SystemRow,
    TimeRow,
    TrackReport,
    VerdictRow,
)

_Titled = TypeVar("_Titled", SystemRow, AttemptRow, VerdictRow, PrecisionRow, Comment, Recommendation, Cell, Moment)
_Timed = TypeVar("_Timed", TimeRow, StageTime)


def titles_of(report: TrackReport) -> dict[str, str]:
    """Return what tables of REPORT call each submission, by its address."""
    titles: dict[str, str] = {}
    for address, title in _stated(report):
        titles.setdefault(address, title or address)
    shared = Counter(titles.values())
    return {address: f"{title} ({address})" if shared[title] > 1 else title for address, title in titles.items()}


def _stated(report: TrackReport) -> Iterator[tuple[str, str]]:
    """Yield each address in REPORT with the title beside it, those of systems first."""
    for rows in (report.systems, report.attempts, report.verdicts, report.precision, report.cells, report.moments):
        yield from ((row.submission, row.title) for row in rows)
    yield from ((row.submission, row.title) for row in report.comments)
    yield from ((row.submission, row.system) for row in report.times if row.submission)
    yield from ((row.submission, row.system) for row in report.stages if row.submission)
    yield from ((address, "") for row in report.questions for address in row.by_system)


def distinct(report: TrackReport) -> TrackReport:
    """Return REPORT with a title of its own for each submission."""
    titles = titles_of(report)
    return replace(
        report,
        systems=_retitled(report.systems, titles),
        times=_resystemed(report.times, titles),
        stages=_resystemed(report.stages, titles),
        attempts=_retitled(report.attempts, titles),
        verdicts=_retitled(report.verdicts, titles),
        precision=_retitled(report.precision, titles),
        comments=_retitled(report.comments, titles),
        recommendations=_retitled(report.recommendations, titles),
        cells=_retitled(report.cells, titles),
        moments=_retitled(report.moments, titles),
    )


def _retitled(rows: tuple[_Titled, ...], titles: Mapping[str, str]) -> tuple[_Titled, ...]:
    """Return ROWS with the title that TITLES have for their submission."""
    return tuple(replace(row, title=titles.get(row.submission, row.title)) for row in rows)


def _resystemed(rows: tuple[_Timed, ...], titles: Mapping[str, str]) -> tuple[_Timed, ...]:
    """Return ROWS of times with the title that TITLES have for their submission."""
    return tuple(replace(row, system=titles.get(row.submission, row.system)) for row in rows)


def is_about(row: TimeRow | StageTime, system: SystemRow, report: TrackReport) -> bool:
    """Tell whether ROW of REPORT is about SYSTEM: by the address, and without one by a title that no other has."""
    if row.submission:
        return row.submission == system.submission
    return row.system == system.title and sum(one.title == system.title for one in report.systems) == 1
