"""Do measurements get to QRA3 and back, and is it said what stays behind?"""

import json
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from primad.errors import DataError, FileError, MeasurementError
from primad.exchange.catalogue import recognised
from primad.exchange.qra3 import looks_like_qra3, read, write
from primad.exchange.reading import import_file
from primad.exchange.thing import File, Thing
from primad.exchange.writing import export
from primad.qra.claims import Claim
from primad.qra.example import example_measurements
from primad.qra.material import Material
from primad.qra.measurement import Measurement, Scale
from primad.qra.reading.read import read_measurements
from tests.exchange.some_things import a_run

CLARITY = Measurement(
    object="PASS",
    measurand="Clarity",
    value="6.30",
    scale=Scale(1, 7),
    source="Mille 2021",
    experiment="reproduction 1",
    role="reproduction",
    name="k2",
    conditions={"evaluators": "12"},
)
STANCE = Measurement(object="PASS", measurand="Stance", value="96.75", scale=Scale(0), role="original", name="k3")
TABLE = "Key,Study,Experiment,System,Criterion,Result\nk1,Lee,original,PASS,Clarity,5.64\n"


def a_thing(*measurements: Measurement) -> Thing:
    """Return MEASUREMENTS as a thing."""
    return Thing("precision", "pass", "PASS", material=Material(measurements))


def test_measurements_are_written_as_a_table_and_a_configuration_of_its_name() -> None:
    written = write(a_thing(CLARITY, STANCE))

    assert {file.path: file.read() for file in written.files} == {
        "pass.csv": b"Key,Study,Experiment,System,Criterion,Result\r\n"
        b"k2,Mille 2021,reproduction 1,PASS,Clarity,6.30\r\n"
        b"k3,,original,PASS,Stance,96.75\r\n",
        "pass.json": b'{\n  "scale_starts_at": {\n    "Clarity": 1,\n    "Stance": 0\n  }\n}\n',
    }


def test_what_the_table_cannot_hold_is_listed() -> None:
    thing = replace(
        a_thing(CLARITY, STANCE),
        kind="experiment",
        files=(File.of_bytes(b"", "a.qrels", "qrels"), File.of_bytes(b"x", "p.qra.yaml", "measurements")),
        material=Material((CLARITY,), claims=(Claim(above="A", below="B", measurand="Clarity"),)),
    )

    assert write(thing).lost == (
        "conditions",
        "upper ends of scales",
        "the content of 1 file of judgments",
        "1 claim",
    )


def test_fields_of_records_are_listed_as_lost_too() -> None:
    thing = replace(a_run(), material=Material((STANCE,)))

    assert {"method.retrieval: 6 values", "the content of 1 run"} <= set(write(thing).lost)


def test_the_published_example_comes_back_from_a_folder_and_from_a_zip(tmp_path: Path) -> None:
    measurements = example_measurements("belz2022").measurements
    thing = Thing("precision", "belz2022", "Belz 2022", material=Material(measurements))

    for target in ("folder", "packed.zip"):
        export(thing, "qra3", tmp_path / target)
        assert recognised(tmp_path / "folder").name == "qra3"
        imported = import_file(tmp_path / target, tmp_path / f"back from {target}")

        found = read_measurements(tmp_path / f"back from {target}" / "measurements.qra.yaml").measurements
        assert imported.measurements == len(found) == len(measurements) > 50
        assert [
            (one.name, one.source, one.role, one.object, one.measurand, one.value, one.scale.low) for one in found
        ] == [
            (one.name, one.source, one.role, one.object, one.measurand, one.value, one.scale.low)
            for one in measurements
        ]
    with zipfile.ZipFile(tmp_path / "packed.zip") as packed:
        assert packed.namelist() == ["belz2022.csv", "belz2022.json"]


def test_a_table_without_configuration_is_imported_with_a_remark(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(TABLE)

    imported = import_file(tmp_path / "t.csv", tmp_path / "out")

    assert imported.format == "qra3"
    assert len(imported.remarks) == 1
    assert "nothing says where the scales start" in imported.remarks[0]
    (one,) = read_measurements(tmp_path / "out" / "measurements.qra.yaml").measurements
    assert (one.object, one.measurand, one.value, one.role) == ("PASS", "Clarity", "5.64", "original")


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        pytest.param("t.csv", TABLE.encode(), True, id="with commas"),
        pytest.param("t.TSV", TABLE.replace(",", "\t").encode(), True, id="with tabs"),
        pytest.param(
            "t.csv", TABLE.replace(",", ";").encode("utf-8-sig"), True, id="with semicolons and a byte order mark"
        ),
        pytest.param("t.csv", b"object,measurand,value\nA,P,1\n", False, id="our own table"),
        pytest.param("t.csv", b"", False, id="nothing"),
        pytest.param("t.csv", b"\xff\xfe\x00", False, id="no text"),
        pytest.param("t.csv", b'"System\n', False, id="a quote that is left open"),
        pytest.param("t.csv", b"System" * 50_000, False, id="a cell without end"),
        pytest.param("t.run", TABLE.encode(), False, id="a file that is no table by its name"),
    ],
)
def test_a_table_is_told_by_its_columns(name: str, content: bytes, *, expected: bool, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)

    assert looks_like_qra3(tmp_path / name) is expected
    assert looks_like_qra3(tmp_path) is expected


def test_a_folder_with_two_tables_is_not_told(tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text(TABLE)

    assert not looks_like_qra3(tmp_path)
    with pytest.raises(FileError, match="expected a table with the columns System, Criterion and Result, found none"):
        read(tmp_path)


def test_wrong_rows_are_refused_with_their_lines(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(TABLE + "k2,Lee,original,PASS,Clarity,much\n")

    with pytest.raises(MeasurementError, match=r"t\.csv:3: Result: expected a finite number"):
        import_file(tmp_path / "t.csv", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_thing_without_measurements_is_refused() -> None:
    with pytest.raises(
        DataError, match="expected measurements for QRA3 table and configuration, found none in pass; name the file"
    ):
        write(a_thing())


def test_the_configuration_says_where_a_scale_starts_when_it_comes_back(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(TABLE)
    (tmp_path / "t.json").write_text(json.dumps({"scale_starts_at": 1}))

    assert read(tmp_path / "t.csv").thing.material.measurements[0].scale == Scale(1.0)
