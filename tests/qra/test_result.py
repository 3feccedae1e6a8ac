"""Does a quantified assessment hand out what it found, as groups, as a frame and as JSON without NaN?"""

import json
import math
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from primad.errors import MeasurementError
from primad.qra.assess import assess
from primad.qra.conditions import IN_PRIMAD
from primad.qra.labels import Label
from primad.qra.material import Material
from primad.qra.measurement import Measurement
from primad.qra.result import SCHEMA, QuantifiedAssessment

FIELDS = {
    *("object", "measurand", "n", "mean", "stdev", "stdev_ci", "cv", "cv_acl2022", "cv_qra3", "cv_ci", "variant"),
    "kind",
}


def row(value: object, object_: str = "A", measurand: str = "P", **more: Any) -> dict[str, Any]:
    return {"object": object_, "measurand": measurand, "value": value, **more}


LABELS = [
    Label(measurand="Clarity", item=item, rater=rater, label=label)
    for item, rater, label in (("1", "a", "x"), ("1", "b", "x"), ("2", "a", "y"), ("2", "b", "y"))
]


def strict_json(found: QuantifiedAssessment) -> dict[str, Any]:
    """Return FOUND as JSON gives it back; NaN and infinity are errors."""
    content: dict[str, Any] = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    return content


@pytest.fixture(scope="module")
def found() -> QuantifiedAssessment:
    """Return an assessment of a group with CV*, one with values far apart, and one with a single value."""
    return assess([row("50"), row("52"), row(".5", "B"), row("10", "B"), row("7", "C")])


# Groups -------------------------------------------------------------------------------------------------------


def test_the_groups_come_in_the_order_of_the_measurements(found: QuantifiedAssessment) -> None:
    assert [one.group.object for one in found] == ["A", "B", "C"]
    assert len(found) == 3


def test_a_group_is_found_by_object_and_measurand(found: QuantifiedAssessment) -> None:
    one = found.find("B", "P")

    assert one is not None
    assert one.group.values == (0.5, 10.0)


@pytest.mark.parametrize(("object_", "measurand"), [("A", "Q"), ("Z", "P"), ("a", "P")])
def test_what_was_not_measured_is_not_found(found: QuantifiedAssessment, object_: str, measurand: str) -> None:
    assert found.find(object_, measurand) is None


def test_of_a_parted_group_the_first_part_is_found() -> None:
    seeds = [row(value, conditions={"seed": seed}) for value, seed in (("1", "a"), ("2", "b"), ("3", "a"), ("4", "b"))]

    one = assess(seeds, by=["seed"]).find("A", "P")

    assert one is not None
    assert (one.group.subset, one.group.values) == ({"seed": "a"}, (1.0, 3.0))


def test_cv_is_that_of_the_chosen_variant() -> None:
    values = [row("50"), row("52")]

    (acl,), (qra3,) = assess(values), assess(values, variant="qra3")

    assert acl.cv == pytest.approx(3.9098, abs=1e-4)
    assert qra3.cv == pytest.approx(3.4754, abs=1e-4)
    assert (acl.cv, qra3.cv) == (qra3.precision.cv_acl2022, acl.precision.cv_qra3)


# Does it say anything? ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("things", "expected"),
    [
        pytest.param([row("50"), row("52")], True, id="a group with CV*"),
        pytest.param([row("50"), row("52"), row("7", "C")], True, id="one group of several"),
        pytest.param([row("7")], False, id="a single value"),
        pytest.param([row("-1"), row("3")], False, id="no scale"),
        pytest.param(LABELS, True, id="labels"),
        pytest.param([row("7"), *LABELS], True, id="labels beside a single value"),
    ],
)
def test_it_says_something_if_there_is_a_cv_or_agreement_of_labels(things: list[Any], *, expected: bool) -> None:
    assert assess(things).says_something is expected


# The frame ----------------------------------------------------------------------------------------------------


SCHEMA_OF_THE_FRAME = {
    "object": pl.String,
    "measurand": pl.String,
    "n": pl.Int64,
    "mean": pl.Float64,
    "stdev": pl.Float64,
    "cv": pl.Float64,
    "cv_acl2022": pl.Float64,
    "cv_qra3": pl.Float64,
    "variant": pl.String,
    "kind": pl.String,
}


def test_the_frame_has_a_row_for_each_group(found: QuantifiedAssessment) -> None:
    frame = found.table()

    assert frame.select("object", "n", "mean", "variant", "kind").rows() == [
        ("A", 2, 51.0, "acl2022", "reproducibility"),
        ("B", 2, 5.25, "acl2022", "reproducibility"),
        ("C", 1, 7.0, "acl2022", "reproducibility"),
    ]
    assert frame["cv"].to_list() == [*frame["cv_acl2022"]]
    assert frame["cv"].is_null().to_list() == [False, False, True]


@pytest.mark.parametrize(
    "things",
    [
        pytest.param([row("50"), row("52")], id="figures"),
        pytest.param([row("7")], id="no figure at all"),
        pytest.param(LABELS, id="no group at all"),
    ],
)
def test_the_columns_of_the_frame_are_the_same_whatever_was_found(things: list[Any]) -> None:
    assert assess(things).table().schema == SCHEMA_OF_THE_FRAME


# JSON ---------------------------------------------------------------------------------------------------------


def test_json_has_the_schema_and_the_fields_that_programs_rely_on(found: QuantifiedAssessment) -> None:
    content = strict_json(found)

    assert (content["schema"], SCHEMA) == ("primad.qra/1", "primad.qra/1")
    assert (content["variant"], content["confidence"]) == ("acl2022", 0.95)
    assert [FIELDS - set(group) for group in content["groups"]] == [set()] * 3
    assert content["conditions_in_primad"] == IN_PRIMAD


