"""Do the claims of an original hold in its reproductions?

Claim    one object is above another one on a measurand, as a test shows
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Test = Literal["order", "welch"]
Correction = Literal["none", "bonferroni", "holm"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """ABOVE has a higher value of MEASURAND than BELOW.

    test         "order" looks at the values alone; "welch" needs the standard errors and numbers of items of both
    correction   for the several claims of a study that are tested on one experiment
    """

    above: str
    below: str
    measurand: str
    test: Test = "order"
    correction: Correction = "none"
    alpha: float = 0.05
    study: str = ""
    source: str = ""
    name: str = ""
    file: str = ""
    line: int = 0

    @property
    def text(self) -> str:
        """Return the claim in words."""
        return f"{self.above} above {self.below} on {self.measurand}"
