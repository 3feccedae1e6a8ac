"""Do measurements get in from QRA3's files?"""

import gzip
import math
import os
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from primad.errors import FileError, MeasurementError, PrimadError
from primad.qra.measurement import Measurement, Scale
from primad.qra.reading.qra3 import is_qra3, read_qra3
from primad.qra.reading.read import read_measurements

HEADER = "Key,Study,Experiment,System,Criterion,Result\n"
TABLE = HEADER + (
    "k1,Lee 2017,original,PASS,Clarity,5.64\n"
    "k2,Mille 2021,reproduction 1,PASS,Clarity,6.30\n"
    "k3,Mille 2021,reproduction 1,PASS,Stance,96.75\n"
)


def flaws_of(table: str, config: Any = None) -> list[str]:
    """Return everything that is wrong with TABLE."""
    with pytest.raises(MeasurementError) as caught:
        read_qra3(table.encode(), config, name="t.csv")
    return [str(flaw) for flaw in caught.value.flaws]


# Columns -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        pytest.param(["Key", "Study", "Experiment", "System", "Criterion", "Result"], True, id="all"),
        pytest.param([" SYSTEM ", "result", "criterion"], True, id="the mandatory ones, anyhow written"),
        pytest.param(["object", "measurand", "value", "system"], False, id="our own"),
        pytest.param(["System", "Criterion"], False, id="no result"),
        pytest.param([], False, id="none"),
    ],
)
def test_a_table_of_qra3_is_known_by_its_columns(columns: list[str], *, expected: bool) -> None:
    assert is_qra3(columns) is expected


def test_a_row_becomes_a_measurement_with_its_value_as_written_and_its_line() -> None:
    material = read_qra3(TABLE.encode(), {"scale_starts_at": {"Clarity": 1, "Stance": 0}}, name="t.csv")

    assert material.remarks == ()
    assert material.measurements[1] == Measurement(
        object="PASS",
        measurand="Clarity",
        value="6.30",
        scale=Scale(1.0),
        source="Mille 2021",
        experiment="reproduction 1",
        role="reproduction",
        name="k2",
        file="t.csv",
        line=3,
    )
    assert [one.role for one in material.measurements] == ["original", "reproduction", "reproduction"]
    assert [one.scale.low for one in material.measurements] == [1.0, 1.0, 0.0]


@pytest.mark.parametrize(
    "table",
    [
        pytest.param("\ufeff" + TABLE, id="byte order mark"),
        pytest.param(TABLE.replace("\n", "\r\n"), id="other ends of line"),
        pytest.param(TABLE.replace(",", ";"), id="semicolons"),
        pytest.param(TABLE.replace(",", "\t"), id="tabs"),
        pytest.param(TABLE.replace(",", " , "), id="blanks around cells"),
        pytest.param("\n" + TABLE.replace("\n", "\n\n"), id="blank lines"),
        pytest.param(TABLE.replace("System", "SYSTEM").replace("Key", "key"), id="other case"),
    ],
)
def test_the_same_table_is_read_however_it_was_saved(table: str) -> None:
    found = read_qra3(table.encode(), {"scale_starts_at": 0}).measurements

    assert [(one.name, one.object, one.measurand, one.value) for one in found] == [
        ("k1", "PASS", "Clarity", "5.64"),
        ("k2", "PASS", "Clarity", "6.30"),
        ("k3", "PASS", "Stance", "96.75"),
    ]


def test_columns_may_come_in_any_order_and_those_unknown_are_remarked() -> None:
    material = read_qra3(b"Result,Notes,System,Criterion\n0.5,fine,A,BLEU\n", {"scale_starts_at": 0}, name="t.csv")

    assert [(one.object, one.measurand, one.value, one.source) for one in material.measurements] == [
        ("A", "BLEU", "0.5", "")
    ]
    assert material.remarks == ("t.csv: not read: 'Notes'",)


def test_the_reader_of_all_formats_knows_a_table_of_qra3_and_finds_its_configuration(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text(TABLE, encoding="utf-8")
    path.with_suffix(".json").write_text('{"scale_starts_at": 1}', encoding="utf-8")

    found = read_measurements(path).measurements

    assert [(one.value, one.scale.low) for one in found] == [("5.64", 1.0), ("6.30", 1.0), ("96.75", 1.0)]


def test_a_pipe_is_read_once_and_looked_beside(tmp_path: Path) -> None:
    pipe = tmp_path / "scores.csv"
    os.mkfifo(pipe)
    pipe.with_suffix(".json").write_text('{"scale_starts_at": 1}', encoding="utf-8")
    writer = threading.Thread(target=pipe.write_bytes, args=(TABLE.encode(),), daemon=True)
    writer.start()

    found = read_measurements(pipe).measurements

    writer.join()
    assert [(one.value, one.scale.low, one.file) for one in found] == [
        (value, 1.0, str(pipe)) for value in ("5.64", "6.30", "96.75")
    ]


def test_bytes_are_called_by_their_name_in_measurements_remarks_and_flaws() -> None:
    material = read_measurements(TABLE.encode(), name="upload.csv")

    assert {one.file for one in material.measurements} == {"upload.csv"}
    assert [remark.partition(":")[0] for remark in material.remarks] == ["upload.csv"]
    with pytest.raises(MeasurementError, match=r"^upload\.csv:2: Result: "):
        read_measurements(TABLE.replace("5.64", "x").encode(), name="upload.csv")


# The configuration ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        pytest.param({"scale_starts_at": 1}, [1.0, 1.0, 1.0], id="one number"),
        pytest.param({"scale_starts_at": "1"}, [1.0, 1.0, 1.0], id="a number as text"),
        pytest.param({"scale_starts_at": {"Clarity": -0.5}}, [-0.5, -0.5, None], id="some criteria"),
        pytest.param({}, [None, None, None], id="nothing said"),
    ],
)
def test_the_configuration_says_where_scales_start(config: dict[str, Any], expected: list[float | None]) -> None:
    found = read_qra3(TABLE.encode(), config).measurements

    assert [one.scale for one in found] == [Scale(low) for low in expected]


