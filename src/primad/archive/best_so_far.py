"""How good was the best run up to each year?  The line of a figure; no database is needed to draw it.

best_so_far   the best score up to each year
"""

from __future__ import annotations

from primad.archive.search.measures import one_measure
from primad.reports.archive.answers import Progress


def best_so_far(found: Progress) -> list[tuple[int, float]]:
    """Return for each year the best score up to then, which is the best before the year after it."""
    if not found.years:
        return []
    last = found.years[-1]
    better = max if one_measure(found.measure).falls else min
    newest = last.best.score if last.best_before is None else better(last.best_before, last.best.score)
    known = [*(one.best_before for one in found.years[1:]), newest]
    return [(year.year, best) for year, best in zip(found.years, known, strict=True) if best is not None]
