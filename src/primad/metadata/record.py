"""What does a run say about itself?  One record: six components, a tag, and whatever else was stated.

    Record       the metadata of one run, in normal form and in order
    is_stated    whether a value says anything
    merged       two trees as one, the first over the second

A record is open: fields that no schema knows are kept.  Values are plain (mappings, lists, text, numbers, true and
false), so that a record is the same in YAML, JSON and a database.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from primad.metadata.paths import find, parse, value_at
from primad.safe_yaml import write_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

    from primad.metadata.paths import Path

Tree = dict[str, Any]

PLACEHOLDER = "ENTER_VALUE_HERE"

# What annotate, exec and record find out by themselves; all else only a person knows.
FOUND_OUT = (
    "schema-version",
    "run-version",
    "tag",
    "ranking",
    "platform.hardware",
    "platform.operating system",
    "platform.software.libraries",
    "platform.software.runtime",
    "implementation.executable",
    "implementation.source",
    "data.inputs",
    "data.outputs",
    "resources",
)

_ORDER = (
    "schema-version",
    "run-version",
    "tag",
    "platform",
    "research goal",
    "implementation",
    "method",
    "actor",
    "data",
)


@dataclass(frozen=True)
class Record:
    """The PRIMAD metadata of one run.

    >>> record = Record({"tag": "bm25", "method": {"retrieval": [{"name": "bm25", "k1": 0.9}]}})
    >>> record["method.retrieval[0].k1"], record.get("actor.name", "unknown")
    (0.9, 'unknown')
    """

    tree: Tree = field(default_factory=dict)

    def __getitem__(self, path: str) -> Any:
        """Return the value at PATH, such as 'platform.hardware.cpu.model'."""
        value = self.get(path)
        if value is None:
            raise KeyError(path)
        return value

    def get(self, path: str, default: Any = None) -> Any:
        """Return the value at PATH, or DEFAULT where nothing is stated."""
        value = value_at(self.tree, parse(path))
        return value if is_stated(value) else default

    def find(self, path: str) -> Iterator[tuple[Path, Any]]:
        """Yield each stated value at PATH, of lists all elements ('method.retrieval[].name'), with its place."""
        return ((place, value) for place, value in find(self.tree, parse(path)) if is_stated(value))

    @property
    def tag(self) -> str:
        """Return the tag of the run, empty if none is stated."""
        return str(self.get("tag", ""))

    def to_yaml(self) -> str:
        """Return the record as YAML."""
        return write_yaml(self.ordered())

    def ordered(self) -> Tree:
        """Return the tree with its components in the order of their letters, anything else behind them."""
        known = {key: self.tree[key] for key in _ORDER if key in self.tree}
        return known | {key: value for key, value in self.tree.items() if key not in known}


def is_stated(value: Any) -> bool:
    """Tell whether VALUE says anything: an empty value does not, nor does the placeholder of a skeleton.

    >>> is_stated(0), is_stated(""), is_stated({"name": None}), is_stated(["ENTER_VALUE_HERE"])
    (True, False, False, False)
    """
    if isinstance(value, str):
        return bool(value.strip()) and PLACEHOLDER not in value
    if isinstance(value, dict):
        return any(map(is_stated, value.values()))
    if isinstance(value, list):
        return any(map(is_stated, value))
    return value is not None


def merged(over: Any, under: Any) -> Any:
    """Return OVER with what only UNDER states; mappings are merged key by key, anything else is taken whole.

    >>> merged({"cpu": {"model": None}, "ram": "64 GB"}, {"cpu": {"model": "Xeon"}, "ram": "32 GB"})
    {'cpu': {'model': 'Xeon'}, 'ram': '64 GB'}
    """
    if isinstance(over, dict) and isinstance(under, dict):
        both = {key: merged(value, under[key]) if key in under else value for key, value in over.items()}
        return both | {key: value for key, value in under.items() if key not in over}
    return over if is_stated(over) or not is_stated(under) else under
