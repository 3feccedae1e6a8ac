"""What a quantified assessment says of several groups together, as tables of its page.

Plain          a table: a caption, a heading, rows whose first cell names them
tables_of      the tables that belong below a section, by the title of the section
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from primad.qra.levels import NAMES
from primad.qra.refusing import Refused
from primad.qra.words import figure
from primad.reports._tables import NONE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from primad.qra.between import Attribute, PairedVariants
    from primad.qra.levels import Summary
    from primad.qra.result import QuantifiedAssessment
    from primad.qra.score_sets import ScoreSet

# More rows are in the files beside the page.
_MOST_ROWS = 100


@dataclass(frozen=True, slots=True)
class Plain:
    """A table whose first column names its rows."""

    caption: str
    heading: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left_out: int = 0


def tables_of(found: QuantifiedAssessment) -> dict[str, list[Plain]]:
    """Return the tables about what was FOUND, by the title of the section that they belong to."""
    made = {
        "Sets of scores (type II)": [_score_pairs(found.score_sets)],
        "By measurand and study": [_levels(found.levels)],
        "Between groups": [_attributes(found.attributes), _variants(found.paired)],
    }
    return {title: [table for table in tables if table.rows] for title, tables in made.items()}


def _plain(caption: str, heading: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Plain:
    """Return a table of the first of ROWS."""
    listed = list(rows)
    return Plain(caption, heading, tuple(listed[:_MOST_ROWS]), max(0, len(listed) - _MOST_ROWS))


def _score_pairs(sets: Iterable[ScoreSet]) -> Plain:
    """Return how far each two experiments agree on the scores of all objects."""
    heading = ("Study, measurand", "Experiments", "n", "Pearson", "Spearman", "Kendall's tau", "bias", "95 % limits")
    caption = "Scores of the same objects in two experiments: correlations, and limits of agreement (Bland and Altman)"
    return _plain(caption, heading, chain.from_iterable(map(_score_rows, sets)))


def _score_rows(one: ScoreSet) -> Iterator[tuple[str, ...]]:
    """Yield a row for each pair of experiments in a set of scores."""
    for pair in one.pairs:
        limits = None if isinstance(pair.limits, Refused) else pair.limits
        yield (
            ", ".join(filter(None, (one.study, one.measurand))),
            f"{pair.first} / {pair.second}",
            str(pair.n),
            *(_or_dash(value) for value in (pair.pearson, pair.spearman, pair.tau)),
            figure(limits.bias) if limits else NONE,
            f"[{figure(limits.low)}, {figure(limits.high)}]" if limits else NONE,
        )


def _or_dash(value: float | Refused) -> str:
    """Return VALUE, or a dash where there is none."""
    return NONE if isinstance(value, Refused) else figure(value)


def _levels(summaries: Iterable[Summary]) -> Plain:
    """Return all types of result summed up by measurand and by study."""
    rows = (
        (one.title, one.level, NAMES[name][0], figure(value.mean), figure(value.median), str(value.n))
        for one in summaries
        if one.level != "system"
        for name, value in one.values.items()
    )
    return _plain(
        "Means and medians over objects, and over measurands",
        ("Study, measurand", "level", "result", "mean", "median", "n"),
        rows,
    )


def _attributes(found: Iterable[Attribute]) -> Plain:
    """Return CV* by what tells objects and groups apart."""
    rows = (
        (one.name, value.value, str(value.n), figure(value.median), figure(value.lowest), figure(value.highest))
        for one in found
        for value in one.values
    )
    return _plain(
        "CV* in percent by what tells groups apart", ("What", "value", "groups", "median", "lowest", "highest"), rows
    )


def _variants(found: Iterable[PairedVariants]) -> Plain:
    """Return CV* of objects that differ in one attribute alone."""
    rows = (
        (
            " / ".join(pair.objects),
            pair.measurand,
            f"{one.attribute}: {' / '.join(pair.values)}",
            " / ".join(map(figure, pair.cvs)),
        )
        for one in found
        for pair in one.pairs
    )
    return _plain("Objects that differ in one attribute alone", ("Objects", "measurand", "attribute", "CV* in %"), rows)
