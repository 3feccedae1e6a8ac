"""Which graphics cards can be computed with?

    graphics   the cards as platform.hardware.gpu has them, empty without one

Only NVIDIA's driver is asked, by the program that comes with it.
"""

from __future__ import annotations

import re
from typing import Any

from primad.metadata.capture._ask import ask, decoded

_COMMAND = ["nvidia-smi", "--query-gpu=name,memory.total", "--format=csv,noheader,nounits"]
_PATIENCE = 5.0
_LIMIT = 1 << 16
_CARD = re.compile(r"(?P<name>[A-Za-z][ -~]{0,99}?), *(?:(?P<mebibytes>\d{1,9})|\[[^\]]{0,40}\])")


def graphics() -> dict[str, Any]:
    """Return {"model": "NVIDIA RTX A6000", "memory": "48 GB", "number of gpus": 2}, the memory being that of one card.

    Cards of several kinds are listed with a comma, models and memories in the same order.
    """
    said = decoded(ask(_COMMAND, seconds=_PATIENCE, limit=_LIMIT))
    cards = [card for line in said.splitlines() if (card := _CARD.fullmatch(line.strip()))]
    if not cards:
        return {}
    kinds = dict.fromkeys((card["name"], card["mebibytes"]) for card in cards)
    facts: dict[str, Any] = {"model": ", ".join(name for name, _ in kinds)}
    if all(mebibytes for _, mebibytes in kinds):
        facts["memory"] = ", ".join(_as_sold(int(mebibytes)) for _, mebibytes in kinds)
    return facts | {"number of gpus": len(cards)}


def _as_sold(mebibytes: int) -> str:
    """Return the memory of a card in the unit of the shop: 49140 MiB are 48 GB."""
    size = mebibytes / 1024
    return f"{round(size) if size >= 1 else round(size, 1)} GB"
