"""What does a keyword search find?  BM25, and BM25 with the query expanded by RM3.

    bm25               the first documents by BM25, as bm25s computes it
    bm25_rm3           the same with terms of the first documents added to the query
    relevance_model    RM1: how probable each term is in documents like the first ones
    expanded_query     RM3: the query mixed with the relevance model's best terms
    porter             the stem of an English word

Stemming: "english" is Snowball's English stemmer where PyStemmer is installed, else Porter's, which stands here;
"porter" is Porter's everywhere; "none" leaves words as they are.  What was used is in `indexing` of the result.
Sources: RM3 after Abdul-Jaleel et al., TREC 2004; Porter, "An algorithm for suffix stripping", 1980, with the two
changes that its author made later.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from primad.experiments.ccrf.collection import CollectionError
from primad.experiments.ccrf.fusion import MethodError, Retrieved, Stage, ordered, toolkit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from primad.experiments.ccrf.collection import Collection

_STEMMERS = ("english", "porter", "none")
_SHORTEST = 3  # words of one or two letters have no suffix


def bm25(
    collection: Collection, depth: int = 1000, k1: float = 0.9, b: float = 0.4, stemmer: str = "english"
) -> Retrieved:
    """Return the DEPTH best documents of COLLECTION for each of its topics; what shares no term is not retrieved."""
    index = _Index.of(collection, k1, b, stemmer)
    queries = {topic: Counter(index.terms(text)) for topic, text in collection.topics.items()}
    return index.retrieved(queries, depth, [index.stage()])


def bm25_rm3(
    collection: Collection,
    depth: int = 1000,
    k1: float = 0.9,
    b: float = 0.4,
    stemmer: str = "english",
    *,
    fb_docs: int = 10,
    fb_terms: int = 10,
    original_weight: float = 0.5,
) -> Retrieved:
    """Return what BM25 finds for each topic once FB_TERMS terms of its FB_DOCS first documents joined the query."""
    index = _Index.of(collection, k1, b, stemmer)
    queries = {}
    for topic, text in collection.topics.items():
        query = Counter(index.terms(text))
        first = ordered(index.scores(query).items(), fb_docs)
        model = relevance_model(first, {document: index.tokens[document] for document in first})
        queries[topic] = expanded_query(query, model, fb_terms, original_weight)
    stage = {
        "name": "rm3",
        "method": f"{__name__}.bm25_rm3",
        "expands the query of": "bm25",
        "fb_docs": fb_docs,
        "fb_terms": fb_terms,
        "original_query_weight": original_weight,
    }
    return index.retrieved(queries, depth, [index.stage(), stage])


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
    """The documents of a collection as bm25s has them, and the terms of each."""

    documents: list[str]
    tokens: dict[str, list[str]]
    model: Any
    stemmer: str

    @classmethod
    def of(cls, collection: Collection, k1: float, b: float, stemmer: str) -> _Index:
        """Index COLLECTION; documents and terms are sorted, so that nothing depends on their order."""
        documents = sorted(collection.documents)
        texts = [collection.documents[document] for document in documents]
        tokens = _tokens(texts, stemmer) if texts else []
        vocabulary = {term: number for number, term in enumerate(sorted({t for found in tokens for t in found}))}
        if not vocabulary:
            raise CollectionError(f"{collection.name}: expected documents with words, found none to search")
        library = toolkit("bm25s")
        model = library.BM25(k1=k1, b=b, method="lucene", dtype="float64")
        ids = [[vocabulary[term] for term in found] for found in tokens]
        model.index(library.tokenization.Tokenized(ids=ids, vocab=vocabulary), show_progress=False)
        return cls(documents, dict(zip(documents, tokens, strict=True)), model, stemmer)

    def terms(self, text: str) -> list[str]:
        """Return the terms of a query as documents have them."""
        return _tokens([text], self.stemmer)[0]

    def scores(self, query: Mapping[str, float]) -> dict[str, float]:
        """Return the scores of all documents that hold a term of the weighted QUERY."""
        total = sum(
            weight * self.model.get_scores_from_ids([self.model.vocab_dict[term]])
            for term, weight in sorted(query.items())
            if term in self.model.vocab_dict
        )
        if isinstance(total, int):  # no term is known
            return {}
        return {self.documents[number]: float(total[number]) for number in total.nonzero()[0]}

    def stage(self) -> Stage:
        """Return what there is to say about BM25, defaults included."""
        names = ("k1", "b", "method", "idf_method", "dtype", "backend")
        values = {("variant" if name == "method" else name): getattr(self.model, name) for name in names}
        return {"name": "bm25", "method": "bm25s.BM25", **values}

    def retrieved(self, queries: Mapping[str, Mapping[str, float]], depth: int, stages: list[Stage]) -> Retrieved:
        """Return the DEPTH best documents for each of QUERIES; topics without any are left out, and named."""
        found = {topic: ordered(self.scores(query).items(), depth) for topic, query in queries.items()}
        empty = [topic for topic, scores in found.items() if not scores]
        remarks = (f"no document shares a term with topic {', '.join(empty)}",) if empty else ()
        stages = [*stages[:-1], {**stages[-1], "depth": depth}]
        ranking = {topic: scores for topic, scores in found.items() if scores}
        return Retrieved(ranking, stages, _indexing(self.stemmer), _toolkits(self.stemmer), remarks)


def _tokens(texts: list[str], stemmer: str) -> list[list[str]]:
    """Return the terms of each text: lower case, without stopwords, stemmed."""
    stem = _stemmer(stemmer)
    library = toolkit("bm25s")
    found: list[list[str]] = library.tokenize(
        texts, stopwords="en", stemmer=stem, return_ids=False, show_progress=False
    )
    return found


def _stemmer(name: str) -> Callable[[list[str]], list[str]] | None:
    """Return what stems a list of words."""
    if name not in _STEMMERS:
        raise MethodError(f"expected one of the stemmers {', '.join(_STEMMERS)}, found '{name}'")
    if name == "none":
        return None
    snowball = _pystemmer() if name == "english" else None
    if snowball:
        stem: Callable[[list[str]], list[str]] = snowball.Stemmer("english").stemWords
        return stem
    return lambda words: [porter(word) for word in words]


def _pystemmer() -> Any:
    """Return PyStemmer where it is installed."""
    try:
        return import_module("Stemmer")
    except ImportError:
        return None


def _indexing(stemmer: str) -> dict[str, str]:
    """Return how texts became terms, in the words of the record."""
    by_snowball = stemmer == "english" and _pystemmer()
    name = "none" if stemmer == "none" else "Snowball" if by_snowball else "Porter"
    return {"tokenizer": "bm25s.tokenize", "stemmer": name, "stopwords": "bm25s.stopwords.STOPWORDS_EN"}


def _toolkits(stemmer: str) -> tuple[str, ...]:
    """Return the packages used, with their versions."""
    own = f"bm25s=={toolkit('bm25s').__version__}"
    snowball = _pystemmer() if stemmer == "english" else None
    return (own, f"PyStemmer=={snowball.version()}") if snowball else (own,)


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
