"""Does a keyword search find what BM25 and RM3 say, computed by hand?"""

import re
import sys
from dataclasses import replace
from importlib.metadata import version
from math import log
from pathlib import Path

import pytest
from nltk.stem.porter import PorterStemmer

from primad import PrimadError
from primad.experiments.ccrf.collection import Collection, CollectionError
from primad.experiments.ccrf.first_stages import bm25, bm25_rm3, expanded_query, porter, relevance_model
from primad.experiments.ccrf.fusion import MethodError

FRUIT = Collection(
    "fruit",
    documents={"d3": "plum", "d2": "apple apple fig", "d1": "Apple, pear!"},
    topics={"1": "apple"},
    qrels={},
)


def of_texts(*texts: str, query: str) -> Collection:
    """Return documents a, b, c ... with these texts, and one topic."""
    return Collection("texts", dict(zip("abcdef", texts, strict=False)), {"1": query}, {})


# BM25 --------------------------------------------------------------------------------------------------------


def test_bm25_scores_are_those_computed_by_hand() -> None:
    found = bm25(FRUIT, k1=1.0, b=0.0, stemmer="none").ranking

    # Two of three documents hold the term; without length normalisation its weight in a document is tf / (tf + 1).
    idf = log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    assert list(found["1"]) == ["d2", "d1"]
    assert found["1"] == pytest.approx({"d2": 2 / 3 * idf, "d1": 1 / 2 * idf}, abs=1e-6)


def test_bm25_counts_a_term_as_often_as_the_query_has_it() -> None:
    once = bm25(of_texts("apple", "pear", "fig", query="apple")).ranking["1"]["a"]
    twice = bm25(of_texts("apple", "pear", "fig", query="apple apple")).ranking["1"]["a"]

    assert twice == pytest.approx(2 * once, abs=2e-6)


def test_equal_scores_are_ordered_by_falling_document_id_whatever_the_order_of_documents() -> None:
    collection = Collection("ties", dict.fromkeys(["d2", "d10", "d1"], "apple") | {"d0": "fig"}, {"1": "apple"}, {})

    assert list(bm25(collection).ranking["1"]) == ["d2", "d10", "d1"]


def test_no_more_than_depth_documents_are_retrieved() -> None:
    assert list(bm25(FRUIT, depth=1).ranking["1"]) == ["d2"]


@pytest.mark.parametrize("query", ["quince", "the of and", ""])
def test_a_topic_that_nothing_is_found_for_is_left_out_and_named(query: str) -> None:
    found = bm25(of_texts("apple", "pear", query=query))

    assert found.ranking == {}
    assert found.remarks == ("no document shares a term with topic 1",)


@pytest.mark.parametrize("texts", [pytest.param([], id="no documents"), pytest.param(["", "!"], id="no words")])
def test_a_collection_without_words_cannot_be_searched(texts: list[str]) -> None:
    with pytest.raises(CollectionError, match="texts: expected documents with words, found none"):
        bm25(of_texts(*texts, query="apple"))


def test_an_empty_first_document_does_no_harm() -> None:
    assert list(bm25(of_texts("", "apple", "fig", query="apple")).ranking["1"]) == ["b"]


def test_bm25_is_recorded_as_the_object_of_bm25s_tells() -> None:
    found = bm25(FRUIT, depth=7)

    assert found.stages == [
        {
            "name": "bm25",
            "method": "bm25s.BM25",
            "k1": 0.9,
            "b": 0.4,
            "delta": 0.5,
            "idf_method": "lucene",
            "dtype": "float64",
            "int_dtype": "int32",
            "backend": "numpy",
            "params": {"method": "lucene"},
            "depth": 7,
        }
    ]
    assert found.toolkits == (f"bm25s=={version('bm25s')}",)


def test_how_texts_become_terms_is_recorded_as_the_tokenizer_tells() -> None:
    assert bm25(FRUIT).indexing == {
        "tokenizer": "bm25s.tokenization.Tokenizer",
        "pattern": r"(?u)\b\w\w+\b",
        "lowercase": True,
        "stemmer": "primad.experiments.ccrf.first_stages.porter",
        "stopwords": "bm25s.stopwords.STOPWORDS_EN",
    }


