"""Why has a topic no value?  What a person is told in place of a number.

    reasons    the reason for each topic that a measure leaves undefined, in a few words

Measures that are not named here are defined for all topics.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from primad.reproducibility.order.ktu import DEPTH as KTU_DEPTH
from primad.reproducibility.order.ktu import ktu
from primad.reproducibility.order.tau import alone, pairs_among, tau_shared
from primad.reproducibility.order.tied_tau import tau_union_tied, tied_pairs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from primad.reproducibility.order.pairs import RankingPair

    Cases = Iterable[tuple[NDArray[np.bool_], str]]


def reasons(measure: Callable[..., Any], pair: RankingPair) -> dict[str, str]:
    """Return why MEASURE has no value for topics of PAIR, by topic; nothing for those that have one.

    >>> from primad.reproducibility.order import Rankings, RankingPair
    >>> from primad.trec import Run
    >>> one, other = ({"301": {"d1": 1}}, {"301": {"d2": 1}})
    >>> pair = RankingPair.of(*(Rankings.of(Run.from_dict(run)) for run in (one, other)))
    >>> reasons(tau_shared, pair)
    {'301': 'no shared documents'}
    """
    found: dict[str, str] = {}
    for is_undefined, reason in _CASES.get(measure, _never)(pair):
        for topic in np.flatnonzero(is_undefined).tolist():
            found.setdefault(pair.topics[topic], reason)
    return found


def _never(_: RankingPair) -> Cases:
    """Return no case: the measure is always defined."""
    return ()


def _of_tau_shared(pair: RankingPair) -> Cases:
    """Return where too few documents are shared for an order."""
    return (pair.num_shared == 0, "no shared documents"), (pair.num_shared == 1, "one shared document")


def _of_ktu(pair: RankingPair) -> Cases:
    """Return where positions cannot be paired, and where there is only one."""
    lengths, others = (np.minimum(side.lengths, KTU_DEPTH) for side in (pair.original, pair.reproduction))
    return (lengths != others, "lists of unequal length"), (lengths == 1, "one document")


def _of_tau_union_tied(pair: RankingPair) -> Cases:
    """Return where a list has no order."""
    documents = pair.num_shared + sum(alone(pair))
    first, second = ((tied == pairs_among(documents)) & (documents > 1) for tied in tied_pairs(pair))
    return (
        (first & second, "all documents tied in both runs"),
        (first, "all documents tied in the original"),
        (second, "all documents tied in the reproduction"),
    )


_CASES: dict[Callable[..., Any], Callable[[RankingPair], Cases]] = {
    ktu: _of_ktu,
    tau_shared: _of_tau_shared,
    tau_union_tied: _of_tau_union_tied,
}
