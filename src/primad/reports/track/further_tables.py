"""What else does the report of a track have in tables?

funnel, submissions           who took part, and what was replicated
by_system, stages             scores and times of each system
attempts, verdicts            what analysts did, and how the results compare
succeeded_of                  how many attempts succeeded, in words
precision                     how far values scatter over all attempts
outcomes                      what came of tasks of other kinds
cells, moments                systems by data sets, and results over time
comments, recommendations     what analysts wrote, and what follows
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC

from primad.reports._tables import NONE, p_value
from primad.reports.lists import many, signed
from primad.reports.track.facts import AttemptRow, Cell, Comment, Moment, PrecisionRow, Score, TrackReport, VerdictRow
from primad.reports.track.paper_tables import called
from primad.reports.track.table import Table, few_items, minutes, pair, percent, span, value, yes_or_no
from primad.reports.track.titles import titles_of

_UNENDED = ("open", "running", "stopped")
_TYPE = (
    "Type has a letter for each of platform, research goal, implementation, method, actor and data: a capital is what "
    "changed, a small letter what stayed the same, and ? what the records do not tell."
)
_NO_SCORES = "No scores of attempts are recorded, so there are none by data set or over time."


def funnel(report: TrackReport) -> Table:
    """Return how many got how far."""
    return Table(
        name="funnel",
        title="Who took part",
        caption="From teams to replicated systems",
        heading=("Step", "Count", "Remark"),
        rows=tuple((one.step, f"{one.count:,}", one.note) for one in report.funnel),
        empty="No team has registered.",
        said=1,
        labels=tuple(one.step for one in report.funnel),
    )


def submissions(report: TrackReport) -> Table:
    """Return what was submitted, and whether it is eligible for replication."""
    return Table(
        name="submissions",
        title="Submissions",
        caption="What was submitted, and whether it is eligible for replication",
        heading=("Submission", "Participant", "Team", "Task", "Kind", "Version", "Eligible", "Reason"),
        rows=tuple(
            (
                *(one.submission, one.title, one.team, one.task, one.kind or NONE),
                *(one.version or NONE, yes_or_no(one.eligible), one.reason),
            )
            for one in report.systems
        ),
        empty="Nothing was submitted.",
        texts=7,
        said=1,
        labels=tuple(one.submission for one in report.systems),
    )


def by_system(report: TrackReport) -> Table:
    """Return the scores of each question for each system."""
    titles = titles_of(report)
    systems = list(dict.fromkeys(address for row in report.questions for address in row.by_system))
    rows = [
        (called(row), *(_share_of(row.by_system.get(address)) for address in systems), row.scale, row.rule)
        for row in report.questions
        if systems
    ]
    return Table(
        name="scores",
        title="Scores by system",
        caption="Scores of each system, by question; n is the number of answers",
        heading=("Question", *(titles[address] for address in systems), "Scale", "Rule"),
        rows=tuple(rows),
        empty="No answers about single systems are recorded.",
        said=1,
        labels=tuple(row.named for row in report.questions) if rows else (),
    )


def _share_of(score: Score | None) -> str:
    """Return the SCORE of a system with its n."""
    return f"{percent(score.share)} (n={score.n})" if score and score.n else NONE


def stages(report: TrackReport) -> Table:
    """Return the minutes that analysts spent, by stage."""
    return Table(
        name="stages",
        title="Time by stage",
        caption="Human time in minutes by stage, the mean over n analysts",
        heading=("Participant", "Stage", "Minutes", "n"),
        rows=tuple((one.system, one.stage or "not stated", minutes(one.minutes), str(one.n)) for one in report.stages),
        empty="No times are recorded by stage.",
        texts=2,
    )


def attempts(report: TrackReport) -> Table:
    """Return what analysts did."""
    heading = ("No.", "Participant", "Analyst", "Role", "Machine", "Configuration", "Data set", "Outcome")
    return Table(
        name="attempts",
        title="Attempts",
        caption="Attempts of analysts; times in minutes, level of repeatability from 1 to 4",
        heading=(*heading, "Held by", "Human", "Run", "Level", "Remark"),
        rows=tuple(_attempt_cells(one) for one in report.attempts),
        empty="No attempts are recorded.",
        texts=9,
        said=1,
        labels=tuple(f"attempt {one.number}" for one in report.attempts),
    )


def succeeded_of(rows: Sequence[AttemptRow]) -> str:
    """Return how many attempts of ROWS succeeded, how many have not ended, and how many repeat another one."""
    succeeded = sum(one.state == "succeeded" for one in rows)
    unended = sum(one.state in _UNENDED for one in rows)
    more = f", {unended:,} {'has' if unended == 1 else 'have'} not ended" if unended else ""
    repeated = sum(one.repeats is not None for one in rows)
    again = f"; {many(repeated, 'attempt')} {'repeats' if repeated == 1 else 'repeat'} another one" if repeated else ""
    return f"{succeeded:,} of {many(len(rows), 'attempt')} succeeded{more}{again}"


def _attempt_cells(row: AttemptRow) -> tuple[str, ...]:
    """Return the cells of an attempt."""
    again = f"Repeats attempt {row.repeats}." if row.repeats is not None else ""
    level = f"Level {row.level}: {row.level_words}." if row.level is not None else ""
    return (
        str(row.number),
        row.title,
        row.analyst,
        row.role or NONE,
        row.machine or NONE,
        row.configuration,
        row.data_set or NONE,
        f"{row.state} ({row.stage})" if row.stage and row.state != "succeeded" else row.state,
        row.rung or "own machine",
        minutes(None if row.state in _UNENDED and not row.human else row.human),
        minutes(row.run),
        NONE if row.level is None else f"{row.level}{' (proposed)' * row.level_words.endswith('(proposed)')}",
        " ".join(filter(None, (_ended(row.reason), level, again))),
    )


def _ended(text: str) -> str:
    """Return TEXT as a sentence that ends.

    >>> _ended("gcc is missing"), _ended("Why?"), _ended("")
    ('gcc is missing.', 'Why?', '')
    """
    return f"{text}." if text and text[-1] not in ".!?" else text


def verdicts(report: TrackReport) -> Table:
    """Return how replicated results compare to the submitted ones."""
    heading = ("Attempt", "Agreement", "Participant", "Analyst", "Type", "Points", "Submitted", "Replicated")
    measures = ", ".join(dict.fromkeys(one.primary for one in report.verdicts))
    points = "4 points are the same results, 1 is a failed scorer"
    return Table(
        name="verdicts",
        title="Verdicts",
        caption=f"Replicated outputs beside the submitted ones, by {measures}; {points}",
        heading=(*heading, "Difference", "95 % interval", "p", "In words"),
        rows=tuple(_verdict_cells(one) for one in report.verdicts),
        empty="No verdicts are recorded.",
        texts=5,
        said=1,
        labels=tuple(f"attempt {one.attempt}" for one in report.verdicts),
        notes=_type_notes(one.type for one in report.verdicts),
    )


def _type_notes(types: Iterable[str]) -> tuple[str, ...]:
    """Return what the letters of TYPES mean, nothing where there are none."""
    return (_TYPE,) if any(types) else ()


def _verdict_cells(row: VerdictRow) -> tuple[str, ...]:
    """Return the cells of a verdict."""
    untested = _ended(f"No test of the difference: {row.no_test}") if row.no_test else ""
    return (
        str(row.attempt),
        row.agreement,
        row.title,
        row.analyst,
        row.type or NONE,
        str(row.points),
        *pair(row.submitted, row.replicated),
        NONE if row.difference is None else signed(row.difference),
        span(row.low, row.high),
        p_value(row.p) or NONE,
        " ".join(filter(None, (row.sentence, untested if row.p is None else few_items(row.tested_items)))),
    )


def precision(report: TrackReport) -> Table:
    """Return how far the values of each system scatter."""
    heading = ("Participant", "Configuration", "Data set", "Measure", "n", "Mean", "CV* in %", "95 % interval")
    return Table(
        name="precision",
        title="Precision over all attempts",
        caption="Values of submitted and replicated outputs together; the lower CV*, the closer they are",
        heading=(*heading, "In words"),
        rows=tuple(_precision_cells(one) for one in report.precision),
        empty="No system has the values of several outputs, so nothing can be said of their precision.",
        texts=4,
        said=1,
        labels=tuple(_measured(one, report.precision) for one in report.precision),
    )


def _measured(row: PrecisionRow, rows: Iterable[PrecisionRow]) -> str:
    """Return what the values of ROW are of, with configuration and data set where others of ROWS share the rest."""
    same = [one for one in rows if (one.title, one.measure) == (row.title, row.measure)]
    where = f" ({', '.join(filter(None, (row.configuration, row.data_set)))})" if len(same) > 1 else ""
    return f"{row.title}, {row.measure}{where}"


def _unlabelled(row: PrecisionRow) -> str:
    """Return the sentence of ROW without what it begins with: its label says that already."""
    about, _, said = row.sentence.partition(": ")
    return said if said and about.startswith(f"{row.submission}, {row.measure}") else row.sentence


def _precision_cells(row: PrecisionRow) -> tuple[str, ...]:
    """Return the cells of the precision of a system."""
    is_told = "differ in" in row.sentence
    differing = f"What differed: {', '.join(row.differing)}." if row.differing and not is_told else ""
    return (
        row.title,
        row.configuration,
        row.data_set or NONE,
        row.measure,
        str(row.n),
        value(row.mean),
        value(row.cv_star),
        span(row.low, row.high),
        " ".join(filter(None, (_unlabelled(row), differing))),
    )


def outcomes(report: TrackReport) -> Table:
    """Return what came of tasks in which something is reproduced or measured."""
    return Table(
        name="outcomes",
        title="Reproductions and measurements",
        caption="What came of tasks in which something is reproduced or measured",
        heading=("Task", "About", "Type", "Result"),
        rows=tuple((one.task, one.who, one.type or NONE, one.sentence) for one in report.outcomes),
        empty="",  # most tracks have no such task
        texts=3,
        said=1,
        labels=tuple(one.who for one in report.outcomes),
        notes=_type_notes(one.type for one in report.outcomes),
    )


def cells(report: TrackReport) -> Table:
    """Return the matrix of systems and data sets."""
    sets = list(dict.fromkeys(one.data_set for one in report.cells))
    found = {(*_line(one), one.data_set): one for one in report.cells}
    lines = dict.fromkeys(map(_line, report.cells))
    titles, configured = titles_of(report), _several(report.cells)
    return Table(
        name="cells",
        title="Systems and data sets",
        caption="Score of the newest attempt that has one; in brackets the submitted score and the number of attempts",
        heading=(*_heading(configured), "Measure", *(name or "not stated" for name in sets)),
        rows=tuple(
            (
                *_system(titles[address], configuration, configured),
                measure,
                *(_cell(found.get((address, configuration, measure, name))) for name in sets),
            )
            for address, configuration, measure in lines
        ),
        empty=_NO_SCORES,
        texts=3 if configured else 2,
    )


def _line(cell: Cell) -> tuple[str, str, str]:
    """Return which line of the matrix CELL stands in."""
    return cell.submission, cell.configuration, cell.measure


def _several(rows: Iterable[Cell | Moment]) -> bool:
    """Tell whether ROWS have more than one configuration of any system."""
    found: dict[str, set[str]] = {}
    for row in rows:
        found.setdefault(row.submission, set()).add(row.configuration)
    return any(len(names) > 1 for names in found.values())


def _heading(configured: bool) -> tuple[str, ...]:  # noqa: FBT001  (it is one of two headings)
    """Return the first columns, with the configuration if that is shown."""
    return ("Participant", "Configuration") if configured else ("Participant",)


def _system(title: str, configuration: str, configured: bool) -> tuple[str, ...]:  # noqa: FBT001  (as above)
    """Return the first cells of a row, with the configuration if that is shown."""
    return (title, configuration or NONE) if configured else (title,)


def _cell(cell: Cell | None) -> str:
    """Return a CELL of the matrix."""
    if cell is None:
        return NONE
    submitted, replicated = pair(cell.submitted, cell.replicated)
    return f"{replicated} ({submitted}, {cell.attempts})"


def moments(report: TrackReport) -> Table:
    """Return results over time."""
    configured = _several(report.moments)
    return Table(
        name="moments",
        title="Results over time",
        caption="Scores of attempts by their time",
        heading=(*_heading(configured), "Data set", "Measure", "Time (UTC)", "Attempt", "Score"),
        rows=tuple(
            (
                *_system(one.title, one.configuration, configured),
                one.data_set or NONE,
                one.measure,
                f"{one.at.astimezone(UTC):%Y-%m-%d %H:%M}",
                str(one.attempt),
                value(one.value),
            )
            for one in sorted(report.moments, key=lambda one: (one.at, one.attempt))
        ),
        empty=_NO_SCORES,
        texts=5 if configured else 4,
    )


def comments(report: TrackReport) -> Table:
    """Return what analysts wrote, by question."""
    return Table(
        name="comments",
        title="Comments",
        caption="What analysts wrote, by question",
        heading=("Question", "Participant", "Analyst", "Role", "Comment"),
        rows=tuple(
            (_question(report, one), one.title, one.analyst, one.role or NONE, one.text) for one in report.comments
        ),
        empty="No comments of analysts are recorded.",
        texts=4,
        said=1,
        grouped=True,
        prose=True,
    )


def _question(report: TrackReport, comment: Comment) -> str:
    """Return the question of COMMENT with its text, where it or REPORT has it."""
    key, sheet = comment.question, comment.sheet
    stated = (row.text for row in report.questions if (row.key, row.sheet) == (key, sheet))
    return " ".join(filter(None, (key, f"({sheet})" if sheet else "", comment.asked or next(stated, ""))))


def recommendations(report: TrackReport) -> Table:
    """Return what authors could do."""
    return Table(
        name="recommendations",
        title="Recommendations",
        caption="What authors could do, and because of which scores",
        heading=("For", "What to do", "Because"),
        rows=tuple((one.title or "all systems", one.text, f"Because {one.because}.") for one in report.recommendations),
        empty=_nothing_low(report),
        said=2,
        grouped=True,
        prose=True,
    )


def _nothing_low(report: TrackReport) -> str:
    """Return why nothing is recommended."""
    if any(row.score.n or row.printed is not None for row in report.questions):
        return "No score is below one half, so nothing is recommended."
    return "No answers of analysts are recorded, so nothing is recommended."
