"""How do the dialects of real files become one form?

    normalise   a tree as people and tools write it, in the form that primad writes
    Move        a value that was found under another name than its own
    conflicts_in, Conflict   fields that are stated twice, under two names
    spelled     a path as the schema spells it

Three passes.  Keys get the spelling of the schema (``test_collection`` is ``test collection``) and lists and mappings
their shape; values get the type of their field; values that stand under another path move to their own
(``implementation.commit`` to ``implementation.source.commit``).  What no rule knows stays where and as it is: of
numbers as they were written, for 3.10 is rather a version than 3.1.
"""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from primad.metadata.paths import EACH, parse, written
from primad.metadata.record import is_stated
from primad.metadata.values import as_written, converted, reshaped
from primad.safe_yaml import Node

if TYPE_CHECKING:
    from collections.abc import Iterator

    from primad.metadata.paths import Path
    from primad.metadata.schema import Field, Schema

# Here parameters stand under names of their own.
_STAGES = "method.retrieval"


@dataclass(frozen=True)
class Move:
    """A value that was found at ``old`` and belongs to ``new``."""

    old: str
    new: str

    def __str__(self) -> str:
        """Return the move in words."""
        return f"{self.old} → {self.new}"


@dataclass(frozen=True)
class Conflict:
    """A field that is stated at ``own``, where it belongs, and at ``other`` as well, each with its line."""

    own: str
    own_line: int
    other: str
    other_line: int


def normalise(root: Node, schema: Schema) -> list[Move]:
    """Bring the mapping ROOT into the form of SCHEMA; return what was found elsewhere."""
    shape = _shape(schema)
    spellings: list[Move] = []
    _spell(root, shape, (), spellings)
    _convert(root, shape)
    moves = [
        move for target in schema.fields for source in target.also for move in _move(root, parse(source), target.steps)
    ]
    if moves:  # what has moved has not had the shape of its new place
        _spell(root, shape, (), spellings)
        _convert(root, shape)
    return spellings + moves


def conflicts_in(root: Node, schema: Schema) -> list[Conflict]:
    """Return the fields that ROOT, which is in normal form, states under two names."""
    found = list(_spelled_twice(root, _shape(schema), ()))
    for target in schema.fields:
        for source in target.also:
            found += _placed_twice(root, parse(source), target.steps, ())
    return found


def spelled(path: Path, schema: Schema) -> Path:
    """Return PATH with the keys of SCHEMA where they differ only in how words are separated."""
    shape: _Shape | None = _shape(schema)
    steps: list[str | int] = []
    for step in path:
        known = shape.keys.get(_folded(step), step) if shape and isinstance(step, str) else step
        steps.append(known)
        if shape:
            shape = shape.each if isinstance(known, int) else shape.below.get(known)
    return tuple(steps)


@dataclass
class _Shape:
    """What a schema knows about a place in a record: the field there, the keys below, the elements of a list."""

    field: Field | None = None
    keys: dict[str, str] = dataclasses.field(default_factory=dict)
    below: dict[str, _Shape] = dataclasses.field(default_factory=dict)
    each: _Shape | None = None

    def at(self, path: Path) -> _Shape:
        """Return the shape below this one at PATH, made if it is new."""
        shape = self
        for step in path:
            if isinstance(step, int):
                shape.each = shape.each or _Shape()
                shape = shape.each
            else:
                shape.keys.setdefault(_folded(step), step)
                shape = shape.below.setdefault(step, _Shape())
        return shape

    def known(self, key: str) -> str:
        """Return KEY as the schema spells it here, as it is if no schema knows it."""
        return key if key in self.below else self.keys.get(_folded(key), key)

    def fields_in(self, node: Node) -> list[str]:
        """Return the keys of NODE that are fields of what stands here, or of its elements."""
        keys = (self.each or self).keys
        return [key for key in node.value if _folded(key) in keys] if isinstance(node.value, dict) else []

    @property
    def is_named(self) -> bool:
        """Tell whether what stands here has a name."""
        return "name" in (self.each or self).below


# What stands at a place that no schema knows.
_UNKNOWN = _Shape()


@lru_cache(maxsize=32)  # as many as profiles are kept
def _shape(schema: Schema) -> _Shape:
    """Return the places that SCHEMA knows."""
    root = _Shape()
    for known in schema.fields:
        root.at(known.steps).field = known
    for known in schema.fields:
        for source in known.also:
            elsewhere = root.at(parse(source))
            # The same type, so that the two can be compared.
            elsewhere.field = elsewhere.field or known
    return root


def _folded(key: str) -> str:
    """Return KEY as it is compared: how words are separated and capitals do not matter."""
    return re.sub(r"[\s_-]+", " ", key).strip().lower()


def _spell(node: Node, shape: _Shape, path: Path, moves: list[Move]) -> None:
    """Give keys below NODE the spelling of the schema, and lists and mappings their shape."""
    if shape.field:
        reshaped(node, shape.field, named=shape.is_named, fields=shape.fields_in(node))
    if isinstance(node.value, dict):
        if not node.value.keys() <= shape.below.keys():
            node.value = dict(_spelled(node.value, shape, path, moves))
        for key, inner in node.value.items():
            if key in shape.below:
                _spell(inner, shape.below[key], (*path, key), moves)
    elif isinstance(node.value, list) and shape.each:
        for place, inner in enumerate(node.value):
            _spell(inner, shape.each, (*path, place), moves)


