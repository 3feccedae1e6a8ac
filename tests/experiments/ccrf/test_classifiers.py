"""Do classifiers find what looks relevant, and does the one by hand find the same as scikit-learn's?"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import sparse

from primad.experiments.ccrf.classifiers import (
    Classifier,
    Ensemble,
    LogisticByHand,
    ensemble,
    linear_svm,
    logistic_regression,
    things_of,
)
from primad.experiments.ccrf.fusion import Stage, described

each_classifier = pytest.mark.parametrize(
    "make",
    [pytest.param(make, id=make.__name__) for make in (logistic_regression, linear_svm, LogisticByHand, ensemble)],
)


@pytest.fixture(scope="module")
def examples() -> tuple[Any, NDArray[np.int64]]:
    """Return 200 sparse vectors in 50 dimensions, 20 of them relevant, which are large in the first five."""
    random = np.random.default_rng(3)
    rows = random.random((200, 50)) * (random.random((200, 50)) < 0.2)
    labels = np.array([1] * 20 + [0] * 180)
    rows[:20, :5] += random.random((20, 5))
    return sparse.csr_array(rows), labels


@each_classifier
def test_relevant_examples_score_higher_than_others(
    make: Callable[[], Classifier], examples: tuple[Any, NDArray[np.int64]]
) -> None:
    vectors, labels = examples
    classifier = make()

    classifier.fit(vectors, labels)
    scores = classifier.decision_function(vectors)

    assert scores.shape == (200,)
    assert scores[:20].mean() > scores[20:].mean() + 0.3


@each_classifier
def test_the_same_examples_give_the_same_scores(
    make: Callable[[], Classifier], examples: tuple[Any, NDArray[np.int64]]
) -> None:
    vectors, labels = examples

    found = [make().fit(vectors, labels).decision_function(vectors).tolist() for _ in range(2)]

    assert found[0] == found[1]


@pytest.mark.parametrize("strength", [0.1, 1.0, 10.0])
def test_the_regression_by_hand_agrees_with_that_of_the_library(
    strength: float, examples: tuple[Any, NDArray[np.int64]]
) -> None:
    vectors, labels = examples

    by_hand = LogisticByHand(strength).fit(vectors, labels)
    library: Any = logistic_regression(strength).fit(vectors, labels)

    assert by_hand.decision_function(vectors) == pytest.approx(library.decision_function(vectors), abs=0.01)
    assert by_hand.intercept == pytest.approx(library.intercept_[0], abs=0.01)


def test_classes_of_different_size_weigh_the_same() -> None:
    vectors = sparse.csr_array(np.zeros((10, 1)))

    found = LogisticByHand().fit(vectors, np.array([1] + [0] * 9)).decision_function(vectors)

    assert found == pytest.approx(np.zeros(10), abs=1e-4)


class Fixed:
    """A classifier that learns nothing and gives the scores it was made with."""

    def __init__(self, *scores: float) -> None:
        self.scores = scores

    def fit(self, vectors: Any, labels: NDArray[np.int64], /) -> "Fixed":
        del vectors, labels
        return self

    def decision_function(self, vectors: Any, /) -> NDArray[np.float64]:
        del vectors
        return np.array(self.scores)


def test_an_ensemble_gives_the_mean_of_normalised_scores() -> None:
    found = Ensemble({"a": Fixed(0.0, 5.0, 10.0), "b": Fixed(3.0, -1.0, 1.0)})

    assert found.decision_function(None).tolist() == [0.5, 0.25, 0.75]


def test_a_member_that_cannot_tell_documents_apart_changes_no_order() -> None:
    found = Ensemble({"a": Fixed(0.0, 5.0, 10.0), "b": Fixed(2.0, 2.0, 2.0)})

    assert found.decision_function(None).tolist() == [0.5, 0.75, 1.0]


def stages_of(classifier: Classifier, **about: object) -> list[Stage]:
    """Return the stages that CLASSIFIER, called lr, becomes behind a first stage."""
    return described({"name": "first"}, *things_of(classifier, "lr", **about)).stages[1:]


def test_a_classifier_of_the_library_is_recorded_as_the_estimator_tells() -> None:
    (stage,) = stages_of(logistic_regression(), reranks="first", depth=20, seed=3)

    expected = {
        "name": "lr",
        "method": "sklearn.linear_model.LogisticRegression",
        "C": 10.0,
        "class_weight": "balanced",
        "max_iter": 1000,
        "solver": "lbfgs",
        "tol": 1e-6,
        "reranks": "first",
        "depth": 20,
        "seed": 3,
    }
    assert expected.items() <= stage.items()
    assert "deprecated" not in stage.values()


def test_the_regression_by_hand_differs_from_that_of_the_library_in_its_class_only() -> None:
    (by_hand,), (library,) = stages_of(LogisticByHand()), stages_of(logistic_regression())

    assert by_hand.keys() <= library.keys()
    assert {key: by_hand[key] for key in by_hand if by_hand[key] != library[key]} == {
        "method": "primad.experiments.ccrf.classifiers.LogisticByHand"
    }


def test_the_regression_by_hand_tells_the_parameters_that_it_was_given() -> None:
    (stage,) = stages_of(LogisticByHand(2.0, tolerance=0.5), reranks="first")

    assert (stage["C"], stage["tol"], stage["reranks"]) == (2.0, 0.5, "first")


def test_an_ensemble_comes_behind_its_members() -> None:
    stages = stages_of(ensemble(seed=7), reranks="first", depth=20)

    assert [(stage["name"], stage["method"], stage["reranks"], stage.get("depth")) for stage in stages] == [
        ("lr lr", "sklearn.linear_model.LogisticRegression", "first", None),
        ("lr svm", "sklearn.svm.LinearSVC", "first", None),
        ("lr", "primad.experiments.ccrf.classifiers.Ensemble", "first", 20),
    ]
    assert stages[1]["random_state"] == 7
    assert (stages[2]["ensembles"], stages[2]["normalisation"]) == (["lr lr", "lr svm"], "min-max")


def test_a_member_of_an_ensemble_may_be_an_ensemble() -> None:
    stages = stages_of(Ensemble({"a": LogisticByHand(), "b": Ensemble({"c": LogisticByHand()})}))

    assert [(stage["name"], stage.get("ensembles")) for stage in stages] == [
        ("lr a", None),
        ("lr b c", None),
        ("lr b", ["lr b c"]),
        ("lr", ["lr a", "lr b"]),
    ]
