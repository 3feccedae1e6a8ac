"""How is the same said about many things at once?

together    remarks about single things, each as one line
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_MOST_NAMED = 2


def together(remarks: Iterable[tuple[str, str]], *, alone: bool = False) -> Iterator[str]:
    """Yield each of REMARKS, pairs of what it is about and what is said, once; of things that stand ALONE, unnamed.

    >>> list(together([("a.run", "is short"), ("b.run", "is short"), ("a.run", "is odd"), ("c.run", "is short")]))
    ['a.run, b.run and 1 more: is short', 'a.run: is odd']
    """
    by_remark: dict[str, list[str]] = {}
    for name, remark in remarks:
        by_remark.setdefault(remark, []).append(name)
    for remark, names in by_remark.items():
        more = f" and {len(names) - _MOST_NAMED:,} more" if len(names) > _MOST_NAMED else ""
        yield remark if alone else f"{', '.join(names[:_MOST_NAMED])}{more}: {remark}"
