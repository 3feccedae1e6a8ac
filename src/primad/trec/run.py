"""Runs: the documents a system retrieved for each topic, ranked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from primad.errors import DataError
from primad.trec._grouped import Grouped
from primad.trec._ids import bytes_of, held_of, text_of
from primad.trec._lines import RUN, format_error, is_header, read_table
from primad.trec._order import break_ties, by_score, tied_blocks
from primad.trec.files import MAX_UNPACKED, Source, atomic_write, name_of, read_bytes

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from primad.trec._documents import Documents

    Rows = NDArray[np.int64]


class ScoredDoc(NamedTuple):
    """One retrieved document, with the names that ir_measures gives its columns."""

    query_id: str
    doc_id: str
    score: float


class Run(Grouped):
    """Retrieved documents with their scores, grouped by topic and ranked.

    The rank is the place in the order of falling scores, equal scores in the order of falling document
    identifiers (as bytes); a rank column in a file is ignored.  That is trec_eval's rule.

    >>> run = Run.from_dict({"301": {"d1": 0.5, "d2": 0.7, "d3": 0.5}}, tag="bm25")
    >>> run
    <Run bm25: 3 documents for 1 topic>
    >>> list(run.to_dict()["301"])
    ['d2', 'd3', 'd1']
    """

    kind = "a run"
    value_names = ("score", "sim")
    dtype = np.float64

    def __init__(
        self,
        held_topics: Sequence[str],
        offsets: Rows,
        documents: Documents,
        values: NDArray[Any],
        tag: str = "",
        header: str = "",
    ) -> None:
        """Rank the rows of each topic; TAG names the system, HEADER is the comment above the ranking."""
        order = by_score(values, offsets)
        if order is not None:
            documents, values = documents.reordered(order), values[order]
        super().__init__(held_topics, offsets, documents, values)
        self._has_ties_broken = False
        self.tag = tag
        self.header = header

    @property
    def scores(self) -> NDArray[np.float64]:
        """Return the score of each row."""
        return self.values

    def in_single_precision(self) -> Run:
        """Return the run ranked by its scores as 32-bit numbers, as trec_eval 9 reads them.

        Scores that differ only beyond the seventh digit or so become ties.
        """
        with np.errstate(over="ignore"):  # too large for 32 bits is infinite there, too
            scores = self.scores.astype(np.float32)
        return Run(self._held_topics, self.offsets, self._documents, scores, self.tag, self.header)

    @property
    def _ranked_documents(self) -> Documents:
        """Return the documents with ties broken, which waits until somebody looks at their order."""
        if not self._has_ties_broken:
            self._documents = self._documents.reordered(break_ties(self.scores, self.offsets, self._documents))
            self._has_ties_broken = True
        return self._documents

    def tied_blocks(self) -> Rows:
        """Return the number of the block of equal scores that each row is in."""
        return tied_blocks(self.scores, self.offsets)

    def to_records(self) -> Iterator[ScoredDoc]:
        """Yield one record per retrieved document."""
        return (ScoredDoc(*row) for row in self.rows())

    def __repr__(self) -> str:
        """Return tag and size in words."""
        topics = len(self._held_topics)
        return f"<Run {self.tag or 'without tag'}: {len(self)} documents for {topics} topic{'s' * (topics != 1)}>"


def read_run(source: Source, *, limit: int = MAX_UNPACKED) -> Run:
    """Return the run in SOURCE: a path, '-' for standard input, or bytes.

    Comment lines at the top, such as PRIMAD metadata, are handed on as ``header``.  A packed file must not unpack to
    more than LIMIT bytes.
    """
    name = name_of(source)
    data = read_bytes(source, limit=limit)
    table = read_table(data, RUN, name)
    columns = (table.frame["topic"], table.frame["document"], table.frame["score"].to_numpy())
    run = Run.from_columns(*columns, tag=text_of(table.tag), header=table.header)
    if run.find_duplicate() is not None:
        raise format_error(data, RUN, name)
    return run


def write_run(run: Run, path: str | os.PathLike[str]) -> None:
    """Write RUN with its header to PATH, whole or not at all.

    Scores are written with all their digits, so reading them back gives the same ranking.
    """
    run.refuse_unwritable()
    header = _header_lines(run.header)
    ending = b" %s\n" % _tag_bytes(run.tag)
    with atomic_write(path) as stream:
        stream.write(header)
        for rank, (topic, document, score) in _ranked(run):
            stream.write(b"%s Q0 %s %d %s" % (bytes_of(topic), bytes_of(document), rank, repr(score).encode()) + ending)


def _tag_bytes(tag: str) -> bytes:
    """Return TAG as it stands in a file, or refuse what would break the lines."""
    tag = tag.strip() or "primad"
    if "\n" in tag or "\0" in tag:
        raise DataError(f"expected a tag in one line, found {tag!r}")
    return bytes_of(held_of(tag))


def _header_lines(header: str) -> bytes:
    """Return HEADER as it stands in a file, or refuse lines that are no comments."""
    if not header:
        return b""
    data = bytes_of(held_of(header if header.endswith("\n") else header + "\n"))
    if not is_header(data):
        raise DataError("expected a header of comment lines, which start with '#', found others")
    return data


def _ranked(run: Run) -> Iterator[tuple[int, tuple[str, str, float]]]:
    """Yield each row with its rank."""
    ranks = np.arange(len(run)) - np.repeat(run.offsets[:-1], np.diff(run.offsets)) + 1
    return zip(ranks.tolist(), run.held_rows(), strict=True)
