"""Do studies that labelled the same items agree?  (Results of type III.)

Label    what one rater, or one study, said about one item
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Level = Literal["nominal", "ordinal", "interval", "ratio"]
LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval", "ratio")


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """What RATER, who may be a person or a whole study, said about an item; an empty label is a missing one.

    level    how labels can be compared: as names, in order, by their differences, by their ratios
    """

    measurand: str
    item: str
    rater: str
    label: str
    object: str = ""
    study: str = ""
    level: Level = "nominal"
    file: str = ""
    line: int = 0
