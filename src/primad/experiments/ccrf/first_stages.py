"""What does a keyword search find?  BM25, and BM25 with the query expanded by RM3.

    bm25               the first documents by BM25, as bm25s computes it
    bm25_rm3           the same with terms of the first documents added to the query
    relevance_model    RM1: how probable each term is in documents like the first ones
    expanded_query     RM3: the query mixed with the relevance model's best terms
    porter             the stem of an English word
    forget             let go of the indexes that were made last

Stemming: "porter" is Porter's stemmer, which stands here; "snowball" is Snowball's English one and needs PyStemmer;
"none" leaves words as they are.  How texts became terms, and by which BM25 they were searched, is read from the objects
of bm25s that did so.
Sources: RM3 after Abdul-Jaleel et al., TREC 2004; Porter, "An algorithm for suffix stripping", 1980, with the two
changes that its author made later.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from primad import stage
from primad.experiments.ccrf.collection import CollectionError
from primad.experiments.ccrf.fusion import (
    Method,
    MethodError,
    Retrieved,
    best_of,
    described,
    ordered,
    pinned,
    toolkit,
)
from primad.experiments.ccrf.memory import Latest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from primad.experiments.ccrf.collection import Collection

_MOST_STEMS = 1 << 17  # a study searches the same collections again and again
_SHORTEST = 3  # words of one or two letters have no suffix


def bm25(
    collection: Collection, depth: int = 1000, k1: float = 0.9, b: float = 0.4, stemmer: str = "porter"
) -> Retrieved:
    """Return the DEPTH best documents of COLLECTION for each of its topics; what shares no term is not retrieved."""
    index = _index(collection, k1, b, stemmer)
    return index.retrieved(index.queries(collection.topics), depth, stage(index.model, name="bm25", depth=depth))


def bm25_rm3(
    collection: Collection,
    depth: int = 1000,
    k1: float = 0.9,
    b: float = 0.4,
    stemmer: str = "porter",
    *,
    fb_docs: int = 10,
    fb_terms: int = 10,
    original_weight: float = 0.5,
) -> Retrieved:
    """Return what BM25 finds for each topic once FB_TERMS terms of its FB_DOCS first documents joined the query."""
    index = _index(collection, k1, b, stemmer)
    queries = {}
    for topic, query in index.queries(collection.topics).items():
        first = index.best(query, fb_docs)
        model = relevance_model(first, {document: index.terms_of(document) for document in first})
        queries[topic] = expanded_query(query, model, fb_terms, original_weight)
    rm3 = {
        "name": "rm3",
        "method": f"{__name__}.bm25_rm3",
        "expands the query of": "bm25",
        "fb_docs": fb_docs,
        "fb_terms": fb_terms,
        "original_query_weight": original_weight,
        "depth": depth,
    }
    return index.retrieved(queries, depth, stage(index.model, name="bm25"), rm3)


def relevance_model(scores: Mapping[str, float], tokens: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """Return the probability of each term in documents like those with SCORES, by their score and their TOKENS.

    >>> relevance_model({"d1": 3.0, "d2": 1.0}, {"d1": ["a", "b"], "d2": ["b"]})
    {'a': 0.375, 'b': 0.625}
    """
    total = sum(scores.values())
    model: dict[str, float] = {}
    if not total:  # a term that all of very many documents hold is worth nothing
        return model
    for document, score in scores.items():
        for term, count in Counter(tokens[document]).items():
            share = score / total * count / len(tokens[document])
            model[term] = model.get(term, 0.0) + share
    return model


def expanded_query(
    query: Mapping[str, float], model: Mapping[str, float], terms: int, original_weight: float
) -> dict[str, float]:
    """Return ORIGINAL_WEIGHT parts of QUERY and the rest of the best TERMS of MODEL, each summing to 1 first.

    >>> expanded_query({"a": 1}, {"a": 0.25, "b": 0.75, "c": 0.125}, terms=2, original_weight=0.5)
    {'a': 0.625, 'b': 0.375}
    """
    if not 0 <= original_weight <= 1:
        raise MethodError(f"expected a weight of the original query between 0 and 1, found {original_weight}")
    best = ordered(model.items(), terms)
    parts = [(original_weight, query), (1 - original_weight, {term: model[term] for term in best})]
    mixed: dict[str, float] = {}
    for weight, part in parts:
        total = sum(part.values())
        for term, value in part.items():
            mixed[term] = mixed.get(term, 0.0) + weight * value / total
    return mixed


@dataclass(frozen=True)
class _Index:
    """The documents of a collection as bm25s has them, in the order of their ids."""

    documents: list[str]
    numbers: list[list[int]]  # of the terms of each document
    tokenizer: Any
    model: Any
    stemmer: str

    @classmethod
    def of(cls, collection: Collection, k1: float, b: float, stemmer: str) -> _Index:
        """Index COLLECTION; documents are sorted, so that nothing depends on their order."""
        library = toolkit("bm25s")
        tokenizer = library.tokenization.Tokenizer(stopwords="en", stemmer=_stemmer(stemmer))
        documents = sorted(collection.documents)
        texts = [collection.documents[document] for document in documents]
        numbers = tokenizer.tokenize(texts, update_vocab=True, allow_empty=False, show_progress=False)
        vocabulary = dict(tokenizer.get_vocab_dict())  # a copy, for queries add to the tokenizer's own
        if not vocabulary:
            raise CollectionError(f"{collection.name}: expected documents with words, found none to search")
        model = library.BM25(k1=k1, b=b, method="lucene", dtype="float64")
        model.index(library.tokenization.Tokenized(ids=numbers, vocab=vocabulary), show_progress=False)
        return cls(documents, numbers, tokenizer, model, stemmer)

    def queries(self, topics: Mapping[str, str]) -> dict[str, Counter[str]]:
        """Return how often each term is in each of TOPICS; words that no document has count, too."""
        found = self.tokenizer.tokenize(
            list(topics.values()), update_vocab=True, return_as="string", allow_empty=False, show_progress=False
        )
        return {topic: Counter(terms) for topic, terms in zip(topics, found, strict=True)}

    @cached_property
    def _terms(self) -> dict[int, str]:
        """Return the terms by their numbers."""
        return {number: term for term, number in self.model.vocab_dict.items()}

    @cached_property
    def _places(self) -> dict[str, int]:
        """Return where each document stands."""
        return {document: place for place, document in enumerate(self.documents)}

    def terms_of(self, document: str) -> list[str]:
        """Return the terms of a DOCUMENT, as often and in the order as it has them."""
        return [self._terms[number] for number in self.numbers[self._places[document]]]

    def best(self, query: Mapping[str, float], depth: int) -> dict[str, float]:
        """Return the DEPTH best of all documents that hold a term of the weighted QUERY."""
        import numpy as np

        total = np.zeros(len(self.documents))
        for term, weight in sorted(query.items()):
            if term in self.model.vocab_dict:
                total += weight * self.model.get_scores_from_ids([self.model.vocab_dict[term]])
        found = np.flatnonzero(total)
        return best_of([self.documents[place] for place in found], total[found], depth)

    def retrieved(self, queries: Mapping[str, Mapping[str, float]], depth: int, *stages: object) -> Retrieved:
        """Return the DEPTH best documents for each of QUERIES; topics without any are left out, and named."""
        found = {topic: self.best(query, depth) for topic, query in queries.items()}
        empty = [topic for topic, scores in found.items() if not scores]
        remarks = (f"no document shares a term with topic {', '.join(empty)}",) if empty else ()
        ranking = {topic: scores for topic, scores in found.items() if scores}
        return Retrieved(ranking, *self._method(stages), remarks)

    def _method(self, stages: Sequence[object]) -> Method:
        """Return how texts became terms, with STAGES behind it."""
        method = described(self.tokenizer, *stages)
        if self.stemmer != "snowball":
            return method
        indexing = method.indexing | {"stemmer": "Stemmer.Stemmer('english')"}  # which the object does not tell
        return method._replace(indexing=indexing, toolkits=(*method.toolkits, pinned("PyStemmer")))


_INDEXES = Latest[_Index](most=4)


def forget() -> None:
    """Let go of the indexes that were made last."""
    _INDEXES.forget()


def _index(collection: Collection, k1: float, b: float, stemmer: str) -> _Index:
    """Return the index of COLLECTION, whose topics and judgments do not matter to it."""
    made_of = collection.documents, k1, b, stemmer
    return _INDEXES.of(made_of, lambda: _Index.of(collection, k1, b, stemmer))


def _stemmer(name: str) -> Any:
    """Return what stems a word as the tokenizer of bm25s takes it."""
    match name:
        case "porter":
            return porter
        case "snowball":
            return _snowball()
        case "none":
            return None
    raise MethodError(f"expected one of the stemmers porter, snowball, none, found '{name}'")


def _snowball() -> Any:
    """Return Snowball's stemmer for English."""
    try:
        return import_module("Stemmer").Stemmer("english")
    except ImportError:
        raise MethodError(
            "the stemmer 'snowball' needs PyStemmer, which is not installed; pip install PyStemmer"
        ) from None


