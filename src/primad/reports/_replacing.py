"""May a folder be replaced?  Only if it is empty, or is a former one of ours with nothing else in it.

    refuse_strangers   say which files would be lost
    write              a file, on the disk before anything else happens

A former folder is known by a document in it that says so, not by the names of files, which others use too.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from primad.errors import FileError

_MOST_NAMED = 3
_LARGEST = 256 << 20


def refuse_strangers(target: Path, document: str, schema: str, known: Callable[[dict[str, Any]], set[str]]) -> None:
    """Refuse the folder TARGET unless its DOCUMENT has the SCHEMA and all files are KNOWN by what it says."""
    if target.exists() and not target.is_dir():
        raise FileError(str(target), "expected a folder, found a file", "name another folder")
    try:
        found = sorted(path.relative_to(target).as_posix() for path in target.rglob("*") if not _is_folder(path))
    except OSError as error:
        raise FileError(str(target), f"cannot be read ({error.strerror})") from None
    if not found:
        return
    former = _former(target / document, schema)
    strange = [name for name in found if name not in known(former)] if former else found
    if strange:
        more = f" and {len(strange) - _MOST_NAMED} more" if len(strange) > _MOST_NAMED else ""
        listed = ", ".join(strange[:_MOST_NAMED]) + more
        raise FileError(str(target), f"holds files that primad did not write there ({listed})", "name another folder")


def _is_folder(path: Path) -> bool:
    """Tell whether PATH is a folder itself, not a link to one."""
    return path.is_dir() and not path.is_symlink()


def _former(path: Path, schema: str) -> dict[str, Any]:
    """Return the document at PATH if it has the SCHEMA, else nothing."""
    try:
        content = json.loads(path.read_bytes()) if path.stat().st_size <= _LARGEST else None
    except (OSError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) and content.get("schema") == schema else {}


def write(path: Path, content: bytes) -> Path:
    """Write CONTENT to PATH, and return it."""
    with path.open("wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())
    return path
