"""Are ER and DRI those of the papers, and undefined with a reason where there is nothing to divide by?"""

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from primad.errors import UndefinedMeasure
from primad.reproducibility.effects import delta_relative_improvement, effect_ratio
from primad.reproducibility.registry import Effect, Measure
from tests.reproducibility.recorded import by_topic, effect_example, function_case, recorded_effects, table_2

ORIGINAL = Effect.of({"301": 0.2, "302": 0.4}, {"301": 0.4, "302": 0.6})


def effect(baseline: Sequence[float], advanced: Sequence[float]) -> Effect:
    return Effect(np.array(baseline), np.array(advanced))


@pytest.mark.parametrize(
    ("advanced", "ratio", "delta"),
    [
        pytest.param({"301": 0.4, "302": 0.6}, 1.0, 0.0, id="the same gain"),
        pytest.param({"301": 0.3, "302": 0.5}, 0.5, 1 / 3, id="half the gain"),
        pytest.param({"301": 0.2, "302": 0.4}, 0.0, 2 / 3, id="no gain"),
        pytest.param({"301": 0.1, "302": 0.3}, -0.5, 1.0, id="a loss"),
        pytest.param({"302": 0.8, "301": 0.6}, 2.0, -2 / 3, id="twice the gain, topics in another order"),
    ],
)
def test_the_improvement_that_came_back_is_measured(advanced: dict[str, float], ratio: float, delta: float) -> None:
    repeated = Effect.of({"301": 0.2, "302": 0.4}, advanced)

    assert effect_ratio(ORIGINAL, repeated) == pytest.approx(ratio)
    assert delta_relative_improvement(ORIGINAL, repeated) == pytest.approx(delta)


def test_the_experiments_need_no_topic_in_common() -> None:
    elsewhere = Effect.of({"801": 0.1, "802": 0.3, "803": 0.2}, {"801": 0.2, "802": 0.4, "803": 0.3})

    assert effect_ratio(ORIGINAL, elsewhere) == pytest.approx(0.5)
    assert delta_relative_improvement(ORIGINAL, elsewhere) == pytest.approx(2 / 3 - 0.5)


@pytest.mark.parametrize(
    ("baseline", "advanced"),
    [
        pytest.param([0.2, 0.4], [0.2, 0.4], id="equal scores"),
        pytest.param([0.2, 0.4], [0.4, 0.2], id="gains that cancel out"),
        pytest.param([0.1, 0.2, 0.4], [0.4, 0.1, 0.2], id="gains that cancel out but for rounding"),
        pytest.param([1e-9, 2e-9, 4e-9], [4e-9, 1e-9, 2e-9], id="small gains that cancel out but for rounding"),
        pytest.param([0.0, 0.0, 0.0], [0.1, 0.2, -0.3], id="gains over nothing that cancel out but for rounding"),
    ],
)
def test_the_ratio_to_no_effect_is_undefined(baseline: list[float], advanced: list[float]) -> None:
    with pytest.raises(UndefinedMeasure, match="er is undefined: the original runs have equal mean scores"):
        effect_ratio(effect(baseline, advanced), effect([0.2, 0.4], [0.3, 0.5]))


@pytest.mark.parametrize("scale", [1e-200, 1e-20, 1e20])
def test_the_ratio_does_not_depend_on_the_unit_of_scores(scale: float) -> None:
    original, repeated = (np.array([[0.2, 0.4], gained]) * scale for gained in ([0.4, 0.6], [0.3, 0.5]))

    assert effect_ratio(Effect(*original), Effect(*repeated)) == pytest.approx(0.5)


def test_each_sample_of_topics_of_each_measure_has_a_ratio_of_its_own() -> None:
    def over_samples(scores: NDArray[np.float64]) -> NDArray[np.float64]:
        means: NDArray[np.float64] = scores[..., [[0, 1, 2], [0, 0, 0], [1, 1, 1]]].mean(axis=-1)
        return means

    original = Effect(np.array([[0.1, 0.2, 0.4], [0.5, 0.2, 0.3]]), np.array([[0.4, 0.1, 0.2], [0.6, 0.4, 0.6]]))
    repeated = Effect(original.baseline, original.baseline + 0.1)

    with np.errstate(divide="ignore"):
        ratios = effect_ratio.formula(replace(original, mean=over_samples), replace(repeated, mean=over_samples))

    assert ratios.tolist() == [pytest.approx([math.inf, 1 / 3, -1.0]), pytest.approx([0.5, 1.0, 0.5])]


@pytest.mark.parametrize(
    ("original", "reproduced"),
    [
        pytest.param(([0.0, 0.0], [0.1, 0.2]), ([0.1, 0.2], [0.2, 0.3]), id="original"),
        pytest.param(([0.1, 0.2], [0.2, 0.3]), ([0.0, 0.0], [0.1, 0.2]), id="reproduced"),
        pytest.param(([0.0, 0.0], [0.1, 0.2]), ([0.0, 0.0], [0.1, 0.2]), id="both"),
        pytest.param(([-0.2, 0.1], [0.4, 0.2]), ([0.2], [0.4]), id="original below 0"),
        pytest.param(([0.2], [0.4]), ([-0.2, 0.1], [0.4, 0.2]), id="reproduced below 0"),
        pytest.param(([-0.3, 0.1, 0.2], [0.1, 0.2, 0.3]), ([0.2], [0.4]), id="0 but for rounding"),
    ],
)
def test_the_improvement_over_nothing_or_less_is_undefined(
    original: tuple[list[float], list[float]], reproduced: tuple[list[float], list[float]]
) -> None:
    with pytest.raises(UndefinedMeasure, match="dri is undefined: a baseline has a mean score of 0 or below"):
        delta_relative_improvement(effect(*original), effect(*reproduced))


