"""What is typed or piped in, and what is named, also where nobody types and nothing can have such a name.

at_terminal          whether a person can be asked
next_line, all_text  the next line, or everything, of standard input; nothing where that is closed
is_folder, is_there  whether there is a folder, or anything, of a name
"""

from __future__ import annotations

import sys
from pathlib import Path


def at_terminal() -> bool:
    """Tell whether there is a person who can be asked."""
    return sys.stdin is not None and sys.stdin.isatty()


def next_line() -> str:
    """Return the next line that is typed, with its end; empty at the end of input or where the terminal is gone."""
    try:
        return _decoded(sys.stdin.buffer.readline()) if sys.stdin is not None else ""
    except OSError:
        return ""


def all_text() -> str:
    """Return everything that is piped in."""
    return _decoded(sys.stdin.buffer.read()) if sys.stdin is not None else ""


def _decoded(data: bytes) -> str:
    """Return DATA as text; bytes that are none are replaced."""
    return data.decode(sys.stdin.encoding or "utf-8", errors="replace")


def is_folder(name: str) -> bool:
    """Tell whether NAME is a folder; what no folder can be called is none."""
    try:
        return Path(name).is_dir()
    except OSError:
        return False


def is_there(name: str) -> bool:
    """Tell whether there is a file or a folder called NAME."""
    try:
        return Path(name).exists()
    except OSError:
        return False
