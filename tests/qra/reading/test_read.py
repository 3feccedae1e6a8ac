"""Do measurements get in from files and from Python, whatever they are kept in?"""

import gzip
from pathlib import Path

import pandas as pd
import polars as pl
import pytest

from primad.errors import DataError, FileError, MeasurementError
from primad.qra.claims import Claim
from primad.qra.labels import Label
from primad.qra.material import Material
from primad.qra.measurement import Measurement, Scale
from primad.qra.reading.read import material_of, read_measurements

CSV = b"object,measurand,value\nA,P,0.50\n"
YAML = b"measurements:\n- {object: A, measurand: P, value: 0.50}\n"
JSON = b'{"object": "A", "measurand": "P", "value": 0.50}\n'
MEASUREMENT = Measurement(object="A", measurand="P", value="0.50")


# Files -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content"),
    [
        pytest.param("a.csv", CSV, id="CSV"),
        pytest.param("a.TSV", CSV.replace(b",", b"\t"), id="TSV"),
        pytest.param("a.qra.yaml", YAML, id="YAML"),
        pytest.param("a.yml", YAML, id="yml"),
        pytest.param("a.jsonl", JSON, id="JSON lines"),
        pytest.param("a.csv.gz", gzip.compress(CSV), id="packed CSV"),
        pytest.param("a.yaml.gz", gzip.compress(YAML), id="packed YAML"),
        pytest.param("a", CSV, id="CSV without a suffix"),
        pytest.param("a.txt", CSV.replace(b",", b";"), id="semicolons in a text file"),
        pytest.param("a.v2", YAML, id="YAML with a strange suffix"),
        pytest.param("a.gz", gzip.compress(JSON), id="packed JSON without a suffix"),
    ],
)
def test_a_file_is_read_by_its_name_or_else_by_its_content(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)

    (one,) = read_measurements(path).measurements

    assert (one.object, one.measurand, one.value, one.file) == ("A", "P", "0.50", str(path))


def test_bytes_are_called_by_the_name_that_is_given() -> None:
    assert read_measurements(CSV, name="upload.csv").measurements[0].file == "upload.csv"
    assert read_measurements(CSV).measurements[0].file == "<bytes>"


def test_a_misspelled_header_without_a_name_is_still_a_table() -> None:
    with pytest.raises(MeasurementError, match="<bytes>:1: header: expected a column 'measurand', found none; is it"):
        read_measurements(CSV.replace(b"measurand", b"mesurand"))


def test_a_table_of_qra3_is_told_by_its_header(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("Key,Study,Experiment,System,Criterion,Result\n1,s,original,A,P,0.50\n", encoding="utf-8")

    for source in (path, path.read_bytes()):
        (one,) = read_measurements(source).measurements
        assert (one.object, one.measurand, one.value) == ("A", "P", "0.50")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(b"object\n\xff\xfe", r"a\.csv:2: expected text in UTF-8, found other bytes; save it", id="latin"),
        pytest.param(gzip.compress(CSV)[:-9], r"a\.csv: truncated or damaged archive", id="half an archive"),
        pytest.param(b"x" * (64 << 20) + b"y", r"a\.csv: expected at most 67,108,864 bytes, found", id="too long"),
        pytest.param(gzip.compress(bytes(65 << 20)), r"a\.csv: unpacks to more than 67,108,864 bytes", id="a bomb"),
    ],
)
def test_a_file_that_cannot_be_read_is_an_error_of_the_file(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(content)

    with pytest.raises(FileError, match=message):
        read_measurements(path)


def test_a_file_that_is_not_there_is_an_error_of_the_file(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="no such file"):
        read_measurements(tmp_path / "a.csv")


@pytest.mark.parametrize("name", ["a.yaml", "a.json"])
def test_a_tree_of_millions_of_values_is_refused_before_it_is_built(name: str) -> None:
    with pytest.raises(FileError, match="has more than 10,000,000 values; write long series of measurements as CSV"):
        read_measurements(b"[" + b"1," * 10_000_001, name=name)


# Python ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "things",
    [
        pytest.param(Material((MEASUREMENT,)), id="material"),
        pytest.param(MEASUREMENT, id="a measurement"),
        pytest.param([MEASUREMENT], id="measurements"),
        pytest.param({"object": "A", "measurand": "P", "value": "0.50"}, id="a mapping"),
        pytest.param(({"object": "A", "measurand": "P", "value": "0.50"} for _ in range(1)), id="mappings, once"),
        pytest.param([Material((MEASUREMENT,))], id="materials"),
        pytest.param(pl.DataFrame({"object": ["A"], "measurand": ["P"], "value": ["0.50"]}), id="polars"),
        pytest.param(pd.DataFrame({"object": ["A"], "measurand": ["P"], "value": ["0.50"]}), id="pandas"),
        pytest.param([pl.DataFrame({"object": ["A"], "measurand": ["P"], "value": ["0.50"]})], id="frames"),
    ],
)
def test_whatever_holds_a_measurement_gives_it(things: object) -> None:
    assert material_of(things) == Material((MEASUREMENT,))


