"""A quantified assessment as text: for a terminal, for a spreadsheet, for a paper, for a program.

    render    in the form that is wanted: table, csv, json or latex

The tables have the form of the paper's Tables 1, 2, 4 and 6.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from primad.qra.conditions import label_of
from primad.qra.refusing import Refused
from primad.qra.words import SYMBOLS, figure, percent
from primad.reports._tables import NONE, as_text, csv_text, cut, folded, harmless, json_text, padded, wrapped
from primad.reports.qra._cells import figure_cell, interval_cell, share_cell
from primad.reports.qra._headline import in_short
from primad.reports.qra.latex import latex_tables

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from primad.qra.precision import Interval
    from primad.qra.result import GroupResult, QuantifiedAssessment
    from primad.reports._tables import Cell, Row

# Of more groups than this the steps towards causes fill screens: then what they come to is said, and where they are.
_MOST_EXPLAINED = 4
_MOST_LINES = 12
_MOST_NAMED = 4
_LONGEST_CELL = 60
_LEGEND = (
    (
        "mean, stdev (unbiased) and its chi-square interval are in the unit of the measurand, CV* is in percent; its "
        "interval is by the noncentral t distribution, for values that vary normally.  as the paper: the interval of "
        "stdev that Belz et al. (2022) print; it is too narrow, and can begin below 0."
    ),
    (
        "rounding: where CV* can have been before values were rounded.  published below: how many published groups "
        "(shipped: the 18 of Belz et al. 2022) with the same kind of evaluation (of all, where fewer than 3 have it) "
        "have a lower CV*.  kind: R⁰ "
        "repeatability, R reproducibility."
    ),
)


def render(found: QuantifiedAssessment, form: str, *, width: int | None = None) -> str:
    """Return FOUND as a table no wider than WIDTH, as CSV, JSON or LaTeX."""
    if form == "json":
        return json_text(found.to_dict())
    if form == "csv":
        return csv_text(_csv_rows(found))
    if form == "latex":
        return as_text(latex_tables(found))
    return as_text("\n".join(part for part in _parts(found, width) if part))


def _parts(found: QuantifiedAssessment, width: int | None) -> Iterator[str]:
    """Yield the parts of what a terminal shows."""
    yield _said("In words", in_short(found), width)
    yield _overview(found, width)
    yield _precision(found, width)
    yield _said("Note", _notes(found), width)
    yield from _why(found, width)
    for title, lines in sections(found):
        yield _said(title, _shortened(lines), width)


def _why(found: QuantifiedAssessment, width: int | None) -> Iterator[str]:
    """Yield why values vary, if that was asked for: step by step for a few groups, of more what the steps come to."""
    if len(found) <= _MOST_EXPLAINED:
        yield from (_causes(one, width) for one in found)
        return
    short = [f"{one.group.title}: {one.causes.conclusion}" for one in found if one.causes]
    hint = "The steps are in the report and in JSON; of few groups, as --where chooses them, they are printed here."
    yield _said("Why values vary", [*short, hint] if short else [], width)


def sections(found: QuantifiedAssessment) -> Iterator[tuple[str, list[str]]]:
    """Yield what is said of all groups together: a title, and a sentence for each result."""
    groups = found.groups
    yield "Claims", [*(one.sentence for one in found.claims), *(one.sentence for one in found.claim_shares)]
    yield "Findings (type IV)", [one.sentence for one in found.findings if _is_there(one.share)]
    yield "Sets of scores (type II)", [one.sentence for one in found.score_sets if one.says_something]
    yield "Labels (type III)", [one.sentence for one in found.labels]
    everything, *studies = [one.sentence for one in found.pairs] or [""]
    yield "Reproductions against originals", [everything, *(studies if len(studies) > 1 else [])] if everything else []
    yield "Equivalence", [one.equivalence.sentence for one in groups if one.equivalence is not None]
    yield "Prediction", [one.prediction.sentence for one in groups if _is_there(one.prediction)]
    yield (
        "Laboratories (ISO 5725)",
        [f"{one.group.title}: {one.laboratories.sentence}" for one in groups if _is_there(one.laboratories)],
    )
    yield "By measurand and study", _levels(found)
    yield "Between groups", [*(one.sentence for one in found.attributes), *(one.sentence for one in found.paired)]
    yield "Not computed", _refusals(found)


def _refusals(found: QuantifiedAssessment) -> list[str]:
    """Return which statistics the data do not allow, for how many groups, and why for the first of these."""
    refused: dict[str, list[tuple[GroupResult, str]]] = {}
    for one in found:
        for result in (one.laboratories, one.prediction):
            if isinstance(result, Refused):
                refused.setdefault(result.name, []).append((one, result.reason))
    return [
        f"{name}, {len(groups):,} of {len(found):,} groups: {groups[0][0].group.title}: {groups[0][1]}."
        for name, groups in refused.items()
    ]


def _levels(found: QuantifiedAssessment) -> list[str]:
    """Return what measurands and studies come to; of one group alone there is nothing to add."""
    if len(found) == 1 and not found.labels:
        return []
    return [one.sentence for one in found.levels if one.level != "system"]


def _is_there(result: object) -> bool:
    """Tell whether a statistic could be computed."""
    return not isinstance(result, Refused)


def _overview(found: QuantifiedAssessment, width: int | None) -> str:
    """Return what was measured, as the paper's Table 1 has it; nothing where only labels were given."""
    if not found.groups:
        return ""
    rows = [["object", "measurand", "n", "sources", "task", "evaluation"]]
    for measured in found.overview[:_MOST_LINES]:
        facts = measured.facts
        names = (
            _few(measured.objects),
            _few([name for name, _ in facts.measurands]),
            _counts(facts.measurands),
            _few(facts.sources),
        )
        rows.append([harmless(cell) or NONE for cell in (*names, facts.task, facts.evaluation)])
    columns = [place for place in range(len(rows[0])) if any(row[place] != NONE for row in rows[1:])]
    rows = [[cut(row[place], _LONGEST_CELL) for place in columns] for row in rows]
    more = len(found.overview) - _MOST_LINES
    return folded(padded(rows, len(columns)), 1, width) + (f"and {more:,} more\n" if more > 0 else "")


