"""How people reach primad from a terminal: one file per command, a folder for commands on an archive or a track."""

from __future__ import annotations

import signal
import sys
from typing import TYPE_CHECKING

from primad.lazily import fetched

if TYPE_CHECKING:
    from primad.cli.program import app, command

__all__ = ["app", "command", "main"]

__getattr__, _ = fetched(__name__, {"program": ["app", "command"]})


def main() -> None:
    """Run the command line; whoever interrupts it, even before it has begun, is told so."""
    try:
        from primad.cli.program import run

        run()
    except KeyboardInterrupt:
        if sys.stderr is not None:
            sys.stderr.write("primad: interrupted\n")
        sys.exit(128 + signal.SIGINT)  # as a shell says it
