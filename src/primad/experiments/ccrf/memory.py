"""What was made of the same collections a moment ago?

    Latest   the last things that were made, each with what it was made of

A study searches the same collections and learns from the same ones again and again.  Few things are kept, and those are
let go when their time is over: collections may be large.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


class Latest(Generic[T]):
    """The MOST things that were asked for last; what a thing is made of need not be hashable.

    >>> lengths = Latest[int](most=1)
    >>> lengths.of([1, 2], lambda: 2), lengths.of([1, 2], lambda: 3), lengths.of([], lambda: 0)
    (2, 2, 0)
    """

    def __init__(self, most: int) -> None:
        """Begin with nothing."""
        self._most = most
        self._made: list[tuple[Any, T]] = []

    def of(self, key: Any, make: Callable[[], T]) -> T:
        """Return what was made of an equal KEY, else what MAKE gives now."""
        place = next((place for place, (known, _) in enumerate(self._made) if known == key), None)
        found = (key, make()) if place is None else self._made.pop(place)
        self._made = [*self._made, found][-self._most :]
        return found[1]

    def forget(self) -> None:
        """Let everything go."""
        self._made.clear()
