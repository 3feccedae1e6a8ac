"""Are two runs made for the same topics, documents and judgments?

    CollectionSameness   the answer, part by part; None where the records do not tell
    same_collection      the answer for two records

The letter D tells whether anything about the data changed; which measures can be computed depends on the parts.  An
identifier of ir_datasets fixes all three parts, a name does so less surely, and an address speaks of its own part.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from primad.reproducibility.comparison.agreement import agree_on

if TYPE_CHECKING:
    from primad.metadata.record import Record

_COLLECTION = "data.test collection"


@dataclass(frozen=True)
class CollectionSameness:
    """Whether topics, documents and judgments are the same; None where the records do not tell."""

    topics: bool | None
    documents: bool | None
    qrels: bool | None

    def to_dict(self) -> dict[str, bool | None]:
        """Return the answer as JSON has it."""
        return asdict(self)


def same_collection(original: Record, other: Record) -> CollectionSameness:
    """Return which parts of the test collection the two records share.

    >>> from primad.metadata.reading import from_tree
    >>> robust = from_tree({"data": {"test collection": {"name": "Robust04"}}})
    >>> same_collection(robust, from_tree({"data": {"test collection": {"name": "robust04"}}}))
    CollectionSameness(topics=True, documents=True, qrels=True)
    """
    parts = ("topics", "source", "qrels")
    topics, source, qrels = (agree_on(f"{_COLLECTION}.{part}", original, other) for part in parts)
    identifier = agree_on(f"{_COLLECTION}.ir_datasets", original, other)
    whole = identifier if identifier is not None else agree_on(f"{_COLLECTION}.name", original, other)
    if source or identifier:
        documents: bool | None = True
    elif identifier is False:
        documents = None if _corpus(original) == _corpus(other) else False
    else:
        documents = source if whole is None else whole
    return CollectionSameness(whole if topics is None else topics, documents, whole if qrels is None else qrels)


def _corpus(record: Record) -> str:
    """Return the corpus of a collection in ir_datasets; two collections of one corpus may share documents or not."""
    return str(record[f"{_COLLECTION}.ir_datasets"]).split("/")[0].lower()