# repro_eval ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("measure", "infinite"),
    [
        pytest.param(effect_ratio, "V17", id="er: infinity where the original runs are equal"),
        pytest.param(delta_relative_improvement, "V18", id="dri: infinity where a baseline finds nothing"),
    ],
)
def test_values_are_those_of_repro_eval_but_for_its_infinities(
    shared_data: Path, measure: Measure, infinite: str
) -> None:
    cases = list(recorded_effects(shared_data, measure.name))
    finite = [case for case in cases if math.isfinite(case[3])]
    others = [case for case in cases if not math.isfinite(case[3])]

    assert (len(finite), len(others)) == (27, 9)
    assert {name: measure(first, second) for name, first, second, _ in finite} == pytest.approx(
        {name: value for name, _, _, value in finite}, abs=1e-9
    )
    for name, first, second, _ in others:
        assert name.startswith(infinite)
        with pytest.raises(UndefinedMeasure):
            measure(first, second)


def test_the_function_cases_of_repro_eval_hold(shared_data: Path) -> None:
    baseline = [0.2, 0.4, 0.6]
    original, weaker, lost = (effect(baseline, [b + gain for b in baseline]) for gain in (0.2, 0.1, -0.1))

    for case, repeated in (("F06", weaker), ("F07", lost)):
        expected = function_case(shared_data, case)
        assert effect_ratio(original, repeated) == pytest.approx(expected["ER"]["AP"], abs=1e-9)
        assert delta_relative_improvement(original, repeated) == pytest.approx(expected["DRI"]["AP"], abs=1e-9)
    assert function_case(shared_data, "F08")["ER"]["AP"] == "NaN"


# Published numbers --------------------------------------------------------------------------------------------


def test_the_published_table_is_reproduced(shared_data: Path) -> None:
    baseline, advanced = (table_2(shared_data, run) for run in ("WCrobust04", "WCrobust0405"))
    original, repeated = (Effect.of(baseline[side], advanced[side]) for side in (0, 1))

    assert round(effect_ratio(original, repeated), 4) == 1.0514
    assert round(delta_relative_improvement(original, repeated), 4) == -0.0123


def test_the_example_of_four_topics_is_reproduced(shared_data: Path) -> None:
    example = effect_example(shared_data)
    original, repeated = (
        Effect.of(by_topic(example[f"{side}_base"]), by_topic(example[f"{side}_adv"])) for side in ("orig", "rep")
    )

    assert effect_ratio(original, repeated) == pytest.approx(example["ER"], abs=1e-9)
    assert delta_relative_improvement(original, repeated) == pytest.approx(example["DRI"], abs=1e-9)
    assert float(original.relative_improvement()) == pytest.approx(example["RI_orig"], abs=1e-9)
    assert float(repeated.relative_improvement()) == pytest.approx(example["RI_rep"], abs=1e-9)


# Properties ---------------------------------------------------------------------------------------------------

HUNDREDTHS = st.integers(0, 100).map(lambda number: number / 100)
FOUR_SCORES = st.lists(st.tuples(HUNDREDTHS, HUNDREDTHS, HUNDREDTHS, HUNDREDTHS), min_size=1, max_size=15)


@given(FOUR_SCORES, st.sampled_from([0.5, 3.0, 100.0]))
def test_the_unit_of_the_scores_does_not_matter(rows: list[tuple[float, ...]], factor: float) -> None:
    columns = np.array(rows).T
    assume(abs((columns[1] - columns[0]).mean()) > 1e-6)
    assume(min(columns[0].mean(), columns[2].mean()) > 1e-6)
    plain = Effect(columns[0], columns[1]), Effect(columns[2], columns[3])
    scaled = tuple(Effect(one.baseline * factor, one.advanced * factor) for one in plain)

    for measure in (effect_ratio, delta_relative_improvement):
        assert measure(*scaled) == pytest.approx(measure(*plain), rel=1e-9, abs=1e-9)


@given(FOUR_SCORES, st.randoms())
def test_no_value_depends_on_the_order_of_topics(rows: list[tuple[float, ...]], random: Random) -> None:
    topics = [str(number) for number in range(len(rows))]
    runs = [dict(zip(topics, column, strict=True)) for column in zip(*rows, strict=True)]
    assume(abs(float(Effect.of(runs[0], runs[1]).mean_improvement())) > 1e-6)
    random.shuffle(topics)
    shuffled = [{topic: run[topic] for topic in topics} for run in runs]

    assert effect_ratio(Effect.of(*shuffled[:2]), Effect.of(*shuffled[2:])) == effect_ratio(
        Effect.of(*runs[:2]), Effect.of(*runs[2:])
    )
