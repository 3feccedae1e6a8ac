"""How is a system to be run again?

    Wish   in which sandbox, with which network and limits

Plain values: no database is needed to make one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from primad.replay.result import Limits


@dataclass(frozen=True)
class Wish:
    """How a system is to be run: TRUST allows no sandbox, RUNG names one, LIMITS are those of the task if none."""

    trust: bool = False
    rung: str = ""
    image: str = ""
    network: bool = False
    limits: Limits | None = None
