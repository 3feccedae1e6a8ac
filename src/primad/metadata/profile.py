"""What does a task demand of a record?

    Profile         a name, a schema, and how much each field matters for the task
    load_profile    a built-in profile by name, or one's own by its file
    BUILT_IN        the names of the built-in profiles

A profile is a YAML file.  It lists the fields that are essential and recommended for the task, each by its path, or as
a mapping with ``path`` and ``if`` or ``unless`` (another path that must, or must not, be stated for the demand to
hold).  All other fields are optional, unless the profile extends ``ir_metadata``, which keeps what the schema says.
Under ``fields`` it may add fields, with type, meaning and reason, and change what is known about others; ``depth`` is
the largest number of documents that a topic may have.
"""

from __future__ import annotations

import dataclasses
from functools import lru_cache
from importlib import resources
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from primad.errors import FormatError, Problem, SchemaError
from primad.metadata.paths import parse
from primad.metadata.schema import Schema, load_schema, read_fields
from primad.metadata.versions import NEWEST, VERSIONS
from primad.safe_yaml import MAX_BYTES, Node, read_yaml
from primad.trec.files import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

BUILT_IN = ("ir_metadata", "longeval2026")
DEFAULT = "ir_metadata"

_KEYS = ("name", "title", "source", "schema", "extends", "essential", "recommended", "fields", "depth")


@dataclasses.dataclass(frozen=True)
class Profile:
    """What a task demands: the schema, with the importance of each field for the task."""

    name: str
    title: str
    schema: Schema
    depth: int | None = None
    keeps_importance: bool = True  # that of the schema, where the profile says nothing else

    def with_schema(self, schema: Schema) -> Profile:
        """Return the profile with the fields of another version of the schema, and with those it adds itself."""
        known, before = self.schema.by_path, load_schema(self.schema.version).by_path
        others = schema if self.keeps_importance else _all_optional(schema)
        fields = [known.get(field.steps, field) for field in others.fields]
        own = [field for field in self.schema.fields if field.steps not in {*before, *schema.by_path}]
        return dataclasses.replace(self, schema=dataclasses.replace(schema, fields=(*fields, *own)))


def _all_optional(schema: Schema) -> Schema:
    """Return SCHEMA without any demand."""
    optional = tuple(
        dataclasses.replace(field, importance="optional", only_if="", unless="") for field in schema.fields
    )
    return dataclasses.replace(schema, fields=optional)


def load_profile(name: str = DEFAULT) -> Profile:
    """Return the built-in profile NAME, or the one in the file NAME."""
    if name in BUILT_IN:
        file = resources.files("primad.metadata").joinpath("profiles", f"{name}.yaml")
        return _read(file.read_text(encoding="utf-8"), f"{name}.yaml")
    if not _exists(name):
        known = ", ".join(BUILT_IN)
        raise SchemaError(f"unknown profile '{name}'; expected one of {known}, or the file of a profile of your own")
    try:
        text = read_bytes(name, limit=MAX_BYTES, instead="is it the file of a profile?").decode()
    except UnicodeDecodeError as error:
        raise FormatError(name, [Problem(1, "UTF-8", f"other bytes at {error.start}")]) from None
    return _read(text, name)


def _exists(name: str) -> bool:
    """Tell whether there is a file NAME; a name that no file can have has none."""
    try:
        return bool(name) and FilePath(name).exists()
    except OSError:
        return False


@lru_cache(maxsize=32)  # a site is sent profiles of strangers, and need not keep them all
def _read(text: str, name: str) -> Profile:
    """Return the profile that the file NAME describes with TEXT."""
    document = read_yaml(text, name)
    facts = document.plain()
    _refuse_unknown_keys(document, name)
    schema = load_schema(str(facts.get("schema", NEWEST)))
    keeps_importance = DEFAULT in (facts.get("extends"), facts["name"])
    if not keeps_importance:
        schema = _all_optional(schema)
    entries = facts.get("fields") or []
    if entries:
        schema = dataclasses.replace(schema, fields=read_fields(schema, entries, document, ("fields",), name))
    for importance in ("recommended", "essential"):
        schema = _demanding(schema, importance, document, name)
    title = str(facts.get("title") or facts["name"])
    return Profile(facts["name"], title, schema, facts.get("depth"), keeps_importance)


def _refuse_unknown_keys(document: Node, name: str) -> None:
    """Say which keys are no keys of a profile."""
    facts = document.plain()
    if not isinstance(facts, dict) or not isinstance(facts.get("name"), str):
        raise FormatError(name, [Problem(1, "a profile: a mapping with at least a name", "none")])
    unknown = [key for key in facts if key not in _KEYS]
    if unknown:
        expected = f"one of the keys {', '.join(_KEYS)}"
        raise FormatError(name, [Problem(document.line_of((key,)), expected, repr(key)) for key in unknown])
    if facts.get("extends") not in (None, DEFAULT):
        line = document.line_of(("extends",))
        raise FormatError(name, [Problem(line, f"a profile that extends {DEFAULT} or none", repr(facts["extends"]))])
    depth = facts.get("depth")
    if depth is not None and (not isinstance(depth, int) or isinstance(depth, bool) or depth < 1):
        line = document.line_of(("depth",))
        raise FormatError(name, [Problem(line, "a whole number of documents, at least 1", repr(depth))])
    version = facts.get("schema", NEWEST)
    if str(version) not in VERSIONS:
        line = document.line_of(("schema",))
        raise FormatError(name, [Problem(line, f"one of the schema versions {', '.join(VERSIONS)}", repr(version))])


def _demanding(schema: Schema, importance: str, document: Node, name: str) -> Schema:
    """Return SCHEMA with the IMPORTANCE that the profile gives to fields."""
    demands = document.plain().get(importance) or []
    if not isinstance(demands, list):
        raise FormatError(name, [Problem(document.line_of((importance,)), "a list of paths", repr(demands))])
    entries = [
        {**(demand if isinstance(demand, dict) else {"path": demand}), "importance": importance} for demand in demands
    ]
    problems = [
        Problem(document.line_of((importance, place, key)), expected, f"{found!r:.60}")
        for place, entry in enumerate(entries)
        for key, expected, found in _unknown_paths(entry, schema)
    ]
    if problems:
        raise FormatError(name, problems)
    fields = read_fields(schema, entries, document, (importance,), name) if entries else schema.fields
    return dataclasses.replace(schema, fields=fields)


def _unknown_paths(demand: dict[str, Any], schema: Schema) -> Iterator[tuple[str, str, Any]]:
    """Yield each path in a DEMAND that leads to no field: its key, what was expected, and what stands there."""
    path = demand.get("path")
    if not isinstance(path, str) or parse(path) not in schema.by_path:
        yield "path", "the path of a field; new fields are described under 'fields'", path
    for key in ("if", "unless"):
        other = demand.get(key)
        if isinstance(other, str) and not any(steps[: len(parse(other))] == parse(other) for steps in schema.by_path):
            yield key, f"the path of a field, or of a mapping that holds fields, in '{key}'", other
