"""Qrels prepared for looking up the documents of any number of runs."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from primad.evaluation.judged import Hits, JudgedRun
from primad.evaluation.levels import Levels

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from primad.evaluation.rules import Rules
    from primad.trec import Qrels, Run

    Ints = NDArray[np.integer[Any]]

Tied = Literal["by document", "best first", "worst first"]

_STRETCH = 1 << 14
_NOT_JUDGED = -1
_NOT_IN_POOL = -2


class Judgments:
    """The relevance of each judged document, found in a step or two per document of a run.

    Documents are known by numbers spread evenly over 64 bits.  Each topic has its judged documents sorted by
    number, and about twice as many buckets as documents: the first bits of a number choose the bucket, which
    says where to look.  Runs come topic by topic, so the places looked at stay in the processor's cache.
    """

    def __init__(self, qrels: Qrels) -> None:
        """Sort the documents of each topic into their buckets, and count the relevance levels."""
        self.topics = tuple(sorted(qrels.topics, key=_bytes))
        self._number = {topic: number for number, topic in enumerate(self.topics)}
        numbers = np.array([self._number[topic] for topic in qrels.topics])
        lengths = np.diff(qrels.offsets)
        topic = np.repeat(numbers, lengths)
        self._levels = Levels(topic, qrels.relevance, len(self.topics))
        bits = np.zeros(len(self.topics), dtype=np.int64)
        bits[numbers] = [int(length).bit_length() + 1 for length in lengths]
        # Behind the topics stands one without documents, for those that were not judged: its number is -1.
        self._shift = np.append(64 - bits, 63).astype(np.uint64)
        self._bucket = np.concatenate(([0], np.cumsum(1 << bits)))
        order = np.argsort(qrels.keys)
        order = order[np.argsort(topic[order], kind="stable")]
        topic, keys = topic[order], qrels.keys[order]
        bucket = self._bucket[topic] + (keys >> self._shift[topic]).astype(np.int64)
        self._start = np.concatenate(([0], np.cumsum(np.bincount(bucket, minlength=self._bucket[-1] + 2))))
        self._keys = np.append(keys, np.uint64(0))
        self._relevance = qrels.relevance[order]

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
        rows, owner, relevance = self._find(run.keys, numbers, run.offsets)
        if tied != "by document":
            rows, relevance = _reorder(run, rows, relevance, best_first=tied == "best first")
            owner = np.searchsorted(run.offsets, rows, side="right") - 1
        retrieved: Ints = np.zeros(len(self.topics), dtype=np.int64)
        retrieved[numbers[numbers >= 0]] = np.diff(run.offsets)[numbers >= 0]
        scored = np.arange(len(self.topics)) if rules.scores_missing_topics else np.flatnonzero(retrieved)
        place = np.full(len(self.topics) + 1, -1)
        place[scored] = np.arange(len(scored))
        pooled = Hits(place[numbers][owner], rows - run.offsets[owner] + 1, relevance)
        pooled, retrieved = _cut(pooled, retrieved[scored], rules)
        return JudgedRun(self._levels, scored, retrieved, pooled, rules, run.tag)

    def _find(self, keys: NDArray[np.uint64], numbers: Ints, offsets: Ints) -> tuple[Ints, Ints, Ints]:
        """Return the rows of KEYS that were judged, the block each is in, and its relevance.

        The rows from one of OFFSETS to the next are a block, and belong to the topic with the number beside it,
        -1 if unknown.
        """
        found: list[tuple[Ints, Ints, Ints]] = []
        for first, last in _stretches(offsets):
            start, end = offsets[first], offsets[last]
            lengths = np.diff(offsets[first : last + 1])
            bucket = (keys[start:end] >> np.repeat(self._shift[numbers[first:last]], lengths)).astype(np.int64)
            bucket += np.repeat(self._bucket[numbers[first:last]], lengths)
            rows, place = self._look_up(keys[start:end], bucket)
            found.append((rows + start, np.repeat(np.arange(first, last), lengths)[rows], self._relevance[place]))
        rows, owner, relevance = (np.concatenate(column) for column in zip(*found, strict=True))
        return rows, owner, relevance

    def _look_up(self, keys: NDArray[np.uint64], bucket: Ints) -> tuple[Ints, Ints]:
        """Return which of KEYS are in the BUCKET beside them, and their places there."""
        place, end = self._start[bucket], self._start[bucket + 1]
        rows = np.flatnonzero(place < end)
        place, end, keys = place[rows], end[rows], keys[rows]
        pending = np.flatnonzero(self._keys[place] < keys)
        while len(pending):
            place[pending] += 1
            pending = pending[(place[pending] < end[pending]) & (self._keys[place[pending]] < keys[pending])]
        found = np.flatnonzero((self._keys[place] == keys) & (place < end))
        return rows[found], place[found]


def _stretches(offsets: Ints) -> Iterator[tuple[int, int]]:
    """Yield first and last number of topics whose rows together stay in the processor's cache."""
    cuts = np.searchsorted(offsets, np.arange(0, offsets[-1] + _STRETCH, _STRETCH))
    return pairwise(np.unique(np.minimum(cuts, len(offsets) - 1)).tolist())


def _cut(pooled: Hits, retrieved: Ints, rules: Rules) -> tuple[Hits, Ints]:
    """Return what RULES leave of the POOLED documents and of the number RETRIEVED for each topic."""
    if rules.depth is not None:
        pooled = pooled.where(pooled.rank <= rules.depth)
        retrieved = np.minimum(retrieved, min(rules.depth, retrieved.max(initial=0)))
    if rules.judged_only:
        judged = pooled.where(pooled.relevance >= 0)
        pooled = Hits(judged.topic, judged.ordinal, judged.relevance)
        retrieved = np.bincount(judged.topic, minlength=len(retrieved))
    return pooled, retrieved


def _reorder(run: Run, rows: Ints, relevance: Ints, *, best_first: bool) -> tuple[Ints, Ints]:
    """Return the places and relevance of judged ROWS when ties are ordered by relevance, unjudged as the least."""
    known = np.full(len(run), _NOT_IN_POOL)
    known[rows] = np.maximum(relevance, _NOT_JUDGED)
    priority = np.maximum(known, _NOT_JUDGED)
    order = np.lexsort((-priority if best_first else priority, run.tied_blocks()))
    reordered = known[order]
    places = np.flatnonzero(reordered != _NOT_IN_POOL)
    return places, reordered[places]


def _bytes(topic: str) -> bytes:
    """Return TOPIC as it stands in a file: the order of topics is that of their bytes."""
    return topic.encode("utf-8", "surrogateescape")
