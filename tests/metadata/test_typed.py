"""Is a record held against the types of its fields, here and by anybody who has the JSON Schema?"""

import json
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it ships no annotations
from jsonschema import ValidationError as SchemaFault

from primad.errors import FormatError
from primad.metadata.annotation import without_placeholders
from primad.metadata.profile import load_profile
from primad.metadata.reading import read_record
from primad.metadata.record import is_stated
from primad.metadata.schema import Field, Schema, load_schema
from primad.metadata.typed import json_schema, model_of, type_faults
from primad.metadata.versions import VERSIONS

WRONG: list[Any] = [
    pytest.param({"tag": 5}, [(("tag",), "text")], id="number in place of text"),
    pytest.param({"tag": ["a"]}, [(("tag",), "text")], id="list in place of text"),
    pytest.param(
        {"research goal": {"venue": {"year": "two"}}},
        [(("research goal", "venue", "year"), "a whole number")],
        id="text in place of a whole number",
    ),
    pytest.param(
        {"research goal": {"venue": {"year": 2019.5}}},
        [(("research goal", "venue", "year"), "a whole number")],
        id="fraction in place of a whole number",
    ),
    pytest.param(
        {"research goal": {"venue": {"year": True}}},
        [(("research goal", "venue", "year"), "a whole number")],
        id="true in place of a whole number",
    ),
    pytest.param(
        {"method": {"retrieval": [{"weight": "half"}]}},
        [(("method", "retrieval", 0, "weight"), "a number")],
        id="text in place of a number",
    ),
    pytest.param(
        {"method": {"retrieval": [{"weight": False}]}},
        [(("method", "retrieval", 0, "weight"), "a number")],
        id="false in place of a number",
    ),
    pytest.param({"method": {"automatic": "maybe"}}, [(("method", "automatic"), "true or false")], id="maybe"),
    pytest.param({"method": {"automatic": 1}}, [(("method", "automatic"), "true or false")], id="1 in place of true"),
    pytest.param({"actor": {"fields": "ir"}}, [(("actor", "fields"), "a list of texts")], id="text in place of a list"),
    pytest.param({"actor": {"fields": ["ir", 5]}}, [(("actor", "fields", 1), "text")], id="number in a list of texts"),
    pytest.param(
        {"platform": {"hardware": {"ram": "much"}}},
        [(("platform", "hardware", "ram"), "a number with its unit")],
        id="quantity in words",
    ),
    pytest.param(
        {"platform": {"hardware": {"ram": 64}}},
        [(("platform", "hardware", "ram"), "a number with its unit")],
        id="quantity without unit",
    ),
    pytest.param(
        {"platform": {"hardware": {"ram": "64 GB or more"}}},
        [(("platform", "hardware", "ram"), "a number with its unit")],
        id="more than a quantity",
    ),
    pytest.param(
        {"platform": {"software": {"libraries": ["numpy"]}}},
        [(("platform", "software", "libraries"), "lists of name==version by language")],
        id="libraries without language",
    ),
    pytest.param(
        {"platform": {"software": {"libraries": {"python": "numpy"}}}},
        [(("platform", "software", "libraries", "python"), "a list of texts")],
        id="one library in place of a list",
    ),
    pytest.param(
        {"platform": {"software": {"libraries": {"java": "lucene"}}}},
        [(("platform", "software", "libraries", "java"), "lists of name==version by language")],
        id="one library of a language that the schema does not name",
    ),
    pytest.param({"platform": "a laptop"}, [(("platform",), "a mapping")], id="text in place of a component"),
    pytest.param(
        {"data": {"test collection": ["Robust04"]}},
        [(("data", "test collection"), "a mapping")],
        id="list in place of a mapping",
    ),
    pytest.param({"method": {"retrieval": "bm25"}}, [(("method", "retrieval"), "a list of mappings")], id="no list"),
    pytest.param({"method": {"retrieval": ["bm25"]}}, [(("method", "retrieval", 0), "a mapping")], id="no mapping"),
    pytest.param({"metadata": []}, [(("metadata",), "a mapping")], id="list in place of anything by name"),
    pytest.param(
        {"tag": 5, "actor": {"name": {}}, "method": {"retrieval": [{}, {"name": 1}]}},
        [(("tag",), "text"), (("method", "retrieval", 1, "name"), "text"), (("actor", "name"), "text")],
        id="several at once",
    ),
]

