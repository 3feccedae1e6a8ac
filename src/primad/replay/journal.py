"""How far did a replay get, whatever became of it?  A line on disk before and behind each step.

    Journal   the file that a replay writes to while it goes
    Past      what the last replay in a workspace left

A line is on the disk before the next thing is done.  One that is torn, because the machine stopped in it, is passed
over: then that thing had not been done.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from primad.errors import FileError
from primad.replay.recorded import as_json, replayed_of, sandbox_json, sandbox_of, step_json, step_of
from primad.replay.result import Stage

if TYPE_CHECKING:
    from pathlib import Path

    from primad.replay.result import Replayed, Sandbox, Step


@dataclass
class Past:
    """What the last replay left: its STEPS, the one it was at (STAGE and COMMAND), and its end, if it came to one."""

    sandbox: Sandbox
    steps: list[Step] = field(default_factory=list)
    stage: Stage | None = None
    command: str = ""
    ended: Replayed | None = None

    def installed(self, commands: tuple[str, ...]) -> tuple[Step, ...]:
        """Return the steps that installed the system by the first of COMMANDS, as far as they succeeded."""
        done = [step for step in self.steps if step.stage is Stage.INSTALL]
        kept = []
        for step, command in zip(done, commands, strict=False):  # there may be more of either
            if step.command != command or not step.succeeded:
                break
            kept.append(step)
        return tuple(kept)


class Journal:
    """The file at PATH that lines are added to."""

    def __init__(self, path: Path) -> None:
        """Go on behind what is there."""
        self.path = path

    def begin(self, sandbox: Sandbox, kept: tuple[Step, ...]) -> None:
        """Note that a replay begins with steps that were KEPT from one before."""
        held, at = sandbox_json(sandbox), datetime.now(UTC).isoformat()
        self._add({"began": at, "sandbox": held, "kept": [step_json(step) for step in kept]})

    def start(self, stage: Stage, command: str) -> None:
        """Note that a step starts."""
        self._add({"starting": command, "stage": stage.value})

    def finish(self, step: Step) -> None:
        """Note how a step went."""
        self._add({"step": step_json(step)})

    def end(self, replayed: Replayed) -> None:
        """Note what came of it all."""
        self._add({"ended": as_json(replayed)})

    def _add(self, values: dict[str, Any]) -> None:
        """Add a line, behind an end of line if the last one was torn, and bring it to the disk."""
        line = json.dumps(values).encode() + b"\n"
        try:
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
            with os.fdopen(descriptor, "r+b", buffering=0) as stream:
                size = stream.seek(0, os.SEEK_END)
                torn = size and os.pread(descriptor, 1, size - 1) != b"\n"
                stream.write(b"\n" + line if torn else line)
                os.fsync(descriptor)
        except OSError as error:
            raise FileError(str(self.path), f"cannot be written ({error.strerror})") from None

    def past(self) -> Past | None:
        """Return what the last replay left, None if there was none."""
        try:
            lines = self.path.read_bytes().splitlines()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise FileError(str(self.path), f"cannot be read ({error.strerror})") from None
        past = None
        for line in lines:
            values = _values_of(line)
            if "began" in values:
                past = Past(sandbox_of(values["sandbox"]), [step_of(step) for step in values["kept"]])
            elif past:
                _go_on(past, values)
        return past


def _values_of(line: bytes) -> dict[str, Any]:
    """Return what stands in LINE, nothing if it was torn."""
    try:
        values = json.loads(line)
    except ValueError:
        return {}
    return values if isinstance(values, dict) else {}


def _go_on(past: Past, values: dict[str, Any]) -> None:
    """Add to PAST what a line says."""
    if "starting" in values:
        past.stage, past.command = Stage(values["stage"]), values["starting"]
    elif "step" in values:
        past.steps.append(step_of(values["step"]))
        past.stage, past.command = None, ""
    elif "ended" in values:
        past.ended = replayed_of(values["ended"])
