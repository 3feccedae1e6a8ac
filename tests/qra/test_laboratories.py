"""Are repeatability and reproducibility by laboratory right, and refused where there are no replicates?

The figures are checked against NIST's certified analysis of variance (StRD, dataset SiRstv: resistance of silicon
wafers measured by five instruments) and, for unequal numbers of replicates, against scipy's F statistic.
"""

import json
import math
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import f_oneway

from primad.errors import DataError, UndefinedMeasure
from primad.qra.grouping import Group
from primad.qra.laboratories import Laboratories, by_laboratory, laboratories_of
from primad.qra.measurement import Measurement

RESISTANCES = {
    "1": [196.3052, 196.1240, 196.1890, 196.2569, 196.3403],
    "2": [196.3042, 196.3825, 196.1669, 196.3257, 196.0422],
    "3": [196.1303, 196.2005, 196.2889, 196.0343, 196.1811],
    "4": [196.2795, 196.1748, 196.1494, 196.1485, 195.9885],
    "5": [196.2119, 196.1051, 196.1850, 196.0052, 196.2090],
}
CERTIFIED_BETWEEN, CERTIFIED_WITHIN = 1.27865654e-02, 1.0831828e-02  # mean squares
UNEQUAL = {"a": [87.5, 88.1, 89.4, 88.0], "b": [84.2, 84.9], "c": [91.0], "d": [86.0, 86.3, 86.1]}


def of_parts(parts: Mapping[str, Sequence[float]]) -> Laboratories:
    """Return the result for values by laboratory."""
    names = [name for name, values in parts.items() for _ in values]
    return by_laboratory([value for values in parts.values() for value in values], names)


def group(*rows: tuple[str, Mapping[str, str]]) -> Group:
    """Return a group of values with their conditions, all of which are looked at."""
    names = tuple(dict.fromkeys(name for _, conditions in rows for name in conditions))
    members = tuple(
        Measurement(object="NTS", measurand="BLEU", value=value, conditions=conditions) for value, conditions in rows
    )
    return Group("NTS", "BLEU", members, names)


def test_certified_mean_squares_give_the_standard_deviations() -> None:
    result = of_parts(RESISTANCES)

    between = (CERTIFIED_BETWEEN - CERTIFIED_WITHIN) / 5
    assert result.repeatability == pytest.approx(1.04076068334656e-01, rel=1e-10)
    assert result.between == pytest.approx(math.sqrt(between), rel=1e-6)
    assert result.reproducibility == pytest.approx(math.sqrt(between + CERTIFIED_WITHIN), rel=1e-8)
    assert result.mean == pytest.approx(196.18916, rel=1e-7)
    assert result.n == 25


def test_unequal_numbers_of_replicates_agree_with_an_analysis_of_variance() -> None:
    result = of_parts(UNEQUAL)

    # n = 10 values of p = 4 laboratories: the mean number of replicates is (10 - 30/10) / 3
    f, _ = f_oneway(*UNEQUAL.values())
    replicates = (10 - (16 + 4 + 1 + 9) / 10) / 3
    assert result.between**2 == pytest.approx(result.repeatability**2 * (f - 1) / replicates)
    assert result.reproducibility == pytest.approx(math.hypot(result.between, result.repeatability))
    assert result.replicates == {"a": 4, "b": 2, "c": 1, "d": 3}


def test_limits_are_2_8_standard_deviations() -> None:
    result = of_parts({"a": [10, 12], "b": [20, 22]})

    assert result.repeatability_limit == pytest.approx(2.8 * math.sqrt(2))
    assert result.reproducibility_limit == pytest.approx(2.8 * math.sqrt(2 + 49))


def test_a_negative_variance_between_laboratories_is_set_to_0_and_said() -> None:
    result = of_parts({"a": [10, 20], "b": [11, 19]})

    assert result.between == 0
    assert result.reproducibility == result.repeatability
    assert "s_L is set to 0" in result.sentence
    assert result.to_dict()["between_negative"] is True


