"""What is a collection, how is it split in two, and how much vocabulary do two of them share?

    Collection           documents, topics and judgments under one name
    CollectionError      what is asked of a collection cannot be had
    halves               two collections with the same topics: documents split by the md5 of their id
    terms                the different words of some texts
    vocabulary_overlap   how much of the words of judged documents two collections share
    VocabularyOverlap    the answer: Jaccard coefficient, and share of the target's terms that the source knows

No file is read here; the other modules of this folder make collections from files, from ir_datasets, or from chance.
The conjecture that feedback transfers better between collections of similar vocabulary is stated by Breuer et al.,
SIGIR 2022, doi:10.1145/3477495.3531738.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import md5
from typing import TYPE_CHECKING

from primad import PrimadError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_WORD = re.compile(r"\w\w+")
_SHOWN = 10


class CollectionError(PrimadError):
    """A collection that does not hold what is asked of it."""


@dataclass(frozen=True)
class Collection:
    """Documents and topics as texts by their ids, and judgments: topic to document to grade, relevant from 1 on."""

    name: str
    documents: Mapping[str, str]
    topics: Mapping[str, str]
    qrels: Mapping[str, Mapping[str, int]]
    description: str = ""

    @property
    def judged(self) -> list[str]:
        """Return the ids of documents judged for any topic, sorted; a judged document that is absent is left out."""
        found = {document for grades in self.qrels.values() for document, grade in grades.items() if grade >= 0}
        return sorted(found & self.documents.keys())

    @property
    def topics_without_relevant(self) -> list[str]:
        """Return the topics for which no document of this collection is judged relevant, in the order of topics."""
        return [topic for topic in self.topics if not self.relevant(topic)]

    def relevant(self, topic: str) -> list[str]:
        """Return the ids of the documents of this collection that are relevant for TOPIC, sorted."""
        grades = self.qrels.get(topic, {})
        return sorted(document for document, grade in grades.items() if grade > 0 and document in self.documents)


@dataclass(frozen=True)
class VocabularyOverlap:
    """How much two collections share of the terms of their judged documents; both shares are between 0 and 1."""

    jaccard: float  # terms in both, of the terms in either
    known: float  # terms in both, of the target's terms


def halves(collection: Collection) -> tuple[Collection, Collection]:
    """Return the documents of COLLECTION with an even and those with an odd md5 of their id, topics being the same.

    The number is the md5 of the id in UTF-8, read as one hexadecimal number.
    """
    return _half(collection, 0, "even"), _half(collection, 1, "odd")


def vocabulary_overlap(source: Collection, target: Collection) -> VocabularyOverlap:
    """Return how much of the terms of their judged documents SOURCE and TARGET share."""
    ours, theirs = _judged_terms(source), _judged_terms(target)
    shared = len(ours & theirs)
    return VocabularyOverlap(jaccard=shared / len(ours | theirs), known=shared / len(theirs))


def terms(texts: Iterable[str]) -> set[str]:
    """Return the different words of TEXTS: two or more letters, digits or underscores, in lower case.

    >>> sorted(terms(["A rose is", "a ROSE."]))
    ['is', 'rose']
    """
    return {word for text in texts for word in _WORD.findall(text.lower())}


def _half(collection: Collection, parity: int, word: str) -> Collection:
    """Return the half of COLLECTION whose document ids have this PARITY."""
    split = {
        topic: {document: grade for document, grade in grades.items() if _parity(document) == parity}
        for topic, grades in collection.qrels.items()
    }
    half = Collection(
        name=f"{collection.name}-{word}",
        documents={document: text for document, text in collection.documents.items() if _parity(document) == parity},
        topics=collection.topics,
        qrels={topic: grades for topic, grades in split.items() if grades},
    )
    description = f"documents of {collection.name} whose id has an {word} md5{_left_out(half.topics_without_relevant)}"
    return Collection(half.name, half.documents, half.topics, half.qrels, description)


def _left_out(topics: list[str]) -> str:
    """Return the end of a description that lists TOPICS without a relevant document."""
    if not topics:
        return ""
    more = f" and {len(topics) - _SHOWN} more" if len(topics) > _SHOWN else ""
    return f"; without a relevant document: {', '.join(topics[:_SHOWN])}{more}"


def _parity(document: str) -> int:
    """Return 0 or 1 for a document id, the same on every machine."""
    return int(md5(document.encode("utf-8", "surrogateescape"), usedforsecurity=False).hexdigest(), 16) % 2


def _judged_terms(collection: Collection) -> set[str]:
    """Return the terms of the judged documents, or say that there are none to compare."""
    found = terms(collection.documents[document] for document in collection.judged)
    if not found:
        raise CollectionError(f"{collection.name}: no judged document has a word, so there is no vocabulary to compare")
    return found
