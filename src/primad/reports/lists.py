"""How do rows, facts and counts become text, or a document for programs?  Nothing is known here of what they are about.

fitted         rows as a table that fits a terminal: long names are cut first, then columns follow below
facts          names with their values, one to a line
counts         values with how often they occur
many           a number of things
ordinal        a place in an order
size           a number of bytes as people read it
spent          a number of minutes as people read it
signed         a difference
when           a time to the minute
logged         what was done, when and by whom
detailed       what a log says of something that was done
json_document  values for programs, with the version of their form
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from typing import Any

from primad.reports._tables import (
    GAP,
    Row,
    aligned,
    cut,
    folded,
    harmless,
    json_text,
    number,
    padded,
    width_of,
    wrapped,
)

# Names are cut to the first of these with which the table fits.
_CELLS = (60, 40, 28, 20, 16)
_NAMED = 2  # so many columns tell which row it is, and are repeated where a table is folded
_STEP = 1000
_UNITS = ("bytes", "kB", "MB", "GB", "TB")
_SIXTY = 60
_TEENS = range(11, 14)
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?[+-]\d\d:\d\d")  # as logs have it


def fitted(rows: Sequence[Row], texts: int, width: int | None) -> str:
    """Return ROWS, the first being the heading, as a table; the first columns, TEXTS, are names, the others numbers.

    Without a WIDTH nothing is cut, for what reads it is a program.

    >>> print(fitted([["tag", "map"], ["bm25", "0.2087"]], 1, None), end="")
    tag      map
    ────  ──────
    bm25  0.2087
    """
    if width is None:
        return aligned([[harmless(cell) for cell in row] for row in rows], texts)
    tables = ([[*map(_cell(longest), row[:texts]), *map(harmless, row[texts:])] for row in rows] for longest in _CELLS)
    table: list[Row] = []
    for table in tables:
        if width_of(table) <= width:
            return aligned(table, texts)
    return folded(padded(table, texts), min(_NAMED, texts), width)


def facts(named: Mapping[str, str], width: int | None = None) -> str:
    r"""Return the values that are NAMED, one to a line; what has no value is left out.

    >>> facts({"tag": "bm25", "team": "", "collection": "Core17"})
    'tag         bm25\ncollection  Core17\n'
    """
    stated = {name: harmless(value) for name, value in named.items() if value}
    room = max(map(len, stated), default=0)
    return "".join(wrapped(value, width, f"{name:<{room}}{GAP}") for name, value in stated.items())


def counts(field: str, values: Iterable[tuple[str, int]], width: int | None) -> str:
    """Return how many runs have each of VALUES of a FIELD."""
    rows = [[field, "runs"], *([value or "(not stated)", f"{count:,}"] for value, count in values)]
    return fitted(rows, 1, width)


def many(count: int, thing: str) -> str:
    """Return so many of a THING.

    >>> many(1, "run"), many(1234, "run")
    ('1 run', '1,234 runs')
    """
    return f"{count:,} {thing}{'s' * (count != 1)}"


def ordinal(place: int) -> str:
    """Return PLACE as a place in an order.

    >>> [ordinal(place) for place in (1, 2, 3, 4, 11, 12, 21, 112, 1003)]
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '21st', '112th', '1,003rd']
    """
    ending = "th" if place % 100 in _TEENS else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place:,}{ending}"


def size(count: int) -> str:
    """Return a COUNT of bytes with its unit.

    >>> size(1), size(999), size(1500), size(5_000_000_000)
    ('1 byte', '999 bytes', '1.5 kB', '5.0 GB')
    """
    if count < _STEP:
        return many(count, "byte")
    value, unit = float(count), 0
    while value >= _STEP and unit < len(_UNITS) - 1:
        value, unit = value / _STEP, unit + 1
    return f"{value:,.1f} {_UNITS[unit]}"


def spent(minutes: float) -> str:
    """Return a number of MINUTES as people say them.

    >>> spent(0), spent(0.5), spent(12.345), spent(75.4)
    ('0 s', '30 s', '12.3 min', '1 h 15 min')
    """
    if round(minutes * 60) < _SIXTY:
        return f"{minutes * 60:.0f} s"
    hours, rest = divmod(round(minutes), _SIXTY)
    return f"{hours} h {rest} min" if hours else f"{minutes:.1f} min"


def signed(value: float) -> str:
    """Return a difference with its sign.

    >>> signed(0.03), signed(-0.03), signed(0)
    ('+0.0300', '-0.0300', '0.0000')
    """
    return f"+{number(value)}" if value > 0 else number(value)


def when(at: datetime | None) -> str:
    """Return a time to the minute, in UTC; empty where there is none."""
    return "" if at is None else f"{at:%Y-%m-%d %H:%M}"


def logged(events: Sequence[Any], width: int | None) -> str:
    """Return EVENTS, lines of a log, as a table: when, who, what; nothing if there are none."""
    rows = [["when", "who", "what", "details"]]
    rows += [[when(one.at), one.whom, one.verb, detailed(one.details)] for one in events]
    return fitted(rows, 4, width) if events else ""


def detailed(details: Mapping[str, Any]) -> str:
    """Return the DETAILS of a line of a log in words; what is empty is not told.

    >>> detailed({"eligible": True, "reason": "it runs", "remark": ""})
    'eligible: yes, reason: it runs'
    >>> detailed({"before": {"started_at": "2026-05-04T12:00:00+00:00", "ended_at": None}})
    'before: started at 2026-05-04 12:00'
    """
    return ", ".join(f"{name}: {_in_words(value)}" for name, value in details.items() if value not in ("", None))


def _in_words(value: Any) -> str:
    """Return VALUE of a line of a log for people, to whom a time is told to the minute, in UTC.

    >>> _in_words(["a", "b"]), _in_words("2026-05-04T12:00:00+02:00"), _in_words("2026")
    ('a and b', '2026-05-04 10:00', '2026')
    >>> _in_words("0001-01-01T00:00:00+05:00")
    '0001-01-01T00:00:00+05:00'
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        told = {str(name).replace("_", " "): one for name, one in value.items() if one not in ("", None)}
        return " and ".join(f"{name} {_in_words(one)}" for name, one in told.items())
    if isinstance(value, list | tuple):
        return " and ".join(map(_in_words, value))
    if isinstance(value, str) and _TIME.fullmatch(value):
        with suppress(ValueError, OverflowError):  # what people wrote may look like a time, and be none in UTC
            return when(datetime.fromisoformat(value).astimezone(UTC))
    return str(value)


def json_document(schema: str, content: Any, **more: Any) -> str:
    """Return CONTENT, whose form is named by SCHEMA, and what else there is to say as JSON."""
    return json_text({"schema": schema, **plain(content), **plain(more)})


def plain(value: Any) -> Any:
    """Return VALUE as JSON has it: what has fields as a mapping, a time as ISO 8601 writes it.

    >>> plain({"at": datetime(2017, 3, 1, 12, 30), "of": (1, None)})
    {'at': '2017-03-01T12:30:00', 'of': [1, None]}
    """
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return value


def _cell(longest: int) -> Any:
    """Return what makes a text fit a cell of at most LONGEST characters."""
    return lambda text: cut(harmless(text), longest)
