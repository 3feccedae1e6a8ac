"""Does a human evaluation datasheet become measurements to fill in?"""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from primad.cli import app
from primad.errors import MeasurementError
from primad.exchange.catalogue import formats, recognised
from primad.exchange.heds import looks_like_heds
from primad.exchange.reading import import_file
from primad.qra.reading.heds import read_heds
from primad.qra.reading.read import read_measurements

EVALUATORS = "heds-sample_evaluators_design-evaluators-"
CRITERION = "heds-criteria-criterion-"
SHEET: dict[str, Any] = {
    f"{EVALUATORS}number_of_evaluators": {"data": {"": "12"}},
    f"{EVALUATORS}payment-1": {"data": {"": True}, "text": {"": "1. paid"}},
    f"{EVALUATORS}payment-2": {"data": {"": False}, "text": {"": ""}},
    f"{CRITERION}evaluation_mode-intrinsic_or_extrinsic-1": {
        "data": {"Fluency": True, "Adequacy": False},
        "text": {"Fluency": "1. Intrinsic", "Adequacy": ""},
    },
    f"{CRITERION}response_elicitation-size_of_scale-other_text": {"data": {"Fluency": "5", "Adequacy": "7"}},
    f"{CRITERION}response_elicitation-inter_annotator-agreement_score": {"data": {"Fluency": "0.8", "Adequacy": ""}},
    "heds-paper_and_resources-contact-email": {"data": {"": "somebody@example.org"}},
    "heds-ethics-personal_data": {"data": {"": "no"}},
    "heds-ethics-committee": {"data": {"": " "}},
}


def saved(folder: Path, sheet: object = SHEET) -> Path:
    """Return SHEET as the form saves it."""
    path = folder / "sheet.json"
    path.write_text(json.dumps(sheet))
    return path


def filled(folder: Path, *values: str) -> Path:
    """Return the file of measurements in FOLDER with an object and VALUES filled in."""
    path = folder / "measurements.qra.yaml"
    text = path.read_text().replace("- object:\n", "- object: summariser\n")
    for value in values:
        text = text.replace("  value:\n", f"  value: {value}\n", 1)
    path.write_text(text)
    return path


def test_each_criterion_becomes_a_measurement_with_its_conditions(tmp_path: Path) -> None:
    sheet = saved(tmp_path)
    import_file(sheet, tmp_path / "out")

    fluency, adequacy = read_measurements(filled(tmp_path / "out", "4.25", "5.1")).measurements

    assert (fluency.object, fluency.measurand, fluency.value) == ("summariser", "Fluency", "4.25")
    assert (adequacy.object, adequacy.measurand, adequacy.value) == ("summariser", "Adequacy", "5.1")
    assert dict(fluency.conditions) == read_heds(sheet, "Fluency")
    assert dict(adequacy.conditions) == read_heds(sheet, "Adequacy")
    assert fluency.conditions["procedure: payment"] == "paid"
    assert (fluency.evaluation, adequacy.evaluation) == ("human, intrinsic", "human")


def test_until_it_is_filled_in_it_is_said_what_is_missing(tmp_path: Path) -> None:
    imported = import_file(saved(tmp_path), tmp_path / "out")

    with pytest.raises(MeasurementError) as caught:
        read_measurements(tmp_path / "out" / "measurements.qra.yaml")

    assert [flaw.field for flaw in caught.value.flaws] == ["object", "value", "object", "value"]
    assert imported.remarks == (
        "a datasheet has no values: 2 measurements wait in measurements.qra.yaml for object and value",
    )


def test_what_is_no_condition_is_counted_by_section(tmp_path: Path) -> None:
    imported = import_file(saved(tmp_path), tmp_path / "out")

    assert imported.lost == ("results: 1 answer", "section paper_and_resources: 1 answer", "section ethics: 1 answer")
    assert "somebody@example.org" not in (tmp_path / "out" / "measurements.qra.yaml").read_text()


def test_values_of_two_evaluations_with_their_sheets_are_assessed_by_what_differs(tmp_path: Path) -> None:
    other = SHEET | {f"{EVALUATORS}number_of_evaluators": {"data": {"": "40"}}}
    for name, sheet, value in (("ours", SHEET, "4.25"), ("theirs", other, "4.75")):
        (tmp_path / name).mkdir()
        import_file(saved(tmp_path / name, sheet), tmp_path / name / "out")
        filled(tmp_path / name / "out", value, value)
    files = [str(tmp_path / name / "out" / "measurements.qra.yaml") for name in ("ours", "theirs")]

    done = CliRunner().invoke(app, ["qra", *files, "--format", "json"])

    assert done.exit_code == 0, done.output
    fluency = json.loads(done.stdout)["groups"][0]
    assert fluency["n"] == 2
    assert fluency["conditions"]["varying"] == {"procedure: number of evaluators": ["12", "40"]}


@pytest.mark.parametrize(
    "sheet",
    [
        pytest.param({f"{EVALUATORS}number_of_evaluators": {"data": {"": "12"}}}, id="no criterion"),
        pytest.param({f"{CRITERION}criteria-name": {"data": {"Fluency": "x"}}}, id="one criterion"),
        pytest.param({"heds-system-tasks-1": {"data": {"": "a: b # c\n- d"}}}, id="text that looks like YAML"),
        pytest.param({"heds-x": None, "heds-y": {"data": 1}, "heds-z": [1]}, id="entries that are none"),
        pytest.param({f"{CRITERION}criteria-name": {"data": {"value: null\n": "x"}}}, id="a criterion that is odd"),
    ],
)
def test_any_sheet_gives_a_file_that_can_be_filled_in(sheet: object, tmp_path: Path) -> None:
    import_file(saved(tmp_path, sheet), tmp_path / "out")

    text = filled(tmp_path / "out", "4.25").read_text().replace("  measurand:\n", "  measurand: any\n")

    (one,) = read_measurements(text.encode(), name="m.qra.yaml").measurements
    assert (one.object, one.value) == ("summariser", "4.25")


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        pytest.param("s.json", json.dumps(SHEET), True, id="a sheet"),
        pytest.param("s.json", '{"title": "heds-"}', False, id="other JSON"),
        pytest.param("s.json", "{", False, id="no JSON"),
        pytest.param("s.json", '{"heds-a": 1, "heds-a": 2}', False, id="a key twice"),
        pytest.param("s.yaml", json.dumps(SHEET), False, id="another file by its name"),
    ],
)
def test_a_sheet_is_told_by_its_keys(name: str, text: str, *, expected: bool, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)

    assert looks_like_heds(tmp_path / name) is expected


def test_a_sheet_is_recognised_among_all_formats_and_can_only_be_read(tmp_path: Path) -> None:
    assert recognised(saved(tmp_path)).name == "heds"
    assert formats()["heds"].write is None
