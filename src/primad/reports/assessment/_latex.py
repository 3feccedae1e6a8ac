r"""The table of an assessment for a paper: booktabs, and nothing else that LaTeX does not have.

latex_table   the table, with the reasons of undefined values and the variants of measures below it

The text needs ``\usepackage{booktabs}``; one with more reproductions than fit a page needs ``longtable`` as well.
"""

from __future__ import annotations

import re
from itertools import chain, zip_longest
from typing import TYPE_CHECKING

from primad.reports._tables import harmless, latex
from primad.reports.assessment._overview import MOST_COLUMNS, Cell, Legend, overview, spoken, sweep_rows, turned

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from primad.reports.assessment._overview import Overview, Turned
    from primad.reproducibility.assessment.result import Assessment

_POWER = re.compile(r"(-?[0-9.]+)e(-?[0-9]+)")
# So many rows fit a page.
_PAGE = 40


def latex_table(assessment: Assessment) -> str:
    """Return the table of ASSESSMENT, and that of its sweep."""
    lines: list[str] = [f"% {_text(one.name)}: {_text(one.problem)}" for one in assessment if one.problem]
    if len(spoken(assessment)) > MOST_COLUMNS:
        lines += _many(turned(assessment))
    elif spoken(assessment):
        lines += _few(overview(assessment))
    if assessment.sweep:
        lines += _sweep(sweep_rows(assessment.sweep))
    return "".join(f"{line}\n" for line in lines)


def _sweep(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the table of runs along a parameter."""
    heading, *body = rows
    yield r"% needs \usepackage{booktabs}"
    yield rf"\begin{{tabular}}{{l{'r' * (len(heading) - 1)}}}"
    yield r"\toprule"
    yield _row(list(map(_text, heading)))
    for above, row in zip([[""], *body], body, strict=False):
        yield from [r"\midrule"] if above[0] != row[0] else []
        yield _row([_text(row[0]) if above[0] != row[0] else "", *row[1:]])
    yield r"\bottomrule"
    yield r"\end{tabular}"


def _few(table: Overview) -> Iterator[str]:
    """Yield the table with a column for each experiment."""
    width = len(table.columns) + 1
    yield r"% needs \usepackage{booktabs}"
    yield rf"\begin{{tabular}}{{l{'r' * len(table.columns)}}}"
    yield r"\toprule"
    yield _row(["", *map(_text, table.columns)])
    for group in table.groups:
        yield r"\midrule"
        yield rf"\multicolumn{{{width}}}{{l}}{{\textbf{{{group.title}}}}} \\"
        for part in group.parts:
            if len(group.parts) > 1:
                yield rf"\multicolumn{{{width}}}{{l}}{{\textit{{{part.level}}}}} \\"
            yield from (_row([rf"\quad {_text(line.title)}", *map(_cell, line.cells)]) for line in part.lines)
    yield r"\bottomrule"
    yield r"\end{tabular}"
    yield from _notes(table.reasons, table.legends)


def _many(table: Turned) -> Iterator[str]:
    """Yield the table with a row for each reproduction."""
    is_long = len(table.rows) > _PAGE
    kind = "longtable" if is_long else "tabular"
    yield r"% needs \usepackage{booktabs" + (",longtable}" if is_long else "}")
    yield rf"\begin{{{kind}}}{{ll{'r' * len(table.columns)}}}"
    yield r"\toprule"
    yield _row(["", "type", *map(_text, table.columns)])
    yield r"\midrule"
    if is_long:
        yield r"\endhead"
    yield from (_row([_text(name), kind, *(_value(cell) for cell in cells)]) for name, kind, cells in table.rows)
    yield r"\bottomrule"
    yield rf"\end{{{kind}}}"
    yield from _notes(table.reasons, table.legends)


def _row(cells: Sequence[str]) -> str:
    """Return a row of CELLS."""
    return " & ".join(cells) + r" \\"


def _cell(cell: Cell) -> str:
    """Return CELL with its interval in small print."""
    interval = _in_math(cell.interval).replace("\N{INFINITY}", r"$\infty$")
    return _value(cell) + (rf" {{\scriptsize {interval}}}" if interval else "")


def _value(cell: Cell) -> str:
    """Return the value of CELL, or a dash with the number of the reason."""
    return rf"--\textsuperscript{{{cell.reason}}}" if cell.reason else _in_math(cell.value)


def _in_math(text: str) -> str:
    r"""Return the numbers in TEXT with signs and powers as LaTeX prints them.

    >>> _in_math("[-0.1250, 4.67e-9]")
    '[$-$0.1250, $4.67\\cdot10^{-9}$]'
    """
    powers = _POWER.split(text)
    plain = [part.replace("-", "$-$") for part in powers[::3]]
    made = [rf"${digits}\cdot10^{{{power}}}$" for digits, power in zip(powers[1::3], powers[2::3], strict=True)]
    return "".join(chain.from_iterable(zip_longest(plain, made, fillvalue="")))


def _notes(reasons: Sequence[str], legends: Sequence[Legend]) -> Iterator[str]:
    """Yield the reasons and the variants in small print below the table."""
    notes = [rf"\textsuperscript{{{place}}} {_text(reason)}" for place, reason in enumerate(reasons, 1)]
    notes += [f"{_text(one.title)}: {_text('; '.join(one.variants))}" for one in legends if one.variants]
    if notes:
        yield r"\par\smallskip{\footnotesize " + ". ".join(notes) + ".}"


def _text(text: str) -> str:
    """Return TEXT from outside as LaTeX prints it."""
    return latex(harmless(text))
