"""What exactly is wrong with a file that somebody sent?  Every line of it, not only the first.

wrongs    each thing that is wrong: where, what was expected, what was found
summed    an error as one sentence above such a list
called    an error about bytes, with the name of the file that they came from
"""

from __future__ import annotations

from typing import NamedTuple

from primad.errors import DataError, FileError, FormatError, MeasurementError, PrimadError

MOST_SHOWN = 200


class Wrong(NamedTuple):
    """One thing that is wrong: WHERE, what was EXPECTED there, what was FOUND."""

    where: str
    expected: str
    found: str


def wrongs(error: PrimadError) -> list[Wrong]:
    """Return each thing that is wrong by ERROR, empty where it is about no lines."""
    if isinstance(error, MeasurementError):
        return [Wrong(f"{one.where}, {one.field}", one.expected, one.found) for one in error.flaws[:MOST_SHOWN]]
    if isinstance(error, FormatError):
        shown = error.problems[:MOST_SHOWN]
        return [Wrong(f"{error.path}, line {one.line:,}", one.expected, one.found) for one in shown]
    return []


def summed(error: PrimadError) -> PrimadError:
    """Return ERROR in one sentence, where a list below says each thing that is wrong."""
    total = len(error.flaws) if isinstance(error, MeasurementError) else 0
    total = error.total if isinstance(error, FormatError) else total
    if not total:
        return error
    hint = f"; {error.hint}" if isinstance(error, FormatError) and error.hint else ""
    if total == 1:
        return DataError(f"something is wrong; it is told below{hint}")
    shown = "each is told below" if total <= MOST_SHOWN else f"the first {MOST_SHOWN} are told below"
    return DataError(f"{total:,} things are wrong; {shown}{hint}")


def called(error: FileError, name: str) -> FileError:
    """Return ERROR, which is about bytes, as one about the file NAME."""
    if isinstance(error, FormatError):
        return FormatError(name, error.problems, error.total, error.hint)
    return type(error)(name, error.found, error.hint)
