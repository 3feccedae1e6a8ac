"""Which depths and which persistence can be asked for?  What the measures refuse, in one place."""

from __future__ import annotations

from primad.errors import MeasureError

# A table has an entry for each depth, and nobody ranks deeper.
DEEPEST = 1_000_000


def checked_depth(measure: str, depth: int) -> int:
    """Return DEPTH if MEASURE can be had at it."""
    if not 1 <= depth <= DEEPEST:
        raise MeasureError(measure, f"expected a depth from 1 to {DEEPEST:,}, found {depth}")
    return depth


def check_persistence(p: float, *, may_be_one: bool = False) -> None:
    """Refuse P, the chance that a reader looks at the next document, if there is no rank-biased overlap with it."""
    if not (0 < p < 1 or (p == 1 and may_be_one)):
        most = "at most 1" if may_be_one else "below 1"
        raise MeasureError("rbo", f"expected p above 0 and {most}, found {p}")