RIGHT: list[Any] = [
    pytest.param({}, id="nothing"),
    pytest.param({"tag": None, "platform": None, "method": {"retrieval": None}}, id="nothing stated"),
    pytest.param({"mine": [1, {"a": None}], "actor": {"mood": 5}}, id="fields that nobody knows"),
    pytest.param({"method": {"retrieval": [{"name": "bm25", "k1": 0.9, "b": {"c": []}}]}}, id="parameters of a stage"),
    pytest.param({"method": {"retrieval": [{"weight": 1}, {"weight": 0.5}]}}, id="whole number for a number"),
    pytest.param({"platform": {"hardware": {"ram": "64 GB"}}}, id="quantity"),
    pytest.param({"platform": {"hardware": {"ram": "1.5GiB"}}}, id="quantity in another unit"),
    pytest.param({"platform": {"software": {"libraries": {"java": ["lucene==7.6"], "c": None}}}}, id="libraries"),
    pytest.param({"actor": {"role": "experimenter", "orcid": "0000-0002-0661-7189"}}, id="person"),
]


@cache
def validator(profile: str = "ir_metadata") -> Draft202012Validator:
    return Draft202012Validator(json_schema(load_profile(profile).schema))


def faults_by_schema(tree: Any, profile: str = "ir_metadata") -> list[str]:
    """Return where somebody who has only the JSON Schema finds TREE to be wrong."""
    return sorted({place for error in validator(profile).iter_errors(tree) for place in places(error)})


def places(error: SchemaFault) -> Iterator[str]:
    """Yield where ERROR is at heart: every field may be null, which is not what was meant."""
    inner = [one for one in error.context or () if one.schema != {"type": "null"}]
    for one in inner:
        yield from places(one)
    if not inner:
        yield error.json_path


@pytest.mark.parametrize(("tree", "expected"), WRONG)
def test_each_value_of_a_wrong_type_is_found_with_what_was_expected(tree: Any, expected: Any) -> None:
    assert type_faults(tree, load_schema()) == expected


@pytest.mark.parametrize("tree", RIGHT)
def test_what_is_right_or_unknown_is_no_fault(tree: Any) -> None:
    assert type_faults(tree, load_schema()) == []


@pytest.mark.parametrize(("tree", "expected"), WRONG)
def test_the_json_schema_refuses_what_we_refuse(tree: Any, expected: Any) -> None:
    assert expected
    assert faults_by_schema(tree) != []


@pytest.mark.parametrize("tree", RIGHT)
def test_the_json_schema_accepts_what_we_accept(tree: Any) -> None:
    assert faults_by_schema(tree) == []


@pytest.mark.parametrize(
    ("tree", "where"),
    [
        pytest.param({"actor": {"role": "author"}}, "$.actor.role", id="closed vocabulary"),
        pytest.param({"actor": {"orcid": "12"}}, "$.actor.orcid", id="orcid"),
        pytest.param({"actor": {"mail": 5}}, "$.actor.mail", id="mail"),
        pytest.param({"implementation": {"source": {"commit": "main"}}}, "$.implementation.source.commit", id="commit"),
        pytest.param(
            {"research goal": {"publication": {"doi": "see there"}}}, "$['research goal'].publication.doi", id="doi"
        ),
    ],
)
def test_the_json_schema_knows_vocabularies_and_patterns(tree: Any, where: str) -> None:
    assert faults_by_schema(tree) == [where]


