"""The topic scores of one run, ready to be compared: a row for each measure, a column for each topic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from primad.errors import MeasureError
from primad.reproducibility.registry import in_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from primad.evaluation import BoundMeasure, RunScores


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """Scores by measure and topic; topics stand in their order, whatever order they came in."""

    measures: tuple[str, ...]
    topics: tuple[str, ...]
    values: NDArray[np.float64]

    @classmethod
    def of_run(cls, scores: RunScores, measures: Iterable[BoundMeasure], *, complete: bool) -> ScoreTable:
        """Return the SCORES of a run; if COMPLETE, judged topics that it lacks score 0."""
        labels = tuple(measure.label for measure in measures)
        refuse_without_topic_scores(labels, scores)
        columns = {topic: place for place, topic in enumerate(scores.topics)}
        # By the rules of trec_eval 10 such topics are among those scored already.
        topics = in_order({*scores.topics, *(scores.missing if complete else ())})
        values = np.zeros((len(labels), len(topics)))
        there = [place for place, topic in enumerate(topics) if topic in columns]
        chosen = [columns[topics[place]] for place in there]
        for row, label in enumerate(labels):
            values[row, there] = scores.scores[label][chosen]
        return cls(labels, topics, values)

    @classmethod
    def of_dict(cls, measure: str, scores: Mapping[str, float]) -> ScoreTable:
        """Return the SCORES by topic of one MEASURE."""
        topics = in_order(scores)
        return cls((measure,), topics, np.array([[float(scores[topic]) for topic in topics]]))

    def at(self, topics: Sequence[str]) -> NDArray[np.float64]:
        """Return the scores of TOPICS, in their order."""
        places = {topic: place for place, topic in enumerate(self.topics)}
        return np.ascontiguousarray(self.values[:, [places[topic] for topic in topics]])

    def by_topic(self, row: int) -> dict[str, float]:
        """Return the scores of the measure in ROW by topic."""
        return dict(zip(self.topics, self.values[row].tolist(), strict=True))


def shared_topics(*tables: ScoreTable) -> tuple[str, ...]:
    """Return the topics that all TABLES have, in order."""
    return in_order(set(tables[0].topics).intersection(*(table.topics for table in tables[1:])))


def refuse_without_topic_scores(labels: Iterable[str], scores: RunScores) -> None:
    """Refuse measures that have no number for each topic."""
    for label in labels:
        column = scores.scores.get(label)
        if column is None or column.dtype.kind not in "fiu":
            raise MeasureError(label, "it has no number for each topic, so reproductions cannot be compared by it")