def test_no_variance_at_all_is_0_and_not_negative() -> None:
    result = of_parts({"a": [5, 5], "b": [5, 5]})

    assert (result.repeatability, result.between, result.between_negative) == (0, 0, False)
    assert "s_L is set to 0" not in result.sentence


@given(st.lists(st.floats(-100, 100), min_size=4, max_size=12), st.integers(-1000, 1000).filter(bool))
def test_standard_deviations_grow_with_the_unit(values: list[float], factor: int) -> None:
    names = [str(place % 3) for place in range(len(values))]
    once, scaled = by_laboratory(values, names), by_laboratory([factor * value for value in values], names)

    size = max(map(abs, values)) * abs(factor)
    assert scaled.repeatability == pytest.approx(abs(factor) * once.repeatability, abs=1e-6 * size)
    assert scaled.reproducibility == pytest.approx(abs(factor) * once.reproducibility, abs=1e-6 * size)


@pytest.mark.parametrize("size", [1e-300, 1e299], ids=["tiny", "huge"])
def test_values_whose_squares_no_float_can_hold_are_no_trouble(size: float) -> None:
    result = of_parts({"a": [size, 1.5 * size], "b": [size, 1.5 * size]})

    assert result.repeatability == pytest.approx(size / math.sqrt(8), rel=1e-9, abs=0)
    assert result.mean == pytest.approx(1.25 * size, rel=1e-9, abs=0)


def test_values_may_be_as_large_as_is_said() -> None:
    result = of_parts({"a": [1e300, -1e300], "b": [1e300]})

    assert result.mean == pytest.approx(1e300 / 3)


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        pytest.param({}, "it needs at least 2 laboratories, found 0", id="none"),
        pytest.param({"a": [1.0, 2.0]}, "it needs at least 2 laboratories, found 1", id="one"),
        pytest.param(
            {"a": [1.0], "b": [2.0], "c": [3.0]},
            "it needs a laboratory with at least 2 values, but each of the 3 laboratories has one",
            id="no replicates",
        ),
    ],
)
def test_too_few_laboratories_or_replicates_are_refused(parts: dict[str, list[float]], reason: str) -> None:
    with pytest.raises(UndefinedMeasure) as error:
        of_parts(parts)

    assert error.value.reason == reason


@pytest.mark.parametrize("value", [math.nan, -math.inf, 1.7e308])
def test_a_value_that_is_no_number_or_too_large_for_limits_is_an_error(value: float) -> None:
    with pytest.raises(DataError) as error:
        of_parts({"a": [1.0, value], "b": [2.0]})

    assert str(error.value) == f"expected numbers between -1e+300 and 1e+300 as values by laboratory, found {value}"


def test_a_value_without_laboratory_is_an_error() -> None:
    with pytest.raises(DataError, match="a laboratory for each of 2 values, found 1"):
        by_laboratory([1.0, 2.0], ["a"])


# Groups ------------------------------------------------------------------------------------------------------


def test_laboratories_of_a_group_are_those_that_performed_the_measurements() -> None:
    result = laboratories_of(
        group(
            ("10", {"performed_by": "a", "script": "s1"}),
            ("12", {"performed_by": "a", "script": "s1"}),
            ("20", {"performed_by": "b", "script": "s2"}),
            ("22", {"performed_by": "b", "script": "s2"}),
        )
    )

    assert (result.repeatability, result.between) == pytest.approx((math.sqrt(2), 7.0))
    assert result.condition == "performed_by"
    assert result.sentence == (
        "Over 4 values of 2 laboratories the standard deviation is 1.414 within a laboratory (s_r) and 7.141 across "
        "laboratories (s_R). ISO 5725 limits, 2.8 s: 3.960 for two values of one laboratory, 19.996 for two of "
        "different ones; 95 of 100 pairs would differ by no more if s were known exactly, but here s_r rests on 2 "
        "degrees of freedom and s_R on 2 laboratories. "
        "What changes together with the laboratory cannot be told from it: script."
    )


