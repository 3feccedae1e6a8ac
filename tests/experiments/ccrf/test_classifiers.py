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
    stages_of,
    toolkits_of,
)

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


def test_a_classifier_of_the_library_tells_its_effective_parameters() -> None:
    (stage,) = stages_of(logistic_regression(), "lr")

    expected = {"name": "lr", "method": "sklearn.linear_model.LogisticRegression", "C": 10.0, "solver": "lbfgs"}
    assert expected.items() <= stage.items()
    assert (stage["class_weight"], stage["tol"]) == ("balanced", 1e-6)
    assert "deprecated" not in stage.values()


def test_the_regression_by_hand_tells_its_parameters_under_the_same_names() -> None:
    assert stages_of(LogisticByHand(2.0), "lr") == [
        {
            "name": "lr",
            "method": "primad.experiments.ccrf.classifiers.LogisticByHand",
            "C": 2.0,
            "class_weight": "balanced",
            "solver": "lbfgs",
            "tol": 1e-6,
        }
    ]


def test_an_ensemble_comes_behind_its_members() -> None:
    stages = stages_of(ensemble(), "both")

    assert [(stage["name"], stage["method"]) for stage in stages] == [
        ("both lr", "sklearn.linear_model.LogisticRegression"),
        ("both svm", "sklearn.svm.LinearSVC"),
        ("both", "primad.experiments.ccrf.classifiers.Ensemble"),
    ]
    assert stages[-1]["ensembles"] == ["both lr", "both svm"]


@pytest.mark.parametrize(
    ("make", "expected"),
    [(LogisticByHand, ["scipy"]), (linear_svm, ["scikit-learn"]), (ensemble, ["scikit-learn"])],
)
def test_the_packages_behind_a_classifier_are_named_once(make: Callable[[], Classifier], expected: list[str]) -> None:
    assert [name.partition("==")[0] for name in toolkits_of(make())] == expected
