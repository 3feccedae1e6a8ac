"""What is kept of a person for next time, in files that nobody else can read: answers about the actor, tokens.

settings_file   where such a file is
keep_private    its new content, all of it or nothing
"""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import NamedTemporaryFile

from primad.errors import FileError

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
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=_MY_FOLDER)
        # Only its owner can read a temporary file from the beginning, and it takes the name when it is whole.
        with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as stream:
            try:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
                Path(stream.name).replace(path)
            except BaseException:
                Path(stream.name).unlink(missing_ok=True)
                raise
    except OSError as error:
        raise FileError(str(path), f"cannot be written ({error.strerror})") from None