def test_laboratories_are_ready_for_json() -> None:
    found = of_parts({"a": [10, 12], "b": [20]}).to_dict()

    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert found["laboratories"] == {"a": 2, "b": 1}
    assert found["repeatability_degrees_of_freedom"] == 1
    assert (found["varying_with_laboratory"], found["not_known_throughout"]) == ([], [])


def test_another_condition_can_tell_laboratories_apart() -> None:
    rows = [("10", {"team": "a"}), ("12", {"team": "a"}), ("20", {"team": "b"})]

    assert laboratories_of(group(*rows), "team").replicates == {"a": 2, "b": 1}


@pytest.mark.parametrize("name", [pytest.param("?", id="unknown"), pytest.param("", id="not stated")])
def test_a_laboratory_that_nobody_knows_is_refused(name: str) -> None:
    rows = [("10", {"performed_by": "a"}), ("12", {"performed_by": "a"}), ("20", {"performed_by": name})]

    with pytest.raises(UndefinedMeasure) as error:
        laboratories_of(group(*rows))

    assert error.value.reason == (
        "Performed by is unknown or not stated for 1 of 3 measurements; "
        "--laboratory names another condition that tells laboratories apart"
    )


@pytest.mark.parametrize(
    ("seeds", "found"),
    [
        pytest.param(("1", "2"), "are no replicates under equal conditions: seed is 1, 2", id="different"),
        pytest.param(
            ("seed ?", "seed ?"),
            "are not known to be replicates under equal conditions: seed is seed ?",
            id="both unknown",
        ),
        pytest.param(
            ("1", ""),
            "are not known to be replicates under equal conditions: seed is 1, not stated",
            id="stated for one only",
        ),
    ],
)
def test_values_not_known_to_be_under_equal_conditions_are_no_replicates(seeds: tuple[str, str], found: str) -> None:
    rows = [("20", {"performed_by": "b", "seed": "1"})]
    rows += [("10", {"performed_by": "a", "seed": seed}) for seed in seeds]

    with pytest.raises(UndefinedMeasure) as error:
        laboratories_of(group(*rows))

    assert error.value.reason == f"the 2 values of 'a' {found}"


def in_laboratories(*values: str) -> Laboratories:
    """Return the result for two replicates in a laboratory a, one in b and one in c, where gpu has these VALUES."""
    a, b, c = ({"performed_by": name, "gpu": value} for name, value in zip("abc", values, strict=True))
    return laboratories_of(group(("10", a), ("12", a), ("20", b), ("21", c)))


@pytest.mark.parametrize(
    ("values", "varying", "not_known"),
    [
        pytest.param(("x", "x", "x"), (), (), id="equal"),
        pytest.param(("x", "y", "x"), ("gpu",), (), id="different"),
        pytest.param(("x", "y", ""), (), ("gpu",), id="different, but not stated throughout"),
        pytest.param(("", "y", "y"), (), ("gpu",), id="not stated for the replicates"),
        pytest.param(("x", "x", "?"), (), ("gpu",), id="unknown in one laboratory"),
        pytest.param(("x", "y", "?"), ("gpu",), (), id="different whatever the unknown one is"),
        pytest.param(("", "", ""), (), (), id="stated nowhere"),
    ],
)
def test_only_what_is_stated_throughout_is_said_to_change_with_the_laboratory(
    values: tuple[str, ...], varying: tuple[str, ...], not_known: tuple[str, ...]
) -> None:
    result = in_laboratories(*values)

    assert (result.varying_with, result.not_known) == (varying, not_known)
    assert ("cannot be told from it: gpu." in result.sentence) is bool(varying)
    assert (
        "Not stated or not known throughout, so perhaps changing with the laboratory, too: gpu." in result.sentence
    ) is bool(not_known)


def test_a_condition_that_is_not_looked_at_does_not_keep_values_from_being_replicates() -> None:
    rows = [("20", {"performed_by": "b", "seed": "1"})]
    rows += [("10", {"performed_by": "a", "seed": seed}) for seed in "12"]
    looking_away = Group("NTS", "BLEU", group(*rows).measurements, ("performed_by",))

    assert laboratories_of(looking_away).repeatability == 0
