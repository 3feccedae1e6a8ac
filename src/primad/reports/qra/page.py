"""A quantified assessment as one page that needs nothing else: no network, no script, no second file.

    render_page        the page as text
    render_fragment    the same as a part of another page

It has the look and the safeguards of the page about an assessment of runs.  Of very many groups it shows the first, and
says so; the files beside it hold all.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from primad.qra.conditions import IN_PRIMAD, PAPER, label_of
from primad.qra.refusing import Refused
from primad.qra.words import SYMBOLS, figure, percent
from primad.reports._drawing import FORMS
from primad.reports._html import as_fragment, as_page, inline_figure
from primad.reports._tables import NONE, cut
from primad.reports.qra._cells import figure_cell, interval_cell
from primad.reports.qra._grid import Grid, grids
from primad.reports.qra._headline import in_short
from primad.reports.qra._tables import Plain, tables_of
from primad.reports.qra.text import sections

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from primad.qra.causes import Causes
    from primad.qra.measurement import Measurement
    from primad.qra.published import Placement
    from primad.qra.result import GroupResult, QuantifiedAssessment
    from primad.reports.qra.figures import Drawing

_TEMPLATE = "qra.html"
# More is not read on a page.
_MOST_GROUPS = 300
_MOST_LINES = 600
_MOST_COLUMNS = 10
_MOST_SAID = 40
_MOST_NAMED = 3
_MOST_UPHELD = 3
_LONGEST_NAME = 60
_LONGEST_CELL = 160
# The page tells refusals group by group, in a section of its own.
_TOLD_ELSEWHERE = "Not computed"
_STEPS = (
    "What is constant, and what cannot be told apart",
    "What varies when nothing recorded changes",
    "What changed with one condition alone",
    "What goes with a condition, beside chance",
    "What stays open, and what would settle it",
)
_VARIANTS = {
    "acl2022": "acl2022, (1 + 1/4n) · 100 · s*/mean, as Belz, Popović and Mille (2022) define it",
    "qra3": "qra3, 100 · s*/mean, as the authors' later tool QRA3 computes it",
}


def render_page(found: QuantifiedAssessment, drawings: Sequence[Drawing], forms: Sequence[str] = FORMS) -> str:
    """Return the page about what was FOUND with its DRAWINGS, which are files beside it in these FORMS."""
    return as_page(_TEMPLATE, _facts(found, drawings), forms if drawings else ())


def render_fragment(found: QuantifiedAssessment, drawings: Sequence[Drawing], *, beside: str = "") -> str:
    """Return what was FOUND as a part of a page; BESIDE says where its files are."""
    return as_fragment(_TEMPLATE, _facts(found, drawings), beside)


def _facts(found: QuantifiedAssessment, drawings: Sequence[Drawing]) -> dict[str, Any]:
    """Return what the template is filled in with."""
    shown = found.groups[:_MOST_GROUPS]
    return {
        "found": found,
        "question": _question(found),
        "lead": list(_lead(found)),
        "confidence": percent(found.confidence).replace("%", " %"),
        "precision": list(_precision_tables(shown)),
        "is_cut": len(shown) < len(found),
        "shown": len(shown),
        "figures": [
            inline_figure(place, one, one.sentences)
            for place, one in enumerate(drawings, 1)
            if one.kind != "conditions"
        ],
        "placements": [(one, place) for one in shown if (place := _placement(one))],
        "grids": list(_first_lines(grids(shown))),
        "causes": [(one, _steps(one.causes)) for one in shown if one.causes is not None],
        "sections": list(_sections(found)),
        "notes": list(islice(_notes(found), _MOST_SAID)),
        "refused": list(_refused(found)),
        "settings": _settings(found),
        "mapping": _mapping(),
        "number": figure,
        "brief": _brief,
        "dash": NONE,
    }


def _brief(name: str) -> str:
    """Return NAME as a table has room for it."""
    return cut(name, _LONGEST_CELL)


# What is said first --------------------------------------------------------------------------------------------


def _question(found: QuantifiedAssessment) -> str:
    """Return what the page is about: the objects by their names, or how many there are."""
    objects = list(dict.fromkeys(one.group.object for one in found)) or list(
        dict.fromkeys(one.measurand for one in found.labels)
    )
    if not objects:
        return "How precise are the values?"
    short = [cut(name, _LONGEST_NAME) for name in objects[:_MOST_NAMED]]
    named = " and ".join(filter(None, (", ".join(short[:-1]), short[-1])))
    subject = named if len(objects) <= _MOST_NAMED else f"{len(objects):,} objects"
    return f"How precise are the values of {subject}?"


def _lead(found: QuantifiedAssessment) -> Iterator[str]:
    """Yield how precise the values are, and then whether findings and claims were upheld."""
    yield from _precision_in_short(found)
    yield from _first_few([one.sentence for one in found.findings if not isinstance(one.share, Refused)], "findings")
    yield from _first_few([one.sentence for one in found.claim_shares], "claims")


def _first_few(sentences: Sequence[str], what: str) -> Iterator[str]:
    """Yield the first of SENTENCES about WHAT, and how many more there are."""
    yield from sentences[:_MOST_UPHELD]
    more = len(sentences) - _MOST_UPHELD
    if more > 0:
        yield f"More on {what} upheld below: {more:,} {'sentence' if more == 1 else 'sentences'}."


def _precision_in_short(found: QuantifiedAssessment) -> Iterator[str]:
    """Yield how precise the values are; where only labels were given, how well these agree."""
    if not len(found):
        said = [one.sentence for one in found.labels]
        yield from said or ["There are no measurements, so there is nothing to say about their precision."]
        return
    yield from in_short(found)


# Precision -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Row:
    """A group in a table of precision; ``values`` has a list of measurements for each column."""

    result: GroupResult
    values: tuple[tuple[Measurement, ...], ...]
    figures: dict[str, str]


@dataclass(frozen=True, slots=True)
class _Table:
    """The groups of a study, in the form of the paper's Tables 2, 4 and 6."""

    study: str
    columns: tuple[str, ...]
    rows: tuple[_Row, ...]

    @property
    def shifted(self) -> str:
        """Return why a mean can lie beside its values, nothing where all scales start at 0."""
        starts = sorted({row.result.group.shift for row in self.rows} - {0.0})
        if not starts:
            return ""
        named = " or ".join(f"{start:g}" for start in starts)
        scale = f"a scale that starts at {named}"
        return f"Mean and standard deviation of values on {scale} are on the scale shifted to start at 0."


