"""How does a site tell a long list in parts?

Page   some of a list, and where the next part begins
"""

from __future__ import annotations

from typing import Generic, TypeVar

from pydantic import BaseModel

Item = TypeVar("Item")


class Page(BaseModel, Generic[Item]):
    """Some of a list: ITEMS of TOTAL; NEXT is the offset of the next part, none at the end."""

    items: list[Item]
    total: int
    next: int | None
