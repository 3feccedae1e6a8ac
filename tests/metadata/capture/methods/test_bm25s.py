"""Retrievers and tokenizers of bm25s."""

from __future__ import annotations

import re

import pytest

from primad.errors import DataError
from primad.metadata.capture.methods import method_of, stage

bm25s = pytest.importorskip("bm25s")
from bm25s.tokenization import Tokenizer  # noqa: E402


def stemmed(word: str) -> str:
    """Return WORD without an s at its end."""
    return re.sub("s$", "", word)


def test_a_retriever_is_recorded_with_its_effective_parameters() -> None:
    assert method_of(bm25s.BM25(k1=0.9, b=0.4, method="bm25+")) == {
        "method": {
            "retrieval": [
                {
                    "name": "bm25",
                    "method": "bm25s.BM25",
                    "k1": 0.9,
                    "b": 0.4,
                    "delta": 0.5,
                    "idf_method": "bm25+",
                    "dtype": "float32",
                    "int_dtype": "int32",
                    "backend": "numpy",
                    "params": {"method": "bm25+"},
                }
            ]
        },
        "platform": {"software": {"retrieval toolkit": [f"bm25s=={bm25s.__version__}"]}},
    }


def test_an_indexed_retriever_is_described_as_before() -> None:
    retriever = bm25s.BM25()
    before = method_of(retriever)

    retriever.index(bm25s.tokenize(["a whale", "a fish"], show_progress=False), show_progress=False)

    assert method_of(retriever) == before


@pytest.mark.parametrize(
    ("tokenizer", "expected"),
    [
        pytest.param(Tokenizer(), (r"(?u)\b\w\w+\b", True, "none", "bm25s.stopwords.STOPWORDS_EN"), id="as it comes"),
        pytest.param(
            Tokenizer(lower=False, splitter=r"\S+", stopwords=["the", "of"], stemmer=stemmed),
            (r"\S+", False, f"{__name__}.stemmed", "of the"),
            id="all of it chosen",
        ),
        pytest.param(
            Tokenizer(splitter=str.split, stopwords=[]),
            ("builtins.str.split", True, "none", "none"),
            id="nothing left out",
        ),
    ],
)
def test_a_tokenizer_tells_how_terms_were_made(tokenizer: object, expected: tuple[object, ...]) -> None:
    method = method_of(tokenizer, bm25s.BM25())["method"]

    facts = method["indexing"]
    assert facts["tokenizer"] == "bm25s.tokenization.Tokenizer"
    assert tuple(facts[key] for key in ("pattern", "lowercase", "stemmer", "stopwords")) == expected
    assert [one["name"] for one in method["retrieval"]] == ["bm25"]


def test_a_long_list_of_stopwords_is_named_by_its_digest() -> None:
    words = [f"w{number}" for number in range(200)]

    found = method_of(Tokenizer(stopwords=words))["method"]["indexing"]["stopwords"]

    assert re.fullmatch(r"200 words, SHA-256 [0-9a-f]{64}", found)


def test_what_a_retriever_does_not_know_is_added_to_its_own_parameters() -> None:
    (found,) = method_of(stage(bm25s.BM25(method="robertson"), name="first", weight=2, stemming="porter"))["method"][
        "retrieval"
    ]

    assert next(iter(found)) == "name"
    assert (found["name"], found["stemming"]) == ("first", "porter")
    assert found["params"] == {"method": "robertson", "weight": 2}


def test_a_tokenizer_is_no_stage() -> None:
    with pytest.raises(
        DataError, match=r"expected an object that ranks documents, found bm25s\.tokenization\.Tokenizer"
    ):
        method_of(stage(Tokenizer(), name="first"))
