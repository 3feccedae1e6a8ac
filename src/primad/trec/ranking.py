"""What can be said about the ranking of a run file in plain Python, before numpy and polars are there?

    split_header     the bytes above the first ranking line, and the ranking
    end_of_header    where the one ends and the other starts
    ranking_digest   a fingerprint of the ranking that neither its header nor its line ends change
    retrieved_digest   one of what was retrieved, whatever the tag: topics, documents and scores
    Shape            topics, depth, tags and ties of a ranking
    shape_if_clean   the shape of a ranking in which nothing is wrong
    is_ranking       is this content, which somebody named, that of a run, be it a broken one?
    looks_like_ranking, ranking_lines   the same for the first lines of any file

A file of a few thousand lines is seen to be clean in the time that polars needs to start reading it.  Whatever is
out of the ordinary is left to inspection.py.
"""

from __future__ import annotations

import hashlib
import io
import math
import re
from dataclasses import dataclass
from itertools import chain, groupby, islice, pairwise
from typing import IO, TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

TieOrder = Literal["no ties", "falling document identifiers", "rising document identifiers", "neither"]

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
# Some writers of metadata leave out the '#' before the two lines that enclose it.
MARKERS = (b"ir_metadata.start", b"ir_metadata.end")

_COLUMNS = 6
_RETRIEVED = (0, 2, 4)  # topic, document and score
_SEPARATORS = b" \t\n\v\f\r"
_NO_SEPARATORS = bytes(set(range(256)) - set(_SEPARATORS))
_TABS_AS_BLANKS = bytes.maketrans(b"\t", b" ")
_LINE = b" " * (_COLUMNS - 1) + b"\n"

_LINES_LOOKED_AT = 100
_LONGEST_LINE = 1 << 20
_LONGEST_HEADER = 1 << 22
_PIECE = 1 << 12
# A file may begin with millions of blank lines and comments, which are passed over at once.
_RANKING_LINE = re.compile(rb"[^\S\n]*(?!ir_metadata\.(?:start|end)[^\S\n]*$)[^#\s]", re.MULTILINE)
_LATER_LINE = re.compile(rb"\n" + _RANKING_LINE.pattern, re.MULTILINE)
_START = 1 << 16
_COLUMNS_OF_QRELS = 4
_WHOLE_NUMBER = re.compile(rb"[+-]?[0-9]+")
_NUMBER = re.compile(rb"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")


def split_header(data: bytes) -> tuple[bytes, bytes]:
    r"""Return the comments, blank lines and metadata markers at the top of DATA, and the rest, which is the ranking.

    Both together are DATA; a byte order mark belongs to the header.

    >>> split_header(b"# ir_metadata.start\n# ir_metadata.end\n1 Q0 d 1 0.5 bm25\n")
    (b'# ir_metadata.start\n# ir_metadata.end\n', b'1 Q0 d 1 0.5 bm25\n')
    """
    body = _start_of_ranking(data)
    return data[:body], data[body:]


def ranking_digest(data: bytes) -> str:
    r"""Return the SHA-256 of the ranking in DATA, its lines ending in LF, with exactly one newline at the end.

    >>> ranking_digest(b"1 Q0 d 1 0.5 t\n") == ranking_digest(b"# a comment\r\n1 Q0 d 1 0.5 t\r\n\r\n")
    True
    """
    start = _start_of_ranking(data)
    end = _end_of_last_line(data, start)
    has_crlf = data.find(b"\r\n", start, end) >= 0
    # Most files have none, and are hashed where they are.
    lines = data[start:end].replace(b"\r\n", b"\n") if has_crlf else memoryview(data)[start:end]
    digest = hashlib.sha256(lines)
    digest.update(b"\n")
    return digest.hexdigest()


def retrieved_digest(data: bytes) -> str:
    r"""Return the SHA-256 of topic, document and score of each line of the ranking in DATA, in the order of its lines.

    Tag, rank, second column and spacing do not count, so two who retrieved the same have the same digest.

    >>> retrieved_digest(b"1 Q0 d 1 0.5 mine\n") == retrieved_digest(b"# yours\r\n1\t0\td\t0\t0.5\tyour own\r\n")
    True
    """
    ranking = data[_start_of_ranking(data) :]
    words = ranking.split()
    if _is_regular(ranking, words):
        columns = [words[place::_COLUMNS] for place in _RETRIEVED]
    else:  # such as tags with blanks in them
        lines = [line.split(None, _COLUMNS - 1) for line in _lines_of(ranking)]
        columns = [[line[place] for line in lines if place < len(line)] for place in _RETRIEVED]
    return hashlib.sha256(b"\n\n".join(map(b"\n".join, columns))).hexdigest()


