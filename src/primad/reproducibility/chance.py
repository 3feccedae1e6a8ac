"""Could the difference of two outputs' scores be chance?  Items swapped between them, and items drawn again.

    Chance       the p-value of the difference, and its interval
    chance_of    both, for a measure that is made of sums over items
    DRAWS        how often items are swapped and drawn
    FEWEST       items that have an interval

Approximate randomisation swaps what two outputs say of an item, for each item or not, by a coin: if it does not matter
which system said what, a difference as large as the observed one comes about often.  Where all ways to swap are fewer
than the draws, all are tried.  The bootstrap draws as many items as there are, with replacement, and its interval is
that between the percentiles.  An item that one output lacks adds nothing to the sums of that output, and keeps doing so
when it is swapped: a mean then goes over fewer items.  Fewer than ten items have no interval: drawn again, they are
mostly the same few.  Everything follows from the seed.

Ways to swap that lie equally far apart must not be told apart by rounding, whatever the size of the numbers: a
difference that the rounding of the sums could make is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from primad.evaluation.scorers.scored import Additive, Array

DRAWS = 10_000
FEWEST = 10

_CELLS = 1 << 20  # of a table of draws that is in memory at once: 8 MB of numbers
_SHARE_OUTSIDE = 0.05
_ROUNDING = 16 * 2.0**-52  # of a sum of one item; that of more grows with the root of their number
_FEWEST_DEFINED = 0.5
_MOST_DRAWN, _FEWEST_DRAWS = 1 << 29, 1000
_KINDS = 20  # drawing how often a kind of item counts takes so much longer than drawing an item


@dataclass(frozen=True)
class Chance:
    """Whether a difference of the primary measure could be chance.

    P is that of approximate randomisation (both outputs' items swapped at random), LOW and HIGH bound the 95 % interval
    of the difference by the bootstrap (items drawn with replacement), DRAWS is how often.  ITEMS are those that either
    output has.  An EXACT p-value comes from all ways to swap items.  NO_INTERVAL says why LOW and HIGH are None.
    """

    p: float
    low: float | None
    high: float | None
    draws: int
    items: int
    exact: bool = False
    no_interval: str = ""


@dataclass(frozen=True)
class Paired:
    """What each item adds to the sums of a FIRST and a SECOND output, a row each; the measure is made OF_SUMS."""

    first: Array
    second: Array
    of_sums: Callable[[Array], Array]

    @classmethod
    def of(cls, first: Additive, second: Additive) -> Paired:
        """Return two outputs over the items that either has; one that an output lacks adds nothing there."""
        places = {item: place for place, item in enumerate(dict.fromkeys([*first.items, *second.items]))}
        return cls(_placed(first, places), _placed(second, places), first.of_sums)

    def difference(self, first: Array, second: Array) -> Array:
        """Return the measure of SECOND minus that of FIRST, which are sums."""
        return np.asarray(self.of_sums(second) - self.of_sums(first))


def _placed(additive: Additive, places: Mapping[str, int]) -> Array:
    """Return what each item adds, in the row that PLACES gives it."""
    table = np.zeros((len(places), additive.parts.shape[1]))
    table[[places[item] for item in additive.items]] = additive.parts
    return table


def chance_of(first: Additive, second: Additive, *, seed: int = 0, draws: int = DRAWS) -> Chance | str:
    """Return whether the difference of SECOND and FIRST could be chance, or why that cannot be told.

    Of very many items fewer DRAWS are made, but never less than a thousand.
    """
    paired = Paired.of(first, second)
    items = len(paired.first)
    draws = min(draws, max(_MOST_DRAWN // items, _FEWEST_DRAWS))
    if np.array_equal(paired.first, paired.second):
        return "no item adds anything else to the measure"
    p, exact = _swapped(paired, seed, draws)
    if items < FEWEST:
        reason = f"an interval takes at least {FEWEST} items, and there {'is' if items == 1 else 'are'} {items}"
        return Chance(p, None, None, draws, items, exact, reason)
    resampled = _resampled(paired, seed, draws)
    resampled = resampled[np.isfinite(resampled)]
    if len(resampled) < _FEWEST_DEFINED * draws:
        return "the measure has no value in most resamples of its items"
    low, high = np.quantile(resampled, [_SHARE_OUTSIDE / 2, 1 - _SHARE_OUTSIDE / 2]).tolist()
    return Chance(p, low, high, draws, items, exact)


def _swapped(paired: Paired, seed: int, draws: int) -> tuple[float, bool]:
    """Return how often outputs with swapped items lie as far apart, and whether all ways to swap them were tried.

    Only items that differ need swapping, and the first of them need not: to swap all others instead gives the same
    two outputs, the one in the place of the other.  A draw for which the measure has no value counts as one that is as
    far.
    """
    sums = paired.first.sum(axis=0), paired.second.sum(axis=0)
    moved = paired.second - paired.first
    moved = moved[np.any(moved != 0, axis=1)]
    observed = abs(float(paired.difference(*sums))) - _rounding(paired, sums)
    exact = len(moved) < draws.bit_length() and 1 << len(moved) <= draws
    moved = moved[1:]
    as_far = total = 0
    for coins in _all_ways(len(moved)) if exact else _coins(len(moved), seed, draws):
        shift = coins @ moved
        found = np.abs(paired.difference(sums[0] + shift, sums[1] - shift))
        as_far += int((~(found < observed)).sum())
        total += len(coins)
    return (as_far / total if exact else (as_far + 1) / (total + 1)), exact


def _rounding(paired: Paired, sums: tuple[Array, Array]) -> float:
    """Return how far the difference may move if each of the SUMS is rounded, at the size that its items have."""
    sizes = np.abs(paired.first).sum(axis=0) + np.abs(paired.second).sum(axis=0)
    steps = np.diag(sizes * _ROUNDING * len(paired.first) ** 0.5)
    moves = [np.abs(paired.of_sums(one + steps * sign) - paired.of_sums(one)) for one in sums for sign in (1.0, -1.0)]
    values = [abs(float(value)) for value in map(paired.of_sums, sums)]
    return float(np.nansum(moves)) + _ROUNDING * float(np.nansum(values))


def _all_ways(items: int) -> Iterator[Array]:
    """Yield every way to swap so many ITEMS, one a row, in one table."""
    yield (np.arange(1 << items)[:, None] >> np.arange(items) & 1).astype(np.float64)


def _coins(items: int, seed: int, draws: int) -> Iterator[Array]:
    """Yield DRAWS rows of coins for so many ITEMS, in tables that fit into memory."""
    generator = np.random.default_rng([seed, 1])
    for rows in _blocks(items, draws):
        bits = np.frombuffer(generator.bytes(-(-rows * items // 8)), dtype=np.uint8)
        yield np.unpackbits(bits, count=rows * items).reshape(rows, items).astype(np.float64)


def _resampled(paired: Paired, seed: int, draws: int) -> Array:
    """Return the difference in each of DRAWS resamples of the items."""
    generator = np.random.default_rng([seed, 2])
    both = np.concatenate([paired.first, paired.second], axis=1)
    kinds, sizes = np.unique(both, axis=0, return_counts=True)
    items, width = len(both), paired.first.shape[1]
    # Items that add the same need not be told apart: of counts there are few kinds.
    few = len(kinds) * _KINDS < items
    found = []
    for rows in _blocks(len(kinds) if few else items, draws):
        if few:
            sums = generator.multinomial(items, sizes / items, size=rows).astype(np.float64) @ kinds
        else:
            sums = _counts(generator, items, rows) @ both
        found.append(paired.difference(sums[:, :width], sums[:, width:]))
    return np.concatenate(found)


def _counts(generator: np.random.Generator, items: int, rows: int) -> Array:
    """Return how often each of so many ITEMS counts in a resample, one a row."""
    drawn = generator.integers(0, items, (rows, items), dtype=np.int32)
    drawn += (items * np.arange(rows, dtype=np.int32))[:, None]
    return np.bincount(drawn.ravel(), minlength=rows * items).reshape(rows, items).astype(np.float64)


def _blocks(width: int, draws: int) -> Iterator[int]:
    """Yield how many rows of so many columns are drawn at once, until they are DRAWS."""
    at_once = max(_CELLS // max(width, 1), 1)
    for begin in range(0, draws, at_once):
        yield min(at_once, draws - begin)
