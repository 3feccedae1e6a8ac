"""Which annotations of two sets belong together?  Pieces that share characters, and concepts at covered pieces.

overlapping_pairs   how many pairs can be made of pieces that share a character, each piece in one pair at most
covered_codes       how many concept ids are right as CodiEsp-X has it, how many are given and wanted
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from primad.errors import DataError
from primad.evaluation.scorers.span_files import Annotation

Places = tuple[tuple[int, int], ...]

# In a document that people annotated, a piece overlaps with a handful of others.
_MOST_OVERLAPS = 5_000_000


def overlapping_pairs(first: Sequence[Places], second: Sequence[Places]) -> int:
    """Return how many pairs of one of FIRST and one of SECOND can be made that share a character.

    >>> overlapping_pairs([((0, 10),), ((8, 20),)], [((9, 12),), ((0, 9),)])
    2
    """
    edges = _overlaps(first, second)
    if not edges or min(len(first), len(second)) == 1:
        return min(len(edges), 1)
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    rows, columns = np.array(sorted(edges), dtype=np.int32).T
    graph = csr_array((np.ones(len(rows), dtype=np.int8), (rows, columns)), shape=(len(first), len(second)))
    return int((maximum_bipartite_matching(graph, perm_type="column") >= 0).sum())


def _overlaps(first: Sequence[Places], second: Sequence[Places]) -> set[tuple[int, int]]:
    """Return which of FIRST and SECOND share a character, by their numbers."""
    parts = sorted((start, end, number) for number, places in enumerate(second) for start, end in places)
    starts = [start for start, _, _ in parts]
    longest = max((end - start for start, end, _ in parts), default=0)
    edges: set[tuple[int, int]] = set()
    for number, places in enumerate(first):
        for start, end in places:
            near = parts[bisect_left(starts, start - longest) : bisect_left(starts, end)]
            edges.update((number, other) for _, other_end, other in near if other_end > start)
        if len(edges) > _MOST_OVERLAPS:
            raise DataError(f"expected annotations that rarely overlap, found more than {_MOST_OVERLAPS:,} overlaps")
    return edges


def covered_codes(wanted: Sequence[Annotation], given: Sequence[Annotation], tolerance: int) -> tuple[int, int, int]:
    """Return how many concept ids of a document are right, given and wanted.

    One is right if a piece with this id holds a wanted one with this id and is at most TOLERANCE longer on either side.
    """
    ours, theirs = _extents(wanted), _extents(given)
    right = sum(_is_covered(ours[code], theirs[code], tolerance) for code in ours if code in theirs)
    return right, len(theirs), len(ours)


def _extents(annotations: Iterable[Annotation]) -> dict[str, list[tuple[int, int]]]:
    """Return where the pieces of each concept id begin and end."""
    found: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for one in annotations:
        for concept in one.concepts:
            found[concept].append(one.extent)
    return dict(found)


def _is_covered(wanted: Iterable[tuple[int, int]], given: Iterable[tuple[int, int]], tolerance: int) -> bool:
    """Tell whether any of the pieces GIVEN holds one that is WANTED, and not much more."""
    ordered = sorted(set(given))
    return any(
        0 <= given_end - end <= tolerance
        for start, end in wanted
        for _, given_end in ordered[bisect_left(ordered, (start - tolerance,)) : bisect_left(ordered, (start + 1,))]
    )
