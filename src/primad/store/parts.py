"""How is very much handed on in lists of some size?

in_parts   things in lists, as they come
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def in_parts(things: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield THINGS in lists of at most SIZE.

    >>> list(in_parts("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    part: list[T] = []
    for thing in things:
        part.append(thing)
        if len(part) >= size:
            yield part
            part = []
    if part:
        yield part
