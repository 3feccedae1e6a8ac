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
from primad.track.published import Printed
from primad.track.sheet import DEFAULT, SCALE_WORDS, Item, Template, rule_of, score, template_of, value_on

LOW = 0.5
_MARKS = {"yes-no": "*", "five": "+", "four": "+"}


@dataclass(frozen=True)
class Filled:
    """The sheet of an ANALYST on a SUBMISSION called TITLE; HAS_RESULTS if any attempt of theirs gave output."""

    submission: str
    title: str
    analyst: str
    role: str
    has_results: bool
    answers: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def question_rows(
    template: Template, sheets: Sequence[Filled], published: Mapping[str, Printed] | None = None
) -> tuple[QuestionRow, ...]:
    """Return a row for each question of TEMPLATE that has a score, from SHEETS, beside what was PUBLISHED.

    Where there are no answers, a row is called as it was printed.
    """
    printed = published or {}
    return tuple(_row(item, sheets, printed.get(item.key)) for item in template.items if item.scale != "text")


def _row(item: Item, sheets: Sequence[Filled], printed: Printed | None) -> QuestionRow:
    """Return the row of ITEM."""
    counted = [one for one in sheets if one.has_results or item.counted == "all"]
    whole = _scored(item, counted)
    titles = sorted({one.title for one in counted})
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
        by_system={title: _scored(item, [one for one in counted if one.title == title]) for title in titles},
        printed=printed.share if printed else None,
        printed_note=printed.note if printed else "",
        better=item.better,
    )


def _scored(item: Item, sheets: Iterable[Filled]) -> Score:
    """Return the score of ITEM over SHEETS."""
    return score(item, [one.answers.get(item.key, {}).get("value") for one in sheets])


def comments_of(template: Template, sheets: Iterable[Filled]) -> tuple[Comment, ...]:
    """Return what analysts wrote in SHEETS, in the order of questions: comments, and answers in free text."""
    listed = list(sheets)
    return tuple(comment for item in template.items for one in listed for comment in _written(item, one))


def _written(item: Item, sheet: Filled) -> Iterator[Comment]:
    """Yield what was written on ITEM in a SHEET."""
    answer = sheet.answers.get(item.key, {})
    texts = [value_on("text", answer.get("value"))] if item.scale == "text" else []
    for text in (*texts, value_on("text", answer.get("comment"))):
        if text:
            yield Comment(sheet.submission, sheet.title, item.key, sheet.analyst, sheet.role, str(text))


def recommend(report: TrackReport, template: Template | None = None) -> tuple[Recommendation, ...]:
    """Return what authors could do, by the questions of TEMPLATE with a score below one half in REPORT.

    First come those for all systems, then those for each.  A printed score counts where there are no answers, unless
    the better answer is no: then print does not tell which of both a share is of.
    """
    asked = template or template_of(DEFAULT)
    known = [(row, item) for row in report.questions if (item := asked.item(row.key)) and item.advice]
    for_all = [Recommendation("", item.advice, why) for row, item in known if (why := _low(row))]
    titles = sorted({title for row, _ in known for title in row.by_system})
    for_each = [
        Recommendation(title, item.advice, why)
        for title in titles
        for row, item in known
        if title in row.by_system and (why := _low_score(row, row.by_system[title]))
    ]
    return (*for_all, *for_each)


def _low(row: QuestionRow) -> str:
    """Return why the score of ROW is low over all systems, nothing if it is not."""
    if row.score.n or row.printed is None or row.better == "no" or row.printed >= LOW:
        return _low_score(row, row.score)
    return f"{row.key} ({row.short}) was published with {row.printed:.0%}"


def _low_score(row: QuestionRow, found: Score) -> str:
    """Return why the score FOUND for the question of ROW is low, nothing if it is not."""
    if found.share is None or found.share >= LOW:
        return ""
    return f"{row.key} ({row.short}) has {found.share:.0%}, from {found.n} answer{'s' * (found.n != 1)}"