def _lines_of(ranking: bytes) -> Iterator[bytes]:
    """Yield the lines of RANKING that are no comment and not empty."""
    lines = (line.strip() for line in ranking.split(b"\n"))
    return (line for line in lines if line and not line.startswith(b"#") and line not in MARKERS)


def end_of_header(data: bytes, start: int = 0) -> int:
    """Return where the comments and blank lines end that DATA has from START on."""
    if _RANKING_LINE.match(data, start):
        return start
    found = _LATER_LINE.search(data, start)
    return found.start() + 1 if found else max(start, len(data))


def _start_of_ranking(data: bytes) -> int:
    """Return where the first ranking line of DATA starts, behind any byte order mark."""
    return end_of_header(data, len(BYTE_ORDER_MARK) if data.startswith(BYTE_ORDER_MARK) else 0)


def _end_of_last_line(data: bytes, start: int) -> int:
    """Return where the last line of DATA that is not empty ends, not before START."""
    if not data.endswith(b"\n", start):
        return len(data)
    end, text = len(data), b""
    while end > start and not text:  # there may be millions of empty lines
        piece = data[max(start, end - _PIECE) : end]
        text = piece.rstrip(b"\r\n")
        end -= len(piece) - len(text)
    lone = data.rfind(b"\r\r", end)  # only one belongs to the end of a line
    return end if lone < 0 else lone + 1


# Clean rankings ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Shape:
    """What a ranking looks like.

    ``lines`` are all its lines; topics, ``depth`` (the most lines of a topic), ``shortest`` (the fewest) and ``tags``
    (the first ten) are those of lines with all columns.  ``tied_share`` is the share of lines whose score another
    line of the topic has, too, and ``tie_order`` how the documents of such lines follow each other.
    """

    lines: int
    topics: tuple[str, ...]
    depth: int
    shortest: int
    tags: tuple[str, ...]
    tied_share: float
    tie_order: TieOrder


def shape_if_clean(data: bytes) -> Shape | None:
    """Return the shape of the ranking in DATA, which is text, or None if anything may be wrong or unusual in it."""
    ranking = data[_start_of_ranking(data) :]
    words = ranking.split()
    if not _is_regular(ranking, words):
        return None
    topics, documents, tags = words[0::_COLUMNS], words[2::_COLUMNS], words[5::_COLUMNS]
    lengths = [(topic, len(list(block))) for topic, block in groupby(topics)]
    has_strays = len(dict(lengths)) < len(lengths) or len(set(tags)) > 1
    if has_strays or len(set(zip(topics, documents, strict=True))) < len(topics):
        return None
    tied = _tied_rows(words[3::_COLUMNS], words[4::_COLUMNS], [length for _, length in lengths])
    if tied is None:
        return None
    return Shape(
        lines=len(topics),
        topics=tuple(_text(topic) for topic, _ in lengths),
        depth=max(length for _, length in lengths),
        shortest=min(length for _, length in lengths),
        tags=(_text(tags[0]),),
        tied_share=len({*tied, *(row + 1 for row in tied)}) / len(topics),
        tie_order=_tie_order([(documents[row], documents[row + 1]) for row in tied]),
    )


def _is_regular(ranking: bytes, words: list[bytes]) -> bool:
    """Tell whether each line of RANKING has six WORDS, and one separator between them."""
    separators = ranking.translate(_TABS_AS_BLANKS, delete=_NO_SEPARATORS).replace(b"\r\n", b"\n")
    lines, left = divmod(len(words), _COLUMNS)
    has_comments = b"#" in ranking and b"\n#" in ranking  # a single byte is looked for much faster
    # A line with five separators has at most six words, so if there are six for each line, each has six.
    return lines > 0 and not left and separators == _LINE * lines and not has_comments


def _tied_rows(ranks: list[bytes], scores: list[bytes], lengths: list[int]) -> list[int] | None:
    """Return the rows with the same score as the next of the topic, given the LENGTHS of the topics.

    None unless all are numbers, and in each topic ranks count from 0 or 1 and scores fall.
    """
    numbers = _numbers(ranks, scores)
    if numbers is None:
        return None
    tied: list[int] = []
    end = 0
    for length in lengths:
        start, end = end, end + length
        rank, score = numbers[0][start:end], numbers[1][start:end]
        if rank[0] not in {0, 1} or rank != [*range(rank[0], rank[0] + length)] or score != sorted(score, reverse=True):
            return None
        if len(set(score)) < length:
            tied += [start + row for row, (upper, lower) in enumerate(pairwise(score)) if upper == lower]
    return tied


