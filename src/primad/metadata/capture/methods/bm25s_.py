"""Which stage is a retriever of bm25s, and how did its tokenizer make terms?

    knows, stages, toolkit   an adapter (see ``Adapter``)
    indexing                 what a tokenizer tells

bm25s calls its variant of BM25 ``method``; in a stage that word names the class, so the variant stands below
``params``.  Imported only where bm25s is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bm25s
from bm25s import stopwords as lists
from bm25s.tokenization import Tokenizer

from primad.metadata.capture.methods.mapping import Names, parameters, path_of, plain

if TYPE_CHECKING:
    from primad.metadata.record import Tree

_PARAMETERS = ("k1", "b", "delta", "method", "idf_method", "dtype", "int_dtype", "backend")


def knows(thing: object) -> bool:
    """Tell whether THING is a retriever or a tokenizer."""
    return isinstance(thing, bm25s.BM25 | Tokenizer)


def stages(thing: Any, names: Names) -> list[Tree]:
    """Return the retriever THING as one stage; a tokenizer ranks nothing."""
    if isinstance(thing, Tokenizer):
        return []
    effective = {name: getattr(thing, name) for name in _PARAMETERS if hasattr(thing, name)}
    return [{"name": names.new("bm25"), "method": path_of(thing), **parameters(effective)}]


def indexing(thing: Any) -> Tree:
    """Return how the tokenizer THING makes terms; nothing of a retriever, which sees terms only."""
    if not isinstance(thing, Tokenizer):
        return {}
    splitter = thing.splitter
    bound = getattr(splitter, "__self__", None)  # a pattern is kept as the method of its compiled form
    return {
        "tokenizer": path_of(thing),
        "pattern": getattr(bound, "pattern", None) or path_of(splitter),
        "lowercase": bool(thing.lower),
        "stemmer": _stemmer(thing.stemmer),
        "stopwords": _stopwords(thing.stopwords),
    }


def toolkit() -> str:
    """Return bm25s with its version."""
    return f"bm25s=={bm25s.__version__}"


def _stemmer(stemmer: Any) -> str:
    """Return what STEMMER is; of a bound method, the class that it belongs to."""
    if stemmer is None:
        return "none"
    owner = getattr(stemmer, "__self__", None)
    return path_of(stemmer if owner is None or isinstance(owner, type(bm25s)) else owner)


def _stopwords(words: Any) -> str:
    """Return the list of stopwords that WORDS are, else their number and digest."""
    if not words:
        return "none"
    for name in sorted(vars(lists)):
        if name.startswith("STOPWORDS_") and list(getattr(lists, name)) == list(words):
            return f"{lists.__name__}.{name}"
    said = plain(sorted(words))
    return " ".join(said) if isinstance(said, list) else f"{said['count']} words, SHA-256 {said['sha256']}"
