"""Do two experiments share their test collection, and which measures exist therefore?

    Shared             whether topics, documents and judgments are the same, and how that is known
    shared_collection  the answer for two sets of qrels and what the runs say about themselves
    Shared.against     the reason why a measure has no value, if there is one

Another test collection leaves effectiveness, an unpaired test, ER and DRI.  Topic numbers that coincide prove nothing:
TREC used the topics of one collection for others with documents of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from primad.reproducibility.comparison import same_collection

if TYPE_CHECKING:
    from primad.metadata import Record
    from primad.reproducibility.registry import Measure
    from primad.trec import Qrels

# Two sets of judgments that have this share of the smaller one in common are about the same topics and documents.
_SAME_POOL = 0.5


@dataclass(frozen=True)
class Shared:
    """What of the test collection two experiments share, and WHY this is believed."""

    topics: bool
    documents: bool
    qrels: bool
    why: str

    @property
    def is_same(self) -> bool:
        """Tell whether the whole test collection is the same."""
        return self.topics and self.documents and self.qrels

    def against(self, measure: Measure) -> str:
        """Return why MEASURE has no value here, empty if it has one."""
        if measure.takes == "effects":
            return ""
        what = "order" if measure.takes == "rankings" else "scores"
        if not self.documents:
            return f"other documents: {what} cannot be compared topic by topic"
        if not self.topics:
            return f"other topics: {what} cannot be compared topic by topic"
        if measure.takes == "paired" and not self.qrels:
            return "other judgments: a difference of scores would be one of the judgments, too"
        return ""

    def __str__(self) -> str:
        """Return the answer in words."""
        if self.is_same:
            return f"the same test collection ({self.why})"
        parts = (("topics", self.topics), ("documents", self.documents), ("judgments", self.qrels))
        return f"other {' and '.join(name for name, same in parts if not same)} ({self.why})"


SAME = Shared(topics=True, documents=True, qrels=True, why="scores of the same topics were given")
OTHER = Shared(topics=False, documents=False, qrels=False, why="scores of other topics were given")


def shared_collection(
    original: Qrels, reproduction: Qrels, records: tuple[Record | None, Record | None] = (None, None)
) -> Shared:
    """Return what two experiments share, from their qrels and, where that is silent, from their records."""
    first, second = records
    said = same_collection(first, second) if first is not None and second is not None else None
    if original is reproduction or _same_judgments(original, reproduction):
        if said is not None and said.documents is False:
            return Shared(topics=True, documents=False, qrels=True, why="by the metadata of the runs")
        how = "the same qrels" + (", and the metadata says so, too" if said is not None and said.documents else "")
        return Shared(topics=True, documents=True, qrels=True, why=how)
    if said is not None and said.documents and said.topics:
        return Shared(topics=True, documents=True, qrels=False, why="by the metadata of the runs; other qrels")
    if (said is None or said.documents is not False) and _common_judgments(original, reproduction) >= _SAME_POOL:
        return Shared(topics=True, documents=True, qrels=False, why="the qrels judge the same documents differently")
    return Shared(topics=False, documents=False, qrels=False, why="other qrels, for other documents")


def _same_judgments(one: Qrels, other: Qrels) -> bool:
    """Tell whether two qrels say the same, in whatever order."""
    return len(one) == len(other) and one.to_dict() == other.to_dict()


def _common_judgments(one: Qrels, other: Qrels) -> float:
    """Return the share of the smaller qrels' pairs of topic and document that both judge."""
    first, second = (
        {(topic, document) for topic, documents in qrels.to_dict().items() for document in documents}
        for qrels in (one, other)
    )
    return len(first & second) / min(len(first), len(second))
