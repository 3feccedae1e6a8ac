"""Qrels: which documents were judged for a topic, and how relevant they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from primad.trec._grouped import Grouped
from primad.trec._ids import bytes_of
from primad.trec._lines import QRELS, format_error, read_table
from primad.trec.files import MAX_UNPACKED, Source, atomic_write, name_of, read_bytes

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from numpy.typing import NDArray


class Qrel(NamedTuple):
    """One judgment, with the names that ir_measures gives its columns."""

    query_id: str
    doc_id: str
    relevance: int
    iteration: str = "0"


class Qrels(Grouped):
    """Judged documents with their relevance, grouped by topic.

    A negative relevance means: in the pool, but not judged.

    >>> Qrels.from_dict({"301": {"d1": 1, "d2": 0}})
    <Qrels: 2 judgments of 1 topic>
    """

    kind = "qrels"
    value_names = ("relevance", "label", "rel", "relevancy")
    dtype = np.int64

    @property
    def relevance(self) -> NDArray[np.int64]:
        """Return the relevance of each row."""
        return self.values

    def to_records(self) -> Iterator[Qrel]:
        """Yield one record per judgment."""
        return (Qrel(*row) for row in self.rows())

    def __repr__(self) -> str:
        """Return the size in words."""
        topics = len(self._held_topics)
        return f"<Qrels: {len(self)} judgments of {topics} topic{'s' * (topics != 1)}>"


def read_qrels(source: Source, *, limit: int = MAX_UNPACKED) -> Qrels:
    """Return the qrels in SOURCE: a path, '-' for standard input, or bytes that unpack to at most LIMIT bytes."""
    name = name_of(source)
    data = read_bytes(source, limit=limit)
    table = read_table(data, QRELS, name)
    qrels = Qrels.from_columns(table.frame["topic"], table.frame["document"], table.frame["relevance"].to_numpy())
    if qrels.find_duplicate() is not None:
        raise format_error(data, QRELS, name)
    return qrels


def write_qrels(qrels: Qrels, path: str | os.PathLike[str]) -> None:
    """Write QRELS to PATH, whole or not at all."""
    qrels.refuse_unwritable()
    with atomic_write(path) as stream:
        for topic, document, relevance in qrels.held_rows():
            stream.write(b"%s 0 %s %d\n" % (bytes_of(topic), bytes_of(document), relevance))
