"""What of the test collection do two experiments share, and which measures exist therefore?

    Shared    whether topics, documents and judgments are the same, and how that is known

The same topics, documents and judgments: every measure exists.  Another test collection leaves effectiveness, an
unpaired test, ER and DRI.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from primad.reproducibility.registry import Measure


@dataclass(frozen=True)
class Shared:
    """What of the test collection two experiments share, and WHY this is believed."""

    topics: bool
    documents: bool
    qrels: bool
    why: str

    @property
    def are_paired(self) -> bool:
        """Tell whether a topic of one experiment is the same task as the topic of that name in the other."""
        return self.topics and self.documents

    @property
    def is_same(self) -> bool:
        """Tell whether the whole test collection is the same."""
        return self.topics and self.documents and self.qrels

    def against(self, measure: Measure) -> str:
        """Return why MEASURE has no value here, empty if it has one."""
        if measure.takes == "effects":
            return ""
        what = "order" if measure.takes == "rankings" else "scores"
        if not self.documents:
            return f"other documents: {what} cannot be compared topic by topic"
        if not self.topics:
            return f"other topics: {what} cannot be compared topic by topic"
        if measure.takes == "paired" and not self.qrels:
            return "other judgments: a difference of scores would be one of the judgments, too"
        return ""

    def __str__(self) -> str:
        """Return the answer in words."""
        if self.is_same:
            return f"the same test collection ({self.why})"
        parts = (("topics", self.topics), ("documents", self.documents), ("judgments", self.qrels))
        return f"other {' and '.join(name for name, same in parts if not same)} ({self.why})"