def _counts(measurands: Sequence[tuple[str, int]]) -> str:
    """Return how often each of the MEASURANDS was measured."""
    numbers = [number for _, number in measurands]
    if len(numbers) > 1 and len(set(numbers)) == 1:
        return f"{numbers[0]} each"
    return _few([str(number) for number in numbers])


def _few(names: Sequence[str], joint: str = ", ") -> str:
    """Return the first of NAMES, and how many more there are."""
    more = len(names) - _MOST_NAMED
    return joint.join(names[:_MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")


def _shortened(lines: Sequence[str]) -> list[str]:
    """Return the first of LINES, and how many more there are."""
    more = len(lines) - _MOST_LINES
    return [*lines[:_MOST_LINES], *([f"{more:,} more are in the report and in JSON."] if more > 0 else [])]


def _precision(found: QuantifiedAssessment, width: int | None) -> str:
    """Return a row for each group: how precise its value is; nothing where only labels were given."""
    if not found.groups:
        return ""
    sure = percent(found.confidence)
    parted = list(dict.fromkeys(name for one in found for name in one.group.subset))
    heading = [
        *("object", "measurand", *map(harmless, parted), "n", "mean", "stdev", f"stdev {sure} CI", "as the paper"),
        *("CV* acl2022", "CV* qra3"),
        *(f"CV {sure} CI", "rounding", "within s", "within 2s", "published below", "kind"),
    ]
    names = heading.index("n")
    return folded([heading, *(_row(one, parted) for one in found)], names, width)


def _row(one: GroupResult, parted: Sequence[str]) -> Row:
    """Return the precision of a group as cells."""
    group, precision = one.group, one.precision
    names = [group.object, group.measurand, *(group.subset.get(name, "") for name in parted)]
    return [
        *map(harmless, names),
        str(precision.n),
        figure(precision.mean),
        figure_cell(precision.stdev),
        interval_cell(precision.stdev_ci),
        interval_cell(precision.stdev_ci_acl2022),
        figure_cell(precision.cv_acl2022),
        figure_cell(precision.cv_qra3),
        interval_cell(precision.cv_ci),
        _envelope(one),
        share_cell(precision.within_one),
        share_cell(precision.within_two),
        NONE if isinstance(one.placement, Refused) else f"{one.placement.lower} of {one.placement.n}",
        NONE if precision.n == 1 else SYMBOLS[group.kind],
    ]


def _envelope(one: GroupResult) -> str:
    """Return where CV* can have been before rounding, a dash where that makes no difference that can be seen."""
    envelope = (one.precision.envelope or {}).get(one.variant)
    if envelope is None or (envelope.high is not None and figure(envelope.low) == figure(envelope.high)):
        return NONE
    return interval_cell(envelope)


def _notes(found: QuantifiedAssessment) -> list[str]:
    """Return what makes figures say less than they seem to, each once, with the groups it is about."""
    about: dict[str, list[str]] = {}
    for one in found:
        for note in one.notes:
            about.setdefault(note, []).append(one.group.title)
    noted = [note if len(titles) == len(found) else f"{_few(titles, '; ')}: {note}" for note, titles in about.items()]
    return [*_shortened(noted), *(_LEGEND if any(one.cv is not None for one in found) else ())]


def _said(title: str, lines: Sequence[str], width: int | None) -> str:
    """Return LINES below TITLE, nothing if there are none."""
    if not lines:
        return ""
    return f"{title}:\n" + "".join(wrapped(harmless(line), width, "- ") for line in lines)


def _causes(one: GroupResult, width: int | None) -> str:
    """Return why the values of a group vary, as far as anybody can say."""
    if one.causes is None:
        return ""
    title = f"Why {one.group.title} varies"
    return _said(harmless(title), [f"In short: {one.causes.conclusion}", *one.causes.sentences()], width)


def _csv_rows(found: QuantifiedAssessment) -> Iterator[list[Cell]]:
    """Yield a row for each group, below the names of the columns."""
    columns = (
        *("object", "measurand", "subset", "n", "mean", "shift", "unit", "direction", "lowest", "highest", "stdev"),
        *("stdev_low", "stdev_high", "stdev_low_acl2022", "stdev_high_acl2022", "cv", "cv_acl2022", "cv_qra3"),
        *("cv_low", "cv_high", "cv_low_vangel", "cv_high_vangel", "envelope_low", "envelope_high"),
        *("within_one_stdev", "within_two_stdev", "variant", "confidence", "kind", "varying", "study", "task"),
        *("evaluation", "system", "undefined"),
    )
    yield list(columns)
    for one in found:
        content = _csv_cells(one)
        yield [content[name] for name in columns]


def _csv_cells(one: GroupResult) -> dict[str, Cell]:
    """Return the cells of a group by column."""
    content = one.to_dict()
    group, precision = one.group, one.precision
    cells: dict[str, Cell] = {name: value for name, value in content.items() if isinstance(value, str | float | int)}
    maybe = ("stdev", "cv", "cv_acl2022", "cv_qra3", "within_one_stdev", "within_two_stdev")
    cells |= {name: content[name] for name in maybe}
    cells["subset"] = "; ".join(f"{name}={value}" for name, value in group.subset.items())
    cells["varying"] = "; ".join(map(label_of, group.stated.varying))
    for name, interval in (
        ("stdev_{}", precision.stdev_ci),
        ("stdev_{}_acl2022", precision.stdev_ci_acl2022),
        ("cv_{}", precision.cv_ci),
        ("cv_{}_vangel", precision.cv_ci_vangel),
        ("envelope_{}", (precision.envelope or {}).get(one.variant)),
    ):
        cells[name.format("low")] = None if interval is None else interval.low
        cells[name.format("high")] = None if interval is None else _bound(interval)
    return cells


def _bound(interval: Interval) -> Cell:
    """Return the upper end of INTERVAL; a word where there is none, for an empty cell says nothing."""
    return "unbounded" if interval.high is None else interval.high