def _precision_tables(shown: Sequence[GroupResult]) -> Iterator[_Table]:
    """Yield a table for each study of the groups SHOWN, with a column for the values of each source if few."""
    by_study: dict[str, list[GroupResult]] = {}
    for one in shown:
        by_study.setdefault(one.group.fact("study"), []).append(one)
    for study, results in by_study.items():
        sources = list(dict.fromkeys(m.source for one in results for m in one.group.measurements))
        if len(sources) > _MOST_COLUMNS:
            rows = [_Row(one, (one.group.measurements,), _figures(one)) for one in results]
            yield _Table(study, ("Measured values",), tuple(rows))
        else:
            rows = [_Row(one, _in_columns(one, sources), _figures(one)) for one in results]
            yield _Table(study, tuple(source or "Measured values" for source in sources), tuple(rows))


def _in_columns(one: GroupResult, sources: Sequence[str]) -> tuple[tuple[Measurement, ...], ...]:
    """Return the measurements of a group by SOURCES."""
    return tuple(tuple(m for m in one.group.measurements if m.source == source) for source in sources)


def _figures(one: GroupResult) -> dict[str, str]:
    """Return what a table says about the precision of a group."""
    precision = one.precision
    return {
        "n": str(precision.n),
        "mean": figure(precision.mean),
        "stdev": figure_cell(precision.stdev),
        "stdev_ci": interval_cell(precision.stdev_ci),
        "stdev_ci_acl2022": interval_cell(precision.stdev_ci_acl2022),
        "cv": figure_cell(one.cv),
        "cv_ci": interval_cell(precision.cv_ci),
        "kind": NONE if one.cv is None else SYMBOLS[one.group.kind],
    }


def _placement(one: GroupResult) -> Placement | None:
    """Return where the CV* of a group stands among published ones, None where it has no place."""
    return None if isinstance(one.placement, Refused) else one.placement


