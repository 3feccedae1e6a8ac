"""Where are the scores of single topics kept, and how are they read again?

    TopicTable          the topic scores of rankings, as a table that is filled ranking by ranking
    keep_topic_scores   put a table into the folder, under the digest of its bytes
    read_topic_scores   the scores by topic of rankings that were scored before
    path_of             where a table lies
    table_with          its bytes, if they are still what they were

A table is a Parquet file with the columns ``ranking`` and ``topic`` and one for each measure.  It is written once and
never changed: newer scores are in another file, and the database says which one counts.  A file that the database does
not know is what somebody who was stopped has left behind, and does no harm.
"""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from primad.errors import FileError
from primad.store.blobs import digest_of, write_once
from primad.store.parts import in_parts

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl

    from primad.store.folder import DataFolder

RANKING, TOPIC = "ranking", "topic"

_HINT = "restore it from a backup, or remove it and evaluate again"
# A database takes so many values in one question.
_AT_ONCE = 5000


@dataclass
class TopicTable:
    """The scores of topics by measure: for each ranking as many rows as it has topics."""

    _rankings: list[int] = field(default_factory=list)
    _topics: list[Sequence[str]] = field(default_factory=list)
    _scores: list[Mapping[str, Any]] = field(default_factory=list)

    def add(self, ranking: int, topics: Sequence[str], scores: Mapping[str, Any]) -> None:
        """Add the SCORES of a RANKING, each a column in the order of TOPICS; all rankings have the same measures."""
        self._rankings.append(ranking)
        self._topics.append(topics)
        self._scores.append(scores)

    def to_parquet(self) -> bytes:
        """Return the table as the bytes of a Parquet file, empty if it has no scores."""
        import polars as pl

        if not self._rankings:
            return b""
        columns: dict[str, Any] = {
            RANKING: np.repeat(np.array(self._rankings, np.int64), [len(topics) for topics in self._topics]),
            TOPIC: _topic_column([topic for topics in self._topics for topic in topics]),
        }
        for measure in self._scores[0]:
            columns[measure] = np.concatenate([scores[measure] for scores in self._scores]).astype(np.float64)
        stream = io.BytesIO()
        pl.DataFrame(columns).write_parquet(stream, compression="zstd", statistics=False)
        return stream.getvalue()


def _topic_column(topics: Sequence[str]) -> pl.Series:
    """Return TOPICS as text; where one is no text, all as the bytes that stand in the run."""
    import polars as pl

    try:
        return pl.Series(topics, dtype=pl.String)
    except UnicodeEncodeError:
        return pl.Series([topic.encode("utf-8", "surrogateescape") for topic in topics], dtype=pl.Binary)


def path_of(folder: DataFolder, digest: str) -> Path:
    """Return where in FOLDER the table with DIGEST is kept."""
    return folder.scores / digest[:2] / f"{digest}.parquet"


def table_with(folder: DataFolder, digest: str) -> bytes:
    """Return the bytes of the table with DIGEST in FOLDER, if they are still what they were."""
    path = path_of(folder, digest)
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise FileError(str(path), "no such file of topic scores", _HINT) from None
    except OSError as error:
        raise FileError(str(path), f"cannot be read ({error.strerror})", _HINT) from None
    if digest_of(data) != digest:
        raise FileError(str(path), "holds other bytes than its name says", _HINT)
    return data


def keep_topic_scores(folder: DataFolder, table: bytes) -> str:
    """Keep the bytes of a TABLE in FOLDER, and return their digest; they are on the disk then."""
    digest = digest_of(table)
    write_once(path_of(folder, digest), table, folder.scores)
    return digest


def read_topic_scores(
    folder: DataFolder, rankings: Sequence[int], qrels: int, measure: str
) -> dict[int, dict[str, float]]:
    """Return the scores by topic of each of RANKINGS, by the judgments QRELS and a MEASURE.

    All three are known by their numbers or names in the database.  A ranking without such scores is left out.
    """
    members: dict[str, list[int]] = defaultdict(list)
    for ranking, digest in _places(rankings, qrels, measure):
        members[digest].append(ranking)
    found: dict[int, dict[str, float]] = {}
    for digest, wanted in members.items():
        found |= _scores_in(folder, digest, wanted, measure)
    return found


def _places(rankings: Sequence[int], qrels: int, measure: str) -> Iterator[tuple[int, str]]:
    """Yield each of RANKINGS that has topic scores with the digest of the table that they are in."""
    from primad.archive.models import Score

    for some in in_parts(dict.fromkeys(rankings), _AT_ONCE):
        rows = Score.objects.filter(ranking_id__in=some, qrels_id=qrels, measure=measure, topics__isnull=False)
        yield from rows.values_list("ranking_id", "topics__digest")


def _scores_in(folder: DataFolder, digest: str, rankings: Sequence[int], measure: str) -> dict[int, dict[str, float]]:
    """Return the scores by MEASURE that the table with DIGEST holds of RANKINGS."""
    import polars as pl

    frame = _read(folder, digest, measure).filter(pl.col(RANKING).is_in(rankings)).drop_nulls()
    found: dict[int, dict[str, float]] = defaultdict(dict)
    for ranking, topic, score in frame.iter_rows():
        found[ranking][topic if isinstance(topic, str) else topic.decode("utf-8", "surrogateescape")] = score
    return dict(found)


def _read(folder: DataFolder, digest: str, measure: str) -> pl.DataFrame:
    """Return the columns of the table with DIGEST that matter, if it is still what it was."""
    import polars as pl

    try:
        return pl.read_parquet(io.BytesIO(table_with(folder, digest)), columns=[RANKING, TOPIC, measure])
    except pl.exceptions.PolarsError as error:
        where = str(path_of(folder, digest))
        raise FileError(where, f"expected scores by {measure}, found none ({error})", _HINT) from None
