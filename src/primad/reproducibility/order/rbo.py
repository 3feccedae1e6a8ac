"""Are the tops of the lists still the same?  Rank-biased overlap of the two lists of a topic.

    rbo_ext          extrapolated: what the overlap would be if it went on as the lists end; the one to use, ideal 1
    rbo_truncated    as repro_eval 0.5.0 computes it, for published tables; below 1 for equal lists that end above the
                     depth

A reader goes on from each document to the next with chance p; each depth at which the reader may stop counts by that
chance, and contributes the share of documents that both tops have.  Documents of equal score stand in trec_eval's
order; rbo_tied knows other ways.  Lists may differ in length.  All are always defined.

A document counts at every depth from the one on at which both lists have had it.  So a topic's value is a sum over its
shared documents of the weight of these depths, which one table has.
Definitions: Webber, Moffat, Zobel, ACM TOIS 28(4), 2010, doi:10.1145/1852102.1852106, equation 32 for rbo_ext.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from primad.reproducibility.order.depths import check_persistence, checked_depth

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from primad.reproducibility.order.pairs import RankingPair

    Floats = NDArray[np.float64]


def rbo_truncated(pair: RankingPair, p: float, depth: int) -> Floats:
    """Return the overlap down to DEPTH over what it would be if all documents down to there were shared."""
    check_persistence(p, may_be_one=True)
    powers = p ** np.arange(checked_depth("rbo", depth), dtype=np.float64)
    weights = _sums_from(powers / np.arange(1, depth + 1))
    value: Floats = pair.sum_by_topic(weights[np.minimum(pair.met_at, depth + 1) - 1]) / powers.sum()
    return value


def rbo_ext(pair: RankingPair, p: float) -> Floats:
    """Return the extrapolated overlap of the lists of each topic.

    1: the same documents in the same order.  0: none in common.
    """
    check_persistence(p)
    lengths = pair.original.lengths, pair.reproduction.lengths
    short, long = np.minimum(*lengths), np.maximum(*lengths)
    tails = _tails(p, max(pair.original.longest, pair.reproduction.longest))
    seen = pair.sum_by_topic(tails[pair.met_at - 1]) - pair.num_shared * tails[long]
    # Below its end the shorter list is taken to go on with the agreement that the lists have there.
    overlap = pair.sum_by_topic(pair.met_at <= short[pair.shared.topic])
    beyond = (p**short - p**long) - short * (1 - p) * (tails[short] - tails[long])
    at_last = (pair.num_shared - overlap) / long + overlap / short
    value = np.clip((1 - p) * seen + overlap / short * beyond + at_last * p**long, 0, 1)
    # The same lists have 1, not what rounding leaves of it.
    moved = pair.sum_by_topic(pair.shared.original != pair.shared.reproduction)
    return np.where((pair.num_shared == short) & (moved == 0), 1.0, value)


def _tails(p: float, deepest: int) -> Floats:
    """Return for each depth from 0 to DEEPEST the sum over all depths d below it, down to DEEPEST, of p^(d-1)/d."""
    depths = np.arange(1, deepest + 1)
    return _sums_from(p ** (depths - 1) / depths)


def _sums_from(terms: Floats) -> Floats:
    """Return for each term the sum of it and of all after it, and 0 at last; the small ones are added first."""
    return np.append(terms[::-1].cumsum()[::-1], 0)
