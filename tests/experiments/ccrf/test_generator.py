"""Are generated collections the same for a seed, shaped as asked, and good enough to retrieve from?"""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

import primad
from primad.experiments.ccrf.collection import Collection, CollectionError, terms, vocabulary_overlap
from primad.experiments.ccrf.generator import NAMES, SHAPE, Shape, generate

SMALL = Shape(documents=300, topics=8, pool=40, concepts=2000)


@pytest.fixture(scope="module")
def small() -> dict[str, Collection]:
    """Return two small collections."""
    return generate(7, ("one", "two"), shape=SMALL)


def mean_ap(collection: Collection, ranking: dict[str, dict[str, float]]) -> float:
    """Return the mean average precision of RANKING."""
    summary = primad.evaluate(collection.qrels, ranking, ["map"]).runs[0].summary
    return float(summary["map"])


def bm25(collection: Collection) -> dict[str, dict[str, float]]:
    """Rank all documents of COLLECTION by BM25."""
    bm25s = pytest.importorskip("bm25s")
    index, ids = bm25s.BM25(k1=0.9, b=0.4), list(collection.documents)
    index.index(bm25s.tokenize(list(collection.documents.values()), show_progress=False), show_progress=False)
    titles = bm25s.tokenize(list(collection.topics.values()), show_progress=False)
    places, scores = index.retrieve(titles, k=min(1000, len(ids)), show_progress=False)
    rows = zip(collection.topics, places.tolist(), scores.tolist(), strict=True)
    return {topic: {ids[place]: score for place, score in zip(*row, strict=True)} for topic, *row in rows}


def feedback(source: Collection, target: Collection) -> dict[str, dict[str, float]]:
    """Rank TARGET by classifiers trained on the judgments of SOURCE."""
    text = pytest.importorskip("sklearn.feature_extraction.text")
    linear = pytest.importorskip("sklearn.linear_model")
    vectorizer = text.TfidfVectorizer(sublinear_tf=True)
    known = vectorizer.fit_transform(source.documents.values())
    new = vectorizer.transform(target.documents.values())
    row = {document: number for number, document in enumerate(source.documents)}
    ranking = {}
    for topic, grades in source.qrels.items():
        model = linear.LogisticRegression(class_weight="balanced", C=10)
        model.fit(known[[row[document] for document in grades]], [grade > 0 for grade in grades.values()])
        ranking[topic] = dict(zip(target.documents, model.decision_function(new).tolist(), strict=True))
    return ranking


def test_the_same_seed_gives_the_same_collections(small: dict[str, Collection]) -> None:
    assert generate(7, ("one", "two"), shape=SMALL) == small


def test_another_seed_gives_other_documents(small: dict[str, Collection]) -> None:
    other = generate(8, ("one", "two"), shape=SMALL)

    assert other["one"].topics != small["one"].topics
    assert other["one"].documents != small["one"].documents


def test_a_collection_does_not_depend_on_which_others_are_made(small: dict[str, Collection]) -> None:
    assert generate(7, ("two", "three"), shape=SMALL)["two"] == small["two"]


def test_a_collection_says_that_it_is_synthetic(small: dict[str, Collection]) -> None:
    assert small["one"].description == (
        "synthetic: 300 generated documents, seed 7, the words that all collections use for 40% of the concepts"
    )


def test_collections_share_topics_and_no_document(small: dict[str, Collection]) -> None:
    one, two = small.values()

    assert one.topics == two.topics
    assert list(one.topics) == [str(number) for number in range(301, 309)]
    assert all(len(title.split()) == SMALL.title_words for title in one.topics.values())
    assert one.documents.keys().isdisjoint(two.documents)


def test_each_topic_has_a_pool_of_the_stated_size_with_all_grades(small: dict[str, Collection]) -> None:
    for collection in small.values():
        assert {len(grades) for grades in collection.qrels.values()} == {SMALL.pool}
        assert Counter(grade for grades in collection.qrels.values() for grade in grades.values()).keys() == {0, 1, 2}
        assert collection.topics_without_relevant == []


def test_words_are_made_of_letters_and_are_no_stop_words(small: dict[str, Collection]) -> None:
    text = pytest.importorskip("sklearn.feature_extraction.text")
    words = terms(small["one"].documents.values())

    assert all(word.isascii() and word.isalpha() and word.islower() for word in words)
    assert words & text.ENGLISH_STOP_WORDS == set()


