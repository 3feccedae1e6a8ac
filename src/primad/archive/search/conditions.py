"""Which runs meet one condition?  Each answer is a set of runs, as SQL that an index alone can answer.

    Part                      a set of runs: SQL that yields their numbers, and its parameters
    Bounds                    from which number or time to which
    ALL, NONE                 every run, and no run
    states, states_between    a field of records has a value, or a number within bounds
    compared                  a column of runs or of rankings has a number, or lies within bounds
    on_collections            runs on collections
    added                     runs that were added at some time
    begins                    runs whose address begins so
    scores                    runs whose score, by the judgments that count now, lies within bounds
    says                      runs in whose texts words stand, one behind the other
    either, other_than        the runs of several sets, and all but those of a set

Whatever people wrote is a parameter, and never part of the SQL.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection

_LAST, _BEFORE_SURROGATES, _AFTER_SURROGATES = 0x10FFFF, 0xD7FF, "\ue000"
_ADDRESS = 64

_SCORES = """SELECT r.id FROM archive_score s JOIN archive_collection c ON c.qrels_id = s.qrels_id
JOIN archive_run r ON r.ranking_id = s.ranking_id AND r.collection_id = c.id WHERE s.measure = %s"""
_SAYS = {
    "sqlite": """SELECT run_id AS id FROM archive_runtext
WHERE text_id IN (SELECT rowid FROM archive_words WHERE archive_words MATCH %s)""",
    "postgresql": """SELECT run_id AS id FROM archive_runtext
