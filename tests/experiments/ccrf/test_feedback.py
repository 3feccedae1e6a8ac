"""Does feedback from one collection find relevant documents of another, in each of the four ways?"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import sparse

from primad import Record, Run, annotate, compare, write_run
from primad.experiments.ccrf.classifiers import LogisticByHand, ensemble, linear_svm, logistic_regression
from primad.experiments.ccrf.collection import Collection, CollectionError
from primad.experiments.ccrf.features import tfidf_by_hand
from primad.experiments.ccrf.feedback import (
    ORIGINAL,
    REIMPLEMENTED,
    Training,
    _Learner,
    _Target,
    forget,
    pseudo_labelled,
    rank_all,
    reranked,
)
from primad.experiments.ccrf.first_stages import bm25
from primad.experiments.ccrf.fusion import Retrieved, interpolated, ordered

TOPICS = {"1": "fruit", "2": "metal"}
FRUIT, METAL, OTHER = ("apple", "pear", "fig"), ("iron", "zinc", "tin"), ("river", "hill", "road", "town", "sky")


def texts(prefix: str, seed: int, topical: int = 6, other: int = 30) -> dict[str, str]:
    """Return documents about fruit (f), metal (m) and other things (o); every second topical one says what it is."""
    random = np.random.default_rng(seed)
    found = {}
    for kind, words, title, count in (("f", FRUIT, "fruit", topical), ("m", METAL, "metal", topical)):
        for number in range(count):
            chosen = [*random.choice(words, 2), *random.choice(OTHER, 3), *([title] if number % 2 else [])]
            found[f"{prefix}{kind}{number}"] = " ".join(chosen)
    return found | {f"{prefix}o{number:02}": " ".join(random.choice(OTHER, 5)) for number in range(other)}


def judged(documents: dict[str, str], *, completely: bool = False) -> dict[str, dict[str, int]]:
    """Return qrels with the relevant documents only, or with all."""
    return {
        topic: {name: int(name[1] == kind) for name in documents if completely or name[1] == kind}
        for topic, kind in (("1", "f"), ("2", "m"))
    }


def collection(prefix: str, seed: int, *, completely: bool = False) -> Collection:
    """Return a collection called PREFIX with both topics."""
    documents = texts(prefix, seed)
    return Collection(prefix, documents, TOPICS, judged(documents, completely=completely))


SOURCE, SECOND, TARGET = collection("s", 1), collection("t", 2), collection("g", 3)


def first_six(ranking: dict[str, dict[str, float]], topic: str) -> list[str]:
    """Return the kinds of the six first documents."""
    return [document[1] for document in list(ranking[topic])[:6]]


# Ranking everything ------------------------------------------------------------------------------------------


def test_relevant_documents_that_no_keyword_finds_come_first() -> None:
    assert len(bm25(TARGET).ranking["1"]) == 3

    found = rank_all([SOURCE], TARGET).ranking

    assert {topic: first_six(found, topic) for topic in TOPICS} == {"1": ["f"] * 6, "2": ["m"] * 6}


def test_the_whole_target_is_ranked_up_to_the_depth() -> None:
    assert len(rank_all([SOURCE], TARGET).ranking["1"]) == 42
    assert len(rank_all([SOURCE], TARGET, depth=5).ranking["1"]) == 5


def test_the_same_arguments_give_the_same_ranking_whatever_the_order_of_documents() -> None:
    backwards = replace(SOURCE, documents=dict(reversed(list(SOURCE.documents.items()))))

    assert rank_all([backwards], TARGET) == rank_all([SOURCE], TARGET)


def test_the_ranking_is_that_of_a_classifier_on_the_judged_documents() -> None:
    complete = collection("s", 1, completely=True)
    names = sorted(complete.documents)
    features = tfidf_by_hand([complete.documents[name] for name in names])
    labels = np.array([complete.qrels["1"][name] for name in names])

    expected = LogisticByHand().fit(features.source, labels).decision_function(features.of([TARGET.documents["gf0"]]))
    found = rank_all([complete], TARGET, REIMPLEMENTED).ranking

    assert found["1"]["gf0"] == pytest.approx(expected[0], abs=1e-3)


def test_a_topic_without_a_relevant_document_keeps_the_first_stage_and_says_so() -> None:
    source = replace(SOURCE, qrels={"1": SOURCE.qrels["1"]})

    found = rank_all([source], TARGET, depth=2)

    assert found.ranking["2"] == bm25(TARGET, 2).ranking["2"]
    assert found.remarks == ("nothing to learn from, so the ranking of the first stage is kept: topic 2",)
    assert [stage["name"] for stage in found.stages] == ["bm25", "lr"]
    assert found.stages[-1]["fallback"] == "bm25"


def test_a_topic_with_judged_documents_of_which_none_is_relevant_keeps_the_first_stage() -> None:
    source = replace(SOURCE, qrels={"1": SOURCE.qrels["1"], "2": {"so00": 0}})

    assert rank_all([source], TARGET).ranking["2"] == bm25(TARGET).ranking["2"]


def test_relevant_documents_that_the_source_does_not_hold_are_not_learned_from() -> None:
    source = replace(SOURCE, qrels={"1": SOURCE.qrels["1"], "2": {"lost": 1}})

    assert rank_all([source], TARGET).ranking["2"] == bm25(TARGET).ranking["2"]


def test_the_record_of_ranking_everything_is_one_stage() -> None:
    found = rank_all([SOURCE, SECOND], TARGET)

    (stage,) = found.stages
    expected = {
        "name": "lr",
        "method": "sklearn.linear_model.LogisticRegression",
        "C": 10.0,
        "negatives where none are judged": 1000,
        "seed": 0,
        "depth": 1000,
    }
    assert expected.items() <= stage.items()
    assert stage["features"]["method"] == "sklearn.feature_extraction.text.TfidfVectorizer"
    assert stage["features"]["sublinear_tf"] is True
    assert [name.partition("==")[0] for name in found.toolkits] == ["scikit-learn"]
    assert found.remarks == ()


@pytest.mark.parametrize("way", [rank_all, pseudo_labelled], ids=lambda way: way.__name__)
def test_no_source_is_an_error(way: Callable[..., Retrieved]) -> None:
    with pytest.raises(CollectionError, match="one or more source collections"):
        way([], TARGET)


# What is learned from ----------------------------------------------------------------------------------------


def examples(*sources: Collection, training: Training = ORIGINAL) -> tuple[list[int], list[int]]:
    """Return the rows of relevant and other documents that topic 1 is learned from."""
    return _Learner.of(sources, training)._examples("1")


def test_judged_documents_are_the_negative_examples_where_there_are_any() -> None:
    grades = {"sf0": 2, "sf1": 1, "sm0": 0, "so05": 0, "so06": -1}

    relevant, others = examples(replace(SOURCE, qrels={"1": grades}))

    names = sorted(SOURCE.documents)
    assert [names[row] for row in relevant] == ["sf0", "sf1"]
    assert [names[row] for row in others] == ["sm0", "so05"]


def test_without_judged_ones_negative_examples_are_drawn_from_the_unjudged() -> None:
    relevant, others = examples(SOURCE, training=Training(negatives=10))

    assert len(relevant) == 6
    assert len(set(others)) == 10
    assert not set(relevant) & set(others)


def test_another_seed_draws_other_negative_examples() -> None:
    drawn = [examples(SOURCE, training=Training(negatives=10, seed=seed))[1] for seed in (0, 0, 1)]

    assert drawn[0] == drawn[1]
    assert drawn[0] != drawn[2]


def test_two_sources_give_the_examples_of_both() -> None:
    relevant, others = examples(SOURCE, SECOND)

    names = [*sorted(SOURCE.documents), *sorted(SECOND.documents)]
    assert [names[row] for row in relevant] == [f"{source}f{number}" for source in "st" for number in range(6)]
    assert len(others) == 72


def test_two_sources_may_use_the_same_ids_for_different_documents() -> None:
    named_alike = replace(SECOND, documents={f"s{name[1:]}": text for name, text in SECOND.documents.items()})
    named_alike = replace(named_alike, qrels=SOURCE.qrels)

    assert rank_all([SOURCE, named_alike], TARGET).ranking == rank_all([SOURCE, SECOND], TARGET).ranking


# Reranking ---------------------------------------------------------------------------------------------------


def test_reranking_keeps_the_first_documents_and_changes_their_order() -> None:
    target = replace(TARGET, topics={"1": "river fruit", "2": "metal"})
    first = bm25(target)

    found = reranked([SOURCE], target, first, depth=10)

    assert set(found.ranking["1"]) == set(list(first.ranking["1"])[:10])
    assert list(found.ranking["1"]) != list(first.ranking["1"])[:10]


def test_the_scores_of_a_reranking_are_those_of_the_classifier() -> None:
    everything = rank_all([SOURCE], TARGET).ranking["1"]

    found = reranked([SOURCE], TARGET, bm25(TARGET)).ranking["1"]

    assert found == pytest.approx({document: everything[document] for document in found}, abs=1e-6)


def test_reranking_is_recorded_as_in_figure_4_of_the_paper() -> None:
    first = bm25(TARGET, 20)

    found = interpolated(reranked([SOURCE], TARGET, first, depth=20), first, 0.6)

    keys = ("name", "method", "reranks", "interpolates", "weight", "depth")
    assert [{key: stage[key] for key in keys if key in stage} for stage in found.stages] == [
        {"name": "bm25", "method": "bm25s.BM25", "depth": 20},
        {
            "name": "lr reranker",
            "method": "sklearn.linear_model.LogisticRegression",
            "reranks": "bm25",
            "depth": 20,
        },
        {
            "name": "interpolation",
            "method": "primad.experiments.ccrf.fusion.interpolated",
            "interpolates": ["lr reranker", "bm25"],
            "weight": 0.6,
        },
    ]
    assert [name.partition("==")[0] for name in found.toolkits] == ["bm25s", "scikit-learn"]
    assert found.indexing == bm25(TARGET).indexing


def test_a_reranked_topic_without_a_relevant_document_keeps_the_first_stage_and_says_so() -> None:
    source = replace(SOURCE, qrels={"1": SOURCE.qrels["1"]})

    found = reranked([source], TARGET, bm25(TARGET))

    assert found.ranking["2"] == bm25(TARGET).ranking["2"]
    assert found.remarks == ("nothing to learn from, so the ranking of the first stage is kept: topic 2",)


def test_the_members_of_an_ensemble_rerank_the_first_stage_too() -> None:
    found = reranked([SOURCE], TARGET, bm25(TARGET), Training(name="both", classifier=ensemble))

    assert [(stage["name"], stage.get("reranks")) for stage in found.stages] == [
        ("bm25", None),
        ("both reranker lr", "bm25"),
        ("both reranker svm", "bm25"),
        ("both reranker", "bm25"),
    ]
    assert found.stages[-1]["ensembles"] == ["both reranker lr", "both reranker svm"]


# Reimplementation and pseudo labels --------------------------------------------------------------------------


def test_the_reimplementation_finds_the_same_relevant_documents_with_other_scores() -> None:
    original, again = rank_all([SOURCE], TARGET), rank_all([SOURCE], TARGET, REIMPLEMENTED)

    assert set(list(again.ranking["1"])[:6]) == set(list(original.ranking["1"])[:6])
    assert again.ranking["1"] != original.ranking["1"]
    assert again.stages[0]["method"] == "primad.experiments.ccrf.classifiers.LogisticByHand"
    assert [name.partition("==")[0] for name in again.toolkits] == ["scipy"]


def test_pseudo_labels_need_no_judgments() -> None:
    found = pseudo_labelled([replace(SOURCE, qrels={}, topics={})], TARGET, positives=3)

    assert first_six(found.ranking, "1").count("f") >= 5
    assert found.ranking == pseudo_labelled([SOURCE], TARGET, positives=3).ranking


def test_pseudo_labels_are_the_first_documents_of_a_keyword_search() -> None:
    searched = bm25(replace(SOURCE, topics=TOPICS), 3).ranking
    labelled = replace(SOURCE, qrels={topic: dict.fromkeys(scores, 1) for topic, scores in searched.items()})

    assert pseudo_labelled([SOURCE], TARGET, positives=3).ranking == rank_all([labelled], TARGET).ranking


def test_several_collections_may_be_labelled_each_by_a_search_of_its_own() -> None:
    both = [
        replace(one, qrels={topic: dict.fromkeys(scores, 1) for topic, scores in bm25(one, 2).ranking.items()})
        for one in (SOURCE, SECOND)
    ]

    assert pseudo_labelled([SOURCE, SECOND], TARGET, positives=2).ranking == rank_all(both, TARGET).ranking


def test_a_record_tells_where_pseudo_labels_come_from() -> None:
    found = pseudo_labelled([SOURCE, SECOND], TARGET, positives=3)

    expected = {"by": bm25(SOURCE, 3).stages[0], "positives": 3}
    assert found.stages[-1]["pseudo labels"] == expected
    assert found.stages[-1]["labels"] == "the first 3 documents of bm25"
    assert rank_all([SOURCE], TARGET).stages[-1]["labels"] == "judgments"
    assert found.toolkits == bm25(SOURCE).toolkits + rank_all([SOURCE], TARGET).toolkits


# Records of reimplementations --------------------------------------------------------------------------------


def annotated(folder: Path, tag: str, retrieved: Retrieved) -> Path:
    """Write a run with its record: everything but the method is the same for all."""
    path = folder / f"{tag}.run"
    write_run(Run.from_dict(retrieved.ranking, tag=tag), path)
    template = {
        "platform": {"software": {"retrieval toolkit": list(retrieved.toolkits)}},
        "research goal": {"evaluation": {"reported measures": ["map"]}},
        "method": {"retrieval": retrieved.stages, "indexing": retrieved.indexing},
        "actor": {"team": "fruit growers"},
        "data": {"test collection": {"name": "fruit"}},
    }
    annotate(path, template=Record(template)).save(path)
    return path


def interpolated_reranking(sources: list[Collection], target: Collection, training: Training) -> Retrieved:
    """Return what the second team made: BM25 reranked, and half of BM25."""
    first = bm25(target)
    return interpolated(reranked(sources, target, first, training), first, 0.5)


@pytest.mark.parametrize("way", [rank_all, interpolated_reranking], ids=lambda way: way.__name__)
def test_of_a_classifier_that_was_written_anew_only_the_implementation_differs(
    way: Callable[..., Retrieved], tmp_path: Path
) -> None:
    made = [way([SOURCE], TARGET, Training(classifier=make)) for make in (logistic_regression, LogisticByHand)]
    original, again = (annotated(tmp_path, f"run{number}", one) for number, one in enumerate(made))

    (found,) = compare(original, again)

    assert str(found.type) == "prImad"
    (difference,) = found.changed["implementation"]
    assert (difference.original, difference.other) == (
        "sklearn.linear_model.LogisticRegression",
        "primad.experiments.ccrf.classifiers.LogisticByHand",
    )


def test_of_features_by_other_formulas_the_method_differs_too(tmp_path: Path) -> None:
    original = annotated(tmp_path, "original", rank_all([SOURCE], TARGET))

    (found,) = compare(original, annotated(tmp_path, "again", rank_all([SOURCE], TARGET, REIMPLEMENTED)))

    assert str(found.type) == "?rIMad"  # no package is used by both
    assert sorted(one.field for one in found.changed["method"]) == [
        "method.indexing.stopwords",
        "method.indexing.tokenizer",
        "method.retrieval[0].features.method",
        "method.retrieval[0].features.stop_words",
    ]


# Terms that nothing is learned about -------------------------------------------------------------------------


def before(rows: Any, columns: NDArray[np.float64]) -> Any:
    """Return sparse ROWS behind further COLUMNS."""
    return sparse.csr_array(sparse.hstack([sparse.csr_array(columns), rows]))


@pytest.mark.parametrize("make", [logistic_regression, linear_svm, LogisticByHand], ids=lambda make: make.__name__)
def test_terms_that_no_example_has_count_for_nothing(make: Callable[[], Any]) -> None:
    learner = _Learner.of([SOURCE], Training(classifier=make, negatives=10))
    documents = sorted(TARGET.documents)
    vectors = learner.features.of([TARGET.documents[name] for name in documents])
    source = before(learner.features.source, np.zeros((42, 500)))
    target = before(vectors, np.random.default_rng(9).random((42, 500)))
    relevant, others = learner._examples("1")
    labels = np.array([1] * len(relevant) + [0] * len(others))

    whole = make().fit(source[relevant + others], labels).decision_function(target)
    wider = replace(learner, features=replace(learner.features, source=source))
    found = _Target(wider, documents, target).ranked("1", range(42))

    assert found == ordered(zip(documents, whole.tolist(), strict=True))
    assert found == _Target(learner, documents, vectors).ranked("1", range(42))


def test_examples_without_a_known_term_teach_nothing() -> None:
    silent = replace(SOURCE, documents=dict.fromkeys(SOURCE.documents, "the") | {"unjudged": "apple"})
    source = replace(silent, qrels={"1": {"sf0": 1, "so00": 0}})

    assert rank_all([source], TARGET).ranking["1"] == bm25(TARGET).ranking["1"]


# What is kept ------------------------------------------------------------------------------------------------


def test_what_is_learned_once_ranks_any_target_as_if_it_were_learned_anew() -> None:
    ways: list[Callable[[], Retrieved]] = [
        lambda: rank_all([SOURCE], TARGET),
        lambda: reranked([SOURCE], SECOND, bm25(SECOND)),
        lambda: rank_all([SOURCE], TARGET, REIMPLEMENTED),
        lambda: pseudo_labelled([SOURCE], TARGET, positives=3),
        lambda: rank_all([replace(SOURCE, qrels=judged(dict(SOURCE.documents), completely=True))], TARGET),
        lambda: rank_all([SOURCE], TARGET, Training(negatives=10, seed=3)),
    ]
    forget()

    one_after_the_other = [way() for way in ways]
    anew = []
    for way in ways:
        forget()
        anew.append(way())

    assert one_after_the_other == anew


def test_a_classifier_is_trained_once_for_all_targets_and_again_once_it_is_forgotten() -> None:
    trained: list[str] = []

    def counted() -> Any:
        trained.append("once")
        return logistic_regression()

    training = Training(classifier=counted)
    forget()

    for target in (TARGET, SECOND):
        rank_all([SOURCE], target, training)
    of_two_targets = len(trained)
    forget()
    rank_all([SOURCE], TARGET, training)

    # For each ranking one more is made, to be described.
    assert (of_two_targets, len(trained)) == (2 * 1 + 2, 2 * 1 + 2 + 1 + 2)
