"""What came of repeating a command, as people and programs want to read it.

    render_repetition   how often it was run, what was kept, how well that agrees, how precise its scores are

Nothing is computed here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from primad.qra.words import SYMBOLS
from primad.reports._tables import aligned, harmless, json_text, wrapped
from primad.reports.qra._cells import figure_cell

if TYPE_CHECKING:
    from collections.abc import Iterator

    from primad.qra.result import GroupResult
    from primad.reproducibility.repeating import Repetition

_HEADING = ["run", "measure", "kind", "n", "mean", "s*", "CV* %"]
_NAMES = 3


def render_repetition(repetition: Repetition, form: str, width: int | None = None) -> str:
    """Return REPETITION in the given FORM, table or json, the lines of a table no wider than WIDTH."""
    if form == "json":
        return json_text(repetition.to_dict())
    return "".join(_lines(repetition, width))


def _lines(repetition: Repetition, width: int | None) -> Iterator[str]:
    """Yield the parts of the report."""
    yield wrapped(harmless(repetition.sentence), width)
    if repetition.kept:
        yield wrapped(harmless(", ".join(one.path for one in repetition.kept)), width, "Kept: ")
    yield from (wrapped(harmless(one.sentence), width) for one in repetition.agreements)
    found = repetition.assessment
    if found is None:
        return
    if not found.groups:
        yield "No scores are left to assess.\n"
        return
    yield "\n" + aligned([_HEADING, *map(_row, found.groups)], _NAMES) + "\n"
    for one in found.groups:
        yield wrapped(harmless(one.sentence), width)
        yield from (wrapped(harmless(note), width, "  ") for note in one.notes)


def _row(found: GroupResult) -> list[str]:
    """Return a group as a row of the table."""
    group, precision = found.group, found.precision
    figures = (precision.mean + group.shift, precision.stdev, found.cv)
    kind = SYMBOLS[group.kind]
    return [harmless(group.object), harmless(group.measurand), kind, str(precision.n), *map(figure_cell, figures)]
