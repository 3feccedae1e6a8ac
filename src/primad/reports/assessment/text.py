"""An assessment as people and programs want to read it.

    table   the form of the ir_metadata paper's Table 2, what each measure is, and what the numbers say in sentences
    csv     a row for each value
    json    everything, with a schema version
    latex   the table for a paper

Many reproductions are rows instead of columns.  Values are shown as they are: nothing is computed here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from primad.reports._tables import NONE, Row, csv_text, cut, folded, harmless, json_text, number, p_value, wrapped
from primad.reports.assessment._latex import latex_table
from primad.reports.assessment._overview import (
    MARKS,
    MOST_COLUMNS,
    Cell,
    Legend,
    Overview,
    Turned,
    answer_about,
    overview,
    spoken,
    sweep_rows,
    swept_measures,
    turned,
)
from primad.reports.assessment._roles import Roles, roles_of
from primad.reports.assessment.figure_sentences import figure_sentences
from primad.reports.assessment.sentences import (
    changed_sentence,
    equivalence_remarks,
    level_sentences,
    margin_sentences,
    overall,
    summary,
)
from primad.reproducibility.registry import LEVELS, Level

if TYPE_CHECKING:
    from primad.reproducibility.answers import Answer
    from primad.reproducibility.assessment.result import (
        Assessment,
        Experiment,
        Reproduction,
        Sweep,
        Value,
    )

_INDENT = "  "
_MOST_REMARKS = 10
_LONGEST_NAME = 40
# What the value of an answer is, by level; {} is the effectiveness measure.
_ANSWERED = {
    "effectiveness": "difference in {}",
    "document order": "rbo_ext",
    "scores": "rmse {}",
    "overall effect": "er {}",
}
# The value of an answer if nothing differs at all.
_SAME: dict[Level, float] = {"effectiveness": 0.0, "document order": 1.0, "scores": 0.0, "overall effect": 1.0}
# A p-value is that of a test; which one, and what a small one speaks for, is said below the table.
_P_VALUES = ("equivalence p", "difference p")
_SMALL_P = "a small equivalence p speaks for equivalent, a small difference p{} for different"
_CORRECTED = " (corrected)"
_COLUMNS = ("reproduction", "type", "level", "measure", "variant", "of", "run")
_FIGURES = ("value", "low", "high", "interval method", "answer", "undefined", "note")


@dataclass(frozen=True)
class View:
    """How much is shown: the values of topics, too; and how many characters fit a line, None for any number."""

    per_topic: bool
    width: int | None


def render(assessment: Assessment, form: str, *, per_topic: bool = False, width: int | None = None) -> str:
    """Return ASSESSMENT in the given FORM (table, json, csv, latex), with the values of each topic if asked for.

    A table that is wider than WIDTH is folded: further columns follow below.
    """
    return FORMS[form](assessment, View(per_topic, width))


# Terminal ------------------------------------------------------------------------------------------------------


def _table(assessment: Assessment, view: View) -> str:
    """Return what the numbers say in a sentence each, the table, what it means, and what else is to be said."""
    many = len(spoken(assessment)) > MOST_COLUMNS
    parts = [*_opening(assessment, view), *_answer_tables(assessment, view)]
    if spoken(assessment):
        parts += _many(turned(assessment), view) if many else _few(overview(assessment), view)
    if assessment.sweep:
        rows = [[_named(cell) for cell in row] for row in sweep_rows(assessment.sweep)]
        parts.append(folded(rows, 2, view.width))
        swept = swept_measures(assessment.sweep)
        parts.append(_listing([said for of in swept for said in figure_sentences(assessment, "sweep", of)], view))
    if view.per_topic:
        parts += _topic_tables(assessment, view)
    parts += _said(assessment, view)
    remarks = [*margin_sentences(assessment), *equivalence_remarks(assessment), *assessment.remarks]
    parts += [_listing(remarks, view)] if remarks else []
    return "\n".join(parts)


def _few(table: Overview, view: View) -> Iterator[str]:
    """Yield the table with a column for each experiment, and what explains it."""
    rows: list[tuple[str, Sequence[Cell]]] = []
    for group in table.groups:
        rows.append((group.title, ()))
        for part in group.parts:
            rows += [(_INDENT + part.level, ())] if len(group.parts) > 1 else []
            indent = _INDENT * (2 if len(group.parts) > 1 else 1)
            rows += [(indent + _named(line.name), line.cells) for line in part.lines]
    columns = [_column([cells[place] if cells else Cell() for _, cells in rows]) for place in range(len(table.columns))]
    heading = ["", *map(_named, table.columns)]
    body = [[name, *cells] for (name, _), *cells in zip(rows, *columns, strict=True)]
    yield folded([heading, *body], 1, view.width)
    yield from _explained(table.reasons, table.legends, view)
    if table.has_ideals:
        yield wrapped(f"Below its scores, the column {harmless(table.columns[0])} holds the ideal values.", view.width)


def _many(table: Turned, view: View) -> Iterator[str]:
    """Yield the table with a row for each reproduction, and what explains it."""
    heading = ["", "type", *map(_named, table.columns)]
    columns = [
        [_marked(cell) for cell in column] for column in zip(*(cells for _, _, cells in table.rows), strict=True)
    ]
    rows = [
        [_named(name), kind, *cells] for (name, kind, _), *cells in zip(table.rows, *map(_even, columns), strict=True)
    ]
    known = any(set(kind) - {"?"} for _, kind, _ in table.rows)
    yield folded([row if known else [row[0], *row[2:]] for row in (heading, *rows)], 1 + known, view.width)
    yield from _explained(table.reasons, table.legends, view)
    lines = [f"All values are by {harmless(table.of)}."] if table.of else []
    if any(mark for _, _, cells in table.rows for cell in cells if (mark := cell.answer)):
        lines.append("; ".join(f"{mark} {answer}" for answer, mark in MARKS.items()) + ".")
    lines.append("Intervals and all other values: --format csv or json, or --report DIR.")
    yield wrapped(" ".join(lines), view.width)


def _marked(cell: Cell) -> str:
    """Return the value of CELL with the mark of its answer."""
    return f"{_plain(cell)} {MARKS[cell.answer]}" if cell.answer else _plain(cell)


def _even(cells: Sequence[str]) -> Row:
    """Return CELLS with room where others have a mark, so that digits stand below each other."""
    marked = any(cell.endswith(tuple(MARKS.values())) for cell in cells)
    return [cell if not marked or cell.endswith(tuple(MARKS.values())) else f"{cell}  " for cell in cells]


def _named(name: str) -> str:
    """Return NAME as a column has room for it."""
    return cut(harmless(name), _LONGEST_NAME)


def _column(cells: Sequence[Cell]) -> Row:
    """Return CELLS as text of one width: values end at one place, intervals begin at one place."""
    values = [_plain(cell) for cell in cells]
    before, after = (max(map(len, column), default=0) for column in (values, [cell.interval for cell in cells]))
    gap = " " * bool(after)
    return [f"{value:>{before}}{gap}{cell.interval:<{after}}" for value, cell in zip(values, cells, strict=True)]


def _plain(cell: Cell) -> str:
    """Return the value of CELL, or where its reason is."""
    return f"{NONE} ({cell.reason})" if cell.reason else cell.value


def _explained(reasons: Sequence[str], legends: Sequence[Legend], view: View) -> Iterator[str]:
    """Yield why values are undefined, and what each measure is."""
    if reasons:
        numbered = enumerate(reasons, 1)
        yield "".join(wrapped(harmless(reason), view.width, f"({place}) ") for place, reason in numbered)
    # What a mean score is needs no words.
    named = [legend for legend in legends if legend.name != "arp"]
    room = max((len(_named(legend.name)) for legend in named), default=0)
    lines = (wrapped(harmless(_legend(one)), view.width, f"{_named(one.name):<{room}}  ") for one in named)
    yield "".join(lines)


def _legend(legend: Legend) -> str:
    """Return what a measure is, in a line."""
    said = legend.title + (f" ({' | '.join(legend.variants)})" if legend.variants else "")
    return said + ("" if legend.ideal is None else f"; ideal {legend.ideal:g}")


def _opening(assessment: Assessment, view: View) -> Iterator[str]:
    """Yield what there is to say first: about each of a few reproductions, and about all together."""
    few = len(assessment) <= MOST_COLUMNS
    each = [summary(assessment, one) for one in assessment if few or one.problem]
    if each:
        yield "".join(wrapped(harmless(said), view.width) for said in each)
    together = overall(assessment)
    if together:
        yield _listing(together, view)


def _said(assessment: Assessment, view: View) -> Iterator[str]:
    """Yield what the numbers say besides: about each of a few reproductions, about many together."""
    if len(assessment) <= MOST_COLUMNS:
        yield from (about for one in assessment if (about := "".join(_about(assessment, one, view))))
        return
    remarks = _some(dict.fromkeys(remark for one in assessment for remark in one.remarks))
    if remarks := [*_unknown(spoken(assessment)), *remarks]:
        yield _listing(remarks, view)


def _unknown(many: Sequence[Reproduction]) -> Iterator[str]:
    """Yield of how many of MANY reproductions it is not known what changed, and why."""
    silent = [one for one in many if one.compared is None]
    if silent:
        some = f"{len(silent)} of {len(many)} reproductions: " if len(silent) < len(many) else ""
        yield some + changed_sentence(silent[0])


def _some(remarks: Iterable[str]) -> list[str]:
    """Return the first REMARKS, and how many more there are."""
    every = list(remarks)
    more = len(every) - _MOST_REMARKS
    return [*every[:_MOST_REMARKS], *([f"{more:,} more remarks: --format json, or --report DIR."] if more > 0 else [])]


def _about(assessment: Assessment, one: Reproduction, view: View) -> Iterator[str]:
    """Yield what more there is to say about one reproduction; what its first sentence has said is not said again."""
    if one.problem:
        return
    first = summary(assessment, one)
    yield wrapped(harmless(one.name), view.width)
    lines = [changed_sentence(one)]
    lines += [f"Test collection: {one.collection}."] if one.collection else []
    lines += [f"Chosen because: {one.why}."] if one.why else []
    sentences = level_sentences(assessment, one)
    lines += [
        said for level in LEVELS if (said := sentences.get(level, "")) and said[1:].removesuffix(".") not in first
    ]
    lines += one.remarks
    yield from (wrapped(harmless(line), view.width, _INDENT + "- ") for line in lines)


def _answer_tables(assessment: Assessment, view: View) -> Iterator[str]:
    """Yield the answers about each of a few reproductions."""
    answered = [one for one in assessment if one.answers]
    if len(assessment) <= MOST_COLUMNS:
        for one in answered:
            name = wrapped(harmless(one.name), view.width) if len(answered) > 1 else ""
            yield name + _answered(one.answers, roles_of(assessment), view)


def _answered(answers: Sequence[Answer], roles: Roles, view: View) -> str:
    """Return the table of ANSWERS, and below it what a reader must know about some of them."""
    is_corrected = any(answer.corrected is not None for answer in answers)
    heading = ["was it reproduced?", "answer", "value", "counts as same", *_P_VALUES, "detectable"]
    notes = list(dict.fromkeys(note for answer in answers for note in answer.notes))
    room = max(len(f"= {answer.answer}{_references(answer, notes)}") for answer in answers)
    rows = [
        [
            _named(_ANSWERED[answer.level].format(answer.of)) + roles.short(answer.run, ", "),
            f"{MARKS[answer.answer]} {answer.answer}{_references(answer, notes)}".ljust(room),
            "" if answer.value is None else number(answer.value, _SAME[answer.level]),
            "" if answer.margin is None else _counting(answer),
            p_value(answer.p_equivalent),
            p_value(None if answer.p_different is None else answer.claimed),
            "" if answer.detectable is None else number(answer.detectable),
        ]
        for answer in answers
    ]
    table = folded([heading, *rows], 1, view.width)
    said = [f"({place}) {note}" for place, note in enumerate(notes, 1)]
    if any(answer.p_equivalent is not None or answer.p_different is not None for answer in answers):
        said.append(_SMALL_P.format(_CORRECTED * is_corrected))
    return table + wrapped(harmless("; ".join(said) + "."), view.width) if said else table


def _counting(answer: Answer) -> str:
    """Return which values count as the same."""
    ends = (answer.margin.low, answer.margin.high) if answer.margin else ()
    return " to ".join(number(end, _SAME[answer.level]) for end in ends)


def _references(answer: Answer, notes: Sequence[str]) -> str:
    """Return the numbers of the NOTES that are about ANSWER."""
    return "".join(f" ({notes.index(note) + 1})" for note in answer.notes)


def _listing(lines: Sequence[str], view: View) -> str:
    """Return LINES below each other."""
    return "".join(wrapped(harmless(line), view.width, "- ") for line in lines)


def _topic_tables(assessment: Assessment, view: View) -> Iterator[str]:
    """Yield a table of topics for each run."""
    shown: tuple[Experiment, ...] = (assessment.original, *spoken(assessment))
    for role in ("baseline", "advanced"):
        found = {one.name: [value for value in one.values if value.run == role and value.topics] for one in shown}
        labels = list(dict.fromkeys(_label(value) for values in found.values() for value in values))
        if labels:
            rows = [row for name, values in found.items() for row in _topic_rows(name, values, labels)]
            yield folded(
                [[roles_of(assessment).word(role) or "run", "topic", *map(_named, labels)], *rows], 2, view.width
            )


def _label(value: Value) -> str:
    """Return what a column of topic values is called."""
    return value.of if value.measure == "arp" else f"{value.measure} {value.of}".strip()


def _topic_rows(name: str, values: Sequence[Value], labels: Sequence[str]) -> Iterator[Row]:
    """Yield a row for each topic of an experiment."""
    columns = {_label(value): value.topics for value in values}
    for topic in dict.fromkeys(chain.from_iterable(columns.values())):
        cells = (columns.get(label, {}).get(topic) for label in labels)
        yield [_named(name), _named(topic), *("" if cell is None else number(cell) for cell in cells)]


# Files ---------------------------------------------------------------------------------------------------------


def _csv(assessment: Assessment, view: View) -> str:
    """Return a row for each value."""
    topic = ("topic",) if view.per_topic else ()
    return csv_text([(*_COLUMNS, *topic, *_FIGURES), *_csv_rows(assessment, view)])


def _csv_rows(assessment: Assessment, view: View) -> Iterator[tuple[str | float | None, ...]]:
    """Yield the rows: those of the original first."""
    for value in assessment.original.values:
        yield from _value_rows(assessment.original, "original", value, view)
    for one in assessment:
        if one.problem:
            yield (one.name, one.type, *[""] * (5 + view.per_topic), *[""] * 5, one.problem, "")
        for value in one.values:
            yield from _value_rows(one, one.type, value, view)
    if assessment.sweep:
        yield from _sweep_rows(assessment.sweep, view)


def _sweep_rows(sweep: Sweep, view: View) -> Iterator[tuple[str | float | None, ...]]:
    """Yield the values of each run of a SWEEP."""
    topic = ("all",) if view.per_topic else ()
    for line in sweep.lines:
        for point in line.points:
            where = f"{line.name}, {sweep.field} {point.parameter:g}"
            found: list[tuple[str, str, str, float | None]] = []
            found += [("effectiveness", "arp", of, score) for of, score in point.scores.items()]
            found += [("scores", "rmse", of, error) for of, error in point.rmse.items()]
            found += [("document order", "rbo_ext", "", point.rbo_ext)] if point.rbo_ext is not None else []
            for level, measure, of, value in found:
                yield (point.run, "sweep", level, measure, where, of, "baseline", *topic, value, *[""] * 6)


def _value_rows(one: Experiment, kind: str, value: Value, view: View) -> Iterator[tuple[str | float | None, ...]]:
    """Yield the row of a VALUE of an experiment with the answer about it, and those of its topics if asked for."""
    about = (one.name, kind, value.level, value.measure, value.variant, value.of, value.run)
    found = value.interval
    interval = (found.low, found.high, found.method) if found else ("", "", "")
    notes = "; ".join(filter(None, (value.note, found.note if found else "")))
    whole = ["all"] if view.per_topic else []
    yield (*about, *whole, value.value, *interval, answer_about(one, value), value.undefined, notes)
    if view.per_topic:
        for topic, score in value.topics.items():
            yield (*about, topic, score, *[""] * 6)


def _json(assessment: Assessment, view: View) -> str:
    """Return everything."""
    return json_text(assessment.to_dict(per_topic=view.per_topic))


def _latex(assessment: Assessment, _view: View) -> str:
    """Return the table for a paper."""
    return latex_table(assessment)


FORMS: dict[str, Callable[[Assessment, View], str]] = {
    "table": _table,
    "csv": _csv,
    "json": _json,
    "latex": _latex,
}
