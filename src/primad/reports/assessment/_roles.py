"""What is a run of an experiment called?  By its role; where each side has one run only, by none.

    Roles      the names of runs in sentences, headings and rows
    roles_of   those of an assessment

A run alone is the baseline in JSON and CSV, where a key must not depend on other runs; to a reader it is the run.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from primad.reproducibility.assessment.result import Assessment

_SAID = {"baseline": "the baseline", "advanced": "the advanced run", "both": "both runs"}
_TITLES = {"baseline": "Baseline", "advanced": "Advanced"}
_SHORT = {"baseline": "base", "advanced": "adv"}


@dataclass(frozen=True)
class Roles:
    """How runs are called, where there are baselines and advanced runs, or runs that have no partner."""

    are_told: bool

    def said(self, word: str, run: str) -> str:
        """Return RUN behind a WORD such as 'for' and a blank, to go on in a sentence."""
        return f" {word} {_SAID[run]}" if self.are_told else ""

    def title(self, run: str) -> str:
        """Return the heading of what is about RUN."""
        return _TITLES[run] if self.are_told else "Run"

    def short(self, run: str, before: str) -> str:
        """Return RUN as a cell has room for it, behind what comes BEFORE it; nothing of what is about both."""
        return before + _SHORT[run] if self.are_told and run in _SHORT else ""

    def word(self, run: str) -> str:
        """Return RUN in a word, empty if that says nothing."""
        return run if self.are_told else ""

    def about(self, name: str, run: str) -> str:
        """Return the NAME of an experiment, and which of its runs is meant."""
        return ", ".join(filter(None, (name, self.word(run))))


def roles_of(assessment: Assessment) -> Roles:
    """Return how the runs of ASSESSMENT are called."""
    experiments = (assessment.original, *assessment)
    return Roles(
        any("advanced" in one.runs or any(value.run == "advanced" for value in one.values) for one in experiments)
    )
