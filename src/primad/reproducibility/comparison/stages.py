"""What does a method consist of, leaf by leaf, so that two methods can be laid side by side?

    Leaf              a value of a method, with its place in the record and its place in the schema
    Methods           the leaves of two methods, by keys that are the same in both, and the stages that both have
    lay_side_by_side  the methods of two records

A stage is known by its name, its second occurrence apart, wherever in the list it stands.  Where both lists are as long
and no name contradicts the other at its place, the stages are known by their places instead, so that a name which one
record does not state is no other name.  A parameter is the same one whether it stands in the stage or among its
``params``.  A list is one value, for a shorter one states as much as a longer one.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from primad.metadata.capture.methods.mapping import OWN_KEYS
from primad.metadata.paths import EACH, value_at
from primad.metadata.record import is_stated
from primad.reproducibility.comparison.agreement import plain_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from primad.metadata.paths import Path
    from primad.metadata.record import Record

Key = tuple[str, ...]

STAGES = "retrieval"
_PARAMETERS = "params"
_NAMES: Path = ("method", STAGES, EACH, "name")


class Leaf(NamedTuple):
    """A value of a method: where it stands, where the schema has it, what it is, and of which stage."""

    place: Path
    pattern: Path
    value: Any
    stage: str = ""


class Methods(NamedTuple):
    """The leaves of two methods, and the labels of the stages that both have, with one for what is outside of all."""

    original: dict[Key, Leaf]
    other: dict[Key, Leaf]
    stages: frozenset[str]


class _Stage(NamedTuple):
    """A stage: its place in the list, what is stated of it, and its name as it is compared, empty if it has none."""

    number: int
    facts: dict[str, Any]
    name: str


def lay_side_by_side(original: Record, other: Record) -> Methods:
    """Return the methods of two records by keys that are the same in both."""
    lists = _stages_of(original), _stages_of(other)
    names = [[stage.name for stage in stages] for stages in lists]
    if _may_be_the_same(*names):
        names = [[one or two for one, two in zip(*names, strict=True)]] * 2
        in_common = [bool(one.name and two.name) for one, two in zip(*lists, strict=True)]
    else:
        in_common = []
    labels = [_labels(called) for called in names]
    ours, theirs = (
        _outside_of_stages(record) | dict(_of_stages(stages, called, in_common))
        for record, stages, called in zip((original, other), lists, labels, strict=True)
    )
    return Methods(ours, theirs, frozenset({"", *(set(labels[0]) & set(labels[1]))}))


def _may_be_the_same(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Tell whether two lists of names agree place by place, as far as both state them."""
    return len(ours) == len(theirs) and all(
        one == two or not (one and two) for one, two in zip(ours, theirs, strict=True)
    )


def _labels(names: Sequence[str]) -> list[str]:
    """Return what stages of these NAMES are called, each otherwise."""
    seen: Counter[str] = Counter()
    labels = []
    for name in names:
        seen[name] += 1
        labels.append(f"{name} {seen[name]}")
    return labels


def _stages_of(record: Record) -> list[_Stage]:
    """Return the stages of the method of RECORD."""
    stages = value_at(record.tree, ("method", STAGES))
    found = []
    for number, stage in enumerate(stages if isinstance(stages, list) else ()):
        if is_stated(stage):
            facts = stage if isinstance(stage, dict) else {"name": stage}
            name = facts.get("name")
            found.append(_Stage(number, facts, str(plain_text(name)) if is_stated(name) else ""))
    return found


def _outside_of_stages(record: Record) -> dict[Key, Leaf]:
    """Return the leaves of the method of RECORD that belong to no stage."""
    method = record.tree.get("method")
    if not isinstance(method, dict):
        return {("name",): Leaf(("method",), ("method", "name"), method)} if is_stated(method) else {}
    is_list = isinstance(method.get(STAGES), list)
    rest = {key: value for key, value in method.items() if not (key == STAGES and is_list)}
    return dict(_below(rest, Leaf(("method",), ("method",), None), ()))


def _of_stages(
    stages: Sequence[_Stage], labels: Sequence[str], in_common: Sequence[bool]
) -> Iterator[tuple[Key, Leaf]]:
    """Yield the leaves of STAGES: the list of names IN COMMON, of all names where that is empty, and each fact."""
    are_listed = in_common or [True] * len(stages)
    listed = [stage.facts.get("name", "") for stage, is_listed in zip(stages, are_listed, strict=True) if is_listed]
    if listed:
        yield (STAGES,), Leaf(_NAMES, _NAMES, listed)
    for stage, label, is_listed in zip(stages, labels, are_listed, strict=True):
        here = Leaf(("method", STAGES, stage.number), ("method", STAGES, EACH), None, label)
        facts = {key: value for key, value in stage.facts.items() if not (key == "name" and is_listed)}
        yield from _below(facts, here, (STAGES, label))


def _below(tree: dict[str, Any], above: Leaf, key: Key) -> Iterator[tuple[Key, Leaf]]:
    """Yield what is stated below a mapping that stands at ABOVE and is known by KEY."""
    for name, value in tree.items():
        if not is_stated(value):
            continue
        leaf = Leaf((*above.place, name), (*above.pattern, name), value, above.stage)
        called = str(plain_text(name))
        is_apart = above.place[-1] == _PARAMETERS and called in OWN_KEYS
        inner = (*key, *[_PARAMETERS] * is_apart, called)
        if name == _PARAMETERS and isinstance(value, dict):
            inner = key  # a parameter is the same wherever a record has it, unless its name has a meaning of its own
        if isinstance(value, dict):
            yield from _below(value, leaf, inner)
        else:
            yield inner, leaf
