"""How are sets of runs cut with each other, and values counted over them?

    Runs          a set of runs, a bit for each run there is
    chosen        the runs that a selection finds
    numbers_of    the numbers of runs that a question to the database yields, in its order
    one_of        the condition that a run is one of some
    ask           the rows that a question to the database has

A database cuts two sets of a hundred thousand runs by looking up each run of one in the other, and counts values in the
same way.  To hand over the numbers as one text and compare bits here takes a fraction of that time, and one byte of
memory for each run there is.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from django.db import connection

from primad.archive.conditions import ALL, Part
from primad.archive.selecting import REMOVED, Selection

Numbers = npt.NDArray[np.int64]
Bits = npt.NDArray[np.bool_]

_JOINED = {"sqlite": "GROUP_CONCAT({})", "postgresql": "STRING_AGG(CAST({} AS text), ',')"}
_ONE_OF = {
    "sqlite": "{} IN (SELECT value FROM json_each(%s))",
    "postgresql": "{} IN (SELECT UNNEST(CAST(%s AS bigint[])))",
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

    def has(self, numbers: Numbers) -> Bits:
        """Tell for each of NUMBERS whether it belongs to the set; one that has come meanwhile does not."""
        found = self.bits[np.minimum(numbers, len(self.bits) - 1)]
        return found & (numbers < len(self.bits))

    def among(self, numbers: Numbers) -> Numbers:
        """Return those of NUMBERS that belong to the set, in their order."""
        return numbers[self.has(numbers)]


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
    ((text,),) = ask(f"SELECT {joined('id')} FROM ({sql}) AS found", parameters)  # noqa: S608 - ours
    return parsed(text)


def joined(column: str) -> str:
    """Return the SQL that makes one text of the numbers in COLUMN."""
    return _JOINED[connection.vendor].format(column)


def parsed(text: str | None) -> Numbers:
    """Return the numbers of which ``joined`` has made TEXT.

    >>> parsed("3,17,4").tolist(), parsed(None).tolist()
    ([3, 17, 4], [])
    """
    return np.fromstring(text or "", dtype=np.int64, sep=",")


def one_of(column: str, numbers: Sequence[int]) -> Part:
    """Return the condition that the number in COLUMN is one of NUMBERS."""
    values = list(numbers)
    return Part(
        _ONE_OF[connection.vendor].format(column),
        (json.dumps(values) if connection.vendor == "sqlite" else values,),
    )


def ask(sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
    """Return the rows that SQL with PARAMETERS has."""
    with connection.cursor() as cursor:
        cursor.execute(sql, list(parameters))
        rows: list[Any] = cursor.fetchall()
    return rows
