"""How does a text become a field of a measurement, and what is said when it cannot?

    Record      what a file says about one measurement, label or claim: texts, and the lines they stand in
    Notes       what is wrong in a file, and what is remarked about it, each once
    pointed     a number that was written with a decimal comma
    needed      a text that must be there
    choice      one of a few words
    value       a number, as it was written
    number      a number, or nothing
    whole       a whole number of at least 1, or nothing
    scale       two bounds, the lower one first

A field that is wrong becomes a flaw with its line, and reading goes on: a person gets to see all of them at once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from dataclasses import field as having
from typing import TYPE_CHECKING, TypeVar

from primad.errors import Flaw, MeasurementError
from primad.qra.measurement import Scale, number_of
from primad.qra.naming import meant, perhaps, short

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

T = TypeVar("T", bound=str)

# A file of a million wrong lines is rather a wrong file: nobody reads on, and memory is finite.
_MOST_FLAWS = 10_000
_MOST_UNREAD = 8
_DECIMAL_COMMA = re.compile(r"[-+]?[0-9]*,[0-9]+([eE][-+]?[0-9]+)? ?%?")
_THOUSANDS = re.compile(r"[-+]?[0-9]{1,3}([,' ][0-9]{3})+(\.[0-9]*)?%?")
_LONGEST_NUMBER = 100  # with its error; a stranger's text has megabytes
_WITH_ERROR = re.compile(r"[-+.0-9eE% ]+(±|\+/?-|\()[-+.0-9eE% )]+")
_UNBOUNDED = Scale()


@dataclass(frozen=True, slots=True)
class Record:
    """What is said about one measurement, label or claim.

    lines          the fields that stand in another line
    is_doubtful    whether something beside these texts could not be read, which may have been meant for them
    """

    texts: Mapping[str, str]
    line: int = 0
    conditions: Mapping[str, str] = having(default_factory=dict)
    attributes: Mapping[str, str] = having(default_factory=dict)
    lines: Mapping[str, int] = having(default_factory=dict)
    is_doubtful: bool = False

    def text(self, field: str) -> str:
        """Return what is said in FIELD, empty if nothing is."""
        return self.texts.get(field, "")

    def line_of(self, field: str) -> int:
        """Return the line that FIELD stands in."""
        return self.lines.get(field, self.line)


class Notes:
    """What is wrong in a file, or in values handed over, which have no file and are counted.

    noted    how often something was found wrong, the same flaw as often as it was found
    """

    def __init__(self, file: str = "", counted: str = "measurement") -> None:
        """Begin without notes on FILE; without one, what is COUNTED stands in for its lines."""
        self.file = file
        self.noted = 0
        self._counted = counted
        self._flaws: dict[Flaw, None] = {}
        self._remarks: dict[str, None] = {}
        self._unread: dict[str, str] = {}
        self._is_more_unread = False
        self._advice = ""
        self._keys_listed: set[tuple[str, ...]] = set()

    def __len__(self) -> int:
        return len(self._flaws)

    @property
    def flaws(self) -> tuple[Flaw, ...]:
        """Return all flaws so far."""
        return tuple(self._flaws)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Return all remarks so far, each with the file."""
        others = " and others" * self._is_more_unread
        listed = [f"not read: {', '.join(self._unread.values())}{others}{self._advice}"]
        return tuple(
            f"{self.file}: {one}" if self.file else one for one in [*self._remarks, *listed * bool(self._unread)]
        )

    def place(self, line: int) -> str:
        """Return how a message calls LINE."""
        if not self.file:
            return f"{self._counted} {line}" if line else f"the {self._counted}s"
        return f"{self.file}:{line}" if line else self.file

    def flaw(self, line: int, field: str, expected: str, found: str) -> None:
        """Note what is wrong, and give up on a file in which nearly everything is."""
        self.noted += 1
        self._flaws[Flaw(self.place(line), field, expected, found)] = None
        if len(self._flaws) >= _MOST_FLAWS:
            last = Flaw(self.place(line), "file", f"fewer than {_MOST_FLAWS:,} flaws", "more; the rest was not read")
            raise MeasurementError([*self._flaws, last])

    def unknown_key(self, line: int, key: str, known: Iterable[str], hint: str = "") -> None:
        """Note that KEY is none of those KNOWN, which are listed once, and not if a HINT or a near key says enough."""
        names = tuple(known)
        question = hint or meant(key, names)
        expected = "a known key"
        if not question and names not in self._keys_listed:
            self._keys_listed.add(names)
            expected = f"one of {', '.join(names)}"
        self.flaw(line, "key", expected, short(key) + question)

    def remark(self, sentence: str) -> None:
        """Note SENTENCE about the file."""
        self._remarks[sentence] = None

    def unread(self, name: str, known: Iterable[str]) -> None:
        """Note that the field NAME is not read, and which of the KNOWN ones was perhaps meant."""
        if name in self._unread:
            return
        if len(self._unread) >= _MOST_UNREAD:
            self._is_more_unread = True
            return
        self._unread[name] = short(name) + perhaps(name, known)

    def advise(self, sentence: str) -> None:
        """Say SENTENCE behind the fields that are not read."""
        self._advice = f"; {sentence}"

    def check(self) -> None:
        """Raise every flaw, if there is any."""
        if self._flaws:
            raise MeasurementError(self._flaws)


