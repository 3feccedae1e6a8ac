"""What is kept of a person for next time, in files that nobody else can read: answers about the actor, tokens.

settings_file   where such a file is
keep_private    its new content, all of it or nothing
"""

from __future__ import annotations

import os
from pathlib import Path

from primad.errors import FileError

_ONLY_MINE = 0o600
_MY_FOLDER = 0o700


def settings_file(name: str) -> Path:
    """Return where the file NAME of this person is kept."""
    try:
        base = os.environ.get("XDG_CONFIG_HOME") or Path("~/.config").expanduser()
    except RuntimeError:
        raise FileError("~/.config", "nobody knows your home folder", "name a folder with XDG_CONFIG_HOME") from None
    return Path(base) / "primad" / name


def keep_private(path: Path, data: bytes) -> None:
    """Write DATA to PATH, so that nobody else can read it at any time."""
    from primad.trec.files import atomic_write

    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=_MY_FOLDER)
        path.touch(_ONLY_MINE)
        path.chmod(_ONLY_MINE)  # which a file that takes its place has, too
    except OSError as error:
        raise FileError(str(path), f"cannot be written ({error.strerror})") from None
    with atomic_write(path) as stream:
        stream.write(data)
