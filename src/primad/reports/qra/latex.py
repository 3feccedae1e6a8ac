r"""A quantified assessment as LaTeX: the tables of Belz, Popović and Mille (2022).

latex_tables    the overview (their Table 1), precision (2, 4, 6), and the conditions of each measurement (3, 5, 7)

A comment on top names the packages that they need.  Each table is as wide as the text, whatever it holds.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from primad.qra.conditions import label_of
from primad.qra.words import figure, percent
from primad.reports._tables import NONE, harmless, latex
from primad.reports.qra._cells import figure_cell, interval_cell

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from primad.qra.result import GroupResult, QuantifiedAssessment

_PACKAGES = "% needs \\usepackage{booktabs} and \\usepackage{graphicx}\n"
_LONGEST_LABEL = 60
# Lists of names would be lines of any length, and tiny letters in a table as wide as the text.
_OVERVIEW = "p{4.5cm}p{2cm}p{1.5cm}p{4.5cm}p{3cm}p{2.5cm}"


def latex_tables(found: QuantifiedAssessment) -> str:
    """Return FOUND as tables, those about precision and conditions for each study; of labels alone there are none."""
    if not found.groups:
        return _PACKAGES
    parts = [_PACKAGES, _overview(found)]
    for study, ending in _endings(list(dict.fromkeys(one.group.fact("study") for one in found))).items():
        parts += [_precision(found, study, ending), _conditions(found, study, ending)]
    return "\n".join(parts)


def _endings(studies: Sequence[str]) -> dict[str, str]:
    """Return how the labels of the tables of each of STUDIES end: signs that every label may have, no two alike.

    >>> _endings(["", "nts", "R&D 1", "R_D_1"])
    {'': '', 'nts': '-nts', 'R&D 1': '-R-D-1', 'R_D_1': '-R-D-1-2'}
    """
    endings: dict[str, str] = {}
    for study in studies:
        safe = re.sub(r"[^A-Za-z0-9]+", "-", f" {study}")[:_LONGEST_LABEL].rstrip("-")
        number = 1
        ending = safe
        while ending in endings.values():
            number += 1
            ending = f"{safe}-{number}"
        endings[study] = ending
    return endings


def _overview(found: QuantifiedAssessment) -> str:
    """Return what was measured."""
    rows = [
        (
            ", ".join(measured.objects),
            ", ".join(name for name, _ in measured.facts.measurands),
            ", ".join(str(number) for _, number in measured.facts.measurands),
            ", ".join(measured.facts.sources),
            measured.facts.task,
            measured.facts.evaluation,
        )
        for measured in found.overview
    ]
    heading = ("Object", "Measurand", "N scores", "Sources", "Task", "Evaluation")
    return _table("What was measured.", "overview", _OVERVIEW, heading, rows)


def _precision(found: QuantifiedAssessment, study: str, ending: str) -> str:
    """Return how precise the values of a STUDY are, with a column for each source; its label has that ENDING."""
    groups = [one for one in found if one.group.fact("study") == study]
    sources = list(dict.fromkeys(measurement.source for one in groups for measurement in one.group.measurements))
    sure = percent(found.confidence)
    heading = (
        *("Object", "Measurand", *(source or "Measured value" for source in sources)),
        *("n", "mean", "stdev", f"stdev {sure} CI", "as the paper", "CV*", f"CV {sure} CI", "kind"),
    )
    caption = (
        f"Precision{study and f' ({study})'}: CV* (variant {found.variant}; lower is better) and its components, on "
        "scales shifted to start at 0. Chi-square intervals of the standard deviation, beside them those that Belz et "
        "al. (2022) print; intervals of CV by the noncentral t distribution. R0 is repeatability, R reproducibility."
    )
    rows = [_precision_row(one, sources) for one in groups]
    return _table(caption, f"precision{ending}", "ll" + "l" * len(sources) + "rrrrrrrl", heading, rows)


def _precision_row(one: GroupResult, sources: Sequence[str]) -> tuple[str, ...]:
    """Return the cells of a group, its values by SOURCES."""
    group, precision = one.group, one.precision
    values = [", ".join(each.value for each in group.measurements if each.source == source) for source in sources]
    return (
        ", ".join([group.object, *(f"{label_of(name)}: {value}" for name, value in group.subset.items())]),
        group.measurand,
        *(value or NONE for value in values),
        str(precision.n),
        figure(precision.mean),
        figure_cell(precision.stdev),
        interval_cell(precision.stdev_ci),
        interval_cell(precision.stdev_ci_acl2022),
        figure_cell(one.cv),
        interval_cell(precision.cv_ci),
        "R0" if group.kind == "repeatability" else "R",
    )


def _conditions(found: QuantifiedAssessment, study: str, ending: str) -> str:
    """Return the conditions of each measurement of a STUDY; the label of the table has that ENDING."""
    groups = [one for one in found if one.group.fact("study") == study]
    names = list(dict.fromkeys(name for one in groups for name in one.group.names if _is_stated(one, name)))
    heading = ("Object", "Measurand", *map(label_of, names), "Value", "CV*")
    rows: list[Sequence[str]] = []
    for one in groups:
        for place, measurement in enumerate(one.group.measurements):
            is_first = place == 0
            conditions = [measurement.conditions.get(name, "") for name in names]
            title = (one.group.object, one.group.measurand) if is_first else ("", "")
            rows.append((*title, *conditions, measurement.value, figure_cell(one.cv) if is_first else ""))
    caption = f"Conditions of measurement{study and f' ({study})'}."
    return _table(caption, f"conditions{ending}", "ll" + "l" * len(names) + "rr", heading, rows)


def _is_stated(one: GroupResult, name: str) -> bool:
    """Tell whether a measurement of a group states the condition NAME."""
    return any(measurement.conditions.get(name) for measurement in one.group.measurements)


def _table(caption: str, label: str, columns: str, heading: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return ROWS below a HEADING as a table with a CAPTION and a LABEL."""
    return "".join(f"{line}\n" for line in _lines(caption, label, columns, heading, rows))


def _lines(
    caption: str, label: str, columns: str, heading: Sequence[str], rows: Sequence[Sequence[str]]
) -> Iterator[str]:
    """Yield the lines of a table."""
    yield r"\begin{table}"
    yield r"\centering"
    yield rf"\caption{{{latex(harmless(caption))}}}"
    yield rf"\label{{tab:{label}}}"
    yield r"\resizebox{\textwidth}{!}{%"
    yield rf"\begin{{tabular}}{{{columns}}}"
    yield r"\toprule"
    yield " & ".join(latex(harmless(cell)) for cell in heading) + r" \\"
    yield r"\midrule"
    for row in rows:
        yield " & ".join(latex(harmless(cell)) for cell in row) + r" \\"
    yield r"\bottomrule"
    yield r"\end{tabular}}"
    yield r"\end{table}"
