"""Which file came with a form, and is it small enough to be looked at here?

Upload          a file: its name, and what is in it
FROM_VISITORS   how many bytes a visitor may have looked at
FROM_USERS      how many bytes a user may have looked at, of one file; reading it takes many times as much memory
chosen          the file that was chosen in a form, if any
most_unpacked   to how many bytes what was sent may unpack
"""

from __future__ import annotations

from typing import NamedTuple

from django.http import HttpRequest

from primad.errors import FileError
from primad.metadata.showing import harmless

FROM_VISITORS = 8_000_000
FROM_USERS = 128_000_000
_LONGEST_NAME = 120
# Runs unpack to five or ten times their size; what unpacks to far more was made to keep a site busy.
_RATIO = 50
_ALWAYS = 4_000_000


class Upload(NamedTuple):
    """A file: its NAME without folders, and its DATA."""

    name: str
    data: bytes


def most_unpacked(size: int, limit: int) -> int:
    """Return to how many bytes a file of SIZE bytes may unpack, at most to LIMIT."""
    return min(limit, max(_RATIO * size, _ALWAYS))


def chosen(request: HttpRequest, field: str, limit: int) -> Upload | None:
    """Return the file of at most LIMIT bytes that was chosen in FIELD of a form, None if none was."""
    file = request.FILES.get(field)
    if file is None:
        return None
    name = harmless(str(file.name).replace("\\", "/").rpartition("/")[2])[:_LONGEST_NAME] or "file"
    if file.size > limit:
        raise FileError(name, f"expected at most {limit / 1e6:,.0f} MB, found {file.size / 1e6:,.1f} MB")
    return Upload(name, file.read())