# Grids ---------------------------------------------------------------------------------------------------------


def _first_lines(all_grids: Iterable[Grid]) -> Iterator[Grid]:
    """Yield as many of ALL_GRIDS, and of their groups, as a page has room for."""
    from dataclasses import replace

    room = _MOST_LINES
    for grid in all_grids:
        blocks = []
        for block in grid.blocks:
            if room > 0:
                blocks.append(replace(block, lines=block.lines[:room]))
                room -= len(block.lines)
        if blocks:
            yield replace(grid, blocks=tuple(blocks))


# Sections ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Section:
    """What is said of groups together: the first sentences, how many more there are, tables."""

    title: str
    lines: list[str]
    left_out: int
    tables: list[Plain]


def _sections(found: QuantifiedAssessment) -> Iterator[_Section]:
    """Yield what is said of groups together; sentences about single systems stand in the tables above."""
    tables = tables_of(found)
    systems = {one.sentence for one in found.levels if one.level == "system"}
    for title, lines in sections(found):
        said = [line for line in lines if line not in systems]
        if said and title != _TOLD_ELSEWHERE:
            yield _Section(title, said[:_MOST_SAID], max(0, len(said) - _MOST_SAID), tables.get(title, []))


def _steps(causes: Causes) -> list[tuple[str, list[str]]]:
    """Return what each of the five steps says, below its title; the first alone where nothing is compared."""
    steps = causes.steps()
    return list(zip(_STEPS[: len(steps)], steps, strict=True))


# Small print ---------------------------------------------------------------------------------------------------


def _notes(found: QuantifiedAssessment) -> Iterator[str]:
    """Yield what makes figures say less than they seem to, each once, with the groups that it is about."""
    yield from found.remarks
    about: dict[str, list[str]] = {}
    for one in found:
        for note in one.notes:
            about.setdefault(note, []).append(one.group.title)
    for note, titles in about.items():
        yield note if len(titles) == len(found) > 1 else f"{_few(titles)}: {note}"


def _refused(found: QuantifiedAssessment) -> Iterator[tuple[str, str]]:
    """Yield what could not be computed, each reason once, and for which groups."""
    about: dict[str, list[str]] = {}
    for one in found:
        if one.cv is None:
            about.setdefault(f"No CV*: {one.precision.undefined}.", []).append(one.group.title)
        for result in (one.laboratories, one.prediction, one.placement, one.equivalence):
            if isinstance(result, Refused):
                about.setdefault(result.sentence, []).append(one.group.title)
    for reason, titles in islice(about.items(), _MOST_SAID):
        yield reason, "all groups" if len(titles) == len(found) > 1 else _few(titles)


def _few(titles: Sequence[str]) -> str:
    """Return the first of TITLES, and how many more there are."""
    more = len(titles) - _MOST_NAMED
    return "; ".join(titles[:_MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")


def _settings(found: QuantifiedAssessment) -> dict[str, str]:
    """Return the rules in force, in words."""
    names = list(dict.fromkeys(name for one in found for name in one.group.names))
    return {
        "Variant of CV*": _VARIANTS[found.variant],
        "Scale": "shifted to start at 0 before anything is computed; mean and standard deviation are on that scale",
        "Standard deviation": "s*, divided by c4(n), so that it is unbiased in small samples",
        "Interval of the standard deviation": "by the chi-square distribution; beside it the one that the paper prints",
        "Interval of CV*": "by the noncentral t distribution; both intervals assume normal values",
        "Confidence": f"{100 * found.confidence:g} %",
        "Repeatability R⁰": "all recorded conditions are known to be equal; otherwise it is reproducibility R",
        "Conditions looked at": ", ".join(map(label_of, names)) or "none",
    }


def _mapping() -> list[tuple[str, str, str]]:
    """Return each condition with its meaning and what it is in PRIMAD."""
    meanings = {
        "Object": "the system that is evaluated",
        "Measurand": "the quantity that is measured",
        **{condition.label: condition.meaning for condition in PAPER},
    }
    return [(label, meanings[label], primad) for label, primad in IN_PRIMAD.items()]
