"""Can two folders exchange their names in one step?  On Linux they can, on most file systems."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

# AT_FDCWD and RENAME_EXCHANGE, as the headers of Linux have them.
_FROM_HERE = -100
_EXCHANGE = 2


def swapped(one: Path, other: Path) -> bool:
    """Exchange the names of two folders; return False, with nothing done, where that is not to be had."""
    import ctypes

    rename = getattr(ctypes.CDLL(None), "renameat2", None)
    return rename is not None and not rename(_FROM_HERE, os.fsencode(one), _FROM_HERE, os.fsencode(other), _EXCHANGE)
