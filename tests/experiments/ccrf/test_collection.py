"""Is a collection split as its ids say, and is shared vocabulary counted right?"""

import hashlib
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from primad.experiments.ccrf.collection import (
    Collection,
    CollectionError,
    VocabularyOverlap,
    parts,
    vocabulary_overlap,
)
from primad.experiments.ccrf.trec_folder import read_collection

SMALL = Collection(
    name="small",
    documents={"d1": "red rose", "d2": "blue rose", "d3": "green grass", "d4": "no judgment"},
    topics={"1": "roses", "2": "grass", "3": "nothing"},
    qrels={"1": {"d1": 1, "d2": 2}, "2": {"d3": 1, "d2": 0}, "3": {"d3": 0}},
)


def judged_texts(name: str, *texts: str) -> Collection:
    """Return a collection in which every one of TEXTS is judged."""
    documents = {str(number): text for number, text in enumerate(texts)}
    return Collection(name, documents, {"1": "topic"}, {"1": dict.fromkeys(documents, 0)})


def test_a_document_is_in_the_half_that_the_md5_of_its_id_says() -> None:
    even, odd = parts(SMALL, 2)

    parity = {d: int(hashlib.md5(d.encode()).hexdigest(), 16) % 2 for d in SMALL.documents}  # noqa: S324
    assert list(even.documents) == [d for d in SMALL.documents if parity[d] == 0] == ["d1"]
    assert list(odd.documents) == [d for d in SMALL.documents if parity[d] == 1] == ["d2", "d3", "d4"]


def test_halves_keep_topics_and_split_judgments() -> None:
    even, odd = parts(SMALL, 2)

    assert (even.name, odd.name) == ("small-1", "small-2")
    assert even.topics == odd.topics == SMALL.topics
    together = {topic: {**even.qrels.get(topic, {}), **odd.qrels.get(topic, {})} for topic in SMALL.topics}
    assert together == SMALL.qrels
    assert {d for grades in even.qrels.values() for d in grades} <= even.documents.keys()


def test_a_half_lists_its_topics_without_a_relevant_document() -> None:
    one_sided = Collection(
        "one-sided", {"d1": "red", "d2": "blue"}, {"1": "x", "2": "y"}, {"1": {"d1": 1, "d2": 0}, "2": {"d2": 1}}
    )

    _, odd = parts(one_sided, 2)

    assert odd.topics_without_relevant == ["1"]
    assert odd.description == "documents of one-sided whose id has an md5 of 1 modulo 2; without a relevant document: 1"


def test_a_long_list_of_topics_is_cut_in_the_description() -> None:
    many = Collection("many", {"a": "text"}, {str(n): "title" for n in range(12)}, {})

    assert parts(many, 2)[0].description.endswith(": 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more")


def test_a_document_is_in_the_part_that_the_md5_of_its_id_says() -> None:
    documents = {f"d{number}": "text" for number in range(40)}
    found = parts(Collection("many", documents, {"1": "title"}, {"1": {"d3": 1, "lost": 0}}), 4)

    rests = {d: int(hashlib.md5(d.encode()).hexdigest(), 16) % 4 for d in documents}  # noqa: S324
    assert [list(part.documents) for part in found] == [[d for d in documents if rests[d] == n] for n in range(4)]
    assert [part.name for part in found] == ["many-1", "many-2", "many-3", "many-4"]
    assert [part.relevant("1") for part in found] == [["d3"] if rests["d3"] == n else [] for n in range(4)]
    assert {d for part in found for d in part.qrels.get("1", {})} == {"d3", "lost"}


def test_a_part_says_which_documents_it_has_and_which_topics_lack_one() -> None:
    _, second, _ = parts(Collection("small", {"d1": "red"}, {"1": "x"}, {"1": {"d1": 1}}), 3)

    expected = "documents of small whose id has an md5 of 1 modulo 3; without a relevant document: 1"
    assert second.description == expected


def test_one_part_is_the_whole_collection() -> None:
    (whole,) = parts(SMALL, 1)

    assert (whole.documents, whole.topics, whole.qrels) == (SMALL.documents, SMALL.topics, SMALL.qrels)


def test_no_parts_cannot_be_made() -> None:
    with pytest.raises(CollectionError, match="expected 1 or more parts of small, found 0"):
        parts(SMALL, 0)


def test_a_judged_document_that_the_collection_lacks_does_not_count() -> None:
    lacking = Collection("lacking", {"d1": "red"}, {"1": "x", "2": "y"}, {"1": {"d1": 1, "d9": 2}, "2": {"d9": 1}})

    assert lacking.judged == ["d1"]
    assert lacking.relevant("1") == ["d1"]
    assert lacking.topics_without_relevant == ["2"]


def test_a_document_in_the_pool_without_a_judgment_is_not_judged() -> None:
    assert Collection("c", {"d1": "red"}, {"1": "x"}, {"1": {"d1": -1}}).judged == []


def test_a_collection_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        SMALL.name = "other"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        pytest.param(["red rose", "grass"], ["Rose GRASS red"], VocabularyOverlap(1.0, 1.0), id="same words"),
        pytest.param(["red rose"], ["blue sky"], VocabularyOverlap(0.0, 0.0), id="no word in common"),
        pytest.param(["one two three"], ["three four"], VocabularyOverlap(0.25, 0.5), id="one of four, one of two"),
    ],
)
def test_overlap_is_counted_in_different_words(
    source: list[str], target: list[str], expected: VocabularyOverlap
) -> None:
    assert vocabulary_overlap([judged_texts("s", *source)], judged_texts("t", *target)) == expected


def test_a_word_that_any_of_several_sources_has_is_known() -> None:
    sources = [judged_texts("s", "red rose"), judged_texts("t", "rose sky"), judged_texts("empty", "!")]

    assert vocabulary_overlap(sources, judged_texts("g", "sky red grass")) == VocabularyOverlap(0.5, 2 / 3)


def test_only_judged_documents_count_for_the_overlap() -> None:
    unjudged = Collection("u", {"d1": "red", "d2": "blue"}, {"1": "x"}, {"1": {"d1": 1}})

    assert vocabulary_overlap([unjudged], judged_texts("t", "red blue")) == VocabularyOverlap(0.5, 0.5)


def test_without_judged_words_there_is_no_overlap_to_measure() -> None:
    with pytest.raises(CollectionError, match="empty: no judged document has a word"):
        vocabulary_overlap([judged_texts("full", "words")], judged_texts("empty", "!"))


def test_sources_without_judged_words_are_named() -> None:
    with pytest.raises(CollectionError, match="one, two: no judged document has a word"):
        vocabulary_overlap([judged_texts("one", "!"), judged_texts("two")], judged_texts("full", "words"))


def test_without_sources_there_is_no_overlap_to_measure() -> None:
    with pytest.raises(CollectionError, match="expected one or more source collections, found none"):
        vocabulary_overlap([], judged_texts("full", "words"))


def test_the_halves_of_vaswani_are_nearly_equal(shared_data: Path) -> None:
    even, odd = parts(read_collection(shared_data / "vaswani"), 2)

    assert (len(even.documents), len(odd.documents)) == (5703, 5726)
    assert (even.topics_without_relevant, odd.topics_without_relevant) == (["59", "60"], ["8", "50"])
    overlap = vocabulary_overlap([even], odd)
    assert (overlap.jaccard, overlap.known) == pytest.approx((0.4874, 0.6423), abs=1e-4)
