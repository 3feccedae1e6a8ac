"""Are RMSE and nRMSE those of the papers, and what are they where repro_eval has no answer or a wrong one?"""

from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad.errors import DataError, UndefinedMeasure
from primad.reproducibility.registry import mean_of_topics
from primad.reproducibility.score_error import nrmse, rmse
from tests.reproducibility.recorded import by_topic, effect_example, function_case, recorded, table_2

UNIT = st.floats(0, 1, allow_subnormal=False)
PAIRS = st.lists(st.tuples(UNIT, UNIT), min_size=1, max_size=20)


@pytest.mark.parametrize(
    ("original", "reproduced", "expected"),
    [
        pytest.param([0.2, 0.4], [0.2, 0.4], 0.0, id="identical"),
        pytest.param([0.2, 0.4], [0.5, 0.8], 0.125**0.5, id="0.3 and 0.4 off"),
        pytest.param([0.0], [1.0], 1.0, id="as far as can be"),
        pytest.param([5.0, 7.0], [2.0, 3.0], 12.5**0.5, id="scores above 1"),
    ],
)
def test_rmse_is_the_root_of_the_mean_squared_difference(
    original: list[float], reproduced: list[float], expected: float
) -> None:
    assert rmse(by_topic(original), by_topic(reproduced)) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("original", "reproduced", "expected"),
    [
        pytest.param([0.2, 0.7], [0.2, 0.7], 0.0, id="identical"),
        pytest.param([0.2, 0.7], [1.0, 0.0], 1.0, id="as far as can be"),
        pytest.param([0.5, 0.5], [0.25, 0.75], 0.5, id="half as far"),
    ],
)
def test_nrmse_is_a_share_of_the_largest_possible_error(
    original: list[float], reproduced: list[float], expected: float
) -> None:
    assert nrmse(by_topic(original), by_topic(reproduced)) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("original", "reproduced"),
    [
        pytest.param([5.0, 7.0], [0.0, 0.0], id="original above 1, for which repro_eval gives 1"),
        pytest.param([0.5, 0.7], [0.5, 1.2], id="reproduced above 1"),
        pytest.param([-0.1, 0.7], [0.5, 0.2], id="below 0"),
    ],
)
def test_nrmse_is_undefined_for_scores_outside_0_to_1(original: list[float], reproduced: list[float]) -> None:
    with pytest.raises(UndefinedMeasure, match=r"nrmse is undefined: .* a score lies outside"):
        nrmse(by_topic(original), by_topic(reproduced))


# repro_eval ---------------------------------------------------------------------------------------------------


def test_rmse_is_what_repro_eval_gives(shared_data: Path) -> None:
    cases = list(recorded(shared_data, "rmse"))

    assert len(cases) == 225
    assert {str(case): rmse(case.original, case.reproduced) for case in cases} == pytest.approx(
        {str(case): case.value for case in cases}, abs=1e-9
    )


def test_nrmse_is_what_repro_eval_gives(shared_data: Path) -> None:
    cases = list(recorded(shared_data, "nrmse"))

    assert len(cases) == 225
    assert {str(case): nrmse(case.original, case.reproduced) for case in cases} == pytest.approx(
        {str(case): case.value for case in cases}, abs=1e-9
    )


FIRST = {"1": 0.1, "2": 0.5, "3": 0.9, "4": 0.3}
SECOND = {"1": 0.12, "2": 0.55, "3": 0.93, "4": 0.35}
WITHOUT_4 = ("1", "2", "3")


def test_a_topic_that_either_run_lacks_is_left_out_where_repro_eval_crashes(shared_data: Path) -> None:
    three = {topic: SECOND[topic] for topic in WITHOUT_4}
    expected = function_case(shared_data, "F03")["AP"]

    assert function_case(shared_data, "F02")["error"].startswith("AttributeError")
    assert rmse(FIRST, three) == pytest.approx(expected, abs=1e-9)
    assert rmse({topic: FIRST[topic] for topic in WITHOUT_4}, SECOND) == pytest.approx(expected, abs=1e-9)
    assert nrmse(FIRST, SECOND) == pytest.approx(function_case(shared_data, "F04")["AP"], abs=1e-9)


def test_runs_without_a_shared_topic_are_refused() -> None:
    with pytest.raises(DataError, match="no topic that both have"):
        rmse({"1": 0.2}, {"2": 0.2})


# Published numbers --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("run", "error", "normalised"),
    [
        pytest.param("WCrobust04", 0.0741, 0.1071, id="baseline"),
        pytest.param("WCrobust0405", 0.0460, 0.0712, id="advanced"),
    ],
)
def test_the_row_called_rmse_in_the_published_table_is_nrmse(
    shared_data: Path, run: str, error: float, normalised: float
) -> None:
    scores = table_2(shared_data, run)

    assert round(rmse(*scores), 4) == error
    assert round(nrmse(*scores), 4) == normalised


def test_the_example_of_four_topics_is_reproduced(shared_data: Path) -> None:
    example = effect_example(shared_data)
    for run in ("base", "adv"):
        scores = by_topic(example[f"orig_{run}"]), by_topic(example[f"rep_{run}"])

        assert rmse(*scores) == pytest.approx(example[f"RMSE_{run}"], abs=1e-9)
        assert nrmse(*scores) == pytest.approx(example[f"nRMSE_{run}"], abs=1e-9)


# Properties ---------------------------------------------------------------------------------------------------


@given(PAIRS, st.randoms())
def test_no_value_depends_on_the_order_of_topics(pairs: list[tuple[float, float]], random: Random) -> None:
    topics = [str(number) for number in range(len(pairs))]
    original = dict(zip(topics, (pair[0] for pair in pairs), strict=True))
    reproduced = dict(zip(topics, (pair[1] for pair in pairs), strict=True))
    random.shuffle(topics)
    shuffled = {topic: original[topic] for topic in topics}

    assert rmse(shuffled, reproduced) == rmse(original, reproduced)
    assert nrmse(shuffled, reproduced) == nrmse(original, reproduced)


@given(PAIRS, st.sampled_from([0.25, 2.0, 1024.0]))
def test_scaling_all_scores_scales_rmse(pairs: list[tuple[float, float]], factor: float) -> None:
    original, reproduced = np.array(pairs).T

    scaled = rmse.formula(original * factor, reproduced * factor, mean_of_topics)

    assert scaled == pytest.approx(factor * rmse.formula(original, reproduced, mean_of_topics), rel=1e-12, abs=1e-150)


@given(PAIRS)
def test_both_are_symmetric_or_bounded_as_stated(pairs: list[tuple[float, float]]) -> None:
    original, reproduced = (by_topic(list(column)) for column in zip(*pairs, strict=True))

    assert rmse(original, reproduced) == rmse(reproduced, original)
    assert 0 <= nrmse(original, reproduced) <= 1 + 1e-12


def test_many_measures_at_once_have_the_values_of_each_alone() -> None:
    generator = np.random.default_rng(1)
    original, reproduced = generator.random((2, 5, 30))

    together = nrmse.formula(original, reproduced, mean_of_topics)

    assert together.tolist() == [
        float(nrmse.formula(first, second, mean_of_topics)) for first, second in zip(original, reproduced, strict=True)
    ]
