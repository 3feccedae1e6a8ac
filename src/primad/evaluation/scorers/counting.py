"""How do counts of items become measures?  What scorers share: shares, means, and comparison item by item.

    share           a part of a whole
    shares          precision, recall and F1 of what was right, given and wanted; SHARES are their names
    additive_f1     the same three as sums over items
    additive_mean   a mean over items as sums over items
    compared        two outputs item by item

A share of nothing (precision of an output that gives nothing) is 0, as scikit-learn's ``zero_division=0`` has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest

import numpy as np

from primad.evaluation.scorers.scored import Additive, Array, Compared, Differing

# So many items are named, each with so many texts: a verdict is read by people.
_MOST_ITEMS = 100
_MOST_TEXTS = 20

SHARES = ("precision", "recall", "f1")

_RIGHT, _GIVEN, _WANTED = range(3)


def share(part: float, whole: float) -> float:
    """Return PART of WHOLE, 0 where there is nothing.

    >>> share(1, 4), share(0, 0)
    (0.25, 0.0)
    """
    return part / whole if whole else 0.0


def shares(right: float, given: float, wanted: float) -> tuple[float, float, float]:
    """Return precision, recall and F1.

    >>> shares(2, 4, 2)
    (0.5, 1.0, 0.6666666666666666)
    """
    return share(right, given), share(right, wanted), share(2 * right, given + wanted)


def additive_f1(items: Sequence[str], counts: Array, prefix: str = "") -> dict[str, Additive]:
    """Return precision, recall and F1, their names behind PREFIX, of ITEMS with their COUNTS (right, given, wanted)."""
    formulas = zip(SHARES, (_precision, _recall, _f1), strict=True)
    return {prefix + name: Additive(tuple(items), counts, formula) for name, formula in formulas}


def additive_mean(items: Sequence[str], values: Iterable[float]) -> Additive:
    """Return the mean of VALUES, one for each of ITEMS."""
    column = np.fromiter(values, dtype=np.float64)
    return Additive(tuple(items), np.stack([column, np.ones_like(column)], axis=1), mean)


def mean(sums: Array) -> Array:
    """Return the mean of SUMS over items and how many those are; no number where there are none."""
    return _ratio(sums[..., 0], sums[..., 1], empty=np.nan)


def _precision(sums: Array) -> Array:
    return _ratio(sums[..., _RIGHT], sums[..., _GIVEN])


def _recall(sums: Array) -> Array:
    return _ratio(sums[..., _RIGHT], sums[..., _WANTED])


def _f1(sums: Array) -> Array:
    return _ratio(2 * sums[..., _RIGHT], sums[..., _GIVEN] + sums[..., _WANTED])


def _ratio(part: Array, whole: Array, empty: float = 0.0) -> Array:
    """Return PART of WHOLE, EMPTY where there is nothing."""
    return np.asarray(np.divide(part, whole, out=np.full(np.shape(part), empty), where=whole != 0))


def compared(
    first: Mapping[str, Sequence[str]], second: Mapping[str, Sequence[str]], *, ordered: bool = False
) -> Compared:
    """Return where two outputs differ: texts by item, whose order counts if ORDERED.

    An item without texts is one that the output says nothing of, whether it is named there or not.
    """
    pairs = {item: (first.get(item, ()), second.get(item, ())) for item in dict.fromkeys([*first, *second])}
    different = [item for item, (one, other) in pairs.items() if not _is_same(one, other, ordered=ordered)]
    named = tuple(_differing(item, *pairs[item]) for item in different[:_MOST_ITEMS])
    return Compared(len(pairs) - len(different), len(different), named)


def _is_same(first: Sequence[str], second: Sequence[str], *, ordered: bool) -> bool:
    """Tell whether both say the same of an item."""
    return list(first) == list(second) if ordered else set(first) == set(second)


def _differing(item: str, first: Sequence[str], second: Sequence[str]) -> Differing:
    """Return what only one of both has for ITEM: texts, or else what stands where they part."""
    only_first, only_second = _without(first, second), _without(second, first)
    if not only_first and not only_second:
        pairs = enumerate(zip_longest(first, second, fillvalue="nothing"), 1)
        place, (one, other) = next(pair for pair in pairs if pair[1][0] != pair[1][1])
        only_first, only_second = [f"{one} in place {place:,}"], [f"{other} in place {place:,}"]
    return Differing(item, tuple(only_first[:_MOST_TEXTS]), tuple(only_second[:_MOST_TEXTS]))


def _without(texts: Sequence[str], others: Sequence[str]) -> list[str]:
    """Return TEXTS, but for those that are among OTHERS."""
    known = set(others)
    return [text for text in texts if text not in known]
