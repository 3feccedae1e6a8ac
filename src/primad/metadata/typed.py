"""Is a record what the schema says, field by field?  The schema as a pydantic model.

    model_of      the model of a schema, made from its field facts
    type_faults   each field of a record that has another type than the schema says
    json_schema   the schema as JSON Schema, draft 2020-12

The models are open: fields that no schema knows are allowed everywhere, and every field may be missing.  What a field
is demanded for is a matter of profiles, not of types.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, WithJsonSchema, create_model
from pydantic.json_schema import GenerateJsonSchema

from primad.metadata.encodings import PATTERNS
from primad.metadata.paths import EACH
from primad.metadata.values import QUANTITY

if TYPE_CHECKING:
    from primad.metadata.paths import Path
    from primad.metadata.record import Tree
    from primad.metadata.schema import Field as FieldFacts
    from primad.metadata.schema import Schema

_FORMATS = {"uri": "uri-reference", "repository": "", "time": "date-time", "mail": "email"}
_TYPES: dict[str, Any] = {
    "text": Annotated[str, Field(strict=True)],
    "integer": Annotated[int, Field(strict=True)],
    "number": Annotated[float, Field(strict=True, allow_inf_nan=False)],
    "boolean": Annotated[bool, Field(strict=True)],
    "texts": list[Annotated[str, Field(strict=True)]],
    "libraries": dict[str, list[Annotated[str, Field(strict=True)]] | None],
    "quantity": Annotated[str, Field(strict=True, pattern=f"^{QUANTITY.pattern}$")],
    "mapping": dict[str, Any],
    "mappings": list[dict[str, Any]],
}
EXPECTED = {
    "text": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "texts": "a list of texts",
    "libraries": "lists of name==version by language",
    "quantity": "a number with its unit",
    "mapping": "a mapping",
    "mappings": "a list of mappings",
}


class _Open(BaseModel):
    """A mapping that may have more keys than are known."""

    model_config = ConfigDict(extra="allow")


@lru_cache(maxsize=32)  # as many as profiles are kept
def model_of(schema: Schema) -> type[BaseModel]:
    """Return the pydantic model of a record that follows SCHEMA."""
    return _model("Record", (), schema)


def _model(name: str, path: Path, schema: Schema) -> type[BaseModel]:
    """Return the model of the mapping at PATH."""
    keys = dict.fromkeys(
        steps[len(path)] for steps in schema.by_path if steps[: len(path)] == path and len(steps) > len(path)
    )
    fields: dict[str, Any] = {
        f"f{number}_{re.sub(r'[^a-z0-9]+', '_', str(key).lower())}": _entry(str(key), (*path, key), schema)
        for number, key in enumerate(keys)
    }
    return create_model(name, __base__=_Open, **fields)


def _entry(key: str, path: Path, schema: Schema) -> tuple[Any, Any]:
    """Return type and facts of the field at PATH."""
    facts = schema.by_path.get(path)
    annotation = _annotation(key, path, schema, facts)
    if facts and facts.closed:
        annotation = Annotated[annotation, WithJsonSchema({"type": "string", "enum": list(facts.vocabulary)})]
    extra = _extra(facts) if facts else None
    meaning = facts.meaning if facts else None
    return annotation | None, Field(None, alias=key, description=meaning, json_schema_extra=extra)


def _annotation(key: str, path: Path, schema: Schema, facts: FieldFacts | None) -> Any:
    """Return the type of the field at PATH: a model of its own where it holds other fields."""
    name = re.sub(r"[^A-Za-z0-9]+", "", key.title())
    if facts and facts.type == "libraries":
        return _TYPES["libraries"]
    if any(steps[: len(path) + 1] == (*path, EACH) for steps in schema.by_path):
        return list[_model(name, (*path, EACH), schema)]  # type: ignore[misc]  # made while the program runs
    if any(steps[: len(path)] == path and steps != path for steps in schema.by_path):
        return _model(name, path, schema)
    return _TYPES[facts.type] if facts else dict[str, Any]


def _extra(facts: FieldFacts) -> dict[str, Any]:
    """Return what JSON Schema and its readers want to know besides."""
    extra: dict[str, Any] = {"x-importance": facts.importance, "x-why": facts.why}
    if facts.study:
        extra["x-study"] = facts.study
    if facts.example is not None:
        extra["examples"] = [facts.example]
    if facts.vocabulary and not facts.closed:
        extra["x-vocabulary"] = list(facts.vocabulary)
    if facts.encoding in PATTERNS and facts.type == "text":
        extra["pattern"] = f"^{PATTERNS[facts.encoding]}$"
    elif _FORMATS.get(facts.encoding):
        extra["format"] = _FORMATS[facts.encoding]
    return extra


def type_faults(tree: Tree, schema: Schema) -> list[tuple[Path, str]]:
    """Return the path of each value of TREE with a wrong type, and what was expected there."""
    try:
        model_of(schema).model_validate(tree)
    except ValidationError as error:
        faults = [_fault(fault["loc"], schema) for fault in error.errors(include_url=False, include_context=False)]
        return list(dict.fromkeys(faults))
    return []


def _fault(place: tuple[str | int, ...], schema: Schema) -> tuple[Path, str]:
    """Return where a fault is, and what the field that is wrong should have been."""
    facts = schema.field_at(place)
    if facts:
        return place, EXPECTED[facts.type]
    parent = schema.field_at(place[:-1])
    if parent and parent.type == "texts":
        return place, "text"
    return place, EXPECTED["libraries"] if parent and parent.type == "libraries" else "a mapping"


class _Dialect(GenerateJsonSchema):
    """JSON Schema without the titles that pydantic makes from the names of fields."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Leave titles out."""
        del schema
        return False


def json_schema(schema: Schema) -> dict[str, Any]:
    """Return SCHEMA as JSON Schema."""
    made = model_of(schema).model_json_schema(by_alias=True, schema_generator=_Dialect)
    head = {
        "$schema": GenerateJsonSchema.schema_dialect,
        "title": f"PRIMAD metadata of a run, schema {schema.version}: {schema.title}",
    }
    return head | {key: value for key, value in made.items() if key != "title"}
