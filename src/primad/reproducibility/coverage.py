"""How often do intervals hold the true value?  What a simulation measured, for a reader to know how far to trust them.

    stated_coverage    a sentence on the coverage of the intervals of a measure, for so many topics
    covered_shares     the same for several measures at once
    coverages          the measured coverages themselves
    false_equivalence  how often a value at the margin was called equivalent

``bench/coverage.py`` measures and writes ``coverage.json``: many samples of topics are drawn from populations whose
true value is known, and the intervals that hold it are counted.  No figure comes from anywhere else.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from typing import Any

DATA = "coverage.json"

# What a measure is simulated as, where it is not simulated by its own name.
_ARP = "mean"
_ORDER = "order"


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
    """Return how often a value at the margin was called equivalent, by number of topics, population and test."""
    found: dict[str, dict[str, dict[str, float]]] = _data()["false equivalence"][level]
    return {int(topics): populations for topics, populations in found.items()}


def stated_coverage(
    measure: str, topics: int, *, same_topics: bool = True, few_differ: bool = False, confidence: float = 0.95
) -> str:
    """Return a sentence on how often such intervals of MEASURE held the true value; empty where that was not measured.

    FEW_DIFFER says that the scores of most topics are equal, which makes all intervals less reliable.

    >>> stated_coverage("rmse", 50, confidence=0.9)
    ''
    """
    found = _nearest(measure, topics, same_topics=same_topics, few_differ=few_differ, confidence=confidence)
    if found is None:
        return ""
    size, shares = found
    condition = ", in most of which nothing differed" if few_differ else ""
    least = min(coverages(_simulated_as(measure), same_topics=same_topics))
    caution = "" if topics >= least else f"; for fewer than {least} topics it was not measured"
    return (
        f"a {100 * confidence:.0f} % interval like this one covered {shares} % in a simulation with {size} topics"
        f"{condition}{caution}"
    )


def covered_shares(measures: Iterable[str], topics: int, *, confidence: float = 0.95) -> Iterator[str]:
    """Yield one sentence on the coverage of the intervals of all MEASURES, nothing if that was not measured.

    >>> list(covered_shares(["no such measure"], 50))
    []
    """
    by_shares: dict[tuple[int, str], list[str]] = {}
    for measure in measures:
        if found := _nearest(measure, topics, confidence=confidence):
            by_shares.setdefault(found, []).append(measure)
    if by_shares:
        size = next(iter(by_shares))[0]
        said = "; ".join(f"{', '.join(names)} {shares} %" for (_, shares), names in by_shares.items())
        yield f"of {100 * confidence:.0f} % intervals such as these, a simulation with {size} topics saw cover: {said}"


def _nearest(
    measure: str, topics: int, *, same_topics: bool = True, few_differ: bool = False, confidence: float
) -> tuple[int, str] | None:
    """Return the simulated number of topics nearest to TOPICS, and the lowest and highest share covered there."""
    found = coverages(_simulated_as(measure), same_topics=same_topics)
    if not found or topics < 1 or confidence != _data()["confidence"]:
        return None
    size = min(found, key=lambda size: max(size / topics, topics / size))
    chosen = [share for population, share in found[size].items() if (population in _data()["few differ"]) == few_differ]
    if not chosen:
        return None
    low, high = (f"{100 * share:.0f}" for share in (min(chosen), max(chosen)))
    return size, low if low == high else f"{low}-{high}"


def _simulated_as(measure: str) -> str:
    """Return the name under which the simulation has MEASURE."""
    if measure == "arp":
        return _ARP
    from primad.reproducibility.catalogue import measures

    known = measures()
    return _ORDER if measure in known and known[measure].takes == "rankings" else measure