def _numbers(ranks: list[bytes], scores: list[bytes]) -> tuple[list[int], list[float]] | None:
    """Return RANKS and SCORES as numbers, None unless all are, and finite."""
    if any(b"_" in b"".join(column) for column in (ranks, scores)):  # Python takes 1_000 for a number
        return None
    try:
        numbers = list(map(int, ranks)), list(map(float, scores))
    except ValueError:
        return None
    return numbers if math.isfinite(sum(numbers[1])) else None


def _tie_order(pairs: list[tuple[bytes, bytes]]) -> TieOrder:
    """Return how the documents of PAIRS follow each other."""
    if not pairs:
        return "no ties"
    if all(upper > lower for upper, lower in pairs):
        return "falling document identifiers"
    return "rising document identifiers" if all(upper < lower for upper, lower in pairs) else "neither"


def _text(word: bytes) -> str:
    """Return WORD as Python users see it, stray bytes as surrogates."""
    return word.decode("utf-8", "surrogateescape")


# Rankings among other files ----------------------------------------------------------------------------------


def is_ranking(data: bytes) -> bool:
    r"""Tell whether DATA, which somebody named as a run or as metadata, is a ranking; nothing at all is an empty one.

    >>> is_ranking(b"1 Q0 d1 1 0.5\n1 Q0 d2 2 0.4 bm25\n"), is_ranking(b"tag: bm25\n")
    (True, False)
    """
    lines = ranking_lines(io.BytesIO(data[:_START]))
    first = next(lines, b"")
    if not first:
        return not data.strip() or len(data) > _START
    columns = first.split(None, _COLUMNS)
    # Whoever names a file is trusted with a second column of any kind, which other programs pass over, too.
    has_numbers = len(columns) >= _COLUMNS and any(map(_NUMBER.fullmatch, columns[3:5]))
    return (has_numbers and b": " not in first) or looks_like_ranking(chain([first], lines))


def looks_like_ranking(lines: Iterable[bytes]) -> bool:
    """Tell whether at least half of the first hundred LINES, comments left out, are those of a run, or nearly so.

    One line will not do: reports, logs and descriptions quote lines of runs.
    """
    count = fitting = 0
    is_sure = False
    for line in islice(lines, _LINES_LOOKED_AT):
        if len(line) >= _LONGEST_LINE:
            return False
        columns = line.split(None, _COLUMNS)
        is_fitting = _is_nearly_of_a_run(columns)
        if line.endswith(b":") and not is_fitting:
            return False  # a key of YAML, whose texts may quote whole runs
        count += 1
        fitting += is_fitting
        is_sure = is_sure or _is_surely_of_a_run(columns)
    return is_sure and 2 * fitting >= count


def ranking_lines(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines that are no comment and not empty; none if there are too many comments before the first."""
    start = _LONGEST_HEADER
    mark = BYTE_ORDER_MARK
    while start > 0 and (line := stream.readline(_LONGEST_LINE)):
        content = line.removeprefix(mark).strip()
        mark = b""
        if content and not content.startswith(b"#") and content not in MARKERS:
            yield content
        else:
            start -= len(line)


def _is_nearly_of_a_run(columns: list[bytes]) -> bool:
    """Tell whether COLUMNS, be they incomplete or wrong, start as those of a run; judgments are told apart."""
    if len(columns) < _COLUMNS_OF_QRELS or columns[1].lower() not in (b"q0", b"0"):
        return False
    return len(columns) > _COLUMNS_OF_QRELS or not _WHOLE_NUMBER.fullmatch(columns[3])


def _is_surely_of_a_run(columns: list[bytes]) -> bool:
    """Tell whether COLUMNS can hardly be those of another table."""
    if not _is_nearly_of_a_run(columns):
        return False
    if columns[1] != b"0":
        return True
    is_whole = len(columns) >= _COLUMNS and _WHOLE_NUMBER.fullmatch(columns[3]) and _NUMBER.fullmatch(columns[4])
    return bool(is_whole) and math.isfinite(float(columns[4]))
