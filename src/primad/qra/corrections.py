"""How are p-values corrected for how many they are?

corrected     p-values by Holm's method or Bonferroni's
Correction    what can be asked for
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

Correction = Literal["holm", "bonferroni", "none"]


def corrected(p: Sequence[float], correction: Correction) -> list[float]:
    """Return P corrected for having been found together, in the same order.

    >>> corrected([0.01, 0.04, 0.03], "bonferroni"), corrected([0.01, 0.04, 0.03], "holm")
    ([0.03, 0.12, 0.09], [0.03, 0.06, 0.06])
    """
    if correction == "none":
        return list(p)
    if correction == "bonferroni":
        return [min(1.0, one * len(p)) for one in p]
    found = [0.0] * len(p)
    highest = 0.0
    for before, place in enumerate(sorted(range(len(p)), key=p.__getitem__)):
        highest = max(highest, min(1.0, p[place] * (len(p) - before)))
        found[place] = highest
    return found
