"""Which whole number did somebody write?

whole   the number that a text is, None if it is none

Very long ones are none that anybody means: Python refuses to read them, and no column holds them.
"""

from __future__ import annotations

LONGEST = 9  # digits, as many as any column holds


def whole(text: str, longest: int = LONGEST) -> int | None:
    """Return the whole number that TEXT is, in plain digits; None where it is none, or has more than LONGEST of them.

    >>> whole("12"), whole("-1"), whole("9" * 5000), whole("")
    (12, None, None, None)
    """
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= longest else None
