"""Are the documents still in the same order, if equal scores mean no order?

    tau_union_tied    tau-b over all documents of both lists, with those of equal score tied, and those that a list
                      lacks tied behind its last

No names are looked at.  Undefined, and nan here, where a list gives one score to all documents that there are: it has
no order.  Two lists of the same single document agree: 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from primad.reproducibility.order.inversions import count_inversions
from primad.reproducibility.order.tau import alone, pairs_among, tau_b, tau_union

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from primad.reproducibility.order.pairs import RankingPair
    from primad.reproducibility.order.rankings import Rankings

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


def tau_union_tied(pair: RankingPair) -> Floats:
    """Return tau-b over the union of the lists of each topic, documents of equal score tied, absent ones tied last."""
    if not (pair.original.has_ties or pair.reproduction.has_ties):
        return tau_union(pair)
    first, second = alone(pair)
    balance = _balance_among_shared(pair) - first * second
    balance += _balance_with_shared(pair, pair.original, pair.shared.original)
    balance += _balance_with_shared(pair, pair.reproduction, pair.shared.reproduction)
    return tau_b(balance, pairs_among(pair.num_shared + first + second), *tied_pairs(pair))


def tied_pairs(pair: RankingPair) -> tuple[Ints, Ints]:
    """Return how many pairs of the documents of each topic the original ties, and how many the reproduction."""
    first, second = alone(pair)
    return _tied_by_score(pair.original) + pairs_among(second), _tied_by_score(pair.reproduction) + pairs_among(first)


def _tied_by_score(rankings: Rankings) -> Ints:
    """Return how many pairs of each list have equal scores."""
    # Of a block of n, the documents stand 0, 1 ... n - 1 behind its first: that adds up to the pairs of n.
    return rankings.sum_by_topic(rankings.positions - rankings.ties.first)


def _balance_among_shared(pair: RankingPair) -> Ints:
    """Return concordant minus discordant pairs of shared documents."""
    first = _blocks(pair.original, pair.shared.topic, pair.shared.original)
    second = _blocks(pair.reproduction, pair.shared.topic, pair.shared.reproduction)
    # Documents that the one list ties stand in the order of the other, and so are no inversion.
    order = np.argsort(second * pair.original.offsets[-1] + first)
    first, second = first[order], second[order]
    by_first = np.argsort(first * len(first) + np.arange(len(first)))
    ranks = np.empty_like(by_first)
    ranks[by_first] = np.arange(len(ranks)) - (pair.num_shared.cumsum() - pair.num_shared)[pair.shared.topic]
    tied_in_either = _pairs_within(pair, _starts(first[by_first])) + _pairs_within(pair, _starts(second))
    tied_in_both = _pairs_within(pair, _starts(first) | _starts(second))
    discordant = count_inversions(ranks, pair.num_shared)
    return pairs_among(pair.num_shared) - (tied_in_either - tied_in_both) - 2 * discordant


def _blocks(rankings: Rankings, topic: Ints, positions: Ints) -> Ints:
    """Return a number for the block of equal scores that the document of each TOPIC and position is in."""
    starts = rankings.offsets[topic]
    blocks: Ints = starts + rankings.ties.first[starts + positions]
    return blocks


def _starts(blocks: Ints) -> NDArray[np.bool_]:
    """Tell where another block starts."""
    return np.append(True, blocks[1:] != blocks[:-1])[: len(blocks)]


def _pairs_within(pair: RankingPair, starts: NDArray[np.bool_]) -> Ints:
    """Return how many pairs of shared documents of each topic stand within one block, given where blocks START."""
    rows = np.arange(len(starts))
    behind = rows - np.maximum.accumulate(np.where(starts, rows, 0))
    return pair.sum_by_topic(behind).astype(np.int64)


def _balance_with_shared(pair: RankingPair, rankings: Rankings, positions: Ints) -> Ints:
    """Return concordant minus discordant pairs of a shared document and one that only these RANKINGS have.

    POSITIONS are those of the shared documents.  A document is in order with those in blocks above its own, and out of
    order with those in blocks below.
    """
    is_shared = np.zeros(rankings.offsets[-1], dtype=bool)
    is_shared[rankings.offsets[pair.shared.topic] + positions] = True
    count = np.append(0, is_shared.cumsum())
    starts, ends = (np.repeat(rankings.offsets[side], rankings.lengths) for side in (slice(-1), slice(1, None)))
    above = count[starts + rankings.ties.first] - count[starts]
    below = count[ends] - count[starts + rankings.ties.last + 1]
    return rankings.sum_by_topic(np.where(is_shared, 0, above - below))
