"""What does the metadata of a crate say, whoever wrote it?

    Graph        the entities of a crate by identifier, the one that is the crate itself, and which of them were used
    read_graph   a file of metadata as a graph
    Place        where an identifier says that its file is

The file is read as plain JSON and within limits: no address is asked for anything, no identifier is taken for a path
before it is known to stay in the crate, and references are followed one step at a time, so that circles do no harm.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import unquote

from primad.errors import FileError
from primad.exchange.research_crate.words import METADATA, METADATA_OF_1_0, ROOT
from primad.qra.reading.foreign import json_of, read_text
from primad.safe_paths import is_safe_path

if TYPE_CHECKING:
    from pathlib import Path

Entity = dict[str, Any]
Place = Literal["here", "elsewhere", "outside", "nowhere"]

LARGEST = 32 << 20
MOST_ENTITIES = 200_000
MOST_REFERENCES = 5_000  # of one entity under one name; those beyond count as not taken over

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_HINT = "is it the metadata of an RO-Crate, in the form of a flat list of entities?"


@dataclass
class Graph:
    """The entities of a crate; ROOT is the one that is the crate, REPEATED counts those that stand there again."""

    entities: dict[str, Entity]
    root: Entity
    repeated: int = 0
    used: set[str] = field(default_factory=set)

    def types(self, entity: Entity) -> list[str]:
        """Return the types of ENTITY."""
        return [_bare(one) for one in _listed(entity.get("@type")) if isinstance(one, str)]

    def of_type(self, *types: str) -> Iterator[Entity]:
        """Yield the entities that are of one of TYPES."""
        return (entity for entity in self.entities.values() if not set(types).isdisjoint(self.types(entity)))

    def texts(self, entity: Entity, *names: str) -> list[str]:
        """Return the texts and numbers that ENTITY has under the first of NAMES that it has any under."""
        for name in names:
            values = [_value(one) for one in _listed(entity.get(name))]
            if found := [str(one) for one in values if isinstance(one, str | int | float) and str(one).strip()]:
                return found
        return []

    def text(self, entity: Entity, *names: str) -> str:
        """Return the first text of ENTITY under NAMES, empty if there is none."""
        return next(iter(self.texts(entity, *names)), "")

    def references(self, entity: Entity, name: str) -> list[Entity]:
        """Return what ENTITY refers to under NAME; of an entity that is not described, only the identifier is known."""
        values = [one for one in _listed(entity.get(name))[:MOST_REFERENCES] if isinstance(one, dict)]
        identifiers = [_normal(one["@id"]) for one in values if isinstance(one.get("@id"), str)]
        return [self.entities.get(one, {"@id": one}) for one in dict.fromkeys(identifiers)]

    def use(self, *entities: Entity) -> None:
        """Note that what ENTITIES say was taken over."""
        self.used.update(entity["@id"] for entity in entities)

    def unused(self) -> Counter[str]:
        """Return how many entities of which type were not taken over."""
        rest = (entity for identifier, entity in self.entities.items() if identifier not in self.used)
        return Counter(" and ".join(self.types(entity)) or "an entity without a type" for entity in rest)

    def place(self, entity: Entity) -> tuple[Place, str]:
        """Return where the file of ENTITY is, and the path that it has in the crate if it is there."""
        identifier, top = entity["@id"], self.root["@id"]
        if _SCHEME.match(top) and identifier.startswith(top) and identifier != top:
            identifier = identifier.removeprefix(top).lstrip("/")
        if identifier.startswith(("#", "_:")):
            return "nowhere", ""
        if _SCHEME.match(identifier):
            return ("outside" if identifier.lower().startswith("file:") else "elsewhere"), ""
        path = unquote(identifier).removeprefix("./").rstrip("/")
        return ("here", path) if is_safe_path(path) else ("outside", "")


def read_graph(path: Path) -> Graph:
    """Return the graph in the file PATH."""
    name = str(path)
    tree = json_of(read_text(path, name, limit=LARGEST, hint="hand over parts of the crate"), name)
    listed = tree.get("@graph") if isinstance(tree, dict) else None
    if not isinstance(listed, list):
        raise FileError(name, "expected a mapping with a list of entities under '@graph', found none", _HINT)
    if len(listed) > MOST_ENTITIES:
        raise FileError(name, f"expected at most {MOST_ENTITIES:,} entities, found {len(listed):,}", _HINT)
    entities: dict[str, Entity] = {}
    repeated = 0
    for one in listed:
        if not isinstance(one, dict) or not isinstance(one.get("@id"), str):
            raise FileError(name, "expected an '@id' in each entity, found one without", _HINT)
        entity = {_bare(key): value for key, value in one.items()} | {"@id": _normal(one["@id"])}
        repeated += entity["@id"] in entities
        entities.setdefault(entity["@id"], entity)
    return _rooted(Graph(entities, {}, repeated), name)


def _rooted(graph: Graph, name: str) -> Graph:
    """Return GRAPH, of the file NAME, with the entity that its descriptor is about as root."""
    for identifier, descriptor in graph.entities.items():
        if identifier.endswith((METADATA, METADATA_OF_1_0)):
            for root in graph.references(descriptor, "about"):
                if root["@id"] in graph.entities:
                    graph.root = root
                    graph.use(descriptor, root)
                    return graph
    if ROOT in graph.entities:
        graph.root = graph.entities[ROOT]
        graph.use(graph.root)
        return graph
    raise FileError(name, f"expected an entity that '{METADATA}' is about, found none", _HINT)


def _normal(identifier: str) -> str:
    """Return IDENTIFIER as all others of the crate write it: the crate itself as './', its files without that."""
    if identifier in ("", ".", ROOT):
        return ROOT
    return identifier.removeprefix("./")


def _bare(term: str) -> str:
    """Return TERM without the vocabulary that it is from, in whichever way that is written.

    >>> _bare("schema:name"), _bare("https://schema.org/name"), _bare("@id")
    ('name', 'name', '@id')
    """
    return term if term.startswith("@") else re.split(r"[/#:]", term)[-1]


def _listed(value: Any) -> list[Any]:
    """Return VALUE as a list."""
    return value if isinstance(value, list) else [] if value is None else [value]


def _value(value: Any) -> Any:
    """Return VALUE, of a value with a type or a language only itself."""
    return value.get("@value") if isinstance(value, dict) else value
