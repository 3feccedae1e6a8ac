"""The best rankings there could be for each topic: what gains are measured against."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from primad.evaluation.parameters import Gains

    Ints = NDArray[np.integer[Any]]
    Floats = NDArray[np.floating[Any]]


def discount(ranks: Ints) -> Floats:
    """Return by what the gain at each rank is divided: log2(rank + 1).

    >>> discount(np.array([1, 3, 7])).tolist()
    [1.0, 2.0, 3.0]
    """
    logarithms: Floats = np.log2(ranks + 1.0)
    return logarithms


def gains_of(levels: Ints, gains: Gains) -> Floats:
    """Return the gain of each relevance level: the level, unless GAINS says otherwise; unjudged is 0.

    >>> gains_of(np.array([-1, 0, 1, 2]), frozenset({("1", 3.5)})).tolist()
    [0.0, 0.0, 3.5, 2.0]
    """
    values = np.maximum(levels, 0).astype(np.float64)
    for level, gain in gains:
        if level.isdecimal():
            values[levels == int(level)] = gain
    return values


class IdealRanking:
    """For each topic, the positive gains in falling order."""

    def __init__(self, levels: Ints, counts: Ints, gains: Gains) -> None:
        """Take the relevance LEVELS and how many documents each topic (row) has of each (column)."""
        level_gains = gains_of(levels, gains)
        falling = np.argsort(-level_gains, kind="stable")
        falling = falling[level_gains[falling] > 0]
        self.level_gains = level_gains[falling]
        self.counts = counts[:, falling]
        self.sizes = self.counts.sum(axis=1)
        self.offsets = np.concatenate(([0], np.cumsum(self.sizes)))
        self._dcg_at: dict[int | None, Floats] = {}

    @cached_property
    def gains(self) -> Floats:
        """Return the gains of all topics, one topic after the other."""
        return np.repeat(np.tile(self.level_gains, len(self.counts)), self.counts.ravel())

    @cached_property
    def topics(self) -> Ints:
        """Return the number of the topic of each gain."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    @cached_property
    def ranks(self) -> Ints:
        """Return the rank of each gain."""
        return np.arange(len(self.gains)) - self.offsets[self.topics] + 1

    def dcg(self, cutoff: int | None = None) -> Floats:
        """Return the discounted sum of the gains of each topic, down to the rank CUTOFF."""
        if cutoff not in self._dcg_at:
            within = slice(None) if cutoff is None else self.ranks <= cutoff
            discounted = self.gains[within] / discount(self.ranks[within])
            self._dcg_at[cutoff] = self._sum(discounted, within)
        return self._dcg_at[cutoff]

    @cached_property
    def running_dcg(self) -> Floats:
        """Return the discounted sum of each topic's gains up to and with each one."""
        discounted = self.gains / discount(self.ranks)
        for start, end in zip(self.offsets, self.offsets[1:], strict=False):
            np.cumsum(discounted[start:end], out=discounted[start:end])
        return discounted

    def dcg_within(self, topics: Ints, ranks: Ints) -> Floats:
        """Return the discounted sum of gains of each of TOPICS down to the rank beside it, 0 for rank 0."""
        last = np.minimum(ranks, self.sizes[topics])
        sums = self.running_dcg[np.minimum(self.offsets[topics] + np.maximum(last, 1), len(self.gains)) - 1]
        return np.where(last > 0, sums, 0.0)

    def cost_within(self, topics: Ints, ranks: Ints) -> Floats:
        """Return the sum of gains down to the rank beside each of TOPICS, each rank counting at least 1."""
        cost = np.zeros(len(topics))
        left = ranks.copy()
        for gain, count in zip(self.level_gains, self.counts.T, strict=True):
            taken = np.minimum(left, count[topics])
            cost += taken * max(gain, 1.0)
            left -= taken
        return cost + left

    @cached_property
    def sum(self) -> Floats:
        """Return the sum of the gains of each topic."""
        return self._sum(self.gains, slice(None))

    def _sum(self, values: Floats, chosen: slice | NDArray[np.bool_]) -> Floats:
        return np.bincount(self.topics[chosen], values, minlength=len(self.sizes)).astype(np.float64, copy=False)

    def boundaries(self) -> list[Ints]:
        """Return the ranks after which the gain falls, one array of topics for each gain."""
        ends = np.cumsum(self.counts, axis=1)
        differs = np.diff(self.level_gains, append=0.0) != 0
        return [ends[:, column] for column in np.flatnonzero(differs)]
