"""The best rankings there could be for each topic: what gains are measured against."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from primad.evaluation.parameters import Gains

    Floats = NDArray[np.floating[Any]]
    Ints = NDArray[np.integer[Any]]


def discount(ranks: Ints) -> Floats:
    """Return by what the gain at each rank is divided: log2(rank + 1).

    >>> discount(np.array([1, 3, 7])).tolist()
    [1.0, 2.0, 3.0]
    """
    logarithms: Floats = np.log2(ranks + 1.0)
    return logarithms


def gains_of(levels: Ints, gains: Gains) -> Floats:
    """Return the gain of each relevance level: the level, unless GAINS says otherwise; unjudged is 0.

    >>> gains_of(np.array([-1, 0, 1, 2]), (("1", 3.5),)).tolist()
    [0.0, 0.0, 3.5, 2.0]
    """
    values = np.maximum(levels, 0).astype(np.float64)
    for level, gain in gains:
        if level.isdecimal():
            values[levels == int(level)] = gain
    return values


def running_sum(values: Floats, offsets: list[int]) -> Floats:
    """Return the sums of VALUES up to and with each, starting anew at each of OFFSETS, the last being the end.

    One addition after the other, so that the last digit is that of trec_eval.

    >>> running_sum(np.array([1.0, 2.0, 4.0]), [0, 2, 3]).tolist()
    [1.0, 3.0, 4.0]
    """
    sums = np.empty_like(values)
    for start, end in pairwise(offsets):
        np.cumsum(values[start:end], out=sums[start:end])
    return sums


def sum_by(numbers: Ints, values: Floats, size: int) -> Floats:
    """Return the sum of the VALUES beside each of the NUMBERS below SIZE, added in their order.

    >>> sum_by(np.array([0, 2, 0]), np.array([1.0, 2.0, 4.0]), 3).tolist()
    [5.0, 0.0, 2.0]
    """
    return np.bincount(numbers, values, minlength=size).astype(np.float64, copy=False)


class IdealRanking:
    """For each topic, the positive gains in falling order."""

    def __init__(self, topics: Ints, gains: Floats, size: int) -> None:
        """Take the GAINS of documents and the number of the topic of each, in the order of topics and falling gains."""
        self.topics = topics
        self.gains = gains
        self.sizes = np.bincount(topics, minlength=size)
        self.offsets = np.concatenate(([0], np.cumsum(self.sizes)))
        self._dcg_at: dict[int | None, Floats] = {}

    @cached_property
    def ranks(self) -> Ints:
        """Return the rank of each gain."""
        return np.arange(1, len(self.gains) + 1) - self.offsets[self.topics]

    def dcg(self, cutoff: int | None = None) -> Floats:
        """Return the discounted sum of the gains of each topic, down to the rank CUTOFF."""
        if cutoff not in self._dcg_at:
            within = slice(None) if cutoff is None else self.ranks <= cutoff
            self._dcg_at[cutoff] = self._sum(self.gains[within] / discount(self.ranks[within]), within)
        return self._dcg_at[cutoff]

    def dcg_within(self, topics: Ints, ranks: Ints) -> Floats:
        """Return the discounted sum of gains of each of TOPICS down to the rank beside it."""
        return self._at(self._running_dcg, topics, np.minimum(ranks, self.sizes[topics]))

    def cost_within(self, topics: Ints, ranks: Ints) -> Floats:
        """Return the sum of gains down to the rank beside each of TOPICS, each rank counting at least 1."""
        gainful = np.minimum(ranks, self.sizes[topics])
        return self._at(self._running_cost, topics, gainful) + (ranks - gainful)

    @cached_property
    def sum(self) -> Floats:
        """Return the sum of the gains of each topic."""
        return self._sum(self.gains, slice(None))

    @cached_property
    def boundaries(self) -> tuple[Ints, Ints]:
        """Return every rank after which the gain falls, and its topic first."""
        falls = np.ones(len(self.gains), dtype=bool)
        falls[:-1] = (self.topics[1:] != self.topics[:-1]) | (self.gains[1:] != self.gains[:-1])
        return self.topics[falls], self.ranks[falls]

    @cached_property
    def _running_dcg(self) -> Floats:
        return running_sum(self.gains / discount(self.ranks), self.offsets.tolist())

    @cached_property
    def _running_cost(self) -> Floats:
        return running_sum(np.maximum(self.gains, 1.0), self.offsets.tolist())

    def _at(self, sums: Floats, topics: Ints, ranks: Ints) -> Floats:
        """Return the one of the running SUMS at the rank of each of TOPICS, 0 at rank 0."""
        last = np.append(sums, 0.0)[self.offsets[topics] + ranks - 1]
        return np.where(ranks > 0, last, 0.0)

    def _sum(self, values: Floats, chosen: slice | NDArray[np.bool_]) -> Floats:
        return sum_by(self.topics[chosen], values, len(self.sizes))
