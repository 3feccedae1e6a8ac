"""What is the report of a track made of?  Plain values that somebody else has computed.

    Funnel, SystemRow, MachineRow        who took part: tables of teams, systems (2) and machines (3)
    TimeRow, StageTime                   human and run time by role (4), and by stage
    QuestionRow                          the scores of a question over all systems and for each (5)
    AttemptRow, VerdictRow               what analysts did, and how the results compare
    PrecisionRow                         how far a system's values scatter over all attempts
    Outcome                              what came of tasks in which something is reproduced or measured
    Comment, Recommendation              what analysts wrote, and what follows from low scores
    Cell, Moment                         systems by data sets, and results over time
    TrackReport                          all of it

Numbers in parentheses are those of the tables of Névéol et al., LOUHI 2016.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True)
class Funnel:
    """How many teams, or submissions, got as far as this STEP, and why others did not."""

    step: str
    count: int
    note: str = ""


@dataclass(frozen=True)
class SystemRow:
    """A system that was submitted; SUBMISSION is its address, TITLE what tables call it.

    KIND is how it came, as a bundle or by remote access, and empty where nobody said; ELIGIBLE is None while nobody has
    decided.
    """

    submission: str
    title: str
    team: str
    task: str
    operating_system: str
    language: str
    version: str = ""
    kind: str = "bundle"
    eligible: bool | None = None
    reason: str = ""


@dataclass(frozen=True)
class MachineRow:
    """A machine of an analyst, its FACTS in the order in which they are shown."""

    analyst: str
    role: str
    machine: str
    facts: Mapping[str, str]


@dataclass(frozen=True)
class TimeRow:
    """Minutes that analysts in one ROLE spent on one system, None if nobody did.

    HUMAN is a mean over so many analysts (HUMAN_N), RUN one over those who got results (RUN_N).  RULE says how both
    came about; PUBLISHED marks aggregates that were printed without what they are made of.  SYSTEM is a title, which
    two systems may share; SUBMISSION is the address that they do not share, empty where print does not tell.
    """

    system: str
    role: str
    human: float | None
    run: float | None
    human_n: int | None
    run_n: int | None
    rule: str
    published: bool = False
    submission: str = ""


@dataclass(frozen=True)
class StageTime:
    """Minutes that analysts spent at one STAGE of a system, the mean over N of them; SUBMISSION is its address."""

    system: str
    stage: str
    minutes: float
    n: int
    submission: str = ""


@dataclass(frozen=True)
class Score:
    """The answers to a question as one share of the best possible: N of them, None if there are none."""

    share: float | None
    n: int


@dataclass(frozen=True)
class QuestionRow:
    """A question of the sheet: its PART, KEY ("Q1"), a SHORT form, its SCALE in words, and the RULE of its score.

    MARK is the sign that stands behind the key.  BY_SYSTEM has the score of each system, by the address of its
    submission.  PRINTED is a score that was published without the answers it is made of, PRINTED_NOTE what is known of
    it.  BETTER is the answer that speaks for a system, PURPOSE what else answers are read for ("reuse").  SHEET says by
    which former sheet it was asked, if the present one has another question, or none, under its key.
    """

    part: str
    key: str
    short: str
    text: str
    scale: str
    mark: str
    rule: str
    score: Score
    by_system: Mapping[str, Score] = field(default_factory=dict)
    printed: float | None = None
    printed_note: str = ""
    better: str = ""
    purpose: str = ""
    sheet: str = ""

    @property
    def named(self) -> str:
        """Return the key, with the former sheet that asked it."""
        return f"{self.key} ({self.sheet})" if self.sheet else self.key

    @property
    def counts_no(self) -> bool:
        """Tell whether the score is the share of the answer no; what a printed one is the share of is not known."""
        return self.better == "no" and (self.score.n > 0 or self.printed is None)


@dataclass(frozen=True)
class AttemptRow:
    """One attempt; LEVEL is that of repeatability with its words, HUMAN and RUN are minutes."""

    number: int
    submission: str
    title: str
    analyst: str
    role: str
    machine: str
    configuration: str
    data_set: str
    state: str
    stage: str
    reason: str
    human: float
    run: float | None
    rung: str
    level: int | None
    level_words: str
    opened_at: datetime
    repeats: int | None = None


@dataclass(frozen=True)
class VerdictRow:
    """An attempt's output beside the submitted one on the PRIMARY measure.

    P, LOW and HIGH are of the test of the DIFFERENCE on so many TESTED_ITEMS, NO_TEST says why there is none.  TYPE are
    the six letters of PRIMAD, empty where records do not tell.
    """

    attempt: int
    submission: str
    title: str
    analyst: str
    agreement: str
    points: int
    primary: str
    submitted: float | None
    replicated: float | None
    difference: float | None
    p: float | None
    low: float | None
    high: float | None
    no_test: str
    same_items: int | None
    different_items: int | None
    type: str
    sentence: str
    tested_items: int | None = None


@dataclass(frozen=True)
class PrecisionRow:
    """The values of a system over the submitted output and all attempts: their scatter as CV*, and what differed."""

    submission: str
    title: str
    configuration: str
    data_set: str
    measure: str
    n: int
    mean: float | None
    cv_star: float | None
    low: float | None
    high: float | None
    differing: tuple[str, ...]
    sentence: str


@dataclass(frozen=True)
class Outcome:
    """What came of a task in which something is reproduced or measured: WHO or what it is about, in a SENTENCE.

    TYPE are the six letters of PRIMAD, empty where there are none.
    """

    task: str
    kind: str
    who: str
    type: str
    sentence: str


@dataclass(frozen=True)
class Comment:
    """What an analyst wrote on a QUESTION, which was ASKED in these words; SHEET is the former one that asked it so."""

    submission: str
    title: str
    question: str
    analyst: str
    role: str
    text: str
    asked: str = ""
    sheet: str = ""


@dataclass(frozen=True)
class Recommendation:
    """What authors could do, and BECAUSE of which answers; TITLE is a system, empty if it is for all."""

    title: str
    text: str
    because: str
    submission: str = ""


@dataclass(frozen=True)
class Cell:
    """A system on a data set: the score of its newest attempt that has one, and how many attempts have."""

    submission: str
    title: str
    data_set: str
    measure: str
    submitted: float | None
    replicated: float | None
    attempts: int
    configuration: str = ""


@dataclass(frozen=True)
class Moment:
    """The score of one attempt at its time."""

    submission: str
    title: str
    data_set: str
    attempt: int
    at: datetime
    measure: str
    value: float
    configuration: str = ""


@dataclass(frozen=True)
class TrackReport:
    """Everything that the report of a track says; NOTES are sentences on what it rests on and what is not known."""

    slug: str
    title: str
    about: str
    source: str
    phase: str
    made_at: datetime
    funnel: tuple[Funnel, ...] = ()
    systems: tuple[SystemRow, ...] = ()
    machines: tuple[MachineRow, ...] = ()
    times: tuple[TimeRow, ...] = ()
    stages: tuple[StageTime, ...] = ()
    questions: tuple[QuestionRow, ...] = ()
    attempts: tuple[AttemptRow, ...] = ()
    verdicts: tuple[VerdictRow, ...] = ()
    precision: tuple[PrecisionRow, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    comments: tuple[Comment, ...] = ()
    recommendations: tuple[Recommendation, ...] = ()
    cells: tuple[Cell, ...] = ()
    moments: tuple[Moment, ...] = ()
    notes: tuple[str, ...] = ()
