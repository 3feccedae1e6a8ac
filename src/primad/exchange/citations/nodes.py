"""The nodes of a JSON-LD document that stand side by side and refer to each other, each of them once.

Nodes         all of them, in the order in which they came
said          a node without what nobody has said of it
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

Reference = dict[str, str]


class Nodes:
    """The nodes of a document; what is put in twice is there once, as it was the first time."""

    def __init__(self) -> None:
        """Begin with none."""
        self._nodes: dict[str, dict[str, Any]] = {}
        self._names: dict[tuple[str, ...], str] = {}
        self._numbers: Counter[str] = Counter()

    def add(self, node: Mapping[str, Any]) -> Reference:
        """Keep NODE, and return what refers to it."""
        name = str(node["@id"])
        if name not in self._nodes:
            self._nodes[name] = said(node)
        return {"@id": name}

    def named(self, kind: str, *told: str) -> str:
        """Return an identifier for the node of KIND that TOLD tells from others: ``#``, KIND and a number."""
        if (kind, *told) not in self._names:
            self._numbers[kind] += 1
            self._names[kind, *told] = f"#{kind}-{self._numbers[kind]}"
        return self._names[kind, *told]

    def all(self) -> list[dict[str, Any]]:
        """Return the nodes."""
        return list(self._nodes.values())


def said(node: Mapping[str, Any]) -> dict[str, Any]:
    """Return NODE without what is empty in it.

    >>> said({"@id": "#a", "name": "", "version": "0", "value": 0, "author": []})
    {'@id': '#a', 'version': '0', 'value': 0}
    """
    return {key: value for key, value in node.items() if value is not None and value not in ("", [], {})}
