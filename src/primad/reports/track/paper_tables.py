"""Which tables has the paper on the first replication track?  The same ones, with its columns, from any track.

    systems     table 2: participant, operating system, language
    machines    table 3: analyst, configuration
    times       table 4: participant, analyst, human time, run time
    questions   table 5: phase, question with its mark, score; beside each n, the scale and the rule

Névéol et al., LOUHI 2016.  Where n is known of a time, it stands beside it; where a score was printed and can be
computed as well, both stand there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from primad.reports._tables import NONE
from primad.reports.track.facts import MachineRow, QuestionRow, TimeRow, TrackReport
from primad.reports.track.table import Table, minutes, percent

_NOT_PUBLISHED = "not published"


def systems(report: TrackReport) -> Table:
    """Return what the submitted systems are made for, and with."""
    return Table(
        name="systems",
        title="Systems",
        caption="Characteristics of the systems submitted",
        heading=("Participant", "Operating System", "Language"),
        rows=tuple((one.title, one.operating_system or NONE, one.language or NONE) for one in report.systems),
        empty="No system was submitted.",
        texts=3,
    )


def machines(report: TrackReport) -> Table:
    """Return the machines of analysts, each in as many lines as there are facts about it."""
    several = Counter(one.analyst for one in report.machines)
    return Table(
        name="machines",
        title="Machines",
        caption="Configuration of the machines of analysts",
        heading=("Analyst", "Configuration"),
        rows=tuple((_owner(one, several[one.analyst]), configuration(one)) for one in report.machines),
        empty="Nothing is known of the machines of analysts.",
        texts=2,
    )


def _owner(row: MachineRow, count: int) -> str:
    """Return whose machine it is, and which one of a COUNT of them."""
    return f"{row.analyst} ({row.machine})" if count > 1 else row.analyst


def configuration(row: MachineRow) -> str:
    r"""Return what is known of a machine: its operating system, memory and cache, processor, and whatever else.

    >>> configuration(MachineRow("1", "", "m", {"operating_system": "Mac OS X", "memory": "8Go", "cache": "3Mb"}))
    'Mac OS X\n8Go ram, 3Mb cache'
    """
    facts = {name: text for name, text in row.facts.items() if text}
    sizes = [f"{facts.pop(name)} {word}" for name, word in (("memory", "ram"), ("cache", "cache")) if name in facts]
    first, processor = facts.pop("operating_system", ""), facts.pop("processor", "")
    more = [f"{name.replace('_', ' ')}: {text}" for name, text in facts.items()]
    return "\n".join(filter(None, (first, ", ".join(sizes), processor, *more))) or NONE


def times(report: TrackReport) -> Table:
    """Return the minutes that people and systems took, by role."""
    is_counted = any(row.human_n is not None or row.run_n is not None for row in report.times)
    heading = ("Participant", "Analyst", "Human Time", "Run Time")
    return Table(
        name="times",
        title="Human time and run time, in minutes",
        caption="Time in minutes that analysts spent, and that runs took",
        heading=(*heading, "n (human)", "n (run)") if is_counted else heading,
        rows=tuple(_time_cells(row, is_counted=is_counted) for row in report.times),
        empty="No times are recorded.",
        texts=2,
        notes=tuple(_time_notes(report.times)),
    )


def _time_cells(row: TimeRow, *, is_counted: bool) -> tuple[str, ...]:
    """Return the cells of ROW, with how many analysts they rest on if that IS_COUNTED."""
    cells = (row.system, row.role.capitalize() or NONE, minutes(row.human), minutes(row.run))
    return (
        (*cells, *(_NOT_PUBLISHED if n is None else str(n) for n in (row.human_n, row.run_n))) if is_counted else cells
    )


def _time_notes(rows: tuple[TimeRow, ...]) -> Iterator[str]:
    """Yield by which rules the times of ROWS came about, and what is not known of them."""
    yield from dict.fromkeys(row.rule for row in rows if row.rule)
    if any(row.published for row in rows):
        yield "Times are aggregates as they were published; those of individuals were not."
    if any(row.human is None or row.run is None for row in rows):
        yield f"{NONE}: no work of that role on the system has ended, or nobody got it to run to its end."


def questions(report: TrackReport) -> Table:
    """Return the score of each question, with what it rests on."""
    both = any(row.score.n and row.printed is not None for row in report.questions)
    heading = ("Phase", "Question", "Score", *(("Published",) if both else ()), "n", "Scale", "Rule")
    return Table(
        name="questions",
        title="Scores by question",
        caption="Scores of all systems, by question of the sheet",
        heading=heading,
        rows=tuple(_question_cells(row, both=both) for row in report.questions),
        empty="No locked sheets are recorded, so there are no scores.",
        texts=2,
        said=1,
        labels=tuple(row.named for row in report.questions),
        notes=tuple(_question_notes(report.questions)),
        grouped=True,
    )


def _question_cells(row: QuestionRow, *, both: bool) -> tuple[str, ...]:
    """Return the cells of ROW; what was printed has a column of its own if there are scores of BOTH kinds."""
    is_printed = not row.score.n and row.printed is not None
    share = row.printed if is_printed and not both else row.score.share
    beside = (percent(row.printed),) if both else ()
    n = _NOT_PUBLISHED if is_printed else str(row.score.n)
    return (row.part, called(row), percent(share), *beside, n, row.scale, row.rule)


def called(row: QuestionRow) -> str:
    """Return how a table calls the question of ROW; a score that is the share of no says so."""
    counted = " (share of no)" if row.counts_no else ""
    sheet = f" ({row.sheet})" if row.sheet else ""
    return f"{row.key}{f'({row.mark})' if row.mark else ''} {row.short}{counted}{sheet}"


def said_of(row: QuestionRow) -> str:
    """Return how a sentence calls the question of ROW."""
    more = [row.short, *(("share of no",) if row.counts_no else ()), *((row.sheet,) if row.sheet else ())]
    return f"{row.key} ({', '.join(more)})"


def _question_notes(rows: tuple[QuestionRow, ...]) -> Iterator[str]:
    """Yield what the marks of ROWS mean, and what is known of printed scores."""
    if any(row.mark for row in rows):
        yield "* marks answers of yes or no, + a scale of 4 or 5 points."
    if any(row.printed is not None for row in rows):
        yield (
            "Published scores stand as they were printed: the answers behind them were never published, so neither "
            "their n nor our rule can be checked on them."
        )
    if any(row.sheet for row in rows):
        yield (
            "Where a former sheet is named, it asked otherwise than the present one, or what is no longer asked: "
            "answers are put together only where question, scale and rule are the same."
        )
    yield from (f"{row.key}: {row.printed_note}" for row in rows if row.printed is not None and row.printed_note)
