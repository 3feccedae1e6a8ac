"""How does a command run that is trusted?  As a process like any other of the same user.

    Plain   the rung

Only its environment is kept clean, and its limits are watched.  It can read and write what we can, and reach what we
can reach.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from primad.replay.result import Rung
from primad.replay.sandbox.box import variables
from primad.replay.sandbox.holder import bounded, in_shell

if TYPE_CHECKING:
    from collections.abc import Mapping

    from primad.replay.result import Limits
    from primad.replay.sandbox.box import Box


class Plain:
    """Holds nothing but the environment and the limits."""

    rung = Rung.PLAIN
    engine = "none"
    loose = True

    def admit(self, box: Box) -> None:
        """Do nothing: the command's user is ours."""

    def environment(self, box: Box, step: str) -> Mapping[str, str]:
        """Return that of the command."""
        return variables(box, box.places, step)

    def command(self, text: str, box: Box, *, network: bool, limits: Limits, step: str) -> list[str]:  # noqa: ARG002 - there is no way to keep the network from it
        """Return what has to be executed so that the shell command TEXT runs in the system's folder."""
        there = ["/bin/sh", "-c", 'cd "$1" && shift && exec "$@"', "sh", str(box.system), *in_shell(text)]
        return bounded(there, limits, os.getuid())

    def end(self, step: str) -> None:
        """Do nothing: its processes are found by their mark."""
