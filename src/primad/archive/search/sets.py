"""How are sets of runs cut with each other?

    Runs          a set of runs, a bit for each run there is
    chosen        the runs that a selection finds
    numbers_of    the numbers of runs that a question to the database yields, in its order
    is_one_of     the condition that a run is in a small set
    is_marked     the condition that a run is in a large set
    ask           the rows that a question to the database has

A database cuts two sets of a hundred thousand runs by looking up each run of one in the other.  To hand over the
numbers as one text and compare bits here takes a fraction of that time, and one byte of memory for each run there is.
A condition takes the bits back to the database.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from django.db import connection

from primad.archive.search.conditions import ALL, Part
from primad.archive.search.selecting import REMOVED, Selection

Numbers = npt.NDArray[np.int64]
Bits = npt.NDArray[np.bool_]

_JOINED = {"sqlite": "GROUP_CONCAT(id)", "postgresql": "STRING_AGG(CAST(id AS text), ',')"}
_IS_ONE_OF = {
    "sqlite": "{} IN (SELECT value FROM json_each(%s))",
    "postgresql": "{} IN (SELECT UNNEST(CAST(%s AS bigint[])))",
}
_IS_MARKED = {
    "sqlite": "SUBSTR(%s, {} + 1, 1) = x'01'",
    "postgresql": "CASE WHEN {0} < %s THEN GET_BIT(%s, {0}) ELSE 0 END = 1",
}


@dataclass(frozen=True)
class Runs:
    """A set of runs: the bit at the number of a run tells whether it belongs to the set."""

    bits: Bits

    @property
    def total(self) -> int:
        """Return how many runs there are."""
        return int(np.count_nonzero(self.bits))

    @property
    def numbers(self) -> list[int]:
        """Return the numbers of the runs."""
        found: list[int] = np.flatnonzero(self.bits).tolist()
        return found

    @property
    def share(self) -> float:
        """Return how large a part of all runs this is."""
        return self.total / len(self.bits)

    def among(self, numbers: Numbers) -> Numbers:
        """Return those of NUMBERS that belong to the set, in their order."""
        there = numbers[numbers < len(self.bits)]  # another may have come meanwhile
        return there[self.bits[there]]


def chosen(selection: Selection) -> Runs:
    """Return the runs that SELECTION finds."""
    wanted = [_numbers(part) for part in selection.wanted or (ALL,)]
    unwanted = [_numbers(part) for part in (*selection.unwanted, REMOVED)]
    size = 1 + max(int(numbers.max(initial=0)) for numbers in wanted)
    bits = np.ones(size, dtype=np.bool_)
    for numbers in wanted:
        bits &= _bits(numbers, size)
    for numbers in unwanted:
        bits &= ~_bits(numbers, size)
    return Runs(bits)


def _numbers(part: Part) -> Numbers:
    """Return the numbers of the runs in PART."""
    return numbers_of(part.sql, part.parameters)


def _bits(numbers: Numbers, size: int) -> Bits:
    """Return as many bits as SIZE, those at NUMBERS set."""
    bits = np.zeros(size, dtype=np.bool_)
    bits[numbers[numbers < size]] = True
    return bits


# Asking ----------------------------------------------------------------------------------------------------------


def numbers_of(sql: str, parameters: Sequence[Any] = ()) -> Numbers:
    """Return the numbers in the column id of SQL, in their order."""
    ((text,),) = ask(f"SELECT {_JOINED[connection.vendor]} FROM ({sql}) AS found", parameters)  # noqa: S608 - ours
    return np.fromstring(text or "", dtype=np.int64, sep=",")


def is_one_of(column: str, runs: Runs) -> Part:
    """Return the condition that the number in COLUMN is that of one of RUNS, which are few: each is looked up."""
    numbers = runs.numbers
    given = json.dumps(numbers) if connection.vendor == "sqlite" else numbers
    return Part(_IS_ONE_OF[connection.vendor].format(column), (given,))


def is_marked(column: str, runs: Runs) -> Part:
    """Return the condition that the number in COLUMN is that of one of RUNS, which are many: all are gone through."""
    sql = _IS_MARKED[connection.vendor].format(column)
    if connection.vendor == "sqlite":
        return Part(sql, (runs.bits.tobytes(),))
    return Part(sql, (len(runs.bits), np.packbits(runs.bits, bitorder="little").tobytes()))


def ask(sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
    """Return the rows that SQL with PARAMETERS has."""
    with connection.cursor() as cursor:
        cursor.execute(sql, list(parameters))
        rows: list[Any] = cursor.fetchall()
    return rows
