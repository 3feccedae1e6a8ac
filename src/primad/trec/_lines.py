"""How the lines of a TREC file become columns, and what is wrong with the lines that do not.

    Layout           the columns of a kind of file: RUN, RANKING (a run with its ranks) and QRELS
    read_table       topic, document and value columns of a file, or an error that names every wrong line
    format_error     the error that names the first wrong lines of a file, and counts all
    regular_lines    the columns of a file with the number of each line, unless a line is out of the ordinary
    all_lines        the same of any file, with gaps in the columns of wrong lines
    wrong_lines      the wrong ones among them
    refuse_binary    an error for what is no text

Two ways lead to the same columns.  The fast one takes lines whose columns are separated by exactly one
blank or tab.  It is given up at the first sign of anything else for the tolerant one, which accepts what
trec_eval accepts (tabs, runs of blanks, blank lines, comments) and knows the line numbers.

Identifiers are bytes.  In a file with other bytes than ASCII each byte becomes the character of the same
number (latin-1): different identifiers stay different and keep their order, whatever their encoding.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from primad.errors import FileError, FormatError, Problem
from primad.trec._ids import shown, text_of
from primad.trec.ranking import BYTE_ORDER_MARK, MARKERS, end_of_header

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True)
class Layout:
    """The columns of a kind of file.

    The last column of an ``open_ended`` layout takes the rest of the line, blanks included.  A layout with
    columns of ``whole`` numbers besides the value has all of its columns made.
    """

    kind: str
    columns: tuple[str, ...]
    value: str
    dtype: pl.DataType
    value_is: str
    open_ended: bool
    whole: tuple[str, ...] = ()

    @property
    def wanted(self) -> tuple[str, ...]:
        """Return the columns that are made: those with content, and the last, which shows that all are there."""
        if self.whole:
            return self.columns
        return tuple(dict.fromkeys(("topic", "document", self.value, self.columns[-1])))

    @property
    def schema(self) -> dict[str, pl.DataType]:
        """Return the type of each column."""
        types = dict.fromkeys(self.columns, pl.String()) | dict.fromkeys(self.whole, pl.Int64())
        return types | {self.value: self.dtype}

    @property
    def expected_value(self) -> str:
        """Return the value as a message names it."""
        return f"{self.value_is} as {self.value}"

    def __str__(self) -> str:
        """Return the columns as a message names them."""
        return f"{len(self.columns)} columns ({' '.join(self.columns)})"


RUN = Layout(
    "run",
    ("topic", "Q0", "document", "rank", "score", "tag"),
    "score",
    pl.Float64(),
    "a finite number",
    open_ended=True,
)
RANKING = replace(RUN, whole=("rank",))
QRELS = Layout(
    "qrels",
    ("topic", "iteration", "document", "relevance"),
    "relevance",
    pl.Int64(),
    "a whole number",
    open_ended=False,
)


@dataclass(frozen=True)
class Table:
    """The content of a file: ``topic``, ``document`` and value columns, the last tag, and the header."""

    frame: pl.DataFrame
    tag: str
    header: str


# Huge files are read in blocks, so that they need little more memory than their columns.
_BLOCK = 1 << 26
_CACHED = 1 << 17
_BLANKS = (b" ", b"\t", b"\v", b"\f", b"\r")
_COMMENT = re.compile(rb"^#.*\n?", re.MULTILINE)
_OTHER_BLANKS = bytes.maketrans(b"\t\v\f\r", b"    ")
_LONGEST_SHOWN = 80
_MOST_PROBLEMS = 100
ONCE = "each document once per topic"


def read_table(data: bytes, layout: Layout, name: str) -> Table:
    """Return the columns of the file NAME with the content DATA."""
    data = _readable(data, name)
    body = end_of_header(data)
    blocks: list[pl.DataFrame] = []
    tags: list[str] = []
    for start, end in _cut(data, body):
        frame = _read_block(data[start:end], layout)
        if frame is None:
            raise _format_error(data, layout, name)
        if frame.height:
            tags.append(_tag(frame["tag"]) if layout.open_ended else "")
            blocks.append(frame.select("topic", "document", layout.value))
    if not blocks:
        raise FileError(name, f"expected {layout}, found none", "the file is empty or has only comments")
    return Table(pl.concat(blocks, rechunk=True), _tag(pl.Series(tags)), text_of(data[:body].decode()))


def format_error(data: bytes, layout: Layout, name: str) -> FormatError:
    """Return the error that says what is wrong in the file NAME, with the first problems and the number of all."""
    return _format_error(_readable(data, name), layout, name)


def _format_error(data: bytes, layout: Layout, name: str) -> FormatError:
    """Return the error for DATA, which is readable."""
    frame = _tolerant(data, layout)
    wrong = wrong_lines(frame, layout)
    first = [problem_of(row) for row in wrong.head(_MOST_PROBLEMS).iter_rows(named=True)]
    return FormatError(name, first, wrong.height, hint_of(frame["line"][0], layout))


def regular_lines(data: bytes, layout: Layout, name: str) -> pl.DataFrame | None:
    """Return the columns of the file NAME with the ``number`` of each line.

    None if a line is wrong, or if comments or blank lines stand between them: then ``all_lines`` knows the numbers.
    """
    data = _readable(data, name).rstrip()
    body = end_of_header(data)
    blocks = [_regular(data[start:end], layout) for start, end in _cut(data, body)]
    frames = [block for block in blocks if block is not None]
    count = data.count(b"\n", body) + 1
    if len(frames) < len(blocks) or sum(frame.height for frame in frames) != count:
        return None
    first = data.count(b"\n", 0, body) + 1
    return pl.concat(frames, rechunk=True).insert_column(0, pl.Series("number", np.arange(first, first + count)))


def all_lines(data: bytes, layout: Layout, name: str) -> pl.DataFrame:
    """Return the columns of all lines of the file NAME with their ``number``; what is missing or no number is null."""
    return _tolerant(_readable(data, name), layout)


def hint_of(line: str, layout: Layout) -> str:
    """Return what the file may be instead, judged by its first LINE."""
    columns = line.split(" ")
    if layout is QRELS and len(columns) >= len(RUN.columns):
        return "this looks like a run; were run and qrels swapped?"
    if layout is RUN and len(columns) == len(QRELS.columns):
        return "these look like qrels, not like a run; were run and qrels swapped?"
    if len(columns) == 1 and line.count(",") >= len(QRELS.columns) - 1:
        return "columns are separated by blanks or tabs, not by commas"
    return ""


def _readable(data: bytes, name: str) -> bytes:
    """Return DATA as text that polars can read, each byte outside ASCII as one character."""
    refuse_binary(data, name)
    data = data.removeprefix(BYTE_ORDER_MARK)
    return data if data.isascii() else data.decode("latin-1").encode()


def refuse_binary(data: bytes, name: str) -> None:
    """Refuse DATA that has no lines of text."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FileError(name, "expected UTF-8 or plain bytes, found UTF-16", "save it as UTF-8")
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        raise FileError(name, f"expected text, found binary data in line {line}", "is it the file you meant?")
    if _has_only_cr(data):
        raise FileError(name, "expected lines that end in LF, found only CR", "convert them, as with: tr '\\r' '\\n'")


