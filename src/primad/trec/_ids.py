r"""How identifiers, which are bytes in a file, are held in columns and shown to people.

    Held     text with one character per byte (latin-1), so any bytes fit and keep their order
    Text     what Python users see: UTF-8 decoded, stray bytes as surrogates, so nothing is lost
    Shown    what messages and frames show: UTF-8 decoded, stray bytes as \xNN

The three are equal for ASCII, which nearly all identifiers are.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from primad.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

# Secret and new in each process: nobody can prepare identifiers that collide.
_SEED = secrets.randbits(63)


def text_of(held: str) -> str:
    r"""Return the identifier as Python users see it.

    >>> text_of("caf\xc3\xa9")
    'café'
    """
    return held if held.isascii() else held.encode("latin-1").decode("utf-8", "surrogateescape")


def held_of(text: str) -> str:
    r"""Return the identifier TEXT as it is held in a column.

    >>> held_of("café") == "caf\xc3\xa9"
    True
    """
    if text.isascii():
        return text
    try:
        return text.encode("utf-8", "surrogateescape").decode("latin-1")
    except UnicodeEncodeError:
        raise DataError(f"expected text, found {text!r}, which no encoding can write") from None


def shown(held: str) -> str:
    r"""Return the identifier as a message shows it.

    >>> shown("caf\xe9")
    'caf\\xe9'
    """
    return held if held.isascii() else held.encode("latin-1").decode("utf-8", "backslashreplace")


def bytes_of(held: str) -> bytes:
    r"""Return the identifier as it stands in a file.

    >>> bytes_of("caf\xe9")
    b'caf\xe9'
    """
    return held.encode("latin-1")


def column_of(texts: Iterable[object]) -> pl.Series:
    """Return a column that holds the identifiers TEXTS, which may be whole numbers."""
    return pl.Series([held_of(_identifier(text)) for text in texts], dtype=pl.String)


def _identifier(text: object) -> str:
    if isinstance(text, str | int | np.integer):
        return str(text)
    raise DataError(f"expected text or a whole number as identifier, found {text!r}")


def hashes_of(column: pl.Series) -> NDArray[np.uint64]:
    """Return a 64-bit hash of each identifier: comparable in this process only."""
    return column.hash(_SEED).to_numpy()


def pair_hashes(topics: pl.Series, lengths: NDArray[np.integer], documents: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return a 64-bit hash of each topic and document, given blocks of document hashes of these LENGTHS."""
    # Topic and document may be swapped, so their parts must not be: another seed for the topics.
    return np.repeat(topics.hash(_SEED ^ 1).to_numpy(), lengths) + documents
