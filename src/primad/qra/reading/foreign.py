"""How are text and JSON that strangers wrote read without harm?

    read_text    a file as text
    json_of      a JSON text as plain values
    is_whole     whether a text has no half of a character

Files are bounded in size; numbers that are none, keys that stand twice and nesting without end are refused.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

from primad.errors import FileError, FormatError, Problem
from primad.trec.files import Source, read_bytes

LARGEST_TABLE = 64 << 20
# Each value of a tree takes some hundred bytes, and no sheet that people fill in is that long.
LARGEST_TREE = 4 << 20

# What files that are no text begin with, what they are, and what to do about it.
_NO_TEXT = {
    b"PK\x03\x04": ("looks like a spreadsheet, or another archive of files", "save a spreadsheet as CSV"),
    b"%PDF-": ("looks like a PDF", "write the values that it has into a table, and save that as CSV"),
}
_HALVES = re.compile("[\\ud800-\\udfff]")
_WRITTEN_HALF = re.compile(r"\\u[dD][89a-fA-F]")


def read_text(
    source: Source, name: str, *, limit: int = LARGEST_TREE, hint: str = "check whether it is the right one"
) -> str:
    """Return the text of SOURCE, which messages call NAME, of at most LIMIT bytes; HINT says what to do about more."""
    try:
        data = read_bytes(source, limit=limit)
    except FileError as error:
        raise FileError(name, error.found, error.hint) from None
    if len(data) > limit:
        raise FileError(name, f"expected at most {limit:,} bytes, found {len(data):,}", hint)
    for beginning, (found, advice) in _NO_TEXT.items():
        if data.startswith(beginning):
            raise FileError(name, found, advice)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileError(f"{name}:{line}", "expected text in UTF-8, found other bytes", "save it as UTF-8") from None


def json_of(text: str, name: str, loads: Callable[[str], Any] | None = None) -> Any:
    """Return what the JSON TEXT of the file NAME says; LOADS reads it if it is none by the book."""
    try:
        return (loads or _strict)(text)
    except json.JSONDecodeError as error:
        raise FormatError(name, [Problem(error.lineno, "JSON", f"a line that is none ({error.msg})")]) from None
    except RecursionError:
        raise FileError(name, "nests lists and mappings too deeply", "check what wrote it") from None
    except ValueError as error:
        raise FileError(name, f"is no plain JSON: {error}", "correct the file") from None


def _strict(text: str) -> Any:
    """Return what TEXT says; numbers that are none, keys that stand twice and halves of characters are errors."""
    tree = json.loads(text, parse_constant=_refused, object_pairs_hook=_mapping)
    _refuse_halves(text, tree)
    return tree


def is_whole(text: str) -> bool:
    """Tell whether TEXT has no half of a character, which JSON can write and no file can hold.

    >>> is_whole("é😀"), is_whole("a" + chr(0xD800))
    (True, False)
    """
    return text.isascii() or not _HALVES.search(text)


def _refuse_halves(text: str, tree: Any) -> None:
    """Refuse TREE if it has half of a character; only an escape in TEXT can write one, and hardly any file has it."""
    if _WRITTEN_HALF.search(text) and not is_whole(json.dumps(tree, ensure_ascii=False)):
        raise ValueError("found half of a character")


def _refused(word: str) -> Any:
    """Refuse a number that JSON does not have."""
    raise ValueError(f"found {word} as a number")


def _mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return PAIRS as a mapping, each key once."""
    mapping = dict(pairs)
    if len(mapping) < len(pairs):
        counted = Counter(key for key, _ in pairs)
        twice = next(key for key, number in counted.items() if number > 1)
        raise ValueError(f"found the key '{twice[:60]}' twice")
    return mapping
