"""Do rankings keep their order, and do two of them become the right one?"""

from importlib.metadata import version

import numpy as np
import pytest
from bm25s.tokenization import Tokenizer
from sklearn.svm import LinearSVC

from primad import PrimadError
from primad.experiments.ccrf.fusion import (
    MethodError,
    Retrieved,
    best_of,
    described,
    interpolated,
    normalised,
    ordered,
    pinned,
    toolkit,
)

KEYWORDS = Retrieved(
    {"1": {"d1": 8.0, "d2": 4.0, "d3": 0.0}},
    [{"name": "bm25", "k1": 0.9}],
    {"stemmer": "Porter"},
    ("bm25s==1.0",),
)
CLASSIFIED = Retrieved(
    {"1": {"d3": 3.0, "d2": 2.5, "d1": 1.0}},
    [{"name": "bm25", "k1": 0.9}, {"name": "lr reranker", "reranks": "bm25"}],
    {},
    ("bm25s==1.0", "scikit-learn==1.0"),
    ("a remark",),
)


def test_documents_are_ordered_by_score_and_then_by_falling_id_as_trec_eval_does() -> None:
    found = ordered([("d9", 1.0), ("d10", 2.0), ("d2", 2.0)])

    assert list(found.items()) == [("d2", 2.0), ("d10", 2.0), ("d9", 1.0)]


def test_scores_that_differ_behind_the_sixth_decimal_are_equal() -> None:
    assert list(ordered([("a", 0.3 + 1e-9), ("b", 0.3)])) == ["b", "a"]


def test_only_the_best_documents_are_kept() -> None:
    assert ordered([("d1", 1.0), ("d2", 2.0)], depth=1) == {"d2": 2.0}


def test_a_depth_below_one_is_refused() -> None:
    with pytest.raises(MethodError, match="depth of 1 or more, found 0"):
        ordered([("d1", 1.0)], depth=0)


@pytest.mark.parametrize("depth", [None, 1, 3, 7, 499, 500, 1000])
def test_the_best_of_an_array_are_those_that_ordering_all_of_them_gives(depth: int | None) -> None:
    random = np.random.default_rng(5)
    scores = np.round(random.random(500), 2) + random.choice([0.0, 4e-7, 6e-7], 500)  # many are equal once rounded
    documents = [f"d{number}" for number in random.permutation(500)]

    found = best_of(documents, scores, depth)

    assert list(found.items()) == list(ordered(zip(documents, scores.tolist(), strict=True), depth).items())


def test_the_best_of_no_documents_are_none() -> None:
    assert best_of([], np.zeros(0), 10) == {}


def test_a_depth_below_one_is_refused_for_an_array_too() -> None:
    with pytest.raises(MethodError, match="depth of 1 or more, found 0"):
        best_of(["d1"], np.ones(1), 0)


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        pytest.param({"a": -2.0, "b": 2.0, "c": -1.0}, {"a": 0.0, "b": 1.0, "c": 0.25}, id="negative scores"),
        pytest.param({"a": 7.0}, {"a": 1.0}, id="one document"),
        pytest.param({"a": 3.0, "b": 3.0}, {"a": 1.0, "b": 1.0}, id="equal scores"),
        pytest.param({}, {}, id="nothing"),
    ],
)
def test_normalised_scores_lie_between_0_and_1(scores: dict[str, float], expected: dict[str, float]) -> None:
    assert normalised(scores) == expected


def test_an_interpolation_is_the_weighted_sum_of_normalised_scores() -> None:
    found = interpolated(CLASSIFIED, KEYWORDS, 0.25)

    assert list(found.ranking["1"].items()) == [("d1", 0.75), ("d2", 0.5625), ("d3", 0.25)]


@pytest.mark.parametrize(
    ("weight", "expected"),
    [pytest.param(0.0, ["d1", "d2", "d3"], id="lower"), pytest.param(1.0, ["d3", "d2", "d1"], id="upper")],
)
def test_the_extreme_weights_give_the_order_of_one_ranking(weight: float, expected: list[str]) -> None:
    assert list(interpolated(CLASSIFIED, KEYWORDS, weight).ranking["1"]) == expected


def test_an_interpolation_names_its_stages_as_the_paper_does() -> None:
    found = interpolated(CLASSIFIED, KEYWORDS, 0.6)

    assert found.stages == [
        {"name": "bm25", "k1": 0.9},
        {"name": "lr reranker", "reranks": "bm25"},
        {
            "name": "interpolation",
            "method": "primad.experiments.ccrf.fusion.interpolated",
            "interpolates": ["lr reranker", "bm25"],
            "weight": 0.6,
            "normalisation": "min-max",
        },
    ]
    assert found.indexing == {"stemmer": "Porter"}
    assert found.toolkits == ("bm25s==1.0", "scikit-learn==1.0")
    assert found.remarks == ("a remark",)


def test_an_interpolation_of_an_interpolation_has_a_name_of_its_own() -> None:
    once = interpolated(CLASSIFIED, KEYWORDS, 0.5)

    assert interpolated(once, KEYWORDS, 0.5).name == "interpolation 2"


def test_two_different_stages_of_one_name_are_refused() -> None:
    other = Retrieved(KEYWORDS.ranking, [{"name": "bm25", "k1": 1.2}])

    with pytest.raises(MethodError, match="one stage called 'bm25', found two that differ"):
        interpolated(CLASSIFIED, other, 0.5)


def test_a_document_in_one_ranking_only_counts_as_the_lowest_of_the_other() -> None:
    upper = Retrieved({"1": {"new": 2.0, "d1": 1.0}}, [{"name": "lr"}])

    assert interpolated(upper, KEYWORDS, 0.75).ranking["1"] == {"new": 0.75, "d1": 0.25, "d2": 0.125, "d3": 0.0}


def test_a_topic_in_one_ranking_only_keeps_its_order() -> None:
    upper = Retrieved({"2": {"d5": 2.0, "d4": 1.0}}, [{"name": "lr"}])

    found = interpolated(upper, KEYWORDS, 0.25).ranking

    assert found == {"1": {"d1": 1.0, "d2": 0.5, "d3": 0.0}, "2": {"d5": 1.0, "d4": 0.0}}


@pytest.mark.parametrize("weight", [-0.1, 1.5, float("nan")])
def test_a_weight_outside_0_and_1_is_refused(weight: float) -> None:
    with pytest.raises(MethodError, match="weight between 0 and 1"):
        interpolated(CLASSIFIED, KEYWORDS, weight)


def test_an_absent_package_comes_with_the_line_that_installs_it() -> None:
    with pytest.raises(PrimadError) as caught:
        toolkit("sklearn.no_such_part")

    assert str(caught.value) == "scikit-learn is not installed; pip install 'primad[demo]'"


def test_a_method_is_read_from_the_objects_that_carry_it_out() -> None:
    stages, indexing, toolkits = described(Tokenizer(), {"name": "first"}, LinearSVC(C=3.0))

    assert [stage["name"] for stage in stages] == ["first", "LinearSVC"]
    assert stages[1]["C"] == 3.0
    assert indexing["tokenizer"] == "bm25s.tokenization.Tokenizer"
    assert toolkits == (f"bm25s=={version('bm25s')}", f"scikit-learn=={version('scikit-learn')}")


def test_a_package_is_pinned_by_its_installed_version() -> None:
    assert pinned("scipy") == f"scipy=={version('scipy')}"