@pytest.mark.parametrize("version", VERSIONS)
def test_the_json_schema_is_one_of_draft_2020_12(version: str) -> None:
    made = json_schema(load_schema(version))

    Draft202012Validator.check_schema(made)
    assert made["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert made["title"].startswith(f"PRIMAD metadata of a run, schema {version}: ")
    assert made["properties"]["tag"]["x-importance"] == "essential"


def test_the_json_schema_carries_the_facts_about_a_field() -> None:
    made = json_schema(load_schema())
    actor, cpu = (
        made["$defs"]["Actor"]["properties"],
        next(facts["properties"] for facts in made["$defs"].values() if "operation mode" in facts["properties"]),
    )

    field = next(field for field in load_schema().fields if field.path == "platform.hardware.cpu.operation mode")
    assert actor["role"]["anyOf"][0] == {"type": "string", "enum": ["experimenter", "reproducer"]}
    assert actor["mail"]["pattern"] == r"^[^@\s]+@[^@\s]+\.[^@\s]+$"
    assert actor["github"]["format"] == "uri-reference"
    assert cpu["operation mode"] == {
        "anyOf": [{"type": "string"}, {"type": "null"}],
        "default": None,
        "description": field.meaning,
        "examples": ["64-bit"],
        "x-importance": "recommended",
        "x-vocabulary": ["64-bit", "32-bit"],
        "x-why": field.why,
    }


def test_the_json_schema_is_the_same_each_time() -> None:
    code = (
        "import json; from primad.metadata.typed import json_schema; from primad.metadata.schema import load_schema; "
    )
    code += "print(json.dumps(json_schema(load_schema())))"

    made = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)

    assert json.loads(made.stdout) == json_schema(load_schema())


def test_every_example_of_a_field_is_accepted_by_the_json_schema_of_the_field() -> None:
    made = json_schema(load_schema())
    properties = [facts for model in (made, *made["$defs"].values()) for facts in model["properties"].items()]

    refused = [
        name
        for name, facts in properties
        for example in facts.get("examples", [])
        if list(Draft202012Validator({"$defs": made["$defs"], **facts}).iter_errors(example))
    ]

    assert refused == []
    assert sum("examples" in facts for _, facts in properties) == sum(
        field.example is not None
        for field in load_schema().fields
        if field.path != "platform.software.libraries.python"
    )


def real_files(folder: Path) -> list[Path]:
    return sorted(path for path in (folder / "ir_metadata").rglob("*") if path.suffix in (".yml", ".gz", ".txt"))


def test_the_json_schema_accepts_every_record_of_the_real_files(shared_data: Path) -> None:
    refused: dict[str, list[str]] = {}
    read = unreadable = 0
    for path in real_files(shared_data):
        if path.name == "SOURCE.txt":
            continue
        try:
            tree = read_record(path).tree
        except FormatError:
            unreadable += 1
            continue
        read += 1
        faults = faults_by_schema(without_placeholders(tree))
        refused |= {path.name: faults} if faults else {}

    assert refused == {}
    assert (read, unreadable) == (21, 4)


def test_a_skeleton_is_refused_only_where_it_was_not_filled_in(shared_data: Path) -> None:
    tree = read_record(shared_data / "ir_metadata/tira/longeval-ir-metadata/ir-metadata-incomplete.yml").tree

    assert faults_by_schema(tree) == ["$.method.automatic"]
    assert not is_stated(tree["method"]["automatic"])


def test_a_profile_adds_its_fields_to_the_json_schema() -> None:
    tree = {"method": {"generation": {"agents": "two"}}}

    assert faults_by_schema(tree, "longeval2026") == ["$.method.generation.agents"]
    assert faults_by_schema(tree) == []


def test_keys_that_differ_only_in_their_signs_are_told_apart() -> None:
    schema = Schema(
        "1", "t", "s", (Field(path="a-b", type="integer"), Field(path="a b"), Field(path="é.ü"), Field(path="ö.ü"))
    )

    assert type_faults({"a-b": 1, "a b": "x", "é": {"ü": "x"}, "ö": {"ü": 1}}, schema) == [(("ö", "ü"), "text")]
    Draft202012Validator.check_schema(json_schema(schema))


def test_a_model_is_made_once_for_a_schema() -> None:
    assert model_of(load_schema()) is model_of(load_schema())
