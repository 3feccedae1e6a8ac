"""What can attempts of analysts say about the badges of ACM?  Who awards them are people; this is evidence.

    Badge       a badge, what it asks for in our words, and what was found that speaks to it
    badges_of   each badge beside what the report says of one system

Names are those of ACM's Artifact Review and Badging, version 1.1: what this track calls replication, others running the
authors' own system, is there "Results Reproduced"; "Results Replicated" needs results without anything of the authors.
"""

from __future__ import annotations

from dataclasses import dataclass

from primad.reports.lists import many
from primad.reports.track.facts import AttemptRow, TrackReport, VerdictRow
from primad.reports.track.further_tables import succeeded_of
from primad.reports.track.table import percent

_SAME, _CLOSE = 4, 3  # points of a verdict
_REUSE = "reuse"  # the purpose of questions about it, whatever their key

AWARDED = (
    "A badge is awarded by people who have looked at the paper and its artifacts. Nothing here awards one: this is "
    "what was run, by whom, where and with which result."
)


@dataclass(frozen=True)
class Badge:
    """A badge by its NAME, what it ASKS for, and what was FOUND."""

    name: str
    asks: str
    found: str


def badges_of(report: TrackReport, submission: str) -> tuple[Badge, ...]:
    """Return what REPORT says to each badge about the system of SUBMISSION."""
    attempts = [one for one in report.attempts if one.submission == submission]
    verdicts = [one for one in report.verdicts if one.submission == submission]
    return (
        Badge(
            "Artifacts Available",
            "The artifacts lie for good where everybody can get them, under an identifier.",
            "Nothing: whether the system is public was not recorded.",
        ),
        Badge(
            "Artifacts Evaluated, Functional",
            "The artifacts are documented, complete and fit what the paper says, and can be made to work.",
            _functional(attempts),
        ),
        Badge(
            "Artifacts Evaluated, Reusable",
            "Beyond that, they are made and documented so well that others can use them for work of their own.",
            _reusable(report, submission),
        ),
        Badge(
            "Results Reproduced",
            "Others than the authors obtained the main results, with artifacts of the authors among what they used.",
            _reproduced(verdicts),
        ),
        Badge(
            "Results Replicated",
            "Others obtained the main results on their own, without artifacts of the authors.",
            "Nothing: analysts ran the system of its authors.",
        ),
    )


def _functional(attempts: list[AttemptRow]) -> str:
    """Return whether analysts could make the system work in ATTEMPTS."""
    if not attempts:
        return "Nothing: no attempts are recorded."
    who = many(len({one.analyst for one in attempts if one.state == "succeeded"}), "analyst")
    return f"{succeeded_of(attempts)}. Those who got it to work: {who}."


def _reusable(report: TrackReport, submission: str) -> str:
    """Return what analysts said about using the system of SUBMISSION elsewhere."""
    asked = [(row, row.by_system.get(submission)) for row in report.questions if row.purpose == _REUSE]
    found = [
        f"{row.named}, {row.text} {percent(score.share)}, from {many(score.n, 'answer')}. {row.rule}"
        for row, score in asked
        if score is not None and score.n
    ]
    return " ".join(found) or "Nothing: no answers on using the system elsewhere are recorded."


def _reproduced(verdicts: list[VerdictRow]) -> str:
    """Return how replicated results compare to the submitted ones in VERDICTS."""
    if not verdicts:
        return "Nothing: no verdicts are recorded."
    same = sum(one.points == _SAME for one in verdicts)
    close = [one.agreement for one in verdicts if one.points == _CLOSE]
    how = f" ({', '.join(dict.fromkeys(close))})" if close else ""  # each task may have a limit of its own
    were = "was" if len(close) == 1 else "were"
    return f"{same} of {many(len(verdicts), 'output')} gave the same results, and {len(close)} {were} close{how}."
