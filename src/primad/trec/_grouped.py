"""Documents with a value each, grouped by topic: what runs and qrels have in common.

Values stand in numpy columns, document identifiers in one Arrow column; Python strings are made only for
those who ask.  Runs and qrels come from, and go to, what users of other libraries have: nested dicts,
pandas and polars frames, records with ``query_id`` and ``doc_id`` (ir_measures, ir_datasets).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import polars as pl

from primad.errors import DataError
from primad.trec._documents import Documents
from primad.trec._ids import column_of, pair_hashes, shown, text_of
from primad.trec._order import group, topic_of_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    Rows = NDArray[np.int64]

_WHOLE = range(-(1 << 63), 1 << 63)
_BREAKS_LINES = "[ \t\n\r\v\f\0]"
_TOPIC_NAMES = ("topic", "query_id", "qid", "q_id", "topic_id", "query")
_DOCUMENT_NAMES = ("document", "doc_id", "docno", "docid", "document_id")


class Grouped:
    """Documents with a value each, grouped by topic."""

    kind: ClassVar[str]
    value_names: ClassVar[tuple[str, ...]]
    dtype: ClassVar[type[np.number]]

    def __init__(self, held_topics: Sequence[str], offsets: Rows, documents: Documents, values: NDArray[Any]) -> None:
        """Take columns in their final order; use the ``from_`` methods to make them."""
        self._held_topics = tuple(held_topics)
        self.offsets = offsets
        self._documents = documents
        self.values = values
        # The order of the rows follows from them.
        self.values.flags.writeable = False
        self.offsets.flags.writeable = False

    # From what people have -----------------------------------------------------------------------------------

    @classmethod
    def from_columns(cls, topics: pl.Series, documents: pl.Series, values: NDArray[Any], **facts: str) -> Self:
        """Return the rows of three columns of one length, identifiers held as in files."""
        names, offsets, order = group(topics)
        values = values if order is None else values[order]
        return cls(names, offsets, Documents(documents, order), values, **facts)

    @classmethod
    def from_dict(cls, nested: Mapping[str, Mapping[str, float]], **facts: str) -> Self:
        """Return the rows of a dict of topics, each a dict of documents with their values."""
        wrong = [inner for inner in nested.values() if not isinstance(inner, Mapping)]
        if wrong:
            raise DataError(f"expected a dict of documents for each topic, found {wrong[0]!r}")
        rows = ((topic, document, value) for topic, inner in nested.items() for document, value in inner.items())
        return cls._from_rows(rows, **facts)

    @classmethod
    def from_frame(cls, frame: Any, **facts: str) -> Self:
        """Return the rows of a pandas or polars frame.

        Columns may be called as here (topic, document, score or relevance) or as in other libraries
        (query_id, qid; doc_id, docno; label, rel).
        """
        wanted = (_TOPIC_NAMES, _DOCUMENT_NAMES, cls.value_names)
        columns = [_column(frame, names) for names in wanted]
        return cls._from_rows(zip(*columns, strict=True), **facts)

    @classmethod
    def from_records(cls, records: Iterable[Any], **facts: str) -> Self:
        """Return the rows of objects with ``query_id``, ``doc_id`` and ``score`` or ``relevance``."""
        try:
            rows = [(record.query_id, record.doc_id, getattr(record, cls.value_names[0])) for record in records]
        except AttributeError as error:
            raise DataError(f"expected records with query_id, doc_id and {cls.value_names[0]}: {error}") from None
        return cls._from_rows(rows, **facts)

    @classmethod
    def _from_rows(cls, rows: Iterable[tuple[Any, Any, Any]], **facts: str) -> Self:
        rows = list(rows)
        if not rows:
            raise DataError(f"expected {cls.kind} with at least one document, found none")
        topics, documents, values = zip(*rows, strict=True)
        grouped = cls.from_columns(column_of(topics), column_of(documents), cls._numbers(values), **facts)
        grouped.refuse_duplicates()
        return grouped

    @classmethod
    def _numbers(cls, values: Sequence[Any]) -> NDArray[Any]:
        """Return VALUES as a numpy column, or say which one is no number."""
        whole = issubclass(cls.dtype, np.integer)
        numbers = [_number(value, whole=whole) for value in values]
        if None in numbers:
            wanted = "a whole number" if whole else "a finite number"
            raise DataError(f"expected {wanted} as {cls.value_names[0]}, found {values[numbers.index(None)]!r}")
        return np.array(numbers, dtype=cls.dtype)

    def refuse_duplicates(self) -> None:
        """Refuse a document that is named twice for a topic."""
        if (row := self.find_duplicate()) is not None:
            topic = self._held_topics[int(np.searchsorted(self.offsets, row, side="right")) - 1]
            message = f"expected each document once per topic, found {shown(self.held_documents[row])!r} twice"
            raise DataError(f"{message} for topic {shown(topic)!r}")

    # What there is -------------------------------------------------------------------------------------------

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics, as first met."""
        return tuple(map(text_of, self._held_topics))

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.values)

    @property
    def documents(self) -> list[str]:
        """Return the document of each row."""
        return [text_of(document) for document in self.held_documents.to_list()]

    @property
    def held_documents(self) -> pl.Series:
        """Return the document of each row, held as in files."""
        return self._ranked_documents.column

    @property
    def keys(self) -> NDArray[np.uint64]:
        """Return a 64-bit number for the document of each row, comparable in this process only."""
        return self._ranked_documents.keys

    @property
    def _ranked_documents(self) -> Documents:
        """Return the documents in the order in which they are shown."""
        return self._documents

    def find_duplicate(self) -> int | None:
        """Return a row that names a document again for the same topic, if there is one."""
        topics = pl.Series(self._held_topics, dtype=pl.String)
        ordered = np.sort(pair_hashes(topics, np.diff(self.offsets), self._documents.keys))
        if not (ordered[1:] == ordered[:-1]).any():
            return None
        seen = pl.DataFrame({"topic": topic_of_rows(self.offsets), "document": self.held_documents})
        again = ~seen.select(pl.struct("topic", "document").is_first_distinct()).to_series().to_numpy()
        return int(np.argmax(again)) if again.any() else None

    def __eq__(self, other: object) -> bool:
        """Tell whether topics, documents and values are the same, in the same order."""
        if not isinstance(other, type(self)):
            return NotImplemented
        return (
            self._held_topics == other._held_topics
            and np.array_equal(self.offsets, other.offsets)
            and np.array_equal(self.values, other.values)
            and bool((self.held_documents == other.held_documents).all())
        )

    __hash__ = None  # type: ignore[assignment]  # columns are not hashed by content

    # To what people want -------------------------------------------------------------------------------------

    def rows(self) -> Iterator[tuple[str, str, Any]]:
        """Yield topic, document and value of each row."""
        return ((text_of(topic), text_of(document), value) for topic, document, value in self.held_rows())

    def held_rows(self) -> Iterator[tuple[str, str, Any]]:
        """Yield topic, document and value of each row, identifiers held as in files."""
        documents = self.held_documents.to_list()
        values = self.values.tolist()
        for topic, (start, end) in zip(self._held_topics, pairwise(self.offsets.tolist()), strict=True):
            for row in range(start, end):
                yield topic, documents[row], values[row]

    def refuse_unwritable(self) -> None:
        """Refuse identifiers that would break the lines of a file."""
        topics = pl.Series(self._held_topics, dtype=pl.String)
        column = pl.concat([topics, self.held_documents.rename("")])
        # A line with '#' in front is a comment, and a file with a byte order mark in front loses it.
        wrong = [
            *column.filter((column == "") | column.str.contains(_BREAKS_LINES)),
            *(topic for topic in self._held_topics if topic.startswith(("#", "\xef\xbb\xbf"))),
        ]
        if wrong:
            expected = "identifiers without blanks, topics without '#' or byte order mark in front"
            raise DataError(f"expected {expected}, found {shown(wrong[0])!r}")

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """Return a dict of topics, each a dict of documents with their values."""
        nested: dict[str, dict[str, Any]] = {topic: {} for topic in self.topics}
        for topic, document, value in self.rows():
            nested[topic][document] = value
        return nested

    def to_polars(self) -> pl.DataFrame:
        """Return a polars frame, with stray bytes in identifiers escaped."""
        topics = pl.Series([shown(topic) for topic in self._held_topics], dtype=pl.String)
        documents = self.held_documents
        if documents.str.len_bytes().sum() != documents.str.len_chars().sum():
            documents = pl.Series([shown(document) for document in documents.to_list()], dtype=pl.String)
        return pl.DataFrame(
            {
                "topic": topics.gather(topic_of_rows(self.offsets)),
                "document": documents,
                self.value_names[0]: self.values,
            }
        )

    def to_pandas(self) -> Any:
        """Return a pandas frame; pandas must be installed."""
        import pandas as pd

        frame = self.to_polars()
        return pd.DataFrame({name: frame[name].to_list() for name in frame.columns})


def _column(frame: Any, names: tuple[str, ...]) -> list[Any]:
    """Return the first column of FRAME that has one of NAMES."""
    for name in names:
        if name in frame.columns:
            return list(frame[name].to_list())
    raise DataError(f"expected a column {' or '.join(names)}, found {', '.join(map(str, frame.columns))}")


def _number(value: Any, *, whole: bool) -> float | None:
    """Return VALUE as a number that a column can hold, None if it is none."""
    if whole and isinstance(value, int | np.integer):
        return int(value) if int(value) in _WHOLE else None
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    if not math.isfinite(number):
        return None
    if not whole:
        return number
    return int(number) if number.is_integer() and int(number) in _WHOLE else None
