"""Are a datasheet and a checklist told apart, and anything else refused?"""

import json
from pathlib import Path

import pytest

from primad.errors import FileError, FormatError, MeasurementError, UsageError
from primad.qra.reading.checklist import checklist_template
from primad.qra.reading.imported import read_conditions

SHEET = json.dumps({"heds-criteria-criterion-criteria-quality_type-other_text": {"data": {"A": "good", "B": "bad"}}})
HINT = "expected a human evaluation datasheet (keys 'heds-…') or a reproducibility checklist (key 'checklist')"


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        pytest.param("sheet.json", SHEET, {"method: quality type": "bad"}, id="a datasheet"),
        pytest.param("sheet", f"\n {SHEET}", {"method: quality type": "bad"}, id="a datasheet under any name"),
        pytest.param(
            "list.yaml",
            "checklist: '2.0'\nitems: {data.link: yes}\n",
            {"checklist: data.link": "yes"},
            id="a checklist",
        ),
        pytest.param(
            "list.json",
            '{"checklist": "2.0", "items": {"data.link": "yes"}}',
            {"checklist: data.link": "yes"},
            id="a checklist as JSON",
        ),
        pytest.param(
            "list.yaml", "{checklist: '2.0', items: {data.link: no}}", {"checklist: data.link": "no"}, id="on one line"
        ),
        pytest.param("list.yaml", checklist_template(), {}, id="a checklist not filled in"),
    ],
)
def test_the_content_decides_what_a_file_is(tmp_path: Path, name: str, text: str, expected: dict[str, str]) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")

    assert read_conditions(path, "B") == expected


def test_a_datasheet_with_several_criteria_needs_one_of_them_named() -> None:
    with pytest.raises(UsageError, match="s describes 2 criteria; name one of them: 'A', 'B'"):
        read_conditions(SHEET.encode(), name="s")


@pytest.mark.parametrize("text", ["", "qra: 1\nmeasurements: []\n", '{"measurements": []}', "[]", "just words"])
def test_a_file_that_is_neither_is_an_error_that_says_what_is_expected(text: str) -> None:
    with pytest.raises(FileError) as caught:
        read_conditions(text.encode(), name="f")

    assert str(caught.value) == f"f: states no conditions that can be imported; {HINT}"


@pytest.mark.parametrize("text", ["{", "a: b: c", "\x00"])
def test_a_file_that_is_no_yaml_either_is_an_error_with_its_line_and_what_is_expected(text: str) -> None:
    with pytest.raises(FormatError, match=r"^f:1: expected ") as caught:
        read_conditions(text.encode(), name="f")

    assert str(caught.value).endswith(HINT)


def test_a_datasheet_that_breaks_off_is_an_error_with_its_line() -> None:
    with pytest.raises(FormatError, match=r"^f:2: expected JSON, found a line that is none"):
        read_conditions(b'{"heds-a":\n1', name="f")


def test_a_file_far_longer_than_any_sheet_is_refused_before_it_is_taken_apart() -> None:
    data = b'{"heds-a": [' + b"[]," * (2 << 20) + b"[]]}"

    with pytest.raises(FileError, match="expected at most 4,194,304 bytes, found 6,291,472"):
        read_conditions(data)


def test_what_is_wrong_in_a_checklist_is_said_as_such() -> None:
    with pytest.raises(MeasurementError, match=r"did you mean 'data\.link'"):
        read_conditions(b"checklist: '2.0'\nitems: {data.lnik: yes}\n")


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="no such file"):
        read_conditions(tmp_path / "none.json")
