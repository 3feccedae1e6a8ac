"""What is known of a system that was run again?

    Limits     what a step may use
    Sandbox    what held the steps: the rung of the ladder, and what its self-test found
    Step       one command and how it went
    Produced   one file of the output
    Replayed   all of it

Everything here is plain values, so that it can be written down.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

_MB = 1_000_000


class Rung(StrEnum):
    """What holds a command: each holds less than the one before."""

    CONTAINER = "container"
    BUBBLEWRAP = "bubblewrap"
    PLAIN = "plain"


class Stage(StrEnum):
    """Where in a replay a step, or a failure, belongs."""

    UNPACK = "unpack"
    PREREQUISITES = "prerequisites"
    INSTALL = "install"
    RUN = "run"
    OUTPUT = "output"


@dataclass(frozen=True)
class Limits:
    """What steps may use: seconds, bytes of memory for all processes, processes, bytes on disk, and of the log.

    SECONDS and LOG are for all steps of a replay together, DISK is for what all of them leave, the others are for one
    at a time.  ENTRIES bounds the number of files and folders on disk, OUTPUT the bytes that are collected in the end,
    FILES their number.
    """

    seconds: float = 8 * 3600.0
    memory: int = 8_000 * _MB
    processes: int = 512
    disk: int = 10_000 * _MB
    log: int = 50 * _MB
    output: int = 1_000 * _MB
    files: int = 10_000
    entries: int = 200_000


@dataclass(frozen=True)
class Sandbox:
    """The RUNG that held the steps, what is kept from doing (HELD) and what is not (OPEN), as its self-test found."""

    rung: Rung
    engine: str = ""
    held: tuple[str, ...] = ()
    open: tuple[str, ...] = ()


@dataclass(frozen=True)
class Step:
    """One command: its STAGE, whether it had a NETWORK, its exit STATUS, and what it used.

    STOPPED_BY names the limit that ended it ("time", "memory", "processes", "disk", "log"), empty if none did.  WALL,
    USER and SYSTEM are seconds, PEAK_MEMORY bytes of its largest process.
    """

    stage: Stage
    command: str
    started: datetime
    ended: datetime
    status: int
    wall: float
    user: float = 0.0
    system: float = 0.0
    peak_memory: int | None = None
    network: bool = False
    stopped_by: str = ""
    remark: str = ""

    @property
    def succeeded(self) -> bool:
        """Tell whether the command came to its end and was content."""
        return self.status == 0 and not self.stopped_by


@dataclass(frozen=True)
class Produced:
    """One file of the output: its path below the output's folder, its bytes and their SHA-256."""

    path: str
    size: int
    digest: str


@dataclass(frozen=True)
class Replayed:
    """A system that was run again: whether it SUCCEEDED, else the STAGE it failed at and the REASON, for a person.

    OUTPUT are the files that were kept.  REMARKS say what was noticed: links in the output that were not followed,
    files that were left out, limits that were hit.
    """

    sandbox: Sandbox
    steps: tuple[Step, ...]
    output: tuple[Produced, ...]
    succeeded: bool
    stage: Stage | None = None
    reason: str = ""
    remarks: tuple[str, ...] = ()

    @property
    def run_seconds(self) -> float:
        """Return the time that the steps of the run took, without those that install."""
        return sum(step.wall for step in self.steps if step.stage is Stage.RUN)
