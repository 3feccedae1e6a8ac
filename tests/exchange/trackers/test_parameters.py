"""Do parameters tell the method they belong to, and no other?"""

from typing import Any

import pytest

from primad.exchange.trackers.parameters import method_of, typed


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        pytest.param({}, {}, id="none"),
        pytest.param({"k1": 0.9, "b": 0.4}, {"parameters": {"k1": 0.9, "b": 0.4}}, id="k1 and b alone are no BM25"),
        pytest.param(
            {"model": "BM25", "k1": 0.9, "mu": 5},
            {
                "retrieval": [{"name": "BM25", "k1": 0.9}],
                "parameters": {"mu": 5},
            },
            id="a function takes its own parameters only",
        ),
        pytest.param({"retriever": "TF_IDF"}, {"retrieval": [{"name": "TF_IDF"}]}, id="marks aside"),
        pytest.param({"model": "gpt"}, {"parameters": {"model": "gpt"}}, id="a model that is no ranking function"),
        pytest.param({"model": ["bm25"]}, {"parameters": {"model": ["bm25"]}}, id="no text"),
        pytest.param(
            {"retrieval/name": "rm3", "retrieval/fbDocs": 10, "k1": 1},
            {
                "retrieval": [{"name": "rm3", "fbDocs": 10}],
                "parameters": {"k1": 1},
            },
            id="a stage by slashes",
        ),
        pytest.param(
            {"retrieval": {"name": "bm25", "b": 0.3}, "k1": 0.9, "b": 0.4},
            {
                "retrieval": [{"name": "bm25", "b": 0.3, "k1": 0.9}],
                "parameters": {"b": 0.4},
            },
            id="what a stage says of itself counts",
        ),
        pytest.param(
            {"retrieval": [{"name": "bm25"}, {"name": "rm3"}], "k1": 0.9},
            {
                "retrieval": [{"name": "bm25"}, {"name": "rm3"}],
                "parameters": {"k1": 0.9},
            },
            id="of two stages nobody knows whose k1 is",
        ),
        pytest.param({"retrieval": []}, {"parameters": {"retrieval": []}}, id="no stage"),
        pytest.param({"retrieval": [{"k1": 1}]}, {"parameters": {"retrieval": [{"k1": 1}]}}, id="no name"),
        pytest.param(
            {"retrieval": "bm25", "retrieval.k1": 1},
            {
                "retrieval": [{"name": "bm25"}],
                "parameters": {"retrieval.k1": 1},
            },
            id="a name beside its parameters",
        ),
        pytest.param(
            {"indexing.stemmer": "porter", "stopwords": "lucene", "tokenizer": 5},
            {
                "indexing": {"stemmer": "porter", "stopwords": "lucene"},
                "parameters": {"tokenizer": 5},
            },
            id="indexing",
        ),
        pytest.param({"indexing": "lucene"}, {"parameters": {"indexing": "lucene"}}, id="indexing that is a text"),
    ],
)
def test_what_is_recognised_gets_its_place_and_the_rest_keeps_its_name(
    parameters: dict[str, Any], expected: dict[str, Any]
) -> None:
    given = {**parameters}

    assert method_of(parameters) == expected
    assert parameters == given


def test_long_lists_are_named_by_their_digest() -> None:
    (said,) = method_of({"vocabulary": list(range(1000))})["parameters"].values()

    assert said["count"] == 1000


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.9", 0.9),
        ("1e-05", 1e-05),
        ("-3", -3),
        ("True", True),
        ("false", False),
        ("1e-5", "1e-5"),
        ("0.50", "0.50"),
        ("012", "012"),
        ("-0", "-0"),
        ("1" * 16, "1" * 16),
        ("nan", "nan"),
        ("inf", "inf"),
        ("1_000", "1_000"),
        ("None", "None"),
        ("", ""),
    ],
)
def test_a_text_is_a_number_if_it_is_written_again_as_it_was(text: str, expected: object) -> None:
    assert typed(text) == expected
    assert type(typed(text)) is type(expected)
