"""How does a classifier see texts?  As tf-idf vectors over the vocabulary of the source collections.

    Features          the vectors of source documents, what makes those of others, and how they are made
    tfidf             by scikit-learn: sublinear tf, smoothed idf, without English stopwords
    tfidf_by_hand     by numpy and scipy alone, as a third team would write it from the paper's description

Terms that no source document has are unknown to both, whichever target document holds them.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from primad import stage
from primad.experiments.ccrf.collection import CollectionError
from primad.experiments.ccrf.fusion import described, pinned, toolkit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

_WORD = re.compile(r"(?u)\b\w\w+\b")  # as scikit-learn has it
_NAME = "tf-idf"


@dataclass(frozen=True, eq=False)
class Features:
    """A row per SOURCE document, and what makes such rows OF other texts, in their order; columns are shared.

    FACTS describe them for the record, INDEXING how texts became terms, TOOLKITS are packages with their versions.
    """

    source: Any
    of: Callable[[Sequence[str]], Any]
    facts: dict[str, Any]
    indexing: dict[str, str]
    toolkits: tuple[str, ...]


def tfidf(source: Sequence[str]) -> Features:
    """Return the texts of SOURCE as scikit-learn's TfidfVectorizer makes vectors of them."""
    library = toolkit("sklearn.feature_extraction.text")
    maker = library.TfidfVectorizer(sublinear_tf=True, stop_words="english")
    try:
        vectors = maker.fit_transform(source)
    except ValueError:
        raise _no_words() from None
    method = described(stage(maker, name=_NAME))
    facts = method.stages[0]
    return Features(vectors, maker.transform, facts, _indexing(facts), method.toolkits)


def tfidf_by_hand(source: Sequence[str]) -> Features:
    """Return the texts of SOURCE as vectors of log(1 + tf) * log((1 + N) / df), of length 1; every word counts."""
    counted = _counted(source)
    holding = Counter(term for counts in counted for term in counts)
    if not holding:
        raise _no_words()
    column = {term: number for number, term in enumerate(sorted(holding))}
    idf = _idf([holding[term] for term in column], len(source))
    facts = _facts_by_hand()
    return Features(
        source=_vectors(counted, column, idf),
        of=lambda texts: _vectors(_counted(texts), column, idf),
        facts=facts,
        indexing=_indexing(facts),
        toolkits=(pinned("scipy"),),
    )


def _counted(texts: Sequence[str]) -> list[Counter[str]]:
    """Return how often each word is in each of TEXTS."""
    return [Counter(_WORD.findall(text.lower())) for text in texts]


def _indexing(facts: dict[str, Any]) -> dict[str, str]:
    """Return how texts became terms in the words of the record; no word is stemmed."""
    return {"tokenizer": facts["method"], "stemmer": "none", "stopwords": str(facts["stop_words"]).lower()}


def _facts_by_hand() -> dict[str, Any]:
    """Return how the vectors by hand are made; what scikit-learn does too is called as it calls it."""
    return {
        "name": _NAME,
        "method": f"{__name__}.tfidf_by_hand",
        "tf": "log(1 + tf)",
        "idf": "log((1 + N) / df)",
        "lowercase": True,
        "token_pattern": _WORD.pattern,
        "stop_words": "None",
        "norm": "l2",
    }


def _no_words() -> CollectionError:
    """Return the error that there is no vocabulary."""
    return CollectionError("expected source documents with words, found none to learn from")


def _idf(holding: Sequence[int], documents: int) -> NDArray[np.float64]:
    """Return the inverse document frequency of terms by the number of documents HOLDING each."""
    import numpy as np

    idf: NDArray[np.float64] = np.log((1 + documents) / np.array(holding, dtype=np.float64))
    return idf


def _vectors(counted: Sequence[Counter[str]], column: dict[str, int], idf: NDArray[np.float64]) -> Any:
    """Return a sparse row of length 1 for each of the COUNTED texts; a text without a known term is all zeros."""
    import numpy as np
    from scipy import sparse

    known = [sorted((column[term], count) for term, count in counts.items() if term in column) for counts in counted]
    starts = np.cumsum([0, *map(len, known)])
    columns = np.array([number for pairs in known for number, _ in pairs], dtype=np.int64)
    tf = np.array([count for pairs in known for _, count in pairs], dtype=np.float64)
    weights = np.log1p(tf) * idf[columns]
    rows = sparse.csr_array((weights, columns, starts), shape=(len(known), len(column)))
    lengths = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1))).ravel()
    lengths[lengths == 0] = 1.0
    return sparse.csr_array(sparse.diags_array(1 / lengths) @ rows)
