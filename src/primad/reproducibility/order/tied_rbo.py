"""Are the tops of the lists still the same, if equal scores do not tell which document stands higher?

    rbo_tied    extrapolated rank-biased overlap with documents of equal score tied, in one of three ways

    w    ties mean the same rank: a block counts whole from its first place on
    a    ties mean an unknown order: a block's documents count in part until its last place; the mean over all orders
    b    as a, but over what the lists have with themselves, so that a list has 1 with itself

For scores in run files take a.  Without ties all three are rbo_ext.  No names are looked at, but where lists were cut
through a block: then trec_eval's order said what stays.  All are always defined.
Definitions: Corsi and Urbano, SIGIR 2024, arXiv:2406.07121.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from primad.errors import MeasureError
from primad.reproducibility.order.depths import check_persistence

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from primad.reproducibility.order.pairs import RankingPair
    from primad.reproducibility.order.rankings import Rankings

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

Variant = Literal["w", "a", "b"]

# So many depths are handled at a time, to bound the memory.
_AT_A_TIME = 1 << 18


def rbo_tied(pair: RankingPair, p: float, variant: Variant = "a") -> Floats:
    """Return the extrapolated overlap of the lists of each topic, ties as VARIANT says."""
    check_persistence(p)
    if variant not in get_args(Variant):
        raise MeasureError("rbo", f"expected w, a or b as the way to treat ties, found {variant!r}")
    parts = (_extrapolated(_Grid(part), p, variant) for part in pair.parts(_AT_A_TIME))
    return np.concatenate([np.empty(0), *parts])


class _Grid:
    """All depths of all topics of a pair, one after the other, each topic down to the end of its longer list."""

    def __init__(self, pair: RankingPair) -> None:
        """Lay out the depths for the topics of PAIR."""
        lengths = pair.original.lengths, pair.reproduction.lengths
        self.pair = pair
        self.short, self.long = np.minimum(*lengths), np.maximum(*lengths)
        self.starts = self.long.cumsum() - self.long
        self.topic = np.repeat(np.arange(len(self.long)), self.long)
        self.depth = np.arange(1, len(self.topic) + 1) - self.starts[self.topic]

    def at(self, depth: Ints) -> Ints:
        """Return the rows of the grid that have this DEPTH, one for each topic."""
        rows: Ints = self.starts + depth - 1
        return rows

    def count(self, since: Ints) -> Ints:
        """Return for each depth the number of the topic's shared documents that count SINCE that depth or before."""
        topic = self.pair.shared.topic
        counts = np.append(0, np.bincount(self.starts[topic] + since - 1, minlength=len(self.topic)).cumsum())
        since_start: Ints = counts[1:] - counts[self.starts][self.topic]
        return since_start


class _Side:
    """One list of each topic on the grid: the ranks that the block at each depth spans.

    Below its end a list is taken to go on without ties.
    """

    def __init__(self, grid: _Grid, rankings: Rankings, positions: Ints) -> None:
        """Spread the blocks of RANKINGS over GRID, and find those of the shared documents at their POSITIONS."""
        rows = np.flatnonzero(grid.depth <= rankings.lengths[grid.topic])
        self.first, self.last, self._depth = grid.depth.copy(), grid.depth.copy(), grid.depth
        self.first[rows], self.last[rows] = rankings.ties.first + 1, rankings.ties.last + 1
        shared = rankings.offsets[grid.pair.shared.topic] + positions
        self.begun = rankings.ties.first[shared] + 1  # the depth since which a shared document counts in part
        self.done = rankings.ties.last[shared] + 1  # the depth since which it counts whole

    @property
    def part(self) -> Floats:
        """Return how much of the block at each depth is not below that depth."""
        part: Floats = (self._depth - self.first + 1) / (self.last - self.first + 1)
        return part

    @property
    def squares(self) -> Floats:
        """Return the sum over all documents of the square of how much each counts at each depth."""
        squares: Floats = self.first - 1 + (self._depth - self.first + 1) * self.part
        return squares


def _extrapolated(grid: _Grid, p: float, variant: Variant) -> Floats:
    """Return the agreement of each topic at all depths by weight, and at the last one for all that is below."""
    agreement = _agreement(grid, variant)
    powers = p ** np.arange(grid.long.max(initial=0) + 1)
    seen = np.bincount(grid.topic, weights=powers[grid.depth - 1] * agreement, minlength=len(grid.long))
    return np.clip((1 - p) * seen + powers[grid.long] * agreement[grid.at(grid.long)], 0, 1)


def _agreement(grid: _Grid, variant: Variant) -> Floats:
    """Return how much of the tops down to each depth the lists share."""
    original = _Side(grid, grid.pair.original, grid.pair.shared.original)
    reproduction = _Side(grid, grid.pair.reproduction, grid.pair.shared.reproduction)
    begun = grid.count(np.maximum(original.begun, reproduction.begun))
    common = begun.astype(np.float64) if variant == "w" else _common(grid, original, reproduction, begun)
    whole = _whole(grid, original, reproduction, variant)
    # Below its end the shorter list is taken to share as many of the longer one's documents as it did there.
    below = np.flatnonzero(grid.depth > grid.short[grid.topic])
    last = (common / whole)[grid.at(grid.short)][grid.topic[below]]
    unmatched = np.maximum(original.last, reproduction.last)[below] - begun[below]
    part = 1 if variant == "w" else (grid.depth - common)[below] / unmatched
    common[below] += (grid.depth - grid.short[grid.topic])[below] * last * part
    agreement: Floats = common / whole
    return agreement


def _whole(grid: _Grid, original: _Side, reproduction: _Side, variant: Variant) -> Floats:
    """Return how much the lists could share at each depth."""
    whole: Floats
    match variant:
        case "w":
            whole = (original.last + reproduction.last) / 2
        case "a":
            whole = grid.depth.astype(np.float64)
        case "b":
            whole = np.sqrt(original.squares * reproduction.squares)
    return whole


def _common(grid: _Grid, original: _Side, reproduction: _Side, begun: Ints) -> Floats:
    """Return the sum over shared documents of the product of how much each counts in both lists at each depth.

    A document counts whole from the last rank of its block on, and in part from the first.  As only one block of each
    list can be partly above a depth, it is enough to count the documents that are whole or in part in either list.
    """
    done = grid.count(np.maximum(original.done, reproduction.done))
    first_within = grid.count(np.maximum(original.begun, reproduction.done)) - done
    second_within = grid.count(np.maximum(original.done, reproduction.begun)) - done
    both_within = begun - first_within - second_within - done
    part, other = original.part, reproduction.part
    common: Floats = done + part * first_within + other * second_within + part * other * both_within
    return common
