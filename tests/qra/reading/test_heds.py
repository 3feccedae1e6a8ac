"""Does a human evaluation datasheet become conditions of measurement?"""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad.errors import FileError, PrimadError, UsageError
from primad.qra.reading.heds import heds_criteria, is_heds, read_heds

SAMPLE = "heds-sample_evaluators_design-sample-"
EVALUATORS = "heds-sample_evaluators_design-evaluators-"
DESIGN = "heds-sample_evaluators_design-experimental_design-"
CRITERION = "heds-criteria-criterion-"


def written(text: object, **by_criterion: object) -> dict[str, Any]:
    """Return an entry with a text that was written, for all or for each criterion."""
    return {"data": by_criterion or {"": text}, "control": {}}


def chosen(text: str, **by_criterion: bool) -> dict[str, Any]:
    """Return an entry with an option that was chosen, for all or for some criteria."""
    data = by_criterion or {"": True}
    return {"data": data, "control": {}, "text": {name: text if is_on else "" for name, is_on in data.items()}}


SHEET = {
    "heds-system-tasks-13": chosen("13. paraphrasing"),
    "heds-system-tasks-2": chosen("2. data to text"),
    "heds-system-tasks-4": {"data": {"": False}, "control": {}, "text": {"": ""}},
    "heds-system-tasks-other_text": written("chess reports"),
    "heds-system-input_types-5": chosen("5. text: sentence"),
    f"{SAMPLE}number_of_system_outputs": written(" 200  questions\nof two sets "),
    f"{SAMPLE}statistical_power-value": written("0.65"),
    f"{EVALUATORS}number_of_evaluators": written("120"),
    f"{EVALUATORS}evaluators-payment-1": chosen("1. paid"),
    f"{DESIGN}quality_assurance-description": written("one distractor each"),
    f"{DESIGN}preregistered-2": chosen("2. no"),
    f"{DESIGN}preregistered-other_text": written(""),
    f"{CRITERION}criteria-quality_type-1": chosen("1. Correctness", Fluency=False, Meaning=True),
    f"{CRITERION}criteria-quality_type-2": chosen("2. Goodness", Fluency=True, Meaning=False),
    f"{CRITERION}evaluation_mode-absolute_or_relative-2": chosen("2. Relative", Fluency=True, Meaning=True),
    f"{CRITERION}response_elicitation-size_of_scale-1": chosen("1. Discrete", Fluency=True, Meaning=True),
    f"{CRITERION}response_elicitation-size_of_scale-other_text": written("", Fluency="2", Meaning="3"),
    f"{CRITERION}response_elicitation-participant_criterion_definiiton": written("", Fluency="reads well", Meaning=""),
    f"{CRITERION}response_elicitation-task_description": written("", Fluency="N/A", Meaning="NA"),
    f"{CRITERION}response_elicitation-inter_annotator-agreement_score": written("", Fluency="0.8", Meaning="0.7"),
    "heds-criteria-criterion": {"data": {}, "control": {"Meaning": True}, "text": {}},
    "heds-paper_and_resources-names_and_affiliations-contact_author-email": written("somebody@example.org"),
    "heds-ethics-personal_data": written("no"),
}
SHARED = {
    "object: input types": "text: sentence",
    "object: number of system outputs": "200 questions of two sets",
    "object: tasks": "data to text; paraphrasing; chess reports",
}
PROCEDURE = {
    "procedure: evaluators payment": "paid",
    "procedure: number of evaluators": "120",
    "procedure: preregistered": "no",
    "procedure: quality assurance description": "one distractor each",
}


def as_bytes(sheet: object) -> bytes:
    """Return SHEET as the form saves it."""
    return json.dumps(sheet).encode()


def test_a_sheet_becomes_conditions_of_one_criterion_by_stage_without_people_ethics_and_results() -> None:
    found = read_heds(as_bytes(SHEET), "Fluency")

    assert found == {
        **SHARED,
        "method: absolute or relative": "Relative",
        "method: participant criterion definition": "reads well",
        "method: quality type": "Goodness",
        "method: size of scale": "Discrete; 2",
        "method: task description": "not applicable",
        **PROCEDURE,
    }
    assert [name.split(":")[0] for name in found] == ["object"] * 3 + ["method"] * 5 + ["procedure"] * 4


def test_another_criterion_of_the_sheet_has_its_own_conditions_and_what_is_blank_is_left_out() -> None:
    assert read_heds(as_bytes(SHEET), " meaning ") == {
        **SHARED,
        "method: absolute or relative": "Relative",
        "method: quality type": "Correctness",
        "method: size of scale": "Discrete; 3",
        "method: task description": "not applicable",
        **PROCEDURE,
    }


