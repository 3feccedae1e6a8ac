"""What do the values in a term of a query stand for: a text, a number, a time, the beginning of an address?

    words_in        the words of free text
    texts_in        values that are no range
    stated_in       values as records state them: texts, numbers, and beginnings of texts
    bounds_in       a range of numbers
    numbers_in      single numbers
    times_in        a year, a month or a day, or from one to another, as points in time
    addresses_in    how addresses begin

What cannot be meant is an error that says where in the query it stands.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

from primad.archive.search.conditions import Bounds
from primad.archive.search.facts import LONGEST, folded, number_of, storable, words_of
from primad.archive.search.language import Range, Term, Value, shown
from primad.errors import QueryError

_DATE = re.compile(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?")
_HEXADECIMAL = re.compile(r"[0-9a-f]{1,64}")
_ANY = (Value("", is_prefix=True),)
_DECEMBER = 12
_EXACT = 2**53  # below this, each whole number is a number of its own


def words_in(term: Term) -> list[str]:
    """Return the words of TERM."""
    (value,) = term.values
    words = words_of(str(storable(value.text)))
    if not words:
        raise QueryError(term.position, f"expected a word, found '{shown(value.text)}'")
    return words


def texts_in(term: Term) -> tuple[Value, ...]:
    """Return the values of TERM, which must not be a range."""
    if term.range:
        raise _expected(term, "a text", f"{term.range.low}..{term.range.high}")
    for value in term.values:
        if not value.text.strip() and not value.is_prefix:
            raise _expected(term, "a value", value.text)
    return term.values


def stated_in(
    term: Term, *, is_text: bool = False, has_versions: bool = False
) -> tuple[list[str], list[float], list[str]]:
    """Return the values of TERM as records state them: texts, numbers, and how texts begin.

    IS_TEXT says that what looks like a number is none; a value in quotes is none either.  HAS_VERSIONS says that behind
    a name, as in anserini==0.4, there may be a version.
    """
    texts, numbers, beginnings = [], [], []
    for value in texts_in(term):
        text = folded(str(storable(value.text))[:LONGEST])[:LONGEST]
        number = None if is_text or value.is_quoted else number_of(text)
        if value.is_prefix:
            beginnings.append(text)
        elif number is not None:
            numbers.append(number)
        else:
            texts.append(text)
        if has_versions and not value.is_prefix and "=" not in text:
            beginnings += [f"{text}=", f"{text} "]
    return texts, numbers, beginnings


def numbers_in(term: Term) -> list[float]:
    """Return the single numbers of TERM, none if it is a range or means any."""
    if term.range or any(value.is_prefix for value in term.values):
        return []
    return [_number(term, value.text) for value in term.values]


def bounds_in(term: Term) -> Bounds:
    """Return the range of TERM as numbers; a star alone means any number, and one value just that."""
    if term.values == _ANY:
        return Bounds()
    given = term.range or _only(term, "a number", _comma_hint(_joined(term)))
    low, high = (_number(term, text) if text else None for text in (given.low, given.high))
    return Bounds(low, high, given.has_low, given.has_high)


def _number(term: Term, text: str) -> float:
    """Return TEXT, a value of TERM, as a number: a whole one if it can be, so that an index of whole numbers helps."""
    number = number_of(text)
    if number is None:
        raise _expected(term, "a number", text, _comma_hint(text))
    return int(number) if number.is_integer() and abs(number) < _EXACT else number


def times_in(term: Term) -> Bounds:
    """Return from the beginning to the end of the time that TERM names; the end does not belong to it."""
    given = term.range or _only(term, "a date")
    low = _span(term, given.low)[0 if given.has_low else 1] if given.low else None
    high = _span(term, given.high)[1 if given.has_high else 0] if given.high else None
    return Bounds(low, high, has_high=False)


def _span(term: Term, text: str) -> tuple[datetime, datetime]:
    """Return when the year, the month or the day in TEXT begins, and when the next one does."""
    try:
        match = _DATE.fullmatch(text)
        year, month, day = (int(part or 0) for part in (match.groups() if match else (0, 0, 0)))
        begin = datetime(year, month or 1, day or 1, tzinfo=UTC)
        if day:
            return begin, datetime.fromordinal(begin.toordinal() + 1).replace(tzinfo=UTC)
        if 0 < month < _DECEMBER:
            return begin, begin.replace(month=month + 1)
        return begin, begin.replace(year=year + 1, month=1)
    except (ValueError, OverflowError):
        raise _expected(term, "a date such as 2024, 2024-05 or 2024-05-31", text) from None


def addresses_in(term: Term) -> list[str]:
    """Return how the addresses begin that TERM names."""
    found = [value.text.strip().lower().removeprefix("primad:") for value in texts_in(term)]
    for text in filter(None, found):
        if not _HEXADECIMAL.fullmatch(text):
            raise _expected(term, "hexadecimal digits", text)
    return found


def _only(term: Term, what: str, hint: str = "") -> Range:
    """Return the one value of TERM, which must be WHAT, as a range."""
    if len(term.values) > 1 or term.values[0].is_prefix:
        raise _expected(term, f"{what} or a range", _joined(term), hint)
    return Range(term.values[0].text, term.values[0].text)


def _joined(term: Term) -> str:
    """Return the values of TERM as they were written."""
    return ",".join(value.text for value in term.values)


def _comma_hint(text: str) -> str:
    """Return how to write TEXT, if it would be a number with a point in place of a comma."""
    would_be = "," in text and number_of(text.replace(",", ".")) is not None
    return "; write decimals with a point" if would_be else ""


def _expected(term: Term, what: str, found: str, hint: str = "") -> QueryError:
    """Return the error that behind the name in TERM not WHAT was FOUND."""
    return QueryError(term.position, f"expected {what} behind '{shown(term.name)}', found '{shown(found)}'{hint}")
