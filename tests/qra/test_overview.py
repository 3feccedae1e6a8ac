"""Does the overview say what was measured, objects that were measured alike in one row?"""

import json

from primad.qra.example import example_measurements
from primad.qra.grouping import groups_of
from primad.qra.measurement import Measurement
from primad.qra.overview import Measured, overview


def measured(*measurements: Measurement, by: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], dict[str, int]]]:
    """Return the objects of each row, and how often each measurand was measured."""
    return [(row.objects, dict(row.facts.measurands)) for row in overview(groups_of(measurements, by=by))]


def one(object_: str, measurand: str = "P", value: str = "1", source: str = "x", **more: str) -> Measurement:
    return Measurement(object=object_, measurand=measurand, value=value, source=source, **more)  # type: ignore[arg-type]


def test_nothing_was_measured_where_there_are_no_groups() -> None:
    assert overview([]) == ()


def test_objects_that_differ_in_nothing_but_their_name_share_a_row() -> None:
    assert measured(one("A"), one("B"), one("A", value="2"), one("B", value="2")) == [(("A", "B"), {"P": 2})]


def test_objects_measured_a_different_number_of_times_have_rows_of_their_own() -> None:
    assert measured(one("A"), one("B"), one("A", value="2")) == [(("A",), {"P": 2}), (("B",), {"P": 1})]


def test_objects_with_other_measurands_have_rows_of_their_own() -> None:
    assert measured(one("A"), one("B", "Q")) == [(("A",), {"P": 1}), (("B",), {"Q": 1})]


def test_objects_measured_by_others_have_rows_of_their_own() -> None:
    rows = overview(groups_of([one("A"), one("B", source="y")]))

    assert [(row.objects, row.facts.sources) for row in rows] == [(("A",), ("x",)), (("B",), ("y",))]


def test_objects_of_other_studies_have_rows_of_their_own() -> None:
    rows = overview(groups_of([one("A", study="first"), one("B", study="second")]))

    assert [(row.objects, row.facts.study) for row in rows] == [(("A",), "first"), (("B",), "second")]


def test_the_parts_of_a_group_are_counted_together() -> None:
    parts = [Measurement(object="A", measurand="P", value=value, conditions={"seed": value}) for value in ("1", "2")]

    assert measured(*parts, by=("seed",)) == [(("A",), {"P": 2})]


def test_a_source_is_named_once_and_a_blank_one_not_at_all() -> None:
    (row,) = overview(groups_of([one("A"), one("A", value="2"), one("A", value="3", source="")]))

    assert row.facts.sources == ("x",)


def test_kinds_of_evaluation_that_differ_between_measurands_are_all_named() -> None:
    (row,) = overview(groups_of([one("A", evaluation="human"), one("A", "Q", evaluation="metric")]))

    assert row.facts.evaluation == "human; metric"


def test_a_row_is_json() -> None:
    (row,) = overview(groups_of([one("A", task="ranking", system="neural", study="s", evaluation="metric")]))

    assert isinstance(row, Measured)
    assert json.loads(json.dumps(row.to_dict())) == {
        "objects": ["A"],
        "study": "s",
        "measurands": {"P": 1},
        "sources": ["x"],
        "task": "ranking",
        "evaluation": "metric",
        "system": "neural",
    }


def test_the_example_was_measured_as_table_1_of_the_paper_says() -> None:
    rows = overview(groups_of(example_measurements("belz2022").measurements))

    assert [(len(row.objects), row.facts.study, dict(row.facts.measurands), row.facts.evaluation) for row in rows] == [
        (1, "pass", {"Clarity": 2, "Fluency": 2, "Stance id.": 2}, "human, intrinsic"),
        (1, "nts", {"BLEU": 7, "SARI": 5}, "metric, intrinsic"),
        (1, "nts", {"BLEU": 6, "SARI": 4}, "metric, intrinsic"),
        (11, "essay", {"wF1": 8}, "metric, intrinsic"),
    ]
