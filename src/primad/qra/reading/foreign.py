"""How are text and JSON of other tools read without harm?

    read_text    a file as text
    json_of      a JSON text as plain values

Files are bounded in size; numbers that are none, keys that stand twice and nesting without end are refused.
"""

from __future__ import annotations

import json
from typing import Any

from primad.errors import FileError, FormatError, Problem
from primad.trec.files import Source, name_of, read_bytes

LARGEST_TABLE = 64 << 20
# Each value of a tree takes some hundred bytes, and no sheet that people fill in is that long.
LARGEST_TREE = 4 << 20


def read_text(source: Source, name: str | None = None, *, limit: int = LARGEST_TREE) -> str:
    """Return the text of SOURCE, which messages call NAME, of at most LIMIT bytes."""
    name = name or name_of(source)
    data = read_bytes(source, limit=limit)
    if len(data) > limit:
        raise FileError(
            name, f"expected at most {limit:,} bytes, found {len(data):,}", "check whether it is the right one"
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileError(f"{name}:{line}", "expected text in UTF-8, found other bytes", "save it as UTF-8") from None


def json_of(text: str, name: str) -> Any:
    """Return what the JSON TEXT of the file NAME says."""
    try:
        return json.loads(text, parse_constant=_refused, object_pairs_hook=_mapping)
    except json.JSONDecodeError as error:
        raise FormatError(name, [Problem(error.lineno, "JSON", f"a line that is none ({error.msg})")]) from None
    except RecursionError:
        raise FileError(name, "nests lists and mappings too deeply", "check what wrote it") from None
    except ValueError as error:
        raise FileError(name, f"is no plain JSON: {error}", "correct the file") from None


def _refused(word: str) -> Any:
    """Refuse a number that JSON does not have."""
    raise ValueError(f"found {word} as a number")


def _mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return PAIRS as a mapping, each key once."""
    mapping = dict(pairs)
    if len(mapping) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise ValueError(f"found the key '{twice[:60]}' twice")
    return mapping
