"""How is one command of a system run?  In a sandbox, within limits, with all it prints shown as it comes.

    run_step    run a command, and say how it went
    new_token   a mark for its processes
    ending_of   how it ended, for a person

When this returns, no process of the command is left that could be found.
"""

from __future__ import annotations

import os
import secrets
import select
import signal
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from primad.errors import WorkError
from primad.metadata.recording.command import KILLED, execute
from primad.metadata.secrets import redact
from primad.replay.limits import DISK, LOG, Gauge, Hit, Spent, shared, sized
from primad.replay.result import Step
from primad.replay.sandbox.groups import group_for
from primad.replay.sandbox.processes import Crew
from primad.replay.sandbox.self_test import NETWORK
from primad.replay.transcript import Lines

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Iterable

    from primad.metadata.recording.command import Execution
    from primad.replay.result import Limits, Stage
    from primad.replay.sandbox.box import Box
    from primad.replay.sandbox.groups import Group
    from primad.replay.sandbox.holder import Enclosure
    from primad.replay.transcript import Transcript

_PIECE = 1 << 16
_MILLISECONDS = 30  # between two looks where nothing is printed
_TOO_LARGE_FILE = KILLED + signal.SIGXFSZ


def run_step(
    enclosure: Enclosure,
    box: Box,
    command: str,
    stage: Stage,
    limits: Limits,
    *,
    network: bool,
    show: Callable[[str], None],
    transcript: Transcript,
    spent: Spent | None = None,
    token: str = "",
) -> Step:
    """Run the shell COMMAND in BOX as a step of STAGE, SHOW each line that it prints, and add it to TRANSCRIPT.

    SPENT is what steps before it used of what all may use together; what this one uses is added.  TOKEN marks its
    processes, if whoever calls wants to find them.
    """
    step, spent = token or new_token(), spent or Spent()
    transcript.note(f"{stage}: {command}")
    with group_for(step, limits) as group:
        attendant = _Attendant(enclosure, box, limits, step, group, show, transcript, replace(spent), read=spent.log)
        execution = attendant.execute(command, network=network)
    spent.seconds += execution.wall
    spent.log = attendant.read
    if execution.meanwhile_error:
        raise execution.meanwhile_error
    if not attendant.reached and not attendant.hit:
        reason = execution.failure or attendant.last or f"exit status {execution.status}"
        raise WorkError(f"the sandbox could not be started ({reason})")
    had_network = network or NETWORK in enclosure.sandbox.open
    done = _step_of(execution, attendant, command, stage, network=had_network)
    transcript.note(f"{stage}: {ending_of(done)}")
    return done


def new_token() -> str:
    """Return a mark for the processes of a step, which nobody can guess."""
    return secrets.token_hex(8)


def _step_of(execution: Execution, attendant: _Attendant, command: str, stage: Stage, *, network: bool) -> Step:
    """Return what is recorded of a command."""
    hit = attendant.hit
    if not hit and execution.status == _TOO_LARGE_FILE:
        hit = Hit(DISK, f"a file may have {sized(attendant.limits.disk)}, and one was to have more")
    remarks = [*([hit.remark] if hit else []), *attendant.remarks]
    return Step(
        stage=stage,
        command=redact(command),
        started=execution.started,
        ended=execution.ended,
        status=execution.status,
        wall=execution.wall,
        user=execution.user,
        system=execution.system,
        peak_memory=execution.peak_memory,
        network=network,
        stopped_by=hit.limit if hit else "",
        remark="; ".join(remarks),
    )


def ending_of(step: Step, *, timed: bool = True) -> str:
    """Return how a step ended, as half a sentence; TIMED, it says after how long, which is another time each time."""
    took = f" after {step.wall:.1f} s" if timed else ""
    if step.stopped_by:
        return f"stopped{took} by the limit on {step.stopped_by}: {step.remark}"
    name = _signal_name(step.status - KILLED)
    return f"ended{took} by the signal {name}" if name else f"ended{took} with exit status {step.status}"


