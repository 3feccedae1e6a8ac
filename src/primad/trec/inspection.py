"""What is wrong with the ranking of a run file?  Everything, not only the first thing.

    inspect_ranking   the findings about a file, and what its ranking looks like
    Inspection        both; a Finding is one of the former
    Rows              the lines of a ranking, grouped by topic

Codes of findings: errors are `empty`, `columns`, `score`, `duplicate`, `rank` and `contradiction`, warnings are
`gap`, `order` and `tags`.  Nearly all files are without a fault, so that is found out first, on whole columns;
the numbers and the words of lines are looked at only where something is wrong.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

import numpy as np
import polars as pl

from primad.trec._ids import hashes_of, text_of
from primad.trec._lines import (
    ONCE,
    RANKING,
    RUN,
    all_lines,
    hint_of,
    problem_of,
    quoted,
    refuse_binary,
    regular_lines,
    wrong_lines,
)
from primad.trec._order import group, topic_of_rows
from primad.trec.ranking import Shape, TieOrder, shape_if_clean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    Positions = NDArray[np.int64]

Severity = Literal["error", "warning"]

MOST_KEPT = 100
_MOST_TAGS = 10
_SMALL = 1 << 18  # bytes up to which plain Python is faster than polars
_ODD = np.uint64(0x9E3779B97F4A7C15)  # spreads the numbers of topics over 64 bits
_COMPLETE = pl.col("tag").is_not_null()
_SCORED = _COMPLETE & pl.col("score").is_finite().fill_null(value=False)
_RANKED = _COMPLETE & (pl.col("rank") >= 0).fill_null(value=False)
_CODES = {str(RUN): "columns", RUN.expected_value: "score", ONCE: "duplicate"}
_WARNINGS = {"gap", "order", "tags"}
_ADVICE = {
    "empty": "the file is empty or has only comments",
    "columns": "write topic, Q0, document, rank, score and tag in each line",
    "score": "write a number such as 12.5, or leave the document out",
    "duplicate": "keep one of the two lines",
    "rank": "count the ranks of each topic from 1",
    "contradiction": "find out which of them is meant: evaluation goes by the scores",
    "gap": "find out whether lines were lost, or count the ranks anew: evaluation goes by the scores",
    "order": "write the topics one after the other, each in the order of its ranks",
    "tags": "write one tag, without blanks, in all lines",
}


@dataclass(frozen=True, order=True)
class Finding:
    """One thing that is wrong: the line of the file, a short name, what was expected and found, what to do."""

    line: int
    code: str
    severity: Severity
    expected: str
    found: str
    advice: str = ""

    def __str__(self) -> str:
        """Return the finding as a message reads it."""
        return f"expected {self.expected}, found {self.found}"


@dataclass(frozen=True)
class Inspection(Shape):
    """What a ranking looks like, and what is wrong in it.

    ``findings`` are in the order of the lines, at most 100 of each code; ``totals`` counts all of each code.
    """

    findings: tuple[Finding, ...]
    totals: dict[str, int]


class Rows:
    """Lines with all columns, grouped by topic, each topic in the order of the file."""

    def __init__(self, frame: pl.DataFrame) -> None:
        """Group the lines of FRAME, which stand as in the file."""
        self.as_stood = frame
        self.topics, self.offsets, self.order = group(frame["topic"])

    @cached_property
    def frame(self) -> pl.DataFrame:
        """Return the grouped lines."""
        return self.as_stood if self.order is None else self.as_stood[self.order]

    @cached_property
    def topic(self) -> Positions:
        """Return the number of the topic of each line."""
        return topic_of_rows(self.offsets)

    @cached_property
    def number(self) -> Positions:
        """Return the number that each line has in the file."""
        return self.frame["number"].to_numpy()

    @cached_property
    def rank(self) -> Positions:
        """Return the rank of each line, -1 where there is none."""
        rank = self.frame["rank"]
        return (rank.fill_null(-1) if rank.null_count() else rank).to_numpy()

    @cached_property
    def score(self) -> NDArray[np.float64]:
        """Return the score of each line."""
        return self.frame["score"].to_numpy()

    @cached_property
    def has_next(self) -> NDArray[np.bool_]:
        """Return whether the next line is of the same topic, for each line but the last."""
        return np.equal(self.topic[1:], self.topic[:-1])

    @cached_property
    def has_ranks(self) -> bool:
        """Tell whether each line has a rank."""
        return bool((self.rank >= 0).all())

    @cached_property
    def by_rank(self) -> Positions:
        """Return the lines of each topic in the order of rising ranks, equal ranks as they stand."""
        if (self.rank[1:] >= self.rank[:-1])[self.has_next].all():
            return np.arange(len(self.rank))
        return np.lexsort((self.rank, self.topic))

    @cached_property
    def by_score(self) -> Positions:
        """Return the lines of each topic in the order of falling scores, equal scores as the file ranks them.

        That is the order of the ranks, or of the lines where not all ranks can be read.
        """
        ranks = self.rank if self.has_ranks else np.zeros_like(self.rank)
        ahead, tied = self.score[:-1] > self.score[1:], self.score[:-1] == self.score[1:]
        if (ahead | (tied & (ranks[:-1] <= ranks[1:])))[self.has_next].all():
            return np.arange(len(ranks))
        return np.lexsort((ranks, -self.score, self.topic))

    def topic_at(self, row: int) -> str:
        """Return the topic of a ROW, as messages show it."""
        return f"topic {quoted(self.topics[int(self.topic[row])])}"

    def may_repeat_documents(self) -> bool:
        """Tell whether a topic seems to have a document twice, judged by hashes."""
        pairs = hashes_of(self.frame["document"]) + self.topic.astype(np.uint64) * _ODD
        pairs.sort()
        return bool((pairs[1:] == pairs[:-1]).any())


@dataclass
class _Notes:
    """Findings as they come up."""

    findings: list[Finding] = field(default_factory=list)
    totals: Counter[str] = field(default_factory=Counter)

    def note(self, code: str, line: int, expected: str, found: str, advice: str = "") -> None:
        """Note something that is wrong in a LINE."""
        severity: Severity = "warning" if code in _WARNINGS else "error"
        self.findings.append(Finding(line, code, severity, expected, found, advice or _ADVICE[code]))
        self.totals[code] += 1

    def note_all(self, code: str, positions: Positions, words: Callable[[int], tuple[int, str, str]]) -> None:
        """Note what is wrong at POSITIONS in the order of lines; line, expected and found are only made as needed."""
        for position in positions[:MOST_KEPT].tolist():
            self.note(code, *words(position))
        self.totals[code] += len(positions[MOST_KEPT:])

    def kept(self) -> tuple[Finding, ...]:
        """Return the findings in the order of lines, the first of each code."""
        by_code = (sorted(finding for finding in self.findings if finding.code == code) for code in self.totals)
        return tuple(sorted(finding for findings in by_code for finding in findings[:MOST_KEPT]))


def inspect_ranking(data: bytes, name: str) -> Inspection:
    r"""Return all that is wrong with the ranking of the file NAME with the content DATA, and what it looks like.

    Bytes that are no text are refused, as in reading.

    >>> inspection = inspect_ranking(b"1 Q0 a 1 0.5 t\n1 Q0 b 3 0.25 t\n", "my.run")
    >>> [(finding.line, str(finding)) for finding in inspection.findings]
    [(2, 'expected rank 2, found rank 3')]
    """
    refuse_binary(data, name)
    shape = shape_if_clean(data) if len(data) <= _SMALL else None
    if shape is not None:
        return Inspection(**vars(shape), findings=(), totals={})
    regular = regular_lines(data, RANKING, name)
    if regular is not None:
        rows = Rows(regular)
        if rows.has_ranks and not rows.may_repeat_documents():
            return _inspection(_Notes(), regular.height, rows, rows, rows, set())
    return _inspect_all(all_lines(data, RANKING, name))


def _inspect_all(frame: pl.DataFrame) -> Inspection:
    """Return what is found in the lines of FRAME, some of which may be wrong."""
    notes = _Notes()
    if not frame.height:
        notes.note("empty", 1, str(RUN), "none")
    else:
        _note_wrong_lines(notes, frame)
        _note_ranks(notes, frame)
    complete, scored = Rows(frame.filter(_COMPLETE)), Rows(frame.filter(_SCORED))
    ranked = Rows(frame.filter(_SCORED & _RANKED))
    broken = set(frame.filter(~(_SCORED & _RANKED))["topic"])
    return _inspection(notes, frame.height, complete, scored, ranked, broken)


def _inspection(notes: _Notes, lines: int, complete: Rows, scored: Rows, ranked: Rows, broken: set[str]) -> Inspection:
    """Return NOTES with what is found in columns: all there are, those with a score, and those with a rank, too.

    Topics that have BROKEN lines are not asked for ranks without gaps.
    """
    tags = _note_tags(notes, complete.as_stood)
    _note_interleaving(notes, complete)
    _note_unsorted(notes, ranked)
    _note_contradictions(notes, ranked)
    _note_gaps(notes, ranked, broken)
    tied, tie_order = _ties(scored)
    lengths = np.diff(complete.offsets).tolist()
    return Inspection(
        findings=notes.kept(),
        totals=dict(+notes.totals),
        lines=lines,
        topics=tuple(map(text_of, complete.topics)),
        depth=max(lengths, default=0),
        shortest=min(lengths, default=0),
        tags=tags,
        tied_share=tied / lines if lines else 0.0,
        tie_order=tie_order,
    )


def _note_wrong_lines(notes: _Notes, frame: pl.DataFrame) -> None:
    """Note lines without all columns, without a score, and with a document that was there before."""
    wrong = wrong_lines(frame, RUN)
    hint = hint_of(frame["line"][0], RUN)
    for expected, code in _CODES.items():
        same = wrong.filter(pl.col("expected") == expected)
        for row in same.head(MOST_KEPT).iter_rows(named=True):
            problem = problem_of(row)
            notes.note(code, problem.line, problem.expected, problem.found, hint if code == "columns" else "")
        notes.totals[code] += same[MOST_KEPT:].height


def _note_ranks(notes: _Notes, frame: pl.DataFrame) -> None:
    """Note lines whose rank is no whole number from 0 on."""
    wrong = frame.filter(_COMPLETE & ~_RANKED)

    def words(row: int) -> tuple[int, str, str]:
        rank = wrong["line"][row].split(" ")[RUN.columns.index("rank")]
        return wrong["number"][row], "a whole number from 0 on as rank", quoted(rank)

    notes.note_all("rank", np.arange(wrong.height), words)


def _note_tags(notes: _Notes, frame: pl.DataFrame) -> tuple[str, ...]:
    """Note tags that differ or have blanks, and return them; of several with blanks only the first word counts."""
    tags = frame["tag"]
    if frame.height and " " not in tags[0] and (tags == tags[0]).all():
        return (text_of(tags[0]),)
    distinct = tags.unique(maintain_order=True)
    has_blanks = distinct.str.contains(" ", literal=True).any()
    if len(distinct) > 1 and has_blanks:
        tags = tags.str.splitn(" ", 2).struct[0]
        distinct = tags.unique(maintain_order=True)
    if len(distinct) > 1:
        listed = ", ".join(map(quoted, distinct.head(_MOST_TAGS))) + ", …" * (len(distinct) > _MOST_TAGS)
        line = frame["number"].filter(tags != tags[0])[0]
        notes.note("tags", line, "one tag in all lines", f"{len(distinct):,} tags: {listed}")
    elif has_blanks:
        first = frame.filter(pl.col("tag").str.contains(" ", literal=True)).row(0, named=True)
        read_as = "" if first["tag"] == distinct[0] else f", read as {quoted(distinct[0])}"
        notes.note("tags", first["number"], "a tag of one word", quoted(first["tag"]) + read_as)
    return tuple(map(text_of, distinct.head(_MOST_TAGS)))


def _note_interleaving(notes: _Notes, rows: Rows) -> None:
    """Note the first line that comes back to a topic."""
    if rows.order is None:
        return
    met = set()
    for row, (above, topic) in enumerate(pairwise(rows.as_stood["topic"]), 1):
        met.add(above)
        if topic != above and topic in met:
            found = f"topic {quoted(topic)} again, below topic {quoted(above)}"
            notes.note("order", rows.as_stood["number"][row], "the lines of a topic side by side", found)
            return


def _note_unsorted(notes: _Notes, rows: Rows) -> None:
    """Note the first line of each topic that has a smaller rank than the line above."""
    wrong = np.flatnonzero(rows.has_next & (rows.rank[1:] < rows.rank[:-1])) + 1
    first = wrong[np.unique(rows.topic[wrong], return_index=True)[1]]

    def words(row: int) -> tuple[int, str, str]:
        found = f"rank {rows.rank[row]} below rank {rows.rank[row - 1]} ({rows.topic_at(row)})"
        return int(rows.number[row]), "lines in the order of their ranks", found

    notes.note_all("order", first[np.argsort(rows.number[first])], words)


def _note_contradictions(notes: _Notes, rows: Rows) -> None:
    """Note the first line of each topic whose score is above that of a smaller rank."""
    rank, score, number = rows.rank[rows.by_rank], rows.score[rows.by_rank], rows.number[rows.by_rank]
    rises = rows.has_next & (score[1:] > score[:-1])
    pairs: dict[int, int] = {}
    for topic in np.unique(rows.topic[1:][rises]):
        start, end = rows.offsets[topic : topic + 2].tolist()
        for below, above in _contradiction(rank[start:end], score[start:end], number[start:end]):
            pairs[start + below] = start + above

    def words(row: int) -> tuple[int, str, str]:
        above = pairs[row]
        found = f"score {score[row]} at rank {rank[row]}, {score[above]} at rank {rank[above]}"
        return int(number[row]), "scores that fall as ranks rise", f"{found} ({rows.topic_at(row)})"

    wrong = np.array(list(pairs), dtype=np.int64)
    notes.note_all("contradiction", wrong[np.argsort(number[wrong])], words)


def _contradiction(rank: Positions, score: NDArray[np.float64], number: Positions) -> Iterator[tuple[int, int]]:
    """Yield of rows with rising ranks the first by NUMBER that has a better score than a smaller rank, and that one."""
    smaller = np.searchsorted(rank, rank)
    lowest = np.minimum.accumulate(score)
    wrong = np.flatnonzero((smaller > 0) & (score > lowest[smaller - 1]))
    if len(wrong):
        below = int(wrong[np.argmin(number[wrong])])
        yield below, int(np.argmin(score[: smaller[below]]))


def _note_gaps(notes: _Notes, rows: Rows, broken: set[str]) -> None:
    """Note lines whose rank does not follow the one before, or 0 or 1, in topics without BROKEN lines."""
    rank, number = rows.rank[rows.by_rank], rows.number[rows.by_rank]
    is_first = np.append([True], ~rows.has_next)[: len(rank)]
    step = np.diff(rank, prepend=0)
    wrong = np.flatnonzero(np.where(is_first, rank > 1, step != 1))
    is_whole = np.array([topic not in broken for topic in rows.topics], dtype=bool)
    wrong = wrong[is_whole[rows.topic[wrong]]]

    def words(row: int) -> tuple[int, str, str]:
        if is_first[row]:
            return int(number[row]), "rank 0 or 1", f"rank {rank[row]}"
        again = "" if step[row] else " again"
        return int(number[row]), f"rank {int(rank[row - 1]) + 1}", f"rank {rank[row]}{again}"

    notes.note_all("gap", wrong[np.argsort(number[wrong])], words)


def _ties(rows: Rows) -> tuple[int, TieOrder]:
    """Return how many lines share their score with another of the topic, and the order of their documents."""
    order = rows.by_score
    score = rows.score[order]
    is_tied = rows.has_next & (score[1:] == score[:-1])
    tied = np.count_nonzero(np.append(is_tied, [False]) | np.append([False], is_tied))
    if not tied:
        return 0, "no ties"
    above = np.flatnonzero(is_tied)
    documents = rows.frame["document"]
    upper, lower = documents[order[above]], documents[order[above + 1]]
    if (upper > lower).all():
        return int(tied), "falling document identifiers"
    return int(tied), "rising document identifiers" if (upper < lower).all() else "neither"
