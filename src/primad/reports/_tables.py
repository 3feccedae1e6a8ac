"""How rows become text: what every report needs to write a table, and nothing about what stands in it.

aligned, folded   columns of a terminal; folded ones never exceed a width
width_of, padded  how wide a table is; its texts as wide as their columns
wrapped           a paragraph with a hanging indent
number            a value as people read it
p_value           a p-value
csv_text          rows for a spreadsheet, which must not take a name for a formula
json_text         JSON without NaN
latex             text as LaTeX prints it
harmless          text that steers neither a terminal nor the direction of writing, as metadata.showing has it
"""

from __future__ import annotations

import csv
import io
import json
import re
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

from primad.metadata.showing import harmless

__all__ = [
    "GAP",
    "NONE",
    "Cell",
    "Row",
    "aligned",
    "as_text",
    "csv_text",
    "cut",
    "folded",
    "harmless",
    "json_text",
    "latex",
    "number",
    "p_value",
    "padded",
    "width_of",
    "wrapped",
]

Row = list[str]
Cell = str | float | None

GAP = "  "
NONE = "\N{EN DASH}"  # where there is no value
DEFAULT_WIDTH = 100
_DIGITS = 4
_MOST_DIGITS = 12
_SMALL = 0.001
_TINY = 0.0001
# What is closer than this to the ideal is the ideal, computed in floating point.
_ROUNDING = 1e-12

