"""What can every rung of the ladder do?

Holder     runs a command in a box
Enclosure  a holder and what its self-test found
in_shell   a command as a shell gets it
bounded    a command with limits that the system keeps
"""

from __future__ import annotations

import resource
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from primad.replay.sandbox.box import STEP
from primad.replay.sandbox.processes import tasks_of_user

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from primad.replay.result import Limits, Rung, Sandbox
    from primad.replay.sandbox.box import Box

OPEN_FILES = 4096  # of one process, so that looking at them does not take for ever

_TIMES = 4  # as many processes for a user, who may have several steps at once; the number of each is watched

# The first line tells that the command was reached, and not only what holds it.  Authors write for bash more often than
# they say; "$0" is the command.
_SHELL = f'echo "${STEP}"; if command -v bash >/dev/null; then exec bash -c "$0"; else exec sh -c "$0"; fi'


class Holder(Protocol):
    """Runs a command in a box.  RUNG and ENGINE are what a record says of it.

    It is LOOSE if a process can leave the tree of the command's processes, so that it has to be looked for.
    """

    rung: Rung
    engine: str
    loose: bool

    def admit(self, box: Box) -> None:
        """Let the command's user write to the folders of BOX."""
        ...

    def command(self, text: str, box: Box, *, network: bool, limits: Limits, step: str) -> list[str]:
        """Return what has to be executed so that the shell command TEXT runs in BOX."""
        ...

    def environment(self, box: Box, step: str) -> Mapping[str, str]:
        """Return the environment for what is executed; a command can read that of its keeper."""
        ...

    def end(self, step: str) -> None:
        """End what goes on when what was executed has been killed."""
        ...


@dataclass(frozen=True)
class Enclosure:
    """A HOLDER, and what is recorded of it as SANDBOX."""

    holder: Holder
    sandbox: Sandbox


def in_shell(text: str) -> list[str]:
    """Return the words that print the name of the step and run TEXT by bash, or by sh where there is none."""
    return ["/bin/sh", "-c", _SHELL, text]


def bounded(command: Sequence[str], limits: Limits, user: int) -> list[str]:
    """Return COMMAND so that the system keeps its USER from far too many processes, too large files and too many open.

    It is as it was where there is no program for that.
    """
    program = shutil.which("prlimit")
    if not program:
        return list(command)
    processes = tasks_of_user(user) + _TIMES * limits.processes
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]  # more than that we could not give
    files = OPEN_FILES if most == resource.RLIM_INFINITY else min(OPEN_FILES, most)
    bounds = [f"--nproc={processes}", f"--fsize={limits.disk}", f"--nofile={files}", "--core=0"]
    return [program, *bounds, "--", *command]
