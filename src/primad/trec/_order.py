"""In which order the rows of a run stand: grouped by topic, then by score, then by document.

    group         which rows belong to which topic, and the order that brings each topic's rows together
    by_score      the order of falling scores within each topic
    break_ties    the order of falling document identifiers within equal scores

Each returns row numbers, or None where the rows stand in that order already: most files are in order, and
looking costs a tenth of sorting.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from primad.trec._ids import hashes_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from primad.trec._documents import Documents

    Rows = NDArray[np.int64]
    Floats = NDArray[np.floating]


def group(column: pl.Series) -> tuple[list[str], Rows, Rows | None]:
    """Return the topics of COLUMN as first met, where each one's rows start (and end), and the order."""
    blocks = column.rle().struct.unnest()
    names = blocks["value"].to_list()
    if len(set(names)) == len(names):
        return names, offsets_of(blocks["len"].to_numpy()), None
    _, first, codes, lengths = np.unique(hashes_of(column), return_index=True, return_inverse=True, return_counts=True)
    by_appearance = np.argsort(first)
    place = np.empty_like(by_appearance)
    place[by_appearance] = np.arange(len(place))
    order = np.argsort(place[codes], kind="stable")
    return column.gather(first[by_appearance]).to_list(), offsets_of(lengths[by_appearance]), order


def offsets_of(lengths: NDArray[np.integer]) -> Rows:
    """Return where blocks of these LENGTHS start, and at last where they end."""
    return np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))


def topic_of_rows(offsets: Rows) -> Rows:
    """Return the number of the topic of each row."""
    return np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))


def by_score(scores: Floats, offsets: Rows) -> Rows | None:
    """Return the rows of each topic in the order of falling scores."""
    falls = scores[1:] <= scores[:-1]
    falls[offsets[1:-1] - 1] = True
    if falls.all():
        return None
    keys = pl.DataFrame({"topic": topic_of_rows(offsets), "score": scores})
    order = keys.select(pl.arg_sort_by("topic", "score", descending=[False, True])).to_series()
    return order.to_numpy().astype(np.int64)


def tied_blocks(scores: Floats, offsets: Rows) -> Rows:
    """Return the number of the block of equal scores that each row is in, given falling scores."""
    starts = np.ones(len(scores), dtype=bool)
    np.not_equal(scores[1:], scores[:-1], out=starts[1:])
    starts[offsets[:-1]] = True
    return np.cumsum(starts)


def break_ties(scores: Floats, offsets: Rows, documents: Documents) -> Rows | None:
    """Return the rows with falling documents (in byte order) where scores, which fall, are equal."""
    same_as_next = np.append(scores[1:] == scores[:-1], [False])
    same_as_next[offsets[1:] - 1] = False
    above = np.flatnonzero(same_as_next)
    if not len(above) or (documents.at(above) > documents.at(above + 1)).all():
        return None
    same_as_last = np.roll(same_as_next, 1)
    tied = np.flatnonzero(same_as_next | same_as_last)
    keys = pl.DataFrame({"block": np.cumsum(~same_as_last[tied]), "document": documents.at(tied)})
    arranged = keys.select(pl.arg_sort_by("block", "document", descending=[False, True])).to_series()
    order = np.arange(len(scores))
    order[tied] = tied[arranged.to_numpy()]
    return order