def _has_only_cr(data: bytes) -> bool:
    """Tell whether DATA has several lines with the columns of ours, if CR were the end of a line."""
    if b"\r" not in data or b"\n" in data:
        return False
    lines = data.split(b"\r", 2)[:2]
    return all(len(line.split()) >= len(QRELS.columns) for line in lines)


def is_header(data: bytes) -> bool:
    """Tell whether DATA has nothing but comments and blank lines."""
    return b"\0" not in data and end_of_header(data) == len(data)


def _cut(data: bytes, start: int) -> Iterator[tuple[int, int]]:
    """Yield start and end of the blocks of DATA, which end where lines end."""
    while start < len(data):
        end = data.find(b"\n", start + _BLOCK) + 1 or len(data)
        yield start, end
        start = end


def _read_block(data: bytes, layout: Layout) -> pl.DataFrame | None:
    """Return the columns of DATA, or None if a line is wrong."""
    frame = _regular(data, layout)
    if frame is None:
        frame = _tolerant(data, layout)
        if frame.filter(_is_wrong(layout)).height:
            return None
    return frame


def _regular(data: bytes, layout: Layout) -> pl.DataFrame | None:
    """Return the columns of DATA, or None unless that can be had the fast way, perhaps with fewer blanks."""
    frame = _fast(data, layout)
    return _fast(_single_blanks(data), layout) if frame is None else frame


def _fast(data: bytes, layout: Layout) -> pl.DataFrame | None:
    """Return the columns of DATA, or None unless each line has each column after exactly one separator.

    Columns that nobody asks for are not made, so polars does not see what is wrong in them: the separators are
    counted instead.  No line has too few, for then the last column would be empty; so if their number is right
    and no two of them are side by side, each line has as many as it should.
    """
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
    if b"#" in data and (data.startswith(b"#") or b"\n#" in data):
        data = _COMMENT.sub(b"", data)
    separator = b"\t" if b"\t" in data else b" "
    if any(blank in data for blank in _BLANKS if blank != separator):
        return None
    try:
        frame = pl.read_csv(
            data,
            has_header=False,
            separator=separator.decode(),
            quote_char=None,
            schema=layout.schema,
            columns=_choice(layout),
        )
    except pl.exceptions.PolarsError:
        return None
    if any(column.null_count() for column in frame) or not np.isfinite(frame[layout.value].to_numpy()).all():
        return None
    is_regular = _lone_separators(data, separator) == frame.height * (len(layout.columns) - 1)
    return frame if is_regular else None


