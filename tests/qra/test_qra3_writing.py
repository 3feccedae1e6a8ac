"""Do measurements get out to QRA3's files, and is it known what stays behind?"""

import csv
import io
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad.errors import DataError
from primad.qra.example import example_measurements
from primad.qra.measurement import Measurement, Scale
from primad.qra.qra3_writing import lost_in_qra3, write_qra3
from primad.qra.reading.qra3 import read_qra3

HEADER = "Key,Study,Experiment,System,Criterion,Result\n"
PLAIN = Measurement(object="A", measurand="P", value="1", scale=Scale(0), source="s", experiment="e", name="k")


def test_the_shipped_example_comes_back_from_qra3s_format() -> None:
    measurements = example_measurements("belz2022").measurements

    table, config = write_qra3(measurements)
    found = read_qra3(table.encode(), json.loads(config)).measurements

    assert [(one.name, one.source, one.role, one.object, one.measurand, one.value, one.scale.low) for one in found] == [
        (one.name, one.source, one.role, one.object, one.measurand, one.value, one.scale.low) for one in measurements
    ]


def test_the_table_has_the_columns_of_qra3_and_the_configuration_a_start_for_each_criterion() -> None:
    clarity = Measurement(object="PASS", measurand="Clarity", value="6.30", scale=Scale(1, 7), source="M", name="k")
    stance = Measurement(object="PASS", measurand="Stance", value="91", scale=Scale(0, 100), role="original")

    table, config = write_qra3([clarity, stance])

    assert table == f"{HEADER.strip()}\r\nk,M,,PASS,Clarity,6.30\r\n2,,original,PASS,Stance,91\r\n"
    assert json.loads(config) == {"scale_starts_at": {"Clarity": 1, "Stance": 0}}


@pytest.mark.parametrize(
    ("lows", "expected"),
    [
        pytest.param([1.0, 1.0], {"scale_starts_at": 1}, id="the same"),
        pytest.param([0.5, 1.0], {"scale_starts_at": {"A": 0.5, "B": 1}}, id="different"),
        pytest.param([1.0, None], {"scale_starts_at": {"A": 1}}, id="one not known"),
        pytest.param([None, None], {}, id="none known"),
        pytest.param([float("-inf"), None], {}, id="a scale without a start"),
    ],
)
def test_the_configuration_says_no_more_than_is_known(lows: list[float | None], expected: dict[str, Any]) -> None:
    measurements = [
        Measurement(object="X", measurand=name, value="1", scale=Scale(low))
        for name, low in zip("AB", lows, strict=True)
    ]

    assert json.loads(write_qra3(measurements)[1]) == expected


def test_a_criterion_whose_scale_starts_at_two_values_cannot_be_written() -> None:
    measurements = [Measurement(object="X", measurand="A", value="1", scale=Scale(low)) for low in (0, 1)]

    with pytest.raises(DataError, match="expected one scale of A for all objects"):
        write_qra3(measurements)


CELLS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8).map(str.strip)
NAMES = CELLS.filter(bool)


@given(
    st.lists(
        st.builds(
            Measurement,
            object=NAMES,
            measurand=NAMES,
            value=st.decimals(allow_nan=False, allow_infinity=False, places=3, min_value=-9999, max_value=9999).map(
                str
            ),
            scale=st.just(Scale(-10_000.0)),
            source=CELLS,
            experiment=CELLS.filter(lambda text: not text.casefold().startswith(("original", "reproduction"))),
            name=NAMES,
        ),
        min_size=1,
    )
)
def test_measurements_that_qra3_can_express_come_back_as_they_were(measurements: list[Measurement]) -> None:
    table, config = write_qra3(measurements)

    found = read_qra3(table.encode(), json.loads(config)).measurements

    fields = ("object", "measurand", "value", "scale", "source", "experiment", "name", "role")
    assert [[getattr(one, field) for field in fields] for one in found] == [
        [getattr(one, field) for field in fields] for one in measurements
    ]


def test_another_reader_of_csv_gets_the_same_cells() -> None:
    odd = Measurement(object='a "b", c', measurand="x\ny", value="1", name="k", source="s\r", experiment="e")

    rows = list(csv.reader(io.StringIO(write_qra3([odd])[0], newline="")))

    assert rows[1] == ["k", "s\r", "e", 'a "b", c', "x\ny", "1"]


# What has no place there ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "lost"),
    [
        pytest.param({}, [], id="nothing"),
        pytest.param({"experiment": "", "role": "original"}, [], id="a role instead of an experiment"),
        pytest.param({"experiment": "Original run", "role": "original"}, [], id="an experiment that says its role"),
        pytest.param({"role": "original"}, ["roles beside experiments of another name"], id="a role"),
        pytest.param({"scale": Scale(0, 1)}, ["upper ends of scales"], id="where a scale ends"),
        pytest.param({"conditions": {"seed": "1"}}, ["conditions"], id="conditions"),
        pytest.param({"unit": "%", "direction": "lower"}, ["units", "directions"], id="unit and direction"),
        pytest.param({"standard_error": 0.0, "items": 5}, ["standard errors", "numbers of items"], id="numbers"),
        pytest.param(
            {"study": "x", "task": "x", "evaluation": "x", "system": "x", "attributes": {"a": "b"}, "outputs": "x"},
            ["outputs", "studies", "tasks", "kinds of evaluation", "kinds of system", "attributes of objects"],
            id="facts",
        ),
    ],
)
def test_what_has_no_place_is_named(change: dict[str, Any], lost: list[str]) -> None:
    assert lost_in_qra3([PLAIN, replace(PLAIN, **change)]) == lost
