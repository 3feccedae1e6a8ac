"""Which values can a column have?  Checked wherever rows come from outside: a folder of YAML, or a backup.

    KINDS, ROLES, SYSTEMS, STATES   the words that columns take
    is_slug                         whether a text can be typed, be part of a path, and tell one thing from another
    check_slug, check_path          the same for slugs and for paths, as Django asks for it
    choices                         words as Django takes them

Migrations name these functions, so they need no models.
"""

from __future__ import annotations

import re
from typing import Any

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