def pointed(text: str, notes: Notes) -> str:
    """Return TEXT with a point in place of a decimal comma, if it is a number with one."""
    if not _DECIMAL_COMMA.fullmatch(text):
        return text
    notes.remark("a comma in a number is read as a decimal point")
    return text.replace(",", ".")


def needed(record: Record, field: str, notes: Notes) -> str:
    """Return the text of FIELD, which must not be blank."""
    text = record.texts.get(field, "")
    if not text:
        notes.flaw(record.line_of(field), field, "a text", "nothing")
    return text


def choice(record: Record, field: str, allowed: Sequence[T], default: T, notes: Notes) -> T:
    """Return which of the ALLOWED words stands in FIELD, upper and lower case being the same."""
    text = record.texts.get(field, "")
    if not text:
        return default
    if text in allowed:
        return allowed[allowed.index(text)]
    for word in allowed:
        if word == text.casefold():
            return word
    known = [word for word in allowed if word]
    notes.flaw(record.line_of(field), field, f"one of {', '.join(known)}", short(text) + meant(text, known))
    return default


def value(record: Record, notes: Notes) -> str:
    """Return the value as it was written, which must be a finite number."""
    text = record.texts.get("value", "")
    if number_of(text) is None:
        title = ", ".join(filter(None, (record.texts.get(name, "") for name in ("object", "measurand"))))
        notes.flaw(
            record.line_of("value"), "value", _expected_of(text) + (f" for {title}" if title else ""), short(text)
        )
    return text


def _expected_of(text: str) -> str:
    """Return what should stand in place of TEXT, which is no number."""
    if _THOUSANDS.fullmatch(text) and not text.startswith(("0,", "-0,", "+0,")):
        return "a number without separators of thousands, and with a point before the decimals"
    if _DECIMAL_COMMA.fullmatch(text):
        return f"a number with a decimal point, such as {text.replace(',', '.')}"
    if len(text) <= _LONGEST_NUMBER and _WITH_ERROR.fullmatch(text):
        return "the number alone (standard_error is a field of its own)"
    return "a finite number (leave the measurement out if there is none)"


def number(record: Record, field: str, notes: Notes, *, lowest: float | None = None) -> float | None:
    """Return the number in FIELD, None if it is blank; it must not be below LOWEST."""
    text = record.texts.get(field, "")
    if not text:
        return None
    found = number_of(text)
    if found is None or (lowest is not None and found < lowest):
        expected = "a finite number" if lowest is None else f"a finite number of at least {lowest:g}"
        notes.flaw(record.line_of(field), field, f"{expected}, or nothing", short(text))
        return None
    return found


def whole(record: Record, field: str, notes: Notes) -> int | None:
    """Return the whole number in FIELD, None if it is blank; it must be at least 1."""
    text = record.texts.get(field, "")
    if not text:
        return None
    found = None if text.endswith("%") else number_of(text)
    if found is None or found < 1 or not found.is_integer():
        notes.flaw(record.line_of(field), field, "a whole number of at least 1, or nothing", short(text))
        return None
    # A float would lose digits of a long number.
    return int(text) if text.isascii() and text.isdecimal() else int(found)


def scale(record: Record, notes: Notes) -> Scale:
    """Return the scale between scale_min and scale_max, either of which may be missing."""
    low = number(record, "scale_min", notes)
    high = number(record, "scale_max", notes)
    if low is None and high is None:
        return _UNBOUNDED
    if low is not None and high is not None and low >= high:
        line = record.line_of("scale_min")
        notes.flaw(line, "scale_min", f"a number below scale_max, which is {high:g}", f"{low:g}")
        return _UNBOUNDED
    return Scale(low, high)
