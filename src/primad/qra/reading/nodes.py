"""How does a mapping, from YAML, JSON or Python, become a record?

    text_of        a plain value as text, as it was written
    texts_of       a mapping of plain values, such as conditions
    record_of      a mapping of fields
    merged         a record on top of what is said for many
    Strictness     whether a key that nobody knows is an error

Nested ``conditions`` and ``attributes``, ``scale: [low, high]`` and lists of words are flattened here, so that a record
is the same whether it comes from a tree or from a table.  Blanks around texts do not count.  Half of a character, which
JSON can write, is a flaw: no file could hold it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from primad.qra.naming import short
from primad.qra.reading.fields import Record
from primad.qra.reading.foreign import is_whole

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from primad.qra.reading.fields import Notes
    from primad.safe_yaml import Node

Strictness = Literal["flaw", "remark"]

_PREFIXES = {"c:": "conditions", "a:": "attributes"}
_BOUNDS = ("scale_min", "scale_max")
_LISTS = ("evaluation",)
_WHOLE = re.compile(r"[-+]?[0-9]{1,20}")
_DECIMALS = re.compile(r"[0-9]{1,20}%?")


def text_of(node: Node) -> str | None:
    """Return what NODE says as text, empty for nothing, None for a list or mapping."""
    value = node.value
    if isinstance(value, str):
        return value.strip()
    if value is None:
        return ""
    if isinstance(value, dict | list):
        return None
    return str(value) if node.text is None else node.text.strip()


def texts_of(node: Node, field: str, notes: Notes) -> dict[str, str]:
    """Return the texts of a mapping by name; a blank one is kept, as it takes back what was said for many."""
    if node.value is None:
        return {}
    if not isinstance(node.value, dict):
        notes.flaw(node.line, field, "a mapping of names to texts", _kind(node))
        return {}
    texts: dict[str, str] = {}
    for name, inner in node.value.items():
        texts[name.strip()] = _plain(inner, f"{field} {short(name)}", notes)
        _note_halves(name, inner.line, field, notes)
    return texts


def record_of(node: Node, known: Collection[str], notes: Notes, strictness: Strictness = "flaw") -> Record | None:
    """Return what NODE says in the KNOWN fields; other keys are noted as STRICTNESS has it, and None is no mapping."""
    if not isinstance(node.value, dict):
        notes.flaw(node.line, "record", f"a mapping with keys such as {', '.join(list(known)[:3])}", _kind(node))
        return None
    texts: dict[str, str] = {}
    nested: dict[str, dict[str, str]] = {"conditions": {}, "attributes": {}}
    noted = notes.noted
    before: Node | None = None
    for key, inner in node.value.items():
        if key in known:
            if key in nested:
                nested[key].update(texts_of(inner, key, notes))
            elif key == "scale":
                texts.update(zip(_BOUNDS, _bounds(inner, notes), strict=True))
            else:
                texts[key] = _listed(inner, key, notes) if key in _LISTS else _plain(inner, key, notes)
        elif (place := _PREFIXES.get(key[:2])) in known and place:
            nested[place][key[2:].strip()] = _plain(inner, key, notes)
            _note_halves(key, inner.line, place, notes)
        else:
            _note_unknown(key, inner.line, known, notes, strictness, before)
        before = inner
    lines = {key: inner.line for key, inner in node.value.items() if inner.line != node.line}
    if "scale" in lines:
        lines.update(dict.fromkeys(_BOUNDS, lines["scale"]))
    return Record(texts, node.line, nested["conditions"], nested["attributes"], lines, notes.noted > noted)


def merged(record: Record, *shared: Record) -> Record:
    """Return RECORD on top of what is SHARED, the nearest first; what is blank on top is not said at all."""
    layers = [*reversed(shared), record]
    lines = {field: layer.line_of(field) for layer in layers for field in layer.texts}
    return Record(
        {field: text for layer in layers for field, text in layer.texts.items()},
        record.line,
        _without_blanks(*(layer.conditions for layer in layers)),
        _without_blanks(*(layer.attributes for layer in layers)),
        lines,
        any(layer.is_doubtful for layer in layers),
    )


def _without_blanks(*layers: Mapping[str, str]) -> dict[str, str]:
    """Return the texts of all LAYERS, the last one on top, leaving out what ends up blank."""
    on_top = {name: text for layer in layers for name, text in layer.items()}
    return {name: text for name, text in on_top.items() if text and name}


def _plain(node: Node, field: str, notes: Notes) -> str:
    """Return the text of FIELD; a list or mapping in its place is a flaw."""
    text = text_of(node)
    if text is None:
        notes.flaw(node.line, field, "a text or a number", _kind(node))
        return ""
    _note_halves(text, node.line, field, notes)
    return text


def _note_halves(text: str, line: int, field: str, notes: Notes) -> None:
    """Note that TEXT has half of a character."""
    if not is_whole(text):
        notes.flaw(line, field, "whole characters", short(text))


def _listed(node: Node, field: str, notes: Notes) -> str:
    """Return the text of FIELD, which may be given as a list of words."""
    if not isinstance(node.value, list):
        return _plain(node, field, notes)
    return ", ".join(filter(None, (_plain(inner, field, notes) for inner in node.value)))


def _bounds(node: Node, notes: Notes) -> tuple[str, str]:
    """Return the texts of the two bounds of a scale."""
    if node.value is None:
        return "", ""
    if not isinstance(node.value, list) or len(node.value) != len(_BOUNDS):
        notes.flaw(node.line, "scale", "the lowest and the highest value, such as [0, 100]", _kind(node))
        return "", ""
    low, high = (_plain(inner, "scale", notes) for inner in node.value)
    return low, high


def _note_unknown(
    key: str, line: int, known: Collection[str], notes: Notes, strictness: Strictness, before: Node | None
) -> None:
    """Say that KEY, which follows the value BEFORE, is not read, and what was perhaps meant."""
    if strictness == "flaw":
        notes.unknown_key(line, key, known, _comma_hint(key, before))
    else:
        notes.unread(key, known)


def _comma_hint(key: str, before: Node | None) -> str:
    """Return how to write a number whose decimals became KEY, since a comma parts what stands in braces."""
    if not _DECIMALS.fullmatch(key):
        return ""
    whole = text_of(before) if before else None
    is_number = whole is not None and _WHOLE.fullmatch(whole)
    return f"; write {whole}.{key} with a point" if is_number else "; write decimals with a point"


def _kind(node: Node) -> str:
    """Return what NODE is, as a message names it."""
    if isinstance(node.value, dict):
        return "a mapping"
    if isinstance(node.value, list):
        return f"a list of {len(node.value):,}"
    return short(text_of(node) or "")