WHERE text_id IN (SELECT id FROM archive_text WHERE places @@ to_tsquery('simple', %s))""",
}


@dataclass(frozen=True)
class Part:
    """A set of runs: SQL with the column id, its PARAMETERS, and whether no run can be there twice."""

    sql: str
    parameters: tuple[Any, ...] = ()
    is_unique: bool = True


ALL = Part("SELECT id FROM archive_run")
NONE = Part("SELECT id FROM archive_run WHERE 1 = 0")


@dataclass(frozen=True)
class Bounds:
    """From LOW to HIGH, None for no bound; whether the bounds belong to it."""

    low: Any = None
    high: Any = None
    has_low: bool = True
    has_high: bool = True

    def on(self, column: str) -> tuple[str, tuple[Any, ...]]:
        """Return the condition that COLUMN lies within, with its parameters."""
        low = (f"{column} {'>=' if self.has_low else '>'} %s", self.low)
        high = (f"{column} {'<=' if self.has_high else '<'} %s", self.high)
        given = [one for one in (low, high) if one[1] is not None]
        texts = [text for text, _ in given] or [f"{column} IS NOT NULL"]
        return " AND ".join(texts), tuple(value for _, value in given)


def states(field: int, texts: Sequence[str], numbers: Sequence[float], beginnings: Sequence[str]) -> Part:
    """Return the runs that state one of TEXTS or NUMBERS at FIELD, or a text with one of BEGINNINGS."""
    parts = []
    if texts:
        parts.append(_facts(field, f"value IN ({_places(texts)})", texts, is_unique=len(texts) == 1))
    if numbers:
        parts.append(_facts(field, f"number IN ({_places(numbers)})", numbers))
    if beginnings:
        condition, parameters = _one_of("value", [_beginning(one) for one in beginnings])
        parts.append(_facts(field, condition, parameters))
    return either(parts)


def states_between(field: int, bounds: Bounds) -> Part:
    """Return the runs that state a number within BOUNDS at FIELD."""
    condition, parameters = bounds.on("number")
    return _facts(field, condition, parameters)


def _facts(field: int, condition: str, parameters: Sequence[Any], *, is_unique: bool = False) -> Part:
    """Return the runs of which a fact at FIELD meets CONDITION."""
    sql = f"SELECT run_id AS id FROM archive_fact WHERE field_id = %s AND {condition}"  # noqa: S608 - ours
    return Part(sql, (field, *parameters), is_unique)


def _beginning(text: str) -> Bounds:
    """Return the texts that begin with TEXT as bounds; none, if it is empty.

    >>> _beginning("bm"), _beginning("")
    (Bounds(low='bm', high='bn', has_low=True, has_high=False), Bounds(low='', high=None, has_low=True, has_high=True))
    """
    head = text.rstrip(chr(_LAST))
    if not head:
        return Bounds(low=text)
    last = ord(head[-1])
    return Bounds(low=text, high=head[:-1] + _following(last), has_high=False)


def _following(code: int) -> str:
    """Return the character behind the one with CODE."""
    return _AFTER_SURROGATES if code == _BEFORE_SURROGATES else chr(code + 1)


def _one_of(column: str, ranges: Sequence[Bounds]) -> tuple[str, tuple[Any, ...]]:
    """Return the condition that COLUMN lies within one of RANGES, with its parameters; a UNION takes fewer of them."""
    given = [bounds.on(column) for bounds in ranges]
    return f"({' OR '.join(f'({text})' for text, _ in given)})", tuple(one for _, some in given for one in some)


def compared(column: str, numbers: Sequence[Any], bounds: Bounds | None = None) -> Part:
    """Return the runs whose COLUMN is one of NUMBERS, or lies within BOUNDS."""
    table, _, name = column.rpartition(".")
    condition, parameters = bounds.on(name) if bounds else (f"{name} IN ({_places(numbers)})", tuple(numbers))
    if table == "ranking":
        condition = f"ranking_id IN (SELECT id FROM archive_ranking WHERE {condition})"  # noqa: S608 - ours
    return Part(f"SELECT id FROM archive_run WHERE {condition}", parameters)  # noqa: S608 - ours


def on_collections(collections: Sequence[int]) -> Part:
    """Return the runs on COLLECTIONS."""
    return compared("collection_id", collections) if collections else NONE


def added(times: Bounds) -> Part:
    """Return the runs that were added at TIMES."""
    low, high = (one and connection.ops.adapt_datetimefield_value(one) for one in (times.low, times.high))
    return compared("added_at", (), Bounds(low, high, times.has_low, times.has_high))


def begins(beginnings: Sequence[str]) -> Part:
    """Return the runs whose address has one of BEGINNINGS."""
    whole = [one for one in beginnings if len(one) == _ADDRESS]
    parts = [compared("address", whole)] if whole else []
    shorter = [_digits(one) for one in beginnings if len(one) != _ADDRESS]
    if shorter:
        condition, parameters = _one_of("address", shorter)
        parts.append(Part(f"SELECT id FROM archive_run WHERE {condition}", parameters))  # noqa: S608 - ours
    return either(parts)


def _digits(start: str) -> Bounds:
    """Return the addresses that begin with START as bounds; a letter is behind all digits in any order of letters."""
    return Bounds(start, f"{start}g", has_high=False)


def scores(measure: str, bounds: Bounds, collections: Sequence[int] | None) -> Part:
    """Return the runs whose score by MEASURE lies within BOUNDS; only those on COLLECTIONS, if these are given."""
    condition, parameters = bounds.on("s.value")
    sql = f"{_SCORES} AND {condition}"
    if collections:
        return Part(f"{sql} AND c.id IN ({_places(collections)})", (measure, *parameters, *collections))
    return Part(sql, (measure, *parameters))


def says(words: Sequence[str], *, is_prefix: bool) -> Part:
    """Return the runs in whose texts WORDS stand behind each other; with IS_PREFIX, the last may go on."""
    if connection.vendor == "sqlite":
        wanted = f'"{" ".join(words)}"' + " *" * is_prefix
    else:
        wanted = " <-> ".join(f"'{word}'" for word in words) + ":*" * is_prefix
    return Part(_SAYS[connection.vendor], (wanted,), is_unique=False)


def either(parts: Sequence[Part]) -> Part:
    """Return the runs that are in one of PARTS."""
    if len(parts) <= 1:
        return parts[0] if parts else NONE
    sql = " UNION ALL ".join(f"SELECT id FROM ({part.sql}) AS one" for part in parts)  # noqa: S608 - ours
    return Part(sql, tuple(one for part in parts for one in part.parameters), is_unique=False)


def other_than(part: Part) -> Part:
    """Return the runs that are not in PART."""
    return Part(f"{ALL.sql} AS run WHERE NOT EXISTS ({_same(part, 'run.id')})", part.parameters)


def _same(part: Part, number: str) -> str:
    """Return SQL that yields something if the run with NUMBER is in PART."""
    return f"SELECT 1 FROM ({part.sql}) AS other WHERE other.id = {number}"  # noqa: S608 - ours


def _places(values: Sequence[Any]) -> str:
    """Return a place for each of VALUES."""
    return ", ".join(["%s"] * len(values))
