"""What is printed where not every character can be?

    AS_IT_FITS    how streams encode what their encoding lacks, by name

Identifiers are bytes: what came in as bytes that are no text goes out as the same bytes.  Of other characters, those
that tables and sentences are made of have a plain form, and the rest become question marks.
"""

from __future__ import annotations

import codecs
import unicodedata

AS_IT_FITS = "primad.as_it_fits"

_FIRST_BYTE, _LAST_BYTE = 0xDC80, 0xDCFF  # as which Python reads bytes that are no text
_PLAIN = {
    **dict(zip("─│—–−×", "-|---x", strict=True)),  # noqa: RUF001 - lines, dashes, minus, times
    "…": "...",
    "→": "->",
    "≈": "~",
    "≥": ">=",
    "≤": "<=",
    "≠": "!=",
}


def as_it_fits(error: UnicodeError) -> tuple[str | bytes, int]:
    r"""Return what stands for the first character that an encoding lacks, and where it goes on.

    >>> "0.5 ≥ 0.3 … naïve \udce4 日".encode("ascii", AS_IT_FITS)
    b'0.5 >= 0.3 ... naive \xe4 ?'
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    character = error.object[error.start]
    if _FIRST_BYTE <= ord(character) <= _LAST_BYTE:
        return bytes([ord(character) - 0xDC00]), error.start + 1
    letters = "".join(one for one in unicodedata.normalize("NFKD", character) if not unicodedata.combining(one))
    known = letters if letters.isascii() and letters.isalpha() else "?"
    return _PLAIN.get(character, known), error.start + 1


codecs.register_error(AS_IT_FITS, as_it_fits)