def _choice(layout: Layout) -> list[int] | None:
    """Return the places of the columns that are made, None for all, which is faster than naming all."""
    if layout.wanted == layout.columns:
        return None
    return [layout.columns.index(name) for name in layout.wanted]


def _lone_separators(data: bytes, separator: bytes) -> int:
    """Return the number of separators in DATA, or -1 if two are side by side."""
    characters = np.frombuffer(data, np.uint8)
    count = 0
    # In pieces that stay in the processor's cache, each with the first character of the next.
    for start in range(0, len(characters), _CACHED):
        found = characters[start : start + _CACHED + 1] == ord(separator)
        if (found[1:] & found[:-1]).any():
            return -1
        count += int(np.count_nonzero(found[:_CACHED]))
    return count


def _single_blanks(data: bytes) -> bytes:
    """Return DATA without empty lines, columns separated by one blank each."""
    data = data.translate(_OTHER_BLANKS)
    for many, one in ((b"  ", b" "), (b" \n", b"\n"), (b"\n ", b"\n"), (b"\n\n", b"\n")):
        while many in data:
            data = data.replace(many, one)
    return data.strip(b" \n")


def _tolerant(data: bytes, layout: Layout) -> pl.DataFrame:
    """Return the columns of DATA with their line numbers; a column that is missing or no number is null."""
    line = pl.col("line")
    lines = pl.DataFrame({"line": data.translate(_OTHER_BLANKS).decode().split("\n")}, schema={"line": pl.String})
    lines = (
        lines.with_row_index("number", 1)
        .with_columns(line.str.replace_all("  +", " ").str.strip_chars(" "))
        .filter((line != "") & ~line.str.starts_with("#") & ~line.is_in([marker.decode() for marker in MARKERS]))
    )
    fields = line.str.splitn(" ", len(layout.columns)).struct.rename_fields(list(layout.columns))
    value = pl.col(layout.value)
    return (
        lines.with_columns(fields.alias("fields"))
        .unnest("fields")
        .with_columns(value.alias("written"), value.cast(layout.dtype, strict=False))
        .with_columns(pl.col(*layout.whole).cast(pl.Int64, strict=False) if layout.whole else [])
    )


def _has_columns(layout: Layout) -> pl.Expr:
    """Return whether a line has as many columns as it should."""
    last = pl.col("written" if layout.columns[-1] == layout.value else layout.columns[-1])
    complete = last.is_not_null()
    return complete if layout.open_ended else complete & ~last.str.contains(" ", literal=True).fill_null(value=False)


def _is_wrong(layout: Layout) -> pl.Expr:
    """Return whether a line lacks columns, or its value is no number."""
    return ~(_has_columns(layout) & pl.col(layout.value).is_finite().fill_null(value=False))


def wrong_lines(frame: pl.DataFrame, layout: Layout) -> pl.DataFrame:
    """Return the wrong lines with what was expected and found, each line once."""
    has_columns = _has_columns(layout)
    first = pl.when(~_is_wrong(layout)).then(pl.col("number")).min().over("topic", "document")
    frame = frame.with_columns(first.alias("first"))
    no_columns = frame.filter(~has_columns).select("number", pl.lit(str(layout)).alias("expected"), found="line")
    value = pl.lit(layout.expected_value).alias("expected")
    no_value = frame.filter(has_columns & _is_wrong(layout)).select("number", value, found="written")
    again = frame.filter(~_is_wrong(layout) & (pl.col("number") > pl.col("first")))
    twice = again.select("number", pl.lit(ONCE).alias("expected"), "topic", "first", found="document")
    return pl.concat([no_columns, no_value, twice], how="diagonal").sort("number")


def problem_of(row: dict[str, Any]) -> Problem:
    """Return the problem that a ROW of wrong lines is."""
    found = quoted(row["found"])
    if row["expected"] == ONCE:
        found += f" of topic {quoted(row['topic'])} again (first in line {row['first']})"
    return Problem(row["number"], row["expected"], found)


def _tag(tags: pl.Series) -> str:
    """Return the last tag; of tags with blanks that change from line to line, only the first word.

    JASS writes a tag and then a number that belongs to the document.
    """
    last: str = tags[-1]
    return last if " " not in last or (tags == last).all() else last.split(" ", 1)[0]


def quoted(held: str) -> str:
    """Return what stands in the file, short enough for a message."""
    text = shown(held)
    return repr(text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…")
