"""Estimators and pipelines of scikit-learn as stages."""

from __future__ import annotations

from typing import Any

import pytest

from primad.metadata.capture.methods import method_of, stage

sklearn = pytest.importorskip("sklearn")
from sklearn.calibration import CalibratedClassifierCV  # noqa: E402
from sklearn.ensemble import VotingClassifier  # noqa: E402
from sklearn.feature_extraction.text import TfidfVectorizer  # noqa: E402
from sklearn.linear_model import LogisticRegression  # noqa: E402
from sklearn.pipeline import Pipeline  # noqa: E402
from sklearn.svm import LinearSVC  # noqa: E402


def only_stage(thing: object) -> dict[str, Any]:
    """Return the one stage that THING is."""
    (one,) = method_of(thing)["method"]["retrieval"]
    return dict(one)


def test_an_estimator_is_recorded_with_class_and_defaults() -> None:
    found = only_stage(LogisticRegression(C=0.5, random_state=7))

    assert (found["name"], found["method"]) == ("LogisticRegression", "sklearn.linear_model.LogisticRegression")
    assert (found["C"], found["random_state"], found["solver"], found["max_iter"]) == (0.5, 7, "lbfgs", 100)
    assert found["class_weight"] == "None"
    assert "deprecated" not in found.values()


def test_every_parameter_that_is_in_use_is_there() -> None:
    estimator = LinearSVC()
    in_use = {key for key, value in estimator.get_params().items() if value != "deprecated"}

    assert only_stage(estimator).keys() == in_use | {"name", "method"}


def test_the_parameters_of_a_pipeline_have_the_path_to_them() -> None:
    found = only_stage(Pipeline([("tfidf", TfidfVectorizer(ngram_range=(1, 2))), ("lr", LogisticRegression(C=2.0))]))

    assert found["method"] == "sklearn.pipeline.Pipeline"
    assert found["steps"] == ["tfidf", "lr"]
    assert found["tfidf"] == "sklearn.feature_extraction.text.TfidfVectorizer"
    assert (found["tfidf.ngram_range"], found["tfidf.norm"], found["lr.C"]) == ([1, 2], "l2", 2.0)
    assert found["tfidf.token_pattern"] == r"(?u)\b\w\w+\b"


def test_the_members_of_an_ensemble_are_named_in_their_order() -> None:
    found = only_stage(VotingClassifier([("svm", LinearSVC()), ("lr", LogisticRegression())], weights=[2, 1]))

    assert (found["estimators"], found["weights"]) == (["svm", "lr"], [2, 1])
    assert (found["svm"], found["lr.C"]) == ("sklearn.svm.LinearSVC", 1.0)


def test_a_parameter_called_method_does_not_hide_the_class() -> None:
    found = only_stage(CalibratedClassifierCV(LinearSVC(), method="isotonic"))

    assert found["method"] == "sklearn.calibration.CalibratedClassifierCV"
    assert found["params"] == {"method": "isotonic"}


def test_a_class_of_ones_own_is_named_by_its_module() -> None:
    class Mine(LogisticRegression):  # type: ignore[misc]  # scikit-learn has no annotations
        pass

    assert only_stage(Mine())["method"].startswith(f"{__name__}.")


def test_two_estimators_of_a_class_get_names_of_their_own_unless_they_are_given() -> None:
    things = [LogisticRegression(), LogisticRegression(), stage(LogisticRegression(), name="third")]

    names = [one["name"] for one in method_of(things)["method"]["retrieval"]]

    assert names == ["LogisticRegression", "LogisticRegression 2", "third"]


def test_the_toolkit_is_recorded_with_its_version_once() -> None:
    tree = method_of(LogisticRegression(), LinearSVC())

    assert tree["platform"] == {"software": {"retrieval toolkit": [f"scikit-learn=={sklearn.__version__}"]}}
