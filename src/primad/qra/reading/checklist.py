"""How does the machine learning reproducibility checklist become conditions of measurement?

    checklist_template    the file to fill in: 21 items, each with an answer and a note
    checklist_items       the names of the items
    is_checklist          whether a YAML tree is such a file
    read_checklist        the answers as conditions

An answer is yes, no or not applicable.  What is blank, or "not recorded", is left out: nobody has said no.  The items
are those of version 2.0 (7 April 2020), the words are ours.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import resources

from primad.errors import FileError, Flaw, MeasurementError
from primad.qra.naming import meant, short
from primad.qra.reading.foreign import LARGEST_TREE, read_text
from primad.safe_yaml import Node, read_yaml
from primad.trec.files import Source, name_of

PREFIX = "checklist: "
VERSION = "2.0"
ANSWERS = {
    "yes": "yes",
    "true": "yes",
    "no": "no",
    "false": "no",
    "not applicable": "not applicable",
    "n/a": "not applicable",
    "": "",
    "~": "",
    "null": "",
    "not recorded": "",
}

_TEMPLATE = "checklist.yaml"
_KEYS = ("checklist", "items")
_FIELDS = ("answer", "note")


def checklist_template() -> str:
    """Return the text of a checklist to fill in."""
    return resources.files("primad.qra").joinpath("examples", _TEMPLATE).read_text(encoding="utf-8")


@cache
def checklist_items() -> tuple[str, ...]:
    """Return the names of the items, in the order of the checklist."""
    return tuple(read_yaml(checklist_template(), _TEMPLATE).value["items"].value)


def is_checklist(root: Node) -> bool:
    """Tell whether ROOT is a checklist, filled in or not."""
    return isinstance(root.value, dict) and "checklist" in root.value


def read_checklist(source: Source, *, name: str | None = None) -> dict[str, str]:
    """Return the answers of the checklist SOURCE, which messages call NAME, as conditions."""
    name = name or name_of(source)
    return answers_of(read_yaml(read_text(source, name), name, limit=LARGEST_TREE), name)


def answers_of(root: Node, name: str) -> dict[str, str]:
    """Return the answers of the checklist ROOT of the file NAME; everything that is wrong with it is said at once."""
    if not is_checklist(root):
        hint = f"begin with the line checklist: '{VERSION}'"
        raise FileError(name, "is no reproducibility checklist: there is no key 'checklist'", hint)
    flaws = list(_strange(root, name))
    items = root.at("items")
    if items is None or not isinstance(items.value, dict):
        line = root.line if items is None else items.line
        found = "none" if items is None else "no mapping"
        raise MeasurementError([*flaws, Flaw(f"{name}:{line}", "items", "a mapping of items to answers", found)])
    answers: dict[str, str] = {}
    for item, node in items.value.items():
        answer = _answer(item, node, name, flaws)
        if answer:
            answers[PREFIX + item] = answer
    if flaws:
        raise MeasurementError(flaws)
    return {PREFIX + item: answers[PREFIX + item] for item in checklist_items() if PREFIX + item in answers}


def _strange(root: Node, name: str) -> Iterator[Flaw]:
    """Yield what the checklist has beside its version and its items, and a version that we do not know."""
    for key, node in root.value.items():
        if key not in _KEYS:
            yield Flaw(f"{name}:{node.line}", "key", " or ".join(_KEYS), short(key))
    version = root.value["checklist"]
    if _text(version) != VERSION:
        yield Flaw(f"{name}:{version.line}", "checklist", f"version {VERSION}", short(_text(version)))


def _answer(item: str, node: Node, name: str, flaws: list[Flaw]) -> str:
    """Return the answer to ITEM with its note, blank for none, and note what is wrong with it in FLAWS."""
    where = f"{name}:{node.line}"
    if item not in checklist_items():
        flaws.append(Flaw(where, "items", "an item of the checklist", short(item) + meant(item, checklist_items())))
        return ""
    fields = node.value if isinstance(node.value, dict) else {"answer": node}
    flaws.extend(
        Flaw(f"{name}:{inner.line}", item, " or ".join(_FIELDS), short(key))
        for key, inner in fields.items()
        if key not in _FIELDS
    )
    said, note = (_text(fields.get(field)) for field in _FIELDS)
    answer = ANSWERS.get(said.casefold())
    if answer is None or (note and not said):
        expected = "yes, no, not applicable or a blank" if answer is None else "an answer beside the note"
        flaws.append(Flaw(where, item, expected, short(said)))
        return ""
    return f"{answer}: {note}" if answer and note else answer


def _text(node: Node | None) -> str:
    """Return what NODE says on one line; what is no plain value is shown as such, so that it is refused."""
    if node is None or (node.value is None and not node.text):
        return ""
    if isinstance(node.value, dict | list):
        return "a mapping" if isinstance(node.value, dict) else "a list"
    return " ".join((node.text if node.text is not None else str(node.value)).split())
