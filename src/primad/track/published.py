"""What was published of a track without what it was made of?  Aggregates, kept as what they are.

    Figure             one that was published: the table it belongs to, what it is about, what was printed
    published_times    minutes by system and role, as rows of the table of times
    published_funnel   how many got how far, as rows of the funnel
    Printed            a printed score of a question
    published_scores   printed scores by question

Individuals cannot be recovered from an aggregate, so none are made up: rows say that they are published.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from primad.errors import DataError
from primad.metadata.showing import harmless
from primad.reports.track.facts import Funnel, TimeRow


@dataclass(frozen=True)
class Figure:
    """A published figure: its TABLE ("time", "score" or "funnel"), the NAME of what it is about, and the CONTENT."""

    table: str
    name: str
    content: Mapping[str, Any]


@dataclass(frozen=True)
class Printed:
    """A SHARE as it was printed, the LABEL and the MARK that stood beside it, and what is known of it."""

    share: float
    label: str = ""
    mark: str | None = None
    note: str = ""


def published_times(figures: Iterable[Figure]) -> tuple[TimeRow, ...]:
    """Return the published times among FIGURES: content has system, role, human, run (minutes), rule and submission."""
    return tuple(_time(one) for one in figures if one.table == "time")


def published_funnel(figures: Iterable[Figure]) -> tuple[Funnel, ...]:
    """Return the published counts among FIGURES: content has step, count and note."""
    return tuple(_step(one) for one in figures if one.table == "funnel")


def published_scores(figures: Iterable[Figure]) -> dict[str, Printed]:
    """Return the published scores among FIGURES: content has question, printed, label, mark and note."""
    scores = [one for one in figures if one.table == "score"]
    return {_text(one, "question"): _printed(one) for one in scores}


def _time(figure: Figure) -> TimeRow:
    """Return FIGURE as a row of times."""
    return TimeRow(
        system=_text(figure, "system"),
        role=_text(figure, "role"),
        human=_number(figure, "human"),
        run=_number(figure, "run"),
        human_n=None,
        run_n=None,
        rule=str(figure.content.get("rule") or ""),
        published=True,
        submission=str(figure.content.get("submission") or ""),
    )


def _step(figure: Figure) -> Funnel:
    """Return FIGURE as a row of the funnel."""
    count = _number(figure, "count")
    if count is None or count != int(count):
        raise _wrong(figure, "count as a whole number", figure.content.get("count"))
    return Funnel(_text(figure, "step"), int(count), str(figure.content.get("note") or ""))


def _printed(figure: Figure) -> Printed:
    """Return FIGURE as a printed score."""
    share = _number(figure, "printed")
    if share is None or share > 1:
        raise _wrong(figure, "printed as a share from 0 to 1", figure.content.get("printed"))
    mark = figure.content.get("mark")
    return Printed(
        share=share,
        label=str(figure.content.get("label") or ""),
        mark=None if mark is None else str(mark),
        note=str(figure.content.get("note") or ""),
    )


def _text(figure: Figure, name: str) -> str:
    """Return the text NAME of FIGURE, which it must have."""
    found = figure.content.get(name)
    if not isinstance(found, str) or not found:
        raise _wrong(figure, f"{name} as a text", found)
    return found


def _number(figure: Figure, name: str) -> float | None:
    """Return the number NAME of FIGURE, None where it has none."""
    found = figure.content.get(name)
    if found is None:
        return None
    if isinstance(found, bool) or not isinstance(found, int | float) or not 0 <= found < float("inf"):
        raise _wrong(figure, f"{name} as a number that is not negative", found)
    return float(found)


def _wrong(figure: Figure, expected: str, found: Any) -> DataError:
    """Return what is wrong with FIGURE."""
    where = harmless(f"{figure.table} {figure.name}"[:80])
    said = "nothing" if found is None else f"'{harmless(str(found)[:80])}'"
    return DataError(f"published {where}: expected {expected}, found {said}")
