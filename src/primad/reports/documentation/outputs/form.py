"""What is a form of JSON, and how does it become a schema?

Form      which commands print it, its type, and what stands beside the fields of that type
schema    the JSON Schema of a form
Any_      an object whose keys are not described further
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

DIALECT = "https://json-schema.org/draft/2020-12/schema"


@dataclass(frozen=True)
class Form:
    """What COMMANDS print: a document of this TYPE, and MORE keys beside its fields."""

    commands: tuple[str, ...]
    type: Any
    more: Mapping[str, Any] = field(default_factory=dict)


def schema(name: str, form: Form) -> dict[str, Any]:
    """Return the schema of FORM, whose documents name it as NAME if that has a version."""
    from pydantic import TypeAdapter

    made = TypeAdapter(form.type).json_schema(mode="serialization")
    more = {key: TypeAdapter(kind).json_schema(mode="serialization") for key, kind in form.more.items()}
    for part in more.values():
        made["$defs"] = made.get("$defs", {}) | part.pop("$defs", {})
    named = {"schema": {"const": name}} if "/" in name else {}
    made["properties"] = {**named, **made["properties"], **more}
    made["required"] = list(dict.fromkeys([*named, *made.get("required", []), *more]))
    made["title"] = name
    closed(made)
    return {"$schema": DIALECT} | made


def closed(part: Any) -> None:
    """Let no object in PART have keys that it does not name, and say of none what it is called in the code."""
    if isinstance(part, list):
        for one in part:
            closed(one)
    if not isinstance(part, dict):
        return
    if "properties" in part:
        part.setdefault("additionalProperties", False)
        for one in part["properties"].values():
            if isinstance(one, dict) and isinstance(one.get("title"), str):
                del one["title"]
    if isinstance(part.get("description"), str):
        part["description"] = "\n".join(line.rstrip() for line in part["description"].strip().splitlines())
    part.pop("default", None)
    for one in part.values():
        closed(one)
