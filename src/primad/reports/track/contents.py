"""What does the report of a track say, and in which order?

tables_of    all tables, also those without rows
headline     what is said first
question_of  what the report is about
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from primad.reports.lists import many
from primad.reports.track import further_tables, paper_tables
from primad.reports.track.facts import QuestionRow, TrackReport, VerdictRow
from primad.reports.track.further_tables import succeeded_of
from primad.reports.track.paper_tables import said_of
from primad.reports.track.table import Table
from primad.reports.track.titles import distinct

_SAME, _CLOSE = 4, 3  # points of a verdict


def tables_of(report: TrackReport) -> tuple[Table, ...]:
    """Return all tables of REPORT in the order in which they are read; some may have no rows."""
    report = distinct(report)
    return (
        further_tables.funnel(report),
        paper_tables.systems(report),
        further_tables.submissions(report),
        paper_tables.machines(report),
        paper_tables.times(report),
        further_tables.stages(report),
        further_tables.attempts(report),
        further_tables.verdicts(report),
        further_tables.precision(report),
        further_tables.outcomes(report),
        further_tables.cells(report),
        further_tables.moments(report),
        paper_tables.questions(report),
        further_tables.by_system(report),
        further_tables.comments(report),
        further_tables.recommendations(report),
    )


def remarks_of(report: TrackReport) -> list[str]:
    """Return what REPORT says of itself, and for each table without rows why it is not there."""
    absent = dict.fromkeys(table.empty for table in tables_of(report) if not table.rows and table.empty)
    return [*report.notes, *absent]


def question_of(report: TrackReport) -> str:
    """Return what REPORT is about."""
    return f"How well could the systems of {report.title} be run again?"


def headline(report: TrackReport) -> Iterator[str]:
    """Yield what is said first about REPORT."""
    if report.systems:
        yield f"{many(len(report.systems), 'system')} submitted; the track is in the phase {report.phase}."
    else:
        yield f"No system was submitted yet; the track is in the phase {report.phase}."
    if report.attempts:
        yield f"{succeeded_of(report.attempts)}."
    if report.verdicts:
        yield f"{_agreeing(report.verdicts)}."
    yield from _lowest(report.questions)


def _agreeing(verdicts: Sequence[VerdictRow]) -> str:
    """Return how many of VERDICTS are that results are the same, and how many that they are close."""
    same = sum(one.points == _SAME for one in verdicts)
    close = Counter(one.agreement for one in verdicts if one.points == _CLOSE)
    told = [f"{count:,} gave results {how}" for how, count in close.items()]  # each task may have a limit of its own
    the_same = "the same results as" if told else "the results that"
    said = f"{same:,} of {many(len(verdicts), 'compared output')} gave {the_same} were submitted"
    return ", ".join((said, *told))


def _lowest(rows: tuple[QuestionRow, ...]) -> Iterator[str]:
    """Yield which questions of ROWS have the lowest score; printed ones count where there are no others.

    Where no is the better answer, print does not tell which of both its share is of.
    """
    computed = [(row.score.share, row) for row in rows if row.score.share is not None]
    printed = [(row.printed, row) for row in rows if row.printed is not None and row.better != "no"]
    shares = computed or printed
    if shares:
        least = min(share for share, _ in shares)
        lowest = [said_of(row) for share, row in shares if share == least]
        is_all = len(lowest) == len(shares) > 1
        named = f"all {len(lowest)} questions have the same" if is_all else ", ".join(lowest)
        yield f"Lowest {'score' if computed else 'published score'}: {named}, {least:.0%}."