def _signal_name(number: int) -> str:
    """Return the name of a signal, empty if there is none of that number."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return ""


@dataclass
class _Attendant:
    """Reads what a command prints, looks at what it uses, and sees to its end."""

    enclosure: Enclosure
    box: Box
    limits: Limits
    step: str
    group: Group | None
    show: Callable[[str], None]
    transcript: Transcript
    before: Spent
    hit: Hit | None = None
    remarks: list[str] = field(default_factory=list)
    read: int = 0
    lines: Lines = field(default_factory=Lines)
    reached: bool = False  # the command, and not only what holds it
    last: str = ""
    reading: int = -1
    writing: int = -1

    def execute(self, command: str, *, network: bool) -> Execution:
        """Execute the shell COMMAND, attended to."""
        holder = self.enclosure.holder
        words = holder.command(command, self.box, network=network, limits=self.limits, step=self.step)
        self.reading, self.writing = os.pipe()
        try:
            return execute(
                self.group.joined(words) if self.group else words,
                environment=holder.environment(self.box, self.step),
                stdout=self.writing,
                attend=self.attend,
            )
        finally:
            self._close_writing()
            os.close(self.reading)

    def attend(self, pid: int, over: threading.Event) -> None:
        """Attend to the command that runs as PID until it is OVER, and end it when it hits a limit."""
        self._close_writing()
        os.set_blocking(self.reading, False)
        crew = Crew(pid, self.step, self.enclosure.holder.loose, self.group)
        gauge = Gauge(crew, self.limits, self.box.written, self.before.seconds)
        try:
            self._watch(gauge, over)
        finally:
            self._end(crew)
        self._read_rest()
        self.hit = self.hit or gauge.look_at_disk()

    def _watch(self, gauge: Gauge, over: threading.Event) -> None:
        """Read and look until the command is OVER or a limit is hit."""
        waiting = select.poll()
        waiting.register(self.reading, select.POLLIN)
        ended = False  # what it prints, though not the command
        while not over.is_set() and not self.hit:
            if ended:
                over.wait(_MILLISECONDS / 1000)
            elif waiting.poll(_MILLISECONDS):
                ended = not self._read_piece()
            self.hit = self.hit or gauge.look()

    def _end(self, crew: Crew) -> None:
        """End every process that is left."""
        survivors = crew.members() if crew.loose else set()
        survivors -= {crew.root}
        left = crew.end()
        self.enclosure.holder.end(self.step)
        if survivors and not self.hit:
            were = "was" if len(survivors) == 1 else "were"
            self.remarks.append(f"{len(survivors)} of its processes outlived it, and {were} ended")
        if left:
            self.remarks.append(f"{len(left)} of its processes could not be ended")

    def _read_piece(self) -> bool:
        """Read what there is, and tell whether more may come."""
        try:
            piece = os.read(self.reading, _PIECE)
        except BlockingIOError:
            return True
        kept = piece[: max(0, self.limits.log - self.read)]
        self.read += len(piece)
        self._show(self.lines.add(kept))
        if self.read > self.limits.log:
            most = f"{sized(self.limits.log)}{shared(self.before.log)}"
            remark = f"it may print {most}, and printed more; what came after is not kept"
            self.hit = self.hit or Hit(LOG, remark)
        return bool(piece)

    def _read_rest(self) -> None:
        """Read what is left in the pipe, which is not much, and end the last line."""
        while self.read <= self.limits.log and select.select([self.reading], [], [], 0)[0] and self._read_piece():
            pass
        self._show(self.lines.rest())

    def _show(self, lines: Iterable[str]) -> None:
        """Show LINES, and add each to the transcript first; that the command was reached is not shown."""
        for line in lines:
            if not self.reached and line == self.step:
                self.reached = True
                continue
            self.last = line
            self.transcript.add(line)
            self.show(line)

    def _close_writing(self) -> None:
        """Close our side of the pipe, so that it ends with the command."""
        if self.writing >= 0:
            os.close(self.writing)
            self.writing = -1
