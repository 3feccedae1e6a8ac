"""What do all sheets of a track say together?

    Filled         one analyst's sheet on one system
    question_rows  the score of each question over all systems and for each, beside what was published
    comments_of    what analysts wrote, by question
    recommend      what authors could do where scores are low

Answers come in and rows of the report go out; nothing is read from a database here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from primad.reports.track.facts import Comment, QuestionRow, Recommendation, Score, TrackReport
from primad.reports.track.paper_tables import said_of
from primad.reports.track.titles import titles_of
from primad.track.published import Printed
from primad.track.sheet import DEFAULT, SCALE_WORDS, Item, Template, rule_of, score, template_of, value_on

LOW = 0.5
_MARKS = {"yes-no": "*", "five": "+", "four": "+"}


@dataclass(frozen=True)
class Filled:
    """The sheet of an ANALYST on a SUBMISSION called TITLE; HAS_RESULTS if any attempt of theirs gave output.

    TEMPLATE are the questions that were answered, None if they are the present ones.
    """

    submission: str
    title: str
    analyst: str
    role: str
    has_results: bool
    answers: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    template: Template | None = None


@dataclass(frozen=True)
class _Asked:
    """A question as some SHEETS asked it; FORMER names them if the present sheet asks otherwise, or does not ask."""

    item: Item
    sheets: Sequence[Filled]
    former: str = ""


def question_rows(
    template: Template, sheets: Sequence[Filled], published: Mapping[str, Printed] | None = None
) -> tuple[QuestionRow, ...]:
    """Return a row for each question of TEMPLATE that has a score, from SHEETS, beside what was PUBLISHED.

    Answers are put together only where the question is the same as in TEMPLATE, the present one: one that was asked
    otherwise in a former sheet, or is no longer asked, has a row of its own.  Where there are no answers, a row is
    called as it was printed.
    """
    printed = published or {}
    scored = [one for one in _asked(template, sheets) if one.item.scale != "text"]
    rows = [(one, _row(one, None if one.former else printed.get(one.item.key))) for one in scored]
    return tuple(row for one, row in rows if not one.former or row.score.n)


def _asked(template: Template, sheets: Sequence[Filled]) -> Iterator[_Asked]:
    """Yield each question of TEMPLATE, each behind it as former SHEETS have it, and then those no longer asked."""
    former = list(_former(template, sheets))
    for item in template.items:
        yield _Asked(item, [one for one in sheets if _asks(one, template, item)])
        yield from (one for one in former if one.item.key == item.key)
    yield from (one for one in former if template.item(one.item.key) is None)


def _former(template: Template, sheets: Sequence[Filled]) -> Iterator[_Asked]:
    """Yield each question of former SHEETS that TEMPLATE does not have, or not so."""
    found: list[Item] = []
    for template_of_sheet in dict.fromkeys(one.template for one in sheets if one.template is not None):
        for item in template_of_sheet.items:
            now = template.item(item.key)
            known = [*found, *((now,) if now else ())]
            if not any(item.asks_as(one) for one in known):
                found.append(item)
    for item in found:
        asking = [one for one in sheets if _asks(one, template, item)]
        yield _Asked(item, asking, _named(one.template for one in asking))


def _asks(sheet: Filled, template: Template, wanted: Item) -> bool:
    """Tell whether SHEET, filled by TEMPLATE unless it has its own, asks what is WANTED."""
    item = (sheet.template or template).item(wanted.key)
    return item is not None and item.asks_as(wanted)


def _named(templates: Iterable[Template | None]) -> str:
    """Return how a report calls former TEMPLATES."""
    versions = sorted({one.version for one in templates if one is not None and one.version})
    return f"sheet {', '.join(map(str, versions))}" if versions else "former sheet"


def _row(asked: _Asked, printed: Printed | None) -> QuestionRow:
    """Return the row of what was ASKED, with the score that was PRINTED."""
    item = asked.item
    counted = [one for one in asked.sheets if one.has_results or item.counted == "all"]
    whole = _scored(item, counted)
    systems = sorted({(one.title, one.submission) for one in counted})
    as_printed = printed if printed and not whole.n else Printed(0.0)
    return QuestionRow(
        part=item.part,
        key=item.key,
        short=as_printed.label or item.short,
        text=item.text,
        scale=SCALE_WORDS[item.scale],
        mark=_MARKS[item.scale] if as_printed.mark is None else as_printed.mark,
        rule=rule_of(item),
        score=whole,
        by_system={one: _scored(item, [sheet for sheet in counted if sheet.submission == one]) for _, one in systems},
        printed=printed.share if printed else None,
        printed_note=printed.note if printed else "",
        better=item.better,
        purpose=item.purpose,
        sheet=asked.former,
    )


def _scored(item: Item, sheets: Iterable[Filled]) -> Score:
    """Return the score of ITEM over SHEETS."""
    return score(item, [one.answers.get(item.key, {}).get("value") for one in sheets])


def comments_of(template: Template, sheets: Iterable[Filled]) -> tuple[Comment, ...]:
    """Return what analysts wrote in SHEETS, in the order of questions: comments, reasons, and answers in free text."""
    asked = _asked(template, list(sheets))
    return tuple(comment for one in asked for sheet in one.sheets for comment in _written(one, sheet))


def _written(asked: _Asked, sheet: Filled) -> Iterator[Comment]:
    """Yield what was written in a SHEET on what was ASKED."""
    item, answer = asked.item, sheet.answers.get(asked.item.key, {})
    texts = [value_on("text", answer.get("value"))] if item.scale == "text" else []
    for text in (*texts, value_on("text", answer.get("comment")), _why_another(answer)):
        if text:
            who = (sheet.submission, sheet.title, item.key, sheet.analyst, sheet.role)
            yield Comment(*who, str(text), item.text, asked.former)


def _why_another(answer: Mapping[str, Any]) -> str:
    """Return why an ANSWER is another than the proposed one, nothing if it is not.

    >>> _why_another({"value": 3, "proposed": 2, "note": "it is the encoding"})
    'Answered 3, not 2 as proposed: it is the encoding'
    """
    value, proposed, note = (answer.get(name) for name in ("value", "proposed", "note"))
    if not note or None in (value, proposed) or value == proposed:
        return ""
    return f"Answered {value}, not {proposed} as proposed: {note}"


def recommend(report: TrackReport, template: Template | None = None) -> tuple[Recommendation, ...]:
    """Return what authors could do, by the questions of TEMPLATE with a score below one half in REPORT.

    First come those for all systems, then those for each.  A printed score counts where there are no answers, unless
    the better answer is no: then print does not tell which of both a share is of.
    """
    asked = template or template_of(DEFAULT)
    known = [(row, item) for row in report.questions if (item := asked.item(row.key)) and _advises(item, row)]
    for_all = [Recommendation("", item.advice, why) for row, item in known if (why := _low(row))]
    titles = titles_of(report)
    for_each = [
        Recommendation(titles[address], item.advice, why, address)
        for address in dict.fromkeys(address for row, _ in known for address in row.by_system)
        for row, item in known
        if address in row.by_system and (why := _low_score(row, row.by_system[address]))
    ]
    return (*for_all, *for_each)


def _advises(item: Item, row: QuestionRow) -> bool:
    """Tell whether ITEM has advice for the score of ROW: a former question may have been about something else."""
    return bool(item.advice) and (not row.sheet or (item.better, SCALE_WORDS[item.scale]) == (row.better, row.scale))


def _low(row: QuestionRow) -> str:
    """Return why the score of ROW is low over all systems, nothing if it is not."""
    if row.score.n or row.printed is None or row.better == "no" or row.printed >= LOW:
        return _low_score(row, row.score)
    return f"{said_of(row)} was published with {row.printed:.0%}"


def _low_score(row: QuestionRow, found: Score) -> str:
    """Return why the score FOUND for the question of ROW is low, nothing if it is not."""
    if found.share is None or found.share >= LOW:
        return ""
    return f"{said_of(row)} has {found.share:.0%}, from {found.n} answer{'s' * (found.n != 1)}"
