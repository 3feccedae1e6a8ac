"""Does `primad schema` print the fields as programs and people want them?"""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it ships no annotations

from primad.metadata.schema import load_schema
from tests.cli.running import Outcome, primad


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def made(*arguments: str) -> dict[str, object]:
    """Return the JSON that a command prints."""
    outcome = primad("schema", *arguments)
    assert (outcome.code, outcome.err) == (0, "")
    loaded: dict[str, object] = json.loads(outcome.out)
    return loaded


def test_by_default_it_is_the_json_schema_of_the_newest_version() -> None:
    schema = made()

    Draft202012Validator.check_schema(schema)
    assert str(schema["title"]).startswith("PRIMAD metadata of a run, schema 0.2: ")
    assert schema == made("--version", "0.2")


def test_an_older_version_has_its_own_fields_only() -> None:
    schema = made("--version", "0.1")

    Draft202012Validator.check_schema(schema)
    assert str(schema["title"]).startswith("PRIMAD metadata of a run, schema 0.1: ")
    properties = schema["properties"]
    assert isinstance(properties, dict)
    assert "resources" not in properties
    assert "actor" in properties


@pytest.mark.parametrize("version", ["0.1", "0.2"])
def test_the_fields_of_a_task_are_there_in_each_version(version: str) -> None:
    facts = made("--version", version, "--profile", "longeval2026", "--format", "fields")

    fields = facts["fields"]
    assert isinstance(fields, list)
    assert {"method.retrieval[].lexical", "method.generation.llm", "tag"} <= {field["path"] for field in fields}


def test_the_versions_are_listed() -> None:
    outcome = primad("schema", "--versions")

    assert (outcome.code, outcome.err) == (0, "")
    assert [line.split()[0] for line in outcome.out.splitlines()] == ["0.1", "0.2"]


def test_an_unknown_version_is_one_message() -> None:
    message = "primad: unknown schema version '0.3'; expected one of: 0.1, 0.2\n"

    assert primad("schema", "--version", "0.3") == Outcome(1, "", message)


def test_all_facts_about_the_fields_of_a_version() -> None:
    facts = made("--version", "0.1", "--format", "fields")

    fields = facts["fields"]
    assert isinstance(fields, list)
    assert (facts["profile"], facts["schema"]) == ("ir_metadata", "0.1")
    assert [field["path"] for field in fields] == [field.path for field in load_schema("0.1").fields]
    assert all(field["why"] and field["meaning"] for field in fields)


def test_a_table_has_a_line_for_each_field_and_what_a_task_demands() -> None:
    plain, task = (
        primad("schema", "--format", "table", "--profile", name).out for name in ("ir_metadata", "longeval2026")
    )

    assert plain.splitlines()[2] == "tag  (essential) Name of the run, the same as in the last column of its ranking."
    assert "actor.team  (recommended) Name of the group" in plain
    assert "actor.team  (essential) Name of the group" in task
    assert "actor.name  (optional) Person who ran the experiment." in task


def test_a_profile_of_ones_own_is_taken_from_its_file(folder: Path) -> None:
    (folder / "mine.yaml").write_text("name: mine\nfields: [{path: method.seed, type: integer}]\n")

    faults = Draft202012Validator(made("--profile", "mine.yaml")).iter_errors({"method": {"seed": "four"}})

    assert len(list(faults)) == 1


def test_an_unknown_form_is_wrong_usage() -> None:
    outcome = primad("schema", "--format", "xml")

    assert (outcome.code, outcome.out) == (2, "")
    assert "expected json, table, fields, found 'xml'" in outcome.err
