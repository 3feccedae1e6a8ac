"""How is it seen how far long work is?

Watch       whoever shows it: hands on what it is given, knowing how many there will be
unwatched   nobody does
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

Watch = Callable[[Iterable[Any], int], Iterable[Any]]


def unwatched(things: Iterable[Any], _total: int) -> Iterable[Any]:
    """Hand on THINGS as they are."""
    return things
