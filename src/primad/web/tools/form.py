"""Which inputs has the form in which a record is filled in, and what do they say?

    Input, Rows, Part   an input; the inputs of each element of a list; a component of the record
    parts_of            the form for a profile, with what was typed and what is wrong with it
    names_of            the names of its inputs and lists
    texts_of            what a record says, as somebody would have typed it
    tree_of             the record that was typed, and what is wrong with single inputs

An input is named by the path of its field.  What a record says beyond the inputs is YAML in an input of its own (MORE),
so that nothing of a header is lost on its way through the form.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from primad.errors import FormatError
from primad.metadata.checking.fields import fault_of
from primad.metadata.paths import EACH, Path, parse, put, remove, value_at, written
from primad.metadata.record import FOUND_OUT, Tree, is_stated, merged
from primad.metadata.schema import Field, Schema
from primad.metadata.settings import apply
from primad.safe_yaml import read_yaml, write_yaml
from primad.web.numbers import whole
from primad.web.tools.catalogue import TITLES

MORE = "more"
_NO_INPUT = ("schema-version", "ranking", "resources", "data.inputs", "data.outputs", "metadata")
_MOST_ROWS = 50
_YAML = ("mapping", "libraries")

Texts = Mapping[str, str]


@dataclasses.dataclass(frozen=True)
class Input:
    """An input: its NAME, the FIELD it is for, what was typed, and what is WRONG with that."""

    name: str
    field: Field
    text: str = ""
    wrong: tuple[str, ...] = ()

    @property
    def anchor(self) -> str:
        """Return the name by which labels and links find it."""
        return "in-" + "".join(sign if sign.isalnum() else "-" for sign in self.name)

    @property
    def label(self) -> str:
        """Return what it is called beside others of its component."""
        if "[" in self.name:
            return self.name.rpartition("].")[2] if "]." in self.name else "anything else"
        return self.name.partition(".")[2] or self.name

    @property
    def form(self) -> str:
        """Return how it is typed: yaml, lines, choice, boolean, or as a line."""
        if self.field.type in _YAML:
            return "yaml"
        if self.field.type == "texts":
            return "lines"
        if self.field.type == "boolean" or self.field.closed:
            return "boolean" if self.field.type == "boolean" else "choice"
        return "area" if "\n" in self.text else "line"


@dataclasses.dataclass(frozen=True)
class Rows:
    """A list, such as the stages of a retrieval: its FIELD, and the inputs of each element; the last is empty.

    WRONG is what is wrong with the list as a whole.
    """

    field: Field
    rows: tuple[tuple[Input, ...], ...]
    wrong: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True)
class Part:
    """A component: its TITLE, inputs that matter, inputs that are OPTIONAL, and lists."""

    name: str
    title: str
    inputs: tuple[Input, ...]
    optional: tuple[Input, ...]
    lists: tuple[Rows, ...]


# Which fields are asked for --------------------------------------------------------------------------------------


def _plain_fields(schema: Schema) -> list[Field]:
    """Return the fields that have an input, but for those in lists."""
    holders = {field.steps[:length] for field in schema.fields for length in range(1, len(field.steps))}
    whole = [one.path for one in schema.fields if one.type == "libraries"]
    return [
        one
        for one in schema.fields
        if EACH not in one.steps and one.type != "mappings" and _is_asked(one)
        if one.path in whole or (one.steps not in holders and not _is_below(one, whole))
    ]


def _lists(schema: Schema) -> list[Field]:
    """Return the lists of mappings that have inputs."""
    return [one for one in schema.fields if one.type == "mappings" and EACH not in one.steps and _is_asked(one)]


def _of_element(schema: Schema, of: Field) -> list[Field]:
    """Return the fields that each element of the list OF has; a list in it is left to YAML."""
    head = (*of.steps, EACH)
    below = [one for one in schema.fields if one.steps[: len(head)] == head and len(one.steps) == len(head) + 1]
    return [one for one in below if one.type != "mappings"]


def _is_asked(field: Field) -> bool:
    """Tell whether a person is asked for FIELD: what tools find out is asked for only if it matters."""
    if _is_below(field, _NO_INPUT):
        return False
    return field.importance != "optional" or not _is_below(field, FOUND_OUT)


def _is_below(field: Field, above: Iterable[str]) -> bool:
    """Tell whether FIELD is one of ABOVE, or stands below one."""
    return any(field.steps[: len(parse(one))] == parse(one) for one in above)


# The form --------------------------------------------------------------------------------------------------------


def parts_of(schema: Schema, texts: Texts, wrong: Mapping[str, tuple[str, ...]]) -> list[Part]:
    """Return the form for SCHEMA with the TEXTS that were typed, and what is WRONG with each."""

    def of(field: Field, name: str = "") -> Input:
        name = name or field.path
        return Input(name, field, texts.get(name, ""), wrong.get(name, ()))

    plain, lists = _plain_fields(schema), _lists(schema)
    made = []
    for name in dict.fromkeys(one.component for one in (*plain, *lists)):
        inputs = [of(one) for one in plain if one.component == name]
        rows = [
            Rows(one, tuple(_row(schema, one, place, of) for place in range(_count(one, texts) + 1)), of(one).wrong)
            for one in lists
            if one.component == name
        ]
        matters = tuple(one for one in inputs if one.field.importance != "optional")
        optional = tuple(one for one in inputs if one.field.importance == "optional")
        made.append(Part(name, TITLES.get(name, name.capitalize()), matters, optional, tuple(rows)))
    return made


def names_of(parts: Iterable[Part]) -> Iterator[str]:
    """Yield the names of all inputs and lists in PARTS."""
    for part in parts:
        yield from (one.name for one in (*part.inputs, *part.optional))
        for several in part.lists:
            yield several.field.path
            yield from (one.name for row in several.rows for one in row)


def _row(schema: Schema, of: Field, place: int, made: Any) -> tuple[Input, ...]:
    """Return the inputs for the element at PLACE of the list OF."""
    further = Field(f"{of.path}[]", "mapping", meaning="Anything else about it, as YAML: a name and a value in a line.")
    element = written((*of.steps, place))
    named = [made(one, _name_in(of, place, one)) for one in _of_element(schema, of)]
    return (*named, made(further, element))


def _count(of: Field, texts: Texts) -> int:
    """Return how many elements of the list OF something was typed for."""
    start = f"{written(of.steps)}["  # strangers make up names, too, so that nothing more is read of them
    places = (whole(name.removeprefix(start).partition("]")[0]) for name in _typed(texts) if name.startswith(start))
    return min(max((one + 1 for one in places if one is not None), default=0), _MOST_ROWS)


def _typed(texts: Texts) -> Iterator[str]:
    """Yield the names of inputs in lists into which something was typed."""
    return (name for name, text in texts.items() if "[" in name and text.strip())


# From a record to texts, and back --------------------------------------------------------------------------------


def texts_of(tree: Tree, schema: Schema) -> dict[str, str]:
    """Return what the record TREE says as it would have been typed."""
    rest = copy.deepcopy(tree)
    texts: dict[str, str] = {}
    for one in _plain_fields(schema):
        _move(rest, one.steps, one, texts, one.path)
    for one in _lists(schema):
        _move_rows(rest, one, schema, texts)
    for known in ("schema-version", "ranking"):
        remove(rest, parse(known))  # both are written anew
    return texts | ({MORE: write_yaml(rest)} if is_stated(rest) else {})


def _move(tree: Tree, steps: Path, field: Field, texts: dict[str, str], name: str) -> None:
    """Move what TREE says at STEPS to TEXTS under NAME, if the input for FIELD can hold it."""
    text = _as_text(value_at(tree, steps), field)
    if text is not None:
        texts[name] = text
        remove(tree, steps)


def _move_rows(tree: Tree, of: Field, schema: Schema, texts: dict[str, str]) -> None:
    """Move the elements of the list OF from TREE to TEXTS."""
    elements = value_at(tree, of.steps)
    if not isinstance(elements, list) or not all(isinstance(one, dict) for one in elements[: _MOST_ROWS + 1]):
        return
    if len(elements) > _MOST_ROWS:
        return
    for place, element in enumerate(elements):
        for one in _of_element(schema, of):
            _move(element, one.steps[-1:], one, texts, _name_in(of, place, one))
        if is_stated(element):
            texts[written((*of.steps, place))] = write_yaml(element)
    remove(tree, of.steps)


def _as_text(value: Any, field: Field) -> str | None:
    """Return VALUE as it is typed for FIELD, None where it cannot be."""
    if not is_stated(value):
        return None
    if field.type in _YAML:
        return write_yaml(value) if isinstance(value, dict) else None
    if field.type == "texts":
        is_plain = isinstance(value, list) and all(isinstance(one, str) and "\n" not in one for one in value)
        return "\n".join(value) if is_plain else None
    if isinstance(value, dict | list):
        return None
    return str(value).lower() if isinstance(value, bool) else str(value)


def tree_of(texts: Texts, schema: Schema) -> tuple[Tree, dict[str, tuple[str, ...]]]:
    """Return the record that TEXTS say by SCHEMA, and what is wrong with each of them that cannot be meant."""
    values: dict[str, Any] = {}
    wrong: dict[str, tuple[str, ...]] = {}
    for name, field in _inputs(texts, schema):
        text = texts.get(name, "").replace("\r\n", "\n").strip()
        if text:
            values[name], faults = _value(text, field)
            wrong |= {name: faults} if faults else {}
    if wrong:
        return {}, wrong
    plain = {one.path: values[one.path] for one in _plain_fields(schema) if one.path in values}
    tree, _ = apply(plain, values.get(MORE, {}), schema)
    for one in _lists(schema):
        elements = list(_elements(one, values, texts, schema))
        if elements:
            put(tree, one.steps, elements)
    return tree, {}


def _inputs(texts: Texts, schema: Schema) -> Iterator[tuple[str, Field]]:
    """Yield the name of each input that TEXTS may be for, with its field."""
    yield MORE, Field(MORE, "mapping")
    yield from ((one.path, one) for one in _plain_fields(schema))
    for of in _lists(schema):
        for place in range(_count(of, texts)):
            yield written((*of.steps, place)), Field(of.path, "mapping")
            yield from ((_name_in(of, place, one), one) for one in _of_element(schema, of))


def _name_in(of: Field, place: int, field: Field) -> str:
    """Return the name of the input for FIELD of the element at PLACE of the list OF."""
    return written((*of.steps, place, field.steps[-1]))


def _value(text: str, field: Field) -> tuple[Any, tuple[str, ...]]:
    """Return what TEXT, typed for FIELD, says, and what is wrong with it."""
    if field.type in _YAML:
        return _yaml_value(text)
    if field.type == "texts":
        lines = [line.strip() for line in text.split("\n") if line.strip()]
        one = dataclasses.replace(field, type="text")
        return lines, tuple(fault for line in lines if (fault := fault_of(line, one)))
    fault = fault_of(text, field)
    return text, (fault,) if fault else ()


def _yaml_value(text: str) -> tuple[Any, tuple[str, ...]]:
    """Return the mapping that TEXT is in YAML, and what is wrong with it."""
    try:
        value = read_yaml(text, "this input").plain()
    except FormatError as error:
        return {}, tuple(f"line {one.line}: {one}" for one in error.problems)
    if not isinstance(value, dict):
        return {}, ("expected a mapping, such as 'k1: 0.9' in a line, found something else",)
    return value, ()


def _elements(of: Field, values: Mapping[str, Any], texts: Texts, schema: Schema) -> Iterator[Tree]:
    """Yield the elements of the list OF that something was typed for."""
    first = (*of.steps, 0)
    for place in range(_count(of, texts)):
        names = {_name_in(of, place, one): _name_in(of, 0, one) for one in _of_element(schema, of)}
        typed = {names[name]: values[name] for name in names if name in values}
        tree, _ = apply(typed, {}, schema)
        element = merged(value_at(tree, first, {}), values.get(written((*of.steps, place)), {}))
        if element:
            yield element
