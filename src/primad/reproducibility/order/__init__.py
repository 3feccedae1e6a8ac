"""Does the order of documents come back?  Measures on two runs of the same topics and documents.

Each takes a RankingPair and returns one value per topic, nan where it is undefined; ``reasons`` says why.
"""

from primad.reproducibility.order.ktu import ktu
from primad.reproducibility.order.overlap import overlap, overlap_by_depth
from primad.reproducibility.order.pairs import RankingPair
from primad.reproducibility.order.rankings import Rankings
from primad.reproducibility.order.rbo import rbo_ext, rbo_truncated
from primad.reproducibility.order.reasons import reasons
from primad.reproducibility.order.tau import tau_shared, tau_union
from primad.reproducibility.order.tied_rbo import rbo_tied
from primad.reproducibility.order.tied_tau import tau_union_tied

__all__ = [
    "RankingPair",
    "Rankings",
    "ktu",
    "overlap",
    "overlap_by_depth",
    "rbo_ext",
    "rbo_tied",
    "rbo_truncated",
    "reasons",
    "tau_shared",
    "tau_union",
    "tau_union_tied",
]
