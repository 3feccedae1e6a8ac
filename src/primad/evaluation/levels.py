"""How relevant are the judged documents of each topic?  What all runs are measured against."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from primad.evaluation.ideal import IdealRanking, gains_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from primad.evaluation.parameters import Gains

    Floats = NDArray[np.floating[Any]]
    Ints = NDArray[np.integer[Any]]


class Levels:
    """The relevance of every judged document, topic by topic and falling."""

    def __init__(self, topics: Ints, relevance: Ints, size: int) -> None:
        """Sort the RELEVANCE of documents of the TOPICS beside them, numbered below SIZE."""
        judged = np.flatnonzero(relevance >= 0)
        order = judged[np.lexsort((-relevance[judged], topics[judged]))]
        self._topics = topics[order]
        self._relevance = relevance[order]
        self._size = size
        self._counts: dict[int, Ints] = {}
        self._ideals: dict[Gains, IdealRanking] = {}

    def count_from(self, level: int) -> Ints:
        """Return the number of documents of each topic whose relevance is LEVEL or higher."""
        if level not in self._counts:
            self._counts[level] = np.bincount(self._topics[self._relevance >= level], minlength=self._size)
        return self._counts[level]

    def highest_gain(self, gains: Gains) -> Floats:
        """Return the highest gain among the judged documents of each topic, at least 0."""
        highest = np.zeros(self._size)
        np.maximum.at(highest, self._topics, gains_of(self._relevance, gains))
        return highest

    def ideal(self, gains: Gains) -> IdealRanking:
        """Return the best rankings there could be."""
        if gains not in self._ideals:
            values = gains_of(self._relevance, gains)
            rows = np.flatnonzero(values > 0)
            rows = rows[np.lexsort((-values[rows], self._topics[rows]))] if gains else rows
            self._ideals[gains] = IdealRanking(self._topics[rows], values[rows], self._size)
        return self._ideals[gains]