# Porter's stemmer --------------------------------------------------------------------------------------------

_DOUBLE = re.compile(r"([^aeiouylsz])\1$")
_PLURALS = {"sses": "ss", "ies": "i", "ss": "ss", "s": ""}
_LONG_SUFFIXES = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "bli": "ble", "alli": "al",
    "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate", "ator": "ate", "alism": "al",
    "iveness": "ive", "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble", "logi": "log",
}  # fmt: skip
_MIDDLE_SUFFIXES = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
_LAST_SUFFIXES = {
    "al": "", "ance": "", "ence": "", "er": "", "ic": "", "able": "", "ible": "", "ant": "", "ement": "", "ment": "",
    "ent": "", "sion": "s", "tion": "t", "ou": "", "ism": "", "ate": "", "iti": "", "ous": "", "ive": "", "ize": "",
}  # fmt: skip


@lru_cache(_MOST_STEMS)
def porter(word: str) -> str:
    """Return the stem of an English WORD in lower case.

    >>> [porter(word) for word in ("relational", "hopping", "oscillators", "sky")]
    ['relat', 'hop', 'oscil', 'sky']
    """
    if len(word) < _SHORTEST:
        return word
    word = _replaced(word, _PLURALS, -1)
    word = _without_past(word)
    if word.endswith("y") and "v" in _shape(word[:-1]):
        word = word[:-1] + "i"
    word = _replaced(word, _LONG_SUFFIXES, 0)
    word = _replaced(word, _MIDDLE_SUFFIXES, 0)
    word = _replaced(word, _LAST_SUFFIXES, 1)
    return _tidied(word)


