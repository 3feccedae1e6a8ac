"""What of a ranking can be put right without changing what it says?  The ranks, and the order of the lines.

    mend_ranking   the file with its lines in the order of the scores, and ranks that say so
    Mended         header, ranking, and a sentence for each kind of change

Scores, documents and tags stay as they are, byte by byte; no line is dropped.  Lines without a score cannot be
ranked, so a file that has any is refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from primad.errors import FormatError
from primad.trec._lines import ONCE, RANKING, RUN, all_lines, hint_of, problem_of, regular_lines, wrong_lines
from primad.trec.inspection import MOST_KEPT, Rows
from primad.trec.ranking import split_header

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Positions = NDArray[np.int64]

_UP_TO_RANK = re.compile(rb"(\s*(?:\S+\s+){3})\S+")


@dataclass(frozen=True)
class Mended:
    """A file that was mended: its header as it was, its ranking, and what was changed in it, in sentences."""

    header: bytes
    ranking: bytes
    changes: tuple[str, ...]

    @property
    def data(self) -> bytes:
        """Return the whole file."""
        return self.header + self.ranking


def mend_ranking(data: bytes, name: str) -> Mended:
    r"""Return the file NAME with the content DATA, its ranks and the order of its lines made to follow the scores.

    Topics are brought together as first met, each in the order of falling scores, equal scores as the file ranks
    them; ranks count from 1, or from 0 where those of the file do.  Comments between the lines stay where they are.

    >>> mend_ranking(b"1 Q0 a 1 0.5 t\n1 Q0 b 2 0.75 t\n", "my.run").ranking
    b'1 Q0 b 1 0.75 t\n1 Q0 a 2 0.5 t\n'
    """
    header, ranking = split_header(data)
    rows = Rows(_scored_lines(data, name))
    ranks = _new_ranks(rows)
    changes = _changes(rows, ranks)
    if changes:
        ranking = _rewritten(ranking, header.count(b"\n") + 1, rows, ranks)
    return Mended(header, ranking, changes)


def _scored_lines(data: bytes, name: str) -> pl.DataFrame:
    """Return the lines of the file NAME, or refuse it if any lacks columns or a finite score."""
    frame = regular_lines(data, RANKING, name)
    if frame is not None:
        return frame
    frame = all_lines(data, RANKING, name)
    wrong = wrong_lines(frame, RUN).filter(pl.col("expected") != ONCE)
    if wrong.height:
        problems = [problem_of(row) for row in wrong.head(MOST_KEPT).iter_rows(named=True)]
        raise FormatError(name, problems, wrong.height, hint_of(frame["line"][0], RUN))
    return frame


def _new_ranks(rows: Rows) -> Positions:
    """Return the rank that each place of the mended ranking has."""
    readable = rows.rank >= 0
    smallest = np.full(len(rows.topics), np.iinfo(np.int64).max)
    np.minimum.at(smallest, rows.topic[readable], rows.rank[readable])
    counts_from_0 = readable.any() and not smallest[np.unique(rows.topic[readable])].any()
    return np.arange(len(rows.rank)) - rows.offsets[rows.topic] + (0 if counts_from_0 else 1)


def _changes(rows: Rows, ranks: Positions) -> tuple[str, ...]:
    """Return a sentence for each kind of change, with the number of topics it befalls."""
    scattered = [] if rows.order is None else rows.topic[1:][rows.has_next & (np.diff(rows.order) != 1)]
    moved = rows.topic[rows.by_score != np.arange(len(ranks))]
    renumbered = rows.topic[rows.rank[rows.by_score] != ranks]
    counts_from = int(ranks.min(initial=1))
    sentences = (
        (scattered, "lines of {} brought together"),
        (moved, "lines of {} put in the order of the scores"),
        (renumbered, f"ranks of {{}} made to follow the scores, counted from {counts_from}"),
    )
    return tuple(sentence.format(_counted(topics)) for topics, sentence in sentences if len(topics))


def _counted(topics: Positions | list[int]) -> str:
    """Return the number of different TOPICS in words."""
    number = len(np.unique(topics))
    return f"{number:,} topic{'s' * (number != 1)}"


def _rewritten(ranking: bytes, first_line: int, rows: Rows, ranks: Positions) -> bytes:
    """Return RANKING, which starts with the line FIRST_LINE, with the lines of ROWS in new order and with new RANKS.

    Line ends stay in their places, so that the last line may lack its own.
    """
    lines = ranking.split(b"\n")
    places = np.sort(rows.number) - first_line
    sources = rows.number[rows.by_score] - first_line
    has_right_rank = rows.rank[rows.by_score] == ranks
    new = list(lines)
    for place, source, rank, is_right in zip(
        places.tolist(), sources.tolist(), ranks.tolist(), has_right_rank.tolist(), strict=True
    ):
        line = lines[source].removesuffix(b"\r")
        end = b"\r" if lines[place].endswith(b"\r") else b""
        new[place] = (line if is_right else _with_rank(line, rank)) + end
    return b"\n".join(new)


def _with_rank(line: bytes, rank: int) -> bytes:
    """Return LINE with another RANK, all else as it is."""
    return _UP_TO_RANK.sub(rb"\g<1>%d" % rank, line, count=1)
