"""Where does a run rank each document?  A run prepared once for comparison with many others.

    Rankings    the documents of a run in order of rank, topics in order
    Ties        which documents have equal scores

Documents stand in trec_eval's order: by falling score, equal scores by falling document identifier.  Neither the order
of lines in a file nor that of topics matters.
"""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl

from primad.reproducibility.registry import in_order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from primad.trec.run import Run

    Ints = NDArray[np.int64]

_BYTES = 8  # of the number that stands for a name
_ROOM = 2  # how much larger a table of all lists may be than the lists themselves


class Ties(NamedTuple):
    """The positions of the first and of the last document of the block of equal scores that each document is in."""

    first: Ints
    last: Ints


class Rankings:
    """The documents of a run in order of rank, topics in order; make one by ``of``.

    What only some measures need is made when they ask for it, and kept.

    >>> from primad.trec import Run
    >>> rankings = Rankings.of(Run.from_dict({"10": {"d1": 1.0}, "9": {"d1": 0.5, "d2": 0.7}}))
    >>> rankings.topics, rankings.offsets
    (('9', '10'), array([0, 2, 3]))
    """

    def __init__(
        self, run: Run, topics: Sequence[str], offsets: Ints, rows: Ints, whole: tuple[Rankings, Ints] | None = None
    ) -> None:
        """Take the ROWS of RUN that are ranked; if they are all of some topics of a WHOLE, that, and its rows."""
        self.topics = tuple(topics)
        self.offsets = offsets
        self._run = run
        self._rows = rows
        self._whole = whole
        self._cut: dict[int, Rankings] = {}

    @classmethod
    def of(cls, run: Run) -> Rankings:
        """Return RUN prepared for comparison."""
        topics = in_order(run.topics)
        return cls(run, topics, *_rows_of(topics, run.topics, run.offsets))

    @cached_property
    def keys(self) -> NDArray[np.uint64]:
        """Return a 64-bit number for the document of each row, comparable in this process only."""
        return self._run.keys[self._rows]

    @cached_property
    def lengths(self) -> Ints:
        """Return the number of documents of each topic."""
        return np.diff(self.offsets)

    @cached_property
    def longest(self) -> int:
        """Return the number of documents of the longest list."""
        return int(self.lengths.max(initial=0))

    @cached_property
    def positions(self) -> Ints:
        """Return the position of each row in its list, from 0 on."""
        return np.arange(len(self._rows)) - np.repeat(self.offsets[:-1], self.lengths)

    @cached_property
    def name_ranks(self) -> Ints:
        """Return the place that each document has when those of its list are sorted by name, from 0 on.

        Names are compared byte by byte, which for text in UTF-8 is the order in which Python compares it.
        """
        if self._whole:
            whole, rows = self._whole
            return whole.name_ranks[rows]
        names = self._run.held_documents.gather(self._rows)
        codes = _short_codes(names)
        if codes is not None and len(self.topics) * self.longest <= _ROOM * len(names):
            return self._places(codes)
        return self._places_by_sorting(names)

    def _places(self, codes: NDArray[np.uint64]) -> Ints:
        """Return the place that each document has when those of its list are sorted by CODES."""
        lists = np.repeat(np.arange(len(self.topics)), self.lengths)
        table = np.full((len(self.topics), self.longest), np.iinfo(np.uint64).max)  # what is not there comes last
        table[lists, self.positions] = codes
        order = table.argsort(axis=1)
        places = np.empty_like(order)
        np.put_along_axis(places, order, np.arange(self.longest)[None, :], axis=1)
        return places[lists, self.positions]

    def _places_by_sorting(self, names: pl.Series) -> Ints:
        """Return the place that each document has when those of its list are sorted by NAMES."""
        lists = np.repeat(np.arange(len(self.topics)), self.lengths)
        # Sorting each list alone takes half the time of sorting all rows by list and name.
        grouped = pl.DataFrame({"list": lists, "name": names}).group_by("list", maintain_order=True)
        by_name = grouped.agg(pl.col("name").arg_sort())["name"].explode()
        places = np.empty_like(self._rows)
        places[by_name.to_numpy() + np.repeat(self.offsets[:-1], self.lengths)] = self.positions
        return places

    @cached_property
    def ties(self) -> Ties:
        """Return the block of equal scores that each document is in."""
        if self._whole:
            whole, rows = self._whole
            return Ties(whole.ties.first[rows], whole.ties.last[rows])
        blocks = self._run.tied_blocks()[self._rows]
        starts = np.flatnonzero(np.diff(blocks, prepend=-1))
        sizes = np.diff(starts, append=len(blocks))
        first = np.repeat(self.positions[starts], sizes)
        return Ties(first, first + np.repeat(sizes, sizes) - 1)

    @cached_property
    def has_ties(self) -> bool:
        """Tell whether any documents of a topic have equal scores."""
        return not np.array_equal(self.ties.first, self.ties.last)

    def sum_by_topic(self, values: Ints) -> Ints:
        """Return the sum of VALUES, one for each row, over the rows of each topic."""
        return np.diff(np.append(0, values.cumsum())[self.offsets])

    def only(self, topics: Sequence[str]) -> Rankings:
        """Return the rankings of some TOPICS, in their order."""
        if self.topics == tuple(topics):
            return self
        offsets, rows = _rows_of(topics, self.topics, self.offsets)
        return Rankings(self._run, topics, offsets, self._rows[rows], (self, rows))

    def top(self, depth: int) -> Rankings:
        """Return the rankings with each list cut after DEPTH documents."""
        if self.longest <= depth:
            return self
        if depth not in self._cut:
            offsets = np.append(0, np.minimum(self.lengths, depth).cumsum())
            self._cut[depth] = Rankings(self._run, self.topics, offsets, self._rows[self.positions < depth])
        return self._cut[depth]

    def __reduce__(self) -> tuple[Any, ...]:
        """Leave out the keys: they mean nothing in another process."""
        return Rankings, (self._run, self.topics, self.offsets, self._rows)


def _short_codes(names: pl.Series) -> NDArray[np.uint64] | None:
    """Return numbers that are in the order of NAMES, None if names differ in more than eight bytes.

    Sorting numbers takes a fraction of the time of sorting text, and most collections number their documents.
    """
    sizes = names.str.len_bytes()
    if names.is_empty() or sizes.sum() != names.str.len_chars().sum():
        return None
    longest = int(sizes.max())  # type: ignore[arg-type]  # it is a whole number
    common = os.path.commonprefix([str(names.min()), str(names.max())])  # noqa: RUF071 - characters are what is meant
    if longest - len(common) > _BYTES:
        return None
    if sizes.min() == longest >= _BYTES:
        tails = names.str.slice(longest - _BYTES)  # needs no filling up, which takes as long as all the rest
    else:
        tails = names.str.slice(len(common)).str.pad_end(_BYTES, "\0")
    return tails.cast(pl.Binary).bin.reinterpret(dtype=pl.UInt64, endianness="big").to_numpy()


def _rows_of(chosen: Sequence[str], topics: Sequence[str], offsets: Ints) -> tuple[Ints, Ints]:
    """Return where the rows of each CHOSEN topic are to start (and end), and which of the rows now there they are."""
    numbers = {topic: number for number, topic in enumerate(topics)}
    places = np.array([numbers[topic] for topic in chosen], dtype=np.int64)
    lengths = np.diff(offsets)[places]
    starts = np.append(0, lengths.cumsum())
    return starts, np.arange(starts[-1]) + np.repeat(offsets[places] - starts[:-1], lengths)
