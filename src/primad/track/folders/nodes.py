"""How is a value taken out of the YAML of a folder, and said with its place where it is wrong?

text_at, number_at, items_at, mapping_at   what stands at a key
told_with                                  a while in which what is wrong is said with its file
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from primad.errors import DataError, FileError, FormatError, PairingError, Problem, UsageError
from primad.safe_yaml import Node


@contextmanager
def told_with(file: Path) -> Iterator[None]:
    """Say what is wrong inside with the FILE that it stands in."""
    try:
        yield
    except (DataError, PairingError, UsageError) as error:
        raise FileError(str(file), str(error)) from None


def text_at(node: Node, key: str, file: Path) -> str:
    """Return the text at KEY of NODE, which must be there."""
    found = node.at(key)
    if found is None or isinstance(found.value, dict | list) or found.value is None:
        raise FormatError(str(file), [Problem(node.line_of((key,)) or 1, f"a text as {key}", "none")])
    return found.value if isinstance(found.value, str) else str(found.text)


def number_at(node: Node, key: str, file: Path) -> int:
    """Return the whole number at KEY of NODE."""
    found = node.at(key)
    if found is None or not isinstance(found.value, int) or isinstance(found.value, bool):
        raise FormatError(str(file), [Problem(node.line_of((key,)) or 1, f"a whole number as {key}", "something else")])
    return found.value


def items_at(node: Node, key: str, file: Path) -> list[Node]:
    """Return the list at KEY of NODE, an empty one if it is not there."""
    found = node.at(key)
    if found is None or found.value is None:
        return []
    if not isinstance(found.value, list):
        raise FormatError(str(file), [Problem(found.line, f"a list as {key}", "something else")])
    return found.value


def mapping_at(node: Node, key: str, file: Path) -> dict[str, Node]:
    """Return the mapping at KEY of NODE, an empty one if it is not there."""
    found = node.at(key)
    if found is None or found.value is None:
        return {}
    if not isinstance(found.value, dict):
        raise FormatError(str(file), [Problem(found.line, f"a mapping as {key}", "something else")])
    return found.value
