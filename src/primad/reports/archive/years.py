"""How are scores over the years shown?

progress_shown   years with their best and median runs, and what follows
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from primad.reports._tables import harmless, number, wrapped
from primad.reports.lists import fitted, json_document

if TYPE_CHECKING:
    from primad.reports.archive.answers import Progress, Year

_COMPARED = "compared: runs whose baseline is in the archive; weak: those whose baseline is below the best before."


def progress_shown(found: Progress, form: str, width: int | None) -> str:
    """Return the scores over the years in a FORM, table or json."""
    if form == "json":
        return json_document("primad.archive.progress/1", found)
    return "\n".join(_parts(found, width)) if found.years else ""


def _parts(found: Progress, width: int | None) -> Iterator[str]:
    """Yield the table, and what follows from it."""
    heading = ["year", "best run", "team", "runs", "best", "median", "best before", "compared", "weak"]
    yield fitted([heading, *map(_row, found.years)], 3, width) + wrapped(_COMPARED, width)
    sentences = [*(one.sentence for one in found.years), *found.sentences]
    yield "".join(wrapped(harmless(one), width) for one in sentences if one)


def _row(year: Year) -> list[str]:
    """Return a YEAR as a row."""
    before = "" if year.best_before is None else number(year.best_before)
    scores = [f"{year.runs:,}", number(year.best.score), number(year.median), before]
    return [str(year.year), year.best.tag, year.best.team, *scores, f"{year.compared:,}", f"{len(year.weak):,}"]
