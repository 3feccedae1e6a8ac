"""Are measurements put together as they belong, and is everything that is wrong with them said at once?"""

from typing import Any

import pytest

from primad.errors import MeasurementError, UsageError
from primad.qra.grouping import ONE_SCALE, flaws_in, groups_of, selected
from primad.qra.measurement import Measurement, Scale


def made(value: str, line: int = 0, **facts: Any) -> Measurement:
    """Return a measurement of BLEU of the object A unless FACTS say otherwise."""
    return Measurement(**{"object": "A", "measurand": "BLEU", "value": value, "file": "m.csv", "line": line, **facts})


def flaws_of(*measurements: Measurement) -> list[str]:
    """Return what is wrong with MEASUREMENTS, line by line."""
    with pytest.raises(MeasurementError) as caught:
        groups_of(measurements)
    return str(caught.value).splitlines()


def test_values_of_one_measurand_of_one_object_form_a_group_in_the_order_they_appear() -> None:
    groups = groups_of([made("1"), made("2", object="B"), made("3", measurand="SARI"), made("4")])

    assert [(group.object, group.measurand, group.values) for group in groups] == [
        ("A", "BLEU", (1.0, 4.0)),
        ("B", "BLEU", (2.0,)),
        ("A", "SARI", (3.0,)),
    ]


def test_a_scale_that_does_not_start_at_0_is_shifted() -> None:
    (group,) = groups_of([made("5.64", scale=Scale(1, 7)), made("6.30", scale=Scale(1, 7))])

    assert group.shift == 1
    assert group.shifted == pytest.approx((4.64, 5.30))


# What keeps a group from being assessed


@pytest.mark.parametrize("value", ["", "nan", "n/a"])
def test_a_value_that_is_no_number_is_refused_with_file_line_and_group(value: str) -> None:
    assert flaws_of(made("1"), made(value, 7)) == [
        f"m.csv:7: value: expected a finite number for A, BLEU, found '{value}'"
    ]


def test_a_value_outside_the_declared_scale_is_refused() -> None:
    scale = Scale(1, 7)

    assert flaws_of(made("5", scale=scale), made("7.5", 3, scale=scale)) == [
        "m.csv:3: value: expected A, BLEU on its scale of 1 to 7, found 7.5"
    ]


def test_mixed_scales_units_and_directions_are_refused() -> None:
    first = made("0.5", scale=Scale(0, 1), unit="fraction", direction="higher")

    assert flaws_of(
        first,
        made("50", 2, scale=Scale(0, 100), unit="fraction", direction="higher"),
        made("0.4", 3, scale=Scale(0, 1), unit="percent", direction="higher"),
        made("0.4", 4, scale=Scale(0, 1), unit="fraction", direction="lower"),
    ) == [
        "m.csv:2: scale: expected 0 to 1 as in the first measurement of A, BLEU, found 0 to 100" + ONE_SCALE,
        "m.csv:3: unit: expected 'fraction' as in the first measurement of A, BLEU, found 'percent'",
        "m.csv:4: direction: expected 'higher' as in the first measurement of A, BLEU, found 'lower'",
    ]


def test_who_mixes_scales_is_told_what_to_do_once() -> None:
    first, *others = flaws_of(
        made("3", scale=Scale(1, 5)), made("50", 2, scale=Scale(0, 100)), made("60", 3, scale=Scale(0, 100))
    )

    assert first == (
        "m.csv:2: scale: expected 1 to 5 as in the first measurement of A, BLEU, found 0 to 100; convert the values to "
        "one scale, or give those of another scale a measurand of their own (--where measurand=NAME leaves other "
        "measurands out)"
    )
    assert others == ["m.csv:3: scale: expected 1 to 5 as in the first measurement of A, BLEU, found 0 to 100"]


def test_a_mean_of_0_after_the_shift_is_refused() -> None:
    scale = Scale(1, 5)

    assert flaws_of(made("1", 2, scale=scale), made("1.0", 3, scale=scale)) == [
        "m.csv:2: value: expected a mean above the lowest value of A, BLEU, found 2 times 1"
    ]


