"""Do two experiments share their test collection?

    shared_collection  the answer for two sets of qrels and what the runs say about themselves
    SAME, OTHER        the answers where only scores were given: of the same topics, of others
    SAME_BY_EVIDENCE   the answer where the metadata is contradicted by the runs themselves

Topic numbers that coincide prove nothing: TREC used topics again for collections with documents of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from primad.reproducibility.comparison import same_collection
from primad.reproducibility.sharing import Shared

if TYPE_CHECKING:
    from primad.metadata import Record
    from primad.trec import Qrels

# Two sets of judgments that have this share of the smaller one in common are about the same topics and documents.
_SAME_POOL = 0.5


SAME = Shared(topics=True, documents=True, qrels=True, why="scores of the same topics were given")
SAME_BY_EVIDENCE = Shared(
    topics=True,
    documents=True,
    qrels=True,
    why="the same qrels, and the runs share documents, though their metadata names the collection otherwise",
)
OTHER = Shared(topics=False, documents=True, qrels=True, why="scores of other topics were given")


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
    same_numbers = set(original.topics) == set(reproduction.topics)
    return Shared(topics=same_numbers, documents=False, qrels=False, why="other qrels, for other documents")


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
