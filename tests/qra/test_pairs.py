"""Are reproductions compared with their originals as they should be?"""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad.errors import DataError, UndefinedMeasure
from primad.qra.example import example_measurements
from primad.qra.grouping import Group, groups_of
from primad.qra.measurement import Direction, Measurement, Role, Scale
from primad.qra.pairs import Pair, original_of, pairs_of, reproductions_of, summaries, summary_of


def measured(value: str, role: Role, *, object_: str = "A", study: str = "", low: float | None = 0.0) -> Measurement:
    """Return a measurement that says no more than a pair needs."""
    return Measurement(
        object=object_, measurand="BLEU", value=value, role=role, study=study, scale=Scale(low), direction="higher"
    )


@pytest.mark.parametrize(
    ("direction", "reproduction", "outcome"),
    [
        pytest.param("higher", 60.0, "better", id="more where more is better"),
        pytest.param("higher", 40.0, "worse", id="less where more is better"),
        pytest.param("lower", 60.0, "worse", id="more where less is better"),
        pytest.param("lower", 40.0, "better", id="less where less is better"),
        pytest.param("", 60.0, "higher", id="more where nobody has said"),
        pytest.param("", 40.0, "lower", id="less where nobody has said"),
        pytest.param("lower", 50.0, "equal", id="equal"),
    ],
)
def test_a_reproduction_is_better_or_worse_by_the_direction(
    direction: Direction, reproduction: float, outcome: str
) -> None:
    assert Pair(original=50.0, reproduction=reproduction, direction=direction).outcome == outcome


def test_values_are_equal_as_numbers_however_they_are_written() -> None:
    groups = groups_of([measured("84.50", "original"), measured("84.5", "reproduction")])

    assert [pair.outcome for pair in pairs_of(groups)] == ["equal"]


def test_relative_differences_are_taken_from_the_start_of_the_scale() -> None:
    groups = groups_of([measured("3", "original", low=1), measured("4", "reproduction", low=1)])

    assert [pair.relative_difference for pair in pairs_of(groups)] == [50.0]


@pytest.mark.parametrize("original", [0.0, -2.0, 5e-324], ids=["at the start", "below it", "next to it"])
def test_a_pair_whose_original_is_not_above_0_is_left_out_of_the_median_and_counted(original: float) -> None:
    pairs = [Pair(original=original, reproduction=1.0), Pair(original=4.0, reproduction=5.0)]

    summary = summary_of(pairs)

    assert (summary.median_difference, summary.without_difference) == (25.0, 1)
    assert "(n = 1, 1 without one left out)" in summary.sentence


def test_without_any_original_above_0_there_is_no_relative_difference() -> None:
    summary = summary_of([Pair(original=0.0, reproduction=1.0)])

    assert summary.median_difference is None
    assert "there is no relative difference" in summary.sentence


def test_each_reproduction_is_paired_with_the_original_of_its_group() -> None:
    groups = groups_of(
        [
            measured("50", "original"),
            measured("55", "reproduction"),
            measured("45", "reproduction"),
            measured("70", ""),
            measured("80", "original", object_="B"),
            measured("80", "reproduction", object_="B"),
        ]
    )

    assert [(pair.object, pair.original, pair.reproduction) for pair in pairs_of(groups)] == [
        ("A", 50.0, 55.0),
        ("A", 50.0, 45.0),
        ("B", 80.0, 80.0),
    ]


@pytest.mark.parametrize(
    "roles",
    [
        pytest.param(("reproduction", "reproduction"), id="no original"),
        pytest.param(("original", "original", "reproduction"), id="two originals"),
    ],
)
def test_a_group_without_exactly_one_original_has_no_pairs(roles: tuple[Role, ...]) -> None:
    groups = groups_of([measured(str(50 + place), role) for place, role in enumerate(roles)])

    assert pairs_of(groups) == ()


