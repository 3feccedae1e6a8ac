"""Who shows how far a longer work is?

Watch       what hands things on, of which there are so many in all, and shows how many are done
unwatched   the one that shows nothing
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

T = TypeVar("T")


class Watch(Protocol):
    """Whoever hands on THINGS and shows how many of TOTAL are done, in words WHAT they are.

    Where things come in lots, SO_FAR tells how many are done by now.
    """

    def __call__(
        self, things: Iterable[T], total: int, what: str, so_far: Callable[[], int] | None = None
    ) -> Iterator[T]:
        """Yield THINGS."""
        ...


def unwatched(
    things: Iterable[T],
    total: int,  # noqa: ARG001 - whoever watches is told
    what: str,  # noqa: ARG001
    so_far: Callable[[], int] | None = None,  # noqa: ARG001
) -> Iterator[T]:
    """Hand on THINGS and show nothing."""
    return iter(things)
