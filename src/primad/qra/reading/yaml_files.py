"""How is a YAML file of measurements read?

    read_yaml_text    a text, with flaws in place of errors of syntax
    read_document     a tree, which may as well come from JSON

A document says once what many measurements share, and each measurement may say it otherwise:

    qra: 1                              the version of this format
    study, task, evaluation             of all measurements
    conditions: {NAME: TEXT}            of all measurements; a measurement takes one back by a blank
    measurands: {NAME: {...}}           scale, unit, direction, evaluation; level, for labels
    objects: {NAME: {...}}              system, attributes
    measurements, labels, claims        lists
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from primad.errors import FormatError
from primad.qra.naming import meant, short
from primad.qra.reading.fields import Record
from primad.qra.reading.nodes import Strictness, merged, record_of, text_of
from primad.qra.reading.records import CLAIM, LABEL, MEASUREMENT, Kind
from primad.safe_yaml import Node, read_yaml

if TYPE_CHECKING:
    from collections.abc import Mapping

    from primad.qra.reading.fields import Notes
    from primad.qra.reading.records import Reading

VERSION = "1"

# Comparing thousands of names with thousands of others would take minutes.
_MOST_UNUSED = 8
_MOST_COMPARED = 1000

LISTS: dict[str, Kind] = {"measurements": "measurement", "labels": "label", "claims": "claim"}
MAPPING_FIELDS: dict[Kind, tuple[str, ...]] = {
    "measurement": (*MEASUREMENT, "scale", "conditions", "attributes"),
    "label": LABEL,
    "claim": CLAIM,
}
_SHARED = ("study", "task", "evaluation", "conditions")
_OF_MEASURANDS = ("scale", "scale_min", "scale_max", "unit", "direction", "evaluation", "level")
_OF_OBJECTS = ("system", "attributes")
_KEYS = ("qra", *_SHARED, "measurands", "objects", *LISTS)


def read_yaml_text(text: str, reading: Reading, *, limit: int) -> None:
    """Read TEXT, of at most LIMIT bytes."""
    try:
        root = read_yaml(text, reading.notes.file, limit=limit)
    except FormatError as error:
        for problem in error.problems:
            reading.notes.flaw(problem.line, "YAML", problem.expected, problem.found)
        return
    if root.value is None:
        reading.notes.flaw(0, "file", "measurements", "an empty file")
    else:
        read_document(root, reading)


def read_document(root: Node, reading: Reading, strictness: Strictness = "flaw") -> None:
    """Read the tree ROOT; a key of a measurement that nobody knows is noted as STRICTNESS has it."""
    notes = reading.notes
    if not isinstance(root.value, dict):
        notes.flaw(root.line, "file", f"a mapping with keys such as {', '.join(LISTS)}", "something else")
        return
    _check_keys(root.value, notes)
    shared = record_of(Node({key: root.value[key] for key in _SHARED if key in root.value}, root.line), _SHARED, notes)
    measurands = _Facts(root.value.get("measurands"), "measurands", _OF_MEASURANDS, notes)
    objects = _Facts(root.value.get("objects"), "objects", _OF_OBJECTS, notes)
    for key, kind in LISTS.items():
        for node in _entries(root.value.get(key), key, notes):
            own = record_of(node, MAPPING_FIELDS[kind], notes, strictness)
            if own is None:
                continue
            measurand, object_ = measurands.of(own.text("measurand")), objects.of(own.text("object"))
            reading.take(kind, merged(own, measurand, object_, shared or Record({})))
            objects.use(own.text("above"), own.text("below"))
    measurands.note_unused()
    objects.note_unused()


def _check_keys(top: Mapping[str, Node], notes: Notes) -> None:
    """Note keys at the top that nobody knows, and another version than ours."""
    for key, node in top.items():
        if key not in _KEYS:
            notes.unknown_key(node.line, key, _KEYS)
    version = top.get("qra")
    if version is not None and text_of(version) != VERSION:
        notes.flaw(version.line, "qra", f"{VERSION}, the version of this format", short(text_of(version) or ""))


def _entries(node: Node | None, key: str, notes: Notes) -> list[Node]:
    """Return the entries of the list at KEY."""
    if node is None or node.value is None:
        return []
    if not isinstance(node.value, list):
        notes.flaw(node.line, key, "a list", "something else")
        return []
    return node.value


class _Facts:
    """What a document says once about each measurand, or about each object."""

    def __init__(self, node: Node | None, key: str, known: tuple[str, ...], notes: Notes) -> None:
        """Read the facts in the mapping NODE at KEY."""
        self._key = key
        self._notes = notes
        self._used: set[str] = set()
        self._records: dict[str, Record] = {}
        if node is None or node.value is None:
            return
        if not isinstance(node.value, dict):
            notes.flaw(node.line, key, "a mapping of names to facts", "something else")
            return
        for name, inner in node.value.items():
            if inner.value is not None and (record := record_of(inner, known, notes)):
                self._records[name.strip()] = record

    def of(self, name: str) -> Record:
        """Return the facts about NAME, none if nothing is said about it."""
        self.use(name)
        return self._records.get(name) or Record({})

    def use(self, *names: str) -> None:
        """Remember that measurements have these NAMES."""
        self._used.update(names)

    def note_unused(self) -> None:
        """Remark names that no measurement has: they are probably spelled otherwise there."""
        unused = [name for name in self._records if name not in self._used]
        for name in unused[:_MOST_UNUSED]:
            question = meant(name, sorted(self._used)[:_MOST_COMPARED])
            self._notes.remark(f"{self._key}: nothing is measured under {short(name)}{question}")
