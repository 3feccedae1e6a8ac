"""How the lines of a TREC file become columns, and what is wrong with the lines that do not.

    Layout          the columns of a kind of file: RUN and QRELS
    read_table      topic, document and value columns of a file, or an error that names every wrong line
    find_problems   every wrong line of a file

Two ways lead to the same columns.  The fast one takes lines whose columns are separated by exactly one
blank or tab.  It is given up at the first sign of anything else for the tolerant one, which accepts what
trec_eval accepts (tabs, runs of blanks, blank lines, comments) and knows the line numbers.

Identifiers are bytes.  In a file with other bytes than ASCII each byte becomes the character of the same
number (latin-1): different identifiers stay different and keep their order, whatever their encoding.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from primad.errors import FileError, FormatError, Problem
from primad.trec._ids import shown, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True)
class Layout:
    """The columns of a kind of file.

    The last column of an ``open_ended`` layout takes the rest of the line, blanks included.
    """

    kind: str
    columns: tuple[str, ...]
    value: str
    dtype: pl.DataType
    value_is: str
    open_ended: bool

    @property
    def wanted(self) -> tuple[str, ...]:
        """Return the columns that are made: those with content, and the last, which shows that all are there."""
        return tuple(dict.fromkeys(("topic", "document", self.value, self.columns[-1])))

    @property
    def schema(self) -> dict[str, pl.DataType]:
        """Return the type of each column."""
        return {name: self.dtype if name == self.value else pl.String() for name in self.columns}

    def __str__(self) -> str:
        """Return the columns as a message names them."""
        return f"{len(self.columns)} columns ({' '.join(self.columns)})"


RUN = Layout(
    "run", ("topic", "Q0", "document", "rank", "score", "tag"), "score", pl.Float64(), "a number", open_ended=True
)
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
# Some writers of metadata leave out the '#' before the two lines that enclose it.
_MARKERS = (b"ir_metadata.start", b"ir_metadata.end")
_LONGEST_SHOWN = 80


def read_table(data: bytes, layout: Layout, name: str) -> Table:
    """Return the columns of the file NAME with the content DATA."""
    data = _readable(data, name)
    body = _end_of_header(data)
    blocks: list[pl.DataFrame] = []
    tags: list[str] = []
    for start, end in _cut(data, body):
        frame = _read_block(data[start:end], layout)
        if frame is None:
            raise FormatError(name, _problems(data, layout))
        if frame.height:
            tags.append(_tag(frame["tag"]) if layout.open_ended else "")
            blocks.append(frame.select("topic", "document", layout.value))
    if not blocks:
        raise FileError(name, f"expected {layout}, found none", "the file is empty or has only comments")
    return Table(pl.concat(blocks, rechunk=True), _tag(pl.Series(tags)), text_of(data[:body].decode()))


def find_problems(data: bytes, layout: Layout, name: str) -> list[Problem]:
    """Return every wrong line of the file NAME with the content DATA, in the order of the lines."""
    return _problems(_readable(data, name), layout)


def _problems(data: bytes, layout: Layout) -> list[Problem]:
    """Return every wrong line of DATA, which is readable."""
    frame = _tolerant(data, layout)
    return sorted([*_column_problems(frame, layout), *_value_problems(frame, layout), *_duplicates(frame)])


def _readable(data: bytes, name: str) -> bytes:
    """Return DATA as text that polars can read, each byte outside ASCII as one character."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FileError(name, "expected UTF-8 or plain bytes, found UTF-16", "save it as UTF-8")
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        raise FileError(name, f"expected text, found binary data in line {line}", "is it the file you meant?")
    data = data.removeprefix(b"\xef\xbb\xbf")
    return data if data.isascii() else data.decode("latin-1").encode()


def _end_of_header(data: bytes) -> int:
    """Return where the comments and blank lines at the top of DATA end."""
    start = 0
    while start < len(data):
        end = data.find(b"\n", start) + 1 or len(data)
        line = data[start:end].strip()
        if line and not line.startswith(b"#") and line not in _MARKERS:
            break
        start = end
    return start


