r"""The tables of a track for a paper: booktabs, and nothing else that LaTeX does not have.

track_latex    all tables that have rows, each with a caption, a label and notes below it

The text needs ``\usepackage{booktabs}`` and ``\usepackage{graphicx}``, for a table that is too wide is made smaller.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from primad.reports._tables import as_text, harmless, latex
from primad.reports.track.contents import tables_of
from primad.reports.track.facts import TrackReport
from primad.reports.track.table import Table

_PACKAGES = "% needs \\usepackage{booktabs} and \\usepackage{graphicx}\n"
_NEGATIVE = re.compile(r"(?<![^\[( ])-(?=[0-9])")
_SENTENCE = "p{6cm}"
_HEADING = "p{4cm}"  # of prose: a whole question
_SHRUNK = (
    r"\resizebox{\ifdim\width>\textwidth\textwidth\else\width\fi}{!}{%"  # to the width of the text, never enlarged
)


def track_latex(report: TrackReport) -> str:
    """Return the tables of REPORT; those without rows are named in a comment."""
    tables = tables_of(report)
    absent = [f"% no table '{table.name}': {table.empty}\n" for table in tables if not table.rows]
    written = ["".join(f"{line}\n" for line in _lines(table)) for table in tables if table.rows]
    return as_text("\n".join([_PACKAGES + "".join(absent), *written]))


def _lines(table: Table) -> Iterator[str]:
    """Yield the lines of TABLE."""
    yield r"\begin{table}"
    yield r"\centering"
    yield rf"\caption{{{_text(table.caption)}.}}"
    yield rf"\label{{tab:track-{table.name}}}"
    yield _SHRUNK
    yield rf"\begin{{tabular}}{{{_columns(table)}}}"
    yield r"\toprule"
    yield _row(table.heading)
    yield r"\midrule"
    yield from (_row(_signed(line, table)) for line in table.lines())
    yield r"\bottomrule"
    yield r"\end{tabular}}"
    if table.notes:
        yield r"\par\smallskip{\footnotesize " + " ".join(map(_text, table.notes)) + "}"
    yield r"\end{table}"


def _columns(table: Table) -> str:
    """Return how the columns of TABLE stand: text to the left, numbers to the right, sentences as paragraphs."""
    first = _HEADING if table.prose else "l"
    return first + "l" * (table.texts - 1) + "r" * (table.narrow - table.texts) + _SENTENCE * table.said


def _signed(line: Sequence[str], table: Table) -> list[str]:
    """Return LINE with a minus where a number of TABLE has a hyphen."""
    numbers = range(table.texts, table.narrow)
    return [_NEGATIVE.sub("\N{MINUS SIGN}", cell) if place in numbers else cell for place, cell in enumerate(line)]


def _row(cells: Sequence[str]) -> str:
    """Return a row of CELLS."""
    return " & ".join(map(_text, cells)) + r" \\"


def _text(text: str) -> str:
    """Return TEXT from outside as LaTeX prints it."""
    return latex(harmless(text))
