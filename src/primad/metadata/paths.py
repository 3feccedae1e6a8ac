r"""Where does a value stand in a record?

    parse      'method.retrieval[].name' as keys and places
    written    the same as text
    find       every value of a tree at a path, of lists all elements
    value_at   the value at a path that names one place
    put        set a value, with the mappings on the way
    remove     take a value away, with the mappings that get empty
    leaves     every value below a tree that is neither mapping nor list

A path is a tuple of keys; the place in a list is a number, all places of a list are ``EACH``.  A dot that belongs to a
key is written ``\.``.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

Path = tuple[str | int, ...]

EACH = -1

_STEP = re.compile(r"((?:\\.|[^.\[\]\\])+)|\[([0-9]*)\]|(\.)")


@lru_cache(maxsize=1 << 14)  # every field there is, many times over; strangers write others
def parse(text: str) -> Path:
    r"""Return the path that TEXT writes.

    >>> parse("method.retrieval[].name")
    ('method', 'retrieval', -1, 'name')
    >>> parse(r"method.retrieval[0].axiom\.deterministic")
    ('method', 'retrieval', 0, 'axiom.deterministic')
    """
    steps: list[str | int] = []
    for key, place, dot in _STEP.findall(text):
        if key:
            steps.append(re.sub(r"\\(.)", r"\1", key).strip())
        elif not dot:
            steps.append(int(place) if place else EACH)
    return tuple(steps)


def written(path: Path) -> str:
    r"""Return PATH as text.

    >>> written(("method", "retrieval", 0, "axiom.deterministic"))
    'method.retrieval[0].axiom\\.deterministic'
    """
    text = ""
    for step in path:
        if isinstance(step, int):
            text += "[]" if step == EACH else f"[{step}]"
        else:
            text += ("." if text else "") + re.sub(r"([.\[\]\\])", r"\\\1", step)
    return text


def find(tree: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    """Yield each place of TREE that PATH fits, and what stands there."""
    if EACH not in path:
        value = value_at(tree, path, _ABSENT)
        if value is not _ABSENT:
            yield path, value
        return
    place = path.index(EACH)
    head, tail = path[:place], path[place + 1 :]
    elements = value_at(tree, head)
    for index, element in enumerate(elements if isinstance(elements, list) else ()):
        for rest, value in find(element, tail):
            yield (*head, index, *rest), value


_ABSENT = object()


def value_at(tree: Any, path: Path, default: Any = None) -> Any:
    """Return what stands at PATH, or DEFAULT."""
    for step in path:
        if isinstance(tree, dict):
            tree = tree.get(step, _ABSENT)
        elif isinstance(tree, list) and isinstance(step, int):
            tree = tree[step] if 0 <= step < len(tree) else _ABSENT
        else:
            return default
    return default if tree is _ABSENT else tree


def put(tree: dict[str, Any], path: Path, value: Any) -> None:
    """Set VALUE at PATH, with the mappings and lists on the way; what is in the way and is neither gives way."""
    here: Any = tree
    for step, following in pairwise(path):
        inner = value_at(here, (step,))
        wanted = list if isinstance(following, int) else dict
        if not isinstance(inner, wanted):
            inner = wanted()
            _set(here, step, inner)
        here = inner
    _set(here, path[-1], value)


def _set(here: Any, step: str | int, value: Any) -> None:
    """Set VALUE in a mapping, or at a place of a list, which grows by one at most."""
    if isinstance(step, int) and not 0 <= step < len(here):
        here.append(value)
    else:
        here[step] = value


def remove(tree: dict[str, Any], path: Path) -> None:
    """Take the value at PATH away, and each mapping above it that is empty then."""
    for length in range(len(path), 0, -1):
        above = value_at(tree, path[: length - 1])
        if isinstance(above, dict):
            above.pop(path[length - 1], None)
        if above or not isinstance(above, dict):
            return


def leaves(tree: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield each value below TREE that holds no others: an empty mapping or list is such a value, but TREE is none."""
    waiting: list[tuple[Path, Any]] = [(path, tree)]
    while waiting:
        here, value = waiting.pop()
        if isinstance(value, dict) and value:
            waiting += [((*here, key), inner) for key, inner in reversed(value.items())]
        elif isinstance(value, list) and value:
            waiting += [((*here, place), value[place]) for place in range(len(value) - 1, -1, -1)]
        elif here or value not in ({}, []):
            yield here, value
