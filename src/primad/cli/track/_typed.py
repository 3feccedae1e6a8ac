"""Is what somebody typed what it must be?  Words and numbers, refused in our words rather than in those of a parser.

attempt_number   the number of an attempt
span_number      the number of a while of work
level_number     a level of repeatability
one_of           a reader of one of a few words
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from enum import StrEnum
from typing import TypeVar

import typer

_Word = TypeVar("_Word", bound=StrEnum)

_MOST_DIGITS = 9  # of a number that a column holds
_HIGHEST_LEVEL = 4
_LONGEST_SHOWN = 40


def attempt_number(text: str) -> int:
    """Return TEXT as the number of an attempt."""
    number = _number(text)
    if number is None:
        raise typer.BadParameter(f"attempts have numbers, found {_quoted(text)}; see them with: primad track show")
    return number


def span_number(text: str) -> int:
    """Return TEXT as the number of a while of work."""
    number = _number(text)
    if number is None:
        hint = "see them with: primad track show N, N being the attempt"
        raise typer.BadParameter(f"whiles of work have numbers, found {_quoted(text)}; {hint}")
    return number


def level_number(text: str) -> int:
    """Return TEXT as a level of repeatability."""
    number = _number(text)
    if number is None or number > _HIGHEST_LEVEL:
        hint = "the number of the attempt comes first, as in: primad track level 1 4"
        raise typer.BadParameter(f"levels are 1, 2, 3 and 4, found {_quoted(text)}; {hint}")
    return number


def _number(text: str) -> int | None:
    """Return TEXT as a whole number above 0, None if it is none."""
    is_number = text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS
    return int(text) or None if is_number else None


def one_of(words: type[_Word]) -> Callable[[str], _Word]:
    """Return what reads a text as one of WORDS, and says which one was perhaps meant if it is none."""

    def read(text: str) -> _Word:
        try:
            return words(text)
        except ValueError:
            near = difflib.get_close_matches(text[:_LONGEST_SHOWN].lower(), list(words), n=1)
            meant = f"; did you mean '{near[0]}'?" if near else ""
            raise typer.BadParameter(f"expected {', '.join(words)}, found {_quoted(text)}{meant}") from None

    return read


def _quoted(text: str) -> str:
    """Return the beginning of TEXT in quotes, harmless to a terminal."""
    from primad.metadata.showing import harmless

    return f"'{harmless(text[:_LONGEST_SHOWN])}'"
