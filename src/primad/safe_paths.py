"""Which paths, as others name their files, may be written down and used as they are?

    is_safe_path   whether a path is one of them
    safe_path      the path itself; any other is refused

One rule for all that comes from outside: the output of a system, a bundle, a track that is imported.  A path is taken
as it stands or not at all, for one that is mended could be that of another file.
"""

from __future__ import annotations

from primad.errors import FileError

LONGEST = 1000  # characters

_NOT_TAKEN = {"", ".", ".."}
_LONGEST_SHOWN = 200


def is_safe_path(path: str) -> bool:
    r"""Tell whether PATH stays below its folder, is the only one of its file, and can be shown.

    >>> is_safe_path("runs/bm25.run"), is_safe_path("../bm25.run"), is_safe_path("a//b"), is_safe_path("a\\b")
    (True, False, False, False)
    """
    # What cannot be encoded as UTF-8 cannot be printed either.  A backslash parts names on other systems.
    return len(path) <= LONGEST and path.isprintable() and "\\" not in path and _NOT_TAKEN.isdisjoint(path.split("/"))


def safe_path(path: str) -> str:
    """Return PATH, or refuse it."""
    if not is_safe_path(path):
        shown = path[:_LONGEST_SHOWN] if path.isprintable() else ascii(path[:_LONGEST_SHOWN])[1:-1]
        raise FileError(shown, f"expected the path of a file below its folder, found {_fault(path)}", "rename the file")
    return path


def _fault(path: str) -> str:
    """Return what is wrong with PATH."""
    if len(path) > LONGEST:
        return f"one of {len(path):,} characters, where {LONGEST:,} are the most"
    if not path.isprintable():
        return "a line break, or another character that cannot be shown"
    if "\\" in path:
        return "a backslash, which parts folders on some systems and belongs to the name on others"
    return "one that is empty, begins at the root, or has '.', '..' or nothing for a part"
