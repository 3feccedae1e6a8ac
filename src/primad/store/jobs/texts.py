"""Can a text be stored in either database, and shown to people?

told       a text as it is stored
one_line   a text on one line, cut
storable   a tree of values whose texts can be stored
"""

from __future__ import annotations

from typing import Any

from primad.metadata.showing import harmless

LONGEST = 4000
_LINE = 200


def told(text: str, longest: int | None = LONGEST) -> str:
    r"""Return TEXT without what a database cannot store or a terminal would obey, cut where it is longer than LONGEST.

    >>> told("no \x00, no \udcff,\nbut lines"), told("cut here", 3)
    ('no \\x00, no \\udcff,\nbut lines', 'cut')
    """
    return harmless(text.encode("utf-8", "backslashreplace").decode(), keep="\n\t")[:longest]


def one_line(text: str) -> str:
    r"""Return TEXT on one line.

    >>> one_line(" two\n lines ")
    'two lines'
    """
    return told(" ".join(text.split()), _LINE)


def storable(tree: Any) -> Any:
    r"""Return TREE, of values that JSON can hold, with texts that can be stored.

    >>> storable({"a": ["\x00", 1, None]})
    {'a': ['\\x00', 1, None]}
    """
    if isinstance(tree, dict):
        return {told(str(name), None): storable(value) for name, value in tree.items()}
    if isinstance(tree, list):
        return [storable(value) for value in tree]
    return told(tree, None) if isinstance(tree, str) else tree