def test_a_group_where_its_scale_starts_is_no_ground_to_refuse_another_one() -> None:
    at_start = [made("1", 2, scale=Scale(1, 5)), made("1", 3, scale=Scale(1, 5))]
    other = [made("3", 4, object="B"), made("4", 5, object="B")]

    assert [group.values for group in groups_of([*at_start, *other])] == [(1.0, 1.0), (3.0, 4.0)]
    assert flaws_in([*at_start, *other]) == []


def test_groups_that_all_lie_where_their_scales_start_are_refused_together() -> None:
    assert flaws_of(
        made("1", 2, scale=Scale(1, 5)), made("1", 3, scale=Scale(1, 5)), *[made("0", 4, object="B")] * 2
    ) == [
        "m.csv:2: value: expected a mean above the lowest value of A, BLEU, found 2 times 1",
        "m.csv:4: value: expected a mean above the lowest value of B, BLEU, found 2 times 0",
    ]


def test_the_same_outputs_measured_twice_are_refused() -> None:
    assert flaws_of(made("3", 2, outputs="ab12"), made("3", 3, outputs="ab12")) == [
        "m.csv:3: outputs: expected each measurement of A, BLEU once, found the same as at m.csv:2"
    ]


def test_everything_that_is_wrong_is_said_at_once_also_in_several_files() -> None:
    lines = flaws_of(made("x", 2), made("y", 3, object="B", file="n.csv"))

    assert [line.split(": ")[0] for line in lines] == ["m.csv:2", "n.csv:3"]


def test_of_some_measurements_no_mean_is_looked_at() -> None:
    some = [made("0", 2), made("0", 3)]

    assert [str(flaw) for flaw in flaws_in(some)] == [
        "m.csv:2: value: expected a mean above the lowest value of A, BLEU, found 2 times 0"
    ]
    assert flaws_in(some, are_all=False) == []


# What may be right, but looks wrong


def test_rows_that_say_the_same_without_a_hash_are_remarked() -> None:
    (group,) = groups_of([made("3", 2), made("3", 3)])

    assert group.remarks == ("m.csv:3 says the same as m.csv:2; if it is no repetition, remove one",)


@pytest.mark.parametrize(
    ("value", "scale", "expected"),
    [
        pytest.param("3", Scale(1, 5), set(), id="ratings"),
        pytest.param("3", Scale(0, 10), set(), id="ratings on the longest short scale"),
        pytest.param("3", Scale(0, 11), {1}, id="a longer scale"),
        pytest.param("3", Scale(1), {1}, id="a scale that ends nowhere"),
        pytest.param("3", Scale(), {1}, id="no scale"),
        pytest.param("3.0", Scale(1, 5), {1}, id="a mean of ratings"),
    ],
)
def test_equal_values_may_be_copies_unless_they_are_ratings(value: str, scale: Scale, expected: set[int]) -> None:
    (group,) = groups_of([made(value, 2, scale=scale), made(value, 3, scale=scale)])

    assert group.copies == expected


def test_many_ratings_of_one_source_are_remarked_once_and_not_as_duplicates() -> None:
    ratings = [made("3", line, scale=Scale(1, 5), source="x") for line in range(10)]

    ((remark,),) = (group.remarks for group in groups_of(ratings))

    assert remark == (
        "10 values of 'x' are whole numbers on a scale of 1 to 5; single ratings are no measurements of a system: give "
        "the mean of each study, or the ratings as labels if agreement is asked for"
    )


@pytest.mark.parametrize(
    ("scale", "sources"),
    [
        pytest.param(Scale(1, 5), "x" * 9, id="fewer"),
        pytest.param(Scale(1, 5), "xxxxxyyyyy", id="of several sources"),
        pytest.param(Scale(0, 100), "x" * 10, id="a long scale"),
        pytest.param(Scale(), "x" * 10, id="no scale"),
    ],
)
def test_whole_numbers_that_may_be_measurements_are_not_remarked_as_ratings(scale: Scale, sources: str) -> None:
    (group,) = groups_of([made("3", line, scale=scale, source=source) for line, source in enumerate(sources)])

    assert not [remark for remark in group.remarks if "single ratings" in remark]


