"""Has tests that notice some of its faults only: see planted_tests.py."""

from __future__ import annotations

MANY = 3


def share(part: float, whole: float) -> float:
    """Return how much of WHOLE is PART, which is tested."""
    if whole == 0:
        return 0.0
    return part / whole


def is_many(count: int) -> bool:
    """Tell whether COUNT is large; nobody tests where that begins."""
    return count > MANY


def counted_down(count: int) -> int:
    """Return 0, unless a fault never lets it end."""
    while count > 0:
        count -= 1
    return count


def untested(count: int) -> int:
    """Return what nobody looks at."""
    return count + 1
