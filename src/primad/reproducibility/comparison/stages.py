"""What does a method consist of, leaf by leaf, so that two methods can be laid side by side?

    Leaf        a value of a method, with its place in the record and its place in the schema
    leaves_of   the leaves of a record's method, by a key that is the same in another record
    stages_of   its stages, each with the label by which another record may have it

A stage is known by its name, its second occurrence apart, wherever in the list it stands; a parameter is the same one
whether it stands in the stage or among its ``params``.  A list is one value, for a shorter one states as much as a
longer one.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from primad.metadata.paths import EACH, value_at
from primad.metadata.record import is_stated
from primad.reproducibility.comparison.agreement import plain_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from primad.metadata.paths import Path
    from primad.metadata.record import Record

Key = tuple[str, ...]

STAGES = "retrieval"


class Leaf(NamedTuple):
    """A value of a method: where it stands, where the schema has it, what it is, and of which stage."""

    place: Path
    pattern: Path
    value: Any
    stage: str = ""


def leaves_of(record: Record) -> dict[Key, Leaf]:
    """Return the leaves of the method of RECORD, the names of its stages as one of them."""
    method = record.tree.get("method")
    if not isinstance(method, dict):
        return {("name",): Leaf(("method",), ("method", "name"), method)} if is_stated(method) else {}
    is_list = isinstance(method.get(STAGES), list)
    rest = {key: value for key, value in method.items() if not (key == STAGES and is_list)}
    found = dict(_below(rest, Leaf(("method",), ("method",), None), ()))
    stages = stages_of(record)
    if stages:
        place: Path = ("method", STAGES, EACH, "name")
        found[STAGES,] = Leaf(place, place, [stage.get("name", "") for _, stage in stages.values()])
    for label, (number, stage) in stages.items():
        here = Leaf(("method", STAGES, number), ("method", STAGES, EACH), None, label)
        found |= _below({key: value for key, value in stage.items() if key != "name"}, here, (STAGES, label))
    return found


def stages_of(record: Record) -> dict[str, tuple[int, dict[str, Any]]]:
    """Return the stages of the method of RECORD by label, each with its place in the list."""
    stages = value_at(record.tree, ("method", STAGES))
    found: dict[str, tuple[int, dict[str, Any]]] = {}
    seen: Counter[str] = Counter()
    for number, stage in enumerate(stages if isinstance(stages, list) else ()):
        if is_stated(stage):
            facts = stage if isinstance(stage, dict) else {"name": stage}
            name = str(plain_text(facts.get("name", "")))
            seen[name] += 1
            found[f"{name} {seen[name]}"] = number, facts
    return found


def _below(tree: dict[str, Any], above: Leaf, key: Key) -> Iterator[tuple[Key, Leaf]]:
    """Yield what is stated below a mapping that stands at ABOVE and is known by KEY."""
    for name, value in tree.items():
        if not is_stated(value):
            continue
        leaf = Leaf((*above.place, name), (*above.pattern, name), value, above.stage)
        inner = key if name == "params" and isinstance(value, dict) else (*key, str(plain_text(name)))
        if isinstance(value, dict):
            yield from _below(value, leaf, inner)
        else:
            yield inner, leaf
