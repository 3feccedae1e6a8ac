"""Are scores put into the columns that a table of the publication has?"""

from typing import Any

import pytest

from primad.qra.example import example_measurements
from primad.qra.experiments import Experiment, ScoreTable, experiments_of, score_tables
from primad.qra.measurement import Measurement, Scale


def measured(object_: str, value: str, **fields: Any) -> Measurement:
    return Measurement(object=object_, measurand=fields.pop("measurand", "F1"), value=value, **fields)


def names(*measurements: Measurement) -> list[str]:
    return [one.name for one in experiments_of(measurements)]


def table_of(measurand: str) -> ScoreTable:
    found = [one for one in score_tables(example_measurements("belz2022").measurements) if one.measurand == measurand]
    assert len(found) == 1
    return found[0]


# Names -------------------------------------------------------------------------------------------------------


def test_a_source_with_one_value_for_each_object_is_the_experiment() -> None:
    assert names(measured("A", "1", source="X"), measured("B", "2", source="X")) == ["X", "X"]


def test_a_source_is_one_experiment_over_several_measurands() -> None:
    assert names(measured("A", "1", source="X"), measured("A", "2", source="X", measurand="BLEU")) == ["X", "X"]


def test_an_experiment_that_is_named_keeps_its_name_behind_the_source() -> None:
    assert names(measured("A", "1", source="X", experiment="run 2"), measured("A", "1", experiment="run 2")) == [
        "X, run 2",
        "run 2",
    ]


def test_conditions_tell_several_values_of_one_source_apart() -> None:
    found = names(
        measured("A", "1", source="X", conditions={"gpu": "A100", "seed": "1"}),
        measured("A", "2", source="X", conditions={"gpu": "A100", "seed": "2"}),
        measured("B", "3", source="X", conditions={"gpu": "A100", "seed": "2"}),
    )

    assert found == ["X, seed=1", "X, seed=2", "X, seed=2"]


def test_of_conditions_that_tell_as_much_the_one_with_fewer_columns_is_named() -> None:
    found = names(
        *(
            measured(name, "1", source="X", conditions={"id": f"{name}{seed}", "environment": f"machine {seed}"})
            for name in ("A", "B")
            for seed in (1, 2)
        )
    )

    assert found == ["X, environment=machine 1", "X, environment=machine 2"] * 2


def test_a_condition_that_is_not_stated_tells_apart_as_well() -> None:
    found = names(measured("A", "1", source="X", conditions={"seed": "1"}), measured("A", "2", source="X"))

    assert found == ["X, seed=1", "X, seed not stated"]


def test_what_nothing_tells_apart_is_numbered_by_object() -> None:
    found = names(
        measured("A", "1", source="X"),
        measured("A", "2", source="X"),
        measured("B", "3", source="X"),
        measured("A", "4", source="X"),
        measured("B", "5", source="X"),
    )

    assert found == ["X", "X #2", "X", "X #3", "X #2"]


def test_measurements_that_say_nothing_are_unnamed() -> None:
    assert names(measured("A", "1"), measured("A", "2")) == ["unnamed", "unnamed #2"]


def test_without_a_source_the_role_is_the_name() -> None:
    assert names(measured("A", "1", role="original"), measured("A", "2", role="reproduction")) == [
        "original",
        "reproduction",
    ]


def test_an_original_that_its_own_authors_reproduced_is_told_by_its_role() -> None:
    first, second = experiments_of(
        [measured("A", "1", source="X", role="original"), measured("A", "2", source="X", role="reproduction")]
    )

    assert first == Experiment("X, original", "", "X", is_original=True)
    assert second == Experiment("X, reproduction", "", "X", is_original=False)


def test_the_same_source_is_another_experiment_in_another_study() -> None:
    found = experiments_of([measured("A", "1", source="X", study="s"), measured("A", "2", source="X", study="t")])

    assert found == [Experiment("X", "s", "X"), Experiment("X", "t", "X")]


def test_the_experiment_of_one_measurement_depends_on_the_others() -> None:
    first = measured("A", "1", source="X", conditions={"seed": "1"})
    second = measured("A", "2", source="X", conditions={"seed": "2"})

    assert [one.name for one in experiments_of([first])] == ["X"]
    assert [one.name for one in experiments_of([first, second])] == ["X, seed=1", "X, seed=2"]


# Tables ------------------------------------------------------------------------------------------------------


def test_the_essays_have_the_eight_columns_of_table_6() -> None:
    table = table_of("wF1")

    assert [(one.name, one.is_original) for one in table.experiments] == [
        ("Vajjala & Rama (2018)", True),
        ("Huber & Çöltekin (2020)", False),
        ("Arhiliuc et al. (2020)", False),
        ("Bestgen (2020), env=e4, input=i1", False),
        ("Bestgen (2020), env=e5, input=i1", False),
        ("Bestgen (2020), env=e5, input=i3", False),
        ("Caines & Buttery (2020), env=e6", False),
        ("Caines & Buttery (2020), env=e7", False),
    ]
    assert len(table.objects) == 11
    assert table.complete == table.objects
    assert table.matrix[1] == [0.721, 0.603, 0.605, 0.606, 0.72, 0.732, 0.606, 0.74]


def test_simplification_has_the_columns_of_table_4_with_its_gap() -> None:
    table = table_of("BLEU")

    assert [one.name for one in table.experiments] == [
        "Nisioi et al. (2017)",
        "Cooper & Shardlow (2020), outputs=outputs 1",
        "Cooper & Shardlow (2020), outputs=outputs 2",
        "Belz et al. (2022), script=b3, outputs=outputs 1",
        "Belz et al. (2022), script=b4, outputs=outputs 1",
        "Belz et al. (2022), script=b3, outputs=outputs 3",
        "Belz et al. (2022), script=b4, outputs=outputs 3",
    ]
    assert table.objects == ("NTS_def", "NTS-w2v_def")
    assert table.matrix == [
        [84.51, 84.5, 87.46, 85.6, 84.2, 86.61, 86.2],
        [87.5, None, 80.75, 89.36, 88.1, 89.64, 88.8],
    ]
    assert table.complete == ("NTS_def",)
    assert table.originals == (0,)


def test_every_measurement_stands_in_exactly_one_cell() -> None:
    measurements = example_measurements("belz2022").measurements

    tables = score_tables(measurements)

    assert sum(len(column) for table in tables for column in table.columns) == len(measurements) == 116


def test_two_experiments_share_the_objects_that_both_measured() -> None:
    (table,) = score_tables(
        [
            measured("A", "1", source="X"),
            measured("B", "2", source="X"),
            measured("C", "3", source="X"),
            measured("C", "5", source="Y"),
            measured("B", "4", source="Y"),
        ]
    )

    assert sorted(zip(*table.shared(0, 1), strict=True)) == [(2, 4), (3, 5)]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        pytest.param({}, "", id="the same"),
        pytest.param(
            {"scale": Scale(0, 100)},
            "its objects are measured on different scales (0 to 1 points, 0 to 100 points)",
            id="another scale",
        ),
        pytest.param(
            {"unit": "%"}, "its objects are measured on different scales (0 to 1 points, 0 to 1 %)", id="another unit"
        ),
    ],
)
def test_scores_on_different_scales_are_not_to_be_compared(fields: dict[str, Any], expected: str) -> None:
    shared: dict[str, Any] = {"source": "X", "scale": Scale(0, 1), "unit": "points"}

    (table,) = score_tables([measured("A", "1", **shared), measured("B", "1", **shared | fields)])

    assert table.incomparable == expected
