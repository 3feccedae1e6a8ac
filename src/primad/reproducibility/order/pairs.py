"""Which documents do two runs share for each topic, and where does each rank them?

    RankingPair   two runs over the topics that both have, matched once for all measures
    Matches       the documents that both lists of a topic have, and their positions

No measure is known here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from primad.reproducibility.order.inversions import count_inversions
from primad.reproducibility.registry import in_order

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from primad.reproducibility.order.rankings import Rankings

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


class Matches(NamedTuple):
    """The documents that both lists of a topic have, topic by topic, in the order of the reproduction."""

    topic: Ints  # the number of the topic
    original: Ints  # the position in the original's list, from 0 on
    reproduction: Ints  # the position in the reproduction's list


@dataclass(frozen=True, eq=False)
class RankingPair:
    """Two runs over the same topics, and the documents they share; make one by ``of``.

    >>> from primad.reproducibility.order import Rankings
    >>> from primad.trec import Run
    >>> first = Rankings.of(Run.from_dict({"1": {"d1": 2, "d2": 1}, "2": {"d1": 1}}))
    >>> second = Rankings.of(Run.from_dict({"1": {"d2": 9, "d3": 8}}))
    >>> pair = RankingPair.of(first, second)
    >>> pair.topics, pair.num_shared
    (('1',), array([1]))
    """

    original: Rankings
    reproduction: Rankings
    shared: Matches

    @classmethod
    def of(cls, original: Rankings, reproduction: Rankings) -> RankingPair:
        """Return both with the topics that both have."""
        topics = in_order(set(original.topics) & set(reproduction.topics))
        kept = original.only(topics), reproduction.only(topics)
        return cls(*kept, _match(*kept))

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics that both have, in order."""
        return self.original.topics

    @cached_property
    def num_shared(self) -> Ints:
        """Return the number of documents of each topic that both lists have."""
        return np.bincount(self.shared.topic, minlength=len(self.topics))

    @cached_property
    def met_at(self) -> Ints:
        """Return the depth from which on each shared document is in the top of both lists, 1 for the first place."""
        return np.maximum(self.shared.original, self.shared.reproduction) + 1

    @cached_property
    def discordant(self) -> Ints:
        """Return for each topic how many pairs of shared documents the lists have in opposite order."""
        rows = self.original.offsets[self.shared.topic] + self.shared.original
        is_shared = np.zeros(self.original.offsets[-1], dtype=bool)
        is_shared[rows] = True
        above = is_shared.cumsum()[rows] - 1
        starts = self.num_shared.cumsum() - self.num_shared
        return count_inversions(above - starts[self.shared.topic], self.num_shared)

    def sum_by_topic(self, values: NDArray[Any]) -> Floats:
        """Return the sum of VALUES, one for each shared document, over the documents of each topic."""
        return np.bincount(self.shared.topic, values, minlength=len(self.topics)).astype(np.float64, copy=False)

    def parts(self, rows: int) -> Iterator[RankingPair]:
        """Yield pairs of some of the topics, of about that many ROWS of the longer lists each."""
        ends = np.maximum(self.original.lengths, self.reproduction.lengths).cumsum()
        cuts = np.flatnonzero(np.diff(ends // rows, append=-1)) + 1
        for start, end in pairwise([0, *cuts.tolist()]):
            topics = self.topics[start:end]
            first, last = np.searchsorted(self.shared.topic, (start, end))
            topic, *positions = (column[first:last] for column in self.shared)
            yield RankingPair(
                self.original.only(topics), self.reproduction.only(topics), Matches(topic - start, *positions)
            )


def _match(original: Rankings, reproduction: Rankings) -> Matches:
    """Return the documents that both lists of a topic have."""
    matches = [_same_keys(*keys) for keys in zip(_lists(original), _lists(reproduction), strict=True)]
    topic = np.repeat(np.arange(len(matches)), [len(one) for one, _ in matches])
    one, other = (np.concatenate([np.empty(0, np.int64), *(match[side] for match in matches)]) for side in (0, 1))
    # They were found in the order of their keys.  Writing the position in the one list at the place in the other brings
    # back the order of rank.
    position = np.full(reproduction.offsets[-1], -1)
    shift = (reproduction.offsets[:-1] - original.lengths)[topic]
    position[np.maximum(one, other) + shift] = np.minimum(one, other)
    rows = np.flatnonzero(position >= 0)
    return Matches(topic, position[rows], reproduction.positions[rows])


def _lists(rankings: Rankings) -> list[NDArray[np.uint64]]:
    """Return the keys of the documents of each topic."""
    return [rankings.keys[start:end] for start, end in pairwise(rankings.offsets.tolist())]


def _same_keys(first: NDArray[np.uint64], second: NDArray[np.uint64]) -> tuple[Ints, Ints]:
    """Return the two places that each number has in FIRST and SECOND put together; neither has one twice."""
    keys = np.concatenate((first, second))
    order = keys.argsort()
    ordered = keys[order]
    same = np.flatnonzero(ordered[1:] == ordered[:-1])
    return order[same], order[same + 1]
