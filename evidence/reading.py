"""How is a figure read?  From what a command printed, or from the file that it wrote.

    passed     how many tests passed, all or those of some names
    matched    what a regular expression finds
    cells      cells of tables in a page
    FigureMissing   there is none

A reader returns values by name: numbers, or words.  One that finds nothing raises, so that no figure is made up.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

Values = Mapping[str, float | str]
Reader = Callable[[str], Values]


class FigureMissing(Exception):
    """What was read has no such figure."""


def passed(*names: str) -> Reader:
    r"""Return a reader of how many tests of these NAMES passed, of all without; a name is that of a file or a test.

    >>> passed("tests/a.py::test_b")("PASSED tests/a.py::test_b[x]\nPASSED tests/a.py::test_c")["passed"]
    1
    """

    def read(text: str) -> dict[str, float | str]:
        found = tests_that("PASSED", text)
        own = {name: sum(is_of(one, name) for one in found) for name in names} if names else {"any test": len(found)}
        missing = [name for name, number in own.items() if not number]
        if missing:
            raise FigureMissing(f"nothing passed of {', '.join(missing)}")
        return {"passed": sum(own.values())}

    return read


def tests_that(outcome: str, text: str) -> list[str]:
    """Return which tests PASSED or FAILED or met an ERROR, by the TEXT that pytest prints with -rap."""
    return re.findall(rf"^{outcome} (\S+)", text, flags=re.MULTILINE)


def is_of(test: str, name: str) -> bool:
    """Tell whether TEST is the one of that NAME, or in a file or folder of that name."""
    return re.match(rf"{re.escape(name)}(\W|$)", test) is not None


def matched(pattern: str) -> Reader:
    r"""Return a reader of the named groups of PATTERN, where it is found last; what is a number becomes one.

    >>> matched(r"(?P<rounds>\d+) rounds")("50 rounds, nothing lost")
    {'rounds': 50.0}
    """

    def read(text: str) -> dict[str, float | str]:
        found = [*re.finditer(pattern, text, flags=re.MULTILINE)]
        if not found:
            raise FigureMissing(f"nothing like {pattern}")
        return {name: _number(value) for name, value in found[-1].groupdict().items() if value is not None}

    return read


class Cell(NamedTuple):
    """A place in a page: the table under a HEADING, the ROW that begins with these cells, and the COLUMN."""

    heading: str
    row: str
    column: str


def cells(**places: Cell) -> Reader:
    """Return a reader of the numbers at PLACES, by their names."""

    def read(text: str) -> dict[str, float | str]:
        return {name: _number(_at(text, place)) for name, place in places.items()}

    return read


def section(text: str, heading: str) -> str:
    """Return what stands under HEADING, up to the next one of its kind or above."""
    found = re.search(rf"^(#+) {re.escape(heading)}\n", text, flags=re.MULTILINE)
    if not found:
        raise FigureMissing(f"no heading {heading!r}")
    rest = text[found.end() :]
    following = re.search(rf"^#{{1,{len(found[1])}}} ", rest, flags=re.MULTILINE)
    return rest[: following.start()] if following else rest


def _at(text: str, place: Cell) -> str:
    """Return the content of a cell."""
    column = None
    for line in section(text, place.heading).splitlines():
        content = [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]
        if not line.startswith("|"):
            column = None
        elif column is None:
            column = content.index(place.column) if place.column in content else -1
        elif column >= 0 and " | ".join(content).startswith(f"{place.row} |"):
            return content[column]
    raise FigureMissing(f"no {place.column!r} of {place.row!r} under {place.heading!r}")


def _number(text: str) -> float | str:
    """Return TEXT as the number that it is, without separators and x, or as it is."""
    try:
        return float(text.replace(",", "").removesuffix("x"))
    except ValueError:
        return text
