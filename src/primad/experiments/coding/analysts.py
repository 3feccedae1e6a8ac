"""Who runs the systems again, how long do they say it took, and what do they answer?

    Profile     an analyst as a set of rules
    PROFILES    a user who follows the instructions and gives up early, a developer who asks and tries again
    Gaps        what a preflight has found missing in the documentation of a system
    Try         how one attempt ended
    minutes     how long an analyst works at a stage, by rule
    answers     what an analyst answers in the sheet, by rule

Nobody is behind the profiles.  Times are simulated; answers follow from what really happened to the attempts and from
what a preflight really found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

STAGES = ("prerequisites", "install", "run")
RULE = (
    "Simulated minutes: a user works for 15, 10 and 10 minutes at prerequisites, installation and run, a developer for "
    "8, 5 and 5; each thing that is missing in the documentation costs a user 4 more and a developer 2; a user looks "
    "for a prerequisite that is not there for 10 minutes, a developer for 40, and as long for the cause of a failure."
)

_QUESTIONS = {"prerequisites": ("Q1", "Q2"), "install": ("Q3", "Q4"), "run": ("Q5", "Q6", "Q7", "Q8")}
_BEFORE_RUNNING = ("prerequisites", "install")


@dataclass(frozen=True)
class Profile:
    """An analyst: minutes at each stage (WORK), for each GAP in the documentation, and to SEARCH for a cause.

    One who ASKS tries again once the authors have repaired something.
    """

    slug: str
    title: str
    role: str
    background: str
    work: Mapping[str, int]
    gap: int
    search: int
    asks: bool


PROFILES = (
    Profile(
        slug="uma",
        title="Uma (simulated)",
        role="user",
        background="Played by a program: follows the instructions to the letter, and gives up at the first failure.",
        work=dict(zip(STAGES, (15, 10, 10), strict=True)),
        gap=4,
        search=10,
        asks=False,
    ),
    Profile(
        slug="dev",
        title="Dev (simulated)",
        role="developer",
        background="Played by a program: asks the authors after a failure, and tries again with what they repair.",
        work=dict(zip(STAGES, (8, 5, 5), strict=True)),
        gap=2,
        search=40,
        asks=True,
    ),
)


@dataclass(frozen=True)
class Gaps:
    """What is missing in the documentation of a system: for each gap the QUESTION it costs points on, WHAT, and HOW."""

    gaps: Sequence[tuple[str, str, str]] = ()

    def about(self, *questions: str) -> list[tuple[str, str]]:
        """Return what is missing for QUESTIONS, and how to mend it."""
        return [(what, how) for question, what, how in self.gaps if question in questions]


@dataclass(frozen=True)
class Try:
    """An attempt that ended: its NUMBER, whether it SUCCEEDED, else at which STAGE and for which REASON not."""

    number: int
    succeeded: bool
    stage: str = ""
    reason: str = ""


def minutes(profile: Profile, stage: str, gaps: Gaps, *, searches: bool = False) -> int:
    """Return how long PROFILE works at STAGE of a system with GAPS, longer if something has to be searched for."""
    return profile.work[stage] + profile.gap * len(gaps.about(*_QUESTIONS[stage])) + profile.search * searches


def answers(profile: Profile, gaps: Gaps, tries: Sequence[Try]) -> dict[str, Any]:
    """Return what PROFILE answers on a system with GAPS after TRIES; Q4, Q7 and Q8 follow from the record."""
    first, last = tries[0], tries[-1]
    at_ease = last.succeeded and (profile.role == "developer" or not gaps.gaps)
    return {
        "Q1": _told(gaps, "Q1"),
        "Q2": 1 if last.stage == "prerequisites" else 5,
        "Q3": 1 if last.stage in _BEFORE_RUNNING else 5 - bool(gaps.about("Q3")),
        "Q5": 1 if not last.succeeded else 3 if not first.succeeded else 5 - bool(gaps.about("Q5")),
        "Q6": _told(gaps, "Q6"),
        "Q9": _suggestion(gaps, last),
        "Q10": "yes" if at_ease else "no",
    }


def _told(gaps: Gaps, question: str) -> dict[str, str]:
    """Return yes if nothing is missing for QUESTION, else no, and what is."""
    missing = [what for what, _ in gaps.about(question)]
    return {"value": "no", "comment": "; ".join(missing)} if missing else {"value": "yes"}


def _suggestion(gaps: Gaps, last: Try) -> dict[str, str]:
    """Return what the authors could do, by the failure of the LAST attempt, else by the first of GAPS."""
    if not last.succeeded:
        return {"value": f"Make it run elsewhere: {last.reason}"}
    return {"value": gaps.gaps[0][2]} if gaps.gaps else {}