def test_no_name_of_a_condition_has_a_comma_which_parts_them_on_the_command_line() -> None:
    assert not [name for name in read_heds(as_bytes(SHEET), "Fluency") if "," in name or "=" in name]


def test_the_criteria_of_a_sheet_are_listed_in_its_order(tmp_path: Path) -> None:
    path = tmp_path / "sheet.json"
    path.write_bytes(as_bytes(SHEET))

    assert heds_criteria(path) == ["Fluency", "Meaning"]


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        pytest.param(None, "s.json describes 2 criteria; name one of them: 'Fluency', 'Meaning'", id="none named"),
        pytest.param("fluncy", "s.json describes no criterion 'fluncy'; did you mean 'Fluency'?", id="nearly"),
        pytest.param("Grammar", "s.json describes no criterion 'Grammar'; it has 'Fluency', 'Meaning'", id="another"),
    ],
)
def test_a_criterion_that_cannot_be_told_is_an_error_that_lists_them(wanted: str | None, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_heds(as_bytes(SHEET), wanted, name="s.json")

    assert str(caught.value) == message


def test_the_only_criterion_of_a_sheet_need_not_be_named() -> None:
    sheet = {f"{CRITERION}criteria-quality_type-2": chosen("2. Goodness", Fluency=True)}

    assert read_heds(as_bytes(sheet)) == {"method: quality type": "Goodness"}


def test_a_sheet_without_criteria_still_has_objects_and_procedure_but_none_can_be_named() -> None:
    sheet = {f"{EVALUATORS}number_of_evaluators": written(20)}

    assert read_heds(as_bytes(sheet)) == {"procedure: number of evaluators": "20"}
    with pytest.raises(UsageError, match="describes no criterion 'Fluency'; it has none at all"):
        read_heds(as_bytes(sheet), "Fluency")


@pytest.mark.parametrize(
    ("key", "entry", "expected"),
    [
        pytest.param(
            f"{DESIGN}conditions_variation",
            written("by site"),
            {"procedure: conditions variation": "by site"},
            id="new",
        ),
        pytest.param(
            f"{DESIGN}preregistered-2", {"data": {"": True}}, {"procedure: preregistered": "option 2"}, id="no text"
        ),
        pytest.param(f"{DESIGN}can_ask", written(True), {"procedure: can ask": "yes"}, id="true"),  # noqa: FBT003
        pytest.param(f"{DESIGN}can_ask", written(None), {}, id="null"),
        pytest.param(f"{DESIGN}can_ask", written(["a"]), {}, id="a list"),
        pytest.param(f"{DESIGN}can_ask", "text", {}, id="an entry that is none"),
        pytest.param(f"{DESIGN}can_ask", {"data": "text"}, {}, id="data that are none"),
        pytest.param("heds-system-", written("x"), {"object: ": "x"}, id="a section alone"),
        pytest.param("heds-somewhere-else", written("x"), {}, id="an unknown section"),
    ],
)
def test_a_sheet_of_another_version_is_read_as_far_as_it_is_understood(
    key: str, entry: object, expected: dict[str, str]
) -> None:
    assert read_heds(as_bytes({key: entry})) == expected


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param(b"{}", "s.json: is no human evaluation datasheet: no key begins with 'heds-'", id="empty"),
        pytest.param(b'["heds-system"]', "s.json: is no human evaluation datasheet", id="a list"),
        pytest.param(b"heds: yes", "s.json:1: expected JSON, found a line that is none", id="no JSON"),
        pytest.param(b'{"heds-a": NaN}', "s.json: is no plain JSON: found NaN as a number", id="no number"),
        pytest.param(
            b'{"heds-a": 1, "heds-a": 2}', "s.json: is no plain JSON: found the key 'heds-a' twice", id="twice"
        ),
        pytest.param(b'{"heds-a":' * 100_000, "s.json: nests lists and mappings too deeply", id="deep"),
    ],
)
def test_what_is_no_datasheet_is_an_error_that_names_the_file(data: bytes, message: str) -> None:
    with pytest.raises(FileError) as caught:
        read_heds(data, name="s.json")

    assert str(caught.value).startswith(message)


def test_a_datasheet_is_known_by_its_keys() -> None:
    assert is_heds(SHEET)
    assert not is_heds({"checklist": "2.0"})
    assert not is_heds(["heds-system"])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["data", "text", "", "F"]), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(list(SHEET)), JSON, min_size=1))
def test_no_sheet_makes_the_reader_fail_in_an_unexpected_way(sheet: dict[str, Any]) -> None:
    try:
        found = read_heds(as_bytes(sheet))
    except PrimadError:
        return
    assert all(found.values())