def is_header(data: bytes) -> bool:
    """Tell whether DATA has nothing but comments and blank lines."""
    return b"\0" not in data and _end_of_header(data) == len(data)


def _cut(data: bytes, start: int) -> Iterator[tuple[int, int]]:
    """Yield start and end of the blocks of DATA, which end where lines end."""
    while start < len(data):
        end = data.find(b"\n", start + _BLOCK) + 1 or len(data)
        yield start, end
        start = end


def _read_block(data: bytes, layout: Layout) -> pl.DataFrame | None:
    """Return the columns of DATA, or None if a line is wrong."""
    frame = _fast(data, layout)
    if frame is None:
        data = _single_blanks(data)
        frame = _fast(data, layout)
    if frame is None:
        frame = _tolerant(data, layout)
        if _column_problems(frame, layout) or _value_problems(frame, layout):
            return None
    return frame


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
            columns=[layout.columns.index(name) for name in layout.wanted],
        )
    except pl.exceptions.PolarsError:
        return None
    if any(column.null_count() for column in frame) or not np.isfinite(frame[layout.value].to_numpy()).all():
        return None
    is_regular = _lone_separators(data, separator) == frame.height * (len(layout.columns) - 1)
    return frame if is_regular else None


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
        .filter((line != "") & ~line.str.starts_with("#") & ~line.is_in([marker.decode() for marker in _MARKERS]))
    )
    fields = line.str.splitn(" ", len(layout.columns)).struct.rename_fields(list(layout.columns))
    value = pl.col(layout.value)
    return (
        lines.with_columns(fields.alias("fields"))
        .unnest("fields")
        .with_columns(value.alias("written"), value.cast(layout.dtype, strict=False))
    )


def _column_problems(frame: pl.DataFrame, layout: Layout) -> list[Problem]:
    """Return the lines with too few or too many columns."""
    last = "written" if layout.columns[-1] == layout.value else layout.columns[-1]
    wrong = pl.col(last).is_null()
    if not layout.open_ended:
        wrong |= pl.col(last).str.contains(" ", literal=True)
    return [
        Problem(number, str(layout), _quoted(line))
        for number, line in frame.filter(wrong)["number", "line"].iter_rows()
    ]


def _value_problems(frame: pl.DataFrame, layout: Layout) -> list[Problem]:
    """Return the lines whose columns are all there, but whose value is no number."""
    has_value = pl.col("written").is_not_null() & ~pl.col("written").str.contains(" ", literal=True)
    is_number = pl.col(layout.value).is_finite().fill_null(value=False)
    return [
        Problem(number, f"{layout.value_is} as {layout.value}", _quoted(written))
        for number, written in frame.filter(has_value & ~is_number)["number", "written"].iter_rows()
    ]


def _duplicates(frame: pl.DataFrame) -> list[Problem]:
    """Return the lines that name a document again for the same topic."""
    first = pl.col("number").first().over("topic", "document")
    again = frame.with_columns(first.alias("first")).filter(
        (pl.col("number") > pl.col("first")) & pl.col("document").is_not_null()
    )
    return [
        Problem(
            number,
            "each document once per topic",
            f"{_quoted(document)} of topic {_quoted(topic)} again (first in line {first})",
        )
        for number, topic, document, first in again["number", "topic", "document", "first"].iter_rows()
    ]


def _tag(tags: pl.Series) -> str:
    """Return the last tag; of tags with blanks that change from line to line, only the first word.

    JASS writes a tag and then a number that belongs to the document.
    """
    last: str = tags[-1]
    return last if " " not in last or (tags == last).all() else last.split(" ", 1)[0]


def _quoted(held: str) -> str:
    """Return what stands in the file, short enough for a message."""
    text = shown(held)
    return repr(text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…")
