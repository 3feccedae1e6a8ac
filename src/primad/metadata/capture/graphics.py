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
    """Return {"model": "NVIDIA RTX A6000", "memory": "51.5 GB", "number of gpus": 2}, the memory that of one card.

    Cards of several kinds are listed with a comma; a memory is given only if it is that of every card.
    """
    said = decoded(ask(_COMMAND, seconds=_PATIENCE, limit=_LIMIT))
    cards = [card for line in said.splitlines() if (card := _CARD.fullmatch(line.strip()))]
    if not cards:
        return {}
    facts: dict[str, Any] = {"model": ", ".join(dict.fromkeys(card["name"] for card in cards))}
    first, *others = {card["mebibytes"] for card in cards}
    if first and not others:
        facts["memory"] = _gigabytes(int(first))
    return facts | {"number of gpus": len(cards)}


def _gigabytes(mebibytes: int) -> str:
    """Return a size in the unit of the main memory, GB of 10**9 bytes: what a shop calls 48 GB is 51.5.

    >>> _gigabytes(49140)
    '51.5 GB'
    """
    size = f"{mebibytes * 1024**2 / 1e9:.1f}"
    return f"{size.removesuffix('.0')} GB"
