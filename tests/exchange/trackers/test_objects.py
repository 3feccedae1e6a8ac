"""Which runs of a tracker are taken for runs of one system?"""

from typing import Any

import pytest

from primad.exchange.trackers.objects import Candidate, objects_of

TWICE = "no object was measured twice: give runs of one system the same object in the file of measurements"


def runs(*named: tuple[str, dict[str, Any]]) -> list[Candidate]:
    """Return runs of one experiment with these names and parameters."""
    return [Candidate("tuning", name, parameters) for name, parameters in named]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param(runs(("bm25", {}), ("rm3", {})), ["bm25", "rm3"], id="names of their own"),
        pytest.param(runs(("bm25", {"k1": 1}), ("bm25", {"k1": 2})), ["bm25", "bm25"], id="one name"),
        pytest.param(runs(("bm25 seed=1", {}), ("bm25 seed=2", {})), ["bm25", "bm25"], id="seeds in names"),
        pytest.param(runs(("rm3-run1", {}), ("rm3_RUN_2", {})), ["rm3", "rm3"], id="runs in names"),
        pytest.param(
            runs(("dense-1", {"k": 1, "seed": 1}), ("dense-2", {"k": 1, "seed": 2})),
            ["dense", "dense"],
            id="numbers, and parameters that agree",
        ),
        pytest.param(
            runs(("dense-1", {"k": 1}), ("dense-2", {"k": 2})),
            ["dense-1", "dense-2"],
            id="numbers, and parameters that differ",
        ),
        pytest.param(runs(("k1-1", {}), ("k1-2", {})), ["k1-1", "k1-2"], id="numbers, and nothing else known"),
        pytest.param(runs(("bm25", {"k": 1}), ("bm2", {"k": 1})), ["bm25", "bm2"], id="numbers that belong to names"),
        pytest.param(runs(("dense-1", {"k": 1})), ["dense-1"], id="one run only"),
        pytest.param(
            runs(("a - seed 3 4", {}), ("a - seed 3 5", {})), ["a - seed 3 4", "a - seed 3 5"], id="two numbers"
        ),
        pytest.param(runs(("a -_run_ #1", {}), ("a seed2", {})), ["a", "a"], id="several marks"),
    ],
)
def test_the_name_that_somebody_gave_is_that_of_the_object_without_the_number_of_a_repetition(
    given: list[Candidate], expected: list[str]
) -> None:
    assert objects_of(given)[0] == expected


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        pytest.param([{}, {}], ["tuning", "tuning"], id="none"),
        pytest.param([{"seed": 1}, {"seed": 2}], ["tuning", "tuning"], id="a seed"),
        pytest.param([{"train.random_seed": 1}, {"train.random_seed": 2}], ["tuning", "tuning"], id="a seed below"),
        pytest.param([{"np_seed": 1}, {"np_seed": 2}], ["tuning", "tuning"], id="another seed"),
        pytest.param([{"train": {"seed": 1}}, {"train": {"seed": 2}}], ["tuning", "tuning"], id="a seed in a mapping"),
        pytest.param([{"out_dir": "/a/1"}, {"out_dir": "/a/2"}], ["tuning", "tuning"], id="a path"),
        pytest.param([{"k1": 0.9}, {"k1": 1.2}], ["tuning (k1=0.9)", "tuning (k1=1.2)"], id="a parameter"),
        pytest.param([{"k1": 0.9, "b": 0.4}, {"b": 0.4}], ["tuning (k1=0.9)", "tuning"], id="one that only one states"),
        pytest.param([{"m": {"k1": 1}}, {"m": {"k1": 2}}], ["tuning (m.k1=1)", "tuning (m.k1=2)"], id="in a mapping"),
        pytest.param([{"file": "a"}, {"file": "b"}], ["tuning (file=a)", "tuning (file=b)"], id="a word, no path"),
    ],
)
def test_runs_without_a_name_are_told_by_the_parameters_that_differ(
    parameters: list[dict[str, Any]], expected: list[str]
) -> None:
    assert objects_of(runs(*(("", one) for one in parameters)))[0] == expected


@pytest.mark.parametrize("is_described", [False, True])
def test_a_name_with_a_long_gap_is_a_name_of_its_own(is_described: bool) -> None:  # noqa: FBT001
    # To look for a number from each blank again would take minutes: no clock is needed to notice that.
    names = [f"bm25{' ' * 100_000}{end}" for end in "xy"]

    assert objects_of(runs(*((name, {"k": 1} if is_described else {}) for name in names)))[0] == names


def test_experiments_are_told_apart() -> None:
    given = [Candidate("a", "", {"k1": 1}), Candidate("b", "", {"k1": 2})]

    assert objects_of(given) == (["a", "b"], [TWICE])


def test_it_is_said_which_runs_are_taken_for_repetitions_and_that_none_are() -> None:
    why = "as their parameters agree, seeds and paths aside"

    def remarks(*parameters: dict[str, Any]) -> list[str]:
        return objects_of(runs(*(("", one) for one in parameters)))[1]

    assert remarks({"seed": 1}, {"seed": 2}) == [f"2 runs are taken for repetitions of 'tuning', {why}"]
    assert remarks(*({"k1": k1} for k1 in (1, 1, 2, 2))) == [
        f"4 runs are taken for repetitions of 'tuning (k1=1)' and 'tuning (k1=2)', {why}"
    ]
    assert remarks(*({"k1": number // 2} for number in range(6))) == [
        f"6 runs are taken for repetitions of 3 objects, such as 'tuning (k1=0)', {why}"
    ]
    assert objects_of(runs(("bm25", {}), ("bm25", {})))[1] == []
    assert objects_of(runs(("bm25", {}), ("rm3", {})))[1] == [TWICE]
    assert objects_of(runs(("bm25", {})))[1] == []
