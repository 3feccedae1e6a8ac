"""What does a track answer when it is asked?  Plain values, which anybody may keep.

    TrackFacts                           the whole track: phase, what is allowed, who has to do what next, and all rows
    TrackRow                             a track in a line
    Allowed, Todo                        what can be done now, and what somebody has to do
    TaskFacts, DataSetFacts, TeamFacts   what there is to do, and who takes part
    SubmissionRow, SubmissionFacts       a submission in a line, and all that is known of it
    OutputFacts, SystemFacts             what was submitted of it
    AnalystFacts, MachineFacts           who runs systems again, and on what
    AssignmentRow                        who is to run what
    AttemptRow, AttemptFacts             an attempt in a line, and all that is known of it
    SpanFacts, QuestionFacts, StepFacts  what an analyst, the authors and a replay did in it
    SheetRow, SheetFacts, Asked          a sheet in a line, and question by question
    VerdictFacts, LevelFacts             what came of an attempt, and how repeatable that shows the system to be
    FileFacts                            a file that can be downloaded
    TrackEvent                           a line of the log

Times are in UTC.  Nothing here is a row of the database.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from primad.errors import with_command

__all__ = [
    "Allowed",
    "AnalystFacts",
    "Asked",
    "AssignmentRow",
    "AttemptFacts",
    "AttemptRow",
    "DataSetFacts",
    "FileFacts",
    "LevelFacts",
    "MachineFacts",
    "OutputFacts",
    "QuestionFacts",
    "SheetFacts",
    "SheetRow",
    "SpanFacts",
    "StepFacts",
    "SubmissionFacts",
    "SubmissionRow",
    "SystemFacts",
    "TaskFacts",
    "TeamFacts",
    "Todo",
    "TrackEvent",
    "TrackFacts",
    "TrackRow",
    "VerdictFacts",
]


@dataclass(frozen=True)
class Allowed:
    """WHAT can be done in a phase, and the COMMANDS for it."""

    what: str
    commands: tuple[str, ...]


@dataclass(frozen=True)
class Todo:
    """WHO has to do WHAT next, and the COMMAND for it, empty where there is none."""

    who: str
    what: str
    command: str = ""


@dataclass(frozen=True)
class TrackEvent:
    """What was done, when and by WHOM."""

    at: datetime
    whom: str
    verb: str
    details: Mapping[str, Any]


@dataclass(frozen=True)
class DataSetFacts:
    """A data set: how many files systems see (INPUTS), whether it HAS_GOLD, and whether that is PUBLIC."""

    slug: str
    about: str
    inputs: int
    has_gold: bool
    public: bool


@dataclass(frozen=True)
class TaskFacts:
    """A task, and the addresses of what was submitted to it, as far as these are seen; SUBMISSION_COUNT counts all."""

    slug: str
    title: str
    about: str
    kind: str
    scorer: str
    settings: Mapping[str, Any]
    primary: str
    profile: str
    limits: Mapping[str, Any]
    network_to_install: bool
    data_sets: tuple[DataSetFacts, ...]
    submissions: tuple[str, ...]
    submission_count: int = 0


@dataclass(frozen=True)
class SubmissionRow:
    """A submission in a line: its STATE, and WHY it is in it; SYSTEM is "bundle", "remote" or empty.

    ELIGIBLE is None while nobody has decided, REASON why it was decided so.  CONFIGURATIONS are to be run again.
    """

    address: str
    title: str
    team: str
    task: str
    state: str
    why: str
    system: str
    analysts: tuple[str, ...]
    eligible: bool | None = None
    reason: str = ""
    configurations: tuple[str, ...] = ()


@dataclass(frozen=True)
class TeamFacts:
    """A team, and what it has submitted."""

    slug: str
    title: str
    contact: str
    note: str
    submissions: tuple[SubmissionRow, ...]


@dataclass(frozen=True)
class MachineFacts:
    """A machine of an analyst."""

    slug: str
    facts: Mapping[str, str]


@dataclass(frozen=True)
class AttemptRow:
    """An attempt in a line: its STATE, WHY it is in it, and the COMMAND to go on with, if any; times are minutes."""

    number: int
    submission: str
    analyst: str
    configuration: str
    data_set: str
    machine: str
    state: str
    stage: str
    why: str
    human_minutes: float
    run_minutes: float | None
    agreement: str
    level: int | None
    repeats: int | None
    opened_at: datetime
    command: str = ""

    @property
    def why_at_terminal(self) -> str:
        """Return why it is in its state together with the command to go on with."""
        return with_command(self.why, self.command)


@dataclass(frozen=True)
class AssignmentRow:
    """An ANALYST who is to run a SUBMISSION, on which MACHINE if one is named, by the matrix or BY_HAND."""

    analyst: str
    submission: str
    machine: str
    by_hand: bool


@dataclass(frozen=True)
class SheetRow:
    """A sheet in a line: how many questions of how many it answers, and when it was locked."""

    analyst: str
    submission: str
    answered: int
    questions: int
    locked_at: datetime | None


@dataclass(frozen=True)
class AnalystFacts:
    """An analyst: what is ASSIGNED to them, what they did, and how many minutes they worked of their BUDGET."""

    slug: str
    title: str
    role: str
    background: str
    conflicts: Mapping[str, str]
    machines: tuple[MachineFacts, ...]
    assigned: tuple[str, ...]
    attempts: tuple[AttemptRow, ...]
    sheets: tuple[SheetRow, ...]
    human_minutes: float
    budget: int


@dataclass(frozen=True)
class TrackFacts:
    """A whole track; LATE says that the phase should be over by its dates."""

    slug: str
    title: str
    about: str
    source: str
    phase: str
    next_phase: str | None
    dates: Mapping[str, Mapping[str, str]]
    late: bool
    budget: int
    blind: bool
    allowed: tuple[Allowed, ...]
    next: tuple[Todo, ...]
    tasks: tuple[TaskFacts, ...]
    teams: tuple[TeamFacts, ...]
    submissions: tuple[SubmissionRow, ...]
    analysts: tuple[AnalystFacts, ...]
    assignments: tuple[AssignmentRow, ...]
    attempts: tuple[AttemptRow, ...]
    sheets: tuple[SheetRow, ...]
    team_count: int = 0
    submission_count: int = 0


@dataclass(frozen=True)
class TrackRow:
    """A track in a line; its phase OPENS and CLOSES as its dates say, empty where they do not."""

    slug: str
    title: str
    phase: str
    about: str
    opens: str = ""
    closes: str = ""


@dataclass(frozen=True)
class FileFacts:
    """A file that can be downloaded: its PATH, and its SIZE in bytes."""

    path: str
    size: int


@dataclass(frozen=True)
class OutputFacts:
    """A submitted output: FILES with their sizes, VALUES of its team, what was SCORED, and how that DISAGREES."""

    configuration: str
    data_set: str
    files: Mapping[str, int]
    values: Mapping[str, float]
    scored: Mapping[str, float]
    conditions: Mapping[str, str]
    disagrees: tuple[str, ...] = ()


@dataclass(frozen=True)
class SystemFacts:
    """A version of a system; HAS_SECRET says that something is needed to reach it which is not shown here.

    EXPECTED_MINUTES, EXPECTED_MEMORY and EXPECTED_DISK are what its authors state of a run.
    """

    version: int
    kind: str
    bundle: str
    configurations: tuple[str, ...]
    prerequisites: tuple[str, ...]
    contact: str
    expected_minutes: float | None
    operating_system: str
    language: str
    instructions: str
    has_secret: bool
    submitted_at: datetime
    expected_memory: str = ""
    expected_disk: str = ""


@dataclass(frozen=True)
class SubmissionFacts:
    """All that is known of a submission; ELIGIBLE is None while nobody has decided."""

    row: SubmissionRow
    about: str
    submitted_at: datetime
    eligible: bool | None
    reason: str
    outputs: tuple[OutputFacts, ...]
    systems: tuple[SystemFacts, ...]
    attempts: tuple[AttemptRow, ...]
    sheets: tuple[SheetRow, ...]
    events: tuple[TrackEvent, ...]
    questions: tuple[QuestionFacts, ...] = ()


@dataclass(frozen=True)
class SpanFacts:
    """A while that an analyst worked; NUMBER is that in its attempt.  CORRECTED counts how often it was changed."""

    number: int
    stage: str
    started_at: datetime
    ended_at: datetime | None
    note: str
    corrected: int


@dataclass(frozen=True)
class QuestionFacts:
    """A question to the authors with its KEY, and what they said; it was asked in the ATTEMPT with this number."""

    asked_at: datetime
    text: str
    answered_at: datetime | None
    answer: str
    attempt: int = 0
    key: int = 0


@dataclass(frozen=True)
class StepFacts:
    """A step of a replay and how it went; WALL is seconds, PEAK_MEMORY bytes."""

    stage: str
    command: str
    status: int
    wall: float
    peak_memory: int | None
    network: bool
    stopped_by: str


@dataclass(frozen=True)
class VerdictFacts:
    """What came of an ATTEMPT, with the whole verdict as CONTENT; scores that may not be seen are None."""

    attempt: int
    agreement: str
    words: str
    points: int
    primary: str
    submitted: float | None
    replicated: float | None
    difference: float | None
    sentence: str
    content: Mapping[str, Any]


@dataclass(frozen=True)
class LevelFacts:
    """The level of repeatability of an attempt: as DECIDED, and as PROPOSED because of what."""

    decided: int | None
    decided_words: str
    note: str
    proposed: int | None
    proposed_words: str
    because: str


@dataclass(frozen=True)
class AttemptFacts:
    """All that is known of an attempt at a version of a SYSTEM; TRANSCRIPT are its last of TRANSCRIPT_LINES, or all."""

    row: AttemptRow
    note: str
    closed_at: datetime | None
    spans: tuple[SpanFacts, ...]
    questions: tuple[QuestionFacts, ...]
    output: Mapping[str, int]
    scored: Mapping[str, float]
    rung: str
    held: tuple[str, ...]
    open: tuple[str, ...]
    steps: tuple[StepFacts, ...]
    remarks: tuple[str, ...]
    transcript: tuple[str, ...]
    transcript_lines: int
    sentence: str
    level: LevelFacts
    events: tuple[TrackEvent, ...]
    system: int = 0


@dataclass(frozen=True)
class Asked:
    """A question of a sheet with its SCALE, the answers it takes, and what was answered.

    PROPOSED is the answer that follows from what was recorded, BECAUSE of what.  VALUE is None without an answer.
    """

    key: str
    part: str
    text: str
    scale: str
    scale_words: str
    choices: Mapping[str, str]
    value: str | int | None = None
    comment: str = ""
    note: str = ""
    proposed: str | int | None = None
    because: str = ""


@dataclass(frozen=True)
class SheetFacts:
    """The sheet of an analyst on a submission, question by question."""

    analyst: str
    submission: str
    title: str
    version: int
    locked_at: datetime | None
    questions: tuple[Asked, ...] = field(default=())
