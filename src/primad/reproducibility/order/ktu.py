"""What would repro_eval call the order?  Kendall's tau Union as repro_eval 0.5.0 computes it, for published tables.

    ktu    Kendall's tau between the names that two lists have at the same positions

All documents of both lists are sorted by name, each list becomes the list of their numbers, and tau is taken between
those, position by position.  So it depends on how documents are named: a thousand documents with each two neighbours
swapped have 0.998 if the names follow the ranks, and about 0 if they do not.  Take tau_union for a question of today.

Undefined, and nan here, where the lists differ in length or have one document: repro_eval fails, or has NaN.
Definition: Breuer et al., SIGIR 2020, doi:10.1145/3397271.3401036, and the code of repro_eval.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from primad.reproducibility.order.inversions import count_inversions
from primad.reproducibility.order.tau import pairs_among

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from primad.reproducibility.order.pairs import RankingPair

    Floats = NDArray[np.float64]

# repro_eval cuts the lists here and rounds the values to so many digits.
DEPTH = 1000
_DIGITS = 14


def ktu(pair: RankingPair) -> Floats:
    """Return repro_eval's Kendall's tau Union of each topic; nan for lists of unequal length or of one document.

    Where the numbers of two documents of a list stand in the union decides the same as where they stand among those of
    that list, so no union is made.
    """
    original, reproduction = pair.original.top(DEPTH), pair.reproduction.top(DEPTH)
    is_defined = (original.lengths == reproduction.lengths) & (original.lengths > 1)
    lengths = original.lengths[is_defined]
    by_position, others = (
        side.name_ranks[np.flatnonzero(np.repeat(is_defined, side.lengths))] for side in (original, reproduction)
    )
    ranks = np.empty_like(others)
    ranks[np.repeat(lengths.cumsum() - lengths, lengths) + by_position] = others
    pairs = pairs_among(lengths)
    values = np.full(len(is_defined), np.nan)
    values[is_defined] = np.round((pairs - 2 * count_inversions(ranks, lengths)) / pairs, _DIGITS)
    return values
