"""A run seen through the qrels: which of its documents were judged, at which rank, and how.

    JudgedRun    the judged documents of one run, with what formulas need to know about each topic

Formulas look at judged documents only: what the others do is already in the ranks.  Sums go over the documents
of a topic in rank order, one after the other, as trec_eval adds them, so that the last digit agrees.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from primad.evaluation.ideal import discount, gains_of, running_sum, sum_by
from primad.evaluation.parameters import NO_GAINS, Gains, Value

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from primad.evaluation.ideal import IdealRanking
    from primad.evaluation.levels import Levels
    from primad.evaluation.rules import Rules

    Ints = NDArray[np.integer[Any]]
    Floats = NDArray[np.floating[Any]]
    Scores = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Hits:
    """Some retrieved documents: the number of the topic, the rank and the relevance of each, in rank order."""

    topic: Ints
    rank: Ints
    relevance: Ints

    def where(self, chosen: NDArray[np.bool_]) -> Hits:
        """Return the chosen ones."""
        # Taking rows by number is several times faster than by a mask.
        rows = np.flatnonzero(chosen)
        if len(rows) == len(chosen):
            return self
        return Hits(self.topic[rows], self.rank[rows], self.relevance[rows])

    @cached_property
    def starts(self) -> Ints:
        """Return where the documents of another topic start."""
        return np.flatnonzero(np.diff(self.topic, prepend=-1))

    @cached_property
    def ordinal(self) -> Ints:
        """Return the number of each document among those of its topic, from 1 on."""
        places = np.arange(1, len(self.topic) + 1)
        return places - np.repeat(self.starts, np.diff(self.starts, append=len(places)))

    def running_sum(self, values: Floats) -> Floats:
        """Return the sum of VALUES over each document's topic up to and with it."""
        return running_sum(values, [*self.starts.tolist(), len(values)])


@dataclass(frozen=True, eq=False)
class Gainful:
    """Retrieved documents that have a gain, and the gain of each."""

    hits: Hits
    gain: Floats

    @cached_property
    def discounted(self) -> Floats:
        """Return the gains, each divided by the discount of its rank."""
        return self.gain / discount(self.hits.rank)

    def dcg_within(self, topics: Ints, ranks: Ints) -> Floats:
        """Return the discounted sum of gains of each of TOPICS down to the rank beside it."""
        stride = max(int(ranks.max(initial=0)), int(self.hits.rank.max(initial=0))) + 1
        places = self.hits.topic * stride + self.hits.rank
        order = np.argsort(places, kind="stable")
        last = np.searchsorted(places[order], topics * stride + ranks, side="right") - 1
        is_same_topic = (last >= 0) & (np.append(self.hits.topic[order], -1)[last] == topics)
        sums = np.append(self.hits.running_sum(self.discounted)[order], 0.0)
        return np.where(is_same_topic, sums[last], 0.0)


class JudgedRun:
    """The documents of a run that are in the qrels, for the topics that run and qrels share."""

    def __init__(self, levels: Levels, topics: Ints, retrieved: Ints, pooled: Hits, rules: Rules, tag: str) -> None:
        """Take the POOLED documents, the number RETRIEVED and the numbers in LEVELS of the TOPICS."""
        self.tag = tag
        self.levels = levels
        self.topics = topics
        self.retrieved = retrieved
        self.pooled = pooled
        self.rules = rules
        self.scores: dict[tuple[str, Value], Scores] = {}
        self._relevant_at: dict[int, Ints] = {}
        self._gainful: dict[Gains, Gainful] = {}

    @property
    def size(self) -> int:
        """Return the number of topics."""
        return len(self.topics)

    @cached_property
    def judged(self) -> Hits:
        """Return the retrieved documents that were judged, relevant or not."""
        return self.pooled.where(self.pooled.relevance >= 0)

    @cached_property
    def relevant(self) -> Hits:
        """Return the retrieved documents that are relevant."""
        return self.pooled.where(self.pooled.relevance >= self.rules.level)

    @cached_property
    def precision_at_relevant(self) -> Floats:
        """Return the precision at the rank of each relevant document retrieved."""
        return self.relevant.ordinal / self.relevant.rank

    @cached_property
    def relevant_among_judged(self) -> Ints:
        """Return the number of each relevant document among the judged ones retrieved."""
        return self.judged.ordinal[np.flatnonzero(self.judged.relevance >= self.rules.level)]

    @cached_property
    def relevant_among_pooled(self) -> Ints:
        """Return the number of each relevant document among those retrieved from the pool."""
        if self.judged is self.pooled:
            return self.relevant_among_judged
        return self.pooled.ordinal[np.flatnonzero(self.pooled.relevance >= self.rules.level)]

    @cached_property
    def num_relevant(self) -> Ints:
        """Return the number of relevant documents of each topic, retrieved or not."""
        return self.levels.count_from(self.rules.level)[self.topics]

    @cached_property
    def num_nonrelevant(self) -> Ints:
        """Return the number of documents of each topic that were judged not relevant, retrieved or not."""
        return self.levels.count_from(0)[self.topics] - self.num_relevant

    @cached_property
    def relevant_retrieved(self) -> Ints:
        """Return the number of relevant documents retrieved for each topic."""
        return self.count_by_topic(self.relevant)

    def relevant_within(self, cutoff: int | Ints) -> Ints:
        """Return the number of relevant documents down to the rank CUTOFF, which may differ by topic."""
        if not isinstance(cutoff, int):
            return self.count_by_topic(self.relevant, self.relevant.rank <= cutoff[self.relevant.topic])
        if cutoff not in self._relevant_at:
            self._relevant_at[cutoff] = self.count_by_topic(self.relevant, self.relevant.rank <= cutoff)
        return self._relevant_at[cutoff]

    def count_by_topic(self, hits: Hits, chosen: NDArray[np.bool_] | None = None) -> Ints:
        """Return how many of HITS each topic has."""
        topic = hits.topic if chosen is None else hits.topic[np.flatnonzero(chosen)]
        return np.bincount(topic, minlength=self.size)

    def sum_by_topic(self, hits: Hits, values: Floats, chosen: NDArray[np.bool_] | None = None) -> Floats:
        """Return the sum of VALUES over the HITS of each topic, added in rank order."""
        topic = hits.topic
        if chosen is not None:
            rows = np.flatnonzero(chosen)
            topic, values = topic[rows], values[rows]
        return sum_by(topic, values, self.size)

    def gainful(self, gains: Gains = NO_GAINS) -> Gainful:
        """Return the retrieved documents whose gain is not 0."""
        if gains not in self._gainful:
            gain = gains_of(self.judged.relevance, gains)
            chosen = gain != 0
            self._gainful[gains] = Gainful(self.judged.where(chosen), gain[np.flatnonzero(chosen)])
        return self._gainful[gains]

    def ideal(self, gains: Gains = NO_GAINS) -> IdealRanking:
        """Return the best rankings there could be."""
        return self.levels.ideal(gains)


def per(numerator: NDArray[np.number], denominator: NDArray[np.number] | float) -> Floats:
    """Return NUMERATOR / DENOMINATOR, 0 where there is nothing to divide by."""
    quotient = np.zeros(len(numerator))
    np.divide(numerator, denominator, out=quotient, where=np.asarray(denominator) != 0)
    return quotient
