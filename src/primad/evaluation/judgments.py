"""Qrels prepared for looking up the documents of any number of runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from primad.evaluation.judged import Hits, JudgedRun
from primad.evaluation.levels import Levels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from primad.evaluation.rules import Rules
    from primad.trec import Qrels, Run

    Ints = NDArray[np.integer[Any]]

Tied = Literal["by document", "best first", "worst first"]

_NOT_IN_POOL = np.iinfo(np.int64).min


class Judgments:
    """The relevance of each judged document, found in one step per document of a run.

    The keys of topic and document are spread evenly over all 64-bit numbers.  Sorted, a key's place follows
    from its first bits but for a step or two, so looking up is a matter of two array accesses, whatever the
    number of judgments.
    """

    def __init__(self, qrels: Qrels) -> None:
        """Sort the keys and count the relevance levels of each topic."""
        self.topics = tuple(sorted(qrels.topics, key=_bytes))
        self._number = {topic: number for number, topic in enumerate(self.topics)}
        order = np.argsort(qrels.keys)
        self._keys = np.append(qrels.keys[order], ~np.uint64(0))
        self._relevance = np.append(qrels.relevance[order], 0)
        bits = max(len(order).bit_length() + 1, 8)
        self._shift = np.uint64(64 - bits)
        self._first = np.searchsorted(self._keys, np.arange(1 << bits, dtype=np.uint64) << self._shift)
        self._first = self._first.astype(np.int32)
        numbers = np.array([self._number[topic] for topic in qrels.topics])
        self._levels = Levels(np.repeat(numbers, np.diff(qrels.offsets)), qrels.relevance, len(self.topics))

    def missing_from(self, run: Run) -> list[str]:
        """Return the judged topics for which RUN has no documents."""
        retrieved = set(run.topics)
        return [topic for topic in self.topics if topic not in retrieved]

    def __contains__(self, topic: object) -> bool:
        """Tell whether TOPIC was judged."""
        return topic in self._number

    def judge_nothing(self, rules: Rules) -> JudgedRun:
        """Return a run that retrieved nothing for every judged topic."""
        none = np.zeros(0, dtype=np.int64)
        everything = np.arange(len(self.topics))
        return JudgedRun(self._levels, everything, np.zeros_like(everything), Hits(none, none, none), rules, tag="")

    def judge(self, run: Run, rules: Rules, tied: Tied = "by document") -> JudgedRun:
        """Return the documents of RUN that are in the qrels, tied ones in the order asked for."""
        if rules.single_precision:
            run = run.in_single_precision()
        numbers = np.array([self._number.get(topic, -1) for topic in run.topics])
        rows, relevance = self._find(run.keys)
        if tied != "by document":
            rows, relevance = _reorder(run, rows, relevance, best_first=tied == "best first")
        retrieved = np.zeros(len(self.topics), dtype=np.int64)
        retrieved[numbers[numbers >= 0]] = np.diff(run.offsets)[numbers >= 0]
        scored = np.arange(len(self.topics)) if rules.scores_missing_topics else np.flatnonzero(retrieved)
        owner = np.searchsorted(run.offsets, rows, side="right") - 1
        topic = np.searchsorted(scored, numbers[owner])
        pooled = Hits(topic, rows - run.offsets[owner] + 1, relevance)
        pooled, retrieved = _cut(pooled, retrieved[scored], rules)
        return JudgedRun(self._levels, scored, retrieved, pooled, rules, run.tag)

    def _find(self, keys: NDArray[np.uint64]) -> tuple[Ints, Ints]:
        """Return which of KEYS are in the qrels, and the relevance of each."""
        place = self._first[keys >> self._shift]
        pending = np.flatnonzero(self._keys[place] < keys)
        while len(pending):
            place[pending] += 1
            pending = pending[self._keys[place[pending]] < keys[pending]]
        rows = np.flatnonzero(self._keys[place] == keys)
        return rows, self._relevance[place[rows]]


def _cut(pooled: Hits, retrieved: Ints, rules: Rules) -> tuple[Hits, Ints]:
    """Return what RULES leave of the POOLED documents and of the number RETRIEVED for each topic."""
    if rules.depth is not None:
        pooled = pooled.where(pooled.rank <= rules.depth)
        retrieved = np.minimum(retrieved, rules.depth)
    if rules.judged_only:
        judged = pooled.where(pooled.relevance >= 0)
        pooled = Hits(judged.topic, judged.ordinal, judged.relevance)
        retrieved = np.bincount(judged.topic, minlength=len(retrieved))
    return pooled, retrieved


def _reorder(run: Run, rows: Ints, relevance: Ints, *, best_first: bool) -> tuple[Ints, Ints]:
    """Return the places and relevance of judged ROWS when ties are ordered by relevance, unjudged as the least."""
    priority = np.full(len(run), _NOT_IN_POOL)
    priority[rows] = relevance
    effective = np.maximum(priority, -1)
    order = np.lexsort((-effective if best_first else effective, run.tied_blocks()))
    reordered = priority[order]
    places = np.flatnonzero(reordered != _NOT_IN_POOL)
    return places, reordered[places]


def _bytes(topic: str) -> bytes:
    """Return TOPIC as it stands in a file: the order of topics is that of their bytes."""
    return topic.encode("utf-8", "surrogateescape")
