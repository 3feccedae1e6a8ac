"""How often would levels that mean nothing do as well?

    permutation_test    p of eta²: all arrangements of the values where these can be counted out, else a sample of them
    Permuted            that p, the smallest one possible, and what they rest on

Arrangements that differ in nothing but the names of equally large levels have the same eta² and count once.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from primad.qra.causes.levels import parted

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from numpy.typing import NDArray

MOST_ARRANGEMENTS = 200_000
DRAWS = 20_000
_FEWEST_DRAWS = 1_000
# Rows times values of a table of arrangements: what is fast and small enough to be kept.
_MOST_CELLS = 4_000_000
_SEED = 20220522
_EQUAL = 1e-9


@dataclass(frozen=True, slots=True)
class Permuted:
    """How often an arrangement of the values at random goes with the levels as much as the one observed.

    smallest        the smallest p that these values could have had
    arrangements    how many were looked at
    exact           whether these are all of them
    """

    p: float
    smallest: float
    arrangements: int
    exact: bool

    @property
    def words(self) -> str:
        """Return p as a sentence has it."""
        how = "exact over" if self.exact else "a sample of"
        if self.p <= self.smallest:
            return f"p {self.p:.2g}, the smallest possible ({how} {self.arrangements:,} arrangements)"
        return f"p {self.p:.2g}, smallest possible {self.smallest:.2g} ({how} {self.arrangements:,} arrangements)"

    def to_dict(self) -> dict[str, Any]:
        """Return the test as JSON has it."""
        return {
            "p": self.p,
            "p_smallest": self.smallest,
            "arrangements": self.arrangements,
            "p_is_exact": self.exact,
        }

    @staticmethod
    def nothing() -> dict[str, Any]:
        """Return what JSON has where there is no test."""
        return {"p": None, "p_smallest": None, "arrangements": 0, "p_is_exact": None}


def permutation_test(values: Sequence[float], levels: Sequence[Hashable]) -> Permuted:
    """Return how often VALUES in any order go with LEVELS as much as they do in the order observed."""
    parted(values, levels, "p")
    members: dict[Hashable, list[int]] = {}
    for position, level in enumerate(levels):
        members.setdefault(level, []).append(position)
    parts = sorted(members.values(), key=len, reverse=True)
    sizes = tuple(map(len, parts))
    centred = np.asarray(values, float) - np.mean(values)
    centred /= math.sqrt(float(centred @ centred))
    observed = _between(centred, np.concatenate(parts)[:, None], sizes)[0]
    count = _arrangements(sizes)
    if count <= MOST_ARRANGEMENTS and count * len(values) <= _MOST_CELLS:
        shares = _between(centred, _all_orders(sizes), sizes)
        as_good = float(np.mean(shares >= observed - _EQUAL))
        return Permuted(as_good, float(np.mean(shares >= shares.max() - _EQUAL)), count, exact=True)
    shares = _between(centred, _drawn_orders(len(values)), sizes)
    draws = len(shares)
    # The order observed is one of those possible, so it is counted among the draws: p is never 0.
    p = (int(np.count_nonzero(shares >= observed - _EQUAL)) + 1) / (draws + 1)
    return Permuted(p, 1 / (draws + 1), draws, exact=False)


def _between(centred: NDArray[np.float64], orders: NDArray[np.integer[Any]], sizes: Sequence[int]) -> Any:
    """Return eta² of the values CENTRED, of length 1, in each order, a column of ORDERS, cut into levels of SIZES."""
    share = np.zeros(orders.shape[1])
    start = 0
    for size in sizes:
        share += centred[orders[start : start + size]].sum(axis=0) ** 2 / size
        start += size
    return share


def _arrangements(sizes: Sequence[int]) -> int:
    """Return in how many ways values can be parted into levels of SIZES, whose names do not matter.

    >>> _arrangements((4, 2, 1)), _arrangements((3, 2, 2))
    (105, 105)
    """
    ways, left = 1, sum(sizes)
    for size in sizes:
        ways *= math.comb(left, size)
        left -= size
    return ways // math.prod(math.factorial(times) for times in Counter(sizes).values())


@lru_cache(maxsize=64)
def _all_orders(sizes: tuple[int, ...]) -> NDArray[np.integer[Any]]:
    """Return all orders of positions, a column each, that part them in different ways into levels of SIZES."""
    rows = list(_orders(tuple(range(sum(sizes))), sizes, -1))
    return np.ascontiguousarray(np.array(rows, dtype=np.intp).T)


def _orders(left: tuple[int, ...], sizes: tuple[int, ...], after: int) -> Iterator[tuple[int, ...]]:
    """Yield the orders of the positions LEFT; the next level begins behind AFTER, so that equal ones stand once."""
    if not sizes:
        yield ()
        return
    size, others = sizes[0], sizes[1:]
    for members in combinations(left, size):
        if members[0] < after:
            continue
        taken = set(members)
        rest = tuple(position for position in left if position not in taken)
        again = members[0] if others[:1] == (size,) else -1
        for order in _orders(rest, others, again):
            yield members + order


@lru_cache(maxsize=8)
def _drawn_orders(n: int) -> NDArray[np.integer[Any]]:
    """Return orders of N positions at random, a column each, always the same ones."""
    draws = min(DRAWS, max(_FEWEST_DRAWS, _MOST_CELLS // n))
    positions = np.broadcast_to(np.arange(n, dtype=np.intp)[:, None], (n, draws))
    return np.random.default_rng(_SEED).permuted(positions, axis=0)
