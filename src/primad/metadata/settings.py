"""What does ``--set field=value`` mean?

    read_settings   paths and values of settings as a person types them
    apply           a tree with the settings in it

Values are typed as YAML reads them, except where the field is known to hold text.  A setting changes the field it
names and nothing else: where another value would have to give way for it, it is refused.
"""

from __future__ import annotations

import copy
import difflib
import re
from typing import TYPE_CHECKING, Any

from primad.errors import FormatError, UsageError
from primad.metadata.checking.fields import fault_of
from primad.metadata.normal_form import spelled
from primad.metadata.paths import EACH, Path, parse, put, value_at, written
from primad.metadata.record import is_stated
from primad.metadata.schema import Field, Schema, load_schema
from primad.metadata.secrets import redact
from primad.metadata.values import converted
from primad.safe_yaml import read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from primad.metadata.record import Tree

_AS_TYPED = ("text", "quantity")
_KEY = r"(?:\\.|[^.\[\]\\])+(?:\[[0-9]{0,9}\])*"
_FIELD = re.compile(rf"{_KEY}(?:\.{_KEY})*", re.DOTALL)
# One word, lists and mappings in brackets, quoted text.  In anything else YAML would find comments, anchors and keys.
_YAML = re.compile(r"(?:[-+.]?\w[\w.+-]*|~|[\[{\"'].*)?", re.DOTALL)
_LONGEST_SHOWN = 60
_NEAR = 0.8


def read_settings(settings: Iterable[str]) -> dict[str, str]:
    """Return the value that each of SETTINGS gives to a field.

    >>> read_settings(["tag=bm25", "method.retrieval[0].k1 = 0.9"])
    {'tag': 'bm25', 'method.retrieval[0].k1': '0.9'}
    """
    values = {}
    for setting in settings:
        field, equals, value = setting.partition("=")
        if not equals:
            raise UsageError(f"expected --set field=value, as in --set actor.team=h2oloo, found '{redact(setting)}'")
        _path_of(field.strip())
        values[field.strip()] = value.strip()
    return values


def _path_of(field: str) -> Path:
    """Return the one place that FIELD names."""
    if not _FIELD.fullmatch(field) or "" in parse(field):
        raise UsageError(f"expected a field such as actor.team or method.retrieval[0].name, found '{redact(field)}'")
    if EACH in parse(field):
        raise UsageError(f"expected the place in the list, as in {field.replace('[]', '[0]')}, found '{field}'")
    return parse(field)


def apply(settings: Mapping[str, Any], tree: Tree, schema: Schema | None = None) -> tuple[Tree, list[str]]:
    """Return TREE with the values of SETTINGS, and a remark on each field that no schema knows."""
    schema = schema or load_schema()
    tree = copy.deepcopy(tree)
    remarks = []
    for field, value in settings.items():
        path = _own_path(spelled(_path_of(field), schema), value, schema)
        known = schema.field_at(path)
        _refuse_to_replace_others(tree, path)
        if isinstance(value, str):
            _refuse_what_it_cannot_be(value, path, schema)
        put(tree, path, _typed(value, path, schema) if isinstance(value, str) else copy.deepcopy(value))
        if not known and not _is_free(path, schema):
            remarks.append(_unknown(path, schema))
    return tree, remarks


def _own_path(path: Path, value: Any, schema: Schema) -> Path:
    """Return where SCHEMA has what other files hold at PATH; a mapping of fields stays where it is."""
    if isinstance(value, dict) or (isinstance(value, str) and value.startswith("{")):
        return path
    return next((field.steps for field in schema.fields if path in map(parse, field.also)), path)


def _refuse_to_replace_others(tree: Tree, path: Path) -> None:
    """Say that a value stands where PATH needs a mapping or a list, or that it leaves places of a list out."""
    for length, step in enumerate(path):
        here = value_at(tree, path[:length])
        kind, wanted = (list, "a list") if isinstance(step, int) else (dict, "a mapping")
        above = written(path[:length])
        if is_stated(here) and not isinstance(here, kind):
            found = redact(repr(here))[:_LONGEST_SHOWN]
            raise UsageError(f"expected {wanted} at '{above}', to set '{written(path)}', found {found}")
        size = len(here) if isinstance(here, list) else 0
        if isinstance(step, int) and step > size:
            raise UsageError(f"expected at most {above}[{size}], which is the next in the list, found {above}[{step}]")


def _refuse_what_it_cannot_be(text: str, path: Path, schema: Schema) -> None:
    """Say that a whole component is set by its fields, or what the field at PATH should look like."""
    below = [field.path for field in schema.fields if field.steps[: len(path)] == path and field.steps != path]
    is_whole = text.startswith(("{", "[")) or text == ""
    known = schema.field_at(path)
    if below and not is_whole and (known is None or (known.type == "mapping" and f"{written(path)}.name" not in below)):
        raise UsageError(f"'{written(path)}' holds other fields; expected one of them, such as {below[0]}")
    fault = fault_of(text, known) if known and text else None
    if fault:
        raise UsageError(f"{written(path)}: {redact(fault)}")


def _typed(text: str, path: Path, schema: Schema) -> Any:
    """Return TEXT as the field at PATH has it, else as YAML reads it: a number, true, a list in brackets."""
    known = schema.field_at(path)
    if _holds_text(path, known, schema) or not _YAML.fullmatch(text):
        return text
    try:
        node = read_yaml(text, "--set")
    except FormatError:
        return text
    if known:
        converted(node, known)  # which takes numbers for text as they were written
    return node.plain()


def _holds_text(path: Path, known: Field | None, schema: Schema) -> bool:
    """Tell whether text stands at PATH: by itself, or as an element of a list of texts."""
    if known:
        return known.type in _AS_TYPED
    above = schema.field_at(path[:-1]) if isinstance(path[-1], int) else None
    return above is not None and above.type == "texts"


def _is_free(path: Path, schema: Schema) -> bool:
    """Tell whether PATH stands where anything may stand: the parameters of a stage, an open mapping."""
    parents = [schema.field_at(path[:length]) for length in range(1, len(path))]
    in_list = any(isinstance(step, int) for step in path)
    return in_list or any(parent and parent.type in ("mapping", "libraries") for parent in parents)


def _unknown(path: Path, schema: Schema) -> str:
    """Say that no schema knows the field at PATH, and which one was perhaps meant."""
    text = written(path)
    fields = [field.path for field in schema.fields]
    near = [field for field in fields if field.endswith(f".{text}")] or difflib.get_close_matches(
        text, fields, n=1, cutoff=_NEAR
    )
    meant = f"; did you mean '{near[0]}'?" if near else ""
    return f"'{redact(text)}' is no field of the schema and was added as it is{meant}"
