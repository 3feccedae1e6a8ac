"""Do measurements get in from files and from Python, whatever they are kept in?"""

import gzip
import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path

import pandas as pd
import polars as pl
import pytest

from primad.errors import DataError, FileError, MeasurementError
from primad.qra.claims import Claim
from primad.qra.labels import Label
from primad.qra.material import Material
from primad.qra.measurement import Measurement, Scale
from primad.qra.reading.read import material_of, read_measurements, read_several

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


@pytest.mark.parametrize("name", ["a.xlsx", "a.csv"])
def test_a_spreadsheet_is_to_be_saved_as_csv(name: str) -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")

    with pytest.raises(FileError) as raised:
        read_measurements(content.getvalue(), name=name)

    assert str(raised.value) == (
        f"{name}: looks like a spreadsheet, or another archive of files; save a spreadsheet as CSV"
    )


def test_a_pdf_is_told_for_what_it_is() -> None:
    with pytest.raises(FileError) as raised:
        read_measurements(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", name="paper.pdf")

    assert str(raised.value) == (
        "paper.pdf: looks like a PDF; write the values that it has into a table, and save that as CSV"
    )


@pytest.mark.parametrize(
    "header", [b"", b"# ir_metadata.start\n# tag: bm25\n# ir_metadata.end\n"], ids=["bare", "told"]
)
def test_a_run_in_place_of_measurements_is_told_where_it_belongs(header: bytes) -> None:
    lines = b"".join(b"301 Q0 d%d %d %d.5 bm25\n" % (rank, rank, 9 - rank) for rank in range(1, 5))

    with pytest.raises(FileError) as raised:
        read_measurements(header + lines, name="a.run")

    assert str(raised.value) == (
        "a.run: looks like a run, not like measurements; measurements are made from runs and judgments by "
        "--runs FILE --qrels FILE"
    )


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


def test_files_that_cannot_be_read_are_said_together_with_flaws_of_others(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(CSV.replace(b"0.50", b"x"))
    (tmp_path / "b.csv").write_bytes(b"object\n\xff")

    with pytest.raises(MeasurementError) as raised:
        read_several([tmp_path / "gone.csv", tmp_path / "a.csv", tmp_path / "b.csv"])

    assert [str(flaw).removeprefix(f"{tmp_path}/") for flaw in raised.value.flaws] == [
        "gone.csv: file: expected one that can be used, found a problem (no such file)",
        "a.csv:2: value: expected a finite number (leave the measurement out if there is none) for A, P, found 'x'",
        (
            "b.csv:2: file: expected one that can be used, "
            "found a problem (expected text in UTF-8, found other bytes; save it as UTF-8)"
        ),
    ]


def test_values_off_their_scale_are_told_beside_another_file_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"object,measurand,value,scale_max\nA,P,9,5\nB,P,0,5\nB,P,0,5\n")

    with pytest.raises(MeasurementError) as raised:
        read_several([tmp_path / "a.csv", tmp_path / "gone.csv"])

    assert [str(flaw).removeprefix(f"{tmp_path}/") for flaw in raised.value.flaws] == [
        "gone.csv: file: expected one that can be used, found a problem (no such file)",
        "a.csv:2: value: expected A, P on its scale of ? to 5, found 9",
    ]


def test_a_configuration_is_for_tables_of_qra3_alone(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(CSV)

    with pytest.raises(FileError) as raised:
        read_several([tmp_path / "a.csv"], {"scale_starts_at": 1})

    assert str(raised.value) == (
        f"{tmp_path}/a.csv: is no table of QRA3 (columns System, Criterion, Result), "
        "and only these have a configuration; leave the configuration out"
    )


def test_damaged_bytes_are_called_by_the_name_that_is_given() -> None:
    with pytest.raises(FileError, match=r"^upload\.csv\.gz: truncated or damaged archive"):
        read_measurements(gzip.compress(CSV)[:-9], name="upload.csv.gz")


HALF = "A" + chr(0xD800)
WHOLE = {"object": "A", "measurand": "P", "value": 1}


@pytest.mark.parametrize(
    ("mapping", "field"),
    [
        pytest.param({**WHOLE, "object": HALF}, "object", id="a text"),
        pytest.param({**WHOLE, "evaluation": ["human", HALF]}, "evaluation", id="a text in a list"),
        pytest.param({**WHOLE, "conditions": {"seed": HALF}}, "conditions 'seed'", id="the value of a condition"),
        pytest.param({**WHOLE, "conditions": {HALF: "1"}}, "conditions", id="the name of a condition"),
        pytest.param({**WHOLE, f"c:{HALF}": "1"}, "conditions", id="the name of a condition with its prefix"),
    ],
)
def test_half_of_a_character_is_a_flaw(mapping: dict[str, object], field: str) -> None:
    for source, place in ((json.dumps(mapping).encode(), "<bytes>:1"), (mapping, "measurement 1")):
        with pytest.raises(MeasurementError) as raised:
            material_of(source)

        ((where, at, expected, found),) = [
            (flaw.where, flaw.field, flaw.expected, flaw.found) for flaw in raised.value.flaws
        ]
        assert (where, at, expected) == (place, field, "whole characters")
        assert found.endswith("A\\ud800'")


def test_half_of_a_character_in_a_frame_is_a_flaw() -> None:
    with pytest.raises(MeasurementError, match=r"^row 1: row: expected whole characters, found 'A\\ud800'$"):
        material_of(pd.DataFrame({"object": pd.Series([HALF], dtype=object), "measurand": ["P"], "value": ["1"]}))


def test_a_character_that_json_writes_in_two_halves_is_whole() -> None:
    (one,) = material_of(json.dumps({**WHOLE, "object": "😀"}).encode()).measurements

    assert one.object == "😀"


@pytest.mark.parametrize("field", ["conditions", "attributes"])
def test_conditions_of_a_measurement_that_are_no_texts_are_refused(field: str) -> None:
    one = replace(MEASUREMENT, **{field: {"seed": 1}})  # type: ignore[arg-type]

    with pytest.raises(DataError) as raised:
        material_of([one])

    assert str(raised.value) == f"expected texts as {field} of A, P, found \"'seed': 1\""


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
        "row 2: value: expected a finite number (leave the measurement out if there is none) for A, found nothing",
    ]


def test_nothing_at_all_is_a_flaw() -> None:
    with pytest.raises(MeasurementError, match="the measurements: measurements: expected at least one measurement"):
        material_of([])


@pytest.mark.parametrize(("things", "kind"), [pytest.param(7, "int", id="7"), pytest.param([7], "int", id="[7]")])
def test_what_holds_no_measurements_is_refused(things: object, kind: str) -> None:
    with pytest.raises(DataError, match=f"found a value of '{kind}'"):
        material_of(things)