def test_a_group_has_one_original_and_the_reproductions_that_are_called_so() -> None:
    original, silent = measured("50", "original"), measured("70", "")
    first, last = measured("55", "reproduction"), measured("45", "reproduction")
    group = Group("A", "BLEU", (first, original, last, silent))

    assert original_of(group) == original
    assert reproductions_of(group) == (first, last)


def test_the_original_of_a_group_is_refused_where_there_are_two() -> None:
    members = tuple(measured(value, "original") for value in ("50", "51"))

    with pytest.raises(UndefinedMeasure, match="it needs exactly one original, found 2"):
        original_of(Group("A", "BLEU", members))


def test_a_summary_of_no_pairs_is_refused() -> None:
    with pytest.raises(UndefinedMeasure, match="exactly one original and at least 1 reproduction, found 0"):
        summary_of([])


def test_groups_without_pairs_have_no_summaries() -> None:
    assert summaries(groups_of([measured("50", "original"), measured("51", "")])) == ()


def test_a_pair_of_what_is_no_number_is_an_error() -> None:
    with pytest.raises(DataError, match="two finite values, found nan and 1"):
        Pair(original=math.nan, reproduction=1.0)


def test_all_pairs_are_summed_up_first_and_then_those_of_each_study() -> None:
    groups = groups_of(
        [
            measured("50", "original", study="first"),
            measured("50", "reproduction", study="first"),
            measured("80", "original", object_="B", study="second"),
            measured("60", "reproduction", object_="B", study="second"),
        ]
    )

    found = summaries(groups)

    assert [(one.study, one.n, one.share("equal"), one.share("worse"), one.median_difference) for one in found] == [
        ("", 2, 0.5, 0.5, 12.5),
        ("first", 1, 1.0, 0.0, 0.0),
        ("second", 1, 0.0, 1.0, 25.0),
    ]
    assert found[1].sentence == (
        "Of 1 original/reproduction pair of first, 1 (100 %) is exactly equal. "
        "The median absolute difference is 0 % of the original (n = 1)."
    )


def test_pairs_are_ready_for_json() -> None:
    pairs = [Pair(original=0.0, reproduction=1.0), Pair(original=4.0, reproduction=5.0, direction="higher")]
    found = [*(pair.to_dict() for pair in pairs), summary_of(pairs).to_dict()]

    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert (found[0]["relative_difference"], found[2]["share_better"]) == (None, 0.5)


@given(st.lists(st.tuples(st.integers(1, 20), st.integers(0, 20)), min_size=1, max_size=20))
def test_each_pair_has_one_outcome(values: list[tuple[int, int]]) -> None:
    summary = summary_of([Pair(original=first, reproduction=second, direction="lower") for first, second in values])

    assert sum(summary.counts.values()) == summary.n == len(values)
    assert summary.counts["better"] == sum(second < first for first, second in values)


def test_differences_on_a_scale_that_does_not_start_at_0_are_said_to_be_counted_from_its_start() -> None:
    summary = summary_of([Pair(original=3.0, reproduction=3.5, start=1.0)])

    assert summary.median_difference == pytest.approx(25.0)
    assert "is 25.000 % of the original, counted from the start of its scale (n = 1)." in summary.sentence


def test_the_published_pairs_are_98_of_which_3_are_exactly_equal() -> None:
    overall, *studies = summaries(groups_of(example_measurements("belz2022").measurements))

    assert (overall.n, overall.counts["equal"]) == (98, 3)
    assert {one.study: one.n for one in studies} == {"essay": 77, "nts": 18, "pass": 3}
    assert overall.sentence == (
        "Of 98 original/reproduction pairs, 3 (3 %) are exactly equal; of the others the reproduction is: 44 better, "
        "51 worse. The median absolute difference is 5.073 % of the original, counted from the start of its scale "
        "(n = 98). "
        "For context: a survey of 513 pairs found 14 % exactly equal (Belz et al. 2021a)."
    )
    assert "survey" not in studies[0].sentence
