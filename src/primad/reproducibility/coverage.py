"""How often do intervals hold the true value?  What a simulation measured, for a reader to know how far to trust them.

    covered_shares            a sentence on the coverage of the intervals of some measures, for so many topics
    coverages                 the measured coverages themselves
    false_equivalence_stated  a sentence on how often a value at the margin was called equivalent
    false_equivalence         the measured shares themselves

``bench/coverage.py`` measures and writes ``coverage.json``: many samples of topics are drawn from populations whose
true value is known, and the intervals that hold it are counted.  No figure comes from anywhere else.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

DATA = "coverage.json"

# What a measure is simulated as, where it is not simulated by its own name.
_ARP = "mean"
_ORDER, _ORDER_BY_BCA = "order", "order, by BCa"
_TEST = "studentised"


@cache
def _data() -> dict[str, Any]:
    """Return everything that was measured."""
    content: dict[str, Any] = json.loads(files("primad.reproducibility").joinpath(DATA).read_text("utf-8"))
    return content


def coverages(measure: str, *, same_topics: bool = True) -> dict[int, dict[str, float]]:
    """Return the coverage of the intervals of MEASURE by number of topics and population; empty if not measured."""
    name = measure if same_topics else f"{measure}, two collections"
    found: dict[str, dict[str, float]] = _data()["coverage"].get(name, {})
    return {int(topics): dict(shares) for topics, shares in found.items()}


def false_equivalence(level: str) -> dict[int, dict[str, dict[str, float]]]:
    """Return how often a value at the margin was called equivalent, by number of topics, population and test.

    Empty for a LEVEL where that was not measured.
    """
    found: dict[str, dict[str, dict[str, float]]] = _data()["false equivalence"].get(level, {})
    return {int(topics): populations for topics, populations in found.items()}


def false_equivalence_stated(level: str, topics: int) -> str:
    """Return a sentence on how often a value at the margin was called equivalent; empty where that was not measured.

    >>> false_equivalence_stated("effectiveness", 50)
    ''
    """
    found = false_equivalence(level)
    if not found or topics < 1:
        return ""
    size = _nearest(found, topics)
    rates = {population: tests[_TEST] for population, tests in found[size].items()}
    usual, few = (
        _span(rate for population, rate in rates.items() if (population in _data()["few differ"]) == differ)
        for differ in (False, True)
    )
    return (
        f"of values exactly at the margin, 5 % of which should be called equivalent, a simulation with {size} topics "
        f"saw {usual} % called so, {few} % where only one topic in ten differs{_caution(found, topics)}"
    )


def covered_shares(
    measures: Iterable[str],
    topics: int,
    *,
    same_topics: bool = True,
    few_differ: bool = False,
    confidence: float = 0.95,
) -> Iterator[str]:
    """Yield one sentence on the coverage of the intervals of all MEASURES, nothing if that was not measured.

    SAME_TOPICS says whether both experiments have the same topics.  FEW_DIFFER says that the scores of most topics are
    equal, which makes intervals less reliable.

    >>> list(covered_shares(["no such measure"], 50))
    []
    """
    by_shares: dict[str, list[str]] = {}
    sizes: dict[int, dict[str, float]] = {}
    for measure in measures if topics >= 1 and confidence == _data()["confidence"] else ():
        simulated = _simulated_as(measure)
        # A mean score is that of one run, whatever topics the other has.
        if found := coverages(simulated, same_topics=same_topics or simulated == _ARP):
            sizes = found
            by_shares.setdefault(_covered(found[_nearest(found, topics)], few_differ=few_differ), []).append(measure)
    if by_shares and topics < min(sizes):
        yield f"how often such intervals hold the true value was simulated with {min(sizes)} topics and more, no fewer"
    elif by_shares:
        said = "; ".join(f"{', '.join(names)} {shares} %" for shares, names in by_shares.items())
        where = "on two collections " * (not same_topics)
        condition = ", in most of which nothing differed," * few_differ
        yield (
            f"of {100 * confidence:.0f} % intervals such as these, a simulation {where}with {_nearest(sizes, topics)} "
            f"topics{condition} saw cover: {said}"
        )


def _covered(shares: Mapping[str, float], *, few_differ: bool) -> str:
    """Return the lowest and the highest of the SHARES of populations in which few topics differ, or many."""
    return _span(share for population, share in shares.items() if (population in _data()["few differ"]) == few_differ)


def _span(shares: Iterable[float]) -> str:
    """Return the lowest and the highest of SHARES in percent."""
    found = list(shares)
    low, high = (f"{100 * share:.0f}" for share in (min(found), max(found)))
    return low if low == high else f"{low}-{high}"


def _nearest(sizes: Iterable[int], topics: int) -> int:
    """Return which of the simulated SIZES is nearest to TOPICS."""
    return min(sizes, key=lambda size: max(size / topics, topics / size))


def _caution(sizes: Iterable[int], topics: int) -> str:
    """Return that so few TOPICS were not simulated, if so."""
    least = min(sizes)
    return "" if topics >= least else f"; for fewer than {least} topics it was not measured"


def _simulated_as(measure: str) -> str:
    """Return the name under which the simulation has MEASURE."""
    if measure == "arp":
        return _ARP
    from primad.reproducibility.catalogue import measures

    known = measures().get(measure)
    if known is None or known.takes != "rankings":
        return measure
    return _ORDER if known.ends_at_ideal else _ORDER_BY_BCA
