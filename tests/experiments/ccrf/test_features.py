"""Do texts become the vectors that the formulas say?"""

from collections.abc import Callable, Sequence
from importlib.metadata import version
from math import log, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

from primad.experiments.ccrf.collection import CollectionError
from primad.experiments.ccrf.features import Features, tfidf, tfidf_by_hand

Maker = Callable[[Sequence[str]], Features]
each_maker = pytest.mark.parametrize("make", [pytest.param(tfidf, id="library"), pytest.param(tfidf_by_hand, id="own")])

SOURCE = ["apple apple pear", "apple fig"]


def dense(rows: object) -> NDArray[np.float64]:
    """Return sparse rows as an array."""
    return np.asarray(rows.toarray())  # type: ignore[attr-defined]


def test_the_vectors_by_hand_follow_the_formula() -> None:
    found = tfidf_by_hand(SOURCE)

    # Columns are apple, fig, pear; two documents, two of which hold apple.
    first = [log(3) * log(3 / 2), 0.0, log(2) * log(3)]
    length = sqrt(sum(value**2 for value in first))
    assert dense(found.source)[0] == pytest.approx([value / length for value in first])
    assert dense(found.of(["fig"])).tolist() == [[0.0, 1.0, 0.0]]


def test_the_vectors_of_the_library_are_sublinear_and_smoothed() -> None:
    found = tfidf(SOURCE)

    first = [(1 + log(2)) * 1.0, 0.0, 1.0 * (log(3 / 2) + 1)]
    length = sqrt(sum(value**2 for value in first))
    assert dense(found.source)[0] == pytest.approx([value / length for value in first])


@each_maker
def test_every_vector_with_a_known_term_has_length_one(make: Maker) -> None:
    found = make(SOURCE)

    assert np.linalg.norm(dense(found.source), axis=1) == pytest.approx(np.ones(2))
    assert np.linalg.norm(dense(found.of(["pear fig fig", "apple"])), axis=1) == pytest.approx(np.ones(2))


@each_maker
def test_terms_that_only_the_target_has_are_unknown(make: Maker) -> None:
    rows = dense(make(SOURCE).of(["quince apple", "apple", "quince"]))

    assert rows.shape == (3, 3)
    assert rows[0].tolist() == rows[1].tolist()
    assert rows[2].tolist() == [0.0, 0.0, 0.0]


@each_maker
def test_case_does_not_matter(make: Maker) -> None:
    assert dense(make(SOURCE).of(["PEAR"])).tolist() == dense(make(SOURCE).of(["pear"])).tolist()


@each_maker
@pytest.mark.parametrize("source", [[""], []])
def test_sources_without_words_are_refused(make: Maker, source: list[str]) -> None:
    with pytest.raises(CollectionError, match="expected source documents with words, found none"):
        make(source)


def test_the_two_implementations_see_similar_but_not_the_same_vectors() -> None:
    texts = ["the apple and the pear", "apple fig fig", "plum fig apple", "pear plum"]

    likeness = [dense(make(texts).source) for make in (tfidf, tfidf_by_hand)]
    products = [np.round(rows @ rows.T, 6) for rows in likeness]

    assert np.abs(products[0] - products[1]).max() < 0.35
    assert not np.array_equal(products[0], products[1])


def test_features_of_the_library_are_recorded_as_the_vectorizer_tells() -> None:
    found = tfidf(SOURCE)

    expected = {
        "name": "tf-idf",
        "method": "sklearn.feature_extraction.text.TfidfVectorizer",
        "sublinear_tf": True,
        "smooth_idf": True,
        "stop_words": "english",
        "norm": "l2",
        "ngram_range": [1, 1],
        "max_features": "None",
    }
    assert expected.items() <= found.facts.items()
    assert found.toolkits == (f"scikit-learn=={version('scikit-learn')}",)


def test_features_by_hand_tell_how_they_were_made() -> None:
    found = tfidf_by_hand(SOURCE)

    assert found.facts == {
        "name": "tf-idf",
        "method": "primad.experiments.ccrf.features.tfidf_by_hand",
        "tf": "log(1 + tf)",
        "idf": "log((1 + N) / df)",
        "lowercase": True,
        "token_pattern": r"(?u)\b\w\w+\b",
        "stop_words": "None",
        "norm": "l2",
    }
    assert found.toolkits == (f"scipy=={version('scipy')}",)


def test_what_both_implementations_do_is_recorded_in_the_same_words() -> None:
    library, own = tfidf(SOURCE).facts, tfidf_by_hand(SOURCE).facts

    differing = {key for key in library.keys() & own.keys() if library[key] != own[key]}
    assert differing == {"method", "stop_words"}