def test_rows_of_different_experiments_may_say_the_same() -> None:
    (group,) = groups_of([made("3", experiment="1", outputs="ab"), made("3", experiment="2", outputs="ab")])

    assert group.remarks == ()


@pytest.mark.parametrize(("small", "remarked"), [("0.8", True), ("4", False), ("3.9", True)])
def test_percentages_beside_fractions_are_remarked(small: str, remarked: bool) -> None:  # noqa: FBT001
    (group,) = groups_of([made("80"), made(small)])

    assert any("percentages beside fractions" in remark for remark in group.remarks) is remarked


TWO_NAMES = [
    pytest.param("ROUGEL", "ROUGE-L", True, id="a hyphen"),
    pytest.param("BartSum", "bartsum", True, id="case"),
    pytest.param("top_1", "TOP 1", True, id="blank and underscore"),
    pytest.param("mult-word", "multword", True, id="between letters"),
    pytest.param("mult-word-", "mult-word+", False, id="other marks at the end"),
    pytest.param("mult-word", "mult-word-", False, id="a mark at the end"),
    pytest.param("lambda -1", "lambda 1", False, id="a sign"),
    pytest.param("layers 1-1", "layers 11", False, id="between digits"),
    pytest.param("BLEU", "BLEU4", False, id="another name"),
]


@pytest.mark.parametrize(("first", "second", "alike"), TWO_NAMES)
@pytest.mark.parametrize("field", ["object", "measurand"])
def test_names_that_differ_in_case_or_separators_are_remarked(
    field: str, first: str, second: str, *, alike: bool
) -> None:
    given: Any = [{field: name} for name in (first, second, "other")]
    groups = groups_of(made("3", **facts) for facts in given)

    text = "the group is perhaps the same as '{}', which is a group of its own"
    expected = [(text.format(second),), (text.format(first),), ()] if alike else [(), (), ()]
    assert [group.remarks for group in groups] == expected


def test_where_object_and_measurand_differ_in_separators_both_are_named() -> None:
    first, _ = groups_of([made("3", object="BART", measurand="F1"), made("4", object="bart", measurand="F-1")])

    assert first.remarks == ("the group is perhaps the same as 'bart, F-1', which is a group of its own",)


def test_similar_names_of_what_has_no_group_in_common_are_not_remarked() -> None:
    groups = groups_of([made("3", object="BART", measurand="F1"), made("4", object="bart", measurand="BLEU")])

    assert [group.remarks for group in groups] == [(), ()]


def test_of_thousands_of_similar_names_each_group_names_one() -> None:
    names = [f"{'a' * place}{'A' * (2000 - place)}" for place in range(2000)]

    groups = groups_of(made("3", object=name) for name in names)

    assert [len(group.remarks) for group in groups] == [1] * 2000


# Conditions


def test_equal_conditions_are_repeatability_and_others_reproducibility() -> None:
    (same,) = groups_of([made("1", conditions={"seed": "1"}), made("2", conditions={"seed": "1"})])
    (other,) = groups_of([made("1", conditions={"seed": "1"}), made("2", conditions={"seed": "2"})])

    assert (same.kind, same.stated.constant) == ("repeatability", {"seed": "1"})
    assert (other.kind, other.stated.varying) == ("reproducibility", {"seed": ("1", "2")})


def test_what_nobody_knows_is_not_equal_to_itself() -> None:
    (group,) = groups_of([made("1", conditions={"seed": "?"}), made("2", conditions={"seed": "?"})])

    assert group.kind == "reproducibility"
    assert group.stated.unknown == ("seed",)


def test_a_condition_that_some_measurements_leave_blank_counts_for_nothing() -> None:
    (group,) = groups_of(
        [made("1", conditions={"seed": "1", "env": "e"}), made("2", conditions={"seed": "", "env": "e"})]
    )

    assert group.stated.partly == ("seed",)
    assert group.kind == "repeatability"


