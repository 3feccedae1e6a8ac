"""A column of document identifiers in an order that is carried out only when somebody looks.

Moving strings about is the dearest step of ranking a run, and evaluation needs their numbers only.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from primad.trec._ids import hashes_of

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    Rows = NDArray[np.int64]


class Documents:
    """Identifiers as they stood in the file, and the rows in their new order (None for as they stood)."""

    def __init__(self, as_stood: pl.Series | HashedColumn, order: Rows | None = None) -> None:
        """Take the column and the order to show it in."""
        self._as_stood = as_stood if isinstance(as_stood, HashedColumn) else HashedColumn(as_stood)
        self._order = order

    def reordered(self, order: Rows | None) -> Documents:
        """Return the same documents with the rows in another ORDER, if there is one."""
        if order is None:
            return self
        return Documents(self._as_stood, order if self._order is None else self._order[order])

    def at(self, rows: Rows) -> pl.Series:
        """Return the documents of some ROWS."""
        return self._as_stood.column.gather(rows if self._order is None else self._order[rows])

    @cached_property
    def column(self) -> pl.Series:
        """Return all documents."""
        column = self._as_stood.column
        return column if self._order is None else column.gather(self._order)

    @property
    def keys(self) -> NDArray[np.uint64]:
        """Return a 64-bit number for each document, comparable in this process only.

        That any of a thousand documents shares its number with another of ten thousand has a chance of one in
        a million million.
        """
        hashes = self._as_stood.hashes
        return hashes if self._order is None else hashes[self._order]


class HashedColumn:
    """A column that is hashed once, in whatever orders it is shown."""

    def __init__(self, column: pl.Series) -> None:
        """Take the column."""
        self.column = column

    @cached_property
    def hashes(self) -> NDArray[np.uint64]:
        """Return the 64-bit hash of each identifier."""
        return hashes_of(self.column)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the hashes: they mean nothing in another process."""
        return {"column": self.column}