def _spelled(mapping: dict[str, Node], shape: _Shape, path: Path, moves: list[Move]) -> Iterator[tuple[str, Node]]:
    """Yield the items of MAPPING under the keys of the schema; a key that is taken stays as it is."""
    taken = set(mapping)
    for key, node in mapping.items():
        known = shape.known(key)
        if known == key or known in taken:
            yield key, node
        else:
            taken.add(known)
            moves.append(Move(written((*path, key)), written((*path, known))))
            yield known, node


def _move(root: Node, source: Path, target: Path) -> list[Move]:
    """Move what stands at SOURCE to TARGET, unless something else is stated there."""
    if EACH in (*source, *target):
        place = (*source, EACH).index(EACH)
        if source[: place + 1] != target[: place + 1] or not source[place + 1 :]:
            return []  # from one list into another, or out of one, there is no way
        moves = []
        for element in _elements(_at(root, source[:place])):
            moves += _move(element, source[place + 1 :], target[place + 1 :])
        head = written(source[: place + 1])
        return [Move(f"{head}.{move.old}", f"{head}.{move.new}") for move in moves]
    value = _at(root, source)
    goes_deeper = target[: len(source)] == source
    if value is None or value.value is None or (goes_deeper and isinstance(value.value, dict)):
        return []
    if not goes_deeper and _is_taken(root, target, value):
        return []
    _take_away(root, source)
    _put(root, target, value)
    return [Move(written(source), written(target))]


def _is_taken(root: Node, target: Path, value: Node) -> bool:
    """Tell whether another value than VALUE is stated at TARGET, or at a place above it where a mapping is needed."""
    there = _at(root, target)
    if there is not None and is_stated(there.plain()) and there.plain() != value.plain():
        return True
    above = (_at(root, target[:length]) for length in range(1, len(target)))
    return any(node is not None and node.value is not None and not isinstance(node.value, dict) for node in above)


def _spelled_twice(node: Node, shape: _Shape, path: Path) -> Iterator[Conflict]:
    """Yield the keys below NODE that another spelling of the same key has kept from their place."""
    if isinstance(node.value, dict):
        for key, inner in node.value.items():
            known = shape.known(key)
            if known != key and _both_state(inner, node.value.get(known)):
                yield _conflict((*path, known), node.value[known], (*path, key), inner)
            if key in shape.below:
                yield from _spelled_twice(inner, shape.below[key], (*path, key))
    elif shape.each:
        for place, inner in enumerate(_elements(node)):
            yield from _spelled_twice(inner, shape.each, (*path, place))


def _placed_twice(root: Node, source: Path, target: Path, above: Path) -> list[Conflict]:
    """Return where SOURCE and TARGET, both below ABOVE, state something."""
    if EACH in (*source, *target):
        place = (*source, EACH).index(EACH)
        if source[: place + 1] != target[: place + 1] or not source[place + 1 :]:
            return []
        head = (*above, *source[:place])
        return [
            conflict
            for number, element in enumerate(_elements(_at(root, source[:place])))
            for conflict in _placed_twice(element, source[place + 1 :], target[place + 1 :], (*head, number))
        ]
    other, own = _at(root, source), _at(root, target)
    if target[: len(source)] == source or other is None or own is None or not _both_state(other, own):
        return []
    return [_conflict((*above, *target), own, (*above, *source), other)]


def _both_state(one: Node, other: Node | None) -> bool:
    """Tell whether both nodes say something."""
    return other is not None and is_stated(one.plain()) and is_stated(other.plain())


def _conflict(own: Path, node: Node, other: Path, elsewhere: Node) -> Conflict:
    """Return the conflict between two places and what stands there."""
    return Conflict(written(own), node.line, written(other), elsewhere.line)


def _elements(node: Node | None) -> list[Node]:
    """Return the elements of a list."""
    return node.value if node is not None and isinstance(node.value, list) else []


def _at(node: Node | None, path: Path) -> Node | None:
    """Return the node at PATH."""
    for step in path:
        node = node.at(step) if node is not None else None
    return node


def _take_away(root: Node, path: Path) -> None:
    """Remove the value at PATH, and each mapping above it that is empty then."""
    above = [root]
    for step in path[:-1]:
        above.append(above[-1].value[step])
    for node, step in zip(reversed(above), reversed(path), strict=True):
        del node.value[step]
        if node.value:
            return


def _put(root: Node, path: Path, value: Node) -> None:
    """Set VALUE at PATH, with the mappings on the way."""
    node = root
    for step in path[:-1]:
        inner = node.at(step)
        if inner is None or not isinstance(inner.value, dict):
            inner = Node({}, value.line)
            node.value[step] = inner
        node = inner
    node.value[path[-1]] = value


def _convert(node: Node, shape: _Shape, *, in_stage: bool = False) -> None:
    """Give the values below NODE the type of their field; numbers of no field stay as written, but IN_STAGE numbers."""
    if shape.field:
        converted(node, shape.field)
        in_stage = in_stage or shape.field.path == _STAGES
    else:
        as_written(node, round_zeros=in_stage)
    if isinstance(node.value, dict):
        for key, inner in node.value.items():
            _convert(inner, shape.below.get(key, _UNKNOWN), in_stage=in_stage)
    elif isinstance(node.value, list):
        for inner in node.value:
            _convert(inner, shape.each or _UNKNOWN, in_stage=in_stage)
