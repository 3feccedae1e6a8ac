"""How are long lists told in parts?

Page            some of a list, how many there are, and where the next part begins
Limit, Offset   which part is meant
paged           a part of a list as a page
part            the part of a list that is meant, as a page
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Generic, TypeVar

from ninja import Field, Schema

Item = TypeVar("Item")
MOST = 200


class Page(Schema, Generic[Item]):
    """Some of a list: ITEMS from OFFSET on, of TOTAL; NEXT is the offset of the next part, null at the end."""

    items: list[Item]
    total: int
    offset: int
    next: int | None


Limit = Annotated[int, Field(ge=1, le=MOST, description="How many items at most.")]
Offset = Annotated[int, Field(ge=0, le=10_000_000, description="How many items come before.")]


def paged(items: list[Item], total: int, offset: int) -> Page[Item]:
    """Return ITEMS, which begin at OFFSET, as a part of TOTAL."""
    return Page(items=items, total=total, offset=offset, next=following(len(items), total, offset))


def following(items: int, total: int, offset: int) -> int | None:
    """Return where the part begins that follows so many ITEMS from OFFSET on, None where nothing follows."""
    end = offset + items
    return end if items and end < total else None


def part(items: Sequence[Item], limit: int, offset: int) -> Page[Item]:
    """Return at most LIMIT of all ITEMS, from OFFSET on."""
    return paged(list(items[offset : offset + limit]), len(items), offset)