def test_words_follow_zipf() -> None:
    collection = generate(1, ("news",), shape=replace(SHAPE, topics=5))["news"]
    counts = Counter(word for text in collection.documents.values() for word in text.split())
    frequency = np.array([count for _, count in counts.most_common(1000)][10:], float)

    slope = np.polyfit(np.log(np.arange(11, 1001)), np.log(frequency), 1)[0]

    assert slope == pytest.approx(-1.0, abs=0.15)


def test_the_median_length_is_as_stated(small: dict[str, Collection]) -> None:
    lengths = [len(text.split()) for text in small["one"].documents.values()]

    assert np.median(lengths) == pytest.approx(SMALL.median_length, rel=0.1)


def test_documents_with_more_words_of_the_topic_have_higher_grades() -> None:
    exact = generate(3, ("c",), shape=replace(SMALL, error=0, title_words=SMALL.topic_concepts))["c"]

    for topic, title in exact.topics.items():
        for document, grade in exact.qrels[topic].items():
            named = len(set(title.split()) & set(exact.documents[document].split()))
            assert grade == (named >= SMALL.relevant_from) + (named >= SMALL.highly_from)


def test_a_larger_overlap_shares_more_vocabulary() -> None:
    shares = {"a": 1.0, "b": 1.0, "c": 0.5, "d": 0.0}
    a, b, c, d = generate(2, tuple(shares), shape=SMALL, overlap=shares).values()

    alike, half, unlike = (vocabulary_overlap([a], other).known for other in (b, c, d))
    assert alike > 0.8
    assert alike > half + 0.2
    assert half > unlike + 0.2


def test_titles_are_in_common_words_even_without_overlap() -> None:
    one, two = generate(2, ("one", "two"), shape=SMALL, overlap=0.0).values()
    titles = terms(one.topics.values())

    assert titles <= terms(one.documents.values()) & terms(two.documents.values())


@pytest.mark.slow
def test_by_default_bm25_finds_some_and_feedback_transfers() -> None:
    source, target = generate(1, NAMES[:2]).values()
    chance = np.random.default_rng(0).random(len(target.documents)).tolist()
    shuffled = {topic: dict(zip(target.documents, chance, strict=True)) for topic in target.topics}

    assert 0.2 < mean_ap(target, bm25(target)) < 0.5
    assert mean_ap(target, feedback(source, target)) > 0.25
    assert mean_ap(target, shuffled) < 0.05


@pytest.mark.parametrize(
    ("names", "shape", "overlap", "seed", "message"),
    [
        pytest.param((), SMALL, 0.5, 1, "expected different names without blanks", id="no name"),
        pytest.param(("a", "a"), SMALL, 0.5, 1, "expected different names", id="a name twice"),
        pytest.param(("a b",), SMALL, 0.5, 1, "expected different names", id="a blank in a name"),
        pytest.param(("a",), SMALL, 1.5, 1, "overlap between 0 and 1 for 'a', found 1.5", id="overlap above 1"),
        pytest.param(("a",), SMALL, float("nan"), 1, "overlap between 0 and 1", id="overlap not a number"),
        pytest.param(("a", "b"), SMALL, {"a": 0.5}, 1, "no overlap is given for: b", id="overlap missing"),
        pytest.param(("a",), SMALL, 0.5, -1, "expected a seed between 0 and", id="negative seed"),
        pytest.param(("a",), replace(SMALL, pool=-1), 0.5, 1, "pool: expected a number from 0 on", id="negative pool"),
        pytest.param(("a",), replace(SMALL, documents=0), 0.5, 1, "documents, topics, pool and", id="no documents"),
        pytest.param(("a",), replace(SMALL, title_words=99), 0.5, 1, "at most as many title_words", id="long titles"),
        pytest.param(("a",), replace(SMALL, concepts=100), 0.5, 1, "more concepts than", id="few concepts"),
        pytest.param(
            ("a",), replace(SMALL, concepts=10**9), 0.5, 1, "at most 1000000 concepts", id="too many concepts"
        ),
        pytest.param(("a",), replace(SMALL, topical=0.99), 0.5, 1, "add up to at most 1", id="shares above 1"),
    ],
)
def test_what_cannot_be_generated_is_said(
    names: tuple[str, ...], shape: Shape, overlap: float | dict[str, float], seed: int, message: str
) -> None:
    with pytest.raises(CollectionError, match=message):
        generate(seed, names, shape=shape, overlap=overlap)
