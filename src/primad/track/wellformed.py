"""Which values can a column have?  Checked wherever rows come from outside: a folder of YAML, or a backup.

    KINDS, ROLES, SYSTEMS, STATES   the words that columns take
    is_slug                         whether a text can be typed, be part of a path, and tell one thing from another
    check_slug, check_path          the same for slugs and for paths, as Django asks for it
    choices                         words as Django takes them
    check_texts, check_numbers      whether a tree has texts, or numbers, by name
    check_original, check_verdict   whether a tree says what is reproduced, or what came of an attempt
    check_corrected                 whether a tree says which times stood there before

Migrations name these functions, so they need no models.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from primad.errors import DataError
from primad.metadata.showing import harmless

LONGEST_SLUG = 60
KINDS = ("replicate", "reproduce", "measure")
ROLES = ("", "user", "developer")
SYSTEMS = ("", "bundle", "remote")
STATES = ("open", "running", "stopped", "succeeded", "failed", "abandoned")

_SLUG = re.compile(rf"[a-z0-9][a-z0-9._-]{{0,{LONGEST_SLUG - 1}}}")


def is_slug(text: object) -> bool:
    """Tell whether TEXT can be the name of something."""
    return isinstance(text, str) and bool(_SLUG.fullmatch(text)) and ".." not in text


def check_slug(text: Any) -> None:
    """Refuse TEXT unless it can be the name of something."""
    from django.core.exceptions import ValidationError

    if not is_slug(text):
        raise ValidationError(f"expected small letters, digits, dots and dashes as a name, found {str(text)!r:.60}")


def check_path(text: Any) -> None:
    """Refuse TEXT unless it is the path of a file below its folder."""
    from django.core.exceptions import ValidationError

    from primad.errors import FileError
    from primad.safe_paths import safe_path

    try:
        safe_path(str(text))
    except FileError as error:
        raise ValidationError(str(error)) from None


def choices(words: tuple[str, ...]) -> list[tuple[str, str]]:
    """Return WORDS as Django takes the values that a column can have."""
    return [(word, word) for word in words]


# Trees that stand in one column --------------------------------------------------------------------------------------


def check_texts(tree: Mapping[str, Any], what: str) -> None:
    """Refuse a TREE that has more than a text by each name; WHAT it is."""
    for name, value in tree.items():
        if isinstance(value, Mapping | list):
            raise DataError(f"expected texts by name as {what}, found something else as '{harmless(str(name)[:60])}'")


def check_numbers(tree: Mapping[str, Any], what: str) -> None:
    """Refuse a TREE that has anything but finite numbers by measure; WHAT it is."""
    for name, value in tree.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise DataError(f"expected numbers by measure as {what}, found '{harmless(f'{name}: {value}'[:60])}'")


def check_original(tree: Mapping[str, Any]) -> None:
    """Refuse a TREE that cannot say what is reproduced or measured in a task."""
    for name in ("values", "conditions"):
        part = tree.get(name) or {}
        if not isinstance(part, Mapping):
            raise DataError(f"expected a mapping as {name} of the original, found '{harmless(str(part)[:60])}'")
        check_texts(part, f"{name} of the original")


def check_verdict(agreement: str, points: int, content: Mapping[str, Any]) -> None:
    """Refuse what cannot be a verdict: its AGREEMENT, the POINTS for it, and the CONTENT of the arithmetic."""
    from primad.reproducibility.verdict import Agreement

    if agreement not in list(Agreement):
        found = harmless(agreement[:60])
        raise DataError(f"expected as agreement one of {', '.join(map(str, Agreement))}, found '{found}'")
    if points != Agreement(agreement).points:
        raise DataError(f"expected {Agreement(agreement).points} points for the agreement {agreement}, found {points}")
    numbers = {"difference": content.get("difference")}
    for name, keys in (("chance", ("p", "low", "high")), ("compared", ("same", "different"))):
        part = content.get(name) or {}
        if not isinstance(part, Mapping):
            raise DataError(f"expected a mapping as {name} of a verdict, found '{harmless(str(part)[:60])}'")
        numbers |= {key: part.get(key) for key in keys}
    check_numbers({name: value for name, value in numbers.items() if value is not None}, "part of a verdict")


def check_corrected(tree: Mapping[str, Any]) -> None:
    """Refuse a TREE that does not say which times stood there before."""
    if not isinstance(tree.get("before", []), list):
        raise DataError("expected the times that stood there before as a list, found something else")
