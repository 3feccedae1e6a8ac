r"""How can text that strangers wrote be shown to a person?

    harmless   text that steers neither a terminal nor the direction of writing

Names, tags and records come from files, and a terminal obeys what it prints.
"""

from __future__ import annotations

import re

# Control characters, marks that turn the direction of writing around, ends of lines, and halves of characters.
_STEERING = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u2028-\\u202e\\u2066-\\u2069\\ud800-\\udfff]")


def harmless(text: str, *, keep: str = "") -> str:
    r"""Return TEXT with what would steer a terminal written out, but for the characters to KEEP.

    >>> harmless("bm25\x1b[2J\n"), harmless("bm25\x1b[2J\n", keep="\n")
    ('bm25\\x1b[2J\\n', 'bm25\\x1b[2J\n')
    """
    return _STEERING.sub(lambda found: found[0] if found[0] in keep else _written_out(found[0]), text)


def _written_out(character: str) -> str:
    """Return a CHARACTER as Python writes it."""
    return character.encode("unicode_escape").decode()
