"""How are tables of measurements or labels read, from CSV, from TSV and from rows of a frame?

    header_of     the first row of a text, and what parts its columns
    rows_of       all rows of a text, with their lines
    cell_count    how many cells a row has, as a message says it
    read_table    a text of rows, one measurement or label each
    read_rows     rows of texts under a header

A column ``c:NAME`` holds a condition, ``a:NAME`` an attribute of the object.  The header decides what parts the columns
(comma, semicolon or tab) and whether rows are measurements or labels.  A blank cell says nothing.  Where semicolons
part columns, numbers may have a decimal comma, as spreadsheets write both together.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from itertools import pairwise
from operator import itemgetter
from typing import TYPE_CHECKING

from primad.qra.naming import nearest, short
from primad.qra.reading.fields import Record, pointed
from primad.qra.reading.records import FIELDS, NEEDED, Kind, kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from primad.qra.reading.fields import Notes
    from primad.qra.reading.records import Reading

    Pick = Callable[[Sequence[str]], tuple[str, ...]]

_SEPARATORS = ",\t;"
_OPEN_ENDED = {"c:": "conditions", "a:": "attributes"}
# A line of that length has more columns than anybody means, and each takes memory.
_LONGEST_LINE = 4 << 20
_MOST_LISTED = 8
_NUMBERS = ("value", "scale_min", "scale_max", "standard_error", "alpha")
_WHOLE = re.compile(r"[-+]?[0-9]{1,20}")
_DECIMALS = re.compile(r"[0-9]{1,20} ?%?")
_NEEDED = "; " + ", ".join(
    f"{kind}s need the columns {', '.join(NEEDED[kind][:-1])} and {NEEDED[kind][-1]}"
    for kind in ("measurement", "label")
)


def header_of(text: str) -> tuple[list[str], str]:
    """Return the cells of the first row of TEXT that is not blank, and the separator that makes most sense of it."""
    known = {name for names in FIELDS.values() for name in names}

    def sense(separator: str) -> tuple[int, int]:
        cells = _first_row(text, separator)
        folded = [cell.strip().casefold() for cell in cells]
        return sum(name in known or name[:2] in _OPEN_ENDED for name in folded), len(cells)

    best = max(_SEPARATORS, key=sense)
    return _first_row(text, best), best


def _first_row(text: str, separator: str) -> list[str]:
    """Return the cells of the first row of TEXT that has any."""
    start = io.StringIO(text[:_LONGEST_LINE], newline="")
    try:
        return next((cells for cells in csv.reader(start, delimiter=separator) if any(cells)), [])
    except csv.Error:
        return []


def read_table(text: str, reading: Reading) -> None:
    """Read the rows of TEXT."""
    notes = reading.notes
    if (long := _long_line(text)) is not None:
        notes.flaw(long, "row", f"lines of at most {_LONGEST_LINE:,} characters", "a longer one")
        return
    header, separator = header_of(text)
    rows = rows_of(text, separator, notes)
    first = next(rows, None)
    if first is None or not header:
        if not notes:
            notes.flaw(0, "header", "a row of column names", "none")
        return
    read_rows(header, rows, reading, line=first[0], separator=separator)


def _long_line(text: str) -> int | None:
    """Return the first line of TEXT that is too long, if there is one."""
    start = 0
    while len(text) - start > _LONGEST_LINE:
        end = text.rfind("\n", start, start + _LONGEST_LINE)
        if end < 0:
            return text.count("\n", 0, start) + 1
        start = end + 1
    return None


def rows_of(text: str, separator: str, notes: Notes) -> Iterator[tuple[int, list[str]]]:
    """Yield each row of TEXT that is not blank, with the line that it begins in; NOTES get what cannot be read."""
    # Without being strict, the reader takes all that follows an open quote for one cell.
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    line = 1
    try:
        for cells in reader:
            if any(cells):
                yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        expected, found = _trouble(str(error), separator)
        notes.flaw(line, "row", expected, found)


def _trouble(error: str, separator: str) -> tuple[str, str]:
    """Return what was expected and what was found where the reader of CSV gave up with ERROR."""
    if error == "unexpected end of data" or "field limit" in error:
        length = f" within {csv.field_size_limit():,} characters" if "field limit" in error else ""
        return "cells whose quotes are closed", f'a cell that does not end{length}; is a quote (") left open?'
    if "expected after" in error:
        return f"{short(separator)} behind a closing quote", 'more of the cell; inside quotes, write "" for a quote'
    return "rows of cells", f"what cannot be read on ({error})"


def read_rows(
    header: Sequence[str],
    rows: Iterable[tuple[int, Sequence[str]]],
    reading: Reading,
    *,
    line: int = 0,
    separator: str = "",
) -> None:
    """Read ROWS of cells, each with its line, parted by SEPARATOR under the HEADER that stands in LINE."""
    before = reading.notes.noted
    columns = _Columns(header, reading.notes, line, has_commas=separator == ";")
    reading.is_comparable = reading.notes.noted == before
    for at, cells in rows:
        if len(cells) != columns.width:
            if any(cell.strip() for cell in cells):
                found = cell_count(cells, columns.width, separator)
                reading.notes.flaw(at, "row", f"{columns.width} cells as in the header", found)
        elif (record := columns.record(cells, at)) is not None:
            reading.take(columns.kind, record)


def cell_count(cells: Sequence[str], width: int, separator: str) -> str:
    """Return how many CELLS there are, and which were perhaps one number if there are more than WIDTH.

    >>> cell_count(["A", "40", "31"], 2, ",")
    "3; if '40,31' is one number, write 40.31"
    """
    if separator == "," and len(cells) > width:
        for whole, decimals in pairwise(map(str.strip, cells)):
            if _WHOLE.fullmatch(whole) and _DECIMALS.fullmatch(decimals):
                return f"{len(cells)}; if '{whole},{decimals}' is one number, write {whole}.{decimals}"
    return f"{len(cells)}"


class _Columns:
    """Which column holds what, and how a row becomes a record."""

    def __init__(self, header: Sequence[str], notes: Notes, line: int, *, has_commas: bool) -> None:
        """Understand HEADER, which stands in LINE, and note what is wrong with it; numbers may HAVE_COMMAS."""
        self.width = len(header)
        self._notes = notes
        names = [_column_name(cell) for cell in header]
        self.kind: Kind = kind_of(names)
        fields = FIELDS[self.kind]
        self.fields = [name for name in names if name in fields]
        self._pick = _picker([index for index, name in enumerate(names) if name in fields])
        self._conditions = _Open("c:", names)
        self._attributes = _Open("a:", names)
        # The header has said it already: not every row need say it again.
        self._missing = dict.fromkeys(set(NEEDED[self.kind]) - set(names), "0")
        _note_repeated(names, notes, line)
        _note_missing(names, self.kind, notes, line)
        is_open = self.kind == "measurement"
        strange = [name for name in names if name not in fields and not (is_open and name[:2] in _OPEN_ENDED)]
        for name in filter(None, strange):
            notes.unread(name, fields)
        if is_open and any(strange):
            _advise_on_conditions([name for name in strange if name], fields, notes)
        self._with_commas = [name for name in _NUMBERS if has_commas and name in self.fields]

    def record(self, cells: Sequence[str], line: int) -> Record | None:
        """Return what the CELLS of a row in LINE say, None if all are blank."""
        stripped = [cell.strip() for cell in cells]
        if not any(stripped):
            return None
        texts = self._missing | dict(zip(self.fields, self._pick(stripped), strict=True))
        for name in self._with_commas:
            texts[name] = pointed(texts[name], self._notes)
        return Record(texts, line, self._conditions.said(stripped), self._attributes.said(stripped))


class _Open:
    """The columns with one prefix; equal rows of them share one mapping, as most files have few different ones."""

    def __init__(self, prefix: str, names: Sequence[str]) -> None:
        """Find the columns of NAMES that begin with PREFIX."""
        self._names = [name.removeprefix(prefix) for name in names if name.startswith(prefix)]
        self._pick = _picker([index for index, name in enumerate(names) if name.startswith(prefix)])
        self._known: dict[tuple[str, ...], Mapping[str, str]] = {(): {}}

    def said(self, cells: Sequence[str]) -> Mapping[str, str]:
        """Return what CELLS say under the names of the columns; blank cells say nothing."""
        key = self._pick(cells) if self._names else ()
        known = self._known.get(key)
        if known is None:
            known = dict(zip(self._names, key, strict=True))
            if "" in key:
                known = {name: cell for name, cell in known.items() if cell}
            self._known[key] = known
        return known


def _picker(indices: Sequence[int]) -> Pick:
    """Return a function that picks the cells at INDICES."""
    if len(indices) > 1:
        return itemgetter(*indices)
    return lambda cells: tuple(cells[index] for index in indices)


def _column_name(cell: str) -> str:
    """Return the name of a column; the names of conditions and attributes keep their case.

    >>> _column_name(" Scale_Min "), _column_name("C: Beam size")
    ('scale_min', 'c:Beam size')
    """
    name = cell.strip()
    prefix = name[:2].casefold()
    return prefix + name[2:].strip() if prefix in _OPEN_ENDED else name.casefold()


def _note_repeated(names: Sequence[str], notes: Notes, line: int) -> None:
    """Note columns that stand twice, and conditions and attributes without a name."""
    for name, times in Counter(name for name in names if name).items():
        if times > 1:
            notes.flaw(line, "header", "each column once", f"{short(name)} {times} times")
        if name in _OPEN_ENDED:
            notes.flaw(line, "header", f"a name after '{name}'", "nothing")


def _note_missing(names: Sequence[str], kind: Kind, notes: Notes, line: int) -> None:
    """Note columns that a table of this KIND cannot do without, and once what each kind of table needs."""
    strange = [other for other in names if other not in FIELDS[kind]][:_MOST_LISTED]
    close = {name: nearest(name, strange) for name in NEEDED[kind] if name not in names}
    last = next((name for name in reversed(close) if not close[name]), None)
    for name, near in close.items():
        found = f"none; is it {short(near)}?" if near else "none"
        notes.flaw(line, "header", f"a column '{name}'", found + _NEEDED * (name == last))


def _advise_on_conditions(strange: Sequence[str], fields: Sequence[str], notes: Notes) -> None:
    """Say how a condition is written, by one of the STRANGE columns that is no misspelled field."""
    few = strange[:_MOST_LISTED]
    example = next((name for name in few if not nearest(name, fields)), few[0])
    notes.advise(f"a condition is a column {short('c:' + example)}")
