"""How many documents of each relevance level does each topic have?  What all runs are measured against."""

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
    """The number of judged documents of each topic (row) and relevance level (column)."""

    def __init__(self, topics: Ints, relevance: Ints, size: int) -> None:
        """Count the RELEVANCE of documents of the TOPICS beside them, numbered below SIZE."""
        judged = relevance >= 0
        self._levels, column = np.unique(relevance[judged], return_inverse=True)
        cells = np.bincount(topics[judged] * len(self._levels) + column, minlength=size * len(self._levels))
        self._counts = cells.reshape(size, len(self._levels))
        self._ideals: dict[Gains, IdealRanking] = {}

    def count_from(self, level: int) -> Ints:
        """Return the number of documents of each topic whose relevance is LEVEL or higher."""
        counts: Ints = self._counts[:, self._levels >= level].sum(axis=1)
        return counts

    def highest_gain(self, gains: Gains) -> Floats:
        """Return the highest gain among the judged documents of each topic."""
        present = np.where(self._counts > 0, gains_of(self._levels, gains), 0.0)
        highest: Floats = present.max(axis=1, initial=0.0)
        return highest

    def ideal(self, gains: Gains) -> IdealRanking:
        """Return the best rankings there could be."""
        if gains not in self._ideals:
            self._ideals[gains] = IdealRanking(self._levels, self._counts, gains)
        return self._ideals[gains]
