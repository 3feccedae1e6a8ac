"""What do tests of commands in a box share?  A place to run one, and what was seen of it."""

import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from primad.replay.result import Limits, Stage, Step
from primad.replay.sandbox.box import Box, box_in
from primad.replay.sandbox.holder import Enclosure
from primad.replay.steps import run_step
from primad.replay.transcript import Transcript

MB = 1_000_000
# Several processes run tests at once: what one looks for must not be what another has started.
OWN = os.getpid()
LIMITS = Limits(seconds=10, memory=200 * MB, processes=40, disk=20 * MB, log=MB // 4)
PYTHON = (Path(sys.base_prefix),)  # the interpreter that runs the tests, lent to the box


@dataclass
class Bench:
    """A box to run commands in, and all lines that were shown."""

    held: Enclosure
    box: Box
    transcript: Path
    lines: list[str] = field(default_factory=list)

    def run(self, command: str, limits: Limits = LIMITS, *, network: bool = False, writable: bool = False) -> Step:
        """Run a COMMAND as a step."""
        box = replace(self.box, system_writable=writable)
        with Transcript(self.transcript) as transcript:
            return run_step(
                self.held,
                box,
                command,
                Stage.RUN,
                limits,
                network=network,
                show=self.lines.append,
                transcript=transcript,
            )


def bench_in(folder: Path, held: Enclosure, extra: tuple[Path, ...] = ()) -> Bench:
    """Return a bench whose workspace is in FOLDER, which only we may enter."""
    folder.chmod(0o700)
    (folder / "in").mkdir()
    (folder / "in" / "words.txt").write_text("one\ntwo\n", encoding="utf-8")
    box = box_in(folder / "work", folder / "in", extra)
    held.holder.admit(box)
    return Bench(held, box, folder / "transcript.txt")


def has_process(words: str) -> bool:
    """Tell whether a process runs whose arguments contain WORDS."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if words.encode() in path.read_bytes().replace(b"\0", b" ") and int(path.parent.name) != os.getpid():
                return True
        except OSError:
            continue
    return False


def wait_for(condition: Callable[[], bool]) -> None:
    """Return as soon as CONDITION holds, and fail the test if that takes too long."""
    for _ in range(1500):
        if condition():
            return
        time.sleep(0.02)
    raise AssertionError("waited in vain")
