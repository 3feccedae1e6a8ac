"""How far did a replay get, whatever became of it?  A line on disk before and behind each step.

    Journal   the file that a replay writes to while it goes
    Past      what the last replay in a workspace left

A line is on the disk before the next thing is done.  One that is torn, because the machine stopped in it, is passed
over: then that thing had not been done.
"""

from __future__ import annotations

import json
import os
import re
import stat
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from primad.errors import DataError, FileError
from primad.replay.recorded import WRONG, as_json, replayed_of, sandbox_json, sandbox_of, step_json, step_of, typed
from primad.replay.result import Stage

if TYPE_CHECKING:
    from pathlib import Path

    from primad.replay.result import Replayed, Sandbox, Step

_MOST_BYTES = 256 << 20
_TOKEN = re.compile(r"(?:[0-9a-f]{16})?")  # none in what was written before there was one


@dataclass
class Past:
    """What the last replay left: its STEPS, the one it was at (STAGE and COMMAND), and its end, if it came to one.

    TOKEN marks the processes of the step it was at.
    """

    sandbox: Sandbox
    steps: list[Step] = field(default_factory=list)
    stage: Stage | None = None
    command: str = ""
    token: str = ""
    ended: Replayed | None = None

    def installed(self, commands: tuple[str, ...]) -> tuple[Step, ...]:
        """Return the steps that installed the system by the first of COMMANDS, as far as they succeeded."""
        done = [step for step in self.steps if step.stage is Stage.INSTALL]
        kept = []
        for step, command in zip(done, commands, strict=False):  # there may be more of either
            if step.command != command or not step.succeeded:
                break
            kept.append(step)
        if len(kept) < len(commands) and any(step.stage is Stage.RUN for step in self.steps):
            return ()  # the home of a system that has seen the data set is not for a step with a network
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

    def start(self, stage: Stage, command: str, token: str) -> None:
        """Note that a step starts, whose processes are marked by TOKEN."""
        self._add({"starting": command, "stage": stage.value, "token": token})

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
        """Return what the last replay left, None if there was none; the system itself may have written there."""
        past = None
        for number, line in enumerate(self._lines(), 1):
            try:
                past = _gone_on(past, _values_of(line))
            except (DataError, RecursionError, *WRONG) as error:
                found = f"cannot be read (line {number} is not what a replay writes: {type(error).__name__})"
                raise FileError(str(self.path), found, "replay the system anew") from None
        return past

    def _lines(self) -> list[bytes]:
        """Return the lines of the file, none if it is not there."""
        try:
            descriptor = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
            with os.fdopen(descriptor, "rb") as stream:
                state = os.fstat(descriptor)
                if not stat.S_ISREG(state.st_mode) or state.st_size > _MOST_BYTES:
                    found = f"cannot be read (expected a file of at most {_MOST_BYTES:,} bytes)"
                    raise FileError(str(self.path), found, "replay the system anew")
                return stream.read(_MOST_BYTES).splitlines()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise FileError(str(self.path), f"cannot be read ({error.strerror})", "replay the system anew") from None


def _values_of(line: bytes) -> dict[str, Any]:
    """Return what stands in LINE, nothing if it was torn."""
    try:
        values = json.loads(line)
    except ValueError:
        return {}
    return values if isinstance(values, dict) else {}


def _gone_on(past: Past | None, values: dict[str, Any]) -> Past | None:
    """Return PAST with what a line says."""
    if "began" in values:
        return Past(sandbox_of(values["sandbox"]), [step_of(step) for step in values["kept"]])
    if past is None:
        return None
    if "starting" in values:
        told = typed(values, {"starting": str, "stage": str})
        past.stage, past.command = Stage(told["stage"]), told["starting"]
        past.token = values.get("token", "")
        if not isinstance(past.token, str) or not _TOKEN.fullmatch(past.token):
            raise ValueError(past.token)
    elif "step" in values:
        past.steps.append(step_of(values["step"]))
        past.stage, past.command, past.token = None, "", ""
    elif "ended" in values:
        past.ended = replayed_of(values["ended"])
    return past
