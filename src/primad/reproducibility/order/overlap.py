"""How many documents do both lists have?

    overlap             shared documents over all documents of both lists (Jaccard), ideal 1
    overlap_by_depth    shared documents in the top of both lists, for several depths

Both know sets only: the order within the lists, or within the top, does not matter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from primad.reproducibility.order.depths import checked_depth

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from primad.reproducibility.order.pairs import RankingPair

    Floats = NDArray[np.float64]


def overlap(pair: RankingPair) -> Floats:
    """Return the share of all documents of a topic that both lists have.

    1: the same documents.  0: none in common.
    """
    union = pair.original.lengths + pair.reproduction.lengths - pair.num_shared
    return pair.num_shared / union


def overlap_by_depth(pair: RankingPair, depths: Sequence[int]) -> Floats:
    """Return for each topic (rows) and each of DEPTHS (columns) the share of the top that both lists have.

    It is the number of shared documents among the first so many over that many; nan where both lists end above that
    depth, so that two equal short lists do not seem to differ.
    """
    wanted = np.array([checked_depth("overlap", depth) for depth in depths], dtype=np.int64)
    steps = np.unique(wanted)
    # Each document counts from the first step on that is as deep as the depth at which the lists meet in it.
    cells = pair.shared.topic * (len(steps) + 1) + np.searchsorted(steps, pair.met_at)
    counts = np.bincount(cells, minlength=len(pair.topics) * (len(steps) + 1)).reshape(-1, len(steps) + 1)
    shares = counts.cumsum(axis=1)[:, :-1] / steps
    shares[np.maximum(pair.original.lengths, pair.reproduction.lengths)[:, None] < steps] = np.nan
    return shares[:, np.searchsorted(steps, wanted)]