def test_numbers_of_python_are_written_out() -> None:
    mapping = {
        "object": "A",
        "measurand": "P",
        "value": 0.5,
        "scale": (0, 1),
        "items": 20,
        "standard_error": None,
        "conditions": {"seed": 7, "lower": True, "unknown": float("nan")},
    }

    assert material_of([mapping]).measurements == (
        Measurement(
            object="A",
            measurand="P",
            value="0.5",
            scale=Scale(0, 1),
            items=20,
            conditions={"seed": "7", "lower": "true"},
        ),
    )


def test_empty_cells_of_a_frame_say_nothing() -> None:
    frame = pd.DataFrame(
        {"object": ["A", "A"], "measurand": "P", "value": [0.5, 1], "items": [20, None], "c:seed": [pd.NA, "1"]}
    )

    first, second = material_of(frame).measurements

    assert (first.items, first.conditions) == (20, {})
    assert (second.items, second.conditions, second.value) == (None, {"seed": "1"}, "1.0")


def test_several_files_and_values_are_put_together(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(CSV)
    (tmp_path / "a.yaml").write_bytes(YAML)
    label = Label(measurand="P", item="1", rater="r", label="2")
    claim = Claim(above="A", below="B", measurand="P")

    material = material_of([tmp_path / "a.csv", str(tmp_path / "a.yaml"), label, claim, MEASUREMENT])

    assert [Path(one.file).name for one in material.measurements] == ["", "a.csv", "a.yaml"]
    assert (material.labels, material.claims) == ((label,), (claim,))


def test_what_is_wrong_in_several_files_is_said_at_once(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(CSV.replace(b"0.50", b"x"))
    (tmp_path / "b.yaml").write_bytes(b"a: b: c")
    mappings = [{"object": "A", "measurand": "P", "value": 1}, {"object": "A", "value": float("inf")}]

    with pytest.raises(MeasurementError) as raised:
        material_of([tmp_path / "a.csv", tmp_path / "b.yaml", *mappings])

    assert [(Path(flaw.where).name, flaw.field, flaw.found) for flaw in raised.value.flaws] == [
        ("measurement 2", "measurand", "nothing"),
        ("measurement 2", "value", "'inf'"),
        ("a.csv:2", "value", "'x'"),
        ("b.yaml:1", "YAML", "a line that is none (mapping values are not allowed in this context)"),
    ]


def test_a_flaw_of_a_frame_names_its_row() -> None:
    frame = pl.DataFrame({"object": ["A", "A"], "measurand": ["P", None], "value": [0.5, float("nan")]})

    with pytest.raises(MeasurementError) as raised:
        material_of(frame)

    assert [str(flaw) for flaw in raised.value.flaws] == [
        "row 2: measurand: expected a text, found nothing",
        "row 2: value: expected a finite number (leave the measurement out if there is none), found nothing",
    ]


def test_nothing_at_all_is_a_flaw() -> None:
    with pytest.raises(MeasurementError, match="the measurements: measurements: expected at least one measurement"):
        material_of([])


@pytest.mark.parametrize(("things", "kind"), [pytest.param(7, "int", id="7"), pytest.param([7], "int", id="[7]")])
def test_what_holds_no_measurements_is_refused(things: object, kind: str) -> None:
    with pytest.raises(DataError, match=f"found a value of '{kind}'"):
        material_of(things)
