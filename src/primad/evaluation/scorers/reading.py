"""What stands in the files of an output or a gold standard?  Their lines as text, and errors that name the file.

Text                 the lines of one file, with what was noticed when it was read
texts_of             each file as text
Problems             what is wrong in the lines of a file, to be raised as one error
unpacked             the bytes of a file, unpacked
called               errors about bytes, raised with the name of the file
refuse_twice         an item that stands in two files is an error
refuse_strangers     an output that has no document of the gold standard is an error
header_passed_over   what is to be said of a header
shown                a piece of a file, short enough for a message
few                  the first of many names
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sized
from contextlib import contextmanager
from dataclasses import dataclass

from primad.errors import FileError, FormatError, Problem
from primad.trec.files import read_bytes
from primad.trec.ranking import BYTE_ORDER_MARK

# A gold standard or an output has megabytes; what unpacks to more than this is not meant as one.
MOST_BYTES = 1 << 30

_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_MOST_PROBLEMS = 100
_LONGEST_SHOWN = 80
_FEW = 5


@dataclass(frozen=True)
class Text:
    """The file NAME: its LINES, each with its number, blank ones left out, and what was REMARKED on."""

    name: str
    lines: tuple[tuple[int, str], ...]
    remarks: tuple[str, ...] = ()


class Problems:
    """What is wrong in the lines of the file NAME."""

    def __init__(self, name: str) -> None:
        """Begin with nothing wrong."""
        self._name = name
        self._first: list[Problem] = []
        self._total = 0

    def add(self, line: int, expected: str, found: str) -> None:
        """Note that in LINE something else was FOUND than was EXPECTED; of very many, only the first are kept."""
        self._total += 1
        if len(self._first) < _MOST_PROBLEMS:
            self._first.append(Problem(line, expected, shown(found)))

    def refuse(self, hint: str = "") -> None:
        """Raise what was noted, if anything was."""
        if self._first:
            raise FormatError(self._name, self._first, self._total, hint)


def texts_of(files: Mapping[str, bytes]) -> list[Text]:
    """Return each of FILES as text, in the order of their names; no file at all is an error."""
    if not files:
        raise FileError("<no files>", "expected at least one file, found none")
    return [_text(name, files[name]) for name in sorted(files)]


def _text(name: str, data: bytes) -> Text:
    """Return the file NAME with the content DATA as text: UTF-8, else Latin-1."""
    data = unpacked(name, data)
    _refuse_binary(name, data)
    data = data.removeprefix(BYTE_ORDER_MARK)
    remarks: tuple[str, ...] = ()
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = data.decode("latin-1")
        remarks = (f"{name} is not UTF-8 and was read as Latin-1",)
    # Only ends of lines end a line: a text may hold any other sign that Unicode calls one.
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return Text(name, tuple((number, line) for number, line in enumerate(lines, 1) if line.strip()), remarks)


def _refuse_binary(name: str, data: bytes) -> None:
    """Refuse DATA that is no text."""
    if data.startswith(_UTF_16):
        raise FileError(name, "expected UTF-8, found UTF-16", "save it as UTF-8")
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        raise FileError(name, f"expected text, found binary data in line {line}", "is it the file you meant?")


def unpacked(name: str, data: bytes) -> bytes:
    """Return DATA of the file NAME, unpacked if it is packed."""
    with called(name):
        return read_bytes(data, limit=MOST_BYTES)


@contextmanager
def called(name: str) -> Iterator[None]:
    """Raise errors about bytes, which have no name, as errors of the file NAME."""
    try:
        yield
    except FormatError as error:
        raise FormatError(name, error.problems, error.total, error.hint) from None
    except FileError as error:
        raise FileError(name, error.found, error.hint) from None


def refuse_twice(items: Iterable[str], owners: dict[str, str], name: str, kind: str) -> None:
    """Refuse ITEMS, of a KIND, of the file NAME that another file has, too; OWNERS has the file of each."""
    for item in items:
        if item in owners:
            found = f"expected each {kind} in one file only, found {shown(item)} in {owners[item]}, too"
            raise FileError(name, found, "one output has one answer for each")
        owners[item] = name


def refuse_strangers(wanted: Mapping[str, Sized], given: Mapping[str, Sized], name: str) -> None:
    """Refuse an output NAME that has something for documents, but for none of those that anything is WANTED of.

    No document of the gold standard is named: it may be a secret.
    """
    theirs = [document for document, found in given.items() if found]
    if theirs and not any(document in wanted for document in theirs):
        found = "expected documents of the gold standard, found only others, such as"
        raise FileError(name, f"{found} {shown(theirs[0])}", "do both name documents in the same way?")


def header_passed_over(name: str, line: str) -> str:
    """Return the remark that the first LINE of the file NAME was taken for a header."""
    return f"the first line of {name} was passed over as a header: {shown(line)}"


def shown(text: str) -> str:
    """Return TEXT in quotes, cut if it is long.

    >>> shown("C18.9"), len(shown("x" * 1_000_000))
    ("'C18.9'", 83)
    """
    return repr(text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…")


def few(names: Iterable[str]) -> str:
    """Return the first of NAMES and how many more there are.

    >>> few("abc"), few("abcdefgh")
    ('a, b, c', 'a, b, c, d, e and 3 more')
    """
    listed = list(names)
    first = ", ".join(name if len(name) <= _LONGEST_SHOWN else name[:_LONGEST_SHOWN] + "…" for name in listed[:_FEW])
    return first + (f" and {len(listed) - _FEW:,} more" if len(listed) > _FEW else "")
