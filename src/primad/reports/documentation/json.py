"""What do commands print as JSON?  The page of its forms, from their schemas."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_INTRO = """\
# JSON

Made by `make docs` from the types of the outputs; tests hold what commands really print against the schemas.  Every
command that prints a result has `--format json`.  A document names its form and the version of that in `schema`.
While the version stays, keys may be added; none goes, and none changes its meaning.  Values are as exact as they are
known; what has no value is null, or has its reason in `undefined`.  The schemas are JSON Schema (draft 2020-12).

Two commands print what has a schema of its own: `primad show --format json` a record, and `primad schema` the JSON
Schema of records ([the fields](checklist.md)).

"""
_KEYS = re.compile(r"^(\w+(?:, \w+)*)   *(\S.*(?:\n  +\S.*)*)$", re.MULTILINE)


def file_of(name: str) -> str:
    """Return the file of the schema called NAME, from the page on.

    >>> file_of("primad.archive.search/1")
    'json/archive.search-1.schema.json'
    """
    return f"json/{name.removeprefix('primad.').replace('/', '-')}.schema.json"


def json_page(schemas: Mapping[str, Mapping[str, Any]], commands: Mapping[str, Sequence[str]]) -> str:
    """Return the page of SCHEMAS, whose documents are printed by COMMANDS."""
    lines = [*_INTRO.splitlines(), "| form | printed by | schema |", "|---|---|---|"]
    for name in schemas:
        printed = ", ".join(re.sub(r"^([^:]+)", r"`\1`", one) for one in commands[name])
        lines.append(f"| [`{name}`](#{_anchor(name)}) | {printed} | [file]({file_of(name)}) |")
    for name, schema in schemas.items():
        lines += ["", f"## {name}", "", *_section(schema)]
    return "\n".join([*lines, ""])


def _anchor(name: str) -> str:
    """Return the anchor of the heading NAME.

    >>> _anchor("primad.track-report/1")
    'primadtrack-report1'
    """
    return re.sub(r"[^\w-]", "", name)


def _section(schema: Mapping[str, Any]) -> Iterator[str]:
    """Yield what a SCHEMA says."""
    description = str(schema.get("description", ""))
    yield " ".join(description.split("\n\n", maxsplit=1)[0].split())
    yield from ("", "| key | type | |", "|---|---|---|")
    meanings = dict(_meanings(description))
    for key, part in schema["properties"].items():
        kind = type_of(part, schema) + ("" if key in schema.get("required", ()) else ", not always there")
        yield f"| `{key}` | {kind} | {meanings.get(key, '')} |"


def _meanings(description: str) -> Iterator[tuple[str, str]]:
    """Yield the keys that a DESCRIPTION explains line by line, each with its meaning."""
    for keys, meaning in _KEYS.findall(description):
        for key in keys.split(", "):
            yield key, " ".join(meaning.split())


def type_of(part: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    """Return of what type a PART of SCHEMA is, in words.

    >>> type_of({"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "null"}]}}, {})
    'list of text or null'
    """
    words = {"string": "text", "number": "number", "integer": "integer", "boolean": "true or false", "null": "null"}
    if "const" in part:
        return f"`{part['const']}`"
    if "anyOf" in part:
        return " or ".join(dict.fromkeys(type_of(one, schema) for one in part["anyOf"]))
    if "$ref" in part:
        target = schema["$defs"][part["$ref"].rpartition("/")[2]]
        return "text" if "enum" in target else f"object ({', '.join(target.get('properties', ()))})"
    if part.get("type") == "array":
        return f"list of {type_of(part['items'], schema)}" if part.get("items") else "list"
    return words.get(str(part.get("type")), "object" if part.get("type") == "object" else "anything")