# Stemming ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("stemmer", "expected"), [("porter", ["a"]), ("none", [])])
def test_stemming_finds_other_forms_of_a_word(stemmer: str, expected: list[str]) -> None:
    collection = of_texts("oscillators", "fig", query="oscillating oscillator")

    assert list(bm25(collection, stemmer=stemmer).ranking.get("1", {})) == expected


def test_words_stay_as_they_are_without_a_stemmer() -> None:
    assert bm25(FRUIT, stemmer="none").indexing["stemmer"] == "none"


STAND_IN_FOR_PYSTEMMER = """
class Stemmer:
    def __init__(self, language):
        self.length = {"english": 2}[language]

    def stemWord(self, word):
        return word[:self.length]
"""


@pytest.fixture
def pystemmer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a package that looks like PyStemmer 3.1.0, whose English stems are two letters long."""
    (tmp_path / "Stemmer.py").write_text(STAND_IN_FOR_PYSTEMMER)
    facts = tmp_path / "PyStemmer-3.1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: PyStemmer\nVersion: 3.1.0\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "Stemmer", raising=False)


@pytest.mark.usefixtures("pystemmer")
def test_snowball_stems_by_pystemmer_and_says_so() -> None:
    found = bm25(of_texts("apricot", "fig", query="apple"), stemmer="snowball")

    assert list(found.ranking["1"]) == ["a"]
    assert found.indexing["stemmer"] == "Stemmer.Stemmer('english')"
    assert found.toolkits == (f"bm25s=={version('bm25s')}", "PyStemmer==3.1.0")


@pytest.mark.usefixtures("pystemmer")
def test_pystemmer_changes_nothing_where_it_is_not_asked_for() -> None:
    found = bm25(of_texts("apricot", "fig", query="apple"))

    assert found.ranking == {}
    assert found.toolkits == (f"bm25s=={version('bm25s')}",)


def test_without_pystemmer_snowball_comes_with_the_line_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "Stemmer", None)

    with pytest.raises(PrimadError, match="needs PyStemmer, which is not installed; pip install PyStemmer"):
        bm25(FRUIT, stemmer="snowball")


def test_an_unknown_stemmer_is_refused() -> None:
    with pytest.raises(MethodError, match="expected one of the stemmers porter, snowball, none, found 'german'"):
        bm25(FRUIT, stemmer="german")


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        pytest.param("caresses", "caress", id="sses"),
        pytest.param("ponies", "poni", id="ies"),
        pytest.param("agreed", "agre", id="eed"),
        pytest.param("feed", "feed", id="eed behind too little"),
        pytest.param("bled", "bled", id="ed behind no vowel"),
        pytest.param("conflated", "conflat", id="at before ed"),
        pytest.param("hopping", "hop", id="double letter"),
        pytest.param("falling", "fall", id="double l stays"),
        pytest.param("filing", "file", id="short stem gets its e"),
        pytest.param("happy", "happi", id="y behind a vowel"),
        pytest.param("sky", "sky", id="y behind no vowel"),
        pytest.param("generalizations", "gener", id="several suffixes"),
        pytest.param("adoption", "adopt", id="tion"),
        pytest.param("controll", "control", id="last l"),
        pytest.param("is", "is", id="two letters"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_porter_strips_suffixes(word: str, expected: str) -> None:
    assert porter(word) == expected


def test_porter_agrees_with_another_implementation_on_a_real_vocabulary(shared_data: Path) -> None:
    text = (shared_data / "vaswani" / "doc-text.trec").read_text(encoding="utf-8", errors="replace").lower()
    words = sorted(set(re.findall(r"[a-z]+", text)))
    other = PorterStemmer(PorterStemmer.MARTIN_EXTENSIONS)

    assert len(words) > 5000
    assert [word for word in words if porter(word) != other.stem(word)] == []


# RM3 ---------------------------------------------------------------------------------------------------------


def test_the_relevance_model_weighs_documents_by_their_scores() -> None:
    tokens = {"d1": ["apple", "pear"], "d2": ["apple", "apple", "fig"]}

    found = relevance_model({"d1": 3.0, "d2": 4.0}, tokens)

    assert found == pytest.approx({"apple": 25 / 42, "pear": 9 / 42, "fig": 8 / 42})


def test_documents_without_any_score_tell_nothing_about_relevance() -> None:
    assert relevance_model({"d1": 0.0}, {"d1": ["apple"]}) == {}


def test_an_expanded_query_sums_to_one() -> None:
    found = expanded_query({"apple": 2, "quince": 1}, {"apple": 0.5, "pear": 0.3, "fig": 0.1}, 2, 0.4)

    assert found == pytest.approx({"apple": 0.4 * 2 / 3 + 0.6 * 5 / 8, "quince": 0.4 / 3, "pear": 0.6 * 3 / 8})
    assert sum(found.values()) == pytest.approx(1)


def test_terms_of_equal_probability_join_the_query_in_reverse_alphabetical_order() -> None:
    assert list(expanded_query({}, {"pear": 0.5, "fig": 0.5}, 1, 0.0)) == ["pear"]


def test_rm3_scores_are_those_computed_by_hand() -> None:
    found = bm25_rm3(FRUIT, k1=1.0, b=0.0, stemmer="none", fb_docs=2, fb_terms=2, original_weight=0.5).ranking

    # d1 and d2 score as 3 to 4; of apple 25/42, pear 9/42, fig 8/42 the first two join, apple being the query too.
    apple, pear = log(1 + 1.5 / 2.5), log(1 + 2.5 / 1.5)
    expected = {"d1": 59 / 68 * apple / 2 + 9 / 68 * pear / 2, "d2": 59 / 68 * apple * 2 / 3}
    assert found["1"] == pytest.approx(expected, abs=1e-5)


def test_words_of_the_query_that_no_document_has_weigh_as_much_as_others() -> None:
    known = bm25_rm3(FRUIT, stemmer="none", fb_terms=1).ranking["1"]
    half = bm25_rm3(replace(FRUIT, topics={"1": "apple quince"}), stemmer="none", fb_terms=1).ranking["1"]

    # Expanded by the term that it is, the query has weight 1, and with an unknown word a quarter less.
    assert half == pytest.approx({document: 0.75 * score for document, score in known.items()}, abs=2e-6)


def test_rm3_finds_documents_without_a_term_of_the_query() -> None:
    collection = of_texts("apple pear", "pear", "fig", query="apple")

    assert list(bm25(collection).ranking["1"]) == ["a"]
    assert list(bm25_rm3(collection).ranking["1"]) == ["a", "b"]


def test_rm3_with_all_weight_on_the_original_query_orders_as_bm25() -> None:
    found = bm25_rm3(FRUIT, original_weight=1.0).ranking

    assert found["1"] == pytest.approx(bm25(FRUIT).ranking["1"], abs=1e-6)


def test_rm3_leaves_out_a_topic_that_nothing_is_found_for() -> None:
    assert bm25_rm3(of_texts("apple", "pear", query="quince")).ranking == {}


def test_rm3_refuses_a_weight_above_one() -> None:
    with pytest.raises(MethodError, match="between 0 and 1, found 2"):
        bm25_rm3(FRUIT, original_weight=2.0)


def test_rm3_is_a_stage_behind_bm25() -> None:
    found = bm25_rm3(FRUIT, fb_docs=3)

    assert [stage["name"] for stage in found.stages] == ["bm25", "rm3"]
    assert found.stages[1] == {
        "name": "rm3",
        "method": "primad.experiments.ccrf.first_stages.bm25_rm3",
        "expands the query of": "bm25",
        "fb_docs": 3,
        "fb_terms": 10,
        "original_query_weight": 0.5,
        "depth": 1000,
    }