def test_without_any_condition_nobody_can_claim_repeatability() -> None:
    (group,) = groups_of([made("1"), made("2")])

    assert group.kind == "reproducibility"


def test_repeatability_follows_the_choice_of_conditions() -> None:
    both = [made("1", conditions={"seed": "1", "env": "e"}), made("2", conditions={"seed": "2", "env": "e"})]

    (group,) = groups_of(both, conditions=["env"])

    assert group.kind == "repeatability"


# Parts


def test_groups_are_parted_by_a_condition_and_the_unknown_is_in_no_part() -> None:
    groups = groups_of(
        [made("1", conditions={"seed": "1"}), made("2", conditions={"seed": "2"}), made("3", conditions={"seed": "?"})],
        by=["seed"],
    )

    assert [(group.title, group.values) for group in groups] == [
        ("A, BLEU (seed=1)", (1.0,)),
        ("A, BLEU (seed=2)", (2.0,)),
    ]


def test_measurements_are_selected_by_conditions_and_fields_of_which_values_are_alternatives() -> None:
    all_of_them = [
        made("1", role="original", name="a"),
        made("2", role="reproduction", name="b", conditions={"seed": "1"}),
        made("3", role="reproduction", name="c", conditions={"seed": "2"}),
    ]

    assert [one.value for one in selected(all_of_them, {"role": ["reproduction"], "seed": ["2"]})] == ["3"]
    assert [one.value for one in selected(all_of_them, {"id": ["a", "c"]})] == ["1", "3"]


def test_measurements_are_selected_by_names_as_the_paper_prints_them() -> None:
    both = [made("1", conditions={"performed_by": "Me"}), made("2", conditions={"performed_by": "You"})]

    assert [one.value for one in selected(both, {"Performed by": ["Me"]})] == ["1"]
    assert [one.value for one in selected(both, {"performed BY": ["You"]})] == ["2"]
    assert selected(both, {"Performed by": ["Me"], "performed_by": ["You"]}) == []


def test_a_condition_of_that_very_name_goes_before_what_the_paper_prints() -> None:
    one = made("1", conditions={"Method": "mine", "method": "theirs"})

    assert selected([one], {"Method": ["mine"]}) == [one]


def test_a_value_that_no_measurement_has_under_a_printed_name_is_refused_by_that_name() -> None:
    with pytest.raises(UsageError) as caught:
        selected([made("1", conditions={"test_set": "dev"})], {"Test set": ["test"]})

    assert str(caught.value) == "no measurement has Test set=test; stated is 'dev'"


def test_a_value_that_no_measurement_has_is_refused_with_those_there_are() -> None:
    with pytest.raises(UsageError) as caught:
        selected([made("1", role="original")], {"role": ["orginal"]})

    assert str(caught.value) == "no measurement has role=orginal (did you mean 'original'?); stated is 'original'"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        pytest.param("objct", "no measurement states 'objct' (did you mean 'object'?)", id="misspelt"),
        pytest.param("study", "no measurement states 'study'", id="a field that is empty everywhere"),
    ],
)
def test_a_name_that_no_measurement_states_is_refused_with_the_nearest_there_is(name: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        selected([made("1")], {name: ["A"]})

    assert str(caught.value) == said


def test_of_thousands_of_values_a_message_names_the_nearest_and_a_few() -> None:
    many = [made("1", name=f"system {number}") for number in range(10_000)]

    with pytest.raises(UsageError) as caught:
        selected(many, {"id": ["sytem 9999"]})

    listed = ", ".join(f"'system {number}'" for number in range(8))
    assert str(caught.value) == (
        f"no measurement has id=sytem 9999 (did you mean 'system 9999'?); stated is {listed} and 9,992 more"
    )


def test_the_farthest_numbers_that_can_be_written_are_a_finite_number_of_times_apart() -> None:
    (group,) = groups_of([made("." + "0" * 39 + "1e-99"), made("9" * 40 + "e99")])

    assert group.remarks == (
        "the largest value is 1e+278 times the smallest; percentages beside fractions would look like this",
    )