def _shape(stem: str) -> str:
    """Return v for each vowel of STEM and c for each consonant; y is a vowel behind a consonant."""
    shape = ""
    for letter in stem:
        shape += "v" if letter in "aeiou" or (letter == "y" and shape.endswith("c")) else "c"
    return shape


def _measure(stem: str) -> int:
    """Return how often vowels are followed by consonants in STEM."""
    return _shape(stem).count("vc")


def _replaced(word: str, suffixes: Mapping[str, str], above: int) -> str:
    """Return WORD with its longest of SUFFIXES replaced, if what is left before the suffix has a measure ABOVE that."""
    for start in range(len(word)):
        if word[start:] in suffixes:
            new = word[:start] + suffixes[word[start:]]
            kept = new if suffixes[word[start:]] in {"s", "t"} else word[:start]
            return new if _measure(kept) > above else word
    return word


def _without_past(word: str) -> str:
    """Return WORD without -ed or -ing, and with the e or the single letter that it had before."""
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    stem = word.removesuffix("ed") if word.endswith("ed") else word.removesuffix("ing")
    if stem == word or "v" not in _shape(stem):
        return word
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if _DOUBLE.search(stem):
        return stem[:-1]
    return stem + "e" if _measure(stem) == 1 and _is_short(stem) else stem


def _is_short(stem: str) -> bool:
    """Tell whether STEM ends in consonant, vowel, consonant, the last not being w, x or y."""
    return _shape(stem).endswith("cvc") and stem[-1] not in "wxy"


def _tidied(word: str) -> str:
    """Return WORD without a last e, and with a single l, where enough is left."""
    if word.endswith("e"):
        stem = word[:-1]
        if _measure(stem) > 1 or (_measure(stem) == 1 and not _is_short(stem)):
            word = stem
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
