"""What could be wrong with a tree of values?  A valid one with odd values in it, written as JSON or YAML.

    changed   a tree with one to four changes
    odd       a value of any kind
    as_json   a tree as JSON
    as_yaml   a tree as YAML, sometimes as JSON is written, for that is YAML, too
    many      a change: so many of what is there

A damaged text seldom gets past the first reader; these texts do, and what is in them is not what was expected.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from copy import deepcopy
from random import Random
from typing import Any

TEXTS = (
    "",
    " ",
    "a",
    "\0",
    "\ud800",
    "\u202e",
    "\ufeff",
    "é",
    "e\u0301",
    "🦄",
    "\x1b[31m",
    "\n",
    "a\nb",
    "x" * 300,
    "x" * 70_000,
    "../../etc/passwd",
    "/etc/passwd",
    "C:\\x",
    "nan",
    "inf",
    "1e309",
    "-0",
    "9" * 5000,
    "0.5",
    "1",
    "-1",
    "true",
    "null",
    "~",
    "2026-02-30",
    "0000-00-00T00:00:00Z",
    "9999-12-31T23:59:59+23:59",
    "<b>",
    "{}",
    "[]",
    "%s{0}$x",
    "a: b",
    "#",
    "http://[",
    "https://user:pass@example.org:99999/",
    "file:///etc/passwd",
    "doi:10.1/x",
    "0000-0000-0000-0000",
)
NUMBERS = (
    0,
    -1,
    1,
    2,
    10**6,
    2**31,
    2**63,
    -(2**63) - 1,
    2**64,
    10**30,
    10**400,
    10**4290,
    0.0,
    -0.0,
    0.5,
    1e308,
    -1e308,
    1e-320,
    float("nan"),
    float("inf"),
    float("-inf"),
)
_DEEP = 150
_DEEPEST_YAML = 200  # levels; the dumper calls itself for each
_WIDE = 300
_LONG = 10_000  # characters of what there may be many of: many of many long texts are more than anybody reads


def odd(chance: Random) -> Any:
    """Return a value of any kind."""
    kind = chance.randrange(12)
    if kind < 4:
        return chance.choice(TEXTS)
    if kind < 8:
        return chance.choice(NUMBERS)
    return _FURTHER[kind - 8](chance)


def changed(tree: Any, chance: Random, others: Sequence[Any] = ()) -> Any:
    """Return TREE with one to four changes; a part of one of the OTHERS may get into it."""
    tree = deepcopy(tree)
    for _ in range(chance.choice((1, 1, 2, 2, 3, 4))):
        places = list(_places(tree))
        if not places:
            return odd(chance)
        holder, key = chance.choice(places)
        change = chance.choice(_CHANGES)
        if change is _exchange and others:
            found = [value[place] for value, place in _places(chance.choice(others))]
            # A copy: what is changed later must not be a part of the others, which all inputs begin with.
            holder[key] = deepcopy(chance.choice(found or [0]))
        else:
            change(holder, key, chance)
    return tree


def _places(tree: Any) -> Any:
    """Yield each place in TREE: what holds it, and its key there."""
    keys = list(tree) if isinstance(tree, dict) else range(len(tree)) if isinstance(tree, list) else ()
    for key in keys:
        yield tree, key
        yield from _places(tree[key])


def _replace(holder: Any, key: Any, chance: Random) -> None:
    """Put something odd there."""
    holder[key] = odd(chance)


def _remove(holder: Any, key: Any, _chance: Random) -> None:
    """Leave it out."""
    del holder[key]


def _rename(holder: Any, key: Any, chance: Random) -> None:
    """Give it another name, or say it again."""
    if isinstance(holder, dict):
        holder[chance.choice((*TEXTS, *map(str, holder)))] = holder.pop(key)
    else:
        holder.insert(key, deepcopy(holder[key]))


def _wrap(holder: Any, key: Any, chance: Random) -> None:
    """Put it into a list or a mapping."""
    holder[key] = chance.choice(([holder[key]], {"a": holder[key]}, [holder[key]] * 2, {"name": holder[key]}))


def _unwrap(holder: Any, key: Any, _chance: Random) -> None:
    """Take what is in it, or its text."""
    value = holder[key]
    inner = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else [str(value)]
    holder[key] = inner[0] if inner else None


def _exchange(holder: Any, key: Any, chance: Random) -> None:
    """Exchange it with what stands beside it."""
    other = chance.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
    holder[key], holder[other] = holder[other], holder[key]


def _add(holder: Any, key: Any, chance: Random) -> None:
    """Put something odd beside it."""
    if isinstance(holder, dict):
        holder[chance.choice(TEXTS)] = odd(chance)
    else:
        holder.insert(key, odd(chance))


def many(holder: Any, key: Any, chance: Random) -> None:
    """Let there be many of it."""
    value = holder[key]
    if isinstance(value, dict):
        value.update({f"k{number}": odd(chance) for number in range(_WIDE)})
    elif len(json.dumps(value)) < _LONG:
        # Copies: what gets many parts later does so once, and not as often as it is there.
        holder[key] = [deepcopy(value) for _ in range(_WIDE)]


_CHANGES: tuple[Callable[[Any, Any, Random], None], ...] = (
    *(_replace,) * 6,
    *(_remove, _rename, _wrap, _unwrap, _exchange, _add) * 2,
    many,
)


def _deep(chance: Random) -> Any:
    """Return brackets in brackets."""
    value: Any = chance.choice(TEXTS)
    for _ in range(chance.choice((3, 30, _DEEP))):
        value = [value] if chance.random() < 0.5 else {"a": value}
    return value


def _plain(chance: Random) -> Any:
    """Return true, false or nothing, which are no numbers."""
    return chance.choice((True, False, None))


def _list(chance: Random) -> Any:
    """Return a list."""
    return [odd(chance) for _ in range(chance.choice((0, 1, 3)))]


def _mapping(chance: Random) -> Any:
    """Return a mapping."""
    return {chance.choice(TEXTS): odd(chance) for _ in range(chance.choice((0, 1, 3)))}


_FURTHER = (_plain, _list, _mapping, _deep)


def as_json(tree: Any, chance: Random) -> bytes:
    """Return TREE as JSON; halves of characters are escaped in it, or are bytes that are no text."""
    text = json.dumps(tree, ensure_ascii=chance.random() < 0.7)
    return text.encode("utf-8", "surrogatepass")


def as_yaml(tree: Any, chance: Random) -> bytes:
    """Return TREE as YAML."""
    import yaml

    if _is_deep(tree):
        return as_json(tree, chance)
    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    is_flow = chance.choice((True, False, False, None))
    try:
        text = yaml.dump(tree, Dumper=dumper, allow_unicode=True, sort_keys=False, default_flow_style=is_flow)
    except UnicodeEncodeError:  # half a character, which only JSON can write
        return as_json(tree, chance)
    return str(text).encode() if chance.random() < 0.7 else as_json(tree, chance)  # which is YAML, too


def _is_deep(tree: Any) -> bool:
    """Tell whether TREE has more levels than the dumper of YAML can write."""
    level = [tree]
    for _ in range(_DEEPEST_YAML):
        level = [one for holder in level if isinstance(holder, dict | list) for one in _held(holder)]
    return bool(level)


def _held(holder: Any) -> Any:
    """Return what a mapping or a list HOLDER holds."""
    return holder.values() if isinstance(holder, dict) else holder
