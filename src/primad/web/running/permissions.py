"""Who else on this machine may read what the site writes?  Nobody: sessions and hidden gold lie in the data folder.

private    a while in which only the owner may read what is written
close      let only the owner look into a folder
exposure   in a sentence, that others may look into a data folder
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_OTHERS = 0o077  # everybody but the owner


@contextmanager
def private() -> Iterator[None]:
    """Let only the owner read what is written."""
    before = os.umask(_OTHERS)
    try:
        yield
    finally:
        os.umask(before)


def close(folder: Path) -> None:
    """Let only the owner look into FOLDER."""
    folder.chmod(0o700)


def exposure(folder: Path) -> str:
    """Return in a sentence that others may look into the data FOLDER; nothing if they may not."""
    if not folder.stat().st_mode & _OTHERS:
        return ""
    return (
        f"{folder}: others on this machine may look into the data folder, where sessions and hidden gold lie; "
        f"close it with: chmod 700 {folder}"
    )
