"""What is a table of the report?  Cells as people read them, for every form of the report alike.

Table                           heading, rows, and what is said below
minutes, percent, value, span   numbers as cells
pair                            two numbers, with as many digits as tell them apart
yes_or_no                       an answer that may still be open
few_items                       that a test on so few items says nothing
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from primad.reports._tables import NONE, number

_WHOLE, _LEAST = 10, 0.1
_MORE, _MOST = 5, 12  # digits
_FEW = 10  # items; below, hardly any way to swap them is left
_WIDE = 7  # columns; with sentences in more than these, a page has room for neither


@dataclass(frozen=True)
class Table:
    """A table: its NAME for files, its TITLE, a CAPTION, a HEADING, and ROWS of equally many cells.

    The first TEXTS columns are text, the last SAID ones are sentences, those between are numbers.  A cell may have
    several lines.  LABELS call each row where its sentence stands below the table.  In a GROUPED table the first column
    is shown only where it changes; one of PROSE reads as a list below each of its first cells, where lists can be had.
    Where there are no rows, EMPTY says so.
    """

    name: str
    title: str
    caption: str
    heading: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    empty: str
    texts: int = 1
    said: int = 0
    labels: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    grouped: bool = False
    prose: bool = False

    @property
    def narrow(self) -> int:
        """Return how many columns are no sentences."""
        return len(self.heading) - self.said

    @property
    def wide(self) -> bool:
        """Tell whether a page has its sentences below the table, for want of room."""
        return self.narrow > _WIDE and bool(self.labels)

    @property
    def columns(self) -> int:
        """Return how many columns a page shows: sentences are left out where they stand below, or where none is."""
        said = any(cell for row in self.rows for cell in row[self.narrow :])
        return len(self.heading) if said and not self.wide else self.narrow

    def shown_rows(self) -> Iterator[tuple[str, ...]]:
        """Yield the rows as they are shown: the first cell of a grouped table only where it changes."""
        above = None
        for row in self.rows:
            yield ("", *row[1:]) if self.grouped and row[0] == above else row
            above = row[0]

    def lines(self) -> Iterator[tuple[str, ...]]:
        """Yield the rows as lines: a cell of several lines takes several of them."""
        for row in self.shown_rows():
            parts = [cell.split("\n") for cell in row]
            for place in range(max(map(len, parts))):
                yield tuple(part[place] if place < len(part) else "" for part in parts)

    def listed(self) -> dict[str, list[tuple[str, str]]]:
        """Return the rows of prose below each first cell: who says or is meant, and what is said."""
        found: dict[str, list[tuple[str, str]]] = {}
        for row in self.rows:
            who = ", ".join(cell for cell in row[1 : self.narrow] if cell != NONE)
            found.setdefault(row[0], []).append((who, "\n".join(filter(None, row[self.narrow :]))))
        return found

    def sentences(self) -> dict[str, list[str]]:
        """Return the sentences of all rows, each once, with the labels of the rows that it is about."""
        said: dict[str, list[str]] = {}
        for label, row in zip(self.labels, self.rows, strict=False):
            for cell in filter(None, row[self.narrow :]):
                said.setdefault(cell, []).append(label)
        return said


def minutes(value: float | None) -> str:
    """Return a number of minutes.

    >>> minutes(47.0), minutes(4.25), minutes(0.02), minutes(93.4)
    ('47', '4.2', '<0.1', '93')
    """
    if value is None:
        return NONE
    if 0 < value < _LEAST:
        return f"<{_LEAST}"
    return f"{value:.0f}" if value >= _WHOLE or value == int(value) else f"{value:.1f}"


def percent(share: float | None) -> str:
    """Return a share in percent.

    >>> percent(0.33)
    '33%'
    """
    return NONE if share is None else f"{share:.0%}"


def value(found: float | None) -> str:
    """Return a score, or that there is none."""
    return NONE if found is None else number(found)


def pair(first: float | None, second: float | None) -> tuple[str, str]:
    """Return two scores that stand beside each other, with as many digits as tell them apart.

    >>> pair(0.8, 0.78), pair(0.8, 0.8000003), pair(0.8, None)[0]
    (('0.8000', '0.7800'), ('0.8000000', '0.8000003'), '0.8000')
    """
    texts = value(first), value(second)
    if first is None or second is None or texts[0] != texts[1]:
        return texts
    longer = ((f"{first:.{places}f}", f"{second:.{places}f}") for places in range(_MORE, _MOST + 1))
    return next((one for one in longer if one[0] != one[1]), texts)


def span(low: float | None, high: float | None) -> str:
    """Return an interval.

    >>> span(-0.01, 0.02)
    '[-0.0100, 0.0200]'
    """
    return NONE if low is None or high is None else f"[{number(low)}, {number(high)}]"


def few_items(count: int | None) -> str:
    """Return that nothing follows from a test on a COUNT of items, empty where there are enough, or no test.

    >>> few_items(5), few_items(10), few_items(None)
    ('With 5 items only, nothing follows from the test of the difference.', '', '')
    """
    if count is None or count >= _FEW:
        return ""
    return f"With {count} item{'s' * (count != 1)} only, nothing follows from the test of the difference."


def yes_or_no(answer: bool | None) -> str:  # noqa: FBT001  (it is the value that is shown)
    """Return an ANSWER as a word.

    >>> yes_or_no(True), yes_or_no(None)
    ('yes', 'not decided')
    """
    return "not decided" if answer is None else "yes" if answer else "no"
