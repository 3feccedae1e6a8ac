"""How are some runs scored, by any process on any machine?

    Batch         what is to be scored: contents and names of measures, nothing else
    Content       a stored content: its packed bytes, or where they lie
    Scored        what came out: a score for each ranking and measure, a table of topic scores, and what went wrong
    ScoreRow, Failure   a score of a ranking, and why a ranking has none
    score_batch   does it
    RULES         by which rules: a judged topic that a run lacks counts as 0, so all scores are over the same topics

No database and no setting is needed here, and no file unless the batch says that it lies on the same machine.  Contents
are trusted only if they have the digest that they should have, and a process scores only with the same code as the one
that asked.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from primad.archive.code_version import code_version
from primad.archive.topic_scores import TopicTable
from primad.compute.memory import keep_freed_memory
from primad.errors import PrimadError, WorkError
from primad.evaluation import Rules, parse_measures
from primad.evaluation.scorer import Scorer
from primad.store.blobs import Blobs, unpacked
from primad.trec import read_qrels, read_run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from primad.evaluation import BoundMeasure, RunScores

# Without the complete rule a run with one easy topic would stand above all runs that have every topic.
RULES = Rules(complete=True)


@dataclass(frozen=True)
class Content:
    """The content with DIGEST: PACKED as it lies in a store, or in the STORE of this machine."""

    digest: str
    packed: bytes = field(default=b"", compare=False, repr=False)
    store: str = field(default="", compare=False)

    def data(self) -> bytes:
        """Return the content, if it is what its digest says."""
        return Blobs(Path(self.store)).get(self.digest) if self.store else unpacked(self.packed, self.digest)


@dataclass(frozen=True)
class Batch:
    """Rankings by their numbers, each with the file of a run that has it, to be scored by QRELS and MEASURES.

    JUDGMENTS is the number of the qrels in the database, CODE the version of the code that must be used.
    """

    judgments: int
    qrels: Content
    measures: tuple[str, ...]
    rankings: tuple[tuple[int, Content], ...]
    code: str


class ScoreRow(NamedTuple):
    """The score of a ranking by a measure: the VALUE over ITEMS topics; IN_TABLE if topics have scores."""

    ranking: int
    measure: str
    value: float
    standard_error: float | None
    items: int
    in_table: bool


class Failure(NamedTuple):
    """A ranking that has no score, and the REASON."""

    ranking: int
    reason: str


@dataclass
class Scored:
    """What became of a batch; TABLE is a Parquet file, empty if no measure has scores of topics."""

    scores: list[ScoreRow] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    table: bytes = b""


def score_batch(batch: Batch) -> Scored:
    """Return the scores of the rankings of BATCH; one that cannot be scored does not stop the others."""
    if batch.code != code_version():
        raise WorkError("a worker has another version of primad or its packages; install there what is installed here")
    keep_freed_memory()
    scored, topics = Scored(), TopicTable()
    for ranking, content in batch.rankings:
        try:
            scorer = _scorer(batch.qrels, batch.measures)
            run = scorer.score("topics", read_run(content.data()))
        except PrimadError as error:
            scored.failures.append(Failure(ranking, str(error)))
        except Exception as error:  # noqa: BLE001 - whatever a library does with one run, the others go on
            scored.failures.append(Failure(ranking, f"could not be scored ({error!r:.200})"))
        else:
            rows = list(_rows(ranking, scorer.measures, run))
            scored.scores += [row for row in rows if math.isfinite(row.value)]
            scored.failures += [
                Failure(ranking, f"has no {row.measure}") for row in rows if not math.isfinite(row.value)
            ]
            if run.scores:
                topics.add(ranking, run.topics, run.scores)
    scored.table = topics.to_parquet()
    return scored


@lru_cache(maxsize=4)
def _scorer(qrels: Content, measures: tuple[str, ...]) -> Scorer:
    """Return what scores runs by QRELS and MEASURES, prepared once in a process."""
    bound = tuple(parse_measures(measures, RULES.compat))
    return Scorer(read_qrels(qrels.data()), bound, RULES, ties=False, per_topic=True)


def _rows(ranking: int, measures: tuple[BoundMeasure, ...], run: RunScores) -> Iterator[ScoreRow]:
    """Yield the score of RUN by each of MEASURES."""
    lacking = len(run.missing) if RULES.complete and not RULES.scores_missing_topics else 0
    for measure in measures:
        value = float(run.summary[measure.label])
        error = _standard_error(measure, run, lacking)
        yield ScoreRow(ranking, measure.label, value, error, len(run.topics) + lacking, measure.label in run.scores)


def _standard_error(measure: BoundMeasure, run: RunScores, lacking: int) -> float | None:
    """Return the standard error of a mean over topics, LACKING ones as 0, None where there is none."""
    topics = len(run.topics) + lacking
    if measure.facts.summary != "mean" or topics < 2:  # noqa: PLR2004 - one topic has no spread
        return None
    column = np.append(np.asarray(run.scores[measure.label], dtype=np.float64), np.zeros(lacking))
    error = float(column.std(ddof=1)) / math.sqrt(topics)
    return error if math.isfinite(error) else None
