"""How many pairs of a list are out of order?  Counted for many lists at once.

    count_inversions    pairs out of order in each of many permutations

Counting pair by pair takes a thousand thousand steps for a thousand documents.  Here short blocks are counted so, all
blocks of all lists in one comparison; then blocks are merged two by two, where the places that the right one's numbers
take among both say how many of the left one's are greater.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

# Lists are filled up to a power of two, at least this; up to here pairs are compared one by one.
_SHORT = 32
# So many numbers are handled at a time, which keeps them near the processor and bounds the memory.
_AT_A_TIME = 1 << 18


def count_inversions(ranks: NDArray[np.integer], lengths: Ints) -> Ints:
    """Return how many pairs stand in falling order in each list of RANKS, lists of these LENGTHS one after the other.

    Each list has every number from 0 to its length, its length left out, once.

    >>> count_inversions(np.array([0, 1, 2, 2, 1, 0]), np.array([3, 3]))
    array([0, 3])
    """
    counts = np.zeros(len(lengths), dtype=np.int64)
    ends = lengths.cumsum()
    for width, lists in _by_width(lengths):
        # What fills a row up is greater than all before it and rises, so it adds no pair.
        rows = np.tile(np.arange(width, dtype=np.int32), (len(lists), 1))
        for row, length, end in zip(rows, lengths[lists].tolist(), ends[lists].tolist(), strict=True):
            row[:length] = ranks[end - length : end]
        counts[lists] = _count_in_rows(rows)
    return counts


def _by_width(lengths: Ints) -> Iterator[tuple[int, Ints]]:
    """Yield the numbers of lists that are filled up to the same width, and that width, some lists at a time."""
    widths = np.maximum(np.exp2(np.ceil(np.log2(np.maximum(lengths, 1)))).astype(np.int64), _SHORT)
    for width in np.unique(widths).tolist():
        lists = np.flatnonzero(widths == width)
        step = max(_AT_A_TIME // width, 1)
        for start in range(0, len(lists), step):
            yield width, lists[start : start + step]


def _count_in_rows(rows: NDArray[np.int32]) -> Ints:
    """Return how many pairs stand in falling order in each row; the width is a power of two."""
    number, width = rows.shape
    counts: Ints = _count_in_blocks(rows.reshape(-1, _SHORT)).reshape(number, -1).sum(axis=1, dtype=np.int64)
    block = 2 * _SHORT
    while block <= width:
        half = block // 2
        marked = (rows << 1).reshape(-1, block)
        marked[:, half:] |= 1
        marked.sort(axis=1)
        places = (marked & 1).astype(np.float64) @ np.arange(block)
        # The right half took these places; last in order it would have taken the highest there are.
        counts += (half * (block + half - 1) // 2 - places.astype(np.int64)).reshape(number, -1).sum(axis=1)
        rows = marked >> 1
        block *= 2
    return counts


def _count_in_blocks(blocks: NDArray[np.int32]) -> NDArray[np.uint16]:
    """Return how many pairs stand in falling order in each of many short BLOCKS."""
    columns = np.ascontiguousarray(blocks.T)
    counts = np.zeros(len(blocks), dtype=np.uint16)
    for distance in range(1, len(columns)):
        counts += (columns[:-distance] > columns[distance:]).sum(axis=0, dtype=np.uint8)
    return counts
