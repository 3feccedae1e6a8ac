"""Who shows how far a longer work is?

Watch       what hands things on, of which there are so many in all, and shows how many are done
unwatched   the one that shows nothing
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

Watch = Callable[[Iterable[Any], int], Iterator[Any]]


def unwatched(things: Iterable[Any], _total: int) -> Iterator[Any]:
    """Hand on THINGS and show nothing."""
    return iter(things)
