"""Which fields has a record, what do they mean, and how much do they matter?

    Field         the facts about one field: path, type, encoding, meaning, importance, why it matters, ...
    Schema        the fields of a version, or of what a task demands
    load_schema   a version of the schema: schemas/<version>.yaml

The facts are data.  A version may extend an earlier one; a profile (see profile.py) extends a version in the same way.
"""

from __future__ import annotations

import dataclasses
import re
from functools import cache, cached_property
from importlib import resources
from typing import TYPE_CHECKING, Any, Literal

from primad.errors import FormatError, Problem, SchemaError
from primad.metadata.paths import EACH, Path, parse
from primad.metadata.versions import NEWEST, VERSIONS
from primad.safe_yaml import Node, read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pydantic import TypeAdapter

COMPONENTS = ("platform", "research goal", "implementation", "method", "actor", "data")
GENERAL = ("schema-version", "run-version", "tag")

_KEY = r"(?:\\.|[^.\[\]\\])+"
_PATH = re.compile(rf"({_KEY}(\[\])?\.)*{_KEY}")

# What is a word of Python is written otherwise here than there.
_NAMES = {"if": "only_if"}
_KEYS = {name: key for key, name in _NAMES.items()}
_LISTS = ("vocabulary", "also")
_NOTHING = ("", None, (), False)

Importance = Literal["essential", "recommended", "optional"]
Kind = Literal["text", "integer", "number", "boolean", "texts", "libraries", "quantity", "mapping", "mappings"]
Encoding = Literal[
    "",
    "version",
    "uri",
    "repository",
    "doi",
    "orcid",
    "commit",
    "sha256",
    "year",
    "time",
    "mail",
    "package",
    "release",
    "stage",
]


@dataclasses.dataclass(frozen=True)
class Field:
    """The facts about one field of a record.

    A field with ``only_if`` is demanded only where that path is stated, one with ``unless`` only where it is not.
    """

    path: str
    type: Kind = "text"
    encoding: Encoding = ""
    unit: str = ""
    meaning: str = ""
    example: Any = None
    vocabulary: tuple[str, ...] = ()
    closed: bool = False
    importance: Importance = "optional"
    why: str = ""
    study: str = ""
    also: tuple[str, ...] = ()
    origin: str = ""
    only_if: str = ""
    unless: str = ""

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> Field:
        """Return the field that FACTS, as they are written in YAML, describe."""
        known: dict[str, Any] = {_NAMES.get(key, key): fact for key, fact in facts.items()}
        return cls(**known | {key: tuple(known[key]) for key in _LISTS if key in known})

    def facts(self) -> dict[str, Any]:
        """Return the facts as they are written in YAML, without those that say nothing."""
        said = {slot.name: getattr(self, slot.name) for slot in dataclasses.fields(self)}
        said = {name: list(fact) if name in _LISTS else fact for name, fact in said.items() if fact not in _NOTHING}
        return {_KEYS.get(name, name): fact for name, fact in said.items()}

    @cached_property
    def steps(self) -> Path:
        """Return the path as keys."""
        return parse(self.path)

    @property
    def component(self) -> str:
        """Return the part of the record the field belongs to."""
        first = str(self.steps[0])
        return "general" if first in GENERAL else first

    @property
    def is_container(self) -> bool:
        """Tell whether the field holds other fields."""
        return self.type in ("mapping", "mappings")


@dataclasses.dataclass(frozen=True, eq=False)
class Schema:
    """The fields a record may have, in their order."""

    version: str
    title: str
    source: str
    fields: tuple[Field, ...]

    @cached_property
    def by_path(self) -> dict[Path, Field]:
        """Return the fields by path."""
        return {field.steps: field for field in self.fields}

    def field_at(self, path: Path) -> Field | None:
        """Return the field that stands at PATH of a record."""
        return self.by_path.get(tuple(EACH if isinstance(step, int) else step for step in path))

    def extended(self, entries: Iterable[Mapping[str, Any]]) -> tuple[Field, ...]:
        """Return the fields with ENTRIES over them: facts about known fields are replaced, others added."""
        fields = dict(self.by_path)
        for entry in entries:
            steps = parse(entry["path"])
            known = fields.get(steps)
            fields[steps] = Field.of({**(known.facts() if known else {}), **entry})
        return tuple(fields.values())


NO_FIELDS = Schema("", "", "", ())


@cache
def load_schema(version: str = NEWEST) -> Schema:
    """Return the schema of VERSION."""
    if version not in VERSIONS:
        raise SchemaError(f"unknown schema version '{version}'; expected one of: {', '.join(VERSIONS)}")
    name = f"{version}.yaml"
    text = resources.files("primad.metadata").joinpath("schemas", name).read_text(encoding="utf-8")
    facts = read_yaml(text, name).plain()
    base = load_schema(facts["extends"]) if "extends" in facts else NO_FIELDS
    return Schema(version, facts["title"], facts["source"], base.extended(facts["fields"]))


def read_fields(base: Schema, entries: Any, document: Node, where: Path, name: str) -> tuple[Field, ...]:
    """Return the fields of BASE with ENTRIES over them, which somebody wrote at WHERE in the file NAME."""
    if not isinstance(entries, list):
        raise FormatError(name, [Problem(document.line_of(where), "a list of fields", f"{entries!r:.60}")])
    problems = []
    for place, entry in enumerate(entries):
        line = document.line_of((*where, place))
        if not isinstance(entry, dict) or not isinstance(entry.get("path"), str):
            problems.append(Problem(line, "a field with at least a path", f"{entry!r:.60}"))
            continue
        faults = [_problem(fault, document, (*where, place)) for fault in _faults(entry)]
        problems += faults
        if not faults:
            base = dataclasses.replace(base, fields=base.extended([entry]))
    if problems:
        raise FormatError(name, problems)
    return base.fields


def _faults(entry: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return what is wrong with the facts that somebody wrote about a field."""
    from pydantic import ValidationError

    try:
        _adapter().validate_python({_NAMES.get(key, key): fact for key, fact in entry.items()})
    except ValidationError as error:
        return [dict(fault) for fault in error.errors()]
    if _PATH.fullmatch(entry["path"]):
        return []
    expected = "keys joined by dots, such as method.retrieval[].name"
    return [{"type": "path", "loc": ("path",), "msg": expected, "input": entry["path"]}]


@cache
def _adapter() -> TypeAdapter[Field]:
    """Return what tells whether facts are those of a field, and nothing besides."""
    from pydantic import ConfigDict, TypeAdapter, with_config

    @with_config(ConfigDict(extra="forbid"))
    @dataclasses.dataclass(frozen=True)
    class Described(Field):
        """A field as somebody describes it."""

    return TypeAdapter(Described)


def _problem(fault: Mapping[str, Any], document: Node, where: Path) -> Problem:
    """Return what is wrong in the description of a field."""
    name = str(fault["loc"][0]) if fault["loc"] else ""
    key = _KEYS.get(name, name)
    line = document.line_of((*where, key))
    if fault["type"] == "unexpected_keyword_argument":
        return Problem(line, f"one of the keys {', '.join(_keys())}", repr(key))
    return Problem(line, f"{fault['msg'].removeprefix('Input should be ')} in '{key}'", f"{fault['input']!r:.60}")


def _keys() -> list[str]:
    """Return the keys that describe a field, as they are written."""
    return [_KEYS.get(slot.name, slot.name) for slot in dataclasses.fields(Field)]
