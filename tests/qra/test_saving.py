"""Is everything saved that a format has a place for, is the rest named, and is nobody's file overwritten?"""

from pathlib import Path

import pytest

from primad.errors import DataError, FileError, UsageError
from primad.qra.claims import Claim
from primad.qra.labels import Label
from primad.qra.material import Material
from primad.qra.measurement import Measurement, Scale
from primad.qra.reading.read import read_measurements
from primad.qra.saving import format_of, save, saved_as

PLAIN = Measurement(object="A", measurand="P", value="1", scale=Scale(0), source="s", experiment="e", name="k")
LABEL = Label(measurand="P", item="1", rater="r", label="x")
CLAIM = Claim(above="A", below="B", measurand="P")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.csv", "csv"),
        ("A.QRA3.CSV", "qra3"),
        ("a.jsonl", "json lines"),
        ("a.ndjson", "json lines"),
        ("a.yaml", "yaml"),
        ("a.b.yml", "yaml"),
    ],
)
def test_the_name_says_the_format(name: str, expected: str) -> None:
    assert format_of(Path(name)) == expected


@pytest.mark.parametrize("name", ["a.txt", "a", "csv", "a.csv.gz"])
def test_a_name_that_says_no_format_is_refused(name: str) -> None:
    with pytest.raises(UsageError) as caught:
        format_of(Path(name))

    assert str(caught.value) == (
        f"expected a name that ends in .csv, .yaml, .jsonl or .qra3.csv to save to, found '{name}'"
    )


def test_yaml_keeps_labels_and_claims(tmp_path: Path) -> None:
    saved = save(Material((PLAIN,), (LABEL,), (CLAIM,)), tmp_path / "a.yaml")

    found = read_measurements(tmp_path / "a.yaml")
    assert saved.remarks == ()
    assert (len(found.measurements), len(found.labels), len(found.claims)) == (1, 1, 1)


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.qra3.csv"])
def test_labels_and_claims_that_are_left_out_are_counted(name: str) -> None:
    saved = saved_as(Material((PLAIN,), (LABEL, LABEL), (CLAIM,)), Path(name))

    assert saved.remarks == (f"{name}: no place for 2 labels and 1 claim: only YAML holds them",)


def test_what_qra3_has_no_place_for_is_named() -> None:
    other = Measurement(object="A", measurand="P", value="1", scale=Scale(0, 1), conditions={"seed": "1"})

    assert saved_as(Material((PLAIN, other)), Path("a.qra3.csv")).remarks == (
        "a.qra3.csv: QRA3 has no place for conditions, upper ends of scales: they are not saved",
    )
    assert saved_as(Material((PLAIN, other)), Path("a.csv")).remarks == ()


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.qra3.csv"])
def test_labels_alone_are_refused_where_only_measurements_are_held(tmp_path: Path, name: str) -> None:
    with pytest.raises(DataError) as caught:
        save(Material(labels=(LABEL,)), tmp_path / name)

    assert str(caught.value) == (
        f"nothing to save in {name}, which holds measurements alone, and there are none, but 1 label: save as .yaml"
    )
    assert list(tmp_path.iterdir()) == []


def test_a_configuration_that_nobody_named_is_not_overwritten(tmp_path: Path) -> None:
    other = tmp_path / "a.qra3.json"
    other.write_text("mine")

    with pytest.raises(FileError) as caught:
        save(Material((PLAIN,)), tmp_path / "a.qra3.csv")

    assert str(caught.value) == (
        f"{other}: is there already and belongs to no a.qra3.csv, but would be overwritten; save under another name"
    )
    assert ([path.name for path in tmp_path.iterdir()], other.read_text()) == (["a.qra3.json"], "mine")


def test_both_files_of_qra3_are_replaced_where_both_are_there(tmp_path: Path) -> None:
    path = tmp_path / "a.qra3.csv"
    for name in ("a.qra3.csv", "a.qra3.json"):
        (tmp_path / name).write_text("old")

    saved = save(Material((PLAIN,)), path)

    assert list(saved.texts) == [path, tmp_path / "a.qra3.json"]
    assert read_measurements(path).measurements[0].scale == Scale(0)


def test_nothing_is_written_if_one_of_two_texts_cannot_be_made(tmp_path: Path) -> None:
    scales = [Measurement(object="X", measurand="A", value="1", scale=Scale(low)) for low in (0, 1)]

    with pytest.raises(DataError, match="expected one scale of A"):
        save(Material(tuple(scales)), tmp_path / "a.qra3.csv")

    assert list(tmp_path.iterdir()) == []
