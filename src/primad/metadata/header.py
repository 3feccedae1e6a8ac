"""Where in a run file is its metadata, and how does it get there without touching the ranking?

    split       the metadata block of a run file, and everything else
    with_block  everything else, with a metadata block above it

The block stands between the comments ``# ir_metadata.start`` and ``# ir_metadata.end``; some writers leave the '#' of
these two away.  Writers that annotate twice leave two blocks, the newer one on top; many more are no metadata of a run.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from primad.errors import FormatError, Problem
from primad.safe_yaml import MAX_BYTES
from primad.trec.ranking import BYTE_ORDER_MARK

START = "# ir_metadata.start"
END = "# ir_metadata.end"
MAX_BLOCKS = 10
_LONGEST_BLOCK = 4 * MAX_BYTES  # what is longer than that has too much YAML in it, whatever its lines are like

# The next line that is neither blank nor a comment; a file may have millions of those, so they are passed over at once.
_START_LINE = rb"(?P<start>#?[ \t]*ir_metadata\.start[ \t]*\r?$)"
_NEXT_LINE = re.compile(rb"^(?:" + _START_LINE + rb"|(?!#)[^\S\n]*\S)", re.MULTILINE)
_BLANK = re.compile(rb"\s*")
_END_LINE = re.compile(rb"^#?[ \t]*ir_metadata\.end[ \t]*\r?$", re.MULTILINE)
_NO_COMMENT = re.compile(rb"^[ \t\r]*[^#\s].*", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """The YAML text of a metadata block, and the line of the file it starts in."""

    text: str
    line: int


@dataclass(frozen=True)
class Split:
    """A run file taken apart: its metadata blocks, the newest first, and all other bytes as they were."""

    blocks: tuple[Block, ...]
    rest: bytes


def split(data: bytes, name: str) -> Split:
    """Take the run file NAME with the content DATA apart."""
    body = data.removeprefix(BYTE_ORDER_MARK)
    blocks: list[Block] = []
    kept: list[bytes] = []
    position, number = 0, 1
    while start := _start_line(body, position):
        kept.append(body[position : start.start()])
        number += body.count(b"\n", position, start.start())
        if len(blocks) == MAX_BLOCKS:
            problem = Problem(number, f"at most {MAX_BLOCKS} metadata headers", "another one")
            raise FormatError(name, [problem], hint="keep the newest, which is on top")
        block, position, number = _block(body, _line_end(body, start.start()), number, name)
        blocks.append(block)
    return Split(tuple(blocks), b"".join([*kept, body[position:]]) if blocks else body)


def _start_line(body: bytes, position: int) -> re.Match[bytes] | None:
    """Return the line that starts a block, if only blank lines and comments stand between POSITION and it."""
    blank = _BLANK.match(body, position)
    behind = blank.end() if blank else position
    found = _NEXT_LINE.search(body, max(position, body.rfind(b"\n", position, behind) + 1))
    return found if found and found["start"] is not None else None


def _line_end(body: bytes, position: int) -> int:
    """Return where the line behind the one at POSITION starts."""
    end = body.find(b"\n", position)
    return len(body) if end < 0 else end + 1


def _block(body: bytes, position: int, start: int, name: str) -> tuple[Block, int, int]:
    """Return the block whose first line is at POSITION, where the file goes on behind it, and in which line."""
    end = _END_LINE.search(body, position)
    stray = _NO_COMMENT.search(body, position, end.start() if end else len(body))
    if stray:
        number = start + 1 + body.count(b"\n", position, stray.start())
        found = repr(stray[0][:60].decode(errors="replace"))
        raise FormatError(name, [Problem(number, f"a comment, or '{END}'", found)])
    if not end:
        raise FormatError(name, [Problem(start, f"metadata that ends with '{END}'", "no such line")])
    _refuse_long(end.start() - position, start, name)
    lines = body[position : end.start()].split(b"\n")[:-1]
    block = Block(_yaml_of(lines, start + 1, name), start + 1)
    return block, _line_end(body, end.start()), start + len(lines) + 2


def _refuse_long(size: int, start: int, name: str) -> None:
    """Refuse a block of SIZE bytes whose YAML would be refused, before it is taken apart line by line."""
    if size > _LONGEST_BLOCK:
        raise FormatError(name, [Problem(start, f"metadata of at most {_LONGEST_BLOCK:,} bytes", f"{size:,} bytes")])


def _yaml_of(lines: list[bytes], first: int, name: str) -> str:
    """Return the text of comment LINES without what makes them comments."""
    try:
        texts = [line.decode().removesuffix("\r").removeprefix("#") for line in lines]
    except UnicodeDecodeError:
        wrong = next(number for number, line in enumerate(lines, first) if not _is_utf8(line))
        raise FormatError(name, [Problem(wrong, "UTF-8", "other bytes")], hint="save the header as UTF-8") from None
    # The blank behind the '#' is not part of the text, unless a writer has left it away.
    if all(text[:1] in ("", " ") for text in texts):
        texts = [text[1:] for text in texts]
    return "\n".join(texts) + "\n"


def _is_utf8(line: bytes) -> bool:
    """Tell whether LINE can be decoded."""
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def with_block(text: str, rest: bytes) -> bytes:
    """Return REST below a metadata block with the YAML TEXT."""
    lines = [START, *(f"# {line}".rstrip(" ") for line in text.removesuffix("\n").split("\n")), END]
    return "".join(line + "\n" for line in lines).encode() + rest
