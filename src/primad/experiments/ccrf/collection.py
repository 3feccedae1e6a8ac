"""What is a collection, how is it split in parts, and how much vocabulary do collections share?

    Collection           documents, topics and judgments under one name
    CollectionError      what is asked of a collection cannot be had
    parts                collections with the same topics: documents split by the md5 of their id
    terms                the different words of some texts
    vocabulary_overlap   how much of the words of judged documents a target shares with its sources
    VocabularyOverlap    the answer: Jaccard coefficient, and share of the target's terms that the sources know

No file is read here; the other modules of this folder make collections from files, from ir_datasets, or from chance.
The conjecture that feedback transfers better between collections of similar vocabulary is stated by Breuer et al.,
SIGIR 2022, doi:10.1145/3477495.3531738.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from hashlib import md5
from typing import TYPE_CHECKING

from primad import PrimadError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

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
    """How much sources and target share of the terms of their judged documents; both shares are between 0 and 1."""

    jaccard: float  # terms in both, of the terms in either
    known: float  # terms in both, of the target's terms


def parts(collection: Collection, number: int) -> tuple[Collection, ...]:
    """Return COLLECTION in NUMBER parts, called by its name with -1, -2 ..., topics being the same.

    The first part has the documents whose md5 is 0 modulo NUMBER: that of the id in UTF-8, read as one number.
    """
    if number < 1:
        raise CollectionError(f"expected 1 or more parts of {collection.name}, found {number}")
    judged = {document for grades in collection.qrels.values() for document in grades}
    rests = {document: _md5(document) % number for document in collection.documents.keys() | judged}
    held = [{document for document, rest in rests.items() if rest == part} for part in range(number)]
    return tuple(_part(collection, ids, rest, number) for rest, ids in enumerate(held))


def vocabulary_overlap(sources: Sequence[Collection], target: Collection) -> VocabularyOverlap:
    """Return how much of the terms of their judged documents all SOURCES together share with TARGET."""
    ours, theirs = _judged_terms(sources), _judged_terms([target])
    shared = len(ours & theirs)
    return VocabularyOverlap(jaccard=shared / len(ours | theirs), known=shared / len(theirs))


def terms(texts: Iterable[str]) -> set[str]:
    """Return the different words of TEXTS: two or more letters, digits or underscores, in lower case.

    >>> sorted(terms(["A rose is", "a ROSE."]))
    ['is', 'rose']
    """
    return {word for text in texts for word in _WORD.findall(text.lower())}


def _part(collection: Collection, ids: set[str], rest: int, number: int) -> Collection:
    """Return the documents of COLLECTION with these IDS, whose md5 leaves this REST modulo NUMBER, as a part of it."""
    split = {
        topic: {document: grade for document, grade in grades.items() if document in ids}
        for topic, grades in collection.qrels.items()
    }
    part = Collection(
        name=f"{collection.name}-{rest + 1}",
        documents={document: text for document, text in collection.documents.items() if document in ids},
        topics=collection.topics,
        qrels={topic: grades for topic, grades in split.items() if grades},
    )
    sign = f"an md5 of {rest} modulo {number}"
    description = f"documents of {collection.name} whose id has {sign}{_left_out(part.topics_without_relevant)}"
    return replace(part, description=description)


def _left_out(topics: list[str]) -> str:
    """Return the end of a description that lists TOPICS without a relevant document."""
    if not topics:
        return ""
    more = f" and {len(topics) - _SHOWN} more" if len(topics) > _SHOWN else ""
    return f"; without a relevant document: {', '.join(topics[:_SHOWN])}{more}"


def _md5(document: str) -> int:
    """Return the md5 of a document id as a number, the same on every machine."""
    return int(md5(document.encode("utf-8", "surrogateescape"), usedforsecurity=False).hexdigest(), 16)


def _judged_terms(collections: Sequence[Collection]) -> set[str]:
    """Return the terms of the judged documents of all COLLECTIONS, or say that there are none to compare."""
    if not collections:
        raise CollectionError("expected one or more source collections, found none")
    found = {term for one in collections for term in terms(one.documents[document] for document in one.judged)}
    if not found:
        names = ", ".join(one.name for one in collections)
        raise CollectionError(f"{names}: no judged document has a word, so there is no vocabulary to compare")
    return found