def test_json_has_the_figures_of_a_group(found: QuantifiedAssessment) -> None:
    group = strict_json(found)["groups"][0]

    names = ("object", "measurand", "n", "mean", "lowest", "highest", "variant")
    assert [group[name] for name in names] == ["A", "P", 2, 51.0, 50.0, 52.0, "acl2022"]
    assert group["stdev"] == pytest.approx(math.sqrt(math.pi))  # s is the root of 2, c4 of 2 that of 2/pi
    assert group["cv"] == group["cv_acl2022"] == pytest.approx(1.125 * group["cv_qra3"])
    assert [one["value"] for one in group["measurements"]] == ["50", "52"]


def test_an_interval_that_nothing_bounds_ends_in_null(found: QuantifiedAssessment) -> None:
    low, high = strict_json(found)["groups"][1]["cv_ci"]

    assert low == pytest.approx(42.353, abs=1e-3)
    assert high is None


def test_a_group_without_cv_has_nulls_and_the_reason(found: QuantifiedAssessment) -> None:
    group = strict_json(found)["groups"][2]
    missing = ("stdev", "stdev_ci", "stdev_ci_acl2022", "cv", "cv_acl2022", "cv_qra3", "cv_ci", "cv_ci_vangel")

    assert {name: group[name] for name in missing} == dict.fromkeys(missing)
    assert group["undefined"] == "CV* needs at least 2 measurements, found 1"
    assert group["placement"] == {"undefined": "CV* needs at least 2 measurements, found 1"}
    assert group["rounding_envelope"] == {}


def test_json_has_everything_that_a_measurement_says_beside_its_group() -> None:
    said: dict[str, Any] = {
        "source": "x",
        "role": "original",
        "experiment": "e",
        "outputs": "abc",
        "standard_error": 0.5,
        "items": 20,
    }

    first, second = strict_json(assess([row("50", id="m1", conditions={"seed": "1"}, **said), row("52")]))["groups"][0][
        "measurements"
    ]

    assert first == {"id": "m1", "value": "50", **said, "conditions": {"seed": "1"}, "file": "", "line": None}
    assert second == {
        **dict.fromkeys(("id", "source", "role", "experiment", "outputs", "file"), ""),
        **dict.fromkeys(("standard_error", "items", "line")),
        "value": "52",
        "conditions": {},
    }


def test_json_says_where_a_measurement_stands() -> None:
    content = strict_json(assess(Material((Measurement(object="A", measurand="P", value="1", file="a.csv", line=7),))))

    (one,) = content["groups"][0]["measurements"]
    assert (one["file"], one["line"]) == ("a.csv", 7)


def test_a_scale_is_null_where_nobody_has_declared_it(found: QuantifiedAssessment) -> None:
    assert strict_json(found)["groups"][0]["scale"] == [None, None]


def test_what_nobody_asked_for_is_null() -> None:
    group = strict_json(assess([row("50"), row("52")]))["groups"][0]

    assert (group["causes"], group["equivalence"]) == (None, None)


def test_conditions_are_parted_by_what_is_known_of_them() -> None:
    stated = [
        {"same": "1", "other": "a", "some": "x", "seed": "?"},
        {"same": "1", "other": "b", "seed": "1"},
    ]
    found = assess([row(value, conditions=each) for value, each in zip(("50", "52"), stated, strict=True)])

    assert strict_json(found)["groups"][0]["conditions"] == {
        "constant": {"same": "1"},
        "varying": {"other": ["a", "b"], "seed": ["?", "1"]},
        "not_stated_throughout": ["some"],
        "unknown": ["seed"],
    }


def test_labels_alone_are_json_without_groups() -> None:
    content = strict_json(assess(LABELS))

    assert (content["groups"], content["overview"]) == ([], [])
    assert [one["measurand"] for one in content["labels"]] == ["Clarity"]


LARGEST = "9" * 40 + "e99"  # of what can be written, as the next is the smallest
SMALLEST = "." + "0" * 39 + "1e-99"
NUMBERS = st.one_of(
    st.sampled_from(["0", "0.0", "1", "-1", LARGEST, f"-{LARGEST}", SMALLEST, f"-{SMALLEST}"]),
    st.floats(1e-99, 9e99).map(repr),
    st.floats(-9e99, -1e-99).map(repr),
)


@settings(max_examples=50)
@given(st.lists(NUMBERS, min_size=1, max_size=5).filter(lambda values: any(map(float, values))))
def test_no_finite_values_make_json_with_nan_or_infinity(values: list[str]) -> None:
    rows = [
        row(value, source=f"source {place}", role="original" if place == 0 else "reproduction")
        for place, value in enumerate(values)
    ]

    content = strict_json(assess(rows))

    assert [group["n"] for group in content["groups"]] == [len(values)]


@pytest.mark.parametrize("value", ["1e305", "1e-305"])
def test_values_beyond_what_can_be_computed_with_are_refused(value: str) -> None:
    with pytest.raises(MeasurementError, match=f"found '{value}'"):
        assess([row("1"), row(value)])


def test_a_result_prints_as_its_sentences_and_shows_itself_in_one_line() -> None:
    found = assess([{"object": "A", "measurand": "P", "value": value} for value in ("50", "52")])

    assert str(found) == found.groups[0].sentence
    assert repr(found) == "<QuantifiedAssessment: 1 groups, CV* in the variant acl2022>"