def test_a_configuration_can_be_named(tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text('{"scale_starts_at": 1}', encoding="utf-8")

    assert read_qra3(TABLE.encode(), path).measurements[0].scale == Scale(1.0)


def test_the_configuration_beside_a_packed_table_is_found(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv.gz"
    path.write_bytes(gzip.compress(TABLE.encode()))
    (tmp_path / "scores.json").write_text('{"scale_starts_at": 1}', encoding="utf-8")

    assert read_qra3(path).measurements[0].scale == Scale(1.0)


@pytest.mark.parametrize(
    ("config", "remark"),
    [
        pytest.param(
            {"scale_starts_at": 0, "alpha": 0.05},
            "configuration: only scale_starts_at is used, not 'alpha'",
            id="other keys",
        ),
        pytest.param(
            {"scale_starts_at": {"Clarity": 1, "Stance": 0, "Fluency": 1}},
            "configuration: scale_starts_at has 'Fluency', of which there is no result",
            id="a criterion without results",
        ),
        pytest.param(
            {}, "configuration: without scale_starts_at, nothing says where the scales start", id="nothing said"
        ),
        pytest.param(
            None,
            "t.csv: nothing says where the scales start, for there is no configuration (a JSON file of that name)",
            id="no configuration",
        ),
    ],
)
def test_what_the_configuration_leaves_open_or_says_in_vain_is_remarked(config: Any, remark: str) -> None:
    assert read_qra3(TABLE.encode(), config, name="t.csv").remarks == (remark,)


def test_a_list_beside_the_table_is_no_configuration_of_it(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text(TABLE, encoding="utf-8")
    beside = path.with_suffix(".json")
    beside.write_text("[1, 2]", encoding="utf-8")

    assert read_qra3(path).remarks == (
        f"{beside}: is no configuration of {path}, so nothing says where its scales start",
    )


@pytest.mark.parametrize(
    ("config", "flaw"),
    [
        pytest.param({"scale_starts_at": True}, "scale_starts_at: expected a finite number, found 'True'", id="a bool"),
        pytest.param({"scale_starts_at": "one"}, "scale_starts_at: expected a finite number, found 'one'", id="a word"),
        pytest.param(
            {"scale_starts_at": {"Clarity": float("nan")}},
            "scale_starts_at of Clarity: expected a finite number, found 'nan'",
            id="no number",
        ),
        pytest.param({"scale_starts_at": [0]}, "scale_starts_at: expected a finite number, found '[0]'", id="a list"),
    ],
)
def test_a_configuration_that_is_wrong_is_a_flaw(config: Any, flaw: str) -> None:
    assert flaws_of(TABLE, config) == [f"configuration: {flaw}"]


def test_a_named_configuration_that_is_no_mapping_is_a_flaw(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_text("[1]", encoding="utf-8")

    assert flaws_of(TABLE, path) == [
        f"{path}: scale_starts_at: expected a mapping with the key scale_starts_at, found '[1]'"
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param('{"scale_starts_at": NaN}', "is no plain JSON: found NaN as a number", id="no number"),
        pytest.param('{"a": 1, "a": 2}', "is no plain JSON: found the key 'a' twice", id="a key twice"),
        pytest.param('{"a": 1', "expected JSON, found a line that is none", id="broken off"),
        pytest.param("[" * 100_000, "nests lists and mappings too deeply", id="deep"),
        pytest.param('{"scale_starts_at": ' + "9" * 10_000 + "}", "is no plain JSON", id="endless digits"),
    ],
)
def test_a_configuration_that_is_no_json_is_an_error_that_names_the_file(
    tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "c.json"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(FileError) as caught:
        read_qra3(TABLE.encode(), path)

    assert str(caught.value).startswith(str(path))
    assert message in str(caught.value)


# What is wrong -------------------------------------------------------------------------------------------------------


def test_everything_that_is_wrong_is_said_at_once_with_its_line() -> None:
    table = HEADER + "k1,S,E,,Clarity,n/a\nk2,S,E,PASS,,0.5\nk3,S,E,PASS,Clarity\nk4,S,E,PASS,Clarity,\n"

    assert flaws_of(table, {"scale_starts_at": "x"}) == [
        "configuration: scale_starts_at: expected a finite number, found 'x'",
        "t.csv:2: System: expected a text, found nothing",
        "t.csv:2: Result: expected a finite number with a decimal point, found 'n/a'",
        "t.csv:3: Criterion: expected a text, found nothing",
        "t.csv:4: row: expected 6 cells as in the header, found 5",
        "t.csv:5: Result: expected a finite number with a decimal point, found nothing",
    ]


@pytest.mark.parametrize("result", ["nan", "inf", "-Infinity", "1e999", "12 5", "0x10", "five"])
def test_a_result_that_is_no_finite_number_is_a_flaw(result: str) -> None:
    assert flaws_of(HEADER + f"k1,S,E,PASS,Clarity,{result}\n") == [
        f"t.csv:2: Result: expected a finite number with a decimal point, found '{result}'"
    ]


@pytest.mark.parametrize(
    ("table", "flaw"),
    [
        pytest.param(HEADER, "t.csv: rows: expected at least one measurement, found none", id="a header alone"),
        pytest.param(
            "System,System,Criterion,Result\nA,B,C,1\n",
            "t.csv:1: header: expected the column System once, found it 2 times",
            id="a column twice",
        ),
        pytest.param(
            "Key,System,Result\nk,A,1\n",
            "t.csv:1: header: expected a column Criterion, found 'Key', 'System', 'Result'",
            id="a column missing",
        ),
        pytest.param(
            HEADER + 'k1,S,E,PASS,"Clarity,5\n',
            "t.csv:2: row: expected cells whose quotes are closed, "
            'found a cell that does not end; is a quote (") left open?',
            id="a quote left open",
        ),
        pytest.param(
            HEADER + 'k1,"a\nb",E,PASS,Clarity,x\n',
            "t.csv:2: Result: expected a finite number with a decimal point, found 'x'",
            id="a cell of two lines",
        ),
        pytest.param(
            HEADER + f"{'k' * 200_000},S,E,PASS,Clarity,1\n",
            "t.csv:2: row: expected cells whose quotes are closed, "
            'found a cell that does not end within 131,072 characters; is a quote (") left open?',
            id="a huge cell",
        ),
    ],
)
def test_a_table_that_cannot_be_used_is_a_flaw(table: str, flaw: str) -> None:
    assert flaws_of(table) == [flaw]


def test_an_empty_file_lacks_all_three_columns() -> None:
    assert flaws_of("") == [
        f"t.csv: header: expected a column {column}, found no row" for column in ("System", "Criterion", "Result")
    ]


def test_a_file_that_is_no_text_is_an_error_that_names_it(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_bytes(HEADER.encode() + b"\xff\xfe,")

    with pytest.raises(FileError) as caught:
        read_qra3(path)

    assert str(caught.value) == f"{path}:2: expected text in UTF-8, found other bytes; save it as UTF-8"


@pytest.mark.parametrize("path", ["", ".", "no/such.csv", "a\0b.csv"])
def test_a_path_that_is_no_file_is_an_error(path: str) -> None:
    with pytest.raises(FileError):
        read_qra3(path)


@given(st.text(alphabet='KeySystemCriterionResult,;\t"\n\r\x00 .019é', max_size=60))
@example("k,S,E,PASS,Clarity,5.64\n")
@example('k,S,"E\n",PASS,Clarity,.5\n\n,,,a,b,0\n')
def test_a_table_gives_whole_measurements_or_an_error_of_ours(tail: str) -> None:
    try:
        found = read_qra3((HEADER + tail).encode()).measurements
    except PrimadError:
        return

    lines = [one.line for one in found]
    assert lines == sorted(set(lines))
    assert 2 <= lines[0] <= lines[-1] <= len(tail.splitlines()) + 1
    assert [(one.object, one.measurand) for one in found if not one.object or not one.measurand] == []
    assert [one.value for one in found if not math.isfinite(one.number)] == []


def test_where_semicolons_part_columns_a_result_may_have_a_decimal_comma() -> None:
    material = read_qra3(b"System;Criterion;Result\nA;P;40,90\n", {"scale_starts_at": 0}, name="q.csv")

    assert [(one.value, one.number) for one in material.measurements] == [("40.90", 40.9)]
    assert material.remarks == ("q.csv: a comma in a number is read as a decimal point",)


def test_a_result_off_its_scale_is_told_beside_rows_that_cannot_be_read() -> None:
    with pytest.raises(MeasurementError) as caught:
        read_qra3(b"System,Criterion,Result\nA,P,0.5\nA,P,x\nA,P,40,31\n", {"scale_starts_at": 1}, name="q.csv")

    assert [str(flaw) for flaw in caught.value.flaws] == [
        "q.csv:3: Result: expected a finite number with a decimal point, found 'x'",
        "q.csv:4: row: expected 3 cells as in the header, found 4; if '40,31' is one number, write 40.31",
        "q.csv:2: value: expected A, P on its scale of 1 to ?, found 0.5",
    ]
