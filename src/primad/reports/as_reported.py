"""What a header reports, computed again, as people and programs want to read it.

    table   the scores, a row for each comparison with a baseline, what could not be redone, remarks
    json    everything, with a schema version

Nothing is computed here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from primad.reports._tables import NONE, Row, folded, harmless, json_text, number, wrapped

if TYPE_CHECKING:
    from primad.reproducibility.as_reported import Against, AsReported, NotRedone

_MOST_NAMED = 10


def render(result: AsReported, form: str, *, width: int | None = None) -> str:
    """Return RESULT in the given FORM; lines of a table are no wider than WIDTH where that can be."""
    return FORMS[form](result, width)


def _table(result: AsReported, width: int | None) -> str:
    """Return RESULT for a terminal."""
    return "\n".join(_blocks(result, width))


def _blocks(result: AsReported, width: int | None) -> Iterator[str]:
    """Yield the parts of the table: one for each test."""
    yield wrapped(f"{harmless(result.tag or result.path)}: what its header reports, computed again.", width)
    if result.scores and not result.against:
        scores = [[one.measure, harmless(one.said), number(one.mean)] for one in result.scores]
        yield folded([["measure", "as reported", "mean"], *scores], 2, width)
    for test in dict.fromkeys(one.test for one in result.against):
        rows = [one for one in result.against if one.test == test]
        title = f"{test[:1].upper()}{test[1:]}\n\n" if test else ""
        yield title + folded([_heading(rows), *(_row(one, rows) for one in rows)], 2, width)
    notes = [*_not_redone(result.not_redone), *_notes(result.against), *map(harmless, result.remarks)]
    if notes:
        yield "".join(wrapped(note, width, "- ") for note in notes)


def _heading(against: Sequence[Against]) -> Row:
    """Return the heading of the comparisons, without columns that would be empty."""
    return ["measure", "baseline", "mean", "of baseline", "difference", *_tested_columns(against)]


def _row(one: Against, against: Sequence[Against]) -> Row:
    """Return one of the comparisons AGAINST baselines as a row."""
    values = {"p": one.p, "corrected": one.corrected}
    sign = "+" if one.difference > 0 else ""
    row = [one.measure, harmless(one.baseline), number(one.mean), number(one.baseline_mean)]
    cells = [values[column] for column in _tested_columns(against)]
    return [*row, sign + number(one.difference), *(NONE if cell is None else number(cell, 1.0) for cell in cells)]


def _tested_columns(against: Sequence[Against]) -> list[str]:
    """Return the columns of a test that have something to show."""
    is_corrected = any(one.corrected is not None for one in against)
    return ["p"] * any(one.test for one in against) + ["corrected"] * is_corrected


def _not_redone(failed: Sequence[NotRedone]) -> Iterator[str]:
    """Yield what could not be redone, each reason once."""
    by_reason: dict[tuple[str, str], list[str]] = defaultdict(list)
    for one in failed:
        by_reason[one.what, one.why].append(harmless(one.said))
    for (what, why), said in by_reason.items():
        more = f" and {len(said) - _MOST_NAMED:,} more" if len(said) > _MOST_NAMED else ""
        names = ", ".join(said[:_MOST_NAMED]) + more
        yield f"not redone: {what}{'s' * (len(said) > 1)} {names}: {harmless(why)}"


def _notes(against: Sequence[Against]) -> Iterator[str]:
    """Yield what is to be said of single comparisons, each sentence once with what it is about."""
    by_note: dict[str, list[str]] = defaultdict(list)
    for one in against:
        for note in filter(None, [one.note, one.undefined and f"no p-value: {one.undefined}"]):
            by_note[note].append(f"{one.measure} against {harmless(one.baseline)}")
    for note, places in by_note.items():
        more = f" and {len(places) - _MOST_NAMED:,} more" if len(places) > _MOST_NAMED else ""
        yield f"{', '.join(dict.fromkeys(places[:_MOST_NAMED]))}{more}: {harmless(note)}"


def _json(result: AsReported, _width: int | None) -> str:
    """Return RESULT for a program."""
    return json_text(result.to_dict())


FORMS: dict[str, Callable[[AsReported, int | None], str]] = {"table": _table, "json": _json}
