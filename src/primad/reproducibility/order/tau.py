"""Are the documents still in the same order?  Kendall's tau between the two lists of a topic.

    tau_union     tau-b over all documents of both lists, those that a list lacks tied behind its last: the one to use
    tau_shared    tau over the documents that both lists have

1 is the same order, -1 the opposite one; lists of n documents that share none have -2n/(3n-1).  Documents of equal
score stand in trec_eval's order, which looks at names; otherwise names do not matter.  Lists may differ in length.

tau_shared is undefined, and nan here, where fewer than two documents are shared.  tau_union is always defined: two
lists of the same single document agree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from primad.reproducibility.order.pairs import RankingPair

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


def tau_union(pair: RankingPair) -> Floats:
    """Return tau-b over the union of the lists of each topic, absent documents tied last.

    A document that only one list has stands behind all others in the other list.  So it is in order with the shared
    documents above it, and out of order with those below it and with all that only the other list has.
    """
    first, second = alone(pair)
    balance = pairs_among(pair.num_shared) - 2 * pair.discordant - first * second
    balance += _balance_with_shared(pair, pair.shared.original, first)
    balance += _balance_with_shared(pair, pair.shared.reproduction, second)
    return tau_b(balance, pairs_among(pair.num_shared + first + second), pairs_among(second), pairs_among(first))


def tau_shared(pair: RankingPair) -> Floats:
    """Return tau over the documents that both lists of a topic have; nan if there are fewer than two."""
    pairs = pairs_among(pair.num_shared)
    tau = np.full(len(pairs), np.nan)
    np.divide(pairs - 2 * pair.discordant, pairs, out=tau, where=pairs > 0)
    return tau


def alone(pair: RankingPair) -> tuple[Ints, Ints]:
    """Return how many documents of each topic only the original has, and how many only the reproduction."""
    return pair.original.lengths - pair.num_shared, pair.reproduction.lengths - pair.num_shared


def pairs_among(number: Ints) -> Ints:
    """Return how many pairs there are among a NUMBER of things."""
    return number * (number - 1) // 2


def tau_b(balance: Ints, pairs: Ints, tied: Ints, other_tied: Ints) -> Floats:
    """Return tau-b from concordant minus discordant PAIRS, and from how many of all pairs each list ties.

    1 where there is no pair, as both lists have the same single document; nan where a list ties all pairs.
    """
    untied = np.sqrt((pairs - tied).astype(np.float64) * (pairs - other_tied))
    tau = np.where(pairs > 0, np.nan, 1.0)
    np.divide(balance, untied, out=tau, where=untied > 0)
    return tau


def _balance_with_shared(pair: RankingPair, positions: Ints, number: Ints) -> Ints:
    """Return concordant minus discordant pairs of a shared document and one of the NUMBER that a list has alone.

    POSITIONS are those of the shared documents in that list: as many documents stand above each.  Those of them that
    are not shared make the discordant pairs.
    """
    discordant = pair.sum_by_topic(positions).astype(np.int64) - pairs_among(pair.num_shared)
    return pair.num_shared * number - 2 * discordant