_LATEX_SPECIAL = str.maketrans(
    {c: f"\\{c}" for c in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {c: f"{{{c}}}" for c in "[]*"}  # behind \\ they would be an argument
    | {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}"}
    | {"\N{EN DASH}": "--", "\N{EM DASH}": "---", "\N{MINUS SIGN}": "$-$", "\N{HORIZONTAL ELLIPSIS}": r"\dots{}"}
    | {"\N{RIGHTWARDS ARROW}": r"$\rightarrow$", "\N{MULTIPLICATION SIGN}": r"$\times$", "\N{NO-BREAK SPACE}": "~"}
    | {"\N{GREEK SMALL LETTER TAU}": r"$\tau$", "\N{GREEK CAPITAL LETTER DELTA}": r"$\Delta$"}
    | {"\N{ALMOST EQUAL TO}": r"$\approx$", "\N{PLUS-MINUS SIGN}": r"$\pm$", "\N{INFINITY}": r"$\infty$"}
    | {"\N{LESS-THAN OR EQUAL TO}": r"$\le$", "\N{GREATER-THAN OR EQUAL TO}": r"$\ge$"}
    | {"\N{LEFT SINGLE QUOTATION MARK}": "`", "\N{RIGHT SINGLE QUOTATION MARK}": "'"}
)
_FORMULA = ("=", "+", "-", "@")
_NUMBER = re.compile(r"[+-]?[0-9]+([.,][0-9]+)?([eE][+-]?[0-9]+)?")


def folded(rows: Sequence[Row], names: int, width: int | None) -> str:
    """Return ROWS, the first being the heading and the first columns NAMES, as tables no wider than WIDTH."""
    sizes = [max(map(len, column)) + len(GAP) for column in zip(*rows, strict=True)]
    tables: list[list[int]] = [[]]
    for column, size in enumerate(sizes[names:], names):
        room = width and width + len(GAP) - sum(sizes[:names]) - sum(sizes[taken] for taken in tables[-1])
        if room is not None and size > room and tables[-1]:
            tables.append([])
        tables[-1].append(column)
    return "\n".join(
        aligned([row[:names] + [row[column] for column in chosen] for row in rows], names) for chosen in tables
    )


def aligned(rows: Sequence[Row], names: int) -> str:
    """Return ROWS with the first columns, NAMES, to the left, and numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [GAP.join(_justified(row, widths, names)) for row in rows]
    lines.insert(1, GAP.join("─" * width for width in widths))
    return "".join(line.rstrip() + "\n" for line in lines)


def _justified(row: Row, widths: Sequence[int], names: int) -> Row:
    """Return the cells of ROW as wide as their columns."""
    cells = enumerate(zip(row, widths, strict=True))
    return [cell.ljust(width) if place < names else cell.rjust(width) for place, (cell, width) in cells]


def width_of(rows: Sequence[Row]) -> int:
    """Return how wide a table of ROWS is."""
    sizes = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return sum(sizes) + len(GAP) * (len(sizes) - 1)


def padded(rows: Sequence[Row], texts: int) -> list[Row]:
    """Return ROWS with the first columns, TEXTS, as wide as they are, so that each text stands to the left."""
    sizes = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        [cell.ljust(size) if place < texts else cell for place, (cell, size) in enumerate(zip(row, sizes, strict=True))]
        for row in rows
    ]


def wrapped(text: str, width: int | None, first: str = "") -> str:
    r"""Return TEXT behind FIRST as lines no wider than WIDTH, further lines below the text.

    Where nobody looks at a terminal, sentences are as wide as in every report.

    >>> wrapped("one two three", 9, "- ")
    '- one two\n  three\n'
    """
    # A line of one word is better than none.
    room = max(width or DEFAULT_WIDTH, len(first) + 1)
    lines = textwrap.wrap(
        text,
        room,
        initial_indent=first,
        subsequent_indent=" " * len(first),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "".join(f"{line}\n" for line in lines) or f"{first}\n"


def number(value: float, ideal: float | None = None) -> str:
    """Return VALUE with four digits, with more where it would pass for 0 or for the IDEAL.

    >>> number(0.3612), number(0.0), number(3.85e-4), number(0.99998, 1.0), number(1.0, 1.0), number(3.85e-9)
    ('0.3612', '0.0000', '0.000385', '0.99998', '1.0000', '3.85e-9')
    """
    if value == 0 or (ideal == 0 and abs(value) < _ROUNDING):
        return f"{0:.{_DIGITS}f}"
    if abs(value) < _TINY:
        digits, exponent = f"{value:.2e}".split("e")
        return f"{digits}e{int(exponent)}"
    if abs(value) < _SMALL:
        return f"{value:.{_DIGITS + 2}f}"
    near = ideal is not None and abs(value - ideal) > _ROUNDING
    for places in range(_DIGITS, _MOST_DIGITS + 1):
        text = f"{value:.{places}f}"
        if not near or float(text) != ideal:
            return text
    return f"{value:.{_DIGITS}f}"


def p_value(p: float | None) -> str:
    """Return P as a table has it, empty where there is none; it is 1 only if nothing differs.

    >>> p_value(0.0421), p_value(0.0002), p_value(0.9998), p_value(1.0), p_value(None)
    ('0.042', '<0.001', '>0.999', '1.000', '')
    """
    if p is None or _SMALL <= p <= 1 - _SMALL:
        return "" if p is None else f"{p:.3f}"
    return f"<{_SMALL}" if p < _SMALL else f">{1 - _SMALL}" if p < 1 else "1.000"


def csv_text(rows: Iterable[Sequence[Cell]]) -> str:
    """Return ROWS as CSV; text that a spreadsheet would compute begins with an apostrophe."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([_uncomputed(cell) for cell in row] for row in rows)
    return out.getvalue()


def _uncomputed(cell: Cell) -> Cell:
    """Return CELL as a spreadsheet shows it, and never computes it.

    >>> _uncomputed("=1+2"), _uncomputed("-1"), _uncomputed(-0.5), _uncomputed("-")
    ("'=1+2", '-1', -0.5, '-')
    """
    if not isinstance(cell, str):
        return cell
    text = harmless(cell)
    if not text.startswith(_FORMULA) or len(text) == 1 or _NUMBER.fullmatch(text):
        return text
    return f"'{text}"


def json_text(content: dict[str, Any]) -> str:
    """Return CONTENT as JSON."""
    return as_text(json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n")


def as_text(text: str) -> str:
    """Return TEXT that can be written: a byte that is no text is a lone surrogate in Python, and is escaped."""
    return text.encode("utf-8", "backslashreplace").decode()


def latex(text: str) -> str:
    r"""Return TEXT as LaTeX prints it.

    >>> latex("R&D_1"), latex("\N{EN DASH}")
    ('R\\&D\\_1', '--')
    """
    return text.translate(_LATEX_SPECIAL)


def cut(text: str, longest: int) -> str:
    """Return TEXT without its middle if it is too long: names often differ at their ends.

    >>> cut("anserini__2019-06-28__bm25.rm3", 20)
    'anserini_…__bm25.rm3'
    """
    if len(text) <= longest:
        return text
    end = longest // 2
    return f"{text[: longest - end - 1]}…{text[-end:]}"
