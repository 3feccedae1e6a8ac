"""Does the order of documents come back?  Measures on two rankings of the same topics and documents.

    tau         Kendall's tau-b over the documents of both lists, those that a list lacks tied at its end
    tau_shared  tau-b over the documents that both lists have
    overlap     how many of all documents both lists have
    rbo_ext     rank-biased overlap, extrapolated: 1 for a list with itself, however short
    ktu         Kendall's tau Union as repro_eval computes it: depends on how documents are called
    rbo         rank-biased overlap as repro_eval computes it: cut, not extrapolated
    reasons     why a measure has no value for some topics

Each gives one value per topic; called with two runs, in any form, it gives the mean over the topics that both have.
The arithmetic is in ``order``; here stand the facts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from primad.errors import DataError, UndefinedMeasure
from primad.evaluation.inputs import to_run
from primad.reproducibility import order
from primad.reproducibility.assessment.settings import Settings
from primad.reproducibility.order import RankingPair, Rankings
from primad.reproducibility.registry import BREUER, Measure, calls, measure

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Values = NDArray[np.float64]

WEBBER = "doi:10.1145/1852102.1852106"


@measure(
    "tau",
    title="Kendall's tau-b over the union",
    level="document order",
    takes="rankings",
    ideal=1.0,
    bounds=(-1.0, 1.0),
    variant="absent documents tied last, depth {depth}, {tied}",
    reading="1: the same order; 0: no relation; disjoint lists come to -2/3",
    pitfall="documents that one list lacks count as tied behind its end, so lists that share little come out below 0",
    source="doi:10.1093/biomet/33.3.239",
)
def tau(pair: RankingPair, settings: Settings) -> Values:
    """Return tau-b over the documents of both lists, which does not depend on their names."""
    return order.tau_union_tied(pair) if settings.ties else order.tau_union(pair)


@measure(
    "tau_shared",
    title="Kendall's tau-b on shared documents",
    level="document order",
    takes="rankings",
    ideal=1.0,
    bounds=(-1.0, 1.0),
    variant="depth {depth}, ties broken as trec_eval does",
    reading="1: what both lists have stands in the same order",
    pitfall="says nothing of documents that only one list has: two lists that share two documents can reach 1",
    source="doi:10.1093/biomet/33.3.239",
)
def tau_shared(pair: RankingPair, _settings: Settings) -> Values:
    """Return tau-b over the documents that both lists have."""
    return order.tau_shared(pair)


@measure(
    "overlap",
    title="Overlap",
    level="document order",
    takes="rankings",
    ideal=1.0,
    bounds=(0.0, 1.0),
    variant="Jaccard, depth {depth}",
    reading="the share of all retrieved documents that both lists have",
    pitfall="the order does not count, and neither does what is relevant",
)
def overlap(pair: RankingPair, _settings: Settings) -> Values:
    """Return how many of the documents of either list both have."""
    return order.overlap(pair)


@measure(
    "rbo_ext",
    title="Rank-Biased Overlap, extrapolated",
    level="document order",
    takes="rankings",
    ideal=1.0,
    bounds=(0.0, 1.0),
    variant="RBO_ext, p={p}, depth {depth}, {ties}",
    reading="1: the same lists; 0: nothing in common; the top counts most",
    pitfall="p decides how far down it looks, 1 / (1 - p) ranks on average, so compare only values of one p",
    source=WEBBER,
)
def rbo_ext(pair: RankingPair, settings: Settings) -> Values:
    """Return the extrapolated rank-biased overlap."""
    if settings.ties:
        return order.rbo_tied(pair, settings.p, settings.ties)
    return order.rbo_ext(pair, settings.p)


@measure(
    "ktu",
    title="Kendall's tau Union (repro_eval)",
    level="document order",
    takes="rankings",
    ideal=1.0,
    bounds=(-1.0, 1.0),
    variant="as repro_eval 0.5.0, depends on the names of documents, depth {shallow}",
    reading="near 0 for all but nearly equal lists, because documents are compared in the order of their names",
    pitfall="depends on how documents are named: 1,000 documents with neighbours swapped give 0.998 or 0.00",
    source=BREUER,
    peer=True,
)
def ktu(pair: RankingPair, _settings: Settings) -> Values:
    """Return Kendall's tau Union as repro_eval has it."""
    return order.ktu(pair)


@measure(
    "rbo",
    title="Rank-Biased Overlap (repro_eval)",
    level="document order",
    takes="rankings",
    bounds=(0.0, 1.0),
    variant="as repro_eval 0.5.0, p={p}, depth {depth}, not extrapolated",
    reading="below 1 for a list with itself if that is shorter than the depth",
    pitfall="not extrapolated, so a list of 5 documents has 0.476 with itself; p was 0.8 before repro_eval 0.5",
    source=BREUER,
    peer=True,
)
def rbo(pair: RankingPair, settings: Settings) -> Values:
    """Return rank-biased overlap as repro_eval has it."""
    return order.rbo_truncated(pair, settings.p, settings.depth)


_KERNELS: dict[str, Callable[..., Any]] = {
    "ktu": order.ktu,
    "tau_shared": order.tau_shared,
    "tau": order.tau_union_tied,
}


def reasons(name: str, pair: RankingPair) -> dict[str, str]:
    """Return why the measure NAME has no value for topics of PAIR, by topic."""
    return order.reasons(_KERNELS[name], pair) if name in _KERNELS else {}


def _of_runs(measure: Measure, original: Any, reproduced: Any) -> float:
    """Return the mean of MEASURE over the topics of two runs for which it has a value."""
    for one in (original, reproduced):
        if isinstance(one, Mapping) and not all(isinstance(documents, Mapping) for documents in one.values()):
            raise DataError(f"{measure.name} compares rankings; expected two runs, found scores of topics")
    settings = Settings()
    pair = RankingPair.of(*(Rankings.of(to_run(run)).top(settings.depth) for run in (original, reproduced)))
    if not pair.topics:
        raise UndefinedMeasure(measure.name, "the runs have no topic in common")
    values = measure.formula(pair, settings)
    defined = values[np.isfinite(values)]
    if not defined.size:
        why = dict.fromkeys(reasons(measure.name, pair).values())
        raise UndefinedMeasure(measure.name, "; ".join(why) or measure.undefined)
    return float(defined.mean())


calls("rankings", _of_runs)
